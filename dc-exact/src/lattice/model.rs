//! The operations of a core that are coordinates of the lattice.

use super::fault_injection::{Fault, injected};
use crate::num::{Ball, Interval, Ring};

/// The largest number of dimensions of a lattice.
pub const MOST: usize = 12;

/// An operation's part in the linear recursion, at one place. All numbers are in units in the last place.
#[derive(Debug, Clone)]
pub struct Linear {
    /// The operands, each with the operation's slope in it.
    pub slopes: Vec<(usize, f64)>,
    /// Whether the operation rounds.
    pub rounds: bool,
    /// The exponent of the unit.
    pub unit: i32,
    /// The number of bits below the unit in its exact results, if there are few. `None` for a product, quotient or root.
    pub fine: Option<i32>,
    /// A bound of the error of the recursion with these slopes.
    pub spread: f64,
}

/// The coordinates for one slack and one sign of the error.
#[derive(Debug, Clone)]
pub struct Model {
    /// The operations.
    pub linear: Vec<Linear>,
    /// Weights of the operations' rounding errors in the result.
    pub weights: Vec<f64>,
    /// Operations with an integer variable, in order.
    pub included: Vec<usize>,
    /// Whether an operation's error is near its extreme if the result's error is.
    pub constrained: Vec<bool>,
    /// Whether an operation's rounding is then a tie: its integer is even.
    pub tie: Vec<bool>,
    /// For an included operation, the tie that determines it, if there is one. Then it is not a free variable.
    pub eliminated_by: Vec<Option<usize>>,
    /// Included operations that are free variables.
    pub free: Vec<usize>,
    /// Included operations whose rounding error is a coordinate.
    pub coordinates: Vec<usize>,
    /// +1 if positive errors are searched for, -1 if negative ones are.
    pub sign: f64,
}

/// Whether an operation rounds a combination of rounded operations whose slopes are exact powers of two.
fn exact_operands(linear: &[Linear], i: usize) -> bool {
    let mut ask = vec![i];
    while let Some(a) = ask.pop() {
        let dyadic = |g: f64| g.is_normal() && g.to_bits() << 12 == 0;
        if linear[a].spread != 0.0 || !linear[a].slopes.iter().all(|s| dyadic(s.1)) {
            return false;
        }
        let operands = linear[a].slopes.iter().map(|s| s.0);
        ask.extend(operands.filter(|&b| !linear[b].rounds));
    }
    true
}

/// Ties are considered only for operations whose exact results have at most this many bits below the unit.
const TIE_BITS: i32 = 12;
/// The part of a window that noise may fill.
const NOISE: f64 = 0.5;

impl Model {
    /// Chooses the coordinates for slack `s`: the bound minus the least error that is searched for.
    ///
    /// `None` if no operation is near its extreme: the slack is too large, or the lattice would have too many
    /// dimensions.
    #[must_use]
    pub fn new(linear: Vec<Linear>, weights: Vec<f64>, s: f64, sign: f64) -> Option<Model> {
        let n = linear.len();
        let mut model = Model {
            included: Vec::new(),
            constrained: vec![false; n],
            tie: vec![false; n],
            eliminated_by: vec![None; n],
            free: Vec::new(),
            coordinates: Vec::new(),
            sign,
            linear,
            weights,
        };
        let mut inside = vec![false; n];
        for (j, inside) in inside.iter_mut().enumerate() {
            let w = model.weights[j].abs();
            if model.linear[j].rounds && w > 0.0 && s / w < 0.5 {
                model.constrained[j] = true;
                *inside = true;
                let fine = model.linear[j].fine;
                let certain = |b: i32| s < w * 2f64.powi(-b) || injected(Fault::Tie);
                // A sum that loses no bit has no tie: a hypothesis of Lemma 2.
                model.tie[j] = fine.is_some_and(|b| (1..=TIE_BITS).contains(&b) && certain(b))
                    && exact_operands(&model.linear, j);
            }
        }
        // A tie is a statement about integers, so those of its operands are needed.
        for j in (0..n).rev() {
            if model.tie[j] {
                let mut ask: Vec<usize> = model.linear[j].slopes.iter().map(|a| a.0).collect();
                while let Some(a) = ask.pop() {
                    if model.linear[a].rounds {
                        inside[a] = true;
                    } else {
                        ask.extend(model.linear[a].slopes.iter().map(|a| a.0));
                    }
                }
            }
        }
        model.include_noise(&mut inside, s);
        model.included = (0..n).filter(|&i| inside[i]).collect();
        if model.included.len() > MOST {
            return None;
        }
        model.plan_ties();
        let dimension = 1 + model.free.len();
        ((2..=MOST).contains(&dimension) && model.free.len() == model.coordinates.len())
            .then_some(model)
    }

