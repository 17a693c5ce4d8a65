//! Kernel IR of DoubleCrunch: plain data, its checker, one emitter per language, and the interpreter.
//!
//! Without the default feature `programs`, only the parts that the macro and compiled kernels need remain: [`ir`], [`ops`],
//! [`directed`] and the tables of [`reduction`], which use only `core`.

#![cfg_attr(not(any(test, feature = "programs")), no_std)]

#[cfg(feature = "programs")]
mod callees;
#[cfg(feature = "programs")]
pub mod check;
#[cfg(feature = "programs")]
pub mod constants;
pub mod directed;
#[cfg(feature = "programs")]
pub mod emit;
#[cfg(feature = "programs")]
pub mod identity;
#[cfg(feature = "programs")]
mod inline;
#[cfg(feature = "programs")]
pub mod interp;
pub mod ir;
#[cfg(feature = "programs")]
pub mod lower;
pub mod ops;
#[cfg(feature = "programs")]
mod origin;
#[cfg(feature = "programs")]
pub mod program;
pub mod reduction;
#[cfg(feature = "programs")]
#[doc(hidden)]
pub mod skip;
#[cfg(feature = "programs")]
pub mod stats;
#[cfg(feature = "programs")]
pub mod syntax;
#[cfg(feature = "programs")]
pub mod text;
#[cfg(all(test, feature = "programs"))]
mod tree;

#[cfg(feature = "programs")]
pub use lower::{LowerError, lower};
