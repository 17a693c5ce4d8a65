//! Runs with proof: every input of the run that has an error of at least the level is among the candidates.
//!
//! The coordinates are those of `run`, and each quantity is enclosed for all inputs of a *chunk*, a stretch of some hundred
//! runs: the secants' slopes (`error`), of which the spread about a number is multiplied by the errors they belong to and
//! added to the windows; the curvature of the real values; the weights. What doubles round here is bounded and added as well.
//!
//! # Lemma
//!
//! Let `E = Σ W_i δ_i + A` with `|δ_i| <= ½`, and `s = Σ |W_i| / 2 + A - L`. If `E >= L`, then `sign(W_i) δ_i >= ½ - s / |W_i|` for
//! each i, since the other terms are at most `Σ_{j≠i} |W_j| / 2 + A`.
//!
//! # Enumeration
//!
//! The points are `u + B n`, n integer, and those in the unit cube are wanted. With an integer T of determinant ±1 and `D =
//! B T`, they are `u + D z`. For any matrix R, `R D = I + ε`, so that `z = R (v - u) - ε z` for a point v of the cube, and each
//! z_r lies in an interval of half width `|R_r|_1 + |ε| |z|`. Where one of them holds no integer, no input has such an error.
//! Neither T nor R need be good: poor ones only make the intervals wide.

#![expect(
    clippy::needless_range_loop,
    reason = "rows and columns of small matrices, of which parts are used"
)]

use super::model::{Integers, Linear, MOST, Model, position};
use super::reduce::{Matrix, identity, reduce};
use crate::cell::Kind;
use crate::error::Analysis;
use crate::num::float::power;
use crate::num::{Ball, Interval, Ring, Series};

/// A chunk's lattice, up to what differs between runs.
#[derive(Debug)]
pub struct Chunk<'a> {
    analysis: &'a Analysis,
    /// The inputs are multiples of `2^grid`.
    grid: i32,
    /// Half the chunk's width, the unit of its series.
    radius: f64,
    model: Model,
    rows: Vec<Vec<(usize, f64)>>,
    pads: Vec<f64>,
    /// Windows of the coordinates' rounding errors.
    windows: Vec<(f64, f64)>,
    /// The units of the operations.
    units: Vec<i32>,
}

