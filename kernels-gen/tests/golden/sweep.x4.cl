// rcp against reference, judged by judge: a search by DoubleCrunch
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

typedef struct { double4 r0; double4 r1; } dc_f64x2;

typedef struct { double4 r0; ulong4 r1; ulong4 r2; ulong4 r3; } dc_f64_i64x3;

// Bits; of any NaN those of the canonical one.
static inline __attribute__((always_inline)) ulong4 dc_bits_f64(double4 x) {
    #pragma OPENCL FP_CONTRACT OFF
    const ulong4 raw = as_ulong4(x);
    return x != x ? (ulong4)(0x7ff8000000000000UL) : raw;
}

// The correctly rounded float quotient, by rounding q = a/b first to double and then to float.
// Let a = A*2^i, b = B*2^j with integers A, B < 2^24, and let m = k*2^f, k odd, k < 2^25, be a midpoint of two
// floats (subnormal results and the overflow threshold included). If q != m, then |q - m|/m = |A*2^s - k*B|/(k*B)
// with s = i - j - f. For s >= 0 the numerator is at least 1 and the ratio above 2^-49; for s < 0 the numerator is
// at least 2^s, and where q is within a factor 2 of m, k*B < 2^(25+s), so the ratio is above 2^-25. Rounding to
// double moves q by at most 2^-53 of itself, so it cannot carry q onto or across m, and the second rounding goes
// the way one rounding would. (No quotient of two floats is subnormal in double.)
static inline __attribute__((always_inline)) float4 dc_divide_f32(float4 a, float4 b) {
    #pragma OPENCL FP_CONTRACT OFF
    const double4 wide_a = convert_double4(a);
    const double4 wide_b = convert_double4(b);
    const double4 quotient = wide_a / wide_b;
    return convert_float4_rte(quotient);
}

// tests::emit::rcp, by_hand.rs:10
static inline __attribute__((always_inline)) float4 k_rcp(const float4 x) {
    #pragma OPENCL FP_CONTRACT OFF
    // by_hand.rs:11  x * x // a comment that ends in
    const float4 t1 = dc_divide_f32((float4)(as_float(0x3f800000U)) /* 1.0 */, x);
    return t1;
}

// tests::emit::two_sum, by_hand.rs:10
static inline __attribute__((always_inline)) dc_f64x2 k_two_sum(const double4 a, const double4 b) {
    #pragma OPENCL FP_CONTRACT OFF
    // by_hand.rs:11  x * x // a comment that ends in
    const double4 s = a + b;
    // by_hand.rs:12  }
    const double4 t3 = s - a;
    const double4 t4 = s - t3;
    const double4 t5 = a - t4;
    const double4 t6 = b - t3;
    const double4 e = t5 + t6;
    const dc_f64x2 out = { s, e };
    return out;
}

// tests::emit::reference, by_hand.rs:10
static inline __attribute__((always_inline)) double4 k_reference(const double4 x) {
    #pragma OPENCL FP_CONTRACT OFF
    // by_hand.rs:11  x * x // a comment that ends in
    const dc_f64x2 t2 = k_two_sum(x, (double4)(as_double(0x3ff0000000000000UL)) /* 1.0 */);
    const double4 t3 = t2.r0;
    return t3;
}

// tests::emit::judge, by_hand.rs:10
static inline __attribute__((always_inline)) dc_f64_i64x3 k_judge(const ulong4 key, const float4 approx, const double4 hi) {
    #pragma OPENCL FP_CONTRACT OFF
    // by_hand.rs:11  x * x // a comment that ends in
    const ulong4 t4 = key * (ulong4)(0x9e3779b97f4a7c15UL) /* -7046029254386353131 */;
    const ulong4 t7 = t4 >> 8;
    const ulong4 t8 = t7 & (ulong4)(15UL);
    const ulong4 t11 = t4 >> 20;
    const ulong4 t12 = t11 & (ulong4)(31UL);
    const ulong4 t15 = t4 >> 40;
    const ulong4 t16 = t15 & (ulong4)(7UL);
    const ulong4 t18 = t16 - (ulong4)(3UL);
    const double4 t19 = convert_double4_rte(as_long4(t18));
    const double4 t20 = convert_double4(approx);
    const ulong4 t21 = dc_bits_f64(t20);
    const ulong4 t23 = t21 * (ulong4)(3UL);
    const ulong4 t24 = t4 ^ t23;
    const ulong4 t25 = dc_bits_f64(hi);
    const ulong4 t27 = t25 * (ulong4)(5UL);
    const ulong4 t28 = t24 ^ t27;
    const dc_f64_i64x3 out = { t19, t8, t12, t28 };
    return out;
}

