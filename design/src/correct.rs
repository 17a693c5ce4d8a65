//! Coefficients with which every result is the true value rounded to nearest.
//!
//! A good polynomial can misround only inputs whose value is close to the middle between two results. The reference finds these inputs
//! once, and candidates are tried only on them: some thousands instead of 2^32. A candidate that passes is searched in full.
//!
//! In 16 bits, all inputs are used for tuning: for each of them, the result must lie between the middles to both neighbours.
//!
//! Linear programming moves the coefficients ([`lp`]). The computed result moves with them according to its derivatives, and each hard
//! input requires that its result is on a certain side of the middle.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::hard::Hard;
use crate::journal::Journal;
use crate::judge::{Candidate, Case, Problem};
use crate::lp;
use crate::strips::{Results, STRIP, Strips};
use kernels_gen::ops::Prim;

/// The hard inputs.
pub struct HardCases {
    /// The inputs.
    pub cases: Vec<Hard>,
    /// Their largest distance from a middle, in ULP.
    pub near: f64,
    /// Whether they are all inputs, each with two middles.
    pub all: bool,
}

impl HardCases {
    /// A description in words.
    #[must_use]
    pub fn describe(&self) -> String {
        match self.all {
            true => format!(
                "all inputs are tuned on, by {} inequalities",
                self.cases.len()
            ),
            false => format!(
                "{} inputs are within {:.1e} ULP of the middle of two results",
                self.cases.len(),
                self.near
            ),
        }
    }
}

/// The outcome of tuning.
#[derive(Debug, Clone)]
pub struct Tuned {
    /// The number of hard inputs that were misrounded at first.
    pub before: usize,
    /// The number of hard inputs that are still misrounded.
    pub misrounded: usize,
    /// The inputs that are still misrounded, if they are few.
    pub left: Vec<f32>,
    /// The number of sets of coefficients that were tried.
    pub tried: usize,
}

/// The largest number of inputs that can be exceptions, whose results a kernel has as constants.
pub const EXCEPTIONS: usize = 6;

impl fmt::Display for Tuned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} hard inputs misrounded, then {} ({} sets of coefficients)",
            self.before, self.misrounded, self.tried
        )
    }
}

/// The hard inputs of a problem: as many as can be processed. The journal keeps the hard inputs of each part of the inputs.
///
/// # Errors
/// If there are too many at any distance.
pub fn hard(
    problem: &Problem,
    sample: &[Case],
    stop: &AtomicBool,
    journal: &Journal,
) -> Result<HardCases, String> {
    if problem.format.stored().is_some() {
        return Ok(HardCases {
            cases: problem.intervals(problem.saturation(sample)),
            near: 1.5,
            all: true,
        });
    }
    let inputs = problem.inputs.count() as f64;
    // Some 2^15 of them, if the places of the values are random; of all numbers, one in some ten has a value that is not constant.
    let near = (2f64.powi(14) / inputs).clamp(2f64.powi(-14), 2f64.powi(-10));
    let mut xs = Vec::new();
    for part in problem.inputs.parts() {
        let step = format!(
            "inputs of {} within {near:e} of a middle at {}",
            problem.describe(),
            part.describe()
        );
        let found = || {
            let found = problem.hard(&part, near, 1 << 22, stop)?;
            Ok(found.into_iter().map(f32::to_bits).collect())
        };
        let whole = |_: &Vec<u32>| !stop.load(Ordering::Relaxed);
        let bits = journal.once(&step, found, whole)?;
        xs.extend(bits.into_iter().map(f32::from_bits));
    }
    Ok(HardCases {
        cases: problem.as_hard(&problem.with_both_signs(xs)),
        near,
        all: false,
    })
}

