//! Sums.

use crate::builtins::eft::{fast_two_sum, two_sum};
use crate::prelude::{DcDouble, DcDoubleDouble, crunch};

/// `x + y`, relative error below 3u² + 13u³ (Algorithm 6, accurate).
#[crunch]
pub fn dd_add(x: DcDoubleDouble, y: DcDoubleDouble) -> DcDoubleDouble {
    let s = two_sum(x.hi, y.hi);
    let t = two_sum(x.lo, y.lo);
    let v = fast_two_sum(s.hi, s.lo + t.hi);
    fast_two_sum(v.hi, t.lo + v.lo)
}

/// `x + y`, relative error below 3u² **if the signs are the same** (Algorithm 5, sloppy): 11 operations instead of 20. If the signs differ,
/// there is no bound, and all digits may be wrong.
#[crunch]
pub fn dd_add_sloppy(x: DcDoubleDouble, y: DcDoubleDouble) -> DcDoubleDouble {
    let s = two_sum(x.hi, y.hi);
    let v = x.lo + y.lo;
    fast_two_sum(s.hi, s.lo + v)
}

/// `x - y`, as `dd_add` with the signs of `y` flipped.
#[crunch]
pub fn dd_sub(x: DcDoubleDouble, y: DcDoubleDouble) -> DcDoubleDouble {
    dd_add(x, DcDoubleDouble::new(-y.hi, -y.lo))
}

/// `x + y`, relative error below 2u² (Algorithm 4).
#[crunch]
pub fn dd_add_f64(x: DcDoubleDouble, y: DcDouble) -> DcDoubleDouble {
    let s = two_sum(x.hi, y);
    fast_two_sum(s.hi, x.lo + s.lo)
}
