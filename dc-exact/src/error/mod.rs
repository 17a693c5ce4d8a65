//! The bound of the error of a kernel over one cell.
//!
//! # Theorem
//!
//! Let `V_i` be the computed value of operation i of a residual program, `S_i` its value in real arithmetic without any
//! rounding, `e_i = V_i - S_i` and `ε_i` the rounding error of the operation alone. Then exactly
//!
//! ```text
//! e_i = Σ_j g_ij e_j + ε_i
//! ```
//!
//! with the slopes of secants as `g_ij`: 1 for operands of sums, `V_b` and `S_a` for those of `a b`, since `V_a V_b - S_a S_b =
//! V_b e_a + S_a e_b`; `1 / V_b` and `-(S_a / S_b) / V_b` for `a / b`; `1 / (√V_a + √S_a)` for `√a`. With intervals for the slopes
//! over a cell, the adjoint recursion gives intervals `W_i` with `e_out = Σ W_i ε_i`. There is no remainder of higher order.
//! The error is `e_out + (S_out - g)`, whose second part is the method's error; its Taylor coefficients are enclosed.
//!
//! # Numbers
//!
//! Each value is divided by a power of two above its range, so that nothing under- or overflows here.
//!
//! # Files
//!
//! | file | what |
//! |---|---|
//! | `analysis` | values, slopes and weights of a residual's operations over a cell |
//! | `cases` | bounds of computed values by their real ones; results on both sides of a power of two |
//! | `deviation` | programs with parameters: numbers that are made from bits |
//! | `in_reals` | a residual's series in real arithmetic |
//! | `form` | errors as linear forms, in which equal errors cancel |
//! | `ties` | two roundings that are not at their extremes together |
//! | `beside` | arguments in two words: the function beside the input |
//! | `bound` | the errors |

mod analysis;
mod beside;
mod bound;
mod cases;
mod deviation;
mod form;
mod in_reals;
mod products;
#[cfg(test)]
mod theorem;
mod ties;

use crate::law::Truth;
use crate::num::{Ball, Interval};

pub(crate) use analysis::ranges_by_series;
pub use analysis::{Analysis, analyse, input_on};
pub use bound::{bound_constant, bound_residual};
pub(crate) use bound::{error_of_input, of_analysis};
pub use cases::both_sides;

/// The bounds of a cell.
#[derive(Debug, Clone)]
pub struct CellError {
    /// The range of the errors of all inputs of the cell, extended to zero, in units of `2^unit`. This unit may be half the unit of a
    /// particular true value.
    pub error: Interval,
    /// No input has a larger error, in ULP of its true value.
    pub most: f64,
    /// The range of the method's error: the difference between real arithmetic and the true function, including the rounding of constants.
    pub method: Interval,
    /// Exponent of the unit in the last place of the true value: the smallest on the cell.
    pub unit: i32,
    /// Whether the true value may be zero on the cell. Then the unit is the smallest of the format, and the bound is
    /// useless.
    pub through_zero: bool,
    /// The largest contribution of each rounding, in ULP, by site, in descending order.
    pub shares: Vec<Share>,
    /// Among the operations whose results lie on both sides of a power of two, the one with the largest share.
    pub straddles: Option<Straddle>,
}

/// The largest contribution of an operation's rounding.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// The operation's site.
    pub site: u32,
    /// The contribution in ULP.
    pub ulp: f64,
}

/// An operation whose results lie in more than one binade.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Straddle {
    /// Its site.
    pub site: u32,
    /// A power of two on both sides of which results lie, with their sign.
    pub edge: f64,
    /// Whether they exceed the power by at most a few times the rounding errors before the operation. Then the two sides are cases, because
    /// no cut of the cell separates them.
    pub hugs: bool,
    /// The place where the real value of the operation is near the edge, as a part of the cell from its lower end.
    pub place: f64,
}

impl CellError {
    /// The bounds of a cell without inputs: no error.
    #[must_use]
    pub fn none() -> CellError {
        CellError {
            error: Interval::ZERO,
            most: 0.0,
            method: Interval::ZERO,
            unit: crate::num::float::BINARY64.least,
            through_zero: false,
            shares: Vec::new(),
            straddles: None,
        }
    }

    /// A bound of the magnitude of the errors, in ULP.
    #[must_use]
    pub fn bound(&self) -> f64 {
        self.most
    }
}

/// The reason why a cell has no bound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Unbounded {
    /// The kernel is more than one program on the cell: it must be cut where the value of this site changes.
    Varies {
        /// The site.
        site: u32,
        /// Whether it is a site of the reference.
        reference: bool,
    },
    /// The true value is undefined, or the kernel's result is infinite or NaN: the cell must be cut.
    Special,
    /// No input of the cell meets the case's assumptions.
    Empty,
}

/// The reference of a residual.
#[derive(Debug, Clone, Copy)]
pub struct Target<'a> {
    /// The function of the residual's input.
    pub truth: &'a Truth,
    /// The true value is the function's, times this factor,
    pub factor: Ball,
    /// and times `1 + η`.
    pub eta: Interval,
    /// Whether the residual is a core whose results are scaled by powers of two. Then errors are in ULP of the kernel's results only if the
    /// core's true values are normal, because the unit of subnormal numbers is not scaled.
    pub scaled: bool,
}
