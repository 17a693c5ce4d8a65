//! Written by `scripts/reference_binary64.py`: change it there.

/// √½, first word.
pub(super) const SQRT_HALF_HI: f64 = f64::from_bits(0x3fe6_a09e_667f_3bcd); // 0.7071067811865476
/// √½, second word.
pub(super) const SQRT_HALF_LO: f64 = f64::from_bits(0xbc8b_dd34_13b2_6456); // -4.833646656726457e-17

/// erf(x) / x in x², first coefficients: word 1.
pub(super) const ERF_HI: [f64; 15] = doubles! {
    0x3ff2_0dd7_5042_9b6d 0xbfd8_1274_6b03_79e7 0x3fbc_e2f2_1a04_2be2 0xbf9b_82ce_3128_8b51
    0x3f75_65bc_d0e6_a53f 0xbf4c_02db_4004_0b86 0x3f1f_9a32_6f9b_89b7 0xbeef_4d25_c3e0_c2eb
    0x3ebb_9e6c_9dc6_51a3 0xbe85_f742_ec43_e71a 0x3e4f_cc57_2062_4c1c 0xbe15_1d71_81c5_d36d
    0x3dd9_e6ad_5e55_a730 0xbd9d_8453_cb0c_46ea 0x3d5f_683a_e4a9_7007
};

/// erf(x) / x in x², first coefficients: word 2.
pub(super) const ERF_LO: [f64; 15] = doubles! {
    0x3c71_ae3a_914f_ed80 0x3c6e_e12e_49ca_b700 0xbc52_871b_c5e0_0766 0x3c21_0159_78e7_ac92
    0xbbfa_73e0_832f_7e39 0x3bed_9a49_7a0f_8b0e 0x3bbe_9a23_41c7_1459 0xbb87_9b1b_9b5c_586c
    0xbb5f_e08d_49bd_93dd 0x3afd_28f0_3df9_91d8 0xbad9_2e82_d499_b600 0x3abe_dfe2_9582_f8a2
    0xba6b_f57a_648f_d29e 0x3a20_8bb6_82a5_5bf7 0xb9f1_f20d_de18_eb91
};

/// erf(x) / x in x², further coefficients.
pub(super) const ERF_TAIL: [f64; 12] = doubles! {
    0xbd1f_56f0_71a8_85cf 0x3cdd_70b3_537f_4765 0xbc9a_2007_af34_47f6 0x3c55_f791_9bc6_7b8c
    0xbc11_8cc8_a061_c479 0x3bca_b5cc_3148_9f29 0xbb83_676f_c48c_133c 0x3b3a_f83c_2fb1_9fa6
    0xbaf1_f690_c2b2_753a 0x3aa6_f928_977a_0028 0xba5c_40ab_ff27_ce65 0x3a10_baea_ddb0_47b0
};

/// e^(a²) erfc(a) / q in q - j, q = 16 / (a + 2), j from 1 to 8 side by side, coefficients 23 to 16 from the highest down.
pub(super) const ERFC_TAIL: [f64; 64] = doubles! {
    0xbba1_9746_57da_fda1 0x3b83_3c51_ac6b_3c66 0x3b4a_6d7c_8aaa_8f60 0xbb1c_8d97_eea2_7e75
    0xbb00_6189_7ffd_d17e 0x3ae7_331b_b8eb_871e 0xba9a_b2b1_f27c_a8e8 0xba94_62d3_ba0e_485d
    0x3bbb_2424_aaaf_5b48 0x3bb1_218d_9748_27b9 0xbb96_8795_3f80_fd06 0x3b6d_280a_470d_a637
    0xbb31_61f1_8644_42cc 0xbb11_0de1_ec8c_4800 0x3aee_6efb_b5ba_ebdc 0x3ac3_ab91_ae60_d60c
    0x3beb_4070_c7ea_6d0b 0xbbdf_19b1_f17c_e6f5 0x3bb7_0f84_a3b7_75a7 0xbb97_7a15_3653_f5a8
    0x3b74_02b6_eca6_2cb1 0xbb1c_ebfc_dd12_3098 0xbb27_2eae_b163_7793 0xbac1_53bd_e32e_a5fd
    0xbc06_111e_31bc_9c91 0xbbe9_4117_83ad_5378 0x3bda_12c1_ee00_cc4d 0xbb7e_04dc_b0bd_156c
    0xbba0_4f39_09d6_de40 0x3b7b_d991_88ae_7c81 0x3b52_559d_27c7_412b 0xbb30_d976_dece_3354
    0xbc36_3e34_cff6_6669 0x3c31_4ab9_bbb6_a593 0xbc17_61c6_fca4_7b9c 0x3bf4_744e_a7eb_697f
    0xbb7f_1e73_e41a_9cf8 0xbbb3_7f1c_14e2_672c 0x3b60_fccc_6dbf_4d9e 0x3b73_269f_4cca_6dc3
    0x3c50_cd8f_3a42_fddb 0xbc32_a780_2949_2105 0x3c2a_da31_bfb4_616c 0xbc22_f24d_4ddc_a8f1
    0x3c02_5cec_ccc6_41d3 0x3bd6_dc71_dde7_a28c 0xbbc3_4edf_6e59_315a 0xbba7_c2c7_74fd_52b0
    0x3c84_91e0_9ccd_075b 0xbc80_b7d7_5908_118c 0x3c66_f424_2509_0269 0x3be4_87dd_44c3_4ab3
    0xbc36_6dae_79c5_1c27 0x3c02_c5bf_d2e2_0d0c 0x3bff_ccc3_1ef6_e3d2 0x3bc6_071e_919a_2a1f
    0xbc98_07cd_81ae_9dd6 0x3c9c_9759_d9dd_357a 0xbc97_55b5_4c7d_a70d 0x3c80_c00c_ddee_161e
    0x3c4b_5532_1797_75d5 0xbc4e_7bf0_287b_1117 0xbc28_6939_bfde_d2ef 0x3c0a_50a4_208a_096c
};

