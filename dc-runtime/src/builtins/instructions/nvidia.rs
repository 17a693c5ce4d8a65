//! NVIDIA's approximate instructions of binary32 with subnormals flushed: PTX `rcp.approx.ftz.f32`, `rsqrt`, `sqrt`, `lg2`,
//! `ex2`, `sin`, `cos`, `tanh`, and the estimates of binary64, as implemented by Hopper (an H200, compute capability 9.0).
//!
//! NVIDIA documents only bounds (*PTX ISA*). One unit computes all of them by quadratic interpolation in fixed point (Oberman and Siu, *A
//! High-Performance Area-Efficient Multifunction Interpolator*, 2005). The upper bits of an argument of 23 bits select a segment. The lower 17
//! bits `l` (for `1 / x`: 16) are multiplied by `C1`, and their square by `C2`. The squarer omits its columns below 2^19 (2^17) and their
//! carries. The sum is exact. A constant is added, and the result is truncated. We found this structure and the coefficients from the results
//! of an H200.
//!
//! The forms without `ftz` scale the argument and the result by powers of two if subnormals occur. Sine and cosine have no such forms.
//! The estimates of binary64 are those of binary32, truncated: argument and result are the upper words of doubles.

use super::nvidia_tables::{
    EX2_0, EX2_1, EX2_2, LG2_0, LG2_1, LG2_2, RCP_0, RCP_1, RCP_2, RSQRT_0, RSQRT_1, RSQRT_2,
    SIN_0, SIN_1, SIN_2, SQRT_0, SQRT_1, SQRT_2, TANH_0, TANH_1, TANH_2, TANH_BITS, TANH_FIRST,
};
use super::{MIN_NORMAL, TWO_24};
use crate::prelude::*;

/// 2^126: above it a reciprocal is subnormal.
const TWO_126: f32 = f32::from_bits(0x7e80_0000);

/// The square of a number of 17 bits in units of 2^19, from a squarer that omits the lower columns.
///
/// Bits `a < b` meet in column `a + b + 1`, and a bit meets itself in column `2a`.
#[crunch]
pub fn truncated_square(l: DcInt) -> DcInt {
    // The upper eight bits lose one column only, that of bit 9 with itself.
    let upper = l.shr_logical(9);
    let mut q = (upper * upper).shr_logical(1);
    q = q + (l.shr_logical(8) & 1) * l.shr_logical(10);
    q = q + (l.shr_logical(7) & 1) * l.shr_logical(11);
    q = q + (l.shr_logical(6) & 1) * l.shr_logical(12);
    q = q + (l.shr_logical(5) & 1) * l.shr_logical(13);
    q = q + (l.shr_logical(4) & 1) * l.shr_logical(14);
    q = q + (l.shr_logical(3) & 1) * l.shr_logical(15);
    q + (l.shr_logical(2) & 1) * l.shr_logical(16)
}

/// `c1 l + c2 q`, `q` the truncated square of `l`.
#[crunch]
pub fn segment_offset(c1: DcInt, c2: DcInt, l: DcInt) -> DcLong {
    c1.to_i64() * l.to_i64() + (c2 * truncated_square(l)).to_i64()
}

/// The significand of `1 / x` in units of 2^-24, from 2^23 to 2^24, by the fraction of `x`.
#[crunch]
pub fn rcp_interpolated(fraction: DcInt) -> DcInt {
    let segment = fraction.shr_logical(16) & 0x7f;
    let l = fraction & 0xffff;
    // 16 bits are squared as 17 with a zero at the end.
    let square = truncated_square(l << 1);
    let c1: DcInt = RCP_1[segment];
    let c2: DcInt = RCP_2[segment];
    let c0: DcInt = RCP_0[segment];
    let sum = (c0.to_i64() << 13) + c1.to_i64() * l.to_i64() + (c2 * square).to_i64();
    (sum + 2023).shr_logical(15).to_i32()
}

