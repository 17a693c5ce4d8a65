//! The linear program for the smallest largest error.
//!
//! The error at an input is nearly linear in each constant. So the constants with the smallest largest error on some inputs solve a linear
//! program, whose unknowns are the moves of the constants and that error. The moved constants are rounded to their format one by one, starting
//! with the constant whose last place matters most. After each rounding, the remaining constants are solved for again.

use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOutcome};

use super::cases::Cases;
use super::tuner::{Tuner, bits, moved, value};
use crate::columns::orthogonal;

/// The number of inputs with the largest errors, and the number of other inputs.
const INPUTS: usize = 4096;
/// The number of inputs of the first program, and of inputs that are added in a round.
const FIRST: usize = 192;
const ADDED: usize = 64;
const ROUNDS: usize = 12;
/// Constants whose last place changes a result by less, in ULP, are rounded together.
const SMALL: f64 = 0.02;
/// The change of a result from which a derivative is taken, in ULP, by the bits of the constants' format.
const CHANGE: f64 = 256.0;
/// The largest number of constants that are moved at once.
const MOST: usize = 64;

struct Column {
    /// The constant.
    n: usize,
    /// The change of each error for a step, in ULP.
    change: Vec<f64>,
    /// The step.
    step: f64,
    /// The largest change of an error for a change of the constant by one last place.
    place: f64,
}

/// Better constants from the linear program; `None` if there is no such move.
pub(super) fn step(tuner: &mut Tuner<'_>, now: &[u64]) -> Option<Vec<u64>> {
    let worst = INPUTS.min(tuner.cases.len());
    let mut numbers: Vec<usize> = (0..worst).collect();
    let rest = tuner.cases.len() - worst;
    numbers.extend((0..INPUTS.min(rest)).map(|i| worst + i * rest / INPUTS.min(rest)));
    let cases = tuner.cases.of(&numbers);
    let mut errors = tuner.errors_at(&cases);
    if errors.iter().any(|e| !e.is_finite()) {
        return None;
    }
    let mut columns: Vec<Column> = (0..now.len())
        .filter_map(|n| column(tuner, &cases, n, now[n]))
        .collect();
    columns.sort_by(|a, b| b.place.total_cmp(&a.place));
    columns.truncate(MOST);
    let mut out = now.to_vec();
    while !columns.is_empty() {
        let moves = solve(&columns, &errors)?;
        let together = columns[0].place < SMALL;
        let count = if together { columns.len() } else { 1 };
        for (column, by) in columns.drain(..count).zip(moves) {
            let ty = tuner.ty(column.n);
            let old = value(ty, now[column.n]);
            let new = bits(ty, old + by * column.step);
            // No move may change a sign.
            if !value(ty, new).is_finite() || value(ty, new) * old <= 0.0 {
                return None;
            }
            out[column.n] = new;
            let by = (value(ty, new) - old) / column.step;
            errors
                .iter_mut()
                .zip(&column.change)
                .for_each(|(e, c)| *e += by * c);
        }
    }
    (out != now).then_some(out)
}

/// The change of the errors with a constant; `None` if they do not change.
fn column(tuner: &mut Tuner<'_>, cases: &Cases, n: usize, now: u64) -> Option<Column> {
    let ty = tuner.ty(n);
    let mut places = 1i64;
    loop {
        let (Some(above), Some(below)) = (moved(ty, now, places), moved(ty, now, -places)) else {
            tuner.set(n, now);
            return None;
        };
        tuner.set(n, above);
        let high = tuner.errors_at(cases);
        tuner.set(n, below);
        let low = tuner.errors_at(cases);
        tuner.set(n, now);
        let change: Vec<f64> = high.iter().zip(&low).map(|(a, b)| (a - b) / 2.0).collect();
        let largest = change.iter().fold(0.0, |m: f64, c| m.max(c.abs()));
        if !largest.is_finite() {
            return None;
        }
        // An eighth of the constant is not a small change any more.
        let far = value(ty, above).abs() > 1.125 * value(ty, now).abs();
        if largest >= CHANGE || far {
            if largest < 1.0 {
                return None;
            }
            let step = (value(ty, above) - value(ty, below)) / 2.0;
            let place = value(ty, moved(ty, now, 1)?) - value(ty, now);
            return Some(Column {
                n,
                step,
                place: largest * (place / step).abs(),
                change,
            });
        }
        places <<= 4;
    }
}

/// The moves of the columns with the smallest largest error.
fn solve(columns: &[Column], errors: &[f64]) -> Option<Vec<f64>> {
    let matrix: Vec<Vec<f64>> = columns.iter().map(|c| c.change.clone()).collect();
    let (basis, factors) = orthogonal(matrix)?;
    let mut order: Vec<usize> = (0..errors.len()).collect();
    order.sort_by(|&a, &b| errors[b].abs().total_cmp(&errors[a].abs()));
    let mut active: Vec<usize> = order.iter().copied().take(FIRST).collect();
    let mut found = Vec::new();
    for _ in 0..ROUNDS {
        let (moves, most) = least(&active, errors, &basis)?;
        let predicted = |i: usize| {
            let by: f64 = basis.iter().zip(&moves).map(|(q, w)| q[i] * w).sum();
            (errors[i] + by).abs()
        };
        let mut above: Vec<(usize, f64)> = (0..errors.len())
            .map(|i| (i, predicted(i)))
            .filter(|&(i, e)| e > most * 1.0005 && !active.contains(&i))
            .collect();
        found = moves;
        if above.is_empty() {
            break;
        }
        above.sort_by(|a, b| b.1.total_cmp(&a.1));
        active.extend(above.iter().take(ADDED).map(|a| a.0));
    }
    // Back from the basis: R delta = w.
    let mut delta = found;
    let n = delta.len();
    for k in (0..n).rev() {
        for j in k + 1..n {
            delta[k] -= factors[k][j] * delta[j];
        }
        delta[k] /= factors[k][k];
    }
    Some(delta)
}

/// The moves in the basis with the smallest largest error at some inputs, and this error.
fn least(active: &[usize], errors: &[f64], basis: &[Vec<f64>]) -> Option<(Vec<f64>, f64)> {
    let mut program = Problem::new(OptimizationDirection::Minimize);
    let moves: Vec<_> = basis
        .iter()
        .map(|_| program.add_var(0.0, (-1e6, 1e6)))
        .collect();
    let most = program.add_var(1.0, (0.0, f64::INFINITY));
    for &i in active {
        for sign in [1.0, -1.0] {
            // sign (error + moves) <= most
            let mut row: Vec<_> = moves
                .iter()
                .zip(basis)
                .map(|(&m, q)| (m, sign * q[i]))
                .collect();
            row.push((most, -1.0));
            program.add_constraint(&row, ComparisonOp::Le, -sign * errors[i]);
        }
    }
    let SolveOutcome::Solution(solution) = program.solve().ok()? else {
        return None;
    };
    let found = moves.iter().map(|&m| solution[m]).collect();
    Some((found, solution[most]))
}
