//! Functions of the emitted text, written once for both languages.
//!
//! A template has WGSL's statements with the type before the name (`let u32 q = …`), and `$bits(`, `$float(`, `$int(`, `$uint(` and `$msb(`
//! for conversions and for the place of the highest set bit. All except `dc_rounded` compute with integers, so their results do not depend
//! on a device's rounding, subnormals or NaNs.

use std::collections::BTreeSet;

use super::Shading;

/// A helper. It is emitted only if an operation needs it. The order is that of the text: callees first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Helper {
    /// WGSL: a result that no compiler can combine with another operation.
    Rounded,
    /// Whether the bits are those of a NaN.
    IsNan,
    /// Bits with the canonical NaN.
    Bits,
    /// Sign bit; a NaN counts as positive.
    Negative,
    /// Magnitude and sign.
    CopySign,
    /// Saturating conversion to an integer.
    ToInt,
    /// A signed index into a table whose length is not a power of two.
    Clamp,
    /// Exponent of a finite number other than 0.
    Exponent,
    /// Significand of a finite number other than 0.
    Significand,
    /// A significand with a bit for rounding, rounded to nearest.
    Round,
    /// Quotient.
    Divide,
    /// Square root.
    Sqrt,
}

/// The requested helpers, and those that they call.
pub(super) fn closure(needs: &BTreeSet<Helper>) -> BTreeSet<Helper> {
    let mut all = needs.clone();
    for helper in needs {
        all.extend(match helper {
            Helper::Bits | Helper::Negative | Helper::CopySign => &[Helper::IsNan][..],
            Helper::Divide | Helper::Sqrt => {
                &[Helper::Exponent, Helper::Significand, Helper::Round]
            }
            _ => &[],
        });
    }
    all
}

impl Helper {
    /// The function's name.
    pub fn name(self) -> &'static str {
        match self {
            Helper::Rounded => "dc_rounded",
            Helper::IsNan => "dc_is_nan",
            Helper::Bits => "dc_bits",
            Helper::Negative => "dc_negative",
            Helper::CopySign => "dc_copysign",
            Helper::ToInt => "dc_to_int",
            Helper::Clamp => "dc_clamp",
            Helper::Exponent => "dc_exponent",
            Helper::Significand => "dc_significand",
            Helper::Round => "dc_round",
            Helper::Divide => "dc_divide",
            Helper::Sqrt => "dc_sqrt",
        }
    }

    /// The function in a language.
    pub fn text(self, shading: Shading) -> String {
        shading.of_template(match self {
            Helper::Rounded => ROUNDED,
            Helper::IsNan => IS_NAN,
            Helper::Bits => BITS,
            Helper::Negative => NEGATIVE,
            Helper::CopySign => COPY_SIGN,
            Helper::ToInt => TO_INT,
            Helper::Clamp => CLAMP,
            Helper::Exponent => EXPONENT,
            Helper::Significand => SIGNIFICAND,
            Helper::Round => ROUND,
            Helper::Divide => DIVIDE,
            Helper::Sqrt => SQRT,
        })
    }
}

const ROUNDED: &str = "\
// The result of one operation; see the top.
fn dc_rounded x f32 -> f32 {
    return $float($bits(x) ^ dc_zero);
}
";

const IS_NAN: &str = "\
// From the bits: a compiler may assume that `x != x` is false.
fn dc_is_nan x f32 -> bool {
    return ($bits(x) & 0x7fffffffu) > 0x7f800000u;
}
";

const BITS: &str = "\
// Bits; of any NaN those of the canonical one.
fn dc_bits x f32 -> u32 {
    if (dc_is_nan(x)) { return 0x7fc00000u; }
    return $bits(x);
}
";

const NEGATIVE: &str = "\
// Sign bit; a NaN is canonical, so positive.
fn dc_negative x f32 -> bool {
    return !dc_is_nan(x) && ($bits(x) >> 31u) != 0u;
}
";

const COPY_SIGN: &str = "\
// Magnitude of the first, sign of the second; a NaN is canonical, so positive.
fn dc_copysign magnitude f32, sign f32 -> f32 {
    var u32 top = $bits(sign) & 0x80000000u;
    if (dc_is_nan(sign)) { top = 0u; }
    return $float(($bits(magnitude) & 0x7fffffffu) | top);
}
";

