//! Arc tangent in binary32.
//!
//! 15/(1 + |x|), rounded to an integer, chooses one of 16 angles t. With `tan t = s / c`,
//!
//! ```text
//! atan |x| = t + atan u,    u = (c |x| - s) / (s |x| + c).
//! ```
//!
//! |u| is at most 0.0664, so a short polynomial computes its arc tangent. The last angle is 0, where u is |x|, so the relative error stays small next to 0. The
//! first angle is π/2, where u is -1/|x|.
//!
//! The coefficients are minimax for the relative error, which is 2^-51.4. They misround no input (`scripts/binary32.py`).

use dc_runtime::prelude::*;

/// Cosines and sines of the 16 angles. The first angle is π/2, the last one 0.
static COSINES: [f64; 16] = [
    0.0,
    f64::from_bits(0x3fb2_8f53_bfd8_3155),
    f64::from_bits(0x3fc3_a334_3529_6241),
    f64::from_bits(0x3fcf_3929_51f4_fc40),
    f64::from_bits(0x3fd5_f498_e567_9ec8),
    f64::from_bits(0x3fdc_b0ab_dc4c_9227),
    f64::from_bits(0x3fe1_c5ae_a302_d649),
    f64::from_bits(0x3fe5_1445_ad97_bbfb),
    f64::from_bits(0x3fe8_1387_db41_fe0f),
    f64::from_bits(0x3fea_9c6f_164f_cc9f),
    f64::from_bits(0x3fec_9ac2_92b1_aa54),
    f64::from_bits(0x3fee_0edf_bd72_783d),
    f64::from_bits(0x3fef_0889_fadd_17bb),
    f64::from_bits(0x3fef_9f04_970e_f1cb),
    f64::from_bits(0x3fef_ea71_3cb7_012a),
    1.0,
];
static SINES: [f64; 16] = [
    1.0,
    f64::from_bits(0x3fef_ea71_3cb7_012a),
    f64::from_bits(0x3fef_9f04_970e_f1cb),
    f64::from_bits(0x3fef_0889_fadd_17bb),
    f64::from_bits(0x3fee_0edf_bd72_783d),
    f64::from_bits(0x3fec_9ac2_92b1_aa54),
    f64::from_bits(0x3fea_9c6f_164f_cc9f),
    f64::from_bits(0x3fe8_1387_db41_fe0f),
    f64::from_bits(0x3fe5_1445_ad97_bbfb),
    f64::from_bits(0x3fe1_c5ae_a302_d649),
    f64::from_bits(0x3fdc_b0ab_dc4c_9227),
    f64::from_bits(0x3fd5_f498_e567_9ec8),
    f64::from_bits(0x3fcf_3929_51f4_fc40),
    f64::from_bits(0x3fc3_a334_3529_6241),
    f64::from_bits(0x3fb2_8f53_bfd8_3155),
    0.0,
];
/// The angles whose tangents are the quotients of these doubles.
static ANGLES: [f64; 16] = [
    f64::from_bits(0x3ff9_21fb_5444_2d18),
    f64::from_bits(0x3ff7_f8c3_5707_fce9),
    f64::from_bits(0x3ff6_ab16_f3e4_aa16),
    f64::from_bits(0x3ff5_30a7_1ec9_3f8d),
    f64::from_bits(0x3ff3_87b3_56b4_9660),
    f64::from_bits(0x3ff1_b1fb_4c7d_89c4),
    f64::from_bits(0x3fef_6c57_1925_2f9a),
    f64::from_bits(0x3feb_40e9_af48_289a),
    f64::from_bits(0x3fe7_030c_f940_3196),
    f64::from_bits(0x3fe2_d79f_8f63_2a96),
    f64::from_bits(0x3fdd_c000_1f1a_8d4f),
    f64::from_bits(0x3fd6_691f_f63e_5ae2),
    f64::from_bits(0x3fcf_8aa1_abd7_6c59),
    f64::from_bits(0x3fc3_b723_02fc_1812),
    f64::from_bits(0x3fb2_937f_d3c3_02fb),
    0.0,
];
/// atan u / u in u², the lowest power first.
const TANGENT: [f64; 5] = [
    1.0,
    f64::from_bits(0xbfd5_5555_5554_aec3),
    f64::from_bits(0x3fc9_9999_8e61_b51c),
    f64::from_bits(0xbfc2_4906_8052_a535),
    f64::from_bits(0x3fbc_322f_7039_d923),
];
/// 1.5 2^23: added to a number below 2^22, it rounds the number to an integer, which is in the low bits of the sum.
const INTEGER: f32 = 12_582_912.0;
/// From far below this magnitude on, the result is π/2, rounded.
const LARGE: f32 = f32::from_bits((127 + 60) << 23);

/// atan x.
#[crunch]
pub fn atan(x: DcFloat) -> DcFloat {
    let a = x.abs();
    let a = if a > LARGE { LARGE } else { a };
    let cell = (a + 1.0).recip().mul_add(15.0, INTEGER).to_bits().to_i64();
    let a = a.to_f64();
    let (cosine, sine) = (COSINES[cell], SINES[cell]);
    let u = a.mul_add(cosine, -sine) / a.mul_add(sine, cosine);
    u.mul_add(horner(u * u, &TANGENT), ANGLES[cell])
        .to_f32()
        .copysign(x)
}
