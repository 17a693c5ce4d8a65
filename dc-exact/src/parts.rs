//! The contribution of each rounding to the error of one input.
//!
//! The theorem of docs/book/src/understand/cell-bounds.md at a point: with the computed values V, the values S without any rounding and the slopes of
//! their secants, the error is a sum over the roundings plus the method's error.

use kernels_gen::program::Program;

use crate::bound::RangeBound;
use crate::cell::{Kind, Residual, Values};
use crate::class::{Class, Member};
use crate::error::Share;
use crate::law::Truth;
use crate::num::float::{BINARY64, is_power, power};
use crate::num::{Ball, Ring};
use crate::point::error_at;

/// The error of an input as a sum of parts, in ULP, signed.
#[derive(Debug, Clone, PartialEq)]
pub struct Parts {
    /// The error.
    pub error: f64,
    /// The contribution of each operation's rounding, by site; the largest first.
    pub roundings: Vec<Share>,
    /// The rest: the method's error.
    pub method: f64,
}

/// The parts of an input's error. `None` if the kernel is not a straight line of binary64 operations rounded to nearest there, or if its
/// numbers are very small or large.
#[must_use]
pub fn parts_at(program: &Program, truth: &Truth, bound: &RangeBound, x: f64) -> Option<Parts> {
    let of = |class: &Class| -> Option<Member> {
        let mut members = class.members.iter();
        members.find(|m| m.cell.lo <= x && x <= m.cell.hi).copied()
    };
    let (class, member) = bound.classes.iter().find_map(|c| Some((c, of(c)?)))?;
    let r = Ball::number(x).add(member.shift);
    if r.l != 0.0 || member.by != 0 {
        return None;
    }
    let line = Line::new(&class.core, r.h)?;
    let out = class.core.result as usize;
    // The unit of the true value, from which the real value differs only by the method's error.
    let real = line.reals[out];
    let below = is_power(real.h) && real.l * real.h < 0.0;
    let unit = power(BINARY64.ulp(real.h) - i32::from(below));
    let error = error_at(program, truth, &mut Values::new(program), x)?;
    let error = 0.5 * error.lo + 0.5 * error.hi;
    let weights = line.weights(&class.core);
    let mut roundings: Vec<Share> = Vec::new();
    for (i, o) in class.core.operations.iter().enumerate() {
        if o.rounding.is_none() {
            continue;
        }
        let ulp = weights[i] * line.roundings[i] / unit;
        match roundings.iter_mut().find(|s| s.site == o.site) {
            Some(share) => share.ulp += ulp,
            None => roundings.push(Share { site: o.site, ulp }),
        }
    }
    roundings.sort_by(|a, b| b.ulp.abs().total_cmp(&a.ulp.abs()));
    let sum: f64 = roundings.iter().map(|s| s.ulp).sum();
    Some(Parts {
        error,
        method: error - sum,
        roundings,
    })
}

/// A residual at an input.
struct Line {
    /// The computed values V.
    values: Vec<f64>,
    /// The real values S.
    reals: Vec<Ball>,
    /// The computed result minus the exact result of the operation on computed operands.
    roundings: Vec<f64>,
}

/// Whether products of the number and their errors are far from underflow and overflow.
fn moderate(x: f64) -> bool {
    x == 0.0 || (power(-400)..=power(400)).contains(&x.abs())
}

