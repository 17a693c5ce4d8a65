//! Every operator and method, on every type that has it, compared with plain Rust.

use std::cmp::Ordering;

use doublecrunch::prelude::*;

use crate::check::kernels;

fn canonical64(x: f64) -> f64 {
    if x.is_nan() { f64::NAN.abs() } else { x }
}
fn canonical32(x: f32) -> f32 {
    if x.is_nan() { f32::NAN.abs() } else { x }
}

/// The operations of floats, for one precision.
macro_rules! floats {
    ($lanes:ident: $arithmetic:ident $fused:ident $choices:ident $roundings:ident $comparisons:ident $assignments:ident $extrema:ident) => {
        #[crunch]
        fn $extrema(a: $lanes, b: $lanes) -> ($lanes, $lanes, $lanes, $lanes) {
            (a.minimum(b), a.maximum(b), a.minimum(-0.0), a.maximum(0.0))
        }
        #[crunch]
        fn $arithmetic(
            a: $lanes,
            b: $lanes,
        ) -> (
            $lanes,
            $lanes,
            $lanes,
            $lanes,
            $lanes,
            $lanes,
            $lanes,
            $lanes,
        ) {
            (a + b, a - b, a * b, a / b, -a, a.recip(), a.sqrt(), a.abs())
        }
        /// The first is rounded once, the second twice: with contraction both are the first.
        #[crunch]
        fn $fused(a: $lanes, b: $lanes, c: $lanes) -> ($lanes, $lanes, $lanes, $lanes, $lanes) {
            (
                c.sub_as_fma(a),
                a.mul_add(b, c),
                a * b + c,
                c - a * b,
                a.mul_add(b, -(a * b)),
            )
        }
        #[crunch]
        fn $choices(a: $lanes, b: $lanes) -> ($lanes, $lanes, $lanes) {
            (a.min(b), a.max(b), a.copysign(b))
        }
        #[crunch]
        fn $roundings(a: $lanes) -> ($lanes, $lanes, $lanes, $lanes) {
            (a.floor(), a.ceil(), a.trunc(), a.round_ties_even())
        }
        #[crunch]
        fn $comparisons(
            a: $lanes,
            b: $lanes,
        ) -> (
            DcMask,
            DcMask,
            DcMask,
            DcMask,
            DcMask,
            DcMask,
            DcMask,
            DcMask,
        ) {
            (
                a < b,
                a <= b,
                a > b,
                a >= b,
                a == b,
                a != b,
                a.is_nan(),
                a.is_sign_negative(),
            )
        }
        #[crunch]
        fn $assignments(a: $lanes, b: $lanes) -> $lanes {
            let mut r = a;
            r += b;
            r -= 0.75;
            r *= a;
            r /= b;
            r
        }
    };
}
floats!(DcDouble: arithmetic64 fused64 choices64 roundings64 comparisons64 assignments64 extrema64);
floats!(DcFloat: arithmetic32 fused32 choices32 roundings32 comparisons32 assignments32 extrema32);

/// `clamp`, on every type that has it; also with constants, in the wrong order as well.
macro_rules! clamps {
    ($($clamp:ident: $lanes:ident, $zero:literal, $one:literal;)+) => {$(
        #[crunch]
        fn $clamp(x: $lanes, lo: $lanes, hi: $lanes) -> ($lanes, $lanes, $lanes) {
            (x.clamp(lo, hi), x.clamp(-$one, $zero), x.clamp($one, -$zero))
        }
    )+};
}
clamps! {
    clamp64: DcDouble, 0.0, 1.0;
    clamp32: DcFloat, 0.0, 1.0;
    clamp_longs: DcLong, 0, 1;
    clamp_ints: DcInt, 0, 1;
}

#[crunch]
fn conversions64(a: DcDouble) -> (DcLong, DcInt, DcFloat, DcLong, DcDouble) {
    let bits = a.to_bits();
    (
        a.to_i64(),
        a.to_i32(),
        a.to_f32(),
        bits,
        DcDouble::from_bits(bits + 1),
    )
}

#[crunch]
fn conversions32(a: DcFloat) -> (DcLong, DcInt, DcDouble, DcInt, DcFloat) {
    let bits = a.to_bits();
    (
        a.to_i64(),
        a.to_i32(),
        a.to_f64(),
        bits,
        DcFloat::from_bits(bits + 1),
    )
}

const AMOUNT: usize = 13;

