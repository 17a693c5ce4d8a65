//! Logarithms in binary32.
//!
//! `x = 2^e m`, 33/64 < m <= 33/32. m lies in one of 16 cells of equal length. Each cell has a factor c near 1/m with at most five binary places, so `r = m c -
//! 1` is exact in binary32, and |r| < 0.0342. The number of steps down from cell 0 is `n = -16 e + j`, where j is the cell:
//!
//! ```text
//! log x = -n (log 2)/16 + (j (log 2)/16 - log c) + r p(r).
//! ```
//!
//! The number in brackets comes from a table. It is below 0.07, so the sum with n loses no digits. In cell 0 it is -0, c is 1, and `1 + x` is not rounded: the
//! relative error stays small near 1, and zeros keep their sign, because n counts down.
//!
//! The relative error of `log(1 + r)` is 2^-43 for the logarithms of x. It is 2^-48.9 for those of 1 + x, which have many more inputs near the zero. Away from
//! the zero, this error is a small part of the result. The coefficients are minimax for this error. Then the last places of coefficients and tables were
//! changed until few inputs were misrounded, or none; `exceptions.rs` lists them (`scripts/binary32.py`).

use super::exceptions::*;
use dc_runtime::prelude::*;

/// The bits of 33/32, the end of cell 0.
const END: i32 = 0x3f84_0000;
/// The sign and exponent bits of a float.
const EXPONENT: i32 = -0x0080_0000;
/// Added to the bits of numbers, it makes the bits of positive normal numbers the least integers, in order.
const ORDER: i32 = 0x7f80_0000;
/// The place of infinity in this order, and 2^125.
const INFINITY: i32 = -0x0100_0000;
const LARGE_ORDER: i32 = -0x0280_0000;
/// From here on `ln(1 + x)` is computed as `ln x`, because the factor of 1 + x would be subnormal.
const LARGE: f32 = f32::from_bits(0x7e00_0000);
/// 2^24, and its number of steps.
const UP: f32 = 16_777_216.0;
const STEPS_UP: i32 = 24 * 16;

