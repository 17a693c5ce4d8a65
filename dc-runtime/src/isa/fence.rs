//! A scheduling fence for groups of registers.
//!
//! An operation on a group is written register by register, so that a long chain of dependent operations becomes
//! `G` chains side by side and their latencies overlap. LLVM's scheduler undoes that: it emits the whole chain of
//! register 0, then that of register 1, too far apart for the processor to overlap. An empty assembly statement
//! that takes the whole group as operands cannot be passed by any of its registers alone; it emits no instruction.
//!
//! Measured on a chain of 500 dependent fused multiply-adds on Zen 3 (latency 4 cycles, two a cycle), in 10⁹ AVX2
//! instructions a second: without the fence 0.92 at every width, so that a group gains nothing; with it 0.92, 1.71, 3.30
//! and 5.82 for groups of 1, 2, 4 and 8 registers. On AVX-512 (Zen 5, four registers): 1.5 without, 5.3 with.
//!
//! Where fences stand is the macro's choice: at the ends of units of work, not at every operation, which would keep all
//! registers' temporaries alive at once. On Zen 3 the compensated Horner scheme of degree 19 gained 1.3, `exp` 1.2.
//!
//! `pure` and `nomem` leave LLVM free to drop, merge or move a fence with the values it belongs to.
//!
//! # Fused multiply-adds
//!
//! The result of every `fma` goes through such a statement by itself (`opaque_…`, and in [`super::scalar`]). LLVM (22 of rustc
//! 1.95, and releases before) takes `fma(x, x, c)` for a number that is never −0, as a sum with a square would be
//! (`computeKnownFPClass`). It can be −0: an exact result that is negative and below half the least subnormal rounds to it.
//! So `x.mul_add(x, c) + 0.0` lost its addition, and the low word of a double-double square its sign. Of what comes out of
//! an assembly statement LLVM believes nothing. Random kernels found it: `tests/random-kernels/regressions`.

use core::arch::asm;
use core::arch::x86_64::{__m128, __m256, __m256d, __m512d};

/// The fence of groups and that of one register: their names, the features the registers need, register type and class.
macro_rules! fence {
    ($what:literal: $name:ident, $opaque:ident, $features:literal, $register:ty, $class:ident) => {
        #[doc = concat!("One of ", $what, " registers, of which LLVM knows nothing from here on.")]
        #[target_feature(enable = $features)]
        #[inline]
        pub(super) fn $opaque(mut v: $register) -> $register {
            // SAFETY: the template is a comment, and the operand comes out as it went in.
            unsafe {
                asm!(
                    "/* {} */",
                    inout($class) v,
                    options(pure, nomem, nostack, preserves_flags),
                );
            }
            v
        }

        #[doc = concat!("Fence of groups of ", $what, " registers.")]
        #[target_feature(enable = $features)]
        #[inline]
        pub(super) fn $name<const G: usize>(mut v: [$register; G]) -> [$register; G] {
            // SAFETY: the templates are comments, and the operands come out as they went in.
            unsafe {
                if const { G == 2 } {
                    asm!(
                        "/* {} {} */",
                        inout($class) v[0], inout($class) v[1],
                        options(pure, nomem, nostack, preserves_flags),
                    );
                }
                if const { G == 4 } {
                    asm!(
                        "/* {} {} {} {} */",
                        inout($class) v[0], inout($class) v[1], inout($class) v[2], inout($class) v[3],
                        options(pure, nomem, nostack, preserves_flags),
                    );
                }
                if const { G == 8 } {
                    asm!(
                        "/* {} {} {} {} {} {} {} {} */",
                        inout($class) v[0], inout($class) v[1], inout($class) v[2], inout($class) v[3],
                        inout($class) v[4], inout($class) v[5], inout($class) v[6], inout($class) v[7],
                        options(pure, nomem, nostack, preserves_flags),
                    );
                }
            }
            v
        }
    };
}

fence!("AVX2's binary64": m256d, opaque_m256d, "avx2,fma", __m256d, ymm_reg);
fence!("AVX2's binary32": m128, opaque_m128, "avx2,fma", __m128, xmm_reg);
fence!("AVX-512's binary64": m512d, opaque_m512d, "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma", __m512d, zmm_reg);
fence!("AVX-512's binary32": m256, opaque_m256, "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma", __m256, ymm_reg);
