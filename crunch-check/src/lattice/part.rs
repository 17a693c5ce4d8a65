//! The part of each operation in a lattice: its contribution to the recursion of the errors, and its real values.

use crate::analysis::Analysis;
use crate::expansion::Expansion;
use crate::number::{Coarse, Fine, padded};
use crate::polynomial::Polynomial;
use crate::reduce::MOST;
use crate::residual::Kind;

/// The part of a window that roundings without an integer may fill.
const NOISE: f64 = 0.5;

/// An operation's contribution to the recursion, in its own units.
pub(super) struct Part {
    /// The operands with their slopes: the middle of each slope, and a bound of its deviation from the middle.
    pub(super) slopes: Vec<(usize, f64, f64)>,
    pub(super) rounds: bool,
    pub(super) error: f64,
    /// A bound of the effect of the slopes' deviations.
    pub(super) spread: f64,
    /// The number of bits below the unit in a sum's exact results.
    pub(super) fine: Option<i32>,
    /// The change of the operation's exact results per step of the input, in its unit; zero if the input is not an operand. It is NaN if
    /// the change is not a constant power of two, as in `x x`: then no tie follows from integers.
    pub(super) input: f64,
}

/// An operation's contribution to the recursion, for inputs that are multiples of `2^grid`; `None` if a slope is not bounded.
pub(super) fn part(analysis: &Analysis, scale: &[i32], i: usize, grid: i32) -> Option<Part> {
    let nodes = &analysis.line.nodes;
    let errors = |a: usize| {
        Coarse::of(analysis.errors[a].clone())
            .scale(-scale[a])
            .ends()
            .1
    };
    let mut spread = 0.0;
    let mut slopes = Vec::new();
    let mut input = 0.0;
    // Integers are those of roundings to nearest.
    if matches!(nodes[i].kind, Kind::Low(_) | Kind::Sum(..)) {
        return None;
    }
    for (a, g) in analysis.slopes(i)? {
        match nodes[a].kind {
            Kind::Const(_) => continue,
            // The input has no error, so it is not a term of the recursion; but it moves the exact results.
            Kind::Input => {
                let (lo, hi) = g.scale(grid - scale[i]).ends();
                input += if lo == hi && is_power(lo) {
                    lo
                } else {
                    f64::NAN
                };
                continue;
            }
            _ => {}
        }
        let g = g.scale(scale[a] - scale[i]);
        let (lo, hi) = g.ends();
        let middle = 0.5 * lo + 0.5 * hi;
        let far = if lo == hi {
            0.0
        } else {
            padded((hi - middle).max(middle - lo))
        };
        spread += padded(far * errors(a));
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
        input: if input == 0.0 || is_power(input) {
            input
        } else {
            f64::NAN
        },
    })
}

/// Whether a number is a power of two, or the negative of one, by which integers below 2^50 can be multiplied.
pub(super) fn is_power(g: f64) -> bool {
    g.to_bits() << 12 == 0 && (2f64.powi(-60)..=2f64.powi(60)).contains(&g.abs())
}

/// Whether an operation rounds an exact sum of rounded operations and of the input, each times a power of two.
pub(super) fn dyadic(parts: &[Part], i: usize) -> bool {
    let mut ask = vec![i];
    while let Some(a) = ask.pop() {
        if parts[a].input.is_nan() {
            return false;
        }
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

/// The value that an operation rounds.
pub(super) struct Row {
    /// The coefficients of the errors of included operations.
    pub(super) errors: Vec<(usize, f64)>,
    /// A bound of all other errors in the value.
    pub(super) pad: f64,
    /// The change of the value per step of the input, other than by the included operations. It is exact if the operation is [`dyadic`] and
    /// the operands that round are included.
    pub(super) input: f64,
}

/// A bound of a coefficient's rounding error, from the sum of the magnitudes of its terms. The coefficient is a sum over paths of products of
/// slopes, with less than 128 roundings on each path.
pub(super) fn off(size: f64) -> f64 {
    size * 2f64.powi(-45)
}

/// A bound of the magnitude of a coefficient without its roundings.
pub(super) fn most((coefficient, size): (f64, f64)) -> f64 {
    coefficient.abs() + off(size)
}

/// The value that operation `i` rounds.
pub(super) fn row(parts: &[Part], inside: &[bool], i: usize) -> Row {
    let mut seen = vec![(0.0, 0.0); parts.len()];
    let pass = |seen: &mut Vec<(f64, f64)>, from: usize, by: (f64, f64)| {
        for &(b, g, _) in &parts[from].slopes {
            seen[b].0 += by.0 * g;
            seen[b].1 += by.1 * g.abs();
        }
    };
    pass(&mut seen, i, (1.0, 1.0));
    let mut pad = parts[i].spread;
    let mut input = parts[i].input;
    let mut errors = Vec::new();
    for a in (0..i).rev() {
        let by = seen[a];
        if by.1 == 0.0 {
            continue;
        }
        pad += off(by.1) * parts[a].error;
        if inside[a] {
            errors.push((a, by.0));
            continue;
        }
        if parts[a].input != 0.0 {
            input += by.0 * parts[a].input;
        }
        // The terms of a's own equation other than the errors of its operands have the coefficient of a's error.
        pad += most(by) * (parts[a].spread + if parts[a].rounds { 0.5 } else { 0.0 });
        pass(&mut seen, a, by);
    }
    Row {
        errors,
        pad: padded(pad) * (1.0 + 1e-9),
        input,
    }
}

/// Includes operations whose rounding moves a window by more than a certain part of it.
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
    Some((polynomial, bend(series, scale)))
}

/// Half of the second derivative of a series over `|τ| <= 1`, in units of `2^scale`. The first term is an interval, and every other term is
/// bounded by its largest magnitude.
pub(super) fn bend(series: &[Fine], scale: i32) -> (f64, f64) {
    let mut bend = (0.0f64, 0.0f64);
    for (k, c) in series.iter().enumerate().skip(2) {
        let (a, b) = c.scale(-scale).ends();
        if k == 2 {
            bend = (bend.0 + a, bend.1 + b);
        } else {
            let pairs = (k * (k - 1)) as f64 / 2.0;
            let most = padded(pairs * a.abs().max(b.abs()));
            bend = (bend.0 - most, bend.1 + most);
        }
    }
    bend
}