/// The significand of `1 / √x` in units of 2^-24, from 2^23 to 2^24, by the parity of the exponent and the fraction of `x`.
#[crunch]
pub fn rsqrt_interpolated(even: DcInt, fraction: DcInt) -> DcInt {
    let segment = (even << 6) | (fraction.shr_logical(17) & 0x3f);
    let c0: DcInt = RSQRT_0[segment];
    let offset = segment_offset(RSQRT_1[segment], RSQRT_2[segment], fraction & 0x1_ffff);
    let significand = ((c0.to_i64() << 14) + offset + 16_383)
        .shr_logical(16)
        .to_i32();
    // Exact powers of four are exact.
    ((even | fraction) == 0).select(0x0100_0000, significand)
}

/// `rcp.approx.ftz.f32`: `1 / x` accurate to 1 ULP.
///
/// ±0 and ±subnormal give ±∞; results below 2^-126 are ±0; ±∞ gives ±0; NaN gives NaN.
#[crunch]
pub fn rcp_approx_ftz(x: DcFloat) -> DcFloat {
    let bits = x.to_bits();
    let sign = bits & 0x8000_0000;
    let exponent = bits.shr_logical(23) & 0xff;
    let significand = rcp_interpolated(bits & 0x007f_ffff);
    // A significand of 2^24 carries into the exponent.
    let mut result = ((252 - exponent) << 23) + significand;
    if result < 0x0080_0000 {
        result = 0;
    }
    if exponent == 0 {
        result = 0x7f80_0000;
    }
    if exponent == 255 {
        result = 0;
    }
    result = result | sign;
    if x.is_nan() {
        result = 0x7fc0_0000;
    }
    DcFloat::from_bits(result)
}

