//! Comparison of two candidates without a reference: at which inputs, and by how much, their results differ.
//!
//! This is for functions that need not have the same bits, such as those of two libraries. [`super::equivalence`] tests whether backends
//! compute the same kernel to the same bits.

mod cause;
mod timed;

use std::time::Instant;

use super::blocks::{self, Work};
use super::engine::Stop;
use super::plan::{Block, PlanError};
use super::range::Range;
use super::sample::Sample;
use crate::model::candidate::Candidate;
use crate::model::error::BackendError;
use crate::model::signature::Number;
use crate::model::space::InputSpace;

pub use cause::{Cause, Unexplained, cause};
pub use timed::{Timed, timed};

/// The number of inputs at a time; a worker of a library gets the same number.
const BATCH: u64 = 1 << 16;
/// The binary logarithm of a block's inputs, unless the range is so large that there would be too many blocks.
const BLOCK_LOG2: u32 = 16;

/// An input with both results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct At {
    /// The input's key.
    pub key: i64,
    /// Bits of both results.
    pub results: [u64; 2],
}

/// The differences of two candidates.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Differences {
    /// The number of inputs that were compared.
    pub inputs: u64,
    /// The number of inputs with different results. All NaNs are equal.
    pub differing: u64,
    /// The number of inputs for which one result is NaN and the other a number.
    pub nan: u64,
    /// The first of the differing inputs.
    pub first: Option<At>,
    /// The largest distance between two numbers, as the number of steps in the format, with 0 for zeros of different sign; and the first
    /// input with this distance.
    pub largest: Option<(u64, At)>,
}

impl Differences {
    fn add(&mut self, result: Number, at: At) {
        self.inputs += 1;
        if at.results[0] == at.results[1] {
            return;
        }
        self.differing += 1;
        self.first.get_or_insert(at);
        match result.steps(at.results) {
            None => self.nan += 1,
            Some(steps) if self.largest.is_none_or(|(most, _)| steps > most) => {
                self.largest = Some((steps, at));
            }
            Some(_) => {}
        }
    }

    /// The same differences, with the keys of this input space replaced by keys in the order of the reals.
    #[must_use]
    fn located(self, space: InputSpace) -> Differences {
        let InputSpace::Scattered(scatter) = space else {
            return self;
        };
        let located = |at: At| At {
            key: scatter.key(at.key),
            ..at
        };
        Differences {
            first: self.first.map(located),
            largest: self.largest.map(|(steps, at)| (steps, located(at))),
            ..self
        }
    }

    /// Merges the differences at two sets of inputs, in any order.
    #[must_use]
    pub fn merge(self, other: Differences) -> Differences {
        let first = [self.first, other.first];
        let largest = [self.largest, other.largest].into_iter().flatten();
        Differences {
            inputs: self.inputs + other.inputs,
            differing: self.differing + other.differing,
            nan: self.nan + other.nan,
            first: first.into_iter().flatten().min_by_key(|at| at.key),
            largest: largest.min_by_key(|(steps, at)| (std::cmp::Reverse(*steps), at.key)),
        }
    }
}

/// The reason why two candidates were not compared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DifferError {
    /// They have different inputs.
    #[error("one takes {} and the other {}", .0.signature(), .1.signature())]
    Inputs(InputSpace, InputSpace),
    /// They have results of different types.
    #[error("one gives {} and the other {}", .0.name(), .1.name())]
    Results(Number, Number),
    /// There are too many inputs.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// One of them gave no result.
    #[error(transparent)]
    Backend(#[from] BackendError),
}

/// Compares two candidates at all inputs of a range, until a stop is requested. Inputs at random places have the keys of numbers in the
/// order of the reals.
///
/// # Errors
/// If a function gives no result, or the range has more than 2^72 inputs.
///
/// # Panics
/// If a thread cannot be started.
pub fn compare(
    candidates: [&Candidate; 2],
    range: &Range,
    threads: usize,
    stop: &Stop,
) -> Result<Differences, DifferError> {
    until(candidates, range, threads, (stop, None), &|_| {})
}

