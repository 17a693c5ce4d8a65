//! The error function at one number, and its derivative; the normal distribution.

use super::value::{exp_of, half_pi};
use crate::num::{Ball, Ring};

/// Beyond ±FLAT, `e^(-x²)` is below 2^-2300.
pub(super) const FLAT: f64 = 40.0;

/// `2/√π`
pub(super) fn two_over_root_pi() -> Ball {
    Ball::number(2.0).div(half_pi()).root()
}

/// The derivative `2/√π e^(-x²)` as `m 2^k`, for `|x| <= FLAT`.
pub(super) fn bell(x: f64) -> (Ball, i32) {
    if x == 0.0 {
        return (two_over_root_pi(), 0);
    }
    let square = x * x;
    // The square is exact, unless it underflows.
    let square = Ball::new(-square, -x.mul_add(x, -square), 2f64.powi(-1000));
    let (m, k) = exp_of(square, &[]);
    (m.mul(two_over_root_pi()), k)
}

/// Beyond ±NORMAL, the normal density is below 2^-2300.
pub(super) const NORMAL: f64 = 56.5;

/// `1/√(2π)`
pub(super) fn normal_peak() -> Ball {
    Ball::number(1.0).div(half_pi().scale(2).root())
}

/// The standard normal density `e^(-x²/2) / √(2π)` as `m 2^k`.
pub(super) fn normal(x: f64) -> (Ball, i32) {
    if x == 0.0 {
        return (normal_peak(), 0);
    }
    if x.abs() > NORMAL {
        return (Ball::ZERO.widened(2f64.powi(-1000)), 0);
    }
    let square = x * x;
    // The square is exact, unless it underflows.
    let half = Ball::new(-square, -x.mul_add(x, -square), 2f64.powi(-1000)).scale(-1);
    let (m, k) = exp_of(half, &[]);
    (m.mul(normal_peak()), k)
}

/// `1/√2`
const ROOT_HALF: Ball = Ball {
    h: std::f64::consts::FRAC_1_SQRT_2,
    l: -4.833_646_656_726_457e-17,
    r: f64::from_bits((1023 - 108) << 52),
};

/// The standard normal distribution `Φ(x) = (1 - erf(-x/√2)) / 2` for `x >= -NORMAL`, divided by `2^e`.
pub(super) fn distribution(x: f64, e: i32) -> Ball {
    if x > NORMAL {
        return Ball::number(1.0).widened(2f64.powi(-1000)).scale(-e);
    }
    // -x/√2 = y + δ, with a double y: 1 - erf(y + δ) is that of y without the integral of the bell from y to y + δ. There, the bell
    // is that at y times e^-v, |v| = |2 y s + s²| < 2^-40 for the part s of δ, and 1 - v is within v² of it.
    let place = Ball::number(-x).mul(ROOT_HALF);
    let y = place.h;
    let d = place.sub(Ball::number(y));
    let size = d.magnitude();
    let (m, k) = bell(y);
    let part = d
        .sub(Ball::number(y).mul(d).mul(d))
        .widened(size * size * size + size * 2f64.powi(-80));
    let part = m.mul(part).scale(k - e);
    erfc(y, e).sub(part).scale(-1)
}

/// The error function for `|x| <= 2`, by Kummer's series `bell(x) x Σ (2 x²)^n / (2 n + 1)!!` of positive terms.
fn series(x: f64) -> Ball {
    let (m, k) = bell(x);
    let square = Ball::number(x).mul(Ball::number(x)).scale(1);
    let mut term = Ball::number(1.0);
    let mut sum = term;
    let mut n = 0.0;
    loop {
        n += 1.0;
        let by = 2.0 * n + 1.0;
        term = term.mul(square).div(Ball::number(by));
        sum = sum.add(term);
        // From here on each term is at most half the previous one, so that the rest is at most the last.
        if 2.0 * square.magnitude() <= by && term.magnitude() < 2f64.powi(-110) {
            break;
        }
    }
    let sum = sum.widened(term.magnitude());
    m.mul(Ball::number(x)).mul(sum).scale(k)
}

/// `1 - erf x` for `1 <= x <= FLAT`, divided by `2^e`: Laplace's continued fraction,
/// `bell(x)/2 / (x + 1/2/(x + 1/(x + 3/2/(x + …))))`.
fn fraction(x: f64, e: i32) -> Ball {
    let (m, k) = bell(x);
    let n = 40 + (700.0 / (x * x)) as u32;
    m.mul(fraction_of(x, n)).scale(k - e - 1)
}

/// `1 / (x + 1/2/(x + 1/(x + 3/2/(x + …))))` for `x >= 1`, of n parts and what the rest may be.
pub(super) fn fraction_of(x: f64, n: u32) -> Ball {
    let y = Ball::number(x);
    // The rest after n parts is at least x and at most x + (n + 1)/2/x. Each part is monotonic, so that the value lies between
    // those with either.
    let part = |i: u32, rest: Ball| y.add(Ball::number(0.5 * f64::from(i)).div(rest));
    let mut ends = [y, part(n + 1, y)];
    for i in (1..=n).rev() {
        ends = ends.map(|rest| part(i, rest));
    }
    let [a, b] = ends.map(|end| Ball::number(1.0).div(end));
    a.widened(a.sub(b).magnitude())
}

/// The error function, divided by `2^e`.
pub(super) fn erf(x: f64, e: i32) -> Ball {
    let one = Ball::number(1.0);
    let y = match x.abs() {
        a if a <= 2.0 => return series(x).scale(-e),
        a if a <= FLAT => one.sub(fraction(a, 0)),
        _ => one.widened(2f64.powi(-1000)),
    };
    if x < 0.0 { y.neg() } else { y }.scale(-e)
}

/// `1 - erf x`, for `x <= FLAT`, divided by `2^e`.
pub(super) fn erfc(x: f64, e: i32) -> Ball {
    if x >= 1.0 {
        return fraction(x, e);
    }
    if x == 0.0 {
        return Ball::number(1.0).scale(-e);
    }
    Ball::number(1.0).sub(erf(x, 0)).scale(-e)
}
