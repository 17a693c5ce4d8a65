//! Error-free transformations: a rounded result and its exact rounding error.
//!
//! Sources: Knuth, *TAOCP* 2, 4.2.2 (`two_sum`); Dekker 1971 (`fast_two_sum`, `two_prod_dekker`); Veltkamp 1968
//! (`veltkamp_split`). `two_prod` uses the fused multiply-add: `a * b - RN(a * b)` is a double unless it underflows
//! (Muller et al., *Handbook*, 4.4).

use crate::prelude::*;

/// `a + b` as its rounded value and the exact error, for any finite `a`, `b` whose sum does not overflow.
///
/// Double-double arithmetic has two or three times as many sums as products. So two of these six operations use the multipliers.
#[crunch]
pub fn two_sum(a: DcDouble, b: DcDouble) -> DcDoubleDouble {
    let s = a + b;
    let b_seen = s - a;
    let a_seen = s - b_seen;
    let e = a.sub_as_fma(a_seen) + b.sub_as_fma(b_seen);
    DcDoubleDouble::new(s, e)
}

/// `a + b` as its rounded value and the exact error, if `|a| >= |b|` or `a` is 0.
#[crunch]
pub fn fast_two_sum(a: DcDouble, b: DcDouble) -> DcDoubleDouble {
    let s = a + b;
    let e = b - (s - a);
    DcDoubleDouble::new(s, e)
}

/// `a * b` as its rounded value and the exact error, if the error does not underflow (`|a * b| >= 2^-968`).
#[crunch]
pub fn two_prod(a: DcDouble, b: DcDouble) -> DcDoubleDouble {
    let p = a * b;
    let e = a.mul_add(b, -p);
    DcDoubleDouble::new(p, e)
}

/// `a` as the sum of two doubles of at most 26 bits each (the sign of the second is the 53rd bit), if
/// `|a| <= 2^996`. Exact.
#[crunch]
pub fn veltkamp_split(a: DcDouble) -> DcDoubleDouble {
    // 2^27 + 1.
    let c = 134_217_729.0 * a;
    let hi = c - (c - a);
    DcDoubleDouble::new(hi, a - hi)
}

/// `two_prod` without a fused multiply-add: 17 operations instead of 2. The bits are the same if `|a|, |b| <= 2^996`, the
/// product does not overflow and `|a * b| >= 2^-968`.
#[crunch]
pub fn two_prod_dekker(a: DcDouble, b: DcDouble) -> DcDoubleDouble {
    two_prod_of_split(a, b, veltkamp_split(b))
}

/// `two_prod_dekker` for a `b` that is already split into `y`.
#[crunch]
pub(super) fn two_prod_of_split(a: DcDouble, b: DcDouble, y: DcDoubleDouble) -> DcDoubleDouble {
    let p = a * b;
    let x = veltkamp_split(a);
    let e = ((x.hi * y.hi - p) + x.hi * y.lo + x.lo * y.hi) + x.lo * y.lo;
    DcDoubleDouble::new(p, e)
}
