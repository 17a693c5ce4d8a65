//! A kernel but for its coefficients, as data.

use kernels_gen::ops::Prim;

use crate::dd::Dd;
use crate::polynomial::{Form, Scheme};
use crate::spec::Format;

/// The base of a power.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Base {
    /// Its logarithm, of base 2.
    pub log2: f64,
    /// The logarithm of 2 to this base, in two words.
    pub of_2: Dd,
    /// The function that the polynomial approximates: the power less 1.
    pub less_one: &'static str,
}

/// What is made of the power.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finish {
    /// `b^x`
    Power,
    /// `b^x - 1`
    LessOne,
    /// `1 / (1 + b^-x)`
    Sigmoid,
    /// `(1 - u) / (1 + u)` of `u = b^-2|x|`
    Tanh,
}

/// The reduction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exponential {
    /// The base.
    pub base: Base,
    /// n = 2^table.
    pub table: u32,
    /// Whether two words of the logarithm of 2 are used.
    pub two_words: bool,
    /// What is made of the power.
    pub finish: Finish,
}

impl Exponential {
    pub(super) fn describe(&self) -> String {
        let words = match (self.base.of_2.lo == 0.0, self.two_words) {
            (true, _) => "",
            (_, true) => "2 words, ",
            (_, false) => "1 word, ",
        };
        match self.table {
            0 => format!("2^k, {words}"),
            t => format!("2^(k/{}), {words}", 1 << t),
        }
    }

    /// The arguments of the power for which it is computed without more ado.
    pub(super) fn limits(&self, prim: Prim) -> (f64, f64) {
        match prim {
            Prim::F32 => (-125.0, 126.0),
            _ => (-1000.0, 1000.0),
        }
    }
}

/// The reduction.
#[derive(Debug, Clone, PartialEq)]
pub struct Logarithm {
    /// The logarithm of 2.
    pub of_2: Dd,
    /// The table: the number of cells of the fraction, a power of two; none without a table.
    pub cells: Vec<Cell>,
}

/// A cell of the fraction: the factor by which its numbers are multiplied, and the function there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell {
    /// The factor.
    pub c: f64,
    /// The function at `1 / c`.
    pub log: f64,
}

impl Logarithm {
    pub(super) fn describe(&self) -> String {
        match self.cells.len() {
            0 => "2^e, ".into(),
            n => format!("2^e, {n} cells, "),
        }
    }
}

/// The reduction of a sine or cosine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Periodic {
    /// The words of pi; none if the period is 2.
    pub words: u32,
    /// Whether it is a cosine.
    pub cosine: bool,
}

impl Periodic {
    pub(super) fn describe(&self) -> String {
        match self.words {
            0 => "half turns, ".into(),
            n => format!("Cody and Waite, {n} words, "),
        }
    }
}

/// A reduction.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// The polynomial alone.
    Plain,
    /// `b^x = 2^(k/n) b^r`, and functions made from it.
    Exponential(Exponential),
    /// `log x = e log 2 - log c + log(1 + r)`.
    Logarithm(Logarithm),
    /// Sines and cosines by periods.
    Periodic(Periodic),
    /// The arc tangent, by the arc tangent of the reciprocal.
    Reciprocal,
}

/// What is approximated.
#[derive(Debug, Clone, PartialEq)]
pub struct Approximation {
    /// The function, by the name of its reference.
    pub function: &'static str,
    /// Where.
    pub low: f64,
    /// Where.
    pub high: f64,
    /// Whether the error is relative to the function.
    pub relative: bool,
}

/// A kernel without its coefficients.
#[derive(Debug, Clone, PartialEq)]
pub struct Design {
    /// The function.
    pub function: &'static str,
    /// The format of input and result.
    pub format: Format,
    /// The precision of its computation.
    pub prim: Prim,
    /// The reduction.
    pub shape: Shape,
    /// The approximation problem of the polynomial.
    pub approximation: Approximation,
    /// Its powers.
    pub form: Form,
    /// Its coefficients.
    pub terms: u32,
    /// The order of its evaluation.
    pub scheme: Scheme,
    /// The inputs that it is for.
    pub limits: Limits,
}

/// The least and the largest input, and whether there are NaNs among them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// The least input.
    pub low: f64,
    /// The largest.
    pub high: f64,
    /// Whether NaNs are among them.
    pub nan: bool,
}

impl Limits {
    /// The largest magnitude.
    #[must_use]
    pub fn largest(&self) -> f64 {
        self.low.abs().max(self.high.abs())
    }
}
