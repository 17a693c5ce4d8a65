//! Decides in integer arithmetic which true values are exactly numbers of a format.
//!
//! An argument is a dyadic number, `odd 2^e`. The following is known about the values of each function there:
//!
//! - Algebraic functions (quotients, roots, powers, hypotenuses) are decided: the value is dyadic only if an integer is a power or a root.
//! - Exponentials and logarithms to base e are transcendental except at 0 and 1 (Lindemann). Those to bases 2 and 10 are irrational except
//!   at powers (Gelfond and Schneider, or unique factors). The trigonometric functions with pi are rational at few multiples (Niven).
//! - For erf, gamma, their relatives and the sRGB curve, only the values in the table here are known. Others may exist.

use crate::model::function::Function;

/// The numbers of a format: `odd 2^e` with at most `digits` binary digits, `e >= least`, below `2^top`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Format {
    pub digits: u32,
    pub least: i32,
    pub top: i32,
}

impl Format {
    pub const BINARY32: Format = Format {
        digits: 24,
        least: -149,
        top: 128,
    };
    pub const BINARY64: Format = Format {
        digits: 53,
        least: -1074,
        top: 1024,
    };
    pub const HALF: Format = Format {
        digits: 11,
        least: -24,
        top: 16,
    };
    pub const BFLOAT: Format = Format {
        digits: 8,
        least: -133,
        top: 128,
    };
}

/// `±odd 2^exponent`, or zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Dyadic {
    negative: bool,
    odd: u128,
    exponent: i32,
}

impl Dyadic {
    const ZERO: Dyadic = Dyadic::of_integer(0);
    const ONE: Dyadic = Dyadic::of_integer(1);

    const fn new(negative: bool, whole: u128, exponent: i32) -> Dyadic {
        if whole == 0 {
            return Dyadic {
                negative: false,
                odd: 0,
                exponent: 0,
            };
        }
        let zeros = whole.trailing_zeros();
        Dyadic {
            negative,
            odd: whole >> zeros,
            exponent: exponent + zeros as i32,
        }
    }

    const fn of_integer(n: i64) -> Dyadic {
        Dyadic::new(n < 0, n.unsigned_abs() as u128, 0)
    }

    /// A finite double.
    fn of(x: f64) -> Option<Dyadic> {
        let fraction = u128::from(x.to_bits() & ((1 << 52) - 1));
        let exponent = ((x.to_bits() >> 52) & 2047) as i32;
        match exponent {
            2047 => None,
            0 => Some(Dyadic::new(x < 0.0, fraction, -1074)),
            e => Some(Dyadic::new(x < 0.0, fraction | 1 << 52, e - 1075)),
        }
    }

    const fn is_zero(self) -> bool {
        self.odd == 0
    }

    const fn is_one(self) -> bool {
        self.odd == 1 && self.exponent == 0 && !self.negative
    }

    const fn is_positive(self) -> bool {
        self.odd > 0 && !self.negative
    }

    /// The number as an integer, if it is one and not large.
    fn integer(self) -> Option<i64> {
        if !(0..62).contains(&self.exponent) && !self.is_zero() {
            return None;
        }
        let size = self.odd.checked_shl(self.exponent as u32)?;
        let size = i64::try_from(size).ok().filter(|n| *n < 1 << 62)?;
        Some(if self.negative { -size } else { size })
    }

    fn scaled(self, by: i32) -> Dyadic {
        Dyadic {
            exponent: self.exponent + by,
            ..self
        }
    }

    const fn signed(self, negative: bool) -> Dyadic {
        Dyadic {
            negative: negative && self.odd > 0,
            ..self
        }
    }

    /// The square or cube root, if it is dyadic.
    fn root(self, degree: i32) -> Option<Dyadic> {
        if self.is_zero() {
            return Some(self);
        }
        if self.exponent % degree != 0 || self.negative && degree == 2 {
            return None;
        }
        let near = match degree {
            2 => self.odd.isqrt(),
            _ => (self.odd as f64).cbrt() as u128,
        };
        let exact = |r: &u128| r.checked_pow(degree as u32) == Some(self.odd);
        let odd = (near.saturating_sub(1)..=near + 1).find(exact)?;
        Some(Dyadic {
            odd,
            exponent: self.exponent / degree,
            ..self
        })
    }

