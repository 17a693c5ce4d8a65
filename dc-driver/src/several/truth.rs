//! The true value of a result, and the judgement of a result. Values are exact sums. The value of a function with an error has as many bits
//! as are known of it.

use std::cmp::Ordering;

use dc_runtime::reductions::accumulator::{Accumulator, Scaled};

use super::format::Format;

/// The expected result.
#[derive(Debug, Clone)]
pub enum Expected {
    /// A number.
    Value(Value),
    /// An infinity, and whether it is negative if that is known.
    Infinity(Option<bool>),
    Nan,
    /// Anything: the function is not defined there, or nothing is known.
    Any,
}

/// A true value.
#[derive(Debug, Clone)]
pub struct Value {
    sum: Box<Accumulator>,
    /// The relative error is below 2^-`bits`; `None` for an exact value.
    bits: Option<i32>,
    /// Whether a zero is negative, if its sign is known.
    negative_zero: Option<bool>,
}

/// A result of the wrong kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    Nan,
    Infinity,
    NotZero,
    ZeroSign,
}

impl Fault {
    pub const ALL: [Fault; 4] = [Fault::Nan, Fault::Infinity, Fault::NotZero, Fault::ZeroSign];

    pub const fn name(self) -> &'static str {
        match self {
            Fault::Nan => "a NaN and a number",
            Fault::Infinity => "an infinity in the wrong place",
            Fault::NotZero => "a number where the value is zero",
            Fault::ZeroSign => "a zero of the wrong sign",
        }
    }
}

/// Whether a result is the nearest number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rounding {
    Nearest,
    Other,
    /// The value is so near to the middle between two numbers that its own error decides.
    Undecided,
    /// The function is not defined there.
    NotJudged,
}

/// The judgement of a result.
#[derive(Debug, Clone, Copy)]
pub struct Judged {
    pub rounding: Rounding,
    pub fault: Option<Fault>,
    /// The error in ULP of the true value.
    pub ulp: Option<f64>,
    /// The squares of the error and of the true value, if both are numbers.
    pub squares: Option<[Scaled; 2]>,
}

impl Value {
    /// A value without an error.
    pub fn exact(sum: Accumulator, negative_zero: Option<bool>) -> Value {
        Value {
            sum: Box::new(sum),
            bits: None,
            negative_zero,
        }
    }

    /// A value with a relative error below 2^-`bits`.
    pub fn known_to(self, bits: i32) -> Value {
        Value {
            bits: Some(bits),
            ..self
        }
    }

    /// A value that is a number of a format.
    pub fn number(x: f64) -> Value {
        let mut sum = Accumulator::ZERO;
        sum.add(x);
        Value::exact(sum, Some(x.is_sign_negative()))
    }

    /// The value, with either sign if it is zero.
    pub fn any_zero(self) -> Value {
        Value {
            negative_zero: None,
            ..self
        }
    }

    /// The value with the other sign.
    #[cfg(feature = "mpfr")]
    pub fn negated(&self) -> Value {
        Value {
            sum: Box::new(self.sum.negated()),
            bits: self.bits,
            negative_zero: self.negative_zero.map(|n| !n),
        }
    }

    fn is_negative(&self) -> bool {
        self.sum.is_negative()
    }

    /// The value as text with 17 digits; with its own exponent if no double is near.
    fn show(&self) -> String {
        let value = self.sum.scaled();
        match value.to_f64() {
            0.0 if value.m == 0.0 => match self.negative_zero {
                Some(true) => "-0.0".into(),
                _ => "0.0".into(),
            },
            x if x.is_finite() && x.abs() >= f64::MIN_POSITIVE => format!("{x:?}"),
            _ => format!("{:?} * 2^{}", value.m, value.e),
        }
    }
}

/// Limits for the exponents in a sum: beyond all numbers, and far below the smallest.
pub const MOST: i32 = 2000;
pub const LEAST: i32 = -2040;

