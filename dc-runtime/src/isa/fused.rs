//! Plain Rust on processors with FMA, without the standard library. `core` has no `mul_add` that is an instruction in a function compiled
//! with FMA and a call elsewhere, so there are two tokens.

use super::group::{
    count, directed, gather, group, iota, load, splat, store, units, units as registers,
};
use super::operations::{column, operations};
use super::plain::x86_64::fused as plain;
use super::scalar::{canonical32, canonical64, other32, other64, unknown32, unknown64, wrap};
use super::{Direction, Isa, WithIsa, detect};

/// [`Scalar`](super::Scalar) for processors with AVX and FMA.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fused<const G: usize>(());

/// The one function of a kernel that is compiled with the features.
///
/// # Safety
///
/// The processor has AVX and FMA.
#[target_feature(enable = "avx,fma")]
unsafe fn entry<const G: usize, W: WithIsa<Fused<G>>>(isa: Fused<G>, f: W) -> W::Output {
    f.call(isa)
}

impl<const G: usize> Isa for Fused<G> {
    type F64 = [f64; G];
    type F32 = [f32; G];
    type I64 = [i64; G];
    type I32 = [i32; G];
    type Mask = [bool; G];
    type Unit = Fused<1>;

    const LANES: usize = G;
    const UNITS: usize = 1;
    const NAME: &'static str = "scalar";

    fn detect() -> Option<Self> {
        detect::fused().then_some(Self(()))
    }

    #[inline]
    fn run<W: WithIsa<Self>>(self, f: W) -> W::Output {
        // SAFETY: the token `self` exists only where the processor has AVX and FMA.
        unsafe { entry(self, f) }
    }

    #[inline(always)]
    fn of_unit(self) -> Fused<1> {
        Fused(())
    }

    operations!(column, scalar);
}
