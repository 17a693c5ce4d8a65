//! The operations of a formula on values in two words with a radius, which is the estimate of their error.
//!
//! By first-order estimates, the true value of each part is within its radius of the computed value. Errors of operands are
//! multiplied by the derivative at the value, or by a bound of it, and each operation adds its own error. A radius of [`OVERFLOW`]
//! means that the value is too large for a double. An infinite radius means that it is unknown. A NaN with a radius of 0 is right: the
//! formula is not defined there. Sums, products, quotients and roots that round nothing add no error: so ties are decided.
//!
//! The operations are kernels. So a formula is a kernel too, with the same bits on every backend.

use dc_runtime::builtins::plain::rem_f64;
use dc_runtime::builtins::reference::binary64::{erf_reference, erfc_reference, exp_reference};
use dc_runtime::prelude::*;

const INFINITY: f64 = f64::INFINITY;
/// The radius of a finite formula whose value is too large for a double.
pub const OVERFLOW: f64 = f64::MAX;
/// 2^-1021: more than the second words of small values lose.
const TINY: f64 = f64::from_bits(2 << 52);
/// 2^-103: the relative error of a sum in two words.
const SUM: f64 = f64::from_bits((1023 - 103) << 52);
/// 2^-101: of products and quotients, also where the second word is divided again.
const PRODUCT: f64 = f64::from_bits((1023 - 101) << 52);
/// 2^-99: of functions of two words.
const FUNCTION: f64 = f64::from_bits((1023 - 99) << 52);
/// 2^-53
const HALF_ULP: f64 = f64::from_bits((1023 - 53) << 52);
/// 2^-52
const ULP: f64 = f64::from_bits((1023 - 52) << 52);
/// 2^40: sines of larger two-word numbers are not reduced exactly.
const LARGE_ANGLE: f64 = f64::from_bits((1023 + 40) << 52);
/// 2/√π
const TWO_OVER_ROOT_PI: f64 = core::f64::consts::FRAC_2_SQRT_PI;
/// 2^-900: from there on the error of a product or a remainder is a double.
const SAFE: f64 = f64::from_bits((1023 - 900) << 52);
/// The bits of a fraction.
const FRACTION: i64 = (1 << 52) - 1;
/// 1: true; 0: false; NaN: not known.
const NEITHER: f64 = f64::NAN;

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

/// Whether a sum in two words rounds nothing: the sums of `dd_add`, each with its error.
#[crunch]
fn sum_is_exact(a: DcDoubleDouble, b: DcDoubleDouble) -> DcMask {
    let s = two_sum(a.hi, b.hi);
    let t = two_sum(a.lo, b.lo);
    let c = two_sum(s.lo, t.hi);
    let v = fast_two_sum(s.hi, c.hi);
    let w = two_sum(t.lo, v.lo);
    (c.lo == 0.0) & (w.lo == 0.0)
}

/// Whether it is a power of two, or zero or an infinity.
#[crunch]
fn is_power(a: DcDoubleDouble) -> DcMask {
    let fraction = a.hi.to_bits() & FRACTION;
    (fraction == 0) & (a.lo == 0.0)
}

/// Whether the second word, scaled by a power of two to this, is exact.
#[crunch]
fn is_kept(word: DcDouble, scaled: DcDouble) -> DcMask {
    (word == 0.0) | (scaled.abs() >= SAFE)
}

/// Whether `a b` rounds nothing in two words: it is one of doubles, or by a power of two.
#[crunch]
fn product_is_exact(a: DcDoubleDouble, b: DcDoubleDouble) -> DcMask {
    let doubles = (a.lo == 0.0) & (b.lo == 0.0);
    let by_b = is_power(b) & is_kept(a.lo, a.lo * b.hi);
    let by_a = is_power(a) & is_kept(b.lo, b.lo * a.hi);
    let plain = (a.hi * b.hi).abs();
    (doubles | by_b | by_a) & (plain >= SAFE) & (plain < INFINITY)
}