/// Adds `m` times 2^`e` to a sum. Terms beyond [`MOST`] or below [`LEAST`] count as numbers of that size.
pub fn add_scaled(sum: &mut Accumulator, m: f64, e: i32) {
    let power = |e: i32| f64::from_bits(((e + 1023) as u64) << 52);
    if m == 0.0 {
        return;
    }
    let (m, e) = match e {
        e if e > MOST => (m.signum(), MOST),
        e if e < LEAST => (m.signum(), LEAST),
        e => (m, e),
    };
    let half = e / 2;
    sum.add_product(m * power(half), power(e - half));
}

impl Expected {
    /// A number, an infinity or NaN of a format.
    pub fn number(x: f64) -> Expected {
        match x {
            x if x.is_nan() => Expected::Nan,
            x if x.is_infinite() => Expected::Infinity(Some(x < 0.0)),
            x => Expected::Value(Value::number(x)),
        }
    }

    pub fn show(&self) -> String {
        match self {
            Expected::Value(value) => value.show(),
            Expected::Infinity(Some(true)) => "-inf".into(),
            Expected::Infinity(Some(false)) => "inf".into(),
            Expected::Infinity(None) => "inf or -inf".into(),
            Expected::Nan => "NaN".into(),
            Expected::Any => "not defined".into(),
        }
    }

    /// Judges the result, which is given as a word.
    pub fn judge(&self, format: Format, word: u64) -> Judged {
        let result = format.value(word);
        let with = |fault: Option<Fault>| Judged {
            rounding: match fault {
                None => Rounding::Nearest,
                Some(_) => Rounding::Other,
            },
            fault,
            ulp: None,
            squares: None,
        };
        let value = match self {
            Expected::Any => {
                return Judged {
                    rounding: Rounding::NotJudged,
                    ..with(None)
                };
            }
            Expected::Nan => return with((!result.is_nan()).then_some(Fault::Nan)),
            Expected::Infinity(_) if result.is_nan() => return with(Some(Fault::Nan)),
            Expected::Infinity(sign) => {
                let right = result.is_infinite() && sign.is_none_or(|s| s == (result < 0.0));
                return with((!right).then_some(Fault::Infinity));
            }
            Expected::Value(_) if result.is_nan() => return with(Some(Fault::Nan)),
            Expected::Value(value) => value,
        };
        let zero = value.sum.sign() == Ordering::Equal;
        if zero && result == 0.0 {
            let other = value
                .negative_zero
                .is_some_and(|n| n != result.is_sign_negative());
            let zeros = [Scaled { m: 0.0, e: 0 }; 2];
            return Judged {
                ulp: Some(0.0),
                squares: Some(zeros),
                ..with(other.then_some(Fault::ZeroSign))
            };
        }
        let rounding = value.rounding(format, result);
        if result.is_infinite() {
            let fault = (rounding == Rounding::Other).then_some(Fault::Infinity);
            return Judged {
                rounding,
                ..with(fault)
            };
        }
        let mut error = value.sum.negated();
        error.add(result);
        let error = error.scaled();
        let fault = if zero {
            Some(Fault::NotZero)
        } else if value.rounds_to_infinity(format) {
            Some(Fault::Infinity)
        } else if result == 0.0 && result.is_sign_negative() != value.is_negative() {
            Some(Fault::ZeroSign)
        } else {
            None
        };
        let least = value.sum.exponent().unwrap_or(format.least);
        let unit = Scaled::power(least.max(format.least) + 1 - format.digits);
        let square = |x: Scaled| Scaled {
            m: x.m * x.m,
            e: 2 * x.e,
        };
        let finite = fault != Some(Fault::Infinity);
        Judged {
            rounding,
            fault,
            ulp: (!zero && finite).then(|| error.ratio(unit)),
            squares: finite.then(|| [error, value.sum.scaled()].map(square)),
        }
    }
}

impl Value {
    /// How far the value is above the middle between two nonnegative numbers. The infinity counts as the number after the largest.
    fn above_middle(&self, format: Format, [a, b]: [u64; 2]) -> Accumulator {
        let mut rest = self.sum.abs();
        for bits in [a, b] {
            match bits < format.infinity() {
                true => rest.add_product(format.value(format.word(bits)), -0.5),
                false => rest.add(-f64::from(format.most).exp2()),
            }
        }
        rest
    }

