//! Short stretches of a function that is called, many in one call.
//!
//! A library's function is called in another process, and a device's in a launch. A call for each of some thousand stretches takes longer
//! than the function itself. So the inputs of many stretches are evaluated together. The result of each stretch is that of the engine.

use super::calls::each;
use super::state::{Search, Taken, TimedError};
use crate::model::block::BlockResult;
use crate::model::candidate::Candidate;
use crate::model::measure::Measure;
use crate::model::space::InputSpace;
use crate::search::engine;
use crate::search::evaluator::{PointEvaluator, PointResult};
use crate::search::range::{Range, Span};
use crate::search::sample::Found;

/// The engine searches stretches with more inputs than this, each in separate calls.
const SHORT: u128 = 1 << 12;
/// The number of inputs of a call.
const TOGETHER: u128 = 1 << 15;
/// The number of calls per thread between two checks of the time.
const CALLS: usize = 4;

/// Stretches that are evaluated in one call.
#[derive(Default)]
struct Call {
    stretches: Vec<Span>,
    results: Vec<BlockResult>,
    undecided: Vec<PointResult>,
}

impl Call {
    fn run(&mut self, evaluator: &mut PointEvaluator) -> Result<(), engine::EngineError> {
        let keys = |s: &Span| s.first..=s.last;
        let all: Vec<i64> = self.stretches.iter().flat_map(keys).collect();
        let points = evaluator.evaluate(&all)?;
        self.undecided
            .extend(points.iter().filter(|p| p.is_undecided()).copied());
        let mut rest = &points[..];
        for stretch in &self.stretches {
            let (own, others) = rest.split_at(stretch.count() as usize);
            let mut result = BlockResult::EMPTY;
            own.iter().for_each(|p| p.add_to(&mut result));
            self.results.push(result);
            rest = others;
        }
        Ok(())
    }
}

/// Calls for stretches. Each call is spread over all of them, so the first calls are spread too.
fn calls(stretches: &[Span]) -> Vec<Call> {
    let inputs: u128 = stretches.iter().map(|s| s.count()).sum();
    let count = inputs.div_ceil(TOGETHER).clamp(1, stretches.len() as u128) as usize;
    let mut calls: Vec<Call> = (0..count).map(|_| Call::default()).collect();
    for (i, &stretch) in stretches.iter().enumerate() {
        calls[i % count].stretches.push(stretch);
    }
    calls
}