/// Whether `a / b` rounds nothing: it is one of doubles without a remainder, or by a power of two.
#[crunch]
fn quotient_is_exact(a: DcDoubleDouble, b: DcDoubleDouble) -> DcMask {
    let q = a.hi / b.hi;
    let rest = (-q).mul_add(b.hi, a.hi);
    let doubles = (a.lo == 0.0) & (b.lo == 0.0) & (rest == 0.0);
    let by_power = is_power(b) & is_kept(a.lo, a.lo / b.hi);
    (doubles | by_power) & (a.hi.abs() >= SAFE) & (q.abs() >= SAFE) & (q.abs() < INFINITY)
}

/// `a + b`
#[crunch]
pub fn sum(
    a: DcDoubleDouble,
    ra: DcDouble,
    b: DcDoubleDouble,
    rb: DcDouble,
) -> (DcDoubleDouble, DcDouble) {
    let plain = a.hi + b.hi;
    let zeros = (a.hi == 0.0) & (b.hi == 0.0);
    let y = dd_add(a, b);
    let v = words((plain.abs() < INFINITY) & !zeros, y, plain);
    let special = !(a.hi.abs() < INFINITY) | !(b.hi.abs() < INFINITY);
    let own = v.hi.abs() * SUM + lost(y, plain);
    let r = (ra + rb) + sum_is_exact(a, b).select(0.0, own);
    (v, bounded(v.hi, r, ra.max(rb), special))
}

/// `a - b`
#[crunch]
pub fn difference(
    a: DcDoubleDouble,
    ra: DcDouble,
    b: DcDoubleDouble,
    rb: DcDouble,
) -> (DcDoubleDouble, DcDouble) {
    sum(a, ra, dd_neg(b), rb)
}

/// `a b`
#[crunch]
pub fn product(
    a: DcDoubleDouble,
    ra: DcDouble,
    b: DcDoubleDouble,
    rb: DcDouble,
) -> (DcDoubleDouble, DcDouble) {
    let plain = a.hi * b.hi;
    let y = dd_mul(a, b);
    let v = words((plain.abs() < INFINITY) & (plain != 0.0), y, plain);
    let special = !(a.hi.abs() < INFINITY) | !(b.hi.abs() < INFINITY);
    let zero = ((a.hi == 0.0) & (ra == 0.0)) | ((b.hi == 0.0) & (rb == 0.0));
    let carried = a.hi.abs() * rb + (b.hi.abs() + rb) * ra;
    let own = v.hi.abs() * PRODUCT + zero.select(0.0, TINY) + lost(y, plain);
    let own = product_is_exact(a, b).select(0.0, own);
    (v, bounded(v.hi, carried + own, ra.max(rb), special))
}

/// `a / b`
#[crunch]
pub fn quotient(
    a: DcDoubleDouble,
    ra: DcDouble,
    b: DcDoubleDouble,
    rb: DcDouble,
) -> (DcDoubleDouble, DcDouble) {
    let plain = a.hi / b.hi;
    let bounded_divisor = b.hi.abs() < INFINITY;
    let ordinary = (plain.abs() < INFINITY) & (plain != 0.0) & bounded_divisor;
    let y = dd_div(a, b);
    let v = words(ordinary, y, plain);
    let special = !(a.hi.abs() < INFINITY) | !bounded_divisor;
    let zero = (a.hi == 0.0) & (ra == 0.0);
    let left = b.hi.abs() - rb;
    let carried = (ra + v.hi.abs() * rb) / left;
    let own = v.hi.abs() * PRODUCT + zero.select(0.0, TINY) + ordinary.select(lost(y, plain), 0.0)
        // The remainder of a small number loses words.
        + zero.select(0.0, TINY / b.hi.abs());
    let own = quotient_is_exact(a, b).select(0.0, own);
    let pole: DcDouble = OVERFLOW;
    let at_zero = (rb == 0.0).select(pole, INFINITY);
    let r = (left > 0.0).select(carried + own, at_zero);
    let r = bounded(v.hi, r, ra.max(rb), special);
    // The divisor may be 0, and of either sign.
    let r = (!(left > 0.0) & (rb > 0.0)).select(INFINITY, r);
    // A number over one that is too large for a double.
    let vanishes =
        (b.hi.abs() == INFINITY) & (rb == OVERFLOW) & (ra < OVERFLOW) & (a.hi.abs() < INFINITY);
    let small = (a.hi.abs() + ra) * TINY + TINY;
    let at_infinity =
        (b.hi.abs() == INFINITY) & (rb == 0.0) & (ra < OVERFLOW) & (a.hi.abs() < INFINITY);
    let none = (zero & vanishes) | at_infinity;
    let r = vanishes.select(small, r);
    (v, (none & (v.hi == 0.0)).select(0.0, r))
}

