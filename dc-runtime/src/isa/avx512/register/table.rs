//! Tables that fit registers: up to four of them, 32 entries of 64 bits or 64 of 32.
//!
//! A permutation of one register or two selects entries by the low bits of each lane's index; a third or fourth
//! register is selected if the next bit is set. This takes one to four instructions, compared with a gather's one
//! memory access per lane. In a kernel the length is a constant, so only one form of each look-up remains, and full
//! registers are loaded before the loop that contains the kernel. If it is not a constant, the branches remain.

use core::arch::x86_64::*;

use super::avx512;

/// Entries of 64 bits in a register.
pub(super) const ROW_64: usize = 8;
/// Entries of 32 bits in a register.
pub(super) const ROW_32: usize = 16;
/// The most entries of 64 bits that are looked up in registers.
pub(super) const MOST_64: usize = 4 * ROW_64;
/// The most entries of 32 bits.
pub(super) const MOST_32: usize = 4 * ROW_32;

/// Look-ups in tables of one width of entries.
macro_rules! look_up {
    (
        $look_up:ident, $register:ident, $x:ty, $row:expr, $k:ty;
        $load:ident, $masked:ident, $one:ident, $one_masked:ident, $two:ident, $test:ident, $set:ident, $blend:ident
    ) => {
        avx512! {
            /// Register `k` of a table: its entries from the first one on, and zeros after the last.
            fn $register(t: &[$x], k: usize) -> __m512i {
                let t = &t[k * $row..];
                if t.len() >= $row {
                    // SAFETY: the slice has that many entries.
                    return unsafe { $load(t.as_ptr()) };
                }
                // SAFETY: a masked load reads only the lanes with a bit, one per entry.
                unsafe { $masked((1 << t.len()) - 1, t.as_ptr()) }
            }
            /// The entries at these indices, each below the length or, where the look-up wraps, any number. The length
            /// is at least 1 and at most that of four registers.
            fn $look_up(t: &[$x], i: __m512i) -> __m512i {
                let first = $register(t, 0);
                if t.len() <= $row {
                    return $one(i, first);
                }
                let low = $two(first, i, $register(t, 1));
                if t.len() <= 2 * $row {
                    return low;
                }
                let upper: $k = $test(i, $set(2 * $row as $x));
                let third = $register(t, 2);
                if t.len() <= 3 * $row {
                    return $one_masked(low, upper, i, third);
                }
                $blend(upper, low, $two(third, i, $register(t, 3)))
            }
        }
    };
}

look_up! {
    look_up_64, register_64, i64, ROW_64, __mmask8;
    _mm512_loadu_epi64, _mm512_maskz_loadu_epi64, _mm512_permutexvar_epi64, _mm512_mask_permutexvar_epi64,
    _mm512_permutex2var_epi64, _mm512_test_epi64_mask, _mm512_set1_epi64, _mm512_mask_blend_epi64
}
look_up! {
    look_up_32, register_32, i32, ROW_32, __mmask16;
    _mm512_loadu_epi32, _mm512_maskz_loadu_epi32, _mm512_permutexvar_epi32, _mm512_mask_permutexvar_epi32,
    _mm512_permutex2var_epi32, _mm512_test_epi32_mask, _mm512_set1_epi32, _mm512_mask_blend_epi32
}
