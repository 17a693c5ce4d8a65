//! Written by `scripts/library_constants.py`: change it there.

/// ln 2: its first 42 bits,
pub(super) const LN2_HI: f64 = f64::from_bits(0x3fe6_2e42_fefa_3800); // 0.6931471805598903
/// and the rest, rounded.
pub(super) const LN2_LO: f64 = f64::from_bits(0x3d2e_f357_93c7_6730); // 5.497923018708371e-14

/// ln(1 + r) - r from r^2 on; absolute error 2^-64.06 for |r| <= 2^-8.
pub(super) const SERIES: [f64; 5] = [
    f64::from_bits(0xbfe0_0000_0000_0001), // -0.5000000000000001
    f64::from_bits(0x3fd5_5555_5550_a068), // 0.3333333333162103
    f64::from_bits(0xbfcf_ffff_ffea_61ac), // -0.24999999996067623
    f64::from_bits(0x3fc9_99b4_d242_9bfb), // 0.20000324503527608
    f64::from_bits(0xbfc5_5576_f3b3_d916), // -0.1666706743196264
];

/// ln(1 + r) - r + r^2 / 2 from r^3 on; error relative to ln(1 + r) 2^-62.19 for -2^-4 <= r <= 265/4096.
pub(super) const NEAR_ONE: [f64; 10] = [
    f64::from_bits(0x3fd5_5555_5555_5577), // 0.3333333333333352
    f64::from_bits(0xbfcf_ffff_ffff_fdcb), // -0.24999999999998432
    f64::from_bits(0x3fc9_9999_9995_dd03), // 0.19999999999320303
    f64::from_bits(0xbfc5_5555_5567_43eb), // -0.16666666669928473
    f64::from_bits(0x3fc2_4924_a344_f630), // 0.1428571507657792
    f64::from_bits(0xbfbf_ffff_a44c_ceab), // -0.12499997864943661
    f64::from_bits(0x3fbc_7184_27ff_4d64), // 0.11110712028976405
    f64::from_bits(0xbfb9_99eb_3913_bc30), // -0.10000486510738038
    f64::from_bits(0x3fb7_8183_054f_a195), // 0.09181994323410543
    f64::from_bits(0xbfb5_5216_fb37_ecfb), // -0.08328384049666575
];

