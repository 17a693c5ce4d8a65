//! The search for the largest errors alone ([`Measure::Maxima`]): almost every input is decided without the reference.
//!
//! The routine is evaluated at every input. On a stretch of up to 2^21 inputs its results are compared with a certified
//! polynomial of degree 2 of the function (`stretch`), by 8 operations a register, and where an error may be a record, or
//! a result is no number, the chunk of 960 inputs is searched in full. So the records, their inputs and the faults are those of
//! the full search, to the bit.
//!
//! Routines in binary32 are searched in another way (`beside_records`): the reference is evaluated, and the metric is left out.
//!
//! What the polynomials rely on is what a search relies on anyway: that the reference is the function. It is checked at three inputs of
//! each stretch, to 2^-19 ULP, and the search ends where it is not.
//!
//! [`Measure::Maxima`]: crate::model::measure::Measure::Maxima

mod beside_records;
mod stretch;

use super::certify::{Refused, truth};
use crate::isa::sets::{InstructionSet, per_isa};
use crate::isa::{Isa, PerIsa, Scalar};
use crate::model::backend::{Backend, BackendError, SweepKernel};
use crate::model::block::BlockResult;
use crate::model::kernel_ref::{ResultsFn, SweepFn};
use crate::model::measure::{Measure, digest_term_of_result};
use crate::model::space::InputSpace;
use crate::scan::levels::*;
use crate::scan::{CHUNK, Filter, IsaLevel, Near, Quadratic};
use crate::sweep::Sweep;
use dc_exact::num::float::power;
use stretch::{Disagrees, Expansion, LARGEST, SLACK, Stretch, Stretches};

