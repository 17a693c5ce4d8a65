//! Written by `scripts/reference_binary64.py`: change it there.

/// 128 / ln 2.
pub(super) const STEPS: f64 = f64::from_bits(0x4067_1547_652b_82fe); // 184.6649652337873
/// ln 2 / 128: its first 35 bits,
pub(super) const STEP_1: f64 = f64::from_bits(0x3f76_2e42_fef8_0000); // 0.005415212347998022
/// the next 35 that are not all 0,
pub(super) const STEP_2: f64 = f64::from_bits(0x3d41_cf79_abc8_0000); // 1.2655086083012853e-13
/// and the rest, rounded.
pub(super) const STEP_3: f64 = f64::from_bits(0x3b0e_3b39_803f_2f6b); // 3.1258479278239995e-24
/// 128 log2 10.
pub(super) const STEPS_10: f64 = f64::from_bits(0x407a_934f_0979_a371); // 425.20679614558236
/// log10 2 / 128: its first 35 bits,
pub(super) const STEP_10_1: f64 = f64::from_bits(0x3f63_4413_509c_0000); // 0.0023517968410260437
/// the next 35 that are not all 0,
pub(super) const STEP_10_2: f64 = f64::from_bits(0x3d3b_cff7_988c_0000); // 9.88093936037186e-14
/// and the rest, rounded.
pub(super) const STEP_10_3: f64 = f64::from_bits(0x3b0c_4acd_605b_e48c); // 2.925344532741668e-24
/// ln 2, first word.
pub(super) const LN_2_HI: f64 = f64::from_bits(0x3fe6_2e42_fefa_39ef); // 0.6931471805599453
/// ln 2, second word.
pub(super) const LN_2_LO: f64 = f64::from_bits(0x3c7a_bc9e_3b39_803f); // 2.3190468138462996e-17
/// ln 10, first word.
pub(super) const LN_10_HI: f64 = f64::from_bits(0x4002_6bb1_bbb5_5516); // 2.302585092994046
/// ln 10, second word.
pub(super) const LN_10_LO: f64 = f64::from_bits(0xbcaf_48ad_494e_a3e9); // -2.1707562233822494e-16
/// 1 / 6, first word.
pub(super) const SIXTH_HI: f64 = f64::from_bits(0x3fc5_5555_5555_5555); // 0.16666666666666666
/// 1 / 6, second word.
pub(super) const SIXTH_LO: f64 = f64::from_bits(0x3c65_5555_5555_5555); // 9.25185853854297e-18
/// 1 / 120, first word.
pub(super) const HUNDRED_TWENTIETH_HI: f64 = f64::from_bits(0x3f81_1111_1111_1111); // 0.008333333333333333
/// 1 / 120, second word.
pub(super) const HUNDRED_TWENTIETH_LO: f64 = f64::from_bits(0x3c01_1111_1111_1111); // 1.1564823173178714e-19

