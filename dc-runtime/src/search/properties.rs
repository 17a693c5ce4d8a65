//! Properties of a routine, without a reference: whether it rises or falls, is odd or even, or has its results in a range.
//!
//! Each of consecutive inputs is compared with the next. In a sample, only stretches of consecutive inputs show whether a routine
//! rises; single inputs are compared with their own neighbours.

use super::blocks::{self, Work};
use super::engine::Stop;
use super::plan::{Block, PlanError};
use super::range::Range;
use super::sample::Sample;
use crate::model::candidate::Candidate;
use crate::model::error::BackendError;
use crate::model::key::Precision;
use crate::model::space::InputSpace;

/// The number of inputs at a time.
const BATCH: u64 = 1 << 14;
/// The binary logarithm of a block's inputs.
const BLOCK_LOG2: u32 = 18;

/// A property.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Property {
    /// No result is below that of a smaller input. Both zeros are equal.
    Increasing,
    /// No result is above that of a smaller input.
    Decreasing,
    /// `f(-x) = -f(x)`, with the sign of zeros.
    Odd,
    /// `f(-x) = f(x)`, with the sign of zeros.
    Even,
    /// Each result is a number from the first to the second.
    Within(f64, f64),
}

/// An input at which a property does not hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Violation {
    /// The input's key.
    pub key: i64,
    /// Its place in the order of the reals, which is not the order of keys for numbers of 16 bits.
    pub place: i64,
    /// Its result's bits.
    pub result: u64,
    /// The other input of the violation, and its result: the next input, or the input with the other sign.
    pub other: Option<(i64, u64)>,
    /// The distance from the property: numbers of the format between the results, or to the range; 0 if one is a NaN.
    pub steps: u64,
}

/// The violations of a property.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Violations {
    /// The number of inputs that violate it.
    pub count: u64,
    /// The first one, in the order of the reals.
    pub first: Option<Violation>,
    /// The one with the largest distance.
    pub worst: Option<Violation>,
}

impl Violations {
    fn add(&mut self, at: Violation) {
        *self = self.merge(Violations {
            count: 1,
            first: Some(at),
            worst: Some(at),
        });
    }

    /// Merges both, in any order.
    fn merge(self, other: Violations) -> Violations {
        let first = [self.first, other.first].into_iter().flatten();
        let worst = [self.worst, other.worst].into_iter().flatten();
        Violations {
            count: self.count + other.count,
            first: first.min_by_key(|v| v.place),
            worst: worst.min_by_key(|v| (std::cmp::Reverse(v.steps), v.place)),
        }
    }
}

/// The violations of each property.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Checked {
    /// The number of evaluated inputs. NaNs among them violate nothing.
    pub inputs: u64,
    /// For each property, in the requested order.
    pub violations: Vec<Violations>,
}

/// The reason why properties were not checked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PropertyError {
    /// Properties are defined for routines of one argument.
    #[error("a property is one of a function of one argument, and this one takes {}", .0.signature())]
    Arguments(InputSpace),
    /// There are too many inputs.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The routine gave no result.
    #[error(transparent)]
    Backend(#[from] BackendError),
}

/// Checks the properties at all inputs of a sample of a range, until a stop is requested. They are about the range alone: its last input
/// is not compared with the input after it.
///
/// # Errors
/// If the routine has two arguments or gives no result, or there are too many inputs.
///
/// # Panics
/// If a thread cannot be started.
pub fn check(
    candidate: &Candidate,
    properties: &[Property],
    (whole, sample): (&Range, &Sample),
    threads: usize,
    stop: &Stop,
) -> Result<Checked, PropertyError> {
    sample
        .parts()
        .try_fold(Checked::nothing(properties), |sum, part| {
            Ok(sum.merge(part_of(
                candidate,
                properties,
                (whole, part),
                threads,
                stop,
            )?))
        })
}

impl Checked {
    fn nothing(properties: &[Property]) -> Checked {
        Checked {
            inputs: 0,
            violations: vec![Violations::default(); properties.len()],
        }
    }

    /// Merges both, in any order.
    fn merge(mut self, other: Checked) -> Checked {
        self.inputs += other.inputs;
        for (a, b) in self.violations.iter_mut().zip(&other.violations) {
            *a = a.merge(*b);
        }
        self
    }
}

