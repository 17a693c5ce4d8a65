// tests::emit::exp at points, by DoubleCrunch
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

typedef struct { float r0; double r1; uint r2; ulong r3; bool r4; bool r5; bool r6; bool r7; bool r8; double r9; double r10; double r11; double r12; double r13; double r14; double r15; double r16; double r17; double r18; double r19; double r20; double r21; double r22; double r23; double r24; bool r25; bool r26; bool r27; bool r28; bool r29; bool r30; bool r31; bool r32; ulong r33; uint r34; ulong r35; double r36; double r37; float r38; float r39; float r40; float r41; float r42; float r43; float r44; float r45; float r46; float r47; float r48; float r49; float r50; float r51; float r52; float r53; bool r54; bool r55; bool r56; bool r57; bool r58; bool r59; bool r60; bool r61; ulong r62; uint r63; uint r64; float r65; float r66; ulong r67; ulong r68; ulong r69; ulong r70; ulong r71; ulong r72; bool r73; bool r74; bool r75; bool r76; bool r77; bool r78; ulong r79; ulong r80; ulong r81; ulong r82; ulong r83; ulong r84; ulong r85; double r86; float r87; ulong r88; uint r89; uint r90; uint r91; uint r92; uint r93; uint r94; bool r95; bool r96; bool r97; bool r98; bool r99; bool r100; uint r101; uint r102; uint r103; uint r104; uint r105; uint r106; uint r107; double r108; float r109; uint r110; } dc_f32_f64_i32_i64_maskx5_f64x16_maskx8_i64_i32_i64_f64x2_f32x16_maskx8_i64_i32x2_f32x2_i64x6_maskx6_i64x7_f64_f32_i64_i32x6_maskx6_i32x7_f64_f32_i32;

// Bits; of any NaN those of the canonical one.
static inline __attribute__((always_inline)) ulong dc_bits_f64(double x) {
    #pragma OPENCL FP_CONTRACT OFF
    const ulong raw = as_ulong(x);
    return x != x ? 0x7ff8000000000000UL : raw;
}

// Bits; of any NaN those of the canonical one.
static inline __attribute__((always_inline)) uint dc_bits_f32(float x) {
    #pragma OPENCL FP_CONTRACT OFF
    const uint raw = as_uint(x);
    return x != x ? 0x7fc00000U : raw;
}

// Sign bit; a NaN is canonical, so positive.
static inline __attribute__((always_inline)) bool dc_negative_f64(double x) {
    #pragma OPENCL FP_CONTRACT OFF
    const ulong raw = as_ulong(x);
    return (x == x) & ((raw >> 63) != 0UL);
}

// Sign bit; a NaN is canonical, so positive.
static inline __attribute__((always_inline)) bool dc_negative_f32(float x) {
    #pragma OPENCL FP_CONTRACT OFF
    const uint raw = as_uint(x);
    return (x == x) & ((raw >> 31) != 0U);
}

// Magnitude of the first, sign of the second; a NaN is canonical, so positive.
static inline __attribute__((always_inline)) double dc_copysign_f64(double magnitude, double sign) {
    #pragma OPENCL FP_CONTRACT OFF
    const ulong rest = as_ulong(magnitude) & 0x7fffffffffffffffUL;
    const ulong raw = as_ulong(sign) & 0x8000000000000000UL;
    const ulong top = sign != sign ? 0UL : raw;
    const ulong bits = rest | top;
    return as_double(bits);
}

// Magnitude of the first, sign of the second; a NaN is canonical, so positive.
static inline __attribute__((always_inline)) float dc_copysign_f32(float magnitude, float sign) {
    #pragma OPENCL FP_CONTRACT OFF
    const uint rest = as_uint(magnitude) & 0x7fffffffU;
    const uint raw = as_uint(sign) & 0x80000000U;
    const uint top = sign != sign ? 0U : raw;
    const uint bits = rest | top;
    return as_float(bits);
}

// Toward zero, saturating; NaN gives 0.
static inline __attribute__((always_inline)) ulong dc_f64_to_i64(double x) {
    #pragma OPENCL FP_CONTRACT OFF
    const bool high = x >= as_double(0x43e0000000000000UL) /* 2^63 */;
    const bool low = x < as_double(0xc3e0000000000000UL) /* -2^63 */;
    const bool nan = x != x;
    const bool bad = nan | high | low;
    const double inside = bad ? as_double(0x0000000000000000UL) : x;
    const ulong whole = (ulong)convert_long_rtz(inside);
    const ulong capped = high ? 0x7fffffffffffffffUL : whole;
    return low ? 0x8000000000000000UL : capped;
}

