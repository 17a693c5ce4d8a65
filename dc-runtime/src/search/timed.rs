//! The largest error that can be found in a range in a given time.
//!
//! A search that begins at the range's first input covers only a small part of a large range in that time. Here a part of the time is used
//! for a stratified sample ([`super::sample`]: every binade of input and result, every piece of the routine; half of it single inputs at
//! random places). The rest is used for inputs around the worst inputs found and, in binary64, for combinations of them (`envelope`). A
//! range that can be searched completely in the time is searched completely.

mod alike;
mod calls;
mod envelope;
mod jobs;
mod levels;
mod local;
mod race;
mod sources;
mod state;
mod stretches;

use std::time::{Duration, Instant};

use self::envelope::Windows;
use self::state::Search;
pub use self::state::{Taken, TimedError};
use super::engine::{self, Device, EngineError, Job, Progress, Stop};
use super::evaluator::{PointEvaluator, PointResult};
use super::plan::Plan;
use super::points::split_mix;
use super::range::{Range, Span};
use super::record::Record;
use super::sample::{Found, STRETCHES, Sample, Wanted, climb, seed, without};
use crate::model::block::{BlockResult, Worst};
use crate::model::key::Precision;
use crate::model::measure::Measure;
use crate::model::space::InputSpace;
use crate::sweep::Sweep;

/// The number of inputs of the first sample, which also gives the speed.
const FIRST: u64 = 1 << 22;
/// The share of the time after which the sample should end. The sample's size is chosen from the speed measured before.
const SAMPLING: f64 = 0.08;
/// The share of the time after which the sample is cut short, if the speed has fallen, so that time is left for inputs around the worst.
const SAMPLED: f64 = 0.12;
/// The share of the time for the levels of stretches, and the share after which their estimates are cut short.
const LEVELS: f64 = 0.08;
const LEVELLED: f64 = 0.22;
/// The share of the time for a round around the worst inputs. Many small rounds find more than few large ones, since each starts from the
/// worst inputs found so far.
const ROUND: f64 = 0.002;
/// The share of the time for a round of combinations.
const COMBINING: f64 = 0.014;
/// The binary logarithm of the number of single inputs of the sample of which the worst is known.
const SINGLES: u32 = 12;
/// The share of the time after which no round is started.
const LAST: f64 = 0.93;

/// What was searched by combining inputs with large errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Combined {
    /// The number of combinations.
    pub inputs: u64,
    /// The number of those that were evaluated in full. The errors of the others were estimated, and they are not part of the result.
    pub evaluated: u64,
    /// The number of windows that contain them.
    pub windows: usize,
}

/// The result of the search.
#[derive(Debug)]
#[non_exhaustive]
pub struct Timed {
    /// The merged result of all inputs that were searched.
    pub result: BlockResult,
    /// The worst input.
    pub worst: Option<Worst>,
    /// The number of inputs of the range.
    pub of: u128,
    /// The number of inputs of the sample, the largest error among them, and a description of the sample.
    pub sample: (u64, f64, String),
    /// The number of inputs around the worst inputs.
    pub around: u64,
    /// Combinations of inputs with large errors.
    pub combined: Combined,
    /// The number of inputs with which the levels of stretches were estimated (they are not part of the result), and the number of best
    /// stretches.
    pub levels: (u64, usize),
    /// The number of rounds around the worst inputs.
    pub rounds: u32,
    /// The number of the last rounds that found no larger error than the rounds before.
    pub idle: u32,
    /// The searched inputs, in no particular order, for pictures.
    pub taken: Vec<Taken>,
    /// The first [`engine::MOST_UNDECIDED`] inputs found that the reference could not decide.
    pub undecided: Vec<PointResult>,
    /// Whether every input of the range was searched.
    pub exhaustive: bool,
    /// Whether it was stopped before the time was over.
    pub stopped: bool,
    /// Its duration.
    pub seconds: f64,
}

