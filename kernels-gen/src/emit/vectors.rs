//! Replacements for operations on OpenCL's vectors that compilers for processors translate badly.
//!
//! PoCL 3.1 rounds vectors to integers with SLEEF's portable code (ten to twenty instructions, although clang's builtins give a single
//! instruction). LLVM converts between 64-bit integers and `double` lane by lane if the processor has no instruction for it, which is the
//! case before AVX-512.

use super::expr::float;
use super::lang::Lang;
use crate::ops::Prim;

/// The number of 64-bit lanes of an AVX-512 register.
pub(super) const AVX512: u32 = 8;

/// The roundings to integers: OpenCL's function and clang's builtin.
const ROUNDINGS: [(&str, &str); 4] = [
    ("ceil", "ceil"),
    ("floor", "floor"),
    ("rint", "roundeven"),
    ("trunc", "trunc"),
];

/// Definitions of `dc_floor` and similar functions.
pub(super) fn roundings() -> String {
    let mut text = "\n// One instruction, where the compiler has a builtin for it.\n\
                    #ifndef __has_builtin\n#define __has_builtin(name) 0\n#endif\n"
        .to_string();
    for (name, builtin) in ROUNDINGS {
        text.push_str(&format!(
            "#if __has_builtin(__builtin_elementwise_{builtin})\n\
             #define dc_{name}(x) __builtin_elementwise_{builtin}(x)\n\
             #else\n#define dc_{name}(x) {name}(x)\n#endif\n"
        ));
    }
    text
}

/// Text of the conversion of a float to a 64-bit integer.
pub(super) fn to_long(lang: &dyn Lang, from: Prim, name: &str) -> String {
    let (function, pragma) = (lang.function(), lang.pragma());
    let (f, d, u) = (lang.ty(from), lang.ty(Prim::F64), lang.ty(Prim::I64));
    let wide = match from {
        Prim::F64 => "x".to_string(),
        _ => format!("convert_{d}(x)"),
    };
    let double = |x: f64| float(lang, Prim::F64, x.to_bits());
    let word = |x: &str| lang.splat(Prim::I64, x);
    format!(
        "// Toward zero, saturating; NaN gives 0. The whole number, from -2^63 on, is cut into high * 2^32 + low, both\n\
         // exact; added to a power of two that leaves them the low bits of the fraction, they stand there as integers.\n\
         {function} {u} {name}({f} x) {{\n{pragma}    \
         const {d} wide = {wide};\n    \
         const {d} number = wide == wide ? wide : {zero};\n    \
         const {d} inside = number > {least} /* -2^63 */ ? number : {least};\n    \
         const {d} whole = dc_trunc(inside);\n    \
         const {d} scaled = whole * {down} /* 2^-32 */;\n    \
         const {d} high = dc_floor(scaled);\n    \
         const {d} taken = high * {up} /* 2^32 */;\n    \
         const {d} low = whole - taken;\n    \
         const {d} low_place = low + {unit} /* 2^52 */;\n    \
         const {d} high_place = high + {middle} /* 1.5 * 2^52 */;\n    \
         const {u} low_word = as_{u}(low_place) & {mask};\n    \
         const {u} high_word = as_{u}(high_place) << 32;\n    \
         return wide >= {most} /* 2^63 */ ? {largest} : (high_word | low_word);\n}}\n",
        zero = double(0.0),
        least = double(-(63f64.exp2())),
        down = double((-32f64).exp2()),
        up = double(32f64.exp2()),
        unit = double(52f64.exp2()),
        middle = double(1.5 * 52f64.exp2()),
        mask = word("0x00000000ffffffffUL"),
        most = double(63f64.exp2()),
        largest = word("0x7fffffffffffffffUL"),
    )
}

/// Text of the conversion of a 64-bit integer to `double`.
pub(super) fn long_to_double(lang: &dyn Lang) -> String {
    let (function, pragma) = (lang.function(), lang.pragma());
    let (d, u) = (lang.ty(Prim::F64), lang.ty(Prim::I64));
    let word = |x: u64| lang.splat(Prim::I64, &format!("0x{x:016x}UL"));
    // 2^84 in place of an exponent: a fraction counts 2^32s.
    let high = 0x4530_0000_0000_0000 | 0x8000_0000;
    let offset = f64::from_bits(0x4530_0000_0000_0000) + (63f64.exp2() + 52f64.exp2());
    format!(
        "// The halves stand in the fractions of doubles, the upper as multiples of 2^32 and 2^31 of them too many, the\n\
         // lower as ones; taking the offsets from the upper is exact, so that the addition rounds once.\n\
         {function} {d} dc_long_to_f64({u} n) {{\n{pragma}    \
         const {u} high_word = (n >> 32) ^ {high};\n    \
         const {u} low_word = (n & {mask}) | {low};\n    \
         const {d} high = as_{d}(high_word) - {offset} /* 2^84 + 2^63 + 2^52 */;\n    \
         const {d} sum = high + as_{d}(low_word);\n    return sum;\n}}\n",
        high = word(high),
        low = word(0x4330_0000_0000_0000),
        mask = word(0xffff_ffff),
        offset = float(lang, Prim::F64, offset.to_bits()),
    )
}
