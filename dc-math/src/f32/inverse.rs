//! Arc sine and arc cosine in binary32.
//!
//! Up to 1/2, `asin x = x p(x²)`. Beyond, with `z = (1 - |x|)/2`, which is exact, `asin |x| = π/2 - 2 asin √z`, and √z is below 1/2. So one polynomial in a number up to 1/4
//! serves both. The root is one in binary32, s, and a step of Newton's iteration in binary64: `√z = s + (z - s²) h`, h = 1/(2 s) in binary32. Its relative error is at most
//! 2^-49: 2^-3 times the square of that of z - s², and 2^-24 times that of h.
//!
//! The coefficients are minimax for the relative error, which is 2^-47.9. Then last places were changed until no input was misrounded, but for two of the arc cosine (`scripts/binary32.py`).

use super::exceptions::{ACOS_AT, ACOS_TO, patched};
use dc_runtime::prelude::*;

/// asin √z / √z, the lowest power first, for the arc sine
const SINE: [f64; 11] = [
    f64::from_bits(0x3ff0_0000_0000_0006),
    f64::from_bits(0x3fc5_5555_5553_fa42),
    f64::from_bits(0x3fb3_3333_3509_cdbc),
    f64::from_bits(0x3fa6_db6c_c4ca_b6a0),
    f64::from_bits(0x3f9f_1caf_5707_1067),
    f64::from_bits(0x3f96_e440_d288_7f37),
    f64::from_bits(0x3f91_f803_7532_33be),
    f64::from_bits(0x3f89_b8d6_2e19_8012),
    f64::from_bits(0x3f92_5575_66d8_37ba),
    f64::from_bits(0xbf7d_d9cb_21ba_0a07),
    f64::from_bits(0x3fa0_2022_fce1_e149),
];
/// and the arc cosine.
const COSINE: [f64; 11] = [
    f64::from_bits(0x3fef_ffff_ffff_ff5d),
    f64::from_bits(0x3fc5_5555_5553_b5a1),
    f64::from_bits(0x3fb3_3333_3529_a397),
    f64::from_bits(0x3fa6_db6c_c394_53e5),
    f64::from_bits(0x3f9f_1caf_48b8_2c94),
    f64::from_bits(0x3f96_e440_bd45_a802),
    f64::from_bits(0x3f91_f807_6033_2032),
    f64::from_bits(0x3f89_b8cc_cfa3_aed2),
    f64::from_bits(0x3f92_557a_8ee7_765c),
    f64::from_bits(0xbf7d_df3c_f945_dd73),
    f64::from_bits(0x3fa0_21fc_fbf6_cd01),
];
const PI: f64 = core::f64::consts::PI;
const HALF_PI: f64 = core::f64::consts::FRAC_PI_2;

/// Whether x is not between -1 and 1, both excluded.
#[crunch]
pub fn is_special(x: DcFloat) -> DcMask {
    !(x.abs() < 1.0)
}

/// Whether |x| is at most 1/2, and `asin v` for v = x where it is, and `v = √((1 - |x|)/2)` with the sign of `sign` elsewhere.
#[crunch]
fn half(x: DcFloat, sign: DcFloat, series: &[f64]) -> (DcMask, DcDouble) {
    let small = x.abs() <= 0.5;
    let z = x.abs().mul_add(-0.5, 0.5);
    let root = z.sqrt().copysign(sign);
    let h = (root + root).recip().to_f64();
    let (z, root) = (z.to_f64(), root.to_f64());
    let root = (-root).mul_add(root, z).mul_add(h, root);
    let x = x.to_f64();
    let v = if small { x } else { root };
    let z = if small { x * x } else { z };
    (small, v * horner(z, series))
}

/// asin x between -1 and 1.
#[crunch]
pub fn asin_short(x: DcFloat) -> DcFloat {
    let (small, y) = half(x.abs(), 1.0, &SINE);
    // The sum with -0 keeps the sign of a zero.
    let factor = if small { 1.0 } else { -2.0 };
    let base = if small { -0.0 } else { HALF_PI };
    y.mul_add(factor, base).to_f32().copysign(x)
}

/// acos x between -1 and 1.
#[crunch]
pub fn acos_short(x: DcFloat) -> DcFloat {
    let (small, y) = half(x, x, &COSINE);
    let factor = if small { -1.0 } else { 2.0 };
    let base = if x < 0.0 { PI } else { 0.0 };
    let base = if small { HALF_PI } else { base };
    patched(x, y.mul_add(factor, base).to_f32(), &ACOS_AT, &ACOS_TO)
}

/// asin x.
#[crunch]
pub fn asin(x: DcFloat) -> DcFloat {
    let y = asin_short(x);
    let one = x.abs() == 1.0;
    let end = if one {
        x * core::f32::consts::FRAC_PI_2
    } else {
        f32::NAN
    };
    if is_special(x) { end } else { y }
}

/// acos x.
#[crunch]
pub fn acos(x: DcFloat) -> DcFloat {
    let y = acos_short(x);
    let end = if x == -1.0 {
        core::f32::consts::PI
    } else {
        f32::NAN
    };
    let end = if x == 1.0 { 0.0 } else { end };
    if is_special(x) { end } else { y }
}
