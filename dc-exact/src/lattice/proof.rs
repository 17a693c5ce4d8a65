//! Runs with proof: every input of the run with an error of at least the level is among the candidates.
//!
//! The coordinates are those of `run`, and each quantity is enclosed for all inputs of a *chunk*, a stretch of some hundred runs. The
//! quantities are: the secants' slopes (`error`), whose spread about a number is multiplied by the corresponding errors and added to the
//! windows; the curvature of the real values; and the weights. The rounding errors of the computation itself are bounded and added as well.
//!
//! # Lemma
//!
//! Let `E = Σ W_i δ_i + A` with `|δ_i| <= ½`, and `s = Σ |W_i| / 2 + A - L`. If `E >= L`, then `sign(W_i) δ_i >= ½ - s / |W_i|` for
//! each i, because the other terms are at most `Σ_{j≠i} |W_j| / 2 + A`.
//!
//! So the search is for the points of a box (`points`).

#![expect(
    clippy::needless_range_loop,
    reason = "rows and columns of small matrices, of which parts are used"
)]

use super::fault_injection::{Fault, injected};
use super::model::{Integers, Linear, MOST, Model, position};
use super::points::{Found, Points};
use super::reduce::Matrix;
use crate::cell::Kind;
use crate::error::Analysis;
use crate::num::float::power;
use crate::num::{Ball, Interval, Ring};

/// The lattice of a chunk, without the parts that differ between runs.
#[derive(Debug)]
pub struct Chunk<'a> {
    analysis: &'a Analysis,
    /// The inputs are multiples of `2^grid`.
    grid: i32,
    /// The chunk's center, and half its width: the unit of its series.
    center: f64,
    radius: f64,
    /// The step between inputs, in that unit.
    step: Ball,
    model: Model,
    /// The real values of the included operations over the chunk, in units.
    values: Vec<Expansion>,
    /// Second Taylor coefficients of the included operations over the chunk, in units.
    bends: Vec<Interval>,
    /// For each coordinate, its largest bend downwards and upwards, in units, for τ² = 1.
    curves: Vec<(f64, f64)>,
    rows: Vec<Vec<(usize, f64)>>,
    pads: Vec<f64>,
    /// Windows of the included operations' rounding errors.
    windows: Vec<(f64, f64)>,
    /// For each coordinate, the middle of its weight's interval. It is positive if the coordinate adds to errors of the wanted sign.
    plane: Vec<f64>,
    /// The least value of the sum of the coordinates' rounding errors times these weights.
    least: f64,
    /// The units of the operations.
    units: Vec<i32>,
}

/// The reason why there is no lattice on a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoLattice {
    /// No input has such a large error.
    Nothing,
    /// A significant operation has results in more than one binade, at this site.
    Binades(u32),
    /// An operation's influence on the result may be zero, or it is not rounded to nearest, at this site.
    Sign(u32),
    /// Too few operations are near their extremes, or too many are significant.
    Slack,
}

impl std::fmt::Display for NoLattice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            NoLattice::Nothing => "no input has such an error",
            NoLattice::Binades(_) => "results of an operation are in more than one binade",
            NoLattice::Sign(_) => "the sign of an operation's influence is not known",
            NoLattice::Slack => "too few operations are near their extremes, or too many matter",
        })
    }
}

