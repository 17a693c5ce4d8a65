//! Quotients.

use super::add::dd_add_f64;
use super::mul::{dd_mul_f64, dd_mul_sloppy};
use crate::builtins::eft::{fast_two_sum, two_prod};
use crate::prelude::{DcDouble, DcDoubleDouble, crunch};

/// `x / y`, relative error below 15u² + 56u³ (Algorithm 17).
///
/// The product with the first quotient q is that of Algorithm 9, with an error of 2u². The paper uses Algorithm 7, with 3/2 u². The bound
/// still holds. `x - y q` is at most 3u of x. Dividing by `y.hi` instead of y and two roundings cost 3u of it, 9u². The rounding of the low
/// words costs 2u², and so does the product: together 13u².
#[crunch]
pub fn dd_div(x: DcDoubleDouble, y: DcDoubleDouble) -> DcDoubleDouble {
    let q = x.hi / y.hi;
    let r = dd_mul_f64(y, q);
    let rest = (x.hi - r.hi) + (x.lo - r.lo);
    fast_two_sum(q, rest / y.hi)
}

/// `x / y`, relative error below 9.8u² (Algorithm 18): a reciprocal by a Newton step in double-double, and a product.
#[crunch]
pub fn dd_div_accurate(x: DcDoubleDouble, y: DcDoubleDouble) -> DcDoubleDouble {
    dd_mul_sloppy(x, dd_recip_dd(y))
}

/// `x / y`, relative error below 3u² (Algorithm 15).
#[crunch]
pub fn dd_div_f64(x: DcDoubleDouble, y: DcDouble) -> DcDoubleDouble {
    let q = x.hi / y;
    let p = two_prod(q, y);
    let rest = ((x.hi - p.hi) - p.lo) + x.lo;
    fast_two_sum(q, rest / y)
}

/// `1 / x`, relative error below 2u². The remainder r = `1 - hi * x` is exact and at most u. Omitting its square costs u², and
/// rounding `hi * r` costs another u². `hi` is `1 / x` rounded; `lo` is at most half an ulp of it. In a tie this holds even if `hi`
/// is odd.
#[crunch]
pub fn dd_recip(x: DcDouble) -> DcDoubleDouble {
    let hi = x.recip();
    let remainder = (-hi).mul_add(x, 1.0);
    DcDoubleDouble::new(hi, hi * remainder)
}

/// `1 / y`, relative error below 7u² (the first steps of Algorithm 18).
///
/// The remainder e = `1 - y t` is at most 2u. Omitting its square costs 4u², rounding `y.lo t` u², the last sum 2u². The product with e,
/// which is itself of order u, costs nothing in u².
#[crunch]
pub fn dd_recip_dd(y: DcDoubleDouble) -> DcDoubleDouble {
    let t = y.hi.recip();
    let e = fast_two_sum((-y.hi).mul_add(t, 1.0), -(y.lo * t));
    dd_add_f64(dd_mul_f64(e, t), t)
}
