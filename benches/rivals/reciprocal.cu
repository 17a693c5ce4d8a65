/* Three Newton steps from ARM's estimate, without fused operations, against 1/x in double-double. */
#include "search.cuh"
#include "estimate.cuh"

INLINE both evaluate(double x) {
    double y = (double)estimate(__double2float_rn(x));
    for (int step = 0; step < 3; ++step) y = product(y, difference(2, product(y, x)));
    double hi = __drcp_rn(x);
    return {y, hi, product(hi, __fma_rn(-hi, x, 1))};
}
