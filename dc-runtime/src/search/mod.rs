//! The search: ranges of inputs, their blocks, and the results of each.

pub mod ceiling;
#[cfg(feature = "exact")]
pub mod certify;
pub mod differ;
pub mod engine;
pub mod equivalence;
pub mod estimate;
pub mod evaluator;
pub mod format;
pub mod gappa;
pub mod identity;
pub mod limit;
pub(crate) mod lock;
#[cfg(feature = "exact")]
mod maxima;
pub mod merge;
pub mod mount;
pub mod plan;
pub mod points;
#[cfg(feature = "exact")]
pub mod proof;
pub mod range;
#[doc(hidden)]
pub mod replace;
pub mod run;
pub mod run_file;
pub mod sample;
pub mod shard;
pub mod shards;
#[cfg(any(test, feature = "fault_injection"))]
#[doc(hidden)]
pub mod testing;
pub mod timed;
pub mod trace;
pub mod truth;
pub mod ulp;

pub use crate::model::candidate::{Candidate, Reference};
pub use crate::model::device::DeviceFunction;
pub use crate::model::host::HostFunction;
pub use crate::model::library::LibraryFunction;
pub use crate::model::space::InputSpace;
pub use crate::model::{block, key, machine, show, stored};
