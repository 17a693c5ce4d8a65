//! A run: consecutive inputs, their lattice, and the points in the box.

use super::model::{Integers, MOST, Model, linear, position, weights};
use super::reduce::{Matrix, identity, points, reduce};
use crate::cell::{Cell, Residual};
use crate::law::Truth;
use crate::num::float::power;
use crate::num::{Ball, Ring, Series};

/// What is the same for the runs of a cell.
#[derive(Debug)]
pub struct Runner<'a> {
    core: &'a Residual,
    truth: &'a Truth,
    exponents: Vec<i32>,
    /// The core's inputs are `X 2^grid`.
    grid: i32,
    /// `g = F (1 + η)`, with the η for which the errors of this sign are largest.
    eta: f64,
    /// Exponent of the unit of the true values.
    unit: i32,
    sign: f64,
    model: Option<Prepared>,
    transform: Matrix,
    /// Runs that a model has served.
    served: u32,
    /// What has been done.
    pub counts: Counts,
}

/// What runs have cost.
#[derive(Debug, Default, Clone, Copy)]
pub struct Counts {
    /// Runs.
    pub runs: u64,
    /// Of them, those whose box was empty.
    pub empty: u64,
    /// Candidates.
    pub candidates: u64,
    /// Nodes of enumerations.
    pub nodes: u64,
}

#[derive(Debug)]
struct Prepared {
    model: Model,
    /// Of each included operation: what it rounds, as a combination of included operations' errors (their numbers in
    /// `included`).
    rows: Vec<Vec<(usize, f64)>>,
    /// Noise on it, in units.
    pads: Vec<f64>,
    slack: f64,
}

/// How long runs should be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Length {
    /// So many inputs on either side of the center.
    Half(f64),
    /// The bound is not above the level here.
    Nothing,
    /// The slack is too large for a lattice, or it would have too many dimensions.
    NoLattice,
}

/// What a run found.
#[derive(Debug)]
pub struct Run {
    /// Inputs that may have an error of at least the level: their offsets from the center.
    pub candidates: Vec<f64>,
    /// The bound at the center less the level; where it is not positive, no input of the run has such an error.
    pub slack: f64,
    /// Whether the enumeration was given up, as there were too many candidates.
    pub cut: bool,
}

/// A model serves so many runs before the slopes are computed anew.
const SERVES: u32 = 64;
/// More than the roundings of this arithmetic, in units.
const PAD: f64 = 1e-6;
/// Candidates of a run, at most.
const LIMIT: usize = 100_000;