/// 2^(i/128): word 1.
pub(super) const POWERS_HI: [f64; 128] = doubles! {
    0x3ff0_0000_0000_0000 0x3ff0_163d_a9fb_3335 0x3ff0_2c9a_3e77_8061 0x3ff0_4315_e86e_7f85
    0x3ff0_59b0_d315_8574 0x3ff0_706b_29dd_f6de 0x3ff0_8745_1875_9bc8 0x3ff0_9e3e_cac6_f383
    0x3ff0_b558_6cf9_890f 0x3ff0_cc92_2b72_47f7 0x3ff0_e3ec_32d3_d1a2 0x3ff0_fb66_affe_d31b
    0x3ff1_1301_d012_5b51 0x3ff1_2abd_c06c_31cc 0x3ff1_429a_aea9_2de0 0x3ff1_5a98_c8a5_8e51
    0x3ff1_72b8_3c7d_517b 0x3ff1_8af9_388c_8dea 0x3ff1_a35b_eb6f_cb75 0x3ff1_bbe0_8404_5cd4
    0x3ff1_d487_3168_b9aa 0x3ff1_ed50_22fc_d91d 0x3ff2_063b_8862_8cd6 0x3ff2_1f49_917d_dc96
    0x3ff2_387a_6e75_6238 0x3ff2_51ce_4fb2_a63f 0x3ff2_6b45_65e2_7cdd 0x3ff2_84df_e1f5_6381
    0x3ff2_9e9d_f51f_dee1 0x3ff2_b87f_d0da_d990 0x3ff2_d285_a6e4_030b 0x3ff2_ecaf_a93e_2f56
    0x3ff3_06fe_0a31_b715 0x3ff3_2170_fc4c_d831 0x3ff3_3c08_b264_16ff 0x3ff3_56c5_5f92_9ff1
    0x3ff3_71a7_373a_a9cb 0x3ff3_8cae_6d05_d866 0x3ff3_a7db_34e5_9ff7 0x3ff3_c32d_c313_a8e5
    0x3ff3_dea6_4c12_3422 0x3ff3_fa45_04ac_801c 0x3ff4_160a_21f7_2e2a 0x3ff4_31f5_d950_a897
    0x3ff4_4e08_6061_892d 0x3ff4_6a41_ed1d_0057 0x3ff4_86a2_b5c1_3cd0 0x3ff4_a32a_f0d7_d3de
    0x3ff4_bfda_d536_2a27 0x3ff4_dcb2_99fd_dd0d 0x3ff4_f9b2_769d_2ca7 0x3ff5_16da_a2cf_6642
    0x3ff5_342b_569d_4f82 0x3ff5_51a4_ca5d_920f 0x3ff5_6f47_36b5_27da 0x3ff5_8d12_d497_c7fd
    0x3ff5_ab07_dd48_5429 0x3ff5_c926_8a59_46b7 0x3ff5_e76f_15ad_2148 0x3ff6_05e1_b976_dc09
    0x3ff6_247e_b03a_5585 0x3ff6_4346_34cc_c320 0x3ff6_6238_8255_2225 0x3ff6_8155_d44c_a973
    0x3ff6_a09e_667f_3bcd 0x3ff6_c012_750b_dabf 0x3ff6_dfb2_3c65_1a2f 0x3ff6_ff7d_f951_9484
    0x3ff7_1f75_e8ec_5f74 0x3ff7_3f9a_48a5_8174 0x3ff7_5feb_5642_67c9 0x3ff7_8069_4fde_5d3f
    0x3ff7_a114_73eb_0187 0x3ff7_c1ed_0130_c132 0x3ff7_e2f3_36cf_4e62 0x3ff8_0427_543e_1a12
    0x3ff8_2589_994c_ce13 0x3ff8_471a_4623_c7ad 0x3ff8_68d9_9b44_92ed 0x3ff8_8ac7_d98a_6699
    0x3ff8_ace5_422a_a0db 0x3ff8_cf32_16b5_448c 0x3ff8_f1ae_9915_7736 0x3ff9_145b_0b91_ffc6
    0x3ff9_3737_b0cd_c5e5 0x3ff9_5a44_cbc8_520f 0x3ff9_7d82_9fde_4e50 0x3ff9_a0f1_70ca_07ba
    0x3ff9_c491_82a3_f090 0x3ff9_e863_19e3_2323 0x3ffa_0c66_7b5d_e565 0x3ffa_309b_ec4a_2d33
    0x3ffa_5503_b23e_255d 0x3ffa_799e_1330_b358 0x3ffa_9e6b_5579_fdbf 0x3ffa_c36b_bfd3_f37a
    0x3ffa_e89f_995a_d3ad 0x3ffb_0e07_298d_b666 0x3ffb_33a2_b84f_15fb 0x3ffb_5972_8de5_593a
    0x3ffb_7f76_f2fb_5e47 0x3ffb_a5b0_30a1_064a 0x3ffb_cc1e_904b_c1d2 0x3ffb_f2c2_5bd7_1e09
    0x3ffc_199b_dd85_529c 0x3ffc_40ab_5fff_d07a 0x3ffc_67f1_2e57_d14b 0x3ffc_8f6d_9406_e7b5
    0x3ffc_b720_dcef_9069 0x3ffc_df0b_555d_c3fa 0x3ffd_072d_4a07_897c 0x3ffd_2f87_080d_89f2
    0x3ffd_5818_dcfb_a487 0x3ffd_80e3_16c9_8398 0x3ffd_a9e6_03db_3285 0x3ffd_d321_f301_b460
    0x3ffd_fc97_337b_9b5f 0x3ffe_2646_14f5_a129 0x3ffe_502e_e78b_3ff6 0x3ffe_7a51_fbc7_4c83
    0x3ffe_a4af_a2a4_90da 0x3ffe_cf48_2d8e_67f1 0x3ffe_fa1b_ee61_5a27 0x3fff_252b_376b_ba97
    0x3fff_5076_5b6e_4540 0x3fff_7bfd_ad9c_be14 0x3fff_a7c1_819e_90d8 0x3fff_d3c2_2b8f_71f1
};

