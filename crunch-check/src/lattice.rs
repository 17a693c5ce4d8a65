//! Runs of inputs in which every error that reaches the level is a point of a small lattice: docs/exact.md, Lemmas 1 and 2
//! and the theorem of enumeration.
//!
//! Everything of a run that is not worked out in integers has a bound of what was rounded, which widens the windows.

#![expect(
    clippy::needless_range_loop,
    reason = "indices of matrices, as in the theorem"
)]

use crate::analysis::{Analysis, Bound, Place};
use crate::enumerate::enumerate;
use crate::number::{Coarse, exponent, floor};
use crate::reduce::{MOST, Matrix};
use crate::residual::Kind;

/// Bits behind the point of real values, in units in the last place.
const FRACTION: i32 = 32;
const UNIT: f64 = 1.0 / (1u64 << FRACTION) as f64;
/// Bits of steps within a stretch, at most.
const STEPS: i32 = 33;
/// Bits below a unit with which a sum that loses more is taken for a tie.
const TIE_BITS: i32 = 12;
/// A part of a window that the roundings left out may fill.
const NOISE: f64 = 0.5;

/// A stretch as a lattice.
pub struct Lattice {
    /// `p`: `m` steps are `m / 2^p` radii.
    steps: i32,
    /// Of each operation with an integer of its own.
    included: Vec<Included>,
    /// The places in `included` of the free ones.
    free: Vec<usize>,
}

struct Included {
    /// What it rounds, of the others' errors: their places with coefficients.
    row: Vec<(usize, f64)>,
    /// A bound of what else moves it.
    pad: f64,
    /// Where its rounding error is.
    window: (f64, f64),
    /// The side where it is a tie.
    tie: Option<f64>,
    /// It is determined by that tie.
    by: Option<usize>,
    /// A bound of its error, in units.
    error: f64,
    /// Its real values: coefficients in units, with `FRACTION` bits behind the point.
    polynomial: Vec<i128>,
    /// What the polynomial may be wrong by.
    wrong: f64,
    /// Half of its second derivative, over the stretch.
    bend: (f64, f64),
    /// Bits below its unit, where it is a tie.
    fine: i32,
}

/// Why a stretch is no lattice.
#[derive(Debug)]
pub enum No {
    /// No error reaches the level.
    Nothing,
    /// It must be cut.
    Cut,
}

/// An operation's part in the recursion, in its own units.
struct Part {
    /// Operands with slopes: middle, and how far the slope may be from it.
    slopes: Vec<(usize, f64, f64)>,
    rounds: bool,
    error: f64,
    /// What the slopes' spread moves it by.
    spread: f64,
    /// Bits below the unit that a sum's exact results have.
    fine: Option<i32>,
}

fn up(x: f64) -> f64 {
    x * (1.0 + 1e-12)
}

