//! The parts around the polynomial of a kernel: reductions and their reconstruction.

mod exponential;
mod logarithm;
mod periodic;
mod plain;
mod reciprocal;

use kernels_gen::ops::Prim;
use kernels_gen::syntax::{Expr, Unit};

use crate::build::{Builder, Coefficient};
use crate::polynomial::{Form, Scheme};
use crate::spec::Format;

pub use exponential::{Base, Exponential, Finish};
pub use logarithm::{Logarithm, cells};
pub use periodic::Periodic;

/// A reduction.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// Only the polynomial.
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

/// An approximation problem.
#[derive(Debug, Clone, PartialEq)]
pub struct Approximation {
    /// The function, by the name of its reference.
    pub function: &'static str,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
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
    /// The precision that it computes in.
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
    /// The inputs for which it is made.
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

impl Design {
    /// The kernel, in its source form or to be judged.
    #[must_use]
    pub fn unit(
        &self,
        name: &str,
        doc: Vec<String>,
        coefficients: &[Coefficient],
        judged: bool,
    ) -> Unit {
        let (mut b, x) = Builder::new(self.format.prim(), self.prim, coefficients, judged);
        let y = self.body(&mut b, x);
        b.finish(name, doc, self.format.prim(), y)
    }

    fn body(&self, b: &mut Builder, x: Expr) -> Expr {
        match &self.shape {
            Shape::Plain => plain::body(self, b, &x),
            Shape::Exponential(e) => exponential::body(self, e, b, x),
            Shape::Logarithm(l) => logarithm::body(self, l, b, x),
            Shape::Periodic(p) => periodic::body(self, *p, b, x),
            Shape::Reciprocal => reciprocal::body(self, b, &x),
        }
    }

    /// A short description.
    #[must_use]
    pub fn describe(&self) -> String {
        let reduction = match &self.shape {
            Shape::Plain => String::new(),
            Shape::Exponential(e) => e.describe(),
            Shape::Logarithm(l) => l.describe(),
            Shape::Periodic(p) => p.describe(),
            Shape::Reciprocal => "reciprocal above 1, ".into(),
        };
        let degree = self.form.powers(self.terms).last().copied().unwrap_or(0);
        let precision = match self.prim {
            Prim::F64 => "f64",
            _ => "f32",
        };
        format!(
            "{precision}: {reduction}degree {degree}, {}{}",
            self.scheme.name(),
            match self.form.one() {
                Some(_) => ", from 1",
                None => "",
            }
        )
    }
}
