//! Exponential functions.
//!
//! `x = k ln 2 + r`, |r| <= ln 2 / 2 + 2^-30, by two fused operations. In the first one, `k` times the first word of ln 2 is exact, so `r`
//! has an error of at most 2^-54. On that interval `e^r - 1 = r + r² P(r)`, which one fused operation combines with `2^k`. For the
//! functions minus 1, only results with k = 0 are near 0, and there `r = x`.

use super::coefficients::{
    EXPM1, LN_2_HI, LN_2_LO, LN_10, LOG2_10, LOG2_E, LOG10_2_HI, LOG10_2_LO,
};
use super::special::{INFINITY, keep_zero};
use crate::prelude::*;

/// 1.5 * 2^52: added to a number below 2^51, it rounds the number to an integer, which is in the low bits of the sum.
pub(super) const INTEGER: f64 = 6_755_399_441_055_744.0;
/// The bits of 1.
const ONE: i64 = 1023 << 52;
/// From this exponent on, `2^k` is not a normal number.
const LARGE: f64 = 1023.0;
const SMALL: f64 = -1021.0;
/// Above this limit e^x is above 2^1022; below its negative, e^x is below 2^-1020.
pub(super) const LARGE_E: f64 = 709.0;
pub(super) const SMALL_E: f64 = -707.0;
/// The same for 10^x.
const LARGE_10: f64 = 307.9;
const SMALL_10: f64 = -307.0;

/// `x`, limited to the range from `low` to `high`; a NaN stays.
#[crunch]
pub(super) fn clamp(x: DcDouble, low: DcDouble, high: DcDouble) -> DcDouble {
    let x = if x > high { high } else { x };
    if x < low { low } else { x }
}

/// `e^r - 1` for |r| <= 0.35, relative error below 2^-51.
#[crunch]
fn small(r: DcDouble) -> DcDouble {
    (r * r).mul_add(even_odd(r, &EXPM1), r)
}

/// `2^k` and `e^x / 2^k - 1` for -708 < x < 709.8.
#[crunch]
fn split(x: DcDouble) -> (DcDouble, DcDouble) {
    let t = x.mul_add(LOG2_E, INTEGER);
    let k = t - INTEGER;
    let r = (-k).mul_add(LN_2_LO, (-k).mul_add(LN_2_HI, x));
    (power(t), small(r))
}

/// The same as `split`, for 2^x and -1021 <= x <= 1023.
#[crunch]
fn split2(x: DcDouble) -> (DcDouble, DcDouble) {
    let t = x + INTEGER;
    (power(t), small((x - (t - INTEGER)) * LN_2_HI))
}

/// The same as `split`, for 10^x.
#[crunch]
fn split10(x: DcDouble) -> (DcDouble, DcDouble) {
    let t = x.mul_add(LOG2_10, INTEGER);
    let k = t - INTEGER;
    let r = (-k).mul_add(LOG10_2_LO, (-k).mul_add(LOG10_2_HI, x));
    (power(t), small(r * LN_10))
}

/// `2^k` for the integer in the low bits of `t`.
#[crunch]
fn power(t: DcDouble) -> DcDouble {
    DcDouble::from_bits((t.to_bits() << 52) + ONE)
}

/// e^x of a double, relative error below 2^-50 for -707 <= x <= 709. Beyond, it is at least 2^1020 or at most 2^-1020. NaN for NaN.
#[crunch]
pub(super) fn exp_of(x: DcDouble) -> DcDouble {
    let (power, q) = split(clamp(x, SMALL_E, LARGE_E));
    power.mul_add(q, power)
}

/// `e^x - 1` of a double, in the same way as `exp_of`. For −0 it may be +0.
#[crunch]
pub(super) fn expm1_of(x: DcDouble) -> DcDouble {
    let (power, q) = split(clamp(x, SMALL_E, LARGE_E));
    power.mul_add(q, power - 1.0)
}

/// Infinite above `high`, `least` below `low`, else `y`.
#[crunch]
pub(super) fn ends(
    x: DcDouble,
    y: DcDouble,
    low: DcDouble,
    least: DcDouble,
    high: DcDouble,
) -> DcDouble {
    let y = if x > high { INFINITY } else { y };
    if x < low { least } else { y }
}

/// e^x, for binary32.
#[crunch]
pub fn exp_f32_reference(x: DcDouble) -> DcDouble {
    ends(x, exp_of(x), SMALL_E, 0.0, LARGE_E)
}

/// 2^x, for binary32.
#[crunch]
pub fn exp2_f32_reference(x: DcDouble) -> DcDouble {
    let (power, q) = split2(clamp(x, SMALL, LARGE));
    ends(x, power.mul_add(q, power), SMALL, 0.0, LARGE)
}

/// 10^x, for binary32.
#[crunch]
pub fn exp10_f32_reference(x: DcDouble) -> DcDouble {
    let (power, q) = split10(clamp(x, SMALL_10, LARGE_10));
    ends(x, power.mul_add(q, power), SMALL_10, 0.0, LARGE_10)
}

/// e^x - 1, for binary32.
#[crunch]
pub fn expm1_f32_reference(x: DcDouble) -> DcDouble {
    keep_zero(x, ends(x, expm1_of(x), SMALL_E, -1.0, LARGE_E))
}

/// 2^x - 1, for binary32.
#[crunch]
pub fn exp2m1_f32_reference(x: DcDouble) -> DcDouble {
    let (power, q) = split2(clamp(x, SMALL, LARGE));
    let y = power.mul_add(q, power - 1.0);
    keep_zero(x, ends(x, y, SMALL, -1.0, LARGE))
}

/// 10^x - 1, for binary32.
#[crunch]
pub fn exp10m1_f32_reference(x: DcDouble) -> DcDouble {
    let (power, q) = split10(clamp(x, SMALL_10, LARGE_10));
    let y = power.mul_add(q, power - 1.0);
    keep_zero(x, ends(x, y, SMALL_10, -1.0, LARGE_10))
}
