//! Properties of a routine: it is increasing or decreasing, is odd or even, has its results in a range, is the inverse of another function,
//! or has no seams. Only the last two need a comparison with a reference.
//!
//! Each of consecutive inputs is compared with the next. In a sample, only stretches of consecutive inputs show whether a routine is
//! increasing; single inputs are compared with their own neighbours.

use super::blocks::{self, Work};
use super::engine::Stop;
use super::plan::{Block, PlanError};
use super::range::Range;
use super::sample::Sample;
use crate::model::block::FLAG_EXCLUDED;
use crate::model::candidate::Reference;
use crate::model::error::BackendError;
use crate::model::key::Precision;
use crate::model::show;
use crate::model::signature::Number;
use crate::model::space::InputSpace;
use crate::search::evaluator::{PointEvaluator, PointResult};
use crate::sweep::Sweep;

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
    /// Each result is a number from the first to the second bound.
    Within(f64, f64),
    /// From one number to the next, the error changes by at most this many ULP: the routine jumps no more than its function, apart from
    /// rounding.
    Seams(f64),
    /// `f(g(x)) = x`, where `g` is the function of [`Judge::inverse`], rounded to nearest. Inputs for which `g` is not finite are not
    /// judged.
    InverseOf,
}

/// A distance: between two results, or from a property.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub enum Distance {
    /// In numbers of the format; 0 if one is a NaN.
    Numbers(u64),
    /// In ULP.
    Ulp(f64),
}

impl std::fmt::Display for Distance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Distance::Numbers(1) => f.write_str("1 number off"),
            Distance::Numbers(n) => write!(f, "{} numbers off", show::count((*n).into())),
            Distance::Ulp(x) => write!(f, "a jump of {x:.6} ULP"),
        }
    }
}

/// A routine, and the data with which its properties are judged.
#[derive(Debug, Clone, Copy)]
pub struct Judge<'a> {
    /// The routine. Its reference is only for [`Property::Seams`].
    pub sweep: &'a Sweep,
    /// The properties.
    pub properties: &'a [Property],
    /// The function whose inverse it is, for [`Property::InverseOf`].
    pub inverse: Option<Reference>,
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
    /// The other input that the property refers to, and its result: the next input, or the one with the opposite sign. For a routine that
    /// is the inverse of another function: the value of that function, and again the result.
    pub other: Option<(i64, u64)>,
    /// The distance of the results from the property, from each other or from the range.
    pub off: Distance,
}

impl Violation {
    /// `f(1.375 = …) = 2.5 = …, f(1.3750001 = …) = 2.25 = …: 2,097,152 numbers off`
    #[must_use]
    pub fn show(&self, property: Property, space: InputSpace) -> String {
        let number = |bits| show::full(space.precision(), bits);
        let result = |key, bits| format!("f({}) = {}", space.show(key), number(bits));
        let text = match (property, self.other) {
            (Property::InverseOf, Some((between, bits))) => {
                format!("x = {}: {}", space.show(self.key), result(between, bits))
            }
            (_, Some((key, bits))) => {
                format!("{}, {}", result(self.key, self.result), result(key, bits))
            }
            (_, None) => result(self.key, self.result),
        };
        format!("{text}: {}", self.off)
    }
}

