//! The transfer functions of sRGB (IEC 61966-2-1): a linear piece, and a power from its end on.

use super::value::{exp_of, ln_of, ln2_times};
use crate::cell::Cell;
use crate::num::float::exponent;
use crate::num::{Ball, Ring};

/// The last input of the linear piece to linear light.
pub(super) const TO_LINEAR_TO: f64 = 0.040_45;
/// The last input of the linear piece from linear light.
pub(super) const FROM_LINEAR_TO: f64 = 0.003_130_8;

/// Whether a cell is on one side of the end of the linear piece.
pub(super) fn is_one_piece(end: f64, cell: Cell) -> bool {
    cell.hi <= end || cell.lo > end
}

/// `(y 2^s)^(n/d)` of a positive number, as `m 2^k`.
fn power(y: Ball, s: i32, [n, d]: [i32; 2]) -> (Ball, i32) {
    let own = exponent(y.h);
    let (m, e) = (y.scale(-own), own + s);
    // The power of `2^e` is one of 2 and, below it, a root: the logarithm is small, whatever e is.
    let (whole, part) = ((n * e).div_euclid(d), (n * e).rem_euclid(d));
    let number = |x: i32| Ball::number(f64::from(x));
    let log = ln_of(m).mul(number(n)).add(ln2_times(part));
    let (m, k) = exp_of(log.div(number(d)), &[]);
    (m, k + whole)
}

/// `x / 12.92`, and above the linear piece `((x + 0.055) / 1.055)^2.4`; divided by `2^e`.
pub(super) fn to_linear(x: f64, e: i32) -> Ball {
    let number = Ball::number;
    if x <= TO_LINEAR_TO {
        return number(x).scale(-e).mul(number(25.0)).div(number(323.0));
    }
    if x == 1.0 {
        return number(1.0).scale(-e);
    }
    let s = exponent(x).max(0);
    let y = number(x).scale(-s).mul(number(200.0));
    let y = y.add(number(11.0).scale(-s)).div(number(211.0));
    let (m, k) = power(y, s, [12, 5]);
    m.scale(k - e)
}

/// `12.92 x`, and above the linear piece `1.055 x^(1/2.4) - 0.055`; divided by `2^e`.
pub(super) fn from_linear(x: f64, e: i32) -> Ball {
    let number = Ball::number;
    if x <= FROM_LINEAR_TO {
        return number(x).scale(-e).mul(number(323.0)).div(number(25.0));
    }
    if x == 1.0 {
        return number(1.0).scale(-e);
    }
    let (m, k) = power(number(x), 0, [5, 12]);
    let y = m.mul(number(211.0)).scale(k).sub(number(11.0));
    y.div(number(200.0)).scale(-e)
}
