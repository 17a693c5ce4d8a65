//! Table look-ups. The index is first wrapped or clamped to the range of the table, so only entries are read. Tables that
//! fit registers are looked up there ([`super::table`]).

use core::arch::x86_64::*;
use core::convert::identity;

use super::table::{MOST_32, MOST_64, ROW_32, ROW_64, look_up_32, look_up_64};
use super::{avx2, i32_to_i64, i64_to_i32};
use crate::isa::table::{bits_f32, bits_f64, fits_i32, wraps};

avx2! {
    /// The index is wrapped if the length is a power of two, otherwise clamped as a signed number; `len` is at least 1.
    fn index64(i: __m256i, len: usize) -> __m256i {
        let last = _mm256_set1_epi64x(len as i64 - 1);
        if len.is_power_of_two() {
            return _mm256_and_si256(i, last);
        }
        let i = _mm256_andnot_si256(_mm256_cmpgt_epi64(_mm256_setzero_si256(), i), i);
        _mm256_blendv_epi8(i, last, _mm256_cmpgt_epi64(i, last))
    }
    /// The same for 32-bit indices and at most 2³¹ entries.
    fn index32(i: __m256i, len: usize) -> __m256i {
        let last = _mm256_set1_epi32((len - 1) as i32);
        if len.is_power_of_two() {
            return _mm256_and_si256(i, last);
        }
        _mm256_min_epi32(_mm256_max_epi32(i, _mm256_setzero_si256()), last)
    }

    /// Indices in the form that `look_up_64` takes, for at most `MOST_64` entries.
    fn place64(i: [__m256i; 2], len: usize) -> [__m256i; 2] {
        if wraps(len, ROW_64) { i } else { [index64(i[0], len), index64(i[1], len)] }
    }
    /// The same from 32-bit indices.
    fn place64_by32(i: __m256i, len: usize) -> [__m256i; 2] {
        i32_to_i64(if wraps(len, ROW_64) { i } else { index32(i, len) })
    }
    /// Indices in the form that `look_up_32` takes, for at most `MOST_32` entries.
    fn place32(i: __m256i, len: usize) -> __m256i { if wraps(len, ROW_32) { i } else { index32(i, len) } }
    /// The same from 64-bit indices, which are wrapped by their lower halves alone but clamped in full.
    fn place32_by64(i: [__m256i; 2], len: usize) -> __m256i {
        if len.is_power_of_two() {
            return place32(i64_to_i32(i), len);
        }
        i64_to_i32([index64(i[0], len), index64(i[1], len)])
    }
}

/// The index, if all lanes have the same: one load instead of one per lane. A search's inputs are neighbours, and tables are indexed by
/// leading bits, so nearly all its look-ups are of this kind.
#[target_feature(enable = "avx2,fma,f16c")]
#[inline]
fn common64(i: [__m256i; 2]) -> Option<usize> {
    let first = _mm256_castsi256_si128(i[0]);
    let all = _mm256_broadcastq_epi64(first);
    let differ = _mm256_or_si256(_mm256_xor_si256(i[0], all), _mm256_xor_si256(i[1], all));
    (_mm256_testz_si256(differ, differ) == 1).then_some(_mm_cvtsi128_si64(first) as usize)
}

/// The same for 32-bit indices.
#[target_feature(enable = "avx2,fma,f16c")]
#[inline]
fn common32(i: __m256i) -> Option<usize> {
    let first = _mm256_castsi256_si128(i);
    let differ = _mm256_xor_si256(i, _mm256_broadcastd_epi32(first));
    (_mm256_testz_si256(differ, differ) == 1).then_some(_mm_cvtsi128_si32(first) as usize)
}

/// The four numbers of a register. They are written out, here and below: with closures and `map` on arrays, the numbers stayed in memory
/// and a look-up took three times as long.
#[target_feature(enable = "avx2,fma,f16c")]
#[inline]
fn numbers(i: __m256i) -> [usize; 4] {
    let (low, high) = (_mm256_castsi256_si128(i), _mm256_extracti128_si256::<1>(i));
    [
        _mm_cvtsi128_si64(low) as usize,
        _mm_extract_epi64::<1>(low) as usize,
        _mm_cvtsi128_si64(high) as usize,
        _mm_extract_epi64::<1>(high) as usize,
    ]
}

/// The four 32-bit numbers of half a register, none of them negative.
#[target_feature(enable = "avx2,fma,f16c")]
#[inline]
fn narrow_numbers(i: __m128i) -> [usize; 4] {
    let a = _mm_cvtsi128_si64(i) as usize;
    let b = _mm_extract_epi64::<1>(i) as usize;
    [a & 0xffff_ffff, a >> 32, b & 0xffff_ffff, b >> 32]
}

/// Entries at four indices, each loaded separately. On Zen 3 this takes half as long as `vgatherqpd`.
///
/// # Safety
///
/// The indices are those of entries of the table at `t`.
#[target_feature(enable = "avx2,fma,f16c")]
#[inline]
unsafe fn load_wide(t: *const i64, i: [usize; 4]) -> __m256i {
    let t = t.cast::<f64>();
    // SAFETY: guaranteed by the caller.
    let [low, high] = unsafe {
        [
            _mm_loadh_pd(_mm_load_sd(t.add(i[0])), t.add(i[1])),
            _mm_loadh_pd(_mm_load_sd(t.add(i[2])), t.add(i[3])),
        ]
    };
    _mm256_castpd_si256(_mm256_set_m128d(high, low))
}