    /// The `n`-th power, if it is below 2^128 apart from its exponent.
    fn power(self, n: u32) -> Option<Dyadic> {
        let exponent = i64::from(self.exponent) * i64::from(n);
        Some(Dyadic {
            negative: self.negative && n % 2 == 1,
            odd: self.odd.checked_pow(n)?,
            exponent: i32::try_from(exponent).ok()?,
        })
    }

    /// The double with this value, if that is a number of the format.
    fn within(self, format: Format) -> Option<f64> {
        if self.is_zero() {
            return Some(0.0);
        }
        let digits = 128 - self.odd.leading_zeros();
        let ends = i64::from(self.exponent) + i64::from(digits);
        if digits > format.digits || self.exponent < format.least || ends > i64::from(format.top) {
            return None;
        }
        // Both products are exact: the first is a normal number, the second is the value.
        let half = self.exponent / 2;
        let size = self.odd as f64 * exp2(half) * exp2(self.exponent - half);
        Some(if self.negative { -size } else { size })
    }
}

/// 2^e for a normal double.
fn exp2(e: i32) -> f64 {
    f64::from_bits(((e + 1023) as u64) << 52)
}

/// The true value of a function, if it is known to be exactly a number of the format. Infinities, NaNs and poles have none.
pub(super) fn value(function: Function, arguments: &[f64], format: Format) -> Option<f64> {
    let value = match *arguments {
        [x] => of_one(function, Dyadic::of(x)?),
        [x, y] => of_two(function, Dyadic::of(x)?, Dyadic::of(y)?, format),
        _ => None,
    };
    value?.within(format)
}

fn of_one(function: Function, x: Dyadic) -> Option<Dyadic> {
    use Function::*;
    let at = |point: Dyadic, value: Dyadic| (x == point).then_some(value);
    let half = Dyadic::new(false, 1, -1);
    // 2^n - 1
    let less_one = |n: u32| Dyadic::new(false, (1u128 << n) - 1, 0);
    match function {
        Recip => (x.odd == 1).then_some(Dyadic {
            exponent: -x.exponent,
            ..x
        }),
        Sqrt => x.root(2),
        RecipSqrt => (x.odd == 1 && !x.negative && x.exponent % 2 == 0).then_some(Dyadic::new(
            false,
            1,
            -x.exponent / 2,
        )),
        Cbrt => x.root(3),
        Exp | Cos | Cosh | Erfc => at(Dyadic::ZERO, Dyadic::ONE),
        Sin | Tan | Asin | Atan | Sinh | Tanh | Asinh | Atanh | Erf | ExpM1 | Ln1p | Silu
        | Gelu | Mish => at(Dyadic::ZERO, Dyadic::ZERO),
        Ln | Acos | Acosh => at(Dyadic::ONE, Dyadic::ZERO),
        Exp2 => {
            let n = i32::try_from(x.integer()?).ok()?;
            (n.abs() < 1 << 14).then_some(Dyadic::new(false, 1, n))
        }
        Exp10 => {
            let n = u32::try_from(x.integer()?).ok()?;
            Dyadic::new(false, 10, 0).power(n)
        }
        Exp2M1 => match x.integer()? {
            n @ 0..=120 => Some(less_one(n as u32)),
            n @ -120..0 => Some(
                less_one(n.unsigned_abs() as u32)
                    .scaled(n as i32)
                    .signed(true),
            ),
            _ => None,
        },
        Exp10M1 => {
            let n = u32::try_from(x.integer()?).ok()?;
            Some(Dyadic::new(false, 10u128.checked_pow(n)? - 1, 0))
        }
        Log2 => (x.is_positive() && x.odd == 1).then_some(Dyadic::of_integer(x.exponent.into())),
        Log10 => power_of_ten(x),
        Log2p1 if x.is_zero() => Some(x),
        Log2p1 => {
            let n = (x.odd + 1).trailing_zeros() as i32;
            let power = (x.odd + 1).is_power_of_two();
            match x.negative {
                false => (power && x.exponent == 0).then_some(Dyadic::of_integer(n.into())),
                // 1 - (2^n - 1) 2^-n is 2^-n.
                true => (power && x.exponent == -n).then_some(Dyadic::of_integer((-n).into())),
            }
        }
        Log10p1 => {
            let n = x.integer().filter(|n| *n >= 0)?;
            power_of_ten(Dyadic::of_integer(n + 1))
        }
        SinPi => match x.exponent {
            _ if x.is_zero() => Some(x),
            0.. => Some(Dyadic::ZERO),
            -1 => Some(Dyadic::ONE.signed(x.negative ^ (x.odd % 4 == 3))),
            _ => None,
        },
        CosPi => match x.exponent {
            _ if x.is_zero() => Some(Dyadic::ONE),
            1.. => Some(Dyadic::ONE),
            0 => Some(Dyadic::of_integer(-1)),
            -1 => Some(Dyadic::ZERO),
            _ => None,
        },
        TanPi => match x.exponent {
            _ if x.is_zero() => Some(x),
            0.. => Some(Dyadic::ZERO),
            -2 => Some(Dyadic::ONE.signed(x.negative ^ (x.odd % 4 == 3))),
            _ => None,
        },
        AsinPi if x.is_zero() => Some(x),
        AsinPi => (x.signed(false) == Dyadic::ONE).then_some(half.signed(x.negative)),
        AcosPi => at(Dyadic::ONE, Dyadic::ZERO)
            .or_else(|| at(Dyadic::ZERO, half))
            .or_else(|| at(Dyadic::of_integer(-1), Dyadic::ONE)),
        AtanPi if x.is_zero() => Some(x),
        AtanPi => (x.signed(false) == Dyadic::ONE).then_some(half.scaled(-1).signed(x.negative)),
        Gamma => {
            let n = x.integer().filter(|n| (1..=34).contains(n))?;
            let product: u128 = (1..n as u128).product();
            Some(Dyadic::new(false, product, 0))
        }
        LnGamma => {
            at(Dyadic::ONE, Dyadic::ZERO).or_else(|| at(Dyadic::of_integer(2), Dyadic::ZERO))
        }
        Sigmoid => at(Dyadic::ZERO, half),
        Logit => at(half, Dyadic::ZERO),
        SrgbToLinear | SrgbFromLinear => {
            at(Dyadic::ZERO, Dyadic::ZERO).or_else(|| at(Dyadic::ONE, Dyadic::ONE))
        }
        // ln(1 + e^x) is rational nowhere.
        Softplus => None,
        Pow | Powr | Atan2 | Hypot | Div => None,
    }
}