impl<'a> Runner<'a> {
    /// For runs over a core, on a cell on which it has this residual and exponents.
    #[must_use]
    pub fn new(
        core: &'a Residual,
        truth: &'a Truth,
        grid: i32,
        unit: i32,
        eta: f64,
        sign: f64,
    ) -> Runner<'a> {
        Runner {
            exponents: core.exponents(),
            core,
            truth,
            grid,
            eta,
            unit,
            sign,
            model: None,
            transform: identity(),
            served: 0,
            counts: Counts::default(),
        }
    }

    /// The values at a center: series in m of all operations in their own units, and the method's error in ULP.
    fn at(&self, center: f64) -> Option<(Vec<Series<Ball, 3>>, f64)> {
        let h = power(self.grid);
        let first = self
            .core
            .operations
            .iter()
            .position(|o| o.kind == crate::cell::Kind::Input)?;
        let e = self.exponents[first];
        let x = Series::variable(Ball::number(center).scale(-e), Ball::number(h).scale(-e));
        let mut series = self.core.series(x, &self.exponents);
        let out = self.core.result as usize;
        let cell = Cell {
            lo: center,
            hi: center,
        };
        let g = self
            .truth
            .enclose::<3>(cell, center, h, self.exponents[out])
            .ok()?;
        let difference = series[out].0[0].sub(g.at.0[0]);
        let shift = self.exponents[out] - self.unit;
        let method = difference.scale(shift).mid() - self.eta * g.at.0[0].scale(shift).mid();
        for (i, s) in series.iter_mut().enumerate() {
            let operation = &self.core.operations[i];
            let unit = operation
                .rounding
                .map_or(operation.grid.clamp(-2000, 2000), |r| r.unit);
            *s = s.scale(self.exponents[i] - unit);
        }
        Some((series, method))
    }

    fn prepare(&mut self, series: &[Series<Ball, 3>], method: f64, level: f64) -> f64 {
        let values: Vec<f64> = series
            .iter()
            .zip(&self.core.operations)
            .map(|(s, o)| {
                let unit = o.rounding.map_or(o.grid.clamp(-2000, 2000), |r| r.unit);
                s.0[0].scale(unit).mid()
            })
            .collect();
        let linear = linear(self.core, &values);
        let out = self.core.result as usize;
        let mut w = weights(&linear, out);
        // In ULP of the true value, which may lie in another binade than the result.
        let own = linear[out].unit - self.unit;
        for w in &mut w {
            *w *= 2f64.powi(own);
        }
        let bound: f64 = w.iter().map(|w| w.abs() / 2.0).sum();
        let slack = bound + self.sign * method - level;
        if slack <= 0.0 {
            self.model = None;
            return slack;
        }
        let Some(model) = Model::new(linear, w, slack, self.sign) else {
            self.model = None;
            return slack;
        };
        let same = self.model.as_ref().is_some_and(|p| p.model.fits(&model));
        if !same {
            self.transform = identity();
        }
        let mut inside = vec![false; self.core.operations.len()];
        let mut number = vec![usize::MAX; inside.len()];
        for (k, &i) in model.included.iter().enumerate() {
            inside[i] = true;
            number[i] = k;
        }
        let rows = model
            .included
            .iter()
            .map(|&i| {
                model
                    .row(i)
                    .into_iter()
                    .map(|(j, g)| (number[j], g))
                    .collect()
            })
            .collect();
        let pads = model
            .included
            .iter()
            .map(|&i| model.noise(i, &inside).iter().map(|c| c.abs() / 2.0).sum())
            .collect();
        self.model = Some(Prepared {
            model,
            rows,
            pads,
            slack,
        });
        slack
    }

    /// The length that runs should have at a place: from the narrowest window t and the curvature γ, `H = √(κ t / γ)`.
    #[must_use]
    pub fn length(&mut self, center: f64, level: f64) -> Length {
        let Some((series, method)) = self.at(center) else {
            return Length::NoLattice;
        };
        let slack = self.prepare(&series, method, level);
        if slack <= 0.0 {
            return Length::Nothing;
        }
        let Some(prepared) = self.model.as_ref() else {
            return Length::NoLattice;
        };
        let model = &prepared.model;
        let mut best = f64::INFINITY;
        for &i in &model.coordinates {
            let gamma = series[i].0[2].mid().abs();
            let window = if model.constrained[i] {
                slack / model.weights[i].abs()
            } else {
                1.0
            };
            best = best.min((0.3 * window / gamma.max(1e-300)).sqrt());
        }
        Length::Half(best)
    }

    /// The candidates among the inputs `center + m 2^grid`, `|m| <= half`.
    ///
    /// `None` where there is no lattice: the slack is too large for one.
    pub fn run(&mut self, center: f64, half: f64, level: f64) -> Option<Run> {
        self.counts.runs += 1;
        let (series, method) = self.at(center)?;
        self.served += 1;
        let stale = self.model.is_none() || self.served.is_multiple_of(SERVES);
        let slack = if stale {
            self.prepare(&series, method, level)
        } else {
            let p = self.model.as_ref()?;
            let bound: f64 = p.model.weights.iter().map(|w| w.abs() / 2.0).sum();
            let slack = bound + self.sign * method - level;
            if !(0.8 * p.slack..=1.25 * p.slack).contains(&slack) {
                self.prepare(&series, method, level)
            } else {
                slack
            }
        };
        if slack <= 0.0 {
            return Some(Run {
                candidates: Vec::new(),
                slack,
                cut: false,
            });
        }
        let prepared = self.model.as_ref()?;
        let lattice = Lattice::new(prepared, &series, slack, half);
        let n = lattice.n;
        let d = reduce(&lattice.basis, &mut self.transform, n);
        let found = points(&d, &lattice.offset, n, LIMIT);
        self.counts.nodes += found.nodes;
        self.counts.candidates += found.points.len() as u64;
        self.counts.empty += u64::from(found.points.is_empty());
        let mut candidates: Vec<f64> = found
            .points
            .iter()
            .map(|z| (0..n).map(|c| self.transform[0][c] * z[c]).sum())
            .filter(|m: &f64| m.abs() <= half)
            .collect();
        candidates.sort_by(f64::total_cmp);
        candidates.dedup();
        Some(Run {
            candidates,
            slack,
            cut: found.cut,
        })
    }
}

/// The lattice of a run: coordinates scaled so that the box is the unit cube.
struct Lattice {
    n: usize,
    basis: Matrix,
    offset: [f64; MOST],
}

impl Lattice {
    fn new(prepared: &Prepared, series: &[Series<Ball, 3>], slack: f64, half: f64) -> Lattice {
        let Prepared {
            model, rows, pads, ..
        } = prepared;
        let nf = model.free.len();
        let values: Vec<Ball> = model.included.iter().map(|&i| series[i].0[0]).collect();
        let Integers { steps, off, .. } = model.integers(rows, &values);
        let mut basis = [[0.0; MOST]; MOST];
        let mut offset = [0.0; MOST];
        basis[0][0] = 1.0 / half;
        for (r, &i) in model.coordinates.iter().enumerate() {
            let j = position(&model.included, i);
            let s = |q: usize| &series[model.included[q]].0;
            let mut by_m = -s(j)[1].mid();
            let mut constant = off[j];
            let mut curve = -s(j)[2].mid();
            let mut by_n = steps[j];
            for &(q, g) in &rows[j] {
                by_m += g * s(q)[1].mid();
                constant -= g * off[q];
                curve += g * s(q)[2].mid();
                for f in 0..nf {
                    by_n[f] -= g * steps[q][f];
                }
            }
            let (mut lo, mut hi) = (-0.5, 0.5);
            if model.constrained[i] {
                let window = slack / model.weights[i].abs();
                if window < 1.0 {
                    if model.sign * model.weights[i] > 0.0 {
                        lo = 0.5 - window;
                    } else {
                        hi = window - 0.5;
                    }
                }
            }
            let pad = pads[j] + PAD;
            lo -= pad;
            hi += pad;
            // The error is the linear part plus curve m².
            let bend = curve * half * half;
            if bend > 0.0 {
                lo -= bend;
            } else {
                hi -= bend;
            }
            let (middle, width) = ((lo + hi) / 2.0, (hi - lo) / 2.0);
            basis[r + 1][0] = by_m / width;
            for f in 0..nf {
                basis[r + 1][f + 1] = by_n[f] / width;
            }
            offset[r + 1] = (constant - middle) / width;
        }
        Lattice {
            n: 1 + nf,
            basis,
            offset,
        }
    }
}