// Toward zero, saturating; NaN gives 0.
static inline __attribute__((always_inline)) uint dc_f64_to_i32(double x) {
    #pragma OPENCL FP_CONTRACT OFF
    const bool high = x >= as_double(0x41e0000000000000UL) /* 2^31 */;
    const bool low = x < as_double(0xc1e0000000000000UL) /* -2^31 */;
    const bool nan = x != x;
    const bool bad = nan | high | low;
    const double inside = bad ? as_double(0x0000000000000000UL) : x;
    const uint whole = (uint)convert_int_rtz(inside);
    const uint capped = high ? 0x7fffffffU : whole;
    return low ? 0x80000000U : capped;
}

// Toward zero, saturating; NaN gives 0.
static inline __attribute__((always_inline)) ulong dc_f32_to_i64(float x) {
    #pragma OPENCL FP_CONTRACT OFF
    const bool high = x >= as_float(0x5f000000U) /* 2^63 */;
    const bool low = x < as_float(0xdf000000U) /* -2^63 */;
    const bool nan = x != x;
    const bool bad = nan | high | low;
    const float inside = bad ? as_float(0x00000000U) : x;
    const ulong whole = (ulong)convert_long_rtz(inside);
    const ulong capped = high ? 0x7fffffffffffffffUL : whole;
    return low ? 0x8000000000000000UL : capped;
}

