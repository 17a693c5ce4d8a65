//! The search: ranges of inputs, their blocks, and the results of each.
//!
//! Semantic versioning covers the items that this documentation shows. Items that only the command line, the tests and the benchmarks of the workspace use are
//! public too, because these are other crates. They are hidden from the documentation and may change with any release. So the crates of the workspace depend
//! on one another by their exact version.

pub mod engine;
pub mod equivalence;
pub mod evaluator;
#[cfg(feature = "run_files")]
pub mod format;
pub mod gappa;
pub mod identity;
pub mod plan;
pub mod points;
pub mod range;
pub mod record;
#[cfg(feature = "run_files")]
pub mod run;
#[cfg(feature = "run_files")]
pub mod run_file;
pub mod sample;
pub mod shard;
pub mod trace;

// For the command line, which is another crate, and for this workspace's tests and benchmarks.
#[doc(hidden)]
mod blocks;
#[doc(hidden)]
pub mod ceiling;
#[cfg(feature = "exact")]
#[doc(hidden)]
pub mod certify;
#[doc(hidden)]
#[cfg(feature = "run_files")]
pub mod claim;
#[doc(hidden)]
pub mod decide;
pub mod differ;
pub mod exact_results;
#[cfg(feature = "run_files")]
#[doc(hidden)]
pub mod merge;
#[cfg(feature = "run_files")]
#[doc(hidden)]
pub mod mount;
#[cfg(all(feature = "exact", feature = "run_files"))]
#[doc(hidden)]
pub mod proof;
pub mod properties;
#[doc(hidden)]
pub mod replace;
#[cfg(feature = "run_files")]
#[doc(hidden)]
pub mod shards;
#[cfg(any(test, feature = "fault_injection"))]
#[doc(hidden)]
pub mod testing;
#[doc(hidden)]
pub mod timed;
#[doc(hidden)]
pub mod truth;
#[doc(hidden)]
pub mod ulp;

// `accuracy.toml` is locked as well.
#[cfg(any(feature = "run_files", feature = "suite"))]
pub(crate) mod lock;
#[cfg(feature = "exact")]
mod maxima;

pub use crate::model::candidate::{Candidate, Reference};
pub use crate::model::device::DeviceFunction;
pub use crate::model::host::HostFunction;
pub use crate::model::library::LibraryFunction;
pub use crate::model::space::InputSpace;
pub use crate::model::{block, key, machine, show, stored};
