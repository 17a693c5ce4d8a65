//! Truth values, and the operations that produce and use them.

use core::arch::x86_64::*;

use super::{avx2, i32_to_i64};

/// Eight truth values, each lane all ones or all zeros, in 64-bit lanes and in 32-bit lanes.
///
/// Every operation gives both forms. The user of a mask reads one of them, and the instructions for the other are dead
/// code. So a comparison of 32-bit values and a selection between such values need no conversion, although masks have
/// one type.
#[derive(Clone, Copy, Debug)]
pub struct Mask {
    wide: [__m256i; 2],
    narrow: __m256i,
}

avx2! {
    /// A mask from 64-bit lanes. All bits of a lane are equal, so packing with saturation gives 32 bits.
    fn wide(m: [__m256i; 2]) -> Mask {
        let packed = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi32(m[0], m[1]));
        Mask { wide: m, narrow: packed }
    }
    /// A mask from 32-bit lanes.
    fn narrow(m: __m256i) -> Mask { Mask { wide: i32_to_i64(m), narrow: m } }

    fn splat_mask(x: bool) -> Mask { narrow(_mm256_set1_epi32(-i32::from(x))) }
    /// Bit k is lane k of the mask.
    fn mask_bits(m: Mask) -> u32 { _mm256_movemask_ps(_mm256_castsi256_ps(m.narrow)) as u32 }
    fn and_mask(a: Mask, b: Mask) -> Mask {
        let wide = [_mm256_and_si256(a.wide[0], b.wide[0]), _mm256_and_si256(a.wide[1], b.wide[1])];
        Mask { wide, narrow: _mm256_and_si256(a.narrow, b.narrow) }
    }
    fn or_mask(a: Mask, b: Mask) -> Mask {
        let wide = [_mm256_or_si256(a.wide[0], b.wide[0]), _mm256_or_si256(a.wide[1], b.wide[1])];
        Mask { wide, narrow: _mm256_or_si256(a.narrow, b.narrow) }
    }
    fn xor_mask(a: Mask, b: Mask) -> Mask {
        let wide = [_mm256_xor_si256(a.wide[0], b.wide[0]), _mm256_xor_si256(a.wide[1], b.wide[1])];
        Mask { wide, narrow: _mm256_xor_si256(a.narrow, b.narrow) }
    }
    fn not_mask(a: Mask) -> Mask { xor_mask(a, splat_mask(true)) }
    fn select_mask(m: Mask, a: Mask, b: Mask) -> Mask {
        Mask { wide: select_i64(m, a.wide, b.wide), narrow: select_i32(m, a.narrow, b.narrow) }
    }

    fn lt_i64(a: [__m256i; 2], b: [__m256i; 2]) -> Mask {
        wide([_mm256_cmpgt_epi64(b[0], a[0]), _mm256_cmpgt_epi64(b[1], a[1])])
    }
    fn eq_i64(a: [__m256i; 2], b: [__m256i; 2]) -> Mask {
        wide([_mm256_cmpeq_epi64(a[0], b[0]), _mm256_cmpeq_epi64(a[1], b[1])])
    }
    fn lt_i32(a: __m256i, b: __m256i) -> Mask { narrow(_mm256_cmpgt_epi32(b, a)) }
    fn eq_i32(a: __m256i, b: __m256i) -> Mask { narrow(_mm256_cmpeq_epi32(a, b)) }

    fn select_f64(m: Mask, a: [__m256d; 2], b: [__m256d; 2]) -> [__m256d; 2] {
        [
            _mm256_blendv_pd(b[0], a[0], _mm256_castsi256_pd(m.wide[0])),
            _mm256_blendv_pd(b[1], a[1], _mm256_castsi256_pd(m.wide[1])),
        ]
    }
    fn select_f32(m: Mask, a: __m256, b: __m256) -> __m256 { _mm256_blendv_ps(b, a, _mm256_castsi256_ps(m.narrow)) }
    fn select_i64(m: Mask, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
        [_mm256_blendv_epi8(b[0], a[0], m.wide[0]), _mm256_blendv_epi8(b[1], a[1], m.wide[1])]
    }
    fn select_i32(m: Mask, a: __m256i, b: __m256i) -> __m256i { _mm256_blendv_epi8(b, a, m.narrow) }
    /// A true lane is -1.
    fn increment_i64(m: Mask, a: [__m256i; 2]) -> [__m256i; 2] {
        [_mm256_sub_epi64(a[0], m.wide[0]), _mm256_sub_epi64(a[1], m.wide[1])]
    }
    fn decrement_i64(m: Mask, a: [__m256i; 2]) -> [__m256i; 2] {
        [_mm256_add_epi64(a[0], m.wide[0]), _mm256_add_epi64(a[1], m.wide[1])]
    }
}

/// Comparisons of floating-point values, by their predicates.
macro_rules! compare {
    ($($f64:ident, $f32:ident = $predicate:ident;)+) => { avx2! {$(
        fn $f64(a: [__m256d; 2], b: [__m256d; 2]) -> Mask {
            wide([
                _mm256_castpd_si256(_mm256_cmp_pd::<$predicate>(a[0], b[0])),
                _mm256_castpd_si256(_mm256_cmp_pd::<$predicate>(a[1], b[1])),
            ])
        }
        fn $f32(a: __m256, b: __m256) -> Mask { narrow(_mm256_castps_si256(_mm256_cmp_ps::<$predicate>(a, b))) }
    )+}};
}

compare! {
    lt_f64, lt_f32 = _CMP_LT_OQ;
    le_f64, le_f32 = _CMP_LE_OQ;
    eq_f64, eq_f32 = _CMP_EQ_OQ;
    ne_f64, ne_f32 = _CMP_NEQ_UQ;
}
