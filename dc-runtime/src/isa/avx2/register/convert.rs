//! Conversions that AVX2 lacks, or whose instructions differ from Rust's `as`.

use core::arch::x86_64::*;

use super::{avx2, canonical_f32, trunc_f64};

/// 2³² and its inverse: to split an integer held in binary64 into halves.
const TWO_32: f64 = 4_294_967_296.0;
/// 2⁵²: adding it to an integer n with 0 ≤ n < 2³² puts n into the low half of the bits.
const TWO_52: f64 = 4_503_599_627_370_496.0;
/// 2⁶³, the first value that an i64 cannot hold.
const TWO_63: f64 = 9_223_372_036_854_775_808.0;
/// 2³¹, the first value that an i32 cannot hold.
const TWO_31: f32 = 2_147_483_648.0;
/// To nearest even, whatever MXCSR has.
const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT;

avx2! {
    /// NaN becomes +0; all other values stay.
    fn nan_to_zero(a: __m256d) -> __m256d { _mm256_and_pd(a, _mm256_cmp_pd::<_CMP_ORD_Q>(a, a)) }

    /// The value is truncated to an integer t and clamped below to −2⁶³; then `t = high·2³² + low` with 0 ≤ low < 2³²,
    /// both exact.
    fn f64_to_i64(a: __m256d) -> __m256i {
        let t = _mm256_max_pd(trunc_f64(nan_to_zero(a)), _mm256_set1_pd(-TWO_63));
        let high = _mm256_floor_pd(_mm256_mul_pd(t, _mm256_set1_pd(1.0 / TWO_32)));
        let low = _mm256_fnmadd_pd(high, _mm256_set1_pd(TWO_32), t);
        let low = _mm256_castpd_si256(_mm256_add_pd(low, _mm256_set1_pd(TWO_52)));
        let high = _mm256_slli_epi64::<32>(_mm256_cvtepi32_epi64(_mm256_cvttpd_epi32(high)));
        let value = _mm256_blend_epi32::<0b1010_1010>(low, high);
        let too_large = _mm256_cmp_pd::<_CMP_GE_OQ>(t, _mm256_set1_pd(TWO_63));
        _mm256_blendv_epi8(value, _mm256_set1_epi64x(i64::MAX), _mm256_castpd_si256(too_large))
    }
    /// The value is clamped to the range of i32, which binary64 represents exactly, then truncated.
    fn four_to_i32(a: __m256d) -> __m128i {
        let lowest = _mm256_set1_pd(f64::from(i32::MIN));
        let highest = _mm256_set1_pd(f64::from(i32::MAX));
        _mm256_cvttpd_epi32(_mm256_min_pd(_mm256_max_pd(nan_to_zero(a), lowest), highest))
    }
    fn f64_to_i32(a: [__m256d; 2]) -> __m256i { _mm256_set_m128i(four_to_i32(a[1]), four_to_i32(a[0])) }
    fn f32_to_i64(a: __m256) -> [__m256i; 2] {
        let [low, high] = f32_to_f64(a);
        [f64_to_i64(low), f64_to_i64(high)]
    }
    /// The instruction gives `i32::MIN` wherever it cannot convert. This is right below the range. Above it, all bits are inverted. NaN
    /// gives zero.
    fn f32_to_i32(a: __m256) -> __m256i {
        let too_large = _mm256_castps_si256(_mm256_cmp_ps::<_CMP_GE_OQ>(a, _mm256_set1_ps(TWO_31)));
        let number = _mm256_castps_si256(_mm256_cmp_ps::<_CMP_ORD_Q>(a, a));
        _mm256_and_si256(_mm256_xor_si256(_mm256_cvttps_epi32(a), too_large), number)
    }

    fn f64_to_f32(a: [__m256d; 2]) -> __m256 { _mm256_set_m128(_mm256_cvtpd_ps(a[1]), _mm256_cvtpd_ps(a[0])) }
    fn f32_to_f64(a: __m256) -> [__m256d; 2] {
        [_mm256_cvtps_pd(_mm256_castps256_ps128(a)), _mm256_cvtps_pd(_mm256_extractf128_ps::<1>(a))]
    }
    fn i32_to_f64(a: __m256i) -> [__m256d; 2] {
        [_mm256_cvtepi32_pd(_mm256_castsi256_si128(a)), _mm256_cvtepi32_pd(_mm256_extracti128_si256::<1>(a))]
    }
    fn i32_to_i64(a: __m256i) -> [__m256i; 2] {
        [_mm256_cvtepi32_epi64(_mm256_castsi256_si128(a)), _mm256_cvtepi32_epi64(_mm256_extracti128_si256::<1>(a))]
    }
    /// The low 32 bits of each lane: they are collected within halves of registers, whose quarters are then put in
    /// order.
    fn i64_to_i32(a: [__m256i; 2]) -> __m256i {
        let (low, high) = (_mm256_castsi256_ps(a[0]), _mm256_castsi256_ps(a[1]));
        let words = _mm256_castps_si256(_mm256_shuffle_ps::<0b10_00_10_00>(low, high));
        _mm256_permute4x64_epi64::<0b11_01_10_00>(words)
    }

    /// The halves are put into the fractions of binary64 numbers, the upper with weight 2³² and an offset of 2³¹, the
    /// lower with weight 1; subtracting the offsets from the upper one is exact, so that the last addition rounds once.
    fn i64_to_f64(a: __m256i) -> __m256d {
        const TWO_84_BITS: i64 = 0x4530_0000_0000_0000;
        const TWO_52_BITS: i64 = 0x4330_0000_0000_0000;
        const OFFSET: f64 = 19_342_813_113_834_066_795_298_816.0 + TWO_63 + TWO_52; // 2⁸⁴ + 2⁶³ + 2⁵²
        let high = _mm256_xor_si256(_mm256_srli_epi64::<32>(a), _mm256_set1_epi64x(TWO_84_BITS | 0x8000_0000));
        let low = _mm256_blend_epi32::<0b1010_1010>(a, _mm256_set1_epi64x(TWO_52_BITS));
        let high = _mm256_sub_pd(_mm256_castsi256_pd(high), _mm256_set1_pd(OFFSET));
        _mm256_add_pd(high, _mm256_castsi256_pd(low))
    }
    /// Conversion through binary64, which must not round: above 2⁵³ the low 11 bits are replaced by one sticky bit. It
    /// lies far below half an ULP of binary32, so that the value keeps its side of every tie (rounding to odd: Boldo
    /// and Melquiond, "Emulation of a FMA and correctly rounded sums: proved algorithms using rounding to odd", 2008).
    fn four_to_f32(a: __m256i) -> __m128 {
        const EXACT: i64 = 1 << 53;
        let low = _mm256_set1_epi64x(0x7ff);
        let sticky = _mm256_or_si256(a, _mm256_add_epi64(_mm256_and_si256(a, low), low));
        let odd = _mm256_andnot_si256(low, sticky);
        let large = _mm256_or_si256(
            _mm256_cmpgt_epi64(a, _mm256_set1_epi64x(EXACT)),
            _mm256_cmpgt_epi64(_mm256_set1_epi64x(-EXACT), a),
        );
        _mm256_cvtpd_ps(i64_to_f64(_mm256_blendv_epi8(a, odd, large)))
    }
    fn i64_to_f32(a: [__m256i; 2]) -> __m256 { _mm256_set_m128(four_to_f32(a[1]), four_to_f32(a[0])) }

    /// The lower half of each lane, collected within the halves of the register, so that each half fills one of its quarters.
    fn i32_to_i16(a: __m256i) -> __m128i {
        let lower = _mm256_setr_epi8(
            0, 1, 4, 5, 8, 9, 12, 13, -1, -1, -1, -1, -1, -1, -1, -1, 0, 1, 4, 5, 8, 9, 12, 13, -1, -1, -1, -1, -1, -1, -1, -1,
        );
        _mm256_castsi256_si128(_mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_shuffle_epi8(a, lower)))
    }
    fn f16_to_f32(a: __m256i) -> __m256 { _mm256_cvtph_ps(i32_to_i16(a)) }
    /// The instruction keeps a part of a NaN's fraction; that of the canonical NaN is the canonical NaN's.
    fn f32_to_f16(a: __m256) -> __m256i {
        _mm256_cvtepu16_epi32(_mm256_cvtps_ph::<NEAREST>(canonical_f32(a)))
    }
    fn round_f16(a: __m256) -> __m256 { _mm256_cvtph_ps(_mm256_cvtps_ph::<NEAREST>(a)) }
}
