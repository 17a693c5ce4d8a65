//! Inverse trigonometric functions to more than 100 bits: all by the angle of a vector, whose relative error is small
//! everywhere.
//! Let `p / q <= 1` be the quotient of the shorter side by the longer one, and `c = j/64` near it. Then `atan(p / q) = atan c +
//! atan t`, with `t = (p - q c) / (q + p c)`, |t| <= 1/128. For j = 0 only the series remains. If `a > b`, the angle is pi/2 minus
//! that.

use super::inverse_constants::{
    ANGLES_HI, ANGLES_LO, ATAN_HI, ATAN_LO, ATAN_TAIL, HALF_PI_HI, HALF_PI_LO, PI_HI, PI_LO,
    RECIP_PI_HI, RECIP_PI_LO,
};
use super::series::series;
use super::special::{INFINITY, signed, unless};
use crate::prelude::*;

/// 1.5 * 2^52: added to a number below 2^51, it rounds the number to an integer, which is in the low bits of the sum.
const INTEGER: f64 = 6_755_399_441_055_744.0;

/// `atan(a / b)` for a, b >= 0 that are not both 0, finite.
#[crunch]
pub(super) fn angle(a: DcDoubleDouble, b: DcDoubleDouble) -> DcDoubleDouble {
    let steep = a.hi > b.hi;
    let p = if steep { b } else { a };
    let q = if steep { a } else { b };
    let t = (p.hi / q.hi).mul_add(64.0, INTEGER);
    let c = (t - INTEGER) * 0.015_625;
    let j = t.to_bits() & 127;
    let tangent = dd_div(dd_sub(p, dd_mul_f64(q, c)), dd_add(q, dd_mul_f64(p, c)));
    let rest = dd_mul(
        tangent,
        series(dd_square(tangent), &ATAN_HI, &ATAN_LO, &ATAN_TAIL),
    );
    let y = dd_add(DcDoubleDouble::new(ANGLES_HI[j], ANGLES_LO[j]), rest);
    if steep {
        dd_sub(DcDoubleDouble::new(HALF_PI_HI, HALF_PI_LO), y)
    } else {
        y
    }
}

/// `√(1 - x²)`.
#[crunch]
fn other_side(x: DcDouble) -> DcDoubleDouble {
    let y = dd_mul(two_sum(1.0, -x), two_sum(1.0, x));
    unless(y.hi == 0.0, 0.0, dd_sqrt(y))
}

/// The arc sine of a magnitude.
#[crunch]
fn asin_of(a: DcDouble) -> DcDoubleDouble {
    angle(DcDoubleDouble::new(a, 0.0), other_side(a))
}

/// The arc tangent of a magnitude.
#[crunch]
fn atan_of(a: DcDouble) -> DcDoubleDouble {
    let infinite = a == INFINITY;
    let y = angle(DcDoubleDouble::new(a, 0.0), DcDoubleDouble::new(1.0, 0.0));
    if infinite {
        DcDoubleDouble::new(HALF_PI_HI, HALF_PI_LO)
    } else {
        y
    }
}

/// The angle divided by pi.
#[crunch]
fn in_half_turns(y: DcDoubleDouble) -> DcDoubleDouble {
    dd_mul(y, DcDoubleDouble::new(RECIP_PI_HI, RECIP_PI_LO))
}

/// asin x.
#[crunch]
pub fn asin_reference(x: DcDouble) -> DcDoubleDouble {
    signed(asin_of(x.abs()), x)
}

/// acos x.
#[crunch]
pub fn acos_reference(x: DcDouble) -> DcDoubleDouble {
    let a = x.abs();
    let y = angle(other_side(a), DcDoubleDouble::new(a, 0.0));
    if x < 0.0 {
        dd_sub(DcDoubleDouble::new(PI_HI, PI_LO), y)
    } else {
        y
    }
}

/// atan x.
#[crunch]
pub fn atan_reference(x: DcDouble) -> DcDoubleDouble {
    signed(atan_of(x.abs()), x)
}

/// asin(x) / pi.
#[crunch]
pub fn asinpi_reference(x: DcDouble) -> DcDoubleDouble {
    signed(in_half_turns(asin_of(x.abs())), x)
}

/// acos(x) / pi.
#[crunch]
pub fn acospi_reference(x: DcDouble) -> DcDoubleDouble {
    in_half_turns(acos_reference(x))
}

/// atan(x) / pi.
#[crunch]
pub fn atanpi_reference(x: DcDouble) -> DcDoubleDouble {
    signed(in_half_turns(atan_of(x.abs())), x)
}

/// atan x of a double-double.
#[crunch]
pub fn dd_atan(x: DcDoubleDouble) -> DcDoubleDouble {
    let infinite = x.hi.abs() == INFINITY;
    let y = angle(dd_abs(x), DcDoubleDouble::new(1.0, 0.0));
    let y = if infinite {
        DcDoubleDouble::new(HALF_PI_HI, HALF_PI_LO)
    } else {
        y
    };
    signed(y, x.hi)
}
