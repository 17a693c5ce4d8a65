//! Written by `scripts/reference_binary64.py`: change it there.

/// pi, first word.
pub(super) const PI_HI: f64 = f64::from_bits(0x4009_21fb_5444_2d18); // 3.141592653589793
/// pi, second word.
pub(super) const PI_LO: f64 = f64::from_bits(0x3ca1_a626_3314_5c07); // 1.2246467991473532e-16
/// ln(2 pi) / 2, first word.
pub(super) const HALF_LN_2_PI_HI: f64 = f64::from_bits(0x3fed_67f1_c864_beb5); // 0.9189385332046728
/// ln(2 pi) / 2, second word.
pub(super) const HALF_LN_2_PI_LO: f64 = f64::from_bits(0xbc86_5b5a_1b7f_f5df); // -3.8782941580672414e-17
/// ln(pi / 2) / 2, first word.
pub(super) const HALF_LN_HALF_PI_HI: f64 = f64::from_bits(0x3fcc_e6bb_25aa_1316); // 0.22579135264472744
/// ln(pi / 2) / 2, second word.
pub(super) const HALF_LN_HALF_PI_LO: f64 = f64::from_bits(0xbc5d_cd49_c8e5_aff6); // -6.4622584878775846e-18

/// 1 / Γ(1 + v) in v, first coefficients: word 1.
pub(super) const RECIP_GAMMA_HI: [f64; 18] = doubles! {
    0x3ff0_0000_0000_0000 0x3fe2_788c_fc6f_b619 0xbfe4_fcf4_026a_fa2e 0xbfa5_815e_8fa2_7048
    0x3fc5_5123_20b4_3fbe 0xbfa5_9af1_03c3_4092 0xbf83_b4af_2848_3e21 0x3f7d_919c_527f_60b2
    0xbf53_1711_2ce3_a2a8 0xbf2c_364f_e6f1_563d 0x3f20_c8a7_8cd9_f9d2 0xbef5_1ce8_af47_eabe
    0xbeb4_fad4_1fc3_4fbb 0x3eb3_0250_9dbc_0de3 0xbe8b_9986_666c_225d 0x3e3a_44b7_ba22_d634
    0x3e35_7bc3_fc38_4334 0xbe14_4b4c_edca_3a5b
};

/// 1 / Γ(1 + v) in v, first coefficients: word 2.
pub(super) const RECIP_GAMMA_LO: [f64; 18] = doubles! {
    0x0000_0000_0000_0000 0xbc56_cb90_701f_bfab 0x3c78_a3db_7a90_c42a 0x3c3b_85ea_59bc_363b
    0x3c67_7e9b_fd84_d0f8 0xbc4e_f8da_0241_c652 0xbc23_8dbc_f40c_13b0 0xbc1a_9171_4b0b_3760
    0x3bf0_b489_22be_97e5 0x3ba6_707e_cd4f_6eb1 0xbbc6_193e_5ed9_d600 0x3b42_730e_417d_3556
    0xbb40_1768_7c69_13a8 0xbb4c_5b41_ab4f_8aa5 0xbb0d_2537_a8c3_c972 0x3ad9_bf8a_9d6b_1d74
    0x3abb_593c_f173_be00 0xbab9_70e9_f641_8550
};

/// 1 / Γ(1 + v) in v, further coefficients.
pub(super) const RECIP_GAMMA_TAIL: [f64; 11] = doubles! {
    0x3ddc_ae76_75c1_85b8 0x3da1_1d06_5c01_2464 0xbd90_423b_ac8c_826d 0x3d61_f201_4f51_4bbf
    0xbd17_2cb8_8f46_9cac 0xbcf8_15f4_099a_d644 0x3cd6_1984_b29b_949d 0xbca1_06ed_cc71_8ab6
    0x3c35_e2e7_9259_8260 0x3c3a_99ce_3f3d_a671 0xbc10_f0e9_5137_6541
};

