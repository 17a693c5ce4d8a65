//! One worker: a sweep kernel and its thread.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::SyncSender;
use std::time::Instant;

use super::queue::Queue;
use super::{EngineError, MOST_UNDECIDED, locked};
use crate::fenv::Guard;
use crate::model::backend::{Backend, SweepKernel};
use crate::model::block::BlockResult;
use crate::model::error::BackendError;
use crate::model::fine::{Fine, Sampling, fine_bin};
use crate::model::measure::Measure;
use crate::search::evaluator::{PointEvaluator, PointResult};
use crate::sweep::Sweep;

/// A message from a worker.
pub(super) enum Message {
    /// A block is finished.
    Block(u64, Box<BlockResult>),
    /// The worker ends.
    End(Result<(), EngineError>),
}

/// The work done by the workers of a device.
#[derive(Debug, Default)]
pub(super) struct Counters {
    pub inputs: AtomicU64,
    /// The number of inputs at which the reference was evaluated, if it was not evaluated at all of them.
    pub in_full: AtomicU64,
    nanoseconds: AtomicU64,
}

impl Counters {
    /// The number of inputs, and seconds.
    pub fn read(&self) -> (u64, f64) {
        (
            self.inputs.load(Ordering::Relaxed),
            self.nanoseconds.load(Ordering::Relaxed) as f64 * 1e-9,
        )
    }
}

/// The number of keys of the smallest part that is searched separately to find undecided inputs.
const LEAST_PART: u64 = 1 << 16;
/// The number of keys that are evaluated one by one for this.
const EVALUATED: u64 = 1 << 8;

/// The time that a piece should take: long compared with the queue's lock, short for a user who waits.
const PIECE_SECONDS: f64 = 0.05;

/// A sweep kernel and its source of work.
pub(super) struct Worker<'a> {
    pub backend: &'a dyn Backend,
    pub kernel: Box<dyn SweepKernel>,
    pub queue: &'a Queue<'a>,
    pub counters: &'a Counters,
    pub sender: SyncSender<Message>,
    pub recheck: Option<Recheck>,
    /// The inputs that the reference could not decide, from all workers.
    pub undecided: &'a Mutex<Vec<PointResult>>,
}

