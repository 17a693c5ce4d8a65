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

/// As `rcp_newton`, each step with two fused multiply-adds: the residual `1 - y x` is then rounded once.
#[crunch]
pub fn rcp_newton_fma(x: DcDouble) -> DcDouble {
    let y0 = rcp_neon(x.to_f32()).to_f64();
    let y1 = y0.mul_add((-y0).mul_add(x, 1.0), y0);
    let y2 = y1.mul_add((-y1).mul_add(x, 1.0), y1);
    y2.mul_add((-y2).mul_add(x, 1.0), y2)
}

/// As `rcp_newton`, from the 11-bit estimate of Intel's `RCPPS`.
#[crunch]
pub fn rcp_newton_intel(x: DcDouble) -> DcDouble {
    let y0 = rcpps_intel(x.to_f32()).to_f64();
    let y1 = y0 * (2.0 - y0 * x);
    let y2 = y1 * (2.0 - y1 * x);
    y2 * (2.0 - y2 * x)
}

/// As `rcp_newton_fma`, from the 11-bit estimate of Intel's `RCPPS`.
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

/// The reference of `rcp_newton_f32`.
#[crunch]
pub fn rcp_reference_f32(x: DcDouble) -> DcDouble {
    x.recip()
}
