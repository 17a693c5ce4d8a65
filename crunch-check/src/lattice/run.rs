//! A run: its affine map, from the exact values of the polynomials at its center.

use super::{BEND, Lattice, most};
use crate::enumerate::{Cube, Found, double};
use crate::number::padded;
use crate::polynomial::{FRACTION, UNIT};
use crate::reduce::{MOST, Transform};

impl Lattice {
    /// Half of the length of a run for which real values deviate from lines by at most a part of the windows, and for which the box has
    /// this many points by its volume. If ties and coarse grids rule out most points, there are far fewer.
    pub fn half(&self, points: f64) -> i64 {
        let mut share = 1.0;
        for q in &self.included {
            share *= if q.tie.is_some() {
                2f64.powi(-1 - q.fine)
            } else {
                (q.window.1 - q.window.0).min(1.0)
            };
        }
        // The polynomials' bounds do not hold a step farther than a radius.
        let all = 2f64.powi(self.steps);
        let mut best = (points / share).min(2f64.powi(30)).min(all);
        for q in self.included.iter().filter(|q| q.tie.is_none()) {
            let bend = q.curve.1.max(0.0) - q.curve.0.min(0.0);
            let window = q.window.1 - q.window.0 + 2.0 * q.pad;
            best = best.min((BEND * window / bend.max(1e-300)).sqrt() * all);
        }
        best.max(1.0).floor() as i64
    }

    /// The steps m from `center - half` to `center + half` of all inputs whose error reaches the level, and possibly of others. The center
    /// is a step within the stretch, and `half` is at most the stretch's radius.
    ///
    /// `None` if there are too many points to examine.
    pub fn run(&self, center: i64, half: i64, transform: &mut Transform) -> Option<Found> {
        let map = self.map(center, half)?;
        self.cube(&map, half)?.points(transform)
    }

    /// The integers of a run as functions of the step and of the free integers.
    pub(super) fn map(&self, center: i64, half: i64) -> Option<Map> {
        let k = self.included.len();
        let nf = self.free.len();
        let p = self.steps;
        // K = κ + b m + Σ step n; off = κ - α, turn = b - β.
        // What is not known yet is no number, and what is computed from it is refused.
        let mut off = [f64::NAN; MOST];
        let mut turn = [f64::NAN; MOST];
        let mut whole = [0i128; MOST];
        let mut slope = [0i128; MOST];
        let mut step = [[0.0; MOST]; MOST];
        let mut done = [false; MOST];
        let mut at = [(0i128, 0i128); MOST];
        for (at, q) in at.iter_mut().zip(&self.included) {
            *at = q.polynomial.with_slope(center, p);
        }
        let place = |j: usize, kappa: i128, b: i128| {
            let off = double((kappa << FRACTION) - at[j].0) * UNIT;
            let turn = double((b << (FRACTION + p)) - at[j].1) * UNIT * 2f64.powi(-p);
            (off, turn)
        };
        for (f, &j) in self.free.iter().enumerate() {
            let double = i32::from(self.included[j].tie.is_some());
            let nearest = |x: i128, shift: i32| {
                ((x + (1 << (shift + double - 1))) >> (shift + double)) << double
            };
            whole[j] = nearest(at[j].0, FRACTION);
            slope[j] = nearest(at[j].1, FRACTION + p);
            (off[j], turn[j]) = place(j, whole[j], slope[j]);
            step[j][f] = f64::from(1 << double);
            done[j] = true;
        }
        for _ in 0..k - nf {
            for j in 0..k {
                let (false, Some(t)) = (done[j], self.included[j].by) else {
                    continue;
                };
                let row = &self.included[t].row;
                if !done[t] || row.iter().any(|&(q, _)| q != j && !done[q]) {
                    continue;
                }
                // δ_t = k_t - Σ G k is the side of the tie. The same sum over the parts in n is zero, and over those in m as well:
                // of integers K it is what a step of the input itself adds, `x + y` being halfway between two numbers.
                let mut value = off[t] - self.included[t].tie?;
                let mut b = slope[t] as f64 - self.included[t].input;
                let mut steps = step[t];
                let mut by = 1.0;
                // The possible error of the real values and of the roundings of doubles.
                let mut doubt = self.included[t].polynomial.wrong + off[t].abs() * 2f64.powi(-45);
                for &(q, g) in row {
                    doubt += g.abs() * self.included[q].polynomial.wrong;
                    if q == j {
                        by = g;
                        continue;
                    }
                    value -= g * off[q];
                    doubt += (g * off[q]).abs() * 2f64.powi(-45);
                    b -= g * slope[q] as f64;
                    for f in 0..nf {
                        steps[f] -= g * step[q][f];
                    }
                }
                // Exact: powers of two and integers below 2^50.
                let b = b / by;
                if b.fract() != 0.0 || b.abs() > 2f64.powi(50) {
                    return None;
                }
                // As doubles the summands may lose bits: the integer part is taken first.
                let floor = at[j].0 >> FRACTION;
                let rest = (at[j].0 - (floor << FRACTION)) as f64 * UNIT + value / by;
                if !((rest - rest.round()).abs() <= 0.01 && doubt <= 0.25 * by.abs()) {
                    return None;
                }
                whole[j] = floor + rest.round() as i128;
                slope[j] = b as i128;
                (off[j], turn[j]) = place(j, whole[j], slope[j]);
                // With integers here and in b, the rest is an integer for all points or for none. With fractions, it would be one for
                // some: a fraction that is near an integer would be taken for it, and these points would be lost.
                step[j] = steps.map(|step| step / by);
                if step[j].iter().any(|step| step.fract() != 0.0) {
                    return None;
                }
                done[j] = true;
            }
        }
        if !done[..k].iter().all(|&d| d) {
            return None;
        }
        let h = half as f64;
        let part = self.part(half);
        let mut map = Map {
            off,
            turn,
            step,
            bent: [0.0; MOST],
            reaches: [0.0; MOST],
        };
        // The deviation of real values from lines.
        for (bent, q) in map.bent.iter_mut().zip(&self.included) {
            *bent = most(q.bend) * part;
        }
        map.reaches[0] = h;
        for (reach, &j) in map.reaches[1..].iter_mut().zip(&self.free) {
            let own = &self.included[j];
            *reach = reached((turn[j], h), own.error, map.bent[j], own.polynomial.wrong);
        }
        Some(map)
    }

