//! The true value of a reduction, exact or to some 94 bits, and the error of a result.

use std::cmp::Ordering;

use super::accumulator::{Accumulator, Scaled};
use super::exponential::{self, Near};
use crate::model::key::Precision;
use crate::model::pairs::{bias, fraction};

/// The function that a reduction computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Function {
    /// `Σ x`.
    Sum,
    /// `Σ x y`; the kernel takes all `x` and then all `y`.
    Dot,
    /// `√(Σ x²)`.
    Norm,
    /// `Σ x / n`.
    Mean,
    /// `Σ (x - mean)² / n`.
    Variance,
    /// `Σ (x - mean)² / (n - 1)`.
    SampleVariance,
    /// `e^x[k] / Σ e^x`, for each k.
    Softmax,
    /// `ln Σ e^x`.
    LogSumExp,
}

impl Function {
    /// All functions.
    pub const ALL: [Function; 8] = [
        Function::Sum,
        Function::Dot,
        Function::Norm,
        Function::Mean,
        Function::Variance,
        Function::SampleVariance,
        Function::Softmax,
        Function::LogSumExp,
    ];

    /// The name, as in a suite.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Function::Sum => "sum",
            Function::Dot => "dot",
            Function::Norm => "norm",
            Function::Mean => "mean",
            Function::Variance => "variance",
            Function::SampleVariance => "sample_variance",
            Function::Softmax => "softmax",
            Function::LogSumExp => "logsumexp",
        }
    }

    /// The divisor of an error, besides the unit roundoff `u`.
    #[must_use]
    pub const fn scale(self) -> &'static str {
        match self {
            Function::Sum => "Σ|x|",
            Function::Dot => "Σ|x y|",
            Function::Norm => "the norm",
            Function::Mean => "Σ|x| / n",
            Function::Variance => "Σx² / n",
            Function::SampleVariance => "Σx² / (n - 1)",
            Function::Softmax => "(1 + max x - x[k]) y[k]",
            Function::LogSumExp => "(1 + |y|)",
        }
    }

    /// The number of vectors that the function takes.
    #[must_use]
    pub const fn vectors(self) -> usize {
        match self {
            Function::Dot => 2,
            _ => 1,
        }
    }

    /// The number of results for vectors of this length.
    #[must_use]
    pub const fn results(self, length: usize) -> usize {
        match self {
            Function::Softmax => length,
            _ => 1,
        }
    }

    /// Whether it is a function of exponentials, whose sums are not exact.
    #[must_use]
    pub const fn is_exponential(self) -> bool {
        matches!(self, Function::Softmax | Function::LogSumExp)
    }
}

/// The true value.
#[derive(Debug, Clone)]
pub enum Truth {
    /// A number, known exactly.
    Finite(Box<Exact>),
    /// A number that is known to some 94 bits.
    Near(Near),
    /// An infinity or NaN, given by the numbers.
    Other(f64),
    /// No true value, because there is no limit. Every result is right.
    Undefined,
}

/// A true value that is a number: `numerator / divisor`, or the square root of the numerator.
#[derive(Debug, Clone, Copy)]
pub struct Exact {
    numerator: Accumulator,
    divisor: u32,
    root: bool,
    scale: Scaled,
    /// The number of terms.
    terms: u32,
    precision: Precision,
    /// Whether all terms are negative zeros, so that their sum is `-0`.
    minus_zero: bool,
}

/// A result, compared with the true value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judged {
    /// The error, in units of `u` times the scale. `None` if the true value or the result is not finite.
    pub error: Option<f64>,
    /// The error in ULP of the true value. `None` if there is no error, or if the true value is zero and the result is not.
    pub ulp: Option<f64>,
    /// Whether the scale is at most twice the true value, so that little cancels.
    pub well_conditioned: bool,
    /// Whether the true value is not known to 2^-20 ULP, so that the error in ULP is not known either.
    pub vague: bool,
    /// The fault of the result, if it has one.
    pub fault: Option<Fault>,
}

impl Judged {
    /// A result without an error and without a fault.
    pub const NOTHING: Judged = Judged {
        error: None,
        ulp: None,
        well_conditioned: false,
        vague: false,
        fault: None,
    };
}

/// A result of the wrong kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fault {
    /// NaN or an infinity where the true value is neither: an intermediate result overflowed.
    Overflow,
    /// Not the infinity or NaN that the numbers give.
    Special,
    /// A zero of the wrong sign.
    ZeroSign,
}

