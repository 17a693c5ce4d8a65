//! Written by `scripts/binary64.py`: change it there.

/// 2^(j/16), as bits.
pub(super) static POWERS: [u64; 16] = [
    0x3ff0_0000_0000_0000,
    0x3ff0_b558_6cf9_890f,
    0x3ff1_72b8_3c7d_517b,
    0x3ff2_387a_6e75_6238,
    0x3ff3_06fe_0a31_b715,
    0x3ff3_dea6_4c12_3422,
    0x3ff4_bfda_d536_2a27,
    0x3ff5_ab07_dd48_5429,
    0x3ff6_a09e_667f_3bcd,
    0x3ff7_a114_73eb_0187,
    0x3ff8_ace5_422a_a0db,
    0x3ff9_c491_82a3_f090,
    0x3ffa_e89f_995a_d3ad,
    0x3ffc_199b_dd85_529c,
    0x3ffd_5818_dcfb_a487,
    0x3ffe_a4af_a2a4_90da,
];

/// What the powers lack, as a part of them.
pub(super) static TAILS: [f64; 16] = [
    f64::from_bits(0x0000_0000_0000_0000),
    f64::from_bits(0x3c97_9aa6_5d83_7b6d),
    f64::from_bits(0xbc80_1b15_eaa5_9348),
    f64::from_bits(0x3c96_8efd_e3a8_a894),
    f64::from_bits(0x3c83_4d75_4db0_abb6),
    f64::from_bits(0x3c85_9f48_a72a_4c6d),
    f64::from_bits(0x3c76_90ce_bb7a_afb0),
    f64::from_bits(0x3c90_63e1_e21c_5409),
    f64::from_bits(0xbc93_b3ef_bf5e_2228),
    f64::from_bits(0xbc7b_32dc_b94d_a51d),
    f64::from_bits(0x3c8d_b72f_c1f0_eab4),
    f64::from_bits(0x3c71_affc_2b91_ce27),
    f64::from_bits(0x3c8c_1a77_92cb_3387),
    f64::from_bits(0x3c73_6eae_30af_0cb3),
    f64::from_bits(0x3c74_a385_a63d_07a7),
    f64::from_bits(0xbc8f_f712_8fd3_91f0),
];

/// 16 / ln 2.
pub(super) const STEPS: f64 = f64::from_bits(0x4037_1547_652b_82fe); // 0x1.71547652b82fep+4

/// ln 2 / 16: its first 37 bits,
pub(super) const STEP_HI: f64 = f64::from_bits(0x3fa6_2e42_fefa_0000); // 0x1.62e42fefa0000p-5

/// and the rest.
pub(super) const STEP_LO: f64 = f64::from_bits(0x3d3c_f79a_bc9e_3b3a); // 0x1.cf79abc9e3b3ap-44

/// 16 log2 10.
pub(super) const STEPS_10: f64 = f64::from_bits(0x404a_934f_0979_a371); // 0x1.a934f0979a371p+5

/// log10 2 / 16: its first 37 bits,
pub(super) const STEP_10_HI: f64 = f64::from_bits(0x3f93_4413_509f_0000); // 0x1.34413509f0000p-6

/// and the rest times ln 10.
pub(super) const STEP_10_LO: f64 = f64::from_bits(0x3d51_8e7e_b32a_5335); // 0x1.18e7eb32a5335p-42

/// ln 2, first word.
pub(super) const LN_2_HI: f64 = f64::from_bits(0x3fe6_2e42_fefa_39ef); // 0x1.62e42fefa39efp-1

/// ln 2, second word.
pub(super) const LN_2_LO: f64 = f64::from_bits(0x3c7a_bc9e_3b39_803f); // 0x1.abc9e3b39803fp-56

/// ln 10, first word.
pub(super) const LN_10_HI: f64 = f64::from_bits(0x4002_6bb1_bbb5_5516); // 0x1.26bb1bbb55516p+1

/// ln 10, second word.
pub(super) const LN_10_LO: f64 = f64::from_bits(0xbcaf_48ad_494e_a3e9); // -0x1.f48ad494ea3e9p-53

/// ln 2^-1022: below it, e^x is subnormal.
pub(super) const LEAST: f64 = f64::from_bits(0xc086_232b_dd7a_bcd2); // -0x1.6232bdd7abcd2p+9

/// The same for 10^x.
pub(super) const LEAST_10: f64 = f64::from_bits(0xc073_3a71_46f7_2a42); // -0x1.33a7146f72a42p+8

/// Factors near 1/m of the 16 cells; m c - 1 has 53 bits, and is below 2^-4.4.
pub(super) static FACTORS: [f64; 16] = [
    f64::from_bits(0x3ff7_0000_0000_0000),
    f64::from_bits(0x3ff6_0000_0000_0000),
    f64::from_bits(0x3ff5_0000_0000_0000),
    f64::from_bits(0x3ff4_0000_0000_0000),
    f64::from_bits(0x3ff4_0000_0000_0000),
    f64::from_bits(0x3ff3_0000_0000_0000),
    f64::from_bits(0x3ff2_0000_0000_0000),
    f64::from_bits(0x3ff2_0000_0000_0000),
    f64::from_bits(0x3ff1_0000_0000_0000),
    f64::from_bits(0x3ff0_0000_0000_0000),
    f64::from_bits(0x3ff0_0000_0000_0000),
    f64::from_bits(0x3fee_0000_0000_0000),
    f64::from_bits(0x3fec_0000_0000_0000),
    f64::from_bits(0x3feb_0000_0000_0000),
    f64::from_bits(0x3fea_0000_0000_0000),
    f64::from_bits(0x3fe8_0000_0000_0000),
];

