/* Three Newton steps from ARM's estimate, without fused operations, against 1/x in double-double. */
#define SCALED
#include "search.h"
#include "estimate.h"

INLINE void evaluate_scaled(int64_t key, int64_t negative, vd *y, vd *hi, vd *lo, vi *scale) {
    vd x[U];
    EACH(u) x[u] = number(xori(iota(key + u * N), seti((int64_t)((uint64_t)negative >> 1))));
    EACH(u) y[u] = widen(estimate(narrow(x[u])));
    for (int step = 0; step < 3; step++) {
        vd p[U];
        EACH(u) p[u] = mul(y[u], x[u]);
        EACH(u) p[u] = sub(set(2), p[u]);
        EACH(u) y[u] = mul(y[u], p[u]);
    }
    EACH(u) {
        vm large = gt(size(x[u]), set(0x1.fffffffffffffp899));
        x[u] = mul(x[u], choose(large, set(0x1p-200), set(1)));
        scale[u] = bits(choose(large, number(seti(-200)), set(0)));
    }
    EACH(u) hi[u] = quo(set(1), x[u]);
    EACH(u) lo[u] = mul(hi[u], fnma(hi[u], x[u], set(1)));
}
