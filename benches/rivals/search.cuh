/* The search as one would write it by hand in CUDA for one kernel; what `search.h` is for processors. `evaluate` is the
 * kernel file's: routine and reference at one input.
 *
 * Each thread takes every so-many-th key. An ordinary input, whose error lies between the extremes that the thread has
 * seen and is below 2 ULP, takes a few instructions; all others are measured in full. The histogram is in shared memory, a
 * counter a thread and bin, so that registers are left for enough warps.
 *
 * Records are those of `kernels_gen::emit::RECORD`, a thread each, which the second kernel of our texts merges. */

typedef unsigned long long u64;
typedef long long i64;

#define THREADS 128
#define WORDS 33
/* Places in a record, from its end: what is undecided, the first fault's count, the digest, the check, the first bin. */
#define UNDECIDED (WORDS - 25)
#define FAULTS (WORDS - 24)
#define DIGEST (WORDS - 18)
#define CHECK (WORDS - 17)
#define BINS (WORDS - 16)
#define INLINE static __device__ __forceinline__
#define KEY_FACTOR 0x9e3779b97f4a7c15ull
#define INFINITE real_of(0x7ff0000000000000ull)
/* The largest number below 2. */
#define BELOW_2 real_of(0x3fffffffffffffffull)

INLINE u64 word(double x) { return (u64)__double_as_longlong(x); }
INLINE double real_of(u64 b) { return __longlong_as_double((i64)b); }
INLINE double power_of_two(int n) { return real_of((u64)(unsigned)(n + 1023) << 52); }
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
    int scale;
};
INLINE both evaluate(real x);

struct state {
    u64 key, weight, digest, counted_key, most_key, least_key;
    double most, least;
    /* The same below 2 ULP. */
    double above, below;
    unsigned misrounded;
};

/* What is ordinary but for the size of its error. `steps` is the error in 2^-23 ULP, rounded down: its quarters are above bit
 * 20, it is wrong from 2^22 on, and beside that the metric must look closer. */
INLINE bool short_form(const both &b, u64 weight, double *error, unsigned *steps, u64 *mix) {
#ifdef BINARY32
    float rounded = __double2float_rn(b.hi);
    *error = product(difference((double)b.y, b.hi), real_of(0x8150000000000000ull - (word(b.hi) & 0x7ff0000000000000ull)));
    *steps = (unsigned)word(__dadd_rz(fabs(*error), 536870912.0));
    *mix = mixed(weight, (u64)(i64)__float_as_int(b.y) ^ turned(word(b.hi)));
    return (fabsf(rounded) > 1.17549435e-38f) & (fabsf(rounded) < __int_as_float(0x7f000000)) &
           ((*steps + 1 & ~1u) != 1u << 22);
#else
    u64 w = word(b.hi), exponent = w & 0x7ff0000000000000ull;
    *error = product(difference(difference(b.y, b.hi), b.lo), real_of(0x8320000000000000ull - exponent));
    *steps = (unsigned)word(__dadd_rz(fabs(*error), 536870912.0));
    *mix = mixed(weight, word(b.y) ^ turned(w ^ turned(word(b.lo))));
    /* Above 2^1023 a reference may round to infinity. */
    return (exponent >= 0x0340000000000000ull) & (exponent < 0x7fe0000000000000ull) & ((w & 0xfffffffffffffull) != 0) &
           ((*steps + 1 & ~1u) != 1u << 22) & (b.scale == 0);
#endif
}

