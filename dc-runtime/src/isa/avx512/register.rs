//! What is not one intrinsic without parameters, on one register.
//!
//! All functions are compiled with the features and are called only from functions that are, or under a token.

mod convert;
mod gather;
mod rounded;

use core::arch::x86_64::*;

pub(super) use self::convert::*;
pub(super) use self::gather::*;
pub(super) use self::rounded::*;

/// Declares functions compiled with the features.
macro_rules! avx512 {
    ($($(#[$doc:meta])* fn $name:ident($($a:ident: $t:ty),*) -> $r:ty $body:block)+) => {$(
        $(#[$doc])*
        #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
        #[inline]
        pub(in crate::isa::avx512) fn $name($($a: $t),*) -> $r $body
    )+};
}
use avx512;

avx512! {
    fn splat_mask(x: bool) -> __mmask8 { if x { 0xff } else { 0 } }
    fn iota_i64(start: i64) -> __m512i {
        _mm512_add_epi64(_mm512_set1_epi64(start), _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7))
    }
    fn iota_i32(start: i32) -> __m256i {
        _mm256_add_epi32(_mm256_set1_epi32(start), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))
    }

    fn sign_f64() -> __m512d { _mm512_set1_pd(-0.0) }
    fn neg_f64(a: __m512d) -> __m512d { _mm512_xor_pd(a, sign_f64()) }
    fn abs_f64(a: __m512d) -> __m512d { _mm512_andnot_pd(sign_f64(), a) }
    fn copysign_f64(a: __m512d, b: __m512d) -> __m512d {
        _mm512_or_pd(_mm512_andnot_pd(sign_f64(), a), _mm512_and_pd(sign_f64(), b))
    }
    // VRNDSCALE's upper four bits are the number of fraction bits kept: none.
    fn floor_f64(a: __m512d) -> __m512d { _mm512_roundscale_pd::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>(a) }
    fn ceil_f64(a: __m512d) -> __m512d { _mm512_roundscale_pd::<{ _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC }>(a) }
    fn trunc_f64(a: __m512d) -> __m512d { _mm512_roundscale_pd::<{ _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC }>(a) }
    fn round_ties_even_f64(a: __m512d) -> __m512d {
        _mm512_roundscale_pd::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(a)
    }
    fn lt_f64(a: __m512d, b: __m512d) -> __mmask8 { _mm512_cmp_pd_mask::<_CMP_LT_OQ>(a, b) }
    fn le_f64(a: __m512d, b: __m512d) -> __mmask8 { _mm512_cmp_pd_mask::<_CMP_LE_OQ>(a, b) }
    fn eq_f64(a: __m512d, b: __m512d) -> __mmask8 { _mm512_cmp_pd_mask::<_CMP_EQ_OQ>(a, b) }
    fn ne_f64(a: __m512d, b: __m512d) -> __mmask8 { _mm512_cmp_pd_mask::<_CMP_NEQ_UQ>(a, b) }
    fn select_f64(m: __mmask8, a: __m512d, b: __m512d) -> __m512d { _mm512_mask_blend_pd(m, b, a) }
    /// The comparison of `is_nan`, so that a value for which both are asked is compared once.
    fn canonical_f64(a: __m512d) -> __m512d {
        let nan = _mm512_castsi512_pd(_mm512_set1_epi64(0x7ff8_0000_0000_0000));
        _mm512_mask_blend_pd(_mm512_cmp_pd_mask::<_CMP_NEQ_UQ>(a, a), a, nan)
    }

    fn sign_f32() -> __m256 { _mm256_set1_ps(-0.0) }
    fn neg_f32(a: __m256) -> __m256 { _mm256_xor_ps(a, sign_f32()) }
    fn abs_f32(a: __m256) -> __m256 { _mm256_andnot_ps(sign_f32(), a) }
    fn copysign_f32(a: __m256, b: __m256) -> __m256 {
        _mm256_or_ps(_mm256_andnot_ps(sign_f32(), a), _mm256_and_ps(sign_f32(), b))
    }
    fn trunc_f32(a: __m256) -> __m256 { _mm256_round_ps::<{ _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC }>(a) }
    fn round_ties_even_f32(a: __m256) -> __m256 {
        _mm256_round_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(a)
    }
    fn lt_f32(a: __m256, b: __m256) -> __mmask8 { _mm256_cmp_ps_mask::<_CMP_LT_OQ>(a, b) }
    fn le_f32(a: __m256, b: __m256) -> __mmask8 { _mm256_cmp_ps_mask::<_CMP_LE_OQ>(a, b) }
    fn eq_f32(a: __m256, b: __m256) -> __mmask8 { _mm256_cmp_ps_mask::<_CMP_EQ_OQ>(a, b) }
    fn ne_f32(a: __m256, b: __m256) -> __mmask8 { _mm256_cmp_ps_mask::<_CMP_NEQ_UQ>(a, b) }
    fn select_f32(m: __mmask8, a: __m256, b: __m256) -> __m256 { _mm256_mask_blend_ps(m, b, a) }
    fn canonical_f32(a: __m256) -> __m256 {
        let nan = _mm256_castsi256_ps(_mm256_set1_epi32(0x7fc0_0000));
        _mm256_mask_blend_ps(_mm256_cmp_ps_mask::<_CMP_NEQ_UQ>(a, a), a, nan)
    }

    fn amount_i64(n: __m512i) -> __m512i { _mm512_and_si512(n, _mm512_set1_epi64(63)) }
    fn shl_i64(a: __m512i, n: __m512i) -> __m512i { _mm512_sllv_epi64(a, amount_i64(n)) }
    fn shr_i64(a: __m512i, n: __m512i) -> __m512i { _mm512_srav_epi64(a, amount_i64(n)) }
    fn shr_logical_i64(a: __m512i, n: __m512i) -> __m512i { _mm512_srlv_epi64(a, amount_i64(n)) }
    fn select_i64(m: __mmask8, a: __m512i, b: __m512i) -> __m512i { _mm512_mask_blend_epi64(m, b, a) }
    fn decrement_i64(m: __mmask8, a: __m512i) -> __m512i { _mm512_mask_sub_epi64(a, m, a, _mm512_set1_epi64(1)) }
    fn increment_i64(m: __mmask8, a: __m512i) -> __m512i { _mm512_mask_add_epi64(a, m, a, _mm512_set1_epi64(1)) }

    fn amount_i32(n: __m256i) -> __m256i { _mm256_and_si256(n, _mm256_set1_epi32(31)) }
    fn shl_i32(a: __m256i, n: __m256i) -> __m256i { _mm256_sllv_epi32(a, amount_i32(n)) }
    fn shr_i32(a: __m256i, n: __m256i) -> __m256i { _mm256_srav_epi32(a, amount_i32(n)) }
    fn shr_logical_i32(a: __m256i, n: __m256i) -> __m256i { _mm256_srlv_epi32(a, amount_i32(n)) }
    fn select_i32(m: __mmask8, a: __m256i, b: __m256i) -> __m256i { _mm256_mask_blend_epi32(m, b, a) }
}

/// Declares functions that read or write eight elements at a pointer.
macro_rules! memory {
    ($($name:ident($($a:ident: $t:ty),*) $(-> $r:ty)? $body:block)+) => {$(
        /// # Safety
        ///
        /// The processor has the features; the pointer is to eight elements.
        #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
        #[inline]
        pub(super) unsafe fn $name($($a: $t),*) $(-> $r)? {
            // SAFETY: the caller's.
            unsafe { $body }
        }
    )+};
}

memory! {
    load_i32(x: *const i32) -> __m256i { _mm256_loadu_si256(x.cast()) }
    load_mask(x: *const bool) -> __mmask8 {
        let bytes = _mm_loadl_epi64(x.cast());
        _mm_test_epi8_mask(bytes, bytes) as __mmask8
    }
    store_i32(out: *mut i32, v: __m256i) { _mm256_storeu_si256(out.cast(), v) }
    // The bytes stored are 0 and 1.
    store_mask(out: *mut bool, m: __mmask8) {
        _mm_storel_epi64(out.cast(), _mm_maskz_set1_epi8(__mmask16::from(m), 1))
    }
}