/// -ln of the factors: multiples of 2^-42,
pub(super) static LN_HI: [f64; 16] = [
    f64::from_bits(0xbfd7_39d7_f6bb_d000),
    f64::from_bits(0xbfd4_618b_c21c_6000),
    f64::from_bits(0xbfd1_675c_abab_a000),
    f64::from_bits(0xbfcc_8ff7_c79a_a000),
    f64::from_bits(0xbfcc_8ff7_c79a_a000),
    f64::from_bits(0xbfc5_ff30_70a7_a000),
    f64::from_bits(0xbfbe_2707_6e2b_0000),
    f64::from_bits(0xbfbe_2707_6e2b_0000),
    f64::from_bits(0xbfaf_0a30_c011_8000),
    f64::from_bits(0x0000_0000_0000_0000),
    f64::from_bits(0x0000_0000_0000_0000),
    f64::from_bits(0x3fb0_8598_b59e_4000),
    f64::from_bits(0x3fc1_178e_8227_e000),
    f64::from_bits(0x3fc5_bf40_6b54_4000),
    f64::from_bits(0x3fca_93ed_3c8a_e000),
    f64::from_bits(0x3fd2_6962_1134_e000),
];

/// and the rest.
pub(super) static LN_LO: [f64; 16] = [
    f64::from_bits(0xbcba_7389_314f_eb50),
    f64::from_bits(0x3d13_d82f_484c_84cc),
    f64::from_bits(0xbd38_380e_731f_55c4),
    f64::from_bits(0x3d27_794f_689f_8434),
    f64::from_bits(0x3d27_794f_689f_8434),
    f64::from_bits(0x3d38_586f_183b_ebf2),
    f64::from_bits(0x3d2a_342c_2af0_003c),
    f64::from_bits(0x3d2a_342c_2af0_003c),
    f64::from_bits(0x3d2d_599e_8336_8e91),
    f64::from_bits(0x0000_0000_0000_0000),
    f64::from_bits(0x0000_0000_0000_0000),
    f64::from_bits(0xbd17_e5dd_7009_902c),
    f64::from_bits(0x3d21_ef78_ce2d_07f2),
    f64::from_bits(0xbd12_7023_eb68_981c),
    f64::from_bits(0xbd28_7243_5056_2169),
    f64::from_bits(0xbd31_b61f_1052_2625),
];

/// ln(1 + r) less its first term, divided by r²; the lowest power first.
pub(super) const LN_SERIES: [f64; 11] = [
    f64::from_bits(0xbfe0_0000_0000_0000),
    f64::from_bits(0x3fd5_5555_5555_5557),
    f64::from_bits(0xbfd0_0000_0000_000c),
    f64::from_bits(0x3fc9_9999_9999_416f),
    f64::from_bits(0xbfc5_5555_5553_c62d),
    f64::from_bits(0x3fc2_4924_9525_ba31),
    f64::from_bits(0xbfc0_0000_08ec_01cf),
    f64::from_bits(0x3fbc_71b2_a23f_0ef6),
    f64::from_bits(0xbfb9_996c_c470_e48f),
    f64::from_bits(0x3fb7_66d7_59f2_d11f),
    f64::from_bits(0xbfb5_86ad_5443_d486),
];

/// ln 2: a multiple of 2^-42,
pub(super) const TWO_HI: f64 = f64::from_bits(0x3fe6_2e42_fefa_3800); // 0x1.62e42fefa3800p-1

/// and the rest.
pub(super) const TWO_LO: f64 = f64::from_bits(0x3d2e_f357_93c7_6730); // 0x1.ef35793c76730p-45

/// -log2 of the factors: multiples of 2^-42,
pub(super) static LOG2_HI: [f64; 16] = [
    f64::from_bits(0xbfe0_c105_00d6_3800),
    f64::from_bits(0xbfdd_6753_e032_f000),
    f64::from_bits(0xbfd9_1bba_891f_1000),
    f64::from_bits(0xbfd4_9a78_4bcd_2000),
    f64::from_bits(0xbfd4_9a78_4bcd_2000),
    f64::from_bits(0xbfcf_bc16_b902_6000),
    f64::from_bits(0xbfc5_c01a_39fb_e000),
    f64::from_bits(0xbfc5_c01a_39fb_e000),
    f64::from_bits(0xbfb6_63f6_fac9_0000),
    f64::from_bits(0x0000_0000_0000_0000),
    f64::from_bits(0x0000_0000_0000_0000),
    f64::from_bits(0x3fb7_d604_96cf_c000),
    f64::from_bits(0x3fc8_a898_0abf_c000),
    f64::from_bits(0x3fcf_5fd8_a906_4000),
    f64::from_bits(0x3fd3_2bfe_e370_f000),
    f64::from_bits(0x3fda_8ff9_7181_1000),
];

