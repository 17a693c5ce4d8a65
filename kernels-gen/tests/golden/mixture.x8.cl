// tests::emit::mixture at points, by DoubleCrunch
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

typedef struct { double8 r0; double8 r1; } dc_by8_f64x2;

typedef struct { double8 r0; ulong8 r1; } dc_by8_f64_i64;

// Bits; of any NaN those of the canonical one.
static inline __attribute__((always_inline, overloadable)) ulong8 dc_bits_f64(double8 x) {
    #pragma OPENCL FP_CONTRACT OFF
    const ulong8 raw = as_ulong8(x);
    return x != x ? (ulong8)(0x7ff8000000000000UL) : raw;
}

// A signed index held inside 0..=last.
static inline __attribute__((always_inline, overloadable)) ulong8 dc_clamp_i64(ulong8 index, ulong8 last) {
    #pragma OPENCL FP_CONTRACT OFF
    const ulong8 low = as_long8(index) < 0 ? (ulong8)(0UL) : index;
    return low > last ? last : low;
}

// The correctly rounded float quotient, by rounding q = a/b first to double and then to float.
// Let a = A*2^i, b = B*2^j with integers A, B < 2^24, and let m = k*2^f, k odd, k < 2^25, be a midpoint of two
// floats (subnormal results and the overflow threshold included). If q != m, then |q - m|/m = |A*2^s - k*B|/(k*B)
// with s = i - j - f. For s >= 0 the numerator is at least 1 and the ratio above 2^-49; for s < 0 the numerator is
// at least 2^s, and where q is within a factor 2 of m, k*B < 2^(25+s), so the ratio is above 2^-25. Rounding to
// double moves q by at most 2^-53 of itself, so it cannot carry q onto or across m, and the second rounding goes
// the way one rounding would. (No quotient of two floats is subnormal in double.)
static inline __attribute__((always_inline, overloadable)) float8 dc_divide_f32(float8 a, float8 b) {
    #pragma OPENCL FP_CONTRACT OFF
    const double8 wide_a = convert_double8(a);
    const double8 wide_b = convert_double8(b);
    const double8 quotient = wide_a / wide_b;
    return convert_float8_rte(quotient);
}

__constant ulong tab_C[3] = {
    0x3fb999999999999aUL, // 0.1
    0x8000000000000000UL, // -0.0
    0x7ff0000000000000UL, // inf
};

static inline __attribute__((always_inline, overloadable)) ulong8 dc_at_tab_C(ulong8 index) {
    #pragma OPENCL FP_CONTRACT OFF
    return (ulong8)(tab_C[index.s0], tab_C[index.s1], tab_C[index.s2], tab_C[index.s3], tab_C[index.s4], tab_C[index.s5], tab_C[index.s6], tab_C[index.s7]);
}

// tests::emit::two_sum, by_hand.rs:10
static inline __attribute__((always_inline, overloadable)) dc_by8_f64x2 k_two_sum(const double8 a, const double8 b) {
    #pragma OPENCL FP_CONTRACT OFF
    // by_hand.rs:11  x * x // a comment that ends in
    const double8 s = a + b;
    // by_hand.rs:12  }
    const double8 t3 = s - a;
    const double8 t4 = s - t3;
    const double8 t5 = a - t4;
    const double8 t6 = b - t3;
    const double8 e = t5 + t6;
    const dc_by8_f64x2 out = { s, e };
    return out;
}

// tests::emit::mixture, by_hand.rs:10
static inline __attribute__((always_inline, overloadable)) dc_by8_f64_i64 k_mixture(const double8 x, const ulong8 k) {
    #pragma OPENCL FP_CONTRACT OFF
    // by_hand.rs:11  x * x // a comment that ends in
    const float8 narrow = convert_float8_rte(x);
    // by_hand.rs:13
    const float8 t3 = dc_divide_f32((float8)(as_float(0x3f800000U)) /* 1.0 */, narrow);
    const double8 y = convert_double8(t3);
    const double8 c = as_double8(dc_at_tab_C(dc_clamp_i64(k, (ulong8)(2UL))));
    // by_hand.rs:14
    const dc_by8_f64x2 t6 = k_two_sum(y, c);
    const double8 s = t6.r0;
    const dc_by8_f64x2 t10 = k_two_sum(s, (double8)(as_double(0x3fb999999999999aUL)) /* 0.1 */);
    const double8 t11 = t10.r0;
    const double8 t12 = t10.r1;
    const ulong8 t14 = k << 5;
    const ulong8 t16 = t14 & (ulong8)(0xfffffffffffff000UL) /* -4096 */;
    const long8 t17 = x < t12;
    const double8 t18 = t17 ? t11 : x;
    const ulong8 t19 = dc_bits_f64(t18);
    const ulong8 t20 = t19 + t16;
    const dc_by8_f64_i64 out = { t18, t20 };
    return out;
}

static inline __attribute__((always_inline, overloadable)) ulong8 dc_load(__global const ulong *words, ulong i, ulong n) {
    #pragma OPENCL FP_CONTRACT OFF
    ulong part[8];
    if (i + 8UL <= n) return vload8(0, words + i);
    for (ulong lane = 0UL; lane < 8UL; ++lane) part[lane] = words[i + lane < n ? i + lane : n - 1UL];
    return vload8(0, part);
}

static inline __attribute__((always_inline, overloadable)) void dc_store(ulong8 value, __global ulong *words, ulong i, ulong n) {
    #pragma OPENCL FP_CONTRACT OFF
    ulong part[8];
    if (i + 8UL <= n) {
        vstore8(value, 0, words + i);
        return;
    }
    vstore8(value, 0, part);
    for (ulong lane = 0UL; i + lane < n; ++lane) words[i + lane] = part[lane];
}

__kernel void mixture_point(
    __global const ulong *restrict in0,
    __global const ulong *restrict in1,
    __global ulong *restrict out0,
    __global ulong *restrict out1,
    const ulong n) {
    #pragma OPENCL FP_CONTRACT OFF
    const ulong first = (ulong)get_global_id(0) * 8UL;
    const ulong stride = (ulong)get_global_size(0) * 8UL;
    for (ulong i = first; i < n; i += stride) {
        const double8 x0 = as_double8(dc_load(in0, i, n));
        const ulong8 x1 = dc_load(in1, i, n);
        const dc_by8_f64_i64 y = k_mixture(x0, x1);
        dc_store(dc_bits_f64(y.r0), out0, i, n);
        dc_store(y.r1, out1, i, n);
    }
}
