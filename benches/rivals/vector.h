/* One register of binary64 lanes, and what goes with it: AVX2 or AVX-512, as the compiler is told by -march=native.
 *
 * N lanes; `vd` binary64, `vi` 64-bit integers, `vf` and `vw` as many binary32 and 32-bit lanes, `vm` truth values. */
#pragma once

#include <immintrin.h>
#include <stdint.h>

#define INLINE static inline __attribute__((always_inline))

/* Entries of tables are loaded one by one, as AMD's processors gather slowly. */
INLINE __m256d look_up_4(const double *t, __m128i i) {
    uint64_t a = (uint64_t)_mm_cvtsi128_si64(i), b = (uint64_t)_mm_extract_epi64(i, 1);
    __m128d low = _mm_loadh_pd(_mm_load_sd(t + (uint32_t)a), t + (a >> 32));
    __m128d high = _mm_loadh_pd(_mm_load_sd(t + (uint32_t)b), t + (b >> 32));
    return _mm256_set_m128d(high, low);
}
INLINE __m128i look_up_32(const int32_t *t, __m128i i) {
    uint64_t a = (uint64_t)_mm_cvtsi128_si64(i), b = (uint64_t)_mm_extract_epi64(i, 1);
    return _mm_setr_epi32(t[(uint32_t)a], t[a >> 32], t[(uint32_t)b], t[b >> 32]);
}

#if defined(RIVAL_AVX512)

#define N 8
typedef __m512d vd;
typedef __m512i vi;
typedef __m256 vf;
typedef __m256i vw;
typedef __mmask8 vm;

INLINE vd set(double x) { return _mm512_set1_pd(x); }
INLINE vi seti(int64_t x) { return _mm512_set1_epi64(x); }
INLINE vi iota(int64_t x) { return _mm512_add_epi64(seti(x), _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7)); }
INLINE vd load(const double *p) { return _mm512_loadu_pd(p); }
INLINE void store(double *p, vd x) { _mm512_storeu_pd(p, x); }
INLINE void storei(int64_t *p, vi x) { _mm512_storeu_si512(p, x); }

