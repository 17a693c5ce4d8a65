//! Table look-ups. The index is first brought into the range of the table, so the hardware gather reads only entries;
//! tables that fit registers are looked up there ([`super::table`]).

use core::arch::x86_64::*;
use core::convert::identity;

use super::table::{MOST_32, MOST_64, ROW_32, ROW_64, look_up_32, look_up_64};
use super::{avx512, i32_to_i64, i64_to_i32, join_f32, join_i32};
use crate::isa::table::{bits_f32, bits_f64, fits_i32, wraps};

avx512! {
    /// The index is wrapped if the length is a power of two, otherwise clamped as a signed number; `len` is at least 1.
    fn index64(i: __m512i, len: usize) -> __m512i {
        let last = _mm512_set1_epi64(len as i64 - 1);
        if len.is_power_of_two() {
            return _mm512_and_si512(i, last);
        }
        _mm512_min_epi64(_mm512_max_epi64(i, _mm512_setzero_si512()), last)
    }
    /// The same for 32-bit indices and at most 2³¹ entries.
    fn index32(i: __m512i, len: usize) -> __m512i {
        let last = _mm512_set1_epi32((len - 1) as i32);
        if len.is_power_of_two() {
            return _mm512_and_si512(i, last);
        }
        _mm512_min_epi32(_mm512_max_epi32(i, _mm512_setzero_si512()), last)
    }

    /// Indices in the form that `look_up_64` takes, for at most `MOST_64` entries.
    fn place64(i: [__m512i; 2], len: usize) -> [__m512i; 2] {
        if wraps(len, ROW_64) { i } else { [index64(i[0], len), index64(i[1], len)] }
    }
    /// The same from 32-bit indices.
    fn place64_by32(i: __m512i, len: usize) -> [__m512i; 2] {
        i32_to_i64(if wraps(len, ROW_64) { i } else { index32(i, len) })
    }
    /// Indices in the form that `look_up_32` takes, for at most `MOST_32` entries.
    fn place32(i: __m512i, len: usize) -> __m512i { if wraps(len, ROW_32) { i } else { index32(i, len) } }
    /// The same from 64-bit indices, which are wrapped by their lower halves alone but clamped in full.
    fn place32_by64(i: [__m512i; 2], len: usize) -> __m512i {
        if len.is_power_of_two() {
            return place32(i64_to_i32(i), len);
        }
        i64_to_i32([index64(i[0], len), index64(i[1], len)])
    }
}

/// Look-ups of 64-bit entries, by 64-bit and by 32-bit indices. The parameters are the function for the entries' bits,
/// that for a register of bits as one of entries, and the gathers.
macro_rules! gather_wide {
    ($x:ty, $r:ty, $bits:path, $of:path, $name:ident = $by64:path, $name32:ident = $by32:path) => {
        #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
        #[inline]
        pub(in crate::isa::avx512) fn $name(t: &[$x], i: [__m512i; 2]) -> [$r; 2] {
            assert!(!t.is_empty());
            if t.len() <= MOST_64 {
                let i = place64(i, t.len());
                return [
                    $of(look_up_64($bits(t), i[0])),
                    $of(look_up_64($bits(t), i[1])),
                ];
            }
            let i = [index64(i[0], t.len()), index64(i[1], t.len())];
            let t = t.as_ptr().cast();
            // SAFETY: every lane of `i` is an index of the table.
            unsafe { [$by64(i[0], t), $by64(i[1], t)] }
        }
        #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
        #[inline]
        pub(in crate::isa::avx512) fn $name32(t: &[$x], i: __m512i) -> [$r; 2] {
            if !fits_i32(t.len()) {
                return $name(t, i32_to_i64(i));
            }
            assert!(!t.is_empty());
            if t.len() <= MOST_64 {
                let i = place64_by32(i, t.len());
                return [
                    $of(look_up_64($bits(t), i[0])),
                    $of(look_up_64($bits(t), i[1])),
                ];
            }
            let i = index32(i, t.len());
            let (low, high) = (_mm512_castsi512_si256(i), _mm512_extracti64x4_epi64::<1>(i));
            let t = t.as_ptr().cast();
            // SAFETY: every lane of `i` is an index of the table.
            unsafe { [$by32(low, t), $by32(high, t)] }
        }
    };
}

/// Look-ups of 32-bit entries; 64-bit indices gather half a register at a time.
macro_rules! gather_narrow {
    ($x:ty, $r:ty, $bits:path, $of:path, $join:path, $name:ident = $by64:path, $name32:ident = $by32:path) => {
        #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
        #[inline]
        pub(in crate::isa::avx512) fn $name(t: &[$x], i: [__m512i; 2]) -> $r {
            assert!(!t.is_empty());
            if t.len() <= MOST_32 {
                return $of(look_up_32($bits(t), place32_by64(i, t.len())));
            }
            let i = [index64(i[0], t.len()), index64(i[1], t.len())];
            let t = t.as_ptr().cast();
            // SAFETY: every lane of `i` is an index of the table.
            unsafe { $join($by64(i[0], t), $by64(i[1], t)) }
        }
        #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
        #[inline]
        pub(in crate::isa::avx512) fn $name32(t: &[$x], i: __m512i) -> $r {
            if !fits_i32(t.len()) {
                return $name(t, i32_to_i64(i));
            }
            assert!(!t.is_empty());
            if t.len() <= MOST_32 {
                return $of(look_up_32($bits(t), place32(i, t.len())));
            }
            let i = index32(i, t.len());
            // SAFETY: every lane of `i` is an index of the table.
            unsafe { $by32(i, t.as_ptr().cast()) }
        }
    };
}

gather_wide!(
    f64,
    __m512d,
    bits_f64,
    _mm512_castsi512_pd,
    gather_f64 = _mm512_i64gather_pd::<8>,
    gather32_f64 = _mm512_i32gather_pd::<8>
);
gather_narrow!(
    f32,
    __m512,
    bits_f32,
    _mm512_castsi512_ps,
    join_f32,
    gather_f32 = _mm512_i64gather_ps::<4>,
    gather32_f32 = _mm512_i32gather_ps::<4>
);
gather_wide!(
    i64,
    __m512i,
    identity,
    identity,
    gather_i64 = _mm512_i64gather_epi64::<8>,
    gather32_i64 = _mm512_i32gather_epi64::<8>
);
gather_narrow!(
    i32,
    __m512i,
    identity,
    identity,
    join_i32,
    gather_i32 = _mm512_i64gather_epi32::<4>,
    gather32_i32 = _mm512_i32gather_epi32::<4>
);