fn part_of(
    candidate: &Candidate,
    properties: &[Property],
    (whole, range): (&Range, &Range),
    threads: usize,
    stop: &Stop,
) -> Result<Checked, PropertyError> {
    let space = range.space();
    if space.arguments().len() != 1 {
        return Err(PropertyError::Arguments(space));
    }
    let numbers = Numbers::of(space, whole);
    let plan = blocks::plan(range, BLOCK_LOG2)?;
    let work = Judged {
        candidate,
        properties,
        numbers,
    };
    Ok(blocks::sum(&work, &plan, BATCH, threads, (stop, None))?)
}

/// A routine whose properties are judged.
struct Judged<'a> {
    candidate: &'a Candidate,
    properties: &'a [Property],
    numbers: Numbers<'a>,
}

impl Work for Judged<'_> {
    type Sum = Checked;
    type Columns = Columns;

    fn nothing(&self) -> Checked {
        Checked::nothing(self.properties)
    }

    fn columns(&self) -> Columns {
        Columns::default()
    }

    fn batch(
        &self,
        batch: Block,
        columns: &mut Columns,
        found: &mut Checked,
    ) -> Result<(), BackendError> {
        let keys = self.numbers.batch(batch.first, batch.count as usize);
        columns.evaluate(self.candidate, &self.numbers, &keys, self.properties)?;
        found.inputs += batch.count;
        columns.judge(&self.numbers, &keys, self.properties, &mut found.violations);
        Ok(())
    }

    fn merge(a: Checked, b: Checked) -> Checked {
        a.merge(b)
    }
}

/// The inputs' numbers in the order of the reals.
struct Numbers<'r> {
    whole: &'r Range,
    precision: Precision,
    space: InputSpace,
    /// For a format of 16 bits: all numbers except NaNs, in the order of the reals.
    stored: Vec<i64>,
}

impl Numbers<'_> {
    fn of(space: InputSpace, whole: &Range) -> Numbers<'_> {
        let precision = space.precision();
        let mut numbers = Numbers {
            whole,
            precision,
            space,
            stored: Vec::new(),
        };
        if let InputSpace::Stored(_) = space {
            let all = (0..=space.max_key()).filter(|&n| !numbers.value(n).is_nan());
            let mut all: Vec<i64> = all.collect();
            all.sort_by_key(|&n| numbers.place(n));
            numbers.stored = all;
        }
        numbers
    }

    /// The keys of a batch.
    fn batch(&self, first: i64, count: usize) -> Vec<i64> {
        let all = (0..count as i64).map(|i| first.wrapping_add(i));
        match self.space {
            InputSpace::Scattered(scatter) => all.map(|n| scatter.key(n)).collect(),
            _ => all.collect(),
        }
    }

    /// An input's bits.
    fn bits(&self, key: i64) -> u64 {
        match self.space {
            InputSpace::Stored(_) => self.space.words(key).next().unwrap_or(0),
            _ => self.precision.bits_of_key(key),
        }
    }

    fn value(&self, key: i64) -> f64 {
        self.precision.value_of_bits(self.bits(key))
    }

    /// An input's place in the order of the reals.
    fn place(&self, key: i64) -> i64 {
        self.precision.key_of_bits(self.bits(key))
    }

    /// The next number, if there is one; the two zeros follow one another.
    fn next(&self, key: i64) -> Option<i64> {
        if let InputSpace::Stored(_) = self.space {
            let place = self.place(key);
            let at = self.stored.binary_search_by_key(&place, |&n| self.place(n));
            return self.stored.get(at.ok()? + 1).copied();
        }
        let next = key
            .checked_add(1)
            .filter(|&k| k <= self.precision.max_key())?;
        (!self.precision.value_of_key(next).is_nan()).then_some(next)
    }

    /// The number of the other sign.
    fn negative(&self, key: i64) -> i64 {
        match self.space {
            // A NaN may have none; it is not judged.
            InputSpace::Stored(stored) => {
                let negative = stored.number(&[self.negated(self.bits(key))]);
                negative.unwrap_or(key)
            }
            _ => self
                .precision
                .key_of_bits(self.negated(self.precision.bits_of_key(key))),
        }
    }

    fn negated(&self, bits: u64) -> u64 {
        match self.precision {
            Precision::F32 => bits ^ (1 << 31),
            Precision::F64 => bits ^ (1 << 63),
        }
    }
}

/// The results of a batch, and of the other inputs that its properties are about.
#[derive(Default)]
struct Columns {
    results: Vec<Vec<u64>>,
    next: Vec<Vec<u64>>,
    negative: Vec<Vec<u64>>,
}

