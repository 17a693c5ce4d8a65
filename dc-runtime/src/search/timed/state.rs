//! The findings of a timed search so far.

use std::time::Instant;

use crate::model::block::BlockResult;
use crate::search::engine::{self, Device, EngineError, Progress, Stop};
use crate::search::evaluator::PointResult;
use crate::search::plan::PlanError;
use crate::sweep::Sweep;

/// Inputs that were searched together: neighbours, or some of the inputs of a stretch.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Taken {
    /// The key of the first of them.
    pub first: i64,
    /// The key of the last.
    pub last: i64,
    /// Their result.
    pub result: BlockResult,
}

impl Taken {
    /// The inputs from one key to another, or some of them.
    #[must_use]
    pub const fn new(first: i64, last: i64, result: BlockResult) -> Taken {
        Taken {
            first,
            last,
            result,
        }
    }
}

/// The reason why there is no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TimedError {
    /// The search failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The inputs cannot be cut into blocks.
    #[error(transparent)]
    Plan(#[from] PlanError),
}

/// A search in progress.
pub(super) struct Search<'a> {
    pub sweep: &'a Sweep,
    pub devices: &'a [Device],
    pub stop: &'a Stop,
    pub observe: &'a mut dyn FnMut(&Progress),
    pub begun: Instant,
    pub time: f64,
    pub result: BlockResult,
    pub undecided: Vec<PointResult>,
    pub taken: Vec<Taken>,
    /// Seconds that were spent on searching, without that in windows. The speed is computed from it.
    pub searching: f64,
    /// The number of inputs that were searched in windows.
    pub apart: u64,
    /// Whether a part was cut short, because the time was up or a stop was requested.
    pub cut: bool,
}

impl Search<'_> {
    pub fn elapsed(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }

    /// The number of inputs that can be searched in this many seconds.
    pub fn fit(&self, seconds: f64) -> u64 {
        let rate = (self.result.count - self.apart) as f64 / self.searching.max(1e-6);
        (rate * seconds.max(0.0)) as u64
    }

    pub fn largest(&self) -> f64 {
        match self.result.max.exists() {
            true => self.result.max.error(),
            false => 0.0,
        }
    }

    /// The number of threads that it has, at least one.
    pub fn threads(&self) -> usize {
        let workers: usize = self.devices.iter().map(|d| d.workers).sum();
        workers.max(1)
    }

    /// Keeps the first inputs that the reference could not decide.
    pub fn keep_undecided(&mut self, found: impl IntoIterator<Item = PointResult>) {
        let room = engine::MOST_UNDECIDED.saturating_sub(self.undecided.len());
        self.undecided.extend(found.into_iter().take(room));
    }

    /// Reports inputs that were searched without the engine.
    pub fn report(&mut self) {
        let progress = Progress {
            inputs: self.result.count,
            of_inputs: self.fit(self.time).max(self.result.count).into(),
            result: self.result,
            ..Progress::none(0)
        };
        (self.observe)(&progress);
    }
}
