//! tanh x on all in f32, made by
//! ```text
//!     crunch design tanh --range all --precision f32 --within correctly-rounded --times map --name tanh -o tanh.rs
//! ```
//!
//! largest error 0.5000 ULP at -0.0014914835, 0 of 4,294,967,296 inputs misrounded.
//! 0.870 ns for each value on AMD EPYC: `map` of the designs, compiled by rustc 1.95.0 (59807616e 2026-04-14); of the other kernels, the kernel's text in a loop, compiled by g++ (Debian 12.2.0-14+deb12u1) 12.2.0.
//!
//! In a suite:
//! ```text
//!     tanh: tanh, computes tanh, over "all", within 0.5;
//! ```

use doublecrunch::prelude::*;
pub const C2: f64 = f64::from_bits(0x3fdfffffffffffec); // 0x1.fffffffffffecp-2
pub const C3: f64 = f64::from_bits(0x3fc55555554afce5); // 0x1.55555554afce5p-3
pub const C4: f64 = f64::from_bits(0x3fa5555555674359); // 0x1.5555555674359p-5
pub const C5: f64 = f64::from_bits(0x3f81112276ec6fea); // 0x1.1112276ec6feap-7
pub const C6: f64 = f64::from_bits(0x3f56c16959332e06); // 0x1.6c16959332e06p-10
pub const LOW: f64 = f64::from_bits(0xc05a400000000000); // -0x1.a4p6
pub const INTEGER: f64 = f64::from_bits(0x4338000000000000); // 0x1.8p52
pub const STEPS_PER_UNIT: f64 = f64::from_bits(0x40371547652b82fe); // 0x1.71547652b82fep4
pub const MINUS_STEP: f64 = f64::from_bits(0xbfa62e42fefa39ef); // -0x1.62e42fefa39efp-5
pub static POWERS: [u64; 16] = [
    0x3ff0000000000000,
    0x3ff0b5586cf9890f,
    0x3ff172b83c7d517b,
    0x3ff2387a6e756238,
    0x3ff306fe0a31b715,
    0x3ff3dea64c123422,
    0x3ff4bfdad5362a27,
    0x3ff5ab07dd485429,
    0x3ff6a09e667f3bcd,
    0x3ff7a11473eb0187,
    0x3ff8ace5422aa0db,
    0x3ff9c49182a3f090,
    0x3ffae89f995ad3ad,
    0x3ffc199bdd85529c,
    0x3ffd5818dcfba487,
    0x3ffea4afa2a490da,
];

/// `tanh x` on all: largest error 0.5000 ULP at -0.0014914835, 0 of 4,294,967,296 inputs misrounded.
///
/// f64: 2^(k/16), 1 word, degree 6, Horner, from 1.
#[crunch]
pub fn tanh(x: DcFloat) -> DcFloat {
    let x_1 = x.to_f64();
    let x = x_1.abs() * (-2.0);
    let x = (if (x < LOW) { LOW } else { x });
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
    let power = DcDouble::from_bits((((bits >> 4) << 52) + POWERS[bits]));
    let u = power.mul_add(q, (power - 1.0));
    ((-u) / (u + 2.0)).copysign(x_1).to_f32()
}
