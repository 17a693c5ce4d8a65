//! The search for the largest errors of a routine in binary32. Errors are compared with the records so far. If an error may be a new
//! record, or a result is not a number, some chunks of 960 inputs are searched in full.

use super::place::LONGEST_SPAN;
use crate::model::backend::SweepKernel;
use crate::model::block::BlockResult;
use crate::model::error::BackendError;
use crate::model::kernel_ref::{DecideFn, Records, SweepFn};
use crate::model::measure::Measure;
use crate::scan::CHUNK;

/// A search on one instruction set.
pub struct Search {
    decide: DecideFn,
    /// The full search.
    search: SweepFn,
    /// The number of inputs at which the reference was evaluated: all.
    evaluated: u64,
}

impl Search {
    pub fn new(decide: DecideFn, search: SweepFn) -> Search {
        Search {
            decide,
            search,
            evaluated: 0,
        }
    }
}

impl SweepKernel for Search {
    fn run(&mut self, first: i64, count: u64) -> Result<BlockResult, BackendError> {
        let mut total = BlockResult::EMPTY;
        // Where chunk after chunk is undecided, more of them are searched at once.
        let mut span = 1;
        while total.count < count {
            let key = first.wrapping_add_unsigned(total.count);
            // Without any input the first is the record, whatever its error.
            if total.max.exists() {
                let records = Records {
                    above: total.max_positive.error(),
                    below: total.max_negative.error(),
                };
                let decided = (self.decide)(key, count - total.count, Some(records));
                total.count += decided.inputs;
                total.digest = total.digest.wrapping_add(decided.digest);
                if decided.inputs > 0 {
                    span = 1;
                }
            }
            let key = first.wrapping_add_unsigned(total.count);
            let live = (count - total.count).min(span * CHUNK as u64);
            if live == 0 {
                break;
            }
            let mut block = (self.search)(key, live);
            block.digest = (self.decide)(key, live, None).digest;
            total = total.merge(&Measure::Maxima.of(&block));
            span = (2 * span).min(LONGEST_SPAN);
        }
        self.evaluated += count;
        Ok(total)
    }

    fn in_full(&self) -> Option<u64> {
        Some(self.evaluated)
    }
}
