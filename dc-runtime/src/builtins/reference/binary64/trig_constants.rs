//! Written by `scripts/reference_binary64.py`: change it there.

/// pi / 2, first word.
pub(super) const HALF_PI_HI: f64 = f64::from_bits(0x3ff9_21fb_5444_2d18); // 1.5707963267948966
/// pi / 2, second word.
pub(super) const HALF_PI_LO: f64 = f64::from_bits(0x3c91_a626_3314_5c07); // 6.123233995736766e-17

/// sin(t) / t in t², first coefficients: word 1.
pub(super) const SIN_HI: [f64; 4] = doubles! {
    0x3ff0_0000_0000_0000 0xbfc5_5555_5555_5555 0x3f81_1111_1111_1111 0xbf2a_01a0_1a01_a01a
};

/// sin(t) / t in t², first coefficients: word 2.
pub(super) const SIN_LO: [f64; 4] = doubles! {
    0x0000_0000_0000_0000 0xbc65_5555_5555_5555 0x3c01_1111_1111_1111 0xbb6a_01a0_1a01_a01a
};

/// sin(t) / t in t², further coefficients.
pub(super) const SIN_TAIL: [f64; 4] = doubles! {
    0x3ec7_1de3_a556_c734 0xbe5a_e645_67f5_44e4 0x3de6_1246_13a8_6d09 0xbd6a_e7f3_e733_b81f
};

/// (cos t - 1) / t² in t², first coefficients: word 1.
pub(super) const COS_HI: [f64; 3] = doubles! {
    0xbfe0_0000_0000_0000 0x3fa5_5555_5555_5555 0xbf56_c16c_16c1_6c17
};

/// (cos t - 1) / t² in t², first coefficients: word 2.
pub(super) const COS_LO: [f64; 3] = doubles! {
    0x0000_0000_0000_0000 0x3c45_5555_5555_5555 0x3bef_49f4_9f49_f49f
};

/// (cos t - 1) / t² in t², further coefficients.
pub(super) const COS_TAIL: [f64; 4] = doubles! {
    0x3efa_01a0_1a01_a01a 0xbe92_7e4f_b778_9f5c 0x3e21_eed8_eff8_d898 0xbda9_3974_a8c0_7c9d
};

/// sin and cos of j pi / 128, two words each: word 1.
pub(super) const SINES_HI: [f64; 33] = doubles! {
    0x0000_0000_0000_0000 0x3f99_2155_f7a3_667e 0x3fa9_1f65_f10d_d814 0x3fb2_d520_92ce_19f6
    0x3fb9_17a6_bc29_b42c 0x3fbf_564e_56a9_730e 0x3fc2_c810_6e8e_613a 0x3fc5_e214_448b_3fc6
    0x3fc8_f8b8_3c69_a60b 0x3fcc_0b82_6a7e_4f63 0x3fcf_19f9_7b21_5f1b 0x3fd1_11d2_62b1_f677
    0x3fd2_9406_2ed5_9f06 0x3fd4_135c_9417_6601 0x3fd5_8f9a_75ab_1fdd 0x3fd7_0885_30fa_459f
    0x3fd8_7de2_a6ae_a963 0x3fd9_ef79_43a8_ed8a 0x3fdb_5d10_09e1_5cc0 0x3fdc_c66e_9931_c45e
    0x3fde_2b5d_3806_f63b 0x3fdf_8ba4_dbf8_9aba 0x3fe0_7387_9922_ffee 0x3fe1_1eb3_541b_4b23
    0x3fe1_c73b_39ae_68c8 0x3fe2_6d05_4cdd_12df 0x3fe3_0ff7_fce1_7035 0x3fe3_affa_2920_50b9
    0x3fe4_4cf3_2509_1dd6 0x3fe4_e6ca_bbe3_e5e9 0x3fe5_7d69_348c_eca0 0x3fe6_10b7_551d_2cdf
    0x3fe6_a09e_667f_3bcd
};