/// Entries of 32 bits at four indices. On Zen 3 this takes half as long as a gather.
///
/// # Safety
///
/// As for `load_wide`.
#[target_feature(enable = "avx2,fma,f16c")]
#[inline]
unsafe fn load_narrow(t: *const i32, i: [usize; 4]) -> __m128i {
    // SAFETY: guaranteed by the caller.
    unsafe { _mm_setr_epi32(*t.add(i[0]), *t.add(i[1]), *t.add(i[2]), *t.add(i[3])) }
}

/// Look-ups of 64-bit entries, by 64-bit and by 32-bit indices. The parameters are the function for the bits of entries, and the function
/// that turns a register of bits into one of entries.
macro_rules! look_up_wide {
    ($x:ty, $r:ty, $bits:path, $of:path, $name:ident, $name32:ident) => {
        #[target_feature(enable = "avx2,fma,f16c")]
        #[inline]
        pub(in crate::isa::avx2) fn $name(t: &[$x], i: [__m256i; 2]) -> [$r; 2] {
            assert!(!t.is_empty());
            let t = $bits(t);
            if t.len() <= MOST_64 {
                let i = place64(i, t.len());
                return [$of(look_up_64(t, i[0])), $of(look_up_64(t, i[1]))];
            }
            let i = [index64(i[0], t.len()), index64(i[1], t.len())];
            if let Some(k) = common64(i) {
                // SAFETY: every lane of `i` is an index of `t`.
                return [$of(_mm256_set1_epi64x(unsafe { *t.get_unchecked(k) })); 2];
            }
            // SAFETY: every lane of `i` is an index of `t`.
            unsafe {
                [
                    $of(load_wide(t.as_ptr(), numbers(i[0]))),
                    $of(load_wide(t.as_ptr(), numbers(i[1]))),
                ]
            }
        }
        #[target_feature(enable = "avx2,fma,f16c")]
        #[inline]
        pub(in crate::isa::avx2) fn $name32(t: &[$x], i: __m256i) -> [$r; 2] {
            if !fits_i32(t.len()) {
                return $name(t, i32_to_i64(i));
            }
            assert!(!t.is_empty());
            let t = $bits(t);
            if t.len() <= MOST_64 {
                let i = place64_by32(i, t.len());
                return [$of(look_up_64(t, i[0])), $of(look_up_64(t, i[1]))];
            }
            let i = index32(i, t.len());
            if let Some(k) = common32(i) {
                // SAFETY: every lane of `i` is an index of `t`.
                return [$of(_mm256_set1_epi64x(unsafe { *t.get_unchecked(k) })); 2];
            }
            let (low, high) = (_mm256_castsi256_si128(i), _mm256_extracti128_si256::<1>(i));
            // SAFETY: every lane of `i` is an index of `t`.
            unsafe {
                [
                    $of(load_wide(t.as_ptr(), narrow_numbers(low))),
                    $of(load_wide(t.as_ptr(), narrow_numbers(high))),
                ]
            }
        }
    };
}

/// The same for 32-bit entries.
macro_rules! look_up_narrow {
    ($x:ty, $r:ty, $bits:path, $of:path, $name:ident, $name32:ident) => {
        #[target_feature(enable = "avx2,fma,f16c")]
        #[inline]
        pub(in crate::isa::avx2) fn $name(t: &[$x], i: [__m256i; 2]) -> $r {
            assert!(!t.is_empty());
            let t = $bits(t);
            if t.len() <= MOST_32 {
                return $of(look_up_32(t, place32_by64(i, t.len())));
            }
            let i = [index64(i[0], t.len()), index64(i[1], t.len())];
            if let Some(k) = common64(i) {
                // SAFETY: every lane of `i` is an index of `t`.
                return $of(_mm256_set1_epi32(unsafe { *t.get_unchecked(k) }));
            }
            // SAFETY: every lane of `i` is an index of `t`.
            let (low, high) = unsafe {
                (
                    load_narrow(t.as_ptr(), numbers(i[0])),
                    load_narrow(t.as_ptr(), numbers(i[1])),
                )
            };
            $of(_mm256_set_m128i(high, low))
        }
        #[target_feature(enable = "avx2,fma,f16c")]
        #[inline]
        pub(in crate::isa::avx2) fn $name32(t: &[$x], i: __m256i) -> $r {
            if !fits_i32(t.len()) {
                return $name(t, i32_to_i64(i));
            }
            assert!(!t.is_empty());
            let t = $bits(t);
            if t.len() <= MOST_32 {
                return $of(look_up_32(t, place32(i, t.len())));
            }
            let i = index32(i, t.len());
            if let Some(k) = common32(i) {
                // SAFETY: every lane of `i` is an index of `t`.
                return $of(_mm256_set1_epi32(unsafe { *t.get_unchecked(k) }));
            }
            let (low, high) = (_mm256_castsi256_si128(i), _mm256_extracti128_si256::<1>(i));
            // SAFETY: every lane of `i` is an index of `t`.
            let (low, high) = unsafe {
                (
                    load_narrow(t.as_ptr(), narrow_numbers(low)),
                    load_narrow(t.as_ptr(), narrow_numbers(high)),
                )
            };
            $of(_mm256_set_m128i(high, low))
        }
    };
}

look_up_wide!(
    f64,
    __m256d,
    bits_f64,
    _mm256_castsi256_pd,
    gather_f64,
    gather32_f64
);
look_up_narrow!(
    f32,
    __m256,
    bits_f32,
    _mm256_castsi256_ps,
    gather_f32,
    gather32_f32
);
look_up_wide!(i64, __m256i, identity, identity, gather_i64, gather32_i64);
look_up_narrow!(i32, __m256i, identity, identity, gather_i32, gather32_i32);