/// and the rest.
pub(super) static LOG2_LO: [f64; 16] = [
    f64::from_bits(0xbd35_32c4_12ba_94db),
    f64::from_bits(0x3d37_c407_0507_99bf),
    f64::from_bits(0xbd3c_22d2_cad4_15ae),
    f64::from_bits(0x3d31_d406_db50_2403),
    f64::from_bits(0x3d31_d406_db50_2403),
    f64::from_bits(0xbd30_1447_51b3_314f),
    f64::from_bits(0x3d32_f0c0_bfe9_dbec),
    f64::from_bits(0x3d32_f0c0_bfe9_dbec),
    f64::from_bits(0xbd33_167c_cc53_8261),
    f64::from_bits(0x0000_0000_0000_0000),
    f64::from_bits(0x0000_0000_0000_0000),
    f64::from_bits(0xbd12_ce63_12eb_b81d),
    f64::from_bits(0xbd16_6ccc_ab24_0e90),
    f64::from_bits(0xbd0c_b6f7_0109_b0f1),
    f64::from_bits(0xbd19_79a5_db68_721d),
    f64::from_bits(0xbd36_879f_a00b_120a),
];

/// log2(1 + r) less its first term, divided by r²; the lowest power first.
pub(super) const LOG2_SERIES: [f64; 11] = [
    f64::from_bits(0xbfe7_1547_652b_82fe),
    f64::from_bits(0x3fde_c709_dc3a_0400),
    f64::from_bits(0xbfd7_1547_652b_830f),
    f64::from_bits(0x3fd2_776c_50ef_5c65),
    f64::from_bits(0xbfce_c709_dc37_c421),
    f64::from_bits(0x3fca_6176_2e9b_c437),
    f64::from_bits(0xbfc7_1547_720a_a32a),
    f64::from_bits(0x3fc4_84a2_7809_ad26),
    f64::from_bits(0xbfc2_774b_f9ea_7078),
    f64::from_bits(0x3fc0_e17a_7c23_c6eb),
    f64::from_bits(0xbfbf_0e39_fa5d_f0c6),
];

/// log2 e, first word.
pub(super) const LOG2_E_HI: f64 = f64::from_bits(0x3ff7_1547_652b_82fe); // 0x1.71547652b82fep+0

/// Its second word.
pub(super) const LOG2_E_LO: f64 = f64::from_bits(0x3c77_77d0_ffda_0d24); // 0x1.777d0ffda0d24p-56

/// -log10 of the factors: multiples of 2^-42,
pub(super) static LOG10_HI: [f64; 16] = [
    f64::from_bits(0xbfc4_2c7e_7fe4_0000),
    f64::from_bits(0xbfc1_b3e7_1ec9_4000),
    f64::from_bits(0xbfbe_3bc1_ab0e_0000),
    f64::from_bits(0xbfb8_cf18_3886_4000),
    f64::from_bits(0xbfb8_cf18_3886_4000),
    f64::from_bits(0xbfb3_1b30_55c4_8000),
    f64::from_bits(0xbfaa_30a9_d60a_0000),
    f64::from_bits(0xbfaa_30a9_d60a_0000),
    f64::from_bits(0xbf9a_f5f9_2b01_0000),
    f64::from_bits(0x0000_0000_0000_0000),
    f64::from_bits(0x0000_0000_0000_0000),
    f64::from_bits(0x3f9c_b38f_ccd9_0000),
    f64::from_bits(0x3fad_b11e_d766_8000),
    f64::from_bits(0x3fb2_e3a7_40b7_8000),
    f64::from_bits(0x3fb7_15d0_ce36_8000),
    f64::from_bits(0x3fbf_fbfc_2bbc_8000),
];

/// and the rest.
pub(super) static LOG10_LO: [f64; 16] = [
    f64::from_bits(0x3d1f_f1d2_2abd_8abe),
    f64::from_bits(0xbd3e_f577_7666_4942),
    f64::from_bits(0xbd39_fe3d_562a_53f0),
    f64::from_bits(0xbd20_1936_5163_f2fc),
    f64::from_bits(0xbd20_1936_5163_f2fc),
    f64::from_bits(0x3d2d_cffc_97be_8c9c),
    f64::from_bits(0x3d20_163d_7e67_d282),
    f64::from_bits(0x3d20_163d_7e67_d282),
    f64::from_bits(0x3d19_f059_21f5_9258),
    f64::from_bits(0x0000_0000_0000_0000),
    f64::from_bits(0x0000_0000_0000_0000),
    f64::from_bits(0xbd30_0925_a535_ae72),
    f64::from_bits(0x3d35_fa19_6e1e_0dda),
    f64::from_bits(0x3cad_2885_6068_9912),
    f64::from_bits(0xbd14_1149_840e_aa65),
    f64::from_bits(0xbd1f_f229_f20e_d3d2),
];

