//! erf x on all in f32, made by
//! ```text
//!     crunch design erf --range all --precision f32 --within correctly-rounded --times map --name erf -o erf.rs
//! ```
//!
//! largest error 0.5000 ULP at -0.0001839803, 0 of 4,294,967,296 inputs misrounded.
//! 1.576 ns for each value on AMD EPYC: `map` of the designs, compiled by rustc 1.95.0 (59807616e 2026-04-14); of the other kernels, the kernel's text in a loop, compiled by g++ (Debian 12.2.0-14+deb12u1) 12.2.0.
//!
//! In a suite:
//! ```text
//!     erf: erf, computes erf, over "all", within 0.5;
//! ```

use doublecrunch::prelude::*;
pub const LOW: f64 = f64::from_bits(0xc00f8603e0000000); // -0x1.f8603ep1
pub const HIGH: f64 = f64::from_bits(0x400f8603e0000000); // 0x1.f8603ep1
pub const START: i64 = 2039;
pub const LAST: i64 = 10;
pub const EXCEPTION_0: f64 = f64::from_bits(0xbf281d5ac0000000); // -0x1.81d5acp-13
pub const RESULT_0: f64 = f64::from_bits(0xbf2b35e280000000); // -0x1.b35e28p-13
pub const EXCEPTION_1: f64 = f64::from_bits(0x3f281d5ac0000000); // 0x1.81d5acp-13
pub const RESULT_1: f64 = f64::from_bits(0x3f2b35e280000000); // 0x1.b35e28p-13
pub static CENTERS: [f64; 11] = [
    f64::from_bits(0x0),
    f64::from_bits(0x3fc4000000000000),
    f64::from_bits(0x3fcc000000000000),
    f64::from_bits(0x3fd4000000000000),
    f64::from_bits(0x3fdc000000000000),
    f64::from_bits(0x3fe4000000000000),
    f64::from_bits(0x3fec000000000000),
    f64::from_bits(0x3ff4000000000000),
    f64::from_bits(0x3ffc000000000000),
    f64::from_bits(0x4004000000000000),
    f64::from_bits(0x400c000000000000),
];
pub static C13: [f64; 11] = [
    f64::from_bits(0x3f1e2b3968372439),
    f64::from_bits(0x3f162ed20ca7eef4),
    f64::from_bits(0x3f0c60236ad00547),
    f64::from_bits(0x3eb53b65a945735e),
    f64::from_bits(0xbf108696a06edc1c),
    f64::from_bits(0xbf19e72febad7d89),
    f64::from_bits(0xbefe965049030b28),
    f64::from_bits(0x3f0c7499bd0e1ac8),
    f64::from_bits(0xbef1ba253800a3ab),
    f64::from_bits(0x3ed10d4b33d3bd7a),
    f64::from_bits(0xbe9478657dff050b),
];
pub static C12: [f64; 11] = [
    f64::from_bits(0x3ec5f806503c1a7d),
    f64::from_bits(0x3f2ccf028e7b6195),
    f64::from_bits(0x3f321f2b4c436fa2),
    f64::from_bits(0x3f345135830fa175),
    f64::from_bits(0x3f30d6131d273c8c),
    f64::from_bits(0x3f056aa5f875e8c3),
    f64::from_bits(0xbf2915bcf4492bd8),
    f64::from_bits(0xbf0bf95c304a1435),
    f64::from_bits(0x3f11bc45691ca486),
    f64::from_bits(0xbeed08e240987e4e),
    f64::from_bits(0x3ea177247931b75e),
];
pub static C11: [f64; 11] = [
    f64::from_bits(0xbf4c0807870a0897),
    f64::from_bits(0xbf44e082287ee22a),
    f64::from_bits(0xbf3d72fe368d3d59),
    f64::from_bits(0xbf1d9cb443fe82d7),
    f64::from_bits(0x3f355f26b96dcf8d),
    f64::from_bits(0x3f463772329d718a),
    f64::from_bits(0x3f3990203e0d9ea6),
    f64::from_bits(0xbf3538887e9dca79),
    f64::from_bits(0xbed72f87e5f44ba8),
    f64::from_bits(0x3ed6964cc6f045b6),
    f64::from_bits(0x3e9de9dc243328b2),
];
pub static C10: [f64; 11] = [
    f64::from_bits(0x3e77d900e3eeb5c1),
    f64::from_bits(0xbf55fc023f7f8c86),
    f64::from_bits(0xbf5c24b879434971),
    f64::from_bits(0xbf60794e90fa8d16),
    f64::from_bits(0xbf5e6532d9c96303),
    f64::from_bits(0xbf481151914d118c),
    f64::from_bits(0x3f4d6dfbe3b49aee),
    f64::from_bits(0x3f4a00e434fa07c0),
    f64::from_bits(0xbf3d02a759040c65),
    f64::from_bits(0x3f14a253a8664024),
    f64::from_bits(0xbed3930fd7fee83e),
];
pub static C9: [f64; 11] = [
    f64::from_bits(0x3f7565ba8cfd35fc),
    f64::from_bits(0x3f70e6e15a44a978),
    f64::from_bits(0x3f69ea861a67afb0),
    f64::from_bits(0x3f56c003c8137dff),
    f64::from_bits(0xbf51e03bf9b5a717),
    f64::from_bits(0xbf6dc3b453454cfc),
    f64::from_bits(0xbf6aae22f58ab045),
    f64::from_bits(0x3f4cc214d8152747),
    f64::from_bits(0x3f4d4cf9e0d22b4e),
    f64::from_bits(0xbf3067f0d65cfa0c),
    f64::from_bits(0x3ef01345b6d85122),
];
pub static C8: [f64; 11] = [
    f64::from_bits(0x3e02abe1770f4c83),
    f64::from_bits(0x3f7bf1cdc31f31f9),
    f64::from_bits(0x3f8231a416f64818),
    f64::from_bits(0x3f862aa895aed2ec),
    f64::from_bits(0x3f8678b51a68d78f),
    f64::from_bits(0x3f7b62f4aa3ee165),
    f64::from_bits(0xbf5e3f4cb4272102),
    f64::from_bits(0xbf77567364060993),
    f64::from_bits(0x3f47ec151c7ae45f),
    f64::from_bits(0x3f311594dd0ca472),
    f64::from_bits(0xbf01f59a1b6c51f5),
];
pub static C7: [f64; 11] = [
    f64::from_bits(0xbf9b82ce319116cc),
    f64::from_bits(0xbf96fa7f7f070415),
    f64::from_bits(0xbf92ef4193d1c87d),
    f64::from_bits(0xbf868aac58016863),
    f64::from_bits(0x3f2060b78c86b658),
    f64::from_bits(0x3f8c7cd9c1be73e2),
    f64::from_bits(0x3f930ac2193e1371),
    f64::from_bits(0x3f6db43cb3d07801),
    f64::from_bits(0xbf78d10fbefe865d),
    f64::from_bits(0x3f41c61cb08eb0e3),
    f64::from_bits(0x3f0e828053173180),
];
pub static C6: [f64; 11] = [
    f64::from_bits(0x3d6865d8fe2881b3),
    f64::from_bits(0xbf9c69c625d3b6cd),
    f64::from_bits(0xbfa2cf626743c131),
    f64::from_bits(0xbfa7ce764eedd761),
    f64::from_bits(0xbfaa3fd9fcbb68ed),
    f64::from_bits(0xbfa52b2668e8e6db),
    f64::from_bits(0xbf853bb4a5c0b95c),
    f64::from_bits(0x3f95d0003bc55fcd),
    f64::from_bits(0x3f825b378f5fb3b9),
    f64::from_bits(0xbf66ecdcb4027161),
    f64::from_bits(0xbf14615a831f6bac),
];
pub static C5: [f64; 11] = [
    f64::from_bits(0x3fbce2f21a04283d),
    f64::from_bits(0x3fb97594c25a1706),
    f64::from_bits(0x3fb659a35f29f6dd),
    f64::from_bits(0x3fb04c50a9cd2c15),
    f64::from_bits(0x3f9b0645438e5d1e),
    f64::from_bits(0xbf9c1242dfffbfd2),
    f64::from_bits(0xbfb1350f4b222c91),
    f64::from_bits(0xbfa8281ce0b9c1ad),
    f64::from_bits(0x3f7b22257deef423),
    f64::from_bits(0x3f790e81127892d2),
    f64::from_bits(0x3f1586baf82f0ca1),
];
pub static C4: [f64; 11] = [
    f64::from_bits(0x3ca4ad45172d6c8e),
    f64::from_bits(0x3fb5aa32b580e2ea),
    f64::from_bits(0x3fbd2855d59990c6),
    f64::from_bits(0x3fc322a728d4ed12),
    f64::from_bits(0x3fc6c2eea0d17b39),
    f64::from_bits(0x3fc6963c8a39d6a8),
    f64::from_bits(0x3fbcc60567d78d9e),
    f64::from_bits(0xbf793a9a7bc06c19),
    f64::from_bits(0xbfa8a0da54323f20),
    f64::from_bits(0xbf81a89b95d6c369),
    f64::from_bits(0xbf11c076dc5b956b),
];
pub static C3: [f64; 11] = [
    f64::from_bits(0xbfd812746b0379e7),
    f64::from_bits(0xbfd6582e9b69c9ac),
    f64::from_bits(0xbfd4c04e66e0d59c),
    f64::from_bits(0xbfd1917b60acab73),
    f64::from_bits(0xbfc889a80f4ad955),
    f64::from_bits(0xbfac8105021682e4),
    f64::from_bits(0x3fb7c9d756a115bc),
    f64::from_bits(0x3fc571d01c5c5953),
    f64::from_bits(0x3fb7148c3d57bfdb),
    f64::from_bits(0x3f8119da0c8d6f4b),
    f64::from_bits(0x3f062ccea674d3a7),
];
pub static C2: [f64; 11] = [
    f64::from_bits(0x3ba199bb19faa4f8),
    f64::from_bits(0xbfc605f63767bdd6),
    f64::from_bits(0xbfce1e4d4ce2ccfb),
    f64::from_bits(0xbfd477c8e7ee733d),
    f64::from_bits(0xbfda173acc35a985),
    f64::from_bits(0xbfde8a3c39181e85),
    f64::from_bits(0xbfdd62beb64e8442),
    f64::from_bits(0xbfd2ebf3dcc9f20e),
    f64::from_bits(0xbfb7a4a8a2bdcd24),
    f64::from_bits(0xbf764e3dcd4a7ddf),
    f64::from_bits(0xbef3d0e441b7df87),
];
pub static C1: [f64; 11] = [
    f64::from_bits(0x3ff20dd750429b6d),
    f64::from_bits(0x3ff19e5e92b964ab),
    f64::from_bits(0x3ff135e3075d076b),
    f64::from_bits(0x3ff05fd3ecbec298),
    f64::from_bits(0x3fedd167c4cf9d2a),
    f64::from_bits(0x3fe86e9694134b9e),
    f64::from_bits(0x3fe0cab61f084b93),
    f64::from_bits(0x3fce4652fadcb6b1),
    f64::from_bits(0x3fab055303221019),
    f64::from_bits(0x3f61d83170f9def6),
    f64::from_bits(0x3ed6a59721973d32),
];
pub static C0: [f64; 11] = [
    f64::from_bits(0x0),
    f64::from_bits(0x3fc662a0bdf7a89f),
    f64::from_bits(0x3fcf190aa85540e2),
    f64::from_bits(0x3fd5da9f415ff23f),
    f64::from_bits(0x3fddb081ce6e2a48),
    f64::from_bits(0x3fe3f196dcd0f135),
    f64::from_bits(0x3fe91724951b8fc6),
    f64::from_bits(0x3fed8865d98abe00),
    f64::from_bits(0x3fef92d077f8d56d),
    f64::from_bits(0x3feffcaa8f4c9bfe),
    f64::from_bits(0x3feffffe710d5664),
];