/// e^(a²) erfc(a) / q in q - j, q = 16 / (a + 2), j from 1 to 8 side by side, coefficients 15 to 0: word 1.
pub(super) const ERFC_HI: [f64; 128] = doubles! {
    0xbcd5_79ca_4523_badf 0x3cce_f281_16e5_3eb0 0xbc96_4191_d7ad_ad20 0xbcae_9b37_c30e_690a
    0x3c91_b4b6_b72a_5897 0x3c80_394a_8ceb_8534 0xbc48_09de_b645_006a 0xbc53_8907_f27f_14c1
    0x3cd8_b208_5fb0_3593 0xbcf7_d393_eb4c_3b19 0x3cf2_e935_a026_9ed4 0xbcb2_d812_41f5_cb48
    0xbccd_1c79_493d_46e6 0xbc7a_d73c_540f_9354 0x3ca0_4510_58a5_6ce5 0x3c8a_2e37_1826_8b70
    0x3d28_d642_bb32_d229 0xbd1e_0be7_78a3_f7c9 0xbd0f_2f6b_163d_35e3 0x3d10_e7c8_74e0_33a2
    0x3ce8_3e62_b040_7c0f 0xbce5_f550_60b4_0775 0xbcd6_ffb3_0968_221f 0xbca5_4e20_5568_cc23
    0x3d1f_234a_a10b_6a80 0x3d51_f6f8_dc5f_17f9 0xbd46_f487_e145_9d5e 0xbd36_c036_bbc6_74e7
    0x3d26_e8d1_4062_39ca 0x3d20_f454_f1ea_5a18 0x3cf2_5df5_d73a_b210 0xbcf2_81f3_3e73_dbeb
    0xbd7e_89a1_898e_db32 0x3d71_a911_cd99_5934 0x3d77_6f52_bf4e_1f47 0xbd61_e76b_8f83_6252
    0xbd64_4ba5_8215_cfa2 0xbd38_8a7e_4961_35af 0x3d3c_925f_ffbc_0690 0x3d38_602d_7546_97ef
    0xbd99_b821_aa20_946f 0xbdab_ccef_9aab_63c5 0x3d96_b0e6_69fb_da55 0x3da2_efa3_40b4_f580
    0x3d76_b4df_63fe_a567 0xbd83_821d_04f9_8aa0 0xbd80_42c4_0767_0253 0xbd69_8eb4_9e92_3660
    0x3dd1_d87d_e0c6_986c 0xbdce_0ba9_31d3_8460 0xbdda_01fe_6bdc_9478 0xbda2_0540_9317_bd79
    0x3dc6_e032_32dd_874c 0x3dc1_cb9d_761f_2eaf 0x3da6_bc3e_8243_2957 0xbd84_deae_3fca_62a5
    0x3e03_7121_12f1_b466 0x3e06_edea_982f_6a10 0xbde4_00f8_2298_8d51 0xbe05_ba43_88ae_4b75
    0xbdfd_358f_ada7_249f 0xbdd2_285e_948f_64e2 0x3de0_e4fc_638c_2e4d 0x3de4_a58e_b035_2448
    0xbe14_103f_64cf_d1a5 0x3e33_6542_9eb0_b0f4 0x3e3d_66d3_3646_8897 0x3e2b_6fbf_9931_7abb
    0xbe16_edaf_e945_3304 0xbe2b_d074_b9e1_db46 0xbe28_b522_0c41_e0e3 0xbe1d_567c_5f01_557d
    0xbe68_3e75_b23b_71a6 0xbe62_3c5e_9e55_bc18 0x3e44_e348_4919_1241 0x3e69_517b_b715_09e6
    0x3e6c_438d_c11c_c005 0x3e62_c25f_8bf6_7895 0x3e4b_3182_6bde_e4ba 0xbe2e_11ca_1032_c599
    0xbe90_2293_e8ea_322a 0xbea0_b7cd_b55d_2f8c 0xbea3_6ffa_30e0_235c 0xbe9a_89ea_ff86_77e3
    0xbe75_7882_7a33_b84f 0x3e89_6b90_ae52_2e2d 0x3e96_33f1_4f4c_42dc 0x3e97_c4fb_b3b5_daf8
    0x3ec0_6fa2_6986_d015 0x3e76_cebf_cfa6_661e 0xbec6_d142_beea_83ac 0xbed6_06e4_1552_a670
    0xbedb_1150_ab35_f98f 0xbed9_bb2d_8d21_e0fa 0xbed4_0a61_fbb8_371c 0xbec9_6013_24c7_9d4b
    0x3f0b_7fa4_59a8_6651 0x3f0d_deff_7864_8135 0x3f0b_2e27_37fc_9b5e 0x3f02_a88e_6107_d559
    0x3ee8_6cd9_0ac3_b9a3 0xbeed_51dc_ebb1_3d26 0xbf02_e56f_99bf_4b99 0xbf0b_1913_9313_9eb4
    0x3f44_829f_8477_e032 0x3f49_f343_e53a_be9e 0x3f4f_6437_62c5_c426 0x3f51_e2de_ea6b_1175
    0x3f53_1119_5792_61b5 0x3f53_010a_646c_c50c 0x3f51_c096_ae73_2275 0x3f4f_228a_fbd6_492f
    0x3f76_92b6_5ea1_e7ef 0x3f7c_5f07_a44c_cb72 0x3f81_c652_14e6_4442 0x3f85_fd38_6754_eff9
    0x3f8a_a205_44af_2b76 0x3f8f_6b07_a45b_2613 0x3f92_0483_b553_413e 0x3f94_1bae_a085_36da
    0x3fa4_94bb_2ce2_924f 0x3fa7_c034_8489_d721 0x3fab_bb4b_72bf_870b 0x3fb0_5867_1b52_c776
    0x3fb3_6190_cd34_65ed 0x3fb7_026c_7fe2_54ef 0x3fbb_3a83_d7d7_273e 0x3fc0_0000_0000_0000
};

