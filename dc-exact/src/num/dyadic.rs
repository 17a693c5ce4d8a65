//! Exact numbers, with which bounds are compared, and random ones.

use dashu_int::ops::{Abs as _, BitTest as _, SquareRoot as _};
use dashu_int::{IBig, UBig};
use kernels_gen::ops::Direction;

use super::float::{Format, power, scaled_up};

/// The number `m 2^e`.
#[derive(Debug, Clone)]
pub(crate) struct Dyadic(pub(crate) IBig, pub(crate) i64);

impl Dyadic {
    pub(crate) fn of(x: f64) -> Dyadic {
        let bits = x.to_bits();
        let (field, fraction) = ((bits >> 52) & 0x7ff, bits & ((1 << 52) - 1));
        assert!(field < 2047, "{x}");
        let m = IBig::from(fraction | u64::from(field > 0) << 52);
        let m = if x < 0.0 { -m } else { m };
        Dyadic(m, field.max(1) as i64 - 1075)
    }
    /// Both numbers with the same exponent.
    pub(crate) fn aligned(&self, b: &Dyadic) -> (IBig, IBig, i64) {
        let e = self.1.min(b.1);
        let at = |x: &Dyadic| x.0.clone() << usize::try_from(x.1 - e).expect("not negative");
        (at(self), at(b), e)
    }
    pub(crate) fn plus(&self, b: &Dyadic) -> Dyadic {
        let (x, y, e) = self.aligned(b);
        Dyadic(x + y, e)
    }
    pub(crate) fn minus(&self, b: &Dyadic) -> Dyadic {
        self.plus(&Dyadic(-b.0.clone(), b.1))
    }
    pub(crate) fn times(&self, b: &Dyadic) -> Dyadic {
        Dyadic(&self.0 * &b.0, self.1 + b.1)
    }
    pub(crate) fn scaled(&self, e: i32) -> Dyadic {
        Dyadic(self.0.clone(), self.1 + i64::from(e))
    }
    pub(crate) fn size(&self) -> Dyadic {
        Dyadic(self.0.clone().abs(), self.1)
    }
    pub(crate) fn at_most(&self, b: &Dyadic) -> bool {
        let (x, y, _) = self.aligned(b);
        x <= y
    }
    /// A double that is at most one part in 2^52 off.
    pub(crate) fn near(&self) -> f64 {
        let Dyadic(m, e) = self;
        if self.is_zero() {
            return 0.0;
        }
        let drop = m.bit_len().saturating_sub(64);
        let (m, e) = (m.clone() >> drop, e + drop as i64);
        let half = (e / 2) as i32;
        m.to_f64().value() * power(half) * power(e as i32 - half)
    }
    pub(crate) fn is_zero(&self) -> bool {
        self.0 == IBig::ZERO
    }
    /// The quotient, with 400 bits. If it is inexact, it ends in a one, so that it rounds like the exact quotient.
    pub(crate) fn over(&self, b: &Dyadic) -> Dyadic {
        let more = (b.0.bit_len() + 400).saturating_sub(self.0.bit_len());
        let m = self.0.clone() << more;
        let (q, r) = (&m / &b.0, &m % &b.0);
        // The quotient is truncated, and a half is added to its magnitude.
        let negative = (m < IBig::ZERO) != (b.0 < IBig::ZERO);
        let half = match (r == IBig::ZERO, negative) {
            (true, _) => IBig::ZERO,
            (false, true) => IBig::from(-1),
            (false, false) => IBig::ONE,
        };
        Dyadic((q << 1) + half, self.1 - b.1 - more as i64 - 1)
    }
    /// The square root, like the quotient.
    pub(crate) fn root(&self) -> Dyadic {
        let mut more = 800usize.saturating_sub(self.0.bit_len());
        more += usize::from((self.1 - more as i64) % 2 != 0);
        let m = UBig::try_from(self.0.clone() << more).expect("not negative");
        let s = m.sqrt();
        let half = IBig::from(u8::from(&s * &s != m));
        Dyadic((IBig::from(s) << 1) + half, (self.1 - more as i64) / 2 - 1)
    }
    /// The number with at most 1000 bits, for values that are not rounded.
    pub(crate) fn cut(self) -> Dyadic {
        let less = self.0.bit_len().saturating_sub(1000);
        Dyadic(self.0 >> less, self.1 + less as i64)
    }
    /// Whether it is a multiple of `2^e`.
    pub(crate) fn is_multiple(&self, e: i32) -> bool {
        let zeros = self.0.trailing_zeros();
        zeros.is_none_or(|n| self.1 + n as i64 >= i64::from(e))
    }
    /// The number rounded to a format: to nearest, ties to even, or in a direction; infinite if it overflows.
    pub(crate) fn rounded(&self, format: Format, direction: Option<Direction>) -> f64 {
        let negative = self.0 < IBig::ZERO;
        let size = self.size();
        let top = size.0.bit_len() as i64 + size.1;
        let e = (top - i64::from(format.precision)).max(i64::from(format.least));
        let (mut m, mut up) = (size.0.clone(), false);
        if e > size.1 {
            let n = (e - size.1) as usize;
            let floor = m.clone() >> n;
            let rest = m - (floor.clone() << n);
            let half = IBig::ONE << (n - 1);
            up = match direction {
                None => rest > half || rest == half && floor.bit(0),
                Some(Direction::Zero) => false,
                Some(Direction::Up) => rest != IBig::ZERO && !negative,
                Some(Direction::Down) => rest != IBig::ZERO && negative,
            };
            m = floor;
        } else {
            m <<= (size.1 - e) as usize;
        }
        m += IBig::from(u8::from(up));
        // At most 2^53: exact. The result is scaled in two steps, both of which are exact.
        let m = u64::try_from(&m).expect("a significand") as f64;
        let limit = 2f64.powi(format.largest);
        let half = (e / 2) as i32;
        let e = i32::try_from(e).unwrap_or(i32::MAX);
        let x = match top > i64::from(format.largest) + 2 {
            true => f64::INFINITY,
            false => m * 2f64.powi(half) * 2f64.powi(e - half),
        };
        let x = if x / 2.0 >= limit { f64::INFINITY } else { x };
        if negative { -x } else { x }
    }
}

