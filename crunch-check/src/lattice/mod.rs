//! Runs of inputs in which every error that reaches the level is a point of a small lattice. The proofs are in
//! docs/book/src/understand/lemmas.md, Lemmas 1 and 2 and the theorem of enumeration.
//!
//! Every quantity of a run that is not computed in integers has a bound of its rounding errors, which widens the windows.

#![expect(
    clippy::needless_range_loop,
    reason = "indices of matrices, as in the theorem"
)]

mod part;
mod run;
#[cfg(test)]
pub(crate) mod tests;

use crate::analysis::{Analysis, Bound};
use crate::expansion::Expansion;
use crate::number::{Coarse, exponent, padded};
use crate::polynomial::Polynomial;
use crate::reduce::MOST;

use part::{Part, dyadic, include_noise, part, row, values};

/// The largest number of bits of steps within a stretch.
const STEPS: i32 = 33;
/// The largest number of bits below a unit that a sum may lose if its ties are considered. It must lose at least one bit, which is a
/// hypothesis of Lemma 2.
const TIE_BITS: i32 = 12;
/// The part of a window by which real values may deviate from a line in a run.
const BEND: f64 = 0.5;

/// A stretch as a lattice.
pub struct Lattice {
    /// `p`: `m` steps are `m / 2^p` radii.
    steps: i32,
    /// The operations with an integer variable.
    included: Vec<Included>,
    /// The indices in `included` of those whose integer is free.
    free: Vec<usize>,
}

struct Included {
    /// The value that the operation rounds, as coefficients of the other operations' errors, by index.
    row: Vec<(usize, f64)>,
    /// A bound of all other influences on that value.
    pad: f64,
    /// The range of its rounding error.
    window: (f64, f64),
    /// For a tie: its rounding error, on one side.
    tie: Option<f64>,
    /// The change of a tie's exact results per step of the input, other than by the operations in its row.
    input: f64,
    /// The tie that determines the operation's integer, if there is one.
    by: Option<usize>,
    /// A bound of its error, in units.
    error: f64,
    /// Its real values.
    polynomial: Polynomial,
    /// Half of its second derivative, over the stretch.
    bend: (f64, f64),
    /// The corresponding bound for its rounding error as a function of the integers and the step.
    curve: (f64, f64),
    /// The number of bits below its unit, for a tie.
    fine: i32,
}

/// The reason why a stretch has no lattice.
#[derive(Debug)]
pub enum No {
    /// No error reaches the level.
    Nothing,
    /// The results of this operation lie in more than one binade.
    Binades(usize),
    /// The stretch must be cut.
    Cut,
}

/// The largest magnitude in a range.
fn most((lo, hi): (f64, f64)) -> f64 {
    lo.abs().max(hi.abs())
}

/// The smallest magnitude in a range.
fn least((lo, hi): (f64, f64)) -> f64 {
    if lo <= 0.0 && hi >= 0.0 {
        0.0
    } else {
        lo.abs().min(hi.abs())
    }
}

/// The slack of Lemma 1: a bound of the method's error and of all roundings' parts, minus the level.
fn slack(method: f64, level: f64, weights: impl Iterator<Item = f64>) -> f64 {
    let parts: f64 = weights.map(|w| padded(w / 2.0)).sum();
    // The roundings of a sum of some dozens of terms below 16.
    (method - level) + parts + 1e-12
}

impl Lattice {
    /// The lattice of errors of at least `level` (`sign` 1) or at most `-level` (`sign` -1).
    ///
    /// # Errors
    /// If there is no such lattice.
    pub fn new(
        analysis: &Analysis,
        expansion: &Expansion,
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
                    || exponent(&analysis.values[i].magnitude()).max(-1100) - 52,
                    |r| r.unit,
                )
            })
            .collect();
        // Weights in units of the result, and the slack of Lemma 1.
        let weights: Vec<(f64, f64)> = (0..n)
            .map(|i| weights[i].scale(scale[i] - bound.unit).ends())
            .collect();
        let method = bound.method.ends();
        let rounded = (0..n).filter(|&i| nodes[i].rounding.is_some());
        let slack = slack(
            if sign > 0.0 { method.1 } else { -method.0 },
            level,
            rounded.map(|i| most(weights[i])),
        );
        if slack <= 0.0 {
            return Err(No::Nothing);
        }
        let parts: Vec<Part> = (0..n)
            .map(|i| part(analysis, &scale, i, grid))
            .collect::<Option<_>>()
            .ok_or(No::Cut)?;
        let least = |i: usize| least(weights[i]);
        let mut inside = vec![false; n];
        let mut constrained = vec![false; n];
        let mut tie = vec![false; n];
        for i in (0..n).filter(|&i| parts[i].rounds) {
            constrained[i] = slack < 0.5 * least(i);
            inside[i] = constrained[i];
            tie[i] = constrained[i]
                && parts[i].fine.is_some_and(|b| {
                    (1..=TIE_BITS).contains(&b) && slack < least(i) * 2f64.powi(-b)
                })
                && dyadic(&parts, i);
        }
        // The integers of a tie's operands are needed as well.
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
        let steps = exponent(&expansion.radius) - grid;
        if !(0..=STEPS).contains(&steps) {
            return Err(No::Cut);
        }
        let number = |i: usize| chosen.iter().position(|&c| c == i);
        let mut included = Vec::new();
        for &i in &chosen {
            // Its results are integers in its unit.
            if nodes[i].grid < scale[i] {
                return Err(No::Binades(i));
            }
            let mut window = (-0.5, 0.5);
            let toward = sign * if weights[i].0 > 0.0 { 1.0 } else { -1.0 };
            if constrained[i] {
                let width = padded(slack / least(i));
                if toward > 0.0 {
                    window.0 = f64::max(-0.5, 0.5 - width);
                } else {
                    window.1 = f64::min(0.5, width - 0.5);
                }
            }
            let part::Row { errors, pad, input } = row(&parts, &inside, i);
            let row = errors
                .into_iter()
                .map(|(j, g)| number(j).map(|j| (j, g)))
                .collect::<Option<_>>()
                .ok_or(No::Cut)?;
            let (polynomial, bend) = values(analysis, expansion, i, scale[i]).ok_or(No::Cut)?;
            included.push(Included {
                row,
                pad,
                window,
                tie: tie[i].then_some(0.5 * toward),
                input,
                by: None,
                error: parts[i].error,
                polynomial,
                bend,
                curve: (-bend.1, -bend.0),
                fine: parts[i].fine.unwrap_or(0),
            });
        }
        for j in 0..included.len() {
            let (mut wrong, mut curve) = (included[j].polynomial.wrong, included[j].curve);
            for &(q, g) in &included[j].row {
                let ends = (g * included[q].bend.0, g * included[q].bend.1);
                curve = (curve.0 + ends.0.min(ends.1), curve.1 + ends.0.max(ends.1));
                wrong += g.abs() * included[q].polynomial.wrong;
            }
            included[j].curve = curve;
            included[j].pad += padded(wrong);
        }
        // Each tie determines the integer of its operand with the finest unit.
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
}
