//! The cube root as in FreeBSD's `s_cbrt.c` (Kahan's estimate from the bits; Evans' polynomial, 2005): 5 bits by dividing
//! the exponent's word by 3, 23 by a polynomial, and one of Newton's iterations.

use crate::prelude::*;

/// `(1023 - 1023/3 - 0.03306235651) 2^20`; for subnormals, which are first multiplied by 2^54, 18 binades less.
const ROOT_OF_BIAS: i64 = 715_094_163;
const ROOT_OF_BIAS_SUBNORMAL: i64 = 696_219_795;
/// `1 / cbrt x ~ P(x)` for x from about 0.93 to 1.1, within 2^-23.5.
const P0: f64 = f64::from_bits(0x3ffe_03e6_0f61_e692); // 1.87595182427177009643
const P1: f64 = f64::from_bits(0xbffe_28e0_92f0_2420); // -1.88497979543377169875
const P2: f64 = f64::from_bits(0x3ff9_f160_4a49_d6c2); // 1.621429720105354466140
const P3: f64 = f64::from_bits(0xbfe8_44cb_bee7_51d9); // -0.758397934778766047437
const P4: f64 = f64::from_bits(0x3fc2_b000_d4e4_edd7); // 0.145996192886612446982
/// `floor(2^32 / 3) + 1`: its product with n < 2^31 has `floor(n / 3)` above the lower 32 bits.
const THIRD: i64 = 0x5555_5556;
/// 2^54
const TWO_54: f64 = 18_014_398_509_481_984.0;
const LEAST_NORMAL: f64 = f64::MIN_POSITIVE;
const INFINITY: f64 = f64::INFINITY;

/// x^(1/3).
#[crunch]
pub fn cbrt_freebsd(x: DcDouble) -> DcDouble {
    let size = x.abs();
    let subnormal = size < LEAST_NORMAL;
    let upper = subnormal.select(size * TWO_54, size).to_bits() >> 32;
    let third = (upper * THIRD) >> 32;
    let estimate = third + subnormal.select(ROOT_OF_BIAS_SUBNORMAL, ROOT_OF_BIAS);
    let t = DcDouble::from_bits(estimate << 32);
    // Rounded to 23 bits, away from 0: the square is exact.
    let r = (t * t) * (t / size);
    let t = t * ((P0 + r * (P1 + r * P2)) + ((r * r) * r) * (P3 + r * P4));
    let t = DcDouble::from_bits((t.to_bits() + 0x8000_0000) & -0x4000_0000);
    let s = t * t;
    let r = size / s;
    let w = t + t;
    let r = (r - t) / (w + r);
    let y = (t + t * r).copysign(x);
    let root = (size > 0.0) & (size < INFINITY);
    if root { y } else { x + x }
}
