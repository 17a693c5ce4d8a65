//! Hard double-doubles: near cancellation, low words at and near half an ulp, powers of two and their neighbours, few
//! bits or all, the ends of the range in which the bounds hold.

use doublecrunch::prelude::*;

/// Pseudo-random words (SplitMix64).
pub struct Rng(pub u64);

impl Rng {
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// Below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.word()) * u128::from(n)) >> 64) as u64
    }

    /// In `-n..=n`.
    pub fn around(&mut self, n: i32) -> i32 {
        self.below(2 * n as u64 + 1) as i32 - n
    }
}

/// 2^e, also where it is subnormal.
pub fn power(e: i32) -> f64 {
    if e >= -1022 {
        f64::from_bits(((e + 1023) as u64) << 52)
    } else {
        f64::from_bits(1 << (e + 1074))
    }
}

const FRACTION: u64 = (1 << 52) - 1;

/// 52 bits of a fraction.
fn fraction(rng: &mut Rng) -> u64 {
    let w = rng.word();
    let some = w >> (w & 63);
    FRACTION
        & match rng.below(8) {
            // Just above and just below a power of two.
            0 => some & 0xff,
            1 => !(some & 0xff),
            // Few bits, and almost all.
            2 => 1 << (w % 52) | 1 << ((w >> 8) % 52),
            3 => !(1 << (w % 52) | 1 << ((w >> 8) % 52)),
            // Near the square root of 2, where products pass a power of two.
            4 => (std::f64::consts::SQRT_2.to_bits() & FRACTION).wrapping_add(w >> 40),
            5 => some,
            _ => w,
        }
}

/// A positive double with an exponent of up to `range` either way, half of them around 0.
pub fn double(rng: &mut Rng, range: i32) -> f64 {
    let e = match rng.below(4) {
        0 => rng.around(range),
        1 => [-range, range - 1][rng.below(2) as usize],
        _ => rng.around(2),
    };
    f64::from_bits(((e + 1023) as u64) << 52 | fraction(rng))
}

/// A low word for `hi`: the pair is normalised.
fn low(rng: &mut Rng, hi: f64) -> f64 {
    let e = ((hi.to_bits() >> 52 & 0x7ff) as i32) - 1023;
    // Half an ulp of `hi`; half of that below a power of two.
    let half = power(e - 53);
    let sign = [-1.0, 1.0][rng.below(2) as usize];
    let inside = half * (1.0 - power(-53));
    let lo = match rng.below(8) {
        0 => 0.0,
        // A tie, with which only an even `hi` is normalised.
        1 => half,
        2 => inside,
        3 => half * f64::from_bits((1022 << 52) | fraction(rng)),
        4 => half * power(-(rng.below(110) as i32)),
        _ => half * (rng.word() >> 11) as f64 * power(-53),
    } * sign;
    [lo, lo / 2.0, inside / 2.0 * sign]
        .into_iter()
        .find(|lo| hi + lo == hi)
        .unwrap_or(0.0)
}

/// A positive double-double.
pub fn positive(rng: &mut Rng, range: i32) -> DoubleDouble {
    let hi = double(rng, range);
    DoubleDouble {
        hi,
        lo: low(rng, hi),
    }
}

/// A double-double of either sign.
pub fn any(rng: &mut Rng, range: i32) -> DoubleDouble {
    let x = positive(rng, range);
    let sign = [-1.0, 1.0][rng.below(2) as usize];
    DoubleDouble {
        hi: x.hi * sign,
        lo: x.lo * sign,
    }
}

/// Two that nearly cancel each other, or differ little in size.
pub fn cancelling(rng: &mut Rng, range: i32) -> (DoubleDouble, DoubleDouble) {
    let x = any(rng, range);
    let scale = power(rng.around(3));
    let steps = rng.around(4);
    let hi = match rng.below(6) {
        0 => return (x, any(rng, range)),
        1 => -x.hi * scale,
        2 => f64::from_bits(((-x.hi).to_bits() as i64 + i64::from(steps)) as u64),
        3 => -x.hi,
        // As large as the low word, where that is not too small.
        4 if x.lo.abs() > 1e-280 => -x.lo * scale,
        _ => -x.hi * f64::from_bits((1023 << 52) | fraction(rng)) * scale,
    };
    let y = DoubleDouble {
        hi,
        lo: low(rng, hi.abs()),
    };
    (x, y)
}