__kernel void rcp_sweep(const ulong first, const ulong n, __global ulong *restrict records) {
    #pragma OPENCL FP_CONTRACT OFF
    const ulong group = (ulong)get_global_id(0);
    const ulong4 item = group * 4UL + (ulong4)(0UL, 1UL, 2UL, 3UL);
    const ulong items = (ulong)get_global_size(0) * 4UL;
    // The same for all items: keys past the end are masked.
    const ulong steps = n / items + (n % items != 0UL ? 1UL : 0UL);
    ulong4 misrounded = (ulong4)(0UL);
    ulong4 nan = (ulong4)(0UL);
    ulong4 infinity = (ulong4)(0UL);
    ulong4 zero_sign = (ulong4)(0UL);
    ulong4 digest = (ulong4)(0UL);
    ulong4 nan_key = (ulong4)(0x7fffffffffffffffUL);
    ulong4 infinity_key = (ulong4)(0x7fffffffffffffffUL);
    ulong4 zero_sign_key = (ulong4)(0x7fffffffffffffffUL);
    ulong4 max_key = (ulong4)(0x7fffffffffffffffUL);
    ulong4 max_positive_key = (ulong4)(0x7fffffffffffffffUL);
    ulong4 max_negative_key = (ulong4)(0x7fffffffffffffffUL);
    double4 max_positive = (double4)(as_double(0x0000000000000000UL));
    double4 max_negative = (double4)(as_double(0x0000000000000000UL));
    double4 max_error = (double4)(as_double(0xbff0000000000000UL)) /* below every |error| */;
    ulong4 bin0 = (ulong4)(0UL);
    ulong4 bin1 = (ulong4)(0UL);
    ulong4 bin2 = (ulong4)(0UL);
    ulong4 bin3 = (ulong4)(0UL);
    ulong4 bin4 = (ulong4)(0UL);
    ulong4 bin5 = (ulong4)(0UL);
    ulong4 bin6 = (ulong4)(0UL);
    ulong4 bin7 = (ulong4)(0UL);
    ulong4 bin8 = (ulong4)(0UL);
    ulong4 bin9 = (ulong4)(0UL);
    ulong4 bin10 = (ulong4)(0UL);
    ulong4 bin11 = (ulong4)(0UL);
    ulong4 bin12 = (ulong4)(0UL);
    ulong4 bin13 = (ulong4)(0UL);
    ulong4 bin14 = (ulong4)(0UL);
    ulong4 bin15 = (ulong4)(0UL);
    for (ulong done = 0UL; done < steps; done += 255UL) {
        const ulong left = steps - done;
        const ulong batch = left < 255UL ? left : 255UL;
        ulong4 low_bins = (ulong4)(0UL);
        ulong4 high_bins = (ulong4)(0UL);
        for (ulong step = 0UL; step < batch; ++step) {
            const ulong4 index = (done + step) * items + item;
            const long4 active = index < n;
            const ulong4 key = first + index;
            const uint4 code = convert_uint4(key);
            const uint4 negative = as_uint4((as_int4(code) >> 31));
            const uint4 bits = code ^ (negative >> 1);
            const float4 x = as_float4(bits);
            const float4 a = k_rcp(x);
            const double4 r = k_reference(convert_double4(x));
            const dc_f64_i64x3 j = k_judge(key, a, r);
            const double4 error = j.r0;
            const ulong4 flags = active ? j.r2 : (ulong4)(0UL);
            const long4 counted = active & ((j.r2 & 16UL) == 0UL);
            digest += active ? j.r3 : (ulong4)(0UL);
            misrounded += flags & 1UL;
            const ulong4 nan_here = (flags >> 1) & 1UL;
            nan += nan_here;
            const long4 nan_first = (nan_here != 0UL) & (as_long4(key) < as_long4(nan_key));
            nan_key = nan_first ? key : nan_key;
            const ulong4 infinity_here = (flags >> 2) & 1UL;
            infinity += infinity_here;
            const long4 infinity_first = (infinity_here != 0UL) & (as_long4(key) < as_long4(infinity_key));
            infinity_key = infinity_first ? key : infinity_key;
            const ulong4 zero_sign_here = (flags >> 3) & 1UL;
            zero_sign += zero_sign_here;
            const long4 zero_sign_first = (zero_sign_here != 0UL) & (as_long4(key) < as_long4(zero_sign_key));
            zero_sign_key = zero_sign_first ? key : zero_sign_key;
            const double4 size = fabs(error);
            const double4 below = -error;
            const long4 max_error_here = counted & (size > max_error);
            max_error = max_error_here ? size : max_error;
            max_key = max_error_here ? key : max_key;
            const long4 max_positive_here = counted & (error > max_positive);
            max_positive = max_positive_here ? error : max_positive;
            max_positive_key = max_positive_here ? key : max_positive_key;
            const long4 max_negative_here = counted & (below > max_negative);
            max_negative = max_negative_here ? below : max_negative;
            max_negative_key = max_negative_here ? key : max_negative_key;
            const ulong4 one = counted ? (ulong4)(1UL) << ((j.r1 & 7UL) * 8UL) : (ulong4)(0UL);
            const long4 low = (j.r1 & 8UL) == 0UL;
            low_bins += low ? one : (ulong4)(0UL);
            high_bins += low ? (ulong4)(0UL) : one;
        }
        bin0 += (low_bins >> 0) & 255UL;
        bin1 += (low_bins >> 8) & 255UL;
        bin2 += (low_bins >> 16) & 255UL;
        bin3 += (low_bins >> 24) & 255UL;
        bin4 += (low_bins >> 32) & 255UL;
        bin5 += (low_bins >> 40) & 255UL;
        bin6 += (low_bins >> 48) & 255UL;
        bin7 += (low_bins >> 56) & 255UL;
        bin8 += (high_bins >> 0) & 255UL;
        bin9 += (high_bins >> 8) & 255UL;
        bin10 += (high_bins >> 16) & 255UL;
        bin11 += (high_bins >> 24) & 255UL;
        bin12 += (high_bins >> 32) & 255UL;
        bin13 += (high_bins >> 40) & 255UL;
        bin14 += (high_bins >> 48) & 255UL;
        bin15 += (high_bins >> 56) & 255UL;
    }
    ulong words[31][4];
    vstore4(item < n ? (n - item - 1UL) / items + 1UL : (ulong4)(0UL), 0, words[0]);
    vstore4(max_error < (double4)(as_double(0x0000000000000000UL)) ? (ulong4)(0UL) : dc_bits_f64(max_error), 0, words[1]);
    vstore4(max_key, 0, words[2]);
    vstore4(dc_bits_f64(max_positive), 0, words[3]);
    vstore4(max_positive_key, 0, words[4]);
    vstore4(dc_bits_f64(max_negative), 0, words[5]);
    vstore4(max_negative_key, 0, words[6]);
    vstore4(misrounded, 0, words[7]);
    vstore4(nan, 0, words[8]);
    vstore4(nan == 0UL ? (ulong4)(0UL) : nan_key, 0, words[9]);
    vstore4(infinity, 0, words[10]);
    vstore4(infinity == 0UL ? (ulong4)(0UL) : infinity_key, 0, words[11]);
    vstore4(zero_sign, 0, words[12]);
    vstore4(zero_sign == 0UL ? (ulong4)(0UL) : zero_sign_key, 0, words[13]);
    vstore4(digest, 0, words[14]);
    vstore4(bin0, 0, words[15]);
    vstore4(bin1, 0, words[16]);
    vstore4(bin2, 0, words[17]);
    vstore4(bin3, 0, words[18]);
    vstore4(bin4, 0, words[19]);
    vstore4(bin5, 0, words[20]);
    vstore4(bin6, 0, words[21]);
    vstore4(bin7, 0, words[22]);
    vstore4(bin8, 0, words[23]);
    vstore4(bin9, 0, words[24]);
    vstore4(bin10, 0, words[25]);
    vstore4(bin11, 0, words[26]);
    vstore4(bin12, 0, words[27]);
    vstore4(bin13, 0, words[28]);
    vstore4(bin14, 0, words[29]);
    vstore4(bin15, 0, words[30]);
    for (ulong lane = 0UL; lane < 4UL; ++lane) {
        __global ulong *record = records + (group * 4UL + lane) * 31UL;
        for (ulong word = 0UL; word < 31UL; ++word) record[word] = words[word][lane];
    }
}