/// sin and cos of j pi / 128, two words each: word 2.
pub(super) const SINES_LO: [f64; 33] = doubles! {
    0x0000_0000_0000_0000 0xbbfb_1d63_091a_0130 0xbc29_12bd_0d56_9a90 0xbc49_a088_a8bf_6b2c
    0xbc3e_2718_d26e_d688 0x3c4a_2704_729a_e56d 0x3c51_3000_a89a_11e0 0x3c65_31ff_779d_dac6
    0xbc62_6d19_b9ff_8d82 0xbc1a_f143_9e52_1935 0xbc64_2dee_f11d_a2c4 0x3c78_24c2_0ab7_aa9a
    0xbc75_d28d_a2c4_612d 0x3c70_c97c_4afa_2518 0xbc1e_fdc0_d58c_f620 0xbc74_4b19_e086_4c5d
    0xbc67_2ced_d3d5_a610 0x3c66_da81_290b_dbab 0x3c65_b362_cb97_4183 0x3c56_850e_59c3_7f8f
    0x3c5e_0d89_1d3c_6841 0xbc32_ec1f_c1b7_76b8 0xbc8a_5a01_4347_406c 0xbc8e_f23b_69ab_e4f1
    0x3c8b_25dd_267f_6600 0xbc85_da74_3ef3_770c 0xbc6e_fcc6_26f7_4a6f 0x3c7e_3e25_e395_4964
    0x3c68_076a_2cfd_c6b3 0x3c63_c293_edce_b327 0xbc87_5720_992b_fbb2 0xbc72_51b3_52ff_2a37
    0xbc8b_dd34_13b2_6456
};

/// sin and cos of j pi / 128, two words each: word 3.
pub(super) const COSINES_HI: [f64; 33] = doubles! {
    0x3ff0_0000_0000_0000 0x3fef_fd88_6084_cd0d 0x3fef_f621_e379_6d7e 0x3fef_e9cd_ad01_883a
    0x3fef_d88d_a3d1_2526 0x3fef_c264_70e1_9fd3 0x3fef_a755_7f08_a517 0x3fef_8764_fa71_4ba9
    0x3fef_6297_cff7_5cb0 0x3fef_38f3_ac64_e589 0x3fef_0a7e_fb92_30d7 0x3fee_d740_e768_4963
    0x3fee_9f41_56c6_2dda 0x3fee_6288_ec48_e112 0x3fee_2121_04f6_86e5 0x3fed_db13_b6cc_c23c
    0x3fed_906b_cf32_8d46 0x3fed_4134_d14d_c93a 0x3fec_ed7a_f43c_c773 0x3fec_954b_2134_11f5
    0x3fec_38b2_f180_bdb1 0x3feb_d7c0_ac6f_952a 0x3feb_7283_4519_6e3e 0x3feb_090a_5815_0200
    0x3fea_9b66_290e_a1a3 0x3fea_29a7_a046_2782 0x3fe9_b3e0_47f3_8741 0x3fe9_3a22_4992_63fb
    0x3fe8_bc80_6b15_1741 0x3fe8_3b0e_0bff_976e 0x3fe7_b5df_226a_afaf 0x3fe7_2d08_37ef_ff96
    0x3fe6_a09e_667f_3bcd
};

/// sin and cos of j pi / 128, two words each: word 4.
pub(super) const COSINES_LO: [f64; 33] = doubles! {
    0x0000_0000_0000_0000 0xbc81_354d_4556_e4cb 0xbc6c_57bc_2e24_aa15 0x3c65_21ec_d0c6_7e35
    0xbc88_7df6_3788_11c7 0x3c81_ec86_68ec_acee 0xbc87_a0a8_ca13_571f 0x3c7a_b256_778f_fcb6
    0x3c75_6217_2a36_1fd3 0xbc7d_7baf_b51f_72e6 0x3c75_2c7a_dc6b_4989 0x3c7e_82c7_91f5_9cc2
    0x3c87_60b1_e2e3_f81e 0xbc61_6b56_f284_7754 0xbc80_14c7_6c12_6527 0x3c88_3c37_c610_7db3
    0x3c74_57e6_1023_1ac2 0xbc84_ef52_95d2_5af2 0xbc5e_7b6b_b5ab_58ae 0xbc52_fb76_1e94_6603
    0xbc76_e0b1_757c_8d07 0xbc88_25a7_32ac_700a 0xbc8b_c69f_324e_6d61 0xbc89_26da_300f_fcce
    0x3c39_f630_e8b6_dac8 0xbc71_28bb_015d_f175 0xbc83_0ee2_8671_2474 0x3c83_d419_a920_df0b
    0xbc82_c5e1_2ed1_336d 0xbc76_f420_f8ea_3475 0xbc70_f537_acdf_0ad7 0x3c80_d4ef_0f1d_915c
    0xbc8b_dd34_13b2_6456
};