/// log10(1 + r) less its first term, divided by r²; the lowest power first.
pub(super) const LOG10_SERIES: [f64; 11] = [
    f64::from_bits(0xbfcb_cb7b_1526_e50e),
    f64::from_bits(0x3fc2_87a7_636f_4360),
    f64::from_bits(0xbfbb_cb7b_1526_e523),
    f64::from_bits(0x3fb6_3c62_7752_0444),
    f64::from_bits(0xbfb2_87a7_636d_e8ab),
    f64::from_bits(0x3faf_c3fa_6649_a6f1),
    f64::from_bits(0xbfab_cb7b_24a6_9f15),
    f64::from_bits(0x3fa8_b4cd_65ee_4422),
    f64::from_bits(0xbfa6_3c3b_8663_4ce4),
    f64::from_bits(0x3fa4_5394_1ccb_2d83),
    f64::from_bits(0xbfa2_b283_668c_9144),
];

/// log10 2: a multiple of 2^-42,
pub(super) const LOG10_2_HI: f64 = f64::from_bits(0x3fd3_4413_509f_8000); // 0x1.34413509f8000p-2

/// and the rest.
pub(super) const LOG10_2_LO: f64 = f64::from_bits(0xbd38_0433_b83b_532a); // -0x1.80433b83b532ap-44

/// log10 e, first word.
pub(super) const LOG10_E_HI: f64 = f64::from_bits(0x3fdb_cb7b_1526_e50e); // 0x1.bcb7b1526e50ep-2

/// Its second word.
pub(super) const LOG10_E_LO: f64 = f64::from_bits(0x3c69_5355_baaa_fad3); // 0x1.95355baaafad3p-57

/// Factors near 1/m of the same cells; m c - 1 has 53 bits, and is below 2^-4.8.
pub(super) static FINE_FACTORS: [f64; 16] = [
    f64::from_bits(0x3ff7_0000_0000_0000),
    f64::from_bits(0x3ff6_0000_0000_0000),
    f64::from_bits(0x3ff5_8000_0000_0000),
    f64::from_bits(0x3ff4_8000_0000_0000),
    f64::from_bits(0x3ff3_8000_0000_0000),
    f64::from_bits(0x3ff3_0000_0000_0000),
    f64::from_bits(0x3ff2_8000_0000_0000),
    f64::from_bits(0x3ff1_8000_0000_0000),
    f64::from_bits(0x3ff1_0000_0000_0000),
    f64::from_bits(0x3ff0_8000_0000_0000),
    f64::from_bits(0x3ff0_0000_0000_0000),
    f64::from_bits(0x3fee_0000_0000_0000),
    f64::from_bits(0x3fec_8000_0000_0000),
    f64::from_bits(0x3feb_0000_0000_0000),
    f64::from_bits(0x3fe9_8000_0000_0000),
    f64::from_bits(0x3fe8_8000_0000_0000),
];

/// -ln of these factors: multiples of 2^-42,
pub(super) static FINE_HI: [f64; 16] = [
    f64::from_bits(0xbfd7_39d7_f6bb_d000),
    f64::from_bits(0xbfd4_618b_c21c_6000),
    f64::from_bits(0xbfd2_e8e2_bae1_2000),
    f64::from_bits(0xbfcf_b918_6d5e_4000),
    f64::from_bits(0xbfc9_525a_9cf4_6000),
    f64::from_bits(0xbfc5_ff30_70a7_a000),
    f64::from_bits(0xbfc2_9552_f820_0000),
    f64::from_bits(0xbfb6_f0d2_8ae5_8000),
    f64::from_bits(0xbfaf_0a30_c011_8000),
    f64::from_bits(0xbf9f_829b_0e78_0000),
    f64::from_bits(0x0000_0000_0000_0000),
    f64::from_bits(0x3fb0_8598_b59e_4000),
    f64::from_bits(0x3fbd_a727_6384_4000),
    f64::from_bits(0x3fc5_bf40_6b54_4000),
    f64::from_bits(0x3fcd_1037_f265_6000),
    f64::from_bits(0x3fd1_178e_8227_e000),
];

/// and the rest.
pub(super) static FINE_LO: [f64; 16] = [
    f64::from_bits(0xbcba_7389_314f_eb50),
    f64::from_bits(0x3d13_d82f_484c_84cc),
    f64::from_bits(0x3d26_7b1e_99b7_2bd8),
    f64::from_bits(0x3d0d_572a_ab99_3c87),
    f64::from_bits(0x3d32_9713_7d9f_158f),
    f64::from_bits(0x3d38_586f_183b_ebf2),
    f64::from_bits(0x3d35_b967_f447_1dfc),
    f64::from_bits(0x3d34_b464_1b66_4613),
    f64::from_bits(0x3d2d_599e_8336_8e91),
    f64::from_bits(0xbd29_8026_7c7e_09e4),
    f64::from_bits(0x0000_0000_0000_0000),
    f64::from_bits(0xbd17_e5dd_7009_902c),
    f64::from_bits(0x3d1a_8940_1fa7_1733),
    f64::from_bits(0xbd12_7023_eb68_981c),
    f64::from_bits(0xbd08_4a7e_75b6_f6e4),
    f64::from_bits(0x3d31_ef78_ce2d_07f2),
];

