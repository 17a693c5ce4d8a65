//! The parts around the polynomial of a kernel: reductions and their reconstruction.

mod design;
mod exponential;
mod logarithm;
mod periodic;
mod plain;
mod reciprocal;

use kernels_gen::ops::Prim;
use kernels_gen::syntax::{Expr, Unit};

use crate::build::{Builder, Coefficient};

pub use design::{
    Approximation, Base, Design, Exponential, Finish, Limits, Logarithm, Periodic, Shape,
};
pub use logarithm::cells;

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
