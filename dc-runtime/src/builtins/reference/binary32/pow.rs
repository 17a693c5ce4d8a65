//! Powers: `e^(y ln x)`. |y ln x| is at most 104, which magnifies the relative error of the logarithm. So the logarithm has two words and
//! an error of 2^-58.

use super::exp::{LARGE_E, SMALL_E, ends, exp_of};
use super::special::{INFINITY, NAN};
use crate::builtins::reference::binary64::short_log;
use crate::prelude::*;

/// ln a in two words, of a positive number in binary32.
#[crunch]
pub fn log_in_words(a: DcFloat) -> DcDoubleDouble {
    short_log(a.to_f64())
}

/// `e^(x + low)`, for a low word below the last place of x.
#[crunch]
pub fn exp_of_words(x: DcDouble, low: DcDouble) -> DcDouble {
    let e = exp_of(x);
    e.mul_add(low, e)
}

/// `a^y` for a > 0, including zeros and infinities. Where IEEE 754's powr is NaN, it is 1 or NaN.
#[crunch]
fn magnitude(a: DcDouble, y: DcDouble) -> DcDouble {
    let l = short_log(a);
    let t = two_prod(y, l.hi);
    let low = y.mul_add(l.lo, t.lo);
    let ordinary = ends(t.hi, exp_of_words(t.hi, low), SMALL_E, 0.0, LARGE_E);
    let grows = (a > 1.0) ^ (y < 0.0);
    let end = grows.select(INFINITY, 0.0);
    let extreme = (a == 0.0) | (a == INFINITY) | (y.abs() == INFINITY);
    if extreme { end } else { ordinary }
}

/// Whether either is NaN.
#[crunch]
fn either_nan(x: DcDouble, y: DcDouble) -> DcMask {
    (x != x) | (y != y)
}

/// x^y, for binary32.
#[crunch]
pub fn pow_f32_reference(x: DcDouble, y: DcDouble) -> DcDouble {
    let a = x.abs();
    let whole = y.round_ties_even() == y;
    let half = 0.5 * y;
    let odd = whole & (half.round_ties_even() != half);
    let z = magnitude(a, y);
    let z = if a == 1.0 { 1.0 } else { z };
    let z = if x.is_sign_negative() & odd { -z } else { z };
    let none = (x < 0.0) & (a < INFINITY) & !whole;
    let z = if none | either_nan(x, y) { NAN } else { z };
    if (x == 1.0) | (y == 0.0) { 1.0 } else { z }
}

/// x^y as `e^(y ln x)`, for x >= 0: IEEE 754's powr, for binary32.
#[crunch]
pub fn powr_f32_reference(x: DcDouble, y: DcDouble) -> DcDouble {
    let a = x.abs();
    let z = magnitude(a, y);
    let one = (a == 1.0) | (y == 0.0);
    let z = if one { 1.0 } else { z };
    let none = (a == 1.0) & (y.abs() == INFINITY) | (y == 0.0) & ((a == 0.0) | (a == INFINITY));
    let none = none | (x < 0.0) | either_nan(x, y);
    if none { NAN } else { z }
}