/// `erf x` on all: largest error 0.5000 ULP at -0.0001839803, 0 of 4,294,967,296 inputs misrounded.
///
/// f64: cut off, 11 pieces, degree 13, Horner, 2 exceptions.
#[crunch]
pub fn erf(x: DcFloat) -> DcFloat {
    let x_1 = x.to_f64();
    let x = x_1.clamp(LOW, HIGH);
    let size = x.abs();
    let cell = (size.to_bits() >> 51) - START;
    let cell = (if (cell < 0) { 0 } else { cell });
    let cell = (if (cell > LAST) { LAST } else { cell });
    let r = size - CENTERS[cell];
    let y = C13[cell];
    let y = y.mul_add(r, C12[cell]);
    let y = y.mul_add(r, C11[cell]);
    let y = y.mul_add(r, C10[cell]);
    let y = y.mul_add(r, C9[cell]);
    let y = y.mul_add(r, C8[cell]);
    let y = y.mul_add(r, C7[cell]);
    let y = y.mul_add(r, C6[cell]);
    let y = y.mul_add(r, C5[cell]);
    let y = y.mul_add(r, C4[cell]);
    let y = y.mul_add(r, C3[cell]);
    let y = y.mul_add(r, C2[cell]);
    let y = y.mul_add(r, C1[cell]);
    let y = y.mul_add(r, C0[cell]);
    let y = y.copysign(x);
    let y = (if (x_1 == EXCEPTION_0) { RESULT_0 } else { y });
    (if (x_1 == EXCEPTION_1) { RESULT_1 } else { y }).to_f32()
}
