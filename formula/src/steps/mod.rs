//! The operations of a formula on values in two words with a radius, which is the estimate of their error.
//!
//! By first-order estimates, the true value of each part is within its radius of the computed value. Errors of operands are
//! multiplied by the derivative at the value, or by a bound of it, and each operation adds its own error. A radius of [`OVERFLOW`]
//! means that the value is too large for a double. An infinite radius means that it is unknown. A NaN with a radius of 0 is right: the
//! formula is not defined there. Sums, products, quotients and roots that round nothing add no error: so ties are decided.
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
/// 2^-1021: more than the second words of small values lose.
const TINY: f64 = f64::from_bits(2 << 52);
/// 2^-101: of products and quotients, also where the second word is divided again.
const PRODUCT: f64 = f64::from_bits((1023 - 101) << 52);
/// 2^-52
const ULP: f64 = f64::from_bits((1023 - 52) << 52);
/// 2^-900: from there on the error of a product or a remainder is a double.
const SAFE: f64 = f64::from_bits((1023 - 900) << 52);

/// The radius of `v`, which is `r` for numbers, from operands with the radius `before`. `special`: an operand is itself an infinity
/// or a NaN.
#[crunch]
pub fn bounded(v: DcDouble, r: DcDouble, before: DcDouble, special: DcMask) -> DcDouble {
    let infinite = special.select(before, OVERFLOW);
    let other = v.is_nan().select(before, infinite);
    let r = (v.abs() < INFINITY).select(r, other);
    (before < OVERFLOW).select(r, INFINITY)
}

/// Whether both words are numbers: on the way to two words next to the largest number an operation may overflow.
#[crunch]
fn are_numbers(y: DcDoubleDouble) -> DcMask {
    (y.hi + y.lo).abs() < INFINITY
}

/// The error of the first word, where it stands alone for two that overflow on the way.
#[crunch]
fn lost(y: DcDoubleDouble, plain: DcDouble) -> DcDouble {
    are_numbers(y).select(0.0, plain.abs() * ULP)
}

/// Two words where the operation's first word is an ordinary number, and that word alone elsewhere.
#[crunch]
fn words(ordinary: DcMask, y: DcDoubleDouble, plain: DcDouble) -> DcDoubleDouble {
    if ordinary & are_numbers(y) {
        y
    } else {
        DcDoubleDouble::new(plain, 0.0)
    }
}

/// A value whose high word is no number has no low word.
#[crunch]
fn plain_words(y: DcDoubleDouble) -> DcDoubleDouble {
    words(y.hi.abs() < INFINITY, y, y.hi)
}

/// The radius that a search is given. A value that is too large for a double is known; a NaN is, and other infinities, with a radius of
/// 0. Where the argument is an infinity, a NaN is not known: the formula may have a limit. A NaN of a NaN is.
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

/// As [`finish_f64`], for a routine in binary32.
#[crunch]
pub fn finish_f32(v: DcDoubleDouble, r: DcDouble, x: DcDouble) -> (DcDoubleDouble, DcLong) {
    let r = (v.hi.abs() < INFINITY).select(r + v.lo.abs(), r);
    (plain_words(v), radius_at(v.hi, r, x).to_bits())
}
