// rcp against reference, measured by metric: a search by DoubleCrunch
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

typedef struct { double r0; double r1; } dc_f64x2;

typedef struct { double r0; ulong r1; ulong r2; ulong r3; } dc_f64_i64x3;

// Bits; of any NaN those of the canonical one.
static inline __attribute__((always_inline)) ulong dc_bits_f64(double x) {
    #pragma OPENCL FP_CONTRACT OFF
    const ulong raw = as_ulong(x);
    return x != x ? 0x7ff8000000000000UL : raw;
}

// The correctly rounded float quotient, by rounding q = a/b first to double and then to float.
// Let a = A*2^i, b = B*2^j with integers A, B < 2^24, and let m = k*2^f, k odd, k < 2^25, be a midpoint of two
// floats (subnormal results and the overflow threshold included). If q != m, then |q - m|/m = |A*2^s - k*B|/(k*B)
// with s = i - j - f. For s >= 0 the numerator is at least 1 and the ratio above 2^-49; for s < 0 the numerator is
// at least 2^s, and where q is within a factor 2 of m, k*B < 2^(25+s), so the ratio is above 2^-25. Rounding to
// double moves q by at most 2^-53 of itself, so it cannot carry q onto or across m, and the second rounding goes
// the way one rounding would. (No quotient of two floats is subnormal in double.)
static inline __attribute__((always_inline)) float dc_divide_f32(float a, float b) {
    #pragma OPENCL FP_CONTRACT OFF
    const double wide_a = convert_double(a);
    const double wide_b = convert_double(b);
    const double quotient = wide_a / wide_b;
    return convert_float_rte(quotient);
}

// tests::emit::rcp, by_hand.rs:10
static inline __attribute__((always_inline)) float k_rcp(const float x) {
    #pragma OPENCL FP_CONTRACT OFF
    // by_hand.rs:11  x * x // a comment that ends in
    const float t1 = dc_divide_f32(as_float(0x3f800000U) /* 1.0 */, x);
    return t1;
}

// tests::emit::two_sum, by_hand.rs:10
static inline __attribute__((always_inline)) dc_f64x2 k_two_sum(const double a, const double b) {
    #pragma OPENCL FP_CONTRACT OFF
    // by_hand.rs:11  x * x // a comment that ends in
    const double s = a + b;
    // by_hand.rs:12  }
    const double t3 = s - a;
    const double t4 = s - t3;
    const double t5 = a - t4;
    const double t6 = b - t3;
    const double e = t5 + t6;
    const dc_f64x2 out = { s, e };
    return out;
}

// tests::emit::reference, by_hand.rs:10
static inline __attribute__((always_inline)) double k_reference(const double x) {
    #pragma OPENCL FP_CONTRACT OFF
    // by_hand.rs:11  x * x // a comment that ends in
    const dc_f64x2 t2 = k_two_sum(x, as_double(0x3ff0000000000000UL) /* 1.0 */);
    const double t3 = t2.r0;
    return t3;
}

// tests::emit::metric, by_hand.rs:10
static inline __attribute__((always_inline)) dc_f64_i64x3 k_metric(const ulong key, const float approx, const double hi) {
    #pragma OPENCL FP_CONTRACT OFF
    // by_hand.rs:11  x * x // a comment that ends in
    const ulong t4 = key * 0x9e3779b97f4a7c15UL /* -7046029254386353131 */;
    const ulong t7 = t4 >> 8;
    const ulong t8 = t7 & 15UL;
    const ulong t11 = t4 >> 20;
    const ulong t12 = t11 & 63UL;
    const ulong t15 = t4 >> 40;
    const ulong t16 = t15 & 7UL;
    const ulong t18 = t16 - 3UL;
    const double t19 = convert_double_rte((long)t18);
    const double t20 = convert_double(approx);
    const ulong t21 = dc_bits_f64(t20);
    const ulong t23 = t21 * 3UL;
    const ulong t24 = t4 ^ t23;
    const ulong t25 = dc_bits_f64(hi);
    const ulong t27 = t25 * 5UL;
    const ulong t28 = t24 ^ t27;
    const dc_f64_i64x3 out = { t19, t8, t12, t28 };
    return out;
}

