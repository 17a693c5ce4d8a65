//! Γ and `ln |Γ|`: values and Taylor coefficients, by Stirling's series, recurrence and reflection.

use std::sync::OnceLock;

use super::value::{FromBall, exp_of, half_pi, ln, ln_1p, ln_of, sin_cos_pi};
use crate::cell::Cell;
use crate::num::float::exponent;
use crate::num::interval::{add_up, mul_up};
use crate::num::{Ball, Interval, Ring};

/// From here on Stirling's series is used directly; smaller numbers are moved there.
pub(super) const FAR: f64 = 20.0;

/// The number of its terms.
const TERMS: usize = 20;

/// Beyond plus or minus this, Γ is larger than every double, or smaller.
pub(super) const REACH: f64 = 200.0;

/// If `ln |Γ|` of a negative number is below this in magnitude, it is not enclosed: its zeros are not doubles.
pub(super) const NEAR: f64 = f64::from_bits((1023 - 30) << 52);

/// `B_2k / (2k (2k - 1))` from k = 1 on, and one more, for the first omitted term.
fn stirling() -> &'static [Ball; TERMS + 1] {
    static TABLE: OnceLock<[Ball; TERMS + 1]> = OnceLock::new();
    TABLE.get_or_init(|| {
        let number = |n: usize| Ball::number(n as f64);
        // Tangent numbers T_k by sums of positive numbers (Knuth and Buckholtz); `B_2k = ±2k T_k / (4^k (4^k - 1))`.
        let mut tangent = [Ball::number(1.0); TERMS + 1];
        for k in 1..=TERMS {
            tangent[k] = tangent[k - 1].mul(number(k));
        }
        for k in 1..=TERMS {
            for j in k..=TERMS {
                let before = tangent[j - 1].mul(number(j - k));
                tangent[j] = before.add(tangent[j].mul(number(j - k + 2)));
            }
        }
        std::array::from_fn(|i| {
            let k = i + 1;
            let four = Ball::number(1.0).scale(2 * k as i32);
            let below = four.mul(four.sub(Ball::number(1.0)));
            let a = tangent[i].div(below.mul(number(2 * k - 1)));
            if i % 2 == 0 { a } else { a.neg() }
        })
    })
}

/// A bound of the omitted part of coefficient m of Stirling's series at numbers of at least z, divided by `(-w)^m z^(-m - 1)`.
///
/// Binet: the series is the integral of `e^(-z t)` times a sum of `2 / (t² + a²)`. The truncated expansions of these in `t²` are off by
/// less than the first omitted term, and on its side. So are the derivatives by z, whose integrals have a factor `(-t)^m`.
fn rest(z: f64, m: u32) -> f64 {
    let p = 2 * TERMS as u32 + 1;
    1.001 * stirling()[TERMS].magnitude() * choose(p + m - 1, m) * z.powi(-(p as i32 - 1))
}

/// The number of ways to choose m of n, exactly: products below `2^53` for `n <= 52`.
fn choose(n: u32, m: u32) -> f64 {
    assert!(n <= 52, "{m} of {n}");
    (1..=m).fold(1.0, |c, i| c * f64::from(n - m + i) / f64::from(i))
}

/// `x - n` for the integer n nearest to x, and n. The difference is exact.
fn parted(x: f64) -> (f64, f64) {
    let n = x.round_ties_even();
    (n, x - n)
}

/// `ln Γ(n + u) - ln Γ(n)` for an integer n of at least 1, and u up to 1/2: its relative error is small for a small u, too.
fn difference(n: f64, u: f64) -> Ball {
    if u == 0.0 {
        return Ball::ZERO;
    }
    let number = Ball::number;
    let shift = (FAR - n).max(0.0);
    let part = number(u);
    let far = far_difference(number(n + shift), part);
    // Γ(n + u) / Γ(n) is that of both, moved by `shift`, divided by the product of 1 + u/j. The sums have one sign.
    let factors = (0..shift as u32).map(|j| number(n + f64::from(j)));
    match shift > 0.0 {
        true => far.sub(ln_1p(product_less_1(part, factors))),
        false => far,
    }
}

