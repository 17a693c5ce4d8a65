//! Roots and the reciprocal to more than 100 bits.

use super::special::{INFINITY, NAN, unless};
use crate::builtins::reference::binary32::cbrt_f32_reference;
use crate::prelude::*;

/// 2^-900 and 2^900: squares of smaller doubles lose bits, and those of larger ones are infinite.
const SMALL: f64 = f64::from_bits((1023 - 900) << 52);
const LARGE: f64 = f64::from_bits((1023 + 900) << 52);
/// 2^108, whose square root and cube root are powers of two as well.
pub const UP: f64 = f64::from_bits((1023 + 108) << 52);
/// 2^-108.
pub const DOWN: f64 = f64::from_bits((1023 - 108) << 52);
/// 2^54.
pub const UP_2: f64 = f64::from_bits((1023 + 54) << 52);
/// 2^-54.
pub const DOWN_2: f64 = f64::from_bits((1023 - 54) << 52);
/// 2^36.
pub const UP_3: f64 = f64::from_bits((1023 + 36) << 52);
/// 2^-36.
pub const DOWN_3: f64 = f64::from_bits((1023 - 36) << 52);
const THIRD: f64 = 1.0 / 3.0;
const MINUS_NINTH: f64 = -1.0 / 9.0;

/// `small`, `large` or 1, depending on the magnitude of `x`.
#[crunch]
pub fn by_size(x: DcDouble, small: DcDouble, large: DcDouble) -> DcDouble {
    let a = x.abs();
    let factor = if a < SMALL { small } else { 1.0 };
    if a > LARGE { large } else { factor }
}

/// √x: an exact remainder and one division.
#[crunch]
pub fn sqrt_reference(x: DcDouble) -> DcDoubleDouble {
    let y = dd_sqrt_f64(x * by_size(x, UP, DOWN));
    let special = (x == 0.0) | (x == INFINITY);
    let y = unless(special, x, dd_scale(y, by_size(x, DOWN_2, UP_2)));
    unless(x < 0.0, NAN, y)
}

/// 1 / √x.
#[crunch]
pub fn rsqrt_reference(x: DcDouble) -> DcDoubleDouble {
    let y = dd_rsqrt_f64(x * by_size(x, UP, DOWN));
    let special = (x == 0.0) | (x == INFINITY);
    unless(
        special,
        x.sqrt().recip(),
        dd_scale(y, by_size(x, UP_2, DOWN_2)),
    )
}

/// x^(1/3): a double y within 2^-50, and one iteration with `d = x / y³ - 1` up to its square.
#[crunch]
pub fn cbrt_reference(x: DcDouble) -> DcDoubleDouble {
    let a = x * by_size(x, UP, DOWN);
    let y = cbrt_f32_reference(a);
    let cube = dd_mul_f64(two_prod(y, y), y);
    let d = ((a - cube.hi) - cube.lo) / cube.hi;
    let z = fast_two_sum(y, y * (d * d.mul_add(MINUS_NINTH, THIRD)));
    let special = (x == 0.0) | (x.abs() == INFINITY);
    unless(special, x, dd_scale(z, by_size(x, DOWN_3, UP_3)))
}

/// 1 / x.
#[crunch]
pub fn recip_reference(x: DcDouble) -> DcDoubleDouble {
    let y = dd_recip(x);
    let special = (y.hi == 0.0) | (y.hi.abs() == INFINITY);
    unless(special, y.hi, y)
}
