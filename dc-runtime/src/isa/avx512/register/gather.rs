//! Table look-ups. The index is first wrapped or clamped to the range of the table, so only entries are read. Tables that
//! fit registers are looked up there ([`super::table`]).
//!
//! For longer tables, each entry is loaded separately. With gathers, which AMD's processors execute as microcode, searches took up to 1.9 times as
//! long on Zen 5 (docs/book/src/contribute/log/performance.md, *Tables*). Intel's processors from Skylake to Tiger Lake gather slowly since the
//! microcode update against gather data sampling.

use core::arch::x86_64::*;
use core::convert::identity;

use super::table::{MOST_32, MOST_64, ROW_32, ROW_64, look_up_32, look_up_64};
use super::{avx512, i32_to_i64, i64_to_i32};
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

/// The index, if all lanes have the same: one load instead of one per lane. A search's inputs are neighbours, and tables are indexed by
/// leading bits, so nearly all its look-ups are of this kind.
#[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
#[inline]
fn common64(i: [__m512i; 2]) -> Option<usize> {
    let first = _mm_cvtsi128_si64(_mm512_castsi512_si128(i[0]));
    let all = _mm512_set1_epi64(first);
    let differ = _mm512_or_si512(_mm512_xor_si512(i[0], all), _mm512_xor_si512(i[1], all));
    (_mm512_test_epi64_mask(differ, differ) == 0).then_some(first as usize)
}

/// The same for 32-bit indices.
#[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
#[inline]
fn common32(i: __m512i) -> Option<usize> {
    let first = _mm_cvtsi128_si32(_mm512_castsi512_si128(i));
    (_mm512_cmpneq_epi32_mask(i, _mm512_set1_epi32(first)) == 0).then_some(first as usize)
}

/// The eight indices of a register, into a table of `len` entries. Indices below 2³¹ are moved to the integer registers two at a time; a
/// processor can move one or two per cycle. They are written out, here and below: with closures and `map` on arrays, the numbers stay in
/// memory.
#[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
#[inline]
fn numbers(i: __m512i, len: usize) -> [usize; 8] {
    if fits_i32(len) {
        return narrow_numbers(_mm512_cvtepi64_epi32(i));
    }
    let (a, b) = (_mm512_castsi512_si128(i), _mm512_extracti64x2_epi64::<1>(i));
    let (c, d) = (
        _mm512_extracti64x2_epi64::<2>(i),
        _mm512_extracti64x2_epi64::<3>(i),
    );
    [
        _mm_cvtsi128_si64(a) as usize,
        _mm_extract_epi64::<1>(a) as usize,
        _mm_cvtsi128_si64(b) as usize,
        _mm_extract_epi64::<1>(b) as usize,
        _mm_cvtsi128_si64(c) as usize,
        _mm_extract_epi64::<1>(c) as usize,
        _mm_cvtsi128_si64(d) as usize,
        _mm_extract_epi64::<1>(d) as usize,
    ]
}

/// The eight 32-bit numbers of half a register, none of them negative.
#[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
#[inline]
fn narrow_numbers(i: __m256i) -> [usize; 8] {
    let (low, high) = (_mm256_castsi256_si128(i), _mm256_extracti128_si256::<1>(i));
    let a = _mm_cvtsi128_si64(low) as usize;
    let b = _mm_extract_epi64::<1>(low) as usize;
    let c = _mm_cvtsi128_si64(high) as usize;
    let d = _mm_extract_epi64::<1>(high) as usize;
    let low = 0xffff_ffff;
    [
        a & low,
        a >> 32,
        b & low,
        b >> 32,
        c & low,
        c >> 32,
        d & low,
        d >> 32,
    ]
}

/// Entries at eight indices, each loaded separately.
///
/// # Safety
///
/// The indices are those of entries of the table at `t`.
#[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
#[inline]
unsafe fn load_wide(t: *const i64, i: [usize; 8]) -> __m512i {
    let t = t.cast::<f64>();
    // SAFETY: guaranteed by the caller.
    let [a, b, c, d] = unsafe {
        [
            _mm_loadh_pd(_mm_load_sd(t.add(i[0])), t.add(i[1])),
            _mm_loadh_pd(_mm_load_sd(t.add(i[2])), t.add(i[3])),
            _mm_loadh_pd(_mm_load_sd(t.add(i[4])), t.add(i[5])),
            _mm_loadh_pd(_mm_load_sd(t.add(i[6])), t.add(i[7])),
        ]
    };
    let low = _mm512_castpd256_pd512(_mm256_set_m128d(b, a));
    _mm512_castpd_si512(_mm512_insertf64x4::<1>(low, _mm256_set_m128d(d, c)))
}