/// Why there is no lattice on a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoLattice {
    /// No input has such an error.
    Nothing,
    /// An operation that matters has results in more than one binade, at this site.
    Binades(u32),
    /// An operation's influence on the result may be zero, or it is not rounded to nearest, at this site.
    Sign(u32),
    /// Too few operations are near their extremes, or too many matter.
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
    /// For errors of this sign of at least `level`, where the method's error is at most `method` in that direction and the
    /// true values' unit is `2^unit`.
    ///
    /// # Errors
    /// Where there is no lattice.
    pub fn new(
        analysis: &'a Analysis,
        grid: i32,
        radius: f64,
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
                if rounding.error != Interval::new(-0.5, 0.5) {
                    return Err(NoLattice::Sign(o.site));
                }
                bound += w.magnitude() / 2.0;
            }
        }
        let slack = (bound * (1.0 + 1e-13) + method - level) + 1e-12;
        if slack.is_nan() || slack <= 0.0 {
            return Err(NoLattice::Nothing);
        }
        let linear = rigorous(analysis, &units);
        // The least magnitudes: a tie is certain only where they say so.
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
        let rows = model
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
                let width = slack / w.least() * (1.0 + 1e-12);
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
        Ok(Chunk {
            analysis,
            grid,
            radius,
            model,
            rows,
            pads,
            windows,
            units,
        })
    }

    /// Half the length that runs should have: so that the real values bend by a part of the windows at most, and that few
    /// points are expected in the box.
    #[must_use]
    pub fn half(&self) -> f64 {
        let mut share = 1.0;
        for (k, &i) in self.model.included.iter().enumerate() {
            share *= match self.model.linear[i].fine {
                Some(bits) if self.model.tie[i] => 2f64.powi(-1 - bits.clamp(0, 50)),
                _ => (self.windows[k].1 - self.windows[k].0).min(1.0),
            };
        }
        let mut best = (POINTS / share).min(2f64.powi(27));
        let ratio = power(self.grid) / self.radius;
        for (k, &i) in self.model.included.iter().enumerate() {
            if self.model.tie[i] {
                continue;
            }
            let shift = self.analysis.exponents[i] - self.units[i];
            let gamma = self.analysis.over[i].0[2].scale(shift).magnitude() * ratio * ratio;
            let window = self.windows[k].1 - self.windows[k].0;
            best = best.min((0.3 * window / gamma.max(1e-300)).sqrt());
        }
        best.max(1.0).floor()
    }

    /// Dimensions.
    #[must_use]
    pub fn dimension(&self) -> usize {
        1 + self.model.free.len()
    }

    /// Offsets from `center` of all inputs with such an error among `center + m 2^grid`, `|m| <= half`, and of others.
    ///
    /// `None` where there are too many points to look at.
    pub fn run(&self, center: f64, half: f64, transform: &mut Matrix) -> Option<Vec<f64>> {
        let analysis = self.analysis;
        let residual = &analysis.residual;
        let first = residual
            .operations
            .iter()
            .position(|o| o.kind == Kind::Input)?;
        let e = analysis.exponents[first];
        let h = power(self.grid);
        let x =
            Series::<Ball, 2>::variable(Ball::number(center).scale(-e), Ball::number(h).scale(-e));
        let series = residual.series(x, &analysis.exponents);
        let lattice = self.lattice(&series, half)?;
        let n = lattice.n;
        reduce(&lattice.basis, transform, n);
        enumerate(&lattice, transform, half)
    }

    /// The affine map of a run: see [`super::run`], of which each term has its enclosure here.
    fn lattice(&self, series: &[Series<Ball, 2>], half: f64) -> Option<Box> {
        let model = &self.model;
        let analysis = self.analysis;
        let k = model.included.len();
        let nf = model.free.len();
        let scaled = |q: usize| {
            let i = model.included[q];
            let shift = analysis.exponents[i] - self.units[i];
            let s = &series[i].0;
            (s[0].scale(shift), s[1].scale(shift))
        };
        let values: Vec<(Ball, Ball)> = (0..k).map(scaled).collect();
        let centers: Vec<Ball> = values.iter().map(|v| v.0).collect();
        let Integers { steps, off, whole } = model.integers(&self.rows, &centers);
        if !whole {
            return None;
        }
        // How far each free integer may be from its center.
        let reach = |f: usize| {
            let j = position(&model.included, model.free[f]);
            values[j].1.magnitude() * half + 64.0
        };
        let turn = half * power(self.grid) / self.radius;
        let turn = turn * turn * (1.0 + 1e-12);
        let mut basis = [[0.0; MOST]; MOST];
        let mut offset = [0.0; MOST];
        basis[0][0] = 1.0 / half;
        for (r, &i) in model.coordinates.iter().enumerate() {
            let j = position(&model.included, i);
            let bend = |q: usize| {
                let i = model.included[q];
                let shift = analysis.exponents[i] - self.units[i];
                analysis.over[i].0[2].scale(shift)
            };
            let slope = |q: usize| values[q].1.mid();
            let mut by_m = -slope(j);
            let mut constant = off[j];
            let mut curve = bend(j).neg();
            let mut by_n = steps[j];
            // The sizes of what is added, for its rounding errors.
            let mut size = slope(j).abs() * half + off[j].abs() + 1.0;
            let mut radii = values[j].0.r + values[j].1.r * half;
            for &(q, g) in &self.rows[j] {
                by_m += g * slope(q);
                constant -= g * off[q];
                curve = curve.add(Interval::point(g).mul(bend(q)));
                size += g.abs() * (slope(q).abs() * half + off[q].abs() + 1.0);
                radii += g.abs() * (values[q].0.r + values[q].1.r * half);
                for f in 0..nf {
                    by_n[f] -= g * steps[q][f];
                }
            }
            for f in 0..nf {
                size += by_n[f].abs() * reach(f);
            }
            let (mut lo, mut hi) = self.windows[j];
            let pad = self.pads[j] + radii * (1.0 + 1e-9) + size * 2f64.powi(-46) + 1e-9;
            let bent = curve
                .mul(Interval::new(0.0, 1.0))
                .mul(Interval::point(turn));
            lo -= pad + bent.hi.max(0.0);
            hi += pad - bent.lo.min(0.0);
            let (middle, width) = ((lo + hi) / 2.0, (hi - lo) / 2.0 * (1.0 + 1e-9));
            if !width.is_finite() || width <= 0.0 {
                return None;
            }
            basis[r + 1][0] = by_m / width;
            for f in 0..nf {
                basis[r + 1][f + 1] = by_n[f] / width;
            }
            offset[r + 1] = (constant - middle) / width;
        }
        Some(Box {
            n: 1 + nf,
            basis,
            offset,
        })
    }
}