/// The radius of a function's reference whose relative error is at most `unit`; `floor` if the value is 0.
#[crunch]
pub fn of_exact(v: DcDoubleDouble, unit: DcDouble, floor: DcDouble, x: DcDouble) -> DcDouble {
    let r = (v.hi == 0.0).select(floor, v.hi.abs() * unit + TINY);
    bounded(v.hi, r, 0.0, !(x.abs() < INFINITY))
}

/// As [`of_exact`], for two arguments.
#[crunch]
pub fn of_exact_two(
    v: DcDoubleDouble,
    unit: DcDouble,
    floor: DcDouble,
    x: DcDouble,
    y: DcDouble,
) -> DcDouble {
    let r = (v.hi == 0.0).select(floor, v.hi.abs() * unit + TINY);
    bounded(v.hi, r, 0.0, !(x.abs() < INFINITY) | !(y.abs() < INFINITY))
}

/// As [`of_exact`], for the logarithm of the gamma function, which has zeros between its poles.
#[crunch]
pub fn of_exact_lgamma(v: DcDoubleDouble, x: DcDouble) -> DcDouble {
    bounded(
        v.hi,
        v.hi.abs().max(1.0) * FUNCTION,
        0.0,
        !(x.abs() < INFINITY),
    )
}

/// What the second words of a small value lose; nothing where the operand is zero, exactly.
#[crunch]
fn tiny(a: DcDouble, ra: DcDouble) -> DcDouble {
    ((a == 0.0) & (ra == 0.0)).select(0.0, TINY)
}

/// A value whose high word is no number has no low word.
#[crunch]
fn plain_words(y: DcDoubleDouble) -> DcDoubleDouble {
    words(y.hi.abs() < INFINITY, y, y.hi)
}

/// `e^a`
#[crunch]
pub fn of_exp(a: DcDoubleDouble, ra: DcDouble) -> (DcDoubleDouble, DcDouble) {
    let v = plain_words(dd_exp(a));
    // e^r - 1 is at most 1.3 r there.
    let r = v.hi.abs() * (FUNCTION + 1.5 * ra) + TINY;
    let r = (ra < 0.5).select(r, INFINITY);
    // Of an infinity it is exact.
    let r = (a.hi.abs() < INFINITY).select(r, ra);
    (v, bounded(v.hi, r, ra, !(a.hi.abs() < INFINITY)))
}

/// `e^a - 1`
#[crunch]
pub fn of_expm1(a: DcDoubleDouble, ra: DcDouble) -> (DcDoubleDouble, DcDouble) {
    let v = plain_words(dd_expm1(a));
    let r = v.hi.abs() * FUNCTION + (v.hi.abs() + 1.0) * (1.5 * ra) + tiny(a.hi, ra);
    let r = (ra < 0.5).select(r, INFINITY);
    (v, bounded(v.hi, r, ra, !(a.hi.abs() < INFINITY)))
}

/// The radius of a logarithm at `at`, whose argument has the radius `ra`.
#[crunch]
fn log_radius(v: DcDouble, at: DcDouble, ra: DcDouble) -> DcDouble {
    let left = at - ra;
    let r = (left > 0.0).select(ra / left + v.abs() * FUNCTION, INFINITY);
    let r = bounded(v, r, ra, !(at.abs() < INFINITY));
    // Perhaps 0.
    let r = ((left <= 0.0) & (ra > 0.0)).select(INFINITY, r);
    // Certainly negative, or 0 exactly: not defined, or a pole.
    let outside = (at < -ra) & (ra < OVERFLOW);
    let pole = (at == 0.0) & (ra == 0.0);
    outside.select(0.0, pole.select(OVERFLOW, r))
}