/// n for 10^n.
fn power_of_ten(x: Dyadic) -> Option<Dyadic> {
    let n = u32::try_from(x.exponent).ok()?;
    let power = Dyadic::new(false, 10, 0).power(n)?;
    (x == power).then_some(Dyadic::of_integer(n.into()))
}

fn of_two(function: Function, x: Dyadic, y: Dyadic, format: Format) -> Option<Dyadic> {
    match function {
        Function::Div if y.is_zero() => None,
        Function::Div if x.is_zero() => Some(x),
        Function::Div => x.odd.is_multiple_of(y.odd).then_some(Dyadic {
            negative: x.negative ^ y.negative,
            odd: x.odd / y.odd,
            exponent: x.exponent - y.exponent,
        }),
        // The angle of (y, x), whose arguments have this order.
        Function::Atan2 => (x.is_zero() && y.is_positive()).then_some(Dyadic::ZERO),
        Function::Hypot => hypotenuse(x, y),
        Function::Pow if y.is_zero() => Some(Dyadic::ONE),
        Function::Pow => power(x, y, format),
        Function::Powr if x.is_positive() && y.is_zero() => Some(Dyadic::ONE),
        Function::Powr => x.is_positive().then(|| power(x, y, format))?,
        _ => None,
    }
}

fn hypotenuse(x: Dyadic, y: Dyadic) -> Option<Dyadic> {
    match (x.is_zero(), y.is_zero()) {
        (true, _) => return Some(y.signed(false)),
        (_, true) => return Some(x.signed(false)),
        _ => {}
    }
    let exponent = x.exponent.min(y.exponent);
    let whole = |d: Dyadic| {
        let shift = u32::try_from(d.exponent - exponent).ok()?;
        let digits = 128 - d.odd.leading_zeros();
        // Larger ones are not decided.
        (shift + digits <= 63).then(|| d.odd << shift)
    };
    let (a, b) = (whole(x)?, whole(y)?);
    let root = Dyadic::new(false, a * a + b * b, 0).root(2)?;
    Some(root.scaled(exponent))
}

