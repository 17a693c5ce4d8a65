//! Higher precision for the inputs that a search's reference cannot decide.
//!
//! A reference in binary64 cannot decide on which side of one half an error lies if it is within 2^-28 ULP of one half. A reference in
//! double-double cannot decide within 2^-45 ULP ([`crate::builtins::ulp_error`]). A search of all binary32 inputs finds some tens of such
//! inputs, few enough for a second evaluation. For a binary32 routine, this uses the function's double-double reference. The remaining
//! inputs use MPFR, if the program has it.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use crate::model::candidate::Reference;
use crate::model::key::Precision;
use crate::model::space::InputSpace;
use crate::search::evaluator::PointResult;
use crate::sweep::Sweep;

/// The side of one half on which an error lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// Its error is below one half: it is the nearest number.
    Rounded,
    /// Its error is exactly one half: it is one of the two nearest numbers. Two words cannot decide this.
    #[cfg(feature = "mpfr")]
    Tie,
    /// Its error is above one half.
    Misrounded,
}

/// The results for inputs that were undecided.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decided {
    /// Results that are the nearest number.
    pub rounded: u64,
    /// Results with an error of exactly half an ULP.
    pub ties: u64,
    /// Results with an error above half an ULP.
    pub misrounded: u64,
    /// Inputs that are still undecided.
    pub open: u64,
    /// The key of the first misrounded one.
    pub first_misrounded: Option<i64>,
    /// The key of the first one that is still undecided.
    pub first_open: Option<i64>,
    /// The methods that decided: "binary64", "MPFR".
    pub by: BTreeSet<&'static str>,
}

impl Decided {
    /// The number of inputs.
    #[must_use]
    pub const fn inputs(&self) -> u64 {
        self.rounded + self.ties + self.misrounded + self.open
    }

