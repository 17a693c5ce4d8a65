//! Functions at one number, as balls.

use std::sync::OnceLock;

use crate::num::float::{exponent, is_power};
use crate::num::{Ball, Interval, Ring};

/// The first 40 bits of ln 2, the next 41, and the rest rounded: an error below 2^-135.
const LN2: [f64; 3] = [
    f64::from_bits(0x3fe6_2e42_fefa_2000),
    f64::from_bits(0x3d69_ef35_793c_7000),
    f64::from_bits(0x3ac9_cc01_f97b_57a0),
];

/// Beyond `±FAR`, `e^x` is larger than every double, or smaller.
pub(super) const FAR: f64 = 2000.0;

/// The number of terms of the exponential series.
const EXP_TERMS: usize = 26;
/// The number of terms of the series of sine and cosine together.
pub(super) const CIRCLE_TERMS: usize = 30;

/// `1 / k!`
pub(super) fn inverse_factorials() -> &'static [Ball; CIRCLE_TERMS] {
    static TABLE: OnceLock<[Ball; CIRCLE_TERMS]> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = [Ball::number(1.0); CIRCLE_TERMS];
        for k in 1..CIRCLE_TERMS {
            table[k] = table[k - 1].div(Ball::number(k as f64));
        }
        table
    })
}

/// `e^x` as `m 2^k`, `0.7 <= m <= 1.42`, for `|x| <= 2000`: Taylor's series after Cody and Waite's reduction.
#[must_use]
pub fn exp(x: f64) -> (Ball, i32) {
    assert!(x.abs() <= 2000.0, "e^{x} is out of reach");
    if x == 0.0 {
        // The value is exact: with a radius, the side of 1 on which a product with it lies, and so its ULP, would not
        // be known.
        return (Ball::number(1.0), 0);
    }
    exp_of(Ball::number(x), &[])
}

/// `e^(x + y + …)` as `m 2^k`, like [`exp`]. The other numbers are small compared with x, and are added after the reduction.
pub(super) fn exp_of(x: Ball, others: &[Ball]) -> (Ball, i32) {
    assert!(x.h.abs() <= 2000.0 && x.r < 1e-9, "e^{x:?} is out of reach");
    let k = (x.h * std::f64::consts::LOG2_E).round_ties_even();
    // The first two products are exact: k has 12 bits.
    let r = x
        .sub(Ball::number(k * LN2[0]))
        .sub(Ball::number(k * LN2[1]))
        .sub(Ball::number(k).mul(Ball::number(LN2[2])))
        .widened(k.abs() * 2f64.powi(-135));
    let r = others.iter().fold(r, |r, y| r.add(*y));
    (exp_reduced(r), k as i32)
}

/// `e^r` for `|r| <= 0.36`, by Taylor's series.
pub(super) fn exp_reduced(r: Ball) -> Ball {
    assert!(r.magnitude() < 0.36, "e^{r:?} without a reduction");
    let table = inverse_factorials();
    let mut sum = table[EXP_TERMS - 1];
    for &c in table[..EXP_TERMS - 1].iter().rev() {
        sum = sum.mul(r).add(c);
    }
    // |r| <= 0.36: the remainder is below r^26 / 26! (1 + r / 27 + …) < 2^-126.
    sum.widened(2f64.powi(-126))
}

/// `k ln 2` for an integer of at most 12 bits.
#[must_use]
pub fn ln2_times(k: i32) -> Ball {
    let k = f64::from(k);
    Ball::number(k * LN2[0])
        .add(Ball::number(k * LN2[1]))
        .add(Ball::number(k).mul(Ball::number(LN2[2])))
        .widened(k.abs() * 2f64.powi(-135))
}

/// The natural logarithm of a positive double. Near 1 it uses a series, whose relative error stays small when the logarithm
/// is small. Elsewhere it uses one step from the double nearest to it, `ln x = y + ln(x e^-y)`.
#[must_use]
pub fn ln(x: f64) -> Ball {
    // It is exact if it is small.
    let u = x - 1.0;
    if u.abs() <= 2f64.powi(-6) {
        return ln_1p_small(Ball::number(u));
    }
    ln_of(Ball::number(x))
}

/// `ln(1 + u)` for `u > -1`. Where the logarithm is small, its relative error is small if that of u is.
pub(super) fn ln_1p(u: Ball) -> Ball {
    if u.magnitude() <= 2f64.powi(-6) {
        ln_1p_small(u)
    } else {
        ln_of(u.add(Ball::number(1.0)))
    }
}

/// `ln(1 + u)` for `|u| <= 2^-6`.
fn ln_1p_small(u: Ball) -> Ball {
    artanh_small(u.div(u.add(Ball::number(2.0)))).scale(1)
}

/// `artanh s` for `|s| < 2^-6.9`.
pub(super) fn artanh_small(s: Ball) -> Ball {
    // s (1 + s²/3 + s⁴/5 + …): the remainder is below z^10 / 20 < 2^-142.
    debug_assert!(s.magnitude() < 0.0084);
    let z = s.mul(s);
    let mut sum = Ball::ZERO;
    for k in (0..10).rev() {
        sum = sum
            .mul(z)
            .add(Ball::number(1.0).div(Ball::number(f64::from(2 * k + 1))));
    }
    s.mul(sum.widened(2f64.powi(-142)))
}