/// Doubles near the inverses of the stretches' centers.
pub(super) const INVERSES: [f64; 128] = doubles! {
    0x3ff7_34f0_c583_79d1 0x3ff7_1378_6dee_fec1 0x3ff6_f260_1736_87b7 0x3ff6_d1a6_26b5_04ff
    0x3ff6_b149_0acf_8057 0x3ff6_9147_3acb_4524 0x3ff6_719f_3651_c3d0 0x3ff6_524f_85ad_c639
    0x3ff6_3356_b8de_e4ec 0x3ff6_14b3_686b_5e7e 0x3ff5_f664_346d_024e 0x3ff5_d867_c427_d9b0
    0x3ff5_babc_c689_79c7 0x3ff5_9d61_f166_5bfd 0x3ff5_8056_01a2_4100 0x3ff5_6397_bac2_5867
    0x3ff5_4725_e6f6_dffd 0x3ff5_2aff_56c8_88f2 0x3ff5_0f22_e149_57dd 0x3ff4_f38f_632f_6d80
    0x3ff4_d843_bf27_5e4a 0x3ff4_bd3e_ddcc_2744 0x3ff4_a27f_ad89_05e5 0x3ff4_8805_223d_49d1
    0x3ff4_6dce_34c4_d39b 0x3ff4_53d9_e34e_fda0 0x3ff4_3a27_311d_3f6a 0x3ff4_20b5_26e8_29f9
    0x3ff4_0782_d135_7fa3 0x3ff3_ee8f_42b8_5333 0x3ff3_d5d9_91d0_7b61 0x3ff3_bd60_d966_e75a
    0x3ff3_a524_387c_4311 0x3ff3_8d22_d38f_deab 0x3ff3_755b_d1f4_13f0 0x3ff3_5dce_5fd1_ec65
    0x3ff3_4679_ad0b_ce2f 0x3ff3_2f5c_edb0_7c82 0x3ff3_1877_5918_06a3 0x3ff3_01c8_2ae1_efe5
    0x3ff2_eb4e_a247_b26c 0x3ff2_d50a_0172_687e 0x3ff2_bef9_8eef_2a33 0x3ff2_a91c_9339_0032
    0x3ff2_9372_5bfd_08c7 0x3ff2_7dfa_3931_41ee 0x3ff2_68b3_7d0a_c2d7 0x3ff2_539d_7ead_0aed
    0x3ff2_3eb7_9747_5497 0x3ff2_2a01_22d9_30cf 0x3ff2_1579_8075_6dc9 0x3ff2_0120_1228_0aa8
    0x3ff1_ecf4_3caf_44aa 0x3ff1_d8f5_676d_dcb8 0x3ff1_c522_fc59_7d53 0x3ff1_b17c_687e_6444
    0x3ff1_9e01_19f1_5e68 0x3ff1_8ab0_83bb_b541 0x3ff1_778a_1938_f719 0x3ff1_648d_51b1_9cd7
    0x3ff1_51b9_a43e_0e18 0x3ff1_3f0e_8d57_a7a9 0x3ff1_2c8b_8a23_821b 0x3ff1_1a30_19e6_afd2
    0x3ff1_07fb_be3c_bef8 0x3ff0_f5ed_fad2_6769 0x3ff0_e406_55bd_ea39 0x3ff0_d244_5653_a8ca
    0x3ff0_c0a7_86bd_f8f1 0x3ff0_af2f_7250_1cb6 0x3ff0_9ddb_a6e5_7875 0x3ff0_8cab_b3ab_25ee
    0x3ff0_7b9f_29f8_ced6 0x3ff0_6ab5_9cd4_a313 0x3ff0_59ee_a0ac_1c6d 0x3ff0_4949_cc34_56ce
    0x3ff0_38c6_b7d1_1d28 0x3ff0_2864_fc95_6b26 0x3ff0_1824_3665_c238 0x3ff0_0804_023e_c29d
    0x3fef_e01f_e08a_4ac1 0x3fef_a11c_aa5e_11f4 0x3fef_6310_acfb_ed88 0x3fef_25f6_444d_9d40
    0x3fee_e9c7_f8b7_4055 0x3fee_ae80_7af3_877b 0x3fee_741a_a5c6_5b98 0x3fee_3a91_7a4d_54be
    0x3fee_01e0_1e04_0bc6 0x3fed_ca01_dd10_ada0 0x3fed_92f2_2373_17e8 0x3fed_5cac_80dd_7fa1
    0x3fed_272c_a44b_5339 0x3fec_f26e_5c98_9694 0x3fec_be6d_96a1_c63f 0x3fec_8b26_5b2c_c2d4
    0x3fec_5894_d171_e22d 0x3fec_26b5_397d_0679 0x3feb_f583_eeec_e73f 0x3feb_c4fd_65e1_c220
    0x3feb_951e_2b5b_26c0 0x3feb_65e2_e3fd_27d9 0x3feb_3748_4b22_cf13 0x3feb_094b_3204_b69b
    0x3fea_dbe8_7fcb_c9b8 0x3fea_af1d_2fda_7801 0x3fea_82e6_516f_cc9e 0x3fea_5741_07ac_72ad
    0x3fea_2c2a_8811_2586 0x3fea_01a0_1a37_1f83 0x3fe9_d79f_17a7_e74c 0x3fe9_ae24_ea85_8c97
    0x3fe9_852f_0dea_4f53 0x3fe9_5cbb_0c3c_3533 0x3fe9_34c6_7ff1_a83f 0x3fe9_0d4f_122e_552e
    0x3fe8_e652_7b44_ff44 0x3fe8_bfce_80a5_894d 0x3fe8_99c0_f658_9355 0x3fe8_7427_bd0a_38d0
    0x3fe8_4f00_c2af_6f74 0x3fe8_2a4a_01b2_a5bd 0x3fe8_0601_80a3_0918 0x3fe7_e225_5182_83c9
    0x3fe7_beb3_927b_98ae 0x3fe7_9baa_6c0c_d78e 0x3fe7_7908_11d3_d694 0x3fe7_56ca_c227_dd05
};