impl<'a> Chunk<'a> {
    /// The lattice for errors of this sign of at least `level`, if the method's error is at most `method` in that direction and the true
    /// values' unit is `2^unit`. The analysis is that of the chunk with this center and radius.
    ///
    /// # Errors
    /// If there is no lattice.
    pub fn new(
        analysis: &'a Analysis,
        grid: i32,
        (center, radius): (f64, f64),
        unit: i32,
        method: f64,
        sign: f64,
        level: f64,
    ) -> Result<Chunk<'a>, NoLattice> {
        let residual = &analysis.residual;
        let out = residual.result as usize;
        let units: Vec<i32> = residual
            .operations
            .iter()
            .map(|o| o.rounding.map_or(o.grid.clamp(-2000, 2000), |r| r.unit))
            .collect();
        let own = analysis.exponents[out] - unit;
        let all: Vec<Interval> = analysis
            .weights
            .iter()
            .enumerate()
            .map(|(i, w)| {
                if residual.operations[i].rounding.is_some() {
                    w.scale(units[i] - analysis.exponents[i] + own)
                } else {
                    Interval::ZERO
                }
            })
            .collect();
        let mut bound = 0.0;
        for (w, o) in all.iter().zip(&residual.operations) {
            if let Some(rounding) = o.rounding {
                // Of a rounding in one direction.
                if rounding.error.magnitude() > 0.5 {
                    return Err(NoLattice::Sign(o.site));
                }
                bound += w.magnitude() / 2.0;
            }
        }
        let slack = slack(bound, method, level);
        if slack.is_nan() {
            return Err(NoLattice::Slack);
        }
        if slack <= 0.0 {
            return Err(NoLattice::Nothing);
        }
        let linear = rigorous(analysis, &units);
        // The least magnitudes: a tie is certain only where they prove it.
        let weights: Vec<f64> = all.iter().map(|w| w.least().copysign(w.lo)).collect();
        let model = Model::new(linear, weights, slack, sign).ok_or(NoLattice::Slack)?;
        let mut inside = vec![false; residual.operations.len()];
        let mut number = vec![usize::MAX; inside.len()];
        for (k, &i) in model.included.iter().enumerate() {
            let o = &residual.operations[i];
            if o.grid < units[i] {
                return Err(NoLattice::Binades(o.site));
            }
            inside[i] = true;
            number[i] = k;
        }
        let rows: Vec<Vec<(usize, f64)>> = model
            .included
            .iter()
            .map(|&i| {
                let row = model.row(i).into_iter();
                row.map(|(j, g)| (number[j], g)).collect()
            })
            .collect();
        let pads = model
            .included
            .iter()
            .map(|&i| model.pad(i, &inside))
            .collect();
        let mut windows = Vec::new();
        for &i in &model.included {
            let mut window = (-0.5, 0.5);
            if model.constrained[i] {
                let w = all[i];
                if w.contains(0.0) {
                    return Err(NoLattice::Sign(residual.operations[i].site));
                }
                let width = width(slack, w);
                if width < 1.0 {
                    if sign * w.lo > 0.0 {
                        window.0 = 0.5 - width;
                    } else {
                        window.1 = width - 0.5;
                    }
                }
            }
            windows.push(window);
        }
        // `Σ W_i δ_i >= L - A - Σ |W_j| / 2` with i the coordinates, j the other operations.
        let mut others = bound;
        let mut plane = Vec::new();
        for &i in &model.coordinates {
            let (lo, hi) = (all[i].lo, all[i].hi);
            plane.push(sign * (0.5 * lo + 0.5 * hi));
            // The part of i in the bound, its weight's largest magnitude, is subtracted, and the deviation of the
            // weight from the middle is added.
            others += 0.5 * (0.5 * hi - 0.5 * lo) - all[i].magnitude() / 2.0;
        }
        let least = level - method - others - 1e-12 * (1.0 + bound);
        let bend = |i: usize| analysis.over[i].0[2].scale(analysis.exponents[i] - units[i]);
        let curves = model
            .coordinates
            .iter()
            .map(|&i| {
                let row = &rows[position(&model.included, i)];
                let curve = row.iter().fold(bend(i).neg(), |curve, &(q, g)| {
                    curve.add(Interval::point(g).mul(bend(model.included[q])))
                });
                let up = 1.0 + 1e-12;
                ((-curve.lo).max(0.0) * up, curve.hi.max(0.0) * up)
            })
            .collect();
        let bends = model.included.iter().map(|&i| bend(i)).collect();
        let values = model
            .included
            .iter()
            .map(|&i| Expansion::new(analysis, i, analysis.exponents[i] - units[i]))
            .collect();
        Ok(Chunk {
            analysis,
            grid,
            center,
            radius,
            step: Ball::number(power(grid)).div(Ball::number(radius)),
            model,
            values,
            bends,
            curves,
            rows,
            pads,
            windows,
            plane,
            least,
            units,
        })
    }

    /// Half the length that runs should have: the real values bend by at most a part of the windows, and the volume of the box predicts at
    /// most this many points in it.
    #[must_use]
    pub fn half(&self, points: f64) -> f64 {
        let mut share = 1.0;
        for (k, &i) in self.model.included.iter().enumerate() {
            share *= match self.model.linear[i].fine {
                Some(bits) if self.model.tie[i] => 2f64.powi(-1 - bits.clamp(0, 50)),
                _ => (self.windows[k].1 - self.windows[k].0).min(1.0),
            };
        }
        let mut best = (points / share).min(2f64.powi(27));
        let ratio = power(self.grid) / self.radius;
        for (k, &i) in self.model.included.iter().enumerate() {
            if self.model.tie[i] {
                continue;
            }
            let shift = self.analysis.exponents[i] - self.units[i];
            let gamma = self.analysis.over[i].0[2].scale(shift).magnitude() * ratio * ratio;
            let window = self.windows[k].1 - self.windows[k].0;
            best = best.min((0.8 * window / gamma.max(1e-300)).sqrt());
        }
        best.max(1.0).floor()
    }

    /// The number of dimensions.
    #[must_use]
    pub fn dimension(&self) -> usize {
        1 + self.model.free.len()
    }

    /// Offsets from `center` of all inputs of the chunk with such an error among `center + m 2^grid`, `|m| <= half`, and possibly of
    /// others. The center is in the chunk.
    ///
    /// `None` if there are too many points to examine.
    pub fn run(&self, center: f64, half: f64, transform: &mut Matrix) -> Option<Found> {
        let tau = Ball::number(center)
            .sub(Ball::number(self.center))
            .div(Ball::number(self.radius));
        let mut values = [(Ball::ZERO, Ball::ZERO); MOST];
        for (value, expansion) in values.iter_mut().zip(&self.values) {
            let (at, slope) = expansion.at(tau);
            *value = (at, slope.mul(self.step));
        }
        self.lattice(&values[..self.values.len()], half)?
            .points(transform)
    }

    /// The affine map of a run, from the included operations' real values at its center and their change from input to
    /// input.
    fn lattice(&self, values: &[(Ball, Ball)], half: f64) -> Option<Points> {
        let model = &self.model;
        let nf = model.free.len();
        let turn = turn(half, self.step);
        let Integers {
            steps,
            drift,
            off,
            whole,
        } = model.integers(&self.rows, values, &self.bends, (half, turn));
        if !whole {
            return None;
        }
        // The largest distance of each free integer from its center.
        let reach = |f: usize| {
            let j = position(&model.included, model.free[f]);
            values[j].1.magnitude() * half + 64.0
        };
        let mut basis = [[0.0; MOST]; MOST];
        let mut offset = [0.0; MOST];
        let mut plane = [0.0; MOST];
        let mut least = self.least;
        basis[0][0] = 1.0 / half;
        for (r, &i) in model.coordinates.iter().enumerate() {
            let j = position(&model.included, i);
            let slope = |q: usize| values[q].1.mid() - drift[q];
            let steep = |q: usize| values[q].1.mid().abs() + drift[q].abs();
            let mut by_m = -slope(j);
            let mut constant = off[j];
            let mut by_n = steps[j];
            // The sizes of the summands, for the bound of the rounding errors.
            let mut size = steep(j) * half + off[j].abs() + 1.0;
            let mut radii = values[j].0.r + values[j].1.r * half;
            for &(q, g) in &self.rows[j] {
                by_m += g * slope(q);
                constant -= g * off[q];
                size += g.abs() * (steep(q) * half + off[q].abs() + 1.0);
                radii += g.abs() * (values[q].0.r + values[q].1.r * half);
                for f in 0..nf {
                    by_n[f] -= g * steps[q][f];
                }
            }
            for f in 0..nf {
                size += by_n[f].abs() * reach(f);
            }
            let (mut lo, mut hi) = self.windows[j];
            // The roundings of these sums are far below the part of a billion that is added to the width, and to `off` below.
            let pad = self.pads[j] + radii + size * 2f64.powi(-46) + 1e-9;
            let (pad, turn) = match injected(Fault::Pad) {
                true => (0.0, 0.0),
                false => (pad, turn),
            };
            lo -= pad + self.curves[r].1 * turn;
            hi += pad + self.curves[r].0 * turn;
            let (middle, width) = ((lo + hi) / 2.0, (hi - lo) / 2.0 * (1.0 + 1e-9));
            if !width.is_finite() || width <= 0.0 {
                return None;
            }
            basis[r + 1][0] = by_m / width;
            for f in 0..nf {
                basis[r + 1][f + 1] = by_n[f] / width;
            }
            offset[r + 1] = (constant - middle) / width;
            let off = pad + self.curves[r].0.max(self.curves[r].1) * turn;
            plane[r + 1] = self.plane[r] * width;
            least -= self.plane[r] * middle + self.plane[r].abs() * off * (1.0 + 1e-9);
        }
        Some(Points {
            n: 1 + nf,
            basis,
            offset,
            plane,
            least,
            half,
        })
    }
}

