//! Conversions between lanes of two widths. The instructions for conversions to integers saturate and give 0 for NaN,
//! like Rust's `as`.

use core::arch::aarch64::*;

use super::neon;

neon! {
    /// Saturates to 64 bits, and then to 32.
    fn f64_to_i32(a: [float64x2_t; 2]) -> int32x4_t {
        vqmovn_high_s64(vqmovn_s64(vcvtq_s64_f64(a[0])), vcvtq_s64_f64(a[1]))
    }
    fn f32_to_i64(a: float32x4_t) -> [int64x2_t; 2] {
        let [low, high] = f32_to_f64(a);
        [vcvtq_s64_f64(low), vcvtq_s64_f64(high)]
    }

    fn f64_to_f32(a: [float64x2_t; 2]) -> float32x4_t { vcvt_high_f32_f64(vcvt_f32_f64(a[0]), a[1]) }
    fn f32_to_f64(a: float32x4_t) -> [float64x2_t; 2] { [vcvt_f64_f32(vget_low_f32(a)), vcvt_high_f64_f32(a)] }
    fn i32_to_f64(a: int32x4_t) -> [float64x2_t; 2] {
        let [low, high] = i32_to_i64(a);
        [vcvtq_f64_s64(low), vcvtq_f64_s64(high)]
    }
    fn i32_to_i64(a: int32x4_t) -> [int64x2_t; 2] { [vmovl_s32(vget_low_s32(a)), vmovl_high_s32(a)] }
    /// The low 32 bits of each lane.
    fn i64_to_i32(a: [int64x2_t; 2]) -> int32x4_t { vuzp1q_s32(vreinterpretq_s32_s64(a[0]), vreinterpretq_s32_s64(a[1])) }

    /// Conversion to binary64 that keeps the side of every tie of binary32: above 2⁵³ the low 11 bits are replaced by one
    /// sticky bit, which lies far below half an ULP of binary32 (rounding to odd: Boldo and Melquiond, "Emulation of a FMA and
    /// correctly rounded sums: proved algorithms using rounding to odd", 2008).
    fn two_to_odd(a: int64x2_t) -> float64x2_t {
        let exact = vdupq_n_s64(1 << 53);
        let low = vdupq_n_s64(0x7ff);
        let sticky = vorrq_s64(a, vaddq_s64(vandq_s64(a, low), low));
        let odd = vbicq_s64(sticky, low);
        let large = vorrq_u64(vcgtq_s64(a, exact), vcltq_s64(a, vnegq_s64(exact)));
        vcvtq_f64_s64(vbslq_s64(large, odd, a))
    }
    fn i64_to_f32(a: [int64x2_t; 2]) -> float32x4_t { f64_to_f32([two_to_odd(a[0]), two_to_odd(a[1])]) }
}