INLINE vd add(vd a, vd b) { return _mm512_add_pd(a, b); }
INLINE vd sub(vd a, vd b) { return _mm512_sub_pd(a, b); }
INLINE vd mul(vd a, vd b) { return _mm512_mul_pd(a, b); }
INLINE vd quo(vd a, vd b) { return _mm512_div_pd(a, b); }
INLINE vd fma_(vd a, vd b, vd c) { return _mm512_fmadd_pd(a, b, c); }
INLINE vd fms_(vd a, vd b, vd c) { return _mm512_fmsub_pd(a, b, c); }
INLINE vd fnma(vd a, vd b, vd c) { return _mm512_fnmadd_pd(a, b, c); }
INLINE vd larger(vd a, vd b) { return _mm512_max_pd(a, b); }
INLINE vd smaller(vd a, vd b) { return _mm512_min_pd(a, b); }
INLINE vd size(vd a) { return _mm512_abs_pd(a); }
INLINE vd negate(vd a) { return _mm512_castsi512_pd(_mm512_xor_si512(_mm512_castpd_si512(a), seti(INT64_MIN))); }
INLINE vd floor_(vd a) { return _mm512_roundscale_pd(a, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC); }
INLINE vd nearest(vd a) { return _mm512_roundscale_pd(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
INLINE vw to_w(vd a) { return _mm512_cvtpd_epi32(a); }
INLINE vi bits(vd a) { return _mm512_castpd_si512(a); }
INLINE vd number(vi a) { return _mm512_castsi512_pd(a); }

INLINE vi addi(vi a, vi b) { return _mm512_add_epi64(a, b); }
INLINE vi subi(vi a, vi b) { return _mm512_sub_epi64(a, b); }
INLINE vi muli(vi a, vi b) { return _mm512_mullo_epi64(a, b); }
INLINE vi andi(vi a, vi b) { return _mm512_and_si512(a, b); }
INLINE vi ori(vi a, vi b) { return _mm512_or_si512(a, b); }
INLINE vi xori(vi a, vi b) { return _mm512_xor_si512(a, b); }
#define shl(a, n) _mm512_slli_epi64(a, n)
#define shr(a, n) _mm512_srli_epi64(a, n)
INLINE vi shlv(vi a, vi n) { return _mm512_sllv_epi64(a, n); }
INLINE vi nibble(vi n) { return _mm512_sllv_epi32(seti(1), _mm512_slli_epi32(n, 2)); }
INLINE vi rotate21(vi a) { return _mm512_rol_epi64(a, 21); }

INLINE vm lt(vd a, vd b) { return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ); }
INLINE vm gt(vd a, vd b) { return _mm512_cmp_pd_mask(a, b, _CMP_GT_OQ); }
INLINE vm ne(vd a, vd b) { return _mm512_cmp_pd_mask(a, b, _CMP_NEQ_UQ); }
INLINE vm lti(vi a, vi b) { return _mm512_cmplt_epi64_mask(a, b); }
INLINE vm both(vm a, vm b) { return a & b; }
INLINE int all(vm a) { return a == 0xff; }
INLINE int any(vm a) { return a != 0; }
INLINE vm truth(void) { return 0xff; }
INLINE vi inc(vi a, vm m) { return _mm512_mask_add_epi64(a, m, a, seti(1)); }
INLINE vi deci(vi a, vm m) { return _mm512_mask_sub_epi64(a, m, a, seti(1)); }
INLINE vd choose(vm m, vd a, vd b) { return _mm512_mask_blend_pd(m, b, a); }

INLINE vd widen(vf a) { return _mm512_cvtps_pd(a); }
INLINE vf narrow(vd a) { return _mm512_cvtpd_ps(a); }
INLINE vi widen_w(vw a) { return _mm512_cvtepi32_epi64(a); }
INLINE vw narrow_w(vi a) { return _mm512_cvtepi64_epi32(a); }
INLINE vd look_up(const double *t, vw i) {
    __m256d low = look_up_4(t, _mm256_castsi256_si128(i)), high = look_up_4(t, _mm256_extracti128_si256(i, 1));
    return _mm512_insertf64x4(_mm512_castpd256_pd512(low), high, 1);
}
#define WW(name) _mm256_##name
#define WWI(name) _mm256_##name##_si256

#else

#define N 4
typedef __m256d vd;
typedef __m256i vi;
typedef __m128 vf;
typedef __m128i vw;
typedef __m256i vm;

INLINE vd set(double x) { return _mm256_set1_pd(x); }
INLINE vi seti(int64_t x) { return _mm256_set1_epi64x(x); }
INLINE vi iota(int64_t x) { return _mm256_add_epi64(seti(x), _mm256_setr_epi64x(0, 1, 2, 3)); }
INLINE vd load(const double *p) { return _mm256_loadu_pd(p); }
INLINE void store(double *p, vd x) { _mm256_storeu_pd(p, x); }
INLINE void storei(int64_t *p, vi x) { _mm256_storeu_si256((__m256i *)p, x); }

INLINE vd add(vd a, vd b) { return _mm256_add_pd(a, b); }
INLINE vd sub(vd a, vd b) { return _mm256_sub_pd(a, b); }
INLINE vd mul(vd a, vd b) { return _mm256_mul_pd(a, b); }
INLINE vd quo(vd a, vd b) { return _mm256_div_pd(a, b); }
INLINE vd fma_(vd a, vd b, vd c) { return _mm256_fmadd_pd(a, b, c); }
INLINE vd fms_(vd a, vd b, vd c) { return _mm256_fmsub_pd(a, b, c); }
INLINE vd fnma(vd a, vd b, vd c) { return _mm256_fnmadd_pd(a, b, c); }
INLINE vd larger(vd a, vd b) { return _mm256_max_pd(a, b); }
INLINE vd smaller(vd a, vd b) { return _mm256_min_pd(a, b); }
INLINE vd size(vd a) { return _mm256_andnot_pd(set(-0.0), a); }
INLINE vd negate(vd a) { return _mm256_xor_pd(set(-0.0), a); }
INLINE vd floor_(vd a) { return _mm256_floor_pd(a); }
INLINE vd nearest(vd a) { return _mm256_round_pd(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
INLINE vw to_w(vd a) { return _mm256_cvtpd_epi32(a); }
INLINE vi bits(vd a) { return _mm256_castpd_si256(a); }
INLINE vd number(vi a) { return _mm256_castsi256_pd(a); }

INLINE vi addi(vi a, vi b) { return _mm256_add_epi64(a, b); }
INLINE vi subi(vi a, vi b) { return _mm256_sub_epi64(a, b); }
INLINE vi muli(vi a, vi b) {
    vi low = _mm256_mul_epu32(a, b);
    vi cross = _mm256_add_epi64(_mm256_mul_epu32(_mm256_srli_epi64(a, 32), b),
                                _mm256_mul_epu32(a, _mm256_srli_epi64(b, 32)));
    return _mm256_add_epi64(low, _mm256_slli_epi64(cross, 32));
}
INLINE vi andi(vi a, vi b) { return _mm256_and_si256(a, b); }
INLINE vi ori(vi a, vi b) { return _mm256_or_si256(a, b); }
INLINE vi xori(vi a, vi b) { return _mm256_xor_si256(a, b); }
#define shl(a, n) _mm256_slli_epi64(a, n)
#define shr(a, n) _mm256_srli_epi64(a, n)
INLINE vi shlv(vi a, vi n) { return _mm256_sllv_epi64(a, n); }
INLINE vi nibble(vi n) { return _mm256_sllv_epi32(seti(1), _mm256_slli_epi32(n, 2)); }
INLINE vi rotate21(vi a) { return ori(shl(a, 21), shr(a, 43)); }

INLINE vm lt(vd a, vd b) { return bits(_mm256_cmp_pd(a, b, _CMP_LT_OQ)); }
INLINE vm gt(vd a, vd b) { return bits(_mm256_cmp_pd(a, b, _CMP_GT_OQ)); }
INLINE vm ne(vd a, vd b) { return bits(_mm256_cmp_pd(a, b, _CMP_NEQ_UQ)); }
INLINE vm lti(vi a, vi b) { return _mm256_cmpgt_epi64(b, a); }
INLINE vm both(vm a, vm b) { return _mm256_and_si256(a, b); }
INLINE int all(vm a) { return _mm256_movemask_pd(number(a)) == 0xf; }
INLINE int any(vm a) { return _mm256_movemask_pd(number(a)) != 0; }
INLINE vm truth(void) { return seti(-1); }
INLINE vi inc(vi a, vm m) { return _mm256_sub_epi64(a, m); }
INLINE vi deci(vi a, vm m) { return _mm256_add_epi64(a, m); }
INLINE vd choose(vm m, vd a, vd b) { return _mm256_blendv_pd(b, a, number(m)); }

INLINE vd widen(vf a) { return _mm256_cvtps_pd(a); }
INLINE vf narrow(vd a) { return _mm256_cvtpd_ps(a); }
INLINE vi widen_w(vw a) { return _mm256_cvtepi32_epi64(a); }
INLINE vw narrow_w(vi a) {
    return _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(a, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6)));
}
INLINE vd look_up(const double *t, vw i) { return look_up_4(t, i); }
#define WW(name) _mm_##name
#define WWI(name) _mm_##name##_si128

#endif

/* Once for each of the U registers that are worked on side by side. */
#define EACH(u) _Pragma("GCC unroll 8") for (int u = 0; u < U; u++)