impl Lattice {
    /// The lattice of errors of at least `level` (`sign` 1) or at most `-level` (`sign` -1).
    ///
    /// # Errors
    /// Where there is none.
    pub fn new(
        analysis: &Analysis,
        place: &Place,
        grid: i32,
        bound: &Bound,
        weights: &[Coarse],
        sign: f64,
        level: f64,
    ) -> Result<Lattice, No> {
        let nodes = &analysis.line.nodes;
        let n = nodes.len();
        let scale: Vec<i32> = (0..n)
            .map(|i| {
                nodes[i].rounding.map_or_else(
                    || exponent(&analysis.values[i].most()).max(-1100) - 52,
                    |r| r.unit,
                )
            })
            .collect();
        // Weights in units of the result, and the slack of Lemma 1.
        let weights: Vec<(f64, f64)> = (0..n)
            .map(|i| weights[i].scale(scale[i] - bound.unit).ends())
            .collect();
        let most = |w: (f64, f64)| w.0.abs().max(w.1.abs());
        let method = bound.method.ends();
        let mut slack = if sign > 0.0 { method.1 } else { -method.0 } - level;
        for i in (0..n).filter(|&i| nodes[i].rounding.is_some()) {
            slack += up(most(weights[i]) / 2.0);
        }
        // The sum of some dozens of terms below 16.
        slack += 1e-12;
        if slack <= 0.0 {
            return Err(No::Nothing);
        }
        let parts: Vec<Part> = (0..n)
            .map(|i| part(analysis, &scale, i))
            .collect::<Option<_>>()
            .ok_or(No::Cut)?;
        let least = |i: usize| {
            let (lo, hi) = weights[i];
            if lo <= 0.0 && hi >= 0.0 {
                0.0
            } else {
                lo.abs().min(hi.abs())
            }
        };
        let mut inside = vec![false; n];
        let mut constrained = vec![false; n];
        let mut tie = vec![false; n];
        for i in (0..n).filter(|&i| parts[i].rounds) {
            constrained[i] = slack < 0.5 * least(i);
            inside[i] = constrained[i];
            tie[i] = constrained[i]
                && parts[i].fine.is_some_and(|b| {
                    b <= TIE_BITS && slack < least(i) * 2f64.powi(-b) * (1.0 - 1e-9)
                })
                && dyadic(&parts, i);
        }
        // The integers of a tie's operands are needed.
        for i in (0..n).rev().filter(|&i| tie[i]) {
            let mut ask: Vec<usize> = parts[i].slopes.iter().map(|s| s.0).collect();
            while let Some(a) = ask.pop() {
                if parts[a].rounds {
                    inside[a] = true;
                } else {
                    ask.extend(parts[a].slopes.iter().map(|s| s.0));
                }
            }
        }
        include_noise(&parts, &mut inside, |i| {
            (constrained[i] && !tie[i]).then(|| slack / least(i))
        });
        let chosen: Vec<usize> = (0..n).filter(|&i| inside[i]).collect();
        if chosen.is_empty() || chosen.len() > MOST {
            return Err(No::Cut);
        }
        let steps = exponent(&place.radius) - grid;
        if !(0..=STEPS).contains(&steps) {
            return Err(No::Cut);
        }
        let number = |i: usize| chosen.iter().position(|&c| c == i);
        let mut included = Vec::new();
        for &i in &chosen {
            // Its results are integers of its unit.
            if nodes[i].grid < scale[i] {
                return Err(No::Cut);
            }
            let mut window = (-0.5, 0.5);
            let toward = sign * if weights[i].0 > 0.0 { 1.0 } else { -1.0 };
            if constrained[i] {
                let width = up(slack / least(i));
                if toward > 0.0 {
                    window.0 = f64::max(-0.5, 0.5 - width);
                } else {
                    window.1 = f64::min(0.5, width - 0.5);
                }
            }
            let (row, pad) = row(&parts, &inside, i);
            let row = row
                .into_iter()
                .map(|(j, g)| number(j).map(|j| (j, g)))
                .collect::<Option<_>>()
                .ok_or(No::Cut)?;
            let (polynomial, wrong, bend) = values(analysis, place, i, scale[i]).ok_or(No::Cut)?;
            included.push(Included {
                row,
                pad,
                window,
                tie: tie[i].then_some(0.5 * toward),
                by: None,
                error: parts[i].error,
                polynomial,
                wrong,
                bend,
                fine: parts[i].fine.unwrap_or(0),
            });
        }
        // Each tie determines the integer of its finest operand.
        for t in (0..included.len()).rev().filter(|&t| tie[chosen[t]]) {
            let finest = included[t]
                .row
                .iter()
                .filter(|(q, g)| *g != 0.0 && included[*q].by.is_none());
            let finest = finest
                .min_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))
                .map(|f| f.0);
            included[finest.ok_or(No::Cut)?].by = Some(t);
        }
        let free: Vec<usize> = (0..included.len())
            .filter(|&q| included[q].by.is_none())
            .collect();
        if free.len() + 1 > MOST {
            return Err(No::Cut);
        }
        Ok(Lattice {
            steps,
            included,
            free,
        })
    }

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

/// An operation's part in the recursion; `None` where a slope is not bounded.
fn part(analysis: &Analysis, scale: &[i32], i: usize) -> Option<Part> {
    let nodes = &analysis.line.nodes;
    let errors = |a: usize| {
        Coarse::of(analysis.errors[a].clone())
            .scale(-scale[a])
            .ends()
            .1
    };
    let mut spread = 0.0;
    let mut slopes = Vec::new();
    for (a, g) in analysis.slopes(i)? {
        if matches!(nodes[a].kind, Kind::Const(_) | Kind::Input) {
            continue;
        }
        let g = g.scale(scale[a] - scale[i]);
        let (lo, hi) = g.ends();
        let middle = 0.5 * lo + 0.5 * hi;
        let far = if lo == hi {
            0.0
        } else {
            up((hi - middle).max(middle - lo))
        };
        spread += up(far * errors(a));
        slopes.push((a, middle, far));
    }
    let sum = matches!(nodes[i].kind, Kind::Add(..) | Kind::Sub(..));
    let fine = nodes[i]
        .rounding
        .filter(|_| sum)
        .and_then(|r| r.grid.map(|g| r.unit - g));
    Some(Part {
        slopes,
        rounds: nodes[i].rounding.is_some(),
        error: errors(i),
        spread,
        fine,
    })
}

