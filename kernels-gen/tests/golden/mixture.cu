// tests::emit::mixture at points, by DoubleCrunch

typedef struct { double r0; double r1; } dc_f64x2;

typedef struct { double r0; unsigned long long r1; } dc_f64_i64;

// Bits; of any NaN those of the canonical one.
static __device__ __forceinline__ unsigned long long dc_bits_f64(double x) {
    const unsigned long long raw = (unsigned long long)__double_as_longlong(x);
    return x != x ? 0x7ff8000000000000ull : raw;
}

// A signed index held inside 0..=last.
static __device__ __forceinline__ unsigned long long dc_clamp_i64(unsigned long long index, unsigned long long last) {
    const unsigned long long low = (long long)index < 0 ? 0ull : index;
    return low > last ? last : low;
}

static __device__ const unsigned long long tab_C[3] = {
    0x3fb999999999999aull, // 0.1
    0x8000000000000000ull, // -0.0
    0x7ff0000000000000ull, // inf
};

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

// tests::emit::mixture, by_hand.rs:10
static __device__ __forceinline__ dc_f64_i64 k_mixture(const double x, const unsigned long long k) {
    // by_hand.rs:11  x * x // a comment that ends in
    const float narrow = __double2float_rn(x);
    // by_hand.rs:13
    const float t3 = __frcp_rn(narrow);
    const double y = (double)t3;
    const double c = __longlong_as_double(tab_C[dc_clamp_i64(k, 2ull)]);
    // by_hand.rs:14
    const dc_f64x2 t6 = k_two_sum(y, c);
    const double s = t6.r0;
    const dc_f64x2 t10 = k_two_sum(s, __longlong_as_double(0x3fb999999999999aull) /* 0.1 */);
    const double t11 = t10.r0;
    const double t12 = t10.r1;
    const unsigned long long t14 = k << 5;
    const unsigned long long t16 = t14 & 0xfffffffffffff000ull /* -4096 */;
    const bool t17 = x < t12;
    const double t18 = t17 ? t11 : x;
    const unsigned long long t19 = dc_bits_f64(t18);
    const unsigned long long t20 = t19 + t16;
    const dc_f64_i64 out = { t18, t20 };
    return out;
}

extern "C" __global__ void mixture_point(
    const unsigned long long *__restrict__ in0,
    const unsigned long long *__restrict__ in1,
    unsigned long long *__restrict__ out0,
    unsigned long long *__restrict__ out1,
    const unsigned long long n) {
    const unsigned long long first = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned long long stride = (unsigned long long)gridDim.x * blockDim.x;
    for (unsigned long long i = first; i < n; i += stride) {
        const double x0 = __longlong_as_double(in0[i]);
        const unsigned long long x1 = in1[i];
        const dc_f64_i64 y = k_mixture(x0, x1);
        out0[i] = dc_bits_f64(y.r0);
        out1[i] = y.r1;
    }
}
