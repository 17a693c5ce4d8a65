//! Written by `scripts/reference_binary64.py`: change it there.

/// pi, first word.
pub(super) const PI_HI: f64 = f64::from_bits(0x4009_21fb_5444_2d18); // 3.141592653589793
/// pi, second word.
pub(super) const PI_LO: f64 = f64::from_bits(0x3ca1_a626_3314_5c07); // 1.2246467991473532e-16
/// pi / 2, first word.
pub(super) const HALF_PI_HI: f64 = f64::from_bits(0x3ff9_21fb_5444_2d18); // 1.5707963267948966
/// pi / 2, second word.
pub(super) const HALF_PI_LO: f64 = f64::from_bits(0x3c91_a626_3314_5c07); // 6.123233995736766e-17
/// 1 / pi, first word.
pub(super) const RECIP_PI_HI: f64 = f64::from_bits(0x3fd4_5f30_6dc9_c883); // 0.3183098861837907
/// 1 / pi, second word.
pub(super) const RECIP_PI_LO: f64 = f64::from_bits(0xbc76_b01e_c541_7056); // -1.9678676675182486e-17

/// atan(t) / t in t², first coefficients: word 1.
pub(super) const ATAN_HI: [f64; 4] = doubles! {
    0x3ff0_0000_0000_0000 0xbfd5_5555_5555_5555 0x3fc9_9999_9999_999a 0xbfc2_4924_9249_2492
};

/// atan(t) / t in t², first coefficients: word 2.
pub(super) const ATAN_LO: [f64; 4] = doubles! {
    0x0000_0000_0000_0000 0xbc75_5555_5555_5555 0xbc69_9999_9999_999a 0xbc62_4924_9249_2492
};

/// atan(t) / t in t², further coefficients.
pub(super) const ATAN_TAIL: [f64; 5] = doubles! {
    0x3fbc_71c7_1c71_c71c 0xbfb7_45d1_745d_1746 0x3fb3_b13b_13b1_3b14 0xbfb1_1111_1111_1111
    0x3fae_1e1e_1e1e_1e1e
};

/// atan(j / 64): word 1.
pub(super) const ANGLES_HI: [f64; 65] = doubles! {
    0x0000_0000_0000_0000 0x3f8f_ff55_5bbb_729b 0x3f9f_fd55_bba9_7625 0x3fa7_fb81_8430_da2a
    0x3faf_f55b_b72c_fdea 0x3fb3_f59f_0e7c_559d 0x3fb7_ee18_2602_f10f 0x3fbb_e39e_be6f_07c3
    0x3fbf_d5ba_9aac_2f6e 0x3fc1_e1fa_fb04_3727 0x3fc3_d6ee_e8c6_626c 0x3fc5_c981_1e3e_c26a
    0x3fc7_b97b_4bce_5b02 0x3fc9_a6a8_e96c_8626 0x3fcb_90d7_5292_60a2 0x3fcd_77d5_df20_5736
    0x3fcf_5b75_f92c_80dd 0x3fd0_9dc5_97d8_6362 0x3fd1_8bf5_a30b_f178 0x3fd2_7837_2057_ef46
    0x3fd3_6277_3707_ebcc 0x3fd4_4aa4_36c2_af0a 0x3fd5_30ad_9951_cd4a 0x3fd6_1484_0309_cfe2
    0x3fd6_f619_41e4_def1 0x3fd7_d560_4b63_b3f7 0x3fd8_b24d_394a_1b25 0x3fd9_8cd5_454d_6b18
    0x3fda_64ee_c3cc_23fd 0x3fdb_3a91_1da6_5c6c 0x3fdc_0db4_c94e_c9f0 0x3fdc_de53_432c_1351
    0x3fdd_ac67_0561_bb4f 0x3fde_77eb_7f17_5a34 0x3fdf_40dd_0b54_1418 0x3fe0_039c_73c1_a40c
    0x3fe0_657e_94db_30d0 0x3fe0_c614_5b5b_43da 0x3fe1_255d_9bfb_d2a9 0x3fe1_835a_88be_7c13
    0x3fe1_e00b_abde_feb4 0x3fe2_3b71_e2cc_9e6a 0x3fe2_958e_5930_8e31 0x3fe2_ee62_8406_cbca
    0x3fe3_45f0_1cce_37bb 0x3fe3_9c39_1cd4_171a 0x3fe3_f13f_b89e_96f4 0x3fe4_4506_5b79_5b56
    0x3fe4_978f_a326_9ee1 0x3fe4_e8de_5bb6_ec04 0x3fe5_38f5_7b89_061f 0x3fe5_87d8_1f73_2fbb
    0x3fe5_d589_8716_9b18 0x3fe6_220d_115d_7b8e 0x3fe6_6d66_3923_e087 0x3fe6_b798_920b_3d99
    0x3fe7_00a7_c578_4634 0x3fe7_4897_8fba_8e0f 0x3fe7_8f6b_bd5d_315e 0x3fe7_d528_289f_a093
    0x3fe8_19d0_b715_8a4d 0x3fe8_5d69_576c_c2c5 0x3fe8_9ff5_ff57_f1f8 0x3fe8_e17a_a99c_c05e
    0x3fe9_21fb_5444_2d18
};

