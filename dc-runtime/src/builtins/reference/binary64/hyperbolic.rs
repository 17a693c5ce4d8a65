//! Hyperbolic functions and their inverses to more than 100 bits, by `e^x - 1` and `ln(1 + x)`, whose relative error is
//! small near 0.

use super::exp::{dd_exp, dd_expm1, exp_reference, expm1_reference};
use super::log::{dd_log, dd_log1p, log_reference};
use super::log_constants::{LN_2_HI, LN_2_LO};
use super::special::{INFINITY, NAN, signed, unless};
use crate::prelude::*;

/// From here on `e^-x` is negligible relative to e^x.
const FAR: f64 = 40.0;
/// 2^60: from here on, 1 is negligible relative to x².
const LARGE: f64 = 1_152_921_504_606_846_976.0;

/// Half of it.
#[crunch]
fn half(x: DcDoubleDouble) -> DcDoubleDouble {
    DcDoubleDouble::new(0.5 * x.hi, 0.5 * x.lo)
}

/// `e^a / 2`, which overflows later than e^a.
#[crunch]
fn half_exp(a: DcDouble) -> DcDoubleDouble {
    // (e^(a/2))² / 2: a/2 is exact.
    let y = exp_reference(0.5 * a);
    let z = dd_mul(y, half(y));
    let infinite = !(z.hi.abs() < INFINITY);
    unless(infinite, a + INFINITY, z)
}

/// sinh x.
#[crunch]
pub fn sinh_reference(x: DcDouble) -> DcDoubleDouble {
    let a = x.abs();
    let near = if a > FAR { FAR } else { a };
    let e = expm1_reference(near);
    let y = half(dd_add(e, dd_div(e, dd_add_f64(e, 1.0))));
    let far = a > FAR;
    signed(if far { half_exp(a) } else { y }, x)
}

/// cosh x.
#[crunch]
pub fn cosh_reference(x: DcDouble) -> DcDoubleDouble {
    let a = x.abs();
    let near = if a > FAR { FAR } else { a };
    let e = exp_reference(near);
    let y = half(dd_add(e, dd_recip_dd(e)));
    let far = a > FAR;
    if far { half_exp(a) } else { y }
}

/// tanh x.
#[crunch]
pub fn tanh_reference(x: DcDouble) -> DcDoubleDouble {
    let a = x.abs();
    let near = if a > FAR { FAR } else { a };
    let e = expm1_reference(near + near);
    signed(dd_div(e, dd_add_f64(e, 2.0)), x)
}

/// `ln(2 a)`.
#[crunch]
fn log_of_twice(a: DcDouble) -> DcDoubleDouble {
    let y = dd_add(log_reference(a), DcDoubleDouble::new(LN_2_HI, LN_2_LO));
    unless(a == INFINITY, INFINITY, y)
}

/// asinh x.
#[crunch]
pub fn asinh_reference(x: DcDouble) -> DcDoubleDouble {
    let a = x.abs();
    let large = a > LARGE;
    let near = if large { LARGE } else { a };
    let square = two_prod(near, near);
    let root = dd_sqrt(dd_add_f64(square, 1.0));
    // √(1 + x²) - 1 without cancellation.
    let z = dd_add_f64(dd_div(square, dd_add_f64(root, 1.0)), near);
    let y = dd_log1p(z);
    let y = if large { log_of_twice(a) } else { y };
    signed(unless(a == 0.0, 0.0, y), x)
}

/// acosh x.
#[crunch]
pub fn acosh_reference(x: DcDouble) -> DcDoubleDouble {
    let large = x > LARGE;
    let near = if large { LARGE } else { x };
    let below = two_sum(near, -1.0);
    let product = dd_mul(below, two_sum(near, 1.0));
    let y = dd_log1p(dd_add(below, dd_sqrt(product)));
    let y = if large { log_of_twice(x) } else { y };
    let y = unless(x == 1.0, 0.0, y);
    unless(x < 1.0, NAN, y)
}

/// atanh x.
#[crunch]
pub fn atanh_reference(x: DcDouble) -> DcDoubleDouble {
    let a = x.abs();
    let z = dd_div(DcDoubleDouble::new(a + a, 0.0), two_sum(1.0, -a));
    let y = half(dd_log1p(z));
    let y = unless(a == 0.0, 0.0, y);
    let y = unless(a == 1.0, INFINITY, y);
    signed(unless(a > 1.0, NAN, y), x)
}

/// sinh x of a double-double.
#[crunch]
pub fn dd_sinh(x: DcDoubleDouble) -> DcDoubleDouble {
    let negative = x.hi.is_sign_negative();
    let a = dd_abs(x);
    let e = dd_expm1(a);
    let y = half(dd_add(e, dd_div(e, dd_add_f64(e, 1.0))));
    if negative { dd_neg(y) } else { y }
}

/// tanh x of a double-double.
#[crunch]
pub fn dd_tanh(x: DcDoubleDouble) -> DcDoubleDouble {
    let negative = x.hi.is_sign_negative();
    let a = dd_abs(x);
    let far = a.hi > FAR;
    let near = if far {
        DcDoubleDouble::new(FAR, 0.0)
    } else {
        a
    };
    let e = dd_expm1(DcDoubleDouble::new(near.hi + near.hi, near.lo + near.lo));
    let y = dd_div(e, dd_add_f64(e, 2.0));
    if negative { dd_neg(y) } else { y }
}

/// x^y of double-doubles, x > 0, by `e^(y ln x)`: relative error below `2^-100 (1 + |y ln x|)`.
#[crunch]
pub fn dd_pow(x: DcDoubleDouble, y: DcDoubleDouble) -> DcDoubleDouble {
    dd_exp(dd_mul(y, dd_log(x)))
}
