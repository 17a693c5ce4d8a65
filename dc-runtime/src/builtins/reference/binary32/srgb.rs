//! The transfer functions of sRGB (IEC 61966-2-1), by the standard's formulas for all numbers. They are linear below the power's
//! range.

use super::exp::exp_of;
use super::log::log_of;
use super::special::INFINITY;
use crate::prelude::*;

/// Linear light from a value of sRGB, for binary32: `x / 12.92` up to 0.04045, `((x + 0.055) / 1.055)^2.4` above.
#[crunch]
pub fn srgb_to_linear_f32_reference(x: DcDouble) -> DcDouble {
    let t = (x + 0.055) / 1.055;
    // The square is taken separately, so that the logarithm is multiplied by only 0.4.
    let y = t * t * exp_of(0.4 * log_of(t));
    let y = if x == INFINITY { INFINITY } else { y };
    if x <= 0.040_45 { x / 12.92 } else { y }
}

/// A value of sRGB from linear light, for binary32: `12.92 x` up to 0.0031308, `1.055 x^(1/2.4) - 0.055` above.
#[crunch]
pub fn srgb_from_linear_f32_reference(x: DcDouble) -> DcDouble {
    let y = exp_of(log_of(x) / 2.4).mul_add(1.055, -0.055);
    let y = if x == INFINITY { INFINITY } else { y };
    if x <= 0.003_130_8 { x * 12.92 } else { y }
}
