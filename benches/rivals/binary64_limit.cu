/* How many binary64 operations a device issues in a second: a search whose routine is 512 fused multiply-adds, eight
 * independent chains, which no compiler may shorten. The metric's six operations and seven sums are what remains. */
#include "search.cuh"

INLINE both evaluate(double x) {
    double chain[8];
    for (int i = 0; i < 8; ++i) chain[i] = (double)(i + 1);
#ifdef __CUDACC__
#pragma unroll 1
#endif
    for (int step = 0; step < 8; ++step) {
#ifdef __CUDACC__
#pragma unroll
#endif
        for (int part = 0; part < 8; ++part) {
#ifdef __CUDACC__
#pragma unroll
#endif
            for (int i = 0; i < 8; ++i) chain[i] = __fma_rn(chain[i], 0.5, x);
        }
    }
    double y = chain[0];
    for (int i = 1; i < 8; ++i) y = sum(y, chain[i]);
    /* Its own reference: the error is 0, and the way through the metric the short one. */
    return {y, y, 0, 0};
}
