//! Operations for which AVX2 has no instruction, on one register or, if 32-bit and 64-bit lanes are combined, on a unit.
//!
//! All functions are compiled with AVX2, FMA and F16C. They are called only from functions with the same features, or with a token.

mod convert;
mod gather;
mod mask;
mod table;

use core::arch::x86_64::*;

pub(super) use self::convert::*;
pub(super) use self::gather::*;
pub(super) use self::mask::*;

/// Declares functions compiled with the features.
macro_rules! avx2 {
    ($($(#[$doc:meta])* fn $name:ident($($a:ident: $t:ty),*) -> $r:ty $body:block)+) => {$(
        $(#[$doc])*
        #[target_feature(enable = "avx2,fma,f16c")]
        #[inline]
        pub(in crate::isa::avx2) fn $name($($a: $t),*) -> $r $body
    )+};
}
use avx2;

avx2! {
    fn iota_i64(start: i64) -> [__m256i; 2] {
        let start = _mm256_set1_epi64x(start);
        [
            _mm256_add_epi64(start, _mm256_setr_epi64x(0, 1, 2, 3)),
            _mm256_add_epi64(start, _mm256_setr_epi64x(4, 5, 6, 7)),
        ]
    }
    fn iota_i32(start: i32) -> __m256i {
        _mm256_add_epi32(_mm256_set1_epi32(start), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))
    }

    fn sign_f64() -> __m256d { _mm256_set1_pd(-0.0) }
    fn neg_f64(a: __m256d) -> __m256d { _mm256_xor_pd(a, sign_f64()) }
    fn abs_f64(a: __m256d) -> __m256d { _mm256_andnot_pd(sign_f64(), a) }
    fn copysign_f64(a: __m256d, b: __m256d) -> __m256d {
        _mm256_or_pd(_mm256_andnot_pd(sign_f64(), a), _mm256_and_pd(sign_f64(), b))
    }
    fn trunc_f64(a: __m256d) -> __m256d { _mm256_round_pd::<{ _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC }>(a) }
    fn round_ties_even_f64(a: __m256d) -> __m256d {
        _mm256_round_pd::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(a)
    }
    /// The same comparison as in `is_nan`, so that a value that needs both is compared once.
    fn canonical_f64(a: __m256d) -> __m256d {
        let nan = _mm256_castsi256_pd(_mm256_set1_epi64x(0x7ff8_0000_0000_0000));
        _mm256_blendv_pd(a, nan, _mm256_cmp_pd::<_CMP_NEQ_UQ>(a, a))
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
    fn canonical_f32(a: __m256) -> __m256 {
        let nan = _mm256_castsi256_ps(_mm256_set1_epi32(0x7fc0_0000));
        _mm256_blendv_ps(a, nan, _mm256_cmp_ps::<_CMP_NEQ_UQ>(a, a))
    }

    /// With `a = ah·2³² + al` and `b` likewise: `al·bl + (ah·bl + al·bh)·2³²` modulo 2⁶⁴.
    fn mul_i64(a: __m256i, b: __m256i) -> __m256i {
        let cross = _mm256_add_epi64(
            _mm256_mul_epu32(_mm256_srli_epi64::<32>(a), b),
            _mm256_mul_epu32(a, _mm256_srli_epi64::<32>(b)),
        );
        _mm256_add_epi64(_mm256_mul_epu32(a, b), _mm256_slli_epi64::<32>(cross))
    }
    fn amount_i64(n: __m256i) -> __m256i { _mm256_and_si256(n, _mm256_set1_epi64x(63)) }
    fn shl_i64(a: __m256i, n: __m256i) -> __m256i { _mm256_sllv_epi64(a, amount_i64(n)) }
    fn shr_logical_i64(a: __m256i, n: __m256i) -> __m256i { _mm256_srlv_epi64(a, amount_i64(n)) }
    /// A logical shift; then the shifted sign bit `s` is extended upwards: `(x ^ s) − s`.
    fn shr_i64(a: __m256i, n: __m256i) -> __m256i {
        let n = amount_i64(n);
        let sign = _mm256_srlv_epi64(_mm256_set1_epi64x(i64::MIN), n);
        _mm256_sub_epi64(_mm256_xor_si256(_mm256_srlv_epi64(a, n), sign), sign)
    }

    fn amount_i32(n: __m256i) -> __m256i { _mm256_and_si256(n, _mm256_set1_epi32(31)) }
    fn shl_i32(a: __m256i, n: __m256i) -> __m256i { _mm256_sllv_epi32(a, amount_i32(n)) }
    fn shr_i32(a: __m256i, n: __m256i) -> __m256i { _mm256_srav_epi32(a, amount_i32(n)) }
    fn shr_logical_i32(a: __m256i, n: __m256i) -> __m256i { _mm256_srlv_epi32(a, amount_i32(n)) }
}

/// Declares functions that read or write eight elements at a pointer.
macro_rules! memory {
    ($($name:ident($($a:ident: $t:ty),*) $(-> $r:ty)? $body:block)+) => {$(
        /// # Safety
        ///
        /// The processor has AVX2, FMA and F16C; the pointer is to eight elements.
        #[target_feature(enable = "avx2,fma,f16c")]
        #[inline]
        pub(super) unsafe fn $name($($a: $t),*) $(-> $r)? {
            // SAFETY: guaranteed by the caller.
            unsafe { $body }
        }
    )+};
}

memory! {
    load_f64(x: *const f64) -> [__m256d; 2] { [_mm256_loadu_pd(x), _mm256_loadu_pd(x.add(4))] }
    load_i64(x: *const i64) -> [__m256i; 2] { [_mm256_loadu_si256(x.cast()), _mm256_loadu_si256(x.add(4).cast())] }
    load_i32(x: *const i32) -> __m256i { _mm256_loadu_si256(x.cast()) }
    load_u16(x: *const u16) -> __m256i { _mm256_cvtepu16_epi32(_mm_loadu_si128(x.cast())) }
    load_mask(x: *const bool) -> Mask {
        let bytes = _mm_loadl_epi64(x.cast());
        narrow(_mm256_sub_epi32(_mm256_setzero_si256(), _mm256_cvtepu8_epi32(bytes)))
    }
    store_f64(out: *mut f64, v: [__m256d; 2]) {
        _mm256_storeu_pd(out, v[0]);
        _mm256_storeu_pd(out.add(4), v[1]);
    }
    store_i64(out: *mut i64, v: [__m256i; 2]) {
        _mm256_storeu_si256(out.cast(), v[0]);
        _mm256_storeu_si256(out.add(4).cast(), v[1]);
    }
    store_i32(out: *mut i32, v: __m256i) { _mm256_storeu_si256(out.cast(), v) }
    store_u16(out: *mut u16, v: __m256i) { _mm_storeu_si128(out.cast(), i32_to_i16(v)) }
    store_mask(out: *mut bool, m: Mask) {
        let bits = mask_bits(m);
        out.cast::<[bool; 8]>().write(core::array::from_fn(|lane| bits >> lane & 1 != 0))
    }
}
