//! Truth values, and what makes and takes them.

use core::arch::x86_64::*;

use super::{avx2, low_halves};

/// Four truth values, all ones or all zeros a lane, in 64-bit lanes and in 32-bit lanes.
///
/// Every operation gives both. Whoever takes a mask reads one of them, and the instructions for the other are dead code:
/// so a comparison of 32-bit values and a choice between such values cost no conversion, although masks are of one type.
#[derive(Clone, Copy, Debug)]
pub struct Mask {
    wide: __m256i,
    narrow: __m128i,
}

avx2! {
    /// A mask from one of 64-bit lanes. All bits of a lane are equal: packing with saturation takes it to 32 bits.
    fn wide(m: __m256i) -> Mask { Mask { wide: m, narrow: low_halves(m) } }
    /// A mask from one of 32-bit lanes.
    fn narrow(m: __m128i) -> Mask { Mask { wide: _mm256_cvtepi32_epi64(m), narrow: m } }

    fn splat_mask(x: bool) -> Mask { narrow(_mm_set1_epi32(-i32::from(x))) }
    /// Bit k is lane k of the mask.
    fn mask_bits(m: Mask) -> u32 { _mm256_movemask_pd(_mm256_castsi256_pd(m.wide)) as u32 }
    fn and_mask(a: Mask, b: Mask) -> Mask {
        Mask { wide: _mm256_and_si256(a.wide, b.wide), narrow: _mm_and_si128(a.narrow, b.narrow) }
    }
    fn or_mask(a: Mask, b: Mask) -> Mask {
        Mask { wide: _mm256_or_si256(a.wide, b.wide), narrow: _mm_or_si128(a.narrow, b.narrow) }
    }
    fn xor_mask(a: Mask, b: Mask) -> Mask {
        Mask { wide: _mm256_xor_si256(a.wide, b.wide), narrow: _mm_xor_si128(a.narrow, b.narrow) }
    }
    fn not_mask(a: Mask) -> Mask { xor_mask(a, splat_mask(true)) }
    fn select_mask(m: Mask, a: Mask, b: Mask) -> Mask {
        Mask { wide: select_i64(m, a.wide, b.wide), narrow: select_i32(m, a.narrow, b.narrow) }
    }

    fn lt_f64(a: __m256d, b: __m256d) -> Mask { wide(_mm256_castpd_si256(_mm256_cmp_pd::<_CMP_LT_OQ>(a, b))) }
    fn le_f64(a: __m256d, b: __m256d) -> Mask { wide(_mm256_castpd_si256(_mm256_cmp_pd::<_CMP_LE_OQ>(a, b))) }
    fn eq_f64(a: __m256d, b: __m256d) -> Mask { wide(_mm256_castpd_si256(_mm256_cmp_pd::<_CMP_EQ_OQ>(a, b))) }
    fn ne_f64(a: __m256d, b: __m256d) -> Mask { wide(_mm256_castpd_si256(_mm256_cmp_pd::<_CMP_NEQ_UQ>(a, b))) }
    fn lt_f32(a: __m128, b: __m128) -> Mask { narrow(_mm_castps_si128(_mm_cmp_ps::<_CMP_LT_OQ>(a, b))) }
    fn le_f32(a: __m128, b: __m128) -> Mask { narrow(_mm_castps_si128(_mm_cmp_ps::<_CMP_LE_OQ>(a, b))) }
    fn eq_f32(a: __m128, b: __m128) -> Mask { narrow(_mm_castps_si128(_mm_cmp_ps::<_CMP_EQ_OQ>(a, b))) }
    fn ne_f32(a: __m128, b: __m128) -> Mask { narrow(_mm_castps_si128(_mm_cmp_ps::<_CMP_NEQ_UQ>(a, b))) }
    fn lt_i64(a: __m256i, b: __m256i) -> Mask { wide(_mm256_cmpgt_epi64(b, a)) }
    fn eq_i64(a: __m256i, b: __m256i) -> Mask { wide(_mm256_cmpeq_epi64(a, b)) }
    fn lt_i32(a: __m128i, b: __m128i) -> Mask { narrow(_mm_cmpgt_epi32(b, a)) }
    fn eq_i32(a: __m128i, b: __m128i) -> Mask { narrow(_mm_cmpeq_epi32(a, b)) }

    fn select_f64(m: Mask, a: __m256d, b: __m256d) -> __m256d { _mm256_blendv_pd(b, a, _mm256_castsi256_pd(m.wide)) }
    fn select_f32(m: Mask, a: __m128, b: __m128) -> __m128 { _mm_blendv_ps(b, a, _mm_castsi128_ps(m.narrow)) }
    fn select_i64(m: Mask, a: __m256i, b: __m256i) -> __m256i { _mm256_blendv_epi8(b, a, m.wide) }
    fn select_i32(m: Mask, a: __m128i, b: __m128i) -> __m128i { _mm_blendv_epi8(b, a, m.narrow) }
    /// A true lane is -1.
    fn increment_i64(m: Mask, a: __m256i) -> __m256i { _mm256_sub_epi64(a, m.wide) }
    fn decrement_i64(m: Mask, a: __m256i) -> __m256i { _mm256_add_epi64(a, m.wide) }
}
