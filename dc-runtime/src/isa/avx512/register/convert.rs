//! Conversions to integers with the results of Rust's `as`, and conversions of binary16.
//!
//! For a value that they cannot convert, the instructions give the lowest integer. This is right for values below the range. Masks correct
//! the results for values above the range and for NaN.

use core::arch::x86_64::*;

use super::avx512;

/// 2⁶³, the first value that an i64 cannot hold.
const TWO_63: f64 = 9_223_372_036_854_775_808.0;
/// 2³¹, the first value that an i32 cannot hold.
const TWO_31: f32 = 2_147_483_648.0;
/// To nearest even, whatever MXCSR has.
const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;

avx512! {
    fn f64_to_i64(a: __m512d) -> __m512i {
        let number = _mm512_cmp_pd_mask::<_CMP_ORD_Q>(a, a);
        let too_large = _mm512_cmp_pd_mask::<_CMP_GE_OQ>(a, _mm512_set1_pd(TWO_63));
        let value = _mm512_maskz_mov_epi64(number, _mm512_cvttpd_epi64(a));
        _mm512_mask_blend_epi64(too_large, value, _mm512_set1_epi64(i64::MAX))
    }
    fn eight_to_i32(a: __m512d) -> __m256i {
        let number = _mm512_cmp_pd_mask::<_CMP_ORD_Q>(a, a);
        let too_large = _mm512_cmp_pd_mask::<_CMP_GE_OQ>(a, _mm512_set1_pd(f64::from(TWO_31)));
        let value = _mm256_maskz_mov_epi32(number, _mm512_cvttpd_epi32(a));
        _mm256_mask_blend_epi32(too_large, value, _mm256_set1_epi32(i32::MAX))
    }
    fn f64_to_i32(a: [__m512d; 2]) -> __m512i { join_i32(eight_to_i32(a[0]), eight_to_i32(a[1])) }
    fn f32_to_i64(a: __m512) -> [__m512i; 2] {
        let [low, high] = f32_to_f64(a);
        [f64_to_i64(low), f64_to_i64(high)]
    }
    fn f32_to_i32(a: __m512) -> __m512i {
        let number = _mm512_cmp_ps_mask::<_CMP_ORD_Q>(a, a);
        let too_large = _mm512_cmp_ps_mask::<_CMP_GE_OQ>(a, _mm512_set1_ps(TWO_31));
        let value = _mm512_maskz_mov_epi32(number, _mm512_cvttps_epi32(a));
        _mm512_mask_blend_epi32(too_large, value, _mm512_set1_epi32(i32::MAX))
    }

    fn join_f32(low: __m256, high: __m256) -> __m512 { _mm512_insertf32x8::<1>(_mm512_castps256_ps512(low), high) }
    fn join_i32(low: __m256i, high: __m256i) -> __m512i { _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high) }
    fn f64_to_f32(a: [__m512d; 2]) -> __m512 { join_f32(_mm512_cvtpd_ps(a[0]), _mm512_cvtpd_ps(a[1])) }
    fn i64_to_f32(a: [__m512i; 2]) -> __m512 { join_f32(_mm512_cvtepi64_ps(a[0]), _mm512_cvtepi64_ps(a[1])) }
    fn i64_to_i32(a: [__m512i; 2]) -> __m512i { join_i32(_mm512_cvtepi64_epi32(a[0]), _mm512_cvtepi64_epi32(a[1])) }
    fn f32_to_f64(a: __m512) -> [__m512d; 2] {
        [_mm512_cvtps_pd(_mm512_castps512_ps256(a)), _mm512_cvtps_pd(_mm512_extractf32x8_ps::<1>(a))]
    }
    fn i32_to_f64(a: __m512i) -> [__m512d; 2] {
        [_mm512_cvtepi32_pd(_mm512_castsi512_si256(a)), _mm512_cvtepi32_pd(_mm512_extracti64x4_epi64::<1>(a))]
    }
    fn i32_to_i64(a: __m512i) -> [__m512i; 2] {
        [_mm512_cvtepi32_epi64(_mm512_castsi512_si256(a)), _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64::<1>(a))]
    }

    fn f16_to_f32(a: __m512i) -> __m512 { _mm512_cvtph_ps(_mm512_cvtepi32_epi16(a)) }
    /// The instruction keeps part of a NaN's fraction, so a mask excludes the lanes with NaN.
    fn f32_to_f16(a: __m512) -> __m512i {
        let number = _mm512_cmp_ps_mask::<_CMP_ORD_Q>(a, a);
        let nan = _mm256_set1_epi16(0x7e00);
        _mm512_cvtepu16_epi32(_mm512_mask_cvtps_ph::<NEAREST>(nan, number, a))
    }
    /// Rounds to even: half of the last place is added, minus one unit unless the last place is odd. The processor's own conversion flushes
    /// subnormal numbers.
    fn f32_to_bf16(a: __m512) -> __m512i {
        let bits = _mm512_castps_si512(a);
        let odd = _mm512_test_epi32_mask(bits, _mm512_set1_epi32(1 << 16));
        let half = _mm512_mask_blend_epi32(odd, _mm512_set1_epi32(0x7fff), _mm512_set1_epi32(0x8000));
        let rounded = _mm512_srli_epi32::<16>(_mm512_add_epi32(bits, half));
        let nan = _mm512_cmp_ps_mask::<_CMP_NEQ_UQ>(a, a);
        _mm512_mask_blend_epi32(nan, rounded, _mm512_set1_epi32(0x7fc0))
    }
    fn round_f16(a: __m512) -> __m512 { _mm512_cvtph_ps(_mm512_cvtps_ph::<NEAREST>(a)) }
}
