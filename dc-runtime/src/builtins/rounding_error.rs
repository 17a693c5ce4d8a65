//! The metric of results in a narrower format than the arguments, such as conversions from f64 to f32, or from f32 to bfloat16.
//!
//! The references of such functions are often exact, and often exactly halfway between two numbers of the format. So this metric decides cases
//! that the others leave undecided: a reference in two words, known within a radius, is rounded to the format, ties to even. An input is
//! undecided only if the radius reaches a halfway case.
//!
//! Both words become one by rounding to odd: the last bit is set if there is a remainder. A double has so many more bits than the format that
//! the rounded value is on the same side of every number and of every halfway case.

use super::ulp_error::{
    BESIDE_OVERFLOW, KNOWN, digest_term, histogram_bin, known_ulp_error_f64, rotate_21,
};
use crate::prelude::*;

const INFINITY: f64 = f64::INFINITY;
const MAGNITUDE: i64 = i64::MAX;
/// Flags of `search::block`.
const MISROUNDED: i64 = 1;
const EXCLUDED: i64 = 16;
const UNDECIDED: i64 = 32;
const EXCLUDED_AND_UNDECIDED: i64 = EXCLUDED | UNDECIDED;

/// A double's biased exponent of a format's least normal numbers; twice the bias, plus the number of fraction bits; the value that an
/// infinite result counts as; half an ULP above the largest number, from which on numbers round to infinity.
const LEAST_F32: i64 = 1023 - 126;
const UNIT_F32: i64 = 2 * 1023 + 23;
const INFINITE_F32: f64 = f64::from_bits((1023 + 128) << 52);
const LIMIT_F32: f64 = INFINITE_F32 * (1.0 - 1.0 / (1u64 << 25) as f64);
const LEAST_HALF: i64 = 1023 - 14;
const UNIT_HALF: i64 = 2 * 1023 + 10;
const INFINITE_HALF: f64 = 65_536.0;
const LIMIT_HALF: f64 = 65_520.0;
const LEAST_BFLOAT: i64 = LEAST_F32;
const UNIT_BFLOAT: i64 = 2 * 1023 + 7;
const INFINITE_BFLOAT: f64 = INFINITE_F32;
const LIMIT_BFLOAT: f64 = INFINITE_F32 * (1.0 - 1.0 / (1u64 << 9) as f64);

/// Two words rounded to odd.
#[crunch]
pub fn rounded_to_odd(x: DcDoubleDouble) -> DcDouble {
    let (hi, lo) = (x.hi, x.lo);
    let inexact = (lo != 0.0) & (lo.abs() < INFINITY) & (hi.abs() < INFINITY);
    let inward = inexact & ((lo < 0.0) ^ (hi < 0.0));
    let toward_zero = hi.to_bits() - inward.select(1, 0);
    DcDouble::from_bits(toward_zero | inexact.select(1, 0))
}

