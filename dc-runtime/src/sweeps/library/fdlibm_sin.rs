//! sin x for |x| <= 2^10: fdlibm's polynomials for sine and cosine on [-π/4, π/4] (`k_sin.c`, `k_cos.c`, Sun Microsystems,
//! 1993) after a reduction with π/2 in three words (Cody and Waite, *Software Manual for the Elementary Functions*, 1980).

use super::sin_constants::{HALF_PI_1, HALF_PI_2, HALF_PI_3, QUADRANTS};
use crate::prelude::*;

/// `sin r = r + S1 r³ + … + S6 r^13`, relative error below 2^-58.
const S1: f64 = f64::from_bits(0xbfc5_5555_5555_5549); // -1.66666666666666324348e-1
const S2: f64 = f64::from_bits(0x3f81_1111_1110_f8a6); // 8.33333333332248946124e-3
const S3: f64 = f64::from_bits(0xbf2a_01a0_19c1_61d5); // -1.98412698298579493134e-4
const S4: f64 = f64::from_bits(0x3ec7_1de3_57b1_fe7d); // 2.75573137070700676789e-6
const S5: f64 = f64::from_bits(0xbe5a_e5e6_8a2b_9ceb); // -2.50507602534068634195e-8
const S6: f64 = f64::from_bits(0x3de5_d93a_5acf_d57c); // 1.58969099521155010221e-10
/// `cos r = 1 - r²/2 + C1 r⁴ + … + C6 r^14`, error below 2^-58.
const C1: f64 = f64::from_bits(0x3fa5_5555_5555_554c); // 4.16666666666666019037e-2
const C2: f64 = f64::from_bits(0xbf56_c16c_16c1_5177); // -1.38888888888741095749e-3
const C3: f64 = f64::from_bits(0x3efa_01a0_19cb_1590); // 2.48015872894767294178e-5
const C4: f64 = f64::from_bits(0xbe92_7e4f_809c_52ad); // -2.75573143513906633035e-7
const C5: f64 = f64::from_bits(0x3e21_ee9e_bdb4_b1c4); // 2.08757232129817482790e-9
const C6: f64 = f64::from_bits(0xbda8_fae9_be88_38d4); // -1.13596475577881948265e-11

/// 2^-27: below it the result is x.
const TINY: f64 = f64::from_bits((1023 - 27) << 52);

/// `S2 + … + S6 r⁸`, with `z = r²` and `w = z²`.
#[crunch]
fn sine_tail(z: DcDouble, w: DcDouble) -> DcDouble {
    S2 + z * (S3 + z * S4) + z * w * (S5 + z * S6)
}

/// The cosine of `r + tail`: fdlibm's `__kernel_cos`, in FreeBSD's version since 2008.
#[crunch]
fn cosine(r: DcDouble, tail: DcDouble, z: DcDouble, w: DcDouble) -> DcDouble {
    let p = z * (C1 + z * (C2 + z * C3)) + w * w * (C4 + z * (C5 + z * C6));
    let half = 0.5 * z;
    let w = 1.0 - half;
    w + (((1.0 - w) - half) + (z * p - r * tail))
}

/// sin x for |x| <= 2^10; for larger x the reduction is not accurate enough.
///
/// `x = n π/2 + r`: the first two words of π/2 have 43 bits, so their products with n, which has 10 bits, are exact, and so
/// is the first difference. The last two bits of n select sine or cosine of r, and the sign.
#[crunch]
pub fn sin_fdlibm(x: DcDouble) -> DcDouble {
    let quadrants = (x * QUADRANTS).round_ties_even();
    let a = x - quadrants * HALF_PI_1;
    let s = two_sum(a, -(quadrants * HALF_PI_2));
    let r = fast_two_sum(s.hi, s.lo - quadrants * HALF_PI_3);
    let n = quadrants.to_i64();
    let z = r.hi * r.hi;
    let w = z * z;
    let v = z * r.hi;
    let p = sine_tail(z, w);
    // fdlibm's `__kernel_sin`, without and with a second word: where n is 0, r is x.
    let sine = if n == 0 {
        r.hi + v * (S1 + z * p)
    } else {
        r.hi - ((z * (0.5 * r.lo - v * p) - r.lo) - v * S1)
    };
    let y = if (n & 1) == 0 {
        sine
    } else {
        cosine(r.hi, r.lo, z, w)
    };
    let y = if (n & 2) == 0 { y } else { -y };
    if x.abs() < TINY { x } else { y }
}