/// The unrounded result at each hard input, as units in the last place beyond the middle. Its sign must be that of the value's distance.
/// Returns for how many inputs the sign differs.
pub fn beyond(strips: &mut Strips, hard: &[Hard], to: &mut Vec<f64>) -> usize {
    to.clear();
    let mut misrounded = 0;
    for cases in hard.chunks(STRIP) {
        for (x, case) in strips.inputs_f32().iter_mut().zip(cases) {
            *x = case.x;
        }
        strips.run(cases.len());
        let mut add = |y: f64, stored: f64, case: &Hard| {
            to.push((y - case.middle) / (2.0 * case.half));
            misrounded += usize::from(wrong(stored - case.middle, case));
        };
        match strips.results(0) {
            // Numbers of 16 bits are made of those of binary32: a middle that is one of them can be met by this rounding.
            Results::F64(ys) => {
                for (&y, case) in ys.iter().zip(cases) {
                    let narrow = f64::from(y as f32);
                    add(y, if narrow == case.middle { narrow } else { y }, case);
                }
            }
            Results::F32(ys) => {
                for (&y, case) in ys.iter().zip(cases) {
                    add(y.into(), y.into(), case);
                }
            }
        }
    }
    misrounded
}

/// The hard inputs that are misrounded with these results.
pub fn wrongly_rounded<'a>(values: &[f64], hard: &'a [Hard]) -> impl Iterator<Item = &'a Hard> {
    let each = values.iter().zip(hard);
    each.filter(|(y, case)| wrong(**y, case))
        .map(|(_, case)| case)
}

/// The inputs that are misrounded with these results, if they are few.
pub fn left(values: &[f64], hard: &[Hard], misrounded: usize) -> Vec<f32> {
    let mut left = Vec::new();
    if misrounded <= 2 * EXCEPTIONS {
        left.extend(wrongly_rounded(values, hard).map(|case| case.x));
        left.sort_by(f32::total_cmp);
        left.dedup();
    }
    left
}

/// Whether a result at that distance beyond the middle is rounded wrongly. A result on the middle is wrong as well, since a tie may go to
/// either side.
fn wrong(y: f64, case: &Hard) -> bool {
    let right = y * case.beyond > 0.0;
    !right
}

/// The bits of a coefficient in the precision of the computation.
pub fn bits(prim: Prim, c: f64) -> u64 {
    match prim {
        Prim::F32 => u64::from((c as f32).to_bits()),
        _ => c.to_bits(),
    }
}

fn set(strips: &mut Strips, prim: Prim, values: &[f64]) {
    for (i, &c) in values.iter().enumerate() {
        strips.set(i + 1, bits(prim, c));
    }
}

/// The largest number of rounds of linear programming, and of rounds without progress.
const ROUNDS: usize = 12;
const IDLE: usize = 2;
/// The number of random moves of the last places, and the number of inputs that decide on most of them.
const MOVES: usize = 2000;
const MOVES_NARROW: usize = 50_000;
const NEAREST: usize = 256;
/// With this many misrounded inputs, a polynomial is too far off. If all inputs are tuned on, the limit is one in `HOPELESS_PART` of them.
const HOPELESS: usize = 100;
const HOPELESS_PART: usize = 256;
/// Random moves are worth trying only with this few misrounded inputs. The last places of coefficients in binary32 are large, and more
/// inputs depend on them.
const FEW: usize = 4;
/// The same limit as `FEW`, for coefficients in binary32.
pub const FEW_NARROW: usize = 64;
/// The largest distance by which a coefficient in binary32 is moved, in units in the last place of a result.
const REACH: f64 = 1.0 / 64.0;

