//! Newton–Raphson reciprocals (*DoubleCrunch*, Section 4).

use crate::prelude::*;

/// Reciprocal by three Newton–Raphson steps without fused operations, from ARM's 8-bit estimate (*DoubleCrunch*,
/// Section 4 and its listing).
#[crunch]
pub fn rcp_newton(x: DcDouble) -> DcDouble {
    let y0 = rcp_neon(x.to_f32()).to_f64();
    let y1 = y0 * (2.0 - y0 * x);
    let y2 = y1 * (2.0 - y1 * x);
    y2 * (2.0 - y2 * x)
}

/// The same as `rcp_newton`, with two fused multiply-adds in each step: the residual `1 - y x` is then rounded once.
#[crunch]
pub fn rcp_newton_fma(x: DcDouble) -> DcDouble {
    let y0 = rcp_neon(x.to_f32()).to_f64();
    let y1 = y0.mul_add((-y0).mul_add(x, 1.0), y0);
    let y2 = y1.mul_add((-y1).mul_add(x, 1.0), y1);
    y2.mul_add((-y2).mul_add(x, 1.0), y2)
}

/// The same as `rcp_newton`, from the 11-bit estimate of Intel's `RCPPS`.
#[crunch]
pub fn rcp_newton_intel(x: DcDouble) -> DcDouble {
    let y0 = rcpps_intel(x.to_f32()).to_f64();
    let y1 = y0 * (2.0 - y0 * x);
    let y2 = y1 * (2.0 - y1 * x);
    y2 * (2.0 - y2 * x)
}

/// The same as `rcp_newton_fma`, from the 11-bit estimate of Intel's `RCPPS`.
#[crunch]
pub fn rcp_newton_intel_fma(x: DcDouble) -> DcDouble {
    let y0 = rcpps_intel(x.to_f32()).to_f64();
    let y1 = y0.mul_add((-y0).mul_add(x, 1.0), y0);
    let y2 = y1.mul_add((-y1).mul_add(x, 1.0), y1);
    y2.mul_add((-y2).mul_add(x, 1.0), y2)
}

/// Reciprocal in binary32: two steps from ARM's estimate, with fused multiply-adds.
#[crunch]
pub fn rcp_newton_f32(x: DcFloat) -> DcFloat {
    let y0 = rcp_neon(x);
    let y1 = y0.mul_add((-y0).mul_add(x, 1.0), y0);
    y1.mul_add((-y1).mul_add(x, 1.0), y1)
}

/// From here on 1 / x is scaled, because from 2^915 on the second word loses bits to underflow.
const LARGE: f64 = f64::from_bits((1023 + 900) << 52);
/// 2^-200
const DOWN: f64 = f64::from_bits((1023 - 200) << 52);

/// `1 / x` as two words and a scale. The relative error is that of `dd_recip`, below 2u², for every x.
///
/// From 2^900 on, it is the reciprocal of `x 2^-200`, which is exact, with the scale -200. For small x no bits are lost: if `1 / x`
/// overflows, the rounded reciprocal overflows too, and for larger x both words are normal numbers.
#[crunch]
pub fn recip_reference(x: DcDouble) -> (DcDoubleDouble, DcLong) {
    let large = x.abs() >= LARGE;
    (dd_recip(x * large.select(DOWN, 1.0)), large.select(-200, 0))
}

/// The reference of `rcp_newton_f32`.
#[crunch]
pub fn rcp_reference_f32(x: DcDouble) -> DcDouble {
    x.recip()
}
