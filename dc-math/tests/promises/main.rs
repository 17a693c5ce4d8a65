//! This crate's promises about each function, compared with a second computation of it.
//!
//! The kernels in binary32 and in the formats of 16 bits are made from the library's references in binary64. They are compared with its
//! double-double references, which have other polynomials, tables and reductions; their relative error is bounded generously by 2^-90. If
//! that does not decide which number is nearest, MPFR decides (feature `mpfr`). Without MPFR, the input counts as undecided.
//!
//! `cargo xtask math` searches all 2^32 inputs (feature `full`). `cargo test -p dc-math --test promises` is the short form: the inputs of `hard.txt`,
//! edge cases, and a sample.

// The macro names the runtime as its users do.
extern crate dc_runtime as doublecrunch;

mod asked;
mod bounds;
mod cases;
mod certified;
mod check;
mod double;
mod ends;
#[cfg(feature = "full")]
mod full;
mod inputs;
mod length;
mod mutants;
mod pairs;
mod pieces;
mod quick;
mod ranges;
mod short;
mod special;
mod stages;
mod state;
mod stored;
mod two;