/// 2/pi for exponents from 16 i - 16 on, without the bits that make multiples of 4 with such numbers, from 2^512 on times 2^512: word 1.
pub(super) const TWO_OVER_PI_1: [f64; 65] = doubles! {
    0x3fe4_5f30_6dc9_c883 0x3fe4_5f30_6dc9_c883 0x3fe4_5f30_6dc9_c883 0x3fe4_5f30_6dc9_c883
    0x3fe4_5f30_6dc9_c883 0x3f4c_c1b7_2722_0a95 0x3e47_2722_0a94_fe14 0x3d10_54a7_f09d_5f48
    0x3c44_fe13_abe8_fa9a 0x3b43_abe8_fa9a_6ee0 0x3a31_f534_ddc0_db63 0x394a_6ee0_6db1_4acd
    0x37eb_6c52_b327_8872 0x3741_4acc_9e21_c821 0x3639_3c43_9041_fe51 0x350c_820f_f28b_1d5f
    0x33ff_e516_3abd_ebbc 0x3331_63ab_debb_c562 0x3245_ef5d_e2b0_db92 0x314d_e2b0_db92_371d
    0x3040_db92_371d_2127 0x2f42_371d_2126_e970 0x2e4d_2126_e970_0325 0x2d2b_a5c0_0c92_5dd4
    0x2c40_0324_9775_04e9 0x2b22_5dd4_13a3_243a 0x2a45_04e8_c90e_7f0f 0x2931_921c_fe1d_eb1d
    0x283c_fe1d_eb1c_b12a 0x273d_eb1c_b129_a73f 0x263c_b129_a73e_e882 0x2544_d39f_7441_1afb
    0x244f_7441_1afa_975e 0x4301_afa9_75da_2427 0x424a_975d_a242_74ce 0x414d_a242_74ce_3813
    0x4013_a671_c09a_d17e 0x3f3c_7026_b45f_7e41 0x3e43_5a2f_bf20_9cc9 0x3d3f_7e41_3991_d63a
    0x3bf3_991d_6398_3534 0x3b31_d639_8353_39f5 0x3a4c_c1a9_9cfa_4e42 0x3933_39f4_9c84_5f8c
    0x384a_4e42_2fc5_defd 0x3711_7e2e_f7e4_a0ec 0x3627_7bf2_5076_3ff1 0x354c_941d_8ffc_4c00
    0x344d_8ffc_4bff_ef03 0x334c_4bff_ef02_cc08 0x324f_ef02_cc07_f798 0x3116_603f_bcbc_462d
    0x302f_de5e_2316_b415 0x2f47_88c5_ad05_3690 0x2e26_b414_da3e_da6d 0x2d24_da3e_da6c_fd9e
    0x2c3f_6d36_7ecf_27cb 0x2b4b_3f67_93e5_84dc 0x2a2e_4f96_136e_9e8c 0x2926_136e_9e8c_7ecd
    0x284b_a7a3_1fb3_4f30 0x2718_fd9a_797f_a8b6 0x2643_4f2f_f516_ba94 0x253f_ea2d_7527_bac8
    0x2446_ba93_dd63_f5f3
};

