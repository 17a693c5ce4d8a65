//! The metric of searches for the largest absolute or relative error instead of an error in ULP: `|result - reference|`, or that divided by
//! `|reference|`. Like `ulp_error`, it consists of kernels.
//!
//! Only the error and its bin differ from those of `ulp_error`. Flags and digest term are the same, so misrounded and
//! undecided inputs, faults and the digest are the same in all searches of a routine.
//!
//! The difference is the one that `ulp_error` computes before it divides by the unit, so it is equally accurate: one
//! subtraction rounds. An absolute error below the least subnormal is rounded to a multiple of it by its last
//! multiplication. An error too large for a double is the largest finite double, as is the relative error of a nonzero
//! result against a reference of 0. An infinite result counts as `2^1024` (binary32: `2^128`) if `ulp_error` defines an
//! error for it.
//!
//! All histogram bins cover the same number of octaves. Errors below the second bin are in the first bin; see
//! `model::measure::Measure::bin_floor`.

use super::ulp_error::{
    HALF_OVERFLOW, LARGEST, LARGEST_SCALE, OVERFLOW_F32, fast_path_f32, fast_path_f64,
    power_of_two, ulp_error_f32, ulp_error_f64,
};
use crate::prelude::*;

use kernels_gen::reduction::ONE_WORD;

const INFINITY: f64 = f64::INFINITY;
const INFINITY_F32: f32 = f32::INFINITY;
/// The flag of an input without an error.
const EXCLUDED: i64 = 16;

/// The exponent of an error.
#[crunch]
fn exponent(error: DcDouble) -> DcLong {
    error.abs().to_bits().shr_logical(52) - 1023
}

/// The bin of an absolute error. Each bin has eight octaves, from 2^-72 on.
#[crunch]
pub fn absolute_bin(error: DcDouble) -> DcLong {
    (((exponent(error) + 72) >> 3) + 1).max(0).min(15)
}

/// The bin of a relative error. Each bin has four octaves, from 2^-60 on.
#[crunch]
pub fn relative_bin(error: DcDouble) -> DcLong {
    (((exponent(error) + 60) >> 2) + 1).max(0).min(15)
}

/// An error that is a double; 0 where none is defined.
#[crunch]
fn bounded(error: DcDouble, flags: DcLong) -> DcDouble {
    let excluded = flags & EXCLUDED != 0;
    let finite = error.min(LARGEST).max(-LARGEST);
    excluded.select(0.0, finite)
}

/// The quotient of a difference and a magnitude; 0 where the difference is 0.
#[crunch]
fn ratio(difference: DcDouble, size: DcDouble) -> DcDouble {
    (difference == 0.0).select(0.0, difference / size)
}

/// The difference of result and reference in units of 2^`s`, the magnitude of the reference in the same unit, and `s`. All are at half
/// scale if the result is infinite, since 2^1024 is not a double.
#[crunch]
fn difference_f64(
    result: DcDouble,
    reference: DcDoubleDouble,
    scale: DcLong,
) -> (DcDouble, DcDouble, DcInt) {
    let hi = reference.hi;
    let lo = (reference.lo.abs() < INFINITY).select(reference.lo, 0.0);
    let scale = (scale == ONE_WORD).select(0, scale);
    let zero = (hi == 0.0) & (lo == 0.0);
    let s = zero
        .select(0, scale.max(-LARGEST_SCALE).min(LARGEST_SCALE))
        .to_i32();
    let first = s >> 1;
    let infinite = result.abs() == INFINITY;
    let half = infinite.select(0.5, 1.0);
    let overflow: DcDouble = HALF_OVERFLOW;
    let counted = infinite.select(overflow.copysign(result), result);
    let scaled = (counted * power_of_two(-first)) * power_of_two(first - s);
    let difference = (scaled - hi * half) - lo * half;
    (difference, (hi * half).abs(), s)
}

/// The absolute error of a binary64 result with the reference `(hi + lo) 2^scale`: signed error, histogram bin, flags, digest
/// term.
#[crunch]
pub fn absolute_error_f64(
    key: DcLong,
    result: DcDouble,
    reference: DcDoubleDouble,
    scale: DcLong,
) -> (DcDouble, DcLong, DcLong, DcLong) {
    let (_, _, flags, digest) = ulp_error_f64(key, result, reference, scale);
    let (difference, _, s) = difference_f64(result, reference, scale);
    let first = s >> 1;
    let doubled = (result.abs() == INFINITY).select(2.0, 1.0);
    let unscaled = (difference * power_of_two(first)) * power_of_two(s - first);
    let error = bounded(unscaled * doubled, flags);
    (error, absolute_bin(error), flags, digest)
}

