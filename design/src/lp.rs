//! The linear program of correct rounding: coefficients with which every result is on the right side of the middle.
//!
//! The unknowns are the moves of the coefficients and the margin, which is maximised. The moves are expressed in a basis that is orthogonal
//! on the hard inputs, so that no move is much larger than the others. Only few inputs bind. So the program begins with the inputs that are
//! misrounded or nearly misrounded, and adds those that its own solution would misround.

use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOutcome};

use kernels_gen::ops::Prim;

use crate::columns::{Columns, orthogonal};
use crate::correct::{beyond, bits};
use crate::hard::Hard;
use crate::strips::Strips;

/// The number of inputs at the beginning, and of inputs that are added in a round.
const FIRST: usize = 256;
const ADDED: usize = 128;
const ROUNDS: usize = 20;

/// Better coefficients from the linear program; `None` if there is no such move.
pub fn step(
    strips: &mut Strips,
    prim: Prim,
    hard: &[Hard],
    coefficients: &[f64],
    values: &[f64],
) -> Option<Vec<f64>> {
    let columns = derivatives(strips, prim, hard, coefficients);
    let (basis, factors) = orthogonal(columns)?;
    // Results and their values, in units in which a margin is about 1.
    let worst = hard.iter().zip(values);
    let worst = worst
        .map(|(h, y)| -y * h.beyond.signum())
        .fold(0.0, f64::max);
    let scale = 1.0 / worst.max(1e-12);
    let mut order: Vec<usize> = (0..hard.len()).collect();
    let slack = |i: usize| values[i] * hard[i].beyond.signum();
    order.sort_by(|&a, &b| slack(a).total_cmp(&slack(b)));
    let mut active: Vec<usize> = order.iter().copied().take(FIRST).collect();
    let mut moves: Option<Vec<f64>> = None;
    for _ in 0..ROUNDS {
        let found = solve(&active, hard, values, &basis, scale)?;
        let predicted = |i: usize| {
            let moved: f64 = basis.iter().zip(&found).map(|(q, w)| q[i] * w).sum();
            (values[i] + moved) * hard[i].beyond.signum()
        };
        let mut violated: Vec<(usize, f64)> = (0..hard.len())
            .map(|i| (i, predicted(i)))
            .filter(|&(i, p)| {
                p <= 0.5 * hard[i].step / (2.0 * hard[i].half) && !active.contains(&i)
            })
            .collect();
        moves = Some(found);
        if violated.is_empty() {
            break;
        }
        violated.sort_by(|a, b| a.1.total_cmp(&b.1));
        active.extend(violated.iter().take(ADDED).map(|v| v.0));
    }
    // Back from the basis: R delta = w.
    let mut delta = moves?;
    let n = delta.len();
    for k in (0..n).rev() {
        for j in k + 1..n {
            delta[k] -= factors[k][j] * delta[j];
        }
        delta[k] /= factors[k][k];
    }
    let moved = coefficients.iter().zip(&delta).map(|(c, d)| c + d);
    Some(moved.collect())
}

/// The change of the results with each coefficient, in ULP. The results are linear in it, or nearly so.
fn derivatives(strips: &mut Strips, prim: Prim, hard: &[Hard], coefficients: &[f64]) -> Columns {
    let mut at = |k: usize, c: f64| -> Vec<f64> {
        let mut all = Vec::with_capacity(hard.len());
        strips.set(k + 1, bits(prim, c));
        beyond(strips, hard, &mut all);
        strips.set(k + 1, bits(prim, coefficients[k]));
        all
    };
    // The roundings of binary32 would hide a small step.
    let part = match prim {
        Prim::F32 => 2f64.powi(-9),
        _ => 2f64.powi(-16),
    };
    let mut columns = Vec::new();
    for (k, &c) in coefficients.iter().enumerate() {
        let step = (c * part).abs().max(1e-30);
        let (above, below) = (at(k, c + step), at(k, c - step));
        let change = |(a, b): (&f64, &f64)| {
            let change = (a - b) / (2.0 * step);
            // An infinite result stays one.
            if change.is_finite() { change } else { 0.0 }
        };
        columns.push(above.iter().zip(&below).map(change).collect());
    }
    columns
}

/// The number of last places by which each coefficient can be moved until some result moves by `reach` units; at least 3.
pub fn places(
    strips: &mut Strips,
    prim: Prim,
    hard: &[Hard],
    coefficients: &[f64],
    reach: f64,
) -> Vec<i64> {
    let columns = derivatives(strips, prim, hard, coefficients);
    let place = |c: f64| match prim {
        Prim::F32 => c.abs() * 2f64.powi(-23),
        _ => c.abs() * 2f64.powi(-52),
    };
    let most = |(column, &c): (&Vec<f64>, &f64)| {
        let largest = column.iter().fold(0.0, |m: f64, d| m.max(d.abs()));
        let places = reach / (largest * place(c));
        // A coefficient without effect does not matter.
        if places.is_finite() {
            (places as i64).clamp(3, 1 << 16)
        } else {
            3
        }
    };
    match prim {
        Prim::F32 => columns.iter().zip(coefficients).map(most).collect(),
        _ => vec![3; coefficients.len()],
    }
}

/// The moves with the largest margin for those inputs.
fn solve(
    active: &[usize],
    hard: &[Hard],
    values: &[f64],
    basis: &[Vec<f64>],
    scale: f64,
) -> Option<Vec<f64>> {
    let mut program = Problem::new(OptimizationDirection::Maximize);
    let moves: Vec<_> = basis
        .iter()
        .map(|_| program.add_var(0.0, (-1e3, 1e3)))
        .collect();
    let margin = program.add_var(1.0, (-1e3, 10.0));
    for &i in active {
        let side = hard[i].beyond.signum();
        // side (y + moves) >= margin, but an input cannot be farther from the middle than its value is.
        let share = (hard[i].beyond.abs() * scale).min(1.0);
        let mut row: Vec<_> = moves
            .iter()
            .zip(basis)
            .map(|(&m, q)| (m, side * q[i]))
            .collect();
        row.push((margin, -share));
        let least = hard[i].step / (2.0 * hard[i].half);
        program.add_constraint(&row, ComparisonOp::Ge, (least - side * values[i]) * scale);
    }
    let SolveOutcome::Solution(solution) = program.solve().ok()? else {
        return None;
    };
    Some(moves.iter().map(|&m| solution[m] / scale).collect())
}
