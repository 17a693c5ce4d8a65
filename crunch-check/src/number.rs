//! Intervals whose ends have P bits and unbounded exponents, rounded outward: the arithmetic of the proofs.

use std::cell::RefCell;
use std::sync::OnceLock;

use dashu_base::{Abs, BitTest, Signed};
use dashu_float::round::mode::{Down, Up};
use dashu_float::{ConstCache, Context, FBig, Repr};
use dashu_int::IBig;

mod elementary;
mod quick;

/// An exact number.
pub type Number = Repr<2>;

/// An interval whose ends are rounded to P bits, outward.
#[derive(Debug, Clone)]
pub struct Interval<const P: usize> {
    /// The lower end.
    pub lo: Number,
    /// The upper end.
    pub hi: Number,
}

/// Intervals for bounds over a stretch of inputs.
pub type Coarse = Interval<64>;
/// Intervals for values at a point.
pub type Fine = Interval<192>;

/// A double, exactly. It must be finite.
pub fn exact(x: f64) -> Number {
    assert!(x.is_finite(), "{x} is no finite number");
    if x == 0.0 {
        return Number::zero();
    }
    let bits = x.to_bits();
    let field = (bits >> 52 & 0x7ff) as isize;
    let fraction = bits & ((1 << 52) - 1);
    let (significand, exponent) = if field == 0 {
        (fraction, -1074)
    } else {
        (fraction | 1 << 52, field - 1075)
    };
    let significand = IBig::from(significand);
    Number::new(if x < 0.0 { -significand } else { significand }, exponent)
}

/// `2^e`
pub fn power(e: i32) -> Number {
    Number::new(IBig::ONE, e as isize)
}

/// Whether the number is negative.
pub fn negative(x: &Number) -> bool {
    x.significand().is_negative()
}

/// Whether the number is zero.
pub fn zero(x: &Number) -> bool {
    x.significand().is_zero()
}

/// A bound of the exact value of x, given x computed in doubles with at most a thousand roundings, none of them of a difference.
pub fn padded(x: f64) -> f64 {
    x * (1.0 + 1e-12)
}

/// The magnitude.
pub fn magnitude(x: &Number) -> Number {
    Number::new(x.significand().clone().abs(), x.exponent())
}

/// The exponent e with `2^e <= |x| < 2^(e+1)`; for zero a very small number. A reference in real arithmetic may have numbers with any
/// exponent. The result is therefore at least the exponent that stands for zero, and at most its negative.
pub fn exponent(x: &Number) -> i32 {
    const FARTHEST: isize = (i32::MAX / 4) as isize;
    if zero(x) {
        return -FARTHEST as i32;
    }
    let bits = x.significand().clone().abs().bit_len() as isize;
    (bits - 1 + x.exponent()).clamp(-FARTHEST, FARTHEST) as i32
}

/// `floor(x 2^shift)`; it must be in the range of i128.
pub fn floor(x: &Number, shift: i32) -> i128 {
    let e = x.exponent() + shift as isize;
    let m = x.significand();
    let whole = if e >= 0 {
        m.clone() << e as usize
    } else {
        // Shifts of negative numbers round down, too.
        m.clone() >> (-e) as usize
    };
    i128::try_from(whole).expect("a number of fewer than 127 bits")
}

/// The largest multiple of `2^grid` that is not above x.
pub fn on_grid(x: &Number, grid: i32) -> Number {
    let bits = grid as isize - x.exponent();
    if bits <= 0 {
        return x.clone();
    }
    Number::new(x.significand().clone() >> bits as usize, grid as isize)
}

/// The largest double that is not above x, or -∞.
pub fn double_below(x: &Number) -> f64 {
    if zero(x) {
        return 0.0;
    }
    let e = exponent(x);
    if e > 1023 {
        return if negative(x) {
            f64::NEG_INFINITY
        } else {
            f64::MAX
        };
    }
    let place = (e - 52).max(-1074);
    let units = floor(x, -place) as f64;
    // Both are exact: at most 53 bits, and a unit that is at least that of subnormal numbers.
    units * power_double(place)
}

/// The smallest double that is not below x, or ∞.
pub fn double_above(x: &Number) -> f64 {
    -double_below(&-x.clone())
}