    fn add(&mut self, key: i64, verdict: Option<(Verdict, &'static str)>) {
        let Some((verdict, by)) = verdict else {
            self.open += 1;
            self.first_open = self.first_open.or(Some(key));
            return;
        };
        self.by.insert(by);
        match verdict {
            Verdict::Rounded => self.rounded += 1,
            #[cfg(feature = "mpfr")]
            Verdict::Tie => self.ties += 1,
            Verdict::Misrounded => {
                self.misrounded += 1;
                self.first_misrounded = self.first_misrounded.or(Some(key));
            }
        }
    }
}

/// The relative error of a double-double reference, with a margin: the guaranteed bound is 2^-98.
const ERROR_OF_DOUBLE_DOUBLE: f64 = 1.0 / (1u128 << 96) as f64;

/// Decides the undecided inputs of a search, in ascending order. For a sweep of binary32, `finer` is the reference of its function for binary64
/// routines.
///
/// Inputs for which neither method is available stay undecided: those of routines in binary64 in a program without MPFR, of functions that
/// the sweep does not name, and of numbers stored in 16 bits. So do the inputs that are left after `limit`: for some functions, MPFR needs
/// milliseconds per input.
#[must_use]
pub fn decide(
    sweep: &Sweep,
    finer: Option<&Reference>,
    points: &[PointResult],
    limit: Option<Duration>,
) -> Decided {
    let begun = Instant::now();
    let mut decided = Decided::default();
    let known = !matches!(sweep.inputs, InputSpace::Stored(_))
        && sweep.inputs.precision() == sweep.precision
        && sweep.rounded().is_none();
    for point in points {
        let words: Vec<u64> = sweep.inputs.words(point.key).collect();
        let late = limit.is_some_and(|limit| begun.elapsed() >= limit);
        let verdict = match known && !late {
            true => by_double_double(sweep, finer, &words, point.result_bits)
                .map(|verdict| (verdict, "binary64"))
                .or_else(|| in_mpfr(sweep, &words, point.result_bits)),
            false => None,
        };
        decided.add(point.key, verdict);
    }
    decided
}

/// A binary32 result as a number. An infinite result is 2^128, which is its value for the metric.
fn counted(bits: u64) -> f64 {
    let value = Precision::F32.value_of_bits(bits);
    match value.is_infinite() {
        true => 2f64.powi(128).copysign(value),
        false => value,
    }
}

fn by_double_double(
    sweep: &Sweep,
    finer: Option<&Reference>,
    words: &[u64],
    result_bits: u64,
) -> Option<Verdict> {
    let kernel = finer?
        .kernel()
        .filter(|_| sweep.precision == Precision::F32)?;
    let inputs: Vec<[u64; 1]> = words
        .iter()
        .map(|w| [Precision::F32.value_of_bits(*w).to_bits()])
        .collect();
    let inputs: Vec<&[u64]> = inputs.iter().map(|w| &w[..]).collect();
    let mut outputs = vec![Vec::new(); finer?.words()];
    (kernel.cpu.scalar)(&inputs, &mut outputs);
    let word = |i: usize| outputs.get(i).map_or(0, |column: &Vec<u64>| column[0]);
    if word(2) != 0 {
        return None;
    }
    nearest_binary32(
        f64::from_bits(word(0)),
        f64::from_bits(word(1)),
        counted(result_bits),
    )
}

/// On which side a binary32 number lies, for a true value of `hi + lo`.
fn nearest_binary32(hi: f64, lo: f64, result: f64) -> Option<Verdict> {
    if !(hi.is_finite() && lo.is_finite() && result.is_finite()) {
        return None;
    }
    let mut exponent = ((hi.to_bits() >> 52) & 2047) as i32 - 1023;
    let power = hi.to_bits() & ((1 << 52) - 1) == 0;
    if power && hi * lo < 0.0 {
        exponent -= 1;
    }
    let half = 2f64.powi((exponent - 23).max(-149) - 1);
    // Both are exact: the result is within an ULP of binary32 of the value, so the differences have at most 31 bits.
    let off = (hi - result).abs() - half;
    let low = match hi < result {
        true => -lo,
        false => lo,
    };
    let over = off + low;
    if over.abs() <= hi.abs() * ERROR_OF_DOUBLE_DOUBLE {
        return None;
    }
    Some(match over > 0.0 {
        true => Verdict::Misrounded,
        false => Verdict::Rounded,
    })
}

#[cfg(not(feature = "mpfr"))]
fn in_mpfr(_: &Sweep, _: &[u64], _: u64) -> Option<(Verdict, &'static str)> {
    None
}

#[cfg(feature = "mpfr")]
fn in_mpfr(sweep: &Sweep, words: &[u64], result_bits: u64) -> Option<(Verdict, &'static str)> {
    use rug::Float;
    /// The numbers of bits, from 400 on. A value that is a midpoint to half of 4,000 bits counts as one.
    const BITS: [u32; 2] = [400, 4000];
    let function = sweep.truth?;
    let (fraction, least, top) = match sweep.precision {
        Precision::F32 => (23, -149, 128),
        Precision::F64 => (52, -1074, 1024),
    };
    for bits in BITS {
        let number = |x: f64| Float::with_val(bits, x);
        let power = |e: i32| number(1.0) << e;
        let arguments: Vec<Float> = words
            .iter()
            .map(|w| number(sweep.precision.value_of_bits(*w)))
            .collect();
        let truth = match &arguments[..] {
            [x] => function.of(x.clone()),
            [x, y] => function.of_two(x.clone(), y.clone()),
            _ => return None,
        };
        let result = sweep.precision.value_of_bits(result_bits);
        let result = match result.is_infinite() {
            true => power(top) * result.signum(),
            false => number(result),
        };
        let exponent = truth.get_exp()?;
        let half = power((exponent - 1 - fraction).max(least) - 1);
        let over = (truth.clone() - result).abs() - half;
        if over.is_nan() {
            return None;
        }
        let margin = truth.abs() >> (bits / 2);
        if *over.as_abs() > margin {
            let verdict = match over > 0 {
                true => Verdict::Misrounded,
                false => Verdict::Rounded,
            };
            return Some((verdict, "MPFR"));
        }
    }
    Some((Verdict::Tie, "MPFR"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Halfway between 1 and the next number, and beside it by 2^-80.
    #[test]
    fn the_side_of_a_midpoint_is_that_of_the_second_word() {
        let (middle, next) = (1.0 + 2f64.powi(-24), 1.0 + 2f64.powi(-23));
        let little = 2f64.powi(-80);
        for sign in [1.0, -1.0] {
            let at =
                |lo: f64, result: f64| nearest_binary32(sign * middle, sign * lo, sign * result);
            assert_eq!(at(little, 1.0), Some(Verdict::Misrounded));
            assert_eq!(at(little, next), Some(Verdict::Rounded));
            assert_eq!(at(-little, 1.0), Some(Verdict::Rounded));
            assert_eq!(at(-little, next), Some(Verdict::Misrounded));
            assert_eq!(at(0.0, next), None);
            assert_eq!(at(2f64.powi(-97), next), None);
        }
        // Below a power of two the ULP is the half: the number below 1 is 1 - 2^-24.
        let below = |lo: f64, result: f64| nearest_binary32(1.0 - 2f64.powi(-25), lo, result);
        assert_eq!(below(-little, 1.0), Some(Verdict::Misrounded));
        assert_eq!(below(little, 1.0), Some(Verdict::Rounded));
        let under = 1.0 - 2f64.powi(-24);
        assert_eq!(below(-little, under), Some(Verdict::Rounded));
        assert_eq!(below(little, under), Some(Verdict::Misrounded));
        // Subnormal numbers are multiples of 2^-149; from half a unit above the largest number, infinity is nearest.
        let least = 2f64.powi(-149);
        let tiny = |lo: f64| nearest_binary32(1.5 * least, lo, least);
        assert_eq!(tiny(2f64.powi(-230)), Some(Verdict::Misrounded));
        assert_eq!(tiny(-2f64.powi(-230)), Some(Verdict::Rounded));
        let overflow = 2f64.powi(128) - 2f64.powi(103);
        let infinite =
            |lo: f64| nearest_binary32(overflow, lo, counted(u64::from(f32::INFINITY.to_bits())));
        assert_eq!(infinite(2f64.powi(40)), Some(Verdict::Rounded));
        assert_eq!(infinite(-2f64.powi(40)), Some(Verdict::Misrounded));
    }
}
