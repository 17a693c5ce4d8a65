//! sin(pi x) on all in f32, made by
//! ```text
//!     crunch design sinpi --range all --precision f32 --within correctly-rounded --times map --name sinpi -o sinpi.rs
//! ```
//!
//! largest error 0.5000 ULP at -0.87622195, 0 of 4,294,967,296 inputs misrounded.
//! 0.921 ns for each value on AMD EPYC: `map` of the designs, compiled by rustc 1.95.0 (59807616e 2026-04-14); of the other kernels, the kernel's text in a loop, compiled by g++ (Debian 12.2.0-14+deb12u1) 12.2.0.
//!
//! In a suite:
//! ```text
//!     sinpi: sinpi, computes sinpi, over "all", within 0.5;
//! ```

use doublecrunch::prelude::*;
pub const C1: f64 = f64::from_bits(0x400921fb54442d16); // 0x1.921fb54442d16p1
pub const C3: f64 = f64::from_bits(0xc014abbce625bd5e); // -0x1.4abbce625bd5ep2
pub const C5: f64 = f64::from_bits(0x400466bc6775105b); // 0x1.466bc6775105bp1
pub const C7: f64 = f64::from_bits(0xbfe32d2cce17d4bd); // -0x1.32d2cce17d4bdp-1
pub const C9: f64 = f64::from_bits(0x3fb50783249d847d); // 0x1.50783249d847dp-4
pub const C11: f64 = f64::from_bits(0xbf7e30623c68c94d); // -0x1.e30623c68c94dp-8
pub const C13: f64 = f64::from_bits(0x3f3e89cea9f118d8); // 0x1.e89cea9f118d8p-12
pub const C15: f64 = f64::from_bits(0xbef62626fae57bbd); // -0x1.62626fae57bbdp-16
pub const EVEN: f64 = f64::from_bits(0x4170000000000000); // 0x1p24
pub const INTEGER: f64 = f64::from_bits(0x4338000000000000); // 0x1.8p52

/// `sin(pi x)` on all: largest error 0.5000 ULP at -0.87622195, 0 of 4,294,967,296 inputs misrounded.
///
/// f64: half turns, degree 15, Horner.
#[crunch]
pub fn sinpi(x: DcFloat) -> DcFloat {
    let x = x.to_f64();
    let x = (if (x.abs() < EVEN) { x } else { x * 0.0 });
    let t = x + INTEGER;
    let r = x - (t - INTEGER);
    let s = r * r;
    let p = s.mul_add(C15, C13);
    let p = p.mul_add(s, C11);
    let p = p.mul_add(s, C9);
    let p = p.mul_add(s, C7);
    let p = p.mul_add(s, C5);
    let p = p.mul_add(s, C3);
    let p = p.mul_add(s, C1);
    let y = r * p;
    let y = DcDouble::from_bits((y.to_bits() ^ (t.to_bits() << 63)));
    (if (y == 0.0) { y.copysign(x) } else { y }).to_f32()
}
