//! The instruction sets of x86-64 on other processors: plain Rust in their place.
//!
//! What is compiled for every set names all of them, and the compiled forms of a kernel have a field for each. Here these
//! fields hold the scalar form, so nothing is compiled twice. The backends `avx2` and `avx512` are not here
//! (`backend/cpu.rs`): nothing that was computed so is ever shown under their names.

use super::Scalar;

/// Elsewhere AVX2 and FMA.
pub type Avx2<const G: usize> = Scalar<G>;
/// Elsewhere AVX-512 F, VL, DQ, BW.
pub type Avx512<const G: usize> = Scalar<G>;
