//! Exponentials in binary32.
//!
//! With `x = k s + r`, where s is the logarithm of 2^(1/16) to base b and |r| <= s/2, `b^x = P + P r p(r)` for P = 2^(k/16). P comes from a table of 16
//! entries, and
//! the exponent is added to its bits. The relative error is about 2^-52. Where x is clamped, the double is far above the largest float or far below the least
//! one, so rounding gives infinity or zero. The final rounding also rounds subnormal results, once.
//!
//! `e^x - 1 = (P - 1) + P r p(r)`. Next to 0, P is 1, and `p(0)` is 1, so the relative error stays small.
//!
//! The coefficients are minimax for the relative error, which is 2^-56.9, and 2^-50.2 for `e^x - 1`. Then the last places of coefficients and powers were changed until no input was
//! misrounded (`scripts/binary32.py`).

use crate::f64::common::INTEGER;
use dc_runtime::prelude::*;

/// The bits of 2^(j/16), minus j 2^48. Adding k 2^48, with k = 16 e + j, gives the bits of 2^(k/16).
static POWERS: [u64; 16] = [
    0x3ff0_0000_0000_0000,
    0x3fef_b558_6cf9_8913,
    0x3fef_72b8_3c7d_518b,
    0x3fef_387a_6e75_6232,
    0x3fef_06fe_0a31_b6ed,
    0x3fee_dea6_4c12_340c,
    0x3fee_bfda_d536_2a3e,
    0x3fee_ab07_dd48_540f,
    0x3fee_a09e_667f_3bb4,
    0x3fee_a114_73eb_01a4,
    0x3fee_ace5_422a_a0d1,
    0x3fee_c491_82a3_f094,
    0x3fee_e89f_995a_d362,
    0x3fef_199b_dd85_52a2,
    0x3fef_5818_dcfb_a49d,
    0x3fef_a4af_a2a4_90d9,
];
/// (e^r - 1) / r, the lowest power first.
const SERIES: [f64; 6] = [
    f64::from_bits(0x3fef_ffff_ffff_fed3),
    f64::from_bits(0x3fe0_0000_0000_0099),
    f64::from_bits(0x3fc5_5555_5541_142c),
    f64::from_bits(0x3fa5_5555_55c2_7dfb),
    f64::from_bits(0x3f81_1127_2392_2755),
    f64::from_bits(0x3f56_c15d_b70b_234b),
];

/// The bits of 2^(j/16), minus j 2^48. Adding k 2^48, with k = 16 e + j, gives the bits of 2^(k/16).
static POWERS_2: [u64; 16] = [
    0x3ff0_0000_0000_0000,
    0x3fef_b558_6cf9_8917,
    0x3fef_72b8_3c7d_518d,
    0x3fef_387a_6e75_6200,
    0x3fef_06fe_0a31_b721,
    0x3fee_dea6_4c12_341b,
    0x3fee_bfda_d536_2a2e,
    0x3fee_ab07_dd48_53c7,
    0x3fee_a09e_667f_3bf4,
    0x3fee_a114_73eb_0148,
    0x3fee_ace5_422a_a133,
    0x3fee_c491_82a3_f0cb,
    0x3fee_e89f_995a_d3bd,
    0x3fef_199b_dd85_52a0,
    0x3fef_5818_dcfb_a4d2,
    0x3fef_a4af_a2a4_90c7,
];
/// (2^r - 1) / r, the lowest power first.
const SERIES_2: [f64; 6] = [
    f64::from_bits(0x3fe6_2e42_fefa_3a21),
    f64::from_bits(0x3fce_bfbd_ff82_e1dd),
    f64::from_bits(0x3fac_6b08_d6e8_ccd3),
    f64::from_bits(0x3f83_b2ab_6fe2_515e),
    f64::from_bits(0x3f55_d89b_dcd4_f728),
    f64::from_bits(0x3f24_3081_8bfb_1109),
];

/// The bits of 2^(j/16), minus j 2^48. Adding k 2^48, with k = 16 e + j, gives the bits of 2^(k/16).
static POWERS_10: [u64; 16] = [
    0x3ff0_0000_0000_0000,
    0x3fef_b558_6cf9_8909,
    0x3fef_72b8_3c7d_517c,
    0x3fef_387a_6e75_623e,
    0x3fef_06fe_0a31_b717,
    0x3fee_dea6_4c12_3421,
    0x3fee_bfda_d536_2a26,
    0x3fee_ab07_dd48_5426,
    0x3fee_a09e_667f_3bc9,
    0x3fee_a114_73eb_0186,
    0x3fee_ace5_422a_a0dd,
    0x3fee_c491_82a3_f091,
    0x3fee_e89f_995a_d3b3,
    0x3fef_199b_dd85_529e,
    0x3fef_5818_dcfb_a486,
    0x3fef_a4af_a2a4_90db,
];
/// (10^r - 1) / r, the lowest power first.
const SERIES_10: [f64; 6] = [
    f64::from_bits(0x4002_6bb1_bbb5_5520),
    f64::from_bits(0x4005_3524_c73c_ea1b),
    f64::from_bits(0x4000_4705_91ce_2edd),
    f64::from_bits(0x3ff2_bd76_0a20_9858),
    f64::from_bits(0x3fe1_42b6_12c3_98ed),
    f64::from_bits(0x3fca_7ec1_1157_3095),
];

