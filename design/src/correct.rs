//! Coefficients for which every result is the true value, rounded to nearest.
//!
//! A good polynomial can misround only inputs whose value is close to the middle of two results. The reference finds them
//! once, and a candidate is tried only on them: some thousands instead of 2^32. A candidate that passes is searched in full.
//!
//! Linear programming moves the coefficients ([`lp`]). The computed result moves with them according to its derivatives, and each hard
//! input requires that its result is on a certain side of the middle.

use std::fmt;
use std::sync::atomic::AtomicBool;

use crate::judge::{Candidate, Hard, Problem};
use crate::lp;
use crate::strips::{Results, STRIP, Strips};

/// The hard inputs.
pub struct HardCases {
    /// The inputs.
    pub cases: Vec<Hard>,
    /// Their largest distance from a middle, in ULP.
    pub near: f64,
}

/// The outcome of tuning.
#[derive(Debug, Clone, Copy)]
pub struct Tuned {
    /// The number of hard inputs that were misrounded at first.
    pub before: usize,
    /// The number of hard inputs that are still misrounded.
    pub misrounded: usize,
    /// The number of sets of coefficients that were tried.
    pub tried: usize,
}

impl fmt::Display for Tuned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} hard inputs misrounded, then {} ({} sets of coefficients)",
            self.before, self.misrounded, self.tried
        )
    }
}

/// The hard inputs of a problem: as many as can be processed.
///
/// # Errors
/// If there are too many at any distance.
pub fn hard(problem: &Problem, stop: &AtomicBool) -> Result<HardCases, String> {
    let inputs = problem.range.count() as f64;
    // Some 2^15 of them, if the places of the values are random; of all numbers, one in some ten has a value that is not constant.
    let near = (2f64.powi(14) / inputs).clamp(2f64.powi(-14), 2f64.powi(-10));
    let cases = problem.hard(near, 1 << 22, stop)?;
    Ok(HardCases { cases, near })
}

/// The result at each hard input, before it is rounded, as units of the last place beyond the middle: its sign has to be that of the
/// value's.
fn beyond(strips: &mut Strips, hard: &[Hard], to: &mut Vec<f64>) {
    to.clear();
    for cases in hard.chunks(STRIP) {
        for (x, case) in strips.inputs_f32().iter_mut().zip(cases) {
            *x = case.x;
        }
        strips.run(cases.len());
        if let Results::F64(results) = strips.results(0) {
            let difference = results.iter().zip(cases);
            to.extend(difference.map(|(y, case)| (y - case.middle) / (2.0 * case.half)));
        }
    }
}

/// Whether a result that far beyond the middle is rounded wrongly: on it is wrong as well, since a tie goes to either side.
fn wrong(y: f64, case: &Hard) -> bool {
    y * case.beyond <= 0.0
}

fn count(values: &[f64], hard: &[Hard]) -> usize {
    values
        .iter()
        .zip(hard)
        .filter(|(y, case)| wrong(**y, case))
        .count()
}

fn set(strips: &mut Strips, values: &[f64]) {
    for (i, c) in values.iter().enumerate() {
        strips.set(i + 1, c.to_bits());
    }
}

/// The rounds of linear programming, and those without progress.
const ROUNDS: usize = 12;
const IDLE: usize = 2;
/// Random moves of the last places, and the inputs that decide on most of them.
const MOVES: usize = 2000;
const NEAREST: usize = 256;
/// With so many misrounded inputs a polynomial is too far off.
const HOPELESS: usize = 100;

/// Moves the coefficients of a candidate that computes in binary64 until it misrounds no hard input, if this is possible.
///
/// # Errors
/// As for [`Candidate::strips`].
pub fn tune(candidate: &mut Candidate, hard: &HardCases) -> Result<Tuned, String> {
    let mut strips = candidate.strips()?;
    let cases = &hard.cases;
    let mut best: Vec<f64> = candidate
        .coefficients
        .iter()
        .map(|c| f64::from_bits(c.bits))
        .collect();
    let mut values = Vec::new();
    beyond(&mut strips, cases, &mut values);
    let before = count(&values, cases);
    let mut least = before;
    let mut tried = 1;
    let mut current = best.clone();
    let mut idle = 0;
    while least > 0 && before <= HOPELESS && tried <= ROUNDS && idle < IDLE {
        let Some(next) = lp::step(&mut strips, cases, &current, &values) else {
            break;
        };
        set(&mut strips, &next);
        beyond(&mut strips, cases, &mut values);
        tried += 1;
        let now = count(&values, cases);
        current = next;
        idle += 1;
        if now < least {
            (least, best, idle) = (now, current.clone(), 0);
        }
    }
    // What the roundings of the evaluation misround is a matter of luck: moves of some last places, judged on the nearest inputs first.
    if least > 0 && least <= 4 {
        set(&mut strips, &best);
        beyond(&mut strips, cases, &mut values);
        let mut order: Vec<usize> = (0..cases.len()).collect();
        order.sort_by(|&a, &b| values[a].abs().total_cmp(&values[b].abs()));
        let nearest: Vec<Hard> = order.iter().take(NEAREST).map(|&i| cases[i]).collect();
        let mut seed = 0x9e37_79b9_7f4a_7c15u64;
        for _ in 0..MOVES {
            let next: Vec<f64> = best.iter().map(|&c| moved(c, &mut seed)).collect();
            set(&mut strips, &next);
            beyond(&mut strips, &nearest, &mut values);
            tried += 1;
            if count(&values, &nearest) > least {
                continue;
            }
            beyond(&mut strips, cases, &mut values);
            let now = count(&values, cases);
            if now <= least {
                (least, best) = (now, next);
            }
            if least == 0 {
                break;
            }
        }
    }
    for (c, value) in candidate.coefficients.iter_mut().zip(&best) {
        c.bits = value.to_bits();
    }
    Ok(Tuned {
        before,
        misrounded: least,
        tried,
    })
}

/// A coefficient some last places off, or as it is.
fn moved(c: f64, seed: &mut u64) -> f64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    match *seed & 1 {
        0 => f64::from_bits(c.to_bits().wrapping_add_signed((*seed >> 8) as i64 % 7 - 3)),
        _ => c,
    }
}
