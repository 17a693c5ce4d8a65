//! Sine, cosine and tangent to more than 100 bits, for every double.
//!
//! # Reduction
//!
//! After Payne and Hanek: x times 2/pi. Five words of 2/pi come from a table indexed by the exponent of x, without the bits that give
//! multiples of 4. All products except the last, which is below 2^-130, are exact as double-doubles. Their sums are exact too, by passes of
//! `two_sum` over all words until they are in order. Four passes are needed, because each adds 53 bits to the precision of the first words,
//! and 62 may cancel. The relative distance of a double from a multiple of pi/2 is at least 2^-61 quarter turns.
//!
//! # Evaluation
//!
//! `y = j/64 + w` quarter turns, |w| <= 1/128. Sines and cosines of j pi/128 come from a table, those of w pi/2 from their series. For j =
//! 0 only the series remains, so the relative error stays small at the zeros.

use super::series::series;
use super::special::{INFINITY, unless};
use super::trig_constants::{
    COS_HI, COS_LO, COS_TAIL, COSINES_HI, COSINES_LO, HALF_PI_HI, HALF_PI_LO, SIN_HI, SIN_LO,
    SIN_TAIL, SINES_HI, SINES_LO, TWO_OVER_PI_1, TWO_OVER_PI_2, TWO_OVER_PI_3, TWO_OVER_PI_4,
    TWO_OVER_PI_5,
};
use crate::prelude::*;

/// 1.5 * 2^52: added to a number below 2^51, it rounds the number to an integer, which is in the low bits of the sum.
const INTEGER: f64 = 6_755_399_441_055_744.0;
/// Below this magnitude sin x and tan x are x to 2^-121.
const TINY: f64 = 8.673_617_379_884_035e-19;
/// 2^512 and 2^-512.
const LARGE: f64 = f64::from_bits((1023 + 512) << 52);
const SCALE: f64 = f64::from_bits((1023 - 512) << 52);
const MINUS_FOUR: f64 = -4.0;
const MINUS_TWO: f64 = -2.0;

/// Eight words, in the form in which they are passed on.
///
/// One pass of `two_sum` over them, from the last to the first: the sum stays the same, and the first word becomes the rounded sum.
#[crunch]
#[allow(clippy::too_many_arguments, reason = "the language has no arrays")]
fn pass(
    a: DcDouble,
    b: DcDouble,
    c: DcDouble,
    d: DcDouble,
    e: DcDouble,
    f: DcDouble,
    g: DcDouble,
    h: DcDouble,
) -> (
    DcDouble,
    DcDouble,
    DcDouble,
    DcDouble,
    DcDouble,
    DcDouble,
    DcDouble,
    DcDouble,
) {
    let q = two_sum(g, h);
    let r = two_sum(f, q.hi);
    let s = two_sum(e, r.hi);
    let t = two_sum(d, s.hi);
    let u = two_sum(c, t.hi);
    let v = two_sum(b, u.hi);
    let w = two_sum(a, v.hi);
    (w.hi, w.lo, v.lo, u.lo, t.lo, s.lo, r.lo, q.lo)
}

/// `x` minus the nearest integer, and bits whose last two are those of that integer.
#[crunch]
fn fraction(x: DcDouble) -> (DcDouble, DcLong) {
    let t = x + INTEGER;
    (x - (t - INTEGER), t.to_bits())
}

