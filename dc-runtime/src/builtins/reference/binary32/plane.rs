//! Functions of two arguments: quotient, length and angle. Products of two binary32 numbers are exact doubles.

use super::coefficients::PI;
use super::inverse::angle;
use super::special::INFINITY;
use crate::prelude::*;

/// x / y, for binary32.
#[crunch]
pub fn div_f32_reference(x: DcDouble, y: DcDouble) -> DcDouble {
    x / y
}

/// √(x² + y²), for binary32.
#[crunch]
pub fn hypot_f32_reference(x: DcDouble, y: DcDouble) -> DcDouble {
    let infinite = (x.abs() == INFINITY) | (y.abs() == INFINITY);
    let length = x.mul_add(x, y * y).sqrt();
    if infinite { INFINITY } else { length }
}

/// The angle of the point (x, y), for binary32.
#[crunch]
pub fn atan2_f32_reference(y: DcDouble, x: DcDouble) -> DcDouble {
    let a = y.abs();
    let b = x.abs();
    // Where the quotient is no number, the angle is that of (1, 0) or of (1, 1); if only b is infinite, it is that of (1, 0).
    let point = (a == 0.0) & (b == 0.0);
    let far = b == INFINITY;
    let a = if far {
        (a == INFINITY).select(1.0, a * 0.0)
    } else {
        a
    };
    let b = if far | point { 1.0 } else { b };
    let t = angle(a, b);
    let t = if x.is_sign_negative() { PI - t } else { t };
    let t = t.copysign(y);
    // A comparison with a NaN is false; a sum with one is NaN.
    if (x != x) | (y != y) { x + y } else { t }
}