INLINE void measure(state *st, unsigned (*bins)[THREADS], u64 *record, u64 threads, const both &b) {
    double y = b.y, hi = b.hi;
    bool y_nan = y != y, r_nan = hi != hi;
#ifdef BINARY32
    float rounded = __double2float_rn(hi);
    double r = rounded;
    bool coarse = false;
    const double near = real_of(0x3e30000000000000ull);
    bool y_infinite = fabs(y) == INFINITE, r_infinite = fabs(r) == INFINITE;
    double counted = y_infinite ? real_of(0x47f0000000000000ull | (word(y) & 1ull << 63)) : y;
    i64 e = (i64)(word(hi) & ~(1ull << 63)) >> 52;
    e = r_nan ? 1151 : e < 897 ? 897 : e > 1151 ? 1151 : e;
    double error = product(difference(counted, hi), real_of((u64)(2069 - e) << 52));
    u64 w = (u64)(i64)(y_nan ? 0x7fc00000 : __float_as_int(b.y)) ^ turned(canonical(hi));
#else
    double lo = fabs(b.lo) < INFINITE ? b.lo : 0, size = fabs(hi);
    const double near = real_of(0x3d20000000000000ull);
    int s_given = b.scale, s = s_given < -1100 ? -1100 : s_given > 1100 ? 1100 : s_given;
    bool zero = hi == 0 && lo == 0, beyond = s != s_given || (s && size >= real_of(0x7fe0000000000000ull));
    bool coarse = !zero && size < INFINITE && fabs(y) < INFINITE && (beyond || size < real_of(0x0340000000000000ull));
    s = zero ? 0 : s;
    double r = sum(hi, lo);
    r = product(product(r, power_of_two(s >> 1)), power_of_two(s - (s >> 1)));
    bool y_infinite = fabs(y) == INFINITE, r_infinite = fabs(r) == INFINITE;
    double half = y_infinite ? 0.5 : 1;
    double counted = y_infinite ? real_of(0x7fe0000000000000ull | (word(y) & 1ull << 63)) : y;
    counted = product(product(counted, power_of_two(-(s >> 1))), power_of_two((s >> 1) - s));
    double off = difference(difference(counted, product(hi, half)), product(lo, half));
    i64 magnitude = (i64)(word(hi) & ~(1ull << 63)) - (lo != 0 && (lo < 0) != (hi < 0));
    int e = (int)((magnitude > 1ll << 52 ? magnitude : 1ll << 52) >> 52);
    int to_ulp = 1075 - e < s + 1074 ? 1075 - e : s + 1074, large = to_ulp < 1023 ? to_ulp : 1023;
    double error = product(product(off, power_of_two(large)), power_of_two(to_ulp - large + y_infinite));
    const double huge = real_of(0x7fefffffffffffffull);
    error = error < huge ? error : huge;
    error = error > -huge ? error : -huge;
    u64 w = canonical(y) ^ turned(canonical(hi) ^ turned(canonical(b.lo) ^ turned((u64)(i64)b.scale)));
#endif
    st->digest += mixed(st->weight, w);
    bool no_number = y_nan || r_nan, undecided = coarse || (!no_number && fabs(difference(fabs(error), 0.5)) <= near);
    bool beyond_all = y_infinite && fabs(error) >= 2;
    bool excluded = no_number || r_infinite || coarse || beyond_all, counts = !excluded && !undecided;
    bool infinity = !no_number && !undecided && (y_infinite || r_infinite) && y != r;
    bool zeros = counts && y == 0 && fabs(error) < 0.5 && (word(y) ^ word(hi)) >> 63;
    st->misrounded += y_nan != r_nan || (infinity && excluded) || (counts && fabs(error) > 0.5);
    record[UNDECIDED] += undecided;
    bool fault[3] = {y_nan != r_nan, infinity, zeros};
    for (int i = 0; i < 3; ++i)
        if (fault[i] && record[FAULTS + 2 * i]++ == 0) record[FAULTS + 1 + 2 * i] = st->key;
    if (excluded) {
        if (st->counted_key == st->key) st->counted_key += threads;
        return;
    }
    double m = fabs(error);
    int bin = m < 2 ? (int)(m * 4) : (int)(word(m) >> 52) - 1016;
    bins[bin > 15 ? 15 : bin][threadIdx.x]++;
    if (error > st->most) {
        st->most = error;
        st->most_key = st->key;
        st->above = error < BELOW_2 ? error : BELOW_2;
    }
    if (error < st->least) {
        st->least = error;
        st->least_key = st->key;
        st->below = error > -BELOW_2 ? error : -BELOW_2;
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
        unsigned steps;
        u64 mix;
        bool plain = short_form(b, s.weight, &error, &steps, &mix);
        if (plain & (error <= s.above) & (error >= s.below)) {
            bins[steps >> 21 & 7][threadIdx.x]++;
            s.misrounded += steps >= 1u << 22;
            s.digest += mix;
        } else {
            measure(&s, bins, record, threads, b);
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
    record[DIGEST] = s.digest;
    for (int i = 0; i < 16; ++i) record[BINS + i] = bins[i][threadIdx.x];
    u64 check = 0, weight = 1;
    for (int i = 0; i < WORDS; ++i) {
        weight *= KEY_FACTOR;
        if (i != CHECK) check += record[i] * weight;
    }
    record[CHECK] = check;
}