/// The recursion with the middles of its slopes' intervals, in units, and what it may be wrong by.
fn rigorous(analysis: &Analysis, units: &[i32]) -> Vec<Linear> {
    let operations = &analysis.residual.operations;
    let make = |i: usize| {
        let o = &operations[i];
        let mut spread = 0.0;
        let varies = |a: u32| !matches!(operations[a as usize].kind, Kind::Input | Kind::Const(_));
        let slopes = analysis
            .slopes(i)
            .into_iter()
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

/// A run's lattice: `offset + basis n`, to be found in the unit cube.
struct Box {
    n: usize,
    basis: Matrix,
    offset: [f64; MOST],
}

/// Points in the box of a run that are expected at most.
const POINTS: f64 = 1.0;
/// Points that are looked at, at most.
const LIMIT: usize = 50_000;
/// A little more than the cube, for the roundings of sums here.
const CUBE: f64 = 1.0 + 1e-6;

/// A sum of products to about twice the precision: Ogita, Rump and Oishi's `Dot2` (2005).
fn dot(terms: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (mut s, mut c) = (0.0f64, 0.0f64);
    for (a, b) in terms {
        let p = a * b;
        let e = a.mul_add(b, -p);
        let t = s + p;
        let seen = t - s;
        c += ((s - (t - seen)) + (p - seen)) + e;
        s = t;
    }
    s + c
}

/// Offsets m of all points in the cube.
fn enumerate(lattice: &Box, transform: &Matrix, half: f64) -> Option<Vec<f64>> {
    let n = lattice.n;
    // Exact integers, or they are no unimodular transform.
    let large = transform[..n]
        .iter()
        .any(|row| row[..n].iter().any(|t| t.abs() > 2f64.powi(50)));
    if large {
        return None;
    }
    let mut d = [[0.0; MOST]; MOST];
    let mut absolute = 0.0f64;
    for r in 0..n {
        for c in 0..n {
            d[r][c] = dot((0..n).map(|q| (lattice.basis[r][q], transform[q][c])));
            let size: f64 = (0..n)
                .map(|q| (lattice.basis[r][q] * transform[q][c]).abs())
                .sum();
            // Dot2: a rounding of the result, and n² u² of the terms.
            absolute = absolute.max(d[r][c].abs() * 2f64.powi(-52) + size * 2f64.powi(-95));
        }
    }
    let inverse = inverse(&d, n)?;
    // The norm of R D - I, with all that was rounded.
    let mut epsilon = 0.0f64;
    for r in 0..n {
        let mut row = 0.0;
        for c in 0..n {
            let v = dot((0..n).map(|q| (inverse[r][q], d[q][c]))) - f64::from(u8::from(r == c));
            row += v.abs() + 2f64.powi(-50);
            row += inverse[r][..n].iter().map(|v| v.abs()).sum::<f64>() * absolute;
        }
        epsilon = epsilon.max(row);
    }
    if epsilon.is_nan() || epsilon > 0.01 {
        return None;
    }
    let mut centers = [0.0; MOST];
    let mut widths = [0.0; MOST];
    let mut largest = 0.0f64;
    for r in 0..n {
        centers[r] = -dot((0..n).map(|q| (inverse[r][q], lattice.offset[q])));
        let size: f64 = (0..n)
            .map(|q| inverse[r][q].abs() * (CUBE + lattice.offset[q].abs() * 2f64.powi(-50)))
            .sum();
        widths[r] = size * (1.0 + 1e-12);
        largest = largest.max(centers[r].abs() + widths[r]);
    }
    let more = epsilon * largest / (1.0 - epsilon) * (1.0 + 1e-12) + 1e-9;
    let mut first = [0i64; MOST];
    let mut last = [0i64; MOST];
    let mut product = 1usize;
    for r in 0..n {
        let lo = (centers[r] - widths[r] - more).ceil();
        let hi = (centers[r] + widths[r] + more).floor();
        if lo > hi {
            return Some(Vec::new());
        }
        if !(hi - lo < 1e6 && lo.abs() < 1e15) {
            return None;
        }
        first[r] = lo as i64;
        last[r] = hi as i64;
        product = product.saturating_mul((hi - lo) as usize + 1);
    }
    if product > LIMIT {
        return None;
    }
    let mut found = Vec::new();
    let mut z = first;
    loop {
        let inside = (0..n).all(|r| {
            let v = lattice.offset[r] + (0..n).map(|c| d[r][c] * z[c] as f64).sum::<f64>();
            let room: f64 = (0..n).map(|c| (d[r][c] * z[c] as f64).abs()).sum();
            v.abs() <= CUBE + (room + lattice.offset[r].abs()) * 2f64.powi(-48)
        });
        if inside {
            let m: f64 = (0..n).map(|c| transform[0][c] * z[c] as f64).sum();
            if m.abs() <= half {
                found.push(m);
            }
        }
        let mut level = 0;
        while level < n && z[level] == last[level] {
            z[level] = first[level];
            level += 1;
        }
        if level == n {
            return Some(found);
        }
        z[level] += 1;
    }
}

fn inverse(d: &Matrix, n: usize) -> Option<Matrix> {
    let mut a = *d;
    let mut b = identity();
    for c in 0..n {
        let p = (c..n).max_by(|&x, &y| a[x][c].abs().total_cmp(&a[y][c].abs()))?;
        a.swap(c, p);
        b.swap(c, p);
        let pivot = a[c][c];
        if pivot == 0.0 || !pivot.is_finite() {
            return None;
        }
        for q in 0..n {
            a[c][q] /= pivot;
            b[c][q] /= pivot;
        }
        for r in 0..n {
            let by = a[r][c];
            if r != c && by != 0.0 {
                for q in 0..n {
                    a[r][q] -= by * a[c][q];
                    b[r][q] -= by * b[c][q];
                }
            }
        }
    }
    Some(b)
}
