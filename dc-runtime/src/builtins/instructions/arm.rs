//! ARM's estimates: `VRECPE`, `VRSQRTE` of Advanced SIMD (AArch32), and `FRECPE`, `FRSQRTE` of A64, in binary32 and binary64.
//!
//! Source: *Arm Architecture Reference Manual for A-profile*, shared pseudocode `RecipEstimate`, `RecipSqrtEstimate`,
//! `FPRecipEstimate`, `FPRSqrtEstimate`. The two families share tables and differ in subnormals: Advanced SIMD in AArch32
//! always flushes them, A64 does not (with FPCR.FZ = 0, FPCR.AH = 0, rounding to nearest).

use super::avx512::{MIN_NORMAL_F64, TWO_54, TWO_M1024};
use super::{MIN_NORMAL, TWO_24, TWO_M128, pack_gradual, rcp_flushed, rsqrt_flushed};
use crate::prelude::*;

/// The estimate of each of 256 intervals of `[1, 2)`, as the fraction bits of the result.
///
/// `RecipEstimate`: for `a` in 256..512 the rounded reciprocal of the interval's midpoint, `round(2^19 / (2a + 1))`, with the halving done
/// last.
const RECIP_ESTIMATE: [u32; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        let a = 256 + i as u32;
        let estimate = ((1 << 19) / (2 * a + 1) + 1) >> 1;
        table[i] = (estimate & 255) << 15;
        i += 1;
    }
    table
};

/// The estimate of each of 128 intervals of `[2, 4)`, followed by those of `[1, 2)`, as the fraction bits of the result. The index has
/// eight bits of the input's fraction; the last of them is not used.
///
/// `RecipSqrtEstimate`: `a` is 256..512 for even exponents and 128..256 for odd ones. It is moved to the midpoint of its interval, and the
/// result is the largest `b >= 512` with `a b² < 2^28`, halved and rounded.
const RSQRT_ESTIMATE: [u32; 512] = {
    let mut table = [0; 512];
    let mut i = 0;
    while i < 512 {
        let a = if i < 256 {
            // even exponent
            (((256 | i as u32) >> 1) * 2 + 1) * 2
        } else {
            // odd exponent
            (128 | (i as u32 & 255) >> 1) * 2 + 1
        };
        let root = (((1 << 28) - 1) / a).isqrt();
        let b = if root < 512 { 512 } else { root };
        table[i] = (((b + 1) >> 1) & 255) << 15;
        i += 1;
    }
    table
};

/// ARM's `VRECPE.F32` (Advanced SIMD, AArch32): an estimate of `1 / x` accurate to 8 bits.
///
/// Largest error in `[1, 2)`: 45502.375051 · 2^-24, at `3f847fff`.
///
/// Subnormal inputs are treated as zeros and give ±∞. `|x| >= 2^126`, whose reciprocal would be subnormal, gives ±0. ±∞ gives ±0. NaN gives
/// the default NaN.
#[crunch]
pub fn rcp_neon(x: DcFloat) -> DcFloat {
    let fraction = RECIP_ESTIMATE[x.to_bits().shr_logical(15) & 0xff];
    rcp_flushed(x, fraction)
}

/// ARM's `VRSQRTE.F32` (Advanced SIMD, AArch32): an estimate of `1 / √x` accurate to 8 bits.
///
/// Largest error in `[1, 2)`: 46073.252526 · 2^-24, at `3f860000`; in `[2, 4)`: 37993.602603 · 2^-24, at `4005ffff`.
///
/// Subnormal inputs are treated as zeros, and zeros give ±∞. Negative numbers give the default NaN. +∞ gives +0.
#[crunch]
pub fn rsqrt_neon(x: DcFloat) -> DcFloat {
    let fraction = RSQRT_ESTIMATE[x.to_bits().shr_logical(15) & 0x1ff];
    rsqrt_flushed(x, fraction)
}