/// `x` radians as `k + y` quarter turns, |y| <= 1/2: y, and bits whose last two are those of k.
#[doc(hidden)]
#[crunch]
pub fn quarter_turns(x: DcDouble) -> (DcDoubleDouble, DcLong) {
    let i = (((x.to_bits().shr_logical(52) & 0x7ff) - 1007).max(0)) >> 4;
    let x = if x.abs() >= LARGE { x * SCALE } else { x };
    let p1 = two_prod(x, TWO_OVER_PI_1[i]);
    let p2 = two_prod(x, TWO_OVER_PI_2[i]);
    let p3 = two_prod(x, TWO_OVER_PI_3[i]);
    let p4 = two_prod(x, TWO_OVER_PI_4[i]);
    let p5 = x * TWO_OVER_PI_5[i];
    // The first product is below 2^70 and may be reduced by multiples of 4; the next words are below 2^18.
    let four: DcDouble = MINUS_FOUR;
    let first = four.mul_add((p1.hi * 0.25).round_ties_even(), p1.hi);
    let (a, k1) = fraction(first);
    let (b, k2) = fraction(p1.lo);
    let (c, k3) = fraction(p2.hi);
    let (a, b, c, d, e, f, g, h) = pass(a, b, c, p2.lo, p3.hi, p3.lo, p4.hi, p4.lo + p5);
    let (a, k4) = fraction(a);
    let (a, b, c, d, e, f, g, h) = pass(a, b, c, d, e, f, g, h);
    let (a, b, c, d, e, f, g, h) = pass(a, b, c, d, e, f, g, h);
    let (a, b, c, d, e, f, g, h) = pass(a, b, c, d, e, f, g, h);
    let y = fast_two_sum(a, b + (c + (d + (e + (f + (g + h))))));
    (y, k1 + k2 + k3 + k4)
}

/// The same as `quarter_turns`, for `x` half turns: exact.
#[crunch]
fn reduce_pi(x: DcDouble) -> (DcDoubleDouble, DcLong) {
    let two: DcDouble = MINUS_TWO;
    // Whole turns are subtracted: from -1 to 1.
    let x = two.mul_add((x * 0.5).round_ties_even(), x);
    let (y, k) = fraction(x + x);
    (DcDoubleDouble::new(y, 0.0), k)
}

/// `sin` and `cos` of `y` quarter turns, |y| <= 1/2 and a little more.
#[crunch]
fn quarter(y: DcDoubleDouble) -> (DcDoubleDouble, DcDoubleDouble) {
    let negative = y.hi < 0.0;
    let y = if negative {
        DcDoubleDouble::new(-y.hi, -y.lo)
    } else {
        y
    };
    let t = y.hi.mul_add(64.0, INTEGER);
    let j = t.to_bits() & 63;
    let w = fast_two_sum((t - INTEGER).mul_add(-0.015_625, y.hi), y.lo);
    let theta = dd_mul(w, DcDoubleDouble::new(HALF_PI_HI, HALF_PI_LO));
    let square = dd_square(theta);
    let sin = dd_mul(theta, series(square, &SIN_HI, &SIN_LO, &SIN_TAIL));
    // The cosine minus 1.
    let cos = dd_mul(square, series(square, &COS_HI, &COS_LO, &COS_TAIL));
    let s = DcDoubleDouble::new(SINES_HI[j], SINES_LO[j]);
    let c = DcDoubleDouble::new(COSINES_HI[j], COSINES_LO[j]);
    let sine = dd_add(s, dd_add(dd_mul(s, cos), dd_mul(c, sin)));
    let cosine = dd_add(c, dd_sub(dd_mul(c, cos), dd_mul(s, sin)));
    let sine = if negative {
        DcDoubleDouble::new(-sine.hi, -sine.lo)
    } else {
        sine
    };
    (sine, cosine)
}

/// The sine of `k + y` quarter turns.
#[crunch]
fn sine(y: DcDoubleDouble, k: DcLong) -> DcDoubleDouble {
    let (sin, cos) = quarter(y);
    let v = if (k & 1) == 1 { cos } else { sin };
    if (k & 2) == 2 {
        DcDoubleDouble::new(-v.hi, -v.lo)
    } else {
        v
    }
}

/// The tangent of `k + y` quarter turns: 0 or infinite at multiples, whatever the signs.
#[crunch]
fn tangent(y: DcDoubleDouble, k: DcLong) -> DcDoubleDouble {
    let (sin, cos) = quarter(y);
    let odd = (k & 1) == 1;
    let p = if odd {
        DcDoubleDouble::new(-cos.hi, -cos.lo)
    } else {
        sin
    };
    let q = if odd { sin } else { cos };
    dd_div(p, q)
}