/// The smaller of two doubles, where -0 is below 0: a range between them has a zero of each sign.
pub fn lesser(a: f64, b: f64) -> f64 {
    if a.total_cmp(&b).is_le() { a } else { b }
}

/// The greater of two doubles, where -0 is below 0.
pub fn greater(a: f64, b: f64) -> f64 {
    if a.total_cmp(&b).is_ge() { a } else { b }
}

/// `2^e` for `-1074 <= e <= 1023`.
pub fn power_double(e: i32) -> f64 {
    assert!((-1074..=1023).contains(&e), "2^{e} is no double");
    if e >= -1022 {
        f64::from_bits(((e + 1023) as u64) << 52)
    } else {
        f64::from_bits(1 << (e + 1074))
    }
}

fn down<const P: usize>() -> Context<Down> {
    Context::new(P)
}

fn up<const P: usize>() -> Context<Up> {
    Context::new(P)
}

/// The inverses of smaller integers are computed once.
const INVERTED: usize = 512;

thread_local! {
    /// Cached constants such as ln 2, so that functions do not compute them each time.
    static CONSTANTS: RefCell<ConstCache> = const { RefCell::new(ConstCache::new()) };
}

/// The result of an operation, which must be defined.
fn value<R: dashu_float::round::Round>(result: dashu_float::FpResult<FBig<R, 2>>) -> Number {
    finite(result.expect("defined").value().into_repr())
}

/// Rejects infinities. The library returns an infinity, whose significand is zero, for the logarithm of zero and similar cases; without
/// this check it would count as zero.
fn finite(x: Number) -> Number {
    assert!(x.is_finite(), "a value that is not defined");
    x
}

/// Both directed roundings of an operation of `Context`.
macro_rules! outward {
    ($p:expr, $op:ident, ($($lo:expr),*), ($($hi:expr),*)) => {
        Interval {
            lo: finite(down::<$p>().$op($($lo),*).expect("defined").value().into_repr()),
            hi: finite(up::<$p>().$op($($hi),*).expect("defined").value().into_repr()),
        }
    };
}

/// Functions of the library that increase. Their arguments must be in their domains.
macro_rules! increasing {
    ($($name:ident),*) => {
        impl<const P: usize> Interval<P> {
            $(pub fn $name(&self) -> Self {
                CONSTANTS.with_borrow_mut(|cache| Interval {
                    lo: value(down::<P>().$name(&self.lo, Some(cache))),
                    hi: value(up::<P>().$name(&self.hi, Some(cache))),
                })
            })*
        }
    };
}

increasing!(
    exp_m1, ln_1p, log2, log10, tan, tan_pi, asin, atan, sinh, tanh, asinh, acosh, atanh
);

impl<const P: usize> Interval<P> {
    /// π
    pub fn pi() -> Self {
        static ALL: [OnceLock<Interval<2560>>; 3] = [const { OnceLock::new() }; 3];
        let at = |i: usize, bits: fn() -> Interval<2560>| ALL[i].get_or_init(bits).to();
        match P {
            // Of few bits as well: sums and products take them as they are.
            0..=192 => at(0, || Fine::double(1.0).atan().scale(2).to()),
            193..=512 => at(1, || Interval::<512>::double(1.0).atan().scale(2).to()),
            513..=2560 => at(2, || Interval::double(1.0).atan().scale(2)),
            _ => Self::double(1.0).atan().scale(2),
        }
    }

    /// The inverse cosine of numbers from -1 to 1.
    pub fn acos(&self) -> Self {
        CONSTANTS.with_borrow_mut(|cache| Interval {
            lo: value(down::<P>().acos(&self.hi, Some(cache))),
            hi: value(up::<P>().acos(&self.lo, Some(cache))),
        })
    }

    /// `asin(x) / π` of numbers from -1 to 1.
    pub fn asin_pi(&self) -> Self {
        CONSTANTS.with_borrow_mut(|cache| Interval {
            lo: value(down::<P>().asin_unit(&self.lo, 2, Some(cache))),
            hi: value(up::<P>().asin_unit(&self.hi, 2, Some(cache))),
        })
    }

