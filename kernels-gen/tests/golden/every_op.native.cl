// tests::emit::exp at points, by DoubleCrunch
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

typedef struct { float r0; float r1; float r2; double r3; double r4; double r5; double r6; float r7; float r8; float r9; } dc_f32x3_f64x4_f32x3;

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

// Rounded toward zero: the result to nearest, or by the sign of its residual the number next to it.
static inline __attribute__((always_inline)) double dc_add_rz_f64(double a, double b) {
    #pragma OPENCL FP_CONTRACT OFF
    const double t2 = fabs(a);
    const double t3 = fabs(b);
    const bool t4 = t2 < t3;
    const double t5 = t4 ? b : a;
    const double t6 = t4 ? a : b;
    const double t7 = a + b;
    const double t8 = t7 - t5;
    const double t9 = t6 - t8;
    const double t10 = as_double(0x0000000000000000UL) /* 0e0 */;
    const bool t11 = t7 == t10;
    const ulong t12 = as_ulong(a);
    const ulong t13 = as_ulong(b);
    const ulong t14 = t12 | t13;
    const bool t15 = t10 < t9;
    const bool t16 = t9 < t10;
    const ulong t17 = as_ulong(t7);
    const ulong t18 = 0x0UL;
    const bool t19 = t7 < t10;
    const bool t20 = t10 < t7;
    const bool t21 = t19 & t15;
    const bool t22 = t20 & t16;
    const bool t23 = t21 | t22;
    const ulong t24 = 0x1UL;
    const ulong t25 = t23 ? t24 : t18;
    const ulong t26 = t17 - t25;
    const double t27 = as_double(t26);
    return t27;
}

// Rounded toward +infinity: the result to nearest, or by the sign of its residual the number next to it.
static inline __attribute__((always_inline)) float dc_add_ru_f32(float a, float b) {
    #pragma OPENCL FP_CONTRACT OFF
    const double t2 = convert_double(a);
    const double t3 = convert_double(b);
    const double t4 = fabs(t2);
    const double t5 = fabs(t3);
    const bool t6 = t4 < t5;
    const double t7 = t6 ? t3 : t2;
    const double t8 = t6 ? t2 : t3;
    const double t9 = t2 + t3;
    const double t10 = t9 - t7;
    const double t11 = t8 - t10;
    const double t12 = as_double(0x0000000000000000UL) /* 0e0 */;
    const bool t13 = t9 == t12;
    const ulong t14 = as_ulong(t2);
    const ulong t15 = as_ulong(t3);
    const ulong t16 = t14 | t15;
    const float t17 = convert_float_rte(t9);
    const double t18 = convert_double(t17);
    const bool t19 = t18 == t9;
    const bool t20 = t18 < t9;
    const bool t21 = t9 < t18;
    const bool t22 = t12 < t11;
    const bool t23 = t11 < t12;
    const bool t24 = t19 & t22;
    const bool t25 = t19 & t23;
    const bool t26 = t20 | t24;
    const bool t27 = t21 | t25;
    const uint t28 = as_uint(t17);
    const uint t29 = 0x0U;
    const uint t30 = 0x1U;
    const uint t31 = 0x2U;
    const uint t32 = t28 >> 30;
    const uint t33 = t32 & t31;
    const uint t34 = t30 - t33;
    const uint t35 = t26 ? t34 : t29;
    const uint t36 = t28 + t35;
    const float t37 = as_float(t36);
    return t37;
}

