// rcp against reference, measured by metric: a search by DoubleCrunch
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

// One instruction, where the compiler has a builtin for it.
#ifndef __has_builtin
#define __has_builtin(name) 0
#endif
#if __has_builtin(__builtin_elementwise_ceil)
#define dc_ceil(x) __builtin_elementwise_ceil(x)
#else
#define dc_ceil(x) ceil(x)
#endif
#if __has_builtin(__builtin_elementwise_floor)
#define dc_floor(x) __builtin_elementwise_floor(x)
#else
#define dc_floor(x) floor(x)
#endif
#if __has_builtin(__builtin_elementwise_roundeven)
#define dc_rint(x) __builtin_elementwise_roundeven(x)
#else
#define dc_rint(x) rint(x)
#endif
#if __has_builtin(__builtin_elementwise_trunc)
#define dc_trunc(x) __builtin_elementwise_trunc(x)
#else
#define dc_trunc(x) trunc(x)
#endif

typedef struct { double4 r0; double4 r1; } dc_by4_f64x2;

// The correctly rounded float quotient, by rounding q = a/b first to double and then to float.
// Let a = A*2^i, b = B*2^j with integers A, B < 2^24, and let m = k*2^f, k odd, k < 2^25, be a midpoint of two
// floats (subnormal results and the overflow threshold included). If q != m, then |q - m|/m = |A*2^s - k*B|/(k*B)
// with s = i - j - f. For s >= 0 the numerator is at least 1 and the ratio above 2^-49; for s < 0 the numerator is
// at least 2^s, and where q is within a factor 2 of m, k*B < 2^(25+s), so the ratio is above 2^-25. Rounding to
// double moves q by at most 2^-53 of itself, so it cannot carry q onto or across m, and the second rounding goes
// the way one rounding would. (No quotient of two floats is subnormal in double.)
static inline __attribute__((always_inline, overloadable)) float4 dc_divide_f32(float4 a, float4 b) {
    #pragma OPENCL FP_CONTRACT OFF
    const double4 wide_a = convert_double4(a);
    const double4 wide_b = convert_double4(b);
    const double4 quotient = wide_a / wide_b;
    return convert_float4_rte(quotient);
}

// tests::emit::rcp, by_hand.rs:10
static inline __attribute__((always_inline, overloadable)) float4 k_rcp(const float4 x) {
    #pragma OPENCL FP_CONTRACT OFF
    // by_hand.rs:11  x * x // a comment that ends in
    const float4 t1 = dc_divide_f32((float4)(as_float(0x3f800000U)) /* 1.0 */, x);
    return t1;
}

// tests::emit::two_sum, by_hand.rs:10
static inline __attribute__((always_inline, overloadable)) dc_by4_f64x2 k_two_sum(const double4 a, const double4 b) {
    #pragma OPENCL FP_CONTRACT OFF
    // by_hand.rs:11  x * x // a comment that ends in
    const double4 s = a + b;
    // by_hand.rs:12  }
    const double4 t3 = s - a;
    const double4 t4 = s - t3;
    const double4 t5 = a - t4;
    const double4 t6 = b - t3;
    const double4 e = t5 + t6;
    const dc_by4_f64x2 out = { s, e };
    return out;
}

// tests::emit::reference, by_hand.rs:10
static inline __attribute__((always_inline, overloadable)) double4 k_reference(const double4 x) {
    #pragma OPENCL FP_CONTRACT OFF
    // by_hand.rs:11  x * x // a comment that ends in
    const dc_by4_f64x2 t2 = k_two_sum(x, (double4)(as_double(0x3ff0000000000000UL)) /* 1.0 */);
    const double4 t3 = t2.r0;
    return t3;
}

typedef struct { double2 r0; ulong2 r1; ulong2 r2; ulong2 r3; } dc_by2_f64_i64x3;