/// The operations of integers, for one width.
macro_rules! integers {
    ($lanes:ident: $arithmetic:ident $bitwise:ident $shifts:ident $comparisons:ident $assignments:ident) => {
        #[crunch]
        fn $arithmetic(a: $lanes, b: $lanes) -> ($lanes, $lanes, $lanes, $lanes, $lanes, $lanes) {
            (a + b, a - b, a * b, -a, a.min(b), a.max(b))
        }
        #[crunch]
        fn $bitwise(a: $lanes, b: $lanes) -> ($lanes, $lanes, $lanes, $lanes) {
            (a & b, a | b, a ^ b, !a)
        }
        #[crunch]
        fn $shifts(
            a: $lanes,
            n: $lanes,
        ) -> ($lanes, $lanes, $lanes, $lanes, $lanes, $lanes, $lanes) {
            let by_constants = (a << 5) ^ (a >> AMOUNT);
            let by_sum = a.shr_logical(AMOUNT + 2);
            (
                a << n,
                a >> n,
                a.shr_logical(n),
                by_constants,
                by_sum,
                a >> 31,
                a.shr_logical(31),
            )
        }
        #[crunch]
        fn $comparisons(a: $lanes, b: $lanes) -> (DcMask, DcMask, DcMask, DcMask, DcMask, DcMask) {
            (a < b, a <= b, a > b, a >= b, a == b, a != b)
        }
        #[crunch]
        fn $assignments(a: $lanes, b: $lanes) -> $lanes {
            let mut r = a;
            r += b;
            r -= 3;
            r *= a;
            r <<= 3;
            r |= b;
            r >>= b;
            r ^= a;
            r &= 0x7fff_fff0;
            r
        }
    };
}
integers!(DcLong: integers64 bitwise64 shifts64 order64 integer_assignments64);
integers!(DcInt: integers32 bitwise32 shifts32 order32 integer_assignments32);

#[crunch]
fn from_long(a: DcLong) -> (DcDouble, DcFloat, DcInt, DcDouble) {
    (a.to_f64(), a.to_f32(), a.to_i32(), DcDouble::from_bits(a))
}

#[crunch]
fn from_int(a: DcInt) -> (DcDouble, DcFloat, DcLong, DcFloat) {
    (a.to_f64(), a.to_f32(), a.to_i64(), DcFloat::from_bits(a))
}

#[crunch]
fn masks(a: DcMask, b: DcMask) -> (DcMask, DcMask, DcMask, DcMask, DcMask, DcMask, DcMask) {
    (a & b, a | b, a ^ b, !a, a && b, a || !b, a.select(b, !b))
}

#[crunch]
fn selections(
    m: DcMask,
    x: DcDouble,
    y: DcFloat,
    n: DcLong,
) -> (DcDouble, DcFloat, DcLong, DcInt, DcDoubleDouble) {
    let i = n.to_i32();
    let pair = m.select(DcDoubleDouble::new(x, 1.0), DcDoubleDouble::new(-x, x));
    (
        m.select(x, 1.5),
        m.select(0.5, y),
        m.select(n, 7),
        m.select(-3, i),
        pair,
    )
}

#[crunch]
fn mask_assignments(a: DcMask, x: DcDouble) -> DcMask {
    let mut m = x > 0.0;
    m &= !a;
    m |= x.is_nan();
    m ^= a;
    m
}

macro_rules! float_oracle {
    ($a:expr, $b:expr) => {
        (
            $a + $b,
            $a - $b,
            $a * $b,
            $a / $b,
            -$a,
            1.0 / $a,
            $a.sqrt(),
            $a.abs(),
        )
    };
}
macro_rules! min {
    ($a:expr, $b:expr) => {
        if $a < $b { $a } else { $b }
    };
}
macro_rules! max {
    ($a:expr, $b:expr) => {
        if $a > $b { $a } else { $b }
    };
}
/// As in IEEE 754-2019, section 9.6.
macro_rules! minimum {
    ($a:expr, $b:expr) => {
        match $a.partial_cmp(&$b) {
            None => $a + $b,
            Some(Ordering::Less) => $a,
            Some(Ordering::Greater) => $b,
            Some(Ordering::Equal) if $a.is_sign_negative() => $a,
            Some(Ordering::Equal) => $b,
        }
    };
}
macro_rules! extrema_oracle {
    () => {
        |(a, b)| {
            // The maximum is the negated minimum of the negated operands.
            (
                minimum!(a, b),
                -minimum!(-a, -b),
                minimum!(a, -0.0),
                -minimum!(-a, -0.0),
            )
        }
    };
}
/// Rust's `clamp`, for the arguments without a panic.
macro_rules! clamp_oracle {
    ($zero:literal, $one:literal) => {{
        let clamp = |x, lo, hi| {
            let mut x = x;
            if x < lo {
                x = lo;
            }
            if x > hi {
                x = hi;
            }
            x
        };
        move |(x, lo, hi)| {
            (
                clamp(x, lo, hi),
                clamp(x, -$one, $zero),
                clamp(x, $one, -$zero),
            )
        }
    }};
}
macro_rules! order {
    () => {
        |(a, b)| (a < b, a <= b, a > b, a >= b, a == b, a != b)
    };
}
macro_rules! integer_oracle {
    () => {
        |(a, b)| {
            let sums = (a.wrapping_add(b), a.wrapping_sub(b), a.wrapping_mul(b));
            (sums.0, sums.1, sums.2, a.wrapping_neg(), a.min(b), a.max(b))
        }
    };
}
macro_rules! shift_oracle {
    ($signed:ident $unsigned:ident) => {
        |(a, n)| {
            let (by, bits) = (n as u32, a as $unsigned);
            let logical = |by: u32| bits.wrapping_shr(by) as $signed;
            let constants = (a << 5) ^ (a >> 13);
            (
                a.wrapping_shl(by),
                a.wrapping_shr(by),
                logical(by),
                constants,
                logical(15),
                a >> 31,
                logical(31),
            )
        }
    };
}
macro_rules! assignment_oracle {
    () => {
        |(a, b)| {
            let r = a.wrapping_add(b).wrapping_sub(3).wrapping_mul(a);
            (((r << 3) | b).wrapping_shr(b as u32) ^ a) & 0x7fff_fff0
        }
    };
}