/// e^(a²) erfc(a) / q in q - j, q = 16 / (a + 2), j from 1 to 8 side by side, coefficients 15 to 0: word 2.
pub(super) const ERFC_LO: [f64; 128] = doubles! {
    0xb958_be44_8b4c_0792 0xb96d_c0b3_a329_46f6 0x3931_62b4_921f_f621 0xb937_3076_12b4_8a5d
    0x3936_0c9a_a756_0015 0xb927_9a0e_c99e_39a2 0xb8e5_94cf_1297_c45b 0x38d3_0e2d_6777_7e94
    0xb956_e39c_4a14_7b93 0xb997_606f_08db_9370 0xb989_e285_65dc_4dfe 0xb955_ad42_507f_93dd
    0xb955_f066_a325_67eb 0x390a_813a_68c5_3a29 0xb8f2_1076_02e1_7f86 0xb8ff_2dba_92c2_b973
    0xb9ca_d59d_41cc_f784 0xb9b5_3ac3_e12a_ffbb 0xb9af_376f_7ee3_700e 0xb9a3_16d9_4062_b2f1
    0xb985_d956_4f46_f801 0xb961_5ea8_be18_814d 0x396a_fadd_9b9d_0ead 0xb936_206d_c524_d754
    0x39a7_ab5a_3ec8_4efb 0x39fe_fbac_54d1_dd6b 0x39e5_d397_b9de_2194 0x39dd_9c4d_1a9d_7bfa
    0x39b7_6418_ca96_408f 0x39ce_0bc8_b2b3_a00b 0x3998_df99_9a09_cbc6 0x3978_b89f_55f2_baec
    0xba1c_177e_bcdb_6a3f 0xba18_77c4_6126_1778 0x3a05_8f0d_31ee_9443 0x3a03_b242_c31d_4ea6
    0x39f8_a711_344f_d41b 0xb9d5_fa22_1942_2bef 0xb9c0_17c7_1dbb_7b21 0xb9c7_0755_4b73_69d0
    0x3a38_fb03_bae8_10d8 0x3a46_5cd1_e838_70ef 0xba3c_d317_4ff8_9035 0x3a3f_2b8b_33f4_4dbc
    0x3a07_fd65_90f9_fede 0xba26_eb51_8e45_3705 0x3a28_ec11_7c9f_c898 0xba0c_e862_0b70_34ee
    0xba71_acb6_2713_3d9d 0xba6e_e851_ac9d_03f8 0xba58_27c3_545f_3eec 0xba4c_15dc_a750_c2c9
    0x3a6c_45b2_71ed_6069 0xba1d_bb00_6dbe_86fe 0x3a4f_47d1_4e93_013d 0xba19_7f72_ec9e_fe3d
    0xba84_c193_520c_4276 0x3aae_aeea_6489_1f94 0x3a74_6395_f23b_22fa 0x3aa7_15d1_7452_3ee6
    0x3a9d_13eb_959b_beee 0x3a7d_0d6a_49ec_2a84 0xba5f_d59b_9468_73c8 0x3a8f_4df8_1fed_70ae
    0xbab2_2b89_c1ef_8b00 0x3adb_ed59_271e_9e3f 0xbadd_e2dd_ebb7_17e3 0x3aca_4140_d4f8_18a1
    0xbab7_ba60_5981_107a 0x3aa5_ca52_03ac_e99c 0x3ab8_922b_68bb_f7b6 0x3ab4_33b7_18c8_55a3
    0xbaee_7da2_8a45_7a04 0x3acd_4213_6e12_f1a2 0x3ad2_eb5f_d862_f3e9 0xbaf8_7197_7ab6_6f13
    0x3b0d_4537_8908_4772 0xbb0b_52ae_80d9_82f0 0xbad1_e59d_4e17_674e 0xbaba_a18b_2e6b_61ae
    0xbb33_2943_9f8e_b9f4 0xbb49_0549_cf32_7233 0xbb3c_e152_51f4_8ae5 0x3b21_8d4b_63c1_4a22
    0xbb17_e4f1_e0de_fc3e 0xbb2c_b76f_d755_505c 0xbb3f_7669_55c5_e508 0xbb0a_4fbb_f1fb_86fe
    0xbb68_8f2a_88bb_920c 0xbb18_aac5_091a_50ec 0x3b66_5de2_c0b7_9299 0x3b7d_81b5_6559_8789
    0xbb71_e2c9_7b1f_e81b 0x3b6e_c380_0fff_65cd 0x3b3e_58b3_935a_5075 0xbb44_c0b5_1288_c10c
    0x3b7e_033e_5a43_eb83 0x3baf_14c4_275e_6611 0xbb7a_ebca_2f9f_4994 0x3bab_bf1a_bc15_c3a3
    0x3b7e_7539_44aa_8e69 0xbb73_ce8f_53ef_7333 0x3b97_e7f4_9cce_be71 0xbba9_e825_ccec_4e04
    0x3bdf_576b_7903_90e4 0xbbee_c510_7d93_41a4 0x3bee_d153_c0d4_3569 0x3bf0_b99b_a952_ae8b
    0x3bef_7ba5_221b_55a4 0xbbda_13b3_f1c5_29c8 0x3be0_8a7a_df65_460e 0xbbca_e3a9_14fe_d7fe
    0xbc07_4e33_a68d_ee1a 0xbc1a_400b_ad9c_175b 0x3c20_8c05_f0c2_d328 0xbc15_e053_7903_a5df
    0x3c10_8489_47a6_6bbf 0xbc24_e76f_6aa1_3192 0x3c31_087e_bf4c_dfd3 0x3c21_ae3a_914f_ed80
    0x3c45_7411_33d1_75ce 0x3c4c_a9ce_bb9a_1c44 0x3c39_5578_ce4a_6dff 0xbc33_b83c_701d_f899
    0x3c3b_0851_2d33_beef 0xbc0f_39df_e352_0757 0x3c4b_979d_29e9_4386 0xb769_6615_6db2_6056
};