/// The negated logarithms of these: multiples of 2^-43, within 2^-66.
pub(super) const LOGS: [f64; 128] = doubles! {
    0xbfd7_cc7f_7e69_0000 0xbfd7_6fee_cc79_4800 0xbfd7_13e3_3b04_b800 0xbfd6_b85b_4d8f_5800
    0xbfd6_5d55_8dca_1800 0xbfd6_02d0_8bad_0800 0xbfd5_a8ca_dca4_0800 0xbfd5_4f43_1cc4_2000
    0xbfd4_f637_ecad_2800 0xbfd4_9da7_f463_f800 0xbfd4_4591_e119_4800 0xbfd3_edf4_646e_2800
    0xbfd3_96ce_365c_a800 0xbfd3_401e_1373_e000 0xbfd2_e9e2_bdbe_1800 0xbfd2_941a_fbe9_f000
    0xbfd2_3ec5_99d1_4800 0xbfd1_e9e1_67ea_e800 0xbfd1_956d_3c44_a800 0xbfd1_4167_f031_5800
    0xbfd0_edd0_619e_6000 0xbfd0_9aa5_735a_c800 0xbfd0_47e6_0d19_8000 0xbfcf_eb22_3560_2000
    0xbfcf_474b_15ef_3000 0xbfce_a444_a25a_1000 0xbfce_020c_c8f0_7000 0xbfcd_60a1_82fc_a000
    0xbfcc_c000_cad5_2000 0xbfcc_2028_ab8f_b000 0xbfcb_8117_31ad_8000 0xbfca_e2ca_711e_7000
    0xbfca_4540_82f0_5000 0xbfc9_a877_8efd_9000 0xbfc9_0c6d_bb16_5000 0xbfc8_7121_38a0_6000
    0xbfc7_d690_3dd1_c000 0xbfc7_3cb9_0925_5000 0xbfc6_a399_dbf0_e000 0xbfc6_0b31_017a_2000
    0xbfc5_737c_caee_a000 0xbfc4_dc7b_8b51_6000 0xbfc4_462b_a1c2_c000 0xbfc3_b08b_6932_f000
    0xbfc3_1b99_4f15_e000 0xbfc2_8753_bff2_a000 0xbfc1_f3b9_2761_3000 0xbfc1_60c8_030b_c000
    0xbfc0_ce7e_cf1d_3000 0xbfc0_3cdc_0be4_7000 0xbfbf_57bc_800e_6000 0xbfbe_3707_f059_a000
    0xbfbd_1797_8ac8_a000 0xbfbb_f968_7a2f_a000 0xbfba_dc77_f1c4_2000 0xbfb9_c0c3_3531_e000
    0xbfb8_a647_7b8d_4000 0xbfb7_8d02_28b8_e000 0xbfb6_74f0_8ae1_4000 0xbfb5_5e10_0f7c_4000
    0xbfb4_485e_0791_2000 0xbfb3_33d7_fa25_6000 0xbfb2_207b_5f99_a000 0xbfb1_0e45_b780_0000
    0xbfaf_fa69_18ad_c000 0xbfad_da8a_e017_8000 0xbfab_bcec_0375_c000 0xbfa9_a187_b906_4000
    0xbfa7_8859_6043_8000 0xbfa5_715c_4ffe_4000 0xbfa3_5c8c_011f_c000 0xbfa1_49e3_ea7f_4000
    0xbf9e_72bf_3795_0000 0xbf9a_55f5_5f15_0000 0xbf96_3d61_8683_8000 0xbf92_28fb_2745_0000
    0xbf8c_3173_aba8_0000 0xbf84_192a_0863_0000 0xbf78_1212_2882_0000 0xbf60_0401_d11c_0000
    0x3f6f_f00a_37dc_0000 0x3f87_dc47_4836_0000 0x3f93_cea4_37ab_8000 0x3f9b_9fc0_2238_0000
    0x3fa1_b0d9_81c8_c000 0x3fa5_8a5b_ac09_0000 0x3fa9_5c83_0bb2_0000 0x3fad_276b_835d_4000
    0x3fb0_7598_3586_6000 0x3fb2_53f6_2b42_c000 0x3fb4_2edc_bbca_0000 0x3fb6_0658_a5ac_2000
    0x3fb7_da76_6ac5_a000 0x3fb9_ab42_433a_c000 0x3fbb_78c8_2620_2000 0x3fbd_4313_d4b3_4000
    0x3fbf_0a30_bc84_e000 0x3fc0_6715_1165_e000 0x3fc1_4785_8292_b000 0x3fc2_266f_176d_c000
    0x3fc3_03d7_17b1_8000 0x3fc3_dfc2_afca_1000 0x3fc4_ba36_f23a_a000 0x3fc5_9338_d8c9_d000
    0x3fc6_6acd_416b_8000 0x3fc7_40f8_f3b4_4000 0x3fc8_15c0_a013_9000 0x3fc8_e928_dd3e_7000
    0x3fc9_bb36_2d0a_2000 0x3fca_8bec_fb80_e000 0x3fcb_5b51_9d64_1000 0x3fcc_2968_549a_7000
    0x3fcc_f635_4c3e_9000 0x3fcd_c1bc_9eec_1000 0x3fce_8c02_50f3_3000 0x3fcf_550a_5566_c000
    0x3fd0_0e6c_44d5_f800 0x3fd0_71b8_5f21_4800 0x3fd0_d46b_56b8_4800 0x3fd1_3687_01d2_e800
    0x3fd1_980d_2d42_4000 0x3fd1_f8ff_9dc9_8000 0x3fd2_5960_102d_2000 0x3fd2_b930_3a4c_e000
    0x3fd3_1871_c883_2000 0x3fd3_7726_61d5_0800 0x3fd3_d54f_a526_6000 0x3fd4_32ef_299b_9800
};