impl Search<'_> {
    /// Searches a range until this share of the time is over. The worst input of each of its blocks is added to `found`. Returns what was
    /// searched, which is spread over the range.
    fn run(
        &mut self,
        range: &Range,
        share: f64,
        found: &mut Vec<Found>,
    ) -> Result<Range, TimedError> {
        let left = (share * self.time - self.elapsed()).max(0.0);
        // Something is searched even if planning took all the time, as in the engine.
        let late = left <= 0.0 && self.result.count > 0;
        if self.cut || range.spans().is_empty() || late {
            self.cut |= self.elapsed() >= self.time;
            return Ok(Range::covering(range.space(), Vec::new()));
        }
        if self.is_of_calls(range) {
            return self.run_calls(range, left, found);
        }
        let space = range.space();
        // The worst of each few single inputs: large errors may be rare in a binade, and larger ones frequent in others.
        let singles = matches!(space, InputSpace::Scattered(_));
        let plan = Plan::new(range.clone(), singles.then_some(SINGLES))?;
        let sweep = self.sweep.over(space);
        let job = Job {
            spread: Some(0..plan.blocks()),
            limit: Some(Duration::from_secs_f64(left)),
            ..Job::new(&sweep, &plan, self.devices.to_vec())
        };
        let mut records: Vec<Record> = Vec::new();
        let (before, of, spent) = (self.result, self.fit(self.time), self.elapsed());
        let outcome = engine::run(&job, &mut records, self.stop, &mut |p| {
            let mut all = p.clone();
            all.inputs += before.count;
            all.of_inputs = u128::from(of.max(all.inputs)).max(p.of_inputs);
            all.result = before.merge(&space.located(&p.result));
            (self.observe)(&all);
        })?;
        self.searching += self.elapsed() - spent;
        self.keep_undecided(outcome.undecided.iter().map(|p| PointResult {
            key: space.located_key(p.key),
            ..*p
        }));
        let over = self.stop.asked() || share >= 1.0 || self.elapsed() >= self.time;
        self.cut |= over && !outcome.complete;
        self.result = before.merge(&space.located(&outcome.progress.result));
        let worst = records.iter().map(|r| space.located(&r.result).max);
        let worst = worst.filter(|m| m.exists());
        found.extend(worst.map(|max| (max.key, max.error())));
        // Of the blocks that were begun the first inputs are searched.
        let spans = records.iter().filter(|r| r.result.count > 0);
        let spans = spans.filter_map(|r| {
            let first = plan.block(r.index)?.first;
            let last = first.checked_add_unsigned(r.result.count - 1)?;
            Some((Span { first, last }, r))
        });
        let spans: Vec<(Span, &Record)> = spans.collect();
        self.taken.extend(spans.iter().map(|(span, r)| {
            let [first, last] = [span.first, span.last].map(|key| space.located_key(key));
            Taken::new(first, last, space.located(&r.result))
        }));
        if outcome.complete {
            return Ok(range.clone());
        }
        let spans = spans.iter().map(|(span, _)| *span).collect();
        Ok(Range::covering(range.space(), spans))
    }
}

impl Search<'_> {
    /// The worst input, evaluated again in plain Rust, whose bits must be the same.
    fn worst_again(&self) -> Result<Option<Worst>, TimedError> {
        let max = self.result.max;
        if !max.exists() {
            return Ok(None);
        }
        let points = PointEvaluator::plain(self.sweep).evaluate(&[max.key]);
        let points = points.map_err(EngineError::from)?;
        let worst = points.first().map(|p| p.worst(self.sweep.precision));
        let full = self.sweep.measure == Measure::Full;
        match worst {
            Some(w) if full && w.error.to_bits() != max.error_bits => {
                let names = self.devices.iter().map(|d| d.backend.id().to_string());
                Err(TimedError::Engine(EngineError::OtherBits {
                    backend: names.collect::<Vec<_>>().join(", "),
                    input: self.sweep.inputs.input(max.key),
                    fields: "largest error".into(),
                }))
            }
            worst => Ok(worst),
        }
    }
}

