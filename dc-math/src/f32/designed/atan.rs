//! atan x on all in f32, made by
//! ```text
//!     crunch design atan --range all --precision f32 --within correctly-rounded --times map --name atan -o atan.rs
//! ```
//!
//! largest error 0.5000 ULP at -0.069052, 0 of 4,294,967,296 inputs misrounded.
//! 1.057 ns for each value on AMD EPYC: `map` of the designs, compiled by rustc 1.95.0 (59807616e 2026-04-14); of the other kernels, the kernel's text in a loop, compiled by g++ (Debian 12.2.0-14+deb12u1) 12.2.0.
//!
//! In a suite:
//! ```text
//!     atan: atan, computes atan, over "all", within 0.5;
//! ```

use doublecrunch::prelude::*;
pub const C1: f64 = f64::from_bits(0x3ff0000000000000); // 0x1p0
pub const C3: f64 = f64::from_bits(0xbfd5555555550f32); // -0x1.5555555550f32p-2
pub const C5: f64 = f64::from_bits(0x3fc9999999411b6d); // 0x1.9999999411b6dp-3
pub const C7: f64 = f64::from_bits(0xbfc249247f96336d); // -0x1.249247f96336dp-3
pub const C9: f64 = f64::from_bits(0x3fbc71c36e113f03); // 0x1.c71c36e113f03p-4
pub const C11: f64 = f64::from_bits(0xbfb7459c9d6c068c); // -0x1.7459c9d6c068cp-4
pub const C13: f64 = f64::from_bits(0x3fb3af5771408e2c); // 0x1.3af5771408e2cp-4
pub const C15: f64 = f64::from_bits(0xbfb1053cc2f30fac); // -0x1.1053cc2f30facp-4
pub const C17: f64 = f64::from_bits(0x3fadb3d7f2d4766a); // 0x1.db3d7f2d4766ap-5
pub const C19: f64 = f64::from_bits(0xbfa99024b006b288); // -0x1.99024b006b288p-5
pub const C21: f64 = f64::from_bits(0x3fa4dcbeb9a7eb28); // 0x1.4dcbeb9a7eb28p-5
pub const C23: f64 = f64::from_bits(0xbf9e91fc7726dded); // -0x1.e91fc7726ddedp-6
pub const C25: f64 = f64::from_bits(0x3f92dea4a797c384); // 0x1.2dea4a797c384p-6
pub const C27: f64 = f64::from_bits(0xbf824e0d363bec06); // -0x1.24e0d363bec06p-7
pub const C29: f64 = f64::from_bits(0x3f69a624b8ae329e); // 0x1.9a624b8ae329ep-9
pub const C31: f64 = f64::from_bits(0xbf46cc2618b25642); // -0x1.6cc2618b25642p-11
pub const C33: f64 = f64::from_bits(0x3f1328202781a272); // 0x1.328202781a272p-14
pub const HALF_PI: f64 = f64::from_bits(0x3ff921fb54442d18); // 0x1.921fb54442d18p0

/// `atan x` on all: largest error 0.5000 ULP at -0.069052, 0 of 4,294,967,296 inputs misrounded.
///
/// f64: reciprocal above 1, degree 33, even/odd.
#[crunch]
pub fn atan(x: DcFloat) -> DcFloat {
    let x = x.to_f64();
    let above = x.abs() > 1.0;
    let v = (if above { x.recip() } else { x });
    let s = v * v;
    let vv = s * s;
    let even = vv.mul_add(C33, C29);
    let even = even.mul_add(vv, C25);
    let even = even.mul_add(vv, C21);
    let even = even.mul_add(vv, C17);
    let even = even.mul_add(vv, C13);
    let even = even.mul_add(vv, C9);
    let even = even.mul_add(vv, C5);
    let even = even.mul_add(vv, C1);
    let odd = vv.mul_add(C31, C27);
    let odd = odd.mul_add(vv, C23);
    let odd = odd.mul_add(vv, C19);
    let odd = odd.mul_add(vv, C15);
    let odd = odd.mul_add(vv, C11);
    let odd = odd.mul_add(vv, C7);
    let odd = odd.mul_add(vv, C3);
    let p = s.mul_add(odd, even);
    let p = v * p;
    let quarter = HALF_PI;
    (if above { quarter.copysign(x) - p } else { p }).to_f32()
}
