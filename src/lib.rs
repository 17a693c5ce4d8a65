//! Worst-case errors of floating-point routines by brute force; one source, every backend, bit for bit.

pub use dc_runtime::*;

// A glob brings in the hidden module too; named, so that nobody takes it for an accident.
#[doc(hidden)]
pub use dc_runtime::__private;
