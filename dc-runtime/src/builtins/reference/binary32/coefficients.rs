//! Written by `scripts/reference_binary32.py`: change it there.

/// 1 / ln 2.
pub(super) const LOG2_E: f64 = f64::from_bits(0x3ff7_1547_652b_82fe); // 1.4426950408889634
/// log2 10.
pub(super) const LOG2_10: f64 = f64::from_bits(0x400a_934f_0979_a371); // 3.321928094887362
/// 1 / ln 10.
pub(super) const LOG10_E: f64 = f64::from_bits(0x3fdb_cb7b_1526_e50e); // 0.4342944819032518
/// ln 10.
pub(super) const LN_10: f64 = f64::from_bits(0x4002_6bb1_bbb5_5516); // 2.302585092994046
/// pi.
pub(super) const PI: f64 = f64::from_bits(0x4009_21fb_5444_2d18); // 3.141592653589793
/// pi / 2.
pub(super) const HALF_PI: f64 = f64::from_bits(0x3ff9_21fb_5444_2d18); // 1.5707963267948966
/// pi / 4.
pub(super) const QUARTER_PI: f64 = f64::from_bits(0x3fe9_21fb_5444_2d18); // 0.7853981633974483
/// 1 / pi.
pub(super) const RECIP_PI: f64 = f64::from_bits(0x3fd4_5f30_6dc9_c883); // 0.3183098861837907
/// tan(pi / 8).
pub(super) const TAN_EIGHTH: f64 = f64::from_bits(0x3fda_8279_99fc_ef32); // 0.41421356237309503
/// sqrt(1/2).
pub(super) const SQRT_HALF: f64 = f64::from_bits(0x3fe6_a09e_667f_3bcd); // 0.7071067811865476
/// (ln(2 pi) - 1) / 2.
pub(super) const STIRLING: f64 = f64::from_bits(0x3fda_cfe3_90c9_7d69); // 0.4189385332046727
/// The estimate of cbrt: what a third of a double's upper word is subtracted from, for the reciprocal of the root.
pub(super) const CBRT_ESTIMATE: f64 = f64::from_bits(0x41d5_4fc2_7f1b_6912); // 1430194684.428288
/// ln 2, first word.
pub(super) const LN_2_HI: f64 = f64::from_bits(0x3fe6_2e42_fefa_39ef); // 0.6931471805599453
/// ln 2, second word.
pub(super) const LN_2_LO: f64 = f64::from_bits(0x3c7a_bc9e_3b39_803f); // 2.3190468138462996e-17
/// log10 2, first word.
pub(super) const LOG10_2_HI: f64 = f64::from_bits(0x3fd3_4413_509f_79ff); // 0.3010299956639812
/// log10 2, second word.
pub(super) const LOG10_2_LO: f64 = f64::from_bits(0xbc49_dc1d_a994_fd21); // -2.8037281277851704e-18

/// `(e^r - 1 - r) / r²` on |r| <= 0.35, of e^r - 1.
///
/// Relative error 2^-54.5.
pub(super) const EXPM1: [f64; 10] = [
    f64::from_bits(0x3fe0_0000_0000_0001), // 0.5000000000000001
    f64::from_bits(0x3fc5_5555_5555_5556), // 0.16666666666666669
    f64::from_bits(0x3fa5_5555_5555_3b72), // 0.04166666666662068
    f64::from_bits(0x3f81_1111_1111_091a), // 0.008333333333329796
    f64::from_bits(0x3f56_c16c_1794_bd5c), // 0.0013888888918918907
    f64::from_bits(0x3f2a_01a0_1a83_a3a3), // 0.00019841269864364933
    f64::from_bits(0x3efa_019b_62aa_a671), // 2.4801518672268355e-05
    f64::from_bits(0x3ec7_1de0_be80_e7e8), // 2.7557266442353424e-06
    f64::from_bits(0x3e92_894e_b037_86e2), // 2.7621324269313687e-07
    f64::from_bits(0x3e5a_f3cd_7b35_60d9), // 2.5101335854788522e-08
];

