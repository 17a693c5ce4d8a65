// tests::emit::exp at points, by DoubleCrunch
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

typedef struct { float r0; double r1; uint r2; ulong r3; bool r4; bool r5; bool r6; bool r7; bool r8; double r9; double r10; double r11; double r12; double r13; double r14; double r15; double r16; double r17; double r18; double r19; double r20; double r21; double r22; double r23; double r24; bool r25; bool r26; bool r27; bool r28; bool r29; bool r30; bool r31; bool r32; ulong r33; uint r34; ulong r35; double r36; double r37; float r38; float r39; float r40; float r41; float r42; float r43; float r44; float r45; float r46; float r47; float r48; float r49; float r50; float r51; float r52; float r53; bool r54; bool r55; bool r56; bool r57; bool r58; bool r59; bool r60; bool r61; ulong r62; uint r63; uint r64; float r65; float r66; ulong r67; ulong r68; ulong r69; ulong r70; ulong r71; ulong r72; bool r73; bool r74; bool r75; bool r76; bool r77; bool r78; ulong r79; ulong r80; ulong r81; ulong r82; ulong r83; ulong r84; ulong r85; double r86; float r87; ulong r88; uint r89; uint r90; uint r91; uint r92; uint r93; uint r94; bool r95; bool r96; bool r97; bool r98; bool r99; bool r100; uint r101; uint r102; uint r103; uint r104; uint r105; uint r106; uint r107; double r108; float r109; uint r110; double r111; double r112; double r113; double r114; double r115; double r116; double r117; double r118; double r119; double r120; double r121; double r122; double r123; double r124; double r125; double r126; double r127; double r128; double r129; double r130; double r131; float r132; float r133; float r134; float r135; float r136; float r137; float r138; float r139; float r140; float r141; float r142; float r143; float r144; float r145; float r146; float r147; float r148; float r149; float r150; float r151; float r152; } dc_f32_f64_i32_i64_maskx5_f64x16_maskx8_i64_i32_i64_f64x2_f32x16_maskx8_i64_i32x2_f32x2_i64x6_maskx6_i64x7_f64_f32_i64_i32x6_maskx6_i32x7_f64_f32_i32_f64x21_f32x21;

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

// Rounded toward zero: the result to nearest, or by the sign of its residual the number next to it.
static inline __attribute__((always_inline)) float dc_add_rz_f32(float a, float b) {
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
    const bool t30 = t18 < t12;
    const bool t31 = t12 < t18;
    const bool t32 = t30 & t26;
    const bool t33 = t31 & t27;
    const bool t34 = t32 | t33;
    const uint t35 = 0x1U;
    const uint t36 = t34 ? t35 : t29;
    const uint t37 = t28 - t36;
    const float t38 = as_float(t37);
    return t38;
}

