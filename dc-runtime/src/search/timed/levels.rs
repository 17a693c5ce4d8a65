//! The levels of stretches, estimated on as many threads as a search has.

use super::calls::each;
use super::state::{Search, TimedError};
use crate::search::engine::EngineError;
use crate::search::evaluator::PointEvaluator;
use crate::search::range::{Range, Span};
use crate::search::sample::{Budget, Found, Level, Sample, all_strata, levels, without};

/// The number of inputs of a call.
const TOGETHER: usize = 1 << 14;

/// Keys that are evaluated in one call, and their errors.
struct Call {
    keys: Vec<i64>,
    errors: Vec<f64>,
}

impl Call {
    fn run(&mut self, evaluator: &mut PointEvaluator) -> Result<(), EngineError> {
        let points = evaluator.evaluate(&self.keys)?;
        self.errors = points.iter().map(|p| p.error).collect();
        Ok(())
    }
}

impl Search<'_> {
    /// Estimates the levels in a share of the time, and at most until another share of it is over. These inputs are not part of the result, since some
    /// may be searched elsewhere. Only the worst of them are searched and added to `found` and `done`. Returns the best stretches, and the number of
    /// inputs used.
    pub(super) fn levels(
        &mut self,
        (range, sample): (&Range, &Sample),
        (share, last): (f64, f64),
        seed: u64,
        found: &mut Vec<Found>,
        done: &mut Range,
    ) -> Result<(Vec<Level>, u64), TimedError> {
        let strata = all_strata(self.sweep, range, seed);
        let begun = self.elapsed();
        // Short calls may be slower than the sample, from which the speed is known: the time counts too.
        let budget = Budget {
            inputs: self.fit(share * self.time),
            time: &|| (self.elapsed() - begun) / (share * self.time),
        };
        let all = levels(&strata, &budget, seed, |keys| {
            if self.stop.asked() || self.elapsed() >= last * self.time {
                return Ok(None);
            }
            self.errors(keys).map(Some)
        })?;
        let single = |&(key, _): &Found| Span {
            first: key,
            last: key,
        };
        let worst = Range::covering(range.space(), all.worst.iter().map(single).collect());
        let worst = sample.without_singles(&without(&worst, done));
        *done = done.union(&worst);
        self.run(&worst, 1.0, found)?;
        Ok((all.best, all.inputs))
    }

    /// The errors of some lists of keys.
    fn errors(&self, lists: &[Vec<i64>]) -> Result<Vec<Vec<f64>>, TimedError> {
        let all = lists.concat();
        let part = all.len().div_ceil(self.threads()).clamp(1, TOGETHER);
        let calls = all.chunks(part).map(|keys| Call {
            keys: keys.to_vec(),
            errors: Vec::new(),
        });
        let work = |call: &mut Call, evaluator: &mut PointEvaluator| call.run(evaluator);
        let calls = each(self, calls.collect(), work)?;
        let mut errors = calls.into_iter().flat_map(|c| c.errors);
        let list = |keys: &Vec<i64>| errors.by_ref().take(keys.len()).collect();
        Ok(lists.iter().map(list).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::builtins::reference::computes;
    use crate::model::candidate::Candidate;
    use crate::model::host::HostFunction;
    use crate::search::engine::{Device, Stop};
    use crate::search::timed;
    use crate::sweep::{Sweep, computed};

    /// Its error has a smooth part of up to 1 ULP, which is largest at the end of the range.
    fn sloping(x: f64) -> f64 {
        x.exp() * (1.0 + f64::EPSILON * (x - 1.0))
    }

    const SLOPING: Sweep = Sweep::accuracy_only(
        "sloping",
        Candidate::Host(HostFunction::f64("sloping", sloping)),
        computed::f64::<computes::exp>(),
        "1.0..2.0",
    );

    /// A search returns at least the largest error of its sample. Of the inputs for levels, only the worst are part of the result.
    #[test]
    fn levels_are_counted_apart() {
        let here = crate::backend::discover(&"scalar".parse().expect("a list"));
        let device = Device {
            backend: here.backends[0].clone(),
            workers: 2,
        };
        let range = Range::parse(SLOPING.range, SLOPING.precision).expect("a range");
        let time = Duration::from_secs(2);
        let devices = [device];
        let found = timed::search(&SLOPING, &range, &devices, time, &Stop::new(), &mut |_| {});
        let found = found.expect("a search");
        println!("{:?} {:?} {:?}", found.sample, found.levels, found.combined);
        assert!(found.levels.0 > 0 && found.levels.1 > 0);
        assert!(found.combined.inputs > 0 && found.combined.windows > 0);
        assert!(found.combined.evaluated < found.combined.inputs / 100);
        assert!(found.result.max.error() >= found.sample.1);
        let levels = found.result.count - found.sample.0 - found.around - found.combined.evaluated;
        assert!(levels <= 1 << 10, "{levels}");
    }
}
