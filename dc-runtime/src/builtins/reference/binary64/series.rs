//! Power series whose first coefficients have two words.

use crate::prelude::*;

/// `hi[0] + lo[0] + z (hi[1] + lo[1] + z (… + z tail(z)))`: by Horner's scheme in double-double, ending in a polynomial
/// of doubles.
#[crunch]
pub(super) fn series(z: DcDoubleDouble, hi: &[f64], lo: &[f64], tail: &[f64]) -> DcDoubleDouble {
    let mut s = dd_mul_f64(z, horner(z.hi, tail));
    for i in (0..hi.len()).rev() {
        s = dd_add(DcDoubleDouble::new(hi[i], lo[i]), s);
        if i > 0 {
            s = dd_mul(z, s);
        }
    }
    s
}

/// `hi + (a + b + c)`, normalised: `hi` exceeds the others by a factor of at least 2^40, and their bits below 2^-110 of it are negligible.
#[crunch]
pub(super) fn gather(hi: DcDouble, a: DcDouble, b: DcDouble, c: DcDouble) -> DcDoubleDouble {
    let s = two_sum(hi, a);
    let t = two_sum(s.lo, b);
    let u = fast_two_sum(s.hi, t.hi);
    fast_two_sum(u.hi, u.lo + (t.lo + c))
}
