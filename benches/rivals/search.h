/* The search as one would write it by hand for one kernel: every input of a stretch of keys, the metric, and all that a
 * block's result holds. `evaluate` is the kernel file's: routine and reference for U registers of inputs side by side.
 *
 * Compiled with FUSED, inputs go through kernels and metric in registers; otherwise results and references of a chunk
 * lie in the first-level cache between two loops, which leaves each more registers. A chunk in which anything is not
 * ordinary (tiny references, scales, errors from 2 ULP on or near one half, NaNs) is measured input by input; one with a new maximum is looked
 * through for it. With MAXIMUM_ONLY neither histogram nor digest nor misrounded results are counted, for scale. */
#pragma once

#include "vector.h"

#include <math.h>
#include <string.h>

#ifndef U
#define U 4
#endif

/* Registers between two foldings of the histogram, whose nibbles count to 15. */
#define TILE (U < 8 ? 12 : 8)
#define TILES 20
#define CHUNK (TILES * TILE * N)

struct extreme {
    uint64_t error;
    int64_t key;
};

struct block {
    uint64_t count;
    struct extreme most, above, below;
    uint64_t misrounded;
    uint64_t undecided;
    uint64_t faults[3];
    int64_t fault_keys[3];
    uint64_t digest;
    uint64_t histogram[16];
};

/* U registers of results (binary32 ones widened) and references at inputs with keys from `key` up; where SCALED is
 * defined, the references' scales, too. */
#ifdef SCALED
INLINE void evaluate_scaled(int64_t key, int64_t negative, vd *y, vd *hi, vd *lo, vi *scale);
#else
INLINE void evaluate(int64_t key, int64_t negative, vd *y, vd *hi, vd *lo);
INLINE void evaluate_scaled(int64_t key, int64_t negative, vd *y, vd *hi, vd *lo, vi *scale) {
    evaluate(key, negative, y, hi, lo);
    EACH(u) scale[u] = seti(0);
}
#endif

INLINE uint64_t word(double x) {
    uint64_t b;
    memcpy(&b, &x, 8);
    return b;
}

INLINE double real_of(uint64_t b) {
    double x;
    memcpy(&x, &b, 8);
    return x;
}

#define KEY_FACTOR 0x9e3779b97f4a7c15ull
#define EXPONENT 0x7ff0000000000000ll

/* -- one input, whatever it is -- */

INLINE uint64_t turned(uint64_t x) { return x << 21 | x >> 43; }

INLINE uint64_t canonical(double x) { return x != x ? 0x7ff8000000000000ull : word(x); }

static void raise_to(struct extreme *e, uint64_t error, int64_t key) {
    if (error > e->error || (error == e->error && key < e->key)) {
        e->error = error;
        e->key = key;
    }
}

