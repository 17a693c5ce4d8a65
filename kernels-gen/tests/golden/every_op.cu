// tests::emit::exp at points, by DoubleCrunch

typedef struct { float r0; double r1; unsigned int r2; unsigned long long r3; bool r4; bool r5; bool r6; bool r7; bool r8; double r9; double r10; double r11; double r12; double r13; double r14; double r15; double r16; double r17; double r18; double r19; double r20; double r21; double r22; double r23; double r24; bool r25; bool r26; bool r27; bool r28; bool r29; bool r30; bool r31; bool r32; unsigned long long r33; unsigned int r34; unsigned long long r35; double r36; double r37; float r38; float r39; float r40; float r41; float r42; float r43; float r44; float r45; float r46; float r47; float r48; float r49; float r50; float r51; float r52; float r53; bool r54; bool r55; bool r56; bool r57; bool r58; bool r59; bool r60; bool r61; unsigned long long r62; unsigned int r63; unsigned int r64; float r65; float r66; unsigned long long r67; unsigned long long r68; unsigned long long r69; unsigned long long r70; unsigned long long r71; unsigned long long r72; bool r73; bool r74; bool r75; bool r76; bool r77; bool r78; unsigned long long r79; unsigned long long r80; unsigned long long r81; unsigned long long r82; unsigned long long r83; unsigned long long r84; unsigned long long r85; double r86; float r87; unsigned long long r88; unsigned int r89; unsigned int r90; unsigned int r91; unsigned int r92; unsigned int r93; unsigned int r94; bool r95; bool r96; bool r97; bool r98; bool r99; bool r100; unsigned int r101; unsigned int r102; unsigned int r103; unsigned int r104; unsigned int r105; unsigned int r106; unsigned int r107; double r108; float r109; unsigned int r110; double r111; double r112; double r113; double r114; double r115; double r116; double r117; double r118; double r119; double r120; double r121; double r122; double r123; double r124; double r125; double r126; double r127; double r128; double r129; double r130; double r131; float r132; float r133; float r134; float r135; float r136; float r137; float r138; float r139; float r140; float r141; float r142; float r143; float r144; float r145; float r146; float r147; float r148; float r149; float r150; float r151; float r152; } dc_f32_f64_i32_i64_maskx5_f64x16_maskx8_i64_i32_i64_f64x2_f32x16_maskx8_i64_i32x2_f32x2_i64x6_maskx6_i64x7_f64_f32_i64_i32x6_maskx6_i32x7_f64_f32_i32_f64x21_f32x21;

// Bits; of any NaN those of the canonical one.
static __device__ __forceinline__ unsigned long long dc_bits_f64(double x) {
    const unsigned long long raw = (unsigned long long)__double_as_longlong(x);
    return x != x ? 0x7ff8000000000000ull : raw;
}

// Bits; of any NaN those of the canonical one.
static __device__ __forceinline__ unsigned int dc_bits_f32(float x) {
    const unsigned int raw = (unsigned int)__float_as_int(x);
    return x != x ? 0x7fc00000u : raw;
}

// Sign bit; a NaN is canonical, so positive.
static __device__ __forceinline__ bool dc_negative_f64(double x) {
    const unsigned long long raw = (unsigned long long)__double_as_longlong(x);
    return (x == x) & ((raw >> 63) != 0ull);
}

// Sign bit; a NaN is canonical, so positive.
static __device__ __forceinline__ bool dc_negative_f32(float x) {
    const unsigned int raw = (unsigned int)__float_as_int(x);
    return (x == x) & ((raw >> 31) != 0u);
}

// Magnitude of the first, sign of the second; a NaN is canonical, so positive.
static __device__ __forceinline__ double dc_copysign_f64(double magnitude, double sign) {
    const unsigned long long rest = (unsigned long long)__double_as_longlong(magnitude) & 0x7fffffffffffffffull;
    const unsigned long long raw = (unsigned long long)__double_as_longlong(sign) & 0x8000000000000000ull;
    const unsigned long long top = sign != sign ? 0ull : raw;
    const unsigned long long bits = rest | top;
    return __longlong_as_double(bits);
}

