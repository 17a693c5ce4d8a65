//! `VRCP14PS/PD` and `VRSQRT14PS/PD` of AVX-512 (also the scalar forms), as implemented by Intel and AMD.
//!
//! Intel documents a bound, a relative error below 2^-14, and publishes a reference model; AMD's Zen 5 gives the same bits. In
//! each of 64 intervals of the fraction (for `1 / √x`: 32 in each of two binades), the result lies on a line. It is evaluated
//! in integers from 16 (15) bits of the fraction, and truncated to 17 bits. The slopes are the derivative at the interval's
//! midpoint, made odd; they are computed here. The values at the midpoint were measured. Exact powers of two (of four) are
//! exact.

use super::{MIN_NORMAL, TWO_24, TWO_M128, pack_gradual};
use crate::prelude::*;

/// 2^-1022, the least normal double.
pub(crate) const MIN_NORMAL_F64: f64 = f64::MIN_POSITIVE;
/// 2^54: makes every subnormal double normal, exactly, and keeps the parity of the exponent.
pub(crate) const TWO_54: f64 = 18_014_398_509_481_984.0;
/// 2^-1024: numbers up to it have a reciprocal beyond the largest double.
pub(crate) const TWO_M1024: f64 = f64::from_bits(1 << 50);

/// `VRCP14`, by the upper six bits of the fraction: the result at the interval's midpoint, in units of 2^-18.
#[rustfmt::skip]
const RCP_VALUE: [i32; 64] = [
    260119, 256148, 252296, 248558, 244929, 241405, 237981, 234652,
    231416, 228266, 225202, 222220, 219314, 216485, 213727, 211038,
    208417, 205859, 203364, 200929, 198551, 196229, 193960, 191743,
    189576, 187458, 185387, 183360, 181377, 179439, 177540, 175681,
    173860, 172077, 170330, 168618, 166940, 165295, 163682, 162101,
    160550, 159027, 157535, 156069, 154631, 153219, 151832, 150470,
    149133, 147819, 146528, 145260, 144012, 142787, 141582, 140397,
    139232, 138085, 136959, 135853, 134763, 133689, 132631, 131589,
];

/// `VRCP14`: minus the slope at the midpoint `y = 1 + (2i + 1) / 128`: `512 / y²`, truncated to an integer, doubled and made odd.
const RCP_SLOPE: [i32; 64] = {
    let mut table = [0; 64];
    let mut i = 0;
    while i < 64 {
        let n = 129 + 2 * i as i32;
        table[i] = 2 * ((512 << 14) / (n * n)) + 1;
        i += 1;
    }
    table
};

/// `VRSQRT14`, by the exponent's parity and the upper five bits of the fraction: the result at the interval's midpoint, in
/// units of 2^-19.
#[rustfmt::skip]
const RSQRT_VALUE: [i32; 64] = [
    // even exponents: [2, 4)
    367881, 362349, 357056, 351992, 347136, 342475, 337997, 333693,
    329545, 325551, 321697, 317977, 314385, 310910, 307549, 304295,
    301139, 298079, 295115, 292237, 289439, 286722, 284080, 281508,
    279006, 276569, 274195, 271882, 269625, 267425, 265276, 263178,
    // odd exponents: [1, 2)
    520261, 512437, 504953, 497790, 490922, 484331, 478001, 471909,
    466046, 460397, 454947, 449688, 444606, 439694, 434939, 430335,
    425875, 421551, 417355, 413284, 409329, 405487, 401748, 398111,
    394571, 391127, 387770, 384498, 381307, 378194, 375155, 372190,
];

/// `VRSQRT14`: minus the slope at the midpoint `y = 1 + (2i + 1) / 64`, for even exponents twice that: `512 / √y³`, for even
/// exponents `1024 / √y³`, truncated to an integer, doubled and made odd.
const RSQRT_SLOPE: [i32; 64] = {
    let mut table = [0; 64];
    let mut i = 0;
    while i < 64 {
        let n = 65 + 2 * (i as u64 & 31);
        // K² / y³ with y = n / 64 or n / 32
        let squared = if i < 32 {
            (1 << 20 << 15) / (n * n * n)
        } else {
            (1 << 18 << 18) / (n * n * n)
        };
        table[i] = 2 * squared.isqrt() as i32 + 1;
        i += 1;
    }
    table
};

/// The significand, of 24 bits, of `VRCP14` for an input with this fraction (23 bits, of which 16 are used).
#[crunch]
pub fn rcp14_significand(fraction: DcInt) -> DcInt {
    let i = fraction.shr_logical(17) & 0x3f;
    let t = (fraction.shr_logical(7) & 0x3ff) - 512;
    ((RCP_VALUE[i] * 256 - RCP_SLOPE[i] * t) >> 9) << 7
}

/// The significand, of 24 bits, of `VRSQRT14` for an input with this parity of the exponent (bit 23) and this fraction
/// (23 bits, of which 15 are used).
#[crunch]
pub fn rsqrt14_significand(bits: DcInt) -> DcInt {
    let i = bits.shr_logical(18) & 0x3f;
    let t = (bits.shr_logical(8) & 0x3ff) - 512;
    ((RSQRT_VALUE[i] * 128 - RSQRT_SLOPE[i] * t) >> 9) << 7
}

