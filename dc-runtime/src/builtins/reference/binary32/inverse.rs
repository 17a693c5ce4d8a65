//! Inverse trigonometric functions. All use the arc tangent of a quotient, whose relative error is small everywhere.
//!
//! The quotient `a / b` is reduced below tan(pi/8) by subtracting pi/4 or pi/2, within the one division. `asin x` is
//! the angle of `x` and `√((1 - x)(1 + x))`: 1 - x and 1 + x are exact or nearly so.

use super::coefficients::{ATAN, HALF_PI, PI, QUARTER_PI, RECIP_PI, TAN_EIGHTH};
use crate::prelude::*;

/// `atan(a / b)`, for a, b >= 0 that are not both 0; b finite. Relative error below 2^-50.
#[crunch]
pub(super) fn angle(a: DcDouble, b: DcDouble) -> DcDouble {
    let low = a <= b * TAN_EIGHTH;
    let high = a * TAN_EIGHTH >= b;
    let p = if high { -b } else { a - b };
    let p = if low { a } else { p };
    let q = if high { a } else { a + b };
    let q = if low { b } else { q };
    let base = if high { HALF_PI } else { QUARTER_PI };
    let base = if low { 0.0 } else { base };
    let t = p / q;
    let tt = t * t;
    base + (t * tt).mul_add(horner(tt, &ATAN), t)
}

/// `√(1 - x²)`.
#[crunch]
fn other_side(x: DcDouble) -> DcDouble {
    ((1.0 - x) * (1.0 + x)).sqrt()
}

/// asin x, for binary32.
#[crunch]
pub fn asin_f32_reference(x: DcDouble) -> DcDouble {
    angle(x.abs(), other_side(x)).copysign(x)
}

/// acos x, for binary32.
#[crunch]
pub fn acos_f32_reference(x: DcDouble) -> DcDouble {
    let y = angle(other_side(x), x.abs());
    if x < 0.0 { PI - y } else { y }
}

/// atan x, for binary32.
#[crunch]
pub fn atan_f32_reference(x: DcDouble) -> DcDouble {
    angle(x.abs(), 1.0).copysign(x)
}

/// asin(x) / pi, for binary32.
#[crunch]
pub fn asinpi_f32_reference(x: DcDouble) -> DcDouble {
    asin_f32_reference(x) * RECIP_PI
}

/// acos(x) / pi, for binary32.
#[crunch]
pub fn acospi_f32_reference(x: DcDouble) -> DcDouble {
    acos_f32_reference(x) * RECIP_PI
}

/// atan(x) / pi, for binary32.
#[crunch]
pub fn atanpi_f32_reference(x: DcDouble) -> DcDouble {
    atan_f32_reference(x) * RECIP_PI
}
