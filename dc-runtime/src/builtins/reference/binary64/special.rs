//! Special values.

use crate::prelude::*;

pub(super) const INFINITY: f64 = f64::INFINITY;
pub(super) const NAN: f64 = f64::NAN;

/// `y` of the magnitude, with the sign of `x`.
#[crunch]
pub(super) fn signed(y: DcDoubleDouble, x: DcDouble) -> DcDoubleDouble {
    let negative = x.is_sign_negative();
    if negative {
        DcDoubleDouble::new(-y.hi, -y.lo)
    } else {
        y
    }
}

/// `y`, except where `special` is true: there the result is `value` alone.
#[crunch]
pub(super) fn unless(special: DcMask, value: DcDouble, y: DcDoubleDouble) -> DcDoubleDouble {
    if special {
        DcDoubleDouble::new(value, 0.0)
    } else {
        y
    }
}
