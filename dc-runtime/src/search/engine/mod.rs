//! The engine distributes blocks to workers and passes results to a sink.
//!
//! Workers take *pieces* of blocks from one queue. A piece takes a fraction of a second, so that fast and slow devices finish at the same
//! time and a block of 2^32 inputs keeps every core busy. Merging results is associative and commutative. So a block's result depends
//! neither on its division into pieces nor on the workers that searched them. Pieces of a block are taken in order. So the searched inputs
//! of an unfinished block, except those in flight, are its first ones. They are its *part*, which is committed to the sink with the
//! finished blocks. The blocks of a run file are taken in an order that spreads over them (`spread.rs`).

mod job;
mod queue;
mod spread;
mod stop;
mod worker;

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

pub use job::{Device, Groups, Job};
pub use stop::Stop;

use super::evaluator::{PointEvaluator, PointResult};
use super::record::{Group, Record};
use crate::fenv::{Environment, Guard};
use crate::model::backend::{Backend, SweepKernel};
use crate::model::block::BlockResult;
use crate::model::error::BackendError;
use crate::model::measure::Measure;
use crate::sweep::Sweep;
use queue::Queue;
use worker::{Counters, Message, Recheck, Worker};

/// The reason why a sink could not store a group. Sinks are not part of the engine, so their errors are not either.
pub type SinkError = Box<dyn std::error::Error + Send + Sync>;

/// The destination of finished blocks.
pub trait Sink {
    /// Commits a group: all of it or, on an error, nothing.
    ///
    /// # Errors
    /// If it cannot be stored; the run then ends.
    fn commit(&mut self, group: Group) -> Result<(), SinkError>;
}

/// Prepares a search with the sweep's measure.
///
/// # Errors
/// As for [`Backend::load_sweep`]; also if a search for maxima is needed and the backend or the sweep has none.
pub fn load(backend: &dyn Backend, sweep: &Sweep) -> Result<Box<dyn SweepKernel>, BackendError> {
    if let Some(reason) = sweep.why_not_measured() {
        return Err(BackendError::Unavailable {
            backend: format!("the {} error", sweep.measure.name()),
            reason,
            remedy: "Measure in ULP.".into(),
        });
    }
    match sweep.measure {
        Measure::Full | Measure::Absolute | Measure::Relative => backend.load_sweep(sweep),
        #[cfg(feature = "exact")]
        Measure::Maxima => super::maxima::load(backend, sweep),
        #[cfg(not(feature = "exact"))]
        Measure::Maxima => Err(BackendError::Unavailable {
            backend: "--measure maxima".into(),
            reason: "this program has no bounds of functions".into(),
            remedy: "Build it with the feature `exact`, or measure in full.".into(),
        }),
    }
}

/// A sink that keeps the records in memory.
impl Sink for Vec<Record> {
    fn commit(&mut self, group: Group) -> Result<(), SinkError> {
        self.extend(group.records);
        Ok(())
    }
}

/// The progress of a job.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Progress {
    /// The number of inputs searched in this job, including those of unfinished blocks.
    pub inputs: u64,
    /// The number of inputs of the job.
    pub of_inputs: u128,
    /// The number of blocks finished in this job.
    pub blocks: u64,
    /// The time since it began.
    pub elapsed: Duration,
    /// The results of the finished blocks and of parts of others, merged.
    pub result: BlockResult,
    /// Whether the job is about to stop, because a stop was requested.
    pub stopping: bool,
}

impl Progress {
    /// The progress before the first of this many inputs.
    #[must_use]
    pub const fn none(of_inputs: u128) -> Progress {
        Progress {
            inputs: 0,
            of_inputs,
            blocks: 0,
            elapsed: Duration::ZERO,
            result: BlockResult::EMPTY,
            stopping: false,
        }
    }
}

/// How a job ended.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Outcome {
    /// Whether every block was searched.
    pub complete: bool,
    /// The final progress.
    pub progress: Progress,
    /// For each device: inputs, and seconds summed over its workers.
    pub work: Vec<(u64, f64)>,
    /// In a search for only the largest errors ([`Measure::Maxima`]), the number of inputs at which the reference was evaluated.
    pub in_full: u64,
    /// The first [`MOST_UNDECIDED`] inputs found that the reference could not decide; only with [`Job::recheck`].
    pub undecided: Vec<PointResult>,
}

