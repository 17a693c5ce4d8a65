//! Table look-ups. The index is first wrapped or clamped to the range of the table, so only entries are read. Tables that
//! fit registers are looked up there ([`super::table`]).

use core::arch::aarch64::*;
use core::convert::identity;

use super::table::{MOST_32, MOST_64, look_up_32, look_up_64};
use super::{i32_to_i64, i64_to_i32, neon};
use crate::isa::table::{bits_f32, bits_f64, fits_i32};

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
    /// The two numbers of a register.
    fn numbers(i: int64x2_t) -> [usize; 2] { [vgetq_lane_s64::<0>(i) as usize, vgetq_lane_s64::<1>(i) as usize] }
}

/// Entries at two indices, each loaded separately: there is no gather.
///
/// # Safety
///
/// The indices are those of entries of the table at `t`.
#[target_feature(enable = "neon")]
#[inline]
unsafe fn load_wide(t: *const i64, i: int64x2_t) -> int64x2_t {
    let i = numbers(i);
    // SAFETY: guaranteed by the caller.
    unsafe { vcombine_s64(vld1_s64(t.add(i[0])), vld1_s64(t.add(i[1]))) }
}

/// Entries of 32 bits at four indices.
///
/// # Safety
///
/// As for `load_wide`.
#[target_feature(enable = "neon")]
#[inline]
unsafe fn load_narrow(t: *const i32, i: [int64x2_t; 2]) -> int32x4_t {
    let ([a, b], [c, d]) = (numbers(i[0]), numbers(i[1]));
    // SAFETY: guaranteed by the caller.
    unsafe {
        let v = vld1q_dup_s32(t.add(a));
        let v = vld1q_lane_s32::<1>(t.add(b), v);
        let v = vld1q_lane_s32::<2>(t.add(c), v);
        vld1q_lane_s32::<3>(t.add(d), v)
    }
}

/// Look-ups of 64-bit entries, by 64-bit and by 32-bit indices. The parameters are the function for the bits of entries, and the function
/// that turns a register of bits into one of entries.
macro_rules! look_up_wide {
    ($x:ty, $r:ty, $bits:path, $of:path, $name:ident, $name32:ident) => {
        #[target_feature(enable = "neon")]
        #[inline]
        pub(in crate::isa::neon) fn $name(t: &[$x], i: [int64x2_t; 2]) -> [$r; 2] {
            assert!(!t.is_empty());
            let t = $bits(t);
            let i = [index64(i[0], t.len()), index64(i[1], t.len())];
            if t.len() <= MOST_64 {
                return [$of(look_up_64(t, i[0])), $of(look_up_64(t, i[1]))];
            }
            // SAFETY: every lane of `i` is an index of `t`.
            unsafe {
                [
                    $of(load_wide(t.as_ptr(), i[0])),
                    $of(load_wide(t.as_ptr(), i[1])),
                ]
            }
        }
        #[target_feature(enable = "neon")]
        #[inline]
        pub(in crate::isa::neon) fn $name32(t: &[$x], i: int32x4_t) -> [$r; 2] {
            if !fits_i32(t.len()) {
                return $name(t, i32_to_i64(i));
            }
            assert!(!t.is_empty());
            let t = $bits(t);
            let i = i32_to_i64(index32(i, t.len()));
            if t.len() <= MOST_64 {
                return [$of(look_up_64(t, i[0])), $of(look_up_64(t, i[1]))];
            }
            // SAFETY: every lane of `i` is an index of `t`.
            unsafe {
                [
                    $of(load_wide(t.as_ptr(), i[0])),
                    $of(load_wide(t.as_ptr(), i[1])),
                ]
            }
        }
    };
}

/// The same for 32-bit entries.
macro_rules! look_up_narrow {
    ($x:ty, $r:ty, $bits:path, $of:path, $name:ident, $name32:ident) => {
        #[target_feature(enable = "neon")]
        #[inline]
        pub(in crate::isa::neon) fn $name(t: &[$x], i: [int64x2_t; 2]) -> $r {
            assert!(!t.is_empty());
            let t = $bits(t);
            // Clamped in full, not by their lower halves.
            let i = [index64(i[0], t.len()), index64(i[1], t.len())];
            if t.len() <= MOST_32 {
                return $of(look_up_32(t, i64_to_i32(i)));
            }
            // SAFETY: every lane of `i` is an index of `t`.
            $of(unsafe { load_narrow(t.as_ptr(), i) })
        }
        #[target_feature(enable = "neon")]
        #[inline]
        pub(in crate::isa::neon) fn $name32(t: &[$x], i: int32x4_t) -> $r {
            if !fits_i32(t.len()) {
                return $name(t, i32_to_i64(i));
            }
            assert!(!t.is_empty());
            let t = $bits(t);
            let i = index32(i, t.len());
            if t.len() <= MOST_32 {
                return $of(look_up_32(t, i));
            }
            // SAFETY: every lane of `i` is an index of `t`.
            $of(unsafe { load_narrow(t.as_ptr(), i32_to_i64(i)) })
        }
    };
}

look_up_wide!(
    f64,
    float64x2_t,
    bits_f64,
    vreinterpretq_f64_s64,
    gather_f64,
    gather32_f64
);
look_up_narrow!(
    f32,
    float32x4_t,
    bits_f32,
    vreinterpretq_f32_s32,
    gather_f32,
    gather32_f32
);
look_up_wide!(i64, int64x2_t, identity, identity, gather_i64, gather32_i64);
look_up_narrow!(i32, int32x4_t, identity, identity, gather_i32, gather32_i32);