static __attribute__((noinline)) void measure(struct block *b, int64_t key, double y, double hi, double lo_given,
                                             int64_t scale) {
#ifdef BINARY32
    double r = (double)(float)hi;
    int y_infinite = fabs(y) == INFINITY, r_infinite = fabs(r) == INFINITY;
    double counted = y_infinite ? copysign(0x1p128, y) : y;
    int64_t e = (int64_t)(word(hi) & INT64_MAX) >> 52;
    e = e < 897 ? 897 : e > 1151 ? 1151 : e;
    double error = (counted - hi) * real_of((uint64_t)(2069 - e) << 52);
    int coarse = 0, sides = (y < 0) != (r < 0);
    const double near = 0x1p-28;
    float narrow_y = (float)y;
    uint32_t nb;
    memcpy(&nb, &narrow_y, 4);
    int64_t y_bits = y != y ? 0x7fc00000 : (int32_t)nb;
    uint64_t all_words = (uint64_t)y_bits ^ turned(canonical(hi));
    (void)lo_given;
    (void)scale;
#else
    double lo = fabs(lo_given) < INFINITY ? lo_given : 0;
    int zero = hi == 0 && lo == 0, scaled = scale != 0;
    int coarse = !zero && fabs(hi) < INFINITY && fabs(y) < INFINITY &&
                 (fabs(hi) < 0x1p-971 || scale < -1100 || scale > 1100 || (scaled && fabs(hi) >= 0x1p1023));
    int s = zero ? 0 : scale < -1100 ? -1100 : scale > 1100 ? 1100 : (int)scale;
    double r = ldexp(hi + lo, s);
    int y_infinite = fabs(y) == INFINITY, r_infinite = fabs(r) == INFINITY;
    int sides = (y < 0) != (r < 0);
    const double near = 0x1p-45;
    double half = y_infinite ? 0.5 : 1;
    double counted = y_infinite ? copysign(0x1p1023, y) : y;
    double difference = (ldexp(counted, -s) - hi * half) - lo * half;
    int inward = lo != 0 && (lo < 0) != (hi < 0);
    int64_t magnitude = (int64_t)(word(hi) & INT64_MAX) - inward;
    int e = (int)((magnitude > 1ll << 52 ? magnitude : 1ll << 52) >> 52);
    int to_ulp = 1075 - e < s + 1074 ? 1075 - e : s + 1074;
    double error = ldexp(difference, to_ulp + y_infinite);
    error = error < 0x1.fffffffffffffp1023 ? error : 0x1.fffffffffffffp1023;
    error = error > -0x1.fffffffffffffp1023 ? error : -0x1.fffffffffffffp1023;
    uint64_t all_words = canonical(y) ^ turned(canonical(hi) ^ turned(canonical(lo_given) ^ turned((uint64_t)scale)));
#endif
    int y_nan = y != y, r_nan = hi != hi;
    b->count++;
    uint64_t weight = (uint64_t)key * KEY_FACTOR;
    weight = (weight ^ weight >> 32) | 1;
    b->digest += (all_words ^ all_words >> 32) * weight;
    int no_number = y_nan || r_nan;
    int undecided = coarse || (!no_number && fabs(fabs(error) - 0.5) <= near);
    int beyond_all = y_infinite && fabs(error) >= 2;
    int excluded = no_number || r_infinite || coarse || beyond_all, counts = !excluded && !undecided;
    int infinity = !no_number && !undecided && (y_infinite || r_infinite) && (y_infinite != r_infinite || sides);
    b->misrounded += y_nan != r_nan || (infinity && excluded) || (counts && fabs(error) > 0.5);
    b->undecided += undecided;
    int fault[3] = {y_nan != r_nan, infinity, counts && y == 0 && fabs(error) < 0.5 && signbit(y) != signbit(hi)};
    for (int i = 0; i < 3; i++) {
        if (fault[i]) {
            if (!b->faults[i]++) b->fault_keys[i] = key;
        }
    }
    if (excluded) return;
    double m = fabs(error);
    int bin = m < 2 ? (int)(m * 4) : (int)(word(m) >> 52) - 1016;
    b->histogram[bin > 15 ? 15 : bin]++;
    raise_to(&b->most, word(m), key);
    if (error > 0) raise_to(&b->above, word(m), key);
    if (error < 0) raise_to(&b->below, word(m), key);
}

/* -- many, of which nothing is remarkable -- */

/* What tells at a chunk's end whether all of it was ordinary: for binary64 the least scaling factor, which is negative or
 * tiny where a reference is too small or too large, and the scales, joined by "or"; for binary32 the least and the largest
 * reference; for both the quarters of an ULP, joined by "or", in which larger errors and NaNs show, and how far the nearest
 * error is from one half. */
struct sums {
    vd most, least, largest, beside;
    vi misrounded, digest, weight, nibbles, quarters, scales;
    vm ordinary;
};

INLINE vd error_of(vd y, vd hi, vd lo, struct sums *s) {
#ifdef BINARY32
    vd magnitude = size(hi);
    vi e = andi(bits(larger(magnitude, set(0x1p-126))), seti(EXPONENT));
    vd error = mul(sub(y, hi), number(subi(seti((int64_t)(2069ull << 52)), e)));
    s->least = smaller(magnitude, s->least);
    s->largest = larger(magnitude, s->largest);
    (void)lo;
#else
    vd difference = sub(sub(y, hi), lo);
    vd outward = number(xori(bits(lo), andi(bits(hi), seti(INT64_MIN))));
    vi e = andi(deci(bits(hi), lt(outward, set(0))), seti(EXPONENT));
    vd factor = number(subi(seti((int64_t)(2098ull << 52)), e));
    vd error = mul(difference, factor);
    s->least = smaller(factor, s->least);
#endif
    return error;
}

