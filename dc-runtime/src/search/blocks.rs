//! Work on all inputs of a range without a backend: threads take the range's blocks, and their results are merged.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use super::engine::Stop;
use super::plan::{Block, Plan, PlanError};
use super::range::Range;
use crate::fenv::Guard;
use crate::model::error::BackendError;
use crate::model::measure::Measure;

/// The work on the inputs.
pub(super) trait Work: Sync {
    /// Its result.
    type Sum: Send;
    /// The data that a thread keeps from batch to batch.
    type Columns;

    fn nothing(&self) -> Self::Sum;
    fn columns(&self) -> Self::Columns;
    /// Adds the result for a batch to that of its block.
    fn batch(
        &self,
        batch: Block,
        columns: &mut Self::Columns,
        found: &mut Self::Sum,
    ) -> Result<(), BackendError>;
    /// Completes the result for a block, when all of it is done or the work has ended.
    fn block(&self, found: Self::Sum) -> Self::Sum {
        found
    }
    /// Merges two results, in any order.
    fn merge(a: Self::Sum, b: Self::Sum) -> Self::Sum;
}

/// The range in blocks of `2^log2` inputs, or in larger blocks if there would be too many.
pub(super) fn plan(range: &Range, log2: u32) -> Result<Plan, PlanError> {
    Plan::new(range.clone(), Some(log2)).or_else(|_| {
        let log2 = Plan::default_log2(range.count(), Measure::Full);
        Plan::new(range.clone(), Some(log2))
    })
}

/// The result for the whole range, or for the part done when a stop is requested or the time is up.
pub(super) fn sum<W: Work>(
    work: &W,
    plan: &Plan,
    batch: u64,
    threads: usize,
    (stop, end): (&Stop, Option<Instant>),
) -> Result<W::Sum, BackendError> {
    let next = AtomicU64::new(0);
    let ended = Mutex::new(Ok(work.nothing()));
    let over = || stop.asked() || end.is_some_and(|end| Instant::now() >= end);
    let thread = || {
        let _guard = Guard::new();
        let mut sum = work.nothing();
        let mut columns = work.columns();
        while !over()
            && let Some(block) = plan.block(next.fetch_add(1, Ordering::Relaxed))
        {
            let mut found = work.nothing();
            let mut done = 0;
            while done < block.count && !over() {
                let part = Block {
                    first: block.first.wrapping_add_unsigned(done),
                    count: batch.min(block.count - done),
                    ..block
                };
                if let Err(e) = work.batch(part, &mut columns, &mut found) {
                    stop.ask();
                    *ended.lock().unwrap_or_else(PoisonError::into_inner) = Err(e);
                    return;
                }
                done += part.count;
            }
            sum = W::merge(sum, work.block(found));
        }
        let mut ended = ended.lock().unwrap_or_else(PoisonError::into_inner);
        if let Ok(all) = &mut *ended {
            let others = std::mem::replace(all, work.nothing());
            *all = W::merge(others, sum);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(thread);
        }
    });
    ended.into_inner().unwrap_or_else(PoisonError::into_inner)
}
