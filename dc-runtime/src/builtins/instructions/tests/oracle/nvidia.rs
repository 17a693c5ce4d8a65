//! NVIDIA's `rcp` and `rsqrt` again: the squarer as the pairs of bits that meet, the scaling and the rounding of
//! subnormal results in double precision. The coefficients are those of the kernels.

use std::sync::LazyLock;

use super::{INFINITY, NAN, fields, is_nan, normalised};
use crate::builtins::instructions::nvidia_tables::{
    RCP_0, RCP_1, RCP_2, RSQRT_0, RSQRT_1, RSQRT_2,
};

/// The squares of all numbers of `bits` bits in units of `2^lost`, without the columns below.
fn squares(bits: u32, lost: u32) -> Vec<i64> {
    let square = |l: u32| {
        let mut sum = 0;
        for a in 0..bits {
            for b in a..bits {
                let column = if a == b { 2 * a } else { a + b + 1 };
                if column >= lost && l >> a & l >> b & 1 == 1 {
                    sum += 1 << (column - lost);
                }
            }
        }
        sum
    };
    (0..1 << bits).map(square).collect()
}

static SQUARES_OF_16: LazyLock<Vec<i64>> = LazyLock::new(|| squares(16, 17));
static SQUARES_OF_17: LazyLock<Vec<i64>> = LazyLock::new(|| squares(17, 19));

/// `1 / x` in units of 2^-24, for `x` in `[1, 2)` with this fraction.
fn rcp(fraction: usize) -> i64 {
    let (segment, l) = (fraction / 65_536, fraction % 65_536);
    let [c0, c1, c2] = [&RCP_0, &RCP_1, &RCP_2].map(|c| i64::from(c[segment]));
    (8192 * c0 + c1 * l as i64 + c2 * SQUARES_OF_16[l] + 2023).div_euclid(32_768)
}

/// `1 / √x` in units of 2^-24, for `x` with this fraction in `[1, 2)` or, if `half` is 1, in `[2, 4)`.
fn rsqrt(half: usize, fraction: usize) -> i64 {
    if half == 0 && fraction == 0 {
        return 1 << 24;
    }
    let (segment, l) = (64 * half + fraction / 131_072, fraction % 131_072);
    let [c0, c1, c2] = [&RSQRT_0, &RSQRT_1, &RSQRT_2].map(|c| i64::from(c[segment]));
    (16_384 * c0 + c1 * l as i64 + c2 * SQUARES_OF_17[l] + 16_383).div_euclid(65_536)
}

/// `value · 2^-(bits + exponent)`, for a value from `2^(bits - 1)` to `2^bits`. Half of the value is scaled, so that every
/// power of two here is a normal number.
fn scaled(value: i64, bits: u32, exponent: i32) -> f64 {
    let half = value as f64 / (1u64 << (bits + 1)) as f64;
    half * f64::from_bits(((1024 - exponent) as u64) << 52)
}

/// The first 23 bits behind the leading one.
fn fraction(significand: u64) -> usize {
    (significand << 1 >> 41) as usize
}

fn rcp_f32(x: u32, ftz: bool) -> u32 {
    let (sign, exp, frac) = fields(x);
    match exp {
        _ if is_nan(x) => return NAN,
        255 => return sign,
        0 if ftz || frac == 0 => return sign | INFINITY,
        _ => {}
    }
    let (significand, exponent) = normalised(u64::from(x & !(1 << 31)), 23, 127);
    let value = scaled(rcp(fraction(significand)), 24, exponent);
    if ftz && value < f64::from(f32::MIN_POSITIVE) {
        return sign;
    }
    sign | (value as f32).to_bits()
}

fn rsqrt_f32(x: u32, ftz: bool) -> u32 {
    let (sign, exp, frac) = fields(x);
    match exp {
        _ if is_nan(x) => return NAN,
        0 if ftz || frac == 0 => return sign | INFINITY,
        _ if sign != 0 => return NAN,
        255 => return 0,
        _ => {}
    }
    let (significand, exponent) = normalised(u64::from(x), 23, 127);
    let value = rsqrt(exponent.rem_euclid(2) as usize, fraction(significand));
    (scaled(value, 24, exponent.div_euclid(2)) as f32).to_bits()
}

pub fn rcp_approx(x: u32) -> u32 {
    rcp_f32(x, false)
}
pub fn rcp_approx_ftz(x: u32) -> u32 {
    rcp_f32(x, true)
}
pub fn rsqrt_approx(x: u32) -> u32 {
    rsqrt_f32(x, false)
}
pub fn rsqrt_approx_ftz(x: u32) -> u32 {
    rsqrt_f32(x, true)
}

/// From the upper word: 20 bits of the fraction, here and in the result.
pub fn rcp_approx_ftz_f64(x: u64) -> u64 {
    let (sign, magnitude) = (x & 1 << 63, x & !(1 << 63));
    match magnitude >> 52 {
        _ if f64::from_bits(x).is_nan() => return 0x7ff8 << 48,
        2047 => return sign,
        0 => return sign | 0x7ff << 52,
        _ => {}
    }
    let (significand, exponent) = normalised(magnitude, 52, 1023);
    let value = scaled(rcp(fraction(significand) & !7) >> 3, 21, exponent);
    if value < f64::MIN_POSITIVE {
        return sign;
    }
    sign | value.to_bits()
}
pub fn rsqrt_approx_ftz_f64(x: u64) -> u64 {
    match x << 1 >> 53 {
        _ if f64::from_bits(x).is_nan() => return 0x7ff8 << 48,
        0 => return x & 1 << 63 | 0x7ff << 52,
        _ if x >> 63 == 1 => return 0x7ff8 << 48,
        2047 => return 0,
        _ => {}
    }
    let (significand, exponent) = normalised(x, 52, 1023);
    let value = rsqrt(exponent.rem_euclid(2) as usize, fraction(significand) & !7);
    scaled(value >> 3, 21, exponent.div_euclid(2)).to_bits()
}