/// The product of all `1 + u/y`, less 1.
pub(super) fn product_less_1(u: Ball, all: impl Iterator<Item = Ball>) -> Ball {
    all.fold(Ball::ZERO, |moved, y| {
        let step = u.div(y);
        moved.add(step).add(step.mul(moved))
    })
}

/// `ln Γ(z0 + u) - ln Γ(z0)`, where both arguments are at least `FAR - 1/2`, and u is below 1 in magnitude: Stirling's series, and each difference is made
/// from u by products and sums.
pub(super) fn far_difference(z0: Ball, u: Ball) -> Ball {
    let number = Ball::number;
    let one = number(1.0);
    let z = z0.add(u);
    // (z - 1/2) ln z - z, less the same at z0.
    let logs = z0.sub(number(0.5)).mul(ln_1p(u.div(z0)));
    let logs = logs.add(u.mul(ln_of(z).sub(one)));
    // Of odd powers of 1/z, less those of 1/z0.
    let (q, q0) = (one.div(z), one.div(z0));
    let first = u.mul(q).mul(q0).neg();
    let (square, square0) = (q.mul(q), q0.mul(q0));
    let squares = first.mul(q.add(q0));
    let (mut power0, mut apart) = (q0, first);
    let mut sum = Ball::ZERO;
    for a in &stirling()[..TERMS] {
        sum = sum.add(apart.mul(*a));
        apart = apart.mul(square).add(power0.mul(squares));
        power0 = power0.mul(square0);
    }
    let least = z.enclosure().lo.min(z0.enclosure().lo);
    assert!(least >= FAR - 0.5, "Stirling's series at {z:?}");
    logs.add(sum.widened(u.magnitude() * rest(least, 1) / (least * least)))
}

/// `n!` as `m 2^k`, for n up to `REACH + 1`; exact as long as it has as many bits as a double.
fn factorial(n: usize) -> (Ball, i32) {
    static TABLE: OnceLock<Vec<(Ball, i32)>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let (mut m, mut k) = (Ball::number(1.0), 0);
        let mut all = vec![(m, k)];
        for n in 1..=REACH as u32 + 1 {
            let by = f64::from(n);
            m = match n <= 22 {
                true => Ball::number(m.h * by),
                false => m.mul(Ball::number(by)),
            };
            let e = exponent(m.h);
            (m, k) = (m.scale(-e), k + e);
            all.push((m, k));
        }
        all
    });
    table[n]
}

/// `Γ(n + u)` as `m 2^k`, for n from 1 to `REACH + 2`.
pub(super) fn gamma_at(n: f64, u: f64) -> (Ball, i32) {
    let (whole, i) = factorial(n as usize - 1);
    if u == 0.0 {
        return (whole, i);
    }
    let (m, k) = exp_of(difference(n, u), &[]);
    (whole.mul(m), i + k)
}

/// `Γ(x)`, divided by `2^e`, where it has no pole, for `|x| <= REACH`.
pub(super) fn gamma(x: f64, e: i32) -> Ball {
    let (n, u) = parted(x);
    if n >= 1.0 {
        let (m, k) = gamma_at(n, u);
        return m.scale(k - e);
    }
    if n == 0.0 {
        // Γ(1 + x) / x
        let (m, k) = gamma_at(1.0, u);
        let s = exponent(x);
        return m.div(Ball::number(x).scale(-s)).scale(k - s - e);
    }
    // π / (sin(π x) Γ(1 - x))
    let (m, k) = gamma_at(1.0 - n, -u);
    let sine = sin_cos_pi(x).0;
    half_pi().scale(1).div(sine.mul(m)).scale(-k - e)
}