/// 2/pi for exponents from 16 i - 16 on, without the bits that make multiples of 4 with such numbers, from 2^512 on times 2^512: word 2.
pub(super) const TWO_OVER_PI_2: [f64; 65] = doubles! {
    0xbc86_b01e_c541_7056 0xbc86_b01e_c541_7056 0xbc86_b01e_c541_7056 0xbc86_b01e_c541_7056
    0xbc86_b01e_c541_7056 0xbb8e_c541_7056_5912 0xbae5_05c1_5964_47e5 0xb9a5_9644_7e49_3ad5
    0x38eb_b81b_6c52_b328 0x37eb_6c52_b327_8872 0xb6da_99b0_ef1b_ef80 0xb5e8_778d_f7c0_35d4
    0x3450_7f94_58ea_f7af 0xb37a_e9c5_4214_43aa 0x32d8_eaf7_aef1_586e 0xb174_43a9_e48d_b91c
    0x3095_86dc_91b8_e909 0xafd2_36e4_716f_6c8b 0x2edb_8e90_9374_b802 0x2dd0_9374_b801_924c
    0xacc6_8ffc_db68_8afb 0x2b99_24bb_a827_4648 0xaaea_22be_c5cd_bc60 0x29a3_a324_39fc_3bd6
    0xa8db_78c0_7885_38d4 0xa77e_214e_34ed_658c 0xa6b4_e34e_d658_c117 0xa5d3_b596_3045_df73
    0xa4d6_3045_df72_82b4 0xa3b7_7dca_0ad1_44bb 0x22ca_fa97_5da2_4275 0xa1ea_2897_6f62_cc72
    0xa0e7_6f62_cc71_fb29 0x3fa3_38e0_4d68_befd 0x3edc_09ad_17df_904e 0x3de6_8bef_c827_323b
    0xbc7b_ec66_e29c_67cb 0x3bcc_c8eb_1cc1_a99d 0xbac4_e33e_5663_05b2 0xb9df_2b31_82d8_dee8
    0xb898_2d8d_ee81_d108 0xb7d8_dee8_1d10_81b6 0x36d7_e2ef_7e4a_0ec8 0xb5d0_81b5_f138_01da
    0xb4ea_f89c_00ed_0004 0x33bf_f897_ffde_0598 0x32b7_ffde_0598_0fef 0xb1c0_fd33_f808_6877
    0xb0d9_fc04_343b_9d29 0xafb0_d0ee_74a5_f593 0xaeed_ce94_beb2_5c12 0x2dba_0a6d_1f6d_367f
    0xacb2_e092_c981_30d8 0xabe2_5930_261b_069f 0xaa73_0d83_4f64_8b0c 0x29c3_e584_dba7_a320
    0x28a3_6e9e_8c7e_cd3d 0xa7e6_1738_132c_3403 0x26cf_b34f_2ff5_16bb 0x25be_5fea_2d75_27bb
    0xa4b5_d28a_d845_3814 0xa3a5_b08a_7028_341d 0xa2d1_4e05_0683_a131 0xa1b4_1a0e_84c2_f8c6
    0xa0ad_0985_f18c_10eb
};

