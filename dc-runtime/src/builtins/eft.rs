//! Error-free transformations: a rounded result and its exact rounding error.
//!
//! Sources: Knuth, *TAOCP* 2, 4.2.2 (`two_sum`); Dekker 1971 (`fast_two_sum`); `two_prod` rests on the fused
//! multiply-add: `a * b - RN(a * b)` is a double unless it underflows (Muller et al., *Handbook*, 4.4).

use crate::prelude::*;

/// `a + b` as its rounded value and the exact error, for any finite `a`, `b` whose sum does not overflow.
#[crunch]
pub fn two_sum(a: DcDouble, b: DcDouble) -> DcDoubleDouble {
    let s = a + b;
    let b_seen = s - a;
    let a_seen = s - b_seen;
    let e = (a - a_seen) + (b - b_seen);
    DcDoubleDouble::new(s, e)
}

/// `a + b` as its rounded value and the exact error, where `|a| >= |b|` or `a` is 0.
#[crunch]
pub fn fast_two_sum(a: DcDouble, b: DcDouble) -> DcDoubleDouble {
    let s = a + b;
    let e = b - (s - a);
    DcDoubleDouble::new(s, e)
}

/// `a * b` as its rounded value and the exact error, where the error does not underflow (`|a * b| >= 2^-968`).
#[crunch]
pub fn two_prod(a: DcDouble, b: DcDouble) -> DcDoubleDouble {
    let p = a * b;
    let e = a.mul_add(b, -p);
    DcDoubleDouble::new(p, e)
}