// Magnitude of the first, sign of the second; a NaN is canonical, so positive.
static __device__ __forceinline__ float dc_copysign_f32(float magnitude, float sign) {
    const unsigned int rest = (unsigned int)__float_as_int(magnitude) & 0x7fffffffu;
    const unsigned int raw = (unsigned int)__float_as_int(sign) & 0x80000000u;
    const unsigned int top = sign != sign ? 0u : raw;
    const unsigned int bits = rest | top;
    return __int_as_float(bits);
}

// Toward zero, saturating; NaN gives 0.
static __device__ __forceinline__ unsigned long long dc_f64_to_i64(double x) {
    const bool high = x >= __longlong_as_double(0x43e0000000000000ull) /* 2^63 */;
    const bool low = x < __longlong_as_double(0xc3e0000000000000ull) /* -2^63 */;
    const bool nan = x != x;
    const bool bad = nan | high | low;
    const double inside = bad ? __longlong_as_double(0x0000000000000000ull) : x;
    const unsigned long long whole = (unsigned long long)__double2ll_rz(inside);
    const unsigned long long capped = high ? 0x7fffffffffffffffull : whole;
    return low ? 0x8000000000000000ull : capped;
}

// Toward zero, saturating; NaN gives 0.
static __device__ __forceinline__ unsigned int dc_f64_to_i32(double x) {
    const bool high = x >= __longlong_as_double(0x41e0000000000000ull) /* 2^31 */;
    const bool low = x < __longlong_as_double(0xc1e0000000000000ull) /* -2^31 */;
    const bool nan = x != x;
    const bool bad = nan | high | low;
    const double inside = bad ? __longlong_as_double(0x0000000000000000ull) : x;
    const unsigned int whole = (unsigned int)__double2int_rz(inside);
    const unsigned int capped = high ? 0x7fffffffu : whole;
    return low ? 0x80000000u : capped;
}

// Toward zero, saturating; NaN gives 0.
static __device__ __forceinline__ unsigned long long dc_f32_to_i64(float x) {
    const bool high = x >= __int_as_float(0x5f000000u) /* 2^63 */;
    const bool low = x < __int_as_float(0xdf000000u) /* -2^63 */;
    const bool nan = x != x;
    const bool bad = nan | high | low;
    const float inside = bad ? __int_as_float(0x00000000u) : x;
    const unsigned long long whole = (unsigned long long)__float2ll_rz(inside);
    const unsigned long long capped = high ? 0x7fffffffffffffffull : whole;
    return low ? 0x8000000000000000ull : capped;
}

// Toward zero, saturating; NaN gives 0.
static __device__ __forceinline__ unsigned int dc_f32_to_i32(float x) {
    const bool high = x >= __int_as_float(0x4f000000u) /* 2^31 */;
    const bool low = x < __int_as_float(0xcf000000u) /* -2^31 */;
    const bool nan = x != x;
    const bool bad = nan | high | low;
    const float inside = bad ? __int_as_float(0x00000000u) : x;
    const unsigned int whole = (unsigned int)__float2int_rz(inside);
    const unsigned int capped = high ? 0x7fffffffu : whole;
    return low ? 0x80000000u : capped;
}

