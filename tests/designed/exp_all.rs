//! exp x on all in f32, made by
//!
//!     crunch design exp --range all --precision f32 --within correctly-rounded -o exp_all.rs
//!
//! largest error 0.5000 ULP at -14.56709, 0 of 4,294,967,296 inputs misrounded.
//! 1.772 ns for each value on Intel(R) Xeon(R) Processor: the kernel's text in a loop, compiled by g++ (Debian 12.2.0-14+deb12u1) 12.2.0.
//!
//! In a suite:
//!
//!     exp_f32: exp_f32, computes exp, over "all", within 0.5;

use doublecrunch::prelude::*;
pub const C2: f64 = f64::from_bits(0x3fe0000000000005); // 0x1.0000000000005p-1
pub const C3: f64 = f64::from_bits(0x3fc555555548f798); // 0x1.555555548f798p-3
pub const C4: f64 = f64::from_bits(0x3fa555555545fecf); // 0x1.555555545fecfp-5
pub const C5: f64 = f64::from_bits(0x3f811123ab8e29f3); // 0x1.11123ab8e29f3p-7
pub const C6: f64 = f64::from_bits(0x3f56c185d5d82f97); // 0x1.6c185d5d82f97p-10
pub const HIGH: f64 = f64::from_bits(0x4056400000000000); // 0x1.64p6
pub const LOW: f64 = f64::from_bits(0xc05a400000000000); // -0x1.a4p6
pub const INTEGER: f64 = f64::from_bits(0x4338000000000000); // 0x1.8p52
pub const STEPS_PER_UNIT: f64 = f64::from_bits(0x40371547652b82fe); // 0x1.71547652b82fep4
pub const MINUS_STEP: f64 = f64::from_bits(0xbfa62e42fefa39ef); // -0x1.62e42fefa39efp-5
pub const MINUS_STEP_LO: f64 = f64::from_bits(0xbc3abc9e3b39803f); // -0x1.abc9e3b39803fp-60
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

/// `exp x` on all: largest error 0.5000 ULP at -14.56709, 0 of 4,294,967,296 inputs misrounded.
///
/// f64: 2^(k/16), 2 words, degree 6, Horner, from 1.
#[crunch]
pub fn exp_f32(x: DcFloat) -> DcFloat {
    let x = x.to_f64();
    let x = (if (x > HIGH) { HIGH } else { x });
    let x = (if (x < LOW) { LOW } else { x });
    let t = x.mul_add(STEPS_PER_UNIT, INTEGER);
    let k = t - INTEGER;
    let r = k.mul_add(MINUS_STEP, x);
    let r = k.mul_add(MINUS_STEP_LO, r);
    let bits = t.to_bits();
    let p = r.mul_add(C6, C5);
    let p = p.mul_add(r, C4);
    let p = p.mul_add(r, C3);
    let p = p.mul_add(r, C2);
    let s = r * r;
    let q = s.mul_add(p, r);
    let power = DcDouble::from_bits((((bits >> 4) << 52) + POWERS[bits]));
    power.mul_add(q, power).to_f32()
}