pub(crate) fn times(a: f64, b: f64) -> Dyadic {
    Dyadic::of(a).times(&Dyadic::of(b))
}

pub(crate) fn sum(terms: impl IntoIterator<Item = Dyadic>) -> Dyadic {
    let zero = Dyadic::of(0.0);
    terms.into_iter().fold(zero, |sum, x| sum.plus(&x))
}

/// A linear congruential generator.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }
    /// A number between -1 and 1.
    pub(crate) fn unit(&mut self) -> f64 {
        self.below(1 << 53) as f64 * 2f64.powi(-53) * self.sign()
    }
    /// An integer up to 2^e.
    pub(crate) fn integer(&mut self, e: u32) -> f64 {
        (1 + self.below(1 << e)) as f64 * self.sign()
    }
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0 = (self.0)
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((u128::from(self.0 ^ (self.0 >> 29)) * u128::from(n)) >> 64) as u64
    }
    pub(crate) fn sign(&mut self) -> f64 {
        if self.below(2) == 0 { 1.0 } else { -1.0 }
    }
    /// A number with an exponent up to `most`, of all its bits or of few.
    pub(crate) fn number(&mut self, most: i32) -> f64 {
        let e = match self.below(3) {
            0 => self.below(5) as i32 - 2,
            1 => self.below(61) as i32 - 30,
            _ => self.below(2 * most as u64 + 1) as i32 - most,
        };
        let kept = [52, 52, 26, 25, 3, 0][self.below(6) as usize];
        let fraction = self.below(1 << 52) >> (52 - kept) << (52 - kept);
        let near = match self.below(6) {
            0 => fraction >> 50,
            1 => (1 << 52) - 1 - (fraction >> 50),
            _ => fraction,
        };
        let m = f64::from_bits((1023 << 52) | near);
        self.sign() * scaled_up(m, e)
    }
    /// A limit of the format, or a number.
    pub(crate) fn end(&mut self) -> f64 {
        let least = f64::from_bits(self.below(20));
        match self.below(8) {
            0 => least * self.sign(),
            1 => f64::MIN_POSITIVE * self.sign(),
            2 => f64::MAX * self.sign(),
            3 => power(self.below(2000) as i32 - 1000) * self.sign(),
            4 => 0.0,
            _ => self.number(1000),
        }
    }
}