/// The largest number of undecided inputs in an outcome.
pub const MOST_UNDECIDED: usize = 1 << 12;

/// The reason why a job failed. Groups that were committed before are kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// A backend failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The sink, such as the run file, failed.
    #[error(transparent)]
    Sink(#[from] SinkError),
    /// The system cannot start more threads.
    #[error(
        "{started} of {wanted} threads could be started: {reason}; give fewer with -j, or raise the limit (`ulimit -u`, or \
         -v where it is memory)"
    )]
    Threads {
        /// The number of threads requested.
        wanted: usize,
        /// The number of threads that were started.
        started: usize,
        /// The system's message.
        reason: String,
    },
    /// A worker panicked.
    #[error("a worker of {backend} panicked: {reason}; this is a bug, please report it")]
    Panic {
        /// The backend.
        backend: String,
        /// The panic's message.
        reason: String,
    },
    /// The thread that commits has lost the default floating-point environment.
    #[error(
        "the floating-point environment of the thread that commits was changed to {0} since the last commit; the \
         blocks of this one are not kept. Look for a library that was linked with -ffast-math"
    )]
    Environment(Environment),
    /// The search's worst input so far has another result in plain Rust when it is searched alone.
    #[error(
        "the search on {backend} gives another {fields} at {input} than plain Rust; \
         the backends do not agree: run `crunch verify`"
    )]
    OtherBits {
        /// The backend.
        backend: String,
        /// The input, as bits.
        input: String,
        /// The fields that differ, such as the digest: the result's bits.
        fields: String,
    },
    /// A block's worst input has another error when it is evaluated alone.
    #[error(
        "block {block}: the search on {backends} gave {found:e} ULP at {input}, plain Rust gives {plain:e} there; \
         the backends do not agree: run `crunch verify`"
    )]
    Disagree {
        /// The block.
        block: u64,
        /// The backends of the job.
        backends: String,
        /// The input, as bits.
        input: String,
        /// The block's maximum.
        found: f64,
        /// The error of that input in plain Rust.
        plain: f64,
    },
}

/// The content of a mutex. A worker that panicked has already reported the panic.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The largest number of finished blocks that wait for the committing thread. Workers that are faster wait too: otherwise blocks would
/// accumulate, and a stop would have to commit all of them.
const WAITING: usize = 256;

/// The stack of a thread. Without optimisation, a loop over groups of lanes has frames of several megabytes, more than the default of two. Only the used
/// pages take memory.
const STACK: usize = 64 << 20;

