/* Three Newton steps from ARM's estimate, without fused operations, against 1/x in double-double. */
#include "search.h"
#include "estimate.h"

INLINE void evaluate(int64_t key, int64_t negative, vd *y, vd *hi, vd *lo) {
    vd x[U];
    EACH(u) x[u] = number(xori(iota(key + u * N), seti((int64_t)((uint64_t)negative >> 1))));
    EACH(u) y[u] = widen(estimate(narrow(x[u])));
    for (int step = 0; step < 3; step++) {
        vd p[U];
        EACH(u) p[u] = mul(y[u], x[u]);
        EACH(u) p[u] = sub(set(2), p[u]);
        EACH(u) y[u] = mul(y[u], p[u]);
    }
    EACH(u) hi[u] = quo(set(1), x[u]);
    EACH(u) lo[u] = mul(hi[u], fnma(hi[u], x[u], set(1)));
}
