//! The comparison of two candidates for a given time: a sample, then inputs around the largest differences, in the same way as
//! [`crate::search::timed`]. A range that can be compared completely in this time is compared completely.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::{DifferError, Differences, until};
use crate::model::candidate::Candidate;
use crate::search::engine::Stop;
use crate::search::points::split_mix;
use crate::search::range::Range;
use crate::search::sample::{Found, STRETCHES, Sample, Wanted, climb, seed, without};
use crate::sweep::Sweep;

/// The number of inputs with which the speed is measured. They are compared again later.
const TRIAL: u64 = 1 << 17;
/// The share of the time for the sample. After it, no round around the largest differences is started.
const SAMPLING: f64 = 0.6;
const LAST: f64 = 0.93;
/// The share of the time of a round.
const ROUND: f64 = 0.01;

/// The result of such a comparison.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Timed {
    /// The differences at all compared inputs.
    pub differences: Differences,
    /// The number of inputs of the sample, and a description of it. `None` if every input was compared.
    pub sample: Option<(u64, String)>,
    /// The number of inputs around the largest differences, and of the rounds in which they were compared.
    pub around: (u64, u32),
    /// The comparison's duration in seconds.
    pub seconds: f64,
}

/// Compares the candidate of a sweep with another one at as many inputs of a range as possible in this time. The sample is cut at the
/// sweep's binades and pieces.
///
/// # Errors
/// As for [`super::compare`].
pub fn timed(
    (sweep, other): (&Sweep, &Candidate),
    range: &Range,
    threads: usize,
    time: Duration,
    stop: &Stop,
) -> Result<Timed, DifferError> {
    let candidates = [&sweep.candidate, other];
    let begun = Instant::now();
    let elapsed = || begun.elapsed().as_secs_f64();
    let total = time.as_secs_f64();
    let end = begun + time;
    let found: Mutex<Vec<Found>> = Mutex::default();
    let observe = |d: &Differences| {
        // Nothing is farther from a number than a NaN.
        let at = d.largest.map(|(steps, at)| (at.key, steps as f64));
        let nan = d.first.filter(|_| d.nan > 0).map(|at| (at.key, f64::MAX));
        let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
        found.extend(at.or(nan));
    };
    let compare = |range: &Range, end: Instant| {
        until(candidates, range, threads, (stop, Some(end)), &observe)
    };
    let mut random = seed(sweep.name);
    let trial = Wanted {
        stretches: 64,
        ..Wanted::of(sweep, TRIAL)
    };
    let trial = Sample::of(sweep, range, &trial);
    let before = elapsed();
    let mut tried = Differences::default();
    for part in trial.parts() {
        tried = tried.merge(until(
            candidates,
            part,
            threads,
            (stop, Some(end)),
            &|_| {},
        )?);
    }
    let rate = tried.inputs as f64 / (elapsed() - before).max(1e-6);
    let fit = |seconds: f64| (rate * seconds.max(0.0)) as u64;
    let ordered = range.space().is_ordered();
    if range.count() <= u128::from(fit(LAST * total - elapsed())) {
        let differences = compare(range, end)?;
        let whole = u128::from(differences.inputs) == range.count() && !range.space().is_sample();
        return Ok(Timed {
            differences,
            sample: (!whole).then(|| (differences.inputs, String::new())),
            around: (0, 0),
            seconds: elapsed(),
        });
    }
    let share = if ordered { SAMPLING } else { LAST };
    let wanted = Wanted {
        inputs: fit(share * total - elapsed()).max(TRIAL),
        stretches: STRETCHES,
        seed: split_mix(&mut random),
        known: &[],
    };
    let sample = Sample::of(sweep, range, &wanted);
    let mut differences = Differences::default();
    let parts: Vec<&Range> = sample.parts().collect();
    for (i, part) in parts.iter().enumerate() {
        // Each part gets its share of the remaining time, in case the speed has fallen since it was measured.
        let left = (LAST * total - elapsed()).max(0.0) / (parts.len() - i) as f64;
        let end = Instant::now() + Duration::from_secs_f64(left);
        differences = differences.merge(compare(part, end)?);
    }
    let sampled = differences.inputs;
    let mut done = sample.range.clone();
    let mut rounds = 0;
    while ordered && differences.differing > 0 && !stop.asked() && elapsed() < LAST * total {
        let left = without(range, &done);
        let mut best = std::mem::take(&mut *found.lock().unwrap_or_else(PoisonError::into_inner));
        let inputs = fit(ROUND * total).max(1 << 10);
        let seed = split_mix(&mut random);
        let around = climb(&left, inputs, seed, &mut best, |part, best| {
            let part = sample.without_singles(part);
            differences = differences.merge(compare(&part, end)?);
            best.append(&mut found.lock().unwrap_or_else(PoisonError::into_inner));
            Ok::<(), DifferError>(())
        })?;
        *found.lock().unwrap_or_else(PoisonError::into_inner) = best;
        if around.spans().is_empty() {
            break;
        }
        done = done.union(&around);
        rounds += 1;
    }
    Ok(Timed {
        differences,
        sample: Some((sampled, sample.describe().unwrap_or_default())),
        around: (differences.inputs - sampled, rounds),
        seconds: elapsed(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::host::HostFunction;
    use crate::model::key::Precision;

    /// The largest difference is at one place; the climb comes closer to it than the sample.
    #[test]
    fn differences_are_climbed_and_small_ranges_compared_completely() {
        const PEAK: f64 = 1.432_098_765_4;
        let sweep = Sweep {
            candidate: Candidate::Host(HostFunction::f64("same", |x| x)),
            cpu: None,
            ..crate::search::testing::SWEEP
        };
        let other = Candidate::Host(HostFunction::f64("peak", |x| {
            let steps = 1e-3 / ((x - PEAK).abs() + 1e-9);
            f64::from_bits(x.to_bits() + steps as u64)
        }));
        let run = |text: &str, seconds: f64| {
            let range = Range::parse(text, Precision::F64).expect("a range");
            let time = Duration::from_secs_f64(seconds);
            timed((&sweep, &other), &range, 2, time, &Stop::new()).expect("a comparison")
        };
        // On a busy machine the sample may take the time of the rounds.
        let with_rounds = |seconds| Some(run("1.0..2.0", seconds)).filter(|f| f.around.1 > 4);
        let found = [6.0, 24.0, 96.0].into_iter().find_map(with_rounds);
        let found = found.expect("rounds around the largest differences");
        let (sampled, text) = found.sample.expect("a sample");
        assert!(
            sampled > 1 << 16 && text.contains("single inputs"),
            "{text}"
        );
        assert_eq!(found.differences.inputs, sampled + found.around.0);
        let (steps, at) = found.differences.largest.expect("a difference");
        let x = Precision::F64.value_of_key(at.key);
        assert!(steps > 10_000 && (x - PEAK).abs() < 1e-7, "{steps} at {x}");
        let small = run("1.0..=0x1.0000000010p0", 5.0);
        assert!(small.sample.is_none());
        assert_eq!(small.differences.inputs, (1 << 16) + 1);
    }
}