/// The natural logarithm of a positive number that is not next to 1, by one step from the double nearest to it.
pub(super) fn ln_of(x: Ball) -> Ball {
    let e = exponent(x.h);
    let m = x.scale(-e);
    let y = m.mid().ln();
    let (inverse, k) = exp(-y);
    // 1 + z
    let z = m.mul(inverse.scale(k)).sub(Ball::number(1.0));
    // z - z²/2 + z³/3, |z| < 2^-48: the remainder is below z^4.
    let z2 = z.mul(z);
    let z3 = z2.mul(z);
    let log = z
        .sub(z2.scale(-1))
        .add(z3.div(Ball::number(3.0)))
        .widened(z.magnitude().powi(4));
    assert!(z.magnitude() < 2f64.powi(-44), "ln {x:?}");
    log.add(Ball::number(y)).add(ln2_times(e))
}

/// π/2 in four words: three whose products with integers of 12 bits are exact, and the rest, rounded with an error
/// below 2^-176.
const HALF_PI: [f64; 4] = [
    f64::from_bits(0x3ff9_21fb_5444_2000),
    f64::from_bits(0x3d6a_308d_3131_8000),
    f64::from_bits(0x3ae8_a2e0_3707_3000),
    f64::from_bits(0x3841_2902_4e08_8a68),
];

/// For larger arguments, sine and cosine are not enclosed.
pub(super) const CIRCLES: f64 = 8192.0;

/// `sin x` and `cos x` for `|x| <= 8192`: Taylor's series after a reduction.
#[must_use]
pub fn sin_cos(x: f64) -> (Ball, Ball) {
    assert!(x.abs() <= CIRCLES, "sin {x} is out of reach");
    let n = (x * std::f64::consts::FRAC_2_PI).round_ties_even();
    // All products except the last are exact; where r is small, the first differences are exact, too.
    let r = if n == 0.0 {
        Ball::number(x)
    } else {
        Ball::number(x)
            .sub(Ball::number(n * HALF_PI[0]))
            .sub(Ball::number(n * HALF_PI[1]))
            .sub(Ball::number(n * HALF_PI[2]))
            .sub(Ball::number(n).mul(Ball::number(HALF_PI[3])))
            .widened(n.abs() * 2f64.powi(-176))
    };
    turned(sin_cos_reduced(r), n)
}

/// π/2
pub(super) fn half_pi() -> Ball {
    HALF_PI
        .iter()
        .fold(Ball::ZERO, |sum, w| sum.add(Ball::number(*w)))
        .widened(2f64.powi(-176))
}

/// Sine and cosine of a number with `|r| < 0.786`.
pub(super) fn sin_cos_reduced(r: Ball) -> (Ball, Ball) {
    assert!(r.magnitude() < 0.786, "sin {r:?} without a reduction");
    let z = r.mul(r);
    let table = inverse_factorials();
    // Signs alternate and terms fall: the remainder is below its first term, 0.786^30 / 30! < 2^-118 and less.
    let series = |first: usize| {
        let mut sum = Ball::ZERO;
        for k in (first..CIRCLE_TERMS).step_by(2).rev() {
            sum = table[k].sub(z.mul(sum));
        }
        sum.widened(2f64.powi(-118))
    };
    (r.mul(series(1)), series(0))
}

/// Sine and cosine after n more quarter turns.
pub(super) fn turned((sin, cos): (Ball, Ball), n: f64) -> (Ball, Ball) {
    match n.rem_euclid(4.0) as u32 {
        0 => (sin, cos),
        1 => (cos, sin.neg()),
        2 => (sin.neg(), cos.neg()),
        _ => (cos.neg(), sin),
    }
}

/// The cube root of a number other than 0, near 1.
#[must_use]
pub fn cbrt(x: f64) -> Ball {
    // x = y³ (1 + d): the root is y (1 + d/3 - d²/9 + …), the next term of which is below d³ / 16.
    let y = Ball::number(x.cbrt());
    // Powers of two are given exactly: the side of them on which a root is decides its ULP.
    if is_power(y.h.abs()) && y.h * y.h * y.h == x {
        return y;
    }
    let d = Ball::number(x).div(y.mul(y).mul(y)).sub(Ball::number(1.0));
    assert!(d.magnitude() < 2f64.powi(-40), "the cube root of {x:e}");
    let third = d.div(Ball::number(3.0));
    let factor = third.sub(third.mul(third)).widened(d.magnitude().powi(3));
    y.add(y.mul(factor))
}

/// Sine and cosine of `π x` for `|x| <= 2^52`.
pub(super) fn sin_cos_pi(x: f64) -> (Ball, Ball) {
    let n = (2.0 * x).round_ties_even();
    // It is exact.
    let f = x - 0.5 * n;
    let reduced = match f == 0.0 {
        // Both are exact.
        true => (Ball::ZERO, Ball::number(1.0)),
        false => sin_cos_reduced(half_pi().scale(1).mul(Ball::number(f))),
    };
    turned(reduced, n)
}

/// Rings that can represent the contents of a ball.
pub(super) trait FromBall {
    fn from_ball(ball: Ball) -> Self;
}

impl FromBall for Ball {
    fn from_ball(ball: Ball) -> Self {
        ball
    }
}

impl FromBall for Interval {
    fn from_ball(ball: Ball) -> Self {
        ball.enclosure()
    }
}
