//! Exact sums of doubles and of products of two doubles, in an integer that is wide enough for all of them.
//!
//! The lowest bit of a product of two doubles is worth 2^-2148, the largest product is below 2^2048. The integer has 68 words, so that 2^130
//! such products can be added. It is in two's complement; no operation rounds.

use std::cmp::Ordering;

/// The words.
const WORDS: usize = 68;
/// The exponent of the lowest bit.
const LOWEST: i32 = -2148;

/// An exact sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Accumulator([u64; WORDS]);

/// A number that is rounded to 53 bits and has a wide exponent: `m` times 2^`e`, with `m` from 1 to 2, or zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scaled {
    /// The significand, with the sign.
    pub m: f64,
    /// The exponent.
    pub e: i32,
}

/// The significand and the exponent of a finite double, without its sign.
fn parts(x: f64) -> (u64, i32) {
    let bits = x.to_bits();
    let (field, fraction) = ((bits >> 52) & 0x7ff, bits & ((1 << 52) - 1));
    match field {
        0 => (fraction, -1074),
        _ => (fraction | 1 << 52, field as i32 - 1075),
    }
}

impl Default for Accumulator {
    fn default() -> Self {
        Self::ZERO
    }
}

impl Accumulator {
    /// An empty sum.
    pub const ZERO: Accumulator = Accumulator([0; WORDS]);

    /// Adds a finite number.
    pub fn add(&mut self, x: f64) {
        let (m, e) = parts(x);
        self.add_integer(x.is_sign_negative(), m.into(), e);
    }

    /// Adds the product of two finite numbers.
    pub fn add_product(&mut self, x: f64, y: f64) {
        self.add_multiple(x, y, 1);
    }

    /// Adds the product of two finite numbers, `times` times; `times` is below 2^22.
    pub fn add_multiple(&mut self, x: f64, y: f64, times: u32) {
        let ((m, e), (n, f)) = (parts(x), parts(y));
        let negative = x.is_sign_negative() != y.is_sign_negative();
        let product = u128::from(m) * u128::from(n) * u128::from(times);
        self.add_integer(negative, product, e + f);
    }

    /// Subtracts the square of a sum of doubles.
    pub fn subtract_square(&mut self, sum: &Accumulator) {
        let pieces = sum.pieces();
        for (i, &(m, e)) in pieces.iter().enumerate() {
            for (j, &(n, f)) in pieces.iter().enumerate().take(i + 1) {
                let twice = i32::from(i != j);
                self.add_integer(true, u128::from(m) * u128::from(n), e + f + twice);
            }
        }
    }

    /// Subtracts `m` times 2^`e`.
    pub fn subtract_integer(&mut self, m: u128, e: i32) {
        self.add_integer(true, m, e);
    }

    /// Adds `m` times 2^`e`, or subtracts it.
    fn add_integer(&mut self, negative: bool, m: u128, e: i32) {
        if m == 0 {
            return;
        }
        // Below the lowest bit a multiple of a product has zeros only.
        let (m, at) = match usize::try_from(e - LOWEST) {
            Ok(at) => (m, at),
            Err(_) => (m >> (LOWEST - e), 0),
        };
        let (first, shift) = (at / 64, at % 64);
        let mut words = [m as u64, (m >> 64) as u64, 0];
        if shift > 0 {
            words[2] = words[1] >> (64 - shift);
            words[1] = words[1] << shift | words[0] >> (64 - shift);
            words[0] <<= shift;
        }
        let mut carry = false;
        for (i, word) in self.0.iter_mut().enumerate().skip(first) {
            let other = words.get(i - first).copied().unwrap_or(0);
            if i - first > 2 && !carry {
                break;
            }
            (*word, carry) = match negative {
                false => word.carrying_add(other, carry),
                true => word.borrowing_sub(other, carry),
            };
        }
    }

