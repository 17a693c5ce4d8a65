//! Blocks are cut into pieces for workers and reassembled.

use std::collections::{BTreeMap, VecDeque};
use std::ops;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::spread::Spread;
use super::stop::Stop;
use crate::model::block::BlockResult;
use crate::search::plan::{Block, Plan};

/// A piece of a block.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    pub block: u64,
    /// The number of inputs of the block before it.
    pub offset: u64,
    pub first: i64,
    pub count: u64,
}

/// A block that was begun. Its pieces come back in any order. The contiguous searched inputs from its first one on are its *part*, which
/// can be stored and continued.
#[derive(Debug)]
struct Begun {
    /// The number of inputs of the block.
    of: u64,
    /// The part: the first inputs of the block, as many as it counts.
    part: BlockResult,
    /// Results of pieces that arrived before an earlier piece, by offset.
    ahead: BTreeMap<u64, BlockResult>,
}

impl Begun {
    fn new(of: u64, part: BlockResult) -> Begun {
        Begun {
            of,
            part,
            ahead: BTreeMap::new(),
        }
    }

    /// Adds a piece's result. Returns the block's result if the piece was the last one.
    fn add(&mut self, offset: u64, result: &BlockResult) -> Option<BlockResult> {
        self.ahead.insert(offset, *result);
        while let Some(next) = self.ahead.first_entry()
            && *next.key() == self.part.count
        {
            self.part = self.part.merge(&next.remove());
        }
        (self.part.count == self.of).then_some(self.part)
    }
}

/// The smallest size to which pieces are reduced so that all workers share the last ones.
const SMALLEST: u64 = 1 << 12;

#[derive(Debug)]
pub(super) struct Queue<'a> {
    plan: &'a Plan,
    workers: u64,
    stop: &'a Stop,
    state: Mutex<State>,
}

/// The blocks that have not been started, in their order.
#[derive(Debug)]
enum Pending {
    /// In the given order.
    Given(VecDeque<ops::Range<u64>>),
    Spread(Spread),
}

impl Iterator for Pending {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        match self {
            Pending::Spread(blocks) => blocks.next(),
            Pending::Given(stretches) => {
                let range = stretches.front_mut()?;
                let index = range.start;
                range.start += 1;
                if range.start >= range.end {
                    stretches.pop_front();
                }
                Some(index)
            }
        }
    }
}

#[derive(Debug)]
struct State {
    pending: Pending,
    /// The block from which pieces are currently cut: its number of inputs, and the rest of it.
    open: Option<(u64, Block)>,
    /// Blocks that have been started.
    begun: BTreeMap<u64, Begun>,
    /// The number of inputs that have not been assigned.
    left: u128,
    aborted: bool,
}

impl<'a> Queue<'a> {
    /// A queue of the blocks `pending`. `parts` are the searched parts of those that were started. The blocks are taken in the given order,
    /// or in the order that is spread over the blocks `spread`.
    pub fn new(
        plan: &'a Plan,
        pending: &[ops::Range<u64>],
        spread: Option<ops::Range<u64>>,
        parts: impl IntoIterator<Item = (u64, BlockResult)>,
        workers: usize,
        stop: &'a Stop,
    ) -> Queue<'a> {
        let mut left: u128 = pending.iter().map(|r| plan.inputs_of(r)).sum();
        let mut begun = BTreeMap::new();
        for (index, part) in parts {
            let Some(block) = plan.block(index) else {
                continue;
            };
            left -= u128::from(part.count);
            begun.insert(index, Begun::new(block.count, part));
        }
        let pending = match spread {
            None => Pending::Given(pending.iter().cloned().collect()),
            Some(all) => {
                let begun = begun.keys().copied();
                Pending::Spread(Spread::new(plan, all, pending, begun))
            }
        };
        Queue {
            plan,
            workers: workers.max(1) as u64,
            stop,
            state: Mutex::new(State {
                pending,
                open: None,
                begun,
                left,
                aborted: false,
            }),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // No code that can panic runs while the lock is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of inputs that have not been assigned.
    pub fn left(&self) -> u128 {
        self.lock().left
    }

    /// A piece of at most `want` inputs. `None` if nothing is left or the queue was aborted.
    pub fn take(&self, want: u64) -> Option<Piece> {
        let mut state = self.lock();
        if state.aborted || self.stop.asked() {
            return None;
        }
        let (of, block) = match state.open {
            Some(open) => open,
            None => {
                let index = state.pending.next()?;
                let b = self.plan.block(index)?;
                let begun = state.begun.entry(index);
                let begun = begun.or_insert_with(|| Begun::new(b.count, BlockResult::EMPTY));
                let done = begun.part.count;
                let left = Block {
                    first: b.first.wrapping_add_unsigned(done),
                    count: b.count - done,
                    ..b
                };
                (b.count, left)
            }
        };
        let share = (state.left / u128::from(2 * self.workers)).min(u128::from(u64::MAX)) as u64;
        let count = want.min(share.max(SMALLEST)).max(1).min(block.count);
        state.left = state.left.saturating_sub(u128::from(count));
        state.open = (count < block.count).then(|| {
            let left = Block {
                first: block.first.wrapping_add_unsigned(count),
                count: block.count - count,
                ..block
            };
            (of, left)
        });
        Some(Piece {
            block: block.index,
            offset: of - block.count,
            first: block.first,
            count,
        })
    }

    /// Accepts a piece's result. Returns the block's result if the piece was the last.
    pub fn put(&self, piece: &Piece, result: &BlockResult) -> Option<BlockResult> {
        let mut state = self.lock();
        let begun = state.begun.get_mut(&piece.block)?;
        let whole = begun.add(piece.offset, result)?;
        state.begun.remove(&piece.block);
        Some(whole)
    }

    /// The parts of the blocks that have been started, by their numbers.
    pub fn parts(&self) -> Vec<(u64, BlockResult)> {
        let state = self.lock();
        let parts = state.begun.iter().map(|(index, b)| (*index, b.part));
        parts.filter(|(_, part)| part.count > 0).collect()
    }

    /// Distributes no more pieces.
    pub fn abort(&self) {
        self.lock().aborted = true;
    }
}
