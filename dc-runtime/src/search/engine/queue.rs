//! Blocks handed out in pieces, and put together again.

use std::collections::{BTreeMap, VecDeque};
use std::ops;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::stop::Stop;
use crate::model::block::BlockResult;
use crate::search::plan::{Block, Plan};

/// A piece of a block.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    pub block: u64,
    /// How many inputs of the block are before it.
    pub offset: u64,
    pub first: i64,
    pub count: u64,
}

/// A block that is begun. Its pieces come back in any order; what is whole of it, from its first input on, is its *part*,
/// which can be kept and continued.
#[derive(Debug)]
struct Begun {
    /// How many inputs the block has.
    of: u64,
    /// What is whole: as many inputs as it counts.
    part: BlockResult,
    /// Pieces that came back before one that is in front of them, by offset.
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

    /// Adds a piece's result; the block's when that was its last.
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

/// No piece is made smaller than this to let all workers share the last ones.
const SMALLEST: u64 = 1 << 12;

#[derive(Debug)]
pub(super) struct Queue<'a> {
    plan: &'a Plan,
    workers: u64,
    stop: &'a Stop,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// Blocks not begun.
    pending: VecDeque<ops::Range<u64>>,
    /// The block that pieces are being cut from: how many inputs it has, and what is left of it.
    open: Option<(u64, Block)>,
    /// Blocks that are begun.
    begun: BTreeMap<u64, Begun>,
    /// Inputs not handed out.
    left: u128,
    aborted: bool,
}

impl<'a> Queue<'a> {
    /// Of the blocks `pending`, some of which are begun: `parts` are what is whole of these.
    pub fn new(
        plan: &'a Plan,
        pending: &[ops::Range<u64>],
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
        Queue {
            plan,
            workers: workers.max(1) as u64,
            stop,
            state: Mutex::new(State {
                pending: pending.iter().cloned().collect(),
                open: None,
                begun,
                left,
                aborted: false,
            }),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // No code that can panic runs under the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Inputs not handed out.
    pub fn left(&self) -> u128 {
        self.lock().left
    }

    /// A piece of at most `want` inputs; none when there is nothing more to do, or that is asked.
    pub fn take(&self, want: u64) -> Option<Piece> {
        let mut state = self.lock();
        if state.aborted || self.stop.asked() {
            return None;
        }
        let (of, block) = match state.open {
            Some(open) => open,
            None => {
                let range = state.pending.front_mut()?;
                let index = range.start;
                range.start += 1;
                if range.start >= range.end {
                    state.pending.pop_front();
                }
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

    /// Takes a piece's result; the block's when that was its last.
    pub fn put(&self, piece: &Piece, result: &BlockResult) -> Option<BlockResult> {
        let mut state = self.lock();
        let begun = state.begun.get_mut(&piece.block)?;
        let whole = begun.add(piece.offset, result)?;
        state.begun.remove(&piece.block);
        Some(whole)
    }

    /// What is whole of the blocks that are begun, by their numbers.
    pub fn parts(&self) -> Vec<(u64, BlockResult)> {
        let state = self.lock();
        let parts = state.begun.iter().map(|(index, b)| (*index, b.part));
        parts.filter(|(_, part)| part.count > 0).collect()
    }

    /// Hands out nothing more.
    pub fn abort(&self) {
        self.lock().aborted = true;
    }
}
