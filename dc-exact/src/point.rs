//! Single inputs: their errors, evaluated.

use kernels_gen::program::Program;

use crate::cell::{Cell, Values, input_format};
use crate::error::bound_constant;
use crate::law::Truth;
use crate::num::Interval;

/// An input with its error, in ULP: it was evaluated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The input.
    pub x: f64,
    /// Its error, signed.
    pub error: f64,
}

/// The exact error of an input in ULP, enclosed.
#[must_use]
pub fn error_at(program: &Program, truth: &Truth, values: &mut Values, x: f64) -> Option<Interval> {
    let bits = values.result(x);
    bound_constant(program, truth, Cell { lo: x, hi: x }, bits)
        .ok()
        .map(|e| e.error)
}

/// The cells of a kernel's inputs from `lo` to `hi`, with zeros of both signs where zero is between.
#[must_use]
pub fn stretches(program: &Program, lo: f64, hi: f64) -> Vec<Cell> {
    let mut cells = Cell::by_sign(lo, hi, input_format(program));
    if lo <= 0.0 && hi >= 0.0 {
        cells.push(Cell { lo: -0.0, hi: -0.0 });
    }
    cells
}
