//! Functions of two arguments to more than 100 bits: quotient, length and angle.
//!
//! Both arguments are split into `2^e m`, 1 <= m < 2, so that no intermediate value overflows or loses words. The result is scaled at the
//! end. If one side is 2^60 times the other, the square of their quotient is negligible.

use super::exp::scaled;
use super::inverse::angle;
use super::inverse_constants::{HALF_PI_HI, HALF_PI_LO, PI_HI, PI_LO};
use super::special::{INFINITY, signed, unless};
use crate::prelude::*;

/// The bits of 1.
const ONE: i64 = 1023 << 52;
const LEAST_NORMAL: f64 = f64::MIN_POSITIVE;
const TWO_54: f64 = 18_014_398_509_481_984.0;
/// Exponents from which on results are 0 or infinite, for any factor.
const MOST: i64 = 1100;
const LEAST: i64 = -1200;
/// A side is short if it is at most 2^-60 times the other.
const SHORT: i64 = 60;
/// 2^-100 of the longer side changes its length by less than 2^-200.
const NOTHING: i64 = -100;

/// `m` and `e` of a positive, finite double.
#[crunch]
fn split(a: DcDouble) -> (DcDouble, DcLong) {
    let subnormal = a < LEAST_NORMAL;
    let bits = subnormal.select(a * TWO_54, a).to_bits();
    let field = bits.shr_logical(52);
    let e = field - subnormal.select(1023 + 54, 1023);
    (DcDouble::from_bits(bits - (field << 52) + ONE), e)
}

/// `2^e` for |e| <= 1000.
#[crunch]
fn power(e: DcLong) -> DcDouble {
    DcDouble::from_bits((e + 1023) << 52)
}

/// `p / q 2^e`, where p and q are from 1 to 2.
#[crunch]
fn quotient(p: DcDouble, q: DcDouble, e: DcLong) -> DcDoubleDouble {
    scaled(
        dd_div_f64(DcDoubleDouble::new(p, 0.0), q),
        e.min(MOST).max(LEAST),
    )
}

/// x / y.
#[crunch]
pub fn div_reference(x: DcDouble, y: DcDouble) -> DcDoubleDouble {
    let a = x.abs();
    let b = y.abs();
    let (p, ep) = split(a);
    let (q, eq) = split(b);
    let z = quotient(p, q, ep - eq);
    let ordinary = (a > 0.0) & (a < INFINITY) & (b > 0.0) & (b < INFINITY);
    let rounded = x / y;
    unless(!ordinary, rounded, signed(z, rounded))
}

/// √(x² + y²).
#[crunch]
pub fn hypot_reference(x: DcDouble, y: DcDouble) -> DcDoubleDouble {
    let steep = y.abs() > x.abs();
    let a = if steep { y.abs() } else { x.abs() };
    let b = if steep { x.abs() } else { y.abs() };
    let (p, ep) = split(a);
    let (q, eq) = split(b);
    let q = (b == 0.0).select(0.0, q * power((eq - ep).max(NOTHING)));
    let z = dd_sqrt(dd_add(two_prod(p, p), two_prod(q, q)));
    let z = unless(a == 0.0, 0.0, scaled(z, ep));
    let infinite = (a == INFINITY) | (b == INFINITY);
    // One of them is a NaN.
    let z = unless((x != x) | (y != y), x + y, z);
    unless(infinite, INFINITY, z)
}

/// The angle of the point (x, y).
#[crunch]
pub fn atan2_reference(y: DcDouble, x: DcDouble) -> DcDoubleDouble {
    let a = y.abs();
    let b = x.abs();
    let (p, ep) = split(a);
    let (q, eq) = split(b);
    let d = ep - eq;
    let half_pi = DcDoubleDouble::new(HALF_PI_HI, HALF_PI_LO);
    let near = d.min(SHORT).max(-SHORT);
    let t = angle(
        DcDoubleDouble::new(p * power(near), 0.0),
        DcDoubleDouble::new(q, 0.0),
    );
    let flat = d < -SHORT;
    let steep = d > SHORT;
    let t = if flat { quotient(p, q, d) } else { t };
    let t = if steep {
        dd_sub(half_pi, quotient(q, p, -d))
    } else {
        t
    };
    let along = (a == 0.0) | (b == INFINITY);
    let across = !along & ((b == 0.0) | (a == INFINITY));
    let t = unless(along, 0.0, t);
    let t = if across { half_pi } else { t };
    let corner = (a == INFINITY) & (b == INFINITY);
    let t = if corner { dd_scale(half_pi, 0.5) } else { t };
    let t = if x.is_sign_negative() {
        dd_sub(DcDoubleDouble::new(PI_HI, PI_LO), t)
    } else {
        t
    };
    unless((x != x) | (y != y), x + y, signed(t, y))
}