impl Columns {
    fn evaluate(
        &mut self,
        candidate: &Candidate,
        numbers: &Numbers,
        keys: &[i64],
        properties: &[Property],
    ) -> Result<(), BackendError> {
        let eval = |keys: &mut dyn Iterator<Item = i64>, out: &mut Vec<Vec<u64>>| {
            out.resize(1, Vec::new());
            candidate.eval(&[keys.map(|k| numbers.bits(k)).collect()], out)
        };
        let about = |asked: &[Property]| properties.iter().any(|p| asked.contains(p));
        eval(&mut keys.iter().copied(), &mut self.results)?;
        if about(&[Property::Increasing, Property::Decreasing]) {
            let mut all = keys.iter().map(|&k| numbers.next(k).unwrap_or(k));
            eval(&mut all, &mut self.next)?;
        }
        if about(&[Property::Odd, Property::Even]) {
            eval(
                &mut keys.iter().map(|&k| numbers.negative(k)),
                &mut self.negative,
            )?;
        }
        Ok(())
    }

    fn judge(
        &self,
        numbers: &Numbers,
        keys: &[i64],
        properties: &[Property],
        found: &mut [Violations],
    ) {
        let value = |bits: u64| numbers.precision.value_of_bits(bits);
        for (i, &key) in keys.iter().enumerate() {
            if value(numbers.bits(key)).is_nan() {
                continue;
            }
            let result = self.results[0][i];
            let y = value(result);
            for (property, found) in properties.iter().zip(&mut *found) {
                let violated = match *property {
                    Property::Increasing | Property::Decreasing => {
                        let Some(next) = numbers.next(key) else {
                            continue;
                        };
                        let other = self.next[0][i];
                        let z = value(other);
                        let holds = match property {
                            Property::Increasing => y <= z,
                            _ => y >= z,
                        };
                        let counts = !holds && numbers.whole.contains(next);
                        counts.then_some((
                            Some((next, other)),
                            steps(numbers.precision, result, other),
                        ))
                    }
                    Property::Odd | Property::Even => {
                        let other = self.negative[0][i];
                        let wanted = match property {
                            Property::Odd if !y.is_nan() => numbers.negated(result),
                            _ => result,
                        };
                        let negative = numbers.negative(key);
                        (other != wanted).then(|| {
                            (
                                Some((negative, other)),
                                steps(numbers.precision, wanted, other),
                            )
                        })
                    }
                    Property::Within(lo, hi) => (!(lo <= y && y <= hi)).then(|| {
                        let bits = |x: f64| match numbers.precision {
                            Precision::F32 => u64::from((x as f32).to_bits()),
                            Precision::F64 => x.to_bits(),
                        };
                        let end = if y < lo { lo } else { hi };
                        (None, steps(numbers.precision, bits(end), result))
                    }),
                };
                if let Some((other, steps)) = violated {
                    found.add(Violation {
                        key,
                        place: numbers.place(key),
                        result,
                        other,
                        steps,
                    });
                }
            }
        }
    }
}

