//! Sine, cosine, tangent, of radians and of half turns.
//!
//! # Reduction
//!
//! After Payne and Hanek: `y = x * 2/pi - k`, |y| <= 1/2. Only the bits of 2/pi that matter for the exponent of x are used, in words of 29,
//! 29 and 53 bits. x has 24 bits, so its products with the first two words are exact. The first product is a multiple of 2^-27 for
//! exponents of 24 and more, and of less below. `k` is the integer nearest to it after the second product is added. The sum of the rest and
//! the second product is exact if it is small, that is, near multiples of pi/2. The third product is below 2^-31 and rounds by 2^-84. For
//! the binary32 number that is relatively nearest to a multiple of pi/2, |y| > 2^-35. So the relative error of y is 2^-49. The multiples of
//! 4 that were omitted from the product do not change the quadrant.

use super::coefficients::{COS, HALF_PI, SIN, TWO_OVER_PI_HI, TWO_OVER_PI_LO, TWO_OVER_PI_MID};
use super::exp::INTEGER;
use super::special::{INFINITY, NAN, keep_zero};
use crate::prelude::*;

/// The biased exponent of the tables' first entry.
const FIRST: i64 = 1023 + 24;
/// From here on a binary32 number is an even integer.
const EVEN: f64 = 16_777_216.0;

/// `sin` and `cos` of `y` quarter turns, |y| <= 1/2.
#[crunch]
fn quarter(y: DcDouble) -> (DcDouble, DcDouble) {
    let r = y * HALF_PI;
    let rr = r * r;
    let sin = (r * rr).mul_add(horner(rr, &SIN), r);
    let cos = (rr * rr).mul_add(horner(rr, &COS), rr.mul_add(-0.5, 1.0));
    (sin, cos)
}

/// `x` radians as `k + y` quarter turns: y, and the integer k modulo 4.
#[crunch]
fn reduce(x: DcDouble) -> (DcDouble, DcLong) {
    let i = (x.to_bits().shr_logical(52) & 0x7ff).max(FIRST) - FIRST;
    let hi = x * TWO_OVER_PI_HI[i];
    let mid = TWO_OVER_PI_MID[i];
    let t = x.mul_add(mid, hi) + INTEGER;
    let y = x.mul_add(mid, hi - (t - INTEGER));
    (x.mul_add(TWO_OVER_PI_LO[i], y), t.to_bits())
}

/// The same as `reduce`, for `x` half turns, for binary32: exact.
#[crunch]
fn reduce_pi(x: DcDouble) -> (DcDouble, DcLong) {
    // Larger arguments are whole turns, and NaN stands for infinities, since `INTEGER` does not work for them.
    let magnitude = x.abs();
    let whole = if magnitude < INFINITY { 0.0 } else { NAN };
    let x = if magnitude < EVEN { x } else { whole };
    let t = (x + x) + INTEGER;
    ((x + x) - (t - INTEGER), t.to_bits())
}

/// The sine of `k + y` quarter turns.
#[crunch]
fn sine(y: DcDouble, k: DcLong) -> DcDouble {
    let (sin, cos) = quarter(y);
    let v = if (k & 1) == 1 { cos } else { sin };
    DcDouble::from_bits(v.to_bits() ^ ((k & 2) << 62))
}

/// The tangent of `k + y` quarter turns.
#[crunch]
fn tangent(y: DcDouble, k: DcLong) -> DcDouble {
    let (sin, cos) = quarter(y);
    let odd = (k & 1) == 1;
    (if odd { -cos } else { sin }) / (if odd { sin } else { cos })
}

/// sin x, for binary32.
#[crunch]
pub fn sin_f32_reference(x: DcDouble) -> DcDouble {
    let (y, k) = reduce(x);
    keep_zero(x, sine(y, k))
}

/// cos x, for binary32.
#[crunch]
pub fn cos_f32_reference(x: DcDouble) -> DcDouble {
    let (y, k) = reduce(x);
    sine(y, k + 1)
}

/// tan x, for binary32.
#[crunch]
pub fn tan_f32_reference(x: DcDouble) -> DcDouble {
    let (y, k) = reduce(x);
    keep_zero(x, tangent(y, k))
}

/// sin(pi x), for binary32. At integers it is 0 with the sign of x.
#[crunch]
pub fn sinpi_f32_reference(x: DcDouble) -> DcDouble {
    let (y, k) = reduce_pi(x);
    let v = sine(y, k);
    let zero: DcDouble = 0.0;
    if v == 0.0 { zero.copysign(x) } else { v }
}

/// cos(pi x), for binary32. It is +0 midway between integers.
#[crunch]
pub fn cospi_f32_reference(x: DcDouble) -> DcDouble {
    let (y, k) = reduce_pi(x);
    let v = sine(y, k + 1);
    if v == 0.0 { 0.0 } else { v }
}

/// tan(pi x), for binary32. At even integers it is 0 with the sign of x, at odd integers 0 with the opposite sign. Midway between integers
/// it is +∞ after an even integer and -∞ after an odd one.
#[crunch]
pub fn tanpi_f32_reference(x: DcDouble) -> DcDouble {
    let (y, k) = reduce_pi(x);
    let v = tangent(y, k);
    let odd = (k & 2) == 2;
    let zero: DcDouble = 0.0;
    let zero = zero.copysign(x);
    let zero = if odd { -zero } else { zero };
    let pole = if odd { -INFINITY } else { INFINITY };
    let v = if v == 0.0 { zero } else { v };
    if v.abs() == INFINITY { pole } else { v }
}
