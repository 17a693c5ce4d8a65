//! Bessel functions of orders 0 and 1 of doubles, in two words with a radius.
//!
//! | argument | method |
//! |---|---|
//! | to 4 | the power series; for the second kind, with harmonic numbers |
//! | 4 to 48 | Miller's downward recurrence from order 130, in which the sum of even orders is 1; for the second kind, Neumann's series of these values |
//! | from 48 | Hankel's expansion, in sine and cosine of the argument |
//!
//! The errors are absolute, relative to the size of the oscillation: next to a zero, a value has fewer correct digits, as its radius
//! states.

use dc_runtime::builtins::reference::binary64::{cos_reference, log_reference, sin_reference};
use dc_runtime::prelude::*;

const INFINITY: f64 = f64::INFINITY;
/// The same as in `steps`.
const TINY: f64 = f64::from_bits(2 << 52);
const OVERFLOW: f64 = f64::MAX;
/// The limits between the methods.
const NEAR: f64 = 4.0;
const FAR: f64 = 48.0;
/// The number of steps of each method.
const TERMS: usize = 28;
const PAIRS: usize = 64;
const EXPANSION: usize = 22;
/// 2^-94 and 2^-92: the errors of the methods, where the oscillation is 1.
const FIRST_KIND: f64 = f64::from_bits((1023 - 94) << 52);
const SECOND_KIND: f64 = f64::from_bits((1023 - 92) << 52);
/// γ - ln 2, 2 / π and π in two words.
const GAMMA_HI: f64 = f64::from_bits(0xbfbd_adb0_1454_1eb2);
const GAMMA_LO: f64 = f64::from_bits(0xbc1b_e095_d05c_0a81);
const TWO_OVER_PI_HI: f64 = core::f64::consts::FRAC_2_PI;
const TWO_OVER_PI_LO: f64 = f64::from_bits(0xbc86_b01e_c541_7056);
const PI_HI: f64 = core::f64::consts::PI;
const PI_LO: f64 = f64::from_bits(0x3ca1_a626_3314_5c07);
/// 2^400 and 2^-300: numbers beyond these are scaled by an even power before a root is taken.
const LARGE: f64 = f64::from_bits((1023 + 400) << 52);
const DOWN: f64 = f64::from_bits((1023 - 300) << 52);
/// A starting value that does not overflow on the way to order 0.
const START: f64 = f64::from_bits((1023 - 830) << 52);

/// `J0`, `J1 / (x / 2)`, and the sums of `Y0` and `Y1` with harmonic numbers.
#[crunch]
fn near(
    x: DcDouble,
) -> (
    (DcDoubleDouble, DcDoubleDouble),
    (DcDoubleDouble, DcDoubleDouble),
) {
    let h = 0.5 * x;
    let z = two_prod(h, h);
    let mut k: DcDouble = 0.0;
    let mut a = DcDoubleDouble::new(1.0, 0.0);
    let mut b = DcDoubleDouble::new(1.0, 0.0);
    let mut harmonic = DcDoubleDouble::new(0.0, 0.0);
    let mut j0 = DcDoubleDouble::new(1.0, 0.0);
    let mut j1 = DcDoubleDouble::new(1.0, 0.0);
    let mut y0 = DcDoubleDouble::new(0.0, 0.0);
    let mut y1 = DcDoubleDouble::new(1.0, 0.0);
    for _i in 0..TERMS {
        k = k + 1.0;
        a = dd_div_f64(dd_mul(dd_neg(a), z), k * k);
        b = dd_div_f64(dd_mul(dd_neg(b), z), k * (k + 1.0));
        harmonic = dd_add(harmonic, dd_recip(k));
        let both = dd_add(dd_add(harmonic, harmonic), dd_recip(k + 1.0));
        j0 = dd_add(j0, a);
        j1 = dd_add(j1, b);
        y0 = dd_sub(y0, dd_mul(a, harmonic));
        y1 = dd_add(y1, dd_mul(b, both));
    }
    ((j0, j1), (y0, y1))
}