    /// Whether it is below zero.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        self.0[WORDS - 1] >> 63 == 1
    }

    /// The sum's sign.
    #[must_use]
    pub fn sign(&self) -> Ordering {
        if self.is_negative() {
            Ordering::Less
        } else if self.0 == [0; WORDS] {
            Ordering::Equal
        } else {
            Ordering::Greater
        }
    }

    /// The sum with the opposite sign.
    #[must_use]
    pub fn negated(&self) -> Accumulator {
        let mut words = [0; WORDS];
        let mut borrow = false;
        for (word, x) in words.iter_mut().zip(self.0) {
            (*word, borrow) = 0u64.borrowing_sub(x, borrow);
        }
        Accumulator(words)
    }

    /// The sum without its sign.
    #[must_use]
    pub fn abs(&self) -> Accumulator {
        if self.is_negative() {
            self.negated()
        } else {
            *self
        }
    }

    /// The place of the highest bit of a sum that is not negative.
    fn top(&self) -> Option<usize> {
        let i = self.0.iter().rposition(|w| *w != 0)?;
        Some(64 * i + 63 - self.0[i].leading_zeros() as usize)
    }

    /// The exponent of the sum: the largest `e` with 2^`e` ≤ |sum|.
    #[must_use]
    pub fn exponent(&self) -> Option<i32> {
        self.abs().top().map(|top| top as i32 + LOWEST)
    }

    /// `width` bits from `at` on.
    fn bits(&self, at: usize, width: usize) -> u64 {
        let (first, shift) = (at / 64, at % 64);
        let word = |i: usize| self.0.get(i).copied().unwrap_or(0);
        let low = word(first) >> shift;
        let high = word(first + 1).checked_shl(64 - shift as u32).unwrap_or(0);
        (low | high) & (u64::MAX >> (64 - width))
    }

    /// The pieces of the sum without its sign, of 53 bits each.
    fn pieces(&self) -> Vec<(u64, i32)> {
        let sum = self.abs();
        let mut pieces = Vec::new();
        let Some(top) = sum.top() else { return pieces };
        let mut at = sum.0.iter().position(|w| *w != 0).map_or(0, |i| 64 * i);
        while at <= top {
            let m = sum.bits(at, 53);
            if m != 0 {
                pieces.push((m, at as i32 + LOWEST));
            }
            at += 53;
        }
        pieces
    }

    /// The sum, rounded to 53 bits.
    #[must_use]
    pub fn scaled(&self) -> Scaled {
        let sum = self.abs();
        let Some(top) = sum.top() else {
            return Scaled { m: 0.0, e: 0 };
        };
        let first = (top + 1).saturating_sub(64);
        let mut m = sum.bits(first, 64);
        let below = sum.0[..first / 64].iter().any(|w| *w != 0);
        let rest = first % 64 > 0 && sum.0[first / 64] << (64 - first % 64) != 0;
        // The lower bits decide only in a tie.
        m |= u64::from(below || rest);
        let width = (top - first) as i32;
        let m = m as f64 / exp2(width);
        Scaled {
            m: if self.is_negative() { -m } else { m },
            e: top as i32 + LOWEST,
        }
    }
}

/// 2^`e`, for `e` of a normal double.
pub(super) const fn exp2(e: i32) -> f64 {
    f64::from_bits(((e + 1023) as u64) << 52)
}

impl Scaled {
    /// A double.
    #[must_use]
    pub fn of(x: f64) -> Scaled {
        let mut sum = Accumulator::ZERO;
        sum.add(x);
        sum.scaled()
    }

    /// 2^`e`.
    #[must_use]
    pub const fn power(e: i32) -> Scaled {
        Scaled { m: 1.0, e }
    }

    /// The square root of a number that is not negative.
    #[must_use]
    pub fn sqrt(self) -> Scaled {
        let odd = self.e.rem_euclid(2);
        Scaled {
            m: (self.m * exp2(odd)).sqrt(),
            e: self.e.div_euclid(2),
        }
    }

    /// The quotient by a number.
    #[must_use]
    pub fn over(self, d: f64) -> Scaled {
        Scaled {
            m: self.m / d,
            e: self.e,
        }
    }

    /// The sum of two numbers with the same sign.
    #[must_use]
    pub fn plus(self, other: Scaled) -> Scaled {
        let (large, small) = match (self.m, other.m) {
            (_, 0.0) => return self,
            (0.0, _) => return other,
            _ if self.e < other.e => (other, self),
            _ => (self, other),
        };
        let m = match large.e - small.e {
            far @ 0..1000 => large.m + small.m * exp2(-far),
            _ => large.m,
        };
        Scaled { m, e: large.e }
    }

    /// The nearest double, or nearly so for subnormal numbers. Beyond the range of doubles, zero or an infinity.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        self.ratio(Scaled::power(0))
    }

    /// The quotient as a double. Beyond the range of doubles, zero or an infinity.
    #[must_use]
    pub fn ratio(self, other: Scaled) -> f64 {
        let quotient = self.m / other.m;
        if self.m == 0.0 {
            return quotient;
        }
        let e = self.e - other.e;
        match e {
            -1000..=1000 => quotient * exp2(e),
            ..-1000 => quotient * 0.0,
            _ => quotient * f64::INFINITY,
        }
    }
}

#[cfg(test)]
mod tests;