/// 2/pi for exponents from 16 i - 16 on, without the bits that make multiples of 4 with such numbers, from 2^512 on times 2^512: word 3.
pub(super) const TWO_OVER_PI_3: [f64; 65] = doubles! {
    0xb926_447e_493a_d4ce 0xb926_447e_493a_d4ce 0xb926_447e_493a_d4ce 0xb926_447e_493a_d4ce
    0xb926_447e_493a_d4ce 0x37eb_6c52_b327_8872 0x378b_14ac_c9e2_1c82 0x3639_3c43_9041_fe51
    0xb58d_e37d_f00d_74e3 0x3450_7f94_58ea_f7af 0xb37a_e9c5_4214_43aa 0x328d_5ef5_de2b_0db9
    0xb0cd_4f24_6dc8_e2df 0x2ffb_7246_e3a4_24dd 0xaf6b_7238_b7b6_45a4 0xae16_f6c8_b47f_e6db
    0x2d2b_a5c0_0c92_5dd4 0xac71_ff9b_6d11_5f63 0xab7b_6d11_5f62_e6de 0xaa71_5f62_e6de_301e
    0xa947_36f1_80f1_0a72 0x283c_fe1d_eb1c_b12a 0xa77e_214e_34ed_658c 0x263c_b129_a73e_e882
    0x2572_9a73_ee88_235f 0xa3f1_77dc_a0ad_144c 0xa35f_7282_b451_2edf 0x227f_52eb_b448_4e9a
    0xa174_4bb7_b166_38fe 0xa05e_c598_e3f6_52e8 0x9f58_e3f6_52e8_2070 0x1e43_5a2f_bf20_9cc9
    0x9d8d_040d_f633_714e 0xbc4f_6337_14e3_3e56 0x3b79_1d63_9835_339f 0xba7c_67ca_cc60_b638
    0x3909_cfa4_e422_fc5e 0xb826_c6f7_40e8_840e 0x3760_8bf1_77bf_2507 0xb65d_1081_b5f1_3802
    0xb51b_5f13_801d_a001 0x344d_8ffc_4bff_ef03 0xb31d_a000_87e9_9fc0 0xb1c0_fd33_f808_6877
    0xb17f_a67f_010d_0ee7 0x302f_de5e_2316_b415 0x2f47_88c5_ad05_3690 0xae5d_297d_64b8_24b2
    0xad7f_592e_092c_9813 0x2c3f_6d36_7ecf_27cb 0xab86_4c09_86c1_a7b2 0xaa48_6c1a_7b24_585d
    0xa94a_7b24_585c_e04d 0x287b_74f4_63f6_69e6 0x2718_fd9a_797f_a8b6 0xa663_2c34_02ba_515b
    0xa540_0ae9_456c_229c 0x2481_6ba9_3dd6_3f5f 0xa36b_08a7_0283_41d1 0xa24c_0a0d_0742_617c
    0xa13a_0e84_c2f8_c608 0xa013_0be3_1821_d6b6 0x1f70_739f_78a5_292f 0x9e20_eb5a_da2b_2809
    0x9d46_b68a_ca02_5027
};

/// 2/pi for exponents from 16 i - 16 on, without the bits that make multiples of 4 with such numbers, from 2^512 on times 2^512: word 4.
pub(super) const TWO_OVER_PI_4: [f64; 65] = doubles! {
    0x35ce_21c8_20ff_28b2 0x35ce_21c8_20ff_28b2 0x35ce_21c8_20ff_28b2 0x35ce_21c8_20ff_28b2
    0x35ce_21c8_20ff_28b2 0x3450_7f94_58ea_f7af 0x33ff_e516_3abd_ebbc 0x32d8_eaf7_aef1_586e
    0x3227_bd77_8ac3_6e49 0xb0cd_4f24_6dc8_e2df 0x2ffb_7246_e3a4_24dd 0x2f11_b8e9_0937_4b80
    0x2d53_74b8_0192_4bbb 0x2c87_0032_4977_504f 0x2b99_24bb_a827_4648 0xaab1_15f6_2e6d_e302
    0x29a3_a324_39fc_3bd6 0x28f9_21cf_e1de_b1cb 0xa808_0f10_a71a_76b3 0xa700_a71a_76b2_c609
    0x25e6_2534_e7dd_1047 0xa4d6_3045_df72_82b4 0xa3f1_77dc_a0ad_144c 0x22ca_fa97_5da2_4275
    0x2214_baed_1213_a672 0x2092_13a6_71c0_9ad1 0x1fed_338e_04d6_8bf0 0x9f0c_7eca_5d04_0df6
    0x1e1a_d17d_f904_e647 0x9ce0_37d8_cdc5_38d0 0x1bf3_991d_6398_3534 0x9ac4_e33e_5663_05b2
    0x9a19_f2b3_182d_8def 0xb8e8_c16c_6f74_0e88 0x3812_7211_7e2e_f7e5 0x3711_7e2e_f7e4_a0ec
    0xb580_36be_2700_3b40 0x34c4_1d8f_fc4b_ffef 0x3408_ffc4_bffe_f02d 0x32e2_fffb_c0b3_01fe
    0x31be_0598_0fef_2f12 0xb0d9_fc04_343b_9d29 0xafb0_d0ee_74a5_f593 0xae5d_297d_64b8_24b2
    0xae12_97d6_4b82_4b26 0xacb2_e092_c981_30d8 0xabe2_5930_261b_069f 0xaaf8_130d_834f_648b
    0xa9eb_069e_c916_1738 0x28a3_6e9e_8c7e_cd3d 0xa821_6173_8132_c340 0x26cf_b34f_2ff5_16bb
    0x25e3_cbfd_45ae_a4f7 0xa4b5_d28a_d845_3814 0xa3a5_b08a_7028_341d 0xa2d1_4e05_0683_a131
    0xa1b4_1a0e_84c2_f8c6 0x2117_c5ec_f41c_e7de 0x2009_e839_cfbc_5295 0x9ee8_c10e_b5ad_a2b3
    0x9ddd_6b5b_4565_0128 0x1cb2_ea6b_fb5f_b120 0x9c16_5012_813b_81cb 0x9ac0_2770_3951_7bd5
    0x99ec_0e54_5ef5_3f9a
};

