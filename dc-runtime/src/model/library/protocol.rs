//! What this process and its workers agree on.

/// The first argument of a worker's command line.
pub const WORKER: &str = "__call-library";

/// The largest number of arguments of a function.
#[cfg(target_os = "linux")]
pub(super) const ARGUMENTS: usize = 2;

/// The number of inputs that a worker gets at a time. Their calls take much longer than the ten microseconds of a
/// request and its answer, and they fit into the second-level cache.
pub const BATCH: usize = 1 << 16;
