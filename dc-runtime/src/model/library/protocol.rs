//! The conventions between this process and its workers.

/// The first argument of a worker's command line.
pub const WORKER: &str = "__call-library";

/// The largest number of words of a function's arguments: two complex numbers.
#[cfg(target_os = "linux")]
pub(super) const ARGUMENTS: usize = 4;

/// The word of an integer result that is not the value of a double. It is a NaN that no result has, since NaNs are canonical.
#[cfg(target_os = "linux")]
pub(super) const NO_DOUBLE: u64 = 0x7ff4_0000_0000_0001;

/// The number of inputs that a worker gets at a time. Their calls take much longer than a request and its answer, ten microseconds, and
/// they fit into the second-level cache.
pub const BATCH: usize = 1 << 16;