/// 2^(i/128): word 2.
pub(super) const POWERS_MID: [f64; 128] = doubles! {
    0x0000_0000_0000_0000 0x3c9b_6129_9ab8_cdb7 0xbc71_9083_535b_085d 0xbc90_a31c_1977_c96e
    0x3c8d_73e2_a475_b465 0xbc8c_91df_e2b1_3c27 0x3c61_86be_4bb2_84ff 0x3c91_4878_1831_6136
    0x3c98_a62e_4adc_610b 0x3c90_1edc_16e2_4f71 0x3c40_3a17_27c5_7b53 0xbc6b_9bed_c44e_bd7b
    0xbc96_c510_3944_9b3a 0xbc51_b514_b36c_a5c7 0xbc93_2fbf_9af1_369e 0x3c82_406a_b9ee_ab0a
    0xbc81_9041_b9d7_8a76 0xbc91_1023_d197_0f6c 0x3c8e_5b4c_7b49_68e4 0xbc99_5386_352e_f607
    0x3c9e_016e_00a2_643c 0xbc91_df98_027b_b78c 0x3c8d_c775_814a_8495 0x3c82_a97e_9494_a5ee
    0x3c99_b07e_b6c7_0573 0x3c8a_c155_bef4_f4a4 0x3c82_bd33_9940_e9d9 0xbc9a_4c3a_8c3f_0d7e
    0x3c86_12e8_afad_1255 0xbc41_0adc_d638_1aa4 0x3c90_0247_54db_41d5 0x3c71_ca0f_45d5_2383
    0x3c86_f46a_d231_82e4 0x3c8a_9ce7_8e18_047c 0x3c93_2721_8436_59a6 0xbc8b_5cee_5c4e_4628
    0xbc96_3aea_bf42_eae2 0xbc9e_958d_3c99_04bd 0xbc75_e436_d661_f5e3 0xbc9e_fff8_375d_29c3
    0x3c8a_da09_11f0_9ebc 0xbc97_d023_f956_f9f3 0xbc5e_f369_1c30_9278 0xbc81_c7dd_e35f_7999
    0x3c48_9b7a_04ef_80d0 0x3c9c_944b_d164_8a76 0x3c73_c1a3_b690_62f0 0x3c99_cb62_f3d1_be56
    0x3c7d_4397_afec_42e2 0x3c98_ecdb_bc6a_7833 0xbc94_b309_d259_57e3 0xbc8f_7685_69bd_93ef
    0xbc80_7abe_1db1_3cad 0xbc8d_689c_efed_e59b 0x3c99_bb2c_011d_93ad 0x3c82_95e1_5b9a_1de8
    0x3c96_324c_0546_47ad 0x3c3c_4b1b_8169_86a2 0x3c9b_a6f9_3080_e65e 0xbc93_e242_9b56_de47
    0xbc93_83c1_7e40_b497 0xbc8c_483c_759d_8933 0xbc9b_b609_8759_1c34 0x3c60_38ae_44f7_3e65
    0xbc9b_dd34_13b2_6456 0xbc72_8956_67ff_0b0d 0xbc6b_be3a_683c_88ab 0xbc88_3c0f_2586_0ef6
    0xbc81_6e47_8688_7a99 0xbc90_a8d9_6c65_d53c 0xbc90_2459_5731_6dd3 0x3c98_66b8_0a02_162d
    0xbc84_1577_ee04_992f 0x3c9f_124c_d116_4dd6 0x3c70_5d02_ba15_797e 0xbc92_7c86_626d_972b
    0xbc9d_4c1d_d415_32d8 0xbc88_d684_a341_cdfb 0xbc9f_c6f8_9bd4_f6ba 0x3c99_94c2_f37c_b53a
    0x3c96_e9f1_5686_4b27 0xbc70_d55e_32e9_e3aa 0x3c85_cc13_a2e3_976c 0xbc9d_d679_2e58_2524
    0xbc67_5fc7_81b5_7ebc 0xbc76_4b7c_96a5_f039 0xbc9d_185b_7c1b_85d1 0xbc91_73bd_91ce_e632
    0x3c7c_7c46_b071_f2be 0x3c78_24ca_78e6_4c6e 0xbc93_5949_5d1c_d533 0x3c96_305c_7ddc_36ab
    0xbc9d_2f6e_db8d_41e1 0x3c9b_cb7e_cac5_63c7 0x3c90_fac9_0ef7_fd31 0xbc8f_9234_cae7_6cd0
    0x3c97_a1cd_345d_cc81 0xbc9b_def5_4c80_e425 0xbc62_805e_3084_d708 0xbc9c_71df_bbba_6de3
    0xbc75_584f_7e54_ac3b 0xbc9e_fcd3_0e54_292e 0x3c82_3dd0_7a2d_9e84 0xbc9e_fdca_3f6b_9c73
    0x3c81_1065_8950_48dd 0x3c9b_4537_e083_c60a 0x3c92_884d_ff48_3cad 0x3c71_acbc_4880_5c44
    0x3c75_03cb_d1e9_49db 0xbc8d_d83b_5382_9d72 0xbc9c_bc37_4379_7a9c 0xbc9d_487b_719d_8578
    0x3c82_ed02_d75b_3707 0xbc91_1ec1_8bed_dfe8 0x3c9c_2300_696d_b532 0x3c92_da57_78f0_18c3
    0xbc91_a5cd_4f18_4b5c 0xbc97_b627_817a_1496 0x3c83_9e89_80a9_cc8f 0x3c92_d522_ca0c_8de2
    0xbc9e_9c23_179c_2893 0xbc9c_93f3_b411_ad8c 0x3c9d_c7f4_86a4_b6b0 0x3c93_a1a5_bf0d_8e43
    0x3c99_d3e1_2dd8_a18b 0xbc9d_bb12_d006_350a 0x3c87_4853_f3a5_931e 0x3c62_eb74_9665_79e7
};