/// ln Γ(2 + v) / v in v, first coefficients: word 1.
pub(super) const LN_GAMMA_HI: [f64; 24] = doubles! {
    0x3fdb_0ee6_0720_93ce 0x3fd4_a34c_c4a6_0fa6 0xbfb1_3e00_1a55_7607 0x3f95_1322_ac7d_8483
    0xbf7e_404f_c218_f5f2 0x3f67_add6_eadb_6c30 0xbf53_8ac5_c2bf_8e08 0x3f40_b36a_f863_96e9
    0xbf2d_3fd4_c76d_2fc8 0x3f1a_127b_0f17_d65a 0xbf07_8de5_bd7c_81ef 0x3ef5_80dc_ee66_eb02
    0xbee3_cbc9_63ce_2243 0x3ed2_597a_39f3_4aac 0xbec1_1b2e_b767_9537 0x3eb0_064c_deb2_2f06
    0xbe9e_2600_d93d_0383 0x3e8c_76bb_b3f0_807a 0xbe7a_f5a6_cbbe_0310 0x3e69_9b93_c205_8d0e
    0xbe58_62c7_3527_05b6 0x3e47_469d_ad15_b5a2 0xbe36_434a_7a34_340e 0x3e25_55a8_6e2b_23df
};

/// ln Γ(2 + v) / v in v, first coefficients: word 2.
pub(super) const LN_GAMMA_LO: [f64; 24] = doubles! {
    0x3c56_cb90_701f_bfab 0x3c71_873d_8912_200c 0x3c5f_b68b_e2f8_8227 0x3c3a_fc89_088c_b719
    0x3c1e_4a62_7cf0_f3c6 0xbbf5_b782_8c7d_f521 0x3be8_a4c1_d598_e616 0xbbe0_698d_6f56_d249
    0x3bbc_7c43_c587_fbe2 0x3ba9_d31b_4466_9135 0x3b7a_6560_b4a7_87bc 0x3b82_4f7f_9dbc_d3e2
    0x3b89_2a17_b0d8_2a8c 0xbb76_9fdc_2e41_6eef 0xbb66_2d37_0455_44d2 0xbb53_3c44_950c_d659
    0x3b3c_f523_08c1_24d6 0xbb10_61c9_0ed0_db1b 0x3b19_70b0_a728_2b2d 0x3b04_606b_2236_0120
    0x3afc_538b_b3cc_6151 0xbaec_57df_7f24_3685 0x3ac7_057f_bde5_c1c9 0x3a87_fc6b_bc9d_260b
};

/// ln Γ(2 + v) / v in v, further coefficients.
pub(super) const LN_GAMMA_TAIL: [f64; 14] = doubles! {
    0xbe14_7b17_8f5b_dce2 0x3e03_b15e_3a9f_9608 0xbdf2_f683_a346_f4ab 0x3de2_491c_3630_d927
    0xbdd1_a932_fa13_5809 0x3dc1_127e_75c2_4b98 0xbdb0_7300_b45d_b1f6 0x3d9f_de92_d2c6_fa21
    0xbd90_15fd_373b_b5db 0x3d7f_3b31_d0fa_85a8 0xbd66_be6f_6677_84d8 0x3d56_1735_c31b_a044
    0xbd58_a26f_1274_da48 0x3d48_013b_3031_2e08
};

/// Stirling's series of x (ln Γ(x) - …) in 1 / x², first coefficients: word 1.
pub(super) const STIRLING_HI: [f64; 6] = doubles! {
    0x3fb5_5555_5555_5555 0xbf66_c16c_16c1_6c17 0x3f4a_01a0_1a01_a01a 0xbf43_8138_1381_3814
    0x3f4b_951e_2b18_ff23 0xbf5f_6ab0_d999_3c7d
};

/// Stirling's series of x (ln Γ(x) - …) in 1 / x², first coefficients: word 2.
pub(super) const STIRLING_LO: [f64; 6] = doubles! {
    0x3c55_5555_5555_5555 0x3bff_49f4_9f49_f49f 0x3b8a_01a0_1a01_a01a 0x3bef_b1fb_1fb1_fb20
    0x3be5_c3a9_ce01_b952 0x3bff_8255_3c99_9b0e
};

/// Stirling's series of x (ln Γ(x) - …) in 1 / x², further coefficients.
pub(super) const STIRLING_TAIL: [f64; 10] = doubles! {
    0x3f7a_41a4_1a41_a41a 0xbf9e_4286_cb0f_5398 0x3fc6_fe96_381e_0680 0xbff6_4767_0118_1f3a
    0x402a_ce44_322c_e006 0xc063_9b25_25cc_cc1b 0x40a1_2234_e81b_4e82 0xc0e1_a198_ae1c_4ab8
    0x4125_1a20_89a6_e11a 0xc16d_1089_b142_d357
};