/// Runs a job. `observe` is called several times per second.
///
/// # Errors
/// If a backend or the sink fails, a thread loses the default floating-point environment, or a worst input, evaluated
/// again in plain Rust, has another error or other bits.
///
/// # Panics
/// If the plan's keys are not those of the sweep's inputs: see [`Sweep::over`].
pub fn run(
    job: &Job,
    sink: &mut dyn Sink,
    stop: &Stop,
    observe: &mut dyn FnMut(&Progress),
) -> Result<Outcome, EngineError> {
    assert!(
        job.sweep.inputs == job.plan.range().space(),
        "the plan is of other inputs than the sweep `{}`",
        job.sweep.name
    );
    // The guard of this thread, in which worst inputs are evaluated again; each worker has its own.
    let guard = Guard::new();
    let workers: usize = job.devices.iter().map(|d| d.workers).sum();
    let parts: BTreeMap<u64, Record> = job.parts.iter().map(|r| (r.index, *r)).collect();
    let begun = parts.values().map(|r| (r.index, r.result));
    let spread = job.spread.clone();
    let queue = Queue::new(job.plan, &job.pending, spread, begun, workers, stop);
    let of_inputs = queue.left();
    let counters: Vec<Counters> = job.devices.iter().map(|_| Counters::default()).collect();
    let mut kernels = Vec::new();
    for (device, counters) in job.devices.iter().zip(&counters) {
        for _ in 0..device.workers {
            kernels.push((device, counters, load(&*device.backend, job.sweep)?));
        }
    }
    let undecided = Mutex::new(Vec::new());
    let (sender, receiver) = mpsc::sync_channel(WAITING);
    std::thread::scope(|scope| {
        // The receiver is dropped with the coordinator on all paths: a worker that waits with a block then continues.
        let receiver = receiver;
        for (started, (device, counters, kernel)) in kernels.into_iter().enumerate() {
            let (queue, sender) = (&queue, sender.clone());
            let worker = Worker {
                backend: &*device.backend,
                kernel,
                queue,
                counters,
                sender,
                recheck: job.recheck.then(|| Recheck::new(job.sweep, job.sampling)),
                undecided: &undecided,
            };
            let work = move || worker.run();
            let thread = std::thread::Builder::new().stack_size(STACK);
            let spawned = thread.spawn_scoped(scope, work);
            if let Err(e) = spawned {
                // The workers that have already started stop before they have searched anything.
                queue.abort();
                return Err(EngineError::Threads {
                    wanted: workers,
                    started,
                    reason: e.to_string(),
                });
            }
        }
        drop(sender);
        let ended = Coordinator {
            job,
            guard: &guard,
            queue: &queue,
            counters: &counters,
            evaluator: PointEvaluator::plain(job.sweep),
            sink,
            started: Instant::now(),
            last_commit: Instant::now(),
            last_group: Instant::now(),
            parts,
            reported: vec![(0, 0.0); counters.len()],
            finished: Vec::new(),
            blocks: 0,
            result: BlockResult::EMPTY,
            of_inputs,
            stopping: false,
            undecided: &undecided,
        }
        .run(receiver, workers, stop, observe);
        // On all paths, the workers are made to end.
        queue.abort();
        ended
    })
}

/// The thread that collects, commits and reports.
struct Coordinator<'a> {
    job: &'a Job<'a>,
    guard: &'a Guard,
    queue: &'a Queue<'a>,
    counters: &'a [Counters],
    evaluator: PointEvaluator,
    sink: &'a mut dyn Sink,
    started: Instant,
    last_commit: Instant,
    last_group: Instant,
    /// The parts that the sink already has.
    parts: BTreeMap<u64, Record>,
    /// The work already reported to the sink.
    reported: Vec<(u64, f64)>,
    finished: Vec<(u64, BlockResult)>,
    blocks: u64,
    result: BlockResult,
    of_inputs: u128,
    stopping: bool,
    undecided: &'a Mutex<Vec<PointResult>>,
}

