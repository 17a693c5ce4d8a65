//! Truth values, and the operations that produce and use them.

use core::arch::x86_64::*;

use super::avx512;

/// Sixteen truth values of one bit each: in the masks of two registers of 64-bit lanes, and in the mask of one register
/// of 32-bit lanes.
///
/// Every operation gives both forms. The user of a mask reads one of them, and the instructions for the other are dead
/// code.
#[derive(Clone, Copy, Debug)]
pub struct Mask {
    wide: [__mmask8; 2],
    narrow: __mmask16,
}

avx512! {
    fn wide(m: [__mmask8; 2]) -> Mask { Mask { wide: m, narrow: __mmask16::from(m[1]) << 8 | __mmask16::from(m[0]) } }
    fn narrow(m: __mmask16) -> Mask { Mask { wide: [m as __mmask8, (m >> 8) as __mmask8], narrow: m } }

    fn splat_mask(x: bool) -> Mask { narrow(if x { 0xffff } else { 0 }) }
    /// Bit k is lane k of the mask.
    fn mask_bits(m: Mask) -> __mmask16 { m.narrow }
    fn and_mask(a: Mask, b: Mask) -> Mask {
        Mask { wide: [a.wide[0] & b.wide[0], a.wide[1] & b.wide[1]], narrow: a.narrow & b.narrow }
    }
    fn or_mask(a: Mask, b: Mask) -> Mask {
        Mask { wide: [a.wide[0] | b.wide[0], a.wide[1] | b.wide[1]], narrow: a.narrow | b.narrow }
    }
    fn xor_mask(a: Mask, b: Mask) -> Mask {
        Mask { wide: [a.wide[0] ^ b.wide[0], a.wide[1] ^ b.wide[1]], narrow: a.narrow ^ b.narrow }
    }
    fn not_mask(a: Mask) -> Mask { xor_mask(a, splat_mask(true)) }
    fn select_mask(m: Mask, a: Mask, b: Mask) -> Mask { or_mask(and_mask(m, a), and_mask(not_mask(m), b)) }

    fn lt_i64(a: [__m512i; 2], b: [__m512i; 2]) -> Mask {
        wide([_mm512_cmplt_epi64_mask(a[0], b[0]), _mm512_cmplt_epi64_mask(a[1], b[1])])
    }
    fn eq_i64(a: [__m512i; 2], b: [__m512i; 2]) -> Mask {
        wide([_mm512_cmpeq_epi64_mask(a[0], b[0]), _mm512_cmpeq_epi64_mask(a[1], b[1])])
    }
    fn lt_i32(a: __m512i, b: __m512i) -> Mask { narrow(_mm512_cmplt_epi32_mask(a, b)) }
    fn eq_i32(a: __m512i, b: __m512i) -> Mask { narrow(_mm512_cmpeq_epi32_mask(a, b)) }

    fn select_f64(m: Mask, a: [__m512d; 2], b: [__m512d; 2]) -> [__m512d; 2] {
        [_mm512_mask_blend_pd(m.wide[0], b[0], a[0]), _mm512_mask_blend_pd(m.wide[1], b[1], a[1])]
    }
    fn select_f32(m: Mask, a: __m512, b: __m512) -> __m512 { _mm512_mask_blend_ps(m.narrow, b, a) }
    fn select_i64(m: Mask, a: [__m512i; 2], b: [__m512i; 2]) -> [__m512i; 2] {
        [_mm512_mask_blend_epi64(m.wide[0], b[0], a[0]), _mm512_mask_blend_epi64(m.wide[1], b[1], a[1])]
    }
    fn select_i32(m: Mask, a: __m512i, b: __m512i) -> __m512i { _mm512_mask_blend_epi32(m.narrow, b, a) }
    fn increment_i64(m: Mask, a: [__m512i; 2]) -> [__m512i; 2] {
        let one = _mm512_set1_epi64(1);
        [_mm512_mask_add_epi64(a[0], m.wide[0], a[0], one), _mm512_mask_add_epi64(a[1], m.wide[1], a[1], one)]
    }
    fn decrement_i64(m: Mask, a: [__m512i; 2]) -> [__m512i; 2] {
        let one = _mm512_set1_epi64(1);
        [_mm512_mask_sub_epi64(a[0], m.wide[0], a[0], one), _mm512_mask_sub_epi64(a[1], m.wide[1], a[1], one)]
    }
}

/// Comparisons of floating-point values, by their predicates.
macro_rules! compare {
    ($($f64:ident, $f32:ident = $predicate:ident;)+) => { avx512! {$(
        fn $f64(a: [__m512d; 2], b: [__m512d; 2]) -> Mask {
            wide([_mm512_cmp_pd_mask::<$predicate>(a[0], b[0]), _mm512_cmp_pd_mask::<$predicate>(a[1], b[1])])
        }
        fn $f32(a: __m512, b: __m512) -> Mask { narrow(_mm512_cmp_ps_mask::<$predicate>(a, b)) }
    )+}};
}

compare! {
    lt_f64, lt_f32 = _CMP_LT_OQ;
    le_f64, le_f32 = _CMP_LE_OQ;
    eq_f64, eq_f32 = _CMP_EQ_OQ;
    ne_f64, ne_f32 = _CMP_NEQ_UQ;
}