impl Search<'_> {
    /// Whether a range consists of short stretches at which a function is called.
    pub(super) fn is_of_calls(&self, range: &Range) -> bool {
        let short = range.count() <= SHORT * range.spans().len() as u128;
        let kernel = matches!(self.sweep.candidate, Candidate::Kernel(_));
        let numbers = matches!(range.space(), InputSpace::Numbers(_));
        !kernel && short && numbers && self.sweep.measure == Measure::Full
    }

    /// Searches such a range until `seconds` have passed; the worst input of each stretch is added to `found`. Returns what was searched.
    pub(super) fn run_calls(
        &mut self,
        range: &Range,
        seconds: f64,
        found: &mut Vec<Found>,
    ) -> Result<Range, TimedError> {
        let begun = self.elapsed();
        let mut left = calls(range.spans()).into_iter();
        let mut done: Vec<Span> = Vec::new();
        let mut complete = true;
        loop {
            let some: Vec<Call> = left.by_ref().take(CALLS * self.threads()).collect();
            if some.is_empty() {
                break;
            }
            // Something is searched even if planning took all the time, as in the engine.
            if self.stop.asked() || !done.is_empty() && self.elapsed() - begun >= seconds {
                complete = false;
                break;
            }
            let work = |call: &mut Call, evaluator: &mut PointEvaluator| call.run(evaluator);
            for call in each(self, some, work)? {
                self.keep_undecided(call.undecided);
                for (stretch, result) in call.stretches.iter().zip(&call.results) {
                    self.result = self.result.merge(result);
                    let (first, last) = (stretch.first, stretch.last);
                    self.taken.push(Taken::new(first, last, *result));
                    if result.max.exists() {
                        found.push((result.max.key, result.max.error()));
                    }
                }
                done.extend(call.stretches);
            }
            self.report();
        }
        self.searching += self.elapsed() - begun;
        self.cut |= !complete && (self.stop.asked() || self.elapsed() >= self.time);
        Ok(match complete {
            true => range.clone(),
            false => Range::covering(range.space(), done),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::builtins::reference::computes;
    use crate::model::host::HostFunction;
    use crate::search::engine::{Device, Stop};
    use crate::sweep::{Sweep, computed};

    /// One in a thousand results has a second error.
    fn rough(x: f64) -> f64 {
        let y = x.exp();
        match x.to_bits() % 1009 {
            0 => y * (1.0 + 3.0 * f64::EPSILON),
            _ => y,
        }
    }

    const ROUGH: Sweep = Sweep::accuracy_only(
        "rough",
        Candidate::Host(HostFunction::f64("rough", rough)),
        computed::f64::<computes::exp>(),
        "1.0..2.0",
    );

    fn stretches() -> Range {
        let first = Range::parse("1.0..2.0", ROUGH.precision).expect("a range");
        let first = first.spans()[0].first;
        let stretch = |i: i64| Span {
            first: first + (i << 30),
            last: first + (i << 30) + 40 + i % 7,
        };
        Range::covering(ROUGH.inputs, (0..4000).map(stretch).collect())
    }

    fn searched(seconds: f64, search: impl FnOnce(&mut Search<'_>, f64)) {
        let here = crate::backend::discover(&"scalar".parse().expect("a list"));
        let device = Device {
            backend: here.backends[0].clone(),
            workers: 2,
        };
        let (stop, mut observe) = (Stop::new(), |_: &engine::Progress| {});
        let mut state = Search {
            sweep: &ROUGH,
            devices: &[device],
            stop: &stop,
            observe: &mut observe,
            begun: Instant::now(),
            time: 60.0,
            result: BlockResult::EMPTY,
            undecided: Vec::new(),
            taken: Vec::new(),
            searching: 0.0,
            apart: 0,
            cut: false,
        };
        search(&mut state, seconds);
    }

    /// Many calls together give the same as the inputs one by one, for each stretch and in total.
    #[test]
    fn the_results_are_those_of_the_inputs() {
        let range = stretches();
        searched(60.0, |search, seconds| {
            assert!(search.is_of_calls(&range));
            let mut found = Vec::new();
            let done = search
                .run_calls(&range, seconds, &mut found)
                .expect("they are called");
            assert_eq!(done, range);
            let mut all = BlockResult::EMPTY;
            for taken in &search.taken {
                let keys: Vec<i64> = (taken.first..=taken.last).collect();
                let points = PointEvaluator::plain(&ROUGH)
                    .evaluate(&keys)
                    .expect("numbers");
                let result = points
                    .iter()
                    .fold(BlockResult::EMPTY, |sum, p| sum.merge(&p.block()));
                assert!(result.differing_fields(&taken.result).is_empty());
                let worst = (result.max.key, result.max.error());
                assert!(found.contains(&worst), "{worst:?}");
                all = all.merge(&result);
            }
            assert_eq!((search.taken.len(), found.len()), (4000, 4000));
            assert!(all.differing_fields(&search.result).is_empty());
            assert!(all.max.error() > 2.0 && all.count == search.result.count);
        });
    }

    /// A search that ends early has completed some calls, each with stretches from the whole range.
    #[test]
    fn what_is_cut_short_is_spread_over_the_range() {
        let range = stretches();
        searched(0.0, |search, seconds| {
            let done = search
                .run_calls(&range, seconds, &mut Vec::new())
                .expect("they are called");
            // Two threads have four calls each, of five in all.
            assert_eq!(done, range, "{}", calls(range.spans()).len());
        });
        let many = calls(&range.spans().repeat(10));
        assert!(many.len() > 40, "{}", many.len());
        for call in &many {
            let keys = call.stretches.iter().map(|s| s.first);
            let (least, most) = (keys.clone().min(), keys.max());
            let ends = range.spans()[0].first..=range.spans()[3999].last;
            let wide = ends.end() - ends.start();
            assert!(most.zip(least).is_some_and(|(m, l)| m - l > wide / 4 * 3));
        }
    }
}
