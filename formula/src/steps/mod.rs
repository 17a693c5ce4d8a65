//! The operations of a formula on values in two words with a radius, which is an estimate of their error.
//!
//! By first-order estimates, the true value of each part is within its radius of the computed value. Errors of operands are multiplied by
//! the derivative at the value, or by a bound of it, and each operation adds its own error. A radius of [`OVERFLOW`] means that the value
//! is too large for a double. An infinite radius means that the value is unknown. A NaN with a radius of 0 is right: the formula is not
//! defined there. Sums, products, quotients and roots that round nothing add no error, so that ties are decided.
//!
//! The operations are kernels. So a formula is a kernel too, with the same bits on every backend.

mod arithmetic;
mod decided;
mod doubles;
mod functions;

pub use arithmetic::{difference, product, quotient, sum};
pub use decided::{
    both, choice, from_one, holds, larger, negation, order, smaller, unless_limit, unless_negative,
    unless_undefined, with_sign,
};
pub use doubles::{
    both_arguments, magnitude, nearest_remainder, negated, of_ceil, of_floor, of_trunc,
    sign_of_gamma, whole_above, whole_below, whole_inside,
};
pub use functions::{
    of_atan, of_cos, of_erf, of_erfc, of_exact, of_exact_lgamma, of_exact_two, of_exp, of_expm1,
    of_log, of_log1p, of_sin, of_sinh, of_sqrt, of_tan, of_tanh,
};

use dc_runtime::prelude::*;

const INFINITY: f64 = f64::INFINITY;
/// The radius of a finite formula whose value is too large for a double.
pub const OVERFLOW: f64 = f64::MAX;
/// 2^-1021: more than the loss in the second words of small values.
const TINY: f64 = f64::from_bits(2 << 52);
/// 2^-101: the relative error of products and quotients, also if the second word is divided again.
const PRODUCT: f64 = f64::from_bits((1023 - 101) << 52);
/// 2^-52
const ULP: f64 = f64::from_bits((1023 - 52) << 52);
/// 2^-900: from here on, the error of a product or a remainder is a double.
const SAFE: f64 = f64::from_bits((1023 - 900) << 52);

/// The radius of `v`, from operands with the radius `before`. For finite values it is `r`. `special` means that an operand is itself an
/// infinity or a NaN.
#[crunch]
pub fn bounded(v: DcDouble, r: DcDouble, before: DcDouble, special: DcMask) -> DcDouble {
    let infinite = special.select(before, OVERFLOW);
    let other = v.is_nan().select(before, infinite);
    let r = (v.abs() < INFINITY).select(r, other);
    (before < OVERFLOW).select(r, INFINITY)
}

/// Whether both words are finite: next to the largest number, an operation may overflow on the way to two words.
#[crunch]
fn are_numbers(y: DcDoubleDouble) -> DcMask {
    (y.hi + y.lo).abs() < INFINITY
}

/// The error of the first word, if it stands alone because the operation on two words overflows.
#[crunch]
fn lost(y: DcDoubleDouble, plain: DcDouble) -> DcDouble {
    are_numbers(y).select(0.0, plain.abs() * ULP)
}

/// Two words if the operation's first word is an ordinary number, otherwise that word alone.
#[crunch]
fn words(ordinary: DcMask, y: DcDoubleDouble, plain: DcDouble) -> DcDoubleDouble {
    if ordinary & are_numbers(y) {
        y
    } else {
        DcDoubleDouble::new(plain, 0.0)
    }
}

/// Removes the low word of a value whose high word is not finite.
#[crunch]
fn plain_words(y: DcDoubleDouble) -> DcDoubleDouble {
    words(y.hi.abs() < INFINITY, y, y.hi)
}

/// The radius that a search receives. A value that is too large for a double is known. So are NaNs and other infinities with a radius of 0.
/// If the argument is an infinity, a NaN is unknown, since the formula may have a limit. For a NaN as the argument, a NaN is known.
#[crunch]
fn radius_at(v: DcDouble, r: DcDouble, x: DcDouble) -> DcDouble {
    let number = v.abs() < INFINITY;
    let special = (r == 0.0) | ((v.abs() == INFINITY) & (r == OVERFLOW));
    let yes: DcDouble = 0.0;
    let other = special.select(yes, INFINITY);
    let inside = number.select(r, other);
    let limit = !(x.abs() < INFINITY);
    let none = x.is_nan().select(yes, INFINITY);
    let r = (limit & v.is_nan()).select(none, inside);
    // A radius that is no number is none.
    (r >= 0.0).select(r, INFINITY)
}

/// A formula's value for a search: two words, and the bits of their radius. For binary32, the value is rounded to one word.
#[crunch]
pub fn finish_f64(v: DcDoubleDouble, r: DcDouble, x: DcDouble) -> (DcDoubleDouble, DcLong) {
    (plain_words(v), radius_at(v.hi, r, x).to_bits())
}

/// The same as [`finish_f64`], for a routine in binary32.
#[crunch]
pub fn finish_f32(v: DcDoubleDouble, r: DcDouble, x: DcDouble) -> (DcDoubleDouble, DcLong) {
    let r = (v.hi.abs() < INFINITY).select(r + v.lo.abs(), r);
    (plain_words(v), radius_at(v.hi, r, x).to_bits())
}
