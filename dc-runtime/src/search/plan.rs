//! A range cut into blocks.
//!
//! The division depends only on the range and the block size, not on the machine. So a run can be resumed, and its shards merged, on any
//! machine.

use std::ops;

use super::range::Range;
use super::shard::Shard;
use crate::model::measure::Measure;

/// The default size of a block: 2^32 inputs, as in the paper.
pub const DEFAULT_LOG2: u32 = 32;
/// The smallest block, 2^10 inputs. For smaller blocks, reading a result would cost more than computing it again.
pub const MIN_LOG2: u32 = 10;
/// The largest block, 2^40 inputs.
pub const MAX_LOG2: u32 = 40;
/// The number of blocks into which a small range is cut by default, unless they would be too small.
const WANTED: u128 = 1024;
/// Blocks smaller than 2^16 inputs are made only on request.
const MIN_DEFAULT_LOG2: u32 = 16;
/// The same as [`WANTED`], for a search for only the largest errors. Each block has its own records, and the reference is evaluated around
/// each of them. With blocks of 2^18 inputs, it would be evaluated at up to a fifth of all inputs.
const WANTED_OF_MAXIMA: u128 = 64;
/// From blocks of 2^24 inputs on, these records cost next to nothing, so more blocks do no harm.
const ENOUGH_FOR_MAXIMA_LOG2: u32 = 24;
/// With more blocks than this, a run file would be useless.
const MAX_BLOCKS: u128 = 1 << 40;

/// Consecutive keys that are searched and stored as one unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Block {
    /// Its number in the plan.
    pub index: u64,
    /// Its smallest key.
    pub first: i64,
    /// Number of keys.
    pub count: u64,
}

/// A range cut into blocks of 2^k inputs, counted from the beginning of each stretch. The last block of a stretch may be smaller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    range: Range,
    log2: u32,
    /// For each stretch, the number of its first block; at the end, the number of blocks.
    starts: Vec<u64>,
}

impl Plan {
    /// Cuts a range into blocks of 2^`log2` inputs. The default is 2^32, or less if there would be fewer than 1024 blocks (but not less
    /// than 2^16).
    ///
    /// # Errors
    /// If the block size is out of bounds, or there would be too many blocks.
    pub fn new(range: Range, log2: Option<u32>) -> Result<Plan, PlanError> {
        let log2 = match log2 {
            Some(k) if (MIN_LOG2..=MAX_LOG2).contains(&k) => k,
            Some(k) => return Err(PlanError::BlockSize(k)),
            None => Self::default_log2(range.count(), Measure::Full),
        };
        let mut starts = vec![0];
        let mut total: u128 = 0;
        for span in range.spans() {
            total += span.count().div_ceil(1 << log2);
            if total > MAX_BLOCKS {
                return Err(PlanError::TooMany {
                    log2,
                    remedy: Self::default_log2(range.count(), Measure::Full),
                });
            }
            starts.push(total as u64);
        }
        Ok(Plan {
            range,
            log2,
            starts,
        })
    }

    /// The default binary logarithm of the number of inputs of a block, for this many inputs and this measure. It is that of [`Plan::new`].
    /// In a search for only the largest errors it is 24, or less if there would be fewer than 64 blocks.
    #[must_use]
    pub fn default_log2(inputs: u128, measure: Measure) -> u32 {
        let fit = |blocks: u128| (inputs / blocks).max(1).ilog2();
        let log2 = match measure {
            Measure::Maxima => fit(WANTED).max(fit(WANTED_OF_MAXIMA).min(ENOUGH_FOR_MAXIMA_LOG2)),
            Measure::Full | Measure::Absolute | Measure::Relative => fit(WANTED),
        };
        log2.clamp(MIN_DEFAULT_LOG2, DEFAULT_LOG2)
    }