impl Line {
    fn new(residual: &Residual, r: f64) -> Option<Line> {
        let mut line = Line {
            values: Vec::new(),
            reals: Vec::new(),
            roundings: Vec::new(),
        };
        for o in &residual.operations {
            let nearest = |r: crate::cell::Rounding| r.error.magnitude() <= 0.5;
            if o.format != BINARY64 || !o.rounding.is_none_or(nearest) {
                return None;
            }
            let v = |a: u32| line.values[a as usize];
            let n = |a: u32| Ball::number(v(a));
            let s = |a: u32| line.reals[a as usize];
            // The computed result, the exact one of computed operands, and the one of real operands.
            let (value, exact, real) = match o.kind {
                Kind::Input => (r, Ball::number(r), Ball::number(r)),
                Kind::Const(c) => (c, Ball::number(c), Ball::number(c)),
                Kind::Add(a, b) => (v(a) + v(b), n(a).add(n(b)), s(a).add(s(b))),
                Kind::Sub(a, b) => (v(a) - v(b), n(a).sub(n(b)), s(a).sub(s(b))),
                Kind::Mul(a, b) => (v(a) * v(b), n(a).mul(n(b)), s(a).mul(s(b))),
                Kind::Div(a, b) => (v(a) / v(b), n(a).div(n(b)), s(a).div(s(b))),
                Kind::Fma(a, b, c) => (
                    v(a).mul_add(v(b), v(c)),
                    n(a).mul(n(b)).add(n(c)),
                    s(a).mul(s(b)).add(s(c)),
                ),
                Kind::Sqrt(a) => (v(a).sqrt(), n(a).root(), s(a).root()),
                Kind::Neg(a) => (-v(a), n(a).neg(), s(a).neg()),
                Kind::Round(_) | Kind::Affine { .. } | Kind::Low(_) | Kind::Sum(..) => return None,
                Kind::SumError(a, b, t) => {
                    let e = n(a).add(n(b)).sub(n(t));
                    (e.h, e, s(a).add(s(b)).sub(s(t)))
                }
                Kind::ProductError(a, b, t) => {
                    let e = n(a).mul(n(b)).sub(n(t));
                    (e.h, e, s(a).mul(s(b)).sub(s(t)))
                }
            };
            if !moderate(value) {
                return None;
            }
            line.values.push(value);
            line.reals.push(real);
            let rounding = Ball::number(value).sub(exact);
            let rounding = rounding.h + rounding.l;
            line.roundings
                .push(if o.rounding.is_some() { rounding } else { 0.0 });
        }
        Some(line)
    }

    /// The change of the result per unit of each operation's error.
    fn weights(&self, residual: &Residual) -> Vec<f64> {
        let mut weights = vec![0.0; residual.operations.len()];
        weights[residual.result as usize] = 1.0;
        let v = |a: u32| self.values[a as usize];
        let s = |a: u32| self.reals[a as usize].mid();
        for i in (0..weights.len()).rev() {
            let w = weights[i];
            let mut add = |a: u32, g: f64| weights[a as usize] += w * g;
            match residual.operations[i].kind {
                Kind::Input | Kind::Const(_) | Kind::Low(_) => {}
                Kind::Add(a, b) | Kind::Sum(a, b) => {
                    add(a, 1.0);
                    add(b, 1.0);
                }
                Kind::Sub(a, b) => {
                    add(a, 1.0);
                    add(b, -1.0);
                }
                Kind::Mul(a, b) => {
                    add(a, v(b));
                    add(b, s(a));
                }
                Kind::Div(a, b) => {
                    add(a, 1.0 / v(b));
                    add(b, -(s(a) / s(b)) / v(b));
                }
                Kind::Fma(a, b, c) => {
                    add(a, v(b));
                    add(b, s(a));
                    add(c, 1.0);
                }
                Kind::Sqrt(a) => add(a, 1.0 / (v(a).sqrt() + s(a).sqrt())),
                Kind::Neg(a) => add(a, -1.0),
                Kind::Round(a) => add(a, 1.0),
                Kind::Affine { of: a, factor, .. } => add(a, factor),
                Kind::SumError(a, b, t) => {
                    add(a, 1.0);
                    add(b, 1.0);
                    add(t, -1.0);
                }
                Kind::ProductError(a, b, t) => {
                    add(a, v(b));
                    add(b, s(a));
                    add(t, -1.0);
                }
            }
        }
        weights
    }
}