/// Prepares a search for the largest errors on a backend of the processor.
///
/// # Errors
/// If the backend is another, or the sweep has no loop for its routine alone, or no function that can be expanded.
pub(super) fn load(
    backend: &dyn Backend,
    sweep: &Sweep,
) -> Result<Box<dyn SweepKernel>, BackendError> {
    let unavailable = |reason: String, remedy: &str| BackendError::Unavailable {
        backend: format!("the measure maxima of `{}` on {}", sweep.name, backend.id()),
        reason,
        remedy: remedy.into(),
    };
    let in_full = "Measure in full.";
    let sets = InstructionSet::ALL.iter();
    let Some(&set) = sets.filter(|s| s.id() == backend.id()).last() else {
        return Err(unavailable(
            "its inputs are compared with polynomials by the processor's instruction sets alone"
                .into(),
            "Take scalar, avx2, avx512 or neon, or measure in full.",
        ));
    };
    if !matches!(sweep.inputs, InputSpace::Numbers(_)) {
        return Err(unavailable(
            "it is for routines of one number in binary32 or binary64".into(),
            in_full,
        ));
    }
    if let (Some(decide), Some(search)) = (sweep.decide, &sweep.cpu) {
        return Ok(Box::new(beside_records::Search::new(
            decide.of(set),
            search.of(set),
        )));
    }
    let (Some(alone), Some(search), Some([routine, reference, _])) =
        (sweep.alone, &sweep.cpu, sweep.kernels())
    else {
        return Err(unavailable(
            "the routine's loop without its reference is not compiled".into(),
            "Declare the sweep with `.with_maxima::<routine>()`, or measure in full.",
        ));
    };
    if !std::ptr::eq(alone.kernel, routine.kernel) && alone.kernel.name != routine.kernel.name {
        return Err(unavailable(
            format!(
                "its loop for maxima is that of `{}`, and its routine is `{}`",
                alone.kernel.name, routine.kernel.name
            ),
            "Name the routine in `.with_maxima::<routine>()`.",
        ));
    }
    if sweep.reference.words() < 2 {
        return Err(unavailable(
            "in binary64 it is for routines with a reference of two words".into(),
            in_full,
        ));
    }
    let truth = match truth(sweep, reference.kernel) {
        Ok((truth, _)) => truth,
        Err(Refused::Scaled { reference, .. }) => {
            return Err(unavailable(
                format!(
                    "no derivatives are known of the function, and its reference `{reference}` has a scale"
                ),
                in_full,
            ));
        }
        Err(e) => return Err(unavailable(e.to_string(), in_full)),
    };
    const FILTERS: PerIsa<fn(Filter<'_>) -> Near> = per_isa!(L: level => <L as IsaLevel>::filter);
    Ok(Box::new(Maxima {
        backend: set.id(),
        name: sweep.name,
        inputs: sweep.inputs,
        routine: alone.cpu.of(set),
        search: search.of(set),
        filter: FILTERS.of(set),
        stretches: Stretches::new(truth, reference, sweep.reference.words(), set),
        stretch: None,
        results: Box::new([0.0; CHUNK]),
        in_full: 0,
    }))
}

/// The largest number of chunks that are searched in full at once: more would not be faster.
const LONGEST_SPAN: u64 = 32;

/// A search on one instruction set.
struct Maxima {
    backend: &'static str,
    name: &'static str,
    inputs: InputSpace,
    routine: ResultsFn,
    /// The full search.
    search: SweepFn,
    filter: fn(Filter<'_>) -> Near,
    stretches: Stretches,
    /// The last one.
    stretch: Option<Stretch>,
    results: Box<[f64; CHUNK]>,
    /// The number of inputs searched in full.
    in_full: u64,
}

impl SweepKernel for Maxima {
    fn run(&mut self, first: i64, count: u64) -> Result<BlockResult, BackendError> {
        let mut total = BlockResult::EMPTY;
        let (mut key, mut left) = (first, count);
        // Where chunk after chunk is undecided, more of them are searched at once.
        let mut span = 1;
        while left > 0 {
            let stretch = self.stretch(key)?;
            let ahead = left.min(stretch.last.abs_diff(key) + 1);
            let mut live = ahead.min(CHUNK as u64);
            (self.routine)(key, &mut self.results[..]);
            let decided = match stretch.expansion {
                Some(expansion) if live == CHUNK as u64 => quadratic(&expansion, &total, key)
                    .map(|quadratic| {
                        (self.filter)(Filter {
                            results: &self.results,
                            first: key,
                            quadratic,
                        })
                    })
                    .filter(|near| near.all),
                _ => None,
            };
            match decided {
                Some(near) => {
                    total.count += live;
                    total.digest = total.digest.wrapping_add(near.digest);
                    span = 1;
                }
                None => {
                    live = ahead.min(span * CHUNK as u64);
                    let mut block = (self.search)(key, live);
                    block.digest = self.digest(key, live);
                    self.in_full += live;
                    total = total.merge(&Measure::Maxima.of(&block));
                    span = (2 * span).min(LONGEST_SPAN);
                }
            }
            key = key.wrapping_add(live as i64);
            left -= live;
        }
        Ok(total)
    }

    fn in_full(&self) -> Option<u64> {
        Some(self.in_full)
    }
}

impl Maxima {
    fn stretch(&mut self, key: i64) -> Result<Stretch, BackendError> {
        if let Some(stretch) = self.stretch
            && (stretch.first..=stretch.last).contains(&key)
        {
            return Ok(stretch);
        }
        let stretch = self.stretches.of(key).map_err(|Disagrees { key, ulp }| BackendError::Refused {
            backend: format!("the measure maxima of `{}` on {}", self.name, self.backend),
            reason: format!(
                "at {} the reference is {ulp:e} ULP from its function, and 2^-19 is the limit: it does not compute what the \
                 sweep names, or not well enough. Correct it, or measure in full",
                self.inputs.input(key)
            ),
        })?;
        self.stretch = Some(stretch);
        Ok(stretch)
    }

    /// The digest of the results at `count` keys from `first` on, with canonical NaNs. The first chunk's results are there.
    fn digest(&mut self, first: i64, count: u64) -> u64 {
        let mut digest = 0u64;
        for at in (0..count).step_by(CHUNK) {
            let first = first.wrapping_add_unsigned(at);
            if at > 0 {
                (self.routine)(first, &mut self.results[..]);
            }
            let live = (count - at).min(CHUNK as u64) as usize;
            let near = (self.filter)(Filter {
                results: &self.results,
                first,
                quadratic: FINITE,
            });
            digest = digest.wrapping_add(if near.all && live == CHUNK {
                near.digest
            } else {
                digest_by_one(first, &self.results[..live])
            });
        }
        digest
    }
}

/// What every finite result is near to.
const FINITE: Quadratic = Quadratic {
    base: 0.0,
    low: 0.0,
    slope: 0.0,
    curve: 0.0,
    start: 0.0,
    step: 0.0,
    limit: f64::MAX,
};

/// The digest of results at keys from `first` on, whose NaNs are made canonical.
fn digest_by_one(first: i64, results: &[f64]) -> u64 {
    let mut digest = 0u64;
    for (i, &x) in results.iter().enumerate() {
        // The last key is the largest integer.
        let key = first.wrapping_add(i as i64);
        let [x] = Scalar::<1>::new().canonical_f64([x]);
        digest = digest.wrapping_add(digest_term_of_result(key, x.to_bits()));
    }
    digest
}

/// What the results of a chunk from `key` on are compared with: none where no comparison can decide.
fn quadratic(expansion: &Expansion, total: &BlockResult, key: i64) -> Option<Quadratic> {
    // Without any input the first is the record, whatever its error.
    if !total.max.exists() {
        return None;
    }
    let (above, below) = (total.max_positive.error(), total.max_negative.error());
    let limit = (above + below) / 2.0 - SLACK;
    if !(limit > 0.0 && above < LARGEST && below < LARGEST) {
        return None;
    }
    // The limits on both sides differ: the polynomial is moved by half their difference.
    let middle = (above - below) / 2.0 * f64::EPSILON;
    let scale = power(expansion.exponent);
    Some(Quadratic {
        base: expansion.base * scale,
        low: (expansion.low + middle) * scale,
        slope: expansion.slope * scale,
        curve: expansion.curve * scale,
        start: (key - expansion.center) as f64 * expansion.step,
        step: expansion.step,
        limit: limit * f64::EPSILON * scale,
    })
}