/// The bits of 2^(j/16), minus j 2^48. Adding k 2^48, with k = 16 e + j, gives the bits of 2^(k/16).
static POWERS_M1: [u64; 16] = [
    0x3ff0_0000_0000_0000,
    0x3fef_b558_6cf9_8910,
    0x3fef_72b8_3c7d_517a,
    0x3fef_387a_6e75_6232,
    0x3fef_06fe_0a31_b71d,
    0x3fee_dea6_4c12_342e,
    0x3fee_bfda_d536_2a03,
    0x3fee_ab07_dd48_5413,
    0x3fee_a09e_667f_3bb6,
    0x3fee_a114_73eb_018e,
    0x3fee_ace5_422a_a08a,
    0x3fee_c491_82a3_f0ab,
    0x3fee_e89f_995a_d39f,
    0x3fef_199b_dd85_529e,
    0x3fef_5818_dcfb_a483,
    0x3fef_a4af_a2a4_90d9,
];
/// (e^r - 1) / r, the lowest power first.
const SERIES_M1: [f64; 6] = [
    f64::from_bits(0x3ff0_0000_0000_0000),
    f64::from_bits(0x3fdf_ffff_ffff_fd89),
    f64::from_bits(0x3fc5_5555_5551_eeeb),
    f64::from_bits(0x3fa5_5555_5548_6631),
    f64::from_bits(0x3f81_1122_76a5_b826),
    f64::from_bits(0x3f56_c184_37b5_4b2c),
];

/// 16 / ln 2, and its negated inverse.
pub(super) const STEPS: f64 = f64::from_bits(0x4037_1547_652b_82fe);
pub(super) const STEP: f64 = -f64::from_bits(0x3fa6_2e42_fefa_39ef);
/// 16 log2 10, and its negated inverse.
const STEPS_10: f64 = f64::from_bits(0x404a_934f_0979_a371);
const STEP_10: f64 = -f64::from_bits(0x3f93_4413_509f_79ff);
/// Adding this number rounds to a multiple of 1/16.
const SIXTEENTHS: f64 = INTEGER / 16.0;

/// `P + P r p(r)` for the integer k in the low bits of `t`.
#[crunch]
fn grown(t: DcDouble, r: DcDouble, powers: &[u64], series: &[f64]) -> DcFloat {
    let n = t.to_bits();
    let power = DcDouble::from_bits(powers[n] + (n << 48));
    (power * r).mul_add(horner(r, series), power).to_f32()
}

/// Up to this magnitude, no exponent of a power is out of range.
const MODERATE: f32 = 256.0;

/// Whether x is not moderate.
#[crunch]
pub fn is_huge(x: DcFloat) -> DcMask {
    !(x.abs() <= MODERATE)
}

/// e^x of a moderate number.
#[crunch]
pub fn exp_short(x: DcFloat) -> DcFloat {
    let x = x.to_f64();
    let t = x.mul_add(STEPS, INTEGER);
    grown(t, (t - INTEGER).mul_add(STEP, x), &POWERS, &SERIES)
}

/// e^x.
#[crunch]
pub fn exp(x: DcFloat) -> DcFloat {
    exp_short(x.clamp(-104.0, 89.0))
}

/// 2^x of a moderate number. The reduction is exact.
#[crunch]
pub fn exp2_short(x: DcFloat) -> DcFloat {
    let x = x.to_f64();
    let t = x + SIXTEENTHS;
    grown(t, x - (t - SIXTEENTHS), &POWERS_2, &SERIES_2)
}

/// 2^x.
#[crunch]
pub fn exp2(x: DcFloat) -> DcFloat {
    exp2_short(x.clamp(-151.0, 129.0))
}

/// 10^x of a moderate number.
#[crunch]
pub fn exp10_short(x: DcFloat) -> DcFloat {
    let x = x.to_f64();
    let t = x.mul_add(STEPS_10, INTEGER);
    grown(t, (t - INTEGER).mul_add(STEP_10, x), &POWERS_10, &SERIES_10)
}

/// 10^x.
#[crunch]
pub fn exp10(x: DcFloat) -> DcFloat {
    exp10_short(x.clamp(-46.0, 39.0))
}

/// e^x - 1 of a moderate number. For k = 0 the difference is exactly 0, and it is subtracted, so that -0 stays -0.
#[crunch]
pub fn expm1_short(x: DcFloat) -> DcFloat {
    let x = x.to_f64();
    let t = x.mul_add(STEPS, INTEGER);
    let r = (t - INTEGER).mul_add(STEP, x);
    let n = t.to_bits();
    let power = DcDouble::from_bits(POWERS_M1[n] + (n << 48));
    (power * r)
        .mul_add(horner(r, &SERIES_M1), -(1.0 - power))
        .to_f32()
}

/// e^x - 1.
#[crunch]
pub fn expm1(x: DcFloat) -> DcFloat {
    expm1_short(x.clamp(-104.0, 89.0))
}
