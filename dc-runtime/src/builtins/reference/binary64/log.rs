//! Logarithms to more than 100 bits.
//!
//! `u = 2^e m`, m from about √½ to √2, and `log m = log(m r) - log r` with a number r of 10 bits near `1 / m` from a table:
//! `z = m r - 1` is exact as a double-double, |z| < 2^-6.6, and `log(1 + z) = 2 atanh(s)`, `s = z / (2 + z)`.
//!
//! Near 1, from 1 - 2^-8 to 1 + 2^-7, r is 1. Nothing is added there, and the relative error is that of the series. Elsewhere |log m| >=
//! 2^-8. The tables' words are chosen so that their sums with the words of e ln 2 are exact for the first two.

use super::log_constants::{
    ATANH_HI, ATANH_LO, ATANH_TAIL, LN_2_1, LN_2_2, LN_2_3, LOG2_E_HI, LOG2_E_LO, LOG10_E_HI,
    LOG10_E_LO, LOGS_1, LOGS_2, LOGS_3, RECIPS,
};
use super::series::{gather, series};
use super::special::{INFINITY, NAN, unless};
use crate::prelude::*;

/// The bits of 1.
const ONE: i64 = 1023 << 52;
/// The bits of the first number of the table's first interval, below √½.
const FIRST: i64 = ONE - (75 << 45);
/// The bits of an increment of the exponent by one.
const STEP: i64 = 1 << 52;
/// The bits of a double's exponent.
const EXPONENT: i64 = 0x7ff0_0000_0000_0000;
/// The bits of 2^52, and the sum of 2^52 and the exponents' bias as a number.
const TWO_52: i64 = 0x4330_0000_0000_0000;
const TWO_52_AND_BIAS: f64 = 4_503_599_627_370_496.0 + 1023.0;
/// 2^-110.
const TINY: f64 = f64::from_bits((1023 - 110) << 52);
/// 2^-1022 and 2^54.
const LEAST_NORMAL: f64 = f64::MIN_POSITIVE;
const TWO_54: f64 = 18_014_398_509_481_984.0;

/// Taylor's series of `(ln(1 + z) - z) / z²`.
const SHORT_SERIES: [f64; 8] = [
    -0.5,
    1.0 / 3.0,
    -0.25,
    0.2,
    -1.0 / 6.0,
    1.0 / 7.0,
    -0.125,
    1.0 / 9.0,
];

/// The logarithm of `2^e m` without its multiple of ln 2: e, two words of the table (the third is part of the series), and the series. For
/// `u + c.hi + c.lo`, where u is positive and finite, and the others are below its last place.
#[crunch]
fn split(
    u: DcDouble,
    c: DcDoubleDouble,
) -> (DcDouble, DcDouble, DcDouble, DcDouble, DcDoubleDouble) {
    let subnormal = u < LEAST_NORMAL;
    let u = subnormal.select(u * TWO_54, u);
    let bits = u.to_bits();
    let above = bits + (ONE - FIRST);
    let exponent = above & EXPONENT;
    let e = DcDouble::from_bits(above.shr_logical(52) | TWO_52)
        - subnormal.select(TWO_52_AND_BIAS + 54.0, TWO_52_AND_BIAS);
    let m_bits = bits - exponent + ONE;
    let m = DcDouble::from_bits(m_bits);
    let i = (m_bits - FIRST).shr_logical(45);
    let r = RECIPS[i];
    // 2^-e in two factors, since e may be 1024.
    let scale = DcDouble::from_bits(2 * ONE + STEP - exponent);
    let c = DcDoubleDouble::new(0.5 * (c.hi * scale), 0.5 * (c.lo * scale));
    let p = two_prod(m, r);
    let z = dd_add(fast_two_sum(p.hi - 1.0, p.lo), dd_mul_f64(c, r));
    let s = dd_div(z, dd_add_f64(z, 2.0));
    let y = dd_mul(s, series(dd_square(s), &ATANH_HI, &ATANH_LO, &ATANH_TAIL));
    (e, LOGS_1[i], LOGS_2[i], LOGS_3[i], y)
}

/// `ln(u + c.hi + c.lo)`, by `split`.
#[crunch]
fn natural(u: DcDouble, c: DcDoubleDouble) -> DcDoubleDouble {
    let (e, l1, l2, l3, y) = split(u, c);
    let head = e.mul_add(LN_2_1, l1);
    let middle = e.mul_add(LN_2_2, l2);
    let rest = e.mul_add(LN_2_3, l3);
    let s = two_sum(head, y.hi);
    gather(s.hi, s.lo, middle, y.lo + rest)
}

/// ln x of a positive, finite double as a multiple of 2^-42, a multiple of 2^-84, and a rest below 2^-6.6, whose absolute error is below
/// 2^-109.
#[crunch]
pub(super) fn log_words(x: DcDouble) -> (DcDouble, DcDouble, DcDoubleDouble) {
    let (e, l1, l2, l3, y) = split(x, DcDoubleDouble::new(0.0, 0.0));
    let rest = e.mul_add(LN_2_3, l3);
    (
        e.mul_add(LN_2_1, l1),
        e.mul_add(LN_2_2, l2),
        fast_two_sum(y.hi, y.lo + rest),
    )
}

/// `log2(u + c.hi + c.lo)`, by `split`.
#[crunch]
fn binary(u: DcDouble, c: DcDoubleDouble) -> DcDoubleDouble {
    let (e, l1, l2, l3, y) = split(u, c);
    let s = two_sum(l1, y.hi);
    let y = gather(s.hi, s.lo, l2, y.lo + l3);
    dd_add_f64(dd_mul(y, DcDoubleDouble::new(LOG2_E_HI, LOG2_E_LO)), e)
}