/// atan(j / 64): word 2.
pub(super) const ANGLES_LO: [f64; 65] = doubles! {
    0x0000_0000_0000_0000 0xbc22_20c3_9d4d_ff50 0xbc35_ec43_1444_912c 0xbc08_6ef8_f794_f105
    0xbc3c_934d_86d2_3f1d 0x3c5a_c4ce_285d_f847 0xbc5c_fb65_4c0c_3d98 0x3c5f_7b8f_29a0_5987
    0xbc4c_d376_8676_0c17 0xbc4b_4859_14da_cf8c 0x3c66_1a3b_0ce9_281b 0xbc50_54ab_2c01_0f3d
    0x3c53_47b0_b4f8_81ca 0x3c4c_f601_e7b4_348e 0x3c21_7b10_d2e0_e5ab 0x3c6c_648d_1534_597e
    0x3c68_ab6e_3cf7_afbd 0x3c76_2e47_390c_b865 0x3c63_0ca4_748b_1bf9 0xbc70_77cd_d36d_fc81
    0xbc69_63a5_44b6_72d8 0xbc75_d5e4_3c55_b3ba 0xbc62_5664_8088_4082 0xbc7a_7257_1571_1f00
    0xbc7c_63aa_e6f6_e918 0x3c76_9c88_5c2b_249a 0x3c7b_6d0b_a374_8fa8 0x3c79_e6c9_88fd_0a77
    0xbc72_4dec_1b50_b7ff 0x3c7a_e187_b1ca_5040 0xbc7c_c1ce_7093_4c34 0xbc7a_2cfa_4418_f1ad
    0x3c7a_2b7f_222f_65e2 0x3c70_e53d_c1bf_3435 0xbc6a_3992_dc38_2a23 0xbc8b_32c9_49c9_d593
    0xbc7d_5b49_5f63_49e6 0x3c59_74fa_13b5_404f 0xbc52_bdae_e1c0_ee35 0x3c8c_621c_ec00_c301
    0xbc59_28df_287a_668f 0x3c6c_421c_9f38_224e 0xbc70_9e73_b0c6_c087 0x3c8c_5d5e_9ff0_cf8d
    0x3c81_0211_37c7_1102 0xbc82_3043_31d8_bf46 0x3c7e_cf8b_4926_44f0 0xbc7f_76d0_163f_79c8
    0x3c72_419a_87f2_a458 0x3c84_a33d_beb3_796c 0xbc81_bb74_abda_520c 0xbc75_e5c9_d8c5_a950
    0x3c60_028e_4bc5_e7ca 0xbc62_b785_350e_e8c1 0xbc76_ea6f_ebe8_bbba 0xbc8a_8038_6188_c50e
    0xbc78_c34d_25aa_def6 0x3c47_b2a6_1658_84a1 0x3c84_06a0_8980_3740 0x3c85_6082_1e2f_3aa9
    0xbc7b_f762_29d3_b917 0x3c66_b66e_7fc8_b8c3 0xbc85_5b9a_5e17_7a1b 0xbc7e_c182_ab04_2f61
    0x3c81_a626_3314_5c07
};