/// [`compare`] for all inputs of a sample.
///
/// # Errors
/// As for [`compare`].
///
/// # Panics
/// As for [`compare`].
pub fn compare_sample(
    candidates: [&Candidate; 2],
    sample: &Sample,
    threads: usize,
    stop: &Stop,
) -> Result<Differences, DifferError> {
    sample
        .parts()
        .try_fold(Differences::default(), |sum, part| {
            Ok(sum.merge(compare(candidates, part, threads, stop)?))
        })
}

/// The same as [`compare`], until a stop is requested or the time is up. `observe` is called with the differences of each block.
fn until(
    candidates: [&Candidate; 2],
    range: &Range,
    threads: usize,
    (stop, end): (&Stop, Option<Instant>),
    observe: &(dyn Fn(&Differences) + Sync),
) -> Result<Differences, DifferError> {
    let space = range.space();
    let [result, other] = candidates.map(|c| c.result(space));
    if result != other {
        return Err(DifferError::Results(result, other));
    }
    let pair = Pair {
        candidates,
        space,
        result,
        observe,
    };
    let plan = blocks::plan(range, BLOCK_LOG2)?;
    Ok(blocks::sum(&pair, &plan, BATCH, threads, (stop, end))?)
}

/// Two candidates in a comparison.
struct Pair<'a> {
    candidates: [&'a Candidate; 2],
    space: InputSpace,
    result: Number,
    observe: &'a (dyn Fn(&Differences) + Sync),
}

