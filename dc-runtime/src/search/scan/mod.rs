//! The search loop of the CPU backends.
//!
//! Keys are taken in chunks. One pass runs approximation and reference over a chunk, with the register groups that
//! suit long chains of dependent operations; another judges it and adds it to the total (`reduce.rs`), with narrow
//! groups, since it is short and needs many registers. The columns between them stay in the first-level cache. So a
//! sweep's own code is the two kernels and little else.

mod ordinary;
mod pair;
mod reduce;
#[cfg(test)]
mod tests;

pub use pair::{Outcome, Pair, Types};

use core::marker::PhantomData;

use super::block::BlockResult;
use super::key::Precision;
use crate::isa::{Isa, WithIsa};
use crate::kernel::LaneFn;
use reduce::{CHUNK, Chunk, Reduce, Total};

/// Approximation and reference on the first `live` keys of a chunk.
struct Fill<'a, A, R> {
    chunk: &'a mut Chunk,
    first: i64,
    live: usize,
    kernels: PhantomData<(A, R)>,
}

impl<A: LaneFn, R: LaneFn, I: Isa> WithIsa<I> for Fill<'_, A, R>
where
    (Types<A>, Types<R>): Pair<A, R>,
{
    type Output = ();
    #[inline(always)]
    fn call(self, isa: I) {
        const { assert!(CHUNK.is_multiple_of(I::LANES)) };
        // All keys of a chunk are of one sign.
        let negative = self.first >> 63;
        let mut at = 0;
        while at < self.live {
            let keys = isa.iota_i64(self.first.wrapping_add(at as i64));
            let o = <(Types<A>, Types<R>) as Pair<A, R>>::outcome::<I>(isa, keys, negative);
            isa.store_f64(o.result, &mut self.chunk.result[at..]);
            isa.store_f64(o.hi, &mut self.chunk.hi[at..]);
            isa.store_f64(o.lo, &mut self.chunk.lo[at..]);
            at += I::LANES;
        }
    }
}

/// Searches `count` keys from `first` on: kernels with register groups `I`, the metric with `J`, of one instruction
/// set.
///
/// # Panics
/// When the processor lacks the instruction set.
pub fn scan<A: LaneFn, R: LaneFn, I: Isa, J: Isa>(first: i64, count: u64) -> BlockResult
where
    (Types<A>, Types<R>): Pair<A, R>,
{
    let absent = || -> ! { panic!("{} is not on this processor", I::NAME) };
    let kernels = I::detect().unwrap_or_else(|| absent());
    let metric = J::detect().unwrap_or_else(|| absent());
    let precision: Precision = <(Types<A>, Types<R>) as Pair<A, R>>::PRECISION;
    let mut chunk = Chunk::new();
    let mut total = Total::new();
    let (mut first, mut left) = (first, count);
    while left > 0 {
        let of_this_sign = if first < 0 {
            left.min(first.unsigned_abs())
        } else {
            left
        };
        let live = of_this_sign.min(CHUNK as u64) as usize;
        kernels.run(Fill::<A, R> {
            chunk: &mut chunk,
            first,
            live,
            kernels: PhantomData,
        });
        metric.run(Reduce {
            precision,
            chunk: &mut chunk,
            total: &mut total,
            first,
            live,
        });
        first = first.wrapping_add(live as i64);
        left -= live as u64;
    }
    total.finish()
}