    /// Includes operations whose rounding moves a window by more than a part of its width.
    fn include_noise(&self, inside: &mut [bool], s: f64) {
        let n = self.linear.len();
        loop {
            let mut worst: Option<(usize, f64)> = None;
            for i in 0..n {
                if !self.constrained[i] || self.tie[i] {
                    continue;
                }
                let window = s / self.weights[i].abs();
                let noise = self.noise(i, inside);
                let total: f64 = noise.iter().map(|c| c.abs() / 2.0).sum();
                if total <= NOISE * window {
                    continue;
                }
                for (j, c) in noise.iter().enumerate() {
                    let part = c.abs() / 2.0 / window;
                    if !inside[j] && part > 0.1 * NOISE && worst.is_none_or(|w| part > w.1) {
                        worst = Some((j, part));
                    }
                }
            }
            let count = inside.iter().filter(|&&i| i).count();
            match worst {
                Some((j, _)) if count < MOST - 2 => inside[j] = true,
                _ => return,
            }
        }
    }

    /// The coefficients with which the rounding errors of operations that are not inside enter the value that operation `i` rounds.
    #[must_use]
    pub fn noise(&self, i: usize, inside: &[bool]) -> Vec<f64> {
        let n = self.linear.len();
        // The parts of each operation's error that reach operation i through operations that are not inside.
        let mut seen = vec![0.0; n];
        for &(a, g) in &self.linear[i].slopes {
            seen[a] += g;
        }
        let mut noise = vec![0.0; n];
        for a in (0..i).rev() {
            if seen[a] == 0.0 || inside[a] {
                continue;
            }
            if self.linear[a].rounds {
                noise[a] = seen[a];
            }
            for &(b, g) in &self.linear[a].slopes {
                seen[b] += seen[a] * g;
            }
        }
        noise
    }

    /// A bound of the noise in the value that operation `i` rounds: the rounding errors of operations that are not inside, and the error of
    /// the slopes.
    #[must_use]
    pub fn pad(&self, i: usize, inside: &[bool]) -> f64 {
        let mut seen = vec![0.0; self.linear.len()];
        for &(a, g) in &self.linear[i].slopes {
            seen[a] += g;
        }
        let mut pad = self.linear[i].spread;
        for a in (0..i).rev() {
            if seen[a] == 0.0 || inside[a] {
                continue;
            }
            let own = if self.linear[a].rounds { 0.5 } else { 0.0 };
            pad += seen[a].abs() * (own + self.linear[a].spread);
            for &(b, g) in &self.linear[a].slopes {
                seen[b] += seen[a] * g;
            }
        }
        // The sums here have a few dozen terms, each rounded to nearest.
        pad * (1.0 + 1e-9)
    }

    /// For each tie, eliminates the operand with the finest grid: the tie determines its integer.
    fn plan_ties(&mut self) {
        let mut gone = vec![false; self.linear.len()];
        let included = self.included.clone();
        for &i in included.iter().rev() {
            if !self.tie[i] {
                continue;
            }
            let row = self.row(i);
            let finest = row
                .iter()
                .filter(|(j, _)| !gone[*j])
                .max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()).reverse());
            // In units, the operand with the coarsest unit has the largest slope, and the one with the finest unit the
            // smallest.
            let Some(&(finest, _)) = finest else {
                self.tie[i] = false;
                continue;
            };
            self.eliminated_by[finest] = Some(i);
            gone[finest] = true;
        }
        self.free = included.iter().copied().filter(|&j| !gone[j]).collect();
        self.coordinates = included.iter().copied().filter(|&j| !self.tie[j]).collect();
    }

    /// The value that operation `i` rounds, as a combination of the errors of included operations.
    #[must_use]
    pub fn row(&self, i: usize) -> Vec<(usize, f64)> {
        let n = self.linear.len();
        let mut is = vec![false; n];
        for &j in &self.included {
            is[j] = true;
        }
        let mut seen = vec![0.0; n];
        for &(a, g) in &self.linear[i].slopes {
            seen[a] += g;
        }
        let mut row = Vec::new();
        for a in (0..i).rev() {
            if seen[a] == 0.0 {
                continue;
            }
            if is[a] {
                row.push((a, seen[a]));
                continue;
            }
            for &(b, g) in &self.linear[a].slopes {
                seen[b] += seen[a] * g;
            }
        }
        row
    }
}

