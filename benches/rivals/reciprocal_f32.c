/* In binary32, two Newton steps from ARM's estimate with fused operations, against 1/x in binary64. The routine's part
 * is done on full registers of binary32, two registers of binary64 at a time. */
#define BINARY32
#include "search.h"
#include "estimate.h"

#if U == 1
#error "two registers at least"
#endif

INLINE void evaluate(int64_t key, int64_t negative, vd *y, vd *hi, vd *lo) {
    EACH(u) {
        if (u % 2) continue;
#ifdef RIVAL_AVX512
        __m512i k = _mm512_add_epi32(_mm512_set1_epi32((int32_t)(key + u * N)),
                                     _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
        __m512 x = _mm512_castsi512_ps(_mm512_xor_si512(k, _mm512_set1_epi32((int32_t)((uint32_t)negative >> 1))));
        __m512 z = estimate_full(x), one = _mm512_set1_ps(1);
        z = _mm512_fmadd_ps(z, _mm512_fnmadd_ps(z, x, one), z);
        z = _mm512_fmadd_ps(z, _mm512_fnmadd_ps(z, x, one), z);
        vf x0 = _mm512_castps512_ps256(x), x1 = _mm512_extractf32x8_ps(x, 1);
        vf z0 = _mm512_castps512_ps256(z), z1 = _mm512_extractf32x8_ps(z, 1);
#else
        __m256i k = _mm256_add_epi32(_mm256_set1_epi32((int32_t)(key + u * N)),
                                     _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
        __m256 x = _mm256_castsi256_ps(_mm256_xor_si256(k, _mm256_set1_epi32((int32_t)((uint32_t)negative >> 1))));
        __m256 z = estimate_full(x), one = _mm256_set1_ps(1);
        z = _mm256_fmadd_ps(z, _mm256_fnmadd_ps(z, x, one), z);
        z = _mm256_fmadd_ps(z, _mm256_fnmadd_ps(z, x, one), z);
        vf x0 = _mm256_castps256_ps128(x), x1 = _mm256_extractf128_ps(x, 1);
        vf z0 = _mm256_castps256_ps128(z), z1 = _mm256_extractf128_ps(z, 1);
#endif
        y[u] = widen(z0);
        y[u + 1] = widen(z1);
        hi[u] = quo(set(1), widen(x0));
        hi[u + 1] = quo(set(1), widen(x1));
        lo[u] = lo[u + 1] = set(0);
    }
}
