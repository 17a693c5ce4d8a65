//! Truth values, and the operations that produce and use them.

use core::arch::aarch64::*;

use super::neon;
use crate::isa::fence::{opaque_v128, opaque_v128d};

/// Four truth values, each lane all ones or all zeros, in 64-bit lanes and in 32-bit lanes.
///
/// Every operation gives both forms. The user of a mask reads one of them, and the instructions for the other are dead
/// code. So a comparison of 32-bit values and a selection between such values need no conversion, although masks have
/// one type.
#[derive(Clone, Copy, Debug)]
pub struct Mask {
    wide: [uint64x2_t; 2],
    narrow: uint32x4_t,
}

neon! {
    /// A mask from 64-bit lanes. All bits of a lane are equal, so its lower half is the mask in 32 bits.
    fn wide(m: [uint64x2_t; 2]) -> Mask {
        Mask { wide: m, narrow: vuzp1q_u32(vreinterpretq_u32_u64(m[0]), vreinterpretq_u32_u64(m[1])) }
    }
    /// A mask from 32-bit lanes.
    fn narrow(m: uint32x4_t) -> Mask {
        let signed = vreinterpretq_s32_u32(m);
        let wide = [vmovl_s32(vget_low_s32(signed)), vmovl_high_s32(signed)];
        Mask { wide: [vreinterpretq_u64_s64(wide[0]), vreinterpretq_u64_s64(wide[1])], narrow: m }
    }
    /// A mask from four bytes, each 0 or 1.
    fn of_bytes(bytes: u32) -> Mask {
        let words = vmovl_u16(vget_low_u16(vmovl_u8(vcreate_u8(bytes.into()))));
        narrow(vreinterpretq_u32_s32(vnegq_s32(vreinterpretq_s32_u32(words))))
    }
    /// The inverse of `of_bytes`.
    fn bytes(m: Mask) -> u32 {
        let halves = vmovn_u32(vandq_u32(m.narrow, vdupq_n_u32(1)));
        vget_lane_u32::<0>(vreinterpret_u32_u8(vmovn_u16(vcombine_u16(halves, halves))))
    }

    fn splat_mask(x: bool) -> Mask { narrow(vdupq_n_u32(u32::from(x).wrapping_neg())) }
    /// The number of true lanes.
    fn count(m: Mask) -> u32 { vaddvq_u32(vshrq_n_u32::<31>(m.narrow)) }
    fn and_mask(a: Mask, b: Mask) -> Mask {
        let wide = [vandq_u64(a.wide[0], b.wide[0]), vandq_u64(a.wide[1], b.wide[1])];
        Mask { wide, narrow: vandq_u32(a.narrow, b.narrow) }
    }
    fn or_mask(a: Mask, b: Mask) -> Mask {
        let wide = [vorrq_u64(a.wide[0], b.wide[0]), vorrq_u64(a.wide[1], b.wide[1])];
        Mask { wide, narrow: vorrq_u32(a.narrow, b.narrow) }
    }
    fn xor_mask(a: Mask, b: Mask) -> Mask {
        let wide = [veorq_u64(a.wide[0], b.wide[0]), veorq_u64(a.wide[1], b.wide[1])];
        Mask { wide, narrow: veorq_u32(a.narrow, b.narrow) }
    }
    fn not_mask(a: Mask) -> Mask { xor_mask(a, splat_mask(true)) }
    fn select_mask(m: Mask, a: Mask, b: Mask) -> Mask {
        let wide = [vbslq_u64(m.wide[0], a.wide[0], b.wide[0]), vbslq_u64(m.wide[1], a.wide[1], b.wide[1])];
        Mask { wide, narrow: vbslq_u32(m.narrow, a.narrow, b.narrow) }
    }

    fn lt_i64(a: [int64x2_t; 2], b: [int64x2_t; 2]) -> Mask { wide([vcltq_s64(a[0], b[0]), vcltq_s64(a[1], b[1])]) }
    fn eq_i64(a: [int64x2_t; 2], b: [int64x2_t; 2]) -> Mask { wide([vceqq_s64(a[0], b[0]), vceqq_s64(a[1], b[1])]) }
    fn lt_i32(a: int32x4_t, b: int32x4_t) -> Mask { narrow(vcltq_s32(a, b)) }
    fn eq_i32(a: int32x4_t, b: int32x4_t) -> Mask { narrow(vceqq_s32(a, b)) }

    fn select_f64(m: Mask, a: [float64x2_t; 2], b: [float64x2_t; 2]) -> [float64x2_t; 2] {
        [
            vbslq_f64(m.wide[0], a[0], opaque_v128d(b[0])),
            vbslq_f64(m.wide[1], a[1], opaque_v128d(b[1])),
        ]
    }
    fn select_f32(m: Mask, a: float32x4_t, b: float32x4_t) -> float32x4_t { vbslq_f32(m.narrow, a, opaque_v128(b)) }
    fn select_i64(m: Mask, a: [int64x2_t; 2], b: [int64x2_t; 2]) -> [int64x2_t; 2] {
        [vbslq_s64(m.wide[0], a[0], b[0]), vbslq_s64(m.wide[1], a[1], b[1])]
    }
    fn select_i32(m: Mask, a: int32x4_t, b: int32x4_t) -> int32x4_t { vbslq_s32(m.narrow, a, b) }
    /// A true lane is -1.
    fn increment_i64(m: Mask, a: [int64x2_t; 2]) -> [int64x2_t; 2] {
        [vsubq_s64(a[0], vreinterpretq_s64_u64(m.wide[0])), vsubq_s64(a[1], vreinterpretq_s64_u64(m.wide[1]))]
    }
    fn decrement_i64(m: Mask, a: [int64x2_t; 2]) -> [int64x2_t; 2] {
        [vaddq_s64(a[0], vreinterpretq_s64_u64(m.wide[0])), vaddq_s64(a[1], vreinterpretq_s64_u64(m.wide[1]))]
    }
    fn ne_f64(a: [float64x2_t; 2], b: [float64x2_t; 2]) -> Mask { not_mask(eq_f64(a, b)) }
    fn ne_f32(a: float32x4_t, b: float32x4_t) -> Mask { not_mask(eq_f32(a, b)) }
}

/// Comparisons of floating-point values, false if one is a NaN.
macro_rules! compare {
    ($($f64:ident = $two:ident, $f32:ident = $four:ident;)+) => { neon! {$(
        fn $f64(a: [float64x2_t; 2], b: [float64x2_t; 2]) -> Mask { wide([$two(a[0], b[0]), $two(a[1], b[1])]) }
        fn $f32(a: float32x4_t, b: float32x4_t) -> Mask { narrow($four(a, b)) }
    )+}};
}

compare! {
    lt_f64 = vcltq_f64, lt_f32 = vcltq_f32;
    le_f64 = vcleq_f64, le_f32 = vcleq_f32;
    eq_f64 = vceqq_f64, eq_f32 = vceqq_f32;
}
