//! Inverse error functions. For doubles: a starting value with a few digits, and two corrections by the error function and its slope.
//!
//! With `R = erf y - x` and `δ = R / erf' y`, the inverse is `y - δ + y δ²` up to `(1 + 4 y²) δ³`. The first correction is in one word, and the
//! second gives the low word. Next to 1 the complement is used, whose difference from 1 is exact, so that no digits are lost.
//!
//! For `erfc y` above 2^-23, the starting value is that of Giles for the function in single precision (2010). Beyond it, `y²` is a fixed
//! point of `ln(1 / t) - ln(π y²) / 2 + ln g`, with the asymptotic series g of `erfc y`.
//!
//! For two words, the inverse at the first word is extended to both words by its slope.

use dc_runtime::builtins::reference::binary64::{
    erf_reference, erfc_reference, exp_reference, log_reference,
};
use dc_runtime::prelude::*;

use crate::steps::OVERFLOW;

const INFINITY: f64 = f64::INFINITY;
/// The same as in `steps`.
const TINY: f64 = f64::from_bits(2 << 52);
const LN_2: f64 = core::f64::consts::LN_2;
const LN_PI: f64 = 1.144_729_885_849_400_2;
const TWO_OVER_ROOT_PI: f64 = core::f64::consts::FRAC_2_SQRT_PI;
/// 2^-51 and 2^-100.
const WORD: f64 = f64::from_bits((1023 - 51) << 52);
const REFERENCE: f64 = f64::from_bits((1023 - 100) << 52);
/// The tail of the starting value is an approximation up to here.
const FAR: f64 = 16.0;
const NEAR: f64 = 5.0;
/// A larger change by a second word is not treated as linear.
const CHANGE: f64 = 1.0 / 1024.0;
/// A smaller slope has fewer correct digits.
const LEAST_SLOPE: f64 = f64::from_bits((1023 - 960) << 52);
/// A larger correction shows that the starting value was wrong.
const SMALL: f64 = 1e-6;

/// For `w = -ln(1 - x²)` below 5, in w - 2.5; and for sqrt w - 3.
const MIDDLE: [f64; 9] = [
    2.810_226_36e-8,
    3.432_739_39e-7,
    -3.523_387_7e-6,
    -4.391_506_54e-6,
    0.000_218_580_87,
    -0.001_253_725_03,
    -0.004_177_681_64,
    0.246_640_727,
    1.501_409_41,
];
const TAIL: [f64; 9] = [
    -0.000_200_214_257,
    0.000_100_950_558,
    0.001_349_343_22,
    -0.003_673_428_44,
    0.005_739_507_73,
    -0.007_622_461_3,
    0.009_438_870_47,
    1.001_674_06,
    2.832_976_82,
];

/// The square of the inverse, if `l = -ln erfc y` is above [`FAR`].
#[crunch]
fn far_square(l: DcDouble) -> DcDouble {
    let h = (log_reference(l).hi + LN_PI) * 0.5;
    let mut square = l - h;
    for _i in 0..3 {
        let d = (l - square) / l;
        let ln = d * (1.0 + d * (0.5 + d * (0.333_333_333 + d * (0.25 + d * 0.2))));
        let z = 0.5 / square;
        let series = z * (-1.0 + z * (2.5 - z * 12.333_333));
        square = l - h + 0.5 * ln + series;
    }
    square
}

/// The inverse to some digits, from `q = 1 - x²` and x, which is nonnegative.
#[crunch]
fn start(q: DcDouble, x: DcDouble) -> DcDouble {
    let w = -log_reference(q).hi;
    let c = w - 2.5;
    let s = w.sqrt() - 3.0;
    let mut middle: DcDouble = 0.0;
    let mut tail: DcDouble = 0.0;
    for i in 0..MIDDLE.len() {
        middle = middle * c + MIDDLE[i];
        tail = tail * s + TAIL[i];
    }
    let near = (w < NEAR).select(middle, tail) * x;
    let far = far_square(w.max(FAR) + LN_2).sqrt();
    (w < FAR).select(near, far)
}

/// The slope of the error function.
#[crunch]
fn slope(y: DcDouble) -> DcDouble {
    exp_reference(-(y * y)).hi * TWO_OVER_ROOT_PI
}

/// `y + c` and its radius, for a correction c by δ. The function must have a value and a slope.
#[crunch]
fn corrected(
    y: DcDouble,
    c: DcDouble,
    delta: DcDouble,
    value: DcDouble,
    slope: DcDouble,
) -> (DcDoubleDouble, DcDouble) {
    let size = delta.abs();
    let curved = (1.0 + 4.0 * y * y) * (size * size * size + size * WORD);
    let own = (value * REFERENCE + TINY) / slope;
    let r = curved + own + y * REFERENCE + TINY;
    (fast_two_sum(y, c), (size < SMALL).select(r, INFINITY))
}

/// The y of `erf y = x`, 0 <= x <= 1/2.
#[crunch]
fn inner(x: DcDouble) -> (DcDoubleDouble, DcDouble) {
    let y = start((1.0 - x) * (1.0 + x), x);
    let r = dd_sub(erf_reference(y), DcDoubleDouble::new(x, 0.0));
    let delta = r.hi / slope(y);
    let y = y - (delta - y * delta * delta);
    let value = erf_reference(y);
    let r = dd_sub(value, DcDoubleDouble::new(x, 0.0));
    let d = slope(y);
    let delta = r.hi / d;
    corrected(y, y * delta * delta - delta, delta, value.hi, d)
}