// tests::emit::exp, by_hand.rs:10
static __device__ __forceinline__ dc_f32_f64_i32_i64_maskx5_f64x16_maskx8_i64_i32_i64_f64x2_f32x16_maskx8_i64_i32x2_f32x2_i64x6_maskx6_i64x7_f64_f32_i64_i32x6_maskx6_i32x7_f64_f32_i32_f64x21_f32x21 k_exp(const double a, const double b, const double c, const float f, const float g, const float h, const unsigned long long i, const unsigned long long j, const unsigned long long k, const unsigned int l, const unsigned int half_v, const unsigned int double2_v, const bool NAN_v, const bool v_m) {
    // by_hand.rs:11  x * x // a comment that ends in
    const float t14 = __double2float_rn(a);
    const double t15 = (double)f;
    const unsigned int t16 = (unsigned int)i;
    const unsigned long long t17 = (unsigned long long)(long long)(int)l;
    const bool t18 = NAN_v & v_m;
    const bool t19 = NAN_v | v_m;
    const bool t20 = NAN_v ^ v_m;
    const bool t21 = !NAN_v;
    const bool t22 = NAN_v ? v_m : NAN_v;
    const double t23 = __dadd_rn(a, b);
    const double t24 = __dsub_rn(a, b);
    const double t25 = __dmul_rn(a, b);
    const double t26 = __ddiv_rn(a, b);
    const double t27 = __fma_rn(a, b, c);
    const double t28 = __dsqrt_rn(a);
    const double t29 = __drcp_rn(a);
    const double t30 = -a;
    const double t31 = fabs(a);
    const double t32 = dc_copysign_f64(a, b);
    const double t33 = floor(a);
    const double t34 = ceil(a);
    const double t35 = trunc(a);
    const double t36 = rint(a);
    const double t37 = ((a < b) & ((unsigned long long)__double_as_longlong(a) != (unsigned long long)__double_as_longlong(b))) ? a : b;
    const double t38 = ((a > b) & ((unsigned long long)__double_as_longlong(a) != (unsigned long long)__double_as_longlong(b))) ? a : b;
    const bool t39 = a < b;
    const bool t40 = a <= b;
    const bool t41 = a > b;
    const bool t42 = a >= b;
    const bool t43 = a == b;
    const bool t44 = a != b;
    const bool t45 = a != a;
    const bool t46 = dc_negative_f64(a);
    const unsigned long long t47 = dc_f64_to_i64(a);
    const unsigned int t48 = dc_f64_to_i32(a);
    const unsigned long long t49 = dc_bits_f64(a);
    const double t50 = __longlong_as_double(i);
    const double t51 = NAN_v ? a : b;
    const float t52 = __fadd_rn(f, g);
    const float t53 = __fsub_rn(f, g);
    const float t54 = __fmul_rn(f, g);
    const float t55 = __fdiv_rn(f, g);
    const float t56 = __fmaf_rn(f, g, h);
    const float t57 = __fsqrt_rn(f);
    const float t58 = __frcp_rn(f);
    const float t59 = -f;
    const float t60 = fabsf(f);
    const float t61 = dc_copysign_f32(f, g);
    const float t62 = floorf(f);
    const float t63 = ceilf(f);
    const float t64 = truncf(f);
    const float t65 = rintf(f);
    const float t66 = ((f < g) & ((unsigned int)__float_as_int(f) != (unsigned int)__float_as_int(g))) ? f : g;
    const float t67 = ((f > g) & ((unsigned int)__float_as_int(f) != (unsigned int)__float_as_int(g))) ? f : g;
    const bool t68 = f < g;
    const bool t69 = f <= g;
    const bool t70 = f > g;
    const bool t71 = f >= g;
    const bool t72 = f == g;
    const bool t73 = f != g;
    const bool t74 = f != f;
    const bool t75 = dc_negative_f32(f);
    const unsigned long long t76 = dc_f32_to_i64(f);
    const unsigned int t77 = dc_f32_to_i32(f);
    const unsigned int t78 = dc_bits_f32(f);
    const float t79 = __int_as_float(l);
    const float t80 = NAN_v ? f : g;
    const unsigned long long t81 = i + j;
    const unsigned long long t82 = i - j;
    const unsigned long long t83 = i * j;
    const unsigned long long t84 = 0ull - i;
    const unsigned long long t85 = (long long)i < (long long)j ? i : j;
    const unsigned long long t86 = (long long)i > (long long)j ? i : j;
    const bool t87 = (long long)i < (long long)j;
    const bool t88 = (long long)i <= (long long)j;
    const bool t89 = (long long)i > (long long)j;
    const bool t90 = (long long)i >= (long long)j;
    const bool t91 = i == j;
    const bool t92 = i != j;
    const unsigned long long t93 = i & j;
    const unsigned long long t94 = i | j;
    const unsigned long long t95 = i ^ j;
    const unsigned long long t96 = ~i;
    const unsigned long long t97 = i << (j & 63ull);
    const unsigned long long t98 = (unsigned long long)((long long)i >> (j & 63ull));
    const unsigned long long t99 = i >> (j & 63ull);
    const double t100 = __ll2double_rn((long long)i);
    const float t101 = __ll2float_rn((long long)i);
    const unsigned long long t102 = NAN_v ? i : j;
    const unsigned int t103 = l + half_v;
    const unsigned int t104 = l - half_v;
    const unsigned int t105 = l * half_v;
    const unsigned int t106 = 0u - l;
    const unsigned int t107 = (int)l < (int)half_v ? l : half_v;
    const unsigned int t108 = (int)l > (int)half_v ? l : half_v;
    const bool t109 = (int)l < (int)half_v;
    const bool t110 = (int)l <= (int)half_v;
    const bool t111 = (int)l > (int)half_v;
    const bool t112 = (int)l >= (int)half_v;
    const bool t113 = l == half_v;
    const bool t114 = l != half_v;
    const unsigned int t115 = l & half_v;
    const unsigned int t116 = l | half_v;
    const unsigned int t117 = l ^ half_v;
    const unsigned int t118 = ~l;
    const unsigned int t119 = l << (half_v & 31u);
    const unsigned int t120 = (unsigned int)((int)l >> (half_v & 31u));
    const unsigned int t121 = l >> (half_v & 31u);
    const double t122 = __int2double_rn((int)l);
    const float t123 = __int2float_rn((int)l);
    const unsigned int t124 = NAN_v ? l : half_v;
    const double t125 = __dadd_rz(a, b);
    const double t126 = __dadd_ru(a, b);
    const double t127 = __dadd_rd(a, b);
    const double t128 = __dsub_rz(a, b);
    const double t129 = __dsub_ru(a, b);
    const double t130 = __dsub_rd(a, b);
    const double t131 = __dmul_rz(a, b);
    const double t132 = __dmul_ru(a, b);
    const double t133 = __dmul_rd(a, b);
    const double t134 = __ddiv_rz(a, b);
    const double t135 = __ddiv_ru(a, b);
    const double t136 = __ddiv_rd(a, b);
    const double t137 = __drcp_rz(a);
    const double t138 = __drcp_ru(a);
    const double t139 = __drcp_rd(a);
    const double t140 = __dsqrt_rz(a);
    const double t141 = __dsqrt_ru(a);
    const double t142 = __dsqrt_rd(a);
    const double t143 = __fma_rz(a, b, c);
    const double t144 = __fma_ru(a, b, c);
    const double t145 = __fma_rd(a, b, c);
    const float t146 = __fadd_rz(f, g);
    const float t147 = __fadd_ru(f, g);
    const float t148 = __fadd_rd(f, g);
    const float t149 = __fsub_rz(f, g);
    const float t150 = __fsub_ru(f, g);
    const float t151 = __fsub_rd(f, g);
    const float t152 = __fmul_rz(f, g);
    const float t153 = __fmul_ru(f, g);
    const float t154 = __fmul_rd(f, g);
    const float t155 = __fdiv_rz(f, g);
    const float t156 = __fdiv_ru(f, g);
    const float t157 = __fdiv_rd(f, g);
    const float t158 = __frcp_rz(f);
    const float t159 = __frcp_ru(f);
    const float t160 = __frcp_rd(f);
    const float t161 = __fsqrt_rz(f);
    const float t162 = __fsqrt_ru(f);
    const float t163 = __fsqrt_rd(f);
    const float t164 = __fmaf_rz(f, g, h);
    const float t165 = __fmaf_ru(f, g, h);
    const float t166 = __fmaf_rd(f, g, h);
    const dc_f32_f64_i32_i64_maskx5_f64x16_maskx8_i64_i32_i64_f64x2_f32x16_maskx8_i64_i32x2_f32x2_i64x6_maskx6_i64x7_f64_f32_i64_i32x6_maskx6_i32x7_f64_f32_i32_f64x21_f32x21 out = { t14, t15, t16, t17, t18, t19, t20, t21, t22, t23, t24, t25, t26, t27, t28, t29, t30, t31, t32, t33, t34, t35, t36, t37, t38, t39, t40, t41, t42, t43, t44, t45, t46, t47, t48, t49, t50, t51, t52, t53, t54, t55, t56, t57, t58, t59, t60, t61, t62, t63, t64, t65, t66, t67, t68, t69, t70, t71, t72, t73, t74, t75, t76, t77, t78, t79, t80, t81, t82, t83, t84, t85, t86, t87, t88, t89, t90, t91, t92, t93, t94, t95, t96, t97, t98, t99, t100, t101, t102, t103, t104, t105, t106, t107, t108, t109, t110, t111, t112, t113, t114, t115, t116, t117, t118, t119, t120, t121, t122, t123, t124, t125, t126, t127, t128, t129, t130, t131, t132, t133, t134, t135, t136, t137, t138, t139, t140, t141, t142, t143, t144, t145, t146, t147, t148, t149, t150, t151, t152, t153, t154, t155, t156, t157, t158, t159, t160, t161, t162, t163, t164, t165, t166 };
    return out;
}