impl Work for Pair<'_> {
    type Sum = Differences;
    /// The inputs, and both results.
    type Columns = [Vec<Vec<u64>>; 3];

    fn nothing(&self) -> Differences {
        Differences::default()
    }

    fn columns(&self) -> Self::Columns {
        let inputs = vec![Vec::new(); self.space.arguments().len()];
        [inputs, vec![Vec::new()], vec![Vec::new()]]
    }

    fn batch(
        &self,
        batch: Block,
        [inputs, left, right]: &mut Self::Columns,
        sum: &mut Differences,
    ) -> Result<(), BackendError> {
        self.space.fill(batch.first, batch.count as usize, inputs);
        self.candidates[0].eval(inputs, left)?;
        self.candidates[1].eval(inputs, right)?;
        let keys = (0..).map(|i| batch.first.wrapping_add(i));
        for (key, results) in keys.zip(left[0].iter().zip(&right[0])) {
            let results = [*results.0, *results.1];
            sum.add(self.result, At { key, results });
        }
        Ok(())
    }

    fn block(&self, found: Differences) -> Differences {
        let found = found.located(self.space);
        (self.observe)(&found);
        found
    }

    fn merge(a: Differences, b: Differences) -> Differences {
        a.merge(b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::host::HostFunction;
    use crate::model::key::Precision;
    use crate::search::sample::Wanted;

    const NEGATED: Candidate = Candidate::Host(HostFunction::f32("negated", |x| -x));
    const OFF: Candidate = Candidate::Host(HostFunction::f32("off", |x| match x {
        1.5 => -1.500_000_4,
        1.25 => f32::NAN,
        0.0 => 0.0,
        x => -x,
    }));

    fn differences(text: &str, threads: usize) -> Differences {
        let range = Range::parse(text, Precision::F32).expect(text);
        compare([&NEGATED, &OFF], &range, threads, &Stop::new()).expect("results")
    }

    #[test]
    fn all_differences_are_counted_whatever_the_threads() {
        let bits = |x: f32| u64::from(x.to_bits());
        for threads in [1, 3] {
            let d = differences("1.0..2.0", threads);
            assert_eq!((d.inputs, d.differing, d.nan), (1 << 23, 2, 1));
            let first = d.first.expect("a difference");
            assert_eq!(first.key, bits(1.25) as i64);
            assert_eq!(first.results, [bits(-1.25), 0x7fc0_0000]);
            let (steps, at) = d.largest.expect("of numbers");
            assert_eq!((steps, at.key), (3, bits(1.5) as i64));
            // Zeros of different sign differ, with a distance of 0. The pattern of zero is -0, too.
            let d = differences("-0.0..=0.0", threads);
            assert_eq!((d.inputs, d.differing, d.nan), (2, 1, 0));
            assert_eq!(d.largest.map(|(steps, _)| steps), Some(0));
            assert_eq!(differences("3.0..4.0", threads).differing, 0);
        }
    }

    /// Differs from its argument at about one in 20,000 numbers. They follow no pattern, except that their neighbours are similar, as where
    /// a conversion rounds twice.
    fn rarely(x: f64) -> f64 {
        let mut bits = x.to_bits() >> 20;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        if (bits ^ (bits >> 31)) % 20_000 == 7 {
            -x
        } else {
            x
        }
    }

    /// Of 2^23 single inputs, 419 differ on average. The standard deviation is 20.
    #[test]
    fn rare_differences_at_scattered_inputs_are_found_as_often_as_they_occur() {
        let same = Candidate::Host(HostFunction::f64("same", |x| x));
        let rare = Candidate::Host(HostFunction::f64("rare", rarely));
        let sweep = crate::search::testing::SWEEP;
        let range = Range::parse("0.5..2.0", Precision::F64).expect("a range");
        let threads = crate::model::machine::cores();
        let (mut singles, mut missed) = (Vec::new(), 0);
        for seed in 0..100 {
            let wanted = Wanted {
                seed,
                ..Wanted::of(&sweep, 1 << 24)
            };
            let sample = Sample::of(&sweep, &range, &wanted);
            let part = sample.singles.as_ref().expect("single inputs");
            assert!(
                2 * part.count() >= sample.count() - 8192,
                "half of it are single inputs"
            );
            let found = compare([&same, &rare], part, threads, &Stop::new()).expect("results");
            // Each stretch of the same sample is wrong as a whole or not at all.
            if seed < 10 {
                let d = compare([&same, &rare], &sample.range, threads, &Stop::new());
                let d = d.expect("results");
                let expected = d.inputs as f64 / 20_000.0;
                let deviation = (d.differing as f64 - expected) / expected.sqrt();
                missed += u32::from(deviation.abs() > 4.5);
            }
            let expected = found.inputs as f64 / 20_000.0;
            let deviation = (found.differing as f64 - expected) / expected.sqrt();
            assert!(deviation.abs() < 4.5, "seed {seed}: {found:?}");
            singles.push(deviation);
            let (_, at) = found.largest.expect("a difference");
            let x = Precision::F64.value_of_key(at.key);
            assert!((0.5..2.0).contains(&x) && rarely(x) == -x, "{x}");
        }
        assert!(
            missed > 5,
            "stretches alone give right shares in {} of 10 samples",
            10 - missed
        );
        let mean = singles.iter().sum::<f64>() / 100.0;
        assert!(mean.abs() < 0.45, "biased: {mean} standard deviations");
    }

    #[test]
    fn a_range_of_more_inputs_than_blocks_can_have_is_begun() {
        let same = Candidate::Host(HostFunction::f64("same", |x| x));
        let range = Range::parse("all", Precision::F64).expect("a range");
        let stop = Stop::new();
        let stopping = Candidate::Host(HostFunction::f64("stopping", |x| x));
        stop.ask();
        let found = compare([&same, &stopping], &range, 1, &stop).expect("a comparison");
        assert_eq!(found, Differences::default());
    }

    #[test]
    fn a_function_without_a_result_is_an_error() {
        let fails = Candidate::Host(HostFunction::f32("fails", |x| {
            assert!(x < 1.5, "too large");
            -x
        }));
        let range = Range::parse("1.0..2.0", Precision::F32).expect("a range");
        let e = compare([&NEGATED, &fails], &range, 2, &Stop::new()).expect_err("no result");
        assert!(e.to_string().contains("the function `fails` at 1.5"), "{e}");
    }
}