/// `s` of the lemma: the bound of the rounding errors and the method's error minus the level.
fn slack(bound: f64, method: f64, level: f64) -> f64 {
    // The last term is more than the roundings of this sum.
    (bound * (1.0 + 1e-13) + method - level) + (1e-12 + 1e-15 * (method.abs() + level.abs()))
}

/// `s / |W|` for the weight's least magnitude: how far the rounding error may be from its extreme.
fn width(slack: f64, weight: Interval) -> f64 {
    slack / weight.least() * (1.0 + 1e-12)
}

/// τ² at the ends of a run.
fn turn(half: f64, step: Ball) -> f64 {
    let turn = half * step.magnitude();
    turn * turn * (1.0 + 1e-12)
}

/// An operation's real value over a chunk, in units, by its Taylor polynomial about the chunk's center.
#[derive(Debug)]
struct Expansion {
    /// The coefficients of powers of τ, `|τ| <= 1` on the chunk, below the last.
    terms: Vec<Ball>,
    /// A bound of the last, over the whole chunk: Lagrange's remainder.
    last: f64,
}

/// The largest remainder of an expansion, in units: far below the pads.
const REMAINDER: f64 = 1.0 / (1u64 << 36) as f64;

impl Expansion {
    /// The expansion of operation i of an analysis, in units of `2^-shift` of its scaled values.
    fn new(analysis: &Analysis, i: usize, shift: i32) -> Expansion {
        let over = |k: usize| analysis.over[i].0[k].scale(shift).magnitude();
        let all = analysis.at[i].0.len();
        let degree = (2..all - 1).find(|&k| over(k) <= REMAINDER);
        let degree = degree.unwrap_or(all - 1);
        Expansion {
            terms: analysis.at[i].0[..degree]
                .iter()
                .map(|c| c.scale(shift))
                .collect(),
            last: over(degree),
        }
    }

