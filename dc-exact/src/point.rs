//! Evaluation of the errors of single inputs.

use kernels_gen::program::Program;

use crate::cell::{Cell, Values, input_format};
use crate::error::error_of_input;
use crate::law::Truth;
use crate::num::Interval;

/// An evaluated input with its error in ULP.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Hit {
    /// The input.
    pub x: f64,
    /// Its error, signed. If it is known, this is the end of its enclosure that is farther from 0. So the largest of these magnitudes is a
    /// bound of all evaluated errors.
    pub error: f64,
}

impl Hit {
    /// A hit from an enclosure of the error: its far end if the enclosure is narrow, otherwise the certain part.
    #[must_use]
    pub fn new(x: f64, error: Interval) -> Hit {
        let size = match is_decided(error) {
            true => error.magnitude(),
            false => error.least(),
        };
        let sign = 0.5 * error.lo + 0.5 * error.hi;
        let error = size.copysign(sign);
        Hit { x, error }
    }

    /// The magnitude of its error is at least this.
    #[must_use]
    pub fn least(self) -> f64 {
        let size = self.error.abs();
        size - 2.0 * KNOWN * size.max(1.0)
    }
}

/// How wide the enclosure of an error may be that counts as known, in ULP, and relative to an error above one.
const KNOWN: f64 = 1e-11;

/// Whether an input's error is known, to all digits that are printed. It is unknown if the true value may be on either side of a power of
/// two, at which its unit changes. This includes a true value that is the power itself but whose enclosure is not a single number. It is
/// also unknown if the reference is not known accurately enough: then another input may have the larger error.
#[must_use]
pub fn is_decided(error: Interval) -> bool {
    error.width() <= KNOWN * error.least().max(1.0)
}

/// The enclosure of the exact error of an input, in ULP.
#[must_use]
pub fn error_at(program: &Program, truth: &Truth, values: &mut Values, x: f64) -> Option<Interval> {
    let bits = values.result(x);
    error_of_input(program, truth, x, bits).ok()
}

/// The cells of a kernel's inputs from `lo` to `hi`, with zeros of both signs if zero is in the range.
#[must_use]
pub fn stretches(program: &Program, lo: f64, hi: f64) -> Vec<Cell> {
    let mut cells = Cell::by_sign(lo, hi, input_format(program));
    if lo <= 0.0 && hi >= 0.0 {
        cells.push(Cell { lo: -0.0, hi: -0.0 });
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_a_vague_reference_is_not_known() {
        assert!(is_decided(Interval::new(0.4, 0.4 + 1e-13)));
        assert!(is_decided(Interval::new(-3.5e13 - 1.0, -3.5e13)));
        for vague in [
            Interval::new(0.40, 0.55),
            Interval::new(0.5, 0.5 + 1e-9),
            Interval::new(-1e-10, 1e-10),
        ] {
            assert!(!is_decided(vague), "{vague:?}");
            let hit = Hit::new(1.0, vague);
            assert_eq!(hit.error.abs(), vague.least());
        }
    }
}