/// `(2 atanh(s) / s - 2) / s²` in s², s = (m - 1) / (m + 1) for m from √½ to √2, of log m.
///
/// Relative error 2^-57.6.
pub(super) const LOG: [f64; 7] = [
    f64::from_bits(0x3fe5_5555_5555_5558), // 0.666666666666667
    f64::from_bits(0x3fd9_9999_9999_52d7), // 0.39999999999899444
    f64::from_bits(0x3fd2_4924_92df_281a), // 0.2857142862600327
    f64::from_bits(0x3fcc_71c6_2e3f_11e6), // 0.22222211130259878
    f64::from_bits(0x3fc7_462b_51cb_66b1), // 0.18182889455674947
    f64::from_bits(0x3fc3_9fe5_1a7c_18f9), // 0.15331710618210773
    f64::from_bits(0x3fc2_b590_0de5_3b32), // 0.14616585424888623
];

/// `(sin r - r) / r³` in r², |r| <= pi / 4, of sin r.
///
/// Relative error 2^-55.6.
pub(super) const SIN: [f64; 6] = [
    f64::from_bits(0xbfc5_5555_5555_5555), // -0.16666666666666666
    f64::from_bits(0x3f81_1111_1111_0bb2), // 0.008333333333330948
    f64::from_bits(0xbf2a_01a0_19e8_3816), // -0.00019841269836756774
    f64::from_bits(0x3ec7_1de3_7965_4304), // 2.7557316101617874e-06
    f64::from_bits(0xbe5a_e600_aca9_2c64), // -2.505113165023518e-08
    f64::from_bits(0x3de5_e0b0_5bff_20f2), // 1.5918115263265974e-10
];

/// `(cos r - 1 + r² / 2) / r⁴` in r², |r| <= pi / 4, of cos r.
///
/// Relative error 2^-59.4.
pub(super) const COS: [f64; 6] = [
    f64::from_bits(0x3fa5_5555_5555_5555), // 0.041666666666666664
    f64::from_bits(0xbf56_c16c_16c1_6967), // -0.0013888888888887398
    f64::from_bits(0x3efa_01a0_19f4_e9b4), // 2.480158729876456e-05
    f64::from_bits(0xbe92_7e4f_a17b_f139), // -2.7557317271145144e-07
    f64::from_bits(0x3e21_eeb6_8cd2_2f56), // 2.087614614655861e-09
    f64::from_bits(0xbda9_07d8_f29f_e831), // -1.1382623647474604e-11
];

/// `(atan t - t) / t³` in t², |t| <= tan(pi / 8), of atan t.
///
/// Relative error 2^-56.9.
pub(super) const ATAN: [f64; 11] = [
    f64::from_bits(0xbfd5_5555_5555_5555), // -0.3333333333333333
    f64::from_bits(0x3fc9_9999_9999_934a), // 0.19999999999995516
    f64::from_bits(0xbfc2_4924_9243_60cb), // -0.14285714284665682
    f64::from_bits(0x3fbc_71c7_1853_14cb), // 0.11111111015187018
    f64::from_bits(0xbfb7_45d0_b26b_83e7), // -0.0909090457530649
    f64::from_bits(0x3fb3_b126_2d95_579e), // 0.07692183125376892
    f64::from_bits(0xbfb1_0fa7_5382_537f), // -0.06664510525508936
    f64::from_bits(0x3fad_fe61_e809_03d2), // 0.05858140904866328
    f64::from_bits(0xbfaa_098b_b6ba_4941), // -0.050854078345894844
    f64::from_bits(0x3fa4_1603_647c_7a7c), // 0.03923044778479309
    f64::from_bits(0xbf93_a2b7_a07c_aea9), // -0.019175404711104935
];

/// `erf(x) / x` in x², |x| <= 1.
///
/// Relative error 2^-55.8.
pub(super) const ERF: [f64; 13] = [
    f64::from_bits(0x3ff2_0dd7_5042_9b6d), // 1.1283791670955126
    f64::from_bits(0xbfd8_1274_6b03_79e6), // -0.3761263890318375
    f64::from_bits(0x3fbc_e2f2_1a04_2b30), // 0.11283791670954879
    f64::from_bits(0xbf9b_82ce_3128_4e00), // -0.026866170645076792
    f64::from_bits(0x3f75_65bc_d0db_aa38), // 0.0052239776248180145
    f64::from_bits(0xbf4c_02db_3dac_435f), // -0.000854832698083379
    f64::from_bits(0x3f1f_9a32_1d5b_8e1e), // 0.0001205533111164271
    f64::from_bits(0xbeef_4d1e_3183_f7ae), // -1.4925595266831182e-05
    f64::from_bits(0x3ebb_9df2_24ca_4b97), // 1.6461000484121368e-06
    f64::from_bits(0xbe85_f1ec_b6f0_764c), // -1.6350312701054695e-07
    f64::from_bits(0x3e4f_7b4b_f3b1_3964), // 1.4659775274047436e-08
    f64::from_bits(0xbe13_89d4_f264_1625), // -1.1372848856791674e-09
    f64::from_bits(0x3dd0_5ffd_737f_b32e), // 5.957176147748911e-11
];