// Rounded toward -infinity: the result to nearest, or by the sign of its residual the number next to it.
static inline __attribute__((always_inline)) double dc_mul_rd_f64(double a, double b) {
    #pragma OPENCL FP_CONTRACT OFF
    const double t2 = a * b;
    const double t3 = as_double(0x3ff0000000000000UL) /* 1e0 */;
    const double t4 = as_double(0x0000000000000000UL) /* 0e0 */;
    const double t5 = as_double(0x4c70000000000000UL) /* 1.6069380442589903e60 */;
    const double t6 = as_double(0x20b0000000000000UL) /* 3.054936363499605e-151 */;
    const double t7 = fabs(t2);
    const bool t8 = t7 < t6;
    const double t9 = t8 ? t5 : t3;
    const double t10 = fabs(a);
    const double t11 = fabs(b);
    const bool t12 = t10 < t11;
    const double t13 = t12 ? a : b;
    const double t14 = t12 ? b : a;
    const double t15 = t13 * t9;
    const double t16 = t2 * t9;
    const double t17 = -t16;
    const double t18 = fma(t15, t14, t17);
    const bool t19 = t2 == t4;
    const double t20 = fabs(t13);
    const bool t21 = t4 < t20;
    const bool t22 = t19 & t21;
    const ulong t23 = as_ulong(t2);
    const ulong t24 = 0x3ff0000000000000UL;
    const ulong t25 = 0x8000000000000000UL;
    const ulong t26 = t23 & t25;
    const ulong t27 = t26 | t24;
    const double t28 = as_double(t27);
    const double t29 = t22 ? t28 : t18;
    const bool t30 = t4 < t29;
    const bool t31 = t29 < t4;
    const ulong t32 = as_ulong(t2);
    const ulong t33 = 0x0UL;
    const ulong t34 = 0x1UL;
    const ulong t35 = 0x2UL;
    const ulong t36 = t32 >> 62;
    const ulong t37 = t36 & t35;
    const ulong t38 = t34 - t37;
    const ulong t39 = t31 ? t38 : t33;
    const ulong t40 = t32 - t39;
    const double t41 = as_double(t40);
    return t41;
}

// Rounded toward zero: the result to nearest, or by the sign of its residual the number next to it.
static inline __attribute__((always_inline)) float dc_div_rz_f32(float a, float b) {
    #pragma OPENCL FP_CONTRACT OFF
    const double t2 = convert_double(a);
    const double t3 = convert_double(b);
    const ulong t4 = as_ulong(t2);
    const ulong t5 = as_ulong(t3);
    const ulong t6 = 0x8000000000000000UL;
    const ulong t7 = t5 & t6;
    const ulong t8 = t4 ^ t7;
    const double t9 = as_double(t8);
    const double t10 = fabs(t3);
    const double t11 = t9 / t10;
    const double t12 = -t11;
    const double t13 = fma(t12, t10, t9);
    const double t14 = as_double(0x0000000000000000UL) /* 0e0 */;
    const float t15 = convert_float_rte(t11);
    const double t16 = convert_double(t15);
    const bool t17 = t16 == t11;
    const bool t18 = t16 < t11;
    const bool t19 = t11 < t16;
    const bool t20 = t14 < t13;
    const bool t21 = t13 < t14;
    const bool t22 = t17 & t20;
    const bool t23 = t17 & t21;
    const bool t24 = t18 | t22;
    const bool t25 = t19 | t23;
    const uint t26 = as_uint(t15);
    const uint t27 = 0x0U;
    const bool t28 = t16 < t14;
    const bool t29 = t14 < t16;
    const bool t30 = t28 & t24;
    const bool t31 = t29 & t25;
    const bool t32 = t30 | t31;
    const uint t33 = 0x1U;
    const uint t34 = t32 ? t33 : t27;
    const uint t35 = t26 - t34;
    const float t36 = as_float(t35);
    return t36;
}

