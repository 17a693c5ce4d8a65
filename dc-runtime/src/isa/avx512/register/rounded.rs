//! Binary32 operations with a rounding of their own. Only instructions on whole registers carry one, so the half
//! register that a value is goes through a whole one; its upper half is zeros, whose results nobody sees.

use core::arch::x86_64::*;

macro_rules! rounded {
    ($(fn $name:ident($($a:ident),+) = $f:ident;)+) => {$(
        #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
        #[inline]
        pub(in crate::isa::avx512) fn $name<const R: i32>($($a: __m256),+) -> __m256 {
            _mm512_castps512_ps256($f::<R>($(_mm512_zextps256_ps512($a)),+))
        }
    )+};
}

rounded! {
    fn add_round_f32(a, b) = _mm512_add_round_ps;
    fn mul_round_f32(a, b) = _mm512_mul_round_ps;
    fn div_round_f32(a, b) = _mm512_div_round_ps;
    fn sqrt_round_f32(a) = _mm512_sqrt_round_ps;
    fn fma_round_f32(a, b, c) = _mm512_fmadd_round_ps;
}