/// `e^(x²) erfc(x) (1 + 2 x)` in t = (x - 4) / (x + 4), x from 1 to 15.
///
/// Relative error 2^-54.4.
pub(super) const ERFC: [f64; 20] = [
    f64::from_bits(0x3ff3_ba59_16e9_fd7f), // 1.2329951186255526
    f64::from_bits(0xbfc1_df1a_d154_a28f), // -0.13962111684056253
    f64::from_bits(0x3f8f_7f5d_f66f_d6ef), // 0.015379652102619682
    f64::from_bits(0x3fb1_6ece_fcfa_53e8), // 0.0680970542546927
    f64::from_bits(0xbfb9_ddb2_3c3e_873c), // -0.10103906603629026
    f64::from_bits(0x3fb7_fee0_04e1_172d), // 0.0937328349983459
    f64::from_bits(0xbfb0_fb06_dfe5_fd7c), // -0.06633036581296453
    f64::from_bits(0x3fa3_079e_df6a_174f), // 0.0371675155375174
    f64::from_bits(0xbf90_9623_87e4_f5d2), // -0.01619773404057929
    f64::from_bits(0x3f74_9c67_27ff_d438), // 0.005031969980327004
    f64::from_bits(0xbf48_d4aa_3408_d387), // -0.0007577735014537714
    f64::from_bits(0xbf2a_1df2_8193_e093), // -0.0001992567565947163
    f64::from_bits(0x3f23_be13_a179_0849), // 0.00015062322266784698
    f64::from_bits(0xbef9_9570_0262_e1e6), // -2.4398556114775797e-05
    f64::from_bits(0xbee7_8c73_0596_d2eb), // -1.1228861853543204e-05
    f64::from_bits(0x3ed7_eecd_3d97_7d1c), // 5.706028753021325e-06
    f64::from_bits(0x3e94_eed1_e0f7_f10b), // 3.1192436808471215e-07
    f64::from_bits(0xbeab_4e6d_1839_eee6), // -8.137927100660774e-07
    f64::from_bits(0x3e69_abf9_10e4_07c6), // 4.781739636369671e-08
    f64::from_bits(0x3e78_5158_3baa_fa6f), // 9.059068776637509e-08
];

/// Γ(5/2 + v), |v| <= 1/2.
///
/// Relative error 2^-54.8.
pub(super) const GAMMA: [f64; 17] = [
    f64::from_bits(0x3ff5_44fa_6d47_b390), // 1.329340388179137
    f64::from_bits(0x3fed_e958_5f1a_7096), // 0.9347345216260858
    f64::from_bits(0x3fe4_f224_d4b7_e01b), // 0.6545585779813367
    f64::from_bits(0x3fd0_3f6d_2fa4_f09e), // 0.253871246841081
    f64::from_bits(0x3fbc_138b_8949_3350), // 0.10967323400218487
    f64::from_bits(0x3f9d_0a9b_c4a2_8658), // 0.028360780598296692
    f64::from_bits(0x3f85_489c_c6ae_7158), // 0.010392403424525895
    f64::from_bits(0x3f5a_55ed_0919_82b5), // 0.001607400398278153
    f64::from_bits(0x3f48_b8fc_edc9_6c36), // 0.0007544741634534283
    f64::from_bits(0x3ed0_89b1_5fa4_07d3), // 3.942933739732899e-06
    f64::from_bits(0x3f10_13c1_0caf_30ed), // 6.132951527532448e-05
    f64::from_bits(0xbeea_dd74_a3bf_8f4f), // -1.2810259356350584e-05
    f64::from_bits(0x3ede_7081_1ccd_5090), // 7.257335209971111e-06
    f64::from_bits(0xbec5_2bbc_5bdc_9e11), // -2.5237611386457594e-06
    f64::from_bits(0x3eb1_e908_6a69_6877), // 1.0675361551610872e-06
    f64::from_bits(0xbea0_fad5_e05c_a86f), // -5.060382483924732e-07
    f64::from_bits(0x3e8b_5caf_aae0_b822), // 2.038631996005556e-07
];

