//! Tables that fit registers: 8 entries of 64 bits in two, 32 of 32 bits in four.
//!
//! AVX2 has one permutation across a register with variable indices, of eight 32-bit words; 64-bit entries are pairs of
//! them. The next bits of the index choose between registers. The entries of longer tables are loaded one by one, which
//! takes no more time. In a kernel the length is a constant, so only one form of each look-up remains, and the table is
//! loaded before the loop that contains the kernel. If it is not a constant, the branches remain.

use core::arch::x86_64::*;

use super::avx2;

/// Entries of 64 bits in a register.
pub(super) const ROW_64: usize = 4;
/// Entries of 32 bits in a register.
pub(super) const ROW_32: usize = 8;
/// The most entries of 64 bits that are looked up in registers.
pub(super) const MOST_64: usize = 2 * ROW_64;
/// The most entries of 32 bits.
pub(super) const MOST_32: usize = 4 * ROW_32;

avx2! {
    /// Register `k` of a table: its entries from the first one on, and zeros after the last.
    fn register_64(t: &[i64], k: usize) -> __m256i {
        let t = &t[k * ROW_64..];
        if t.len() >= ROW_64 {
            // SAFETY: the slice has that many entries.
            return unsafe { _mm256_loadu_si256(t.as_ptr().cast()) };
        }
        let there = _mm256_cmpgt_epi64(_mm256_set1_epi64x(t.len() as i64), _mm256_setr_epi64x(0, 1, 2, 3));
        // SAFETY: a masked load reads only the lanes of the mask, one per entry.
        unsafe { _mm256_maskload_epi64(t.as_ptr(), there) }
    }
    /// The same for entries of 32 bits.
    fn register_32(t: &[i32], k: usize) -> __m256i {
        let t = &t[k * ROW_32..];
        if t.len() >= ROW_32 {
            // SAFETY: as above.
            return unsafe { _mm256_loadu_si256(t.as_ptr().cast()) };
        }
        let there = _mm256_cmpgt_epi32(_mm256_set1_epi32(t.len() as i32), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
        // SAFETY: as above.
        unsafe { _mm256_maskload_epi32(t.as_ptr(), there) }
    }

    /// `b` in the 64-bit lanes whose sign bit in `upper` is set, `a` in the others.
    fn choose_64(a: __m256i, b: __m256i, upper: __m256i) -> __m256i {
        let [a, b, upper] = [a, b, upper].map(|v| _mm256_castsi256_pd(v));
        _mm256_castpd_si256(_mm256_blendv_pd(a, b, upper))
    }
    /// The same for 32-bit lanes.
    fn choose_32(a: __m256i, b: __m256i, upper: __m256i) -> __m256i {
        let [a, b, upper] = [a, b, upper].map(|v| _mm256_castsi256_ps(v));
        _mm256_castps_si256(_mm256_blendv_ps(a, b, upper))
    }

    /// The entries at these indices, each below the length or, where the look-up wraps, any number. The length is at
    /// least 1 and at most `MOST_64`.
    fn look_up_64(t: &[i64], i: __m256i) -> __m256i {
        // The index of the lower word is twice that of the entry.
        let twice = _mm256_shuffle_epi32::<0b10_10_00_00>(_mm256_slli_epi64::<1>(i));
        let words = _mm256_add_epi32(twice, _mm256_set1_epi64x(1 << 32));
        let low = _mm256_permutevar8x32_epi32(register_64(t, 0), words);
        if t.len() <= ROW_64 {
            return low;
        }
        let high = _mm256_permutevar8x32_epi32(register_64(t, 1), words);
        choose_64(low, high, _mm256_slli_epi64::<61>(i))
    }
    /// The same for entries of 32 bits and at most `MOST_32` of them.
    fn look_up_32(t: &[i32], i: __m256i) -> __m256i {
        let first = _mm256_permutevar8x32_epi32(register_32(t, 0), i);
        if t.len() <= ROW_32 {
            return first;
        }
        let odd = _mm256_slli_epi32::<28>(i);
        let low = choose_32(first, _mm256_permutevar8x32_epi32(register_32(t, 1), i), odd);
        if t.len() <= 2 * ROW_32 {
            return low;
        }
        let third = _mm256_permutevar8x32_epi32(register_32(t, 2), i);
        let high = if t.len() <= 3 * ROW_32 {
            third
        } else {
            choose_32(third, _mm256_permutevar8x32_epi32(register_32(t, 3), i), odd)
        };
        choose_32(low, high, _mm256_slli_epi32::<27>(i))
    }
}
