/* Three Newton steps from ARM's estimate, without fused operations, against 1/x in double-double. */
#include "search.cuh"
#include "estimate.cuh"

INLINE both evaluate(double x) {
    double y = (double)estimate(__double2float_rn(x));
    for (int step = 0; step < 3; ++step) y = product(y, difference(2, product(y, x)));
    bool large = fabs(x) >= real_of(0x7830000000000000ull);
    x = product(x, large ? real_of(0x3370000000000000ull) : 1);
    double hi = __drcp_rn(x);
    return {y, hi, product(hi, __fma_rn(-hi, x, 1)), large ? -200 : 0};
}
