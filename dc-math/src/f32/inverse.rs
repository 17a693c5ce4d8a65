//! Arc sine and arc cosine in binary32.
//!
//! Up to 1/2, `asin |x| = √z p(z)` with `z = x²`. Above 1/2, `asin |x| = π/2 - 2 √z p(z)` with `z = (1 - |x|)/2`. In both cases z is exact in binary64 and at
//! most 1/4. So one polynomial serves both, with a square root in binary64: for x², the root is |x|. The polynomial needs z and not its root, so a processor
//! computes both at once.
//!
//! The coefficients are minimax for the relative error, which is 2^-47.9. Then last places were changed until no input was misrounded (`scripts/binary32.py`).

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
    f64::from_bits(0x3fef_ffff_ffff_ff7e),
    f64::from_bits(0x3fc5_5555_5553_b1db),
    f64::from_bits(0x3fb3_3333_3529_a7ee),
    f64::from_bits(0x3fa6_db6c_c394_54d1),
    f64::from_bits(0x3f9f_1caf_48b8_2c23),
    f64::from_bits(0x3f96_e440_bd45_a6a6),
    f64::from_bits(0x3f91_f807_6033_2218),
    f64::from_bits(0x3f89_b8cc_cfa3_aee1),
    f64::from_bits(0x3f92_557a_8ee7_7edc),
    f64::from_bits(0xbf7d_df3c_f945_d9df),
    f64::from_bits(0x3fa0_21fc_fbf6_c521),
];
const PI: f64 = core::f64::consts::PI;
const HALF_PI: f64 = core::f64::consts::FRAC_PI_2;
/// The double above π/2. With the double below it, two inputs give a difference that is the midpoint of two floats, while the true π/2 - x is
/// above it.
const HALF_PI_UP: f64 = HALF_PI.next_up();

/// Whether x is not between -1 and 1.
#[crunch]
pub fn is_special(x: DcFloat) -> DcMask {
    !(x.abs() <= 1.0)
}

/// Whether a is at most 1/2, and the value `√z p(z)` for a.
#[crunch]
fn half(a: DcFloat, series: &[f64]) -> (DcMask, DcDouble) {
    let small = a <= 0.5;
    let a = a.to_f64();
    let z = if small { a * a } else { a.mul_add(-0.5, 0.5) };
    (small, z.sqrt() * horner(z, series))
}

/// asin x for x from -1 to 1.
#[crunch]
pub fn asin_short(x: DcFloat) -> DcFloat {
    let (small, y) = half(x.abs(), &SINE);
    let large = y.mul_add(-2.0, HALF_PI);
    let y = if small { y } else { large };
    y.to_f32().copysign(x)
}

/// acos x for x from -1 to 1.
#[crunch]
pub fn acos_short(x: DcFloat) -> DcFloat {
    let (small, y) = half(x.abs(), &COSINE);
    let y = if small { HALF_PI_UP - y } else { y + y };
    let behind = PI - y;
    (if x < 0.0 { behind } else { y }).to_f32()
}

/// asin x.
#[crunch]
pub fn asin(x: DcFloat) -> DcFloat {
    let y = asin_short(x);
    if is_special(x) { f32::NAN } else { y }
}

/// acos x.
#[crunch]
pub fn acos(x: DcFloat) -> DcFloat {
    let y = acos_short(x);
    if is_special(x) { f32::NAN } else { y }
}
