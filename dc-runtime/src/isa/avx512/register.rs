//! Operations that are not a single intrinsic without parameters, on one register or, if 32-bit and 64-bit lanes
//! are combined, on a unit.
//!
//! All functions are compiled with the features. They are called only from functions with the same features, or with a token.

mod convert;
mod gather;
mod mask;
mod table;

use core::arch::x86_64::*;

pub(super) use self::convert::*;
pub(super) use self::gather::*;
pub(super) use self::mask::*;

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
    fn iota_i64(start: i64) -> [__m512i; 2] {
        let start = _mm512_set1_epi64(start);
        [
            _mm512_add_epi64(start, _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7)),
            _mm512_add_epi64(start, _mm512_setr_epi64(8, 9, 10, 11, 12, 13, 14, 15)),
        ]
    }
    fn iota_i32(start: i32) -> __m512i {
        let lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        _mm512_add_epi32(_mm512_set1_epi32(start), lanes)
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
    /// The same comparison as in `is_nan`, so that a value that needs both is compared once.
    fn canonical_f64(a: __m512d) -> __m512d {
        let nan = _mm512_castsi512_pd(_mm512_set1_epi64(0x7ff8_0000_0000_0000));
        _mm512_mask_blend_pd(_mm512_cmp_pd_mask::<_CMP_NEQ_UQ>(a, a), a, nan)
    }

    fn sign_f32() -> __m512 { _mm512_set1_ps(-0.0) }
    fn neg_f32(a: __m512) -> __m512 { _mm512_xor_ps(a, sign_f32()) }
    fn abs_f32(a: __m512) -> __m512 { _mm512_andnot_ps(sign_f32(), a) }
    fn copysign_f32(a: __m512, b: __m512) -> __m512 {
        _mm512_or_ps(_mm512_andnot_ps(sign_f32(), a), _mm512_and_ps(sign_f32(), b))
    }
    fn floor_f32(a: __m512) -> __m512 { _mm512_roundscale_ps::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>(a) }
    fn ceil_f32(a: __m512) -> __m512 { _mm512_roundscale_ps::<{ _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC }>(a) }
    fn trunc_f32(a: __m512) -> __m512 { _mm512_roundscale_ps::<{ _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC }>(a) }
    fn round_ties_even_f32(a: __m512) -> __m512 {
        _mm512_roundscale_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(a)
    }
    fn canonical_f32(a: __m512) -> __m512 {
        let nan = _mm512_castsi512_ps(_mm512_set1_epi32(0x7fc0_0000));
        _mm512_mask_blend_ps(_mm512_cmp_ps_mask::<_CMP_NEQ_UQ>(a, a), a, nan)
    }

    fn amount_i64(n: __m512i) -> __m512i { _mm512_and_si512(n, _mm512_set1_epi64(63)) }
    fn shl_i64(a: __m512i, n: __m512i) -> __m512i { _mm512_sllv_epi64(a, amount_i64(n)) }
    fn shr_i64(a: __m512i, n: __m512i) -> __m512i { _mm512_srav_epi64(a, amount_i64(n)) }
    fn shr_logical_i64(a: __m512i, n: __m512i) -> __m512i { _mm512_srlv_epi64(a, amount_i64(n)) }

    fn amount_i32(n: __m512i) -> __m512i { _mm512_and_si512(n, _mm512_set1_epi32(31)) }
    fn shl_i32(a: __m512i, n: __m512i) -> __m512i { _mm512_sllv_epi32(a, amount_i32(n)) }
    fn shr_i32(a: __m512i, n: __m512i) -> __m512i { _mm512_srav_epi32(a, amount_i32(n)) }
    fn shr_logical_i32(a: __m512i, n: __m512i) -> __m512i { _mm512_srlv_epi32(a, amount_i32(n)) }
}

/// Declares functions that read or write sixteen elements at a pointer.
macro_rules! memory {
    ($($name:ident($($a:ident: $t:ty),*) $(-> $r:ty)? $body:block)+) => {$(
        /// # Safety
        ///
        /// The processor has the features; the pointer is to sixteen elements.
        #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
        #[inline]
        pub(super) unsafe fn $name($($a: $t),*) $(-> $r)? {
            // SAFETY: guaranteed by the caller.
            unsafe { $body }
        }
    )+};
}

memory! {
    load_f64(x: *const f64) -> [__m512d; 2] { [_mm512_loadu_pd(x), _mm512_loadu_pd(x.add(8))] }
    load_i64(x: *const i64) -> [__m512i; 2] { [_mm512_loadu_epi64(x), _mm512_loadu_epi64(x.add(8))] }
    load_u16(x: *const u16) -> __m512i { _mm512_cvtepu16_epi32(_mm256_loadu_si256(x.cast())) }
    load_mask(x: *const bool) -> Mask {
        let bytes = _mm_loadu_si128(x.cast());
        narrow(_mm_test_epi8_mask(bytes, bytes))
    }
    store_f64(out: *mut f64, v: [__m512d; 2]) {
        _mm512_storeu_pd(out, v[0]);
        _mm512_storeu_pd(out.add(8), v[1]);
    }
    store_i64(out: *mut i64, v: [__m512i; 2]) {
        _mm512_storeu_epi64(out, v[0]);
        _mm512_storeu_epi64(out.add(8), v[1]);
    }
    store_u16(out: *mut u16, v: __m512i) { _mm256_storeu_si256(out.cast(), _mm512_cvtepi32_epi16(v)) }
    // The bytes stored are 0 and 1.
    store_mask(out: *mut bool, m: Mask) { _mm_storeu_si128(out.cast(), _mm_maskz_set1_epi8(mask_bits(m), 1)) }
}
