//! The probe's kernels: each operation, with inputs for which a wrong backend gives other bits than the standard.
//!
//! All operations with the same operands are in one kernel, because compilation dominates the cost of a probe.

use crate::builtins::reciprocal::rcp_newton;
use crate::prelude::*;
use crate::sweep::Sweep;

/// The sweep that the probe searches. Its kernels are those of the first built-in sweep, so that they are compiled once for both.
pub(super) static SEARCHED: Sweep = Sweep::new::<rcp_newton, dd_recip>("probe", "1.0..2.0");

/// A table whose length is a power of two, so that indices wrap, and a table whose indices are clamped.
const WRAPPED: [f64; 4] = [0.1, -0.0, 5e-324, f64::MAX];
const CLAMPED: [f32; 3] = [0.3, 1e-45, -7.0];

/// The kernels of one precision.
macro_rules! precision {
    ($(#[$doc:meta])* $module:ident, $float:ident, $int:ident) => {
        $(#[$doc])*
        pub(super) mod $module {
            use crate::prelude::*;

            /// A product to which its caller adds something.
            #[crunch]
            fn product(a: $float, b: $float) -> $float {
                a * b
            }

            /// A sum to which its caller passes products.
            #[crunch]
            fn sum(a: $float, b: $float) -> $float {
                a + b
            }

            /// Products that are added: in one statement, in several, through helpers; and products followed by a fused operation on the
            /// result.
            #[crunch]
            pub fn separate(
                a: $float,
                b: $float,
                c: $float,
            ) -> ($float, $float, $float, $float, $float, $float, $float) {
                let wide = a * c;
                let late = wide - b;
                let residual = a.mul_add(b, -(a * b));
                (
                    a * b + c,
                    c - a * b,
                    product(b, c) + a,
                    late,
                    sum(product(a, a), product(b, c)),
                    a.mul_add(b, c),
                    residual,
                )
            }

            /// The control: the same as [`separate`], with the first five contracted. A probe that accepts this detects nothing.
            #[crunch]
            pub fn contracted(
                a: $float,
                b: $float,
                c: $float,
            ) -> ($float, $float, $float, $float, $float, $float, $float) {
                let (_, _, _, _, _, fused, residual) = separate(a, b, c);
                (
                    a.mul_add(b, c),
                    (-a).mul_add(b, c),
                    b.mul_add(c, a),
                    a.mul_add(c, -b),
                    a.mul_add(a, b * c),
                    fused,
                    residual,
                )
            }

            /// Expressions that a compiler would simplify by the rules of real numbers.
            #[crunch]
            fn unsimplified(
                a: $float,
                b: $float,
                c: $float,
            ) -> ($float, $float, $float, $float, $float, $float, $float) {
                let s = a + b;
                let part = s - a;
                let error = (a - (s - part)) + (b - part);
                (
                    error,
                    s + c,
                    a + (b + c),
                    a * b * c,
                    (a / b) * b,
                    a * 0.0,
                    a + 0.0,
                )
            }

            #[crunch]
            fn rounded(
                a: $float,
                b: $float,
            ) -> ($float, $float, $float, $float, $float, $float, $float) {
                (a + b, a - b, a * b, a / b, a.sqrt(), a.recip(), -a)
            }

            #[crunch]
            fn shaped(
                a: $float,
                b: $float,
            ) -> ($float, $float, $float, $float, $float, $float, $float, $float) {
                (
                    a.round_ties_even(),
                    a.floor(),
                    a.ceil(),
                    a.trunc(),
                    a.min(b),
                    a.max(b),
                    a.copysign(b),
                    a.abs(),
                )
            }

            #[crunch]
            fn lesser(a: $float, b: $float) -> $float {
                a.min(b)
            }

            /// Choices between known zeros, for which a compiler may use an instruction that orders zeros.
            #[crunch]
            fn chosen(a: $float) -> ($float, $float, $float, $float) {
                let (plus, minus) = (0.0, -0.0);
                (
                    a.min(plus),
                    a.max(minus),
                    lesser(a, plus),
                    lesser(minus, a),
                )
            }

            /// Each comparison as a bit.
            #[crunch]
            fn compared(a: $float, b: $float) -> $int {
                let order = (a < b).select(1, 0) | (a <= b).select(2, 0) | (a > b).select(4, 0);
                let equal = (a >= b).select(8, 0) | (a == b).select(16, 0) | (a != b).select(32, 0);
                order | equal | a.is_nan().select(64, 0) | a.is_sign_negative().select(128, 0)
            }

            /// Operations rounded in a direction; `DIRECTED` names the results.
            #[crunch]
            pub fn directed(
                a: $float,
                b: $float,
                c: $float,
            ) -> (
                ($float, $float, $float),
                ($float, $float, $float),
                ($float, $float, $float),
                ($float, $float, $float),
                ($float, $float, $float),
                ($float, $float, $float),
                ($float, $float, $float),
            ) {
                (
                    (a.add_rz(b), a.add_ru(b), a.add_rd(b)),
                    (a.sub_rz(b), a.sub_ru(b), a.sub_rd(b)),
                    (a.mul_rz(b), a.mul_ru(b), a.mul_rd(b)),
                    (a.div_rz(b), a.div_ru(b), a.div_rd(b)),
                    (a.recip_rz(), a.recip_ru(), a.recip_rd()),
                    (a.sqrt_rz(), a.sqrt_ru(), a.sqrt_rd()),
                    (a.mul_add_rz(b, c), a.mul_add_ru(b, c), a.mul_add_rd(b, c)),
                )
            }

            /// All other operations; `FLOAT` names the results.
            #[crunch]
            pub fn all(
                a: $float,
                b: $float,
                c: $float,
            ) -> (
                ($float, $float, $float, $float, $float, $float, $float),
                ($float, $float, $float, $float, $float, $float, $float),
                ($float, $float, $float, $float, $float, $float, $float),
                ($float, $float, $float, $float, $float, $float, $float, $float),
                ($float, $float, $float, $float),
                ($int, $int),
            ) {
                (
                    separate(a, b, c),
                    rounded(a, b),
                    unsimplified(a, b, c),
                    shaped(a, b),
                    chosen(a),
                    (compared(a, b), a.to_bits()),
                )
            }
        }
    };
}
precision! {
    /// The kernels of binary64.
    double, DcDouble, DcLong
}
precision! {
    /// The kernels of binary32.
    float, DcFloat, DcInt
}

/// Subjects and formulas of the results of `all`. The first [`CONTRACTED`] are those that contraction changes.
pub(super) const FLOAT: [(&str, &str); 35] = [
    ("contraction", "a * b + c"),
    ("contraction", "c - a * b"),
    ("contraction", "a helper's b * c, plus a"),
    ("contraction", "let p = a * c; p - b"),
    ("contraction", "a helper's sum of a * a and b * c"),
    ("fused multiply-add", "a.mul_add(b, c)"),
    ("fused multiply-add", "a.mul_add(b, -(a * b))"),
    ("rounding", "a + b"),
    ("rounding", "a - b"),
    ("rounding", "a * b"),
    ("division", "a / b"),
    ("square root", "a.sqrt()"),
    ("division", "a.recip()"),
    ("sign", "-a"),
    ("reassociation", "the rounding error of a + b"),
    ("reassociation", "a + b + c"),
    ("reassociation", "a + (b + c)"),
    ("reassociation", "a * b * c"),
    ("simplification", "(a / b) * b"),
    ("simplification", "a * 0.0"),
    ("simplification", "a + 0.0"),
    ("rounding to an integer", "a.round_ties_even()"),
    ("rounding to an integer", "a.floor()"),
    ("rounding to an integer", "a.ceil()"),
    ("rounding to an integer", "a.trunc()"),
    ("minimum and maximum", "a.min(b)"),
    ("minimum and maximum", "a.max(b)"),
    ("sign", "a.copysign(b)"),
    ("sign", "a.abs()"),
    ("minimum and maximum", "a.min(0.0)"),
    ("minimum and maximum", "a.max(-0.0)"),
    ("minimum and maximum", "a helper's minimum of a and 0.0"),
    ("minimum and maximum", "a helper's minimum of -0.0 and a"),
    (
        "comparison",
        "a < b, <=, >, >=, ==, !=, a.is_nan(), a.is_sign_negative()",
    ),
    ("NaN", "a.to_bits()"),
];

/// Subjects and formulas of the results of `directed`.
pub(super) const DIRECTED: [(&str, &str); 21] = [
    ("directed rounding", "a.add_rz(b)"),
    ("directed rounding", "a.add_ru(b)"),
    ("directed rounding", "a.add_rd(b)"),
    ("directed rounding", "a.sub_rz(b)"),
    ("directed rounding", "a.sub_ru(b)"),
    ("directed rounding", "a.sub_rd(b)"),
    ("directed rounding", "a.mul_rz(b)"),
    ("directed rounding", "a.mul_ru(b)"),
    ("directed rounding", "a.mul_rd(b)"),
    ("directed rounding", "a.div_rz(b)"),
    ("directed rounding", "a.div_ru(b)"),
    ("directed rounding", "a.div_rd(b)"),
    ("directed rounding", "a.recip_rz()"),
    ("directed rounding", "a.recip_ru()"),
    ("directed rounding", "a.recip_rd()"),
    ("directed rounding", "a.sqrt_rz()"),
    ("directed rounding", "a.sqrt_ru()"),
    ("directed rounding", "a.sqrt_rd()"),
    ("directed rounding", "a.mul_add_rz(b, c)"),
    ("directed rounding", "a.mul_add_ru(b, c)"),
    ("directed rounding", "a.mul_add_rd(b, c)"),
];

/// The number of leading results of `separate` that contraction changes.
pub(super) const CONTRACTED: usize = 5;

#[crunch]
fn converted(x: DcDouble, y: DcFloat) -> (DcFloat, DcLong, DcInt, DcDouble, DcLong, DcInt) {
    (
        x.to_f32(),
        x.to_i64(),
        x.to_i32(),
        y.to_f64(),
        y.to_i64(),
        y.to_i32(),
    )
}

#[crunch]
fn from_integers(i: DcLong, j: DcInt) -> (DcDouble, DcFloat, DcInt, DcDouble, DcFloat, DcLong) {
    (
        i.to_f64(),
        i.to_f32(),
        i.to_i32(),
        j.to_f64(),
        j.to_f32(),
        j.to_i64(),
    )
}

/// The kernels of one width of integers.
macro_rules! width {
    ($module:ident, $int:ident) => {
        mod $module {
            use crate::prelude::*;

            #[crunch]
            fn compared(i: $int, k: $int) -> $int {
                let order = (i < k).select(1, 0) | (i <= k).select(2, 0) | (i > k).select(4, 0);
                order | (i >= k).select(8, 0) | (i == k).select(16, 0) | (i != k).select(32, 0)
            }

            #[crunch]
            pub fn arithmetic(
                i: $int,
                k: $int,
            ) -> ($int, $int, $int, $int, $int, $int, $int, $int) {
                (
                    i + k,
                    i - k,
                    i * k,
                    -i,
                    i.min(k),
                    i.max(k),
                    (i & k) | (!i ^ k),
                    compared(i, k),
                )
            }

            #[crunch]
            pub fn shifted(i: $int, k: $int) -> ($int, $int, $int, $int) {
                (i << k, i >> k, i.shr_logical(k), i >> 3)
            }
        }
    };
}
width!(long, DcLong);
width!(int, DcInt);

use int::{arithmetic as int_arithmetic, shifted as int_shifted};
use long::{arithmetic as long_arithmetic, shifted as long_shifted};

/// Tables at lane indices, floats from bits, masks as results.
#[crunch]
fn placed(
    i: DcLong,
    k: DcLong,
    j: DcInt,
) -> (
    DcDouble,
    DcFloat,
    DcDouble,
    DcFloat,
    DcDouble,
    DcFloat,
    DcMask,
) {
    (
        WRAPPED[i],
        CLAMPED[i],
        WRAPPED[j],
        CLAMPED[j],
        DcDouble::from_bits(i),
        DcFloat::from_bits(j),
        (i < k) & !(j < 0),
    )
}

/// Conversions, integers, tables; `WORDS` names the results.
#[crunch]
pub(super) fn words(
    x: DcDouble,
    y: DcFloat,
    i: DcLong,
    k: DcLong,
    j: DcInt,
    l: DcInt,
) -> (
    (DcFloat, DcLong, DcInt, DcDouble, DcLong, DcInt),
    (DcDouble, DcFloat, DcInt, DcDouble, DcFloat, DcLong),
    (
        DcLong,
        DcLong,
        DcLong,
        DcLong,
        DcLong,
        DcLong,
        DcLong,
        DcLong,
    ),
    (DcInt, DcInt, DcInt, DcInt, DcInt, DcInt, DcInt, DcInt),
    (DcLong, DcLong, DcLong, DcLong),
    (DcInt, DcInt, DcInt, DcInt),
    (
        DcDouble,
        DcFloat,
        DcDouble,
        DcFloat,
        DcDouble,
        DcFloat,
        DcMask,
    ),
) {
    (
        converted(x, y),
        from_integers(i, j),
        long_arithmetic(i, k),
        int_arithmetic(j, l),
        long_shifted(i, k),
        int_shifted(j, l),
        placed(i, k, j),
    )
}

/// Subjects and formulas of the results of `words`.
pub(super) const WORDS: [(&str, &str); 43] = [
    ("conversion", "x.to_f32()"),
    ("conversion", "x.to_i64()"),
    ("conversion", "x.to_i32()"),
    ("conversion", "y.to_f64()"),
    ("conversion", "y.to_i64()"),
    ("conversion", "y.to_i32()"),
    ("conversion", "i.to_f64()"),
    ("conversion", "i.to_f32()"),
    ("conversion", "i.to_i32()"),
    ("conversion", "j.to_f64()"),
    ("conversion", "j.to_f32()"),
    ("conversion", "j.to_i64()"),
    ("integers", "i + k"),
    ("integers", "i - k"),
    ("integers", "i * k"),
    ("integers", "-i"),
    ("integers", "i.min(k)"),
    ("integers", "i.max(k)"),
    ("integers", "(i & k) | (!i ^ k)"),
    ("integers", "i < k, <=, >, >=, ==, !="),
    ("integers", "j + l"),
    ("integers", "j - l"),
    ("integers", "j * l"),
    ("integers", "-j"),
    ("integers", "j.min(l)"),
    ("integers", "j.max(l)"),
    ("integers", "(j & l) | (!j ^ l)"),
    ("integers", "j < l, <=, >, >=, ==, !="),
    ("shifts", "i << k"),
    ("shifts", "i >> k"),
    ("shifts", "i.shr_logical(k)"),
    ("shifts", "i >> 3"),
    ("shifts", "j << l"),
    ("shifts", "j >> l"),
    ("shifts", "j.shr_logical(l)"),
    ("shifts", "j >> 3"),
    ("tables", "a table of 4 at i"),
    ("tables", "a table of 3 at i"),
    ("tables", "a table of 4 at j"),
    ("tables", "a table of 3 at j"),
    ("NaN", "DcDouble::from_bits(i)"),
    ("NaN", "DcFloat::from_bits(j)"),
    ("integers", "(i < k) & !(j < 0)"),
];
