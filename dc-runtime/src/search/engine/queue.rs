//! Blocks handed out in pieces, and put together again.

use std::collections::{HashMap, VecDeque};
use std::ops;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::stop::Stop;
use crate::model::block::BlockResult;
use crate::search::plan::{Block, Plan};

/// Part of a block.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    pub block: u64,
    pub first: i64,
    pub count: u64,
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
    /// The block that pieces are being cut from, less what is gone.
    open: Option<Block>,
    /// Results of blocks that are begun, and how many inputs they lack.
    partial: HashMap<u64, (BlockResult, u64)>,
    /// Inputs not handed out.
    left: u128,
    aborted: bool,
}

impl<'a> Queue<'a> {
    pub fn new(
        plan: &'a Plan,
        pending: &[ops::Range<u64>],
        workers: usize,
        stop: &'a Stop,
    ) -> Queue<'a> {
        let left = pending.iter().map(|r| plan.inputs_of(r)).sum();
        Queue {
            plan,
            workers: workers.max(1) as u64,
            stop,
            state: Mutex::new(State {
                pending: pending.iter().cloned().collect(),
                open: None,
                partial: HashMap::new(),
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

    /// A piece of at most `want` inputs; none when there is nothing more to do. Asked to stop, it begins no more
    /// blocks; asked twice, it hands out nothing more.
    pub fn take(&self, want: u64) -> Option<Piece> {
        let mut state = self.lock();
        if state.aborted || self.stop.at_once() {
            return None;
        }
        if self.stop.asked() {
            state.pending.clear();
        }
        let block = match state.open {
            Some(b) => b,
            None => {
                let range = state.pending.front_mut()?;
                let index = range.start;
                range.start += 1;
                if range.start >= range.end {
                    state.pending.pop_front();
                }
                let b = self.plan.block(index)?;
                state.partial.insert(index, (BlockResult::EMPTY, b.count));
                b
            }
        };
        let share = (state.left / u128::from(2 * self.workers)).min(u128::from(u64::MAX)) as u64;
        let count = want.min(share.max(SMALLEST)).max(1).min(block.count);
        state.left = state.left.saturating_sub(u128::from(count));
        state.open = (count < block.count).then(|| Block {
            first: block.first.wrapping_add_unsigned(count),
            count: block.count - count,
            ..block
        });
        Some(Piece {
            block: block.index,
            first: block.first,
            count,
        })
    }

    /// Takes a piece's result; the block's when that was its last.
    pub fn put(&self, piece: &Piece, result: &BlockResult) -> Option<BlockResult> {
        let mut state = self.lock();
        let (sum, lacks) = state.partial.get_mut(&piece.block)?;
        *sum = sum.merge(result);
        *lacks = lacks.saturating_sub(piece.count);
        if *lacks > 0 {
            return None;
        }
        state.partial.remove(&piece.block).map(|(sum, _)| sum)
    }

    /// Hands out nothing more.
    pub fn abort(&self) {
        self.lock().aborted = true;
    }
}
