/* ARM's VRECPE on registers of binary32: fraction from a table of 256, exponent 253 - e, specials as Advanced SIMD has
 * them. `estimate` on as many lanes as binary64 has, `estimate_full` on a full register. */
#pragma once

#include "vector.h"

static int32_t estimates[256] __attribute__((aligned(64)));

static __attribute__((constructor)) void fill_estimates(void) {
    for (int i = 0; i < 256; i++) estimates[i] = ((((1 << 19) / (2 * (256 + i) + 1) + 1) >> 1) & 255) << 15;
}

#ifdef RIVAL_AVX512
#define CHOOSE(P, I, t, a, b) P##mask_mov_epi32(b, t, a)
#define EQUAL(P, a, b) P##cmpeq_epi32_mask(a, b)
#define GREATER(P, a, b) P##cmpgt_epi32_mask(a, b)
#define IS_NAN(P, x, S) P##cmp_ps_mask(x, x, _CMP_UNORD_Q)
#else
#define CHOOSE(P, I, t, a, b) P##blendv_epi8(b, a, t)
#define EQUAL(P, a, b) P##cmpeq_epi32(a, b)
#define GREATER(P, a, b) P##cmpgt_epi32(a, b)
#define IS_NAN(P, x, S) P##castps_##S(P##cmp_ps(x, x, _CMP_UNORD_Q))
#endif

#define ESTIMATE(NAME, F, I, P, S, GATHERED)                                                                          \
    INLINE F NAME(F x) {                                                                                              \
        I b = P##castps_##S(x);                                                                                       \
        I i = P##and_##S(P##srli_epi32(b, 15), P##set1_epi32(255));                                                   \
        I fraction = GATHERED;                                                                                        \
        I sign = P##and_##S(b, P##set1_epi32(INT32_MIN));                                                             \
        I e = P##and_##S(b, P##set1_epi32(0x7f800000));                                                               \
        I r = P##or_##S(P##sub_epi32(P##set1_epi32(253 << 23), e), fraction);                                         \
        r = CHOOSE(P, I, EQUAL(P, e, P##setzero_##S()), P##set1_epi32(0x7f800000), r);                                \
        r = CHOOSE(P, I, GREATER(P, P##set1_epi32(253 << 23), e), r, P##setzero_##S());                               \
        r = P##or_##S(r, sign);                                                                                       \
        r = CHOOSE(P, I, IS_NAN(P, x, S), P##set1_epi32(0x7fc00000), r);                                              \
        return P##cast##S##_ps(r);                                                                                    \
    }

INLINE __m256i two(__m256i i) {
    __m128i low = look_up_32(estimates, _mm256_castsi256_si128(i));
    return _mm256_set_m128i(look_up_32(estimates, _mm256_extracti128_si256(i, 1)), low);
}

#ifdef RIVAL_AVX512
INLINE __m512i four(__m512i i) {
    __m256i low = two(_mm512_castsi512_si256(i));
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), two(_mm512_extracti64x4_epi64(i, 1)), 1);
}
ESTIMATE(estimate, __m256, __m256i, _mm256_, si256, two(i))
ESTIMATE(estimate_full, __m512, __m512i, _mm512_, si512, four(i))
#else
ESTIMATE(estimate, __m128, __m128i, _mm_, si128, look_up_32(estimates, i))
ESTIMATE(estimate_full, __m256, __m256i, _mm256_, si256, two(i))
#endif
