//! Certified bounds of the rounding errors of kernels, and their exact maxima.

#[cfg(test)]
extern crate self as dc_exact;

pub mod bound;
pub mod cell;
pub mod certificate;
pub mod class;
pub mod error;
pub mod exact;
pub mod lattice;
pub mod law;
pub mod num;
pub mod pairs;
mod parallel;
pub mod parts;
pub mod point;
pub mod why;
