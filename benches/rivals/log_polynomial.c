/* The polynomial of degree 21 for log x by Horner's scheme, against the compensated scheme with two error polynomials. */
#include "search.h"

static const double C[20] = {
    -0x1.0000000000000p-1, 0x1.555555555554bp-2, -0x1.ffffffffff8d8p-3, 0x1.999999999bd4cp-3,
    -0x1.55555555e9417p-3, 0x1.24924923d0fe3p-3, -0x1.ffffff7c1c381p-4, 0x1.c71c71a521c51p-4,
    -0x1.9999b606b322bp-4, 0x1.745d3bb151d1ap-4, -0x1.5551fe8eb86a1p-4, 0x1.3b0ca0e031b03p-4,
    -0x1.24ca346cfdd6dp-4, 0x1.11b7590315239p-4, -0x1.fc495fb3551ffp-5, 0x1.d1d8894c28c66p-5,
    -0x1.cf8cb97c213ebp-5, 0x1.07b1bd1207c79p-4, -0x1.e8ff65d56d044p-5, 0x1.b2cec0fd8aebcp-6,
};

INLINE void two_sum(vd a, vd b, vd *s, vd *e) {
    *s = add(a, b);
    vd t = sub(*s, a);
    *e = add(sub(a, sub(*s, t)), sub(b, t));
}

INLINE void fast_two_sum(vd a, vd b, vd *s, vd *e) {
    vd sum = add(a, b);
    *e = sub(b, sub(sum, a));
    *s = sum;
}

INLINE void evaluate(int64_t key, int64_t negative, vd *y, vd *hi, vd *lo) {
    vd t[U], products[U], sums[U];
    EACH(u) {
        t[u] = sub(number(xori(iota(key + u * N), seti((int64_t)((uint64_t)negative >> 1)))), set(1));
        y[u] = hi[u] = set(C[19]);
        products[u] = sums[u] = set(0);
    }
    _Pragma("GCC unroll 20") for (int i = 18; i >= 0; i--) {
        EACH(u) {
            y[u] = fma_(y[u], t[u], set(C[i]));
            vd p = mul(hi[u], t[u]);
            vd pe = fms_(hi[u], t[u], p);
            vd se;
            two_sum(p, set(C[i]), &hi[u], &se);
            products[u] = fma_(products[u], t[u], pe);
            sums[u] = fma_(sums[u], t[u], se);
        }
    }
    EACH(u) {
        y[u] = fma_(t[u], mul(t[u], y[u]), t[u]);
        vd h, l;
        two_sum(hi[u], add(products[u], sums[u]), &h, &l);
        for (int twice = 0; twice < 2; twice++) {
            vd p = mul(h, t[u]);
            vd pe = fms_(h, t[u], p);
            fast_two_sum(p, fma_(l, t[u], pe), &h, &l);
        }
        vd s, e;
        two_sum(h, t[u], &s, &e);
        fast_two_sum(s, add(l, e), &hi[u], &lo[u]);
    }
}