/// ln(1 + r) less r - r²/2 + r³/3, divided by r⁴; the lowest power first.
pub(super) const FINE_SERIES: [f64; 9] = [
    f64::from_bits(0xbfd0_0000_0000_0000),
    f64::from_bits(0x3fc9_9999_9999_98e4),
    f64::from_bits(0xbfc5_5555_5555_54ac),
    f64::from_bits(0x3fc2_4924_9268_d1ae),
    f64::from_bits(0xbfc0_0000_001d_6a0b),
    f64::from_bits(0x3fbc_71c4_2203_932e),
    f64::from_bits(0xbfb9_9996_d59d_804c),
    f64::from_bits(0x3fb7_5316_ebc3_0ee2),
    f64::from_bits(0xbfb5_61a8_2b6f_5fa7),
];

/// What 1/3 is more than the double next to it.
pub(super) const THIRD_LO: f64 = f64::from_bits(0x3c75_5555_5555_5555); // 0x1.5555555555555p-56

/// The cube roots of the inverses of the fine factors.
pub(super) static ROOTS_HI: [f64; 16] = [
    f64::from_bits(0x3fec_5a9e_6d4a_74e9),
    f64::from_bits(0x3fec_c6f8_f0d0_ed75),
    f64::from_bits(0x3fec_ffa4_c793_40a8),
    f64::from_bits(0x3fed_7671_2c8b_e446),
    f64::from_bits(0x3fed_f53a_c06f_02fc),
    f64::from_bits(0x3fee_37eb_fafc_64a5),
    f64::from_bits(0x3fee_7cff_05e5_a83e),
    f64::from_bits(0x3fef_0eea_ea9e_562a),
    f64::from_bits(0x3fef_5c1d_a80e_bfdb),
    f64::from_bits(0x3fef_ac66_ff1c_35cb),
    f64::from_bits(0x3ff0_0000_0000_0000),
    f64::from_bits(0x3ff0_5912_3d3a_9848),
    f64::from_bits(0x3ff0_a13d_e897_0de4),
    f64::from_bits(0x3ff0_eea9_c37e_497e),
    f64::from_bits(0x3ff1_420a_db77_c99a),
    f64::from_bits(0x3ff1_7d5a_2156_e97f),
];

/// Its second word.
pub(super) static ROOTS_LO: [f64; 16] = [
    f64::from_bits(0xbc81_82c5_05c1_852c),
    f64::from_bits(0x3c81_bcfe_413b_2229),
    f64::from_bits(0xbc7f_cb87_bb63_1168),
    f64::from_bits(0xbc63_c9c3_6ed9_88f1),
    f64::from_bits(0xbc67_685e_3f2a_2a8b),
    f64::from_bits(0xbc62_a333_318d_cb7a),
    f64::from_bits(0x3c7a_ffb8_0d40_6927),
    f64::from_bits(0xbc8d_e137_1cb1_94ae),
    f64::from_bits(0x3c68_b372_00e3_4c42),
    f64::from_bits(0x3c82_5547_d944_6f1f),
    f64::from_bits(0x0000_0000_0000_0000),
    f64::from_bits(0x3c77_0e4a_1da6_27b9),
    f64::from_bits(0x3c77_cda8_0e49_c8b8),
    f64::from_bits(0xbc94_e29b_bbb8_ca06),
    f64::from_bits(0x3c91_8d92_d001_f1e2),
    f64::from_bits(0xbc92_e323_14ef_035e),
];

/// The cube roots of 1, 2 and 4.
pub(super) static TWOS_HI: [f64; 4] = [
    f64::from_bits(0x3ff0_0000_0000_0000),
    f64::from_bits(0x3ff4_28a2_f98d_728b),
    f64::from_bits(0x3ff9_65fe_a53d_6e3d),
    f64::from_bits(0x4000_0000_0000_0000),
];

/// Its second word.
pub(super) static TWOS_LO: [f64; 4] = [
    f64::from_bits(0x0000_0000_0000_0000),
    f64::from_bits(0xbc7d_dc22_548e_a41e),
    f64::from_bits(0xbc9f_53e9_9995_2f09),
    f64::from_bits(0x0000_0000_0000_0000),
];

/// The cube root of 1 + r, less 1, divided by r; the lowest power first.
pub(super) const ROOT_SERIES: [f64; 10] = [
    f64::from_bits(0x3fd5_5555_5555_5555),
    f64::from_bits(0xbfbc_71c7_1c71_c71c),
    f64::from_bits(0x3faf_9add_3c0c_a34b),
    f64::from_bits(0xbfa5_11e8_d2b3_174b),
    f64::from_bits(0x3f9e_e711_353f_13cf),
    f64::from_bits(0xbf98_090d_6253_c61b),
    f64::from_bits(0x3f93_7508_c591_3fd1),
    f64::from_bits(0xbf90_36dc_874a_8c9e),
    f64::from_bits(0x3f8b_af9a_cb5b_c54a),
    f64::from_bits(0xbf87_fef0_f1b4_bae5),
];

