//! The inputs at which the rounded reference, or a kernel such as `log`, does not give the nearest number; each with the nearest number. All 2^32 inputs were
//! searched, and the tests of the promises check each exception.

use dc_runtime::prelude::*;

/// The listed result if x is in the list, and otherwise `y`.
#[crunch]
pub fn patched(x: DcFloat, y: DcFloat, at: &[u32], to: &[u32]) -> DcFloat {
    let bits = x.to_bits();
    let mut y = y;
    for i in 0..at.len() {
        y = if bits == at[i] {
            DcFloat::from_bits(to[i])
        } else {
            y
        };
    }
    y
}

/// Whether x is in a table of 16, which takes less time than comparisons with more than two inputs. Each input is in the place that the last bits of `place`
/// give for it. The numbers in all other places belong to another place, so they are never found.
#[crunch]
pub fn is_listed(x: DcFloat, place: DcInt, at: &[u32]) -> DcMask {
    x.to_bits() == at[place]
}

/// The result at such an input.
#[crunch]
pub fn patched_at(x: DcFloat, y: DcFloat, place: DcInt, at: &[u32], to: &[u32]) -> DcFloat {
    if is_listed(x, place, at) {
        DcFloat::from_bits(to[place])
    } else {
        y
    }
}

pub(super) const LOG_AT: [u32; 2] = [0x65d8_90d3, 0x6f31_a8ec];
pub(super) const LOG_TO: [u32; 2] = [0x4254_d1f9, 0x4284_5a89];
pub(super) const LOG10_AT: [u32; 1] = [0x0efe_ee7a];
pub(super) const LOG10_TO: [u32; 1] = [0xc1e9_9d23];
pub(super) const LOG10P1_AT: [u32; 1] = [0x2b7f_b367];
pub(super) const LOG10P1_TO: [u32; 1] = [0x2ade_1951];
/// By the bits 1 to 4.
pub(super) static LOG1P_AT: [u32; 16] = [
    2,
    0x3540_0003,
    0xb70f_ffe5,
    0,
    0x3d00_4e48,
    0x3770_004b,
    0x6f31_a8ec,
    0,
    0,
    0x65d8_90d3,
    0,
    0,
    0,
    0x3710_001b,
    0xb53f_fffd,
    0,
];
pub(super) static LOG1P_TO: [u32; 16] = [
    0,
    0x353f_ffff,
    0xb710_000d,
    0,
    0x3cfc_aca9,
    0x376f_ffdb,
    0x4284_5a89,
    0,
    0,
    0x4254_d1f9,
    0,
    0,
    0,
    0x370f_fff3,
    0xb540_0001,
    0,
];
pub(super) const LOG2P1_AT: [u32; 1] = [0x5292_8e33];
pub(super) const LOG2P1_TO: [u32; 1] = [0x4218_c7fd];
pub(super) const ACOSH_AT: [u32; 2] = [0x6558_90d3, 0x6eb1_a8ec];
pub(super) const ACOSH_TO: [u32; 2] = [0x4254_d1f9, 0x4284_5a89];
pub(super) const ASINH_AT: [u32; 6] = [
    0x4bdd_65a5,
    0x6558_90d3,
    0x6eb1_a8ec,
    0xcbdd_65a5,
    0xe558_90d3,
    0xeeb1_a8ec,
];
pub(super) const ASINH_TO: [u32; 6] = [
    0x418f_034b,
    0x4254_d1f9,
    0x4284_5a89,
    0xc18f_034b,
    0xc254_d1f9,
    0xc284_5a89,
];
pub(super) const ATANH_AT: [u32; 2] = [0x39b8_9ba2, 0xb9b8_9ba2];
pub(super) const ATANH_TO: [u32; 2] = [0x39b8_9ba3, 0xb9b8_9ba3];
pub(super) const ATANPI_AT: [u32; 2] = [0x3f69_3531, 0xbf69_3531];
pub(super) const ATANPI_TO: [u32; 2] = [0x3e70_d331, 0xbe70_d331];
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
pub(super) const ERFC_AT: [u32; 1] = [0xb76c_9f62];
pub(super) const ERFC_TO: [u32; 1] = [0x3f80_0085];
pub(super) const EXP10M1_AT: [u32; 1] = [0x417d_7f60];
pub(super) const EXP10M1_TO: [u32; 1] = [0x59c6_4405];
pub(super) const GELU_AT: [u32; 1] = [0x37b0_a46f];
pub(super) const GELU_TO: [u32; 1] = [0x3730_a531];
pub(super) const LGAMMA_AT: [u32; 3] = [0x3b7c_53aa, 0x77ac_5674, 0xb0d6_f2ca];
pub(super) const LGAMMA_TO: [u32; 3] = [0x40b1_d661, 0x7acf_27b3, 0x41a2_3559];
pub(super) const LOGIT_AT: [u32; 1] = [0x3489_cc36];
pub(super) const LOGIT_TO: [u32; 1] = [0xc172_cec5];
pub(super) const SILU_AT: [u32; 1] = [0xb710_0000];
pub(super) const SILU_TO: [u32; 1] = [0xb68f_ffd8];
pub(super) const SOFTPLUS_AT: [u32; 1] = [0x39ea_41d0];
pub(super) const SOFTPLUS_TO: [u32; 1] = [0x3f31_80bd];
pub(super) const SRGB_FROM_LINEAR_AT: [u32; 9] = [
    0x4fc3_7c73,
    0x5292_d01b,
    0x54d4_7ede,
    0x6520_6772,
    0x6d3d_bcba,
    0x6f2d_1793,
    0x7751_55a2,
    0x77f2_2df2,
    0x7d74_5ae6,
];
pub(super) const SRGB_FROM_LINEAR_TO: [u32; 9] = [
    0x464a_f845,
    0x477e_c313,
    0x486b_e2d6,
    0x4f30_6c52,
    0x5296_2d3f,
    0x5365_7162,
    0x56c5_1ef7,
    0x570b_cca9,
    0x5952_3e98,
];
pub(super) const SRGB_TO_LINEAR_AT: [u32; 1] = [0x429c_d0b3];
pub(super) const SRGB_TO_LINEAR_TO: [u32; 1] = [0x46f2_334b];
pub(super) const TAN_AT: [u32; 2] = [0x7714_b423, 0xf714_b423];
pub(super) const TAN_TO: [u32; 2] = [0x3fe8_3698, 0xbfe8_3698];
pub(super) const TGAMMA_AT: [u32; 5] = [
    0x27d4_3d43,
    0x27de_86a9,
    0x27e0_5475,
    0x29de_9bd0,
    0x41e8_86d1,
];
pub(super) const TGAMMA_TO: [u32; 5] = [
    0x571a_644b,
    0x5713_4133,
    0x5712_1211,
    0x5513_3335,
    0x7099_89b5,
];