/// `ln Γ(1 + d) / (d (d - 1))` in v = d - 1/2, |v| <= 1/2.
///
/// Relative error 2^-54.1.
pub(super) const LGAMMA: [f64; 21] = [
    f64::from_bits(0x3fde_eb95_b094_c191), // 0.4831289505409809
    f64::from_bits(0xbfc2_aed0_59bd_6085), // -0.14595989591430594
    f64::from_bits(0x3fb0_1af6_2a29_29e1), // 0.06291140107456485
    f64::from_bits(0xbfa0_07aa_83ce_f9ab), // -0.03130848750105327
    f64::from_bits(0x3f91_3342_3527_ae27), // 0.01679709863121395
    f64::from_bits(0xbf83_4dbd_a128_eee5), // -0.009425622444829649
    f64::from_bits(0x3f76_4f06_64fb_6518), // 0.005446457842219553
    f64::from_bits(0xbf6a_5035_375a_cabe), // -0.0032120742206072908
    f64::from_bits(0x3f5f_814b_951d_538b), // 0.0019229162321227923
    f64::from_bits(0xbf53_13e5_3231_20b7), // -0.001164411377219605
    f64::from_bits(0x3f47_50aa_27fe_4301), // 0.0007115202752051298
    f64::from_bits(0xbf3c_b502_b140_a127), // -0.00043803516132580534
    f64::from_bits(0x3f31_c7b4_6046_a59c), // 0.00027130273545114005
    f64::from_bits(0xbf26_1854_b057_e6e9), // -0.0001685717945035172
    f64::from_bits(0x3f1b_a26c_e28a_34b0), // 0.00010541715222185904
    f64::from_bits(0xbf11_cf32_7262_9995), // -6.793733027397047e-05
    f64::from_bits(0x3f06_72b9_4917_149f), // 4.281642862794779e-05
    f64::from_bits(0xbef6_880f_ac68_f031), // -2.148770252062576e-05
    f64::from_bits(0x3eec_7d00_9a4f_ae3a), // 1.3584275459130943e-05
    f64::from_bits(0xbef3_6d84_fee9_07ff), // -1.8527803997032962e-05
    f64::from_bits(0x3ee8_ca55_ab6b_8718), // 1.1820969445467145e-05
];

/// `x (ln Γ(x) - (x - 1/2) ln x + x - ln(2 pi) / 2)` in 1 / x², x >= 9, of ln Γ(x).
///
/// Relative error 2^-56.5.
pub(super) const STIRLING_REST: [f64; 5] = [
    f64::from_bits(0x3fb5_5555_5555_550f), // 0.08333333333333236
    f64::from_bits(0xbf66_c16c_1636_b83a), // -0.002777777773835613
    f64::from_bits(0x3f4a_019a_97c5_887b), // 0.0007936482284487534
    f64::from_bits(0xbf43_7c4b_18f7_6506), // -0.0005946509062894352
    f64::from_bits(0x3f49_c39c_3b9e_03db), // 0.0007862580161913617
];