impl Fault {
    /// All faults.
    pub const ALL: [Fault; 3] = [Fault::Overflow, Fault::Special, Fault::ZeroSign];

    /// The fault in words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Fault::Overflow => "NaN or an infinity in place of the true value",
            Fault::Special => "wrong at infinities or NaN",
            Fault::ZeroSign => "a zero of the other sign",
        }
    }

    /// The fault as in `accuracy.toml`.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Fault::Overflow => "overflow",
            Fault::Special => "special",
            Fault::ZeroSign => "zero-sign",
        }
    }
}

/// The value for terms that are not all finite.
fn not_finite(terms: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut any, mut sum) = (false, 0.0);
    for x in terms.filter(|x| !x.is_finite()) {
        (any, sum) = (true, sum + x);
    }
    any.then_some(sum)
}

impl Truth {
    /// The true values of a function of these numbers. For [`Function::Dot`], the numbers are all `x` and then all `y`.
    #[must_use]
    pub fn each(function: Function, precision: Precision, numbers: &[f64]) -> Vec<Truth> {
        match function {
            Function::Softmax => exponential::softmax(precision, numbers),
            Function::LogSumExp => vec![exponential::log_sum_exp(precision, numbers)],
            _ => vec![Truth::exact(function, precision, numbers)],
        }
    }

    /// The value of a function whose sums are exact.
    fn exact(function: Function, precision: Precision, numbers: &[f64]) -> Truth {
        let n = numbers.len() / function.vectors();
        let (x, y) = numbers.split_at(n);
        let pairs = || x.iter().zip(y);
        let other = match function {
            Function::Sum | Function::Mean => not_finite(x.iter().copied()),
            // The product of two finite numbers is finite here.
            Function::Dot => {
                not_finite(pairs().map(|(x, y)| match x.is_finite() && y.is_finite() {
                    true => 0.0,
                    false => x * y,
                }))
            }
            Function::Norm => not_finite(x.iter().map(|x| x.abs())),
            Function::Variance | Function::SampleVariance => {
                (x.iter().any(|x| !x.is_finite())).then_some(f64::NAN)
            }
            Function::Softmax | Function::LogSumExp => {
                unreachable!("no sum of exponentials is exact")
            }
        };
        if let Some(other) = other {
            return Truth::Other(other);
        }
        let (mut sum, mut sizes) = (Accumulator::ZERO, Accumulator::ZERO);
        let (mut divisor, mut root) = (1, false);
        let mut minus_zero = false;
        match function {
            Function::Sum | Function::Mean => {
                for &x in x {
                    sum.add(x);
                    sizes.add(x.abs());
                }
                minus_zero = x.iter().all(|x| *x == 0.0 && x.is_sign_negative());
                if function == Function::Mean {
                    divisor = n as u32;
                }
            }
            Function::Dot => {
                for (&x, &y) in pairs() {
                    sum.add_product(x, y);
                    sizes.add_product(x.abs(), y.abs());
                }
                minus_zero = pairs().all(|(x, y)| {
                    (*x == 0.0 || *y == 0.0) && x.is_sign_negative() != y.is_sign_negative()
                });
            }
            Function::Norm => {
                x.iter().for_each(|&x| sum.add_product(x, x));
                root = true;
            }
            // n Σ x² - (Σ x)², over n² or n (n - 1).
            Function::Variance | Function::SampleVariance => {
                let mut all = Accumulator::ZERO;
                for &x in x {
                    all.add(x);
                    sizes.add_product(x, x);
                    sum.add_multiple(x, x, n as u32);
                }
                sum.subtract_square(&all);
                let less = u32::from(function == Function::SampleVariance);
                divisor = n as u32 * (n as u32 - less);
            }
            Function::Softmax | Function::LogSumExp => {}
        }
        let scale = match function {
            Function::Norm => sum.scaled().sqrt(),
            Function::Mean => sizes.scaled().over(n as f64),
            Function::Variance => sizes.scaled().over(n as f64),
            Function::SampleVariance => sizes.scaled().over((n - 1) as f64),
            _ => sizes.scaled(),
        };
        Truth::Finite(Box::new(Exact {
            numerator: sum,
            divisor,
            root,
            scale,
            terms: n as u32,
            precision,
            minus_zero,
        }))
    }

    /// Compares a result of the reduction.
    #[must_use]
    pub fn judge(&self, result: f64) -> Judged {
        match self {
            Truth::Finite(exact) => exact.judge(result),
            Truth::Near(near) => near.judge(result),
            Truth::Other(other) => {
                let same = result == *other || (result.is_nan() && other.is_nan());
                Judged {
                    fault: (!same).then_some(Fault::Special),
                    ..Judged::NOTHING
                }
            }
            Truth::Undefined => Judged::NOTHING,
        }
    }

