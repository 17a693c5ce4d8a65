//! DC types, ISA tokens, the built-in kernels, backends and the search of DoubleCrunch.
//!
//! Users depend on the facade crate `doublecrunch`, which re-exports all of this.

pub mod isa;
