//! `ln |Γ(z + x)|` for a zero z of `ln |Γ|` below 0. Kernels next to such a zero have a difference from it as their argument.
//!
//! Between the poles `-n - 1` and `-n`, the logarithm is convex and rises to infinity at both. For n of at least 2 it has two zeros there; above -2 it has none.
//! So zero k is next to the pole `-n`, for `n = 2 + floor(k / 2)`: on its left for an odd k, and on its right for an even k. With `z = d - n`,
//!
//! ```text
//! Γ(z + x) = Γ(1 + d + x) / product of d + x - j for j from 0 to n.
//! ```
//!
//! `|d|` is about `1/n!`. It has all digits of a ball, which z would not have, and so has `d + x`. The value is made from x by products and sums, so its relative
//! error is small however small x is.

use std::sync::OnceLock;

use super::gamma::{FAR, Log, far_difference, gamma_at, ln_gamma_coefficients, product_less_1};
use super::value::ln_1p;
use super::{Enclosed, NoTruth};
use crate::cell::Cell;
use crate::num::interval::{add_up, mul_up};
use crate::num::{Ball, Interval, Ring, Series};

/// The number of zeros. Those of larger numbers are less than 2^-70 away from a pole.
pub(super) const MOST: u8 = 40;

/// The function is enclosed where the distance from each of the two poles is at least this part of the zero's, or of 1.
const BESIDE_POLE: f64 = 1.0 / 1024.0;

/// A zero.
#[derive(Debug, Clone, Copy)]
struct Zero {
    /// The pole next to it is at `-n`,
    n: u32,
    /// and this is its distance from there.
    d: Ball,
}

/// The factors of Γ's argument as it is moved by `more`, from the pole's on; the first is the distance from the pole.
fn factors<R: Ring>(d: R, n: u32, more: u32) -> impl Iterator<Item = R> {
    let below = (1..=n).map(move |j| d.sub(R::number(f64::from(j))));
    let above = (1..=more).map(move |j| d.add(R::number(f64::from(j))));
    [d].into_iter().chain(below).chain(above)
}

/// `|Γ(d - n)|`, for a double d up to 1/2 in magnitude.
fn size(n: u32, d: f64) -> Ball {
    let (m, k) = gamma_at(1.0, d);
    let all = factors(Ball::number(d), n, 0).fold(m.scale(k), Ball::div);
    if all.h < 0.0 { all.neg() } else { all }
}

/// The coefficients of `ln |Γ(d - n + w τ)|`, divided by `2^e`. The first is left 0.
fn coefficients<R: Log, const K: usize>(n: u32, d: R, w: R, e: i32) -> [R; K] {
    let mut all = ln_gamma_coefficients::<R, K>(d.add(R::number(1.0)), w, e);
    for y in factors(d, n, 0) {
        // -ln |y|
        let step = w.div(y).neg();
        let mut power = w.scale(-e).div(y).neg();
        for (m, c) in all.iter_mut().enumerate().skip(1) {
            *c = c.add(power.div(R::number(m as f64)));
            power = power.mul(step);
        }
    }
    all
}

/// Encloses a zero: Newton's method, whose last step is proven.
fn found(k: u8) -> Zero {
    let n = 2 + u32::from(k) / 2;
    let right = k.is_multiple_of(2);
    let mut d = match k {
        1 => -0.457,
        _ => {
            let product: f64 = (1..=n).map(f64::from).product();
            if right { 1.0 / product } else { -1.0 / product }
        }
    };
    let step = |d: f64, r: f64| {
        let value = ln_1p(size(n, d).sub(Ball::number(1.0)));
        let around = Ball::number(d).widened(r);
        let [_, slope] = coefficients::<Ball, 2>(n, around, Ball::number(1.0), 0);
        (value.div(slope), slope)
    };
    for _ in 0..12 {
        d -= step(d, 0.0).0.h;
    }
    // There is one zero in a stretch around d if Newton's step with all slopes of the stretch remains in it, and the step leads to the zero.
    let r = d.abs() * 2f64.powi(-46);
    let (step, slope) = step(d, r);
    let slope = slope.enclosure();
    assert!(step.magnitude() < r, "zero {k}: {step:?}");
    // The zero on the right of a pole is where the logarithm falls, and the other one of the same two poles is where it rises.
    let side = if right {
        slope.hi < 0.0 && d > 0.0
    } else {
        slope.lo > 0.0 && d < 0.0
    };
    assert!(side && d.abs() < 0.5, "zero {k}: {d} {slope:?}");
    Zero {
        n,
        d: Ball::number(d).sub(step),
    }
}

/// Zero k, computed once.
fn zero(k: u8) -> Option<Zero> {
    static ALL: [OnceLock<Zero>; MOST as usize] = [const { OnceLock::new() }; MOST as usize];
    let one = ALL.get(usize::from(k).checked_sub(1)?)?;
    Some(*one.get_or_init(|| found(k)))
}

impl Zero {
    /// The distance of `z + x` from the pole.
    fn at(self, x: f64) -> Ball {
        self.d.add(Ball::number(x))
    }

    /// Whether a number is far enough from the poles on both sides.
    fn is_defined(self, x: f64) -> bool {
        let at = self.at(x).enclosure();
        let (at, d) = match self.d.h > 0.0 {
            true => (at, self.d.h),
            false => (at.neg(), -self.d.h),
        };
        at.lo >= BESIDE_POLE * d && at.hi <= 1.0 - BESIDE_POLE
    }

    /// `ln |Γ(z + x)|`
    fn value(self, x: f64) -> Ball {
        if x == 0.0 {
            return Ball::ZERO;
        }
        let (x, more) = (Ball::number(x), FAR as u32);
        let far = self.d.add(Ball::number(FAR + 1.0));
        let moved = product_less_1(x, factors(self.d, self.n, more));
        far_difference(far, x).sub(ln_1p(moved))
    }
}

/// Encloses `ln |Γ(z + x)|` for zero k over a cell.
pub(super) fn enclose<const K: usize>(
    k: u8,
    cell: Cell,
    (c, w): (f64, f64),
    e: i32,
) -> Result<Enclosed<K>, NoTruth> {
    let zero = zero(k).ok_or(NoTruth::Undefined)?;
    if !zero.is_defined(cell.lo) || !zero.is_defined(cell.hi) || !zero.is_defined(c) {
        return Err(NoTruth::Undefined);
    }
    let over = Interval::new(cell.lo, cell.hi);
    let around = zero.d.enclosure().add(over);
    let mut at = Series(coefficients(zero.n, zero.at(c), Ball::number(w), e));
    let mut all = Series(coefficients(zero.n, around, Interval::point(w), e));
    at.0[0] = zero.value(c).scale(-e);
    all.0[0] = zero.values(cell, e);
    Ok(Enclosed { at, over: all })
}

impl Zero {
    /// The values over a cell, divided by `2^e`: those at its ends, unless the least is between. Then the tangent at the lower end is below the values.
    fn values(self, Cell { lo, hi }: Cell, e: i32) -> Interval {
        let [a, b] = [lo, hi].map(|x| self.value(x).scale(-e).enclosure());
        let all = a.hull(b);
        let [falls, rises] = [lo, hi].map(|x| {
            let one = Ball::number(1.0);
            coefficients::<Ball, 2>(self.n, self.at(x), one, 0)[1].enclosure()
        });
        if falls.lo >= 0.0 || rises.hi <= 0.0 {
            return all;
        }
        let drop = Interval::new(0.0, mul_up(add_up(hi, -lo), -falls.lo));
        all.hull(a.sub(drop.scale(-e)))
    }
}

#[cfg(test)]
mod tests;