// Rounded toward +infinity: the result to nearest, or by the sign of its residual the number next to it.
static inline __attribute__((always_inline)) double dc_add_ru_f64(double a, double b) {
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
    const ulong t19 = 0x1UL;
    const ulong t20 = 0x2UL;
    const ulong t21 = t17 >> 62;
    const ulong t22 = t21 & t20;
    const ulong t23 = t19 - t22;
    const ulong t24 = t15 ? t23 : t18;
    const ulong t25 = t17 + t24;
    const double t26 = as_double(t25);
    return t26;
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
static inline __attribute__((always_inline)) double dc_add_rd_f64(double a, double b) {
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
    const ulong t15 = 0x8000000000000000UL;
    const ulong t16 = t14 & t15;
    const double t17 = as_double(t16);
    const double t18 = t11 ? t17 : t7;
    const bool t19 = t10 < t9;
    const bool t20 = t9 < t10;
    const ulong t21 = as_ulong(t18);
    const ulong t22 = 0x0UL;
    const ulong t23 = 0x1UL;
    const ulong t24 = 0x2UL;
    const ulong t25 = t21 >> 62;
    const ulong t26 = t25 & t24;
    const ulong t27 = t23 - t26;
    const ulong t28 = t20 ? t27 : t22;
    const ulong t29 = t21 - t28;
    const double t30 = as_double(t29);
    return t30;
}

// Rounded toward -infinity: the result to nearest, or by the sign of its residual the number next to it.
static inline __attribute__((always_inline)) float dc_add_rd_f32(float a, float b) {
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
    const ulong t17 = 0x8000000000000000UL;
    const ulong t18 = t16 & t17;
    const double t19 = as_double(t18);
    const double t20 = t13 ? t19 : t9;
    const float t21 = convert_float_rte(t20);
    const double t22 = convert_double(t21);
    const bool t23 = t22 == t20;
    const bool t24 = t22 < t20;
    const bool t25 = t20 < t22;
    const bool t26 = t12 < t11;
    const bool t27 = t11 < t12;
    const bool t28 = t23 & t26;
    const bool t29 = t23 & t27;
    const bool t30 = t24 | t28;
    const bool t31 = t25 | t29;
    const uint t32 = as_uint(t21);
    const uint t33 = 0x0U;
    const uint t34 = 0x1U;
    const uint t35 = 0x2U;
    const uint t36 = t32 >> 30;
    const uint t37 = t36 & t35;
    const uint t38 = t34 - t37;
    const uint t39 = t31 ? t38 : t33;
    const uint t40 = t32 - t39;
    const float t41 = as_float(t40);
    return t41;
}

// Rounded toward zero: the result to nearest, or by the sign of its residual the number next to it.
static inline __attribute__((always_inline)) double dc_mul_rz_f64(double a, double b) {
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
    const bool t34 = t2 < t4;
    const bool t35 = t4 < t2;
    const bool t36 = t34 & t30;
    const bool t37 = t35 & t31;
    const bool t38 = t36 | t37;
    const ulong t39 = 0x1UL;
    const ulong t40 = t38 ? t39 : t33;
    const ulong t41 = t32 - t40;
    const double t42 = as_double(t41);
    return t42;
}

// Rounded toward zero: the result to nearest, or by the sign of its residual the number next to it.
static inline __attribute__((always_inline)) float dc_mul_rz_f32(float a, float b) {
    #pragma OPENCL FP_CONTRACT OFF
    const double t2 = convert_double(a);
    const double t3 = convert_double(b);
    const double t4 = t2 * t3;
    const double t5 = as_double(0x0000000000000000UL) /* 0e0 */;
    const float t6 = convert_float_rte(t4);
    const double t7 = convert_double(t6);
    const bool t8 = t7 == t4;
    const bool t9 = t7 < t4;
    const bool t10 = t4 < t7;
    const bool t11 = t5 < t5;
    const bool t12 = t5 < t5;
    const bool t13 = t8 & t11;
    const bool t14 = t8 & t12;
    const bool t15 = t9 | t13;
    const bool t16 = t10 | t14;
    const uint t17 = as_uint(t6);
    const uint t18 = 0x0U;
    const bool t19 = t7 < t5;
    const bool t20 = t5 < t7;
    const bool t21 = t19 & t15;
    const bool t22 = t20 & t16;
    const bool t23 = t21 | t22;
    const uint t24 = 0x1U;
    const uint t25 = t23 ? t24 : t18;
    const uint t26 = t17 - t25;
    const float t27 = as_float(t26);
    return t27;
}

// Rounded toward +infinity: the result to nearest, or by the sign of its residual the number next to it.
static inline __attribute__((always_inline)) double dc_mul_ru_f64(double a, double b) {
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
    const ulong t39 = t30 ? t38 : t33;
    const ulong t40 = t32 + t39;
    const double t41 = as_double(t40);
    return t41;
}

// Rounded toward +infinity: the result to nearest, or by the sign of its residual the number next to it.
static inline __attribute__((always_inline)) float dc_mul_ru_f32(float a, float b) {
    #pragma OPENCL FP_CONTRACT OFF
    const double t2 = convert_double(a);
    const double t3 = convert_double(b);
    const double t4 = t2 * t3;
    const double t5 = as_double(0x0000000000000000UL) /* 0e0 */;
    const float t6 = convert_float_rte(t4);
    const double t7 = convert_double(t6);
    const bool t8 = t7 == t4;
    const bool t9 = t7 < t4;
    const bool t10 = t4 < t7;
    const bool t11 = t5 < t5;
    const bool t12 = t5 < t5;
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
    const uint t24 = t15 ? t23 : t18;
    const uint t25 = t17 + t24;
    const float t26 = as_float(t25);
    return t26;
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

// Rounded toward -infinity: the result to nearest, or by the sign of its residual the number next to it.
static inline __attribute__((always_inline)) float dc_mul_rd_f32(float a, float b) {
    #pragma OPENCL FP_CONTRACT OFF
    const double t2 = convert_double(a);
    const double t3 = convert_double(b);
    const double t4 = t2 * t3;
    const double t5 = as_double(0x0000000000000000UL) /* 0e0 */;
    const float t6 = convert_float_rte(t4);
    const double t7 = convert_double(t6);
    const bool t8 = t7 == t4;
    const bool t9 = t7 < t4;
    const bool t10 = t4 < t7;
    const bool t11 = t5 < t5;
    const bool t12 = t5 < t5;
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
static inline __attribute__((always_inline)) double dc_div_rz_f64(double a, double b) {
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
    const bool t29 = t9 < t24;
    const bool t30 = t24 < t9;
    const bool t31 = t29 & t25;
    const bool t32 = t30 & t26;
    const bool t33 = t31 | t32;
    const ulong t34 = 0x1UL;
    const ulong t35 = t33 ? t34 : t28;
    const ulong t36 = t27 - t35;
    const double t37 = as_double(t36);
    return t37;
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

// Rounded toward +infinity: the result to nearest, or by the sign of its residual the number next to it.
static inline __attribute__((always_inline)) float dc_div_ru_f32(float a, float b) {
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
    const uint t28 = 0x1U;
    const uint t29 = 0x2U;
    const uint t30 = t26 >> 30;
    const uint t31 = t30 & t29;
    const uint t32 = t28 - t31;
    const uint t33 = t24 ? t32 : t27;
    const uint t34 = t26 + t33;
    const float t35 = as_float(t34);
    return t35;
}

// Rounded toward -infinity: the result to nearest, or by the sign of its residual the number next to it.
static inline __attribute__((always_inline)) double dc_div_rd_f64(double a, double b) {
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
    const ulong t34 = t26 ? t33 : t28;
    const ulong t35 = t27 - t34;
    const double t36 = as_double(t35);
    return t36;
}

// Rounded toward -infinity: the result to nearest, or by the sign of its residual the number next to it.
static inline __attribute__((always_inline)) float dc_div_rd_f32(float a, float b) {
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
    const uint t28 = 0x1U;
    const uint t29 = 0x2U;
    const uint t30 = t26 >> 30;
    const uint t31 = t30 & t29;
    const uint t32 = t28 - t31;
    const uint t33 = t25 ? t32 : t27;
    const uint t34 = t26 - t33;
    const float t35 = as_float(t34);
    return t35;
}

// Rounded toward zero: the result to nearest, or by the sign of its residual the number next to it.
static inline __attribute__((always_inline)) double dc_sqrt_rz_f64(double a) {
    #pragma OPENCL FP_CONTRACT OFF
    const double t1 = sqrt(a);
    const double t2 = as_double(0x3ff0000000000000UL) /* 1e0 */;
    const double t3 = as_double(0x07b0000000000000UL) /* 1.1830521861667747e-271 */;
    const double t4 = as_double(0x4c70000000000000UL) /* 1.6069380442589903e60 */;
    const double t5 = as_double(0x4630000000000000UL) /* 1.2676506002282294e30 */;
    const bool t6 = a < t3;
    const double t7 = t6 ? t4 : t2;
    const double t8 = t6 ? t5 : t2;
    const double t9 = a * t7;
    const double t10 = t1 * t8;
    const double t11 = -t10;
    const double t12 = fma(t11, t10, t9);
    const double t13 = as_double(0x0000000000000000UL) /* 0e0 */;
    const bool t14 = t13 < t12;
    const bool t15 = t12 < t13;
    const ulong t16 = as_ulong(t1);
    const ulong t17 = 0x0UL;
    const bool t18 = t1 < t13;
    const bool t19 = t13 < t1;
    const bool t20 = t18 & t14;
    const bool t21 = t19 & t15;
    const bool t22 = t20 | t21;
    const ulong t23 = 0x1UL;
    const ulong t24 = t22 ? t23 : t17;
    const ulong t25 = t16 - t24;
    const double t26 = as_double(t25);
    return t26;
}

// Rounded toward zero: the result to nearest, or by the sign of its residual the number next to it.
static inline __attribute__((always_inline)) float dc_sqrt_rz_f32(float a) {
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
    const bool t19 = t7 < t5;
    const bool t20 = t5 < t7;
    const bool t21 = t19 & t15;
    const bool t22 = t20 & t16;
    const bool t23 = t21 | t22;
    const uint t24 = 0x1U;
    const uint t25 = t23 ? t24 : t18;
    const uint t26 = t17 - t25;
    const float t27 = as_float(t26);
    return t27;
}

// Rounded toward +infinity: the result to nearest, or by the sign of its residual the number next to it.
static inline __attribute__((always_inline)) double dc_sqrt_ru_f64(double a) {
    #pragma OPENCL FP_CONTRACT OFF
    const double t1 = sqrt(a);
    const double t2 = as_double(0x3ff0000000000000UL) /* 1e0 */;
    const double t3 = as_double(0x07b0000000000000UL) /* 1.1830521861667747e-271 */;
    const double t4 = as_double(0x4c70000000000000UL) /* 1.6069380442589903e60 */;
    const double t5 = as_double(0x4630000000000000UL) /* 1.2676506002282294e30 */;
    const bool t6 = a < t3;
    const double t7 = t6 ? t4 : t2;
    const double t8 = t6 ? t5 : t2;
    const double t9 = a * t7;
    const double t10 = t1 * t8;
    const double t11 = -t10;
    const double t12 = fma(t11, t10, t9);
    const double t13 = as_double(0x0000000000000000UL) /* 0e0 */;
    const bool t14 = t13 < t12;
    const bool t15 = t12 < t13;
    const ulong t16 = as_ulong(t1);
    const ulong t17 = 0x0UL;
    const ulong t18 = 0x1UL;
    const ulong t19 = 0x2UL;
    const ulong t20 = t16 >> 62;
    const ulong t21 = t20 & t19;
    const ulong t22 = t18 - t21;
    const ulong t23 = t14 ? t22 : t17;
    const ulong t24 = t16 + t23;
    const double t25 = as_double(t24);
    return t25;
}

// Rounded toward +infinity: the result to nearest, or by the sign of its residual the number next to it.
static inline __attribute__((always_inline)) float dc_sqrt_ru_f32(float a) {
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
    const uint t24 = t15 ? t23 : t18;
    const uint t25 = t17 + t24;
    const float t26 = as_float(t25);
    return t26;
}

// Rounded toward -infinity: the result to nearest, or by the sign of its residual the number next to it.
static inline __attribute__((always_inline)) double dc_sqrt_rd_f64(double a) {
    #pragma OPENCL FP_CONTRACT OFF
    const double t1 = sqrt(a);
    const double t2 = as_double(0x3ff0000000000000UL) /* 1e0 */;
    const double t3 = as_double(0x07b0000000000000UL) /* 1.1830521861667747e-271 */;
    const double t4 = as_double(0x4c70000000000000UL) /* 1.6069380442589903e60 */;
    const double t5 = as_double(0x4630000000000000UL) /* 1.2676506002282294e30 */;
    const bool t6 = a < t3;
    const double t7 = t6 ? t4 : t2;
    const double t8 = t6 ? t5 : t2;
    const double t9 = a * t7;
    const double t10 = t1 * t8;
    const double t11 = -t10;
    const double t12 = fma(t11, t10, t9);
    const double t13 = as_double(0x0000000000000000UL) /* 0e0 */;
    const bool t14 = t13 < t12;
    const bool t15 = t12 < t13;
    const ulong t16 = as_ulong(t1);
    const ulong t17 = 0x0UL;
    const ulong t18 = 0x1UL;
    const ulong t19 = 0x2UL;
    const ulong t20 = t16 >> 62;
    const ulong t21 = t20 & t19;
    const ulong t22 = t18 - t21;
    const ulong t23 = t15 ? t22 : t17;
    const ulong t24 = t16 - t23;
    const double t25 = as_double(t24);
    return t25;
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

// Rounded toward zero: the result to nearest, or by the sign of its residual the number next to it.
static inline __attribute__((always_inline)) float dc_fma_rz_f32(float a, float b, float c) {
    #pragma OPENCL FP_CONTRACT OFF
    const double t3 = convert_double(a);
    const double t4 = convert_double(b);
    const double t5 = convert_double(c);
    const double t6 = t3 * t4;
    const double t7 = fabs(t6);
    const double t8 = fabs(t5);
    const bool t9 = t7 < t8;
    const double t10 = t9 ? t5 : t6;
    const double t11 = t9 ? t6 : t5;
    const double t12 = t6 + t5;
    const double t13 = t12 - t10;
    const double t14 = t11 - t13;
    const double t15 = as_double(0x0000000000000000UL) /* 0e0 */;
    const bool t16 = t12 == t15;
    const ulong t17 = as_ulong(t6);
    const ulong t18 = as_ulong(t5);
    const ulong t19 = t17 | t18;
    const float t20 = convert_float_rte(t12);
    const double t21 = convert_double(t20);
    const bool t22 = t21 == t12;
    const bool t23 = t21 < t12;
    const bool t24 = t12 < t21;
    const bool t25 = t15 < t14;
    const bool t26 = t14 < t15;
    const bool t27 = t22 & t25;
    const bool t28 = t22 & t26;
    const bool t29 = t23 | t27;
    const bool t30 = t24 | t28;
    const uint t31 = as_uint(t20);
    const uint t32 = 0x0U;
    const bool t33 = t21 < t15;
    const bool t34 = t15 < t21;
    const bool t35 = t33 & t29;
    const bool t36 = t34 & t30;
    const bool t37 = t35 | t36;
    const uint t38 = 0x1U;
    const uint t39 = t37 ? t38 : t32;
    const uint t40 = t31 - t39;
    const float t41 = as_float(t40);
    return t41;
}

// Rounded toward +infinity: the result to nearest, or by the sign of its residual the number next to it.
static inline __attribute__((always_inline)) double dc_fma_ru_f64(double a, double b, double c) {
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
    const ulong t155 = 0x1UL;
    const ulong t156 = 0x2UL;
    const ulong t157 = t153 >> 62;
    const ulong t158 = t157 & t156;
    const ulong t159 = t155 - t158;
    const ulong t160 = t151 ? t159 : t154;
    const ulong t161 = t153 + t160;
    const double t162 = as_double(t161);
    return t162;
}

// Rounded toward +infinity: the result to nearest, or by the sign of its residual the number next to it.
static inline __attribute__((always_inline)) float dc_fma_ru_f32(float a, float b, float c) {
    #pragma OPENCL FP_CONTRACT OFF
    const double t3 = convert_double(a);
    const double t4 = convert_double(b);
    const double t5 = convert_double(c);
    const double t6 = t3 * t4;
    const double t7 = fabs(t6);
    const double t8 = fabs(t5);
    const bool t9 = t7 < t8;
    const double t10 = t9 ? t5 : t6;
    const double t11 = t9 ? t6 : t5;
    const double t12 = t6 + t5;
    const double t13 = t12 - t10;
    const double t14 = t11 - t13;
    const double t15 = as_double(0x0000000000000000UL) /* 0e0 */;
    const bool t16 = t12 == t15;
    const ulong t17 = as_ulong(t6);
    const ulong t18 = as_ulong(t5);
    const ulong t19 = t17 | t18;
    const float t20 = convert_float_rte(t12);
    const double t21 = convert_double(t20);
    const bool t22 = t21 == t12;
    const bool t23 = t21 < t12;
    const bool t24 = t12 < t21;
    const bool t25 = t15 < t14;
    const bool t26 = t14 < t15;
    const bool t27 = t22 & t25;
    const bool t28 = t22 & t26;
    const bool t29 = t23 | t27;
    const bool t30 = t24 | t28;
    const uint t31 = as_uint(t20);
    const uint t32 = 0x0U;
    const uint t33 = 0x1U;
    const uint t34 = 0x2U;
    const uint t35 = t31 >> 30;
    const uint t36 = t35 & t34;
    const uint t37 = t33 - t36;
    const uint t38 = t29 ? t37 : t32;
    const uint t39 = t31 + t38;
    const float t40 = as_float(t39);
    return t40;
}

// Rounded toward -infinity: the result to nearest, or by the sign of its residual the number next to it.
static inline __attribute__((always_inline)) double dc_fma_rd_f64(double a, double b, double c) {
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
    const ulong t151 = 0x8000000000000000UL;
    const ulong t152 = t150 & t151;
    const double t153 = as_double(t152);
    const double t154 = t145 ? t153 : t3;
    const bool t155 = t6 < t142;
    const bool t156 = t142 < t6;
    const ulong t157 = as_ulong(t154);
    const ulong t158 = 0x0UL;
    const ulong t159 = 0x1UL;
    const ulong t160 = 0x2UL;
    const ulong t161 = t157 >> 62;
    const ulong t162 = t161 & t160;
    const ulong t163 = t159 - t162;
    const ulong t164 = t156 ? t163 : t158;
    const ulong t165 = t157 - t164;
    const double t166 = as_double(t165);
    return t166;
}

// Rounded toward -infinity: the result to nearest, or by the sign of its residual the number next to it.
static inline __attribute__((always_inline)) float dc_fma_rd_f32(float a, float b, float c) {
    #pragma OPENCL FP_CONTRACT OFF
    const double t3 = convert_double(a);
    const double t4 = convert_double(b);
    const double t5 = convert_double(c);
    const double t6 = t3 * t4;
    const double t7 = fabs(t6);
    const double t8 = fabs(t5);
    const bool t9 = t7 < t8;
    const double t10 = t9 ? t5 : t6;
    const double t11 = t9 ? t6 : t5;
    const double t12 = t6 + t5;
    const double t13 = t12 - t10;
    const double t14 = t11 - t13;
    const double t15 = as_double(0x0000000000000000UL) /* 0e0 */;
    const bool t16 = t12 == t15;
    const ulong t17 = as_ulong(t6);
    const ulong t18 = as_ulong(t5);
    const ulong t19 = t17 | t18;
    const ulong t20 = 0x8000000000000000UL;
    const ulong t21 = t19 & t20;
    const double t22 = as_double(t21);
    const double t23 = t16 ? t22 : t12;
    const float t24 = convert_float_rte(t23);
    const double t25 = convert_double(t24);
    const bool t26 = t25 == t23;
    const bool t27 = t25 < t23;
    const bool t28 = t23 < t25;
    const bool t29 = t15 < t14;
    const bool t30 = t14 < t15;
    const bool t31 = t26 & t29;
    const bool t32 = t26 & t30;
    const bool t33 = t27 | t31;
    const bool t34 = t28 | t32;
    const uint t35 = as_uint(t24);
    const uint t36 = 0x0U;
    const uint t37 = 0x1U;
    const uint t38 = 0x2U;
    const uint t39 = t35 >> 30;
    const uint t40 = t39 & t38;
    const uint t41 = t37 - t40;
    const uint t42 = t34 ? t41 : t36;
    const uint t43 = t35 - t42;
    const float t44 = as_float(t43);
    return t44;
}

// tests::emit::exp, by_hand.rs:10
static inline __attribute__((always_inline)) dc_f32_f64_i32_i64_maskx5_f64x16_maskx8_i64_i32_i64_f64x2_f32x16_maskx8_i64_i32x2_f32x2_i64x6_maskx6_i64x7_f64_f32_i64_i32x6_maskx6_i32x7_f64_f32_i32_f64x21_f32x21 k_exp(const double a, const double b, const double c, const float f, const float g, const float h, const ulong i, const ulong j, const ulong k, const uint l, const uint half_v, const uint double2_v, const bool NAN_v, const bool v_m) {
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
    const float t55 = f / g;
    const float t56 = fma(f, g, h);
    const float t57 = sqrt(f);
    const float t58 = as_float(0x3f800000U) /* 1.0 */ / f;
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
    const double t125 = dc_add_rz_f64(a, b);
    const double t126 = dc_add_ru_f64(a, b);
    const double t127 = dc_add_rd_f64(a, b);
    const double t128 = dc_add_rz_f64(a, -b);
    const double t129 = dc_add_ru_f64(a, -b);
    const double t130 = dc_add_rd_f64(a, -b);
    const double t131 = dc_mul_rz_f64(a, b);
    const double t132 = dc_mul_ru_f64(a, b);
    const double t133 = dc_mul_rd_f64(a, b);
    const double t134 = dc_div_rz_f64(a, b);
    const double t135 = dc_div_ru_f64(a, b);
    const double t136 = dc_div_rd_f64(a, b);
    const double t137 = dc_div_rz_f64(as_double(0x3ff0000000000000UL) /* 1.0 */, a);
    const double t138 = dc_div_ru_f64(as_double(0x3ff0000000000000UL) /* 1.0 */, a);
    const double t139 = dc_div_rd_f64(as_double(0x3ff0000000000000UL) /* 1.0 */, a);
    const double t140 = dc_sqrt_rz_f64(a);
    const double t141 = dc_sqrt_ru_f64(a);
    const double t142 = dc_sqrt_rd_f64(a);
    const double t143 = dc_fma_rz_f64(a, b, c);
    const double t144 = dc_fma_ru_f64(a, b, c);
    const double t145 = dc_fma_rd_f64(a, b, c);
    const float t146 = dc_add_rz_f32(f, g);
    const float t147 = dc_add_ru_f32(f, g);
    const float t148 = dc_add_rd_f32(f, g);
    const float t149 = dc_add_rz_f32(f, -g);
    const float t150 = dc_add_ru_f32(f, -g);
    const float t151 = dc_add_rd_f32(f, -g);
    const float t152 = dc_mul_rz_f32(f, g);
    const float t153 = dc_mul_ru_f32(f, g);
    const float t154 = dc_mul_rd_f32(f, g);
    const float t155 = dc_div_rz_f32(f, g);
    const float t156 = dc_div_ru_f32(f, g);
    const float t157 = dc_div_rd_f32(f, g);
    const float t158 = dc_div_rz_f32(as_float(0x3f800000U) /* 1.0 */, f);
    const float t159 = dc_div_ru_f32(as_float(0x3f800000U) /* 1.0 */, f);
    const float t160 = dc_div_rd_f32(as_float(0x3f800000U) /* 1.0 */, f);
    const float t161 = dc_sqrt_rz_f32(f);
    const float t162 = dc_sqrt_ru_f32(f);
    const float t163 = dc_sqrt_rd_f32(f);
    const float t164 = dc_fma_rz_f32(f, g, h);
    const float t165 = dc_fma_ru_f32(f, g, h);
    const float t166 = dc_fma_rd_f32(f, g, h);
    const dc_f32_f64_i32_i64_maskx5_f64x16_maskx8_i64_i32_i64_f64x2_f32x16_maskx8_i64_i32x2_f32x2_i64x6_maskx6_i64x7_f64_f32_i64_i32x6_maskx6_i32x7_f64_f32_i32_f64x21_f32x21 out = { t14, t15, t16, t17, t18, t19, t20, t21, t22, t23, t24, t25, t26, t27, t28, t29, t30, t31, t32, t33, t34, t35, t36, t37, t38, t39, t40, t41, t42, t43, t44, t45, t46, t47, t48, t49, t50, t51, t52, t53, t54, t55, t56, t57, t58, t59, t60, t61, t62, t63, t64, t65, t66, t67, t68, t69, t70, t71, t72, t73, t74, t75, t76, t77, t78, t79, t80, t81, t82, t83, t84, t85, t86, t87, t88, t89, t90, t91, t92, t93, t94, t95, t96, t97, t98, t99, t100, t101, t102, t103, t104, t105, t106, t107, t108, t109, t110, t111, t112, t113, t114, t115, t116, t117, t118, t119, t120, t121, t122, t123, t124, t125, t126, t127, t128, t129, t130, t131, t132, t133, t134, t135, t136, t137, t138, t139, t140, t141, t142, t143, t144, t145, t146, t147, t148, t149, t150, t151, t152, t153, t154, t155, t156, t157, t158, t159, t160, t161, t162, t163, t164, t165, t166 };
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
    __global ulong *restrict out111,
    __global ulong *restrict out112,
    __global ulong *restrict out113,
    __global ulong *restrict out114,
    __global ulong *restrict out115,
    __global ulong *restrict out116,
    __global ulong *restrict out117,
    __global ulong *restrict out118,
    __global ulong *restrict out119,
    __global ulong *restrict out120,
    __global ulong *restrict out121,
    __global ulong *restrict out122,
    __global ulong *restrict out123,
    __global ulong *restrict out124,
    __global ulong *restrict out125,
    __global ulong *restrict out126,
    __global ulong *restrict out127,
    __global ulong *restrict out128,
    __global ulong *restrict out129,
    __global ulong *restrict out130,
    __global ulong *restrict out131,
    __global ulong *restrict out132,
    __global ulong *restrict out133,
    __global ulong *restrict out134,
    __global ulong *restrict out135,
    __global ulong *restrict out136,
    __global ulong *restrict out137,
    __global ulong *restrict out138,
    __global ulong *restrict out139,
    __global ulong *restrict out140,
    __global ulong *restrict out141,
    __global ulong *restrict out142,
    __global ulong *restrict out143,
    __global ulong *restrict out144,
    __global ulong *restrict out145,
    __global ulong *restrict out146,
    __global ulong *restrict out147,
    __global ulong *restrict out148,
    __global ulong *restrict out149,
    __global ulong *restrict out150,
    __global ulong *restrict out151,
    __global ulong *restrict out152,
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
        const dc_f32_f64_i32_i64_maskx5_f64x16_maskx8_i64_i32_i64_f64x2_f32x16_maskx8_i64_i32x2_f32x2_i64x6_maskx6_i64x7_f64_f32_i64_i32x6_maskx6_i32x7_f64_f32_i32_f64x21_f32x21 y = k_exp(x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13);
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
        out111[i] = dc_bits_f64(y.r111);
        out112[i] = dc_bits_f64(y.r112);
        out113[i] = dc_bits_f64(y.r113);
        out114[i] = dc_bits_f64(y.r114);
        out115[i] = dc_bits_f64(y.r115);
        out116[i] = dc_bits_f64(y.r116);
        out117[i] = dc_bits_f64(y.r117);
        out118[i] = dc_bits_f64(y.r118);
        out119[i] = dc_bits_f64(y.r119);
        out120[i] = dc_bits_f64(y.r120);
        out121[i] = dc_bits_f64(y.r121);
        out122[i] = dc_bits_f64(y.r122);
        out123[i] = dc_bits_f64(y.r123);
        out124[i] = dc_bits_f64(y.r124);
        out125[i] = dc_bits_f64(y.r125);
        out126[i] = dc_bits_f64(y.r126);
        out127[i] = dc_bits_f64(y.r127);
        out128[i] = dc_bits_f64(y.r128);
        out129[i] = dc_bits_f64(y.r129);
        out130[i] = dc_bits_f64(y.r130);
        out131[i] = dc_bits_f64(y.r131);
        out132[i] = (ulong)dc_bits_f32(y.r132);
        out133[i] = (ulong)dc_bits_f32(y.r133);
        out134[i] = (ulong)dc_bits_f32(y.r134);
        out135[i] = (ulong)dc_bits_f32(y.r135);
        out136[i] = (ulong)dc_bits_f32(y.r136);
        out137[i] = (ulong)dc_bits_f32(y.r137);
        out138[i] = (ulong)dc_bits_f32(y.r138);
        out139[i] = (ulong)dc_bits_f32(y.r139);
        out140[i] = (ulong)dc_bits_f32(y.r140);
        out141[i] = (ulong)dc_bits_f32(y.r141);
        out142[i] = (ulong)dc_bits_f32(y.r142);
        out143[i] = (ulong)dc_bits_f32(y.r143);
        out144[i] = (ulong)dc_bits_f32(y.r144);
        out145[i] = (ulong)dc_bits_f32(y.r145);
        out146[i] = (ulong)dc_bits_f32(y.r146);
        out147[i] = (ulong)dc_bits_f32(y.r147);
        out148[i] = (ulong)dc_bits_f32(y.r148);
        out149[i] = (ulong)dc_bits_f32(y.r149);
        out150[i] = (ulong)dc_bits_f32(y.r150);
        out151[i] = (ulong)dc_bits_f32(y.r151);
        out152[i] = (ulong)dc_bits_f32(y.r152);
    }
}
