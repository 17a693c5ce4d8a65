//! The operations as instructions of AArch64. Every processor of a target with Advanced SIMD has them.

use core::arch::aarch64::*;

/// Functions from intrinsics on 64-bit registers: the type, its conversions to and from a register, and the names.
macro_rules! functions {
    ($float:ident $set:ident $get:ident
        $($name:ident($($a:ident),+) = $f:ident($($b:ident),+);)+) => {$(
        #[doc = concat!("The instruction of `", stringify!($f), "`.")]
        #[inline(always)]
        pub(crate) fn $name($($a: $float),+) -> $float {
            // SAFETY: the target has Advanced SIMD.
            unsafe { $get::<0>($f($($set($b)),+)) }
        }
    )+};
}
functions! {
    f64 vdup_n_f64 vget_lane_f64
    fma_f64(a, b, c) = vfma_f64(c, a, b);
    sqrt_f64(a) = vsqrt_f64(a);
    floor_f64(a) = vrndm_f64(a);
    ceil_f64(a) = vrndp_f64(a);
    trunc_f64(a) = vrnd_f64(a);
    round_ties_even_f64(a) = vrndn_f64(a);
}
functions! {
    f32 vdup_n_f32 vget_lane_f32
    fma_f32(a, b, c) = vfma_f32(c, a, b);
    sqrt_f32(a) = vsqrt_f32(a);
    floor_f32(a) = vrndm_f32(a);
    ceil_f32(a) = vrndp_f32(a);
    trunc_f32(a) = vrnd_f32(a);
    round_ties_even_f32(a) = vrndn_f32(a);
}
