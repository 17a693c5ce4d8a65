//! The parts of a kernel around its polynomial: reductions and their reconstruction.

mod cubic;
mod design;
mod exponential;
mod half_angle;
mod logarithm;
mod periodic;
mod pieces;
mod plain;
mod reciprocal;
mod tail;

use kernels_gen::ir::BinOp;
use kernels_gen::ops::Prim;
use kernels_gen::syntax::{Expr, Unit};

use crate::build::{Builder, Coefficient, Stage, at_least, at_most, binary, same};
use crate::spec::Saturation;

pub use design::{
    Approximation, Base, Cubic, Design, Exponential, Falling, Finish, Limits, Logarithm, Of,
    Periodic, Pieces, Second, Shape, Tail, Turns, Weight,
};
pub use exponential::{LAST_HALVED, NEAR_HALF};
pub use logarithm::cells;

impl Design {
    /// The kernel, or a part of it.
    #[must_use]
    pub fn unit(
        &self,
        name: &str,
        doc: Vec<String>,
        coefficients: &[Coefficient],
        stage: Stage,
    ) -> Unit {
        let (mut b, x) = Builder::new(self.format.prim(), self.prim, coefficients, stage);
        b.fused = self.fused;
        let input = x.clone();
        let x = self.cut_off(&mut b, x);
        let y = self.body(&mut b, x);
        let y = self.excepted(&mut b, &input, y);
        b.finish(name, doc, self.format.prim(), y)
    }

    /// The result, replaced at the exceptions.
    fn excepted(&self, b: &mut Builder, x: &Expr, y: Expr) -> Expr {
        let mut y = y;
        for (i, &(at, result)) in self.exceptions.iter().enumerate() {
            y = b.bind("y", y);
            let at = b.number(&format!("EXCEPTION_{i}"), at.into());
            let result = b.number(&format!("RESULT_{i}"), result.into());
            let is = binary(BinOp::Eq, x.clone(), at);
            y = b.choose(is, result, y);
        }
        y
    }

    /// The argument, cut off where the function no longer changes. A NaN stays.
    fn cut_off(&self, b: &mut Builder, x: Expr) -> Expr {
        let limit = |b: &mut Builder, name: &str, x: Option<f64>| x.map(|x| b.number(name, x));
        let low = limit(b, "LOW", self.cut.low);
        let high = limit(b, "HIGH", self.cut.high);
        let chosen = match (low, high) {
            (Some(low), Some(high)) => same("clamp", x, vec![low, high]),
            (Some(low), None) => at_least(low, x),
            (None, Some(high)) => at_most(high, x),
            (None, None) => return x,
        };
        b.bind("x", chosen)
    }

    fn body(&self, b: &mut Builder, x: Expr) -> Expr {
        match &self.shape {
            Shape::Plain => plain::body(self, b, x, 0),
            Shape::Root(squarings) => plain::body(self, b, x, *squarings),
            Shape::Tail(t) => tail::body(self, *t, b, x),
            Shape::Exponential(e) => exponential::body(self, e, b, x),
            Shape::Logarithm(l) => logarithm::body(self, l, b, x),
            Shape::Periodic(p) => periodic::body(self, *p, b, x),
            Shape::Reciprocal => reciprocal::body(self, b, &x),
            Shape::HalfAngle => half_angle::body(self, b, &x),
            Shape::Cubic(c) => cubic::body(self, c, b, &x),
            Shape::Pieces(p) => pieces::body(p, b, &x),
        }
    }

    /// A short description.
    #[must_use]
    pub fn describe(&self) -> String {
        let reduction = match &self.shape {
            Shape::Plain => String::new(),
            Shape::Root(squarings) => format!("power {}, ", 1 << squarings),
            Shape::Tail(t) => t.describe(),
            Shape::Exponential(e) => e.describe(),
            Shape::Logarithm(l) => l.describe(),
            Shape::Periodic(p) => p.describe(),
            Shape::Reciprocal => "reciprocal above 1, ".into(),
            Shape::HalfAngle => "half the angle above 1/2, ".into(),
            Shape::Cubic(c) => format!("2^3q, {} cells, ", c.factors.len()),
            Shape::Pieces(p) => format!("{} pieces, ", p.centers.len()),
        };
        let degree = self.form.powers(self.terms).last().copied().unwrap_or(0);
        let precision = match self.prim {
            Prim::F64 => "f64",
            _ => "f32",
        };
        format!(
            "{precision}: {}{reduction}{}{}degree {degree}{}{}, {}{}{}{}",
            match self.cut {
                Saturation {
                    low: None,
                    high: None,
                } => "",
                _ => "cut off, ",
            },
            match (&self.approximation.variable, self.approximation.of) {
                (Some(u), Of::ByX) => format!("x by {}, ", u.text()),
                (Some(u), _) => format!("in {}, ", u.text()),
                (None, _) => String::new(),
            },
            match self.approximation.center {
                0.0 => "",
                _ => "centered, ",
            },
            match self.form.below(self.denominator).last() {
                Some(degree) => format!("/{degree}"),
                None => String::new(),
            },
            match &self.second {
                Some(second) => format!(" and {}", second.terms - 1),
                None => String::new(),
            },
            self.scheme.name(),
            match self.form.one() {
                Some(_) if self.form.two_words() => ", from 1 in 2 words",
                Some(_) => ", from 1",
                None => "",
            },
            if self.fused { "" } else { ", unfused" },
            match self.exceptions.len() + self.corrections.len() {
                0 => String::new(),
                1 => ", 1 exception".into(),
                n => format!(", {n} exceptions"),
            }
        )
    }
}
