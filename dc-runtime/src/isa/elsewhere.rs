//! The names of x86-64's instruction sets on other processors: plain Rust in their place.
//!
//! Code that is compiled for every set names all of them, and the compiled forms of a kernel have a field for each. On
//! other processors these fields hold the scalar form, so nothing is compiled twice. The backends `avx2` and `avx512`
//! do not exist there (`backend/cpu.rs`): no result of the scalar form is ever shown under their names.

use super::Scalar;

/// On x86-64 this is AVX2 and FMA.
pub type Avx2<const G: usize> = Scalar<G>;
/// On x86-64 this is AVX-512 F, VL, DQ, BW.
pub type Avx512<const G: usize> = Scalar<G>;
