//! Square roots.

use crate::builtins::eft::{fast_two_sum, two_prod};
use crate::prelude::{DcDouble, DcDoubleDouble, crunch};

/// `sqrt(x)`, relative error below 2^-104. The remainder `x - hi * hi` is exact, and only one division rounds. `hi` is the root rounded;
/// `lo` is at most half an ulp of it. In a tie this holds even if `hi` is odd.
#[crunch]
pub fn dd_sqrt_f64(x: DcDouble) -> DcDoubleDouble {
    let hi = x.sqrt();
    let remainder = (-hi).mul_add(hi, x);
    DcDoubleDouble::new(hi, remainder / (hi + hi))
}

/// `sqrt(x)`, relative error below 25/8 u² (Lefèvre, Louvet, Muller, Picot and Rideau, *Accurate calculation of
/// Euclidean norms using double-word arithmetic*, ACM TOMS 2023).
#[crunch]
pub fn dd_sqrt(x: DcDoubleDouble) -> DcDoubleDouble {
    let hi = x.hi.sqrt();
    let remainder = (-hi).mul_add(hi, x.hi);
    fast_two_sum(hi, (x.lo + remainder) / (hi + hi))
}

/// `1 / sqrt(x)`, relative error below 10u².
///
/// h, by a root and a division, is within 2u. So r = `1 - x h²` is at most 4u. It is computed with two roundings of at most 4u² each, half
/// of which counts. The correction `h r (1/2 + 3/8 r)`, at most 2u, is rounded three times, by 6u² together. The next term of the series is
/// of order u³.
#[crunch]
pub fn dd_rsqrt_f64(x: DcDouble) -> DcDoubleDouble {
    let h = x.sqrt().recip();
    let p = two_prod(h, h);
    let r = (-x).mul_add(p.lo, (-x).mul_add(p.hi, 1.0));
    fast_two_sum(h, (h * r) * r.mul_add(0.375, 0.5))
}

/// `1 / sqrt(x)`, relative error below 13.5u²: the same as `dd_rsqrt_f64`, with one more rounding of r (2u²), and a correction of at most
/// 5/2 u (7.5u²).
#[crunch]
pub fn dd_rsqrt(x: DcDoubleDouble) -> DcDoubleDouble {
    let h = x.hi.sqrt().recip();
    let p = two_prod(h, h);
    let r = (-x.hi).mul_add(p.lo, (-x.hi).mul_add(p.hi, 1.0));
    let r = (-x.lo).mul_add(p.hi, r);
    fast_two_sum(h, (h * r) * r.mul_add(0.375, 0.5))
}
