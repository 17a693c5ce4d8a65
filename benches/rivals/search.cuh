/* The search as one would write it by hand in CUDA for one kernel; what `search.h` is for processors. `evaluate` is the
 * kernel file's: routine and reference at one input.
 *
 * Each thread takes every so-many-th key. An ordinary input, whose error lies between the extremes that the thread has
 * seen and is below 2 ULP, takes a few instructions; all others are judged in full. The histogram is in shared memory, a
 * counter a thread and bin, so that registers are left for enough warps.
 *
 * Records are those of `kernels_gen::emit::RECORD`, a thread each, which the second kernel of our texts merges. */

typedef unsigned long long u64;
typedef long long i64;

#define THREADS 128
#define WORDS 31
#define INLINE static __device__ __forceinline__
#define KEY_FACTOR 0x9e3779b97f4a7c15ull
#define INFINITE real_of(0x7ff0000000000000ull)
/* The largest number below 2. */
#define BELOW_2 real_of(0x3fffffffffffffffull)

INLINE u64 word(double x) { return (u64)__double_as_longlong(x); }
INLINE double real_of(u64 b) { return __longlong_as_double((i64)b); }
INLINE u64 canonical(double x) { return x != x ? 0x7ff8000000000000ull : word(x); }
INLINE u64 turned(u64 x) { return x << 21 | x >> 43; }
INLINE double product(double a, double b) { return __dmul_rn(a, b); }
INLINE double sum(double a, double b) { return __dadd_rn(a, b); }
INLINE double difference(double a, double b) { return __dsub_rn(a, b); }
INLINE u64 mixed(u64 weight, u64 w) { return (w ^ w >> 32) * ((weight ^ weight >> 32) | 1); }

#ifdef BINARY32
typedef float real;
typedef unsigned bits_of_real;
#define NUMBER(key) __int_as_float((int)((unsigned)(key) ^ ((unsigned)((int)(unsigned)(key) >> 31) & 0x7fffffffu)))
#else
typedef double real;
#define NUMBER(key) real_of((key) ^ ((u64)((i64)(key) >> 63) & 0x7fffffffffffffffull))
#endif

/* Result and reference. */
struct both {
    real y;
    double hi, lo;
};
INLINE both evaluate(real x);

struct state {
    u64 key, weight, digest, counted_key, most_key, least_key;
    double most, least;
    /* The same below 2 ULP. */
    double above, below;
    unsigned misrounded;
};

/* What is ordinary but for the size of its error. */
INLINE bool short_form(const both &b, u64 weight, double *error, bool *wrong, u64 *mix) {
#ifdef BINARY32
    float rounded = __double2float_rn(b.hi);
    *error = product(difference((double)b.y, b.hi), real_of(0x8150000000000000ull - (word(b.hi) & 0x7ff0000000000000ull)));
    *wrong = b.y != rounded;
    *mix = mixed(weight, (u64)(i64)__float_as_int(b.y) ^ turned(word(b.hi)));
    return (fabsf(rounded) > 1.17549435e-38f) & (fabsf(rounded) < __int_as_float(0x7f000000));
#else
    u64 w = word(b.hi), exponent = w & 0x7ff0000000000000ull;
    *error = product(difference(difference(b.y, b.hi), b.lo), real_of(0x8320000000000000ull - exponent));
    *wrong = b.y != sum(b.hi, b.lo);
    *mix = mixed(weight, word(b.y) ^ turned(w ^ turned(word(b.lo))));
    return (exponent >= 0x0340000000000000ull) & ((w & 0xfffffffffffffull) != 0);
#endif
}