/// The factors of the cells.
static FACTORS: [f32; 16] = [
    1.0, 1.03125, 1.0625, 1.09375, 1.15625, 1.1875, 1.21875, 1.28125, 1.34375, 1.375, 1.4375,
    1.53125, 1.59375, 1.6875, 1.78125, 1.875,
];
/// (ln 2) / 16, negated.
const LN_STEP: f64 = f64::from_bits(0xbfa6_2e42_fefa_39ef);
/// The numbers of the cells,
static LN: [f64; 16] = [
    -0.0,
    f64::from_bits(0x3f89_b3d5_def8_81d0),
    f64::from_bits(0x3f9a_a4aa_7bc6_2400),
    f64::from_bits(0x3fa4_a923_e723_d7ae),
    f64::from_bits(0x3f9c_c780_36d2_28bd),
    f64::from_bits(0x3fa6_ea8d_3844_d2d7),
    f64::from_bits(0x3faf_cc27_860c_005d),
    f64::from_bits(0x3fac_5f73_435e_9be7),
    f64::from_bits(0x3faa_2b02_20c8_e6c8),
    f64::from_bits(0x3fb2_49fe_72f4_89f6),
    f64::from_bits(0x3fb1_ffef_1ff3_dfed),
    f64::from_bits(0x3fa9_d525_165c_043f),
    f64::from_bits(0x3fab_87d3_cdac_9231),
    f64::from_bits(0x3fa4_7238_b062_4849),
    f64::from_bits(0x3f9d_e391_9228_3213),
    f64::from_bits(0x3f95_b9dc_d884_74be),
];
/// and log(1 + r) / r, the lowest power first.
const LN_SERIES: [f64; 7] = [
    f64::from_bits(0x3ff0_0000_0000_0000),
    f64::from_bits(0xbfe0_0000_0002_99a0),
    f64::from_bits(0x3fd5_5555_561c_01a8),
    f64::from_bits(0xbfcf_fffe_9c80_3c3b),
    f64::from_bits(0x3fc9_9998_b796_53da),
    f64::from_bits(0xbfc5_5e60_9837_68db),
    f64::from_bits(0x3fc2_3525_72c6_9ba6),
];
/// The same for 1 + x.
static LN_P1: [f64; 16] = [
    -0.0,
    f64::from_bits(0x3f89_b3d5_def8_8182),
    f64::from_bits(0x3f9a_a4aa_7bc6_21f1),
    f64::from_bits(0x3fa4_a923_e723_d726),
    f64::from_bits(0x3f9c_c780_36d2_2751),
    f64::from_bits(0x3fa6_ea8d_3844_d250),
    f64::from_bits(0x3faf_cc27_860b_ffd4),
    f64::from_bits(0x3fac_5f73_435e_9cec),
    f64::from_bits(0x3faa_2b02_20c8_e5b5),
    f64::from_bits(0x3fb2_49fe_72f4_8809),
    f64::from_bits(0x3fb1_ffef_1ff3_e113),
    f64::from_bits(0x3fa9_d525_165c_01b7),
    f64::from_bits(0x3fab_87d3_cdac_90d4),
    f64::from_bits(0x3fa4_7238_b062_47aa),
    f64::from_bits(0x3f9d_e391_9228_3324),
    f64::from_bits(0x3f95_b9dc_d884_7401),
];
const LN_P1_SERIES: [f64; 8] = [
    f64::from_bits(0x3ff0_0000_0000_0000),
    f64::from_bits(0xbfdf_ffff_ffff_ff70),
    f64::from_bits(0x3fd5_5555_5559_f4d2),
    f64::from_bits(0xbfd0_0000_0321_4d6c),
    f64::from_bits(0x3fc9_9997_d64a_cc95),
    f64::from_bits(0xbfc5_54ea_f96d_9c9a),
    f64::from_bits(0x3fc2_5479_b376_5c79),
    f64::from_bits(0xbfc1_6661_1bdc_8394),
];
/// (log2 2) / 16, negated.
const LOG2_STEP: f64 = -0.0625;
/// The numbers of the cells,
static LOG2: [f64; 16] = [
    -0.0,
    f64::from_bits(0x3f92_8a59_14e2_04f2),
    f64::from_bits(0x3fa3_3812_0a6d_d9d3),
    f64::from_bits(0x3fad_ce9d_cc96_1872),
    f64::from_bits(0x3fa4_c287_492c_4db0),
    f64::from_bits(0x3fb0_87d2_8dfb_2fec),
    f64::from_bits(0x3fb6_efe1_53c7_e31a),
    f64::from_bits(0x3fb4_7778_c98b_cc87),
    f64::from_bits(0x3fb2_e050_231d_f57d),
    f64::from_bits(0x3fba_62b0_7f34_57c4),
    f64::from_bits(0x3fb9_f7d7_f94e_2acd),
    f64::from_bits(0x3fb2_a260_2afe_f4ca),
    f64::from_bits(0x3fb3_dbee_cb3b_1662),
    f64::from_bits(0x3fad_7f62_a418_f8d2),
    f64::from_bits(0x3fa5_8f70_a7fe_b2c8),
    f64::from_bits(0x3f9f_5812_5b3e_ed32),
];
/// and log(1 + r) / r, the lowest power first.
const LOG2_SERIES: [f64; 7] = [
    f64::from_bits(0x3ff7_1547_652b_82fe),
    f64::from_bits(0xbfe7_1547_652f_c9ac),
    f64::from_bits(0x3fde_c709_dc50_24b3),
    f64::from_bits(0xbfd7_1546_7eaf_1c20),
    f64::from_bits(0x3fd2_776a_ecd6_9df9),
    f64::from_bits(0xbfce_d31d_1005_153d),
    f64::from_bits(0x3fca_6ef9_2606_b994),
];
/// The same for 1 + x.
static LOG2_P1: [f64; 16] = [
    -0.0,
    f64::from_bits(0x3f92_8a59_14e2_050c),
    f64::from_bits(0x3fa3_3812_0a6d_d9d1),
    f64::from_bits(0x3fad_ce9d_cc96_181a),
    f64::from_bits(0x3fa4_c287_492c_4d4c),
    f64::from_bits(0x3fb0_87d2_8dfb_316f),
    f64::from_bits(0x3fb6_efe1_53c7_e389),
    f64::from_bits(0x3fb4_7778_c98b_cca6),
    f64::from_bits(0x3fb2_e050_231d_f4b7),
    f64::from_bits(0x3fba_62b0_7f34_5761),
    f64::from_bits(0x3fb9_f7d7_f94e_29a9),
    f64::from_bits(0x3fb2_a260_2afe_f61d),
    f64::from_bits(0x3fb3_dbee_cb3b_1619),
    f64::from_bits(0x3fad_7f62_a418_f90a),
    f64::from_bits(0x3fa5_8f70_a7fe_b346),
    f64::from_bits(0x3f9f_5812_5b3e_ed4e),
];
const LOG2_P1_SERIES: [f64; 8] = [
    f64::from_bits(0x3ff7_1547_652b_82fe),
    f64::from_bits(0xbfe7_1547_652b_784b),
    f64::from_bits(0x3fde_c709_dc35_c753),
    f64::from_bits(0xbfd7_1547_6911_ba5b),
    f64::from_bits(0x3fd2_776d_4521_a226),
    f64::from_bits(0xbfce_c713_7192_c074),
    f64::from_bits(0x3fca_5ac2_4203_7239),
    f64::from_bits(0xbfc6_1490_1cf6_f88b),
];
/// (log10 2) / 16, negated.
const LOG10_STEP: f64 = f64::from_bits(0xbf93_4413_509f_79ff);
/// The numbers of the cells,
static LOG10: [f64; 16] = [
    -0.0,
    f64::from_bits(0x3f76_532c_251b_7980),
    f64::from_bits(0x3f87_245a_ec7c_1ad1),
    f64::from_bits(0x3f91_f216_be92_a6b1),
    f64::from_bits(0x3f88_ff54_7577_ce79),
    f64::from_bits(0x3f93_e79f_3c0b_9d84),
    f64::from_bits(0x3f9b_9e72_c191_08f8),
    f64::from_bits(0x3f98_a4f3_e5af_623b),
    f64::from_bits(0x3f96_baaf_47c5_b248),
    f64::from_bits(0x3f9f_c574_df50_cf1b),
    f64::from_bits(0x3f9f_44cd_271a_e357),
    f64::from_bits(0x3f96_701a_ca7d_4c03),
    f64::from_bits(0x3f97_e9aa_4173_1152),
    f64::from_bits(0x3f91_c263_10ff_90a2),
    f64::from_bits(0x3f89_f611_6d42_500b),
    f64::from_bits(0x3f82_def8_f872_8b4e),
];
/// and log(1 + r) / r, the lowest power first.
const LOG10_SERIES: [f64; 7] = [
    f64::from_bits(0x3fdb_cb7b_1526_e589),
    f64::from_bits(0xbfcb_cb7b_152a_23b7),
    f64::from_bits(0x3fc2_87a7_63af_1a29),
    f64::from_bits(0xbfbb_cb7a_40cd_b768),
    f64::from_bits(0x3fb6_3c5e_54fb_9b48),
    f64::from_bits(0xbfb2_8d7f_99c2_f9e0),
    f64::from_bits(0x3faf_e92b_366b_f8d1),
];
/// The same for 1 + x.
static LOG10_P1: [f64; 16] = [
    -0.0,
    f64::from_bits(0x3f76_532c_251b_78f6),
    f64::from_bits(0x3f87_245a_ec7c_1af8),
    f64::from_bits(0x3f91_f216_be92_a59a),
    f64::from_bits(0x3f88_ff54_7577_cf6a),
    f64::from_bits(0x3f93_e79f_3c0b_9d96),
    f64::from_bits(0x3f9b_9e72_c191_088b),
    f64::from_bits(0x3f98_a4f3_e5af_5fe6),
    f64::from_bits(0x3f96_baaf_47c5_b20b),
    f64::from_bits(0x3f9f_c574_df50_ce30),
    f64::from_bits(0x3f9f_44cd_271a_e4bd),
    f64::from_bits(0x3f96_701a_ca7d_4e0f),
    f64::from_bits(0x3f97_e9aa_4173_11f7),
    f64::from_bits(0x3f91_c263_10ff_91f1),
    f64::from_bits(0x3f89_f611_6d42_4f20),
    f64::from_bits(0x3f82_def8_f872_8c1d),
];
const LOG10_P1_SERIES: [f64; 8] = [
    f64::from_bits(0x3fdb_cb7b_1526_e50e),
    f64::from_bits(0xbfcb_cb7b_1526_edf4),
    f64::from_bits(0x3fc2_87a7_636b_37ca),
    f64::from_bits(0xbfbb_cb7b_1041_2594),
    f64::from_bits(0x3fb6_3c61_aa9b_2e2c),
    f64::from_bits(0xbfb2_87b3_28a4_f6d5),
    f64::from_bits(0x3faf_d3e6_b465_871d),
    f64::from_bits(0xbfac_3a52_3c3b_0dea),
];