/// 2/pi for inputs of exponent 24 + i, without the bits that make multiples of 4 with them: word 1.
pub(super) const TWO_OVER_PI_HI: [f64; 104] = doubles! {
    0x3fe4_5f30_6c00_0000 0x3fe4_5f30_6d00_0000 0x3fc1_7cc1_b600_0000 0x3fc1_7cc1_b700_0000
    0x3f87_cc1b_7000_0000 0x3f87_cc1b_7000_0000 0x3f87_cc1b_7200_0000 0x3f87_cc1b_7200_0000
    0x3f6f_306d_c800_0000 0x3f6f_306d_c900_0000 0x3f5e_60db_9300_0000 0x3f4c_c1b7_2700_0000
    0x3f39_836e_4e00_0000 0x3f23_06dc_9c00_0000 0x3ef8_36e4_e400_0000 0x3ef8_36e4_e400_0000
    0x3ef8_36e4_e400_0000 0x3ee0_6dc9_c800_0000 0x3e8b_7272_2000_0000 0x3e8b_7272_2000_0000
    0x3e8b_7272_2000_0000 0x3e8b_7272_2000_0000 0x3e8b_7272_2000_0000 0x3e8b_7272_2000_0000
    0x3e76_e4e4_4100_0000 0x3e5b_9391_0400_0000 0x3e5b_9391_0500_0000 0x3e47_2722_0a00_0000
    0x3e2c_9c88_2a00_0000 0x3e2c_9c88_2a00_0000 0x3e19_3910_5400_0000 0x3e02_7220_a900_0000
    0x3dd3_9105_4800_0000 0x3dd3_9105_4a00_0000 0x3dd3_9105_4a00_0000 0x3dac_882a_5000_0000
    0x3dac_882a_5200_0000 0x3dac_882a_5300_0000 0x3d99_1054_a700_0000 0x3d82_20a9_4f00_0000
    0x3d51_054a_7c00_0000 0x3d51_054a_7e00_0000 0x3d51_054a_7f00_0000 0x3d10_54a7_f000_0000
    0x3d10_54a7_f000_0000 0x3d10_54a7_f000_0000 0x3d10_54a7_f000_0000 0x3cb5_29fc_2000_0000
    0x3cb5_29fc_2000_0000 0x3cb5_29fc_2000_0000 0x3cb5_29fc_2400_0000 0x3cb5_29fc_2600_0000
    0x3cb5_29fc_2700_0000 0x3c94_a7f0_9c00_0000 0x3c94_a7f0_9d00_0000 0x3c72_9fc2_7400_0000
    0x3c72_9fc2_7500_0000 0x3c44_fe13_a800_0000 0x3c44_fe13_aa00_0000 0x3c44_fe13_ab00_0000
    0x3c23_f84e_ae00_0000 0x3c23_f84e_af00_0000 0x3bff_c275_7c00_0000 0x3bff_c275_7c00_0000
    0x3bff_c275_7d00_0000 0x3bef_84ea_fa00_0000 0x3bdf_09d5_f400_0000 0x3bce_13ab_e800_0000
    0x3bbc_2757_d100_0000 0x3ba8_4eaf_a300_0000 0x3b90_9d5f_4700_0000 0x3b43_abe8_f000_0000
    0x3b43_abe8_f800_0000 0x3b43_abe8_f800_0000 0x3b43_abe8_fa00_0000 0x3b43_abe8_fa00_0000
    0x3b1d_5f47_d400_0000 0x3b1d_5f47_d400_0000 0x3b1d_5f47_d400_0000 0x3b0a_be8f_a900_0000
    0x3af5_7d1f_5300_0000 0x3ad5_f47d_4c00_0000 0x3ad5_f47d_4d00_0000 0x3ab7_d1f5_3400_0000
    0x3ab7_d1f5_3400_0000 0x3a9f_47d4_d200_0000 0x3a9f_47d4_d300_0000 0x3a8e_8fa9_a600_0000
    0x3a7d_1f53_4d00_0000 0x3a6a_3ea6_9b00_0000 0x3a54_7d4d_3700_0000 0x3a31_f534_dc00_0000
    0x3a31_f534_dd00_0000 0x39ff_534d_d800_0000 0x39ff_534d_dc00_0000 0x39ff_534d_dc00_0000
    0x39ff_534d_dc00_0000 0x39ee_a69b_b800_0000 0x39dd_4d37_7000_0000 0x39ca_9a6e_e000_0000
    0x39b5_34dd_c000_0000 0x3994_d377_0200_0000 0x3994_d377_0300_0000 0x3973_4ddc_0c00_0000
};

