/* e^x by Cephes' method, against the double-double reference with a table of 128. */
#include "search.cuh"
#define CONSTANTS static __device__ const double
#include "exp_constants.h"

INLINE double power(int n) { return real_of((u64)(unsigned)(n + 1023) << 52); }

INLINE double cephes(double x) {
    x = x > 710 ? 710 : x;
    x = x < -746 ? -746 : x;
    double whole = floor(sum(product(x, 1.4426950408889634), 0.5));
    double r = difference(x, product(whole, 0.693145751953125));
    r = difference(r, product(whole, 1.4286068203094172e-6));
    double rr = product(r, r);
    double p = sum(product(sum(product(1.2617719307481059e-4, rr), 3.0299440770744196e-2), rr), 1);
    p = product(r, p);
    double q = sum(product(3.0019850513866446e-6, rr), 2.524483403496841e-3);
    q = sum(product(q, rr), 2.2726554820815503e-1);
    q = sum(product(q, rr), 2);
    double y = sum(1, product(2, __ddiv_rn(p, difference(q, p))));
    int n = __double2int_rz(whole), half = n >> 1;
    return product(product(y, power(half)), power(n - half));
}

struct dd {
    double hi, lo;
};

INLINE dd two_sum(double a, double b) {
    double s = sum(a, b), t = difference(s, a);
    return {s, sum(difference(a, difference(s, t)), difference(b, t))};
}

INLINE dd fast_two_sum(double a, double b) {
    double s = sum(a, b);
    return {s, difference(b, difference(s, a))};
}

INLINE dd exact_product(double a, double b) {
    double p = product(a, b);
    return {p, __fma_rn(a, b, -p)};
}

INLINE dd times(dd x, dd y) {
    dd c = exact_product(x.hi, y.hi);
    return fast_two_sum(c.hi, sum(c.lo, __fma_rn(x.lo, y.hi, product(x.hi, y.lo))));
}

INLINE dd times(dd x, double y) {
    dd c = exact_product(x.hi, y);
    return fast_two_sum(c.hi, __fma_rn(x.lo, y, c.lo));
}

INLINE dd plus(dd x, dd y) {
    dd s = two_sum(x.hi, y.hi);
    return fast_two_sum(s.hi, sum(s.lo, sum(x.lo, y.lo)));
}

INLINE dd expm1_small(dd r) {
    double t = 1.0 / 3628800.0;
    t = __fma_rn(t, r.hi, 1.0 / 362880.0);
    t = __fma_rn(t, r.hi, 1.0 / 40320.0);
    t = __fma_rn(t, r.hi, 1.0 / 5040.0);
    t = __fma_rn(t, r.hi, 1.0 / 720.0);
    dd s = plus({HUNDRED_TWENTIETH_HI, HUNDRED_TWENTIETH_LO}, times(r, t));
    s = plus({0.25 * SIXTH_HI, 0.25 * SIXTH_LO}, times(r, s));
    s = plus({SIXTH_HI, SIXTH_LO}, times(r, s));
    s = plus({0.5, 0}, times(r, s));
    dd c = exact_product(r.hi, r.hi);
    dd square = fast_two_sum(c.hi, __fma_rn(sum(r.hi, r.hi), r.lo, c.lo));
    return plus(r, times(square, s));
}

INLINE dd reference(double x, int *scale) {
    x = x > 710 ? 710 : x;
    x = x < -800 ? -800 : x;
    double steps = rint(product(x, STEPS));
    int k = __double2int_rz(steps);
    dd r = two_sum(__fma_rn(-steps, STEP_1, x), -product(steps, STEP_2));
    r = fast_two_sum(r.hi, __fma_rn(-steps, STEP_3, r.lo));
    dd q = expm1_small(r);
    int i = k & 127;
    double head = POWERS_HI[i], mid = POWERS_MID[i];
    dd p = times(dd{head, mid}, q);
    dd a = fast_two_sum(head, p.hi);
    dd b = two_sum(a.lo, mid);
    dd c = fast_two_sum(a.hi, b.hi);
    dd y = fast_two_sum(c.hi, sum(c.lo, sum(b.lo, sum(p.lo, POWERS_LO[i]))));
    int e = k >> 7, within = e < -900 ? -900 : e > 1000 ? 1000 : e;
    /* Of a NaN, which k knows nothing of, it is 0. */
    *scale = x != x ? 0 : e - within;
    return {product(y.hi, power(within)), product(y.lo, power(within))};
}

INLINE both evaluate(double x) {
    int scale;
    dd r = reference(x, &scale);
    return {cephes(x), r.hi, r.lo, scale};
}
