/* e^x by Cephes' method, against the double-double reference with a table of 128. */
#define SCALED
#include "search.h"
#include "exp_constants.h"

INLINE vi power(vw n) { return shl(addi(widen_w(n), seti(1023)), 52); }

/* e^x by Cephes' method. */
INLINE vd cephes(vd x) {
    x = choose(gt(x, set(710)), set(710), x);
    x = choose(lt(x, set(-746)), set(-746), x);
    vd nd = floor_(add(mul(x, set(0x1.71547652b82fep+0)), set(0.5)));
    vd r = sub(x, mul(nd, set(0.693145751953125)));
    r = sub(r, mul(nd, set(1.4286068203094172e-6)));
    vd rr = mul(r, r);
    vd p = add(mul(add(mul(set(1.2617719307481059e-4), rr), set(3.0299440770744196e-2)), rr), set(1));
    p = mul(r, p);
    vd q = add(mul(set(3.0019850513866446e-6), rr), set(2.524483403496841e-3));
    q = add(mul(q, rr), set(2.2726554820815503e-1));
    q = add(mul(q, rr), set(2));
    vd y = add(set(1), mul(set(2), quo(p, sub(q, p))));
    vw n = to_w(nd);
    vw half = WW(srai_epi32)(n, 1);
    return mul(mul(y, number(power(half))), number(power(WW(sub_epi32)(n, half))));
}

typedef struct {
    vd hi, lo;
} dd;

INLINE dd two_sum(vd a, vd b) {
    vd s = add(a, b), t = sub(s, a);
    return (dd){s, add(sub(a, sub(s, t)), sub(b, t))};
}

INLINE dd fast_two_sum(vd a, vd b) {
    vd s = add(a, b);
    return (dd){s, sub(b, sub(s, a))};
}

INLINE dd product(vd a, vd b) {
    vd p = mul(a, b);
    return (dd){p, fms_(a, b, p)};
}

INLINE dd times(dd x, dd y) {
    dd c = product(x.hi, y.hi);
    return fast_two_sum(c.hi, add(c.lo, fma_(x.lo, y.hi, mul(x.hi, y.lo))));
}

INLINE dd times_double(dd x, vd y) {
    dd c = product(x.hi, y);
    return fast_two_sum(c.hi, fma_(x.lo, y, c.lo));
}

INLINE dd plus(dd x, dd y) {
    dd s = two_sum(x.hi, y.hi);
    return fast_two_sum(s.hi, add(s.lo, add(x.lo, y.lo)));
}

INLINE dd constant(double hi, double lo) { return (dd){set(hi), set(lo)}; }

INLINE dd expm1_small(dd r) {
    vd t = set(1.0 / 3628800.0);
    t = fma_(t, r.hi, set(1.0 / 362880.0));
    t = fma_(t, r.hi, set(1.0 / 40320.0));
    t = fma_(t, r.hi, set(1.0 / 5040.0));
    t = fma_(t, r.hi, set(1.0 / 720.0));
    dd s = plus(constant(HUNDRED_TWENTIETH_HI, HUNDRED_TWENTIETH_LO), times_double(r, t));
    s = plus(constant(0.25 * SIXTH_HI, 0.25 * SIXTH_LO), times(r, s));
    s = plus(constant(SIXTH_HI, SIXTH_LO), times(r, s));
    s = plus(constant(0.5, 0), times(r, s));
    dd c = product(r.hi, r.hi);
    dd square = fast_two_sum(c.hi, fma_(add(r.hi, r.hi), r.lo, c.lo));
    return plus(r, times(square, s));
}

INLINE dd reference(vd x, vi *scale) {
    x = choose(gt(x, set(710)), set(710), x);
    x = choose(lt(x, set(-800)), set(-800), x);
    vd steps = nearest(mul(x, set(STEPS)));
    vw k = to_w(steps);
    dd r = two_sum(fnma(steps, set(STEP_1), x), negate(mul(steps, set(STEP_2))));
    r = fast_two_sum(r.hi, fnma(steps, set(STEP_3), r.lo));
    dd q = expm1_small(r);
    vw i = WWI(and)(k, WW(set1_epi32)(127));
    vd head = look_up(POWERS_HI, i), mid = look_up(POWERS_MID, i);
    dd p = times((dd){head, mid}, q);
    dd a = fast_two_sum(head, p.hi);
    dd b = two_sum(a.lo, mid);
    dd c = fast_two_sum(a.hi, b.hi);
    dd y = fast_two_sum(c.hi, add(c.lo, add(b.lo, add(p.lo, look_up(POWERS_LO, i)))));
    vw e = WW(srai_epi32)(k, 7);
    vw within = WW(min_epi32)(WW(max_epi32)(e, WW(set1_epi32)(-900)), WW(set1_epi32)(1000));
    vd factor = number(power(within));
    /* Of a NaN, which k knows nothing of, it is 0. */
    *scale = bits(choose(ne(x, x), set(0), number(widen_w(WW(sub_epi32)(e, within)))));
    return (dd){mul(y.hi, factor), mul(y.lo, factor)};
}

INLINE void evaluate_scaled(int64_t key, int64_t negative, vd *y, vd *hi, vd *lo, vi *scale) {
    vd x[U];
    EACH(u) x[u] = number(xori(iota(key + u * N), seti((int64_t)((uint64_t)negative >> 1))));
    EACH(u) y[u] = cephes(x[u]);
    EACH(u) {
        dd r = reference(x[u], &scale[u]);
        hi[u] = r.hi;
        lo[u] = r.lo;
    }
}