/// Whether x is not positive, normal and finite.
#[crunch]
pub fn is_special(x: DcFloat) -> DcMask {
    x.to_bits() + ORDER >= INFINITY
}

/// n and r for a positive normal number.
#[crunch]
fn split(x: DcFloat) -> (DcInt, DcDouble) {
    let bits = x.to_bits();
    let below = END - bits;
    let n = below >> 19;
    let m = DcFloat::from_bits(bits + (below & EXPONENT));
    (n, m.mul_add(FACTORS[n], -1.0).to_f64())
}

/// The sum of n steps, the cell's number, and `r p(r)`.
#[crunch]
fn summed(n: DcInt, r: DcDouble, step: DcDouble, cells: &[f64], series: &[f64]) -> DcFloat {
    let head = n.to_f64().mul_add(step, cells[n.to_i64()]);
    r.mul_add(horner(r, series), head).to_f32()
}

/// ln x of a positive normal number.
#[crunch]
pub fn log_short(x: DcFloat) -> DcFloat {
    let (n, r) = split(x);
    patched(x, summed(n, r, LN_STEP, &LN, &LN_SERIES), &LOG_AT, &LOG_TO)
}

/// log2 x of a positive normal number.
#[crunch]
pub fn log2_short(x: DcFloat) -> DcFloat {
    let (n, r) = split(x);
    summed(n, r, LOG2_STEP, &LOG2, &LOG2_SERIES)
}