/// 2/pi for inputs of exponent 24 + i, without the bits that make multiples of 4 with them: word 2.
pub(super) const TWO_OVER_PI_MID: [f64; 104] = doubles! {
    0x3e2c_9c88_2a00_0000 0x3e19_3910_5400_0000 0x3e02_7220_a900_0000 0x3dd3_9105_4800_0000
    0x3dd3_9105_4a00_0000 0x3dd3_9105_4a00_0000 0x3dac_882a_5000_0000 0x3dac_882a_5200_0000
    0x3dac_882a_5300_0000 0x3d99_1054_a700_0000 0x3d82_20a9_4f00_0000 0x3d51_054a_7c00_0000
    0x3d51_054a_7e00_0000 0x3d51_054a_7f00_0000 0x3d10_54a7_f000_0000 0x3d10_54a7_f000_0000
    0x3d10_54a7_f000_0000 0x3d10_54a7_f000_0000 0x3cb5_29fc_2000_0000 0x3cb5_29fc_2000_0000
    0x3cb5_29fc_2000_0000 0x3cb5_29fc_2400_0000 0x3cb5_29fc_2600_0000 0x3cb5_29fc_2700_0000
    0x3c94_a7f0_9c00_0000 0x3c94_a7f0_9d00_0000 0x3c72_9fc2_7400_0000 0x3c72_9fc2_7500_0000
    0x3c44_fe13_a800_0000 0x3c44_fe13_aa00_0000 0x3c44_fe13_ab00_0000 0x3c23_f84e_ae00_0000
    0x3c23_f84e_af00_0000 0x3bff_c275_7c00_0000 0x3bff_c275_7c00_0000 0x3bff_c275_7d00_0000
    0x3bef_84ea_fa00_0000 0x3bdf_09d5_f400_0000 0x3bce_13ab_e800_0000 0x3bbc_2757_d100_0000
    0x3ba8_4eaf_a300_0000 0x3b90_9d5f_4700_0000 0x3b43_abe8_f000_0000 0x3b43_abe8_f800_0000
    0x3b43_abe8_f800_0000 0x3b43_abe8_fa00_0000 0x3b43_abe8_fa00_0000 0x3b1d_5f47_d400_0000
    0x3b1d_5f47_d400_0000 0x3b1d_5f47_d400_0000 0x3b0a_be8f_a900_0000 0x3af5_7d1f_5300_0000
    0x3ad5_f47d_4c00_0000 0x3ad5_f47d_4d00_0000 0x3ab7_d1f5_3400_0000 0x3ab7_d1f5_3400_0000
    0x3a9f_47d4_d200_0000 0x3a9f_47d4_d300_0000 0x3a8e_8fa9_a600_0000 0x3a7d_1f53_4d00_0000
    0x3a6a_3ea6_9b00_0000 0x3a54_7d4d_3700_0000 0x3a31_f534_dc00_0000 0x3a31_f534_dd00_0000
    0x39ff_534d_d800_0000 0x39ff_534d_dc00_0000 0x39ff_534d_dc00_0000 0x39ff_534d_dc00_0000
    0x39ee_a69b_b800_0000 0x39dd_4d37_7000_0000 0x39ca_9a6e_e000_0000 0x39b5_34dd_c000_0000
    0x3994_d377_0200_0000 0x3994_d377_0300_0000 0x3973_4ddc_0c00_0000 0x3973_4ddc_0d00_0000
    0x394a_6ee0_6c00_0000 0x394a_6ee0_6c00_0000 0x394a_6ee0_6d00_0000 0x3934_ddc0_db00_0000
    0x3913_7703_6c00_0000 0x3913_7703_6d00_0000 0x38eb_b81b_6c00_0000 0x38eb_b81b_6c00_0000
    0x38eb_b81b_6c00_0000 0x38d7_7036_d800_0000 0x38bd_c0db_6200_0000 0x38bd_c0db_6200_0000
    0x38ab_81b6_c500_0000 0x3897_036d_8a00_0000 0x387c_0db6_2800_0000 0x387c_0db6_2900_0000
    0x3868_1b6c_5200_0000 0x3850_36d8_a500_0000 0x37eb_6c52_8000_0000 0x37eb_6c52_a000_0000
    0x37eb_6c52_b000_0000 0x37eb_6c52_b000_0000 0x37eb_6c52_b000_0000 0x37eb_6c52_b200_0000
    0x37eb_6c52_b300_0000 0x37d6_d8a5_6600_0000 0x37bb_6295_9800_0000 0x37bb_6295_9900_0000
};

