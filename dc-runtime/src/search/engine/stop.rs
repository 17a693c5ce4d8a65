//! How a running job is asked to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A flag that is shared between a job and whoever may stop it.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicU32>);

impl Stop {
    /// Not asked yet.
    #[must_use]
    pub fn new() -> Stop {
        Stop::default()
    }
    /// Asks to begin nothing more, and to commit what is searched. Returns how often that was.
    pub fn ask(&self) -> u32 {
        self.0.fetch_add(1, Ordering::SeqCst) + 1
    }
    /// Whether it was asked to stop.
    #[must_use]
    pub fn asked(&self) -> bool {
        self.0.load(Ordering::SeqCst) > 0
    }
}
