//! The request to stop a running job.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A flag that is shared between a job and the code that may stop it.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicU32>);

impl Stop {
    /// A flag that is not set.
    #[must_use]
    pub fn new() -> Stop {
        Stop::default()
    }
    /// Requests that nothing more is started and that everything searched is committed. Returns the number of requests so far.
    pub fn ask(&self) -> u32 {
        self.0.fetch_add(1, Ordering::SeqCst) + 1
    }
    /// Whether a stop was requested.
    #[must_use]
    pub fn asked(&self) -> bool {
        self.0.load(Ordering::SeqCst) > 0
    }
}