/// `J0`, `J1`, and Neumann's series `Σ (-1)^(k + 1) J2k / k` and `Σ (-1)^k (1 / k + 1 / (k + 1)) J2k+1` (DLMF 10.23.15 and 10.23.16).
#[crunch]
fn middle(
    x: DcDouble,
) -> (
    (DcDoubleDouble, DcDoubleDouble),
    (DcDoubleDouble, DcDoubleDouble),
) {
    let reciprocal = dd_recip(x);
    let step = dd_add(reciprocal, reciprocal);
    let mut k: DcDouble = 64.0;
    let mut sign: DcDouble = 1.0;
    let mut even = DcDoubleDouble::new(0.0, 0.0);
    let mut odd = DcDoubleDouble::new(START, 0.0);
    let mut all = DcDoubleDouble::new(0.0, 0.0);
    let mut y0 = DcDoubleDouble::new(0.0, 0.0);
    let mut y1 = DcDoubleDouble::new(0.0, 0.0);
    for _i in 0..PAIRS {
        let n = k + k + 1.0;
        y1 = dd_add(y1, dd_div_f64(dd_mul_f64(odd, sign * n), k * (k + 1.0)));
        even = dd_sub(dd_mul(dd_mul_f64(step, n), odd), even);
        all = dd_add(all, even);
        y0 = dd_sub(y0, dd_div_f64(even, sign * k));
        odd = dd_sub(dd_mul(dd_mul_f64(step, k + k), even), odd);
        k = k - 1.0;
        sign = -sign;
    }
    let zero = dd_sub(dd_mul(step, odd), even);
    let one = dd_recip_dd(dd_add(zero, dd_add(all, all)));
    (
        (dd_mul(zero, one), dd_mul(odd, one)),
        (dd_mul(y0, one), dd_mul(y1, one)),
    )
}

/// Hankel's P and Q of x for four times the square of the order, over `√(π x)`.
#[crunch]
fn far(x: DcDouble, order: DcDouble) -> (DcDoubleDouble, DcDoubleDouble) {
    let r = dd_recip(x);
    let w = dd_square(r);
    let mut n: DcDouble = 88.0;
    let mut p = DcDoubleDouble::new(1.0, 0.0);
    let mut q = DcDoubleDouble::new(1.0, 0.0);
    for _i in 0..EXPANSION {
        // Of n = 4 k the squares of n - 3, n - 1 and n + 1.
        let (a, b, c) = (n - 3.0, n - 1.0, n + 1.0);
        let third = order - b * b;
        let above = (order - a * a) * third;
        let below = third * (order - c * c);
        let half = 0.5 * n;
        p = dd_div_f64(dd_mul_f64(dd_mul(w, p), -above), 64.0 * half * (half - 1.0));
        p = dd_add_f64(p, 1.0);
        q = dd_div_f64(dd_mul_f64(dd_mul(w, q), -below), 64.0 * half * (half + 1.0));
        q = dd_add_f64(q, 1.0);
        n = n - 4.0;
    }
    let q = dd_mul(dd_mul_f64(q, 0.125 * (order - 1.0)), r);
    // The squares of a small root would lose words.
    let large = x >= LARGE;
    let one: DcDouble = 1.0;
    let down = large.select(DOWN * DOWN, one);
    let scale = dd_rsqrt(dd_mul_f64(DcDoubleDouble::new(PI_HI, PI_LO), x * down));
    let scale = dd_scale(scale, large.select(DOWN, one));
    (dd_mul(p, scale), dd_mul(q, scale))
}

/// `sin x - cos x` and `sin x + cos x`.
#[crunch]
fn turned(x: DcDouble) -> (DcDoubleDouble, DcDoubleDouble) {
    let (s, c) = (sin_reference(x), cos_reference(x));
    (dd_sub(s, c), dd_add(s, c))
}

/// `p a + q b`
#[crunch]
fn combined(
    p: DcDoubleDouble,
    a: DcDoubleDouble,
    q: DcDoubleDouble,
    b: DcDoubleDouble,
) -> DcDoubleDouble {
    dd_add(dd_mul(p, a), dd_mul(q, b))
}

/// The value of the method that applies to x.
#[crunch]
fn chosen(x: DcDouble, a: DcDoubleDouble, b: DcDoubleDouble, c: DcDoubleDouble) -> DcDoubleDouble {
    let v = if x < FAR { b } else { c };
    if x < NEAR { a } else { v }
}

/// The size of the oscillation, at most 1.
#[crunch]
fn size(x: DcDouble) -> DcDouble {
    let least: DcDouble = 1.0;
    1.0 / x.max(least).sqrt()
}

/// Replaces the value by 0 at an infinity, and by NaN at a NaN, with a radius of 0.
#[crunch]
fn finished(x: DcDouble, v: DcDoubleDouble, r: DcDouble) -> (DcDoubleDouble, DcDouble) {
    let number = x < INFINITY;
    let special = DcDoubleDouble::new(1.0 / x, 0.0);
    let v = if number { v } else { special };
    (v, number.select(r, 0.0))
}

/// J0.
#[crunch]
pub fn bessel_j0(x: DcDouble) -> (DcDoubleDouble, DcDouble) {
    let x = x.abs();
    let (a, _sums) = near(x.min(NEAR));
    let (b, _series) = middle(x.max(NEAR).min(FAR));
    let at = x.max(FAR);
    let none: DcDouble = 0.0;
    let (p, q) = far(at, none);
    let (minus, plus) = turned(at);
    let c = combined(p, plus, dd_neg(q), minus);
    finished(x, chosen(x, a.0, b.0, c), size(x) * FIRST_KIND)
}

