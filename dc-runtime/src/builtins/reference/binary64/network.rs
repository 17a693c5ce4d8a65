//! Activation functions of neural networks to more than 100 bits, by e^-|x|, which never overflows.
//!
//! If e^-|x| is a factor of the result, it is kept as `y 2^e` until the end, because x e^x may have a low word when e^x has none.
//!
//! # Error
//!
//! In units of u² = 2^-106: 1.3 of e^x, 2 of a sum with 1, 4 of a product, 9.8 of `dd_div_accurate`, 8 of ln(1 + x). So sigmoid has 13,
//! silu 15, mish 22, softplus 12, since all terms have the same sign. logit is an odd function of x - 1/2, and 1 - x is exact for x >= 1/2.
//! From 1/4 to 1/2 the 9.8 of (2x - 1) / (1 - x) are multiplied by up to 1.8 and added to the logarithm's 8. Below 1/4, they are an
//! absolute error of a logarithm of at least ln 3: 26.

use super::exp::{exp_parts, scaled};
use super::log::{dd_log, dd_log1p};
use super::special::{INFINITY, unless};
use crate::prelude::*;

/// e^-800 is below 2^-1154; its product with any factor of this magnitude is 0.
const FAR: f64 = 800.0;
/// 2^-200: below this, 1 - x is 1 to more than the precision of two words.
const TINY: f64 = f64::from_bits((1023 - 200) << 52);

/// `e^-|x|` as `y 2^e` and as a summand.
#[crunch]
fn decay(x: DcDouble) -> (DcDoubleDouble, DcLong, DcDoubleDouble) {
    let a = x.abs();
    let a = if a > FAR { FAR } else { a };
    let (y, e) = exp_parts(DcDoubleDouble::new(-a, 0.0));
    (y, e, scaled(y, e))
}

/// `1 / (1 + e^-x)` as `y 2^e`.
#[crunch]
fn logistic(x: DcDouble) -> (DcDoubleDouble, DcLong) {
    let (y, e, w) = decay(x);
    let q = dd_add_f64(w, 1.0);
    let below = x < 0.0;
    let p = if below {
        y
    } else {
        DcDoubleDouble::new(1.0, 0.0)
    };
    (dd_div_accurate(p, q), below.select(e, 0))
}

/// `x y 2^e`, where `y 2^e` tends to 1 for large x and vanishes faster than any power for negative x; x itself at its zero and at
/// infinity.
#[crunch]
fn weighted(x: DcDouble, y: DcDoubleDouble, e: DcLong) -> DcDoubleDouble {
    let near = if x < -FAR { -FAR } else { x };
    let z = scaled(dd_mul_f64(y, near), e);
    unless((x == 0.0) | (x == INFINITY), x, z)
}

/// 1 / (1 + e^-x).
#[crunch]
pub fn sigmoid_reference(x: DcDouble) -> DcDoubleDouble {
    let (y, e) = logistic(x);
    scaled(y, e)
}

/// x / (1 + e^-x).
#[crunch]
pub fn silu_reference(x: DcDouble) -> DcDoubleDouble {
    let (y, e) = logistic(x);
    weighted(x, y, e)
}

/// ln(1 + e^x).
#[crunch]
pub fn softplus_reference(x: DcDouble) -> DcDoubleDouble {
    let (_y, _e, w) = decay(x);
    let rest = dd_log1p(w);
    let z = if x > 0.0 { dd_add_f64(rest, x) } else { rest };
    unless(x == INFINITY, INFINITY, z)
}

/// x tanh(ln(1 + e^x)): with w = e^x it is `x (w² + 2 w) / (w² + 2 w + 2)`, with w = e^-x `x (1 + 2 w) / (1 + 2 w + 2 w²)`.
#[crunch]
pub fn mish_reference(x: DcDouble) -> DcDoubleDouble {
    let (y, e, w) = decay(x);
    let below = x < 0.0;
    let more = dd_add_f64(w, 2.0);
    let twice = dd_add_f64(DcDoubleDouble::new(w.hi + w.hi, w.lo + w.lo), 1.0);
    let square = dd_square(w);
    let square = DcDoubleDouble::new(square.hi + square.hi, square.lo + square.lo);
    let p = if below { dd_mul(y, more) } else { twice };
    let q = if below {
        dd_add_f64(dd_mul(w, more), 2.0)
    } else {
        dd_add(twice, square)
    };
    weighted(x, dd_div_accurate(p, q), below.select(e, 0))
}

/// ln(x / (1 - x)). Above 1/2 it is minus the value for 1 - x; from 1/4 on, the logarithm of 1 + (2 x - 1) / (1 - x).
#[crunch]
pub fn logit_reference(x: DcDouble) -> DcDoubleDouble {
    let above = x > 0.5;
    let a = if above { 1.0 - x } else { x };
    let rest = two_sum(1.0, -a);
    let near = dd_div_accurate(DcDoubleDouble::new((a - 0.5) + (a - 0.5), 0.0), rest);
    let odds = dd_div_accurate(DcDoubleDouble::new(a, 0.0), rest);
    let tiny = a < TINY;
    let odds = if tiny {
        DcDoubleDouble::new(a, 0.0)
    } else {
        odds
    };
    let middle = a >= 0.25;
    let y = if middle { dd_log1p(near) } else { dd_log(odds) };
    let y = unless(a == 0.5, 0.0, y);
    if above { dd_neg(y) } else { y }
}
