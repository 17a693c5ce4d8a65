//! Logarithms.
//!
//! `u = 2^e m`, m from √½ to √2, and `log m = 2 atanh(s)`, `s = (m - 1) / (m + 1)`. `m - 1` is exact, so the relative
//! error stays small when the logarithm is near 0, for e = 0. For other e, at most half of the terms `e ln 2` and `log m` cancels.
//! For `log(1 + z)`, the part of `z` that `1 + z` loses is added to `m - 1`.

use super::coefficients::{LN_2_HI, LOG, LOG2_E, LOG10_2_HI, LOG10_E};
use super::special::{INFINITY, NAN, keep_zero};
use crate::prelude::*;

/// The bits of √½.
const ROOT: i64 = 0x3fe6_a09e_667f_3bcd;
/// The bits of 1.
const ONE: i64 = 1023 << 52;
/// The bits of a double's exponent.
const EXPONENT: i64 = 0x7ff0_0000_0000_0000;
/// The bits of 2^52, and the sum of 2^52 and the exponents' bias as a number.
const TWO_52: i64 = 0x4330_0000_0000_0000;
const TWO_52_AND_BIAS: f64 = 4_503_599_627_370_496.0 + 1023.0;

/// `e` and `log m` of `u + c`, u positive, normal and finite, c below half its last place.
#[crunch]
fn split(u: DcDouble, c: DcDouble) -> (DcDouble, DcDouble) {
    let bits = u.to_bits();
    let above = bits + (ONE - ROOT);
    let exponent = above & EXPONENT;
    let e = DcDouble::from_bits(above.shr_logical(52) | TWO_52) - TWO_52_AND_BIAS;
    let m = DcDouble::from_bits(bits - exponent + ONE);
    let f = c.mul_add(DcDouble::from_bits(2 * ONE - exponent), m - 1.0);
    let s = f / (f + 2.0);
    let ss = s * s;
    (e, (s * ss).mul_add(horner(ss, &LOG), s + s))
}

/// `y` where `u` is positive and finite; infinities where it is 0 or infinite; NaN elsewhere.
#[crunch]
fn domain(u: DcDouble, y: DcDouble) -> DcDouble {
    let other = if u == 0.0 { -INFINITY } else { NAN };
    let other = if u == INFINITY { INFINITY } else { other };
    if (u > 0.0) & (u < INFINITY) { y } else { other }
}

/// `ln u` of a normal double, relative error below 2^-50; special values as for the function.
#[crunch]
pub(super) fn log_of(u: DcDouble) -> DcDouble {
    let (e, y) = split(u, 0.0);
    domain(u, e.mul_add(LN_2_HI, y))
}

/// `ln(1 + z)` of a double, in the same way as `log_of`. For −0 it is +0.
#[crunch]
pub(super) fn log1p_of(z: DcDouble) -> DcDouble {
    let sum = two_sum(1.0, z);
    let (e, y) = split(sum.hi, sum.lo);
    domain(sum.hi, e.mul_add(LN_2_HI, y))
}

/// ln x, for binary32.
#[crunch]
pub fn log_f32_reference(x: DcDouble) -> DcDouble {
    log_of(x)
}

/// log2 x, for binary32.
#[crunch]
pub fn log2_f32_reference(x: DcDouble) -> DcDouble {
    let (e, y) = split(x, 0.0);
    domain(x, y.mul_add(LOG2_E, e))
}

/// log10 x, for binary32.
#[crunch]
pub fn log10_f32_reference(x: DcDouble) -> DcDouble {
    let (e, y) = split(x, 0.0);
    domain(x, e.mul_add(LOG10_2_HI, y * LOG10_E))
}

/// ln(1 + x), for binary32.
#[crunch]
pub fn log1p_f32_reference(x: DcDouble) -> DcDouble {
    keep_zero(x, log1p_of(x))
}

/// log2(1 + x), for binary32.
#[crunch]
pub fn log2p1_f32_reference(x: DcDouble) -> DcDouble {
    let sum = two_sum(1.0, x);
    let (e, y) = split(sum.hi, sum.lo);
    keep_zero(x, domain(sum.hi, y.mul_add(LOG2_E, e)))
}

/// log10(1 + x), for binary32.
#[crunch]
pub fn log10p1_f32_reference(x: DcDouble) -> DcDouble {
    let sum = two_sum(1.0, x);
    let (e, y) = split(sum.hi, sum.lo);
    keep_zero(x, domain(sum.hi, e.mul_add(LOG10_2_HI, y * LOG10_E)))
}
