//! Functions of two words: the error of an operand is multiplied by the derivative, or by a bound of it.

use dc_runtime::builtins::reference::binary64::{erf_reference, erfc_reference, exp_reference};
use dc_runtime::prelude::*;

use super::{INFINITY, OVERFLOW, PRODUCT, SAFE, TINY, bounded, plain_words, words};

/// 2^-99: the relative error of functions of two words.
const FUNCTION: f64 = f64::from_bits((1023 - 99) << 52);
/// 2^-53
const HALF_ULP: f64 = f64::from_bits((1023 - 53) << 52);
/// 2^40: sines of larger two-word numbers are not reduced exactly.
const LARGE_ANGLE: f64 = f64::from_bits((1023 + 40) << 52);
/// 2/√π
const TWO_OVER_ROOT_PI: f64 = core::f64::consts::FRAC_2_SQRT_PI;

/// The radius of a function's reference with a relative error of at most `unit`; `floor` if the value is 0.
#[crunch]
pub fn of_exact(v: DcDoubleDouble, unit: DcDouble, floor: DcDouble, x: DcDouble) -> DcDouble {
    let r = (v.hi == 0.0).select(floor, v.hi.abs() * unit + TINY);
    bounded(v.hi, r, 0.0, !(x.abs() < INFINITY))
}

/// The same as [`of_exact`], for two arguments.
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

/// The same as [`of_exact`], for the logarithm of the gamma function, which has zeros between its poles.
#[crunch]
pub fn of_exact_lgamma(v: DcDoubleDouble, x: DcDouble) -> DcDouble {
    bounded(
        v.hi,
        v.hi.abs().max(1.0) * FUNCTION,
        0.0,
        !(x.abs() < INFINITY),
    )
}

/// The loss in the second words of a small value; nothing if the operand is exactly zero.
#[crunch]
fn tiny(a: DcDouble, ra: DcDouble) -> DcDouble {
    ((a == 0.0) & (ra == 0.0)).select(0.0, TINY)
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

/// Whether the angle of a sine is reduced to the precision of its words, or is not finite.
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

/// The radius of the error function `y` at the high word, extended to both words by its slope `d`.
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
