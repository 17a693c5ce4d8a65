//! Numbers in two words: the low word of a kernel's argument, and two results that are one number.

use kernels_gen::ops::Prim;

use super::domain::{Cells, Over};
use super::residual::{Index, Kind, Operation, Rounding};
use crate::num::float::{BINARY64, exponent, is_power};
use crate::num::{Interval, Ring as _};

/// The sites of operations that are not in the kernel: the low word, and the sum of two results.
const LOW_WORD: u32 = u32::MAX;
const WORDS: u32 = LOW_WORD - 1;

impl Cells<'_> {
    /// The low word of the argument.
    pub(super) fn low_word(&mut self, most: f64) -> Over {
        self.push(Operation {
            kind: Kind::Low(most),
            site: LOW_WORD,
            format: BINARY64,
            values: Interval::symmetric(most),
            reals: Interval::ZERO,
            grid: BINARY64.least,
            direction: None,
            // Half a unit is `most`, or a little more if this is no power of two.
            rounding: Some(Rounding {
                unit: exponent(most.next_up()) + 1 + i32::from(!is_power(most)),
                error: Interval::symmetric(0.5),
                exact_grid: None,
            }),
        })
    }

    /// The exact sum of two results. `None` if one varies in another way.
    pub(super) fn in_words(&mut self, results: &[Over]) -> Option<Over> {
        let &[high, low] = results else {
            return None;
        };
        let high = self.operand(Prim::F64, &high, WORDS)?;
        let low = self.operand(Prim::F64, &low, WORDS)?;
        Some(self.sum(high, low))
    }

    /// The exact sum of two numbers.
    pub(super) fn sum(&mut self, high: Index, low: Index) -> Over {
        let [a, b] = [high, low].map(|i| self.operations[i as usize]);
        self.push(Operation {
            kind: Kind::Sum(high, low),
            site: WORDS,
            format: BINARY64,
            values: a.values.add(b.values),
            reals: a.reals.add(b.reals),
            grid: a.grid.min(b.grid),
            direction: None,
            rounding: None,
        })
    }
}