    /// The range.
    #[must_use]
    pub fn range(&self) -> &Range {
        &self.range
    }
    /// The binary logarithm of the number of inputs of a block.
    #[must_use]
    pub fn log2(&self) -> u32 {
        self.log2
    }
    /// Number of blocks.
    #[must_use]
    pub fn blocks(&self) -> u64 {
        self.starts.last().copied().unwrap_or(0)
    }
    /// The block with this number.
    #[must_use]
    pub fn block(&self, index: u64) -> Option<Block> {
        if index >= self.blocks() {
            return None;
        }
        let i = self.starts.partition_point(|&s| s <= index) - 1;
        let span = self.range.spans()[i];
        let offset = u128::from(index - self.starts[i]) << self.log2;
        let count = (span.count() - offset).min(1 << self.log2) as u64;
        Some(Block {
            index,
            first: (i128::from(span.first) + offset as i128) as i64,
            count,
        })
    }
    /// The number of inputs in consecutive blocks.
    #[must_use]
    pub fn inputs_of(&self, blocks: &ops::Range<u64>) -> u128 {
        let before = |end: u64| -> u128 {
            let mut sum = 0;
            for (i, span) in self.range.spans().iter().enumerate() {
                let blocks = end.min(self.starts[i + 1]).saturating_sub(self.starts[i]);
                sum += (u128::from(blocks) << self.log2).min(span.count());
            }
            sum
        };
        before(blocks.end).saturating_sub(before(blocks.start))
    }
    /// Number of inputs in the blocks of a shard.
    #[must_use]
    pub fn inputs(&self, shard: Shard) -> u128 {
        self.inputs_of(&shard.blocks(self.blocks()))
    }
}

/// The error that a range cannot be cut as requested.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The block size is out of bounds.
    #[error("blocks of 2^{0} inputs: the exponent goes from {MIN_LOG2} to {MAX_LOG2}")]
    BlockSize(u32),
    /// Too many blocks.
    #[error(
        "blocks of 2^{log2} inputs are too small for this range (more than 2^40 of them); make them larger: 2^{remedy}"
    )]
    TooMany {
        /// The requested size.
        log2: u32,
        /// A size that is possible.
        remedy: u32,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::key::Precision::{F32, F64};

    fn plan(text: &str, p: crate::model::key::Precision, log2: Option<u32>) -> Plan {
        Plan::new(Range::parse(text, p).expect(text), log2).expect(text)
    }

    #[test]
    fn blocks_tile_the_range() {
        for (text, p, log2) in [
            ("1.0..2.0", F32, Some(12)),
            ("all", F32, None),
            ("normals", F32, Some(17)),
            (
                "0x1p0..=0x1.00002p0, 2.0..=0x1.000002p1, 4.0..=4.0",
                F32,
                Some(10),
            ),
        ] {
            let plan = plan(text, p, log2);
            let mut expected = plan.range().spans().iter();
            let mut span = *expected.next().expect("a stretch");
            let mut at = span.first;
            for i in 0..plan.blocks() {
                let b = plan.block(i).expect("a block");
                if at > span.last {
                    span = *expected.next().expect("a stretch");
                    at = span.first;
                }
                assert_eq!((b.index, b.first), (i, at), "{text}");
                assert!(b.count > 0 && b.count <= 1 << plan.log2());
                at += b.count as i64;
            }
            assert_eq!(at, span.last + 1, "{text}");
            assert!(expected.next().is_none());
            assert_eq!(plan.block(plan.blocks()), None);
            assert_eq!(plan.inputs(Shard::WHOLE), plan.range().count());
            let parts: u128 = (0..7)
                .map(|i| plan.inputs(Shard::new(i + 1, 7).expect("a shard")))
                .sum();
            assert_eq!(parts, plan.range().count());
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(plan("1.0..2.0", F64, None).log2(), 32);
        assert_eq!(plan("1.0..2.0", F64, None).blocks(), 1 << 20);
        assert_eq!(plan("all", F64, None).blocks(), 1 << 32);
        assert_eq!(
            plan("all", F64, None).block((1 << 32) - 1).map(|b| b.first),
            Some(i64::MAX - u32::MAX as i64)
        );
        assert_eq!(plan("all", F32, None).log2(), 22);
        assert_eq!(plan("1.0..=1.0", F64, None).log2(), 16);
        for (inputs, full, maxima) in [
            (1, 16, 16),
            (1 << 20, 16, 16),
            (1 << 24, 16, 18),
            (1 << 28, 18, 22),
            (1 << 32, 22, 24),
            (1 << 35, 25, 25),
            (1 << 52, 32, 32),
        ] {
            let log2 = |measure| Plan::default_log2(inputs, measure);
            assert_eq!(log2(Measure::Full), full, "{inputs}");
            assert_eq!(log2(Measure::Relative), full, "{inputs}");
            assert_eq!(log2(Measure::Maxima), maxima, "{inputs}");
        }
        let range = Range::parse("all", F64).expect("all");
        assert_eq!(
            Plan::new(range.clone(), Some(9)),
            Err(PlanError::BlockSize(9))
        );
        assert_eq!(
            Plan::new(range.clone(), Some(41)),
            Err(PlanError::BlockSize(41))
        );
        assert!(matches!(
            Plan::new(range, Some(20)),
            Err(PlanError::TooMany { .. })
        ));
    }
}
