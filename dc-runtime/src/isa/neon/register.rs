//! Operations for which NEON has no instruction, on one register or, if 32-bit and 64-bit lanes are combined, on a unit.
//!
//! All functions are compiled with NEON. They are called only from functions with the same feature, or with a token.

mod convert;
mod gather;
mod mask;
mod table;

use core::arch::aarch64::*;

use crate::isa::fence::{opaque_v128, opaque_v128d};

pub(super) use self::convert::*;
pub(super) use self::gather::*;
pub(super) use self::mask::*;

/// Declares functions compiled with the feature.
macro_rules! neon {
    ($($(#[$doc:meta])* fn $name:ident($($a:ident: $t:ty),*) -> $r:ty $body:block)+) => {$(
        $(#[$doc])*
        #[target_feature(enable = "neon")]
        #[inline]
        pub(in crate::isa::neon) fn $name($($a: $t),*) -> $r $body
    )+};
}
use neon;

neon! {
    fn two_i64(low: i64, high: i64) -> int64x2_t {
        vcombine_s64(vcreate_s64(low as u64), vcreate_s64(high as u64))
    }
    fn iota_i64(start: i64) -> [int64x2_t; 2] {
        let start = vdupq_n_s64(start);
        [vaddq_s64(start, two_i64(0, 1)), vaddq_s64(start, two_i64(2, 3))]
    }
    fn iota_i32(start: i32) -> int32x4_t {
        vaddq_s32(vdupq_n_s32(start), vcombine_s32(vcreate_s32(1 << 32), vcreate_s32(3 << 32 | 2)))
    }

    fn copysign_f64(a: float64x2_t, b: float64x2_t) -> float64x2_t { vbslq_f64(vdupq_n_u64(1 << 63), b, a) }
    /// The instructions FMIN and FMAX order zeros, and give a NaN if one operand is a NaN. LLVM may use FMINNM and FMAXNM, which also order
    /// zeros, if it knows that a choice is one of the compared numbers ([`fence`](crate::isa::fence)).
    fn min_f64(a: float64x2_t, b: float64x2_t) -> float64x2_t { vbslq_f64(vcltq_f64(a, b), a, opaque_v128d(b)) }
    fn max_f64(a: float64x2_t, b: float64x2_t) -> float64x2_t { vbslq_f64(vcgtq_f64(a, b), a, opaque_v128d(b)) }
    /// By integer comparison. LLVM (22 of rustc 1.95), where it optimizes less, reduces `select(a == a, a, NaN)` to the square root alone
    /// if `a` is a square root, and a NaN would keep its bits.
    fn canonical_f64(a: float64x2_t) -> float64x2_t {
        let magnitude = vandq_u64(vreinterpretq_u64_f64(a), vdupq_n_u64(i64::MAX as u64));
        let nan = vcgtq_u64(magnitude, vdupq_n_u64(0x7ff0_0000_0000_0000));
        vbslq_f64(nan, vreinterpretq_f64_u64(vdupq_n_u64(0x7ff8_0000_0000_0000)), a)
    }

    fn copysign_f32(a: float32x4_t, b: float32x4_t) -> float32x4_t { vbslq_f32(vdupq_n_u32(1 << 31), b, a) }
    fn min_f32(a: float32x4_t, b: float32x4_t) -> float32x4_t { vbslq_f32(vcltq_f32(a, b), a, opaque_v128(b)) }
    fn max_f32(a: float32x4_t, b: float32x4_t) -> float32x4_t { vbslq_f32(vcgtq_f32(a, b), a, opaque_v128(b)) }
    fn canonical_f32(a: float32x4_t) -> float32x4_t {
        let magnitude = vandq_u32(vreinterpretq_u32_f32(a), vdupq_n_u32(i32::MAX as u32));
        let nan = vcgtq_u32(magnitude, vdupq_n_u32(0x7f80_0000));
        vbslq_f32(nan, vreinterpretq_f32_u32(vdupq_n_u32(0x7fc0_0000)), a)
    }

    /// With `a = ah·2³² + al` and `b` likewise: `al·bl + (ah·bl + al·bh)·2³²` modulo 2⁶⁴.
    fn mul_i64(a: int64x2_t, b: int64x2_t) -> int64x2_t {
        let (a, b) = (vreinterpretq_u64_s64(a), vreinterpretq_u64_s64(b));
        let (al, bl) = (vmovn_u64(a), vmovn_u64(b));
        let (ah, bh) = (vshrn_n_u64::<32>(a), vshrn_n_u64::<32>(b));
        let cross = vmovl_u32(vmla_u32(vmul_u32(ah, bl), al, bh));
        vreinterpretq_s64_u64(vmlal_u32(vshlq_n_u64::<32>(cross), al, bl))
    }

    // The one instruction for variable amounts takes the low byte of each lane as a signed number, and shifts to the right by
    // its magnitude where it is negative.
    fn amount_i64(n: int64x2_t) -> int64x2_t { vandq_s64(n, vdupq_n_s64(63)) }
    fn shl_i64(a: int64x2_t, n: int64x2_t) -> int64x2_t { vshlq_s64(a, amount_i64(n)) }
    fn shr_i64(a: int64x2_t, n: int64x2_t) -> int64x2_t { vshlq_s64(a, vnegq_s64(amount_i64(n))) }
    fn shr_logical_i64(a: int64x2_t, n: int64x2_t) -> int64x2_t {
        vreinterpretq_s64_u64(vshlq_u64(vreinterpretq_u64_s64(a), vnegq_s64(amount_i64(n))))
    }

    fn amount_i32(n: int32x4_t) -> int32x4_t { vandq_s32(n, vdupq_n_s32(31)) }
    fn shl_i32(a: int32x4_t, n: int32x4_t) -> int32x4_t { vshlq_s32(a, amount_i32(n)) }
    fn shr_i32(a: int32x4_t, n: int32x4_t) -> int32x4_t { vshlq_s32(a, vnegq_s32(amount_i32(n))) }
    fn shr_logical_i32(a: int32x4_t, n: int32x4_t) -> int32x4_t {
        vreinterpretq_s32_u32(vshlq_u32(vreinterpretq_u32_s32(a), vnegq_s32(amount_i32(n))))
    }
}

/// Declares functions that read or write four elements at a pointer.
macro_rules! memory {
    ($($name:ident($($a:ident: $t:ty),*) $(-> $r:ty)? $body:block)+) => {$(
        /// # Safety
        ///
        /// The processor has Advanced SIMD; the pointer is to four elements.
        #[target_feature(enable = "neon")]
        #[inline]
        pub(super) unsafe fn $name($($a: $t),*) $(-> $r)? {
            // SAFETY: guaranteed by the caller.
            unsafe { $body }
        }
    )+};
}

memory! {
    load_f64(x: *const f64) -> [float64x2_t; 2] { [vld1q_f64(x), vld1q_f64(x.add(2))] }
    load_i64(x: *const i64) -> [int64x2_t; 2] { [vld1q_s64(x), vld1q_s64(x.add(2))] }
    load_mask(x: *const bool) -> Mask { of_bytes(x.cast::<u32>().read_unaligned()) }
    store_f64(out: *mut f64, v: [float64x2_t; 2]) {
        vst1q_f64(out, v[0]);
        vst1q_f64(out.add(2), v[1]);
    }
    store_i64(out: *mut i64, v: [int64x2_t; 2]) {
        vst1q_s64(out, v[0]);
        vst1q_s64(out.add(2), v[1]);
    }
    store_mask(out: *mut bool, m: Mask) { out.cast::<u32>().write_unaligned(bytes(m)) }
}