    /// `acos(x) / π` of numbers from -1 to 1.
    pub fn acos_pi(&self) -> Self {
        CONSTANTS.with_borrow_mut(|cache| Interval {
            lo: value(down::<P>().acos_unit(&self.hi, 2, Some(cache))),
            hi: value(up::<P>().acos_unit(&self.lo, 2, Some(cache))),
        })
    }

    /// `atan(x) / π`
    pub fn atan_pi(&self) -> Self {
        CONSTANTS.with_borrow_mut(|cache| Interval {
            lo: value(down::<P>().atan_unit(&self.lo, 2, Some(cache))),
            hi: value(up::<P>().atan_unit(&self.hi, 2, Some(cache))),
        })
    }

    /// The hyperbolic cosine.
    pub fn cosh(&self) -> Self {
        let least = self.least();
        let most = self.magnitude();
        CONSTANTS.with_borrow_mut(|cache| Interval {
            lo: value(down::<P>().cosh(&least, Some(cache))),
            hi: value(up::<P>().cosh(&most, Some(cache))),
        })
    }

    /// Sine and cosine of π times the interval, computed as in [`Interval::sin_cos`].
    pub fn sin_cos_pi(&self) -> (Self, Self) {
        let x = &self.lo;
        let at = CONSTANTS.with_borrow_mut(|cache| {
            (
                Self::from_below(value(down::<P>().sin_pi(x, Some(cache)))),
                Self::from_below(value(down::<P>().cos_pi(x, Some(cache)))),
            )
        });
        if self.lo == self.hi {
            return at;
        }
        let width = Self {
            lo: Number::zero(),
            hi: &self.hi - &self.lo,
        };
        Self::turned(at, &width.mul(&Self::pi()))
    }

    /// The interval divided by a nonzero integer.
    pub fn div_by(&self, n: u32) -> Self {
        static INVERSES: [OnceLock<Fine>; INVERTED] = [const { OnceLock::new() }; INVERTED];
        if P <= 192
            && let Some(inverse) = INVERSES.get(n as usize)
        {
            let inverse = inverse.get_or_init(|| Fine::double(1.0).quotient_by(n));
            // Two roundings instead of one: the result is slightly wider, and correct.
            return self.mul(&Interval {
                lo: inverse.lo.clone(),
                hi: inverse.hi.clone(),
            });
        }
        self.quotient_by(n)
    }

    fn quotient_by(&self, n: u32) -> Self {
        let n = exact(f64::from(n));
        outward!(P, div, (&self.lo, &n), (&self.hi, &n))
    }
}

impl<const P: usize> Interval<P> {
    /// The interval of one number.
    pub fn of(x: Number) -> Self {
        Interval {
            lo: x.clone(),
            hi: x,
        }
    }

    /// The interval of a double, which must be finite.
    pub fn double(x: f64) -> Self {
        Self::of(exact(x))
    }

    /// The interval between two doubles.
    pub fn doubles(lo: f64, hi: f64) -> Self {
        Interval {
            lo: exact(lo),
            hi: exact(hi),
        }
    }

    /// `[-x, x]`
    pub fn symmetric(x: Number) -> Self {
        let x = magnitude(&x);
        Interval {
            lo: -x.clone(),
            hi: x,
        }
    }

    /// Zero.
    pub fn zero() -> Self {
        Self::of(Number::zero())
    }

    /// The same interval in another precision, rounded outward.
    pub fn to<const Q: usize>(&self) -> Interval<Q> {
        Interval::<Q>::zero().add(&Interval {
            lo: self.lo.clone(),
            hi: self.hi.clone(),
        })
    }

    pub fn add(&self, b: &Self) -> Self {
        let quick = |a, b, up| quick::total::<P>(a, b, false, up);
        if let Some(lo) = quick(&self.lo, &b.lo, false)
            && let Some(hi) = quick(&self.hi, &b.hi, true)
        {
            return Interval { lo, hi };
        }
        outward!(P, add, (&self.lo, &b.lo), (&self.hi, &b.hi))
    }