// Bits; of any NaN those of the canonical one.
static inline __attribute__((always_inline, overloadable)) ulong2 dc_bits_f64(double2 x) {
    #pragma OPENCL FP_CONTRACT OFF
    const ulong2 raw = as_ulong2(x);
    return x != x ? (ulong2)(0x7ff8000000000000UL) : raw;
}

// The halves stand in the fractions of doubles, the upper as multiples of 2^32 and 2^31 of them too many, the
// lower as ones; taking the offsets from the upper is exact, so that the addition rounds once.
static inline __attribute__((always_inline, overloadable)) double2 dc_long_to_f64(ulong2 n) {
    #pragma OPENCL FP_CONTRACT OFF
    const ulong2 high_word = (n >> 32) ^ (ulong2)(0x4530000080000000UL);
    const ulong2 low_word = (n & (ulong2)(0x00000000ffffffffUL)) | (ulong2)(0x4330000000000000UL);
    const double2 high = as_double2(high_word) - (double2)(as_double(0x4530000080100000UL)) /* 2^84 + 2^63 + 2^52 */;
    const double2 sum = high + as_double2(low_word);
    return sum;
}

// tests::emit::metric, by_hand.rs:10
static inline __attribute__((always_inline, overloadable)) dc_by2_f64_i64x3 k_metric(const ulong2 key, const float2 approx, const double2 hi) {
    #pragma OPENCL FP_CONTRACT OFF
    // by_hand.rs:11  x * x // a comment that ends in
    const ulong2 t4 = key * (ulong2)(0x9e3779b97f4a7c15UL) /* -7046029254386353131 */;
    const ulong2 t7 = t4 >> 8;
    const ulong2 t8 = t7 & (ulong2)(15UL);
    const ulong2 t11 = t4 >> 20;
    const ulong2 t12 = t11 & (ulong2)(63UL);
    const ulong2 t15 = t4 >> 40;
    const ulong2 t16 = t15 & (ulong2)(7UL);
    const ulong2 t18 = t16 - (ulong2)(3UL);
    const double2 t19 = dc_long_to_f64(t18);
    const double2 t20 = convert_double2(approx);
    const ulong2 t21 = dc_bits_f64(t20);
    const ulong2 t23 = t21 * (ulong2)(3UL);
    const ulong2 t24 = t4 ^ t23;
    const ulong2 t25 = dc_bits_f64(hi);
    const ulong2 t27 = t25 * (ulong2)(5UL);
    const ulong2 t28 = t24 ^ t27;
    const dc_by2_f64_i64x3 out = { t19, t8, t12, t28 };
    return out;
}

// What a work item has found: the words of its record.
typedef struct {
    ulong count;
    double max_error;
    ulong max_key;
    double max_positive;
    ulong max_positive_key;
    double max_negative;
    ulong max_negative_key;
    ulong misrounded;
    ulong undecided;
    ulong nan;
    ulong nan_key;
    ulong infinity;
    ulong infinity_key;
    ulong zero_sign;
    ulong zero_sign_key;
    ulong digest;
    ulong bins[16];
} dc_total;

// One input, measured.
static inline __attribute__((always_inline, overloadable)) void dc_add(dc_total *total, ulong key, double error, ulong bin, ulong flags, ulong digest_term) {
    #pragma OPENCL FP_CONTRACT OFF
    total->count += 1UL;
    total->digest += digest_term;
    total->misrounded += flags & 1UL;
    total->undecided += (flags >> 5) & 1UL;
    if ((flags & 2UL) != 0UL && total->nan++ == 0UL) total->nan_key = key;
    if ((flags & 4UL) != 0UL && total->infinity++ == 0UL) total->infinity_key = key;
    if ((flags & 8UL) != 0UL && total->zero_sign++ == 0UL) total->zero_sign_key = key;
    if ((flags & 16UL) != 0UL) return;
    total->bins[bin & 15UL] += 1UL;
    const double size = fabs(error);
    if (size > total->max_error) {
        total->max_error = size;
        total->max_key = key;
    }
    if (error > total->max_positive) {
        total->max_positive = error;
        total->max_positive_key = key;
    }
    if (-error > total->max_negative) {
        total->max_negative = -error;
        total->max_negative_key = key;
    }
}

