//! Designs in a variable that the user gives: `p(u(x))`, `u p(u²)` and `x p(u(x))`.

use super::{MOST, Space};
use crate::judge::{Case, Problem};
use crate::polynomial::Form;
use crate::shape::{Approximation, Design, Of, Shape};
use crate::variable::Variable;

impl Space {
    pub(super) fn in_variable(&self, u: &Variable) -> Vec<Design> {
        let mut designs = Vec::new();
        for of in [Of::Itself, Of::ByX] {
            let approximation = Approximation {
                of,
                weight: self.weight(),
                variable: Some(u.clone()),
                ..Approximation::relative(self.source, self.limits.low, self.limits.high)
            };
            // A function that is 0 where u is, as acos x is sqrt(1 - x) times a polynomial in 1 - x.
            let forms = match of {
                Of::Itself => &[Form::All, Form::NoConstant, Form::Odd][..],
                _ => &[Form::All],
            };
            designs.extend(self.each(&Shape::Plain, &approximation, forms, MOST));
            designs.extend(self.quotients(&Shape::Plain, &approximation, forms));
        }
        designs
    }
}

/// Rejects a variable that has no value somewhere on the range, or one value everywhere. The cases are a sample of the range.
///
/// # Errors
/// If the variable is rejected. The error names the variable, the input, the value there and the remedy.
pub fn check(u: &Variable, problem: &Problem, cases: &[Case]) -> Result<(), String> {
    let refused =
        |why: &str, remedy: &str| Err(format!("--variable `{}` {why}; {remedy}", u.text()));
    let limits = problem.inputs.limits();
    let special = match limits.nan {
        true => Some("NaN"),
        false => (!limits.largest().is_finite()).then_some("an infinity"),
    };
    if let Some(input) = special {
        return refused(
            &format!("has no value at {input}, which is in the range"),
            "name a range of numbers, such as `0.5..2`",
        );
    }
    let xs: Vec<f64> = cases.iter().map(|c| c.x).collect();
    let spans = problem.range.spans();
    let inside = |x: f64| {
        let key = problem.inputs.key(x);
        spans.iter().any(|s| s.first <= key && key <= s.last)
    };
    if let Some(x) = u.pole(&xs, &inside) {
        return refused(
            &format!("divides by 0 at {x:?}, which is in the range"),
            "name a range without this input, or another variable",
        );
    }
    if let Some(x) = u.undefined(&xs) {
        return refused(
            &format!("has no finite value at {x:?}, which is in the range"),
            "name a range without this input, or another variable",
        );
    }
    let values = || xs.iter().map(|&x| u.at(x.into()).hi);
    if let Some(first) = values().next()
        && values().all(|v| v == first)
    {
        return refused(
            &format!("is {first:?} at every input of the range"),
            "name one that changes with x",
        );
    }
    Ok(())
}