/// The relative error of a binary64 result; otherwise the same as `absolute_error_f64`.
#[crunch]
pub fn relative_error_f64(
    key: DcLong,
    result: DcDouble,
    reference: DcDoubleDouble,
    scale: DcLong,
) -> (DcDouble, DcLong, DcLong, DcLong) {
    let (_, _, flags, digest) = ulp_error_f64(key, result, reference, scale);
    let (difference, size, _) = difference_f64(result, reference, scale);
    let error = bounded(ratio(difference, size), flags);
    (error, relative_bin(error), flags, digest)
}

/// The difference of a binary32 result from its reference.
#[crunch]
fn difference_f32(result: DcFloat, reference: DcDouble) -> DcDouble {
    let wide = result.to_f64();
    let overflow: DcDouble = OVERFLOW_F32;
    let infinite = result.abs() == INFINITY_F32;
    infinite.select(overflow.copysign(wide), wide) - reference
}

/// The absolute error of a binary32 result with a binary64 reference; otherwise the same as `absolute_error_f64`.
#[crunch]
pub fn absolute_error_f32(
    key: DcLong,
    result: DcFloat,
    reference: DcDouble,
) -> (DcDouble, DcLong, DcLong, DcLong) {
    let (_, _, flags, digest) = ulp_error_f32(key, result, reference);
    let error = bounded(difference_f32(result, reference), flags);
    (error, absolute_bin(error), flags, digest)
}

/// The relative error of a binary32 result; otherwise the same as `absolute_error_f64`.
#[crunch]
pub fn relative_error_f32(
    key: DcLong,
    result: DcFloat,
    reference: DcDouble,
) -> (DcDouble, DcLong, DcLong, DcLong) {
    let (_, _, flags, digest) = ulp_error_f32(key, result, reference);
    let difference = difference_f32(result, reference);
    let error = bounded(ratio(difference, reference.abs()), flags);
    (error, relative_bin(error), flags, digest)
}

/// The same as `fast_path_f64`, with the absolute error and its bin.
#[crunch]
pub fn absolute_fast_path_f64(
    weight: DcLong,
    result: DcDouble,
    reference: DcDoubleDouble,
) -> (DcDouble, DcLong, DcMask, DcLong, DcMask) {
    let (_, _, misrounded, digest, holds) = fast_path_f64(weight, result, reference);
    let error = (result - reference.hi) - reference.lo;
    (error, absolute_bin(error), misrounded, digest, holds)
}

/// The same as `fast_path_f64`, with the relative error and its bin.
#[crunch]
pub fn relative_fast_path_f64(
    weight: DcLong,
    result: DcDouble,
    reference: DcDoubleDouble,
) -> (DcDouble, DcLong, DcMask, DcLong, DcMask) {
    let (_, _, misrounded, digest, holds) = fast_path_f64(weight, result, reference);
    let error = ratio((result - reference.hi) - reference.lo, reference.hi.abs());
    (error, relative_bin(error), misrounded, digest, holds)
}

/// The same as `fast_path_f32`, with the absolute error and its bin.
#[crunch]
pub fn absolute_fast_path_f32(
    weight: DcLong,
    result: DcFloat,
    reference: DcDouble,
) -> (DcDouble, DcLong, DcMask, DcLong, DcMask) {
    let (_, _, misrounded, digest, holds) = fast_path_f32(weight, result, reference);
    let error = result.to_f64() - reference;
    (error, absolute_bin(error), misrounded, digest, holds)
}

/// The same as `fast_path_f32`, with the relative error and its bin.
#[crunch]
pub fn relative_fast_path_f32(
    weight: DcLong,
    result: DcFloat,
    reference: DcDouble,
) -> (DcDouble, DcLong, DcMask, DcLong, DcMask) {
    let (_, _, misrounded, digest, holds) = fast_path_f32(weight, result, reference);
    let error = ratio(result.to_f64() - reference, reference.abs());
    (error, relative_bin(error), misrounded, digest, holds)
}

// They compare with the search.
#[cfg(all(test, feature = "search"))]
mod tests;