// Toward zero, saturating; NaN gives 0.
static inline __attribute__((always_inline)) uint dc_f32_to_i32(float x) {
    #pragma OPENCL FP_CONTRACT OFF
    const bool high = x >= as_float(0x4f000000U) /* 2^31 */;
    const bool low = x < as_float(0xcf000000U) /* -2^31 */;
    const bool nan = x != x;
    const bool bad = nan | high | low;
    const float inside = bad ? as_float(0x00000000U) : x;
    const uint whole = (uint)convert_int_rtz(inside);
    const uint capped = high ? 0x7fffffffU : whole;
    return low ? 0x80000000U : capped;
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

// The correctly rounded float square root, by rounding r = sqrt(x) first to double and then to float.
// Let x = X*2^(2e), X < 2^25, and let m = k*2^f, k odd, 2^24 < k < 2^25, be a midpoint of two floats. The square
// k*k is odd and above 2^48, so x != m*m, and |x - m*m|/(m*m) >= 1/(k*k) > 2^-50, hence |r - m|/m > 2^-52. Rounding
// to double moves r by at most 2^-53 of itself: not onto or across m. Roots of floats are never subnormal.
static inline __attribute__((always_inline)) float dc_sqrt_f32(float x) {
    #pragma OPENCL FP_CONTRACT OFF
    const double wide = convert_double(x);
    const double root = sqrt(wide);
    return convert_float_rte(root);
}

// The correctly rounded float of a 64-bit integer. Some devices round it twice, through double (oclgrind 21.10), so
// the first step is made exact: below 2^53 it is; above, n is rounded to odd at bit 11 (Boldo and Melquiond, Emulation
// of FMA and correctly rounded sums: proved algorithms using rounding to odd, 2008), which leaves at most 53 bits and
// is neither a float nor a midpoint of two floats unless n is that number.
static inline __attribute__((always_inline)) float dc_long_to_f32(ulong n) {
    #pragma OPENCL FP_CONTRACT OFF
    const ulong sticky = ((n & 0x7ffUL) + 0x7ffUL) & 0x800UL;
    const ulong odd = (n & ~0x7ffUL) | sticky;
    const bool small = n + 0x0020000000000000UL < 0x0040000000000000UL;
    const ulong exact = small ? n : odd;
    const double wide = convert_double_rte((long)exact);
    return convert_float_rte(wide);
}

// tests::emit::exp, by_hand.rs:10
static inline __attribute__((always_inline)) dc_f32_f64_i32_i64_maskx5_f64x16_maskx8_i64_i32_i64_f64x2_f32x16_maskx8_i64_i32x2_f32x2_i64x6_maskx6_i64x7_f64_f32_i64_i32x6_maskx6_i32x7_f64_f32_i32 k_exp(const double a, const double b, const double c, const float f, const float g, const float h, const ulong i, const ulong j, const ulong k, const uint l, const uint half_v, const uint double2_v, const bool NAN_v, const bool v_m) {
    #pragma OPENCL FP_CONTRACT OFF
    // by_hand.rs:11  x * x // a comment that ends in
    const float t14 = convert_float_rte(a);
    const double t15 = convert_double(f);
    const uint t16 = (uint)i;
    const ulong t17 = (ulong)(long)(int)l;
    const bool t18 = NAN_v & v_m;
    const bool t19 = NAN_v | v_m;
    const bool t20 = NAN_v ^ v_m;
    const bool t21 = !NAN_v;
    const bool t22 = NAN_v ? v_m : NAN_v;
    const double t23 = a + b;
    const double t24 = a - b;
    const double t25 = a * b;
    const double t26 = a / b;
    const double t27 = fma(a, b, c);
    const double t28 = sqrt(a);
    const double t29 = as_double(0x3ff0000000000000UL) /* 1.0 */ / a;
    const double t30 = -a;
    const double t31 = fabs(a);
    const double t32 = dc_copysign_f64(a, b);
    const double t33 = floor(a);
    const double t34 = ceil(a);
    const double t35 = trunc(a);
    const double t36 = rint(a);
    const double t37 = ((a < b) & (as_ulong(a) != as_ulong(b))) ? a : b;
    const double t38 = ((a > b) & (as_ulong(a) != as_ulong(b))) ? a : b;
    const bool t39 = a < b;
    const bool t40 = a <= b;
    const bool t41 = a > b;
    const bool t42 = a >= b;
    const bool t43 = a == b;
    const bool t44 = a != b;
    const bool t45 = a != a;
    const bool t46 = dc_negative_f64(a);
    const ulong t47 = dc_f64_to_i64(a);
    const uint t48 = dc_f64_to_i32(a);
    const ulong t49 = dc_bits_f64(a);
    const double t50 = as_double(i);
    const double t51 = NAN_v ? a : b;
    const float t52 = f + g;
    const float t53 = f - g;
    const float t54 = f * g;
    const float t55 = dc_divide_f32(f, g);
    const float t56 = fma(f, g, h);
    const float t57 = dc_sqrt_f32(f);
    const float t58 = dc_divide_f32(as_float(0x3f800000U) /* 1.0 */, f);
    const float t59 = -f;
    const float t60 = fabs(f);
    const float t61 = dc_copysign_f32(f, g);
    const float t62 = floor(f);
    const float t63 = ceil(f);
    const float t64 = trunc(f);
    const float t65 = rint(f);
    const float t66 = ((f < g) & (as_uint(f) != as_uint(g))) ? f : g;
    const float t67 = ((f > g) & (as_uint(f) != as_uint(g))) ? f : g;
    const bool t68 = f < g;
    const bool t69 = f <= g;
    const bool t70 = f > g;
    const bool t71 = f >= g;
    const bool t72 = f == g;
    const bool t73 = f != g;
    const bool t74 = f != f;
    const bool t75 = dc_negative_f32(f);
    const ulong t76 = dc_f32_to_i64(f);
    const uint t77 = dc_f32_to_i32(f);
    const uint t78 = dc_bits_f32(f);
    const float t79 = as_float(l);
    const float t80 = NAN_v ? f : g;
    const ulong t81 = i + j;
    const ulong t82 = i - j;
    const ulong t83 = i * j;
    const ulong t84 = 0UL - i;
    const ulong t85 = (long)i < (long)j ? i : j;
    const ulong t86 = (long)i > (long)j ? i : j;
    const bool t87 = (long)i < (long)j;
    const bool t88 = (long)i <= (long)j;
    const bool t89 = (long)i > (long)j;
    const bool t90 = (long)i >= (long)j;
    const bool t91 = i == j;
    const bool t92 = i != j;
    const ulong t93 = i & j;
    const ulong t94 = i | j;
    const ulong t95 = i ^ j;
    const ulong t96 = ~i;
    const ulong t97 = i << (j & 63UL);
    const ulong t98 = (ulong)((long)i >> (j & 63UL));
    const ulong t99 = i >> (j & 63UL);
    const double t100 = convert_double_rte((long)i);
    const float t101 = dc_long_to_f32(i);
    const ulong t102 = NAN_v ? i : j;
    const uint t103 = l + half_v;
    const uint t104 = l - half_v;
    const uint t105 = l * half_v;
    const uint t106 = 0U - l;
    const uint t107 = (int)l < (int)half_v ? l : half_v;
    const uint t108 = (int)l > (int)half_v ? l : half_v;
    const bool t109 = (int)l < (int)half_v;
    const bool t110 = (int)l <= (int)half_v;
    const bool t111 = (int)l > (int)half_v;
    const bool t112 = (int)l >= (int)half_v;
    const bool t113 = l == half_v;
    const bool t114 = l != half_v;
    const uint t115 = l & half_v;
    const uint t116 = l | half_v;
    const uint t117 = l ^ half_v;
    const uint t118 = ~l;
    const uint t119 = l << (half_v & 31U);
    const uint t120 = (uint)((int)l >> (half_v & 31U));
    const uint t121 = l >> (half_v & 31U);
    const double t122 = convert_double_rte((int)l);
    const float t123 = convert_float_rte((int)l);
    const uint t124 = NAN_v ? l : half_v;
    const dc_f32_f64_i32_i64_maskx5_f64x16_maskx8_i64_i32_i64_f64x2_f32x16_maskx8_i64_i32x2_f32x2_i64x6_maskx6_i64x7_f64_f32_i64_i32x6_maskx6_i32x7_f64_f32_i32 out = { t14, t15, t16, t17, t18, t19, t20, t21, t22, t23, t24, t25, t26, t27, t28, t29, t30, t31, t32, t33, t34, t35, t36, t37, t38, t39, t40, t41, t42, t43, t44, t45, t46, t47, t48, t49, t50, t51, t52, t53, t54, t55, t56, t57, t58, t59, t60, t61, t62, t63, t64, t65, t66, t67, t68, t69, t70, t71, t72, t73, t74, t75, t76, t77, t78, t79, t80, t81, t82, t83, t84, t85, t86, t87, t88, t89, t90, t91, t92, t93, t94, t95, t96, t97, t98, t99, t100, t101, t102, t103, t104, t105, t106, t107, t108, t109, t110, t111, t112, t113, t114, t115, t116, t117, t118, t119, t120, t121, t122, t123, t124 };
    return out;
}

__kernel void exp_point(
    __global const ulong *restrict in0,
    __global const ulong *restrict in1,
    __global const ulong *restrict in2,
    __global const ulong *restrict in3,
    __global const ulong *restrict in4,
    __global const ulong *restrict in5,
    __global const ulong *restrict in6,
    __global const ulong *restrict in7,
    __global const ulong *restrict in8,
    __global const ulong *restrict in9,
    __global const ulong *restrict in10,
    __global const ulong *restrict in11,
    __global const ulong *restrict in12,
    __global const ulong *restrict in13,
    __global ulong *restrict out0,
    __global ulong *restrict out1,
    __global ulong *restrict out2,
    __global ulong *restrict out3,
    __global ulong *restrict out4,
    __global ulong *restrict out5,
    __global ulong *restrict out6,
    __global ulong *restrict out7,
    __global ulong *restrict out8,
    __global ulong *restrict out9,
    __global ulong *restrict out10,
    __global ulong *restrict out11,
    __global ulong *restrict out12,
    __global ulong *restrict out13,
    __global ulong *restrict out14,
    __global ulong *restrict out15,
    __global ulong *restrict out16,
    __global ulong *restrict out17,
    __global ulong *restrict out18,
    __global ulong *restrict out19,
    __global ulong *restrict out20,
    __global ulong *restrict out21,
    __global ulong *restrict out22,
    __global ulong *restrict out23,
    __global ulong *restrict out24,
    __global ulong *restrict out25,
    __global ulong *restrict out26,
    __global ulong *restrict out27,
    __global ulong *restrict out28,
    __global ulong *restrict out29,
    __global ulong *restrict out30,
    __global ulong *restrict out31,
    __global ulong *restrict out32,
    __global ulong *restrict out33,
    __global ulong *restrict out34,
    __global ulong *restrict out35,
    __global ulong *restrict out36,
    __global ulong *restrict out37,
    __global ulong *restrict out38,
    __global ulong *restrict out39,
    __global ulong *restrict out40,
    __global ulong *restrict out41,
    __global ulong *restrict out42,
    __global ulong *restrict out43,
    __global ulong *restrict out44,
    __global ulong *restrict out45,
    __global ulong *restrict out46,
    __global ulong *restrict out47,
    __global ulong *restrict out48,
    __global ulong *restrict out49,
    __global ulong *restrict out50,
    __global ulong *restrict out51,
    __global ulong *restrict out52,
    __global ulong *restrict out53,
    __global ulong *restrict out54,
    __global ulong *restrict out55,
    __global ulong *restrict out56,
    __global ulong *restrict out57,
    __global ulong *restrict out58,
    __global ulong *restrict out59,
    __global ulong *restrict out60,
    __global ulong *restrict out61,
    __global ulong *restrict out62,
    __global ulong *restrict out63,
    __global ulong *restrict out64,
    __global ulong *restrict out65,
    __global ulong *restrict out66,
    __global ulong *restrict out67,
    __global ulong *restrict out68,
    __global ulong *restrict out69,
    __global ulong *restrict out70,
    __global ulong *restrict out71,
    __global ulong *restrict out72,
    __global ulong *restrict out73,
    __global ulong *restrict out74,
    __global ulong *restrict out75,
    __global ulong *restrict out76,
    __global ulong *restrict out77,
    __global ulong *restrict out78,
    __global ulong *restrict out79,
    __global ulong *restrict out80,
    __global ulong *restrict out81,
    __global ulong *restrict out82,
    __global ulong *restrict out83,
    __global ulong *restrict out84,
    __global ulong *restrict out85,
    __global ulong *restrict out86,
    __global ulong *restrict out87,
    __global ulong *restrict out88,
    __global ulong *restrict out89,
    __global ulong *restrict out90,
    __global ulong *restrict out91,
    __global ulong *restrict out92,
    __global ulong *restrict out93,
    __global ulong *restrict out94,
    __global ulong *restrict out95,
    __global ulong *restrict out96,
    __global ulong *restrict out97,
    __global ulong *restrict out98,
    __global ulong *restrict out99,
    __global ulong *restrict out100,
    __global ulong *restrict out101,
    __global ulong *restrict out102,
    __global ulong *restrict out103,
    __global ulong *restrict out104,
    __global ulong *restrict out105,
    __global ulong *restrict out106,
    __global ulong *restrict out107,
    __global ulong *restrict out108,
    __global ulong *restrict out109,
    __global ulong *restrict out110,
    const ulong n) {
    #pragma OPENCL FP_CONTRACT OFF
    const ulong first = (ulong)get_global_id(0);
    const ulong stride = (ulong)get_global_size(0);
    for (ulong i = first; i < n; i += stride) {
        const double x0 = as_double(in0[i]);
        const double x1 = as_double(in1[i]);
        const double x2 = as_double(in2[i]);
        const float x3 = as_float((uint)in3[i]);
        const float x4 = as_float((uint)in4[i]);
        const float x5 = as_float((uint)in5[i]);
        const ulong x6 = in6[i];
        const ulong x7 = in7[i];
        const ulong x8 = in8[i];
        const uint x9 = (uint)in9[i];
        const uint x10 = (uint)in10[i];
        const uint x11 = (uint)in11[i];
        const bool x12 = in12[i] != 0UL;
        const bool x13 = in13[i] != 0UL;
        const dc_f32_f64_i32_i64_maskx5_f64x16_maskx8_i64_i32_i64_f64x2_f32x16_maskx8_i64_i32x2_f32x2_i64x6_maskx6_i64x7_f64_f32_i64_i32x6_maskx6_i32x7_f64_f32_i32 y = k_exp(x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13);
        out0[i] = (ulong)dc_bits_f32(y.r0);
        out1[i] = dc_bits_f64(y.r1);
        out2[i] = (ulong)y.r2;
        out3[i] = y.r3;
        out4[i] = (ulong)y.r4;
        out5[i] = (ulong)y.r5;
        out6[i] = (ulong)y.r6;
        out7[i] = (ulong)y.r7;
        out8[i] = (ulong)y.r8;
        out9[i] = dc_bits_f64(y.r9);
        out10[i] = dc_bits_f64(y.r10);
        out11[i] = dc_bits_f64(y.r11);
        out12[i] = dc_bits_f64(y.r12);
        out13[i] = dc_bits_f64(y.r13);
        out14[i] = dc_bits_f64(y.r14);
        out15[i] = dc_bits_f64(y.r15);
        out16[i] = dc_bits_f64(y.r16);
        out17[i] = dc_bits_f64(y.r17);
        out18[i] = dc_bits_f64(y.r18);
        out19[i] = dc_bits_f64(y.r19);
        out20[i] = dc_bits_f64(y.r20);
        out21[i] = dc_bits_f64(y.r21);
        out22[i] = dc_bits_f64(y.r22);
        out23[i] = dc_bits_f64(y.r23);
        out24[i] = dc_bits_f64(y.r24);
        out25[i] = (ulong)y.r25;
        out26[i] = (ulong)y.r26;
        out27[i] = (ulong)y.r27;
        out28[i] = (ulong)y.r28;
        out29[i] = (ulong)y.r29;
        out30[i] = (ulong)y.r30;
        out31[i] = (ulong)y.r31;
        out32[i] = (ulong)y.r32;
        out33[i] = y.r33;
        out34[i] = (ulong)y.r34;
        out35[i] = y.r35;
        out36[i] = dc_bits_f64(y.r36);
        out37[i] = dc_bits_f64(y.r37);
        out38[i] = (ulong)dc_bits_f32(y.r38);
        out39[i] = (ulong)dc_bits_f32(y.r39);
        out40[i] = (ulong)dc_bits_f32(y.r40);
        out41[i] = (ulong)dc_bits_f32(y.r41);
        out42[i] = (ulong)dc_bits_f32(y.r42);
        out43[i] = (ulong)dc_bits_f32(y.r43);
        out44[i] = (ulong)dc_bits_f32(y.r44);
        out45[i] = (ulong)dc_bits_f32(y.r45);
        out46[i] = (ulong)dc_bits_f32(y.r46);
        out47[i] = (ulong)dc_bits_f32(y.r47);
        out48[i] = (ulong)dc_bits_f32(y.r48);
        out49[i] = (ulong)dc_bits_f32(y.r49);
        out50[i] = (ulong)dc_bits_f32(y.r50);
        out51[i] = (ulong)dc_bits_f32(y.r51);
        out52[i] = (ulong)dc_bits_f32(y.r52);
        out53[i] = (ulong)dc_bits_f32(y.r53);
        out54[i] = (ulong)y.r54;
        out55[i] = (ulong)y.r55;
        out56[i] = (ulong)y.r56;
        out57[i] = (ulong)y.r57;
        out58[i] = (ulong)y.r58;
        out59[i] = (ulong)y.r59;
        out60[i] = (ulong)y.r60;
        out61[i] = (ulong)y.r61;
        out62[i] = y.r62;
        out63[i] = (ulong)y.r63;
        out64[i] = (ulong)y.r64;
        out65[i] = (ulong)dc_bits_f32(y.r65);
        out66[i] = (ulong)dc_bits_f32(y.r66);
        out67[i] = y.r67;
        out68[i] = y.r68;
        out69[i] = y.r69;
        out70[i] = y.r70;
        out71[i] = y.r71;
        out72[i] = y.r72;
        out73[i] = (ulong)y.r73;
        out74[i] = (ulong)y.r74;
        out75[i] = (ulong)y.r75;
        out76[i] = (ulong)y.r76;
        out77[i] = (ulong)y.r77;
        out78[i] = (ulong)y.r78;
        out79[i] = y.r79;
        out80[i] = y.r80;
        out81[i] = y.r81;
        out82[i] = y.r82;
        out83[i] = y.r83;
        out84[i] = y.r84;
        out85[i] = y.r85;
        out86[i] = dc_bits_f64(y.r86);
        out87[i] = (ulong)dc_bits_f32(y.r87);
        out88[i] = y.r88;
        out89[i] = (ulong)y.r89;
        out90[i] = (ulong)y.r90;
        out91[i] = (ulong)y.r91;
        out92[i] = (ulong)y.r92;
        out93[i] = (ulong)y.r93;
        out94[i] = (ulong)y.r94;
        out95[i] = (ulong)y.r95;
        out96[i] = (ulong)y.r96;
        out97[i] = (ulong)y.r97;
        out98[i] = (ulong)y.r98;
        out99[i] = (ulong)y.r99;
        out100[i] = (ulong)y.r100;
        out101[i] = (ulong)y.r101;
        out102[i] = (ulong)y.r102;
        out103[i] = (ulong)y.r103;
        out104[i] = (ulong)y.r104;
        out105[i] = (ulong)y.r105;
        out106[i] = (ulong)y.r106;
        out107[i] = (ulong)y.r107;
        out108[i] = dc_bits_f64(y.r108);
        out109[i] = (ulong)dc_bits_f32(y.r109);
        out110[i] = (ulong)y.r110;
    }
}