    /// The value and the derivative.
    fn at(&self, tau: Ball) -> (Ball, Ball) {
        let (mut value, mut slope) = (Ball::ZERO, Ball::ZERO);
        for c in self.terms.iter().rev() {
            slope = slope.mul(tau).add(value);
            value = value.mul(tau).add(*c);
        }
        // The derivative's Taylor coefficients are k c_k.
        let more = self.terms.len() as f64 * self.last;
        (value.widened(self.last), slope.widened(more))
    }
}

/// The recursion with the middles of its slopes' intervals, in units, and a bound of its error.
fn rigorous(analysis: &Analysis, units: &[i32]) -> Vec<Linear> {
    let operations = &analysis.residual.operations;
    let make = |i: usize| {
        let o = &operations[i];
        let mut spread = 0.0;
        let varies = |a: u32| !matches!(operations[a as usize].kind, Kind::Input | Kind::Const(_));
        let slopes = analysis
            .slopes(i)
            .filter(|s| varies(s.0))
            .map(|(a, g)| {
                let a = a as usize;
                let (ea, ei) = (analysis.exponents[a], analysis.exponents[i]);
                let g = g.scale(ei - units[i] + units[a] - ea);
                let middle = 0.5 * g.lo + 0.5 * g.hi;
                let error = analysis.errors[a] * 2f64.powi((ea - units[a]).clamp(-900, 900));
                if g.lo != g.hi {
                    spread += (g.hi - middle).max(middle - g.lo) * (1.0 + 1e-12) * error;
                }
                (a, middle)
            })
            .collect();
        let sum = matches!(o.kind, Kind::Add(..) | Kind::Sub(..) | Kind::Round(_));
        Linear {
            slopes,
            rounds: o.rounding.is_some(),
            unit: units[i],
            fine: o
                .rounding
                .filter(|_| sum)
                .and_then(|r| r.exact_grid.map(|g| r.unit - g)),
            spread,
        }
    };
    (0..operations.len()).map(make).collect()
}

#[cfg(test)]
mod tests;
