// rcp against reference, judged by judge: a search by DoubleCrunch

typedef struct { double r0; double r1; } dc_f64x2;

typedef struct { double r0; unsigned long long r1; unsigned long long r2; unsigned long long r3; } dc_f64_i64x3;

// Bits; of any NaN those of the canonical one.
static __device__ __forceinline__ unsigned long long dc_bits_f64(double x) {
    const unsigned long long raw = (unsigned long long)__double_as_longlong(x);
    return x != x ? 0x7ff8000000000000ull : raw;
}

// tests::emit::rcp, by_hand.rs:10
static __device__ __forceinline__ double k_rcp(const double x) {
    // by_hand.rs:11  x * x // a comment that ends in
    const double t1 = __drcp_rn(x);
    return t1;
}

// tests::emit::two_sum, by_hand.rs:10
static __device__ __forceinline__ dc_f64x2 k_two_sum(const double a, const double b) {
    // by_hand.rs:11  x * x // a comment that ends in
    const double s = __dadd_rn(a, b);
    // by_hand.rs:12  }
    const double t3 = __dsub_rn(s, a);
    const double t4 = __dsub_rn(s, t3);
    const double t5 = __dsub_rn(a, t4);
    const double t6 = __dsub_rn(b, t3);
    const double e = __dadd_rn(t5, t6);
    const dc_f64x2 out = { s, e };
    return out;
}

// tests::emit::reference, by_hand.rs:10
static __device__ __forceinline__ dc_f64x2 k_reference(const double x) {
    // by_hand.rs:11  x * x // a comment that ends in
    const dc_f64x2 t2 = k_two_sum(x, __longlong_as_double(0x3ff0000000000000ull) /* 1.0 */);
    const double t3 = t2.r0;
    const double t4 = t2.r1;
    const dc_f64x2 out = { t3, t4 };
    return out;
}

// tests::emit::judge, by_hand.rs:10
static __device__ __forceinline__ dc_f64_i64x3 k_judge(const unsigned long long key, const double approx, const double hi, const double lo) {
    // by_hand.rs:11  x * x // a comment that ends in
    const unsigned long long t5 = key * 0x9e3779b97f4a7c15ull /* -7046029254386353131 */;
    const unsigned long long t8 = t5 >> 8;
    const unsigned long long t9 = t8 & 15ull;
    const unsigned long long t12 = t5 >> 20;
    const unsigned long long t13 = t12 & 31ull;
    const unsigned long long t16 = t5 >> 40;
    const unsigned long long t17 = t16 & 7ull;
    const unsigned long long t19 = t17 - 3ull;
    const double t20 = __ll2double_rn((long long)t19);
    const unsigned long long t21 = dc_bits_f64(approx);
    const unsigned long long t23 = t21 * 3ull;
    const unsigned long long t24 = t5 ^ t23;
    const unsigned long long t25 = dc_bits_f64(hi);
    const unsigned long long t27 = t25 * 5ull;
    const unsigned long long t28 = t24 ^ t27;
    const unsigned long long t29 = dc_bits_f64(lo);
    const unsigned long long t31 = t29 * 7ull;
    const unsigned long long t32 = t28 ^ t31;
    const dc_f64_i64x3 out = { t20, t9, t13, t32 };
    return out;
}