/// `ln Γ(n + u)` for n of at least 1, divided by `2^e`.
fn ln_gamma_at(n: f64, u: f64, e: i32) -> Ball {
    if n < FAR {
        let (m, k) = factorial(n as usize - 1);
        let whole = match n <= 2.0 {
            true => Ball::ZERO,
            false => ln_of(m.scale(k)),
        };
        return whole.add(difference(n, u)).scale(-e);
    }
    let number = Ball::number;
    let z = number(n).add(number(u));
    let s = exponent(n);
    let (y, half) = (z.scale(-s), number(0.5).scale(-s));
    let logs = y.sub(half).mul(ln_of(z)).sub(y);
    let q = number(1.0).div(y).scale(-s);
    let square = q.mul(q);
    let series = stirling()[..TERMS].iter().rev();
    let sum = series.fold(Ball::ZERO, |sum, a| sum.mul(square).add(*a));
    let sum = sum.mul(q).widened(rest(n - 0.5, 0) / (n - 0.5));
    let constant = ln_of(half_pi().scale(2)).scale(-1);
    logs.scale(s - e).add(sum.add(constant).scale(-e))
}

/// `ln |Γ(x)|`, divided by `2^e`, where Γ has no pole.
pub(super) fn ln_gamma(x: f64, e: i32) -> Ball {
    let (n, u) = parted(x);
    if n >= 1.0 {
        return ln_gamma_at(n, u, e);
    }
    if n == 0.0 {
        return ln_gamma_at(1.0, u, e).sub(ln(x.abs()).scale(-e));
    }
    let sine = sin_cos_pi(x).0;
    let sine = if sine.h < 0.0 { sine.neg() } else { sine };
    let turned = ln_of(half_pi().scale(1).div(sine));
    turned.scale(-e).sub(ln_gamma_at(1.0 - n, -u, e))
}

/// The derivative of `ln |Γ|` at a number.
pub(super) fn digamma(x: f64) -> Ball {
    let one = Ball::number(1.0);
    if is_reflected(x) {
        let y = one.sub(Ball::number(x));
        let [_, slope] = ln_gamma_coefficients::<Ball, 2>(y, one, 0);
        return slope.sub(half_pi().scale(1).mul(cotangent(x)));
    }
    ln_gamma_coefficients::<Ball, 2>(Ball::number(x), one, 0)[1]
}

/// Whether coefficients at a center are computed from those at `1 - x` and those of the sine.
pub(super) fn is_reflected(x: f64) -> bool {
    x < -0.5
}

/// `cot(π x)` of a negative number; 0 for others.
pub(super) fn cotangent(x: f64) -> Ball {
    if x >= 0.0 {
        return Ball::ZERO;
    }
    let (sin, cos) = sin_cos_pi(x);
    cos.div(sin)
}

/// Rings with a logarithm, of numbers that are not next to 1.
pub(super) trait Log: Ring + FromBall {
    fn log(self) -> Self;
}

impl Log for Ball {
    fn log(self) -> Ball {
        ln_of(self)
    }
}

impl Log for Interval {
    fn log(self) -> Interval {
        let [lo, hi] = [self.lo, self.hi].map(|x| ln_of(Ball::number(x)).enclosure());
        lo.hull(hi)
    }
}

