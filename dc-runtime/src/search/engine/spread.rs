//! The order of a search's blocks, which spreads over its range: if the search is stopped at any time, the finished blocks
//! come from all over the range.
//!
//! It is van der Corput's sequence: place k of 2^n is k with its n bits reversed. So the first blocks, however many, lie at almost equal
//! distances, and each next block is in a largest gap. Small blocks are taken in strides of consecutive ones. Such blocks are neighbours in
//! the run file, so a commit writes fewer pages, and there are fewer stretches between them. The places depend only on the search's blocks,
//! so a resumed search keeps the order.

use std::collections::{BTreeSet, VecDeque};
use std::ops;

use crate::search::plan::Plan;

/// The largest number of inputs of a stride with more than one block: seconds on a processor.
const STRIDE_LOG2: u32 = 26;
/// A search has at least this many strides, if it has as many blocks.
const STRIDES: u64 = 1024;

/// The blocks that have not been taken yet.
#[derive(Debug)]
pub(super) struct Spread {
    /// The blocks of the search, finished ones included.
    all: ops::Range<u64>,
    /// The blocks that were not finished at the beginning: stretches of their numbers, ascending.
    pending: Vec<ops::Range<u64>>,
    /// The blocks that were begun at the beginning: they are taken first.
    begun: BTreeSet<u64>,
    first: VecDeque<u64>,
    /// Blocks of a stride.
    stride: u64,
    /// The binary logarithm of the number of places.
    bits: u32,
    /// The number of the next place.
    next: u64,
    /// The rest of the current stride.
    current: ops::Range<u64>,
}

impl Spread {
    pub fn new(
        plan: &Plan,
        all: ops::Range<u64>,
        pending: &[ops::Range<u64>],
        begun: impl Iterator<Item = u64>,
    ) -> Spread {
        let blocks = all.end.saturating_sub(all.start);
        let stride = 1u64 << STRIDE_LOG2.saturating_sub(plan.log2());
        let stride = stride.min(blocks / STRIDES).max(1);
        let strides = blocks.div_ceil(stride).max(1);
        let begun: BTreeSet<u64> = begun.collect();
        Spread {
            all,
            pending: pending.to_vec(),
            first: begun.iter().copied().collect(),
            begun,
            stride,
            bits: strides.next_power_of_two().ilog2(),
            next: 0,
            current: 0..0,
        }
    }

    /// The first pending block from `start` on.
    fn pending_from(&self, start: u64) -> Option<u64> {
        let i = self.pending.partition_point(|r| r.end <= start);
        self.pending.get(i).map(|r| r.start.max(start))
    }
}

impl Iterator for Spread {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        if let Some(begun) = self.first.pop_front() {
            return Some(begun);
        }
        loop {
            while let Some(block) = self.pending_from(self.current.start)
                && block < self.current.end
            {
                self.current.start = block + 1;
                if !self.begun.contains(&block) {
                    return Some(block);
                }
            }
            if self.next >> self.bits != 0 {
                return None;
            }
            // With 0 bits there is one place, and a shift by 64 would overflow.
            let place = self.next.reverse_bits().checked_shr(64 - self.bits);
            self.next += 1;
            let end = self.all.end;
            let start = place.unwrap_or(0).saturating_mul(self.stride);
            let start = start.saturating_add(self.all.start).min(end);
            self.current = start..start.saturating_add(self.stride).min(end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::range::Range;
    use crate::search::testing::SWEEP;

    fn plan(log2: u32) -> Plan {
        let range = Range::parse("1.0..2.0", SWEEP.precision).expect("a range");
        Plan::new(range, Some(log2)).expect("a plan")
    }

    /// Every block comes once, whichever blocks are pending or begun, and each tenth of the range is reached soon.
    #[test]
    fn each_block_comes_once_and_from_everywhere() {
        // 2^24 blocks of 2^28 inputs, 2^30 of 2^22: a block at a time, and 16.
        for (log2, all) in [
            (28, 0..1),
            (28, 5..12),
            (28, 7..100_003),
            (22, 0..50_000),
            (40, 0..4096),
        ] {
            let n = all.end - all.start;
            let taken: Vec<u64> = {
                let pending = std::slice::from_ref(&all);
                Spread::new(&plan(log2), all.clone(), pending, std::iter::empty()).collect()
            };
            let mut sorted = taken.clone();
            sorted.sort_unstable();
            assert!(sorted.iter().copied().eq(all.clone()), "{all:?}");
            for part in [taken.len() / 50, taken.len() / 10, taken.len() / 3] {
                let tenths: BTreeSet<u64> = taken[..part]
                    .iter()
                    .map(|b| (b - all.start) * 10 / n)
                    .collect();
                assert!(
                    n < 1000 || tenths.len() == 10,
                    "{all:?}: {tenths:?} after {part}"
                );
            }
        }
    }

    /// A continued search takes the remaining blocks in the order of an uninterrupted one, even if the beginning of the range was searched
    /// in ascending order.
    #[test]
    fn a_continued_search_has_the_same_order() {
        let plan = plan(28);
        let all = 100..1124;
        let whole: Vec<u64> = Spread::new(
            &plan,
            all.clone(),
            std::slice::from_ref(&all),
            std::iter::empty(),
        )
        .collect();
        let (done, left) = whole.split_at(300);
        let done: BTreeSet<u64> = done.iter().copied().collect();
        let stretches = |pending: &dyn Fn(u64) -> bool| -> Vec<ops::Range<u64>> {
            all.clone()
                .filter(|b| pending(*b))
                .map(|b| b..b + 1)
                .collect()
        };
        let pending = stretches(&|b| !done.contains(&b));
        let begun = [left[17], left[3]];
        let again: Vec<u64> =
            Spread::new(&plan, all.clone(), &pending, begun.into_iter()).collect();
        let rest = left.iter().copied().filter(|b| !begun.contains(b));
        let first = BTreeSet::from(begun);
        assert!(
            again.iter().copied().eq(first.into_iter().chain(rest)),
            "{again:?}"
        );
        let pending = 400..1124;
        let pending = std::slice::from_ref(&pending);
        let ascending: Vec<u64> =
            Spread::new(&plan, all.clone(), pending, std::iter::empty()).collect();
        let rest = whole.iter().copied().filter(|b| *b >= 400);
        assert!(ascending.iter().copied().eq(rest), "{ascending:?}");
    }
}