// Rounded toward +infinity: the result to nearest, or by the sign of its residual the number next to it.
static inline __attribute__((always_inline)) double dc_div_ru_f64(double a, double b) {
    #pragma OPENCL FP_CONTRACT OFF
    const ulong t2 = as_ulong(a);
    const ulong t3 = as_ulong(b);
    const ulong t4 = 0x8000000000000000UL;
    const ulong t5 = t3 & t4;
    const ulong t6 = t2 ^ t5;
    const double t7 = as_double(t6);
    const double t8 = fabs(b);
    const double t9 = t7 / t8;
    const double t10 = as_double(0x3ff0000000000000UL) /* 1e0 */;
    const double t11 = as_double(0x4c70000000000000UL) /* 1.6069380442589903e60 */;
    const double t12 = as_double(0x07b0000000000000UL) /* 1.1830521861667747e-271 */;
    const double t13 = fabs(t7);
    const bool t14 = t13 < t12;
    const double t15 = t14 ? t11 : t10;
    const double t16 = fabs(t9);
    const bool t17 = t16 < t8;
    const double t18 = t17 ? t9 : t8;
    const double t19 = t17 ? t8 : t9;
    const double t20 = t18 * t15;
    const double t21 = t7 * t15;
    const double t22 = -t20;
    const double t23 = fma(t22, t19, t21);
    const double t24 = as_double(0x0000000000000000UL) /* 0e0 */;
    const bool t25 = t24 < t23;
    const bool t26 = t23 < t24;
    const ulong t27 = as_ulong(t9);
    const ulong t28 = 0x0UL;
    const ulong t29 = 0x1UL;
    const ulong t30 = 0x2UL;
    const ulong t31 = t27 >> 62;
    const ulong t32 = t31 & t30;
    const ulong t33 = t29 - t32;
    const ulong t34 = t25 ? t33 : t28;
    const ulong t35 = t27 + t34;
    const double t36 = as_double(t35);
    return t36;
}

// Rounded toward -infinity: the result to nearest, or by the sign of its residual the number next to it.
static inline __attribute__((always_inline)) float dc_sqrt_rd_f32(float a) {
    #pragma OPENCL FP_CONTRACT OFF
    const double t1 = convert_double(a);
    const double t2 = sqrt(t1);
    const double t3 = -t2;
    const double t4 = fma(t3, t2, t1);
    const double t5 = as_double(0x0000000000000000UL) /* 0e0 */;
    const float t6 = convert_float_rte(t2);
    const double t7 = convert_double(t6);
    const bool t8 = t7 == t2;
    const bool t9 = t7 < t2;
    const bool t10 = t2 < t7;
    const bool t11 = t5 < t4;
    const bool t12 = t4 < t5;
    const bool t13 = t8 & t11;
    const bool t14 = t8 & t12;
    const bool t15 = t9 | t13;
    const bool t16 = t10 | t14;
    const uint t17 = as_uint(t6);
    const uint t18 = 0x0U;
    const uint t19 = 0x1U;
    const uint t20 = 0x2U;
    const uint t21 = t17 >> 30;
    const uint t22 = t21 & t20;
    const uint t23 = t19 - t22;
    const uint t24 = t16 ? t23 : t18;
    const uint t25 = t17 - t24;
    const float t26 = as_float(t25);
    return t26;
}

