//! One input, and a batch of inputs.

use dc_runtime::prelude::DoubleDouble;

use crate::cases::{Case, neighbours};
use crate::state::State;

/// 2^-90: more than the second computation errs by.
pub const ERROR: f64 = f64::from_bits((1023 - 90) << 52);

/// What an input's result is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Right,
    Misrounded,
    Undecided,
}

/// The bits, with one NaN.
pub fn bits(y: f32) -> u32 {
    if y.is_nan() { 0x7fc0_0000 } else { y.to_bits() }
}

impl Case {
    /// The right result, unless it cannot be decided.
    pub fn right(&self, x: f32) -> Option<f32> {
        let mut truth = [DoubleDouble::default()];
        (self.truth)(&[f64::from(x)], &mut truth);
        let (lower, upper) = neighbours::eval(truth[0], self.least, ERROR);
        if bits(lower) == bits(upper) {
            return Some(lower);
        }
        self.by_mpfr(x)
    }

    #[cfg(feature = "mpfr")]
    fn by_mpfr(&self, x: f32) -> Option<f32> {
        Some(self.function.at(f64::from(x)).to_f32())
    }

    #[cfg(not(feature = "mpfr"))]
    fn by_mpfr(&self, _: f32) -> Option<f32> {
        None
    }

    /// Compares the results at these inputs; `quick` takes the bound of the first computation for granted.
    pub fn look(&self, state: &mut State, xs: &[f32], quick: bool, scratch: &mut Scratch) {
        let (ys, nears) = scratch.of(xs.len());
        (self.map)(xs, ys);
        (if quick { self.quick } else { self.near })(xs, nears);
        for ((&x, &y), &(lower, upper)) in xs.iter().zip(&*ys).zip(&*nears) {
            let verdict = if bits(lower) != bits(upper) {
                state.near(x);
                match self.right(x) {
                    None => Verdict::Undecided,
                    Some(right) if bits(right) == bits(y) => Verdict::Right,
                    Some(_) => Verdict::Misrounded,
                }
            } else if bits(y) == bits(lower) {
                continue;
            } else {
                Verdict::Misrounded
            };
            state.count(x, verdict);
        }
    }
}

/// Columns of results, kept from batch to batch.
#[derive(Default)]
pub struct Scratch {
    ys: Vec<f32>,
    nears: Vec<(f32, f32)>,
}

impl Scratch {
    fn of(&mut self, n: usize) -> (&mut [f32], &mut [(f32, f32)]) {
        self.ys.resize(n, 0.0);
        self.nears.resize(n, (0.0, 0.0));
        (&mut self.ys[..n], &mut self.nears[..n])
    }
}
