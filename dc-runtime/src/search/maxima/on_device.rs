//! The search for the largest errors of a routine in binary64 on a device. The processor expands the function. The device compares results
//! with the polynomials, and measures an error if it may be a record.

use super::place::Place;
use super::stretch::{Expansion, Stretches};
use crate::model::backend::{MaximaKernel, Piece, Polynomial, SweepKernel};
use crate::model::block::BlockResult;
use crate::model::error::BackendError;
use dc_exact::num::float::power;

/// A search on one device.
pub(super) struct Search {
    pub place: Place,
    pub kernel: Box<dyn MaximaKernel>,
    pub stretches: Stretches,
    /// The number of inputs at which the reference was evaluated.
    pub in_full: u64,
}

impl SweepKernel for Search {
    fn run(&mut self, first: i64, count: u64) -> Result<BlockResult, BackendError> {
        let mut total = BlockResult::EMPTY;
        let most = self.kernel.most();
        while total.count < count {
            let start = first.wrapping_add_unsigned(total.count);
            let wanted = (count - total.count).min(most);
            let (mut pieces, mut key, mut left) = (Vec::new(), start, wanted);
            while left > 0 {
                let stretch = self.place.stretch(&mut self.stretches, key)?;
                let here = left.min(stretch.last.abs_diff(key) + 1);
                pieces.push(Piece {
                    count: u32::try_from(here).expect("a stretch is short"),
                    polynomial: stretch.expansion.map(|e| polynomial(&e, key)),
                });
                key = key.wrapping_add_unsigned(here);
                left -= here;
            }
            let (block, in_full) = self.kernel.run(start, &pieces)?;
            self.in_full += in_full;
            total = total.merge(&block);
        }
        Ok(total)
    }

    fn in_full(&self) -> Option<u64> {
        Some(self.in_full)
    }
}

/// The polynomial of the function itself from a key on. The expansion is divided by a power of two.
fn polynomial(expansion: &Expansion, key: i64) -> Polynomial {
    let scale = power(expansion.exponent);
    Polynomial {
        base: expansion.base * scale,
        low: expansion.low * scale,
        slope: expansion.slope * scale,
        curve: expansion.curve * scale,
        start: (key - expansion.center) as f64 * expansion.step,
        step: expansion.step,
        ulp: f64::EPSILON * scale,
    }
}