// Rounded toward zero: the result to nearest, or by the sign of its residual the number next to it.
static inline __attribute__((always_inline)) double dc_fma_rz_f64(double a, double b, double c) {
    #pragma OPENCL FP_CONTRACT OFF
    const double t3 = fma(a, b, c);
    const double t4 = as_double(0x0010000000000000UL) /* 2.2250738585072014e-308 */;
    const double t5 = as_double(0x4350000000000000UL) /* 1.8014398509481984e16 */;
    const double t6 = as_double(0x0000000000000000UL) /* 0e0 */;
    const double t7 = fabs(a);
    const bool t8 = t7 < t4;
    const double t9 = a * t5;
    const double t10 = t8 ? t9 : a;
    const ulong t11 = as_ulong(t10);
    const ulong t12 = 0x800fffffffffffffUL;
    const ulong t13 = 0x3ff0000000000000UL;
    const ulong t14 = t11 & t12;
    const ulong t15 = t14 | t13;
    const double t16 = as_double(t15);
    const bool t17 = a == t6;
    const double t18 = t17 ? a : t16;
    const ulong t19 = 0x7ffUL;
    const ulong t20 = 0x3ffUL;
    const ulong t21 = 0x435UL;
    const ulong t22 = t11 >> 52;
    const ulong t23 = t22 & t19;
    const ulong t24 = t8 ? t21 : t20;
    const ulong t25 = t23 - t24;
    const double t26 = fabs(b);
    const bool t27 = t26 < t4;
    const double t28 = b * t5;
    const double t29 = t27 ? t28 : b;
    const ulong t30 = as_ulong(t29);
    const ulong t31 = t30 & t12;
    const ulong t32 = t31 | t13;
    const double t33 = as_double(t32);
    const bool t34 = b == t6;
    const double t35 = t34 ? b : t33;
    const ulong t36 = t30 >> 52;
    const ulong t37 = t36 & t19;
    const ulong t38 = t27 ? t21 : t20;
    const ulong t39 = t37 - t38;
    const double t40 = fabs(c);
    const bool t41 = t40 < t4;
    const double t42 = c * t5;
    const double t43 = t41 ? t42 : c;
    const ulong t44 = as_ulong(t43);
    const ulong t45 = t44 & t12;
    const ulong t46 = t45 | t13;
    const double t47 = as_double(t46);
    const bool t48 = c == t6;
    const double t49 = t48 ? c : t47;
    const ulong t50 = t44 >> 52;
    const ulong t51 = t50 & t19;
    const ulong t52 = t41 ? t21 : t20;
    const ulong t53 = t51 - t52;
    const double t54 = fabs(t3);
    const bool t55 = t54 < t4;
    const double t56 = t3 * t5;
    const double t57 = t55 ? t56 : t3;
    const ulong t58 = as_ulong(t57);
    const ulong t59 = t58 & t12;
    const ulong t60 = t59 | t13;
    const double t61 = as_double(t60);
    const bool t62 = t3 == t6;
    const double t63 = t62 ? t3 : t61;
    const ulong t64 = t58 >> 52;
    const ulong t65 = t64 & t19;
    const ulong t66 = t55 ? t21 : t20;
    const ulong t67 = t65 - t66;
    const ulong t68 = t25 + t39;
    const ulong t69 = 0xfffffffffffffed4UL;
    const ulong t70 = 0x12cUL;
    const ulong t71 = t53 - t68;
    const bool t72 = (long)t71 < (long)t69;
    const ulong t73 = t72 ? t69 : t71;
    const bool t74 = (long)t70 < (long)t73;
    const ulong t75 = t74 ? t70 : t73;
    const ulong t76 = t75 + t20;
    const ulong t77 = t76 << 52;
    const double t78 = as_double(t77);
    const double t79 = t49 * t78;
    const ulong t80 = t67 - t68;
    const bool t81 = (long)t80 < (long)t69;
    const ulong t82 = t81 ? t69 : t80;
    const bool t83 = (long)t70 < (long)t82;
    const ulong t84 = t83 ? t70 : t82;
    const ulong t85 = t84 + t20;
    const ulong t86 = t85 << 52;
    const double t87 = as_double(t86);
    const double t88 = t63 * t87;
    const double t89 = -t88;
    const double t90 = t18 * t35;
    const double t91 = -t90;
    const double t92 = fma(t18, t35, t91);
    const double t93 = t79 + t92;
    const double t94 = t93 - t79;
    const double t95 = t93 - t94;
    const double t96 = t79 - t95;
    const double t97 = t92 - t94;
    const double t98 = t96 + t97;
    const double t99 = t93 + t90;
    const double t100 = t99 - t93;
    const double t101 = t99 - t100;
    const double t102 = t93 - t101;
    const double t103 = t90 - t100;
    const double t104 = t102 + t103;
    const double t105 = t89 + t98;
    const double t106 = t105 - t89;
    const double t107 = t105 - t106;
    const double t108 = t89 - t107;
    const double t109 = t98 - t106;
    const double t110 = t108 + t109;
    const double t111 = t105 + t104;
    const double t112 = t111 - t105;
    const double t113 = t111 - t112;
    const double t114 = t105 - t113;
    const double t115 = t104 - t112;
    const double t116 = t114 + t115;
    const double t117 = t111 + t99;
    const double t118 = t117 - t111;
    const double t119 = t117 - t118;
    const double t120 = t111 - t119;
    const double t121 = t99 - t118;
    const double t122 = t120 + t121;
    const bool t123 = t116 == t6;
    const double t124 = t123 ? t110 : t116;
    const bool t125 = t122 == t6;
    const double t126 = t125 ? t124 : t122;
    const bool t127 = t117 == t6;
    const double t128 = t127 ? t126 : t117;
    const double t129 = as_double(0x7ff0000000000000UL) /* inf */;
    const double t130 = fabs(t3);
    const double t131 = -t3;
    const bool t132 = t130 == t129;
    const double t133 = t132 ? t131 : t128;
    const double t134 = fabs(a);
    const double t135 = fabs(b);
    const double t136 = fabs(c);
    const bool t137 = t134 < t129;
    const bool t138 = t135 < t129;
    const bool t139 = t136 < t129;
    const bool t140 = t137 & t138;
    const bool t141 = t140 & t139;
    const double t142 = t141 ? t133 : t6;
    const bool t143 = t142 == t6;
    const bool t144 = t3 == t6;
    const bool t145 = t143 & t144;
    const ulong t146 = as_ulong(a);
    const ulong t147 = as_ulong(b);
    const ulong t148 = as_ulong(c);
    const ulong t149 = t146 ^ t147;
    const ulong t150 = t149 | t148;
    const bool t151 = t6 < t142;
    const bool t152 = t142 < t6;
    const ulong t153 = as_ulong(t3);
    const ulong t154 = 0x0UL;
    const bool t155 = t3 < t6;
    const bool t156 = t6 < t3;
    const bool t157 = t155 & t151;
    const bool t158 = t156 & t152;
    const bool t159 = t157 | t158;
    const ulong t160 = 0x1UL;
    const ulong t161 = t159 ? t160 : t154;
    const ulong t162 = t153 - t161;
    const double t163 = as_double(t162);
    return t163;
}

