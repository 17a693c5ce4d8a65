//! Written by `scripts/library_constants.py`: change it there.

/// 128 / ln 2.
pub(super) const STEPS: f64 = f64::from_bits(0x4067_1547_652b_82fe); // 184.6649652337873
/// ln 2 / 128: its first 36 bits,
pub(super) const STEP_HI: f64 = f64::from_bits(0x3f76_2e42_fefa_0000); // 0.005415212348111709
/// and the rest, rounded.
pub(super) const STEP_LO: f64 = f64::from_bits(0x3d0c_f79a_bc9e_3b3a); // 1.2864023111638346e-14

/// e^r - 1 - r from r^2 on; absolute error 2^-65.36 for |r| <= ln 2 / 256.
pub(super) const SERIES: [f64; 4] = [
    f64::from_bits(0x3fdf_ffff_ffff_fdbd), // 0.49999999999996786
    f64::from_bits(0x3fc5_5555_5555_543b), // 0.16666666666665883
    f64::from_bits(0x3fa5_5555_cf16_edc2), // 0.04166668084095761
    f64::from_bits(0x3f81_1111_67c5_ffbd), // 0.008333335856832375
];

/// What 2^(i/128), rounded, must be multiplied by, less 1.
pub(super) const TAILS: [f64; 128] = doubles! {
    0x0000_0000_0000_0000 0x3c9b_3b4f_1a88_bf6e 0xbc71_6013_9cd8_dc5d 0xbc90_5e7a_1087_66d1
    0x3c8c_d252_3567_f613 0xbc8b_ce80_23f9_8efa 0x3c60_f74e_61e6_c861 0x3c90_a3e4_5b33_d399
    0x3c97_9aa6_5d83_7b6d 0x3c8e_b51a_92fd_effc 0x3c3e_be3d_702f_9cd1 0xbc6a_0334_8990_6e0b
    0xbc95_5652_2a2f_bd0e 0xbc50_80ef_8c4e_ea55 0xbc91_c923_b9d5_f416 0x3c80_d3e3_e95c_55af
    0xbc80_1b15_eaa5_9348 0xbc8f_1ff0_55de_323d 0x3c8b_898c_3f13_53bf 0xbc96_d99c_7611_eb26
    0x3c9a_ecf7_3e3a_2f60 0xbc8f_e782_cb86_389d 0x3c8a_6f41_44a6_c38d 0x3c80_7a05_b0e4_047d
    0x3c96_8efd_e3a8_a894 0x3c87_5e18_f274_487d 0x3c80_472b_981f_e7f2 0xbc96_b87b_3f71_085e
    0x3c82_f7e1_6d09_ab31 0xbc3d_219b_1a6f_bffa 0x3c8b_3782_720c_0ab4 0x3c6e_1492_89ce_cb8f
    0x3c83_4d75_4db0_abb6 0x3c86_4201_e2ac_744c 0x3c8f_dd39_5dd3_f84a 0xbc86_a380_3b8e_5b04
    0xbc92_4aed_cc4b_5068 0xbc99_07f8_1b51_2d8e 0xbc71_d1e8_3e94_36d2 0xbc99_1919_b3ce_1b15
    0x3c85_9f48_a72a_4c6d 0xbc93_1260_7a28_698a 0xbc58_a78f_4817_895b 0xbc7c_2c9b_6749_9a1b
    0x3c43_63ed_60c2_ac11 0x3c96_6609_3b06_64ef 0x3c6e_cce1_daa1_0379 0x3c93_ff8e_3f0f_1230
    0x3c76_90ce_bb7a_afb0 0x3c93_1dbd_eb54_e077 0xbc8f_9434_0071_a38e 0xbc87_decc_dc93_a349
    0xbc78_dec6_bd0f_385f 0xbc86_1246_ec7b_5cf6 0x3c93_3505_18fd_d78e 0x3c7b_98b7_2f8a_9b05
    0x3c90_63e1_e21c_5409 0x3c34_c785_5019_c6ea 0x3c94_32e6_2b64_c035 0xbc8c_e44a_6199_769f
    0xbc8c_33c5_3bef_4da8 0xbc84_5378_892b_e9ae 0xbc93_cedd_7856_5858 0x3c57_10aa_807e_1964
    0xbc93_b3ef_bf5e_2228 0xbc6a_12ad_8734_b982 0xbc63_67ef_b86d_a9ee 0xbc80_dc3d_54e0_8851
    0xbc78_1f64_7e5a_3ecf 0xbc86_ee4a_c08b_7db0 0xbc86_1932_1e55_e68a 0x3c90_9ccb_5e09_d4d3
    0xbc7b_32dc_b94d_a51d 0x3c94_ecfd_5467_c06b 0x3c65_ebe1_abd6_6c55 0xbc88_a1c5_2fb3_cf42
    0xbc93_69b6_f13b_3734 0xbc80_5e84_3a19_ff1e 0xbc94_d450_d872_576e 0x3c90_ad67_5b0e_8a00
    0x3c8d_b72f_c1f0_eab4 0xbc65_b660_9cc5_e7ff 0x3c7b_f683_59f3_5f44 0xbc93_091f_a71e_3d83
    0xbc5d_a9b8_8b6c_1e29 0xbc6c_23f9_7c90_b959 0xbc92_4343_22f4_f9aa 0xbc85_ca6c_d766_8e4b
    0x3c71_affc_2b91_ce27 0x3c6d_d235_e10a_73bb 0xbc87_c504_2262_2263 0x3c8b_1c86_e3e2_31d5
    0xbc91_bbd1_d3bc_bb15 0x3c90_cc31_9cee_31d2 0x3c84_6984_6e73_5ab3 0xbc82_dfcd_978e_9db4
    0x3c8c_1a77_92cb_3387 0xbc90_7b8f_4ad1_d9fa 0xbc55_c3d9_56dc_aeba 0xbc90_a40e_3da6_f640
    0xbc68_d6f4_38ad_9334 0xbc91_eee2_6b58_8a35 0x3c74_ffd7_0a5f_ddcd 0xbc91_bdfb_fa92_98ac
    0x3c73_6eae_30af_0cb3 0x3c8e_e332_5c9f_fd94 0x3c84_e08f_d109_59ac 0x3c63_cdaf_384e_1a67
    0x3c67_6b2c_6c92_1968 0xbc80_8a18_83cc_b5d2 0xbc8f_ad5d_3fff_fa6f 0xbc90_0dae_3875_a949
    0x3c74_a385_a63d_07a7 0xbc82_919e_2040_220f 0x3c8e_5a50_d5c1_92ac 0x3c84_3a59_ac01_6b4b
    0xbc82_d521_07b4_3e1f 0xbc89_2ab9_3b47_0dc9 0x3c74_b604_603a_88d3 0x3c83_c5ec_519d_7271
    0xbc8f_f712_8fd3_91f0 0xbc8d_ae98_e223_747d 0x3c8e_c3bc_41aa_2008 0x3c84_2b94_c3a9_eb32
    0x3c8a_64a9_31d1_85ee 0xbc8e_37ba_e43b_e3ed 0x3c77_893b_4d91_cd9d 0x3c53_05c1_4160_cc89
};