/// The distance of two results in numbers of the format; 0 where one is a NaN.
fn steps(precision: Precision, a: u64, b: u64) -> u64 {
    super::differ::steps(precision, [a, b]).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::host::HostFunction;
    use crate::search::sample::Wanted;
    use crate::search::testing::SWEEP;

    fn of(f: fn(f32) -> f32, range: &str, properties: &[Property], threads: usize) -> Checked {
        let candidate = Candidate::Host(HostFunction::f32("f", f));
        let range = Range::parse(range, Precision::F32).expect("a range");
        let sweep = crate::sweep::Sweep {
            inputs: InputSpace::Numbers(Precision::F32),
            ..SWEEP
        };
        let sample = Sample::of(&sweep, &range, &Wanted::of(&sweep, u64::MAX));
        check(
            &candidate,
            properties,
            (&range, &sample),
            threads,
            &Stop::new(),
        )
        .expect("results")
    }

    #[test]
    fn a_fall_is_found_wherever_it_is() {
        // One result is too large by one number: the next one is below it.
        fn falls(x: f32) -> f32 {
            if x == 1.375 { x.next_up().next_up() } else { x }
        }
        for threads in [1, 3] {
            let found = of(
                falls,
                "1.0..2.0",
                &[Property::Increasing, Property::Decreasing],
                threads,
            );
            assert_eq!(found.inputs, 1 << 23);
            let [rises, falls] = found.violations[..] else {
                panic!()
            };
            assert_eq!(rises.count, 1);
            let first = rises.first.expect("one");
            assert_eq!(first.key, i64::from(1.375f32.to_bits()));
            assert_eq!(first.other.expect("the next").0, first.key + 1);
            assert_eq!(first.steps, 1);
            // All neighbours rise but for the one pair; the last input has no next one.
            assert_eq!(falls.count, (1 << 23) - 2);
        }
    }

    /// The last input of a block is compared with the first of the next one, and -0 with 0.
    #[test]
    fn neighbours_are_compared_across_blocks_and_zero() {
        fn at_a_block(x: f32) -> f32 {
            if x.to_bits() < 0x3f80_0000 + (1 << 18) {
                x + 1.0
            } else {
                x
            }
        }
        let found = of(at_a_block, "1.0..1.25", &[Property::Increasing], 2);
        assert_eq!(found.violations[0].count, 1);
        let sign = |x: f32| 1f32.copysign(x);
        assert_eq!(
            of(sign, "-0x1p-130..0x1p-130", &[Property::Increasing], 1).violations[0].count,
            0
        );
        assert_eq!(
            of(
                |x| -sign_of(x),
                "-0x1p-130..0x1p-130",
                &[Property::Increasing],
                1
            )
            .violations[0]
                .count,
            1
        );
        fn sign_of(x: f32) -> f32 {
            1f32.copysign(x)
        }
    }

    #[test]
    fn odd_and_even_are_of_bits() {
        let both = [Property::Odd, Property::Even];
        let odd = of(|x| x * 3.0, "-0x1p-130..=0x1p-130", &both, 2);
        assert_eq!(odd.violations[0].count, 0);
        assert_eq!(odd.violations[1].count, odd.inputs);
        // A sum with +0 makes of -0 a positive zero: at both zeros the signs are alike.
        let zero = of(|x| x + 0.0, "-0x1p-130..=0x1p-130", &both, 2);
        assert_eq!(zero.violations[0].count, 2);
        let even = of(f32::abs, "-0x1p-130..=0x1p-130", &both, 1);
        assert_eq!(even.violations[1].count, 0);
    }

    #[test]
    fn results_outside_of_a_range_are_violations_and_so_are_nans() {
        let found = of(
            f32::sqrt,
            "-0x1p-149..=0x1p-140,2.0..=4.0",
            &[Property::Within(0.0, 1.5)],
            2,
        );
        let [within] = found.violations[..] else {
            panic!()
        };
        let first = within.first.expect("a NaN");
        assert!(f32::from_bits(first.result as u32).is_nan());
        let worst = within.worst.expect("it");
        assert_eq!(worst.key, i64::from(4f32.to_bits()));
        assert_eq!(worst.steps, u64::from(2f32.to_bits() - 1.5f32.to_bits()));
    }

    /// Numbers of 16 bits have keys in another order.
    #[test]
    fn numbers_of_16_bits_are_compared_in_the_order_of_the_reals() {
        use crate::model::stored::{Format, Stored};
        let space = InputSpace::Stored(Stored {
            format: Format::Half,
            pairs: false,
        });
        let sweep = crate::sweep::Sweep {
            inputs: space,
            ..SWEEP
        };
        let range = Range::parse("all", space).expect("a range");
        let sample = Sample::of_stretches(&sweep, &range, &Wanted::of(&sweep, u64::MAX));
        // Above the next number of 16 bits, on both sides of zero.
        fn dented(x: f32) -> f32 {
            match x.abs() {
                1.5 => x.signum() * 1.75,
                _ => x,
            }
        }
        let candidate = Candidate::Host(HostFunction::f32("dented", dented));
        let properties = [Property::Increasing, Property::Odd];
        let found = check(&candidate, &properties, (&range, &sample), 2, &Stop::new());
        let found = found.expect("results");
        assert_eq!(found.inputs, 1 << 16);
        let [rises, odd] = found.violations[..] else {
            panic!()
        };
        assert_eq!(odd.count, 0);
        // -1.5 is below the number before it, and 1.5 above the next one.
        assert_eq!(rises.count, 2);
        let first = rises.first.expect("one").key;
        let bits = space.words(first).next().expect("a word");
        assert_eq!(f32::from_bits(bits as u32), -1.5 - 1.0 / 1024.0);
    }
}