extern "C" __launch_bounds__(128) __global__ void rcp_sweep(const unsigned long long first, const unsigned long long n, unsigned long long *__restrict__ records) {
    // A counter a thread and bin.
    __shared__ unsigned int bins[16][128];
    const unsigned long long item = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned long long items = (unsigned long long)gridDim.x * blockDim.x;
    const unsigned long long mine = item < n ? (n - item - 1ull) / items + 1ull : 0ull;
    unsigned long long *record = records + item * 31ull;
    for (int i = 0; i < 31; ++i) record[i] = 0ull;
    unsigned int *const counters = &bins[0][threadIdx.x];
    for (int i = 0; i < 16; ++i) bins[i][threadIdx.x] = 0u;
    unsigned long long key = first + item;
    // The first key that counts, unless it turns out to be excluded.
    unsigned long long counted_key = key;
    unsigned long long digest = 0ull;
    unsigned int misrounded = 0u;
    double most = __longlong_as_double(0x0000000000000000ull);
    double least = __longlong_as_double(0x0000000000000000ull);
    // The same, cut off below 2 ULP: an error between them is ordinary.
    double above = __longlong_as_double(0x0000000000000000ull);
    double below = __longlong_as_double(0x0000000000000000ull);
    unsigned long long most_key = 0x7fffffffffffffffull;
    unsigned long long least_key = 0x7fffffffffffffffull;
    // No thread takes 2^32 keys in a launch.
#ifdef __CUDACC__
#pragma unroll 1
#endif
    for (unsigned int left = (unsigned int)mine; left != 0u; --left) {
        const unsigned long long code = (unsigned long long)key;
        const unsigned long long bits = code ^ ((unsigned long long)((long long)code >> 63) & 0x7fffffffffffffffull);
        const double x = __longlong_as_double(bits);
        const double a = k_rcp(x);
        const dc_f64x2 r = k_reference(x);
        const dc_f64_i64x3 j = k_judge(key, a, r.r0, r.r1);
        digest += j.r3;
        misrounded += (unsigned int)j.r2 & 1u;
        if (j.r2 & 14ull) {
            if ((j.r2 >> 1) & 1ull) { if (record[8] == 0ull) record[9] = key; record[8] += 1ull; }
            if ((j.r2 >> 2) & 1ull) { if (record[10] == 0ull) record[11] = key; record[10] += 1ull; }
            if ((j.r2 >> 3) & 1ull) { if (record[12] == 0ull) record[13] = key; record[12] += 1ull; }
        }
        if (j.r2 & 16ull) {
            counted_key += counted_key == key ? items : 0ull;
        } else {
            counters[((unsigned int)j.r1 & 15u) * 128u] += 1u;
            if (j.r0 > most) {
                most = j.r0;
                most_key = key;
                above = most < __longlong_as_double(0x3fffffffffffffffull) ? most : __longlong_as_double(0x3fffffffffffffffull);
            }
            if (j.r0 < least) {
                least = j.r0;
                least_key = key;
                below = least > -__longlong_as_double(0x3fffffffffffffffull) ? least : -__longlong_as_double(0x3fffffffffffffffull);
            }
        }
        key += items;
    }
    const double lowest = -least;
    // An error of 0 attains the maximum if there is no other: at the first key that counted.
    const bool some = counted_key != key;
    const bool zero = !(most > __longlong_as_double(0x0000000000000000ull) || lowest > __longlong_as_double(0x0000000000000000ull));
    const bool upper = (most > lowest) | ((most == lowest) & ((long long)most_key < (long long)least_key));
    const unsigned long long extreme_key = upper ? most_key : least_key;
    record[0] = mine;
    record[1] = (unsigned long long)__double_as_longlong((upper ? most : fabs(lowest)));
    record[2] = zero ? (some ? counted_key : 0x7fffffffffffffffull) : extreme_key;
    record[3] = (unsigned long long)__double_as_longlong(most);
    record[4] = most_key;
    record[5] = (unsigned long long)__double_as_longlong(fabs(least));
    record[6] = least_key;
    record[7] = misrounded;
    record[14] = digest;
    for (int i = 0; i < 16; ++i) record[15 + i] = bins[i][threadIdx.x];
}

// Each word of the records 128 b, 128 b + 1, … as word of record b.
extern "C" __global__ void rcp_sweep_merge(const unsigned long long *__restrict__ records, const unsigned long long n, unsigned long long *__restrict__ merged, const unsigned long long sentinel) {
    const unsigned int word = threadIdx.x;
    if (word >= 31u) return;
    const unsigned long long start = (unsigned long long)blockIdx.x * 128ull;
    const unsigned long long end = n - start < 128ull ? n : start + 128ull;
    // Errors (their bits are in order) and keys of extremes; counts and first keys of faults; sums.
    const bool extreme = (word >= 1u) & (word <= 6u);
    const bool fault_key = (word >= 8u) & (word <= 13u) & ((word - 8u) % 2u == 1u);
    const bool is_key = extreme & ((word - 1u) % 2u == 1u);
    // What a key goes with stands before it.
    const unsigned int partner = (is_key | fault_key) ? word - 1u : word;
    unsigned long long value = is_key ? 0x7fffffffffffffffull : 0ull;
    unsigned long long best = 0ull;
    bool lost = false;
    for (unsigned long long i = start; i < end; ++i) {
        const unsigned long long v = records[i * 31ull + word];
        const unsigned long long with = records[i * 31ull + partner];
        lost |= v == sentinel;
        const bool earlier = (long long)v < (long long)value;
        if (is_key) {
            value = (with > best) | ((with == best) & earlier) ? v : value;
            best = with > best ? with : best;
        } else if (fault_key) {
            value = (with != 0ull) & ((best == 0ull) | earlier) ? v : value;
            best |= with;
        } else if (extreme) {
            value = v > value ? v : value;
        } else {
            value += v;
        }
    }
    merged[(unsigned long long)blockIdx.x * 31ull + word] = lost ? sentinel : value;
}
