//! The input of the engine: the task and the devices.

use std::ops;
use std::sync::Arc;
use std::time::Duration;

use crate::model::backend::Backend;
use crate::model::fine::Sampling;
use crate::search::plan::Plan;
use crate::search::record::Record;
use crate::sweep::Sweep;

/// A backend and its number of workers.
#[derive(Clone)]
pub struct Device {
    /// The backend.
    pub backend: Arc<dyn Backend>,
    /// The number of workers: threads, for a processor.
    pub workers: usize,
}

impl Device {
    /// A backend with a suitable number of workers, if `threads` are available.
    #[must_use]
    pub fn new(backend: Arc<dyn Backend>, threads: usize) -> Device {
        let workers = backend.workers(threads);
        Device { backend, workers }
    }
}

impl std::fmt::Debug for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} × {}", self.backend.id(), self.workers)
    }
}

/// The task of the engine.
#[derive(Debug)]
pub struct Job<'a> {
    /// The sweep.
    pub sweep: &'a Sweep,
    /// The range, cut into blocks.
    pub plan: &'a Plan,
    /// The blocks to search.
    pub pending: Vec<ops::Range<u64>>,
    /// All blocks of the search, if it is spread over them. Then `pending` is ascending and has the blocks that are left. Otherwise the
    /// blocks are searched in the given order.
    pub spread: Option<ops::Range<u64>>,
    /// The parts of some of these that are already searched, each from its first input on.
    pub parts: Vec<Record>,
    /// The devices to search on.
    pub devices: Vec<Device>,
    /// The condition under which a group is committed to the sink.
    pub groups: Groups,
    /// The time after which the job stops, but not before something was searched.
    pub limit: Option<Duration>,
    /// Whether each block's worst input is evaluated again, in plain Rust, for its result and reference. It must then have the error that
    /// the search found. Also, whenever a worker finds a larger error than before, it searches that input alone. The complete result,
    /// including the digest of the result's bits, must be that of plain Rust. Without this setting, records have no worst input.
    pub recheck: bool,
    /// The inputs that are evaluated again for the fine histogram, if any; only with `recheck`.
    pub sampling: Option<Sampling>,
}

impl<'a> Job<'a> {
    /// A search of all blocks of a plan, in order, without a limit, that evaluates each block's worst input again. Other settings are given
    /// by name: `Job { limit, ..Job::new(sweep, plan, devices) }`.
    #[must_use]
    pub fn new(sweep: &'a Sweep, plan: &'a Plan, devices: Vec<Device>) -> Job<'a> {
        Job {
            sweep,
            plan,
            pending: std::iter::once(0..plan.blocks()).collect(),
            spread: None,
            parts: Vec::new(),
            devices,
            groups: Groups::default(),
            limit: None,
            recheck: true,
            sampling: None,
        }
    }
}

/// The condition under which finished blocks, and parts of others, are committed: whichever limit is reached first.
#[derive(Debug, Clone, Copy)]
pub struct Groups {
    /// This number of blocks.
    pub blocks: usize,
    /// This time since the last commit.
    pub time: Duration,
}

impl Default for Groups {
    fn default() -> Self {
        Groups {
            blocks: 1 << 16,
            time: Duration::from_secs(1),
        }
    }
}