// tests::emit::exp, by_hand.rs:10
static inline __attribute__((always_inline)) dc_f32x3_f64x4_f32x3 k_exp(const double a, const double b, const double c, const float f, const float g, const float h, const ulong i, const ulong j, const ulong k, const uint l, const uint half_v, const uint double2_v, const bool NAN_v, const bool v_m) {
    #pragma OPENCL FP_CONTRACT OFF
    // by_hand.rs:11  x * x // a comment that ends in
    const float t14 = f / g;
    const float t15 = sqrt(f);
    const float t16 = as_float(0x3f800000U) /* 1.0 */ / f;
    const double t17 = dc_add_rz_f64(a, b);
    const double t18 = dc_mul_rd_f64(a, b);
    const double t19 = dc_div_ru_f64(as_double(0x3ff0000000000000UL) /* 1.0 */, a);
    const double t20 = dc_fma_rz_f64(a, b, c);
    const float t21 = dc_add_ru_f32(f, -g);
    const float t22 = dc_div_rz_f32(f, g);
    const float t23 = dc_sqrt_rd_f32(f);
    const dc_f32x3_f64x4_f32x3 out = { t14, t15, t16, t17, t18, t19, t20, t21, t22, t23 };
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
        const dc_f32x3_f64x4_f32x3 y = k_exp(x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13);
        out0[i] = (ulong)dc_bits_f32(y.r0);
        out1[i] = (ulong)dc_bits_f32(y.r1);
        out2[i] = (ulong)dc_bits_f32(y.r2);
        out3[i] = dc_bits_f64(y.r3);
        out4[i] = dc_bits_f64(y.r4);
        out5[i] = dc_bits_f64(y.r5);
        out6[i] = dc_bits_f64(y.r6);
        out7[i] = (ulong)dc_bits_f32(y.r7);
        out8[i] = (ulong)dc_bits_f32(y.r8);
        out9[i] = (ulong)dc_bits_f32(y.r9);
    }
}
// The digest of the text of every operation: 56a76528deedf78f69833f3b22d798bc