/// `ln a`
#[crunch]
pub fn of_log(a: DcDoubleDouble, ra: DcDouble) -> (DcDoubleDouble, DcDouble) {
    let v = plain_words(dd_log(a));
    (v, log_radius(v.hi, a.hi, ra))
}

/// `ln(1 + a)`
#[crunch]
pub fn of_log1p(a: DcDoubleDouble, ra: DcDouble) -> (DcDoubleDouble, DcDouble) {
    let v = plain_words(dd_log1p(a));
    // Next to -1 the two words are known to more than their sum with 1 in one.
    let at = dd_add_f64(a, 1.0);
    (v, log_radius(v.hi, at.hi, ra))
}

/// `√a`
#[crunch]
pub fn of_sqrt(a: DcDoubleDouble, ra: DcDouble) -> (DcDoubleDouble, DcDouble) {
    let plain = a.hi.sqrt();
    let v = words((plain > 0.0) & (plain < INFINITY), dd_sqrt(a), plain);
    // The derivative is at most 1/√(2 a) there.
    // The root of a square of a double.
    let exact = (a.lo == 0.0) & ((-plain).mul_add(plain, a.hi) == 0.0) & (a.hi >= SAFE);
    let own = exact.select(0.0, v.hi * PRODUCT);
    let r = (a.hi > 2.0 * ra).select(ra / v.hi + own, INFINITY);
    let zero = (a.hi == 0.0) & (ra == 0.0);
    let outside = (a.hi < -ra) & (ra < OVERFLOW);
    let r = bounded(v.hi, r, ra, !(a.hi.abs() < INFINITY));
    (v, (zero | outside).select(0.0, r))
}

/// Whether a sine is of an angle that is reduced to its words, or of none.
#[crunch]
fn is_reduced(a: DcDouble) -> DcMask {
    (a.abs() < LARGE_ANGLE) | !(a.abs() < INFINITY)
}

/// The radius of a sine or cosine.
#[crunch]
fn angle_radius(v: DcDouble, a: DcDouble, ra: DcDouble) -> DcDouble {
    // The second term is the effect of an argument of two words.
    let own = (v.abs() + a.abs().min(LARGE_ANGLE)) * PRODUCT;
    let r = bounded(v, ra + own + tiny(a, ra), ra, !(a.abs() < INFINITY));
    is_reduced(a).select(r, INFINITY)
}

/// `sin a`
#[crunch]
pub fn of_sin(a: DcDoubleDouble, ra: DcDouble) -> (DcDoubleDouble, DcDouble) {
    let v = plain_words(dd_sin(a));
    (v, angle_radius(v.hi, a.hi, ra))
}

/// `cos a`
#[crunch]
pub fn of_cos(a: DcDoubleDouble, ra: DcDouble) -> (DcDoubleDouble, DcDouble) {
    let v = plain_words(dd_cos(a));
    (v, angle_radius(v.hi, a.hi, ra))
}

/// `tan a`
#[crunch]
pub fn of_tan(a: DcDoubleDouble, ra: DcDouble) -> (DcDoubleDouble, DcDouble) {
    let v = plain_words(dd_tan(a));
    let slope = v.hi * v.hi + 1.0;
    let argument = ra + a.hi.abs().min(LARGE_ANGLE) * PRODUCT;
    let r = 2.0 * slope * argument + v.hi.abs() * PRODUCT + tiny(a.hi, ra);
    // From there on the derivative at the value is no bound.
    let inside = (a.hi.abs() < LARGE_ANGLE) & (slope * argument < 0.125);
    let r = inside.select(r, INFINITY);
    let r = bounded(v.hi, r, ra, !(a.hi.abs() < INFINITY));
    (v, is_reduced(a.hi).select(r, INFINITY))
}

/// `sinh a`
#[crunch]
pub fn of_sinh(a: DcDoubleDouble, ra: DcDouble) -> (DcDoubleDouble, DcDouble) {
    let v = plain_words(dd_sinh(a));
    let r = v.hi.abs() * FUNCTION + (v.hi.abs() + 1.0) * (1.5 * ra) + tiny(a.hi, ra);
    let r = ((ra < 0.5) & (a.hi.abs() < 700.0)).select(r, INFINITY);
    (
        v,
        bounded(v.hi, r, ra, v.hi.is_nan() & !(a.hi.abs() < INFINITY)),
    )
}

