//! The operations as instructions of x86-64. Every processor of a target with SSE2 has the square roots.

use core::arch::x86_64::*;

/// Square root.
#[inline(always)]
pub(crate) fn sqrt_f64(a: f64) -> f64 {
    // SAFETY: the target has SSE2.
    unsafe {
        let a = _mm_set_sd(a);
        _mm_cvtsd_f64(_mm_sqrt_sd(a, a))
    }
}

/// Square root.
#[inline(always)]
pub(crate) fn sqrt_f32(a: f32) -> f32 {
    // SAFETY: as above.
    unsafe { _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(a))) }
}

/// The operations of a processor with AVX and FMA.
pub(crate) mod fused {
    use core::arch::x86_64::*;

    pub(crate) use super::{sqrt_f32, sqrt_f64};

    /// Functions from an intrinsic: the type, its conversions to and from a register, and one name for each function.
    macro_rules! fused {
        ($float:ident $set:ident $get:ident
            $fma:ident $fmadd:ident
            $($name:ident = $rounded:ident $direction:ident;)+) => {
            /// `a * b + c` with one rounding.
            #[target_feature(enable = "avx,fma")]
            #[inline]
            pub(crate) fn $fma(a: $float, b: $float, c: $float) -> $float {
                $get($fmadd($set(a), $set(b), $set(c)))
            }

            $(
                #[doc = concat!("To an integer, as `", stringify!($rounded), "` rounds it.")]
                #[target_feature(enable = "avx,fma")]
                #[inline]
                pub(crate) fn $name(a: $float) -> $float {
                    $get($rounded::<{ $direction | _MM_FROUND_NO_EXC }>($set(a), $set(a)))
                }
            )+
        };
    }
    fused! {
        f64 _mm_set_sd _mm_cvtsd_f64
        fma_f64 _mm_fmadd_sd
        floor_f64 = _mm_round_sd _MM_FROUND_TO_NEG_INF;
        ceil_f64 = _mm_round_sd _MM_FROUND_TO_POS_INF;
        trunc_f64 = _mm_round_sd _MM_FROUND_TO_ZERO;
        round_ties_even_f64 = _mm_round_sd _MM_FROUND_TO_NEAREST_INT;
    }
    fused! {
        f32 _mm_set_ss _mm_cvtss_f32
        fma_f32 _mm_fmadd_ss
        floor_f32 = _mm_round_ss _MM_FROUND_TO_NEG_INF;
        ceil_f32 = _mm_round_ss _MM_FROUND_TO_POS_INF;
        trunc_f32 = _mm_round_ss _MM_FROUND_TO_ZERO;
        round_ties_even_f32 = _mm_round_ss _MM_FROUND_TO_NEAREST_INT;
    }
}
