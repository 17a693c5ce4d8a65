//! The built-in library: kernels like any user's, written in `#[crunch]`.

pub mod dd;
pub mod eft;
pub mod instructions;
pub mod judge;
pub mod poly;
