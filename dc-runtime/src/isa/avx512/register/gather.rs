//! Table look-ups. The index is brought into the table first, so the hardware gather reads only entries.

use core::arch::x86_64::*;

use super::avx512;

/// Whether 32-bit indices reach every entry of a table of `len` entries.
#[inline(always)]
fn fits_i32(len: usize) -> bool {
    len <= 1 << 31
}

avx512! {
    /// Wrapped for a power of two, otherwise clamped as signed; `len` is at least 1.
    fn index64(i: __m512i, len: usize) -> __m512i {
        let last = _mm512_set1_epi64(len as i64 - 1);
        if len.is_power_of_two() {
            return _mm512_and_si512(i, last);
        }
        _mm512_min_epi64(_mm512_max_epi64(i, _mm512_setzero_si512()), last)
    }
    /// The same for 32-bit indices and at most 2³¹ entries.
    fn index32(i: __m256i, len: usize) -> __m256i {
        let last = _mm256_set1_epi32((len - 1) as i32);
        if len.is_power_of_two() {
            return _mm256_and_si256(i, last);
        }
        _mm256_min_epi32(_mm256_max_epi32(i, _mm256_setzero_si256()), last)
    }
}

/// A gather by 64-bit and one by 32-bit indices. The intrinsics differ in the order of their operands and in the
/// pointer they take, hence the closures.
macro_rules! gather {
    ($x:ty, $r:ty, $name:ident = |$p:ident, $i:ident| $by64:expr, $name32:ident = $by32:expr) => {
        #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
        #[inline]
        pub(in crate::isa::avx512) fn $name(t: &[$x], i: __m512i) -> $r {
            assert!(!t.is_empty());
            let ($p, $i) = (t.as_ptr().cast(), index64(i, t.len()));
            // SAFETY: every lane of the index is an index of `t`.
            unsafe { $by64 }
        }
        #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
        #[inline]
        pub(in crate::isa::avx512) fn $name32(t: &[$x], i: __m256i) -> $r {
            if !fits_i32(t.len()) {
                return $name(t, _mm512_cvtepi32_epi64(i));
            }
            assert!(!t.is_empty());
            let ($p, $i) = (t.as_ptr().cast(), index32(i, t.len()));
            // SAFETY: every lane of the index is an index of `t`.
            unsafe { $by32 }
        }
    };
}

gather!(
    f64,
    __m512d,
    gather_f64 = |p, i| _mm512_i64gather_pd::<8>(i, p),
    gather32_f64 = _mm512_i32gather_pd::<8>(i, p)
);
gather!(
    f32,
    __m256,
    gather_f32 = |p, i| _mm512_i64gather_ps::<4>(i, p),
    gather32_f32 = _mm256_i32gather_ps::<4>(p, i)
);
gather!(
    i64,
    __m512i,
    gather_i64 = |p, i| _mm512_i64gather_epi64::<8>(i, p),
    gather32_i64 = _mm512_i32gather_epi64::<8>(i, p)
);
gather!(
    i32,
    __m256i,
    gather_i32 = |p, i| _mm512_i64gather_epi32::<4>(i, p),
    gather32_i32 = _mm256_i32gather_epi32::<4>(p, i)
);
