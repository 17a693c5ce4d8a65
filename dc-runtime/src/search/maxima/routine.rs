//! The routine of a search on the processor: a kernel, or a function that is called at columns of inputs.

use crate::model::block::BlockResult;
use crate::model::error::BackendError;
use crate::model::kernel_ref::{ResultsFn, SweepFn};
use crate::scan::{CHUNK, ColumnSearch};

/// A routine, and its full search.
pub(super) trait Routine: Send {
    /// Stores the routine's results at the keys from `key` on; `left` keys remain to be searched. Returns the number of keys from `key` on
    /// that [`Routine::search`] takes next.
    fn results(&mut self, key: i64, left: u64, to: &mut [f64; CHUNK]) -> Result<u64, BackendError>;

    /// Searches `count` keys in full, from the last `key` of [`Routine::results`] on.
    fn search(&mut self, key: i64, count: u64) -> Result<BlockResult, BackendError>;
}

/// A kernel.
pub(super) struct Kernel {
    pub results: ResultsFn,
    pub search: SweepFn,
}

impl Routine for Kernel {
    fn results(&mut self, key: i64, _: u64, to: &mut [f64; CHUNK]) -> Result<u64, BackendError> {
        (self.results)(key, to);
        Ok(u64::MAX)
    }

    fn search(&mut self, key: i64, count: u64) -> Result<BlockResult, BackendError> {
        Ok((self.search)(key, count))
    }
}

/// A function of a library or a device. A call is worth its cost for many inputs, so the results of several chunks are kept.
pub(super) struct Called {
    columns: ColumnSearch,
    /// The key of the first result.
    first: i64,
}

impl Called {
    pub fn new(columns: ColumnSearch) -> Called {
        Called { columns, first: 0 }
    }

    /// The place of a key among the results.
    fn place(&self, key: i64) -> usize {
        usize::try_from(key.wrapping_sub(self.first)).unwrap_or(usize::MAX)
    }
}

impl Routine for Called {
    fn results(&mut self, key: i64, left: u64, to: &mut [f64; CHUNK]) -> Result<u64, BackendError> {
        let mut at = self.place(key);
        let wanted = left.min(CHUNK as u64) as usize;
        if at.saturating_add(wanted) > self.columns.results().len() {
            self.columns.call(key, left)?;
            (self.first, at) = (key, 0);
        }
        let there = &self.columns.results()[at..];
        for (to, &bits) in to.iter_mut().zip(there) {
            *to = f64::from_bits(bits);
        }
        Ok(there.len() as u64)
    }

    fn search(&mut self, key: i64, count: u64) -> Result<BlockResult, BackendError> {
        let at = self.place(key);
        self.columns.measured(self.first, at..at + count as usize)
    }
}
