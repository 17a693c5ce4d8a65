//! ln x by a table of 128 inverses and a polynomial (ARM's optimized routines, 2018; Tang, *Table-driven implementation of
//! the logarithm function in IEEE floating-point arithmetic*, 1990): the variant with a fused multiply-add in the
//! reduction and nowhere else.

use super::log_constants::{INVERSES, LN2_HI, LN2_LO, LOGS, NEAR_ONE, SERIES};
use crate::prelude::*;

/// The bits of 11/16, the lower limit of the reduced numbers.
const FIRST: i64 = 0x3fe6_0000_0000_0000;
/// The bits of sign and exponent.
const UPPER: i64 = -1 << 52;
/// 1 - 2^-4 and 1 + 265/4096: between them a polynomial in x - 1.
const NEAR_FIRST: f64 = 0.9375;
const NEAR_LAST: f64 = 1.064_697_265_625;
/// 2^52 and 2^27.
const TWO_52: f64 = 4_503_599_627_370_496.0;
const TWO_27: f64 = 134_217_728.0;
const LEAST_NORMAL: f64 = f64::MIN_POSITIVE;
const INFINITY: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

/// ln x for x near 1: `r - r²/2` in two words, `r = x - 1`, and a polynomial from r³ on.
#[crunch]
fn near_one(x: DcDouble) -> DcDouble {
    let r = x - 1.0;
    let r2 = r * r;
    let r3 = r * r2;
    let c = NEAR_ONE[6] + r * NEAR_ONE[7] + r2 * NEAR_ONE[8] + r3 * NEAR_ONE[9];
    let b = NEAR_ONE[3] + r * NEAR_ONE[4] + r2 * NEAR_ONE[5] + r3 * c;
    let y = r3 * (NEAR_ONE[0] + r * NEAR_ONE[1] + r2 * NEAR_ONE[2] + r3 * b);
    // The first 26 bits of r: their square is exact.
    let w = r * TWO_27;
    let r_hi = r + w - w;
    let r_lo = r - r_hi;
    let square = r_hi * r_hi * -0.5;
    let hi = r + square;
    let lo = r - hi + square + -0.5 * r_lo * (r_hi + r);
    y + lo + hi
}

/// ln x: `x = 2^k z`, `11/16 <= z < 11/8`; `ln x = k ln 2 + ln c + ln(1 + r)` with `1 / c` near `1 / z` from a table and
/// `r = z / c - 1`.
#[crunch]
pub fn log_table(x: DcDouble) -> DcDouble {
    let subnormal = x < LEAST_NORMAL;
    let bits = subnormal.select(x * TWO_52, x).to_bits();
    let bits = subnormal.select(bits - (52 << 52), bits);
    let above = bits - FIRST;
    let i = above.shr_logical(45);
    let k = (above >> 52).to_f64();
    let z = DcDouble::from_bits(bits - (above & UPPER));
    let r = z.mul_add(INVERSES[i], -1.0);
    let w = k * LN2_HI + LOGS[i];
    let hi = w + r;
    let lo = w - hi + r + k * LN2_LO;
    let rr = r * r;
    let p = SERIES[1] + r * SERIES[2] + rr * (SERIES[3] + r * SERIES[4]);
    let y = lo + rr * SERIES[0] + r * rr * p + hi;

    let near = (x >= NEAR_FIRST) & (x < NEAR_LAST);
    let y = if near { near_one(x) } else { y };
    let other = if x == 0.0 { -INFINITY } else { NAN };
    let other = if x == INFINITY { INFINITY } else { other };
    let inside = (x > 0.0) & (x < INFINITY);
    if inside { y } else { other }
}