/// Entries of 32 bits at eight indices.
///
/// # Safety
///
/// As for `load_wide`.
#[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
#[inline]
unsafe fn load_narrow(t: *const i32, i: [usize; 8]) -> __m256i {
    // SAFETY: guaranteed by the caller.
    unsafe {
        _mm256_setr_epi32(
            *t.add(i[0]),
            *t.add(i[1]),
            *t.add(i[2]),
            *t.add(i[3]),
            *t.add(i[4]),
            *t.add(i[5]),
            *t.add(i[6]),
            *t.add(i[7]),
        )
    }
}

/// Two halves of a register.
#[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
#[inline]
fn join(low: __m256i, high: __m256i) -> __m512i {
    _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
}

/// Look-ups of 64-bit entries, by 64-bit and by 32-bit indices. The parameters are the function for the bits of entries, and the function
/// that turns a register of bits into one of entries.
macro_rules! look_up_wide {
    ($x:ty, $r:ty, $bits:path, $of:path, $name:ident, $name32:ident) => {
        #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
        #[inline]
        pub(in crate::isa::avx512) fn $name(t: &[$x], i: [__m512i; 2]) -> [$r; 2] {
            assert!(!t.is_empty());
            let t = $bits(t);
            if t.len() <= MOST_64 {
                let i = place64(i, t.len());
                return [$of(look_up_64(t, i[0])), $of(look_up_64(t, i[1]))];
            }
            let i = [index64(i[0], t.len()), index64(i[1], t.len())];
            if let Some(k) = common64(i) {
                // SAFETY: every lane of `i` is an index of `t`.
                return [$of(_mm512_set1_epi64(unsafe { *t.get_unchecked(k) })); 2];
            }
            // SAFETY: every lane of `i` is an index of `t`.
            unsafe {
                [
                    $of(load_wide(t.as_ptr(), numbers(i[0], t.len()))),
                    $of(load_wide(t.as_ptr(), numbers(i[1], t.len()))),
                ]
            }
        }
        #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
        #[inline]
        pub(in crate::isa::avx512) fn $name32(t: &[$x], i: __m512i) -> [$r; 2] {
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
                return [$of(_mm512_set1_epi64(unsafe { *t.get_unchecked(k) })); 2];
            }
            let (low, high) = (_mm512_castsi512_si256(i), _mm512_extracti64x4_epi64::<1>(i));
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
        #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
        #[inline]
        pub(in crate::isa::avx512) fn $name(t: &[$x], i: [__m512i; 2]) -> $r {
            assert!(!t.is_empty());
            let t = $bits(t);
            if t.len() <= MOST_32 {
                return $of(look_up_32(t, place32_by64(i, t.len())));
            }
            let i = [index64(i[0], t.len()), index64(i[1], t.len())];
            if let Some(k) = common64(i) {
                // SAFETY: every lane of `i` is an index of `t`.
                return $of(_mm512_set1_epi32(unsafe { *t.get_unchecked(k) }));
            }
            let p = t.as_ptr();
            // SAFETY: every lane of `i` is an index of `t`.
            $of(unsafe {
                join(
                    load_narrow(p, numbers(i[0], t.len())),
                    load_narrow(p, numbers(i[1], t.len())),
                )
            })
        }
        #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
        #[inline]
        pub(in crate::isa::avx512) fn $name32(t: &[$x], i: __m512i) -> $r {
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
                return $of(_mm512_set1_epi32(unsafe { *t.get_unchecked(k) }));
            }
            let (low, high) = (_mm512_castsi512_si256(i), _mm512_extracti64x4_epi64::<1>(i));
            let p = t.as_ptr();
            // SAFETY: every lane of `i` is an index of `t`.
            $of(unsafe {
                join(
                    load_narrow(p, narrow_numbers(low)),
                    load_narrow(p, narrow_numbers(high)),
                )
            })
        }
    };
}

look_up_wide!(
    f64,
    __m512d,
    bits_f64,
    _mm512_castsi512_pd,
    gather_f64,
    gather32_f64
);
look_up_narrow!(
    f32,
    __m512,
    bits_f32,
    _mm512_castsi512_ps,
    gather_f32,
    gather32_f32
);
look_up_wide!(i64, __m512i, identity, identity, gather_i64, gather32_i64);
look_up_narrow!(i32, __m512i, identity, identity, gather_i32, gather32_i32);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::avx512::Avx512;
    use crate::isa::tests::level;

    /// No test has a table with more than 2³¹ entries, which takes 16 GiB.
    #[test]
    fn indices_are_the_same_one_by_one_and_by_two() {
        let test = concat!(
            module_path!(),
            "::indices_are_the_same_one_by_one_and_by_two"
        );
        if level::<Avx512<1>>(test).is_some() {
            let each = [7, 0, 0x7fff_ffff, 1, 0x1234_5678, 3, 2, 0x4000_0000];
            // SAFETY: the processor has the features.
            let [by_two, one_by_one] = unsafe {
                let i = _mm512_loadu_si512(each.as_ptr().cast());
                [numbers(i, 1 << 31), numbers(i, usize::MAX)]
            };
            assert_eq!([by_two, one_by_one], [each; 2]);
        }
    }
}