kernels! {
    the_arithmetic_of_doubles: arithmetic64 = |(a, b)| float_oracle!(a, b);
    the_arithmetic_of_floats: arithmetic32 = |(a, b)| float_oracle!(a, b);
    fused_and_not_doubles: fused64 = |(a, b, c)| {
        (c - a, a.mul_add(b, c), a * b + c, c - a * b, a.mul_add(b, -(a * b)))
    };
    fused_and_not_floats: fused32 = |(a, b, c)| {
        (c - a, a.mul_add(b, c), a * b + c, c - a * b, a.mul_add(b, -(a * b)))
    };
    choices_of_doubles: choices64 = |(a, b)| (min!(a, b), max!(a, b), a.copysign(canonical64(b)));
    choices_of_floats: choices32 = |(a, b)| (min!(a, b), max!(a, b), a.copysign(canonical32(b)));
    extrema_of_doubles: extrema64 = extrema_oracle!();
    extrema_of_floats: extrema32 = extrema_oracle!();
    clamped_doubles: clamp64 = clamp_oracle!(0.0, 1.0);
    clamped_floats: clamp32 = clamp_oracle!(0.0, 1.0);
    clamped_longs: clamp_longs = clamp_oracle!(0, 1);
    clamped_ints: clamp_ints = clamp_oracle!(0, 1);
    roundings_of_doubles: roundings64 = |(a,)| (a.floor(), a.ceil(), a.trunc(), a.round_ties_even());
    roundings_of_floats: roundings32 = |(a,)| (a.floor(), a.ceil(), a.trunc(), a.round_ties_even());
    comparisons_of_doubles: comparisons64 = |(a, b)| {
        let negative = canonical64(a).is_sign_negative();
        (a < b, a <= b, a > b, a >= b, a == b, a != b, a.is_nan(), negative)
    };
    comparisons_of_floats: comparisons32 = |(a, b)| {
        let negative = canonical32(a).is_sign_negative();
        (a < b, a <= b, a > b, a >= b, a == b, a != b, a.is_nan(), negative)
    };
    assignments_of_doubles: assignments64 = |(a, b)| (a + b - 0.75) * a / b;
    assignments_of_floats: assignments32 = |(a, b)| (a + b - 0.75) * a / b;
    conversions_of_doubles: conversions64 = |(a,)| {
        let bits = canonical64(a).to_bits();
        (a as i64, a as i32, a as f32, bits as i64, f64::from_bits(bits + 1))
    };
    conversions_of_floats: conversions32 = |(a,)| {
        let bits = canonical32(a).to_bits();
        (a as i64, a as i32, a.into(), bits as i32, f32::from_bits(bits.wrapping_add(1)))
    };
    arithmetic_of_longs: integers64 = integer_oracle!();
    arithmetic_of_ints: integers32 = integer_oracle!();
    bits_of_longs: bitwise64 = |(a, b)| (a & b, a | b, a ^ b, !a);
    bits_of_ints: bitwise32 = |(a, b)| (a & b, a | b, a ^ b, !a);
    shifts_of_longs: shifts64 = shift_oracle!(i64 u64);
    shifts_of_ints: shifts32 = shift_oracle!(i32 u32);
    comparisons_of_longs: order64 = order!();
    comparisons_of_ints: order32 = order!();
    assignments_of_longs: integer_assignments64 = assignment_oracle!();
    assignments_of_ints: integer_assignments32 = assignment_oracle!();
    conversions_of_longs: from_long = |(a,)| (a as f64, a as f32, a as i32, f64::from_bits(a as u64));
    conversions_of_ints: from_int = |(a,)| (a.into(), a as f32, a.into(), f32::from_bits(a as u32));
    truth_values: masks = |(a, b)| (a & b, a | b, a ^ b, !a, a && b, a || !b, if a { b } else { !b });
    selections_of_all_types: selections = |(m, x, y, n)| {
        let (hi, lo) = if m { (x, 1.0) } else { (-x, x) };
        let pair = DoubleDouble { hi, lo };
        let words = (if m { n } else { 7 }, if m { -3 } else { n as i32 });
        (if m { x } else { 1.5 }, if m { 0.5 } else { y }, words.0, words.1, pair)
    };
    assignments_of_masks: mask_assignments = |(a, x)| ((x > 0.0 && !a) || x.is_nan()) ^ a;
}
