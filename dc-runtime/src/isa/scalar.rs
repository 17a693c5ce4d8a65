//! Plain Rust, `G` lanes per value: the definition of every operation, on any processor.
//!
//! The results of the vector instruction sets are tested against the same standard-library operations.

use super::group::{
    count, directed, gather, group, iota, load, splat, store, units, units as registers,
};
use super::operations::{column, operations};
use super::{Direction, Isa, WithIsa, plain};

/// Plain Rust in groups of `G` lanes, for every type: [`Isa::LANES`] is `G`, and a unit is one lane.
///
/// The crate uses two widths: 1 for single points, and 4 for columns and the search, whose chunk must be a multiple of `G`.
#[derive(Clone, Copy, Debug)]
pub struct Scalar<const G: usize>(());

impl<const G: usize> Scalar<G> {
    /// The token; every processor has it.
    #[must_use]
    pub const fn new() -> Self {
        Self(())
    }
}

impl<const G: usize> Default for Scalar<G> {
    fn default() -> Self {
        Self::new()
    }
}

/// Compiled with FMA, so that `mul_add` is one instruction instead of a call of the C library's `fma`. Without the standard library,
/// `fused.rs` does this.
///
/// # Safety
///
/// The processor has AVX and FMA.
#[cfg(all(feature = "std", target_arch = "x86_64", not(target_feature = "fma")))]
#[target_feature(enable = "avx,fma")]
unsafe fn entry_with_fma<const G: usize, W: WithIsa<Scalar<G>>>(isa: Scalar<G>, f: W) -> W::Output {
    f.call(isa)
}

/// On processors without FMA. Without the standard library, there are two tokens, and this one has no FMA. The code is not inlined: registers that it
/// saves would be saved in each call for one number.
#[cfg(all(target_arch = "x86_64", not(target_feature = "fma")))]
#[cold]
#[inline(never)]
fn entry_without_fma<const G: usize, W: WithIsa<Scalar<G>>>(isa: Scalar<G>, f: W) -> W::Output {
    f.call(isa)
}

/// The index at which a table of `len` entries is read; `len` is at least 1.
#[inline(always)]
pub(super) fn wrap(i: i64, len: usize) -> usize {
    if len.is_power_of_two() {
        i as usize & (len - 1)
    } else {
        i.clamp(0, len as i64 - 1) as usize
    }
}

/// The canonical form of NaN, by integer comparison, which no floating-point optimization changes.
#[inline(always)]
pub(super) fn canonical64(a: f64) -> f64 {
    let bits = a.to_bits();
    let nan = bits & 0x7fff_ffff_ffff_ffff > 0x7ff0_0000_0000_0000;
    f64::from_bits(if nan { 0x7ff8_0000_0000_0000 } else { bits })
}

#[inline(always)]
pub(super) fn canonical32(a: f32) -> f32 {
    let bits = a.to_bits();
    f32::from_bits(if bits & 0x7fff_ffff > 0x7f80_0000 {
        0x7fc0_0000
    } else {
        bits
    })
}

/// A value about which LLVM can assume nothing, because its assumption about `fma(x, x, c)` is wrong; see [`super::fence`].
macro_rules! unknown {
    ($name:ident, $t:ty) => {
        #[inline(always)]
        pub(super) fn $name(x: $t) -> $t {
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            {
                let mut x = x;
                // SAFETY: the template is a comment, and the operand is unchanged.
                unsafe {
                    core::arch::asm!(
                        "/* {} */",
                        inout(xmm_reg) x,
                        options(pure, nomem, nostack, preserves_flags),
                    );
                }
                x
            }
            #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
            {
                let mut x = x;
                // SAFETY: as above.
                unsafe {
                    core::arch::asm!(
                        "/* {:d} */",
                        inout(vreg) x,
                        options(pure, nomem, nostack, preserves_flags),
                    );
                }
                x
            }
            #[cfg(not(any(all(target_arch = "x86_64", target_feature = "sse2"), all(target_arch = "aarch64", target_feature = "neon"))))]
            core::hint::black_box(x)
        }
    };
}
unknown!(unknown64, f64);
unknown!(unknown32, f32);

/// The second operand of a choice. LLVM can assume nothing about it on targets where it replaces choices by minima that order zeros; see
/// [`super::fence`]. On x86 the instructions are the choice itself, and WebAssembly has no instruction that LLVM would use for it.
macro_rules! other {
    ($name:ident, $t:ty, $unknown:ident) => {
        #[inline(always)]
        pub(super) fn $name(x: $t) -> $t {
            if cfg!(any(
                target_arch = "x86_64",
                target_arch = "x86",
                target_family = "wasm"
            )) {
                x
            } else {
                $unknown(x)
            }
        }
    };
}
other!(other64, f64, unknown64);
other!(other32, f32, unknown32);

impl<const G: usize> Isa for Scalar<G> {
    type F64 = [f64; G];
    type F32 = [f32; G];
    type I64 = [i64; G];
    type I32 = [i32; G];
    type Mask = [bool; G];
    type Unit = Scalar<1>;

    const LANES: usize = G;
    // Whether LLVM vectorizes lanes is left to it.
    const UNITS: usize = 1;
    const NAME: &'static str = "scalar";

    fn detect() -> Option<Self> {
        Some(Self::new())
    }

    #[inline]
    fn run<W: WithIsa<Self>>(self, f: W) -> W::Output {
        // A build that has FMA inlines the operations: nothing is left to be detected or called.
        #[cfg(all(feature = "std", target_arch = "x86_64", not(target_feature = "fma")))]
        if super::detect::fused() {
            // SAFETY: the features have just been detected.
            return unsafe { entry_with_fma(self, f) };
        }
        #[cfg(all(target_arch = "x86_64", not(target_feature = "fma")))]
        {
            entry_without_fma(self, f)
        }
        #[cfg(not(all(target_arch = "x86_64", not(target_feature = "fma"))))]
        {
            f.call(self)
        }
    }

    #[inline(always)]
    fn of_unit(self) -> Scalar<1> {
        Scalar(())
    }

    operations!(column, scalar);
}
