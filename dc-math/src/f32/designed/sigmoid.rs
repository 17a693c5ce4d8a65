//! 1 / (1 + exp -x) on all in f32, made by
//! ```text
//!     crunch design sigmoid --range all --precision f32 --within correctly-rounded --times map --name sigmoid -o sigmoid.rs
//! ```
//!
//! largest error 0.5001 ULP at -7.56979e-6, 0 of 4,294,967,296 inputs misrounded.
//! 0.965 ns for each value on AMD EPYC: `map` of the designs, compiled by rustc 1.95.0 (59807616e 2026-04-14); of the other kernels, the kernel's text in a loop, compiled by g++ (Debian 12.2.0-14+deb12u1) 12.2.0.
//!
//! In a suite:
//! ```text
//!     sigmoid: sigmoid, computes sigmoid, over "all", within 0.5;
//! ```

use doublecrunch::prelude::*;
pub const C2: f64 = f64::from_bits(0x3fdffffffffba2be); // 0x1.ffffffffba2bep-2
pub const C3: f64 = f64::from_bits(0x3fc5555553fe1d4a); // 0x1.5555553fe1d4ap-3
pub const C4: f64 = f64::from_bits(0x3fa55555e161c2fe); // 0x1.55555e161c2fep-5
pub const C5: f64 = f64::from_bits(0x3f81116bc62f67fd); // 0x1.1116bc62f67fdp-7
pub const C6: f64 = f64::from_bits(0x3f56b5f006b37d08); // 0x1.6b5f006b37d08p-10
pub const LOW: f64 = f64::from_bits(0xc05a400000000000); // -0x1.a4p6
pub const HIGH: f64 = f64::from_bits(0x405a400000000000); // 0x1.a4p6
pub const INTEGER: f64 = f64::from_bits(0x4338000000000000); // 0x1.8p52
pub const STEPS_PER_UNIT: f64 = f64::from_bits(0x40271547652b82fe); // 0x1.71547652b82fep3
pub const MINUS_STEP: f64 = f64::from_bits(0xbfb62e42fefa39ef); // -0x1.62e42fefa39efp-4
pub const SMALL: f64 = f64::from_bits(0x3f10000000000000); // 0x1p-14
pub const PLACE: f64 = f64::from_bits(0x3ca0000000000000); // 0x1p-53
pub const EXCEPTION_0: f64 = f64::from_bits(0xc001989b60000000); // -0x1.1989b6p1
pub const RESULT_0: f64 = f64::from_bits(0x3fb98c1a20000000); // 0x1.98c1a2p-4
pub const EXCEPTION_1: f64 = f64::from_bits(0xbf5250c020000000); // -0x1.250c02p-10
pub const RESULT_1: f64 = f64::from_bits(0x3fdffb6be0000000); // 0x1.ffb6bep-2
pub static POWERS: [u64; 8] = [
    0x3ff0000000000000,
    0x3ff172b83c7d517b,
    0x3ff306fe0a31b715,
    0x3ff4bfdad5362a27,
    0x3ff6a09e667f3bcd,
    0x3ff8ace5422aa0db,
    0x3ffae89f995ad3ad,
    0x3ffd5818dcfba487,
];

/// `1 / (1 + exp -x)` on all: largest error 0.5001 ULP at -7.56979e-6, 0 of 4,294,967,296 inputs misrounded.
///
/// f64: 2^(k/8), 1 word, degree 6, Horner, from 1, 2 exceptions.
#[crunch]
pub fn sigmoid(x: DcFloat) -> DcFloat {
    let x_1 = x.to_f64();
    let x = -x_1;
    let x = x.clamp(LOW, HIGH);
    let t = x.mul_add(STEPS_PER_UNIT, INTEGER);
    let k = t - INTEGER;
    let r = k.mul_add(MINUS_STEP, x);
    let bits = t.to_bits();
    let p = r.mul_add(C6, C5);
    let p = p.mul_add(r, C4);
    let p = p.mul_add(r, C3);
    let p = p.mul_add(r, C2);
    let s = r * r;
    let q = s.mul_add(p, r);
    let power = DcDouble::from_bits((((bits >> 3) << 52) + POWERS[bits]));
    let y = (power.mul_add(q, power) + 1.0).recip();
    let y = (if (x_1.abs() < SMALL) {
        x_1.mul_add(0.25, 0.5) - PLACE.copysign(x_1)
    } else {
        y
    });
    let y = (if (x_1 == EXCEPTION_0) { RESULT_0 } else { y });
    (if (x_1 == EXCEPTION_1) { RESULT_1 } else { y }).to_f32()
}
