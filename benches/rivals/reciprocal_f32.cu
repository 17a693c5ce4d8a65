/* In binary32, two Newton steps from ARM's estimate with fused operations, against 1/x in binary64. */
#define BINARY32
#include "search.cuh"
#include "estimate.cuh"

INLINE both evaluate(float x) {
    float y = estimate(x);
    for (int step = 0; step < 2; ++step) y = __fmaf_rn(y, __fmaf_rn(-y, x, 1), y);
    return {y, __drcp_rn((double)x), 0};
}