/// The violations of a property.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Violations {
    /// The number of inputs that violate it.
    pub count: u64,
    /// The first one, in the order of the reals.
    pub first: Option<Violation>,
    /// The farthest from it. For [`Property::Seams`], the largest jump, even if it is allowed.
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
        let farther = |a: &Violation, b: &Violation| {
            let off = b
                .off
                .partial_cmp(&a.off)
                .unwrap_or(std::cmp::Ordering::Equal);
            off.then(a.place.cmp(&b.place))
        };
        Violations {
            count: self.count + other.count,
            first: first.min_by_key(|v| v.place),
            worst: worst.min_by(farther),
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
    #[error("properties are for functions of one argument, and this one takes {}", .0.signature())]
    Arguments(InputSpace),
    /// No function is available of which a routine of numbers of 16 bits could be the inverse.
    #[error("an inverse is tested in binary32 and binary64, and this routine takes {}", .0.signature())]
    Inverse(InputSpace),
    /// The results are measured in another format than the arguments.
    #[error("this property cannot be tested for a function of {} with results in {}", .0.signature(), .1.name())]
    Result(InputSpace, Number),
    /// There are too many inputs.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The routine gave no result.
    #[error(transparent)]
    Backend(#[from] BackendError),
}

/// Checks the properties at all inputs of a sample of a range, until a stop is requested. They concern only the range: its last input is
/// not compared with the input after it.
///
/// # Errors
/// If the routine has two arguments or gives no result, or there are too many inputs.
///
/// # Panics
/// If a thread cannot be started.
pub fn check(
    judge: &Judge,
    (whole, sample): (&Range, &Sample),
    threads: usize,
    stop: &Stop,
) -> Result<Checked, PropertyError> {
    sample
        .parts()
        .try_fold(Checked::nothing(judge.properties), |sum, part| {
            Ok(sum.merge(part_of(judge, (whole, part), threads, stop)?))
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
    judge: &Judge,
    (whole, range): (&Range, &Range),
    threads: usize,
    stop: &Stop,
) -> Result<Checked, PropertyError> {
    let space = range.space();
    if space.arguments().len() != 1 {
        return Err(PropertyError::Arguments(space));
    }
    if matches!(space, InputSpace::Stored(_)) && judge.properties.contains(&Property::InverseOf) {
        return Err(PropertyError::Inverse(space));
    }
    let result = judge.sweep.candidate.result(space);
    let jumps = |p: &Property| matches!(p, Property::Seams(_));
    let jumps = judge.properties.iter().any(jumps) && judge.sweep.rounded().is_some();
    let integers = matches!(space, InputSpace::Integers(_));
    if integers || result.precision() != space.precision() || jumps {
        return Err(PropertyError::Result(space, result));
    }
    let plan = blocks::plan(range, BLOCK_LOG2)?;
    let work = Judged {
        judge: *judge,
        numbers: Numbers::of(space, whole),
    };
    Ok(blocks::sum(&work, &plan, BATCH, threads, (stop, None))?)
}

/// A routine whose properties are judged.
struct Judged<'a> {
    judge: Judge<'a>,
    numbers: Numbers<'a>,
}

impl Work for Judged<'_> {
    type Sum = Checked;
    type Columns = Columns;

    fn nothing(&self) -> Checked {
        Checked::nothing(self.judge.properties)
    }

    fn columns(&self) -> Columns {
        // Single inputs at random places are numbers in the order of the reals here.
        let sweep = self.judge.sweep.over(self.numbers.space.whole());
        let inverse = self
            .judge
            .inverse
            .map(|reference| Sweep { reference, ..sweep });
        Columns {
            errors: PointEvaluator::plain(&sweep),
            inverse: PointEvaluator::plain(&inverse.unwrap_or(sweep)),
            results: Vec::new(),
            next: Vec::new(),
            negative: Vec::new(),
            points: [Vec::new(), Vec::new()],
            between: Vec::new(),
            back: Vec::new(),
        }
    }

    fn batch(
        &self,
        batch: Block,
        columns: &mut Columns,
        found: &mut Checked,
    ) -> Result<(), BackendError> {
        let keys = self.numbers.batch(batch.first, batch.count as usize);
        columns.evaluate(&self.judge, &self.numbers, &keys)?;
        found.inputs += batch.count;
        let properties = self.judge.properties;
        columns.judge(&self.numbers, &keys, properties, &mut found.violations);
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

    /// The number with the opposite sign.
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

/// The results of a batch, and of the other inputs that its properties refer to.
struct Columns {
    errors: PointEvaluator,
    inverse: PointEvaluator,
    results: Vec<Vec<u64>>,
    next: Vec<Vec<u64>>,
    negative: Vec<Vec<u64>>,
    /// The inputs with their errors, and the next inputs with theirs.
    points: [Vec<PointResult>; 2],
    /// Bits of the values to which the routine is applied as an inverse, and the results there.
    between: Vec<u64>,
    back: Vec<Vec<u64>>,
}

impl Columns {
    fn evaluate(
        &mut self,
        judge: &Judge,
        numbers: &Numbers,
        keys: &[i64],
    ) -> Result<(), BackendError> {
        let (candidate, properties) = (&judge.sweep.candidate, judge.properties);
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
        if properties.iter().any(|p| matches!(p, Property::Seams(_))) {
            let next: Vec<i64> = keys.iter().map(|&k| numbers.next(k).unwrap_or(k)).collect();
            self.points = [self.errors.evaluate(keys)?, self.errors.evaluate(&next)?];
        }
        if about(&[Property::InverseOf]) {
            let values = self.inverse.references(keys)?;
            let rounded = values.iter().map(|v| match numbers.precision {
                Precision::F32 => u64::from((v.nearest() as f32).to_bits()),
                Precision::F64 => v.nearest().to_bits(),
            });
            self.between = rounded.collect();
            self.back.resize(1, Vec::new());
            candidate.eval(std::slice::from_ref(&self.between), &mut self.back)?;
        }
        Ok(())
    }

    /// The change of the error from an input to the next, if both have one.
    fn jump(&self, i: usize) -> Option<f64> {
        let [here, next] = [0, 1].map(|side| &self.points[side][i]);
        let known = |p: &PointResult| p.flags & FLAG_EXCLUDED == 0;
        (known(here) && known(next)).then(|| (next.error - here.error).abs())
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
                    Property::Seams(most) => {
                        let next = numbers.next(key).filter(|&n| numbers.whole.contains(n));
                        let (Some(next), Some(jump)) = (next, self.jump(i)) else {
                            continue;
                        };
                        let at = Violation {
                            key,
                            place: numbers.place(key),
                            result,
                            other: Some((next, self.points[1][i].result_bits)),
                            off: Distance::Ulp(jump),
                        };
                        match jump > most {
                            true => found.add(at),
                            // The largest jump is of interest even if it is not too large.
                            false => {
                                *found = found.merge(Violations {
                                    worst: Some(at),
                                    ..Violations::default()
                                });
                            }
                        }
                        continue;
                    }
                    Property::InverseOf => {
                        let (between, back) = (self.between[i], self.back[0][i]);
                        let x = numbers.bits(key);
                        let judged = value(between).is_finite() && value(x).is_finite();
                        (judged && value(back) != value(x)).then(|| {
                            let key = numbers.precision.key_of_bits(between);
                            (Some((key, back)), steps(numbers.precision, x, back))
                        })
                    }
                };
                if let Some((other, off)) = violated {
                    found.add(Violation {
                        key,
                        place: numbers.place(key),
                        result,
                        other,
                        off,
                    });
                }
            }
        }
    }
}

/// The distance of two results in numbers of the format; 0 if one is a NaN.
fn steps(precision: Precision, a: u64, b: u64) -> Distance {
    Distance::Numbers(Number::of(precision).steps([a, b]).unwrap_or(0))
}

#[cfg(test)]
mod tests;
