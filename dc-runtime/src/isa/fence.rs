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
//! `pure` and `nomem` leave LLVM free to drop, merge or move a fence with the values it belongs to.

//!
//! # Fused multiply-adds
//!
//! The fence behind `fma` has a second duty, so it is there for single registers, and in [`super::scalar`], too. LLVM (22 of
//! rustc 1.95, and releases before) takes `fma(x, x, c)` for a number that is never −0, as a sum with a square would be
//! (`computeKnownFPClass`). It can be −0: an exact result that is negative and below half the least subnormal rounds to it.
//! So `x.mul_add(x, c) + 0.0` lost its addition, and the low word of a double-double square its sign. Of what comes out of
//! an assembly statement LLVM believes nothing. Random kernels found it: `tests/random-kernels/regressions`.

use core::arch::asm;
use core::arch::x86_64::{__m128, __m256, __m256d, __m512d};

/// One fence: its name, the features its registers need, register type, register class, and the least group.
macro_rules! fence {
    ($(#[$doc:meta])* $name:ident, $features:literal, $register:ty, $class:ident, $least:literal) => {
        $(#[$doc])*
        #[target_feature(enable = $features)]
        #[inline]
        pub(super) fn $name<const G: usize>(mut v: [$register; G]) -> [$register; G] {
            // SAFETY: the templates are comments, and the operands come out as they went in.
            unsafe {
                if const { G == 1 && $least == 1 } {
                    asm!(
                        "/* {} */",
                        inout($class) v[0],
                        options(pure, nomem, nostack, preserves_flags),
                    );
                }
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

/// Both fences of a register type: behind sums and products, and behind fused multiply-adds.
macro_rules! fences {
    ($what:literal: $name:ident, $fma:ident, $features:literal, $register:ty, $class:ident) => {
        fence! {
            #[doc = concat!("Fence of ", $what, " groups.")]
            $name, $features, $register, $class, 2
        }
        fence! {
            #[doc = concat!("Fence of ", $what, " groups behind a fused multiply-add, of single registers as well.")]
            $fma, $features, $register, $class, 1
        }
    };
}

fences!("AVX2's binary64": m256d, m256d_fma, "avx2,fma", __m256d, ymm_reg);
fences!("AVX2's binary32": m128, m128_fma, "avx2,fma", __m128, xmm_reg);
fences!("AVX-512's binary64": m512d, m512d_fma, "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma", __m512d, zmm_reg);
fences!("AVX-512's binary32": m256, m256_fma, "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma", __m256, ymm_reg);
