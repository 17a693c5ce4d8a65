//! Inverse hyperbolic functions and the logistic function's inverse in binary64, as logarithms of numbers in two words:
//!
//! ```text
//! asinh x = log(x + √(x² + 1)),  acosh x = log(x + √(x² - 1)),  atanh x = log((1 + x) / (1 - x)) / 2,  logit x = log(x / (1 - x)).
//! ```
//!
//! The error of these numbers in two words is 2^-104. So the error of the logarithm is 2^-76 where it is itself 2^-28 or 2^-25, near 1.
//!
//! The first word of x² ± 1 is rounded once, and the root begins with it. The second word is the rest.

use super::common::{TINY, is_outside};
use super::logarithm::{log_of_far, log_of_far_short, log_of_words, log_of_words_short};
use dc_runtime::prelude::*;

/// Above this, √(x² ± 1) is x to 2^-57.
const BIG: f64 = f64::from_bits((1023 + 28) << 52);
/// Below this, log(x / (1 - x)) is log x to 2^-65; and 2^120.
const SMALL: f64 = f64::from_bits((1023 - 60) << 52);
const UP: f64 = f64::from_bits((1023 + 120) << 52);
/// A divisor that replaces 0 where the dividend is 0.
const LEAST: f64 = f64::from_bits((1023 - 600) << 52);

/// The sum of x and the root of s, the larger one of which is given first. `divisor` is s, or another number if s is 0. The quotient does not wait for the root.
#[crunch]
fn sum_with_root(
    large: DcDouble,
    small: DcDouble,
    root: DcDouble,
    s: DcDoubleDouble,
    divisor: DcDouble,
) -> DcDoubleDouble {
    let sum = fast_two_sum(large, small);
    let rest = (-root).mul_add(root, s.hi) + s.lo;
    DcDoubleDouble::new(sum.hi, sum.lo + rest * (root * (0.5 / divisor)))
}

/// The logarithm of u, or of 2x where x is big.
#[crunch]
fn log_or_of_double(x: DcDouble, u: DcDoubleDouble) -> DcDouble {
    let big = x > BIG;
    let (hi, lo, halvings) = big.select((x, 0.0, -1.0), (u.hi, u.lo, 0.0));
    log_of_far(DcDoubleDouble::new(hi, lo), halvings)
}

/// `a² + 1` in two words.
#[crunch]
fn square_plus_1(a: DcDouble) -> DcDoubleDouble {
    let square = two_prod(a, a);
    let hi = a.mul_add(a, 1.0);
    let rest = (square.hi.max(1.0) - hi) + square.hi.min(1.0);
    DcDoubleDouble::new(hi, rest + square.lo)
}

/// `x² - 1` in two words.
#[crunch]
fn square_minus_1(x: DcDouble) -> DcDoubleDouble {
    let square = two_prod(x, x);
    let hi = x.mul_add(x, -1.0);
    DcDoubleDouble::new(hi, ((square.hi - 1.0) - hi) + square.lo)
}

/// asinh x, error at most 0.55 ULP.
#[crunch]
pub fn asinh(x: DcDouble) -> DcDouble {
    let a = x.abs();
    let s = square_plus_1(a);
    let root = s.hi.sqrt();
    let u = sum_with_root(root, a, root, s, s.hi);
    let y = if a < TINY { a } else { log_or_of_double(a, u) };
    y.copysign(x)
}

/// acosh x, error at most 0.55 ULP.
#[crunch]
pub fn acosh(x: DcDouble) -> DcDouble {
    let s = square_minus_1(x);
    let root = s.hi.sqrt();
    let u = sum_with_root(x, root, root, s, s.hi.max(LEAST));
    let inside = x >= 1.0;
    if inside {
        log_or_of_double(x, u)
    } else {
        f64::NAN
    }
}

/// `n / d` in two words. If d is 0, the first word is infinite.
#[crunch]
pub fn quotient(n: DcDoubleDouble, d: DcDoubleDouble) -> DcDoubleDouble {
    let inverse = d.hi.recip();
    let q = n.hi * inverse;
    let rest = (-q).mul_add(d.hi, n.hi) + (-q).mul_add(d.lo, n.lo);
    DcDoubleDouble::new(q, rest * inverse)
}

/// atanh x, error at most 0.55 ULP.
#[crunch]
pub fn atanh(x: DcDouble) -> DcDouble {
    let a = x.abs();
    let q = quotient(two_sum(1.0, a), two_sum(1.0, -a));
    let y = if a < TINY {
        a
    } else {
        0.5 * log_of_far(q, 0.0)
    };
    y.copysign(x)
}

/// log(x / (1 - x)), error at most 0.55 ULP.
#[crunch]
pub fn logit(x: DcDouble) -> DcDouble {
    let q = quotient(DcDoubleDouble::new(x, 0.0), two_sum(1.0, -x));
    let small = x < SMALL;
    let (hi, lo, halvings) = small.select((x * UP, 0.0, 120.0), (q.hi, q.lo, 0.0));
    log_of_words(DcDoubleDouble::new(hi, lo), halvings)
}

/// Whether the magnitude of x is tiny or big.
#[crunch]
pub fn is_extreme(x: DcDouble) -> DcMask {
    is_outside(x, TINY, BIG)
}

/// asinh x for numbers that are not extreme.
#[crunch]
pub fn asinh_short(x: DcDouble) -> DcDouble {
    let a = x.abs();
    let s = square_plus_1(a);
    let root = s.hi.sqrt();
    let u = sum_with_root(root, a, root, s, s.hi);
    log_of_far_short(u).copysign(x)
}

/// Whether x is not above 1, or big.
#[crunch]
pub fn is_not_above_1(x: DcDouble) -> DcMask {
    !((x > 1.0) & (x <= BIG))
}

/// acosh x for a number above 1 that is not big.
#[crunch]
pub fn acosh_short(x: DcDouble) -> DcDouble {
    let s = square_minus_1(x);
    let root = s.hi.sqrt();
    log_of_far_short(sum_with_root(x, root, root, s, s.hi))
}

/// Whether the magnitude of x is tiny, or not below 1.
#[crunch]
pub fn is_not_below_1(x: DcDouble) -> DcMask {
    let a = x.abs();
    !((a >= TINY) & (a < 1.0))
}

/// atanh x for a magnitude below 1 that is not tiny.
#[crunch]
pub fn atanh_short(x: DcDouble) -> DcDouble {
    let a = x.abs();
    let q = quotient(two_sum(1.0, a), two_sum(1.0, -a));
    (0.5 * log_of_far_short(q)).copysign(x)
}

/// Whether x is small, negative, or not below 1.
#[crunch]
pub fn is_not_a_part(x: DcDouble) -> DcMask {
    !((x >= SMALL) & (x < 1.0))
}

/// log(x / (1 - x)) for a number below 1 that is not small.
#[crunch]
pub fn logit_short(x: DcDouble) -> DcDouble {
    log_of_words_short(quotient(DcDoubleDouble::new(x, 0.0), two_sum(1.0, -x)))
}
