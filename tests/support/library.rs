//! The sweeps of libraries' routines.

/// Their names; the other built-in sweeps are the paper's.
pub const LIBRARY: [&str; 5] = [
    "exp-fdlibm",
    "exp-table",
    "log-table",
    "sin-fdlibm",
    "cbrt-freebsd",
];