/// log10 x of a positive normal number.
#[crunch]
pub fn log10_short(x: DcFloat) -> DcFloat {
    let (n, r) = split(x);
    patched(
        x,
        summed(n, r, LOG10_STEP, &LOG10, &LOG10_SERIES),
        &LOG10_AT,
        &LOG10_TO,
    )
}

/// n and r for any positive number.
#[crunch]
fn split_all(x: DcFloat) -> (DcInt, DcDouble) {
    let small = x < f32::MIN_POSITIVE;
    let (n, r) = split(if small { x * UP } else { x });
    (if small { n + STEPS_UP } else { n }, r)
}

/// `y` where `u` is positive and finite; infinities where it is 0 or infinite; NaN elsewhere.
#[crunch]
fn domain(u: DcFloat, y: DcFloat) -> DcFloat {
    let other = if u == 0.0 {
        f32::NEG_INFINITY
    } else {
        f32::NAN
    };
    let other = if u == f32::INFINITY { u } else { other };
    let inside = (u > 0.0) & (u < f32::INFINITY);
    if inside { y } else { other }
}

/// ln x.
#[crunch]
pub fn log(x: DcFloat) -> DcFloat {
    let (n, r) = split_all(x);
    let y = summed(n, r, LN_STEP, &LN, &LN_SERIES);
    domain(x, patched(x, y, &LOG_AT, &LOG_TO))
}