/// Measures a result of a format: signed error in ULP of the format, histogram bin, flags, digest term. `unit` minus the exponent of the
/// reference is the exponent of the factor that converts an error to ULP.
#[crunch]
fn metric(
    key: DcLong,
    result: DcFloat,
    reference: DcDoubleDouble,
    radius: DcLong,
    least: DcLong,
    unit: DcLong,
    infinite: DcDouble,
    limit: DcDouble,
) -> (DcDouble, DcLong, DcLong, DcLong) {
    let exact = rounded_to_odd(reference);
    let wide = result.to_f64();
    let no_number = result.is_nan() | exact.is_nan();
    let result_infinite = wide.abs() == INFINITY;
    let reference_infinite = exact.abs() >= limit;
    let counted = result_infinite.select(infinite.copysign(wide), wide);
    let exponent = (exact.to_bits() & MAGNITUDE).shr_logical(52).max(least);
    let to_ulp = DcDouble::from_bits((unit - exponent) << 52);
    let error = (counted - exact) * to_ulp;
    let radius = DcDouble::from_bits(radius);
    let radius = (exact.abs() < INFINITY).select(radius * to_ulp, radius);

    let beside = error.abs() - 0.5;
    let undecided = (beside.abs() <= radius) & (radius > 0.0) & !no_number;
    let beyond_all = result_infinite & (error.abs() >= BESIDE_OVERFLOW);
    let excluded = no_number | reference_infinite | beyond_all;
    let counts = !excluded & !undecided;
    // A result halfway from the reference is the rounded one if it is an even number of units.
    let half = (counted * to_ulp) * 0.5;
    let odd = half.floor() != half;
    let rounded_wrongly = (beside > 0.0) | (beside == 0.0) & odd;
    let nan = result.is_nan() ^ exact.is_nan();
    let other = (result_infinite ^ reference_infinite) | ((wide < 0.0) ^ (exact < 0.0));
    let infinity = !no_number & !undecided & (result_infinite | reference_infinite) & other;
    let misrounded = nan | (infinity & excluded) | (counts & rounded_wrongly);
    let zero_sign = counts
        & (wide == 0.0)
        & !rounded_wrongly
        & (wide.is_sign_negative() ^ exact.is_sign_negative());
    let error = excluded.select(0.0, error);
    let flags = misrounded.select(1, 0)
        | nan.select(2, 0)
        | infinity.select(4, 0)
        | zero_sign.select(8, 0)
        | excluded.select(16, 0)
        | undecided.select(32, 0);
    let known = radius <= error.abs().max(1.0) * KNOWN;
    let words = result.to_bits().to_i64()
        ^ rotate_21(reference.hi.to_bits() ^ rotate_21(reference.lo.to_bits()));
    (
        known.select(error, 0.0),
        known.select(histogram_bin(error), 0),
        known.select(flags, EXCLUDED_AND_UNDECIDED),
        digest_term(key, words),
    )
}

/// Measures a binary64 result of an integer, which may be halfway between two doubles: the same as `known_ulp_error_f64`, but these cases
/// are decided.
#[crunch]
pub fn rounding_error_f64(
    key: DcLong,
    result: DcDouble,
    reference: DcDoubleDouble,
    radius: DcLong,
) -> (DcDouble, DcLong, DcLong, DcLong) {
    let (error, bin, flags, digest_term) = known_ulp_error_f64(key, result, reference, radius);
    let beside = error.abs() - 0.5;
    let odd = (result.to_bits() & 1) != 0;
    let wrong = (beside > 0.0) | (beside == 0.0) & odd;
    // The difference of result and reference is exact there.
    let exact = (DcDouble::from_bits(radius) == 0.0) & (flags & EXCLUDED == 0);
    let decided = (flags & !(UNDECIDED | MISROUNDED)) | wrong.select(MISROUNDED, 0);
    let flags = exact.select(decided, flags);
    (error, bin, flags, digest_term)
}

/// Measures a binary32 result. A reference that rounds to infinity in binary32 is infinite.
#[crunch]
pub fn rounding_error_f32(
    key: DcLong,
    result: DcFloat,
    reference: DcDoubleDouble,
    radius: DcLong,
) -> (DcDouble, DcLong, DcLong, DcLong) {
    metric(
        key,
        result,
        reference,
        radius,
        LEAST_F32,
        UNIT_F32,
        INFINITE_F32,
        LIMIT_F32,
    )
}

/// Measures a binary16 result, given as the binary32 number with its value; otherwise the same as [`rounding_error_f32`].
#[crunch]
pub fn rounding_error_half(
    key: DcLong,
    result: DcFloat,
    reference: DcDoubleDouble,
    radius: DcLong,
) -> (DcDouble, DcLong, DcLong, DcLong) {
    metric(
        key,
        result,
        reference,
        radius,
        LEAST_HALF,
        UNIT_HALF,
        INFINITE_HALF,
        LIMIT_HALF,
    )
}

/// Measures a bfloat16 result; otherwise the same as [`rounding_error_half`].
#[crunch]
pub fn rounding_error_bfloat(
    key: DcLong,
    result: DcFloat,
    reference: DcDoubleDouble,
    radius: DcLong,
) -> (DcDouble, DcLong, DcLong, DcLong) {
    metric(
        key,
        result,
        reference,
        radius,
        LEAST_BFLOAT,
        UNIT_BFLOAT,
        INFINITE_BFLOAT,
        LIMIT_BFLOAT,
    )
}

// They compare with numbers of the formats.
#[cfg(all(test, feature = "search"))]
mod tests;
