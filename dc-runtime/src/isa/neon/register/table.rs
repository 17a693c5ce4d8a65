//! Tables that fit registers: 8 entries of 64 bits or 16 of 32, in up to four of them.
//!
//! NEON looks up bytes, in one to four registers with one instruction. So the index of an entry becomes the indices of its bytes.
//! The entries of longer tables are loaded one by one. In a kernel the length is a constant, so only one form of each look-up
//! remains, and the table is loaded before the loop that contains the kernel. If the length is not a constant, the branches
//! remain.

use core::arch::aarch64::*;

use super::neon;

/// Entries of 64 bits in a register.
const ROW_64: usize = 2;
/// Entries of 32 bits in a register.
const ROW_32: usize = 4;
/// The most entries of 64 bits that are looked up in registers.
pub(super) const MOST_64: usize = 4 * ROW_64;
/// The most entries of 32 bits.
pub(super) const MOST_32: usize = 4 * ROW_32;

/// Look-ups in tables of one width of entries.
macro_rules! look_up {
    (
        $look_up:ident, $register:ident, $x:ty, $row:expr, $lanes:ty;
        $load:ident, $bytes:ident, $shift:literal, $first:expr, $within:expr, $of_lanes:ident, $to_lanes:ident
    ) => {
        neon! {
            /// Register `k` of a table: its entries from the first one on, and zeros after the last.
            fn $register(t: &[$x], k: usize) -> uint8x16_t {
                let t = &t[k * $row..];
                if t.len() >= $row {
                    // SAFETY: the slice has that many entries.
                    return $bytes(unsafe { $load(t.as_ptr()) });
                }
                let mut padded = [0; $row];
                padded[..t.len()].copy_from_slice(t);
                // SAFETY: the array has that many entries.
                $bytes(unsafe { $load(padded.as_ptr()) })
            }
            /// The entries at these indices, each below the length, which is at least 1 and at most that of four registers.
            fn $look_up(t: &[$x], i: $lanes) -> $lanes {
                const FIRST: [u8; 16] = $first;
                const WITHIN: [u8; 16] = $within;
                // SAFETY: the arrays have 16 bytes each.
                let (first, within) = unsafe { (vld1q_u8(FIRST.as_ptr()), vld1q_u8(WITHIN.as_ptr())) };
                // An index is in the first byte of its lane.
                let entry = vqtbl1q_u8($of_lanes(i), first);
                let at = vaddq_u8(vshlq_n_u8::<$shift>(entry), within);
                let r0 = $register(t, 0);
                if t.len() <= $row {
                    return $to_lanes(vqtbl1q_u8(r0, at));
                }
                let r1 = $register(t, 1);
                if t.len() <= 2 * $row {
                    return $to_lanes(vqtbl2q_u8(uint8x16x2_t(r0, r1), at));
                }
                let r2 = $register(t, 2);
                if t.len() <= 3 * $row {
                    return $to_lanes(vqtbl3q_u8(uint8x16x3_t(r0, r1, r2), at));
                }
                $to_lanes(vqtbl4q_u8(uint8x16x4_t(r0, r1, r2, $register(t, 3)), at))
            }
        }
    };
}

look_up! {
    look_up_64, register_64, i64, ROW_64, int64x2_t;
    vld1q_s64, vreinterpretq_u8_s64, 3,
    [0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8],
    [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7],
    vreinterpretq_u8_s64, vreinterpretq_s64_u8
}
look_up! {
    look_up_32, register_32, i32, ROW_32, int32x4_t;
    vld1q_s32, vreinterpretq_u8_s32, 2,
    [0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12],
    [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3],
    vreinterpretq_u8_s32, vreinterpretq_s32_u8
}