INLINE void take(struct sums *s, vd y, vd hi, vd lo, double *errors) {
    vd error = error_of(y, hi, lo, s), magnitude = size(error);
    store(errors, error);
    s->most = larger(magnitude, s->most);
#ifdef MAXIMUM_ONLY
    s->ordinary = both(s->ordinary, lt(magnitude, set(2)));
#else
    /* Quarters of an ULP at the bottom of the bits: of them, the low half of a lane, times 4, is the place of a nibble. */
    vi quarters = bits(add(floor_(mul(magnitude, set(4))), set(0x1p52)));
    s->quarters = ori(s->quarters, quarters);
    s->nibbles = addi(s->nibbles, nibble(quarters));
    s->beside = smaller(size(sub(magnitude, set(0.5))), s->beside);
    s->misrounded = inc(s->misrounded, lt(set(0.5), magnitude));
#ifdef BINARY32
    vi w = xori(widen_w(WWI(castps)(narrow(y))), rotate21(bits(hi)));
#else
    vi w = xori(bits(y), rotate21(xori(bits(hi), rotate21(bits(lo)))));
#endif
    vi odd = ori(xori(s->weight, shr(s->weight, 32)), seti(1));
    s->digest = addi(s->digest, muli(xori(w, shr(w, 32)), odd));
    s->weight = addi(s->weight, seti((int64_t)(KEY_FACTOR * N)));
#endif
}

INLINE int all_ordinary(const struct sums *s) {
    int64_t quarters[N];
    double least[N], largest[N], beside[N];
    int64_t scales[N];
    int so = all(s->ordinary);
    storei(quarters, s->quarters);
    store(least, s->least);
    store(largest, s->largest);
    store(beside, s->beside);
    storei(scales, s->scales);
    for (int i = 0; i < N; i++) {
        so &= (quarters[i] & ~7ll) == (int64_t)word(0x1p52);
        so &= beside[i] > 0x1p-28 && scales[i] == 0;
#ifdef BINARY32
        so &= least[i] >= 0x1p-149 && largest[i] < 0x1.ffffffp127;
#else
        so &= least[i] >= 0x1p-970;
#endif
    }
    return so;
}

struct results {
    double y[CHUNK], hi[CHUNK], lo[CHUNK];
    int64_t scale[CHUNK];
};

INLINE void fill(struct results *r, int64_t key, int64_t negative) {
    for (int at = 0; at < CHUNK; at += U * N) {
        vd y[U], hi[U], lo[U];
        vi scale[U];
        evaluate_scaled(key + at, negative, y, hi, lo, scale);
        EACH(u) {
            storei(r->scale + at + u * N, scale[u]);
            store(r->y + at + u * N, y[u]);
            store(r->hi + at + u * N, hi[u]);
            store(r->lo + at + u * N, lo[u]);
        }
    }
}

INLINE uint64_t sum_of(vi x) {
    int64_t lanes[N];
    uint64_t sum = 0;
    storei(lanes, x);
    for (int i = 0; i < N; i++) sum += (uint64_t)lanes[i];
    return sum;
}

/* A chunk, or its first inputs, one by one. */
static __attribute__((noinline)) void one_by_one(struct block *b, int64_t key, int64_t negative, int inputs) {
    struct results r;
    fill(&r, key, negative);
    for (int i = 0; i < inputs; i++) measure(b, key + i, r.y[i], r.hi[i], r.lo[i], r.scale[i]);
}

