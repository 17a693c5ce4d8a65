//! A run: its affine map, from exact values of the polynomials at its center.

use super::{FRACTION, Included, Lattice, UNIT, up};
use crate::enumerate::enumerate;
use crate::reduce::{MOST, Matrix};

impl Lattice {
    /// Half the length of runs: few points are expected in one, and real values bend by a part of the windows.
    pub fn half(&self) -> i64 {
        let mut share = 1.0;
        for q in &self.included {
            share *= if q.tie.is_some() {
                2f64.powi(-1 - q.fine)
            } else {
                (q.window.1 - q.window.0).min(1.0)
            };
        }
        let mut best = (1.0 / share).min(2f64.powi(27));
        for q in self.included.iter().filter(|q| q.tie.is_none()) {
            let bend = q.bend.0.abs().max(q.bend.1.abs()).max(1e-300);
            best =
                best.min((0.3 * (q.window.1 - q.window.0) / bend).sqrt() * 2f64.powi(self.steps));
        }
        best.max(1.0).floor() as i64
    }

    /// The steps m from `center - half` to `center + half` of all inputs whose error reaches the level, and of others;
    /// `None` where there are too many to look at.
    pub fn run(&self, center: i64, half: i64, transform: &mut Matrix) -> Option<Vec<i64>> {
        let k = self.included.len();
        let nf = self.free.len();
        let p = self.steps;
        // K = κ + b m + Σ step n; off = κ - α, turn = b - β.
        let mut off = [0.0; MOST];
        let mut turn = [0.0; MOST];
        let mut whole = [0i128; MOST];
        let mut slope = [0i128; MOST];
        let mut step = [[0.0; MOST]; MOST];
        let mut done = [false; MOST];
        let at: Vec<(i128, i128)> = self
            .included
            .iter()
            .map(|q| q.at(center.into(), p))
            .collect();
        let place = |j: usize, kappa: i128, b: i128| {
            let off = ((kappa << FRACTION) - at[j].0) as f64 * UNIT;
            let turn = ((b << (FRACTION + p)) - at[j].1) as f64 * UNIT * 2f64.powi(-p);
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
        for _ in 0..k {
            for j in 0..k {
                let (false, Some(t)) = (done[j], self.included[j].by) else {
                    continue;
                };
                let row = &self.included[t].row;
                if !done[t] || row.iter().any(|&(q, _)| q != j && !done[q]) {
                    continue;
                }
                // δ_t = k_t - Σ G k is the side of the tie; of m and n the same sum is zero.
                let mut value = off[t] - self.included[t].tie?;
                let mut b = slope[t] as f64;
                let mut steps = step[t];
                let mut by = 1.0;
                for &(q, g) in row {
                    if q == j {
                        by = g;
                        continue;
                    }
                    value -= g * off[q];
                    b -= g * slope[q] as f64;
                    for f in 0..nf {
                        steps[f] -= g * step[q][f];
                    }
                }
                // Powers of two and integers below 2^50: exact.
                let b = b / by;
                let wanted = at[j].0 as f64 * UNIT + value / by;
                let kappa = wanted.round();
                if b.fract() != 0.0 || b.abs() > 2f64.powi(50) || (wanted - kappa).abs() > 0.01 {
                    return None;
                }
                // In doubles the sum may lose bits: from the integer part alone.
                let floor = at[j].0 >> FRACTION;
                let rest = (at[j].0 - (floor << FRACTION)) as f64 * UNIT + value / by;
                if (rest - rest.round()).abs() > 0.01 {
                    return None;
                }
                whole[j] = floor + rest.round() as i128;
                slope[j] = b as i128;
                (off[j], turn[j]) = place(j, whole[j], slope[j]);
                for f in 0..nf {
                    step[j][f] = steps[f] / by;
                    if step[j][f].fract() != 0.0 {
                        return None;
                    }
                }
                done[j] = true;
            }
        }
        if !done[..k].iter().all(|&d| d) {
            return None;
        }
        let h = half as f64;
        let part = h * 2f64.powi(-p);
        let reach =
            |f: usize| 4.0 + turn[self.free[f]].abs() * h + self.included[self.free[f]].error;
        let mut basis = [[0.0; MOST]; MOST];
        let mut offset = [0.0; MOST];
        basis[0][0] = 1.0 / h;
        let mut rows = 1;
        for j in (0..k).filter(|&j| self.included[j].tie.is_none()) {
            let own = &self.included[j];
            let mut constant = off[j];
            let mut by_m = turn[j];
            let mut by_n = step[j];
            let mut bend = (-own.bend.1, -own.bend.0);
            let mut wrong = own.wrong;
            let mut size = off[j].abs() + turn[j].abs() * h;
            for &(q, g) in &own.row {
                let other = &self.included[q];
                constant -= g * off[q];
                by_m -= g * turn[q];
                for f in 0..nf {
                    by_n[f] -= g * step[q][f];
                    size += (g * step[q][f]).abs() * reach(f);
                }
                let ends = (g * other.bend.0, g * other.bend.1);
                bend = (bend.0 + ends.0.min(ends.1), bend.1 + ends.0.max(ends.1));
                wrong += g.abs() * other.wrong;
                size += g.abs() * (off[q].abs() + turn[q].abs() * h);
            }
            for f in 0..nf {
                size += step[j][f].abs() * reach(f);
            }
            let bent = |b: f64| b * part * part * (1.0 + 1e-9);
            // Dozens of roundings, each of a part in 2^53 of `size` at most.
            let pad = own.pad + up(wrong) + size * 2f64.powi(-46) + 1e-8;
            let lo = own.window.0 - pad - bent(bend.1).max(0.0);
            let hi = own.window.1 + pad - bent(bend.0).min(0.0);
            let (middle, width) = (0.5 * (lo + hi), 0.5 * (hi - lo) * (1.0 + 1e-9));
            if !width.is_finite() || width <= 0.0 || rows == MOST {
                return None;
            }
            basis[rows][0] = by_m / width;
            for f in 0..nf {
                basis[rows][f + 1] = by_n[f] / width;
            }
            offset[rows] = (constant - middle) / width;
            rows += 1;
        }
        if rows != nf + 1 {
            return None;
        }
        let reaches: Vec<f64> = std::iter::once(h).chain((0..nf).map(reach)).collect();
        enumerate(&basis, &offset, &reaches, rows, transform, half)
    }
}

impl Included {
    /// The real value at a step and its derivative by steps times `2^p`, both with `FRACTION` bits behind the point: a
    /// product is rounded down once a term, which is in `wrong`.
    fn at(&self, m: i128, p: i32) -> (i128, i128) {
        let (mut value, mut slope) = (0, 0);
        for (k, &c) in self.polynomial.iter().enumerate().rev() {
            value = ((value * m) >> p) + c;
            if k > 0 {
                slope = ((slope * m) >> p) + c * k as i128;
            }
        }
        (value, slope)
    }
}