/// Searches as much of a range as possible in a given time.
///
/// # Errors
/// If a backend fails.
pub fn search(
    sweep: &Sweep,
    range: &Range,
    devices: &[Device],
    time: Duration,
    stop: &Stop,
    observe: &mut dyn FnMut(&Progress),
) -> Result<Timed, TimedError> {
    let mut search = Search {
        sweep,
        devices,
        stop,
        observe,
        begun: Instant::now(),
        time: time.as_secs_f64(),
        result: BlockResult::EMPTY,
        undecided: Vec::new(),
        taken: Vec::new(),
        searching: 0.0,
        apart: 0,
        cut: false,
    };
    let of = range.count();
    let ordered = range.space().is_ordered();
    let mut random = seed(sweep.name);
    let mut found = Vec::new();

    // Inputs that cannot be ordered have no neighbours: their sample takes all of the time.
    let (target, share) = match ordered {
        true => (SAMPLING, SAMPLED),
        false => (LAST, 1.0),
    };
    let first = Sample::of_stretches(sweep, range, &Wanted::of(sweep, FIRST / 2));
    let mut whole = first.is_exhaustive();
    let share = if whole { 1.0 } else { share };
    // Where a function is slow, half of the sample's time remains for single inputs.
    let half = if ordered && !whole {
        share / 2.0
    } else {
        share
    };
    let mut done = search.run(&first.range, half, &mut found)?;
    let mut text = first.describe();
    // Stretches cost less than single inputs, which are searched once it is known that the time does not suffice for all.
    let mut second = first;
    let left = search.time - search.elapsed();
    let rest = without(range, &done);
    if !whole && rest.count() <= u128::from(search.fit(0.95 * left)) {
        search.run(&rest, 1.0, &mut found)?;
        (whole, text) = (!range.space().is_sample(), None);
        done = range.clone();
    } else if !whole {
        let known: Vec<i64> = found.iter().map(|f: &Found| f.0).take(1).collect();
        let inputs = search.fit(target * search.time - search.elapsed());
        let wanted = Wanted {
            inputs: inputs.max(FIRST),
            // A device needs a launch per stretch, whose overhead must stay small.
            stretches: (inputs >> 14).clamp(STRETCHES, 4 * STRETCHES),
            seed: split_mix(&mut random),
            known: &known,
        };
        second = Sample::of_stretches(sweep, range, &wanted.halved());
        if wanted.inputs > FIRST {
            // Each gets half of the sample's remaining time: single inputs take more time than stretches.
            let now = search.elapsed() / search.time;
            let until = if ordered {
                now + (share - now) / 2.0
            } else {
                share
            };
            let part = search.run(&without(&second.range, &done), until, &mut found)?;
            done = done.union(&part);
        }
        let taken = second.range.union(&done);
        second = second.with_singles(sweep, range, &taken, &wanted);
        text = second.describe().or(text);
        if let Some(singles) = &second.singles {
            search.run(singles, share, &mut found)?;
        }
    }
    let sample = (
        search.result.count,
        search.largest(),
        text.unwrap_or_default(),
    );

    let (mut rounds, mut idle) = (0, 0);
    let mut windows = Windows::new();
    let combines = matches!(range.space(), InputSpace::Numbers(Precision::F64))
        && sweep.measure == Measure::Full;
    let mut levels = (0, 0);
    if combines && !whole && !search.cut {
        let shares = (LEVELS, LEVELLED);
        let (of, seed) = ((range, &second), split_mix(&mut random));
        let (best, inputs) = search.levels(of, shares, seed, &mut found, &mut done)?;
        levels = (inputs, best.len());
        windows.open_in(&best, &found);
    }
    let levelled = search.result.count;
    while !whole && ordered && !search.cut && search.elapsed() < LAST * search.time {
        let inputs = search.fit((ROUND * search.time).min(0.9 * (search.time - search.elapsed())));
        let (before, seed) = (search.largest(), split_mix(&mut random));
        let left = without(range, &done);
        let around = climb(&left, inputs, seed, &mut found, |part, found| {
            let part = second.without_singles(part);
            search.run(&part, 1.0, found).map(drop)
        })?;
        if around.spans().is_empty() {
            break;
        }
        done = done.union(&around);
        rounds += 1;
        if combines && !search.cut {
            let left = LAST * search.time - search.elapsed();
            let (of, seconds) = ((range, &second), (COMBINING * search.time).min(left));
            windows.round(&mut search, of, seconds, &mut random, &mut found, &mut done)?;
        }
        idle = if search.largest() > before {
            0
        } else {
            idle + 1
        };
    }
    let worst = search.worst_again()?;
    let seconds = search.elapsed();
    Ok(Timed {
        result: search.result,
        worst,
        of,
        around: search.result.count - levelled - windows.evaluated,
        levels,
        combined: Combined {
            inputs: windows.inputs,
            evaluated: windows.evaluated,
            windows: windows.count(),
        },
        sample,
        rounds,
        idle,
        taken: search.taken,
        undecided: {
            search.undecided.sort_unstable_by_key(|p| p.key);
            search.undecided
        },
        exhaustive: whole && !search.cut,
        stopped: search.cut && seconds < LAST * search.time,
        seconds,
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::search::testing::{Fake, SWEEP};

    /// The situation of a machine so slow that planning takes all the time.
    #[test]
    fn something_is_searched_without_any_time() {
        let sweep = Sweep {
            range: "1.0..2.0",
            ..SWEEP
        };
        let range = Range::parse(sweep.range, sweep.precision).expect("a range");
        let device = Device {
            backend: Fake::new("scalar").shared(),
            workers: 1,
        };
        let time = Duration::ZERO;
        let found = search(&sweep, &range, &[device], time, &Stop::new(), &mut |_| {});
        let found = found.expect("a search");
        assert!(found.result.count > 0 && found.worst.is_some(), "{found:?}");
    }

    /// The speed falls after the first sample, which determines the size of the second.
    #[test]
    fn time_is_left_for_the_worst_where_the_speed_falls() {
        let sweep = Sweep {
            range: "1.0..2.0",
            ..SWEEP
        };
        let range = Range::parse(sweep.range, sweep.precision).expect("a range");
        let device = Device {
            backend: Fake {
                slow: Some((
                    Arc::new((FIRST + FIRST / 2).into()),
                    Duration::from_millis(10),
                )),
                ..Fake::new("scalar")
            }
            .shared(),
            workers: 1,
        };
        let time = Duration::from_secs(2);
        let found = search(&sweep, &range, &[device], time, &Stop::new(), &mut |_| {});
        let found = found.expect("a search");
        println!("{found:?}");
        assert!(!found.stopped && !found.exhaustive);
        assert!(found.rounds > 0 && found.around > 0);
    }
}