/// 2/pi for inputs of exponent 24 + i, without the bits that make multiples of 4 with them: word 3.
pub(super) const TWO_OVER_PI_LO: [f64; 104] = doubles! {
    0x3c44_fe13_abe8_fa9a 0x3c44_fe13_abe8_fa9a 0x3c23_f84e_afa3_ea6a 0x3c23_f84e_afa3_ea6a
    0x3bff_c275_7d1f_534e 0x3bff_c275_7d1f_534e 0x3bff_c275_7d1f_534e 0x3bef_84ea_fa3e_a69c
    0x3bdf_09d5_f47d_4d37 0x3bce_13ab_e8fa_9a6f 0x3bbc_2757_d1f5_34de 0x3ba8_4eaf_a3ea_69bc
    0x3b90_9d5f_47d4_d377 0x3b43_abe8_fa9a_6ee0 0x3b43_abe8_fa9a_6ee0 0x3b43_abe8_fa9a_6ee0
    0x3b43_abe8_fa9a_6ee0 0x3b43_abe8_fa9a_6ee0 0x3b1d_5f47_d4d3_7703 0x3b1d_5f47_d4d3_7703
    0x3b1d_5f47_d4d3_7703 0x3b0a_be8f_a9a6_ee07 0x3af5_7d1f_534d_dc0e 0x3ad5_f47d_4d37_7037
    0x3ad5_f47d_4d37_7037 0x3ab7_d1f5_34dd_c0db 0x3ab7_d1f5_34dd_c0db 0x3a9f_47d4_d377_036e
    0x3a9f_47d4_d377_036e 0x3a8e_8fa9_a6ee_06db 0x3a7d_1f53_4ddc_0db6 0x3a6a_3ea6_9bb8_1b6c
    0x3a54_7d4d_3770_36d9 0x3a31_f534_ddc0_db63 0x3a31_f534_ddc0_db63 0x39ff_534d_dc0d_b629
    0x39ff_534d_dc0d_b629 0x39ff_534d_dc0d_b629 0x39ff_534d_dc0d_b629 0x39ee_a69b_b81b_6c53
    0x39dd_4d37_7036_d8a5 0x39ca_9a6e_e06d_b14b 0x39b5_34dd_c0db_6296 0x3994_d377_036d_8a56
    0x3994_d377_036d_8a56 0x3973_4ddc_0db6_295a 0x3973_4ddc_0db6_295a 0x394a_6ee0_6db1_4acd
    0x394a_6ee0_6db1_4acd 0x394a_6ee0_6db1_4acd 0x3934_ddc0_db62_9599 0x3913_7703_6d8a_5665
    0x3913_7703_6d8a_5665 0x38eb_b81b_6c52_b328 0x38eb_b81b_6c52_b328 0x38eb_b81b_6c52_b328
    0x38d7_7036_d8a5_664f 0x38bd_c0db_6295_993c 0x38bd_c0db_6295_993c 0x38ab_81b6_c52b_3279
    0x3897_036d_8a56_64f1 0x387c_0db6_2959_93c4 0x387c_0db6_2959_93c4 0x3868_1b6c_52b3_2788
    0x3850_36d8_a566_4f11 0x37eb_6c52_b327_8872 0x37eb_6c52_b327_8872 0x37eb_6c52_b327_8872
    0x37eb_6c52_b327_8872 0x37eb_6c52_b327_8872 0x37eb_6c52_b327_8872 0x37eb_6c52_b327_8872
    0x37d6_d8a5_664f_10e4 0x37bb_6295_993c_4390 0x37bb_6295_993c_4390 0x37a6_c52b_3278_8721
    0x378b_14ac_c9e2_1c82 0x378b_14ac_c9e2_1c82 0x3776_2959_93c4_3904 0x3758_a566_4f10_e410
    0x3758_a566_4f10_e410 0x3741_4acc_9e21_c821 0x3704_acc9_e21c_8210 0x3704_acc9_e21c_8210
    0x3704_acc9_e21c_8210 0x3704_acc9_e21c_8210 0x36e2_b327_8872_0840 0x36e2_b327_8872_0840
    0x36b5_993c_4390_41fe 0x36b5_993c_4390_41fe 0x36b5_993c_4390_41fe 0x3696_64f1_0e41_07f9
    0x3696_64f1_0e41_07f9 0x3679_93c4_3904_1fe5 0x3679_93c4_3904_1fe5 0x3663_2788_7208_3fca
    0x3639_3c43_9041_fe51 0x3639_3c43_9041_fe51 0x3639_3c43_9041_fe51 0x3622_7887_2083_fca3
    0x35f3_c439_041f_e516 0x35f3_c439_041f_e516 0x35f3_c439_041f_e516 0x35ce_21c8_20ff_28b2
};