/// `tanh a`
#[crunch]
pub fn of_tanh(a: DcDoubleDouble, ra: DcDouble) -> (DcDoubleDouble, DcDouble) {
    let v = plain_words(dd_tanh(a));
    let r = v.hi.abs() * FUNCTION + ra + tiny(a.hi, ra);
    (v, bounded(v.hi, r, ra, !(a.hi.abs() < INFINITY)))
}

/// `atan a`
#[crunch]
pub fn of_atan(a: DcDoubleDouble, ra: DcDouble) -> (DcDoubleDouble, DcDouble) {
    let v = plain_words(dd_atan(a));
    let r = v.hi.abs() * FUNCTION + ra + tiny(a.hi, ra);
    (v, bounded(v.hi, r, ra, !(a.hi.abs() < INFINITY)))
}

/// The slope of the error function, 2/√π e^(-x²).
#[crunch]
fn bell(x: DcDouble) -> DcDouble {
    exp_reference(-(x * x)).hi * TWO_OVER_ROOT_PI
}

/// The error function `y` at the high word, carried to both words by its slope `d`; its radius.
#[crunch]
fn carried(
    y: DcDoubleDouble,
    d: DcDouble,
    a: DcDoubleDouble,
    ra: DcDouble,
) -> (DcDoubleDouble, DcDouble) {
    let step = d * a.lo;
    let v = words(y.hi.abs() < INFINITY, dd_add_f64(y, step), y.hi);
    let curved = (a.hi * d).abs() * ((a.lo * a.lo) + (ra * ra));
    // The slope is a double's.
    let r = (d.abs() * (1.5 * ra) + 2.0 * curved)
        + (step.abs() * HALF_ULP * 64.0 + v.hi.abs() * FUNCTION);
    let r = (ra < 0.001).select(r + TINY, INFINITY);
    let r = (a.hi.abs() < INFINITY).select(r, ra);
    (v, bounded(v.hi, r, ra, !(a.hi.abs() < INFINITY)))
}

/// `erf a`
#[crunch]
pub fn of_erf(a: DcDoubleDouble, ra: DcDouble) -> (DcDoubleDouble, DcDouble) {
    carried(erf_reference(a.hi), bell(a.hi), a, ra)
}

/// `erfc a`
#[crunch]
pub fn of_erfc(a: DcDoubleDouble, ra: DcDouble) -> (DcDoubleDouble, DcDouble) {
    carried(erfc_reference(a.hi), -bell(a.hi), a, ra)
}

/// `|a|` with the sign of `b`.
#[crunch]
pub fn with_sign(
    a: DcDoubleDouble,
    ra: DcDouble,
    b: DcDoubleDouble,
    rb: DcDouble,
) -> (DcDoubleDouble, DcDouble) {
    let m = dd_abs(a);
    let v = if b.hi.is_sign_negative() {
        dd_neg(m)
    } else {
        m
    };
    let known = (b.hi.abs() > rb) | (rb == 0.0);
    let r = known.select(ra, ra + 2.0 * m.hi);
    // A NaN has no sign.
    (v, b.hi.is_nan().select(INFINITY, r))
}

/// The radius of a power of `a` by its logarithm. Negative numbers have powers that this does not give.
#[crunch]
pub fn unless_negative(r: DcDouble, a: DcDoubleDouble, ra: DcDouble) -> DcDouble {
    ((a.hi > ra) | a.hi.is_nan()).select(r, INFINITY)
}

/// The radius of a function by its definition: a NaN at an infinity is one of the definition, perhaps.
#[crunch]
pub fn unless_limit(
    v: DcDoubleDouble,
    r: DcDouble,
    a: DcDoubleDouble,
    b: DcDoubleDouble,
) -> DcDouble {
    let limit = (a.hi.abs() == INFINITY) | (b.hi.abs() == INFINITY);
    (v.hi.is_nan() & limit).select(INFINITY, r)
}

/// As [`unless_limit`], of a function that is defined everywhere.
#[crunch]
pub fn unless_undefined(
    v: DcDoubleDouble,
    r: DcDouble,
    a: DcDoubleDouble,
    b: DcDoubleDouble,
) -> DcDouble {
    let defined = !a.hi.is_nan() & !b.hi.is_nan();
    (v.hi.is_nan() & defined).select(INFINITY, r)
}

