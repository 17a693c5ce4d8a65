//! Worst-case errors of floating-point routines by brute force; one source, every backend, bit for bit.

pub use dc_runtime::*;

#[cfg(feature = "cli")]
pub use dc_driver as driver;

/// Accuracy and equivalence from `cargo test`, with `cargo crunch`: see [`suite!`].
#[cfg(all(feature = "cli", feature = "suite"))]
pub mod suite {
    pub use dc_driver::suites as cargo;
    pub use dc_runtime::suite::*;
}

// A glob brings in the hidden module too; named, so that nobody takes it for an accident.
#[doc(hidden)]
pub use dc_runtime::__private_v0_2;