/// `y` where `u` is positive and finite; infinities where it is 0 or infinite; NaN elsewhere.
#[crunch]
fn domain(u: DcDouble, y: DcDoubleDouble) -> DcDoubleDouble {
    let other = if u == 0.0 { -INFINITY } else { NAN };
    let other = if u == INFINITY { INFINITY } else { other };
    let inside = (u > 0.0) & (u < INFINITY);
    if inside {
        y
    } else {
        DcDoubleDouble::new(other, 0.0)
    }
}

/// `1 + x` exactly, as a double and a remainder below its last place.
#[crunch]
fn one_plus(x: DcDoubleDouble) -> (DcDouble, DcDoubleDouble) {
    let s = two_sum(1.0, x.hi);
    let t = two_sum(s.lo, x.lo);
    let u = fast_two_sum(s.hi, t.hi);
    (u.hi, fast_two_sum(u.lo, t.lo))
}

/// The logarithm of 1 + x: x itself, also if it is ±0, where its square is negligible; else `y`.
#[crunch]
fn unless_tiny(x: DcDoubleDouble, y: DcDoubleDouble) -> DcDoubleDouble {
    let tiny = x.hi.abs() < TINY;
    if tiny { x } else { y }
}

/// `ln(1 + x)` of a double-double, without special values.
#[crunch]
fn natural_1p(x: DcDoubleDouble) -> DcDoubleDouble {
    let (u, c) = one_plus(x);
    unless_tiny(x, natural(u, c))
}

/// ln x.
#[crunch]
pub fn log_reference(x: DcDouble) -> DcDoubleDouble {
    domain(x, natural(x, DcDoubleDouble::new(0.0, 0.0)))
}

/// log2 x.
#[crunch]
pub fn log2_reference(x: DcDouble) -> DcDoubleDouble {
    domain(x, binary(x, DcDoubleDouble::new(0.0, 0.0)))
}

/// log10 x.
#[crunch]
pub fn log10_reference(x: DcDouble) -> DcDoubleDouble {
    let y = natural(x, DcDoubleDouble::new(0.0, 0.0));
    domain(x, dd_mul(y, DcDoubleDouble::new(LOG10_E_HI, LOG10_E_LO)))
}

/// ln(1 + x).
#[crunch]
pub fn log1p_reference(x: DcDouble) -> DcDoubleDouble {
    domain(1.0 + x, natural_1p(DcDoubleDouble::new(x, 0.0)))
}

/// log2(1 + x).
#[crunch]
pub fn log2p1_reference(x: DcDouble) -> DcDoubleDouble {
    let (u, c) = one_plus(DcDoubleDouble::new(x, 0.0));
    let tiny = x.abs() < TINY;
    let small = dd_mul_f64(DcDoubleDouble::new(LOG2_E_HI, LOG2_E_LO), x);
    let y = binary(u, c);
    let y = domain(1.0 + x, if tiny { small } else { y });
    unless(x == 0.0, x, y)
}

/// log10(1 + x).
#[crunch]
pub fn log10p1_reference(x: DcDouble) -> DcDoubleDouble {
    let y = natural_1p(DcDoubleDouble::new(x, 0.0));
    let y = dd_mul(y, DcDoubleDouble::new(LOG10_E_HI, LOG10_E_LO));
    // A product that underflows has lost its sign, which is that of x.
    unless(y.hi == 0.0, x * 0.0, domain(1.0 + x, y))
}

/// ln x of a double-double.
#[crunch]
pub fn dd_log(x: DcDoubleDouble) -> DcDoubleDouble {
    domain(x.hi, natural(x.hi, DcDoubleDouble::new(x.lo, 0.0)))
}

/// ln(1 + x) of a double-double.
#[crunch]
pub fn dd_log1p(x: DcDoubleDouble) -> DcDoubleDouble {
    domain(1.0 + x.hi, natural_1p(x))
}

/// ln x of a positive binary32 number, in two words, relative error below 2^-58: for powers in binary32.
///
/// With 24 bits of m and 10 of r, `z = m r - 1` is a double, and `ln x = e ln 2 - ln r + z + z² P(z)`. P is Taylor's series, whose
/// remainder is below 2^-69. The rounding error of z² P is below 2^-66, and the other rounding errors are smaller. If r is not 1, ln x is
/// at least 2^-8; if r is 1, that rounding error is 2^-60 of z.
#[crunch]
pub(in crate::builtins::reference) fn short_log(x: DcDouble) -> DcDoubleDouble {
    let bits = x.to_bits();
    let above = bits + (ONE - FIRST);
    let exponent = above & EXPONENT;
    let e = DcDouble::from_bits(above.shr_logical(52) | TWO_52) - TWO_52_AND_BIAS;
    let m_bits = bits - exponent + ONE;
    let i = (m_bits - FIRST).shr_logical(45);
    let z = DcDouble::from_bits(m_bits).mul_add(RECIPS[i], -1.0);
    let rest = (z * z) * horner(z, &SHORT_SERIES);
    // Exact, because the table's words are chosen for it.
    let head = e.mul_add(LN_2_1, LOGS_1[i]);
    let middle = e.mul_add(LN_2_2, LOGS_2[i]);
    let s = two_sum(head, z);
    fast_two_sum(s.hi, s.lo + (middle + rest))
}