extern "C" __global__ void exp_point(
    const unsigned long long *__restrict__ in0,
    const unsigned long long *__restrict__ in1,
    const unsigned long long *__restrict__ in2,
    const unsigned long long *__restrict__ in3,
    const unsigned long long *__restrict__ in4,
    const unsigned long long *__restrict__ in5,
    const unsigned long long *__restrict__ in6,
    const unsigned long long *__restrict__ in7,
    const unsigned long long *__restrict__ in8,
    const unsigned long long *__restrict__ in9,
    const unsigned long long *__restrict__ in10,
    const unsigned long long *__restrict__ in11,
    const unsigned long long *__restrict__ in12,
    const unsigned long long *__restrict__ in13,
    unsigned long long *__restrict__ out0,
    unsigned long long *__restrict__ out1,
    unsigned long long *__restrict__ out2,
    unsigned long long *__restrict__ out3,
    unsigned long long *__restrict__ out4,
    unsigned long long *__restrict__ out5,
    unsigned long long *__restrict__ out6,
    unsigned long long *__restrict__ out7,
    unsigned long long *__restrict__ out8,
    unsigned long long *__restrict__ out9,
    unsigned long long *__restrict__ out10,
    unsigned long long *__restrict__ out11,
    unsigned long long *__restrict__ out12,
    unsigned long long *__restrict__ out13,
    unsigned long long *__restrict__ out14,
    unsigned long long *__restrict__ out15,
    unsigned long long *__restrict__ out16,
    unsigned long long *__restrict__ out17,
    unsigned long long *__restrict__ out18,
    unsigned long long *__restrict__ out19,
    unsigned long long *__restrict__ out20,
    unsigned long long *__restrict__ out21,
    unsigned long long *__restrict__ out22,
    unsigned long long *__restrict__ out23,
    unsigned long long *__restrict__ out24,
    unsigned long long *__restrict__ out25,
    unsigned long long *__restrict__ out26,
    unsigned long long *__restrict__ out27,
    unsigned long long *__restrict__ out28,
    unsigned long long *__restrict__ out29,
    unsigned long long *__restrict__ out30,
    unsigned long long *__restrict__ out31,
    unsigned long long *__restrict__ out32,
    unsigned long long *__restrict__ out33,
    unsigned long long *__restrict__ out34,
    unsigned long long *__restrict__ out35,
    unsigned long long *__restrict__ out36,
    unsigned long long *__restrict__ out37,
    unsigned long long *__restrict__ out38,
    unsigned long long *__restrict__ out39,
    unsigned long long *__restrict__ out40,
    unsigned long long *__restrict__ out41,
    unsigned long long *__restrict__ out42,
    unsigned long long *__restrict__ out43,
    unsigned long long *__restrict__ out44,
    unsigned long long *__restrict__ out45,
    unsigned long long *__restrict__ out46,
    unsigned long long *__restrict__ out47,
    unsigned long long *__restrict__ out48,
    unsigned long long *__restrict__ out49,
    unsigned long long *__restrict__ out50,
    unsigned long long *__restrict__ out51,
    unsigned long long *__restrict__ out52,
    unsigned long long *__restrict__ out53,
    unsigned long long *__restrict__ out54,
    unsigned long long *__restrict__ out55,
    unsigned long long *__restrict__ out56,
    unsigned long long *__restrict__ out57,
    unsigned long long *__restrict__ out58,
    unsigned long long *__restrict__ out59,
    unsigned long long *__restrict__ out60,
    unsigned long long *__restrict__ out61,
    unsigned long long *__restrict__ out62,
    unsigned long long *__restrict__ out63,
    unsigned long long *__restrict__ out64,
    unsigned long long *__restrict__ out65,
    unsigned long long *__restrict__ out66,
    unsigned long long *__restrict__ out67,
    unsigned long long *__restrict__ out68,
    unsigned long long *__restrict__ out69,
    unsigned long long *__restrict__ out70,
    unsigned long long *__restrict__ out71,
    unsigned long long *__restrict__ out72,
    unsigned long long *__restrict__ out73,
    unsigned long long *__restrict__ out74,
    unsigned long long *__restrict__ out75,
    unsigned long long *__restrict__ out76,
    unsigned long long *__restrict__ out77,
    unsigned long long *__restrict__ out78,
    unsigned long long *__restrict__ out79,
    unsigned long long *__restrict__ out80,
    unsigned long long *__restrict__ out81,
    unsigned long long *__restrict__ out82,
    unsigned long long *__restrict__ out83,
    unsigned long long *__restrict__ out84,
    unsigned long long *__restrict__ out85,
    unsigned long long *__restrict__ out86,
    unsigned long long *__restrict__ out87,
    unsigned long long *__restrict__ out88,
    unsigned long long *__restrict__ out89,
    unsigned long long *__restrict__ out90,
    unsigned long long *__restrict__ out91,
    unsigned long long *__restrict__ out92,
    unsigned long long *__restrict__ out93,
    unsigned long long *__restrict__ out94,
    unsigned long long *__restrict__ out95,
    unsigned long long *__restrict__ out96,
    unsigned long long *__restrict__ out97,
    unsigned long long *__restrict__ out98,
    unsigned long long *__restrict__ out99,
    unsigned long long *__restrict__ out100,
    unsigned long long *__restrict__ out101,
    unsigned long long *__restrict__ out102,
    unsigned long long *__restrict__ out103,
    unsigned long long *__restrict__ out104,
    unsigned long long *__restrict__ out105,
    unsigned long long *__restrict__ out106,
    unsigned long long *__restrict__ out107,
    unsigned long long *__restrict__ out108,
    unsigned long long *__restrict__ out109,
    unsigned long long *__restrict__ out110,
    unsigned long long *__restrict__ out111,
    unsigned long long *__restrict__ out112,
    unsigned long long *__restrict__ out113,
    unsigned long long *__restrict__ out114,
    unsigned long long *__restrict__ out115,
    unsigned long long *__restrict__ out116,
    unsigned long long *__restrict__ out117,
    unsigned long long *__restrict__ out118,
    unsigned long long *__restrict__ out119,
    unsigned long long *__restrict__ out120,
    unsigned long long *__restrict__ out121,
    unsigned long long *__restrict__ out122,
    unsigned long long *__restrict__ out123,
    unsigned long long *__restrict__ out124,
    unsigned long long *__restrict__ out125,
    unsigned long long *__restrict__ out126,
    unsigned long long *__restrict__ out127,
    unsigned long long *__restrict__ out128,
    unsigned long long *__restrict__ out129,
    unsigned long long *__restrict__ out130,
    unsigned long long *__restrict__ out131,
    unsigned long long *__restrict__ out132,
    unsigned long long *__restrict__ out133,
    unsigned long long *__restrict__ out134,
    unsigned long long *__restrict__ out135,
    unsigned long long *__restrict__ out136,
    unsigned long long *__restrict__ out137,
    unsigned long long *__restrict__ out138,
    unsigned long long *__restrict__ out139,
    unsigned long long *__restrict__ out140,
    unsigned long long *__restrict__ out141,
    unsigned long long *__restrict__ out142,
    unsigned long long *__restrict__ out143,
    unsigned long long *__restrict__ out144,
    unsigned long long *__restrict__ out145,
    unsigned long long *__restrict__ out146,
    unsigned long long *__restrict__ out147,
    unsigned long long *__restrict__ out148,
    unsigned long long *__restrict__ out149,
    unsigned long long *__restrict__ out150,
    unsigned long long *__restrict__ out151,
    unsigned long long *__restrict__ out152,
    const unsigned long long n) {
    const unsigned long long first = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned long long stride = (unsigned long long)gridDim.x * blockDim.x;
    for (unsigned long long i = first; i < n; i += stride) {
        const double x0 = __longlong_as_double(in0[i]);
        const double x1 = __longlong_as_double(in1[i]);
        const double x2 = __longlong_as_double(in2[i]);
        const float x3 = __int_as_float((unsigned int)in3[i]);
        const float x4 = __int_as_float((unsigned int)in4[i]);
        const float x5 = __int_as_float((unsigned int)in5[i]);
        const unsigned long long x6 = in6[i];
        const unsigned long long x7 = in7[i];
        const unsigned long long x8 = in8[i];
        const unsigned int x9 = (unsigned int)in9[i];
        const unsigned int x10 = (unsigned int)in10[i];
        const unsigned int x11 = (unsigned int)in11[i];
        const bool x12 = in12[i] != 0ull;
        const bool x13 = in13[i] != 0ull;
        const dc_f32_f64_i32_i64_maskx5_f64x16_maskx8_i64_i32_i64_f64x2_f32x16_maskx8_i64_i32x2_f32x2_i64x6_maskx6_i64x7_f64_f32_i64_i32x6_maskx6_i32x7_f64_f32_i32_f64x21_f32x21 y = k_exp(x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13);
        out0[i] = (unsigned long long)dc_bits_f32(y.r0);
        out1[i] = dc_bits_f64(y.r1);
        out2[i] = (unsigned long long)y.r2;
        out3[i] = y.r3;
        out4[i] = (unsigned long long)y.r4;
        out5[i] = (unsigned long long)y.r5;
        out6[i] = (unsigned long long)y.r6;
        out7[i] = (unsigned long long)y.r7;
        out8[i] = (unsigned long long)y.r8;
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
        out25[i] = (unsigned long long)y.r25;
        out26[i] = (unsigned long long)y.r26;
        out27[i] = (unsigned long long)y.r27;
        out28[i] = (unsigned long long)y.r28;
        out29[i] = (unsigned long long)y.r29;
        out30[i] = (unsigned long long)y.r30;
        out31[i] = (unsigned long long)y.r31;
        out32[i] = (unsigned long long)y.r32;
        out33[i] = y.r33;
        out34[i] = (unsigned long long)y.r34;
        out35[i] = y.r35;
        out36[i] = dc_bits_f64(y.r36);
        out37[i] = dc_bits_f64(y.r37);
        out38[i] = (unsigned long long)dc_bits_f32(y.r38);
        out39[i] = (unsigned long long)dc_bits_f32(y.r39);
        out40[i] = (unsigned long long)dc_bits_f32(y.r40);
        out41[i] = (unsigned long long)dc_bits_f32(y.r41);
        out42[i] = (unsigned long long)dc_bits_f32(y.r42);
        out43[i] = (unsigned long long)dc_bits_f32(y.r43);
        out44[i] = (unsigned long long)dc_bits_f32(y.r44);
        out45[i] = (unsigned long long)dc_bits_f32(y.r45);
        out46[i] = (unsigned long long)dc_bits_f32(y.r46);
        out47[i] = (unsigned long long)dc_bits_f32(y.r47);
        out48[i] = (unsigned long long)dc_bits_f32(y.r48);
        out49[i] = (unsigned long long)dc_bits_f32(y.r49);
        out50[i] = (unsigned long long)dc_bits_f32(y.r50);
        out51[i] = (unsigned long long)dc_bits_f32(y.r51);
        out52[i] = (unsigned long long)dc_bits_f32(y.r52);
        out53[i] = (unsigned long long)dc_bits_f32(y.r53);
        out54[i] = (unsigned long long)y.r54;
        out55[i] = (unsigned long long)y.r55;
        out56[i] = (unsigned long long)y.r56;
        out57[i] = (unsigned long long)y.r57;
        out58[i] = (unsigned long long)y.r58;
        out59[i] = (unsigned long long)y.r59;
        out60[i] = (unsigned long long)y.r60;
        out61[i] = (unsigned long long)y.r61;
        out62[i] = y.r62;
        out63[i] = (unsigned long long)y.r63;
        out64[i] = (unsigned long long)y.r64;
        out65[i] = (unsigned long long)dc_bits_f32(y.r65);
        out66[i] = (unsigned long long)dc_bits_f32(y.r66);
        out67[i] = y.r67;
        out68[i] = y.r68;
        out69[i] = y.r69;
        out70[i] = y.r70;
        out71[i] = y.r71;
        out72[i] = y.r72;
        out73[i] = (unsigned long long)y.r73;
        out74[i] = (unsigned long long)y.r74;
        out75[i] = (unsigned long long)y.r75;
        out76[i] = (unsigned long long)y.r76;
        out77[i] = (unsigned long long)y.r77;
        out78[i] = (unsigned long long)y.r78;
        out79[i] = y.r79;
        out80[i] = y.r80;
        out81[i] = y.r81;
        out82[i] = y.r82;
        out83[i] = y.r83;
        out84[i] = y.r84;
        out85[i] = y.r85;
        out86[i] = dc_bits_f64(y.r86);
        out87[i] = (unsigned long long)dc_bits_f32(y.r87);
        out88[i] = y.r88;
        out89[i] = (unsigned long long)y.r89;
        out90[i] = (unsigned long long)y.r90;
        out91[i] = (unsigned long long)y.r91;
        out92[i] = (unsigned long long)y.r92;
        out93[i] = (unsigned long long)y.r93;
        out94[i] = (unsigned long long)y.r94;
        out95[i] = (unsigned long long)y.r95;
        out96[i] = (unsigned long long)y.r96;
        out97[i] = (unsigned long long)y.r97;
        out98[i] = (unsigned long long)y.r98;
        out99[i] = (unsigned long long)y.r99;
        out100[i] = (unsigned long long)y.r100;
        out101[i] = (unsigned long long)y.r101;
        out102[i] = (unsigned long long)y.r102;
        out103[i] = (unsigned long long)y.r103;
        out104[i] = (unsigned long long)y.r104;
        out105[i] = (unsigned long long)y.r105;
        out106[i] = (unsigned long long)y.r106;
        out107[i] = (unsigned long long)y.r107;
        out108[i] = dc_bits_f64(y.r108);
        out109[i] = (unsigned long long)dc_bits_f32(y.r109);
        out110[i] = (unsigned long long)y.r110;
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
        out132[i] = (unsigned long long)dc_bits_f32(y.r132);
        out133[i] = (unsigned long long)dc_bits_f32(y.r133);
        out134[i] = (unsigned long long)dc_bits_f32(y.r134);
        out135[i] = (unsigned long long)dc_bits_f32(y.r135);
        out136[i] = (unsigned long long)dc_bits_f32(y.r136);
        out137[i] = (unsigned long long)dc_bits_f32(y.r137);
        out138[i] = (unsigned long long)dc_bits_f32(y.r138);
        out139[i] = (unsigned long long)dc_bits_f32(y.r139);
        out140[i] = (unsigned long long)dc_bits_f32(y.r140);
        out141[i] = (unsigned long long)dc_bits_f32(y.r141);
        out142[i] = (unsigned long long)dc_bits_f32(y.r142);
        out143[i] = (unsigned long long)dc_bits_f32(y.r143);
        out144[i] = (unsigned long long)dc_bits_f32(y.r144);
        out145[i] = (unsigned long long)dc_bits_f32(y.r145);
        out146[i] = (unsigned long long)dc_bits_f32(y.r146);
        out147[i] = (unsigned long long)dc_bits_f32(y.r147);
        out148[i] = (unsigned long long)dc_bits_f32(y.r148);
        out149[i] = (unsigned long long)dc_bits_f32(y.r149);
        out150[i] = (unsigned long long)dc_bits_f32(y.r150);
        out151[i] = (unsigned long long)dc_bits_f32(y.r151);
        out152[i] = (unsigned long long)dc_bits_f32(y.r152);
    }
}
