//! Errors of results in binary64 on a sample. The reference has two words. [`crate::proof`] covers all inputs.

use crate::compare::{Fault, error, power, ulp};
use crate::judge::{Case, Problem, Report};
use crate::spec::{Format, Unit};
use crate::strips::{Results, STRIP, Strips};

impl Problem {
    /// Inputs with their values. Inputs with subnormal values are left out, since the second word is lost there.
    pub(crate) fn cases_of_two_words(&self, keys: &[i64]) -> Vec<Case> {
        cases(self, keys)
    }

    /// The errors of a candidate at such inputs.
    pub(crate) fn errors_in_two_words(&self, strips: &mut Strips, cases: &[Case]) -> Report {
        report(self.tolerance.unit(), strips, cases)
    }
}

fn cases(problem: &Problem, keys: &[i64]) -> Vec<Case> {
    let xs: Vec<f64> = keys.iter().map(|&k| problem.inputs.number(k)).collect();
    let values = problem.exactly(&xs);
    let case = |((&key, &x), v): ((&i64, &f64), &crate::dd::Dd)| Case {
        key,
        x,
        value: v.hi,
        low: v.lo,
    };
    let all = keys.iter().zip(&xs).zip(&values).map(case);
    let least = power(-960);
    all.filter(|c| c.value == 0.0 || c.value.abs() >= least || c.value.is_nan())
        .collect()
}

/// The unit in the last place of results near a value of two words.
fn unit(value: f64, low: f64) -> f64 {
    // Just below a power of two the unit is that of the numbers below it.
    let is_power = value.to_bits() & ((1 << 52) - 1) == 0;
    match is_power && low != 0.0 && (low < 0.0) != (value < 0.0) {
        true => ulp(Format::F64, 0.75 * value),
        false => ulp(Format::F64, value),
    }
}

/// The error of one result.
///
/// # Errors
/// If the result is wrong and has no error.
pub fn error_of(of: Unit, y: f64, value: f64, low: f64) -> Result<f64, Fault> {
    if !y.is_finite() || !value.is_finite() || y == 0.0 || value == 0.0 {
        return error(of, Format::F64, y, value);
    }
    let difference = ((y - value) - low).abs();
    Ok(match of {
        Unit::Ulp => difference / unit(value, low),
        Unit::Absolute => difference,
        Unit::Relative => difference / value.abs(),
    })
}

fn report(of: Unit, strips: &mut Strips, cases: &[Case]) -> Report {
    let mut report = Report::default();
    for cases in cases.chunks(STRIP) {
        for (to, case) in strips.inputs_f64().iter_mut().zip(cases) {
            *to = case.x;
        }
        strips.run(cases.len());
        let Results::F64(ys) = strips.results(0) else {
            continue;
        };
        for (c, &y) in cases.iter().zip(ys) {
            report.inputs += 1;
            match error_of(of, y, c.value, c.low) {
                Err(Fault) => {
                    report.faults += 1;
                    report.fault = report.fault.or(Some(c.key));
                }
                Ok(error) => {
                    if error > report.largest {
                        (report.largest, report.worst) = (error, Some(c.key));
                    }
                    report.misrounded += u64::from(of == Unit::Ulp && error > 0.5);
                }
            }
        }
    }
    report
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_word_counts_and_units_change_at_powers_of_two() {
        let ulps = |y, value, low| error_of(Unit::Ulp, y, value, low).expect("an error");
        let e = f64::EPSILON;
        // Fault: without the second word, the nearest number has no error.
        assert_eq!(ulps(1.5, 1.5, 0.25 * e), 0.25);
        assert_eq!(ulps(1.5 + e, 1.5, 0.25 * e), 0.75);
        // Just below 2 the unit is half of that above.
        assert_eq!(ulps(2.0, 2.0, -0.25 * e), 0.25);
        assert_eq!(ulps(2.0, 2.0, 0.25 * e), 0.125);
        assert_eq!(ulps(-2.0, -2.0, 0.25 * e), 0.25);
        let relative = error_of(Unit::Relative, 2.0, 2.0, -e).expect("an error");
        assert_eq!(relative, e / 2.0);
        assert!(error_of(Unit::Ulp, f64::NAN, 1.0, 0.0).is_err());
        assert!(error_of(Unit::Ulp, 0.0, -0.0, 0.0).is_err());
    }
}
