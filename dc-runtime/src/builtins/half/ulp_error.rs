//! The metric of results that are stored in binary16 or bfloat16, in ULP of the format. It corresponds to that of binary32
//! (`builtins/ulp_error.rs`).
//!
//! The result is the binary32 number that a load of the stored result gives. A result that is not a number of the format is measured as it
//! is, and only its error decides whether it is misrounded.

use crate::builtins::ulp_error::{BESIDE_OVERFLOW, digest_term, histogram_bin, rotate_21};
use crate::prelude::*;

const INFINITY: f64 = f64::INFINITY;
const MAGNITUDE: i64 = i64::MAX;
/// An error within this distance of one half cannot decide whether the result is the reference rounded. The reference is a double, accurate
/// to two of its last places, 2^-51, which is 2^-41 of the ULP of a number with 10 fraction bits.
const UNDECIDED: f64 = 1.0 / (1u64 << 41) as f64;
/// Biased exponents, as doubles, of a format's least normal number and of its largest number; the biased exponent of 2^p, where p is the
/// number of fraction bits, and 1023 more; the value that an infinite result counts as; half an ULP above the largest number, from which on
/// numbers round to infinity.
const LEAST_HALF: i64 = 1023 - 14;
const MOST_HALF: i64 = 1023 + 15;
const UNIT_HALF: i64 = 2 * 1023 + 10;
const INFINITE_HALF: f64 = 65_536.0;
const LIMIT_HALF: f64 = 65_520.0;
const LEAST_BFLOAT: i64 = 1023 - 126;
const MOST_BFLOAT: i64 = 1023 + 127;
const UNIT_BFLOAT: i64 = 2 * 1023 + 7;
const INFINITE_BFLOAT: f64 = f64::from_bits((1023 + 128) << 52);
const LIMIT_BFLOAT: f64 = INFINITE_BFLOAT * (1.0 - 1.0 / 512.0);

/// Measures against a binary64 reference: signed error in ULP of the format, histogram bin, flags, digest term. `unit` minus the exponent
/// of the reference is the exponent of the factor that converts an error to ULP.
#[crunch]
fn metric(
    key: DcLong,
    result: DcFloat,
    reference: DcDouble,
    least: DcLong,
    most: DcLong,
    unit: DcLong,
    infinite: DcDouble,
    limit: DcDouble,
) -> (DcDouble, DcLong, DcLong, DcLong) {
    let wide = result.to_f64();
    let no_number = result.is_nan() | reference.is_nan();
    let result_infinite = wide.abs() == INFINITY;
    let reference_infinite = reference.abs() >= limit;
    let counted = result_infinite.select(infinite.copysign(wide), wide);
    let exponent = (reference.to_bits() & MAGNITUDE)
        .shr_logical(52)
        .max(least)
        .min(most);
    let error = (counted - reference) * DcDouble::from_bits((unit - exponent) << 52);

    let undecided = ((error.abs() - 0.5).abs() <= UNDECIDED) & !no_number;
    let beyond_all = result_infinite & (error.abs() >= BESIDE_OVERFLOW);
    let excluded = no_number | reference_infinite | beyond_all;
    let counts = !excluded & !undecided;
    let nan = result.is_nan() ^ reference.is_nan();
    let other = (result_infinite ^ reference_infinite) | ((wide < 0.0) ^ (reference < 0.0));
    let infinity = !no_number & !undecided & (result_infinite | reference_infinite) & other;
    let misrounded = nan | (infinity & excluded) | (counts & (error.abs() > 0.5));
    let zero_sign = counts
        & (wide == 0.0)
        & (error.abs() < 0.5)
        & (wide.is_sign_negative() ^ reference.is_sign_negative());
    let error = excluded.select(0.0, error);
    let flags = misrounded.select(1, 0)
        | nan.select(2, 0)
        | infinity.select(4, 0)
        | zero_sign.select(8, 0)
        | excluded.select(16, 0)
        | undecided.select(32, 0);
    let words = result.to_bits().to_i64() ^ rotate_21(reference.to_bits());
    (error, histogram_bin(error), flags, digest_term(key, words))
}

/// Measures a result that is stored in binary16. A reference that rounds to infinity in binary16 is infinite.
#[crunch]
pub fn ulp_error_half(
    key: DcLong,
    result: DcFloat,
    reference: DcDouble,
) -> (DcDouble, DcLong, DcLong, DcLong) {
    metric(
        key,
        result,
        reference,
        LEAST_HALF,
        MOST_HALF,
        UNIT_HALF,
        INFINITE_HALF,
        LIMIT_HALF,
    )
}

/// Measures a result that is stored in bfloat16; otherwise the same as `ulp_error_half`.
#[crunch]
pub fn ulp_error_bfloat(
    key: DcLong,
    result: DcFloat,
    reference: DcDouble,
) -> (DcDouble, DcLong, DcLong, DcLong) {
    metric(
        key,
        result,
        reference,
        LEAST_BFLOAT,
        MOST_BFLOAT,
        UNIT_BFLOAT,
        INFINITE_BFLOAT,
        LIMIT_BFLOAT,
    )
}
