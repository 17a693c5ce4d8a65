//! Constants with the precision of two doubles. A decimal is not first rounded to one double.

/// A constant of a formula: `hi + lo`, and the remainder.
#[derive(Debug, Clone, PartialEq)]
pub struct Number {
    /// The number as written.
    pub text: String,
    /// The nearest double.
    pub hi: f64,
    /// The double nearest to the remainder.
    pub lo: f64,
    /// The remainder after both doubles, rounded; 0 if they are exact.
    pub rest: f64,
}

/// The largest number of digits of a decimal.
const DIGITS: usize = 2000;
/// The number of digits after the point that suffices for every double.
const PLACES: usize = 1080;

impl Number {
    /// A double.
    #[must_use]
    pub fn double(x: f64) -> Number {
        Number {
            text: format!("{x:?}"),
            hi: x,
            lo: 0.0,
            rest: 0.0,
        }
    }

    /// `p / q` for decimals that are doubles, such as `1/3`.
    ///
    /// # Errors
    /// If one is not a double, or the denominator is 0.
    pub fn fraction(p: &str, q: &str) -> Result<Number, String> {
        let text = format!("{p}/{q}");
        let [a, b] = [Number::parse(p)?, Number::parse(q)?];
        if !a.is_double() || !b.is_double() || b.hi == 0.0 {
            return Err(format!(
                "`{text}` is no fraction of doubles: write it as (/ {p} {q})"
            ));
        }
        let (a, b) = (a.hi, b.hi);
        let hi = a / b;
        // Remainders are exact.
        let rest = (-hi).mul_add(b, a);
        let lo = rest / b;
        let rest = (-lo).mul_add(b, rest) / b;
        Ok(Number { text, hi, lo, rest })
    }

    /// The number with the opposite sign.
    #[must_use]
    pub fn negated(self) -> Number {
        Number {
            text: format!("-{}", self.text),
            hi: -self.hi,
            lo: -self.lo,
            rest: -self.rest,
        }
    }

    /// Whether the number is a double.
    #[must_use]
    pub fn is_double(&self) -> bool {
        self.lo == 0.0 && self.rest == 0.0
    }

    /// Parses a decimal, such as `0.1` or `6.02e23`, or a hexadecimal number, such as `0x1.8p-3`.
    ///
    /// # Errors
    /// If it is not a number, or is too large or too small for a double.
    pub fn parse(text: &str) -> Result<Number, String> {
        match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
            Some(digits) => hexadecimal(text, digits),
            None => decimal(text),
        }
    }

    /// The nearest number of binary32, rounded once.
    #[must_use]
    pub fn narrow(&self) -> f32 {
        let nearest = self.hi as f32;
        // Where the first word is midway between two floats, the rest decides.
        let (below, above) = (nearest.next_down(), nearest.next_up());
        let rest = if self.lo == 0.0 { self.rest } else { self.lo };
        let middle = |a: f32, b: f32| 0.5 * (f64::from(a) + f64::from(b));
        if rest > 0.0 && self.hi == middle(nearest, above) {
            above
        } else if rest < 0.0 && self.hi == middle(below, nearest) {
            below
        } else {
            nearest
        }
    }
}

fn decimal(text: &str) -> Result<Number, String> {
    let exact = Decimal::parse(text).ok_or_else(|| {
        format!("`{text}` is no number: write a decimal, as 0.1 or 1e-9, or 0x1.8p-3")
    })?;
    let hi: f64 = text.parse().map_err(|_| format!("`{text}` is no number"))?;
    let zero = exact.digits.iter().all(|d| *d == 0);
    if !hi.is_finite() || hi.abs() < f64::MIN_POSITIVE && !zero {
        return Err(format!("`{text}` is beyond the normal numbers of binary64"));
    }
    let rest = exact.minus(hi);
    let lo = rest.nearest();
    Ok(Number {
        text: text.into(),
        hi,
        lo,
        rest: rest.minus(lo).nearest(),
    })
}

/// A decimal with [`Decimal::places`] digits after the point, the first digit first.
#[derive(Clone)]
struct Decimal {
    negative: bool,
    digits: Vec<u8>,
    places: usize,
}

impl Decimal {
    fn parse(text: &str) -> Option<Decimal> {
        let (negative, text) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = [whole, fraction].concat();
        let is_decimal = !all.is_empty() && all.bytes().all(|b| b.is_ascii_digit());
        if !is_decimal || all.len() > DIGITS || exponent.unsigned_abs() > 400 {
            return None;
        }
        let mut digits: Vec<u8> = all.bytes().map(|b| b - b'0').collect();
        let places = fraction.len() as i32 - exponent;
        if places < 0 {
            digits.resize(digits.len() + places.unsigned_abs() as usize, 0);
        }
        Some(Decimal {
            negative,
            digits,
            places: places.max(0) as usize,
        })
    }

    /// All digits of a double.
    fn of(x: f64) -> Decimal {
        let text = format!("{:.PLACES$}", x.abs());
        let digits = text.bytes().filter(u8::is_ascii_digit).map(|b| b - b'0');
        Decimal {
            negative: x < 0.0,
            digits: digits.collect(),
            places: PLACES,
        }
    }