/// x^y for y other than 0.
fn power(x: Dyadic, y: Dyadic, format: Format) -> Option<Dyadic> {
    if x.is_zero() {
        return y.is_positive().then_some(x);
    }
    // y is an integer over 2^k: the k-th square root of x is to be dyadic.
    let mut base = x;
    for _ in 0..(-y.exponent).max(0) {
        if base.is_one() {
            break;
        }
        base = base.root(2)?;
    }
    if base.odd == 1 && base.exponent == 0 {
        let odd_power = y.exponent <= 0;
        return Some(Dyadic::ONE.signed(base.negative && odd_power));
    }
    if y.exponent > 13 {
        return None;
    }
    let n = y.odd << y.exponent.max(0);
    let n = u32::try_from(n).ok().filter(|n| *n < 1 << 13)?;
    if base.odd > 1 && (y.negative || n > format.digits) {
        return None;
    }
    let power = base.power(n)?;
    Some(match y.negative {
        false => power,
        true => Dyadic {
            exponent: -power.exponent,
            ..power
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn double(function: Function, arguments: &[f64]) -> Option<f64> {
        value(function, arguments, Format::BINARY64)
    }

    #[test]
    fn values_that_are_known() {
        use Function::*;
        let third = 1.0 / 3.0;
        for (function, x, truth) in [
            (Recip, -0.125, Some(-8.0)),
            (Recip, 3.0, None),
            (Recip, f64::from_bits(1), None),
            (Sqrt, 2.25, Some(1.5)),
            (Sqrt, 2.0, None),
            (Sqrt, 8.0, None),
            (Sqrt, f64::from_bits(4), Some(2f64.powi(-536))),
            (RecipSqrt, 0.0625, Some(4.0)),
            (RecipSqrt, 0.125, None),
            (RecipSqrt, 9.0, None),
            (Cbrt, 27.0, Some(3.0)),
            (Cbrt, -0.015625, Some(-0.25)),
            (Cbrt, 26.0, None),
            (Exp, -0.0, Some(1.0)),
            (Exp, 1.0, None),
            (Exp2, 10.0, Some(1024.0)),
            (Exp2, -1074.0, Some(f64::from_bits(1))),
            (Exp2, -1075.0, None),
            (Exp2, 1024.0, None),
            (Exp2, 0.5, None),
            (Exp10, 22.0, Some(1e22)),
            (Exp10, 23.0, None),
            (Exp10, -1.0, None),
            (ExpM1, 0.0, Some(0.0)),
            (Exp2M1, 53.0, Some(9_007_199_254_740_991.0)),
            (Exp2M1, 54.0, None),
            (Exp2M1, -2.0, Some(-0.75)),
            (Exp10M1, 3.0, Some(999.0)),
            (Ln, 1.0, Some(0.0)),
            (Log2, f64::from_bits(1), Some(-1074.0)),
            (Log2, 3.0, None),
            (Log10, 1000.0, Some(3.0)),
            (Log10, 1e22, Some(22.0)),
            (Log10, 1e23, None),
            (Log10, 0.1, None),
            (Log10, 20.0, None),
            (Ln1p, 0.0, Some(0.0)),
            (Log2p1, -0.75, Some(-2.0)),
            (Log2p1, 7.0, Some(3.0)),
            (Log2p1, 1.0, Some(1.0)),
            (Log2p1, 0.5, None),
            (Log2p1, -1.0, None),
            (Log10p1, 99.0, Some(2.0)),
            (Log10p1, 98.0, None),
            (SinPi, 2.5, Some(1.0)),
            (SinPi, -3.5, Some(1.0)),
            (SinPi, 1.5, Some(-1.0)),
            (SinPi, 7.0, Some(0.0)),
            (SinPi, 0.25, None),
            (CosPi, 3.0, Some(-1.0)),
            (CosPi, 4.0, Some(1.0)),
            (CosPi, 0.5, Some(0.0)),
            (TanPi, 0.75, Some(-1.0)),
            (TanPi, -0.75, Some(1.0)),
            (TanPi, 0.5, None),
            (AsinPi, -1.0, Some(-0.5)),
            (AsinPi, 0.5, None),
            (AcosPi, 0.0, Some(0.5)),
            (AcosPi, -1.0, Some(1.0)),
            (AtanPi, -1.0, Some(-0.25)),
            (Gamma, 5.0, Some(24.0)),
            (Gamma, 0.5, None),
            (Gamma, 23.0, Some(1_124_000_727_777_607_680_000.0)),
            (Gamma, 24.0, None),
            (LnGamma, 2.0, Some(0.0)),
            (LnGamma, 3.0, None),
            (Sigmoid, 0.0, Some(0.5)),
            (Logit, 0.5, Some(0.0)),
            (Softplus, 0.0, None),
            (SrgbToLinear, 1.0, Some(1.0)),
            (Sin, third, None),
            (Sin, f64::INFINITY, None),
            (Atan, f64::NAN, None),
        ] {
            assert_eq!(double(function, &[x]), truth, "{function} at {x}");
        }
    }

    #[test]
    fn values_of_two_arguments() {
        use Function::*;
        let below_one = 1.0 - 2f64.powi(-53);
        for (function, x, y, truth) in [
            (Pow, 4.0, 0.5, Some(2.0)),
            (Pow, 2.0, 0.5, None),
            (Pow, 16.0, -0.75, Some(0.125)),
            (Pow, 81.0, 0.75, Some(27.0)),
            (Pow, 81.0, -0.75, None),
            (Pow, -3.0, 3.0, Some(-27.0)),
            (Pow, -1.0, 1e300, Some(1.0)),
            (Pow, -1.0, 1e15 + 1.0, Some(-1.0)),
            (Pow, -4.0, 0.5, None),
            (Pow, 3.0, 33.0, Some(5_559_060_566_555_523.0)),
            (Pow, 3.0, 34.0, None),
            (Pow, 2.0, -1074.0, Some(f64::from_bits(1))),
            (Pow, 2.0, 1e300, None),
            (Pow, 1.0, below_one, Some(1.0)),
            (Pow, below_one, below_one, None),
            (Pow, 0.0, 3.0, Some(0.0)),
            (Pow, 0.0, -3.0, None),
            (Pow, 7.5, 0.0, Some(1.0)),
            (Powr, 0.0, 0.0, None),
            (Powr, 9.0, 1.5, Some(27.0)),
            (Powr, -1.0, 2.0, None),
            (Div, 1.0, 3.0, None),
            (Div, 9.0, -3.0, Some(-3.0)),
            (Div, 5.0, 0.0, None),
            (Hypot, 3.0, -4.0, Some(5.0)),
            (
                Hypot,
                3.0 * 2f64.powi(900),
                4.0 * 2f64.powi(900),
                Some(5.0 * 2f64.powi(900)),
            ),
            (Hypot, 1.0, 1.0, None),
            (Hypot, 0.0, -7.0, Some(7.0)),
            (Atan2, 0.0, 5.0, Some(0.0)),
            (Atan2, 1.0, 1.0, None),
        ] {
            let found = double(function, &[x, y]);
            assert_eq!(found, truth, "{function} at {x}, {y}");
        }
    }

    /// A value in binary64 need not be a number of a smaller format.
    #[test]
    fn formats_have_other_numbers() {
        let at = |format| value(Function::Exp2M1, &[12.0], format);
        assert_eq!(at(Format::BINARY32), Some(4095.0));
        assert_eq!(at(Format::HALF), None);
        let at = |x: f64, format| value(Function::Exp2, &[x], format);
        assert_eq!(at(-24.0, Format::HALF), Some(2f64.powi(-24)));
        assert_eq!(at(-25.0, Format::HALF), None);
        assert_eq!(at(16.0, Format::HALF), None);
        assert_eq!(at(127.0, Format::BFLOAT), Some(2f64.powi(127)));
        assert_eq!(at(-133.0, Format::BFLOAT), Some(2f64.powi(-133)));
    }
}