/// The value of a function that is defined from 1 on.
#[crunch]
pub fn from_one(
    v: DcDoubleDouble,
    r: DcDouble,
    a: DcDoubleDouble,
    ra: DcDouble,
) -> (DcDoubleDouble, DcDouble) {
    let far = dd_add_f64(a, -1.0).hi;
    let outside = (far < -1.001 * ra) & (ra < OVERFLOW);
    let none: DcDouble = f64::NAN;
    let v = if outside {
        DcDoubleDouble::new(none, 0.0)
    } else {
        v
    };
    let unsure = (far.abs() <= 1.001 * ra) & (ra > 0.0);
    (v, outside.select(0.0, unsure.select(INFINITY, r)))
}

/// A condition from the sign of a difference: -1, 0 or 1, or NaN if it is unknown.
#[crunch]
pub fn order(a: DcDoubleDouble, ra: DcDouble, b: DcDoubleDouble, rb: DcDouble) -> DcDouble {
    let r = 1.001 * (ra + rb);
    let d = dd_sub(a, b);
    let plain = a.hi - b.hi;
    let d = (plain.abs() < INFINITY).select(d.hi, plain);
    let equal = a.hi == b.hi && a.lo == b.lo;
    let decided = (d.abs() > r) | (r == 0.0);
    let up: DcDouble = 1.0;
    let sign = (d < 0.0).select(-up, up);
    let sign = equal.select(0.0, sign);
    let unordered = a.hi.is_nan() | b.hi.is_nan();
    // A comparison with a NaN is false, and that is known where the NaN is.
    let two: DcDouble = 2.0;
    let neither: DcDouble = NEITHER;
    unordered.select(
        (r == 0.0).select(two, neither),
        decided.select(sign, neither),
    )
}

/// Whether an order is one of those that a comparison allows. Each of the three is 1 or 0.
#[crunch]
pub fn holds(
    order: DcDouble,
    less: DcDouble,
    equal: DcDouble,
    greater: DcDouble,
    unordered: DcDouble,
) -> DcDouble {
    let above = (order == 0.0).select(equal, greater);
    let ordered = (order < 0.0).select(less, above);
    let known = (order == 2.0).select(unordered, ordered);
    order.is_nan().select(order, known)
}

/// Both conditions. If one is false, the result is known.
#[crunch]
pub fn both(p: DcDouble, q: DcDouble) -> DcDouble {
    ((p == 0.0) | (q == 0.0)).select(0.0, p * q)
}

/// Not the condition.
#[crunch]
pub fn negation(p: DcDouble) -> DcDouble {
    1.0 - p
}

/// `if p then a else b`
#[crunch]
pub fn choice(
    p: DcDouble,
    a: DcDoubleDouble,
    ra: DcDouble,
    b: DcDoubleDouble,
    rb: DcDouble,
) -> (DcDoubleDouble, DcDouble) {
    let holds = p == 1.0;
    let v = if holds { a } else { b };
    let r = holds.select(ra, rb);
    (v, p.is_nan().select(INFINITY, r))
}

