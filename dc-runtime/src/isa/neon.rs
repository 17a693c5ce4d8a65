//! NEON (Advanced SIMD of AArch64, with its fused multiply-add): units of four lanes, which are two registers of 64-bit
//! values or one of 32-bit values.
//!
//! So every register is full, and every value has the same number of lanes. A mask has all ones or all zeros in each
//! lane, in both widths. Floating-point operations round as set in FPCR. Rust assumes its default state:
//! to nearest even, subnormals kept, NaNs propagated, no traps.

mod register;

use core::arch::aarch64::*;

use self::register as r;
use super::group::{count, directed, gather, group, iota, load, splat, store, units};
use super::operations::{column, operations};
use super::registers::{fences, order, pair, registers};
use super::{Direction, Isa, WithIsa, detect, fence};

/// NEON in groups of `G` units (1, 2 or 4) of four lanes. A value of this type is the proof that the processor has it.
#[derive(Clone, Copy, Debug)]
pub struct Neon<const G: usize>(());

impl<const G: usize> Neon<G> {
    /// The token, without a check of the processor.
    ///
    /// # Safety
    ///
    /// The processor must have Advanced SIMD.
    #[must_use]
    pub const unsafe fn new_unchecked() -> Self {
        Self(())
    }
}

/// The one function of a kernel that is compiled with the feature; everything else is inlined into it.
///
/// # Safety
///
/// The processor has Advanced SIMD.
#[target_feature(enable = "neon")]
unsafe fn entry<const G: usize, W: WithIsa<Neon<G>>>(isa: Neon<G>, f: W) -> W::Output {
    f.call(isa)
}

impl<const G: usize> Isa for Neon<G> {
    type F64 = [[float64x2_t; 2]; G];
    type F32 = [float32x4_t; G];
    type I64 = [[int64x2_t; 2]; G];
    type I32 = [int32x4_t; G];
    type Mask = [r::Mask; G];
    type Unit = Neon<1>;

    const LANES: usize = 4 * G;
    const UNITS: usize = G;
    const NAME: &'static str = "neon";

    fn detect() -> Option<Self> {
        detect::neon().then_some(Self(()))
    }

    #[inline]
    fn run<W: WithIsa<Self>>(self, f: W) -> W::Output {
        // SAFETY: the token `self` exists only where the processor has Advanced SIMD.
        unsafe { entry(self, f) }
    }

    #[inline(always)]
    fn of_unit(self) -> Neon<1> {
        Neon(())
    }

    operations!(column, neon);
}