    pub fn sub(&self, b: &Self) -> Self {
        let quick = |a, b, up| quick::total::<P>(a, b, true, up);
        if let Some(lo) = quick(&self.lo, &b.hi, false)
            && let Some(hi) = quick(&self.hi, &b.lo, true)
        {
            return Interval { lo, hi };
        }
        outward!(P, sub, (&self.lo, &b.hi), (&self.hi, &b.lo))
    }

    pub fn neg(&self) -> Self {
        Interval {
            lo: -self.hi.clone(),
            hi: -self.lo.clone(),
        }
    }

    /// The products of two pairs, the first rounded down and the second up.
    fn products(l: (&Number, &Number), h: (&Number, &Number)) -> Self {
        if let Some(lo) = quick::product::<P>(l.0, l.1, false)
            && let Some(hi) = quick::product::<P>(h.0, h.1, true)
        {
            return Interval { lo, hi };
        }
        outward!(P, mul, (l.0, l.1), (h.0, h.1))
    }

    pub fn mul(&self, b: &Self) -> Self {
        let a = self;
        let signs = |x: &Self| (negative(&x.lo), negative(&x.hi));
        let (l, h) = match (signs(a), signs(b)) {
            ((false, false), (false, false)) => ((&a.lo, &b.lo), (&a.hi, &b.hi)),
            ((false, false), (true, false)) => ((&a.hi, &b.lo), (&a.hi, &b.hi)),
            ((false, false), _) => ((&a.hi, &b.lo), (&a.lo, &b.hi)),
            ((true, false), (false, false)) => ((&a.lo, &b.hi), (&a.hi, &b.hi)),
            ((true, false), (true, false)) => {
                let x = Self::products((&a.lo, &b.hi), (&a.lo, &b.lo));
                let y = Self::products((&a.hi, &b.lo), (&a.hi, &b.hi));
                return x.hull(&y);
            }
            ((true, false), _) => ((&a.hi, &b.lo), (&a.lo, &b.lo)),
            (_, (false, false)) => ((&a.lo, &b.hi), (&a.hi, &b.lo)),
            (_, (true, false)) => ((&a.lo, &b.hi), (&a.lo, &b.lo)),
            _ => ((&a.hi, &b.hi), (&a.lo, &b.lo)),
        };
        Self::products(l, h)
    }

    /// The quotient; `None` if the divisor may be zero.
    pub fn div(&self, b: &Self) -> Option<Self> {
        if b.holds_zero() {
            return None;
        }
        if let Some(n) = quick::integer(&b.lo)
            && b.lo == b.hi
        {
            return Some(self.div_by(n));
        }
        let one = Self::double(1.0);
        // Two roundings instead of one: the result is slightly wider, and correct.
        let inverse: Self = outward!(P, div, (&one.lo, &b.hi), (&one.lo, &b.lo));
        Some(self.mul(&inverse))
    }

    /// The square root; `None` if the interval may be negative.
    pub fn sqrt(&self) -> Option<Self> {
        if negative(&self.lo) {
            return None;
        }
        Some(outward!(P, sqrt, (&self.lo), (&self.hi)))
    }

    /// `e^x`. Far below zero, beyond the library's exponents, the result lies between 0 and the exponential of a limit.
    pub fn exp(&self) -> Self {
        if let Some(quick) = elementary::exp(self) {
            return quick;
        }
        let limit = exact(-1_048_576.0);
        CONSTANTS.with_borrow_mut(|cache| Interval {
            lo: match self.lo < limit {
                true => Number::zero(),
                false => value(down::<P>().exp(&self.lo, Some(cache))),
            },
            hi: value(up::<P>().exp((&self.hi).max(&limit), Some(cache))),
        })
    }

    /// `2^x`. The power of the nearest integer is exact.
    pub fn exp2(&self) -> Self {
        let ln2 = CONSTANTS.with_borrow_mut(|cache| Self {
            lo: value(down::<P>().ln(&exact(2.0), Some(cache))),
            hi: value(up::<P>().ln(&exact(2.0), Some(cache))),
        });
        let at = |x: &Number| {
            let n = floor(&(x + &power(-1)), 0) as i32;
            let rest = Self::of(x - &exact(f64::from(n)));
            rest.mul(&ln2).exp().scale(n)
        };
        at(&self.lo).hull(&at(&self.hi))
    }

