//! Roots and the reciprocal.

use super::coefficients::CBRT_ESTIMATE;
use super::special::INFINITY;
use crate::prelude::*;

/// The bits of 2^52, and 2^52 as a number. An integer of 52 bits, combined with these bits, is that many units above 2^52.
const TWO_52: i64 = 0x4330_0000_0000_0000;
const TWO_52_F64: f64 = 4_503_599_627_370_496.0;
/// The coefficients of (1 - d)^(-1/3).
const THIRD: f64 = 1.0 / 3.0;
const TWO_NINTHS: f64 = 2.0 / 9.0;
const FOURTEEN_81STS: f64 = 14.0 / 81.0;

/// One iteration for `a^(-1/3)`: with `d = 1 - a r³`, the series of (1 - d)^(-1/3) up to d³.
#[crunch]
fn closer(a: DcDouble, r: DcDouble) -> DcDouble {
    let d = (-(a * r)).mul_add(r * r, 1.0);
    let p = d.mul_add(FOURTEEN_81STS, TWO_NINTHS).mul_add(d, THIRD);
    (r * d).mul_add(p, r)
}

/// x^(1/3), for binary32: `x r²` with `r = x^(-1/3)`. The first estimate of r, with an error of 2^-4.8, is linear in the exponent and
/// fraction taken as one number. Two iterations reduce the error to 2^-20, and then to the rounding errors.
#[crunch]
pub fn cbrt_f32_reference(x: DcDouble) -> DcDouble {
    let a = x.abs();
    let upper = DcDouble::from_bits(a.to_bits().shr_logical(32) | TWO_52) - TWO_52_F64;
    let estimate = upper.mul_add(-THIRD, CBRT_ESTIMATE) + TWO_52_F64;
    let r = closer(a, DcDouble::from_bits(estimate.to_bits() << 32));
    let r = closer(a, r);
    let y = (a * r * r).copysign(x);
    if (a == 0.0) | (a == INFINITY) { x } else { y }
}

/// √x, for binary32.
#[crunch]
pub fn sqrt_f32_reference(x: DcDouble) -> DcDouble {
    x.sqrt()
}

/// 1 / √x, for binary32.
#[crunch]
pub fn rsqrt_f32_reference(x: DcDouble) -> DcDouble {
    x.sqrt().recip()
}

/// 1 / x, for binary32.
#[crunch]
pub fn recip_f32_reference(x: DcDouble) -> DcDouble {
    x.recip()
}
