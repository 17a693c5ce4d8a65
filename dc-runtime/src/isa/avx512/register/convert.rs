//! Conversions to integers as Rust's `as` does them.
//!
//! The instructions give the lowest integer wherever they cannot convert: right for values too low, while values
//! too high and NaN are put right by masks.

use core::arch::x86_64::*;

use super::avx512;

/// 2⁶³, the first value that an i64 cannot hold.
const TWO_63: f64 = 9_223_372_036_854_775_808.0;
/// 2³¹, the first value that an i32 cannot hold.
const TWO_31: f32 = 2_147_483_648.0;

avx512! {
    fn f64_to_i64(a: __m512d) -> __m512i {
        let number = _mm512_cmp_pd_mask::<_CMP_ORD_Q>(a, a);
        let too_large = _mm512_cmp_pd_mask::<_CMP_GE_OQ>(a, _mm512_set1_pd(TWO_63));
        let value = _mm512_maskz_mov_epi64(number, _mm512_cvttpd_epi64(a));
        _mm512_mask_blend_epi64(too_large, value, _mm512_set1_epi64(i64::MAX))
    }
    fn f64_to_i32(a: __m512d) -> __m256i {
        let number = _mm512_cmp_pd_mask::<_CMP_ORD_Q>(a, a);
        let too_large = _mm512_cmp_pd_mask::<_CMP_GE_OQ>(a, _mm512_set1_pd(f64::from(TWO_31)));
        let value = _mm256_maskz_mov_epi32(number, _mm512_cvttpd_epi32(a));
        _mm256_mask_blend_epi32(too_large, value, _mm256_set1_epi32(i32::MAX))
    }
    fn f32_to_i64(a: __m256) -> __m512i { f64_to_i64(_mm512_cvtps_pd(a)) }
    fn f32_to_i32(a: __m256) -> __m256i {
        let number = _mm256_cmp_ps_mask::<_CMP_ORD_Q>(a, a);
        let too_large = _mm256_cmp_ps_mask::<_CMP_GE_OQ>(a, _mm256_set1_ps(TWO_31));
        let value = _mm256_maskz_mov_epi32(number, _mm256_cvttps_epi32(a));
        _mm256_mask_blend_epi32(too_large, value, _mm256_set1_epi32(i32::MAX))
    }
}