/// 16 / π.
pub(super) const PLACES: f64 = f64::from_bits(0x4014_5f30_6dc9_c883); // 0x1.45f306dc9c883p+2

/// π / 16: its first 38 bits,
pub(super) const PLACE_1: f64 = f64::from_bits(0x3fc9_21fb_5444_0000); // 0x1.921fb54440000p-3

/// the next 38,
pub(super) const PLACE_2: f64 = f64::from_bits(0x3d56_8c23_4c4c_8000); // 0x1.68c234c4c8000p-42

/// and the rest.
pub(super) const PLACE_3: f64 = f64::from_bits(0xbad9_d747_f23e_32ed); // -0x1.9d747f23e32edp-82

/// π / 2, first word.
pub(super) const HALF_PI_HI: f64 = f64::from_bits(0x3ff9_21fb_5444_2d18); // 0x1.921fb54442d18p+0

/// π / 2, second word.
pub(super) const HALF_PI_LO: f64 = f64::from_bits(0x3c91_a626_3314_5c07); // 0x1.1a62633145c07p-54

/// sin(j π/16).
pub(super) static SINES_HI: [f64; 32] = [
    f64::from_bits(0x0000_0000_0000_0000),
    f64::from_bits(0x3fc8_f8b8_3c69_a60b),
    f64::from_bits(0x3fd8_7de2_a6ae_a963),
    f64::from_bits(0x3fe1_c73b_39ae_68c8),
    f64::from_bits(0x3fe6_a09e_667f_3bcd),
    f64::from_bits(0x3fea_9b66_290e_a1a3),
    f64::from_bits(0x3fed_906b_cf32_8d46),
    f64::from_bits(0x3fef_6297_cff7_5cb0),
    f64::from_bits(0x3ff0_0000_0000_0000),
    f64::from_bits(0x3fef_6297_cff7_5cb0),
    f64::from_bits(0x3fed_906b_cf32_8d46),
    f64::from_bits(0x3fea_9b66_290e_a1a3),
    f64::from_bits(0x3fe6_a09e_667f_3bcd),
    f64::from_bits(0x3fe1_c73b_39ae_68c8),
    f64::from_bits(0x3fd8_7de2_a6ae_a963),
    f64::from_bits(0x3fc8_f8b8_3c69_a60b),
    f64::from_bits(0x0000_0000_0000_0000),
    f64::from_bits(0xbfc8_f8b8_3c69_a60b),
    f64::from_bits(0xbfd8_7de2_a6ae_a963),
    f64::from_bits(0xbfe1_c73b_39ae_68c8),
    f64::from_bits(0xbfe6_a09e_667f_3bcd),
    f64::from_bits(0xbfea_9b66_290e_a1a3),
    f64::from_bits(0xbfed_906b_cf32_8d46),
    f64::from_bits(0xbfef_6297_cff7_5cb0),
    f64::from_bits(0xbff0_0000_0000_0000),
    f64::from_bits(0xbfef_6297_cff7_5cb0),
    f64::from_bits(0xbfed_906b_cf32_8d46),
    f64::from_bits(0xbfea_9b66_290e_a1a3),
    f64::from_bits(0xbfe6_a09e_667f_3bcd),
    f64::from_bits(0xbfe1_c73b_39ae_68c8),
    f64::from_bits(0xbfd8_7de2_a6ae_a963),
    f64::from_bits(0xbfc8_f8b8_3c69_a60b),
];

/// Its second word.
pub(super) static SINES_LO: [f64; 32] = [
    f64::from_bits(0x0000_0000_0000_0000),
    f64::from_bits(0xbc62_6d19_b9ff_8d82),
    f64::from_bits(0xbc67_2ced_d3d5_a610),
    f64::from_bits(0x3c8b_25dd_267f_6600),
    f64::from_bits(0xbc8b_dd34_13b2_6456),
    f64::from_bits(0x3c39_f630_e8b6_dac8),
    f64::from_bits(0x3c74_57e6_1023_1ac2),
    f64::from_bits(0x3c75_6217_2a36_1fd3),
    f64::from_bits(0x0000_0000_0000_0000),
    f64::from_bits(0x3c75_6217_2a36_1fd3),
    f64::from_bits(0x3c74_57e6_1023_1ac2),
    f64::from_bits(0x3c39_f630_e8b6_dac8),
    f64::from_bits(0xbc8b_dd34_13b2_6456),
    f64::from_bits(0x3c8b_25dd_267f_6600),
    f64::from_bits(0xbc67_2ced_d3d5_a610),
    f64::from_bits(0xbc62_6d19_b9ff_8d82),
    f64::from_bits(0x0000_0000_0000_0000),
    f64::from_bits(0x3c62_6d19_b9ff_8d82),
    f64::from_bits(0x3c67_2ced_d3d5_a610),
    f64::from_bits(0xbc8b_25dd_267f_6600),
    f64::from_bits(0x3c8b_dd34_13b2_6456),
    f64::from_bits(0xbc39_f630_e8b6_dac8),
    f64::from_bits(0xbc74_57e6_1023_1ac2),
    f64::from_bits(0xbc75_6217_2a36_1fd3),
    f64::from_bits(0x0000_0000_0000_0000),
    f64::from_bits(0xbc75_6217_2a36_1fd3),
    f64::from_bits(0xbc74_57e6_1023_1ac2),
    f64::from_bits(0xbc39_f630_e8b6_dac8),
    f64::from_bits(0x3c8b_dd34_13b2_6456),
    f64::from_bits(0xbc8b_25dd_267f_6600),
    f64::from_bits(0x3c67_2ced_d3d5_a610),
    f64::from_bits(0x3c62_6d19_b9ff_8d82),
];