/// The integers of a run's included operations at its input number m: `K_j = center_j + Σ_f steps[j][f] n_f + drift[j] m`.
#[derive(Debug)]
pub struct Integers {
    /// The matrix of this formula.
    pub steps: [[f64; MOST]; MOST],
    /// The drift of an operation that a tie determines and whose other operand is the input: `x + y` is halfway between two
    /// numbers, so x determines y.
    pub drift: [f64; MOST],
    /// `center_j` minus the real value at the run's center.
    pub off: [f64; MOST],
    /// Whether every operation has an integer, for all values of the free ones.
    pub whole: bool,
}

impl Model {
    /// The integers of a run: the free ones, and those that ties determine. `values` are the real values at its center
    /// and their change from input to input, and `bends` their second Taylor coefficients, all in units; the part
    /// `turn` of these takes effect at the run's ends, `half` inputs from its center. `rows` has the value that each
    /// included operation rounds, as a combination of included ones.
    #[must_use]
    pub fn integers(
        &self,
        rows: &[Vec<(usize, f64)>],
        values: &[(Ball, Ball)],
        bends: &[Interval],
        (half, turn): (f64, f64),
    ) -> Integers {
        let (k, nf) = (self.included.len(), self.free.len());
        let mut steps = [[0.0; MOST]; MOST];
        let mut drift = [0.0; MOST];
        let mut off = [0.0; MOST];
        let mut done = [false; MOST];
        let mut whole = true;
        let rest = |j: usize, center: f64| (center - values[j].0.h) - values[j].0.l;
        for (f, &i) in self.free.iter().enumerate() {
            let j = position(&self.included, i);
            let a = values[j].0.h;
            let (center, step) = if self.tie[i] {
                (2.0 * (a / 2.0).round_ties_even(), 2.0)
            } else {
                (a.round_ties_even(), 1.0)
            };
            steps[j][f] = step;
            off[j] = rest(j, center);
            done[j] = true;
        }
        for _ in 0..k {
            for j in 0..k {
                let (false, Some(tie)) = (done[j], self.eliminated_by[self.included[j]]) else {
                    continue;
                };
                let t = position(&self.included, tie);
                let row = &rows[t];
                if !done[t] || row.iter().any(|&(q, _)| q != j && !done[q]) {
                    continue;
                }
                let up = self.sign * self.weights[tie] > 0.0;
                let mut value = off[t] - if up { 0.5 } else { -0.5 };
                let mut step = steps[t];
                let mut slope = 1.0;
                // The part of the tie's exact result that comes from the input itself: its real value less those of the
                // included operands. It is linear in m, or the tie gives no equation of integers.
                let mut input = values[t].1;
                let mut bend = bends[t];
                let mut by_m = drift[t];
                // The uncertainty of the real values, in units of the tie.
                let mut doubt = values[t].0.r;
                for &(q, g) in row {
                    doubt += g.abs() * values[q].0.r;
                    input = input.sub(values[q].1.mul(Ball::number(g)));
                    bend = bend.sub(bends[q].mul(Interval::point(g)));
                    if q == j {
                        slope = g;
                    } else {
                        value -= g * off[q];
                        by_m -= g * drift[q];
                        for f in 0..nf {
                            step[f] -= g * steps[q][f];
                        }
                    }
                }
                let part = (by_m - input.mid()) / slope;
                drift[j] = part.round_ties_even();
                let wrong =
                    (part - drift[j]).abs() + (input.magnitude() * 1e-15 + input.r) / slope.abs();
                whole &= wrong * half <= 1e-3 && bend.magnitude() * turn <= 1e-3 * slope.abs();
                let wanted = values[j].0.h + (values[j].0.l + value / slope);
                let center = wanted.round_ties_even();
                // With a larger doubt, another integer could be the one.
                whole &= (wanted - center).abs() <= 1e-3 && doubt <= 0.25 * slope.abs();
                off[j] = rest(j, center);
                for f in 0..nf {
                    steps[j][f] = step[f] / slope;
                    whole &= steps[j][f].fract() == 0.0;
                }
                done[j] = true;
            }
        }
        whole &= done[..k].iter().all(|&d| d);
        Integers {
            steps,
            drift,
            off,
            whole,
        }
    }
}

/// The index of an included operation.
#[must_use]
pub fn position(included: &[usize], i: usize) -> usize {
    included.iter().position(|&j| j == i).unwrap_or(usize::MAX)
}

#[cfg(test)]
pub(super) mod tests;