/// The coefficients of `ln |Γ(x + w τ)|`, divided by `2^e`, for x above -1 without a pole. The first is left 0.
///
/// For `m >= 2`, coefficient m of all parts, including the logarithms that lead to `z = x + n >= 20`, has the sign of `(-1)^m`, so nothing
/// cancels.
pub(super) fn ln_gamma_coefficients<R: Log, const K: usize>(x: R, w: R, e: i32) -> [R; K] {
    let number = R::number;
    let shift = (FAR - x.enclosure().lo).ceil().max(0.0) as u32;
    let mut all = [number(0.0); K];
    let mut add =
        |m: usize, y: R| all[m] = all[m].add(if m.is_multiple_of(2) { y } else { y.neg() });
    let scaled = |y: R| {
        let s = exponent(y.enclosure().magnitude());
        (y.scale(-s), s)
    };
    for j in 0..shift {
        // -ln(x + j)
        let (y, s) = scaled(x.add(number(f64::from(j))));
        let step = w.scale(-s).div(y);
        let mut power = w.scale(-s - e).div(y);
        for m in 1..K {
            add(m, power.div(number(m as f64)));
            power = power.mul(step);
        }
    }
    let z = x.add(number(f64::from(shift)));
    let least = z.enclosure().lo;
    let (y, s) = scaled(z);
    let (q, step) = (number(1.0).div(y).scale(-s), w.scale(-s).div(y));
    let square = q.mul(q);
    let mut power = w.scale(-e);
    for m in 1..K {
        let terms = stirling()[..TERMS].iter().enumerate().rev();
        let series = terms.fold(number(0.0), |sum, (i, a)| {
            let ways = choose((2 * i + m) as u32, m as u32);
            sum.mul(square).add(R::from_ball(a.mul(Ball::number(ways))))
        });
        let left = R::from_ball(Ball::ZERO.widened(rest(least, m as u32)));
        let small = number(0.5)
            .div(number(m as f64))
            .add(q.mul(series.add(left)));
        let large = match m {
            1 => z.log().neg(),
            _ => number(1.0).div(number((m * (m - 1)) as f64)),
        };
        add(m, power.mul(large.add(q.mul(small))));
        power = power.mul(step);
    }
    all
}

/// Whether a pole of Γ is in a cell.
pub(super) fn has_pole(Cell { lo, hi }: Cell) -> bool {
    lo <= 0.0 && (hi >= 0.0 || lo.floor() != hi.floor() || lo == lo.floor())
}

/// Whether Γ has a pole at each number of a cell. All doubles below -2^52 are integers.
pub(super) fn only_poles(Cell { lo, hi }: Cell) -> bool {
    lo == hi && lo <= 0.0 && lo == lo.floor() || hi <= -(2f64.powi(52))
}

/// Whether a cell is next to a negative zero of the logarithm, where it is not enclosed.
pub(super) fn next_to_zero(cell: Cell) -> bool {
    let negative = cell.hi < -2.0 && cell.lo > -40.0 && !has_pole(cell);
    negative && between(true, cell, 0).magnitude() <= NEAR
}

/// The values of Γ, or of its logarithm, over a cell without a pole, divided by `2^e`. `|Γ|` and its logarithm are convex between poles: the second derivative
/// of the logarithm is a sum of squares, and `|Γ|''` is `|Γ|` times the sum of that and the square of the first derivative.
pub(super) fn between(logarithm: bool, Cell { lo, hi }: Cell, e: i32) -> Interval {
    let value = if logarithm { ln_gamma } else { gamma };
    let [a, b] = [lo, hi].map(|x| value(x, e).enclosure());
    let all = a.hull(b);
    // The only extremum of positive numbers is at 1.46163…
    let monotonic = lo >= 1.4617 || lo > 0.0 && hi <= 1.4616 || lo == hi;
    if monotonic {
        return all;
    }
    let [falls, rises] = [lo, hi].map(|x| digamma(x).enclosure());
    if falls.lo >= 0.0 || rises.hi <= 0.0 {
        return all;
    }
    // The tangent at the lower end is below the values.
    let drop = Interval::new(0.0, mul_up(add_up(hi, -lo), (-falls.lo).max(0.0)));
    match logarithm {
        true => all.hull(a.sub(drop.scale(-e))),
        false if all.hi <= 0.0 => {
            let least = a.sub(a.mul(drop));
            Interval::new(all.lo, all.hi.max(least.hi.min(0.0)))
        }
        false => {
            let least = a.sub(a.mul(drop));
            Interval::new(all.lo.min(least.lo.max(0.0)), all.hi)
        }
    }
}