/// 2^(i/128): word 3.
pub(super) const POWERS_LO: [f64; 128] = doubles! {
    0x0000_0000_0000_0000 0x392b_f480_07d8_0987 0xb919_085b_0a3d_74d5 0xb8f9_12fb_f44b_4040
    0x3910_5ff9_4f8d_257e 0x391f_b41f_2e2c_24ab 0x3901_5820_d96b_414f 0xb934_8b45_d1fd_c259
    0xb936_7c9b_d6eb_f74c 0x393e_8aac_564e_6fe3 0xb8e5_aa76_994e_9ddb 0xb8fa_eb1f_49d8_4259
    0x3929_d58b_988f_562d 0xb8f0_8d8f_4208_3120 0xb932_fe7b_b4c7_6416 0xb910_1b57_5279_c474
    0x3924_f240_6aa1_3ff0 0x3917_25f0_040b_97c5 0x390a_d361_8392_6ae8 0xb924_0ca6_9503_718e
    0x391e_a62d_0881_b918 0x393e_504d_36c4_7475 0xb907_81db_c16f_1ea4 0xb926_93c2_b3b7_106b
    0xb924_d89f_9af5_32e0 0x38f1_a9c8_afdc_f797 0x3912_7739_3a46_1b77 0x3936_7fda_a2e5_2d7d
    0x390d_e544_8560_4690 0x38e0_885f_b879_6dbd 0xb91e_e9d8_f8cb_9307 0x390d_7b08_dee6_d12a
    0x3917_b7b2_f09c_d0d9 0x391b_778c_882b_85e8 0xb934_06a2_ea6c_fc6b 0xb928_e524_e520_d5f2
    0x3938_7e3e_1251_6bfa 0x3920_a77a_6140_4f21 0x3909_b0b1_ff17_c296 0xb921_143f_2a93_395a
    0xb928_08ba_68fa_8fb7 0xb930_473e_3724_200d 0xb8d3_2b43_eafc_6518 0x3929_03c4_9619_5fef
    0xb8d0_ac31_2de3_d922 0x3937_df40_4ff2_1f3a 0x390e_1eeb_ae74_3ac0 0x3919_1876_c761_e2c7
    0x38ec_06c7_745c_2b39 0x3912_12c9_6955_9b43 0xb8f1_aa1f_d7b6_85cd 0x38f9_0e71_8226_177d
    0x390f_a733_951f_214c 0x3919_c991_771b_0493 0xb90f_f868_52a6_13ff 0xb92a_26d9_2ad1_e4c6
    0xb927_44ee_506f_dafe 0x388e_c273_5254_978c 0xb939_5f9a_b75f_a7d6 0xb913_2c54_b92e_2588
    0x3905_d8e7_57cf_b991 0x3913_9040_00c1_c40f 0x3934_a337_f4dc_0a3b 0xb8ef_2803_633b_04ff
    0x3935_7d3e_3ade_c175 0x390f_ef5c_5876_6c19 0x38ca_59f8_8abb_e778 0xb910_0192_3f4a_956e
    0xb922_6979_6953_a4c3 0x3938_2ae2_17f3_a768 0xb938_f8e7_fa19_e5e8 0xb934_4d42_3079_32f7
    0xb8e4_217a_932d_10d4 0xb93d_4d23_6cc2_bb03 0x38f7_0a14_27f8_fcdf 0x392d_4e0d_71c9_b16e
    0x38f0_f6ad_65cb_bac1 0xb925_91e1_5c16_efd1 0xb92f_16f6_5181_d921 0x393d_6128_3ef3_85de
    0xb913_0644_a783_6333 0xb903_dab3_db83_9dd6 0x38d3_bf26_d2b8_5163 0x392c_0385_5204_534a
    0x3906_97e2_57ac_0db2 0xb8e0_7053_c9a9_8bbb 0x3937_edb9_d714_4b6f 0xb910_5398_7854_965f
    0x3916_376b_7943_085c 0x38b0_f92c_082b_bae0 0x3923_5408_4551_b4fb 0x3935_47fa_22c2_6d17
    0xb90b_fd7a_dfd6_3f48 0xb936_7869_3176_f751 0x3928_b16a_e39e_8cb9 0xb90c_60db_fc76_96f8
    0x393a_7fbc_3ae6_75ea 0x3924_1cbb_95c5_5600 0x3902_babc_0edd_a4d9 0xb90c_7470_081d_f7df
    0x390a_a644_81e1_ab72 0xb8ea_d1bf_9150_3c67 0x3929_a164_050e_1258 0x3912_7e81_cecd_59da
    0x3919_9e51_1259_28da 0x3924_a6cd_fa70_f4f8 0xb92f_c44c_329d_5cb2 0x3906_edaa_c100_b8fa
    0x391d_8765_566b_032e 0xb8fa_ea07_3a74_2049 0xb93e_7044_039d_a0f6 0x3902_da62_b2a9_fae7
    0xb90a_b053_b055_31fc 0xb91e_d04e_7ac8_765a 0x3937_f624_6f0e_c615 0xb93c_6cde_ad66_1cf3
    0x393b_7225_a944_efd6 0xb93b_9818_808c_409a 0x3921_e92c_b3c2_d278 0xb938_a757_b0b6_a9cb
    0xb92f_c0f2_42bb_f3de 0xb930_b9df_ef44_b43b 0x393f_6dd5_d229_ff69 0x3934_c6ad_5476_b516
    0xb914_019b_ffc8_0ef3 0x3935_c5ce_7280_fa4d 0x38fd_c060_c36f_7651 0x3902_f096_934e_c56c
};