/// The smaller of two.
#[crunch]
pub fn smaller(
    a: DcDoubleDouble,
    ra: DcDouble,
    b: DcDoubleDouble,
    rb: DcDouble,
) -> (DcDoubleDouble, DcDouble) {
    // The other one where one is a NaN, as C has it.
    let first = dd_lt(a, b) | b.hi.is_nan();
    let v = if first { a } else { b };
    let sure = dd_sub(a, b).hi.abs() > 1.001 * (ra + rb);
    let r = first.select(ra, rb);
    (v, sure.select(r, ra.max(rb)))
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

/// The sum of two arguments, which is NaN if one of them is NaN.
#[crunch]
pub fn both_arguments(x: DcDouble, y: DcDouble) -> DcDouble {
    let small: DcDouble = TINY;
    (x * small) + (y * small)
}

/// `-x`, exact.
#[crunch]
pub fn negated(x: DcDouble) -> DcDouble {
    -x
}

/// `|x|`, exact.
#[crunch]
pub fn magnitude(x: DcDouble) -> DcDouble {
    x.abs()
}

/// The remainder of x by y, for the whole quotient nearest to x / y, of two the even one: exact. The remainder by twice the divisor tells
/// whether the quotient is even; the differences are of numbers within a factor of two.
#[crunch]
pub fn nearest_remainder(x: DcDouble, y: DcDouble) -> DcDouble {
    let b = y.abs();
    let rest = rem_f64(x.abs(), b + b);
    let over = rest + rest > b;
    let once = over.select(rest - b, rest);
    let again = over & (once + once >= b);
    let nearest = again.select(once - b, once);
    x.is_sign_negative().select(-nearest, nearest)
}

/// The largest whole number that is at most a. It is not known where one is within the radius.
#[crunch]
pub fn of_floor(a: DcDoubleDouble, ra: DcDouble) -> (DcDoubleDouble, DcDouble) {
    let hi = a.hi.floor();
    let v = if hi == a.hi {
        fast_two_sum(hi, a.lo.floor())
    } else {
        DcDoubleDouble::new(hi, 0.0)
    };
    let v = if a.hi == 0.0 { a } else { v };
    let above = dd_sub(a, v).hi;
    let known = (above > 1.001 * ra) & (1.0 - above > 1.001 * ra) | (ra == 0.0);
    let special = !(a.hi.abs() < INFINITY);
    let v = if special {
        DcDoubleDouble::new(a.hi, 0.0)
    } else {
        v
    };
    let r = (known & (ra < OVERFLOW)).select(0.0, INFINITY);
    (v, special.select(ra, r))
}

/// The smallest whole number that is at least a.
#[crunch]
pub fn of_ceil(a: DcDoubleDouble, ra: DcDouble) -> (DcDoubleDouble, DcDouble) {
    let (v, r) = of_floor(dd_neg(a), ra);
    (dd_neg(v), r)
}

/// The whole number next to a towards zero. Next to 0 it is known on both sides.
#[crunch]
pub fn of_trunc(a: DcDoubleDouble, ra: DcDouble) -> (DcDoubleDouble, DcDouble) {
    let negative = a.hi.is_sign_negative();
    let (v, r) = of_floor(dd_abs(a), ra);
    let small = a.hi.abs() + 1.001 * ra < 1.0;
    let zero = DcDoubleDouble::new(0.0, 0.0);
    let v = if small { zero } else { v };
    let v = if negative { dd_neg(v) } else { v };
    (v, small.select(0.0, r))
}

/// As [`of_floor`], of a double: exact, with the sign of zeros.
#[crunch]
pub fn whole_below(x: DcDouble) -> DcDouble {
    x.floor()
}

/// As [`of_ceil`], of a double.
#[crunch]
pub fn whole_above(x: DcDouble) -> DcDouble {
    x.ceil()
}

/// As [`of_trunc`], of a double.
#[crunch]
pub fn whole_inside(x: DcDouble) -> DcDouble {
    x.trunc()
}

/// The sign of the gamma function: 1 or -1; at 0 that of the infinity there, and NaN at its other poles and at -∞.
#[crunch]
pub fn sign_of_gamma(x: DcDouble) -> DcDouble {
    let below = x.floor();
    let half = 0.5 * below;
    let one: DcDouble = 1.0;
    let none: DcDouble = f64::NAN;
    let sign = (half == half.floor()).select(one, -one);
    let sign = (below == x).select(none, sign);
    let sign = (x > 0.0).select(one, sign);
    let sign = (x == 0.0).select(one.copysign(x), sign);
    x.is_nan().select(x, sign)
}

/// The larger of two.
#[crunch]
pub fn larger(
    a: DcDoubleDouble,
    ra: DcDouble,
    b: DcDoubleDouble,
    rb: DcDouble,
) -> (DcDoubleDouble, DcDouble) {
    let first = dd_gt(a, b) | b.hi.is_nan();
    let v = if first { a } else { b };
    let sure = dd_sub(a, b).hi.abs() > 1.001 * (ra + rb);
    let r = first.select(ra, rb);
    (v, sure.select(r, ra.max(rb)))
}
