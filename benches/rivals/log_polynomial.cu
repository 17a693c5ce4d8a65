/* The polynomial of degree 21 for log x by Horner's scheme, against the compensated scheme with two error polynomials. */
#include "search.cuh"

static __device__ const double C[20] = {
    -0x1.0000000000000p-1, 0x1.555555555554bp-2, -0x1.ffffffffff8d8p-3, 0x1.999999999bd4cp-3,
    -0x1.55555555e9417p-3, 0x1.24924923d0fe3p-3, -0x1.ffffff7c1c381p-4, 0x1.c71c71a521c51p-4,
    -0x1.9999b606b322bp-4, 0x1.745d3bb151d1ap-4, -0x1.5551fe8eb86a1p-4, 0x1.3b0ca0e031b03p-4,
    -0x1.24ca346cfdd6dp-4, 0x1.11b7590315239p-4, -0x1.fc495fb3551ffp-5, 0x1.d1d8894c28c66p-5,
    -0x1.cf8cb97c213ebp-5, 0x1.07b1bd1207c79p-4, -0x1.e8ff65d56d044p-5, 0x1.b2cec0fd8aebcp-6,
};

INLINE void two_sum(double a, double b, double *s, double *e) {
    *s = sum(a, b);
    double t = difference(*s, a);
    *e = sum(difference(a, difference(*s, t)), difference(b, t));
}

INLINE void fast_two_sum(double a, double b, double *s, double *e) {
    double t = sum(a, b);
    *e = difference(b, difference(t, a));
    *s = t;
}

INLINE both evaluate(double x) {
    double t = difference(x, 1), y = C[19], h = C[19], products = 0, sums = 0;
#ifdef __CUDACC__
#pragma unroll
#endif
    for (int i = 18; i >= 0; --i) {
        y = __fma_rn(y, t, C[i]);
        double p = product(h, t), pe = __fma_rn(h, t, -p), se;
        two_sum(p, C[i], &h, &se);
        products = __fma_rn(products, t, pe);
        sums = __fma_rn(sums, t, se);
    }
    y = __fma_rn(t, product(t, y), t);
    double l, hi, lo, s, e;
    two_sum(h, sum(products, sums), &h, &l);
    for (int twice = 0; twice < 2; ++twice) {
        double p = product(h, t), pe = __fma_rn(h, t, -p);
        fast_two_sum(p, __fma_rn(l, t, pe), &h, &l);
    }
    two_sum(h, t, &s, &e);
    fast_two_sum(s, sum(l, e), &hi, &lo);
    return {y, hi, lo};
}
