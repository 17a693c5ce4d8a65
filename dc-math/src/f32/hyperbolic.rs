//! Hyperbolic sine and cosine in binary32.
//!
//! With `x = k s + r`, where s = (ln 2)/16 and |r| <= s/2, and with A = 2^(k/16),
//!
//! ```text
//! sinh x = S cosh r + C sinh r,    S = (A - 1/A) / 2,
//! cosh x = C cosh r + S sinh r,    C = (A + 1/A) / 2.
//! ```
//!
//! A/2 and 1/(2 A) come from two tables of 16 entries, and the exponent is added to their bits. Next to 0, S is 0 and C is 1, so the relative error stays
//! small. Where x is clamped, the double is far above the largest float, so rounding gives infinity.
//!
//! The coefficients are minimax for the relative error, which is 2^-50.2 for `sinh r` and 2^-47.7 for `cosh r`. Then the last places of coefficients and table
//! entries were changed until no input was misrounded (`scripts/binary32.py`).

use super::exponential::{STEP, STEPS};
use crate::f64::common::INTEGER;
use dc_runtime::prelude::*;

/// For the hyperbolic sine: the bits of 2^(j/16)/2, minus j 2^48. Adding k 2^48, with k = 16 e + j, gives the bits of A/2.
static SINE_UP: [u64; 16] = [
    0x3fe0_0000_0000_0000,
    0x3fdf_b558_6cf9_8913,
    0x3fdf_72b8_3c7d_5162,
    0x3fdf_387a_6e75_629c,
    0x3fdf_06fe_0a31_b6e8,
    0x3fde_dea6_4c12_342c,
    0x3fde_bfda_d536_2a42,
    0x3fde_ab07_dd48_5446,
    0x3fde_a09e_667f_3bca,
    0x3fde_a114_73eb_01c0,
    0x3fde_ace5_422a_a083,
    0x3fde_c491_82a3_f096,
    0x3fde_e89f_995a_d39e,
    0x3fdf_199b_dd85_537c,
    0x3fdf_5818_dcfb_a41c,
    0x3fdf_a4af_a2a4_90de,
];
/// The bits of 2^(-j/16)/2, plus j 2^48: the entries of the first table in the other order, so that the function is odd. Subtracting k 2^48 gives the bits of
/// 1/(2 A).
static SINE_DOWN: [u64; 16] = [
    0x3fe0_0000_0000_0000,
    0x3fdf_a4af_a2a4_90de,
    0x3fdf_5818_dcfb_a41c,
    0x3fdf_199b_dd85_537c,
    0x3fde_e89f_995a_d39e,
    0x3fde_c491_82a3_f096,
    0x3fde_ace5_422a_a083,
    0x3fde_a114_73eb_01c0,
    0x3fde_a09e_667f_3bca,
    0x3fde_ab07_dd48_5446,
    0x3fde_bfda_d536_2a42,
    0x3fde_dea6_4c12_342c,
    0x3fdf_06fe_0a31_b6e8,
    0x3fdf_387a_6e75_629c,
    0x3fdf_72b8_3c7d_5162,
    0x3fdf_b558_6cf9_8913,
];
/// sinh r / r in r², the lowest power first,
const SINE_ODD: [f64; 3] = [
    f64::from_bits(0x3fef_ffff_ffff_ffff),
    f64::from_bits(0x3fc5_5555_5546_ce56),
    f64::from_bits(0x3f81_1122_76a7_b66e),
];
/// and cosh r.
const SINE_EVEN: [f64; 3] = [
    f64::from_bits(0x3ff0_0000_0000_001f),
    f64::from_bits(0x3fdf_ffff_ffcd_0db6),
    f64::from_bits(0x3fa5_5576_21ad_39aa),
];

/// The same for the hyperbolic cosine.
static COSINE_UP: [u64; 16] = [
    0x3fe0_0000_0000_0000,
    0x3fdf_b558_6cf9_8954,
    0x3fdf_72b8_3c7d_51ad,
    0x3fdf_387a_6e75_621d,
    0x3fdf_06fe_0a31_b734,
    0x3fde_dea6_4c12_3405,
    0x3fde_bfda_d536_2a5b,
    0x3fde_ab07_dd48_5460,
    0x3fde_a09e_667f_3bf6,
    0x3fde_a114_73eb_0187,
    0x3fde_ace5_422a_a105,
    0x3fde_c491_82a3_f0d5,
    0x3fde_e89f_995a_d42a,
    0x3fdf_199b_dd85_531f,
    0x3fdf_5818_dcfb_a499,
    0x3fdf_a4af_a2a4_90f9,
];
static COSINE_DOWN: [u64; 16] = [
    0x3fe0_0000_0000_0000,
    0x3fdf_a4af_a2a4_90f9,
    0x3fdf_5818_dcfb_a499,
    0x3fdf_199b_dd85_531f,
    0x3fde_e89f_995a_d42a,
    0x3fde_c491_82a3_f0d5,
    0x3fde_ace5_422a_a105,
    0x3fde_a114_73eb_0187,
    0x3fde_a09e_667f_3bf6,
    0x3fde_ab07_dd48_5460,
    0x3fde_bfda_d536_2a5b,
    0x3fde_dea6_4c12_3405,
    0x3fdf_06fe_0a31_b734,
    0x3fdf_387a_6e75_621d,
    0x3fdf_72b8_3c7d_51ad,
    0x3fdf_b558_6cf9_8954,
];
const COSINE_ODD: [f64; 3] = [
    f64::from_bits(0x3fef_ffff_ffff_f93e),
    f64::from_bits(0x3fc5_5555_5549_44c2),
    f64::from_bits(0x3f81_1122_76f0_1595),
];
const COSINE_EVEN: [f64; 3] = [
    f64::from_bits(0x3ff0_0000_0000_0003),
    f64::from_bits(0x3fdf_ffff_ffce_4530),
    f64::from_bits(0x3fa5_5576_21c3_ca22),
];

/// A/2, 1/(2 A) and r.
#[crunch]
fn split(x: DcFloat, up: &[u64], down: &[u64]) -> (DcDouble, DcDouble, DcDouble) {
    let x = x.clamp(-90.0, 90.0).to_f64();
    let t = x.mul_add(STEPS, INTEGER);
    let n = t.to_bits();
    let k = n << 48;
    let a = DcDouble::from_bits(up[n] + k);
    let b = DcDouble::from_bits(down[n] - k);
    (a, b, (t - INTEGER).mul_add(STEP, x))
}

/// sinh x. If k is 0, the first term is -0, so zeros keep their sign.
#[crunch]
pub fn sinh(x: DcFloat) -> DcFloat {
    let (a, b, r) = split(x, &SINE_UP, &SINE_DOWN);
    let square = r * r;
    let line = ((a + b) * r) * horner(square, &SINE_ODD);
    (-(b - a))
        .mul_add(horner(square, &SINE_EVEN), line)
        .to_f32()
}

/// cosh x.
#[crunch]
pub fn cosh(x: DcFloat) -> DcFloat {
    let (a, b, r) = split(x, &COSINE_UP, &COSINE_DOWN);
    let square = r * r;
    let line = ((a - b) * r) * horner(square, &COSINE_ODD);
    (a + b).mul_add(horner(square, &COSINE_EVEN), line).to_f32()
}
