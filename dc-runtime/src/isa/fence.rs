//! A scheduling fence for groups of registers.
//!
//! An operation on a group is written register by register, so a long chain of dependent operations becomes
//! `G` chains side by side whose latencies overlap. LLVM's scheduler undoes this: it emits the whole chain of
//! register 0, then that of register 1, too far apart for the processor to overlap. No single register can be moved
//! past an empty assembly statement that has the whole group as operands; the statement emits no instruction.
//!
//! Measured on a chain of 500 dependent fused multiply-adds on Zen 3 (latency 4 cycles, two per cycle), in 10⁹ AVX2
//! instructions per second: without the fence 0.92 at every width, so a group gains nothing; with it 0.92, 1.71,
//! 3.30 and 5.82 for groups of 1, 2, 4 and 8 registers. On AVX-512 (Zen 5, four registers): 1.5 without, 5.3 with.
//!
//! The macro places fences at the ends of units of work. Fences at every operation would keep the temporaries of all
//! registers live at once. On Zen 3, these fences made the compensated Horner scheme of degree 19 1.3 times as fast, and
//! `exp` 1.2 times.
//!
//! `pure` and `nomem` allow LLVM to remove, merge or move a fence together with its values.
//!
//! # Fused multiply-adds
//!
//! The result of every `fma` passes through its own such statement (`opaque_…`, and in [`super::scalar`]). LLVM (22 of rustc 1.95, and
//! earlier releases) assumes that `fma(x, x, c)` is never −0, because a sum with a square would not be (`computeKnownFPClass`). But it can
//! be −0, because a negative exact result below half the least subnormal rounds to −0. So `x.mul_add(x, c) + 0.0` lost its addition, and
//! the low word of a double-double square lost its sign. LLVM assumes nothing about the result of an assembly statement. Random kernels
//! found this: `tests/random-kernels/regressions`.
//!
//! # Choices
//!
//! On AArch64, the second operand of a choice, a minimum or a maximum also passes through such a statement. LLVM (22, and earlier releases)
//! turns `if x < 0.0 { x } else { 0.0 }` into `fminnm`, which gives −0 for −0. LLVM replaces a choice by a minimum only if both of its
//! values are the numbers compared.

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
use core::arch::aarch64::{float32x4_t, float64x2_t};
use core::arch::asm;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use core::arch::x86_64::{__m256, __m256d, __m512, __m512d};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use core::mem::MaybeUninit;

/// Aligns the frame of the function that this is inlined into to 64 bytes, so that no spilled register crosses a cache line: rustc's own
/// frames begin at any multiple of 16. On Zen 3 with four registers per value, the logarithm's polynomial took 9.3 to 10.3 ns per input,
/// depending on the address of the process's stack. Now it always takes 9.35.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
pub(super) fn aligned_frame() {
    #[repr(align(64))]
    struct Line(#[expect(dead_code, reason = "its place is what counts")] MaybeUninit<[u8; 64]>);
    let line = Line(MaybeUninit::uninit());
    // SAFETY: the template is a comment.
    unsafe {
        asm!("/* {} */", in(reg) &raw const line, options(readonly, nostack, preserves_flags));
    }
}

/// Fences of one register: the name, the features, the type of the register, and its class.
macro_rules! opaque {
    ($what:literal: $opaque:ident, $features:literal, $register:ty, $class:ident) => {
        #[doc = concat!("One of ", $what, " registers, of which LLVM knows nothing from here on.")]
        #[allow(asm_sub_register, reason = "the template is a comment")]
        #[target_feature(enable = $features)]
        #[inline]
        pub(super) fn $opaque(mut v: $register) -> $register {
            // SAFETY: the template is a comment, and the operand is unchanged.
            unsafe {
                asm!(
                    "/* {} */",
                    inout($class) v,
                    options(pure, nomem, nostack, preserves_flags),
                );
            }
            v
        }
    };
}

/// The fence of a group: the name, the features, the type of a unit, and the class of its registers; for each number of
/// units a template and the registers. A single register needs no fence.
macro_rules! fence {
    (
        $what:literal: $name:ident, $features:literal, $unit:ty, $class:ident;
        $($g:literal => $template:literal: $($([$i:literal])+),+;)+
    ) => {
        #[doc = concat!("Fence of groups of ", $what, " registers.")]
        #[allow(asm_sub_register, reason = "the template is a comment")]
        #[target_feature(enable = $features)]
        #[inline]
        pub(super) fn $name<const G: usize>(mut v: [$unit; G]) -> [$unit; G] {
            // SAFETY: the templates are comments, and the operands are unchanged.
            unsafe {
                $(if const { G == $g } {
                    asm!(
                        $template,
                        $(inout($class) v $([$i])+,)+
                        options(pure, nomem, nostack, preserves_flags),
                    );
                })+
            }
            v
        }
    };
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
opaque!("AVX2's binary64": opaque_m256d, "avx2,fma", __m256d, ymm_reg);
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
opaque!("AVX2's binary32": opaque_m256, "avx2,fma", __m256, ymm_reg);
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
opaque!("AVX-512's binary64": opaque_m512d, "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma", __m512d, zmm_reg);
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
opaque!("AVX-512's binary32": opaque_m512, "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma", __m512, zmm_reg);
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
opaque!("NEON's binary64": opaque_v128d, "neon", float64x2_t, vreg);
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
opaque!("NEON's binary32": opaque_v128, "neon", float32x4_t, vreg);

/// A fence for a unit of two registers, and one for a unit of one register.
macro_rules! fences {
    ($two:ident, $one:ident, $features:literal, $wide:ty, $narrow:ty, $class:ident) => {
        fence! {
            "binary64": $two, $features, [$wide; 2], $class;
            1 => "/* {} {} */": [0][0], [0][1];
            2 => "/* {} {} {} {} */": [0][0], [0][1], [1][0], [1][1];
            4 => "/* {} {} {} {} {} {} {} {} */":
                [0][0], [0][1], [1][0], [1][1], [2][0], [2][1], [3][0], [3][1];
        }
        fence! {
            "binary32": $one, $features, $narrow, $class;
            2 => "/* {} {} */": [0], [1];
            4 => "/* {} {} {} {} */": [0], [1], [2], [3];
        }
    };
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
fences!(m256d, m256, "avx2,fma", __m256d, __m256, ymm_reg);
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
fences!(
    m512d,
    m512,
    "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma",
    __m512d,
    __m512,
    zmm_reg
);
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
fences!(v128d, v128, "neon", float64x2_t, float32x4_t, vreg);