/// Moves the coefficients of a candidate until it misrounds no hard input, if this is possible.
///
/// # Errors
/// The same as for [`Candidate::strips`].
pub fn tune(candidate: &mut Candidate, hard: &HardCases) -> Result<Tuned, String> {
    let mut strips = candidate.strips()?;
    let prim = candidate.prim();
    let all = &hard.cases;
    let mut best: Vec<f64> = candidate
        .coefficients
        .iter()
        .map(|c| c.value(prim))
        .collect();
    let mut values = Vec::new();
    let before = beyond(&mut strips, all, &mut values);
    let mut least = before;
    let mut tried = 1;
    let hopeless = match hard.all {
        true => all.len() / HOPELESS_PART,
        false => HOPELESS,
    };
    if before == 0 || before > hopeless {
        return Ok(Tuned {
            before,
            misrounded: before,
            left: Vec::new(),
            tried,
        });
    }
    // Of all inputs, those are tuned on whose middle is not far beyond the error.
    let near = near(all, &values, hard.all);
    let mut current = best.clone();
    let mut idle = 0;
    beyond(&mut strips, &near, &mut values);
    // Those in tables are not tuned.
    let tunable = !best.is_empty();
    while tunable && least > 0 && tried <= ROUNDS && idle < IDLE {
        let Some(next) = lp::step(&mut strips, prim, &near, &current, &values) else {
            break;
        };
        set(&mut strips, prim, &next);
        let now = beyond(&mut strips, &near, &mut values);
        tried += 1;
        current = next;
        idle += 1;
        if now < least {
            (least, best, idle) = (now, current.clone(), 0);
        }
    }
    // Misroundings by the evaluation's own roundings are a matter of luck. So some last places are moved at random, judged on the nearest inputs first.
    let (few, moves) = match prim {
        Prim::F32 => (FEW_NARROW, 4 * MOVES_NARROW),
        _ => (FEW, MOVES),
    };
    if tunable && least > 0 && least <= few {
        set(&mut strips, prim, &best);
        beyond(&mut strips, &near, &mut values);
        let places = lp::places(&mut strips, prim, &near, &best, REACH);
        let mut order: Vec<usize> = (0..near.len()).collect();
        let slack = |i: usize| values[i] * near[i].beyond.signum();
        order.sort_by(|&a, &b| slack(a).total_cmp(&slack(b)));
        let nearest: Vec<Hard> = order.iter().take(NEAREST).map(|&i| near[i]).collect();
        let mut seed = 0x9e37_79b9_7f4a_7c15u64;
        let mut last = 0;
        for i in 0..moves {
            // Where nothing was gained for long, nothing will be. An exception less is worth more time.
            let long = match prim {
                Prim::F32 if least <= EXCEPTIONS => MOVES_NARROW,
                Prim::F32 => MOVES_NARROW / 4,
                _ => MOVES / 4,
            };
            if i - last > long {
                break;
            }
            let each = best.iter().zip(&places);
            let next: Vec<f64> = each.map(|(&c, &p)| moved(prim, c, p, &mut seed)).collect();
            set(&mut strips, prim, &next);
            tried += 1;
            if beyond(&mut strips, &nearest, &mut values) > least {
                continue;
            }
            let now = beyond(&mut strips, &near, &mut values);
            if now < least {
                last = i;
            }
            if now <= least {
                (least, best) = (now, next);
            }
            if least == 0 {
                break;
            }
        }
    }
    set(&mut strips, prim, &best);
    let misrounded = beyond(&mut strips, all, &mut values);
    let left = left(&values, all, misrounded);
    for (c, &value) in candidate.coefficients.iter_mut().zip(&best) {
        c.bits = bits(prim, value);
    }
    Ok(Tuned {
        before,
        misrounded,
        left,
        tried,
    })
}

/// The hard inputs that a candidate with these results can misround after its coefficients are moved.
fn near(all: &[Hard], values: &[f64], some: bool) -> Vec<Hard> {
    if !some {
        return all.to_vec();
    }
    let error = |(y, case): (&f64, &Hard)| (y - case.beyond).abs();
    let errors = values.iter().zip(all).map(error);
    let largest = errors.filter(|e| e.is_finite()).fold(0.0, f64::max);
    let reach = 2.0 * largest.min(1.0) + 0.01;
    let cases = all.iter().filter(|case| case.beyond.abs() <= reach);
    cases.copied().collect()
}

/// A coefficient moved by up to this many last places, or unchanged.
fn moved(prim: Prim, c: f64, places: i64, seed: &mut u64) -> f64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    // Large and small moves alike.
    let sizes = if prim == Prim::F32 { 10 } else { 6 };
    let places = (places >> ((*seed >> 4) % sizes)).max(1);
    let places = (*seed >> 8) as i64 % (2 * places + 1) - places;
    match *seed & 1 {
        0 if prim == Prim::F32 => {
            let bits = (c as f32).to_bits();
            f64::from(f32::from_bits(bits.wrapping_add_signed(places as i32)))
        }
        0 => f64::from_bits(c.to_bits().wrapping_add_signed(places)),
        _ => c,
    }
}