impl Coordinator<'_> {
    fn run(
        mut self,
        receiver: mpsc::Receiver<Message>,
        workers: usize,
        stop: &Stop,
        observe: &mut dyn FnMut(&Progress),
    ) -> Result<Outcome, EngineError> {
        const TICK: Duration = Duration::from_millis(100);
        let mut alive = workers;
        let mut failure = None;
        let mut last_look = Instant::now();
        while alive > 0 {
            // Messages that arrive during a slow commit are all part of the next group.
            let first = match receiver.recv_timeout(TICK) {
                Ok(message) => Some(message),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            for message in first.into_iter().chain(receiver.try_iter().take(WAITING)) {
                match message {
                    Message::Block(index, result) => {
                        self.blocks += 1;
                        self.result = self.result.merge(&result);
                        self.finished.push((index, *result));
                    }
                    Message::End(Ok(())) => alive -= 1,
                    Message::End(Err(e)) => {
                        alive -= 1;
                        failure.get_or_insert(e);
                        self.queue.abort();
                    }
                }
            }
            if self.finished.len() >= self.job.groups.blocks
                || self.last_commit.elapsed() >= self.job.groups.time
            {
                self.commit()?;
            }
            if last_look.elapsed() >= TICK {
                last_look = Instant::now();
                self.apply_stop(stop);
                observe(&self.progress());
            }
        }
        self.apply_stop(stop);
        self.commit()?;
        if let Some(e) = failure {
            return Err(e);
        }
        let progress = self.progress();
        observe(&progress);
        Ok(Outcome {
            complete: self.blocks
                == self
                    .job
                    .pending
                    .iter()
                    .map(|r| r.end - r.start)
                    .sum::<u64>(),
            progress,
            work: self.counters.iter().map(Counters::read).collect(),
            in_full: (self.counters.iter())
                .map(|c| c.in_full.load(Ordering::Relaxed))
                .sum(),
            undecided: {
                let mut found = std::mem::take(&mut *locked(self.undecided));
                found.sort_unstable_by_key(|p| p.key);
                found
            },
        })
    }

    fn apply_stop(&mut self, stop: &Stop) {
        // A job with a time limit searches something even on a slow machine; otherwise no rate could be reported.
        let begun = || {
            self.counters
                .iter()
                .any(|c| c.inputs.load(Ordering::Relaxed) > 0)
        };
        if self.job.limit.is_some_and(|l| self.started.elapsed() >= l) && begun() {
            self.queue.abort();
            self.stopping = true;
        }
        self.stopping |= stop.asked();
    }

    fn progress(&self) -> Progress {
        Progress {
            inputs: self
                .counters
                .iter()
                .map(|c| c.inputs.load(Ordering::Relaxed))
                .sum(),
            of_inputs: self.of_inputs,
            blocks: self.blocks,
            elapsed: self.started.elapsed(),
            result: (self.queue.parts().iter()).fold(self.result, |sum, (_, part)| sum.merge(part)),
            stopping: self.stopping,
        }
    }

    fn commit(&mut self) -> Result<(), EngineError> {
        self.last_commit = Instant::now();
        let mut finished = std::mem::take(&mut self.finished);
        finished.sort_unstable_by_key(|(index, _)| *index);
        let mut parts = self.parts.clone();
        finished
            .iter()
            .for_each(|(index, _)| _ = parts.remove(index));
        // For a block that has just been finished but has not arrived here, the part in the sink is kept.
        let known =
            |parts: &BTreeMap<u64, Record>, index: &u64| parts.get(index).map(|r| r.result.count);
        let mut grown = self.queue.parts();
        grown.retain(|(index, part)| known(&parts, index) != Some(part.count));
        if finished.is_empty() && grown.is_empty() {
            return Ok(());
        }
        if let Some(environment) = self.guard.changed() {
            return Err(EngineError::Environment(environment));
        }
        let records = self.recheck_worst(&finished)?;
        parts.extend(
            self.recheck_worst(&grown)?
                .into_iter()
                .map(|r| (r.index, r)),
        );
        let seconds = self.last_group.elapsed().as_secs_f64();
        if !records.is_empty() {
            self.last_group = Instant::now();
        }
        let now: Vec<(u64, f64)> = self.counters.iter().map(Counters::read).collect();
        let work = now
            .iter()
            .zip(&self.reported)
            .map(|(a, b)| (a.0 - b.0, a.1 - b.1))
            .collect();
        self.reported = now;
        self.sink.commit(Group {
            records,
            parts: parts.values().copied().collect(),
            seconds,
            work,
        })?;
        self.parts = parts;
        Ok(())
    }

    /// Adds the result and reference of each block's worst input, and compares its error with the block's.
    fn recheck_worst(
        &mut self,
        finished: &[(u64, BlockResult)],
    ) -> Result<Vec<Record>, EngineError> {
        let precision = self.job.sweep.precision;
        let wanted = |r: &BlockResult| self.job.recheck && r.max.exists();
        let keys: Vec<i64> = finished
            .iter()
            .filter(|(_, r)| wanted(r))
            .map(|(_, r)| r.max.key)
            .collect();
        let mut measured = self.evaluator.evaluate(&keys)?.into_iter();
        let mut records = Vec::with_capacity(finished.len());
        for &(index, result) in finished {
            let worst = if wanted(&result) {
                measured.next().map(|j| j.worst(precision))
            } else {
                None
            };
            if let Some(w) = worst
                && w.error.to_bits() != result.max.error_bits
            {
                let ids: Vec<&str> = self.job.devices.iter().map(|d| d.backend.id()).collect();
                return Err(EngineError::Disagree {
                    block: index,
                    backends: ids.join(", "),
                    input: self.job.sweep.inputs.input(w.key),
                    found: result.max.error(),
                    plain: w.error,
                });
            }
            records.push(Record {
                index,
                result,
                worst,
            });
        }
        Ok(records)
    }
}

#[cfg(test)]
mod tests;