INLINE void judge(state *s, unsigned (*bins)[THREADS], u64 *record, u64 threads, const both &b) {
    double y = b.y, hi = b.hi;
    bool y_nan = y != y, r_nan = hi != hi;
#ifdef BINARY32
    float rounded = __double2float_rn(hi);
    double lo = 0, r = rounded, reach = r;
    bool y_infinite = fabs(y) == INFINITE, r_infinite = fabs(r) == INFINITE;
    double counted = y_infinite ? real_of(0x47f0000000000000ull | (word(y) & 1ull << 63)) : y;
    i64 e = (i64)(word(hi) & ~(1ull << 63)) >> 52;
    e = r_nan ? 1151 : e < 897 ? 897 : e > 1151 ? 1151 : e;
    double error = product(difference(counted, hi), real_of((u64)(2069 - e) << 52));
    u64 w = (u64)(i64)(y_nan ? 0x7fc00000 : __float_as_int(b.y)) ^ turned(canonical(hi));
#else
    double lo = fabs(b.lo) < INFINITE ? b.lo : 0, r = sum(hi, lo), reach = hi;
    bool y_infinite = fabs(y) == INFINITE, r_infinite = fabs(hi) == INFINITE;
    double half = y_infinite ? 0.5 : 1;
    double counted = y_infinite ? real_of(0x7fe0000000000000ull | (word(y) & 1ull << 63)) : y;
    double off = difference(difference(counted, product(hi, half)), product(lo, half));
    i64 magnitude = (i64)(word(hi) & ~(1ull << 63)) - (lo != 0 && (lo < 0) != (hi < 0));
    i64 e = (magnitude > 1ll << 52 ? magnitude : 1ll << 52) & 0x7ff0000000000000ll;
    i64 large = e > 52ll << 52 ? e : 52ll << 52;
    double second = real_of((u64)((1023ll << 52) + (large - e) + (y_infinite ? 1ll << 52 : 0)));
    double error = product(product(off, real_of(0x8320000000000000ull - (u64)large)), second);
    const double huge = real_of(0x7fefffffffffffffull);
    error = error < huge ? error : huge;
    error = error > -huge ? error : -huge;
    u64 w = canonical(y) ^ turned(canonical(hi) ^ turned(canonical(b.lo)));
#endif
    s->digest += mixed(s->weight, w);
    s->misrounded += y != r && !(y_nan && r_nan);
    bool zeros = y == 0 && hi == 0 && lo == 0 && (word(y) ^ word(hi)) >> 63;
    bool fault[3] = {y_nan != r_nan, !(y_nan || r_nan) && (y_infinite || r_infinite) && y != reach, zeros};
    for (int i = 0; i < 3; ++i)
        if (fault[i] && record[8 + 2 * i]++ == 0) record[9 + 2 * i] = s->key;
    if (y_nan || r_nan || r_infinite) {
        if (s->counted_key == s->key) s->counted_key += threads;
        return;
    }
    double m = fabs(error);
    int bin = m < 2 ? (int)(m * 4) : (int)(word(m) >> 52) - 1016;
    bins[bin > 15 ? 15 : bin][threadIdx.x]++;
    if (error > s->most) {
        s->most = error;
        s->most_key = s->key;
        s->above = error < BELOW_2 ? error : BELOW_2;
    }
    if (error < s->least) {
        s->least = error;
        s->least_key = s->key;
        s->below = error > -BELOW_2 ? error : -BELOW_2;
    }
}

extern "C" __launch_bounds__(THREADS) __global__ void search(u64 first, u64 n, u64 *__restrict__ records) {
    __shared__ unsigned bins[16][THREADS];
    const u64 threads = (u64)gridDim.x * blockDim.x, number = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    const u64 mine = number < n ? (n - number - 1) / threads + 1 : 0, step = threads * KEY_FACTOR;
    u64 *record = records + number * WORDS;
    for (int i = 0; i < WORDS; ++i) record[i] = 0;
    for (int i = 0; i < 16; ++i) bins[i][threadIdx.x] = 0;
    state s;
    s.key = s.counted_key = first + number;
    s.weight = s.key * KEY_FACTOR;
    s.digest = 0;
    s.most_key = s.least_key = 0x7fffffffffffffffull;
    s.most = s.least = s.above = s.below = 0;
    s.misrounded = 0;
#ifdef __CUDACC__
#pragma unroll 1
#endif
    for (unsigned left = (unsigned)mine; left != 0; --left) {
        both b = evaluate(NUMBER(s.key));
        double error;
        bool wrong;
        u64 mix;
        bool plain = short_form(b, s.weight, &error, &wrong, &mix);
        if (plain & (error <= s.above) & (error >= s.below)) {
            /* Quarters of an ULP, at the bottom of the fraction. */
            unsigned bin = (unsigned)word(__dadd_rz(fabs(error), 1125899906842624.0)) & 7;
            bins[bin][threadIdx.x]++;
            s.misrounded += wrong;
            s.digest += mix;
        } else {
            judge(&s, bins, record, threads, b);
        }
        s.key += threads;
        s.weight += step;
    }
    double lowest = -s.least;
    bool upper = s.most > lowest || (s.most == lowest && (i64)s.most_key < (i64)s.least_key);
    record[0] = mine;
    record[1] = word(upper ? s.most : fabs(lowest));
    record[2] = upper ? s.most_key : s.least_key;
    if (s.most == 0 && lowest == 0) record[2] = s.counted_key != s.key ? s.counted_key : 0x7fffffffffffffffull;
    record[3] = word(s.most);
    record[4] = s.most_key;
    record[5] = word(fabs(s.least));
    record[6] = s.least_key;
    record[7] = s.misrounded;
    record[14] = s.digest;
    for (int i = 0; i < 16; ++i) record[15 + i] = bins[i][threadIdx.x];
}