/// atan(j/16), and π/2 less it.
pub(super) static ANGLES_HI: [f64; 32] = [
    f64::from_bits(0x0000_0000_0000_0000),
    f64::from_bits(0x3faf_f55b_b72c_fdea),
    f64::from_bits(0x3fbf_d5ba_9aac_2f6e),
    f64::from_bits(0x3fc7_b97b_4bce_5b02),
    f64::from_bits(0x3fcf_5b75_f92c_80dd),
    f64::from_bits(0x3fd3_6277_3707_ebcc),
    f64::from_bits(0x3fd6_f619_41e4_def1),
    f64::from_bits(0x3fda_64ee_c3cc_23fd),
    f64::from_bits(0x3fdd_ac67_0561_bb4f),
    f64::from_bits(0x3fe0_657e_94db_30d0),
    f64::from_bits(0x3fe1_e00b_abde_feb4),
    f64::from_bits(0x3fe3_45f0_1cce_37bb),
    f64::from_bits(0x3fe4_978f_a326_9ee1),
    f64::from_bits(0x3fe5_d589_8716_9b18),
    f64::from_bits(0x3fe7_00a7_c578_4634),
    f64::from_bits(0x3fe8_19d0_b715_8a4d),
    f64::from_bits(0x3ff9_21fb_5444_2d18),
    f64::from_bits(0x3ff8_2250_768a_c529),
    f64::from_bits(0x3ff7_249f_aa99_6a21),
    f64::from_bits(0x3ff6_2acb_eaca_61b8),
    f64::from_bits(0x3ff5_368c_951e_9cfd),
    f64::from_bits(0x3ff4_495d_8682_3225),
    f64::from_bits(0x3ff3_6475_03ca_f55c),
    f64::from_bits(0x3ff2_88bf_a351_2419),
    f64::from_bits(0x3ff1_b6e1_92eb_be44),
    f64::from_bits(0x3ff0_ef3c_09d6_94b0),
    f64::from_bits(0x3ff0_31f5_7e54_adbe),
    f64::from_bits(0x3fee_fe06_8bba_2275),
    f64::from_bits(0x3fed_ac67_0561_bb4f),
    f64::from_bits(0x3fec_6e6d_2171_bf18),
    f64::from_bits(0x3feb_434e_e310_13fd),
    f64::from_bits(0x3fea_2a25_f172_cfe4),
];

/// Its second word.
pub(super) static ANGLES_LO: [f64; 32] = [
    f64::from_bits(0x0000_0000_0000_0000),
    f64::from_bits(0xbc3c_934d_86d2_3f1d),
    f64::from_bits(0xbc4c_d376_8676_0c17),
    f64::from_bits(0x3c53_47b0_b4f8_81ca),
    f64::from_bits(0x3c68_ab6e_3cf7_afbd),
    f64::from_bits(0xbc69_63a5_44b6_72d8),
    f64::from_bits(0xbc7c_63aa_e6f6_e918),
    f64::from_bits(0xbc72_4dec_1b50_b7ff),
    f64::from_bits(0x3c7a_2b7f_222f_65e2),
    f64::from_bits(0xbc7d_5b49_5f63_49e6),
    f64::from_bits(0xbc59_28df_287a_668f),
    f64::from_bits(0x3c81_0211_37c7_1102),
    f64::from_bits(0x3c72_419a_87f2_a458),
    f64::from_bits(0x3c60_028e_4bc5_e7ca),
    f64::from_bits(0xbc78_c34d_25aa_def6),
    f64::from_bits(0xbc7b_f762_29d3_b917),
    f64::from_bits(0x3c91_a626_3314_5c07),
    f64::from_bits(0xbc5e_78c9_6d05_afcb),
    f64::from_bits(0x3c9a_8cc1_e748_0c68),
    f64::from_bits(0x3c3c_6ac9_f134_fa91),
    f64::from_bits(0xbc99_6f47_948a_99f1),
    f64::from_bits(0x3c94_d29a_dbab_2a62),
    f64::from_bits(0x3c81_7e21_d9a4_2c9a),
    f64::from_bits(0x3c78_e684_e7a2_281b),
    f64::from_bits(0x3c9b_1b46_6a88_828e),
    f64::from_bits(0x3c98_fcf8_8aed_2e80),
    f64::from_bits(0x3c93_38b4_259c_0270),
    f64::from_bits(0x3c82_4a3b_2e61_a70b),
    f64::from_bits(0x3c8a_2b7f_222f_65e2),
    f64::from_bits(0x3c8f_4ba8_d337_3e1b),
    f64::from_bits(0xbc80_520d_0701_d877),
    f64::from_bits(0xbc7d_7005_09da_d6ce),
];

