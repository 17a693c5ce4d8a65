//! DC types, ISA tokens, the built-in kernels, backends and the search of DoubleCrunch.
//!
//! Users depend on the facade crate `doublecrunch`, which re-exports all of this.

#[cfg(feature = "search")]
pub mod backend;
pub mod isa;
#[cfg(feature = "search")]
pub mod search;
#[cfg(feature = "search")]
pub mod sweep;
