//! The true values of softmax and of the logarithm of a sum of exponentials, in two words with a bound of their error.
//!
//! The largest number is subtracted first, which is exact in two words, so that no exponential is too large. Values are known to a relative
//! error of 2^-94. Only where the logarithm cancels the largest number, a result may not be known to 2^-20 ULP. Then it is computed by MPFR
//! with the feature `mpfr`, and otherwise counted.

use super::accumulator::Scaled;
use super::truth::{Fault, Judged, Truth, unit};
use super::wide::Wide;
use crate::model::key::Precision;
use crate::model::pairs::{bias, fraction};

/// A true value that is known to some number of bits.
#[derive(Debug, Clone, Copy)]
pub struct Near {
    value: Wide,
    scale: Scaled,
    /// The number of terms.
    terms: u32,
    precision: Precision,
}

/// The largest of the numbers, and the sum of the other exponentials divided by its own. `None` if that is not a number.
fn parts(x: &[f64]) -> Option<(f64, Wide)> {
    let (at, most) = x
        .iter()
        .copied()
        .enumerate()
        .reduce(|a, b| if b.1 > a.1 { b } else { a })?;
    let others = x.iter().enumerate().filter(|(i, _)| *i != at);
    let others = others.map(|(_, x)| relative(*x, most));
    most.is_finite()
        .then(|| (most, others.fold(Wide::ZERO, Wide::plus)))
}

/// `e^(x - most)`.
fn relative(x: f64, most: f64) -> Wide {
    match x == f64::NEG_INFINITY {
        true => Wide::ZERO,
        false => Wide::exp_of_difference(x, most),
    }
}

/// `ln Σ e^x`, in units of `1 + |y|`.
pub(super) fn log_sum_exp(precision: Precision, x: &[f64]) -> Truth {
    if x.iter().any(|x| x.is_nan()) {
        return Truth::Other(f64::NAN);
    }
    let Some((most, others)) = parts(x) else {
        // The largest number is an infinity, of either sign.
        return Truth::Other(x.iter().copied().fold(f64::NEG_INFINITY, f64::max));
    };
    let near = |value: Wide| {
        let size = value.scaled();
        let size = Scaled {
            m: size.m.abs(),
            ..size
        };
        Near {
            value,
            scale: size.plus(Scaled::power(0)),
            terms: x.len() as u32,
            precision,
        }
    };
    let found = near(Wide::of(most).plus(others.log1p()));
    #[cfg(feature = "mpfr")]
    if found.is_vague(found.value) {
        return Truth::Near(near(in_mpfr(x, most)));
    }
    Truth::Near(found)
}

/// `e^x[k] / Σ e^x` for each k, in units of `(1 + max x - x[k]) y[k]`: this is how much the exponential changes if a difference of two
/// numbers is replaced by its nearest double.
pub(super) fn softmax(precision: Precision, x: &[f64]) -> Vec<Truth> {
    if x.iter().any(|x| x.is_nan()) {
        return vec![Truth::Other(f64::NAN); x.len()];
    }
    let Some((most, others)) = parts(x) else {
        return vec![Truth::Undefined; x.len()];
    };
    let sum = others.plus(Wide::of(1.0));
    x.iter()
        .map(|&x_k| {
            let value = relative(x_k, most).over(sum);
            let far = match x_k == f64::NEG_INFINITY {
                true => Scaled::power(0),
                false => {
                    let far = Wide::of(most).plus(Wide::of(x_k).negated());
                    far.scaled().plus(Scaled::power(0))
                }
            };
            let size = value.scaled();
            Truth::Near(Near {
                value,
                scale: Scaled {
                    m: size.m * far.m,
                    e: size.e + far.e,
                },
                terms: x.len() as u32,
                precision,
            })
        })
        .collect()
}

impl Near {
    /// The value, rounded to 53 bits.
    pub(super) fn value(&self) -> Scaled {
        self.value.scaled()
    }

    /// The words of the value, and its radius, with their exponents.
    #[cfg(all(test, feature = "mpfr"))]
    pub(super) fn parts(&self) -> [(Vec<f64>, i32); 2] {
        self.value.parts()
    }

    /// The unit in the last place of the value.
    fn ulp(&self) -> Scaled {
        let least = 1 - bias(self.precision) as i32;
        let e = self.value.exponent().map_or(least, |e| e.max(least));
        Scaled::power(e - fraction(self.precision) as i32)
    }

    /// Whether this difference from the value is not known to 2^-20 ULP.
    fn is_vague(&self, rest: Wide) -> bool {
        rest.radius().ratio(self.ulp()) > f64::from_bits((1023 - 20) << 52)
    }

    pub(super) fn judge(&self, result: f64) -> Judged {
        let well_conditioned = self.value().ratio(self.scale).abs() >= 0.5;
        if !result.is_finite() {
            // No value is so large that it is rounded to an infinity: the largest number is a number.
            return Judged {
                well_conditioned,
                fault: Some(Fault::Overflow),
                ..Judged::NOTHING
            };
        }
        let rest = Wide::of(result).plus(self.value.negated());
        let zero = self.value.is_exact_zero();
        let vague = self.is_vague(rest);
        let error = |unit| rest.scaled().ratio(unit);
        Judged {
            error: Some(error(unit(self.scale, self.terms, self.precision))),
            ulp: (!vague && (!zero || result == 0.0)).then(|| error(self.ulp())),
            well_conditioned,
            vague,
            fault: (zero && result == 0.0 && result.is_sign_negative()).then_some(Fault::ZeroSign),
        }
    }
}

/// `most + ln Σ e^(x - most)`, computed by MPFR to 100 bits.
#[cfg(feature = "mpfr")]
pub(super) fn in_mpfr(x: &[f64], most: f64) -> Wide {
    use crate::mpfr::rug::Float;
    use crate::types::DoubleDouble;
    // Sums and differences of doubles are exact.
    let exact = 2200;
    let mut sum = Float::new(exact);
    for x in x {
        let power = Float::with_val(exact, *x) - most;
        sum += Float::with_val(exact, power.exp_ref());
    }
    let y = sum.ln() + most;
    let Some(e) = y.get_exp() else {
        return Wide::ZERO;
    };
    let y = y >> e;
    let hi = y.to_f64();
    let lo = (y - hi).to_f64();
    let radius = f64::from_bits((1023 - 100) << 52);
    Wide::new(DoubleDouble { hi, lo }, e, radius)
}