/// 2/pi for exponents from 16 i - 16 on, without the bits that make multiples of 4 with such numbers, from 2^512 on times 2^512: word 5.
pub(super) const TWO_OVER_PI_5: [f64; 65] = doubles! {
    0xb255_0851_0ea7_9237 0xb255_0851_0ea7_9237 0xb255_0851_0ea7_9237 0xb255_0851_0ea7_9237
    0xb255_0851_0ea7_9237 0xb0cd_4f24_6dc8_e2df 0x3095_86dc_91b8_e909 0xaf6b_7238_b7b6_45a4
    0xaeb1_c5bd_b22d_1ffa 0x2d53_74b8_0192_4bbb 0x2c87_0032_4977_504f 0x2b99_24bb_a827_4648
    0xa9ff_62e6_de30_1e21 0xa92c_dbc6_03c4_29c7 0x283c_fe1d_eb1c_b12a 0x273d_eb1c_b129_a73f
    0x263c_b129_a73e_e882 0x2572_9a73_ee88_235f 0x249c_fba2_08d7_d4bb 0x23a1_046b_ea5d_7689
    0xa280_568a_25db_d8b3 0xa174_4bb7_b166_38fe 0x2092_13a6_71c0_9ad1 0x9f58_e3f6_52e8_2070
    0x9eaf_b297_4103_7d8d 0x1d3f_7e41_3991_d63a 0x9c7b_ec66_e29c_67cb 0x9b99_b8a7_19f2_b318
    0x1ab6_3983_5339_f49d 0x198a_99cf_a4e4_22fc 0x9898_2d8d_ee81_d108 0x1760_8bf1_77bf_2507
    0x16bf_8bbd_f928_3b20 0xb580_36be_2700_3b40 0xb4b7_c4e0_0768_0022 0x33bf_f897_ffde_0598
    0xb1c0_fd33_f808_6877 0x3116_603f_bcbc_462d 0xb09f_c043_43b9_d298 0xaf6a_1dce_94be_b25c
    0xae5d_297d_64b8_24b2 0xad7f_592e_092c_9813 0x2c3f_6d36_7ecf_27cb 0xaaf8_130d_834f_648b
    0xaa73_0d83_4f64_8b0c 0xa94a_7b24_585c_e04d 0x287b_74f4_63f6_69e6 0xa767_3813_2c34_02ba
    0xa663_2c34_02ba_515b 0xa540_0ae9_456c_229c 0xa4b5_d28a_d845_3814 0xa36b_08a7_0283_41d1
    0x2286_3f5f_2f8b_d9e8 0xa13a_0e84_c2f8_c608 0xa013_0be3_1821_d6b6 0x1f70_739f_78a5_292f
    0x9e20_eb5a_da2b_2809 0x1da4_a525_d4d7_f6bf 0x9caa_2b28_0940_9dc1 0x1b8f_dafd_88fc_6ae8
    0x9a53_b81c_a8bd_ea7f 0x995c_a8bd_ea7f_33ee 0x18bd_0856_0330_46fc 0x1709_8237_e3db_5d60
    0x1651_bf1e_daea_fc34
};
