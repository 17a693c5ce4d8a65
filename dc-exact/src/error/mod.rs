//! The error of a kernel over one cell, bounded.
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
//! over a cell, the adjoint recursion gives intervals `W_i` with `e_out = Σ W_i ε_i`: no remainder of higher order is left.
//! The error is `e_out + (S_out - g)`, the second part being the method's, of which the Taylor coefficients are enclosed.
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
//! | `cases` | computed values known from their real ones; results on both sides of a power of two |
//! | `bound` | the errors |

mod analysis;
mod bound;
mod cases;

use crate::law::Truth;
use crate::num::{Ball, Interval};

pub use analysis::{Analysis, analyse, input_on};
pub use bound::{bound_constant, bound_residual};
pub(crate) use bound::{error_of_input, of_analysis};
pub use cases::both_sides;

/// What is known of a cell.
#[derive(Debug, Clone)]
pub struct CellError {
    /// All errors of inputs of the cell lie between zero and it, in ULP of the true value: they lie in it in units of `2^unit`, which
    /// may be half of a true value's own unit.
    pub error: Interval,
    /// The part of the method: real arithmetic against the true function, and constants' roundings.
    pub method: Interval,
    /// Exponent of the unit in the last place of the true value: the smallest on the cell.
    pub unit: i32,
    /// Whether the true value may be zero on the cell: the unit is then the smallest of all, and the bound useless.
    pub through_zero: bool,
    /// What each rounding adds at most, in ULP, by site, the largest first.
    pub shares: Vec<Share>,
    /// The operation with the largest share of those whose results lie on both sides of a power of two.
    pub straddles: Option<Straddle>,
}

/// What the rounding of an operation adds at most.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// The operation's site.
    pub site: u32,
    /// ULP.
    pub ulp: f64,
}

/// An operation whose results lie in more than one binade.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Straddle {
    /// Its site.
    pub site: u32,
    /// A power of two on both sides of which results lie, with their sign.
    pub edge: f64,
    /// Whether they do by no more than a few times the rounding errors before it: the two sides are then cases, and no
    /// cutting of the cell separates them.
    pub hugs: bool,
    /// Where the real value of the operation is the edge, as a part of the cell from its lower end, nearly.
    pub place: f64,
}

impl CellError {
    /// No error: of a cell without inputs.
    #[must_use]
    pub fn none() -> CellError {
        CellError {
            error: Interval::ZERO,
            method: Interval::ZERO,
            unit: crate::num::float::BINARY64.least,
            through_zero: false,
            shares: Vec::new(),
            straddles: None,
        }
    }

    /// A bound of the magnitude of the errors.
    #[must_use]
    pub fn bound(&self) -> f64 {
        self.error.magnitude()
    }
}

/// Why a cell has no bound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Unbounded {
    /// The kernel is more than one program on it: cut it where the value of this site changes.
    Varies {
        /// The site.
        site: u32,
        /// Whether it is one of the reference.
        reference: bool,
    },
    /// The true value is undefined, or the kernel's result is infinite or NaN: cut it.
    Special,
    /// No input of it meets the case's assumptions.
    Empty,
}

/// What a residual is held against.
#[derive(Debug, Clone, Copy)]
pub struct Target<'a> {
    /// The function of the residual's input.
    pub truth: &'a Truth,
    /// The true value is the function's times this,
    pub factor: Ball,
    /// and times `1 + η`.
    pub eta: Interval,
}