/// J1, which is odd.
#[crunch]
pub fn bessel_j1(x: DcDouble) -> (DcDoubleDouble, DcDouble) {
    let negative = x.is_sign_negative();
    let x = x.abs();
    let (a, _sums) = near(x.min(NEAR));
    let (b, _series) = middle(x.max(NEAR).min(FAR));
    let at = x.max(FAR);
    let four: DcDouble = 4.0;
    let (p, q) = far(at, four);
    let (minus, plus) = turned(at);
    let c = combined(p, minus, q, plus);
    let small = dd_mul_f64(a.1, 0.5 * x);
    let v = chosen(x, small, b.1, c);
    let r = x.min(size(x)) * FIRST_KIND + (x == 0.0).select(0.0, TINY);
    let zero = DcDoubleDouble::new(0.0, 0.0);
    let v = if x == 0.0 { zero } else { v };
    let (v, r) = finished(x, v, r);
    let v = if negative { dd_neg(v) } else { v };
    (v, r)
}

/// `2 / π (ln(x / 2) + γ)` and the size of its second factor.
#[crunch]
fn logarithm(x: DcDouble) -> (DcDoubleDouble, DcDouble) {
    let l = dd_add(log_reference(x), DcDoubleDouble::new(GAMMA_HI, GAMMA_LO));
    let scale = DcDoubleDouble::new(TWO_OVER_PI_HI, TWO_OVER_PI_LO);
    (dd_mul(l, scale), l.hi.abs())
}

/// A function of the second kind: -∞ at 0, NaN below.
#[crunch]
fn second(x: DcDouble, v: DcDoubleDouble, r: DcDouble) -> (DcDoubleDouble, DcDouble) {
    let (v, r) = finished(x.abs(), v, r);
    let end: DcDouble = -INFINITY;
    let none: DcDouble = f64::NAN;
    let pole = x == 0.0;
    let v = if x > 0.0 {
        v
    } else {
        DcDoubleDouble::new(pole.select(end, none), 0.0)
    };
    // The first quotient may be too large for a double.
    let large: DcDouble = OVERFLOW;
    let r = (v.hi == -INFINITY).select(large, r);
    (v, (x > 0.0).select(r, 0.0))
}

/// Y0.
#[crunch]
pub fn bessel_y0(x: DcDouble) -> (DcDoubleDouble, DcDouble) {
    let size_of = x.abs();
    let below = size_of.min(FAR);
    let (l, length) = logarithm(below);
    let scale = DcDoubleDouble::new(TWO_OVER_PI_HI, TWO_OVER_PI_LO);
    let (a, s) = near(size_of.min(NEAR));
    let a = combined(l, a.0, scale, s.0);
    let (b, s) = middle(size_of.max(NEAR).min(FAR));
    let b = combined(l, b.0, scale, dd_add(s.0, s.0));
    let at = size_of.max(FAR);
    let none: DcDouble = 0.0;
    let (p, q) = far(at, none);
    let (minus, plus) = turned(at);
    let c = combined(p, minus, q, plus);
    let r = (size_of < FAR).select(length + 1.0, size(size_of)) * SECOND_KIND;
    second(x, chosen(size_of, a, b, c), r)
}

/// Y1.
#[crunch]
pub fn bessel_y1(x: DcDouble) -> (DcDoubleDouble, DcDouble) {
    let size_of = x.abs();
    let below = size_of.min(FAR);
    let (l, length) = logarithm(below);
    let scale = DcDoubleDouble::new(TWO_OVER_PI_HI, TWO_OVER_PI_LO);
    let pole = dd_div_f64(dd_neg(scale), below);
    let pole = if pole.hi.abs() < INFINITY {
        pole
    } else {
        DcDoubleDouble::new(-INFINITY, 0.0)
    };
    let (a, s) = near(size_of.min(NEAR));
    let first = dd_mul_f64(a.1, 0.5 * size_of.min(NEAR));
    let sum = dd_mul_f64(s.1, -0.25 * size_of.min(NEAR));
    let a = combined(l, first, scale, sum);
    let (b, s) = middle(size_of.max(NEAR).min(FAR));
    let b_0 = b.0;
    let l = dd_sub(l, scale);
    let b = combined(l, b.1, scale, dd_neg(s.1));
    let b = dd_add(dd_mul(pole, b_0), b);
    let regular = pole.hi.abs() < INFINITY;
    let a = if regular { dd_add(pole, a) } else { pole };
    let at = size_of.max(FAR);
    let four: DcDouble = 4.0;
    let (p, q) = far(at, four);
    let (minus, plus) = turned(at);
    let c = combined(q, minus, dd_neg(p), plus);
    let v = chosen(size_of, a, b, c);
    let own = (length + 1.0) * size_of.min(1.0) + pole.hi.abs();
    let r = (size_of < FAR).select(own, size(size_of)) * SECOND_KIND;
    second(x, v, r)
}
