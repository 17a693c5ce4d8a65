//! Products.

use super::add::dd_add;
use crate::builtins::eft::{fast_two_sum, two_prod, two_prod_dekker};
use crate::prelude::{DcDouble, DcDoubleDouble, crunch};

/// `x * y`, relative error below 4u² (Algorithm 12, with fused multiply-adds; Muller and Rideau's bound).
#[crunch]
pub fn dd_mul(x: DcDoubleDouble, y: DcDoubleDouble) -> DcDoubleDouble {
    let c = two_prod(x.hi, y.hi);
    let t = x.hi.mul_add(y.lo, x.lo * y.lo);
    let t = x.lo.mul_add(y.hi, t);
    fast_two_sum(c.hi, c.lo + t)
}

/// `x * y` without the product of the low words, relative error below 5u² (Algorithm 11; Muller and Rideau's bound).
#[crunch]
pub fn dd_mul_sloppy(x: DcDoubleDouble, y: DcDoubleDouble) -> DcDoubleDouble {
    let c = two_prod(x.hi, y.hi);
    let t = x.lo.mul_add(y.hi, x.hi * y.lo);
    fast_two_sum(c.hi, c.lo + t)
}

/// `x * y` without fused multiply-adds, relative error below 5u² (Algorithm 10, with Dekker's product; Muller and
/// Rideau's bound).
#[crunch]
pub fn dd_mul_no_fma(x: DcDoubleDouble, y: DcDoubleDouble) -> DcDoubleDouble {
    let c = two_prod_dekker(x.hi, y.hi);
    let t = x.hi * y.lo + x.lo * y.hi;
    fast_two_sum(c.hi, c.lo + t)
}

/// `x * y`, relative error below 2u² (Algorithm 9).
#[crunch]
pub fn dd_mul_f64(x: DcDoubleDouble, y: DcDouble) -> DcDoubleDouble {
    let c = two_prod(x.hi, y);
    fast_two_sum(c.hi, x.lo.mul_add(y, c.lo))
}

/// `x * y` with the low words rounded separately, relative error below 3u² (Algorithm 8).
#[crunch]
pub fn dd_mul_f64_sloppy(x: DcDoubleDouble, y: DcDouble) -> DcDoubleDouble {
    let c = two_prod(x.hi, y);
    fast_two_sum(c.hi, c.lo + x.lo * y)
}

/// `x * y` without fused multiply-adds, relative error below 3/2 u² + 4u³ (Algorithm 7, with Dekker's product): the
/// most accurate of the three, and the slowest.
#[crunch]
pub fn dd_mul_f64_no_fma(x: DcDoubleDouble, y: DcDouble) -> DcDoubleDouble {
    let c = two_prod_dekker(x.hi, y);
    let t = fast_two_sum(c.hi, x.lo * y);
    fast_two_sum(t.hi, t.lo + c.lo)
}

/// `x * x`, relative error below 3u².
///
/// With |hi| in [1, 2), the neglected term lo² is at most u². The low word of the product is at most u (2u if hi² ≥ 2), and 2 hi lo is at
/// most 2√2 u (4u). Their sum, below 4u (8u), is rounded once, by at most 2u² (4u² for a square ≥ 2).
#[crunch]
pub fn dd_square(x: DcDoubleDouble) -> DcDoubleDouble {
    let c = two_prod(x.hi, x.hi);
    fast_two_sum(c.hi, (x.hi + x.hi).mul_add(x.lo, c.lo))
}

/// `x * y + z`, absolute error below `4u² |x y| + 3u² |x y + z|` plus terms in u³: a product by `dd_mul`, then a sum by
/// `dd_add`.
#[crunch]
pub fn dd_mul_add(x: DcDoubleDouble, y: DcDoubleDouble, z: DcDoubleDouble) -> DcDoubleDouble {
    dd_add(dd_mul(x, y), z)
}

/// `x * p` for a power of two `p`: exact if neither word overflows or becomes subnormal.
#[crunch]
pub fn dd_scale(x: DcDoubleDouble, p: DcDouble) -> DcDoubleDouble {
    DcDoubleDouble::new(x.hi * p, x.lo * p)
}