/// log2 x.
#[crunch]
pub fn log2(x: DcFloat) -> DcFloat {
    let (n, r) = split_all(x);
    domain(x, summed(n, r, LOG2_STEP, &LOG2, &LOG2_SERIES))
}

/// log10 x.
#[crunch]
pub fn log10(x: DcFloat) -> DcFloat {
    let (n, r) = split_all(x);
    let y = summed(n, r, LOG10_STEP, &LOG10, &LOG10_SERIES);
    domain(x, patched(x, y, &LOG10_AT, &LOG10_TO))
}

/// Whether 1 + x is not positive, or from `LARGE` on.
#[crunch]
pub fn is_special_p1(x: DcFloat) -> DcMask {
    (x + 1.0).to_bits() + ORDER >= LARGE_ORDER
}

/// n and r for 1 + x. Only the choice of the cell uses a rounded 1 + x. If `1 + x` is exactly 1, r is x.
#[crunch]
fn split_p1(x: DcFloat) -> (DcInt, DcDouble) {
    let below = END - (x + 1.0).to_bits();
    let n = below >> 19;
    let factor = DcFloat::from_bits(FACTORS[n].to_bits() + (below & EXPONENT)).to_f64();
    (n, x.to_f64().mul_add(factor, -(1.0 - factor)))
}

/// ln(1 + x) for numbers that are not special.
#[crunch]
pub fn log1p_short(x: DcFloat) -> DcFloat {
    let (n, r) = split_p1(x);
    let y = summed(n, r, LN_STEP, &LN_P1, &LN_P1_SERIES);
    patched_at(x, y, x.to_bits() >> 1, &LOG1P_AT, &LOG1P_TO)
}

/// Whether 1 + x is special, or x is an exception. Then a group without exceptions selects no results.
#[crunch]
pub fn is_special_log1p(x: DcFloat) -> DcMask {
    is_special_p1(x) | is_listed(x, x.to_bits() >> 1, &LOG1P_AT)
}

/// ln(1 + x) for numbers that are neither.
#[crunch]
pub fn log1p_of_unlisted(x: DcFloat) -> DcFloat {
    let (n, r) = split_p1(x);
    summed(n, r, LN_STEP, &LN_P1, &LN_P1_SERIES)
}

/// log2(1 + x) for numbers that are not special.
#[crunch]
pub fn log2p1_short(x: DcFloat) -> DcFloat {
    let (n, r) = split_p1(x);
    patched(
        x,
        summed(n, r, LOG2_STEP, &LOG2_P1, &LOG2_P1_SERIES),
        &LOG2P1_AT,
        &LOG2P1_TO,
    )
}

/// log10(1 + x) for numbers that are not special.
#[crunch]
pub fn log10p1_short(x: DcFloat) -> DcFloat {
    let (n, r) = split_p1(x);
    patched(
        x,
        summed(n, r, LOG10_STEP, &LOG10_P1, &LOG10_P1_SERIES),
        &LOG10P1_AT,
        &LOG10P1_TO,
    )
}

/// ln(1 + x).
#[crunch]
pub fn log1p(x: DcFloat) -> DcFloat {
    let large = log_short(x);
    let y = log1p_short(x);
    domain(x + 1.0, if x < LARGE { y } else { large })
}

/// log2(1 + x).
#[crunch]
pub fn log2p1(x: DcFloat) -> DcFloat {
    let large = log2_short(x);
    let y = log2p1_short(x);
    domain(x + 1.0, if x < LARGE { y } else { large })
}

/// log10(1 + x).
#[crunch]
pub fn log10p1(x: DcFloat) -> DcFloat {
    let large = log10_short(x);
    let y = log10p1_short(x);
    domain(x + 1.0, if x < LARGE { y } else { large })
}