const TO_INT: &str = "\
// Toward zero, saturating; NaN gives 0.
fn dc_to_int x f32 -> u32 {
    let u32 size = $bits(x) & 0x7fffffffu;
    let bool negative = ($bits(x) >> 31u) != 0u;
    if (size < 0x3f800000u || size > 0x7f800000u) { return 0u; }
    if (size >= 0x4f000000u) {
        if (negative) { return 0x80000000u; }
        return 0x7fffffffu;
    }
    let u32 exponent = size >> 23u;
    var u32 whole = (size & 0x007fffffu) | 0x00800000u;
    if (exponent < 150u) { whole = whole >> (150u - exponent); } else { whole = whole << (exponent - 150u); }
    if (negative) { return 0u - whole; }
    return whole;
}
";

const CLAMP: &str = "\
// A signed index held inside 0..=last.
fn dc_clamp index u32, last u32 -> u32 {
    if ((index >> 31u) != 0u) { return 0u; }
    if (index > last) { return last; }
    return index;
}
";

const EXPONENT: &str = "\
// The exponent, biased by 127, of a finite number other than 0; at most 0 for a subnormal one.
fn dc_exponent size u32 -> i32 {
    if (size >= 0x00800000u) { return $int(size >> 23u); }
    return $int($msb(size)) - 22;
}
";

const SIGNIFICAND: &str = "\
// The significand, of 24 bits, of a finite number other than 0.
fn dc_significand size u32 -> u32 {
    if (size >= 0x00800000u) { return (size & 0x007fffffu) | 0x00800000u; }
    return size << (23u - $uint($msb(size)));
}
";

const ROUND: &str = "\
// The number with a biased exponent, 24 bits of significand and one more, rounded to nearest, ties to even; `rest` is
// whether more follows.
fn dc_round exponent i32, bits25 u32, rest bool -> u32 {
    if (exponent >= 255) { return 0x7f800000u; }
    var u32 digits = bits25;
    var bool sticky = rest;
    var u32 base = 0u;
    if (exponent > 0) {
        base = $uint(exponent - 1) << 23u;
    } else {
        let u32 down = $uint(min(1 - exponent, 26));
        sticky = sticky || (digits & ((1u << down) - 1u)) != 0u;
        digits = digits >> down;
    }
    var u32 kept = digits >> 1u;
    if ((digits & 1u) != 0u && (sticky || (kept & 1u) != 0u)) { kept = kept + 1u; }
    return base + kept;
}
";

const DIVIDE: &str = "\
// The quotient, correctly rounded, bit by bit; `/` may be wrong by 2.5 ULP, and more where the divisor is tiny or huge.
fn dc_divide a f32, b f32 -> f32 {
    let u32 sign = ($bits(a) ^ $bits(b)) & 0x80000000u;
    let u32 x = $bits(a) & 0x7fffffffu;
    let u32 y = $bits(b) & 0x7fffffffu;
    var u32 quotient = 0u;
    if (x > 0x7f800000u || y > 0x7f800000u || (x == y && (x == 0u || x == 0x7f800000u))) {
        quotient = 0x7fc00000u;
    } else if (x == 0x7f800000u || y == 0u) {
        quotient = sign | 0x7f800000u;
    } else if (x == 0u || y == 0x7f800000u) {
        quotient = sign;
    } else {
        var i32 exponent = dc_exponent(x) - dc_exponent(y) + 127;
        var u32 rest = dc_significand(x);
        let u32 divisor = dc_significand(y);
        if (rest < divisor) {
            rest = rest << 1u;
            exponent = exponent - 1;
        }
        var u32 digits = 0u;
        var i32 n = 25;
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
    return $float(quotient);
}
";

const SQRT: &str = "\
// The square root, correctly rounded, bit by bit; sqrt() may be wrong by several ULP.
fn dc_sqrt a f32 -> f32 {
    let u32 x = $bits(a);
    var u32 root = x;
    if (x == 0u || x == 0x80000000u || x == 0x7f800000u) {
        root = x;
    } else if (x > 0x7f800000u) {
        root = 0x7fc00000u;
    } else {
        let i32 exponent = dc_exponent(x) - 127;
        var u32 radicand = dc_significand(x) << 7u;
        if ((exponent & 1) != 0) { radicand = radicand << 1u; }
        var u32 rest = 0u;
        var u32 digits = 0u;
        var i32 n = 25;
        while (n > 0) {
            rest = (rest << 2u) | (radicand >> 30u);
            radicand = radicand << 2u;
            let u32 next = (digits << 2u) | 1u;
            digits = digits << 1u;
            if (rest >= next) {
                rest = rest - next;
                digits = digits | 1u;
            }
            n = n - 1;
        }
        root = dc_round((exponent >> 1u) + 127, digits, rest != 0u);
    }
    return $float(root);
}
";
