//! Kernel IR of DoubleCrunch: plain data, its checker, one emitter per language, the interpreter.

mod callees;
pub mod check;
pub mod directed;
pub mod emit;
pub mod identity;
mod inline;
pub mod interp;
pub mod ir;
pub mod lower;
pub mod ops;
pub mod program;
pub mod reduction;
#[doc(hidden)]
pub mod skip;
pub mod stats;
pub mod text;
#[cfg(test)]
mod tree;

pub use lower::{LowerError, lower};
