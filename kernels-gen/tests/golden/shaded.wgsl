// tests::emit::shaded in WGSL, by DoubleCrunch; not verified on a device
// The kernel's results are those of IEEE 754, to nearest, with subnormals. WGSL guarantees less, so a device may differ:
// - Rounding: +, - and * give a neighbour of the exact result in either direction. Quotients and square roots are
//   computed here from integers and round to nearest.
// - Subnormal operands and results of +, -, * and comparisons may be flushed to zero, and zeros may lose their sign.
// - NaN and infinity: a device may assume that none occurs; a result that would be one is then any value.
// - Contraction and reassociation are allowed, and WGSL has no `precise`. Every result of +, - and * therefore passes
//   through an integer operation with `dc_zero`. Assign it 0 from a buffer before a call: the compiler does not know the
//   value then, and cannot join operations. Left as it is, a compiler may see through it.

var<private> dc_zero: u32 = 0u;

struct dc_f32x2 { r0: f32, r1: f32, };

struct dc_f32_i32_mask { r0: f32, r1: u32, r2: bool, };

// The result of one operation; see the top.
fn dc_rounded(x: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) ^ dc_zero);
}

// From the bits: a compiler may assume that `x != x` is false.
fn dc_is_nan(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}

// Bits; of any NaN those of the canonical one.
fn dc_bits(x: f32) -> u32 {
    if (dc_is_nan(x)) { return 0x7fc00000u; }
    return bitcast<u32>(x);
}

// A signed index held inside 0..=last.
fn dc_clamp(index: u32, last: u32) -> u32 {
    if ((index >> 31u) != 0u) { return 0u; }
    if (index > last) { return last; }
    return index;
}

// The exponent, biased by 127, of a finite number other than 0; at most 0 for a subnormal one.
fn dc_exponent(size: u32) -> i32 {
    if (size >= 0x00800000u) { return i32(size >> 23u); }
    return i32(firstLeadingBit(size)) - 22;
}

// The significand, of 24 bits, of a finite number other than 0.
fn dc_significand(size: u32) -> u32 {
    if (size >= 0x00800000u) { return (size & 0x007fffffu) | 0x00800000u; }
    return size << (23u - u32(firstLeadingBit(size)));
}

// The number with a biased exponent, 24 bits of significand and one more, rounded to nearest, ties to even; `rest` is
// whether more follows.
fn dc_round(exponent: i32, bits25: u32, rest: bool) -> u32 {
    if (exponent >= 255) { return 0x7f800000u; }
    var digits: u32 = bits25;
    var sticky: bool = rest;
    var base: u32 = 0u;
    if (exponent > 0) {
        base = u32(exponent - 1) << 23u;
    } else {
        let down: u32 = u32(min(1 - exponent, 26));
        sticky = sticky || (digits & ((1u << down) - 1u)) != 0u;
        digits = digits >> down;
    }
    var kept: u32 = digits >> 1u;
    if ((digits & 1u) != 0u && (sticky || (kept & 1u) != 0u)) { kept = kept + 1u; }
    return base + kept;
}

