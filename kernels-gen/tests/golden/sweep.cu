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

extern "C" __global__ void rcp_sweep(const unsigned long long first, const unsigned long long n, unsigned long long *__restrict__ records) {
    const unsigned long long item = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned long long items = (unsigned long long)gridDim.x * blockDim.x;
    // The same for all items: keys past the end are masked.
    const unsigned long long steps = n / items + (n % items != 0ull ? 1ull : 0ull);
    unsigned long long misrounded = 0ull;
    unsigned long long nan = 0ull;
    unsigned long long infinity = 0ull;
    unsigned long long zero_sign = 0ull;
    unsigned long long digest = 0ull;
    unsigned long long nan_key = 0x7fffffffffffffffull;
    unsigned long long infinity_key = 0x7fffffffffffffffull;
    unsigned long long zero_sign_key = 0x7fffffffffffffffull;
    unsigned long long max_key = 0x7fffffffffffffffull;
    unsigned long long max_positive_key = 0x7fffffffffffffffull;
    unsigned long long max_negative_key = 0x7fffffffffffffffull;
    double max_positive = __longlong_as_double(0x0000000000000000ull);
    double max_negative = __longlong_as_double(0x0000000000000000ull);
    double max_error = __longlong_as_double(0xbff0000000000000ull) /* below every |error| */;
    unsigned long long bin0 = 0ull;
    unsigned long long bin1 = 0ull;
    unsigned long long bin2 = 0ull;
    unsigned long long bin3 = 0ull;
    unsigned long long bin4 = 0ull;
    unsigned long long bin5 = 0ull;
    unsigned long long bin6 = 0ull;
    unsigned long long bin7 = 0ull;
    unsigned long long bin8 = 0ull;
    unsigned long long bin9 = 0ull;
    unsigned long long bin10 = 0ull;
    unsigned long long bin11 = 0ull;
    unsigned long long bin12 = 0ull;
    unsigned long long bin13 = 0ull;
    unsigned long long bin14 = 0ull;
    unsigned long long bin15 = 0ull;
    for (unsigned long long done = 0ull; done < steps; done += 255ull) {
        const unsigned long long left = steps - done;
        const unsigned long long batch = left < 255ull ? left : 255ull;
        unsigned long long low_bins = 0ull;
        unsigned long long high_bins = 0ull;
        for (unsigned long long step = 0ull; step < batch; ++step) {
            const unsigned long long index = (done + step) * items + item;
            const bool active = index < n;
            const unsigned long long key = first + index;
            const unsigned long long code = key;
            const unsigned long long negative = (unsigned long long)((long long)code >> 63);
            const unsigned long long bits = code ^ (negative >> 1);
            const double x = __longlong_as_double(bits);
            const double a = k_rcp(x);
            const dc_f64x2 r = k_reference(x);
            const dc_f64_i64x3 j = k_judge(key, a, r.r0, r.r1);
            const double error = j.r0;
            const unsigned long long flags = active ? j.r2 : 0ull;
            const bool counted = active & ((j.r2 & 16ull) == 0ull);
            digest += active ? j.r3 : 0ull;
            misrounded += flags & 1ull;
            const unsigned long long nan_here = (flags >> 1) & 1ull;
            nan += nan_here;
            const bool nan_first = (nan_here != 0ull) & ((long long)key < (long long)nan_key);
            nan_key = nan_first ? key : nan_key;
            const unsigned long long infinity_here = (flags >> 2) & 1ull;
            infinity += infinity_here;
            const bool infinity_first = (infinity_here != 0ull) & ((long long)key < (long long)infinity_key);
            infinity_key = infinity_first ? key : infinity_key;
            const unsigned long long zero_sign_here = (flags >> 3) & 1ull;
            zero_sign += zero_sign_here;
            const bool zero_sign_first = (zero_sign_here != 0ull) & ((long long)key < (long long)zero_sign_key);
            zero_sign_key = zero_sign_first ? key : zero_sign_key;
            const double size = fabs(error);
            const double below = -error;
            const bool max_error_here = counted & (size > max_error);
            max_error = max_error_here ? size : max_error;
            max_key = max_error_here ? key : max_key;
            const bool max_positive_here = counted & (error > max_positive);
            max_positive = max_positive_here ? error : max_positive;
            max_positive_key = max_positive_here ? key : max_positive_key;
            const bool max_negative_here = counted & (below > max_negative);
            max_negative = max_negative_here ? below : max_negative;
            max_negative_key = max_negative_here ? key : max_negative_key;
            const unsigned long long one = counted ? 1ull << ((j.r1 & 7ull) * 8ull) : 0ull;
            const bool low = (j.r1 & 8ull) == 0ull;
            low_bins += low ? one : 0ull;
            high_bins += low ? 0ull : one;
        }
        bin0 += (low_bins >> 0) & 255ull;
        bin1 += (low_bins >> 8) & 255ull;
        bin2 += (low_bins >> 16) & 255ull;
        bin3 += (low_bins >> 24) & 255ull;
        bin4 += (low_bins >> 32) & 255ull;
        bin5 += (low_bins >> 40) & 255ull;
        bin6 += (low_bins >> 48) & 255ull;
        bin7 += (low_bins >> 56) & 255ull;
        bin8 += (high_bins >> 0) & 255ull;
        bin9 += (high_bins >> 8) & 255ull;
        bin10 += (high_bins >> 16) & 255ull;
        bin11 += (high_bins >> 24) & 255ull;
        bin12 += (high_bins >> 32) & 255ull;
        bin13 += (high_bins >> 40) & 255ull;
        bin14 += (high_bins >> 48) & 255ull;
        bin15 += (high_bins >> 56) & 255ull;
    }
    unsigned long long *record = records + item * 31ull;
    record[0] = item < n ? (n - item - 1ull) / items + 1ull : 0ull;
    record[1] = max_error < __longlong_as_double(0x0000000000000000ull) ? 0ull : dc_bits_f64(max_error);
    record[2] = max_key;
    record[3] = dc_bits_f64(max_positive);
    record[4] = max_positive_key;
    record[5] = dc_bits_f64(max_negative);
    record[6] = max_negative_key;
    record[7] = misrounded;
    record[8] = nan;
    record[9] = nan == 0ull ? 0ull : nan_key;
    record[10] = infinity;
    record[11] = infinity == 0ull ? 0ull : infinity_key;
    record[12] = zero_sign;
    record[13] = zero_sign == 0ull ? 0ull : zero_sign_key;
    record[14] = digest;
    record[15] = bin0;
    record[16] = bin1;
    record[17] = bin2;
    record[18] = bin3;
    record[19] = bin4;
    record[20] = bin5;
    record[21] = bin6;
    record[22] = bin7;
    record[23] = bin8;
    record[24] = bin9;
    record[25] = bin10;
    record[26] = bin11;
    record[27] = bin12;
    record[28] = bin13;
    record[29] = bin14;
    record[30] = bin15;
}
