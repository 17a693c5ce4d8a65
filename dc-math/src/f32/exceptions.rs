//! The inputs at which the rounded reference is not the nearest number, and the number that is. All 2^32 inputs were searched, and the
//! tests of the promises hold each.

pub(super) const COS_AT: [u32; 8] = [
    0x5922_aa80,
    0x5f18_b878,
    0x6115_cb11,
    0x6170_3976,
    0xd922_aa80,
    0xdf18_b878,
    0xe115_cb11,
    0xe170_3976,
];
pub(super) const COS_TO: [u32; 8] = [
    0x3f08_aebf,
    0x3f7f_14bb,
    0x3f78_142f,
    0x3eda_cc56,
    0x3f08_aebf,
    0x3f7f_14bb,
    0x3f78_142f,
    0x3eda_cc56,
];
pub(super) const EXP2_AT: [u32; 2] = [0x3b42_9d37, 0xbcf3_a937];
pub(super) const EXP2_TO: [u32; 2] = [0x3f80_4385, 0x3f7a_c6b1];
pub(super) const LOG_AT: [u32; 5] = [
    0x3c41_3d3a,
    0x4117_8feb,
    0x4c5d_65a5,
    0x65d8_90d3,
    0x6f31_a8ec,
];
pub(super) const LOG_TO: [u32; 5] = [
    0xc08e_158f,
    0x400f_e5e7,
    0x418f_034b,
    0x4254_d1f9,
    0x4284_5a89,
];
pub(super) const SIN_AT: [u32; 2] = [0x4619_9998, 0xc619_9998];
pub(super) const SIN_TO: [u32; 2] = [0xbeb1_fa5d, 0x3eb1_fa5d];
pub(super) const TAN_AT: [u32; 2] = [0x7714_b423, 0xf714_b423];
pub(super) const TAN_TO: [u32; 2] = [0x3fe8_3698, 0xbfe8_3698];
