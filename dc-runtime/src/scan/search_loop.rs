//! The search loop of a sweep of two kernels.

use super::comparable::{Comparable, OnLanes, Types};
use super::eval_chunk::{IsaLevel, variants};
use super::reduce::{CHUNK, Chunk, MetricOf, Reduce, Total};
use super::width;
use crate::kernel::LaneFn;
use crate::model::block::BlockResult;
use crate::model::key::Precision;
use crate::model::measure::Measure;

/// Searches `count` keys from `first` on with one instruction set.
///
/// # Panics
/// If the processor lacks it.
pub fn scan<A: LaneFn, R: LaneFn, L: IsaLevel>(first: i64, count: u64) -> BlockResult
where
    (Types<A>, Types<R>): OnLanes<A, R>,
{
    scan_measured::<A, R, L>(first, count, Measure::Full)
}

/// The same as [`scan`], for errors in ULP, absolute errors or relative errors.
///
/// # Panics
/// As for [`scan`].
pub fn scan_measured<A: LaneFn, R: LaneFn, L: IsaLevel>(
    first: i64,
    count: u64,
    measure: Measure,
) -> BlockResult
where
    (Types<A>, Types<R>): OnLanes<A, R>,
{
    let precision: Precision = <(Types<A>, Types<R>) as Comparable<A, R>>::PRECISION;
    let metric_of = MetricOf {
        precision,
        measure,
        rounded: None,
    };
    let mut chunk = Chunk::new(<(Types<A>, Types<R>) as OnLanes<A, R>>::SCALE);
    let mut total = Total::new();
    let eval_chunk = width::choose(variants::<A, R, L>(), &mut chunk, first, count);
    let (mut first, mut left) = (first, count);
    while left > 0 {
        let of_this_sign = if first < 0 {
            left.min(first.unsigned_abs())
        } else {
            left
        };
        let live = of_this_sign.min(CHUNK as u64) as usize;
        eval_chunk(&mut chunk, first, live);
        L::reduce(Reduce {
            metric: metric_of,
            chunk: &mut chunk,
            total: &mut total,
            first,
            live,
            keep: false,
        });
        first = first.wrapping_add(live as i64);
        left -= live as u64;
    }
    // The first key of the columns that are there: those of the last chunk at first.
    let mut there = first.wrapping_sub(CHUNK as i64);
    while let Some(first) = total.unresolved() {
        if first != there {
            eval_chunk(&mut chunk, first, CHUNK);
            there = first;
        }
        total.resolve(L::reduce, metric_of, &mut chunk, first);
    }
    total.finish()
}
