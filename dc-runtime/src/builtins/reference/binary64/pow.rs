//! Powers: `e^(y ln x)` in double-double. The error of the logarithm, 2^-103, is multiplied by |y ln x|, which is at most 745.

use super::exp::dd_exp;
use super::log::log_reference;
use super::special::{INFINITY, NAN, unless};
use crate::prelude::*;

/// 2^100: an exponent of this magnitude gives the same result as any larger one: 0, infinity or, for the number 1, 1. Its product with a
/// logarithm is finite.
const LARGE: f64 = f64::from_bits((1023 + 100) << 52);

/// `a^y` for a > 0, including zeros and infinities. Where IEEE 754's powr is NaN, it is 1 or NaN.
#[crunch]
fn magnitude(a: DcDouble, y: DcDouble) -> DcDoubleDouble {
    let near = y.min(LARGE).max(-LARGE);
    let ordinary = dd_exp(dd_mul_f64(log_reference(a), near));
    let grows = (a > 1.0) ^ (y < 0.0);
    let extreme = (a == 0.0) | (a == INFINITY) | (y.abs() == INFINITY);
    unless(extreme, grows.select(INFINITY, 0.0), ordinary)
}

/// Whether either is NaN.
#[crunch]
fn either_nan(x: DcDouble, y: DcDouble) -> DcMask {
    (x != x) | (y != y)
}

/// x^y.
#[crunch]
pub fn pow_reference(x: DcDouble, y: DcDouble) -> DcDoubleDouble {
    let a = x.abs();
    let whole = y.round_ties_even() == y;
    let half = 0.5 * y;
    let odd = whole & (half.round_ties_even() != half);
    let z = unless(a == 1.0, 1.0, magnitude(a, y));
    let z = if x.is_sign_negative() & odd {
        dd_neg(z)
    } else {
        z
    };
    let none = (x < 0.0) & (a < INFINITY) & !whole;
    let z = unless(none | either_nan(x, y), NAN, z);
    unless((x == 1.0) | (y == 0.0), 1.0, z)
}

/// x^y as `e^(y ln x)`, for x >= 0: IEEE 754's powr.
#[crunch]
pub fn powr_reference(x: DcDouble, y: DcDouble) -> DcDoubleDouble {
    let a = x.abs();
    let z = unless((a == 1.0) | (y == 0.0), 1.0, magnitude(a, y));
    let none = (a == 1.0) & (y.abs() == INFINITY) | (y == 0.0) & ((a == 0.0) | (a == INFINITY));
    unless(none | (x < 0.0) | either_nan(x, y), NAN, z)
}
