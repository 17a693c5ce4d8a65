//! The part of each operation in a lattice: its part in the recursion of the errors, and its real values.

use super::up;
use crate::analysis::{Analysis, Expansion};
use crate::number::Coarse;
use crate::polynomial::Polynomial;
use crate::reduce::MOST;
use crate::residual::Kind;

/// The part of a window that roundings without an integer may fill.
const NOISE: f64 = 0.5;

/// An operation's part in the recursion, in its own units.
pub(super) struct Part {
    /// Operands with slopes: the middle, and a bound of the deviation from it.
    pub(super) slopes: Vec<(usize, f64, f64)>,
    pub(super) rounds: bool,
    pub(super) error: f64,
    /// A bound of the effect of the slopes' deviations.
    pub(super) spread: f64,
    /// Bits below the unit in a sum's exact results.
    pub(super) fine: Option<i32>,
}

/// An operation's part in the recursion; `None` where a slope is not bounded.
pub(super) fn part(analysis: &Analysis, scale: &[i32], i: usize) -> Option<Part> {
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

/// Whether an operation rounds an exact sum of rounded operations times powers of two.
pub(super) fn dyadic(parts: &[Part], i: usize) -> bool {
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

/// The value that operation `i` rounds, as coefficients of the errors of operations that are inside, and a bound of all
/// else.
pub(super) fn row(parts: &[Part], inside: &[bool], i: usize) -> (Vec<(usize, f64)>, f64) {
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
        // A bound of the coefficient's rounding error: below 2^-45 of the sum of magnitudes.
        pad += by.1 * 2f64.powi(-45) * parts[a].error;
        if inside[a] {
            row.push((a, by.0));
            continue;
        }
        // The terms of a's own equation other than the errors of its operands have the coefficient of a's error.
        let moves = by.0.abs() + by.1 * 2f64.powi(-45);
        pad += moves * (parts[a].spread + if parts[a].rounds { 0.5 } else { 0.0 });
        pass(&mut seen, a, by);
    }
    (row, up(pad) * (1.0 + 1e-9))
}

/// Includes operations whose rounding moves a window by more than a part of it.
pub(super) fn include_noise(
    parts: &[Part],
    inside: &mut [bool],
    window: impl Fn(usize) -> Option<f64>,
) {
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

/// An operation's real values as a polynomial, and half its second derivative.
pub(super) fn values(
    analysis: &Analysis,
    expansion: &Expansion,
    i: usize,
    scale: i32,
) -> Option<(Polynomial, (f64, f64))> {
    let series = &analysis.at[i][..expansion.terms];
    let polynomial = Polynomial::new(series, analysis.over[i].last()?, scale)?;
    let mut bend = (0.0f64, 0.0f64);
    for (k, c) in series.iter().enumerate().skip(2) {
        let (a, b) = c.scale(-scale).ends();
        if k == 2 {
            bend = (bend.0 + a, bend.1 + b);
        } else {
            let pairs = (k * (k - 1)) as f64 / 2.0;
            let most = up(pairs * a.abs().max(b.abs()));
            bend = (bend.0 - most, bend.1 + most);
        }
    }
    Some((polynomial, bend))
}