    /// The true value, rounded to 17 digits: `1.5`; `-1.25 × 2^1030` if no double is near; or `NaN`.
    #[must_use]
    pub fn show(&self) -> String {
        let value = match self {
            Truth::Other(other) => return format!("{other}"),
            Truth::Undefined => return "none".into(),
            Truth::Finite(exact) => exact.value(),
            Truth::Near(near) => near.value(),
        };
        match value.to_f64() {
            x if x.is_finite() && (x != 0.0 || value.m == 0.0) => format!("{x:?}"),
            _ => format!("{:?} × 2^{}", value.m, value.e),
        }
    }
}

impl Exact {
    /// The true value, rounded to about 53 bits.
    fn value(&self) -> Scaled {
        let numerator = self.numerator.scaled();
        match self.root {
            true => numerator.sqrt(),
            false => numerator.over(self.divisor.into()),
        }
    }

    /// The amount by which a finite result is above the true value.
    fn error(&self, result: f64) -> Scaled {
        let mut rest = self.numerator.negated();
        if !self.root {
            rest.add_product(result, self.divisor.into());
            return rest.scaled().over(self.divisor.into());
        }
        if result < 0.0 {
            return Scaled::of(result).plus(self.value().over(-1.0));
        }
        // r - √S = (r² - S) / (r + √S)
        rest.add_product(result, result);
        let sum = Scaled::of(result).plus(self.value());
        let rest = rest.scaled();
        match rest.m {
            0.0 => rest,
            m => Scaled {
                m: m / sum.m,
                e: rest.e - sum.e,
            },
        }
    }

    /// The exponent of the true value, but at least that of the smallest normal number.
    fn exponent(&self) -> i32 {
        let least = 1 - bias(self.precision) as i32;
        let Some(e) = self.numerator.exponent() else {
            return least;
        };
        if self.root {
            return e.div_euclid(2).max(least);
        }
        let e = e - self.divisor.ilog2() as i32;
        if e <= least {
            return least;
        }
        let mut rest = self.numerator.abs();
        rest.subtract_integer(self.divisor.into(), e);
        e - i32::from(rest.is_negative())
    }

    /// Whether the true value is so large that it rounds to an infinity.
    fn is_rounded_to_infinity(&self) -> bool {
        let p = fraction(self.precision) as i32 + 1;
        let (m, e) = ((1u128 << (p + 1)) - 1, bias(self.precision) as i32 - p);
        let mut rest = self.numerator.abs();
        match self.root {
            true => rest.subtract_integer(m * m, 2 * e),
            false => rest.subtract_integer(m * u128::from(self.divisor), e),
        }
        !rest.is_negative()
    }

    fn judge(&self, result: f64) -> Judged {
        let sign = self.numerator.sign();
        let size = self.value();
        let well_conditioned = size.ratio(self.scale).abs() >= 0.5;
        if !result.is_finite() {
            let large = self.is_rounded_to_infinity();
            let right = large && !result.is_nan() && (result < 0.0) == (sign == Ordering::Less);
            return Judged {
                well_conditioned,
                fault: (!right).then_some(Fault::Overflow),
                ..Judged::NOTHING
            };
        }
        let error = self.error(result);
        let p = fraction(self.precision) as i32 + 1;
        let ulp = Scaled::power(self.exponent() + 1 - p);
        let unit = unit(self.scale, self.terms, self.precision);
        let is_zero = sign == Ordering::Equal;
        let zero_sign = is_zero && result == 0.0 && result.is_sign_negative() != self.minus_zero;
        Judged {
            error: Some(error.ratio(unit)),
            ulp: (!is_zero || result == 0.0).then(|| error.ratio(ulp)),
            well_conditioned,
            vague: false,
            fault: zero_sign.then_some(Fault::ZeroSign),
        }
    }
}

/// The divisor of errors. Each of the terms may underflow during the computation, and lose half the smallest subnormal number.
pub(super) fn unit(scale: Scaled, terms: u32, precision: Precision) -> Scaled {
    let lost = Scaled {
        m: f64::from(terms),
        e: 1 - bias(precision) as i32,
    };
    let scale = scale.plus(lost);
    Scaled {
        m: scale.m,
        e: scale.e - fraction(precision) as i32 - 1,
    }
}