/// The y of `erfc y = t`, 0 < t <= 1/2.
#[crunch]
fn outer(t: DcDouble) -> (DcDoubleDouble, DcDouble) {
    let y = start(t * (2.0 - t), 1.0 - t);
    let r = dd_sub(erfc_reference(y), DcDoubleDouble::new(t, 0.0));
    let delta = r.hi / slope(y);
    let y = y + (delta + y * delta * delta);
    let value = erfc_reference(y);
    let r = dd_sub(value, DcDoubleDouble::new(t, 0.0));
    let d = slope(y);
    let delta = r.hi / d;
    corrected(y, delta + y * delta * delta, delta, value.hi, d)
}

/// The inverse, with a sign, for the value x of the error function or for its complement t. It is an infinity if t is 0.
#[crunch]
fn inverse(
    x: DcDouble,
    t: DcDouble,
    negative: DcMask,
    defined: DcMask,
) -> (DcDoubleDouble, DcDouble) {
    let near = x <= 0.5;
    let (a, ra) = inner(near.select(x, 0.5));
    let (b, rb) = outer((near | (t <= 0.0)).select(0.5, t));
    let v = if near { a } else { b };
    let r = near.select(ra, rb);
    let pole = t == 0.0;
    let end: DcDouble = INFINITY;
    let none: DcDouble = f64::NAN;
    let special = defined.select(end, none);
    let plain = defined & !pole;
    let zero: DcDouble = 0.0;
    let v = if plain {
        v
    } else {
        DcDoubleDouble::new(special, 0.0)
    };
    let exact = (x == 0.0) | !plain;
    let v = if x == 0.0 {
        DcDoubleDouble::new(0.0, 0.0)
    } else {
        v
    };
    let v = if negative { dd_neg(v) } else { v };
    (v, exact.select(zero, r))
}

/// The inverse of erf.
#[crunch]
pub fn inverse_erf(x: DcDouble) -> (DcDoubleDouble, DcDouble) {
    let a = x.abs();
    inverse(a, 1.0 - a, x.is_sign_negative(), a <= 1.0)
}

/// The inverse of erfc. `1 - x` is exact from 1/2 to 3/2, and `2 - x` is exact from 1 on.
#[crunch]
pub fn inverse_erfc(x: DcDouble) -> (DcDoubleDouble, DcDouble) {
    let above = x > 1.0;
    let t = above.select(2.0 - x, x.abs());
    let middle = (x >= 0.5) & (x <= 1.5);
    let a = middle.select((1.0 - x).abs(), 1.0);
    inverse(a, t, above, (x >= 0.0) & (x <= 2.0))
}

/// The inverse at two words with a radius, from its value `y` at the first word. The second word is included by the slope, whose sign is
/// `sign`.
///
/// Let `δ` be the change by the first derivative. If `δ (1 + 2 y)` is small, the inverse changes by `δ + y δ²`, and by less than that for the
/// rest. The argument is then inside the domain.
#[crunch]
fn carried(
    y: DcDoubleDouble,
    r: DcDouble,
    a: DcDoubleDouble,
    ra: DcDouble,
    sign: DcDouble,
) -> (DcDoubleDouble, DcDouble) {
    let d = slope(y.hi);
    let size = y.hi.abs();
    let step = a.lo / d;
    let change = step.abs() + ra / d;
    let v = dd_add_f64(y, sign * step);
    let own = step.abs() * ((1.0 + 4.0 * size * size) * (2.0 * WORD)) + size * REFERENCE;
    let all = r + 1.01 * (ra / d) + 2.0 * (1.0 + size) * (change * change) + own;
    let small = (change * (1.0 + 2.0 * size) < CHANGE) & (d > LEAST_SLOPE);
    // A double is known as it was; a NaN or an infinity only where the argument is one.
    let double = (a.lo == 0.0) & (ra == 0.0);
    let r = double.select(r, small.select(all, INFINITY));
    let v = if small & !double { v } else { y };
    (v, r)
}

/// The inverse of erf at two words.
#[crunch]
pub fn of_inverse_erf(a: DcDoubleDouble, ra: DcDouble) -> (DcDoubleDouble, DcDouble) {
    let (y, r) = inverse_erf(a.hi);
    let up: DcDouble = 1.0;
    let (v, r) = carried(y, r, a, ra, up);
    let zero: DcDouble = 0.0;
    // Certainly not defined.
    let outside = (a.hi.abs() - 1.0 > ra) & (ra < OVERFLOW);
    (v, outside.select(zero, r))
}

/// The inverse of erfc at two words.
#[crunch]
pub fn of_inverse_erfc(a: DcDoubleDouble, ra: DcDouble) -> (DcDoubleDouble, DcDouble) {
    let (y, r) = inverse_erfc(a.hi);
    let down: DcDouble = -1.0;
    let (v, r) = carried(y, r, a, ra, down);
    let zero: DcDouble = 0.0;
    let outside = (((a.hi - 2.0) > ra) | (-a.hi > ra)) & (ra < OVERFLOW);
    (v, outside.select(zero, r))
}