    /// Whether a result is the number nearest to the value or, if two are equally near, the one whose last bit is 0.
    fn rounding(&self, format: Format, result: f64) -> Rounding {
        let bits = format.bits(format.near(result.abs()));
        if result != 0.0 && (result < 0.0) != self.is_negative() {
            return Rounding::Other;
        }
        let even = bits & 1 == 0;
        let mut undecided = false;
        let mut is_within = |other: Option<u64>, beyond: Ordering| {
            let Some(other) = other else { return true };
            let rest = self.above_middle(format, [bits, other]);
            if let (Some(known), Some(e)) = (self.bits, self.sum.exponent()) {
                undecided |= rest.exponent().is_none_or(|r| r <= e - known);
            }
            match rest.sign() {
                Ordering::Equal => even,
                sign => sign != beyond,
            }
        };
        let up = (bits < format.infinity()).then_some(bits + 1);
        let within =
            is_within(bits.checked_sub(1), Ordering::Less) && is_within(up, Ordering::Greater);
        match (undecided, within) {
            (true, _) => Rounding::Undecided,
            (false, true) => Rounding::Nearest,
            (false, false) => Rounding::Other,
        }
    }

    fn rounds_to_infinity(&self, format: Format) -> bool {
        let infinity = format.infinity();
        let rest = self.above_middle(format, [infinity - 1, infinity]);
        rest.sign() != Ordering::Less
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dc_runtime::model::signature::Number;

    fn judge(number: Number, value: &Value, result: f64) -> Judged {
        let format = Format::of(number);
        Expected::Value(value.clone()).judge(format, format.near(result))
    }

    fn product(x: f64, y: f64, z: f64) -> Value {
        let mut sum = Accumulator::ZERO;
        sum.add_product(x, y);
        sum.add(z);
        Value::exact(sum, None)
    }

    /// The nearest number is known at ties, at powers of two, among subnormal numbers, and at the largest one.
    #[test]
    fn nearest_numbers() {
        let (eps, tiny) = (f64::EPSILON, f64::from_bits(1));
        let largest = f64::MAX;
        for (value, nearest, others) in [
            // A tie goes to the even number, from both sides.
            (product(eps, 0.5, 1.0), 1.0, [1.0 + eps, 1.0 - eps / 2.0]),
            (
                product(eps, 0.5, 1.0 + eps),
                1.0 + 2.0 * eps,
                [1.0 + eps, 1.0 + 3.0 * eps],
            ),
            // A little above and below.
            (
                product(eps, 0.5 + eps, 1.0),
                1.0 + eps,
                [1.0, 1.0 + 2.0 * eps],
            ),
            (
                product(eps, 0.5 - eps, 1.0 + eps),
                1.0 + eps,
                [1.0 + 2.0 * eps, 1.0],
            ),
            // Below a power of two numbers are nearer to one another.
            (product(-eps, 0.25, 1.0), 1.0, [1.0 - eps / 2.0, 1.0 + eps]),
            (product(-eps, 0.375, 1.0), 1.0 - eps / 2.0, [1.0, 1.0 - eps]),
            // Subnormal numbers.
            (product(tiny, 0.5, 0.0), 0.0, [tiny, -tiny]),
            (product(tiny, 0.5 + eps, 0.0), tiny, [0.0, 2.0 * tiny]),
            (product(tiny, 1.5, 0.0), 2.0 * tiny, [tiny, 3.0 * tiny]),
            // The largest number, and the infinity.
            (
                product(largest, eps / 8.0, largest),
                largest,
                [f64::INFINITY, largest.next_down()],
            ),
            (
                product(largest.next_down().next_up(), 2.0, 0.0),
                f64::INFINITY,
                [largest, -largest],
            ),
            (
                product(2f64.powi(970), 1.0, largest),
                f64::INFINITY,
                [largest, largest.next_down()],
            ),
            (
                product(2f64.powi(970), 1.0 - eps, largest),
                largest,
                [f64::INFINITY, 1.0],
            ),
        ] {
            let right = judge(Number::F64, &value, nearest);
            assert_eq!(
                (right.rounding, right.fault),
                (Rounding::Nearest, None),
                "{}",
                value.show()
            );
            for other in others {
                let wrong = judge(Number::F64, &value, other);
                assert_eq!(wrong.rounding, Rounding::Other, "{} {other}", value.show());
            }
        }
        let negative = product(-eps, 0.5, -1.0);
        assert_eq!(
            judge(Number::F64, &negative, -1.0).rounding,
            Rounding::Nearest
        );
        assert_eq!(judge(Number::F64, &negative, 1.0).rounding, Rounding::Other);
    }

    #[test]
    fn formats_of_16_bits() {
        let eps = 2f64.powi(-10);
        for (x, nearest, other) in [
            (1.0 + eps / 2.0, 1.0, 1.0 + eps),
            (1.0 + 1.5 * eps, 1.0 + 2.0 * eps, 1.0 + eps),
            (65_519.99, 65_504.0, f64::INFINITY),
            (65_520.0, f64::INFINITY, 65_504.0),
            (2f64.powi(-25), 0.0, 2f64.powi(-24)),
        ] {
            let value = product(x, 1.0, 0.0);
            assert_eq!(
                judge(Number::F16, &value, nearest).rounding,
                Rounding::Nearest,
                "{x}"
            );
            assert_eq!(
                judge(Number::F16, &value, other).rounding,
                Rounding::Other,
                "{x}"
            );
        }
    }

    #[test]
    fn faults_and_errors() {
        let zero = Value::exact(Accumulator::ZERO, Some(false));
        assert_eq!(judge(Number::F64, &zero, -0.0).fault, Some(Fault::ZeroSign));
        assert_eq!(judge(Number::F64, &zero, 0.0).fault, None);
        assert_eq!(
            judge(Number::F64, &zero, 1e-300).fault,
            Some(Fault::NotZero)
        );
        assert_eq!(judge(Number::F64, &zero.any_zero(), -0.0).fault, None);
        let third = product(1.0, 3.0, 0.0);
        assert_eq!(judge(Number::F64, &third, f64::NAN).fault, Some(Fault::Nan));
        assert_eq!(
            judge(Number::F64, &third, f64::INFINITY).fault,
            Some(Fault::Infinity)
        );
        assert_eq!(judge(Number::F64, &third, 3.0f64.next_up()).ulp, Some(1.0));
        let huge = product(1e300, 1e300, 0.0);
        assert_eq!(
            judge(Number::F64, &huge, f64::MAX).fault,
            Some(Fault::Infinity)
        );
        let underflow = product(-1e-300, 1e-300, 0.0);
        assert_eq!(
            judge(Number::F64, &underflow, 0.0).fault,
            Some(Fault::ZeroSign)
        );
        assert_eq!(
            judge(Number::F64, &underflow, -0.0).rounding,
            Rounding::Nearest
        );
        let format = Format::of(Number::F64);
        for (expected, result, fault) in [
            (Expected::Nan, 1.0, Some(Fault::Nan)),
            (Expected::Nan, f64::NAN, None),
            (Expected::Infinity(Some(true)), f64::NEG_INFINITY, None),
            (
                Expected::Infinity(Some(true)),
                f64::INFINITY,
                Some(Fault::Infinity),
            ),
            (Expected::Infinity(None), f64::INFINITY, None),
            (Expected::Infinity(None), 1.0, Some(Fault::Infinity)),
            (Expected::Any, 1.0, None),
        ] {
            assert_eq!(expected.judge(format, result.to_bits()).fault, fault);
        }
    }

    /// A value with an error decides nothing that its error could change.
    #[test]
    fn values_with_an_error() {
        let near = |e: i32| {
            let mut sum = Accumulator::ZERO;
            sum.add(1.0);
            sum.add(f64::EPSILON / 2.0);
            add_scaled(&mut sum, 1.0, e);
            Value::exact(sum, None).known_to(300)
        };
        assert_eq!(
            judge(Number::F64, &near(-290), 1.0).rounding,
            Rounding::Other
        );
        assert_eq!(
            judge(Number::F64, &near(-310), 1.0).rounding,
            Rounding::Undecided
        );
        // Values far from the middle are decided.
        assert_eq!(
            judge(Number::F64, &Value::number(3.0).known_to(300), 3.0).rounding,
            Rounding::Nearest
        );
    }
}