impl Worker<'_> {
    /// Searches until nothing is left, and sends a message about the end.
    pub fn run(mut self) {
        let end = catch_unwind(AssertUnwindSafe(|| self.work())).unwrap_or_else(|panic| {
            let reason = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied())
                .unwrap_or("no message");
            Err(EngineError::Panic {
                backend: self.backend.id().into(),
                reason: reason.into(),
            })
        });
        // The receiver is gone only if the job has already failed.
        let _ = self.sender.send(Message::End(end));
    }

    fn work(&mut self) -> Result<(), EngineError> {
        // A thread inherits its environment from the one that starts it.
        let guard = Guard::new();
        let mut want = self.backend.preferred_batch().max(1);
        let mut in_full = 0;
        while let Some(piece) = self.queue.take(want) {
            let start = Instant::now();
            let mut result = self.search_in_parts(&guard, piece.first, piece.count)?;
            let seconds = start.elapsed().as_secs_f64();
            self.counters
                .inputs
                .fetch_add(piece.count, Ordering::Relaxed);
            self.counters
                .nanoseconds
                .fetch_add((seconds * 1e9) as u64, Ordering::Relaxed);
            if let Some(now) = self.kernel.in_full() {
                let more = now - in_full;
                self.counters.in_full.fetch_add(more, Ordering::Relaxed);
                in_full = now;
            }
            want = next_want(want, piece.count, seconds);
            self.check_worst(&guard, &result)?;
            if let Some(r) = &mut self.recheck {
                result.fine = r.sample(piece.first, piece.count)?;
            }
            if let Some(block) = self.queue.put(&piece, &result)
                && self
                    .sender
                    .send(Message::Block(piece.block, Box::new(block)))
                    .is_err()
            {
                break;
            }
        }
        Ok(())
    }

    /// Searches keys, and finds the undecided inputs among them. It searches in parts that are as small as useful, since a part with an
    /// undecided input is searched again.
    fn search_in_parts(
        &mut self,
        guard: &Guard,
        first: i64,
        count: u64,
    ) -> Result<BlockResult, EngineError> {
        let counted = self.recheck.as_ref();
        if counted.is_none_or(|r| r.sweep.measure == Measure::Maxima) {
            return self.search(guard, first, count);
        }
        let part = self.backend.preferred_batch().max(LEAST_PART);
        let mut sum = BlockResult::EMPTY;
        let mut done = 0;
        while done < count {
            let (first, count) = (first.wrapping_add_unsigned(done), part.min(count - done));
            let result = self.search(guard, first, count)?;
            if result.undecided > 0 {
                self.find_undecided(guard, first, count)?;
            }
            sum = sum.merge(&result);
            done += count;
        }
        Ok(sum)
    }

    /// Adds the undecided inputs among these keys, of which there is at least one.
    fn find_undecided(&mut self, guard: &Guard, first: i64, count: u64) -> Result<(), EngineError> {
        if locked(self.undecided).len() >= MOST_UNDECIDED {
            return Ok(());
        }
        if count > EVALUATED {
            let part = count.div_ceil(16);
            for done in (0..count).step_by(usize::try_from(part).unwrap_or(usize::MAX)) {
                let (first, count) = (first.wrapping_add_unsigned(done), part.min(count - done));
                if self.search(guard, first, count)?.undecided > 0 {
                    self.find_undecided(guard, first, count)?;
                }
            }
            return Ok(());
        }
        let Some(recheck) = &mut self.recheck else {
            return Ok(());
        };
        let keys: Vec<i64> = (0..count).map(|i| first.wrapping_add_unsigned(i)).collect();
        let results = recheck.evaluator.evaluate(&keys)?;
        let mut undecided = locked(self.undecided);
        let room = MOST_UNDECIDED.saturating_sub(undecided.len());
        let found = results.into_iter().filter(PointResult::is_undecided);
        undecided.extend(found.take(room));
        Ok(())
    }

    /// Searches keys, in the default environment from beginning to end, so that everything committed was searched in it.
    fn search(
        &mut self,
        guard: &Guard,
        first: i64,
        count: u64,
    ) -> Result<BlockResult, EngineError> {
        let backend = self.backend.id();
        let result = self.kernel.run(first, count)?;
        if let Some(environment) = guard.changed() {
            return Err(BackendError::Environment {
                backend: backend.into(),
                call: format!("searching {count} inputs"),
                environment,
            }
            .into());
        }
        if result.count != count {
            return Err(BackendError::Launch {
                backend: backend.into(),
                kernel: "search".into(),
                reason: format!("{} of {count} inputs came back", result.count),
            }
            .into());
        }
        Ok(result)
    }

    /// Compares the worst input of a result with plain Rust, if it is worse than all before.
    fn check_worst(&mut self, guard: &Guard, result: &BlockResult) -> Result<(), EngineError> {
        let worst = result.max;
        match &mut self.recheck {
            Some(r) if worst.exists() && r.worst.is_none_or(|w| worst.error_bits > w) => {
                r.worst = Some(worst.error_bits);
            }
            _ => return Ok(()),
        }
        let alone = self.search(guard, worst.key, 1)?;
        let Some(Recheck {
            evaluator, sweep, ..
        }) = &mut self.recheck
        else {
            return Ok(());
        };
        let plain = evaluator.evaluate(&[worst.key])?;
        let plain = plain.iter().fold(BlockResult::EMPTY, |sum, j| {
            sum.merge(&sweep.measure.of(&j.block()))
        });
        let fields = plain.differing_fields(&alone);
        if fields.is_empty() {
            return Ok(());
        }
        Err(EngineError::OtherBits {
            backend: self.backend.id().into(),
            input: sweep.inputs.input(worst.key),
            fields: fields.join(", "),
        })
    }
}

/// The evaluation of a worker's worst inputs, and of the sample for the fine histogram.
pub(super) struct Recheck {
    evaluator: PointEvaluator,
    sweep: Sweep,
    /// The largest error so far, as bits.
    worst: Option<u64>,
    sampling: Option<Sampling>,
}

impl Recheck {
    pub fn new(sweep: &Sweep, sampling: Option<Sampling>) -> Recheck {
        Recheck {
            evaluator: PointEvaluator::plain(sweep),
            sweep: *sweep,
            worst: None,
            sampling,
        }
    }

    /// The errors of the sampled inputs among these keys.
    fn sample(&mut self, first: i64, count: u64) -> Result<Fine, BackendError> {
        let mut fine = Fine::EMPTY;
        // The fine histogram has bins in ULP.
        let Some(sampling) = self.sampling.filter(|_| self.sweep.measure.is_in_ulp()) else {
            return Ok(fine);
        };
        let keys: Vec<i64> = sampling.keys(first, count).collect();
        for result in self.evaluator.evaluate(&keys)? {
            // Faults, and inputs whose reference is too coarse, are in no bin.
            if result.block().max.exists() {
                fine.0[fine_bin(result.error)] += 1;
            }
        }
        Ok(fine)
    }
}

/// The size of the next piece, from the speed of the last one; it grows by at most a factor of four.
fn next_want(want: u64, count: u64, seconds: f64) -> u64 {
    let ideal = count as f64 / seconds.max(1e-9) * PIECE_SECONDS;
    // The time of a piece that is small because the block ended does not show the speed.
    let most = want.saturating_mul(4);
    let least = if count < want { want } else { want / 4 };
    (ideal as u64).clamp(least.max(1 << 10), most.max(1 << 10)) & !0x3ff
}
