//! The search for the largest errors of a routine in binary64 on an instruction set of the processor. The routine is a kernel, or a
//! function of a library or a device, which is called once per input.

use super::place::{LONGEST_SPAN, Place};
use super::routine::Routine;
use super::stretch::{Expansion, Stretches};
use crate::isa::{Isa, Scalar};
use crate::model::backend::SweepKernel;
use crate::model::block::BlockResult;
use crate::model::error::BackendError;
use crate::model::measure::{LARGEST, Measure, SLACK, digest_term_of_result};
use crate::scan::{CHUNK, Filter, Near, Quadratic};
use dc_exact::num::float::power;

/// A search on one instruction set.
pub(super) struct Search {
    place: Place,
    routine: Box<dyn Routine>,
    filter: fn(Filter<'_>) -> Near,
    stretches: Stretches,
    results: Box<[f64; CHUNK]>,
    /// The number of inputs searched in full.
    in_full: u64,
}

impl Search {
    pub fn new(
        place: Place,
        routine: Box<dyn Routine>,
        filter: fn(Filter<'_>) -> Near,
        stretches: Stretches,
    ) -> Search {
        Search {
            place,
            routine,
            filter,
            stretches,
            results: Box::new([0.0; CHUNK]),
            in_full: 0,
        }
    }
}

impl SweepKernel for Search {
    fn run(&mut self, first: i64, count: u64) -> Result<BlockResult, BackendError> {
        let mut total = BlockResult::EMPTY;
        let (mut key, mut left) = (first, count);
        // Where chunk after chunk is undecided, more of them are searched at once.
        let mut span = 1;
        while left > 0 {
            let stretch = self.place.stretch(&mut self.stretches, key)?;
            let there = self.routine.results(key, left, &mut self.results)?;
            let ahead = there.min(left).min(stretch.last.abs_diff(key) + 1);
            let mut live = ahead.min(CHUNK as u64);
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
                    let mut block = self.routine.search(key, live)?;
                    block.digest = self.digest(key, live)?;
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

impl Search {
    /// The digest of the results at `count` keys from `first` on, with canonical NaNs. The results of the first chunk are already stored.
    fn digest(&mut self, first: i64, count: u64) -> Result<u64, BackendError> {
        let mut digest = 0u64;
        for at in (0..count).step_by(CHUNK) {
            let first = first.wrapping_add_unsigned(at);
            if at > 0 {
                self.routine.results(first, count - at, &mut self.results)?;
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
        Ok(digest)
    }
}

/// A comparison in which every finite result is near.
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

/// The polynomial with which the results of a chunk from `key` on are compared. `None` if no comparison can decide.
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
