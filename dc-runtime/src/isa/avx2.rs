//! AVX2 with FMA and F16C: units of eight lanes, which are two registers of 64-bit values or one of 32-bit values.
//!
//! So every register is full, and every value has the same number of lanes. A mask has all ones or all zeros in each
//! lane, in both widths. Floating-point operations round as set in MXCSR. Rust assumes its default
//! state: to nearest even, subnormals kept, no traps.

mod register;

use core::arch::x86_64::*;

use self::register as r;
use super::group::{count, directed, gather, group, instruction, iota, load, splat, store, units};
use super::operations::{column, operations};
use super::registers::{fences, order, pair, registers};
use super::{Direction, Isa, WithIsa, detect, fence};

/// AVX2, FMA and F16C in groups of `G` units (1, 2 or 4) of eight lanes. A value of this type is the proof that the processor
/// has them.
#[derive(Clone, Copy, Debug)]
pub struct Avx2<const G: usize>(());

impl<const G: usize> Avx2<G> {
    /// The token, without a check of the processor.
    ///
    /// # Safety
    ///
    /// The processor must have AVX2, FMA and F16C, and the operating system must save the registers.
    #[must_use]
    pub const unsafe fn new_unchecked() -> Self {
        Self(())
    }
}

/// The one function of a kernel that is compiled with the features; everything else is inlined into it.
///
/// # Safety
///
/// The processor has AVX2, FMA and F16C.
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn entry<const G: usize, W: WithIsa<Avx2<G>>>(isa: Avx2<G>, f: W) -> W::Output {
    fence::aligned_frame();
    f.call(isa)
}

impl<const G: usize> Isa for Avx2<G> {
    type F64 = [[__m256d; 2]; G];
    type F32 = [__m256; G];
    type I64 = [[__m256i; 2]; G];
    type I32 = [__m256i; G];
    type Mask = [r::Mask; G];
    type Unit = Avx2<1>;

    const LANES: usize = 8 * G;
    const UNITS: usize = G;
    const NAME: &'static str = "avx2";

    fn detect() -> Option<Self> {
        detect::avx2().then_some(Self(()))
    }

    #[inline]
    fn run<W: WithIsa<Self>>(self, f: W) -> W::Output {
        // SAFETY: the token `self` exists only where the processor has AVX2, FMA and F16C.
        unsafe { entry(self, f) }
    }

    #[inline(always)]
    fn of_unit(self) -> Avx2<1> {
        Avx2(())
    }

    operations!(column, avx2);
}
