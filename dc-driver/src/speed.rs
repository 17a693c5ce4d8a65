//! The time per value of several candidates, measured in turn in one run.

use std::hint::black_box;
use std::time::{Duration, Instant};

use super::failure::Failure;
use dc_runtime::model::candidate::Candidate;
use dc_runtime::search::range::Range;
use dc_runtime::search::sample::{Sample, Wanted};
use dc_runtime::sweep::Sweep;

/// The number of inputs at which time is measured. A worker of a library receives this many inputs at a time, so that waking it costs
/// little in comparison.
pub(super) const MEASURED: u64 = 1 << 16;
/// The number of rounds of the measurement. In each round, all candidates run in turn, in a different order than in the round before.
pub(super) const ROUNDS: usize = 25;
/// The shortest time of a candidate's turn.
const TURN: Duration = Duration::from_millis(2);

/// The speed of a candidate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Speed {
    /// Nanoseconds per value in its fastest turn: other programs can only make a turn slower.
    pub nanoseconds: f64,
    /// The median, over all rounds, of the ratio of its time to that of the first candidate in the same round.
    pub ratio: f64,
    /// The quartiles of these ratios.
    pub quartiles: [f64; 2],
}

/// A call of a candidate at all inputs of the measurement.
pub(super) type Call<'a> = Box<dyn FnMut() -> Result<(), Failure> + 'a>;

/// The time of each candidate per value, at the same inputs of a sample.
pub(super) fn of_candidates(
    all: &[Candidate],
    (first, range): (&Sweep, &Range),
) -> Result<Vec<Speed>, Failure> {
    let inputs = &inputs(first, range);
    let count = inputs.first().map_or(0, Vec::len);
    let call = |candidate: &'_ Candidate| {
        let candidate = *candidate;
        let mut outputs = vec![Vec::with_capacity(count)];
        let call: Call<'_> = Box::new(move || {
            candidate.eval(black_box(inputs), &mut outputs)?;
            black_box(&outputs);
            Ok(())
        });
        call
    };
    let mut calls: Vec<Call<'_>> = all.iter().map(call).collect();
    in_turn(&mut calls, count)
}

/// The time of each call per value, for `count` values.
pub(super) fn in_turn(all: &mut [Call<'_>], count: usize) -> Result<Vec<Speed>, Failure> {
    let mut rounds = Vec::with_capacity(ROUNDS);
    // The first round does not count: workers of libraries start, and columns are paged in.
    for round in 0..=ROUNDS {
        let mut times = vec![0.0; all.len()];
        for i in 0..all.len() {
            let i = (i + round) % all.len();
            let begun = Instant::now();
            let mut calls = 0;
            while begun.elapsed() < TURN {
                all[i]()?;
                calls += 1;
            }
            let values = f64::from(calls) * count as f64;
            times[i] = begun.elapsed().as_secs_f64() * 1e9 / values;
        }
        rounds.push(times);
    }
    Ok(speeds(&rounds[1..]))
}

/// The speeds of candidates, from their times per value in each round.
fn speeds(rounds: &[Vec<f64>]) -> Vec<Speed> {
    let candidates = rounds.first().map_or(0, Vec::len);
    (0..candidates)
        .map(|i| {
            let mut ratios: Vec<f64> = rounds.iter().map(|r| r[i] / r[0]).collect();
            ratios.sort_unstable_by(f64::total_cmp);
            let at = |part: usize| ratios[(ratios.len() - 1) * part / 4];
            let times = rounds.iter().map(|r| r[i]);
            Speed {
                nanoseconds: times.fold(f64::INFINITY, f64::min),
                ratio: at(2),
                quartiles: [at(1), at(3)],
            }
        })
        .collect()
}

/// Columns of inputs from the whole range.
fn inputs(first: &Sweep, range: &Range) -> Vec<Vec<u64>> {
    let sample = Sample::of(first, range, &Wanted::of(first, MEASURED));
    let mut inputs = vec![Vec::new(); range.space().arguments().len()];
    for part in sample.parts() {
        let keys = part.spans().iter().flat_map(|s| s.first..=s.last);
        let columns = part.space().columns(keys.take(MEASURED as usize));
        for (all, column) in inputs.iter_mut().zip(columns) {
            all.extend(column);
        }
    }
    inputs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_those_within_a_round() {
        // The machine is twice as slow in every other round, and once nine times as slow for the second candidate alone.
        let mut rounds: Vec<Vec<f64>> = (0..25)
            .map(|i| if i % 2 == 0 { 1.0 } else { 2.0 })
            .map(|slow| vec![10.0 * slow, 30.0 * slow])
            .collect();
        rounds[7][1] *= 9.0;
        let found = speeds(&rounds);
        let [first, second] = found[..] else {
            panic!("{found:?}")
        };
        assert_eq!((first.nanoseconds, second.nanoseconds), (10.0, 30.0));
        assert_eq!((first.ratio, first.quartiles), (1.0, [1.0; 2]));
        assert_eq!((second.ratio, second.quartiles), (3.0, [3.0; 2]));
    }
}
