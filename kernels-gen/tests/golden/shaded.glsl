// tests::emit::shaded in GLSL, by DoubleCrunch; not verified on a device
// To insert into a shader of `#version 400` or later, or `#version 320 es` with `precision highp float`.
// The kernel's results are those of IEEE 754, to nearest, with subnormals. GLSL guarantees less, so a device may differ:
// - Rounding: +, - and * are correctly rounded in a direction that is not defined. Quotients and square roots are
//   computed here from integers and round to nearest.
// - Subnormal operands and results of +, -, * and comparisons may be flushed to zero.
// - NaN need not be generated, and operations on one need not return one.
// - Contraction is forbidden by `precise`, which every result has.
// On Vulkan, the execution modes RoundingModeRTE, DenormPreserve and SignedZeroInfNanPreserve for 32 bits
// (VK_KHR_shader_float_controls), where a device has them, guarantee the first three.

struct dc_f32x2 { float r0; float r1; };

struct dc_f32_i32_mask { float r0; uint r1; bool r2; };

// From the bits: a compiler may assume that `x != x` is false.
bool dc_is_nan(float x) {
    return (floatBitsToUint(x) & 0x7fffffffu) > 0x7f800000u;
}

// Bits; of any NaN those of the canonical one.
uint dc_bits(float x) {
    if (dc_is_nan(x)) { return 0x7fc00000u; }
    return floatBitsToUint(x);
}

// A signed index held inside 0..=last.
uint dc_clamp(uint index, uint last) {
    if ((index >> 31u) != 0u) { return 0u; }
    if (index > last) { return last; }
    return index;
}

// The exponent, biased by 127, of a finite number other than 0; at most 0 for a subnormal one.
int dc_exponent(uint size) {
    if (size >= 0x00800000u) { return int(size >> 23u); }
    return int(findMSB(size)) - 22;
}

// The significand, of 24 bits, of a finite number other than 0.
uint dc_significand(uint size) {
    if (size >= 0x00800000u) { return (size & 0x007fffffu) | 0x00800000u; }
    return size << (23u - uint(findMSB(size)));
}

// The number with a biased exponent, 24 bits of significand and one more, rounded to nearest, ties to even; `rest` is
// whether more follows.
uint dc_round(int exponent, uint bits25, bool rest) {
    if (exponent >= 255) { return 0x7f800000u; }
    uint digits = bits25;
    bool sticky = rest;
    uint base = 0u;
    if (exponent > 0) {
        base = uint(exponent - 1) << 23u;
    } else {
        uint down = uint(min(1 - exponent, 26));
        sticky = sticky || (digits & ((1u << down) - 1u)) != 0u;
        digits = digits >> down;
    }
    uint kept = digits >> 1u;
    if ((digits & 1u) != 0u && (sticky || (kept & 1u) != 0u)) { kept = kept + 1u; }
    return base + kept;
}

// The quotient, correctly rounded, bit by bit; `/` may be wrong by 2.5 ULP, and more where the divisor is tiny or huge.
float dc_divide(float a, float b) {
    uint sign = (floatBitsToUint(a) ^ floatBitsToUint(b)) & 0x80000000u;
    uint x = floatBitsToUint(a) & 0x7fffffffu;
    uint y = floatBitsToUint(b) & 0x7fffffffu;
    uint quotient = 0u;
    if (x > 0x7f800000u || y > 0x7f800000u || (x == y && (x == 0u || x == 0x7f800000u))) {
        quotient = 0x7fc00000u;
    } else if (x == 0x7f800000u || y == 0u) {
        quotient = sign | 0x7f800000u;
    } else if (x == 0u || y == 0x7f800000u) {
        quotient = sign;
    } else {
        int exponent = dc_exponent(x) - dc_exponent(y) + 127;
        uint rest = dc_significand(x);
        uint divisor = dc_significand(y);
        if (rest < divisor) {
            rest = rest << 1u;
            exponent = exponent - 1;
        }
        uint digits = 0u;
        int n = 25;
        while (n > 0) {
            digits = digits << 1u;
            if (rest >= divisor) {
                rest = rest - divisor;
                digits = digits | 1u;
            }
            rest = rest << 1u;
            n = n - 1;
        }
        quotient = sign | dc_round(exponent, digits, rest != 0u);
    }
    return uintBitsToFloat(quotient);
}

// The square root, correctly rounded, bit by bit; sqrt() may be wrong by several ULP.
float dc_sqrt(float a) {
    uint x = floatBitsToUint(a);
    uint root = x;
    if (x == 0u || x == 0x80000000u || x == 0x7f800000u) {
        root = x;
    } else if (x > 0x7f800000u) {
        root = 0x7fc00000u;
    } else {
        int exponent = dc_exponent(x) - 127;
        uint radicand = dc_significand(x) << 7u;
        if ((exponent & 1) != 0) { radicand = radicand << 1u; }
        uint rest = 0u;
        uint digits = 0u;
        int n = 25;
        while (n > 0) {
            rest = (rest << 2u) | (radicand >> 30u);
            radicand = radicand << 2u;
            uint next = (digits << 2u) | 1u;
            digits = digits << 1u;
            if (rest >= next) {
                rest = rest - next;
                digits = digits | 1u;
            }
            n = n - 1;
        }
        root = dc_round((exponent >> 1u) + 127, digits, rest != 0u);
    }
    return uintBitsToFloat(root);
}

const uint tab_C[3] = uint[3](
    0x3dcccccdu, // 0.1
    0x80000000u, // -0.0
    0x7f800000u // inf
);

const uint tab_D[4] = uint[4](
    0x00000001u, // 1
    0xffffffffu, // -1
    0x00100000u, // 1048576
    0x00012fd1u // 77777
);

// tests::emit::two_sum, by_hand.rs:10
dc_f32x2 k_two_sum(float v_a, float v_b) {
    // by_hand.rs:11  x * x // a comment that ends in
    precise float v_sample = v_a + v_b;
    precise float v_3 = v_sample - v_a;
    precise float v_4 = v_b - v_3;
    return dc_f32x2(v_sample, v_4);
}

// tests::emit::shaded, by_hand.rs:10
dc_f32_i32_mask k_shaded(float v_x, uint v_k) {
    // by_hand.rs:13
    dc_f32x2 v_2 = k_two_sum(v_x, v_x);
    precise float v_3 = v_2.r0;
    precise float v_4 = v_2.r1;
    precise float v_5 = uintBitsToFloat(tab_C[dc_clamp(v_k, 2u)]);
    uint v_6 = tab_D[v_k & 3u];
    precise float v_7 = v_3 * v_5;
    precise float v_8 = uintBitsToFloat(0x3dcccccdu) /* 0.1 */;
    precise float v_texture = v_7 + v_8;
    // by_hand.rs:14
    precise float v_10 = dc_divide(v_texture, v_x);
    precise float v_11 = dc_sqrt(v_10);
    precise float v_12 = uintBitsToFloat(0x7f800000u) /* inf */;
    precise float v_13 = (v_11 < v_12) ? v_11 : v_12;
    uint v_15 = v_6 & 0xfffff000u;
    uint v_17 = v_15 << 5u;
    bool v_18 = int(v_k) < int(v_17);
    precise float v_19 = v_18 ? v_13 : v_4;
    return dc_f32_i32_mask(v_19, v_17, v_18);
}

dc_f32_i32_mask crunch_shaded(float x0, uint x1) {
    dc_f32_i32_mask y = k_shaded(x0, x1);
    return dc_f32_i32_mask(uintBitsToFloat(dc_bits(y.r0)), y.r1, y.r2);
}
