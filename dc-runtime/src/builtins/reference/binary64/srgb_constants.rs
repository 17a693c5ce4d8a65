//! Written by `scripts/reference_binary64.py`: change it there.

/// 0.055, first word.
pub(super) const OFFSET_HI: f64 = f64::from_bits(0x3fac_28f5_c28f_5c29); // 0.055
/// 0.055, second word.
pub(super) const OFFSET_LO: f64 = f64::from_bits(0xbc14_7ae1_47ae_147b); // -2.7755575615628914e-19
/// 1 / 1.055, first word.
pub(super) const RECIP_SLOPE_HI: f64 = f64::from_bits(0x3fee_54ed_cd0a_eb60); // 0.9478672985781991
/// 1 / 1.055, second word.
pub(super) const RECIP_SLOPE_LO: f64 = f64::from_bits(0xbc73_698d_f3de_0748); // -1.6837505586732233e-17
/// 12.92, first word.
pub(super) const LINEAR_HI: f64 = f64::from_bits(0x4029_d70a_3d70_a3d7); // 12.92
/// 12.92, second word.
pub(super) const LINEAR_LO: f64 = f64::from_bits(0x3c94_7ae1_47ae_147b); // 7.105427357601002e-17
/// 1 / 12.92, first word.
pub(super) const RECIP_LINEAR_HI: f64 = f64::from_bits(0x3fb3_d072_2149_b580); // 0.07739938080495357
/// 1 / 12.92, second word.
pub(super) const RECIP_LINEAR_LO: f64 = f64::from_bits(0xbc59_5cbb_0be3_77ae); // -5.499556778328949e-18
/// 0.4, first word.
pub(super) const FOUR_TENTHS_HI: f64 = f64::from_bits(0x3fd9_9999_9999_999a); // 0.4
/// 0.4, second word.
pub(super) const FOUR_TENTHS_LO: f64 = f64::from_bits(0xbc79_9999_9999_999a); // -2.2204460492503132e-17
/// 5 / 12, first word.
pub(super) const FIVE_TWELFTHS_HI: f64 = f64::from_bits(0x3fda_aaaa_aaaa_aaab); // 0.4166666666666667
/// 5 / 12, second word.
pub(super) const FIVE_TWELFTHS_LO: f64 = f64::from_bits(0xbc75_5555_5555_5555); // -1.850371707708594e-17

/// 2^(j/5): word 1.
pub(super) const FIFTHS_HI: [f64; 5] = doubles! {
    0x3ff0_0000_0000_0000 0x3ff2_6111_86ba_e675 0x3ff5_1cb4_53b9_536c 0x3ff8_4060_03b2_ae5c
    0x3ffb_db8c_dadb_e120
};

/// 2^(j/5): word 2.
pub(super) const FIFTHS_LO: [f64; 5] = doubles! {
    0x0000_0000_0000_0000 0xbc9a_56b7_86f7_e27c 0x3c91_5a4e_a11d_b2e6 0x3c9a_e64d_1cc8_3ab8
    0x3c80_a7b0_e985_93fd
};

/// 1.055 * 2^(j/12): word 1.
pub(super) const TWELFTHS_HI: [f64; 12] = doubles! {
    0x3ff0_e147_ae14_7ae1 0x3ff1_e23c_9716_1343 0x3ff2_f279_096d_b5c3 0x3ff4_12e5_9cac_c4fe
    0x3ff5_4478_bd09_b501 0x3ff6_8837_7de9_b1b0 0x3ff7_df36_78ef_3102 0x3ff9_4a9a_ba4c_0412
    0x3ffa_cb9a_bb20_cf2e 0x3ffc_637f_6abf_d285 0x3ffe_13a5_47b5_a563 0x3fff_dd7d_8987_ffd8
};

/// 1.055 * 2^(j/12): word 2.
pub(super) const TWELFTHS_LO: [f64; 12] = doubles! {
    0x3c91_eb85_1eb8_51ec 0x3c7c_1f77_caaf_1f6f 0xbc92_8fc7_3613_f03e 0x3c58_c733_a65a_3201
    0xbc99_79bd_88dc_a95e 0xbc66_939b_995f_a550 0x3c6c_81d7_d4a3_7dfa 0xbc7a_896a_5f63_b8c6
    0xbc74_d7de_e966_3202 0xbc4f_9f56_b1b5_d4b2 0xbc9a_7d7d_b863_f600 0x3c74_e0b0_bc41_0794
};
