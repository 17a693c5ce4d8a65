//! A part of a search that represents the whole search in a measurement of its speed.
//!
//! The cost of an input depends on its place: subnormals and special values take longer. So a measurement of some tenths of a second must
//! not search only the neighbours of the first input. It takes pieces in turn from the whole range, so the proportions of binades are those
//! of a search of the whole range.

use std::ops;

use super::{seed, split_mix};
use crate::search::plan::{MAX_LOG2, MIN_LOG2, Plan, PlanError};
use crate::search::range::{Range, Span};
use crate::sweep::Sweep;

/// The number of places from which pieces are taken, a power of two.
const PLACES: u64 = 64;
/// The largest number of pieces at one place.
const ROUNDS: u64 = 256;
/// The smallest size of a piece, even if a backend needs less.
const PIECE: u64 = 1 << 20;

/// A part of a sweep's range and the order of its blocks.
#[derive(Debug, Clone)]
pub struct Trial {
    /// The part, one piece per block.
    pub plan: Plan,
    /// The pieces in the order in which they are searched.
    pub pending: Vec<ops::Range<u64>>,
}

impl Trial {
    /// Pieces of about `batch` inputs, or fewer if the range is small.
    ///
    /// # Errors
    /// If the range has so many stretches that there would be too many blocks.
    pub fn of(sweep: &Sweep, range: &Range, batch: u64) -> Result<Trial, PlanError> {
        let total = range.count();
        let part = total / u128::from(PLACES);
        let fits = part.max(1).ilog2().clamp(MIN_LOG2, MAX_LOG2);
        let log2 = batch.max(PIECE).ilog2().min(fits);
        if part < 1 << MIN_LOG2 {
            let plan = Plan::new(range.clone(), Some(log2))?;
            let pending = std::iter::once(0..plan.blocks()).collect();
            return Ok(Trial { plan, pending });
        }
        let length = part.min(u128::from(ROUNDS) << log2);
        let mut random = seed(sweep.name);
        let spans: Vec<Span> = (0..u128::from(PLACES))
            .map(|i| {
                let (from, end) = (total * i / 64, total * (i + 1) / 64);
                let free = (end - from).saturating_sub(length) + 1;
                stretch(
                    range,
                    from + u128::from(split_mix(&mut random)) % free,
                    length,
                )
            })
            .collect();
        let plan = Plan::new(Range::covering(range.space(), spans), Some(log2))?;
        // A block at each place in turn, places far from each other; neighbouring ones may have been joined.
        let mut places: Vec<ops::Range<u64>> = Vec::new();
        let mut next = 0;
        for s in plan.range().spans() {
            let blocks = s.count().div_ceil(1 << log2) as u64;
            places.push(next..next + blocks);
            next += blocks;
        }
        let order = (0..PLACES).map(|i| (i.reverse_bits() >> (64 - PLACES.ilog2())) as usize);
        let order: Vec<usize> = order.filter(|&i| i < places.len()).collect();
        let mut pending = Vec::new();
        while pending.len() < next as usize {
            for &i in &order {
                if let Some(block) = places[i].next() {
                    pending.push(block..block + 1);
                }
            }
        }
        Ok(Trial { plan, pending })
    }
}

/// Inputs from index `start` of a range on, up to the end of the stretch there.
fn stretch(range: &Range, mut start: u128, length: u128) -> Span {
    let spans = range.spans();
    let mut i = 0;
    while i + 1 < spans.len() && start >= spans[i].count() {
        start -= spans[i].count();
        i += 1;
    }
    let first = (i128::from(spans[i].first) + start as i128) as i64;
    let last = i128::from(first) + length as i128 - 1;
    Span {
        first,
        last: last.min(spans[i].last.into()) as i64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweeps;

    fn sweep(name: &str) -> &'static Sweep {
        sweeps::ALL.iter().find(|s| s.name == name).expect(name)
    }

    /// Regression test: version 0.1 searched `exp` from the middle of its range on, which are numbers around 0 with which no program calls
    /// it.
    #[test]
    fn estimate_does_not_stay_in_the_middle_of_the_range() {
        let exp = sweep("exp");
        let range = Range::parse(exp.range, exp.precision).expect("a range");
        for batch in [1 << 10, 1 << 31] {
            let trial = Trial::of(exp, &range, batch).expect("a trial");
            assert_eq!(trial.pending.len() as u64, trial.plan.blocks());
            let first: Vec<i64> = trial.pending[..16]
                .iter()
                .map(|b| trial.plan.block(b.start).expect("a block").first)
                .collect();
            let below = first.iter().filter(|&&k| k < 0).count();
            assert!((6..=10).contains(&below), "{below} below 0");
            let mut exponents: Vec<i64> = first.iter().map(|k| k >> 52).collect();
            exponents.sort_unstable();
            exponents.dedup();
            assert_eq!(exponents.len(), 16, "{exponents:?}");
            let spread = exponents[15] - exponents[0];
            assert!(spread > 1500, "of 2064 binades: {spread}");
        }
    }

    #[test]
    fn pieces_are_of_the_range_and_each_comes_once() {
        for (name, text) in [
            ("exp", "all"),
            ("reciprocal", "1.0..2.0"),
            ("reciprocal", "1.0..=1.5, 4.0..=4.0, 8.0..9.0"),
            ("reciprocal-f32", "1.0..2.0"),
            ("reciprocal-f32", "1.0..=0x1.0001p0"),
            ("reciprocal", "1.0..=1.0"),
        ] {
            let sweep = sweep(name);
            let range = Range::parse(text, sweep.precision).expect(text);
            let trial = Trial::of(sweep, &range, 1 << 20).expect(text);
            assert_eq!(range.intersection(trial.plan.range()), *trial.plan.range());
            let mut blocks: Vec<u64> = trial.pending.iter().cloned().flatten().collect();
            blocks.sort_unstable();
            assert!(blocks.into_iter().eq(0..trial.plan.blocks()), "{text}");
        }
    }
}
