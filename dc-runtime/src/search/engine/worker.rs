//! One worker: a sweep kernel and the thread it runs on.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::time::Instant;

use super::EngineError;
use super::queue::Queue;
use crate::backend::{Backend, BackendError, SweepKernel};
use crate::search::block::BlockResult;

/// What a worker tells.
pub(super) enum Message {
    /// A block is finished.
    Block(u64, BlockResult),
    /// The worker ends.
    End(Result<(), EngineError>),
}

/// What the workers of a device have done.
#[derive(Debug, Default)]
pub(super) struct Counters {
    pub inputs: AtomicU64,
    nanoseconds: AtomicU64,
}

impl Counters {
    /// Inputs and seconds.
    pub fn read(&self) -> (u64, f64) {
        (
            self.inputs.load(Ordering::Relaxed),
            self.nanoseconds.load(Ordering::Relaxed) as f64 * 1e-9,
        )
    }
}

/// Seconds that a piece should take: long against the queue's lock, short against a person's patience.
const PIECE_SECONDS: f64 = 0.05;

pub(super) fn run(
    backend: &dyn Backend,
    mut kernel: Box<dyn SweepKernel>,
    queue: &Queue,
    counters: &Counters,
    sender: &Sender<Message>,
) {
    let work = || work(backend, &mut *kernel, queue, counters, sender);
    let end = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let reason = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .unwrap_or("no message");
        Err(EngineError::Panic {
            backend: backend.id().into(),
            reason: reason.into(),
        })
    });
    // The receiver is gone only when the job has failed already.
    let _ = sender.send(Message::End(end));
}

fn work(
    backend: &dyn Backend,
    kernel: &mut dyn SweepKernel,
    queue: &Queue,
    counters: &Counters,
    sender: &Sender<Message>,
) -> Result<(), EngineError> {
    let mut want = backend.preferred_batch().max(1);
    while let Some(piece) = queue.take(want) {
        let start = Instant::now();
        let result = kernel.run(piece.first, piece.count)?;
        let seconds = start.elapsed().as_secs_f64();
        if result.count != piece.count {
            return Err(BackendError::Launch {
                backend: backend.id().into(),
                kernel: "search".into(),
                reason: format!("{} of {} inputs came back", result.count, piece.count),
            }
            .into());
        }
        counters.inputs.fetch_add(piece.count, Ordering::Relaxed);
        counters
            .nanoseconds
            .fetch_add((seconds * 1e9) as u64, Ordering::Relaxed);
        want = next_want(want, piece.count, seconds);
        if let Some(block) = queue.put(&piece, &result)
            && sender.send(Message::Block(piece.block, block)).is_err()
        {
            break;
        }
    }
    Ok(())
}

/// The next piece's size: at the last one's speed, and not more than four times as much at once.
fn next_want(want: u64, count: u64, seconds: f64) -> u64 {
    let ideal = count as f64 / seconds.max(1e-9) * PIECE_SECONDS;
    // A piece that a block's end made small says little about speed.
    let most = want.saturating_mul(4);
    let least = if count < want { want } else { want / 4 };
    (ideal as u64).clamp(least.max(1 << 10), most.max(1 << 10)) & !0x3ff
}
