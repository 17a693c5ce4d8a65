//! The metric of integer results: the error in units. For example, a result of 6 for 5.25 has an error of 0.75.
//!
//! The result is a double with the integer's value. There is no error if the reference is not a number, or if it rounds to no integer of the
//! type: C leaves the conversion of such a number undefined. A result halfway from the reference is the nearest integer if it is even.

use super::rounding_error::rounded_to_odd;
use super::ulp_error::{KNOWN, digest_term, histogram_bin, rotate_21};
use crate::prelude::*;

const INFINITY: f64 = f64::INFINITY;
/// `FLAG_EXCLUDED` and `FLAG_UNDECIDED`.
const EXCLUDED_AND_UNDECIDED: i64 = 16 | 32;
/// Halfway below the least integer of a type, and halfway above its largest. For 64 bits, no double is between two integers there, and the
/// second word decides.
const BELOW_I32: f64 = -2_147_483_648.5;
const ABOVE_I32: f64 = 2_147_483_647.5;
const BELOW_U32: f64 = -0.5;
const ABOVE_U32: f64 = 4_294_967_295.5;
const BELOW_I64: f64 = -9_223_372_036_854_775_808.0;
const ABOVE_I64: f64 = 9_223_372_036_854_775_808.0;
const ABOVE_U64: f64 = 18_446_744_073_709_551_616.0;

/// Measures a result of a type: signed error in units, histogram bin, flags, digest term.
#[crunch]
fn metric(
    key: DcLong,
    result: DcDouble,
    reference: DcDoubleDouble,
    radius: DcLong,
    below: DcDouble,
    above: DcDouble,
) -> (DcDouble, DcLong, DcLong, DcLong) {
    let exact = rounded_to_odd(reference);
    // A NaN is not inside.
    let excluded = !((exact >= below) & (exact < above));
    let lo = (reference.lo.abs() < INFINITY).select(reference.lo, 0.0);
    let error = excluded.select(0.0, (result - reference.hi) - lo);
    let radius = DcDouble::from_bits(radius);
    let beside = error.abs() - 0.5;
    let undecided = (beside.abs() <= radius) & (radius > 0.0) & !excluded;
    let half = result * 0.5;
    let odd = half.floor() != half;
    let wrong = (beside > 0.0) | (beside == 0.0) & odd;
    let misrounded = !excluded & !undecided & wrong;
    let flags = misrounded.select(1, 0) | excluded.select(16, 0) | undecided.select(32, 0);
    let known = excluded | (radius <= error.abs().max(1.0) * KNOWN);
    let words =
        result.to_bits() ^ rotate_21(reference.hi.to_bits() ^ rotate_21(reference.lo.to_bits()));
    (
        known.select(error, 0.0),
        known.select(histogram_bin(error), 0),
        known.select(flags, EXCLUDED_AND_UNDECIDED),
        digest_term(key, words),
    )
}

/// Measures an `int32_t`.
#[crunch]
pub fn integer_error_i32(
    key: DcLong,
    result: DcDouble,
    reference: DcDoubleDouble,
    radius: DcLong,
) -> (DcDouble, DcLong, DcLong, DcLong) {
    metric(key, result, reference, radius, BELOW_I32, ABOVE_I32)
}

/// Measures a `uint32_t`.
#[crunch]
pub fn integer_error_u32(
    key: DcLong,
    result: DcDouble,
    reference: DcDoubleDouble,
    radius: DcLong,
) -> (DcDouble, DcLong, DcLong, DcLong) {
    metric(key, result, reference, radius, BELOW_U32, ABOVE_U32)
}

/// Measures an `int64_t`.
#[crunch]
pub fn integer_error_i64(
    key: DcLong,
    result: DcDouble,
    reference: DcDoubleDouble,
    radius: DcLong,
) -> (DcDouble, DcLong, DcLong, DcLong) {
    metric(key, result, reference, radius, BELOW_I64, ABOVE_I64)
}

/// Measures a `uint64_t`.
#[crunch]
pub fn integer_error_u64(
    key: DcLong,
    result: DcDouble,
    reference: DcDoubleDouble,
    radius: DcLong,
) -> (DcDouble, DcLong, DcLong, DcLong) {
    metric(key, result, reference, radius, BELOW_U32, ABOVE_U64)
}

#[cfg(all(test, feature = "search"))]
mod tests {
    use super::*;
    use crate::DoubleDouble;

    const MISROUNDED: i64 = 1;
    const EXCLUDED: i64 = 16;
    const UNDECIDED: i64 = 32;

    fn i32_of(result: f64, hi: f64, radius: f64) -> (f64, i64) {
        let reference = DoubleDouble { hi, lo: 0.0 };
        let (error, _, flags, _) =
            integer_error_i32::eval(7, result, reference, radius.to_bits() as i64);
        (error, flags)
    }

    #[test]
    fn errors_are_in_units() {
        for (result, hi, error, flags) in [
            (6.0, 5.25, 0.75, MISROUNDED),
            (5.0, 5.25, -0.25, 0),
            (-5.0, -5.25, 0.25, 0),
            // Ties to even.
            (2.0, 2.5, -0.5, 0),
            (3.0, 2.5, 0.5, MISROUNDED),
            (-2.0, -1.5, -0.5, 0),
            (0.0, -0.5, 0.5, 0),
            (0.0, -0.0, 0.0, 0),
            (2_147_483_647.0, 2_147_483_647.25, -0.25, 0),
            (-2_147_483_648.0, -2_147_483_648.5, 0.5, 0),
            // These are not of that type.
            (-2_147_483_648.0, 2_147_483_647.5, 0.0, EXCLUDED),
            (0.0, -2_147_483_649.0, 0.0, EXCLUDED),
            (0.0, f64::NAN, 0.0, EXCLUDED),
            (0.0, f64::INFINITY, 0.0, EXCLUDED),
        ] {
            assert_eq!(i32_of(result, hi, 0.0), (error, flags), "{result} for {hi}");
        }
        assert_eq!(i32_of(2.0, 2.5, 1e-20).1, UNDECIDED);
        assert_eq!(i32_of(2.0, 2.75, 1e-20).1, MISROUNDED);
    }

    #[test]
    fn sixty_four_bits_have_two_words() {
        let of = |result: f64, hi: f64, lo: f64| {
            let (error, _, flags, _) =
                integer_error_u64::eval(7, result, DoubleDouble { hi, lo }, 0);
            (error, flags)
        };
        let large = 2f64.powi(63);
        assert_eq!(of(large, large, 0.25), (-0.25, 0));
        assert_eq!(of(large, large, 0.75), (-0.75, MISROUNDED));
        assert_eq!(of(large + 2048.0, large, 1.0), (2047.0, MISROUNDED));
        assert_eq!(of(0.0, 2.0 * large, 0.0), (0.0, EXCLUDED));
        assert_eq!(of(0.0, -1.0, 0.0), (0.0, EXCLUDED));
        let i64_of = |hi: f64| integer_error_i64::eval(7, hi, DoubleDouble { hi, lo: 0.0 }, 0).2;
        assert_eq!((i64_of(-large), i64_of(large)), (0, EXCLUDED));
    }
}
