//! Softmax and the logarithm of a sum of exponentials, of 8 numbers.
//!
//! Exponential and logarithm are written here as plain functions, by the methods of fdlibm (Sun Microsystems, 1993), each with an error below 1
//! ULP. These kernels show the effect of the order, and of subtracting the maximum or not.

#![allow(
    clippy::needless_range_loop,
    reason = "the order of additions is that of the indices"
)]

use super::sums::{sum_8, sum_8_pairwise};
use crate::prelude::*;

/// ln 2 in two words, the first of 33 bits, and 1 / ln 2.
const LN2_HI: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
const LN2_LO: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);
const INV_LN2: f64 = f64::from_bits(0x3ff7_1547_652b_82fe);
/// `r (e^r + 1) / (e^r - 1) - 2`, in r².
const P: [f64; 5] = [
    f64::from_bits(0x3fc5_5555_5555_553e),
    f64::from_bits(0xbf66_c16c_16be_bd93),
    f64::from_bits(0x3f11_566a_af25_de2c),
    f64::from_bits(0xbebb_bd41_c5d2_6bf1),
    f64::from_bits(0x3e66_3769_72be_a4d0),
];
/// `(ln((1 + s) / (1 - s)) - 2 s) / s`, in s².
const L: [f64; 7] = [
    6.666_666_666_666_735e-1,
    3.999_999_999_940_942e-1,
    2.857_142_874_366_239e-1,
    2.222_219_843_214_978_4e-1,
    1.818_357_216_161_805e-1,
    1.531_383_769_920_937_3e-1,
    1.479_819_860_511_658_6e-1,
];
const ROOT_HALF: i64 = 0x3fe6_a09e_667f_3bcd;

/// e^x.
#[crunch]
#[must_use]
pub fn plain_exp(x: f64) -> f64 {
    // A NaN passes both.
    let x = if x > 710.0 { 710.0 } else { x };
    let x = if x < -746.0 { -746.0 } else { x };
    let k = (x * INV_LN2).round_ties_even();
    let hi = x - k * LN2_HI;
    let lo = k * LN2_LO;
    let r = hi - lo;
    let z = r * r;
    let c = r - z * (P[0] + z * (P[1] + z * (P[2] + z * (P[3] + z * P[4]))));
    let y = 1.0 - ((lo - (r * c) / (2.0 - c)) - hi);
    let n = k as i64;
    let half = n >> 1;
    let first = f64::from_bits(((half + 1023) << 52) as u64);
    let second = f64::from_bits(((n - half + 1023) << 52) as u64);
    y * first * second
}

/// The natural logarithm.
#[crunch]
#[must_use]
pub fn plain_log(x: f64) -> f64 {
    let small = x < f64::MIN_POSITIVE;
    // 2^54
    let scaled = if small {
        x * 18_014_398_509_481_984.0
    } else {
        x
    };
    let bits = scaled.to_bits() as i64;
    let above = (bits - ROOT_HALF) >> 52;
    let f = f64::from_bits((bits - (above << 52)) as u64) - 1.0;
    let k = (above - if small { 54 } else { 0 }) as f64;
    let s = f / (2.0 + f);
    let z = s * s;
    let rest =
        z * (L[0] + z * (L[1] + z * (L[2] + z * (L[3] + z * (L[4] + z * (L[5] + z * L[6]))))));
    let square = 0.5 * f * f;
    let y = k * LN2_HI - ((square - (s * (square + rest) + k * LN2_LO)) - f);
    let y = if x < f64::INFINITY { y } else { x };
    let y = if x < 0.0 { f64::NAN } else { y };
    if x == 0.0 { f64::NEG_INFINITY } else { y }
}

/// The largest number, or 0 if it is infinite, because nothing can be subtracted from an infinity.
#[crunch]
#[must_use]
pub fn shift_8(x: [f64; 8]) -> f64 {
    let mut most = x[0];
    for i in 1..8 {
        if x[i] > most {
            most = x[i];
        }
    }
    if most.is_infinite() { 0.0 } else { most }
}

/// `ln Σ e^x` computed directly: the exponentials overflow and underflow.
#[crunch]
#[must_use]
pub fn logsumexp_8_unshifted(x: [f64; 8]) -> f64 {
    let mut terms = [0.0; 8];
    for i in 0..8 {
        terms[i] = plain_exp(x[i]);
    }
    plain_log(sum_8(terms))
}

/// `m + ln Σ e^(x - m)` with the largest number m.
#[crunch]
#[must_use]
pub fn logsumexp_8(x: [f64; 8]) -> f64 {
    let most = shift_8(x);
    let mut terms = [0.0; 8];
    for i in 0..8 {
        terms[i] = plain_exp(x[i] - most);
    }
    most + plain_log(sum_8(terms))
}

/// The same, with the sums of both halves.
#[crunch]
#[must_use]
pub fn logsumexp_8_pairwise(x: [f64; 8]) -> f64 {
    let most = shift_8(x);
    let mut terms = [0.0; 8];
    for i in 0..8 {
        terms[i] = plain_exp(x[i] - most);
    }
    most + plain_log(sum_8_pairwise(terms))
}

/// `e^x[k] / Σ e^x` computed directly: the exponentials overflow and underflow.
#[crunch]
#[must_use]
pub fn softmax_8_unshifted(x: [f64; 8]) -> [f64; 8] {
    let mut terms = [0.0; 8];
    for i in 0..8 {
        terms[i] = plain_exp(x[i]);
    }
    let sum = sum_8(terms);
    for i in 0..8 {
        terms[i] /= sum;
    }
    terms
}

/// `e^(x[k] - m) / Σ e^(x - m)` with the largest number m.
#[crunch]
#[must_use]
pub fn softmax_8(x: [f64; 8]) -> [f64; 8] {
    let most = shift_8(x);
    let mut terms = [0.0; 8];
    for i in 0..8 {
        terms[i] = plain_exp(x[i] - most);
    }
    let sum = sum_8(terms);
    for i in 0..8 {
        terms[i] /= sum;
    }
    terms
}

/// The same, with the sums of both halves.
#[crunch]
#[must_use]
pub fn softmax_8_pairwise(x: [f64; 8]) -> [f64; 8] {
    let most = shift_8(x);
    let mut terms = [0.0; 8];
    for i in 0..8 {
        terms[i] = plain_exp(x[i] - most);
    }
    let sum = sum_8_pairwise(terms);
    for i in 0..8 {
        terms[i] /= sum;
    }
    terms
}

/// `e^(x[k] - ln Σ e^x)`: the rounding error of the logarithm becomes that of an exponent.
#[crunch]
#[must_use]
pub fn softmax_8_by_log(x: [f64; 8]) -> [f64; 8] {
    let sum = logsumexp_8(x);
    let mut terms = [0.0; 8];
    for i in 0..8 {
        terms[i] = plain_exp(x[i] - sum);
    }
    terms
}