/// `rsqrt.approx.ftz.f32`: `1 / √x` accurate to 2 ULP.
///
/// ±0 and ±subnormal give ±∞; other negative numbers and NaN give NaN; +∞ gives +0.
#[crunch]
pub fn rsqrt_approx_ftz(x: DcFloat) -> DcFloat {
    let bits = x.to_bits();
    let exponent = bits.shr_logical(23) & 0xff;
    let significand = rsqrt_interpolated((exponent & 1) ^ 1, bits & 0x007f_ffff);
    let mut result = (((380 - exponent).shr_logical(1) - 1) << 23) + significand;
    if bits < 0 {
        result = 0x7fc0_0000;
    }
    if exponent == 0 {
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

/// `sqrt.approx.ftz.f32`: `√x`.
///
/// ±0 and ±subnormal give ±0; other negative numbers and NaN give NaN; +∞ gives +∞.
#[crunch]
pub fn sqrt_approx_ftz(x: DcFloat) -> DcFloat {
    let bits = x.to_bits();
    let exponent = bits.shr_logical(23) & 0xff;
    let segment = (((exponent & 1) ^ 1) << 6) | (bits.shr_logical(17) & 0x3f);
    let c0: DcInt = SQRT_0[segment];
    let offset = segment_offset(SQRT_1[segment], SQRT_2[segment], bits & 0x1_ffff);
    let significand = ((c0.to_i64() << 15) + offset + 32_767)
        .shr_logical(17)
        .to_i32();
    let mut result = (((exponent + 125).shr_logical(1)) << 23) + significand;
    if bits < 0 {
        result = 0x7fc0_0000;
    }
    if exponent == 0 {
        result = bits & 0x8000_0000;
    }
    if bits == 0x7f80_0000 {
        result = bits;
    }
    if x.is_nan() {
        result = 0x7fc0_0000;
    }
    DcFloat::from_bits(result)
}

/// The bits of `magnitude · 2^-n`, truncated to binary32; `magnitude` is below 2^53, and the result is 0 or normal.
#[crunch]
pub fn truncated_f32(magnitude: DcLong, n: DcInt) -> DcInt {
    // A double's exponent is biased by 896 more than that of binary32.
    let wide = magnitude.to_f64().to_bits().shr_logical(29).to_i32();
    (magnitude == 0).select(0, wide - ((n + 896) << 23))
}

/// `lg2.approx.ftz.f32`: the binary logarithm.
///
/// The logarithm of the fraction has 36 bits after the point. Below 1 the magnitude is the complement of the sum, which is one unit less
/// than its negative, so powers of two are not exact there. ±0 and ±subnormal give -∞. Other negative numbers and NaN give NaN. 1 gives +0.
/// +∞ gives +∞.
#[crunch]
pub fn lg2_approx_ftz(x: DcFloat) -> DcFloat {
    let bits = x.to_bits();
    let exponent = bits.shr_logical(23) & 0xff;
    let segment = bits.shr_logical(17) & 0x3f;
    let c0: DcInt = LG2_0[segment];
    let offset = segment_offset(LG2_1[segment], LG2_2[segment], bits & 0x1_ffff);
    let sum = ((c0.to_i64() << 12) + offset + 837).shr_logical(2);
    let value = ((exponent - 127).to_i64() << 36) + sum;
    // The complement of a negative value is one less than its magnitude.
    let negative = value < 0;
    let magnitude = negative.select(!value, value);
    let mut result = truncated_f32(magnitude, 36) | negative.select(0x8000_0000, 0);
    if bits == 0x3f80_0000 {
        result = 0;
    }
    if bits < 0 {
        result = 0x7fc0_0000;
    }
    if exponent == 0 {
        result = 0xff80_0000;
    }
    if bits == 0x7f80_0000 {
        result = bits;
    }
    if x.is_nan() {
        result = 0x7fc0_0000;
    }
    DcFloat::from_bits(result)
}

/// `ex2.approx.ftz.f32`: `2^x`.
///
/// The argument is truncated to 23 bits after the point. A negative argument is complemented, which is one unit less than its negative, unless
/// these bits are zero; so integers are exact. ±0 and ±subnormal give 1. Results below 2^-126 and -∞ give +0. NaN gives NaN.
#[crunch]
pub fn ex2_approx_ftz(x: DcFloat) -> DcFloat {
    let bits = x.to_bits();
    let exponent = bits.shr_logical(23) & 0xff;
    let significand = (bits & 0x007f_ffff) | 0x0080_0000;
    // From 2^8 on the result is 0 or ∞ anyway.
    let shift = (exponent - 127).min(7);
    let right = significand.shr_logical((0 - shift).max(0).min(24));
    let magnitude = right << shift.max(0);
    let whole = (magnitude & 0x007f_ffff) == 0;
    let fixed = (bits < 0).select(whole.select(0 - magnitude, !magnitude), magnitude);
    let segment = fixed.shr_logical(17) & 0x3f;
    let c0: DcInt = EX2_0[segment];
    let offset = segment_offset(EX2_1[segment], EX2_2[segment], fixed & 0x1_ffff);
    let sum = ((c0.to_i64() << 13) + offset + 6114)
        .shr_logical(15)
        .to_i32();
    let biased = (fixed >> 23) + 126;
    let mut result = (biased << 23) + sum;
    if biased < 0 {
        result = 0;
    }
    if biased >= 254 {
        result = 0x7f80_0000;
    }
    if exponent >= 135 {
        result = (bits < 0).select(0, 0x7f80_0000);
    }
    if x.is_nan() {
        result = 0x7fc0_0000;
    }
    DcFloat::from_bits(result)
}

/// The phase of `x`, in units of 2^-25 turns modulo one turn: `x / 2π` in binary32, rounded toward zero, and truncated.
#[crunch]
pub fn phase(x: DcFloat) -> DcInt {
    let bits = x.to_bits();
    let exponent = bits.shr_logical(23) & 0xff;
    let significand = (bits & 0x007f_ffff) | 0x0080_0000;
    // 0x3e22f983, the rounded 1 / 2π, is 0xa2f983 · 2^-26.
    let product = significand.to_i64() * 0x00a2_f983;
    let long = product.shr_logical(47).to_i32();
    let rounded = product.shr_logical(23).to_i32().shr_logical(long);
    // The rounded product is that number times 2^(exponent + long - 153), the phase 2^25 times as many.
    let shift = exponent + long - 128;
    let left = rounded << shift.max(0).min(25);
    let right = rounded.shr_logical((0 - shift).max(0).min(24));
    (shift < 0).select(right, left) & 0x01ff_ffff
}

/// The sine of a phase as the bits of its binary32.
#[crunch]
pub fn sine_of_phase(phase: DcInt) -> DcInt {
    // The second half of each half turn is run through backwards, by the complement.
    let folded = ((phase & 0x0080_0000) != 0).select(!phase, phase);
    let segment = folded.shr_logical(17) & 0x3f;
    let c0: DcInt = SIN_0[segment];
    let offset = segment_offset(SIN_1[segment], SIN_2[segment], folded & 0x1_ffff);
    let magnitude = (c0.to_i64() << 11) + offset;
    truncated_f32(magnitude, 37) | ((phase & 0x0100_0000) << 7)
}

/// `sin.approx.ftz.f32`: the sine. Its accuracy is an absolute error.
///
/// ±0 and ±subnormal give ±0; ±∞ and NaN give NaN.
#[crunch]
pub fn sin_approx_ftz(x: DcFloat) -> DcFloat {
    let bits = x.to_bits();
    let mut result = sine_of_phase(phase(x)) ^ (bits & 0x8000_0000);
    if (bits & 0x7f80_0000) == 0x7f80_0000 {
        result = 0x7fc0_0000;
    }
    DcFloat::from_bits(result)
}

/// `cos.approx.ftz.f32`: the cosine. Its accuracy is an absolute error.
///
/// ±0 and ±subnormal give the result for phase 0. ±∞ and NaN give NaN.
#[crunch]
pub fn cos_approx_ftz(x: DcFloat) -> DcFloat {
    let mut result = sine_of_phase(phase(x) + 0x0080_0000);
    if (x.to_bits() & 0x7f80_0000) == 0x7f80_0000 {
        result = 0x7fc0_0000;
    }
    DcFloat::from_bits(result)
}

/// `tanh.approx.f32`: the hyperbolic tangent.
///
/// For magnitudes below 2^-8, including subnormals, the result is the argument. For magnitudes of 8 and more it is ±1. In between, the
/// segments are narrower where the curvature is large, and the argument is truncated to the bits of the segment and 17 more. NaN gives NaN.
#[crunch]
pub fn tanh_approx(x: DcFloat) -> DcFloat {
    let bits = x.to_bits();
    let magnitude = bits & 0x7fff_ffff;
    // 119 is the biased exponent of 2^-8.
    let binade = (magnitude.shr_logical(23) - 119).max(0).min(10);
    let fraction = bits & 0x007f_ffff;
    let selecting: DcInt = TANH_BITS[binade];
    let first: DcInt = TANH_FIRST[binade];
    let segment = first + fraction.shr_logical(23 - selecting);
    let l = fraction.shr_logical(6 - selecting) & 0x1_ffff;
    let c0: DcInt = TANH_0[segment];
    let c1: DcInt = TANH_1[segment];
    let c2: DcInt = TANH_2[segment];
    let base = c0.to_i64() << (binade + 6).min(13).to_i64();
    let sum = base + c1.to_i64() * l.to_i64() + c2.to_i64() * truncated_square(l).to_i64();
    let mut result = truncated_f32(sum, 39);
    if magnitude < 0x3b80_0000 {
        result = magnitude;
    }
    if magnitude >= 0x4100_0000 {
        result = 0x3f80_0000;
    }
    result = result | (bits & 0x8000_0000);
    if x.is_nan() {
        result = 0x7fc0_0000;
    }
    DcFloat::from_bits(result)
}

/// `rcp.approx.f32`: the same as [`rcp_approx_ftz()`], with subnormals and with results rounded to nearest.
#[crunch]
pub fn rcp_approx(x: DcFloat) -> DcFloat {
    let small = x.abs() < MIN_NORMAL;
    let large = x.abs() > TWO_126;
    let factor = small.select(TWO_24, large.select(0.25, 1.0));
    rcp_approx_ftz(x * factor) * factor
}

/// `rsqrt.approx.f32`: the same as [`rsqrt_approx_ftz()`], with subnormals.
#[crunch]
pub fn rsqrt_approx(x: DcFloat) -> DcFloat {
    let small = x.abs() < MIN_NORMAL;
    rsqrt_approx_ftz(x * small.select(TWO_24, 1.0)) * small.select(4096.0, 1.0)
}

/// `sqrt.approx.f32`: the same as [`sqrt_approx_ftz()`], with subnormals.
#[crunch]
pub fn sqrt_approx(x: DcFloat) -> DcFloat {
    let small = x.abs() < MIN_NORMAL;
    let root = sqrt_approx_ftz(x * small.select(TWO_24, 1.0));
    root * small.select(0.000_244_140_625, 1.0)
}

/// `lg2.approx.f32`: the same as [`lg2_approx_ftz()`], with subnormals.
#[crunch]
pub fn lg2_approx(x: DcFloat) -> DcFloat {
    let small = x.abs() < MIN_NORMAL;
    let logarithm = lg2_approx_ftz(x * small.select(TWO_24, 1.0));
    small.select(logarithm - 24.0, logarithm)
}

/// `ex2.approx.f32`: the same as [`ex2_approx_ftz()`], with subnormal results. Below -126 it is the square of `2^(x / 2)`, rounded to
/// nearest.
#[crunch]
pub fn ex2_approx(x: DcFloat) -> DcFloat {
    let small = x < -126.0;
    let power = ex2_approx_ftz(x * small.select(0.5, 1.0));
    small.select(power * power, power)
}

/// `rcp.approx.ftz.f64`: `1 / x` accurate to 20 bits, from the upper word of `x`.
///
/// ±0 and ±subnormal give ±∞. Results below 2^-1022 are ±0. ±∞ gives ±0. NaN gives NaN. (The instruction treats a NaN whose upper word is
/// that of ±∞ as ±∞; a kernel sees only canonical NaNs.)
#[crunch]
pub fn rcp_approx_ftz_f64(x: DcDouble) -> DcDouble {
    let high = x.to_bits().shr_logical(32).to_i32();
    let sign = high & 0x8000_0000;
    let exponent = high.shr_logical(20) & 0x7ff;
    let significand = rcp_interpolated((high & 0x000f_ffff) << 3).shr_logical(3);
    let mut result = ((2044 - exponent) << 20) + significand;
    if result < 0x0010_0000 {
        result = 0;
    }
    if exponent == 0 {
        result = 0x7ff0_0000;
    }
    if exponent == 2047 {
        result = 0;
    }
    result = result | sign;
    if (high & 0x7fff_ffff) > 0x7ff0_0000 {
        result = 0x7ff8_0000;
    }
    DcDouble::from_bits(result.to_i64() << 32)
}

/// `rsqrt.approx.ftz.f64`: `1 / √x` accurate to 20 bits, from the upper word of `x`.
///
/// ±0 and ±subnormal give ±∞. Other negative numbers give NaN. +∞ gives +0. NaN gives NaN. (The instruction treats a NaN whose upper word
/// is that of +∞ as +∞; a kernel sees only canonical NaNs.)
#[crunch]
pub fn rsqrt_approx_ftz_f64(x: DcDouble) -> DcDouble {
    let high = x.to_bits().shr_logical(32).to_i32();
    let exponent = high.shr_logical(20) & 0x7ff;
    let even = (exponent & 1) ^ 1;
    let significand = rsqrt_interpolated(even, (high & 0x000f_ffff) << 3).shr_logical(3);
    let mut result = (((3068 - exponent).shr_logical(1) - 1) << 20) + significand;
    if high < 0 {
        result = 0x7ff8_0000;
    }
    if exponent == 0 {
        result = (high & 0x8000_0000) | 0x7ff0_0000;
    }
    if high == 0x7ff0_0000 {
        result = 0;
    }
    if (high & 0x7fff_ffff) > 0x7ff0_0000 {
        result = 0x7ff8_0000;
    }
    DcDouble::from_bits(result.to_i64() << 32)
}
