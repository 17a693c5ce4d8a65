//! The function that a certificate is about: either a function whose derivatives are all known, or a reference kernel in real arithmetic.

use crate::angle::Angle;
use crate::cell::in_reals;
use crate::from_zero::FromZero;
use crate::ir::Program;
use crate::law::Law;
use crate::number::Interval;
use crate::powers::Power;
use crate::residual::Line;
use crate::scale::Scale;
use crate::series::{Series, of_line};
use crate::turned::Turned;

/// A function.
#[derive(Debug)]
pub enum Function {
    /// A function with known derivatives.
    Law(Law),
    /// The sum of such a function and an angle.
    Plus(Law, Angle),
    /// Such a function times a power of two.
    Scaled(Law, Scale),
    /// A power with one fixed argument.
    Power(Power),
    /// A sine or a tangent whose argument is turned.
    Turned(Turned),
    /// `ln abs Γ` with one of its zeros added to its argument.
    FromZero(FromZero),
    /// A kernel in which no operation that depends on the input is rounded. Its integers, branches, table entries and roundings to
    /// integers, and all values made of them alone, are the computed ones. Its value is the sum of its two results.
    Reference(Program),
}

/// The function on a stretch of inputs.
pub enum On {
    /// The function with known derivatives, the same on every stretch.
    Law(Law),
    /// The sum of such a function and an angle.
    Plus(Law, Angle),
    /// Such a function times a power of two.
    Scaled(Law, Scale),
    /// A power with one fixed argument.
    Power(Power),
    /// A sine or a tangent whose argument is turned.
    Turned(Turned),
    /// `ln abs Γ` with one of its zeros added to its argument.
    FromZero(FromZero),
    /// The line of a reference.
    Line(Line),
}

impl Function {
    /// The function, if it is one whose derivatives are known, with nothing added and no factor.
    pub fn law(&self) -> Option<Law> {
        match self {
            Function::Law(law) => Some(*law),
            Function::Plus(..)
            | Function::Scaled(..)
            | Function::Power(_)
            | Function::Turned(_)
            | Function::FromZero(_)
            | Function::Reference(_) => None,
        }
    }

    /// Its name in messages.
    pub fn words(&self) -> &'static str {
        match self {
            Function::Law(law) => law.words(),
            Function::Plus(Law::Atan, _) => "atan x and an angle",
            Function::Plus(..) => "a function and an angle",
            Function::Scaled(Law::Gamma, _) => "the gamma function of x, times a power of two",
            Function::Scaled(..) => "a function times a power of two",
            Function::Power(power) => power.words(),
            Function::Turned(turned) => turned.words(),
            Function::FromZero(from) => from.words(),
            Function::Reference(_) => "its reference in real arithmetic",
        }
    }

    /// The function on the doubles from `lo` to `hi`, which have one sign; `None` if the reference is not one line there.
    pub fn on(&self, lo: f64, hi: f64) -> Option<On> {
        Some(match self {
            Function::Law(law) => On::Law(*law),
            Function::Plus(law, angle) => On::Plus(*law, *angle),
            Function::Scaled(law, scale) => On::Scaled(*law, *scale),
            Function::Power(power) => On::Power(*power),
            Function::Turned(turned) => On::Turned(*turned),
            Function::FromZero(from) => On::FromZero(*from),
            Function::Reference(program) => On::Line(in_reals(program, lo, hi).ok()?),
        })
    }
}

impl On {
    /// The value at a number of the stretch; `None` if it is not defined or cannot be evaluated.
    pub fn value<const P: usize>(&self, x: &Interval<P>) -> Option<Interval<P>> {
        match self {
            On::Law(law) => law.value(x),
            On::Plus(law, angle) => Some(law.value(x)?.add(&angle.value())),
            On::Scaled(law, scale) => Some(scale.of(&law.value(x)?)),
            On::Power(power) => power.value(x),
            On::Turned(turned) => turned.value(x),
            On::FromZero(from) => from.value(x),
            On::Line(line) => {
                let all = of_line(line, &vec![x.clone()])?;
                Some(all[line.result][0].clone())
            }
        }
    }

    /// The coefficients of `f(x + w τ)`.
    pub fn series<const P: usize>(
        &self,
        x: &Interval<P>,
        w: &Interval<P>,
        terms: usize,
    ) -> Option<Series<P>> {
        match self {
            On::Law(law) => law.series(x, w, terms),
            On::Plus(law, angle) => Some(angle.added(law.series(x, w, terms)?)),
            On::Scaled(law, scale) => Some(scale.of_all(&law.series(x, w, terms)?)),
            On::Power(power) => power.series(x, w, terms),
            On::Turned(turned) => turned.series(x, w, terms),
            On::FromZero(from) => from.series(x, w, terms),
            On::Line(line) => {
                let mut variable = vec![Interval::zero(); terms];
                variable[0] = x.clone();
                if let Some(slope) = variable.get_mut(1) {
                    *slope = w.clone();
                }
                let mut all = of_line(line, &variable)?;
                Some(all.swap_remove(line.result))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Fine;

    /// The series of a reference is the series of the function that it computes.
    #[test]
    fn the_series_of_a_reference_is_its_functions() {
        let text = "doublecrunch ir 1\nfn f0\n  %0: f64 = param\n  %1: f64 = const 0x3ff0000000000000\n  %2: f64 = div %1, %0\n  return %2\n";
        let program = Program::parse_reference(text).expect("a reference");
        let function = Function::Reference(program);
        assert!(function.law().is_none());
        let on = function.on(1.25, 1.5).expect("one line");
        let law = Function::Law(Law::Recip).on(1.25, 1.5).expect("everywhere");
        let (x, w) = (Fine::double(1.375), Fine::double(0.03125));
        for terms in 1..6 {
            let (found, due) = (on.series(&x, &w, terms), law.series(&x, &w, terms));
            let (found, due) = (found.expect("defined"), due.expect("defined"));
            assert_eq!(found.len(), terms);
            let all = found.iter().zip(&due);
            assert!(all.into_iter().all(|(a, b)| a.meet(b).is_some()), "{terms}");
        }
        let (found, due) = (
            on.value(&x).expect("defined"),
            law.value(&x).expect("defined"),
        );
        assert!(found.meet(&due).is_some());
    }
}
