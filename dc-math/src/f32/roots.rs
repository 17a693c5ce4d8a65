//! Cube root in binary32.
//!
//! The first estimate of `x^(-1/3)` is linear in exponent and fraction, taken as one number, and has an error of 2^-4.8. One polynomial step in binary32
//! reduces the error to 2^-20. With this r, in binary64,
//!
//! ```text
//! x^(1/3) = y (1 - d)^(-2/3),    y = x r²,    d = 1 - y r.
//! ```
//!
//! r² is exact. An error of y is reduced to a third of it, because d is computed from the same y. So the relative error is about 2^-52.6, and no input is
//! misrounded. There is no division and no table.
//!
//! The coefficients are minimax for the relative error (`scripts/binary32.py`).

use super::logarithm;
use dc_runtime::prelude::*;

/// The bits of 2^23. An integer of 23 bits, combined with these bits, is that many units above 2^23.
const TWO_23: i32 = 0x4b00_0000;
/// The bits of an integer of 23 bits, and the sign bit.
const FRACTION: i32 = 0x007f_ffff;
const SIGN: i32 = i32::MIN;
/// The line of the first estimate.
const SLOPE: f32 = -1.0 / 3.0;
const START: f32 = 16_726_253.0;
/// (1 - d)^(-1/3) for 0.2 < d < 0.34, the lowest power first.
const STEP: [f32; 4] = [
    f32::from_bits(0x3f7f_6e0c),
    f32::from_bits(0x3eba_e893),
    f32::from_bits(0x3d79_4df1),
    f32::from_bits(0x3eff_a255),
];
/// (1 - d)^(-2/3) = 1 + d p(d) for |d| <= 2^-18.3.
const LAST: [f64; 2] = [
    f64::from_bits(0x3fe5_5555_5555_ce22),
    f64::from_bits(0x3fe1_c71c_71c7_b016),
];
/// 2^24, and the inverse of its cube root.
const UP: f32 = 16_777_216.0;
const DOWN: f32 = 1.0 / 256.0;

/// Whether x is zero, subnormal, infinite or NaN.
#[crunch]
pub fn is_special(x: DcFloat) -> DcMask {
    logarithm::is_special(x.abs())
}

/// x^(1/3) of a normal number. r has the sign of x.
#[crunch]
pub fn cbrt_short(x: DcFloat) -> DcFloat {
    let bits = x.to_bits();
    let upper = DcFloat::from_bits((bits.shr_logical(8) & FRACTION) | TWO_23);
    let line = upper.mul_add(SLOPE, START).to_bits() << 8;
    let r = DcFloat::from_bits(line | (bits & SIGN));
    let d = (-(x * r)).mul_add(r * r, 1.0);
    let r = (r * horner_f32(d, &STEP)).to_f64();
    let y = x.to_f64() * (r * r);
    let d = (-y).mul_add(r, 1.0);
    (y * d).mul_add(horner(d, &LAST), y).to_f32()
}

/// x^(1/3).
#[crunch]
pub fn cbrt(x: DcFloat) -> DcFloat {
    let a = x.abs();
    let small = a < f32::MIN_POSITIVE;
    let y = cbrt_short(if small { x * UP } else { x });
    let y = if small { y * DOWN } else { y };
    let special = (a == 0.0) | !(a < f32::INFINITY);
    if special { x } else { y }
}
