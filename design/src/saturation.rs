//! Finds where a function no longer changes: beyond some input every result is the same, so the argument is cut off there.

use crate::compare::ulp;
use crate::judge::{Case, Problem};
use crate::spec::{Saturation, Tolerance, Unit};
use crate::stored;

/// The part of a tolerance that the constant may use up.
const SHARE: f64 = 0.5;

impl Problem {
    /// The inputs beyond which the function no longer changes, according to the sample.
    #[must_use]
    pub fn saturation(&self, cases: &[Case]) -> Saturation {
        let cases: Vec<&Case> = cases.iter().filter(|c| !c.x.is_nan()).collect();
        Saturation {
            low: self.end(cases.iter().copied()),
            high: self.end(cases.iter().rev().copied()),
        }
    }

    /// The last of these inputs with the same result as the first one, if there are several.
    fn end<'a>(&self, mut cases: impl Iterator<Item = &'a Case>) -> Option<f64> {
        let first = cases.next()?;
        if first.value.is_nan() {
            return None;
        }
        let last = cases
            .take_while(|c| self.same(c.value, first.value))
            .last()?;
        last.x.is_finite().then_some(last.x)
    }

    fn result(&self, value: f64) -> f32 {
        let mut y = [value as f32];
        if let Some(format) = self.format.stored() {
            stored::round(format, &mut y);
        }
        y[0]
    }

    /// Whether a constant for one value is accurate enough for the other one.
    fn same(&self, value: f64, constant: f64) -> bool {
        if self.result(value).to_bits() == self.result(constant).to_bits() {
            return true;
        }
        let error = (value - constant).abs();
        match self.tolerance {
            Tolerance::Correct => false,
            Tolerance::Within(most, Unit::Ulp) => {
                error <= SHARE * most * ulp(self.format, constant)
            }
            Tolerance::Within(most, Unit::Absolute) => error <= SHARE * most,
            Tolerance::Within(most, Unit::Relative) => error <= SHARE * most * constant.abs(),
        }
    }
}