    /// The difference from a double, exactly.
    fn minus(&self, x: f64) -> Decimal {
        let (mut a, mut b) = (self.clone(), Decimal::of(-x));
        let places = a.places.max(b.places);
        for d in [&mut a, &mut b] {
            d.digits.resize(d.digits.len() + places - d.places, 0);
        }
        let length = a.digits.len().max(b.digits.len()) + 1;
        for d in [&mut a, &mut b] {
            let zeros = length - d.digits.len();
            d.digits.splice(0..0, std::iter::repeat_n(0, zeros));
        }
        let (larger, smaller) = match a.digits >= b.digits {
            true => (&a, &b),
            false => (&b, &a),
        };
        let mut digits = vec![0u8; length];
        let mut carry = 0i8;
        for i in (0..length).rev() {
            let (p, q) = (larger.digits[i] as i8, smaller.digits[i] as i8);
            let sum = match a.negative == b.negative {
                true => p + q + carry,
                false => p - q + carry,
            };
            carry = sum.div_euclid(10);
            digits[i] = sum.rem_euclid(10) as u8;
        }
        Decimal {
            negative: larger.negative,
            digits,
            places,
        }
    }

    /// The nearest double; Rust rounds decimals of any length correctly.
    fn nearest(&self) -> f64 {
        let sign = if self.negative { "-" } else { "" };
        let digits: String = self.digits.iter().map(|d| char::from(b'0' + d)).collect();
        format!("{sign}{digits}e-{}", self.places)
            .parse()
            .unwrap_or(0.0)
    }
}

fn hexadecimal(text: &str, digits: &str) -> Result<Number, String> {
    let none = || format!("`{text}` is no hexadecimal number: write it as 0x1.8p-3");
    let (mantissa, exponent) = digits.split_once(['p', 'P']).unwrap_or((digits, "0"));
    let exponent: i32 = exponent.parse().map_err(|_| none())?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = [whole, fraction].concat();
    let significant = all.trim_start_matches('0');
    if all.is_empty() || !all.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err(none());
    }
    if significant.len() > 26 {
        return Err(format!(
            "`{text}` has more than the 26 digits that two doubles hold"
        ));
    }
    let bits = u128::from_str_radix(&all, 16).map_err(|_| none())?;
    let exponent = exponent.saturating_sub(4 * fraction.len() as i32);
    let hi = bits as f64;
    let rest = bits as i128 - hi as i128;
    let scaled = |x: f64| {
        let half = exponent.clamp(-2200, 2200) / 2;
        x * 2f64.powi(half) * 2f64.powi(exponent.clamp(-2200, 2200) - half)
    };
    let (lo, hi) = (rest as f64, scaled(hi));
    if !hi.is_finite() || hi < f64::MIN_POSITIVE && bits != 0 {
        return Err(format!("`{text}` is beyond the normal numbers of binary64"));
    }
    Ok(Number {
        text: text.into(),
        hi,
        lo: scaled(lo),
        rest: scaled((rest - lo as i128) as f64),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact_to_two_doubles() {
        let tenth = Number::parse("0.1").expect("a decimal");
        // 0.1 = 0.1f64 - 0.1f64 2^-54 · …: the words of the binary expansion.
        assert_eq!((tenth.hi, tenth.lo), (0.1, -5.551115123125783e-18));
        assert!(tenth.rest != 0.0 && tenth.rest.abs() < tenth.lo.abs() * 2f64.powi(-53));
        for (text, hi) in [("2", 2.0), ("1.5e3", 1500.0), ("0x1.8p-3", 0.1875)] {
            let n = Number::parse(text).expect(text);
            assert!(n.is_double() && n.hi == hi, "{text}: {n:?}");
        }
        // 2^53 + 1 and 2^-60 beside 1.
        let n = Number::parse("9007199254740993").expect("a whole number");
        assert_eq!((n.hi + n.lo, n.rest), (9007199254740992.0, 0.0));
        assert_eq!(n.hi - 9007199254740992.0 + n.lo, 1.0);
        let n = Number::parse("0x1.000000000000001p0").expect("61 bits");
        assert_eq!((n.hi, n.lo, n.rest), (1.0, 2f64.powi(-60), 0.0));
        // π to the digits of a book.
        let pi = Number::parse("3.141592653589793238462643383279502884197").expect("pi");
        assert_eq!(
            (pi.hi, pi.lo),
            (std::f64::consts::PI, 1.2246467991473532e-16)
        );
    }

    #[test]
    fn floats_are_rounded_once() {
        // 1 + 2^-24 and a little: midway between two floats in one double.
        let n = Number::parse("1.00000005960464477539062500000000000001").expect("a decimal");
        assert_eq!((n.hi as f32, n.narrow()), (1.0, 1.0f32.next_up()));
        assert_eq!(Number::parse("0.1").expect("a decimal").narrow(), 0.1f32);
    }

    #[test]
    fn what_is_no_number() {
        for text in ["", ".", "1e", "1.2.3", "0x", "0x1.8q3", "1e999", "1e-320"] {
            assert!(Number::parse(text).is_err(), "{text}");
        }
    }
}
