//! Approximate instructions, emulated bit for bit: the estimates of `1 / x` and `1 / √x` that processors offer as
//! starting values, and the approximate functions of NVIDIA's GPUs.
//!
//! There is one file per manufacturer. Every kernel gives the instruction's result for every input, including zeros, infinities, subnormals
//! and signs. Only NaNs are made canonical, as everywhere. Sources, figures and instructions without published results:
//! `docs/book/src/reference/instructions.md`.
//!
//! An input consists of `s`, `e`, `m`: sign, biased exponent, and the 23 bits of the fraction. From bit 23 down, the bits of `x` begin with
//! the parity of `e`. They index a table for `1 / √x` directly, because it needs two binades. Its upper half is for odd `e`, where `x` is
//! in `[1, 2)` times a power of 4. Its lower half is for even `e`, where `x` is in `[2, 4)` times one.

pub mod amd;
mod amd_tables;
pub mod arm;
pub mod avx512;
#[cfg(feature = "search")]
pub mod catalogue;
#[cfg(feature = "search")]
pub mod figures;
#[cfg(feature = "search")]
pub mod host;
pub mod intel;
pub mod nvidia;
mod nvidia_tables;
#[cfg(all(test, feature = "search"))]
mod tests;
pub mod threednow;
mod threednow_tables;

pub use amd::{rcpps_amd, rsqrtps_amd};
pub use arm::{frecpe, frecpe_f64, frsqrte, frsqrte_f64, rcp_neon, rsqrt_neon};
pub use avx512::{rcp14, rcp14_f64, rsqrt14, rsqrt14_f64};
pub use intel::{rcpps_intel, rsqrtps_intel};
pub use nvidia::{
    cos_approx_ftz, ex2_approx, ex2_approx_ftz, lg2_approx, lg2_approx_ftz, rcp_approx,
    rcp_approx_ftz, rcp_approx_ftz_f64, rsqrt_approx, rsqrt_approx_ftz, rsqrt_approx_ftz_f64,
    sin_approx_ftz, sqrt_approx, sqrt_approx_ftz, tanh_approx,
};
pub use threednow::{pfrcp_3dnow, pfrsqrt_3dnow};

use crate::prelude::*;

/// 2^-126, the least normal number.
pub(crate) const MIN_NORMAL: f32 = f32::MIN_POSITIVE;
/// 2^24: makes every subnormal normal, exactly, and keeps the parity of the exponent.
pub(crate) const TWO_24: f32 = 16_777_216.0;
/// 2^-128: numbers up to it have a reciprocal beyond the largest number.
pub(crate) const TWO_M128: f32 = f32::from_bits(1 << 21);

/// The reciprocal of `x` with this fraction (23 bits), from an instruction without subnormals: `RCPPS`, and `VRECPE` of
/// Advanced SIMD.
///
/// ±0 and ±subnormal give ±∞. `|x| >= 2^126`, whose reciprocal may be subnormal, and ±∞ give ±0. NaN gives NaN.
#[crunch]
pub fn rcp_flushed(x: DcFloat, fraction: DcInt) -> DcFloat {
    let bits = x.to_bits();
    let sign = bits & 0x8000_0000;
    // The exponent is used in place: 253 is 0x7e800000.
    let exponent = bits & 0x7f80_0000;
    let mut result = (0x7e80_0000 - exponent) | fraction;
    if exponent == 0 {
        result = 0x7f80_0000;
    }
    if exponent >= 0x7e80_0000 {
        result = 0;
    }
    result = result | sign;
    if x.is_nan() {
        result = 0x7fc0_0000;
    }
    DcFloat::from_bits(result)
}

/// The reciprocal square root of `x` with this fraction (23 bits), from an instruction without subnormals: `RSQRTPS`,
/// and `VRSQRTE` of Advanced SIMD.
///
/// ±0 and ±subnormal give ±∞; other negative numbers and NaN give NaN; +∞ gives +0.
#[crunch]
pub fn rsqrt_flushed(x: DcFloat, fraction: DcInt) -> DcFloat {
    let bits = x.to_bits();
    let sign = bits & 0x8000_0000;
    let exponent = bits.shr_logical(23) & 0xff;
    let mut result = ((380 - exponent).shr_logical(1) << 23) | fraction;
    if bits < 0 {
        result = 0x7fc0_0000;
    }
    if exponent == 0 {
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

/// A magnitude from its biased exponent and its significand of 24 bits. With an exponent below 1 it is subnormal, and the excess bits are
/// dropped.
#[crunch]
pub fn pack_gradual(exponent: DcInt, significand: DcInt) -> DcInt {
    let shift = (1 - exponent).max(0);
    // The leading bit of a normal significand adds one to the exponent.
    ((exponent.max(1) - 1) << 23) + significand.shr_logical(shift)
}
