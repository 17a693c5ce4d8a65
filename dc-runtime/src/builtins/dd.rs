//! Double-double arithmetic. Bounds and algorithm numbers are those of Joldes, Muller and Popescu, *Tight and
//! rigorous error bounds for basic building blocks of double-word arithmetic* (ACM TOMS 44, 2017); u = 2^-53.
//! They hold where nothing overflows and no error term underflows.

use super::eft::{fast_two_sum, two_prod, two_sum};
use crate::prelude::*;

/// `x + y`, relative error under 3u² + 13u³ (Algorithm 6, accurate).
#[crunch]
pub fn dd_add(x: DcDoubleDouble, y: DcDoubleDouble) -> DcDoubleDouble {
    let s = two_sum(x.hi, y.hi);
    let t = two_sum(x.lo, y.lo);
    let v = fast_two_sum(s.hi, s.lo + t.hi);
    fast_two_sum(v.hi, t.lo + v.lo)
}

/// `x - y`, as `dd_add` with the signs of `y` flipped.
#[crunch]
pub fn dd_sub(x: DcDoubleDouble, y: DcDoubleDouble) -> DcDoubleDouble {
    dd_add(x, DcDoubleDouble::new(-y.hi, -y.lo))
}

/// `x + y`, relative error under 2u² (Algorithm 4).
#[crunch]
pub fn dd_add_f64(x: DcDoubleDouble, y: DcDouble) -> DcDoubleDouble {
    let s = two_sum(x.hi, y);
    fast_two_sum(s.hi, x.lo + s.lo)
}

/// `x * y`, relative error under 4u² (Algorithm 12, with fused multiply-adds).
#[crunch]
pub fn dd_mul(x: DcDoubleDouble, y: DcDoubleDouble) -> DcDoubleDouble {
    let c = two_prod(x.hi, y.hi);
    let t = x.hi.mul_add(y.lo, x.lo * y.lo);
    let t = x.lo.mul_add(y.hi, t);
    fast_two_sum(c.hi, c.lo + t)
}

/// `x * y`, relative error under 2u² (Algorithm 9).
#[crunch]
pub fn dd_mul_f64(x: DcDoubleDouble, y: DcDouble) -> DcDoubleDouble {
    let c = two_prod(x.hi, y);
    fast_two_sum(c.hi, x.lo.mul_add(y, c.lo))
}

/// `x / y`, relative error under 15u² + 56u³ (Algorithm 17).
#[crunch]
pub fn dd_div(x: DcDoubleDouble, y: DcDoubleDouble) -> DcDoubleDouble {
    let q = x.hi / y.hi;
    let r = dd_mul_f64(y, q);
    let rest = (x.hi - r.hi) + (x.lo - r.lo);
    fast_two_sum(q, rest / y.hi)
}

/// `1 / x`, relative error under 2^-104: the remainder `1 - hi * x` is exact, and only its product with `hi` rounds.
#[crunch]
pub fn dd_recip(x: DcDouble) -> DcDoubleDouble {
    let hi = x.recip();
    let remainder = (-hi).mul_add(x, 1.0);
    DcDoubleDouble::new(hi, hi * remainder)
}

/// `sqrt(x)`, relative error under 2^-104: the remainder `x - hi * hi` is exact; one division rounds.
#[crunch]
pub fn dd_sqrt_f64(x: DcDouble) -> DcDoubleDouble {
    let hi = x.sqrt();
    let remainder = (-hi).mul_add(hi, x);
    DcDoubleDouble::new(hi, remainder / (hi + hi))
}

/// `sqrt(x)`, relative error under 25/8 u² (Lefèvre, Louvet, Muller, Picot and Rideau, *Accurate calculation of
/// Euclidean norms using double-word arithmetic*, ACM TOMS 2023).
#[crunch]
pub fn dd_sqrt(x: DcDoubleDouble) -> DcDoubleDouble {
    let hi = x.hi.sqrt();
    let remainder = (-hi).mul_add(hi, x.hi);
    fast_two_sum(hi, (x.lo + remainder) / (hi + hi))
}
