//! Table look-ups. The index is first wrapped or clamped to the range of the table, so only entries are read. Tables that
//! fit registers are looked up there ([`super::table`]).

use core::arch::aarch64::*;

use super::table::{MOST_32, MOST_64, look_up_32, look_up_64};
use super::{i32_to_i64, i64_to_i32, neon};
use crate::isa::table::look_ups;

neon! {
    /// The index is wrapped if the length is a power of two, otherwise clamped as a signed number; `len` is at least 1.
    fn index64(i: int64x2_t, len: usize) -> int64x2_t {
        let last = vdupq_n_s64(len as i64 - 1);
        if len.is_power_of_two() {
            return vandq_s64(i, last);
        }
        let i = vbicq_s64(i, vreinterpretq_s64_u64(vcltzq_s64(i)));
        vbslq_s64(vcgtq_s64(i, last), last, i)
    }
    /// The same for 32-bit indices and at most 2³¹ entries.
    fn index32(i: int32x4_t, len: usize) -> int32x4_t {
        let last = vdupq_n_s32((len - 1) as i32);
        if len.is_power_of_two() {
            return vandq_s32(i, last);
        }
        vminq_s32(vmaxq_s32(i, vdupq_n_s32(0)), last)
    }

    fn place64(i: [int64x2_t; 2], len: usize) -> [int64x2_t; 2] { [index64(i[0], len), index64(i[1], len)] }
    fn place64_by32(i: int32x4_t, len: usize) -> [int64x2_t; 2] { i32_to_i64(index32(i, len)) }
    fn place32(i: int32x4_t, len: usize) -> int32x4_t { index32(i, len) }
    /// Clamped in full, not by their lower halves.
    fn place32_by64(i: [int64x2_t; 2], len: usize) -> int32x4_t { i64_to_i32(place64(i, len)) }

    /// Not looked for: a register has two entries of 64 bits, or four of 32.
    fn common64(_i: [int64x2_t; 2]) -> Option<usize> { None }
    fn common32(_i: int32x4_t) -> Option<usize> { None }
    fn splat64(x: i64) -> int64x2_t { vdupq_n_s64(x) }
    fn splat32(x: i32) -> int32x4_t { vdupq_n_s32(x) }

    /// The two numbers of a register.
    fn numbers(i: int64x2_t) -> [usize; 2] { [vgetq_lane_s64::<0>(i) as usize, vgetq_lane_s64::<1>(i) as usize] }
}

/// Entries at two indices, each loaded separately: there is no gather.
///
/// # Safety
///
/// The indices are those of entries of the table.
#[target_feature(enable = "neon")]
#[inline]
unsafe fn wide64(t: &[i64], i: int64x2_t) -> int64x2_t {
    let (t, i) = (t.as_ptr(), numbers(i));
    // SAFETY: guaranteed by the caller.
    unsafe { vcombine_s64(vld1_s64(t.add(i[0])), vld1_s64(t.add(i[1]))) }
}

#[target_feature(enable = "neon")]
#[inline]
unsafe fn wide32(t: &[i64], i: int32x4_t) -> [int64x2_t; 2] {
    let i = i32_to_i64(i);
    // SAFETY: guaranteed by the caller.
    unsafe { [wide64(t, i[0]), wide64(t, i[1])] }
}

/// Entries of 32 bits at four indices.
///
/// # Safety
///
/// As for `wide64`.
#[target_feature(enable = "neon")]
#[inline]
unsafe fn narrow64(t: &[i32], i: [int64x2_t; 2]) -> int32x4_t {
    let ([a, b], [c, d]) = (numbers(i[0]), numbers(i[1]));
    let t = t.as_ptr();
    // SAFETY: guaranteed by the caller.
    unsafe {
        let v = vld1q_dup_s32(t.add(a));
        let v = vld1q_lane_s32::<1>(t.add(b), v);
        let v = vld1q_lane_s32::<2>(t.add(c), v);
        vld1q_lane_s32::<3>(t.add(d), v)
    }
}

#[target_feature(enable = "neon")]
#[inline]
unsafe fn narrow32(t: &[i32], i: int32x4_t) -> int32x4_t {
    // SAFETY: guaranteed by the caller.
    unsafe { narrow64(t, i32_to_i64(i)) }
}

look_ups!(neon: int64x2_t, int32x4_t, [f64: float64x2_t, vreinterpretq_f64_s64], [f32: float32x4_t, vreinterpretq_f32_s32]);
