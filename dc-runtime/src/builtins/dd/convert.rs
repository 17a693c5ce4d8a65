//! Conversions to and from other types.

use crate::builtins::eft::fast_two_sum;
use crate::prelude::{DcDouble, DcDoubleDouble, DcFloat, DcLong, crunch};

/// The same number as a double-double, exact.
#[crunch]
pub fn dd_from_f64(x: DcDouble) -> DcDoubleDouble {
    DcDoubleDouble::new(x, 0.0)
}

/// The same number as a double-double, exact.
#[crunch]
pub fn dd_from_f32(x: DcFloat) -> DcDoubleDouble {
    DcDoubleDouble::new(x.to_f64(), 0.0)
}

/// The same number as a double-double, exact for every integer: the two halves are doubles, and so is the error of their sum.
#[crunch]
pub fn dd_from_i64(n: DcLong) -> DcDoubleDouble {
    let upper = (n >> 32).to_f64() * 4_294_967_296.0;
    let lower = (n & 0xffff_ffff).to_f64();
    fast_two_sum(upper, lower)
}

/// The double nearest to the sum of any two words, if the sum does not overflow. For a normalised number this is its high word.
#[crunch]
pub fn dd_to_f64(x: DcDoubleDouble) -> DcDouble {
    x.hi + x.lo
}

/// The binary32 number nearest to a normalised number, also for subnormal results, ties and overflow to infinity.
///
/// Rounding only `hi` would be wrong if it lies half-way between two floats. So it is first made *odd*: if `lo` is not zero, `hi` is
/// replaced by the double next to the number whose last bit is 1. The number and this double are on the same side of every float and of
/// every midpoint (Boldo and Melquiond 2008), because 53 ≥ 24 + 2 bits.
#[crunch]
pub fn dd_to_f32(x: DcDoubleDouble) -> DcFloat {
    let bits = x.hi.to_bits();
    // An infinite or invalid high word has no last bit that could be changed.
    let inexact = x.lo != 0.0 && x.hi.abs() <= 1.797_693_134_862_315_7e308;
    let inward = (x.lo < 0.0) ^ (x.hi < 0.0);
    let odd = if inward { bits - (!bits & 1) } else { bits | 1 };
    let hi = if inexact {
        DcDouble::from_bits(odd)
    } else {
        x.hi
    };
    hi.to_f32()
}