    /// The natural logarithm; `None` if the interval may not be positive.
    pub fn ln(&self) -> Option<Self> {
        if negative(&self.lo) || zero(&self.lo) {
            return None;
        }
        if let Some(quick) = elementary::ln(self) {
            return Some(quick);
        }
        Some(CONSTANTS.with_borrow_mut(|cache| Interval {
            lo: value(down::<P>().ln(&self.lo, Some(cache))),
            hi: value(up::<P>().ln(&self.hi, Some(cache))),
        }))
    }

    /// The cube root; `None` if the interval is not positive.
    pub fn cbrt(&self) -> Option<Self> {
        if negative(&self.lo) || zero(&self.lo) {
            return None;
        }
        Some(outward!(P, cbrt, (&self.lo), (&self.hi)))
    }

    /// The interval of a number, given the largest number of P bits that is not above it: the number is less than a unit in the last place
    /// away. An evaluation in each direction would take twice the time.
    fn from_below(lo: Number) -> Self {
        if zero(&lo) {
            return Self::of(lo);
        }
        let hi = &lo + &power(exponent(&lo) - P as i32 + 1);
        Interval { lo, hi }
    }

    /// Sine and cosine: their values at the lower end, extended over the interval by Lagrange's remainder.
    pub fn sin_cos(&self) -> (Self, Self) {
        let x = &self.lo;
        let (sin, cos) = CONSTANTS.with_borrow_mut(|cache| {
            (
                Self::from_below(value(down::<P>().sin(x, Some(cache)))),
                Self::from_below(value(down::<P>().cos(x, Some(cache)))),
            )
        });
        if self.lo == self.hi {
            return (sin, cos);
        }
        let width = Self {
            lo: Number::zero(),
            hi: &self.hi - &self.lo,
        };
        Self::turned((sin, cos), &width)
    }

    /// Sine and cosine after adding a part of a width that begins at 0.
    fn turned((sin, cos): (Self, Self), width: &Self) -> (Self, Self) {
        // h²/2, with either sign.
        let square = Self::symmetric(width.mul(width).scale(-1).hi);
        let one = Self::doubles(-1.0, 1.0);
        let near = |x: Self| x.add(&square).meet(&one).unwrap_or_else(|| one.clone());
        (
            near(sin.add(&cos.mul(width))),
            near(cos.sub(&sin.mul(width))),
        )
    }

    /// The interval times `2^e`.
    pub fn scale(&self, e: i32) -> Self {
        let s = |x: &Number| {
            if zero(x) {
                Number::zero()
            } else {
                Number::new(x.significand().clone(), x.exponent() + e as isize)
            }
        };
        Interval {
            lo: s(&self.lo),
            hi: s(&self.hi),
        }
    }

    pub fn hull(&self, b: &Self) -> Self {
        Interval {
            lo: (&self.lo).min(&b.lo).clone(),
            hi: (&self.hi).max(&b.hi).clone(),
        }
    }

    /// The intersection; `None` if it is empty.
    pub fn meet(&self, b: &Self) -> Option<Self> {
        let lo = (&self.lo).max(&b.lo).clone();
        let hi = (&self.hi).min(&b.hi).clone();
        (lo <= hi).then_some(Interval { lo, hi })
    }

    pub fn holds_zero(&self) -> bool {
        (negative(&self.lo) || zero(&self.lo)) && !negative(&self.hi)
    }

    /// The largest magnitude.
    pub fn magnitude(&self) -> Number {
        magnitude(&self.lo).max(magnitude(&self.hi))
    }

    /// The smallest magnitude.
    pub fn least(&self) -> Number {
        if self.holds_zero() {
            Number::zero()
        } else {
            magnitude(&self.lo).min(magnitude(&self.hi))
        }
    }

    /// A double near the middle.
    pub fn middle(&self) -> f64 {
        0.5 * double_below(&self.lo) + 0.5 * double_above(&self.hi)
    }

    /// Doubles that enclose the interval.
    pub fn ends(&self) -> (f64, f64) {
        (double_below(&self.lo), double_above(&self.hi))
    }
}

#[cfg(test)]
mod tests;