/// ARM's `FRECPE` (A64): the same estimate as [`rcp_neon()`], with subnormals.
///
/// Subnormal inputs are normalised. `|x| < 2^-128`, including zeros, gives ±∞ (the estimate for 2^-128 itself is finite). Results below
/// 2^-126 are subnormal. ±∞ gives ±0. NaN gives NaN.
#[crunch]
pub fn frecpe(x: DcFloat) -> DcFloat {
    let subnormal = x.abs() < MIN_NORMAL;
    let scaled = subnormal.select(x * TWO_24, x);
    let bits = scaled.to_bits();
    let sign = bits & 0x8000_0000;
    let exponent = (bits.shr_logical(23) & 0xff) - subnormal.select(24, 0);
    let significand = RECIP_ESTIMATE[bits.shr_logical(15) & 0xff] | 0x0080_0000;
    let mut result = sign | pack_gradual(253 - exponent, significand);
    if x.abs() < TWO_M128 {
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

/// ARM's `FRSQRTE` (A64): the same estimate as [`rsqrt_neon()`], with subnormals.
///
/// Subnormal inputs are normalised. ±0 gives ±∞. Negative numbers give the default NaN. +∞ gives +0. No result is
/// subnormal.
#[crunch]
pub fn frsqrte(x: DcFloat) -> DcFloat {
    let subnormal = x.abs() < MIN_NORMAL;
    let scaled = subnormal.select(x * TWO_24, x);
    let bits = scaled.to_bits();
    let sign = bits & 0x8000_0000;
    let exponent = (bits.shr_logical(23) & 0xff) - subnormal.select(24, 0);
    let fraction = RSQRT_ESTIMATE[bits.shr_logical(15) & 0x1ff];
    let mut result = ((380 - exponent).shr_logical(1) << 23) | fraction;
    if bits < 0 {
        result = 0x7fc0_0000;
    }
    if (bits & 0x7fff_ffff) == 0 {
        result = sign | 0x7f80_0000;
    }
    if bits == 0x7f80_0000 {
        result = 0;
    }
    if x.is_nan() {
        result = 0x7fc0_0000;
    }
    DcFloat::from_bits(result)
}

/// ARM's `FRECPE` of binary64 (A64): the same as [`frecpe()`], from the same table.
///
/// Subnormal inputs are normalised. `|x| < 2^-1024`, including zeros, gives ±∞. Results below 2^-1022 are subnormal. ±∞ gives ±0. NaN gives
/// NaN.
#[crunch]
pub fn frecpe_f64(x: DcDouble) -> DcDouble {
    let subnormal = x.abs() < MIN_NORMAL_F64;
    let scaled = subnormal.select(x * TWO_54, x);
    let bits = scaled.to_bits();
    let sign = bits & 0x8000_0000_0000_0000;
    let exponent = (bits.shr_logical(52) & 0x7ff) - subnormal.select(54, 0);
    let table = RECIP_ESTIMATE[bits.shr_logical(44) & 0xff].to_i64() << 29;
    let significand = table | 0x0010_0000_0000_0000;
    let result_exponent = 2045 - exponent;
    // As pack_gradual: the leading bit of a normal significand adds one to the exponent.
    let shift = (1 - result_exponent).max(0);
    let magnitude = ((result_exponent.max(1) - 1) << 52) + significand.shr_logical(shift);
    let mut result = sign | magnitude;
    if x.abs() < TWO_M1024 {
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

/// ARM's `FRSQRTE` of binary64 (A64): the same as [`frsqrte()`], from the same table.
///
/// Subnormal inputs are normalised; ±0 gives ±∞; negative numbers give the default NaN; +∞ gives +0.
#[crunch]
pub fn frsqrte_f64(x: DcDouble) -> DcDouble {
    let subnormal = x.abs() < MIN_NORMAL_F64;
    let scaled = subnormal.select(x * TWO_54, x);
    let bits = scaled.to_bits();
    let exponent = (bits.shr_logical(52) & 0x7ff) - subnormal.select(54, 0);
    let fraction = RSQRT_ESTIMATE[bits.shr_logical(44) & 0x1ff].to_i64() << 29;
    let mut result = ((3068 - exponent).shr_logical(1) << 52) | fraction;
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
