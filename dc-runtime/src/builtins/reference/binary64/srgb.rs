//! The transfer functions of sRGB (IEC 61966-2-1) to more than 100 bits, with the standard's decimals in two words. They are linear below
//! the power's range.
//!
//! A power of `2^n m`, 1 <= m < 2, is the product of a power of two, a root of two from a table, and `e^(c
//! ln m)`, c ln m < 0.3. So the logarithm's error does not grow with the exponent.
//!
//! # Error
//!
//! In units of u² = 2^-106: `t = (x + 0.055) / 1.055` contributes 6, multiplied by 2.4; the square 3, the logarithm 8 times 0.28, the
//! exponential 1.3, the products 8: together 29. In the other direction, `1.055 x^(5/12)` contributes 12, which the subtraction of 0.055
//! multiplies by up to 2.4, at the least x; the difference contributes 3: 32.

use super::exp::{dd_exp, scaled};
use super::log::{dd_log, log_reference};
use super::special::{INFINITY, unless};
use super::srgb_constants::{
    FIFTHS_HI, FIFTHS_LO, FIVE_TWELFTHS_HI, FIVE_TWELFTHS_LO, FOUR_TENTHS_HI, FOUR_TENTHS_LO,
    LINEAR_HI, LINEAR_LO, OFFSET_HI, OFFSET_LO, RECIP_LINEAR_HI, RECIP_LINEAR_LO, RECIP_SLOPE_HI,
    RECIP_SLOPE_LO, TWELFTHS_HI, TWELFTHS_LO,
};
use crate::prelude::*;

/// The bits of 1, and the bits of a double's exponent and fraction.
const ONE: i64 = 1023 << 52;
const FRACTION: i64 = (1 << 52) - 1;
/// 2^450, whose power overflows.
const LARGE: f64 = f64::from_bits((1023 + 450) << 52);
/// 2^-800 and 2^800: smaller and larger numbers are scaled by 2^±200 for a multiplication.
const SMALL: f64 = f64::from_bits((1023 - 800) << 52);
const HUGE: f64 = f64::from_bits((1023 + 800) << 52);
const UP: f64 = f64::from_bits((1023 + 200) << 52);
const DOWN: f64 = f64::from_bits((1023 - 200) << 52);

/// `c x` for c from 2^-4 to 2^4: no word is lost before the result is scaled.
#[crunch]
fn proportional(x: DcDouble, c: DcDoubleDouble) -> DcDoubleDouble {
    let a = x.abs();
    let small = a < SMALL;
    let huge = a > HUGE;
    let factor = if small { UP } else { 1.0 };
    let factor = if huge { DOWN } else { factor };
    let e: DcLong = small.select(-200, 0);
    let e = huge.select(200, e);
    let y = scaled(dd_mul_f64(c, x * factor), e);
    let infinite = y.hi.abs() == INFINITY;
    let special = (x == 0.0) | (a == INFINITY);
    unless(special, x, unless(infinite, y.hi, y))
}

/// `p n` as `q` and `j` with `p n = d q + j`, 0 <= j < d.
#[crunch]
fn divide(n: DcLong, p: DcDouble, d: DcDouble) -> (DcLong, DcLong) {
    let whole = n.to_f64() * p;
    let q = ((whole + 0.5) / d).floor();
    (q.to_i64(), (-q).mul_add(d, whole).to_i64())
}

/// Linear light from a value of sRGB: `x / 12.92` up to 0.04045, `((x + 0.055) / 1.055)^2.4` above.
#[crunch]
pub fn srgb_to_linear_reference(x: DcDouble) -> DcDoubleDouble {
    let near = if x > LARGE { LARGE } else { x };
    let t = dd_mul(
        dd_add_f64(DcDoubleDouble::new(OFFSET_HI, OFFSET_LO), near),
        DcDoubleDouble::new(RECIP_SLOPE_HI, RECIP_SLOPE_LO),
    );
    let n = (t.hi.to_bits().shr_logical(52) & 0x7ff) - 1023;
    let scale = DcDouble::from_bits(ONE - (n << 52));
    let m = dd_scale(t, scale);
    let (q, j) = divide(n, 12.0, 5.0);
    let power = dd_exp(dd_mul(
        dd_log(m),
        DcDoubleDouble::new(FOUR_TENTHS_HI, FOUR_TENTHS_LO),
    ));
    let root = DcDoubleDouble::new(FIFTHS_HI[j], FIFTHS_LO[j]);
    let y = scaled(dd_mul(dd_mul(dd_square(m), power), root), q);
    let linear = proportional(x, DcDoubleDouble::new(RECIP_LINEAR_HI, RECIP_LINEAR_LO));
    if x <= 0.040_45 { linear } else { y }
}

/// A value of sRGB from linear light: `12.92 x` up to 0.0031308, `1.055 x^(1/2.4) - 0.055` above.
#[crunch]
pub fn srgb_from_linear_reference(x: DcDouble) -> DcDoubleDouble {
    let bits = x.to_bits();
    let n = (bits.shr_logical(52) & 0x7ff) - 1023;
    let m = DcDouble::from_bits((bits & FRACTION) | ONE);
    let (q, j) = divide(n, 5.0, 12.0);
    let power = dd_exp(dd_mul(
        log_reference(m),
        DcDoubleDouble::new(FIVE_TWELFTHS_HI, FIVE_TWELFTHS_LO),
    ));
    let root = DcDoubleDouble::new(TWELFTHS_HI[j], TWELFTHS_LO[j]);
    let y = dd_sub(
        scaled(dd_mul(power, root), q),
        DcDoubleDouble::new(OFFSET_HI, OFFSET_LO),
    );
    let linear = proportional(x, DcDoubleDouble::new(LINEAR_HI, LINEAR_LO));
    let y = if x <= 0.003_130_8 { linear } else { y };
    unless((x != x) | (x == INFINITY), x, y)
}
