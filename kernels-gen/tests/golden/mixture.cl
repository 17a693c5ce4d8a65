// tests::emit::mixture at points, by DoubleCrunch
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

typedef struct { double r0; double r1; } dc_f64x2;

typedef struct { double r0; ulong r1; } dc_f64_i64;

// Bits; of any NaN those of the canonical one.
static inline __attribute__((always_inline)) ulong dc_bits_f64(double x) {
    #pragma OPENCL FP_CONTRACT OFF
    const ulong raw = as_ulong(x);
    return x != x ? 0x7ff8000000000000UL : raw;
}

// A signed index held inside 0..=last.
static inline __attribute__((always_inline)) ulong dc_clamp_i64(ulong index, ulong last) {
    #pragma OPENCL FP_CONTRACT OFF
    const ulong low = (long)index < 0 ? 0UL : index;
    return low > last ? last : low;
}

__constant ulong tab_C[3] = {
    0x3fb999999999999aUL, // 0.1
    0x8000000000000000UL, // -0.0
    0x7ff0000000000000UL, // inf
};

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

// tests::emit::mixture, by_hand.rs:10
static inline __attribute__((always_inline)) dc_f64_i64 k_mixture(const double x, const ulong k) {
    #pragma OPENCL FP_CONTRACT OFF
    // by_hand.rs:11  x * x // a comment that ends in
    const float narrow = convert_float_rte(x);
    // by_hand.rs:13
    const float t3 = as_float(0x3f800000U) /* 1.0 */ / narrow;
    const double y = convert_double(t3);
    const double c = as_double(tab_C[dc_clamp_i64(k, 2UL)]);
    // by_hand.rs:14
    const dc_f64x2 t6 = k_two_sum(y, c);
    const double s = t6.r0;
    const dc_f64x2 t10 = k_two_sum(s, as_double(0x3fb999999999999aUL) /* 0.1 */);
    const double t11 = t10.r0;
    const double t12 = t10.r1;
    const ulong t14 = k << 5;
    const ulong t16 = t14 & 0xfffffffffffff000UL /* -4096 */;
    const bool t17 = x < t12;
    const double t18 = t17 ? t11 : x;
    const ulong t19 = dc_bits_f64(t18);
    const ulong t20 = t19 + t16;
    const dc_f64_i64 out = { t18, t20 };
    return out;
}

__kernel void mixture_point(
    __global const ulong *restrict in0,
    __global const ulong *restrict in1,
    __global ulong *restrict out0,
    __global ulong *restrict out1,
    const ulong n) {
    #pragma OPENCL FP_CONTRACT OFF
    const ulong first = (ulong)get_global_id(0);
    const ulong stride = (ulong)get_global_size(0);
    for (ulong i = first; i < n; i += stride) {
        const double x0 = as_double(in0[i]);
        const ulong x1 = in1[i];
        const dc_f64_i64 y = k_mixture(x0, x1);
        out0[i] = dc_bits_f64(y.r0);
        out1[i] = y.r1;
    }
}