// Inputs from keys, which are in the order of the reals.
static inline __attribute__((always_inline, overloadable)) float4 dc_input(ulong4 key) {
    #pragma OPENCL FP_CONTRACT OFF
    const uint4 code = convert_uint4(key);
    const uint4 negative = as_uint4((as_int4(code) >> 31));
    const uint4 bits = code ^ (negative >> 1);
    return as_float4(bits);
}

// Measures the first inputs of a chunk and adds them one by one.
static inline __attribute__((always_inline, overloadable)) void dc_measure_chunk(dc_total *total, ulong base, ulong live, const float *results, const double *his) {
    #pragma OPENCL FP_CONTRACT OFF
    double errors[2];
    ulong bins[2], flags[2], mixes[2];
    for (ulong i = 0UL; i < live; i += 2UL) {
        const ulong2 key = base + i + (ulong2)(0UL, 1UL);
        const float2 result = vload2(0, results + i);
        const double2 hi = vload2(0, his + i);
        const dc_by2_f64_i64x3 j = k_metric(key, result, hi);
        vstore2(j.r0, 0, errors);
        vstore2(j.r1, 0, bins);
        vstore2(j.r2, 0, flags);
        vstore2(j.r3, 0, mixes);
        const ulong here = min(live - i, 2UL);
        for (ulong lane = 0UL; lane < here; ++lane) {
            dc_add(total, base + i + lane, errors[lane], bins[lane], flags[lane], mixes[lane]);
        }
    }
}