// The quotient, correctly rounded, bit by bit; `/` may be wrong by 2.5 ULP, and more where the divisor is tiny or huge.
fn dc_divide(a: f32, b: f32) -> f32 {
    let sign: u32 = (bitcast<u32>(a) ^ bitcast<u32>(b)) & 0x80000000u;
    let x: u32 = bitcast<u32>(a) & 0x7fffffffu;
    let y: u32 = bitcast<u32>(b) & 0x7fffffffu;
    var quotient: u32 = 0u;
    if (x > 0x7f800000u || y > 0x7f800000u || (x == y && (x == 0u || x == 0x7f800000u))) {
        quotient = 0x7fc00000u;
    } else if (x == 0x7f800000u || y == 0u) {
        quotient = sign | 0x7f800000u;
    } else if (x == 0u || y == 0x7f800000u) {
        quotient = sign;
    } else {
        var exponent: i32 = dc_exponent(x) - dc_exponent(y) + 127;
        var rest: u32 = dc_significand(x);
        let divisor: u32 = dc_significand(y);
        if (rest < divisor) {
            rest = rest << 1u;
            exponent = exponent - 1;
        }
        var digits: u32 = 0u;
        var n: i32 = 25;
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
    return bitcast<f32>(quotient);
}

// The square root, correctly rounded, bit by bit; sqrt() may be wrong by several ULP.
fn dc_sqrt(a: f32) -> f32 {
    let x: u32 = bitcast<u32>(a);
    var root: u32 = x;
    if (x == 0u || x == 0x80000000u || x == 0x7f800000u) {
        root = x;
    } else if (x > 0x7f800000u) {
        root = 0x7fc00000u;
    } else {
        let exponent: i32 = dc_exponent(x) - 127;
        var radicand: u32 = dc_significand(x) << 7u;
        if ((exponent & 1) != 0) { radicand = radicand << 1u; }
        var rest: u32 = 0u;
        var digits: u32 = 0u;
        var n: i32 = 25;
        while (n > 0) {
            rest = (rest << 2u) | (radicand >> 30u);
            radicand = radicand << 2u;
            let next: u32 = (digits << 2u) | 1u;
            digits = digits << 1u;
            if (rest >= next) {
                rest = rest - next;
                digits = digits | 1u;
            }
            n = n - 1;
        }
        root = dc_round((exponent >> 1u) + 127, digits, rest != 0u);
    }
    return bitcast<f32>(root);
}

var<private> tab_C: array<u32, 3> = array<u32, 3>(
    0x3dcccccdu, // 0.1
    0x80000000u, // -0.0
    0x7f800000u // inf
);

var<private> tab_D: array<u32, 4> = array<u32, 4>(
    0x00000001u, // 1
    0xffffffffu, // -1
    0x00100000u, // 1048576
    0x00012fd1u // 77777
);

// tests::emit::two_sum, by_hand.rs:10
fn k_two_sum(v_a: f32, v_b: f32) -> dc_f32x2 {
    // by_hand.rs:11  x * x // a comment that ends in
    let v_sample: f32 = dc_rounded(v_a + v_b);
    let v_3: f32 = dc_rounded(v_sample - v_a);
    let v_4: f32 = dc_rounded(v_b - v_3);
    return dc_f32x2(v_sample, v_4);
}

// tests::emit::shaded, by_hand.rs:10
fn k_shaded(v_x: f32, v_k: u32) -> dc_f32_i32_mask {
    // by_hand.rs:13
    let v_2: dc_f32x2 = k_two_sum(v_x, v_x);
    let v_3: f32 = v_2.r0;
    let v_4: f32 = v_2.r1;
    let v_5: f32 = bitcast<f32>(tab_C[dc_clamp(v_k, 2u)]);
    let v_6: u32 = tab_D[v_k & 3u];
    let v_7: f32 = dc_rounded(v_3 * v_5);
    let v_8: f32 = bitcast<f32>(0x3dcccccdu) /* 0.1 */;
    let v_texture: f32 = dc_rounded(v_7 + v_8);
    // by_hand.rs:14
    let v_10: f32 = dc_divide(v_texture, v_x);
    let v_11: f32 = dc_sqrt(v_10);
    let v_12: f32 = bitcast<f32>(dc_zero ^ 0x7f800000u) /* inf */;
    let v_13: f32 = select(v_12, v_11, (v_11 < v_12));
    let v_15: u32 = v_6 & 0xfffff000u;
    let v_17: u32 = v_15 << 5u;
    let v_18: bool = bitcast<i32>(v_k) < bitcast<i32>(v_17);
    let v_19: f32 = select(v_4, v_13, v_18);
    return dc_f32_i32_mask(v_19, v_17, v_18);
}

fn crunch_shaded(x0: f32, x1: u32) -> dc_f32_i32_mask {
    let y: dc_f32_i32_mask = k_shaded(x0, x1);
    return dc_f32_i32_mask(bitcast<f32>(dc_bits(y.r0)), y.r1, y.r2);
}
