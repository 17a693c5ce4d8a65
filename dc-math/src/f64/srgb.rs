//! The transfer functions of sRGB (IEC 61966-2-1) in binary64. The standard's decimals, and the constants computed from them, have two words. The
//! powers are those of `power.rs`. Outside the power's range, the functions are linear.

use super::common::{SUBNORMAL, TINIER, multiple};
use super::hyperbolic::{exp_in_words, power_of_two, reduced};
use super::logarithm::number;
use super::power::{exp_of_words, fine_log, fine_parts, log_in_words};
use super::tables::{
    EXPONENT_HI, EXPONENT_LO, FACTOR_HI, FACTOR_LO, INVERSE_EXPONENT_HI, INVERSE_EXPONENT_LO,
    INVERSE_FACTOR_HI, INVERSE_FACTOR_LO, INVERSE_SLOPE_HI, INVERSE_SLOPE_LO, OFFSET_HI, OFFSET_LO,
    SLOPE_OF_SRGB_HI, SLOPE_OF_SRGB_LO,
};
use dc_runtime::prelude::*;

/// Above this, the power is infinite, as is e^ of its exponent.
const HUGE: f64 = f64::from_bits((1023 + 500) << 52);
/// See `multiple`.
const LIMIT: f64 = SUBNORMAL / SLOPE_OF_SRGB_HI;
const LIMIT_OF_INVERSE: f64 = SUBNORMAL / INVERSE_SLOPE_HI;

/// A product of words.
#[crunch]
fn product(a: DcDoubleDouble, hi: DcDouble, lo: DcDouble) -> DcDoubleDouble {
    let y = a.hi * hi;
    let low = a.hi.mul_add(lo, a.lo.mul_add(hi, a.hi.mul_add(hi, -y)));
    DcDoubleDouble::new(y, low)
}

/// `x (hi + lo)`, rounded once.
#[crunch]
fn line(x: DcDouble, hi: DcDouble, lo: DcDouble, limit: DcDouble) -> DcDouble {
    let y = product(DcDoubleDouble::new(x, 0.0), hi, lo);
    let infinite = y.hi.abs() == f64::INFINITY;
    let z = if infinite { y.hi } else { y.hi + y.lo };
    let tiny = x.abs() < TINIER;
    if tiny { multiple(x, hi, lo, limit) } else { z }
}

/// Linear light from a value of sRGB, error at most 0.55 ULP: `x / 12.92` up to 0.04045, `((x + 0.055) / 1.055)^2.4` above.
#[crunch]
pub fn srgb_to_linear(x: DcDouble) -> DcDouble {
    let a = if x > HUGE { HUGE } else { x };
    let sum = two_sum(a, OFFSET_HI);
    let t = product(
        DcDoubleDouble::new(sum.hi, sum.lo + OFFSET_LO),
        INVERSE_FACTOR_HI,
        INVERSE_FACTOR_LO,
    );
    let (e, r, cell) = fine_parts(t.hi.to_bits());
    // ln(1 + d) for the second word; d is its ratio to the first.
    let more = t.lo * t.hi.recip();
    let log = product(fine_log(number(e), r, cell, more), EXPONENT_HI, EXPONENT_LO);
    let curve = exp_of_words(log.hi, log.lo);
    if x <= 0.040_45 {
        line(x, INVERSE_SLOPE_HI, INVERSE_SLOPE_LO, LIMIT_OF_INVERSE)
    } else {
        curve
    }
}

/// A value of sRGB from linear light, error at most 0.55 ULP: `12.92 x` up to 0.0031308, `1.055 x^(1/2.4) - 0.055` above.
#[crunch]
pub fn srgb_from_linear(x: DcDouble) -> DcDouble {
    let log = product(log_in_words(x), INVERSE_EXPONENT_HI, INVERSE_EXPONENT_LO);
    let (t, h, l) = reduced(log.hi);
    let (head, tail, rest) = exp_in_words((t, h, l + log.lo));
    let scale = power_of_two(rest);
    let e = fast_two_sum(head * scale, tail * scale);
    let y = product(e, FACTOR_HI, FACTOR_LO);
    let z = two_sum(y.hi, -OFFSET_HI);
    let curve = z.hi + (z.lo + (y.lo - OFFSET_LO));
    let y = if x <= 0.003_130_8 {
        line(x, SLOPE_OF_SRGB_HI, SLOPE_OF_SRGB_LO, LIMIT)
    } else {
        curve
    };
    let special = (x != x) | (x == f64::INFINITY);
    if special { x } else { y }
}