/// sin x.
#[crunch]
pub fn sin_reference(x: DcDouble) -> DcDoubleDouble {
    let (y, k) = quarter_turns(x);
    unless(x.abs() < TINY, x, sine(y, k))
}

/// cos x.
#[crunch]
pub fn cos_reference(x: DcDouble) -> DcDoubleDouble {
    let (y, k) = quarter_turns(x);
    unless(x.abs() < TINY, 1.0, sine(y, k + 1))
}

/// tan x.
#[crunch]
pub fn tan_reference(x: DcDouble) -> DcDoubleDouble {
    let (y, k) = quarter_turns(x);
    unless(x.abs() < TINY, x, tangent(y, k))
}

/// sin(pi x). At integers it is 0 with the sign of x.
#[crunch]
pub fn sinpi_reference(x: DcDouble) -> DcDoubleDouble {
    let (y, k) = reduce_pi(x);
    let v = sine(y, k);
    let zero: DcDouble = 0.0;
    unless(v.hi == 0.0, zero.copysign(x), v)
}

/// cos(pi x). It is +0 midway between integers.
#[crunch]
pub fn cospi_reference(x: DcDouble) -> DcDoubleDouble {
    let (y, k) = reduce_pi(x);
    let v = sine(y, k + 1);
    unless(v.hi == 0.0, 0.0, v)
}

/// tan(pi x). At even integers it is 0 with the sign of x, at odd integers 0 with the opposite sign. Midway between integers it is +∞ after
/// an even integer and -∞ after an odd one.
#[crunch]
pub fn tanpi_reference(x: DcDouble) -> DcDoubleDouble {
    let (y, k) = reduce_pi(x);
    let exact = y.hi == 0.0;
    let even = (k & 1) == 0;
    let turned = (k & 2) == 2;
    let zero: DcDouble = 0.0;
    let zero = zero.copysign(x);
    let zero = if turned { -zero } else { zero };
    let pole = if turned { -INFINITY } else { INFINITY };
    unless(exact, if even { zero } else { pole }, tangent(y, k))
}

/// The same as `quarter_turns`, for a double-double of at most 2^40: the low word changes y by less than 2^-12.
#[crunch]
fn reduce_dd(x: DcDoubleDouble) -> (DcDoubleDouble, DcLong) {
    let (y, k) = quarter_turns(x.hi);
    let below = dd_mul_f64(
        DcDoubleDouble::new(TWO_OVER_PI_1[0], TWO_OVER_PI_2[0]),
        x.lo,
    );
    (dd_add(y, below), k)
}

/// sin x of a double-double of at most 2^40. The error is below `2^-102 (|sin x| + |x cos x|)`; the second term is the effect of rounding x
/// to a double-double.
#[crunch]
pub fn dd_sin(x: DcDoubleDouble) -> DcDoubleDouble {
    let (y, k) = reduce_dd(x);
    let v = sine(y, k);
    let tiny = x.hi.abs() < TINY;
    if tiny { x } else { v }
}

/// cos x of a double-double of at most 2^40, with the corresponding error of `dd_sin`.
#[crunch]
pub fn dd_cos(x: DcDoubleDouble) -> DcDoubleDouble {
    let (y, k) = reduce_dd(x);
    unless(x.hi.abs() < TINY, 1.0, sine(y, k + 1))
}

/// tan x of a double-double of at most 2^40, with the corresponding error of `dd_sin`.
#[crunch]
pub fn dd_tan(x: DcDoubleDouble) -> DcDoubleDouble {
    let (y, k) = reduce_dd(x);
    let v = tangent(y, k);
    let tiny = x.hi.abs() < TINY;
    if tiny { x } else { v }
}