/// Whether what an operation rounds is a sum of rounded operations times powers of two, exactly.
fn dyadic(parts: &[Part], i: usize) -> bool {
    let mut ask = vec![i];
    while let Some(a) = ask.pop() {
        for &(b, g, far) in &parts[a].slopes {
            let power = g != 0.0
                && g.to_bits() << 12 == 0
                && (2f64.powi(-20)..=2f64.powi(20)).contains(&g.abs());
            if far != 0.0 || !power {
                return false;
            }
            if !parts[b].rounds {
                ask.push(b);
            }
        }
    }
    true
}

/// What operation `i` rounds, as coefficients of the errors of operations inside, and a bound of all else.
fn row(parts: &[Part], inside: &[bool], i: usize) -> (Vec<(usize, f64)>, f64) {
    let mut seen = vec![(0.0, 0.0); parts.len()];
    let pass = |seen: &mut Vec<(f64, f64)>, from: usize, by: (f64, f64)| {
        for &(b, g, _) in &parts[from].slopes {
            seen[b].0 += by.0 * g;
            seen[b].1 += by.1 * g.abs();
        }
    };
    pass(&mut seen, i, (1.0, 1.0));
    let mut pad = parts[i].spread;
    let mut row = Vec::new();
    for a in (0..i).rev() {
        let by = seen[a];
        if by.1 == 0.0 {
            continue;
        }
        // What the coefficient was rounded by: below 2^-45 of the sum of magnitudes.
        pad += by.1 * 2f64.powi(-45) * parts[a].error;
        if inside[a] {
            row.push((a, by.0));
            continue;
        }
        pad += by.1 * (parts[a].spread + if parts[a].rounds { 0.5 } else { 0.0 });
        pass(&mut seen, a, by);
    }
    (row, up(pad) * (1.0 + 1e-9))
}

/// Includes operations whose rounding moves a window by more than a part of it.
fn include_noise(parts: &[Part], inside: &mut [bool], window: impl Fn(usize) -> Option<f64>) {
    loop {
        let mut worst: Option<(usize, f64)> = None;
        for i in 0..parts.len() {
            let Some(window) = window(i) else { continue };
            let mut seen = vec![0.0; parts.len()];
            for &(b, g, _) in &parts[i].slopes {
                seen[b] += g;
            }
            let mut noise = vec![0.0; parts.len()];
            for a in (0..i).rev().filter(|&a| !inside[a]) {
                if seen[a] != 0.0 {
                    if parts[a].rounds {
                        noise[a] = f64::abs(seen[a]) / 2.0;
                    }
                    for &(b, g, _) in &parts[a].slopes {
                        seen[b] += seen[a] * g;
                    }
                }
            }
            if noise.iter().sum::<f64>() <= NOISE * window {
                continue;
            }
            for (a, x) in noise.iter().enumerate() {
                let share = x / window;
                if share > 0.1 * NOISE && worst.is_none_or(|w| share > w.1) {
                    worst = Some((a, share));
                }
            }
        }
        match worst {
            Some((a, _)) if inside.iter().filter(|&&i| i).count() < MOST - 2 => inside[a] = true,
            _ => return,
        }
    }
}

/// An operation's real values as a polynomial in `m / 2^p`, with what it is wrong by and half its second derivative.
fn values(
    analysis: &Analysis,
    place: &Place,
    i: usize,
    scale: i32,
) -> Option<(Vec<i128>, f64, (f64, f64))> {
    let mut polynomial = Vec::new();
    let mut wrong = Coarse::of(analysis.over[i].last()?.most())
        .scale(-scale)
        .ends()
        .1;
    let mut bend = (0.0f64, 0.0f64);
    for (k, c) in analysis.at[i].iter().take(place.terms).enumerate() {
        let c = c.scale(-scale);
        if exponent(&c.most()) > 58 {
            return None;
        }
        let (lo, hi) = (floor(&c.lo, FRACTION), floor(&c.hi, FRACTION));
        // The coefficient, its derivative's (times k), and a product rounded down in each.
        wrong += ((hi - lo + 2) as f64) * UNIT * (1.0 + k as f64) * 2.0;
        polynomial.push(lo);
        let pairs = (k * k.saturating_sub(1)) as f64 / 2.0;
        let (a, b) = c.ends();
        if k == 2 {
            bend = (bend.0 + a, bend.1 + b);
        } else if k > 2 {
            let most = up(pairs * a.abs().max(b.abs()));
            bend = (bend.0 - most, bend.1 + most);
        }
    }
    Some((polynomial, up(wrong), bend))
}
