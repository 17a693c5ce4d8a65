//! exp x on 0.5..1 in f32, made by
//!
//!     crunch design exp --range 0.5..1 --precision f32 --within 1ulp -o exp_f32.rs
//!
//! largest error 0.9638 ULP at 0.6906105, 1,078,203 of 8,388,608 inputs misrounded.
//! 0.078 ns for each value on Intel(R) Xeon(R) Processor: the kernel's text in a loop, compiled by g++ (Debian 12.2.0-14+deb12u1) 12.2.0.
//!
//! In a suite:
//!
//!     exp_f32: exp_f32, computes exp, over "0.5..1", within 0.9638;

use doublecrunch::prelude::*;
pub const C0: f32 = f32::from_bits(0x3f800151); // 0x1.0002a2p0
pub const C1: f32 = f32::from_bits(0x3f7fe61a); // 0x1.ffcc34p-1
pub const C2: f32 = f32::from_bits(0x3f006ba4); // 0x1.00d748p-1
pub const C3: f32 = f32::from_bits(0x3e26d8e6); // 0x1.4db1ccp-3
pub const C4: f32 = f32::from_bits(0x3d3f0a70); // 0x1.7e14ep-5
pub const C5: f32 = f32::from_bits(0x3b92dffb); // 0x1.25bff6p-8
pub const C6: f32 = f32::from_bits(0x3b4050ea); // 0x1.80a1d4p-9

/// `exp x` on 0.5..1: largest error 0.9638 ULP at 0.6906105, 1,078,203 of 8,388,608 inputs misrounded.
///
/// f32: degree 6, Horner.
#[crunch]
pub fn exp_f32(x: DcFloat) -> DcFloat {
    let p = x.mul_add(C6, C5);
    let p = p.mul_add(x, C4);
    let p = p.mul_add(x, C3);
    let p = p.mul_add(x, C2);
    let p = p.mul_add(x, C1);
    let p = p.mul_add(x, C0);
    p
}