/// `VRCP14PS`: an estimate of `1 / x` accurate to 14 bits.
///
/// Largest error in `[1, 2)`: 709.549469 · 2^-24, at `3f83007f`.
///
/// `|x| <= 2^-128` gives ±∞. Larger subnormals are normalised. Results below 2^-126 are subnormal, and exact powers of two are exact. ±∞
/// gives ±0. NaN gives NaN. (With MXCSR.DAZ = MXCSR.FTZ = 0.)
#[crunch]
pub fn rcp14(x: DcFloat) -> DcFloat {
    let subnormal = x.abs() < MIN_NORMAL;
    let scaled = subnormal.select(x * TWO_24, x);
    let bits = scaled.to_bits();
    let sign = bits & 0x8000_0000;
    let fraction = bits & 0x007f_ffff;
    let exponent = (bits.shr_logical(23) & 0xff) - subnormal.select(24, 0);
    let exact = fraction == 0;
    let significand = exact.select(0x0080_0000, rcp14_significand(fraction));
    let mut result = sign | pack_gradual(exact.select(254, 253) - exponent, significand);
    if x.abs() <= TWO_M128 {
        result = sign | 0x7f80_0000;
    }
    if (bits & 0x7fff_ffff) == 0x7f80_0000 {
        result = sign;
    }
    if x.is_nan() {
        result = 0x7fc0_0000;
    }
    DcFloat::from_bits(result)
}

/// `VRSQRT14PS`: an estimate of `1 / √x` accurate to 14 bits.
///
/// Largest error in `[1, 2)`: 938.202618 · 2^-24, at `3f81fbff`; in `[2, 4)`: 702.187839 · 2^-24, at `40000100`.
///
/// ±0 gives ±∞. Subnormals are normalised. Negative numbers and NaN give NaN. +∞ gives +0. Exact powers of four are exact. (With MXCSR.DAZ
/// = 0.)
#[crunch]
pub fn rsqrt14(x: DcFloat) -> DcFloat {
    let subnormal = x.abs() < MIN_NORMAL;
    let scaled = subnormal.select(x * TWO_24, x);
    let bits = scaled.to_bits();
    let exponent = (bits.shr_logical(23) & 0xff) - subnormal.select(24, 0);
    let exact = (bits & 0x00ff_ffff) == 0x0080_0000;
    let fraction = exact.select(0x0080_0000, rsqrt14_significand(bits) & 0x007f_ffff);
    let mut result = ((380 - exponent).shr_logical(1) << 23) + fraction;
    if bits < 0 {
        result = 0x7fc0_0000;
    }
    if (bits & 0x7fff_ffff) == 0 {
        result = (bits & 0x8000_0000) | 0x7f80_0000;
    }
    if bits == 0x7f80_0000 {
        result = 0;
    }
    if x.is_nan() {
        result = 0x7fc0_0000;
    }
    DcFloat::from_bits(result)
}

/// `VRCP14PD`: the same as [`rcp14()`] in binary64, from the same table.
///
/// `|x| <= 2^-1024` gives ±∞. Larger subnormals are normalised. Results below 2^-1022 are subnormal. ±∞ gives ±0. NaN gives
/// NaN.
#[crunch]
pub fn rcp14_f64(x: DcDouble) -> DcDouble {
    let subnormal = x.abs() < MIN_NORMAL_F64;
    let scaled = subnormal.select(x * TWO_54, x);
    let bits = scaled.to_bits();
    let sign = bits & 0x8000_0000_0000_0000;
    let fraction = bits & 0x000f_ffff_ffff_ffff;
    let exponent = (bits.shr_logical(52) & 0x7ff) - subnormal.select(54, 0);
    let exact = fraction == 0;
    let table = rcp14_significand(fraction.shr_logical(29).to_i32()).to_i64() << 29;
    let significand = exact.select(0x0010_0000_0000_0000, table);
    let result_exponent = exact.select(2046, 2045) - exponent;
    // As pack_gradual: the leading bit of a normal significand adds one to the exponent.
    let shift = (1 - result_exponent).max(0);
    let magnitude = ((result_exponent.max(1) - 1) << 52) + significand.shr_logical(shift);
    let mut result = sign | magnitude;
    if x.abs() <= TWO_M1024 {
        result = sign | 0x7ff0_0000_0000_0000;
    }
    if (bits & 0x7fff_ffff_ffff_ffff) == 0x7ff0_0000_0000_0000 {
        result = sign;
    }
    if x.is_nan() {
        result = 0x7ff8_0000_0000_0000;
    }
    DcDouble::from_bits(result)
}

/// `VRSQRT14PD`: the same as [`rsqrt14()`] in binary64, from the same table.
///
/// ±0 gives ±∞; subnormals are normalised; negative numbers and NaN give NaN; +∞ gives +0; exact powers of four are exact.
#[crunch]
pub fn rsqrt14_f64(x: DcDouble) -> DcDouble {
    let subnormal = x.abs() < MIN_NORMAL_F64;
    let scaled = subnormal.select(x * TWO_54, x);
    let bits = scaled.to_bits();
    let exponent = (bits.shr_logical(52) & 0x7ff) - subnormal.select(54, 0);
    let exact = (bits & 0x001f_ffff_ffff_ffff) == 0x0010_0000_0000_0000;
    let table = rsqrt14_significand(bits.shr_logical(29).to_i32()) & 0x007f_ffff;
    let fraction = exact.select(0x0010_0000_0000_0000, table.to_i64() << 29);
    let mut result = ((3068 - exponent).shr_logical(1) << 52) + fraction;
    if bits < 0 {
        result = 0x7ff8_0000_0000_0000;
    }
    if (bits & 0x7fff_ffff_ffff_ffff) == 0 {
        result = (bits & 0x8000_0000_0000_0000) | 0x7ff0_0000_0000_0000;
    }
    if bits == 0x7ff0_0000_0000_0000 {
        result = 0;
    }
    if x.is_nan() {
        result = 0x7ff8_0000_0000_0000;
    }
    DcDouble::from_bits(result)
}