__kernel void rcp_sweep(const ulong first, const ulong n, __global ulong *restrict records) {
    #pragma OPENCL FP_CONTRACT OFF
    const ulong item = (ulong)get_global_id(0);
    const ulong items = (ulong)get_global_size(0);
    // The same for all items: keys past the end are masked.
    const ulong steps = n / items + (n % items != 0UL ? 1UL : 0UL);
    ulong misrounded = 0UL;
    ulong undecided = 0UL;
    ulong nan = 0UL;
    ulong infinity = 0UL;
    ulong zero_sign = 0UL;
    ulong digest = 0UL;
    ulong nan_key = 0x7fffffffffffffffUL;
    ulong infinity_key = 0x7fffffffffffffffUL;
    ulong zero_sign_key = 0x7fffffffffffffffUL;
    ulong max_key = 0x7fffffffffffffffUL;
    ulong max_positive_key = 0x7fffffffffffffffUL;
    ulong max_negative_key = 0x7fffffffffffffffUL;
    double max_positive = as_double(0x0000000000000000UL);
    double max_negative = as_double(0x0000000000000000UL);
    double max_error = as_double(0xbff0000000000000UL) /* below every |error| */;
    ulong bin0 = 0UL;
    ulong bin1 = 0UL;
    ulong bin2 = 0UL;
    ulong bin3 = 0UL;
    ulong bin4 = 0UL;
    ulong bin5 = 0UL;
    ulong bin6 = 0UL;
    ulong bin7 = 0UL;
    ulong bin8 = 0UL;
    ulong bin9 = 0UL;
    ulong bin10 = 0UL;
    ulong bin11 = 0UL;
    ulong bin12 = 0UL;
    ulong bin13 = 0UL;
    ulong bin14 = 0UL;
    ulong bin15 = 0UL;
    for (ulong done = 0UL; done < steps; done += 255UL) {
        const ulong left = steps - done;
        const ulong batch = left < 255UL ? left : 255UL;
        ulong low_bins = 0UL;
        ulong high_bins = 0UL;
        for (ulong step = 0UL; step < batch; ++step) {
            const ulong index = (done + step) * items + item;
            const bool active = index < n;
            const ulong key = first + index;
            const uint code = (uint)key;
            const uint negative = (uint)((int)code >> 31);
            const uint bits = code ^ (negative >> 1);
            const float x = as_float(bits);
            const float a = k_rcp(x);
            const double r = k_reference(convert_double(x));
            const dc_f64_i64x3 j = k_metric(key, a, r);
            const double error = j.r0;
            const ulong flags = active ? j.r2 : 0UL;
            const bool counted = active & ((j.r2 & 16UL) == 0UL);
            digest += active ? j.r3 : 0UL;
            misrounded += flags & 1UL;
            undecided += (flags >> 5) & 1UL;
            const ulong nan_here = (flags >> 1) & 1UL;
            nan += nan_here;
            const bool nan_first = (nan_here != 0UL) & ((long)key < (long)nan_key);
            nan_key = nan_first ? key : nan_key;
            const ulong infinity_here = (flags >> 2) & 1UL;
            infinity += infinity_here;
            const bool infinity_first = (infinity_here != 0UL) & ((long)key < (long)infinity_key);
            infinity_key = infinity_first ? key : infinity_key;
            const ulong zero_sign_here = (flags >> 3) & 1UL;
            zero_sign += zero_sign_here;
            const bool zero_sign_first = (zero_sign_here != 0UL) & ((long)key < (long)zero_sign_key);
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
            const ulong one = counted ? 1UL << ((j.r1 & 7UL) * 8UL) : 0UL;
            const bool low = (j.r1 & 8UL) == 0UL;
            low_bins += low ? one : 0UL;
            high_bins += low ? 0UL : one;
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
    __global ulong *record = records + item * 33UL;
    ulong check = 0UL;
    const ulong out0 = item < n ? (n - item - 1UL) / items + 1UL : 0UL;
    record[0] = out0;
    check += out0 * 0x9e3779b97f4a7c15UL;
    const ulong out1 = max_error < as_double(0x0000000000000000UL) ? 0UL : dc_bits_f64(max_error);
    record[1] = out1;
    check += out1 * 0xdf442d22ce4859b9UL;
    const ulong out2 = max_key;
    record[2] = out2;
    check += out2 * 0x604a5ce3addef82dUL;
    const ulong out3 = dc_bits_f64(max_positive);
    record[3] = out3;
    check += out3 * 0xd94363fc538227b1UL;
    const ulong out4 = max_positive_key;
    record[4] = out4;
    check += out4 * 0x2e2b795f2d10fd85UL;
    const ulong out5 = dc_bits_f64(max_negative);
    record[5] = out5;
    check += out5 * 0x4be7956e30a337e9UL;
    const ulong out6 = max_negative_key;
    record[6] = out6;
    check += out6 * 0x5ecb31e4ccd2721dUL;
    const ulong out7 = misrounded;
    record[7] = out7;
    check += out7 * 0x06d4b2611beb6861UL;
    const ulong out8 = undecided;
    record[8] = out8;
    check += out8 * 0x0f10cd6a9be88bf5UL;
    const ulong out9 = nan;
    record[9] = out9;
    check += out9 * 0x80e0dcf76db02719UL;
    const ulong out10 = nan == 0UL ? 0UL : nan_key;
    record[10] = out10;
    check += out10 * 0x779023cf069d510dUL;
    const ulong out11 = infinity;
    record[11] = out11;
    check += out11 * 0x4114e3439eebf211UL;
    const ulong out12 = infinity == 0UL ? 0UL : infinity_key;
    record[12] = out12;
    check += out12 * 0x8fc15a19ba851765UL;
    const ulong out13 = zero_sign;
    record[13] = out13;
    check += out13 * 0x50687085a271d749UL;
    const ulong out14 = zero_sign == 0UL ? 0UL : zero_sign_key;
    record[14] = out14;
    check += out14 * 0x82fe791be9b804fdUL;
    const ulong out15 = digest;
    record[15] = out15;
    check += out15 * 0xf53f7dff42a4f4c1UL;
    const ulong out17 = bin0;
    record[17] = out17;
    check += out17 * 0x204db59ca693f879UL;
    const ulong out18 = bin1;
    record[18] = out18;
    check += out18 * 0xe1a216043077fdedUL;
    const ulong out19 = bin2;
    record[19] = out19;
    check += out19 * 0x07dde4bf1258a071UL;
    const ulong out20 = bin3;
    record[20] = out20;
    check += out20 * 0x657df06edea5e545UL;
    const ulong out21 = bin4;
    record[21] = out21;
    check += out21 * 0xfb5e617f1f9b3aa9UL;
    const ulong out22 = bin5;
    record[22] = out22;
    check += out22 * 0xb39afcd693ffabddUL;
    const ulong out23 = bin6;
    record[23] = out23;
    check += out23 * 0x761af3294c1a2521UL;
    const ulong out24 = bin7;
    record[24] = out24;
    check += out24 * 0x3737591302ab07b5UL;
    const ulong out25 = bin8;
    record[25] = out25;
    check += out25 * 0xa6a140ea15154dd9UL;
    const ulong out26 = bin9;
    record[26] = out26;
    check += out26 * 0xa09b3202342e7ecdUL;
    const ulong out27 = bin10;
    record[27] = out27;
    check += out27 * 0x590dd8f2277db2d1UL;
    const ulong out28 = bin11;
    record[28] = out28;
    check += out28 * 0x3710df127f56e725UL;
    const ulong out29 = bin12;
    record[29] = out29;
    check += out29 * 0xf0f4b4b9b5c8e209UL;
    const ulong out30 = bin13;
    record[30] = out30;
    check += out30 * 0x196a94fe0490e6bdUL;
    const ulong out31 = bin14;
    record[31] = out31;
    check += out31 * 0xcdfb8afc05487981UL;
    const ulong out32 = bin15;
    record[32] = out32;
    check += out32 * 0xbbf1bbaea8167395UL;
    record[16] = check;
}