/// (cos h - 1 + h²/2) / h⁴ in h², for |h| up to π/32.
pub(super) const QUARTIC: [f64; 3] = [
    f64::from_bits(0x3fa5_5555_5555_28bb),
    f64::from_bits(0xbf56_c16c_0c3c_7ec5),
    f64::from_bits(0x3efa_0014_1206_cfd4),
];

/// π, first word.
pub(super) const PI_HI: f64 = f64::from_bits(0x4009_21fb_5444_2d18); // 0x1.921fb54442d18p+1

/// π, second word.
pub(super) const PI_LO: f64 = f64::from_bits(0x3ca1_a626_3314_5c07); // 0x1.1a62633145c07p-53

/// 1 / π, first word.
pub(super) const INVERSE_PI_HI: f64 = f64::from_bits(0x3fd4_5f30_6dc9_c883); // 0x1.45f306dc9c883p-2

/// 1 / π, second word.
pub(super) const INVERSE_PI_LO: f64 = f64::from_bits(0xbc76_b01e_c541_7056); // -0x1.6b01ec5417056p-56

/// What 3/5 is more than the double next to it.
pub(super) const THREE_FIFTHS_LO: f64 = f64::from_bits(0x3c79_9999_9999_999a); // 0x1.999999999999ap-56

/// 12.92, first word.
pub(super) const SLOPE_OF_SRGB_HI: f64 = f64::from_bits(0x4029_d70a_3d70_a3d7); // 0x1.9d70a3d70a3d7p+3

/// 12.92, second word.
pub(super) const SLOPE_OF_SRGB_LO: f64 = f64::from_bits(0x3c94_7ae1_47ae_147b); // 0x1.47ae147ae147bp-54

/// 1 / 12.92, first word.
pub(super) const INVERSE_SLOPE_HI: f64 = f64::from_bits(0x3fb3_d072_2149_b580); // 0x1.3d0722149b580p-4

/// 1 / 12.92, second word.
pub(super) const INVERSE_SLOPE_LO: f64 = f64::from_bits(0xbc59_5cbb_0be3_77ae); // -0x1.95cbb0be377aep-58

/// 0.055, first word.
pub(super) const OFFSET_HI: f64 = f64::from_bits(0x3fac_28f5_c28f_5c29); // 0x1.c28f5c28f5c29p-5

/// 0.055, second word.
pub(super) const OFFSET_LO: f64 = f64::from_bits(0xbc14_7ae1_47ae_147b); // -0x1.47ae147ae147bp-62

/// 1.055, first word.
pub(super) const FACTOR_HI: f64 = f64::from_bits(0x3ff0_e147_ae14_7ae1); // 0x1.0e147ae147ae1p+0

/// 1.055, second word.
pub(super) const FACTOR_LO: f64 = f64::from_bits(0x3c91_eb85_1eb8_51ec); // 0x1.1eb851eb851ecp-54

/// 1 / 1.055, first word.
pub(super) const INVERSE_FACTOR_HI: f64 = f64::from_bits(0x3fee_54ed_cd0a_eb60); // 0x1.e54edcd0aeb60p-1

/// 1 / 1.055, second word.
pub(super) const INVERSE_FACTOR_LO: f64 = f64::from_bits(0xbc73_698d_f3de_0748); // -0x1.3698df3de0748p-56

/// 12/5, first word.
pub(super) const EXPONENT_HI: f64 = f64::from_bits(0x4003_3333_3333_3333); // 0x1.3333333333333p+1

/// 12/5, second word.
pub(super) const EXPONENT_LO: f64 = f64::from_bits(0x3c99_9999_9999_999a); // 0x1.999999999999ap-54

/// 5/12, first word.
pub(super) const INVERSE_EXPONENT_HI: f64 = f64::from_bits(0x3fda_aaaa_aaaa_aaab); // 0x1.aaaaaaaaaaaabp-2

/// 5/12, second word.
pub(super) const INVERSE_EXPONENT_LO: f64 = f64::from_bits(0xbc75_5555_5555_5555); // -0x1.5555555555555p-56

/// ln √(2π) - 1/2, first word.
pub(super) const STIRLING_HI: f64 = f64::from_bits(0x3fda_cfe3_90c9_7d69); // 0x1.acfe390c97d69p-2

/// ln √(2π) - 1/2, second word.
pub(super) const STIRLING_LO: f64 = f64::from_bits(0x3c73_494b_c900_1442); // 0x1.3494bc9001442p-56

/// 2 / √π, first word.
pub(super) const SLOPE_HI: f64 = f64::from_bits(0x3ff2_0dd7_5042_9b6d); // 0x1.20dd750429b6dp+0

/// 2 / √π, second word.
pub(super) const SLOPE_LO: f64 = f64::from_bits(0x3c71_ae3a_914f_ed80); // 0x1.1ae3a914fed80p-56