    /// A bound of `(m / 2^p)^2` in a run, by which half of a second derivative is multiplied.
    fn part(&self, half: i64) -> f64 {
        let part = half as f64 * 2f64.powi(-self.steps);
        padded(part * part)
    }

    /// The windows of all roundings except ties, as a cube.
    fn cube(&self, map: &Map, half: i64) -> Option<Cube> {
        let (k, nf) = (self.included.len(), self.free.len());
        let part = self.part(half);
        let mut cube = Cube {
            n: nf + 1,
            basis: [[0.0; MOST]; MOST],
            offset: [0.0; MOST],
            reaches: map.reaches,
            half,
        };
        cube.basis[0][0] = 1.0 / half as f64;
        let mut rows = 1;
        for j in (0..k).filter(|&j| self.included[j].tie.is_none()) {
            let own = &self.included[j];
            let Line {
                constant,
                by_m,
                by_n,
                size,
            } = map.line(j, &own.row, nf);
            // Dozens of roundings, each by at most one part in 2^53 of `size`.
            let pad = own.pad + size * 2f64.powi(-46) + 1e-8;
            // δ is the affine map plus the curvature, which is subtracted.
            let lo = own.window.0 - pad - (own.curve.1 * part).max(0.0);
            let hi = own.window.1 + pad - (own.curve.0 * part).min(0.0);
            let (middle, width) = around(lo, hi);
            if !width.is_finite() || width <= 0.0 || rows > nf {
                return None;
            }
            let inverse = 1.0 / width;
            cube.basis[rows][0] = by_m * inverse;
            for f in 0..nf {
                cube.basis[rows][f + 1] = by_n[f] * inverse;
            }
            cube.offset[rows] = (constant - middle) * inverse;
            rows += 1;
        }
        (rows == nf + 1).then_some(cube)
    }
}

/// The middle of a window, and a bound of the distance from it. The bound also covers the roundings here and where numbers are divided by
/// it.
pub(super) fn around(lo: f64, hi: f64) -> (f64, f64) {
    (0.5 * (lo + hi), 0.5 * (hi - lo) * (1.0 + 1e-9))
}

/// A bound of an integer `n = (K - κ - b m) / step` of a run. K is within `error` of the real value, which is within `bent` of the line and
/// of the polynomial's errors. The polynomial is at most 4 from κ at the center, and turns away from b by `turn` in each step. Its value
/// and its derivative there are each off by at most `wrong` in a run.
pub(super) fn reached((turn, h): (f64, f64), error: f64, bent: f64, wrong: f64) -> f64 {
    padded(4.0 + turn.abs() * h + error + bent + 2.0 * wrong)
}

/// The integers' distances from the real values on a run: `off + turn m + Σ step n`, apart from the bend of real values.
pub(super) struct Map {
    pub(super) off: [f64; MOST],
    pub(super) turn: [f64; MOST],
    pub(super) step: [[f64; MOST]; MOST],
    /// Bounds of the bends.
    pub(super) bent: [f64; MOST],
    /// Bounds of m, and of the integers n.
    pub(super) reaches: [f64; MOST],
}

/// A rounding error as `constant + by_m m + Σ by_n n`.
pub(super) struct Line {
    pub(super) constant: f64,
    pub(super) by_m: f64,
    pub(super) by_n: [f64; MOST],
    /// A bound of the sum of the magnitudes of all terms, for each m and n of the run.
    pub(super) size: f64,
}

impl Map {
    /// The distance of operation `j` itself minus those in its row, with `free` integers n.
    pub(super) fn line(&self, j: usize, row: &[(usize, f64)], free: usize) -> Line {
        let Map {
            off,
            turn,
            step,
            bent,
            reaches,
        } = self;
        let h = reaches[0];
        let mut constant = off[j];
        let mut by_m = turn[j];
        let mut by_n = step[j];
        let mut size = off[j].abs() + turn[j].abs() * h + bent[j];
        for f in 0..free {
            size += step[j][f].abs() * reaches[f + 1];
        }
        for &(q, g) in row {
            constant -= g * off[q];
            by_m -= g * turn[q];
            for f in 0..free {
                by_n[f] -= g * step[q][f];
                size += (g * step[q][f]).abs() * reaches[f + 1];
            }
            size += g.abs() * (off[q].abs() + turn[q].abs() * h + bent[q]);
        }
        Line {
            constant,
            by_m,
            by_n,
            size,
        }
    }
}