/* The extremes of an ordinary chunk, whose errors these are. */
static __attribute__((noinline)) void raise_all(struct block *b, int64_t key, const double *errors) {
    for (int i = 0; i < CHUNK; i++) {
        uint64_t error = word(fabs(errors[i]));
        if (error > b->most.error || b->most.key == INT64_MAX) b->most = (struct extreme){error, key + i};
        if (errors[i] > 0 && error > b->above.error) b->above = (struct extreme){error, key + i};
        if (errors[i] < 0 && error > b->below.error) b->below = (struct extreme){error, key + i};
    }
}

static void count_bytes(struct block *b, vi even, vi odd) {
    int64_t lanes[2][N];
    storei(lanes[0], even);
    storei(lanes[1], odd);
    for (int parity = 0; parity < 2; parity++)
        for (int i = 0; i < N; i++)
            for (int bin = 0; bin < 8; bin++) b->histogram[2 * bin + parity] += lanes[parity][i] >> 8 * bin & 255;
}

void search(int64_t first, uint64_t count, struct block *b) {
    memset(b, 0, sizeof *b);
    b->most.key = b->above.key = b->below.key = INT64_MAX;
    while (count) {
        int64_t negative = first >> 63;
        uint64_t left = negative && (uint64_t)-first < count ? (uint64_t)-first : count;
        count -= left;
        struct sums s;
        s.misrounded = s.digest = seti(0);
        s.weight = muli(iota(first), seti((int64_t)KEY_FACTOR));
        for (; left >= CHUNK; left -= CHUNK, first += CHUNK) {
            vi misrounded = s.misrounded, digest = s.digest;
            /* Bytes of the histogram, even bins and odd ones. */
            vi even = seti(0), odd = seti(0);
            double errors[CHUNK];
            s.most = s.largest = set(0);
#ifdef BINARY32
            s.least = set(INFINITY);
#else
            s.least = set(1);
#endif
            s.quarters = bits(set(0x1p52));
            s.beside = set(1);
            s.scales = seti(0);
            s.ordinary = truth();
#ifndef FUSED
            struct results r;
            fill(&r, first, negative);
#endif
            for (int tile = 0; tile < CHUNK; tile += TILE * N) {
                s.nibbles = seti(0);
#ifdef FUSED
                for (int at = tile; at < tile + TILE * N; at += U * N) {
                    vd y[U], hi[U], lo[U];
                    vi scale[U];
                    evaluate_scaled(first + at, negative, y, hi, lo, scale);
                    EACH(u) s.scales = ori(s.scales, scale[u]);
                    EACH(u) take(&s, y[u], hi[u], lo[u], errors + at + u * N);
                }
#else
                for (int at = tile; at < tile + TILE * N; at += N) {
                    take(&s, load(r.y + at), load(r.hi + at), load(r.lo + at), errors + at);
#ifdef SCALED
                    s.scales = ori(s.scales, bits(load((const double *)(r.scale + at))));
#endif
                }
#endif
                even = addi(even, andi(s.nibbles, seti(0x0f0f0f0f0f0f0f0fll)));
                odd = addi(odd, andi(shr(s.nibbles, 4), seti(0x0f0f0f0f0f0f0f0fll)));
            }
            if (__builtin_expect(!all_ordinary(&s), 0)) {
                s.misrounded = misrounded;
                s.digest = digest;
                one_by_one(b, first, negative, CHUNK);
                continue;
            }
            b->count += CHUNK;
            count_bytes(b, even, odd);
            double lower = real_of(b->above.error < b->below.error ? b->above.error : b->below.error);
            if (any(gt(s.most, set(lower))) || b->most.key == INT64_MAX) {
                vd above = set(0), below = set(0);
                for (int at = 0; at < CHUNK; at += N) {
                    above = larger(load(errors + at), above);
                    below = smaller(load(errors + at), below);
                }
                vm raised = gt(above, set(real_of(b->above.error)));
                vm lowered = lt(below, set(-real_of(b->below.error)));
                if (any(raised) || any(lowered) || b->most.key == INT64_MAX) raise_all(b, first, errors);
            }
        }
        b->misrounded += sum_of(s.misrounded);
        b->digest += sum_of(s.digest);
        if (left) one_by_one(b, first, negative, (int)left);
        first += (int64_t)left;
    }
}
