//! Comparisons of normalised double-doubles: exact, by the high words, and by the low words if the high words are equal. All except `dd_ne`
//! are false if a deciding word is a NaN. An infinity is equal to itself if its low word is 0.

use crate::prelude::{DcDoubleDouble, DcMask, crunch};

/// `x < y`
#[crunch]
pub fn dd_lt(x: DcDoubleDouble, y: DcDoubleDouble) -> DcMask {
    x.hi < y.hi || x.hi == y.hi && x.lo < y.lo
}

/// `x <= y`
#[crunch]
pub fn dd_le(x: DcDoubleDouble, y: DcDoubleDouble) -> DcMask {
    x.hi < y.hi || x.hi == y.hi && x.lo <= y.lo
}

/// `x > y`
#[crunch]
pub fn dd_gt(x: DcDoubleDouble, y: DcDoubleDouble) -> DcMask {
    dd_lt(y, x)
}

/// `x >= y`
#[crunch]
pub fn dd_ge(x: DcDoubleDouble, y: DcDoubleDouble) -> DcMask {
    dd_le(y, x)
}

/// `x == y`
#[crunch]
pub fn dd_eq(x: DcDoubleDouble, y: DcDoubleDouble) -> DcMask {
    x.hi == y.hi && x.lo == y.lo
}

/// `x != y`
#[crunch]
pub fn dd_ne(x: DcDoubleDouble, y: DcDoubleDouble) -> DcMask {
    !dd_eq(x, y)
}

/// `-x`, exact.
#[crunch]
pub fn dd_neg(x: DcDoubleDouble) -> DcDoubleDouble {
    DcDoubleDouble::new(-x.hi, -x.lo)
}

/// `|x|`, exact. The sign is that of the high word.
#[crunch]
pub fn dd_abs(x: DcDoubleDouble) -> DcDoubleDouble {
    if x.hi.is_sign_negative() {
        dd_neg(x)
    } else {
        x
    }
}
