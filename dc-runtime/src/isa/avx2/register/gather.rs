//! Table look-ups. The index is brought into the table first, so the hardware gather reads only entries.

use core::arch::x86_64::*;

use super::avx2;

/// Whether 32-bit indices reach every entry of a table of `len` entries.
#[inline(always)]
fn fits_i32(len: usize) -> bool {
    len <= 1 << 31
}

avx2! {
    /// Wrapped for a power of two, otherwise clamped as signed; `len` is at least 1.
    fn index64(i: __m256i, len: usize) -> __m256i {
        let last = _mm256_set1_epi64x(len as i64 - 1);
        if len.is_power_of_two() {
            return _mm256_and_si256(i, last);
        }
        let i = _mm256_andnot_si256(_mm256_cmpgt_epi64(_mm256_setzero_si256(), i), i);
        _mm256_blendv_epi8(i, last, _mm256_cmpgt_epi64(i, last))
    }
    /// The same for 32-bit indices and at most 2³¹ entries.
    fn index32(i: __m128i, len: usize) -> __m128i {
        let last = _mm_set1_epi32((len - 1) as i32);
        if len.is_power_of_two() {
            return _mm_and_si128(i, last);
        }
        _mm_min_epi32(_mm_max_epi32(i, _mm_setzero_si128()), last)
    }
}

/// A gather by 64-bit and one by 32-bit indices.
macro_rules! gather {
    ($x:ty, $r:ty, $pointer:ty, $name:ident = $by64:path, $name32:ident = $by32:path) => {
        #[target_feature(enable = "avx2,fma")]
        #[inline]
        pub(in crate::isa::avx2) fn $name(t: &[$x], i: __m256i) -> $r {
            assert!(!t.is_empty());
            let i = index64(i, t.len());
            // SAFETY: every lane of `i` is an index of `t`.
            unsafe { $by64(t.as_ptr().cast::<$pointer>(), i) }
        }
        #[target_feature(enable = "avx2,fma")]
        #[inline]
        pub(in crate::isa::avx2) fn $name32(t: &[$x], i: __m128i) -> $r {
            if !fits_i32(t.len()) {
                return $name(t, _mm256_cvtepi32_epi64(i));
            }
            assert!(!t.is_empty());
            let i = index32(i, t.len());
            // SAFETY: every lane of `i` is an index of `t`.
            unsafe { $by32(t.as_ptr().cast::<$pointer>(), i) }
        }
    };
}

gather!(
    f64,
    __m256d,
    f64,
    gather_f64 = _mm256_i64gather_pd::<8>,
    gather32_f64 = _mm256_i32gather_pd::<8>
);
gather!(
    f32,
    __m128,
    f32,
    gather_f32 = _mm256_i64gather_ps::<4>,
    gather32_f32 = _mm_i32gather_ps::<4>
);
gather!(
    i64,
    __m256i,
    i64,
    gather_i64 = _mm256_i64gather_epi64::<8>,
    gather32_i64 = _mm256_i32gather_epi64::<8>
);
gather!(
    i32,
    __m128i,
    i32,
    gather_i32 = _mm256_i64gather_epi32::<4>,
    gather32_i32 = _mm_i32gather_epi32::<4>
);