__kernel void rcp_sweep(const ulong first, const ulong n, __global ulong *restrict records) {
    #pragma OPENCL FP_CONTRACT OFF
    const ulong item = (ulong)get_global_id(0);
    const ulong items = (ulong)get_global_size(0);
    dc_total total;
    total.count = 0UL;
    total.max_error = -1.0 /* below every |error| */;
    total.max_key = 0x7fffffffffffffffUL;
    total.max_positive = 0.0;
    total.max_positive_key = 0x7fffffffffffffffUL;
    total.max_negative = 0.0;
    total.max_negative_key = 0x7fffffffffffffffUL;
    total.misrounded = 0UL;
    total.undecided = 0UL;
    total.nan = 0UL;
    total.nan_key = 0UL;
    total.infinity = 0UL;
    total.infinity_key = 0UL;
    total.zero_sign = 0UL;
    total.zero_sign_key = 0UL;
    total.digest = 0UL;
    for (ulong i = 0UL; i < 16UL; ++i) total.bins[i] = 0UL;
    float results[480] __attribute__((aligned(64)));
    double his[480] __attribute__((aligned(64)));
    const ulong chunks = n / 480UL + (n % 480UL != 0UL ? 1UL : 0UL);
    for (ulong chunk = item; chunk < chunks; chunk += items) {
        const ulong done = chunk * 480UL;
        const ulong base = first + done;
        const ulong live = min(n - done, 480UL);
        // Keys past the end are evaluated, and not measured.
        for (ulong i = 0UL; i < 480UL; i += 4UL) {
            const float4 x = dc_input(base + i + (ulong4)(0UL, 1UL, 2UL, 3UL));
            const float4 a = k_rcp(x);
            vstore4(a, 0, results + i);
        }
        for (ulong i = 0UL; i < 480UL; i += 4UL) {
            const float4 x = dc_input(base + i + (ulong4)(0UL, 1UL, 2UL, 3UL));
            const double4 r = k_reference(convert_double4(x));
            vstore4(r, 0, his + i);
        }
        dc_measure_chunk(&total, base, live, results, his);
    }
    __global ulong *record = records + item * 33UL;
    ulong check = 0UL;
    const ulong out0 = total.count;
    record[0] = out0;
    check += out0 * 0x9e3779b97f4a7c15UL;
    const ulong out1 = total.max_error < 0.0 ? 0UL : as_ulong(total.max_error);
    record[1] = out1;
    check += out1 * 0xdf442d22ce4859b9UL;
    const ulong out2 = total.max_key;
    record[2] = out2;
    check += out2 * 0x604a5ce3addef82dUL;
    const ulong out3 = as_ulong(total.max_positive);
    record[3] = out3;
    check += out3 * 0xd94363fc538227b1UL;
    const ulong out4 = total.max_positive_key;
    record[4] = out4;
    check += out4 * 0x2e2b795f2d10fd85UL;
    const ulong out5 = as_ulong(total.max_negative);
    record[5] = out5;
    check += out5 * 0x4be7956e30a337e9UL;
    const ulong out6 = total.max_negative_key;
    record[6] = out6;
    check += out6 * 0x5ecb31e4ccd2721dUL;
    const ulong out7 = total.misrounded;
    record[7] = out7;
    check += out7 * 0x06d4b2611beb6861UL;
    const ulong out8 = total.undecided;
    record[8] = out8;
    check += out8 * 0x0f10cd6a9be88bf5UL;
    const ulong out9 = total.nan;
    record[9] = out9;
    check += out9 * 0x80e0dcf76db02719UL;
    const ulong out10 = total.nan_key;
    record[10] = out10;
    check += out10 * 0x779023cf069d510dUL;
    const ulong out11 = total.infinity;
    record[11] = out11;
    check += out11 * 0x4114e3439eebf211UL;
    const ulong out12 = total.infinity_key;
    record[12] = out12;
    check += out12 * 0x8fc15a19ba851765UL;
    const ulong out13 = total.zero_sign;
    record[13] = out13;
    check += out13 * 0x50687085a271d749UL;
    const ulong out14 = total.zero_sign_key;
    record[14] = out14;
    check += out14 * 0x82fe791be9b804fdUL;
    const ulong out15 = total.digest;
    record[15] = out15;
    check += out15 * 0xf53f7dff42a4f4c1UL;
    record[17] = total.bins[0];
    check += total.bins[0] * 0x204db59ca693f879UL;
    record[18] = total.bins[1];
    check += total.bins[1] * 0xe1a216043077fdedUL;
    record[19] = total.bins[2];
    check += total.bins[2] * 0x07dde4bf1258a071UL;
    record[20] = total.bins[3];
    check += total.bins[3] * 0x657df06edea5e545UL;
    record[21] = total.bins[4];
    check += total.bins[4] * 0xfb5e617f1f9b3aa9UL;
    record[22] = total.bins[5];
    check += total.bins[5] * 0xb39afcd693ffabddUL;
    record[23] = total.bins[6];
    check += total.bins[6] * 0x761af3294c1a2521UL;
    record[24] = total.bins[7];
    check += total.bins[7] * 0x3737591302ab07b5UL;
    record[25] = total.bins[8];
    check += total.bins[8] * 0xa6a140ea15154dd9UL;
    record[26] = total.bins[9];
    check += total.bins[9] * 0xa09b3202342e7ecdUL;
    record[27] = total.bins[10];
    check += total.bins[10] * 0x590dd8f2277db2d1UL;
    record[28] = total.bins[11];
    check += total.bins[11] * 0x3710df127f56e725UL;
    record[29] = total.bins[12];
    check += total.bins[12] * 0xf0f4b4b9b5c8e209UL;
    record[30] = total.bins[13];
    check += total.bins[13] * 0x196a94fe0490e6bdUL;
    record[31] = total.bins[14];
    check += total.bins[14] * 0xcdfb8afc05487981UL;
    record[32] = total.bins[15];
    check += total.bins[15] * 0xbbf1bbaea8167395UL;
    record[16] = check;
}
