//! Directed roundings, compared with the interpreter, which truncates exact values as integers.

use std::cell::Cell;

use kernels_gen::interp::Bits;
use kernels_gen::ops::{Arith, Op, Prim};

use super::check::{Lanewise, Operation, check_rows, of, rows};
use super::lane::Lane;
use super::values::Rng;
use crate::isa::tests::scale;
use crate::isa::{Direction, Isa};

thread_local! {
    /// The direction in which the operations below are tested. It is not a constant of each operation, for which three
    /// times the code would be compiled; the tests of the types use constant directions (`language.rs`).
    static DIRECTION: Cell<Direction> = const { Cell::new(Direction::Zero) };
}

/// Implements [`Operation`] for a type named as the method.
macro_rules! operations {
    ($($name:ident($x:ident: $a:ty $(, $y:ident: $b:ty $(, $z:ident: $c:ty)?)?) -> $r:ident = $arith:ident;)+) => {
        $(
            #[allow(non_camel_case_types, reason = "named as the method it stands for")]
            enum $name {}
            operations!(@impl $name $r $arith ($x: $a $(, $y: $b $(, $z: $c)?)?));
        )+
        /// The methods in this table.
        pub(super) const NAMES: &[&str] = &[$(stringify!($name)),+];
        fn check_all<I: Isa>(isa: I) -> Vec<String> {
            [$(
                check_rows::<$name, I>(isa, &structured(Prim::$r, Arith::$arith, I::LANES)),
                check_rows::<$name, I>(isa, &hard(Prim::$r, Arith::$arith, I::LANES))
            ),+].into_iter().filter_map(Result::err).collect()
        }
    };
    (@impl $name:ident $r:ident $arith:ident ($x:ident: $a:ty)) => {
        operations!(@impl $name $r $arith ($x: $a, y: (), z: ()) [$x]);
    };
    (@impl $name:ident $r:ident $arith:ident ($x:ident: $a:ty, $y:ident: $b:ty)) => {
        operations!(@impl $name $r $arith ($x: $a, $y: $b, z: ()) [$x $y]);
    };
    (@impl $name:ident $r:ident $arith:ident ($x:ident: $a:ty, $y:ident: $b:ty, $z:ident: $c:ty)) => {
        operations!(@impl $name $r $arith ($x: $a, $y: $b, $z: $c) [$x $y $z]);
    };
    (@impl $name:ident $r:ident $arith:ident ($x:ident: $a:ty, $y:ident: $b:ty, $z:ident: $c:ty) [$($arg:ident)+]) => {
        impl Lanewise for $name {
            type A = $a;
            type B = $b;
            type C = $c;
            type R = $a;
            #[inline(always)]
            #[allow(unused_variables, reason = "an argument the operation does not have")]
            fn lanes<I: Isa>(
                isa: I,
                $x: <$a as Lane>::Of<I>,
                $y: <$b as Lane>::Of<I>,
                $z: <$c as Lane>::Of<I>,
            ) -> <$a as Lane>::Of<I> {
                isa.$name(DIRECTION.get(), $($arg),+)
            }
        }
        impl Operation for $name {
            const NAME: &'static str = stringify!($name);
            const NAN_BITS: bool = false;
            #[allow(unused_variables, reason = "an argument the operation does not have")]
            fn meaning($x: $a, $y: $b, $z: $c) -> $a {
                let words = [$($arg.word()),+];
                let args: Vec<&u64> = words.iter().collect();
                let op = Op::Directed(Arith::$arith, DIRECTION.get());
                <$a>::of_word(Bits.op(op, &[Prim::$r; 3][..args.len()], &args))
            }
        }
    };
}

operations! {
    add_directed_f64(a: f64, b: f64) -> F64 = Add;
    mul_directed_f64(a: f64, b: f64) -> F64 = Mul;
    div_directed_f64(a: f64, b: f64) -> F64 = Div;
    sqrt_directed_f64(a: f64) -> F64 = Sqrt;
    fma_directed_f64(a: f64, b: f64, c: f64) -> F64 = Fma;
    add_directed_f32(a: f32, b: f32) -> F32 = Add;
    mul_directed_f32(a: f32, b: f32) -> F32 = Mul;
    div_directed_f32(a: f32, b: f32) -> F32 = Div;
    sqrt_directed_f32(a: f32) -> F32 = Sqrt;
    fma_directed_f32(a: f32, b: f32, c: f32) -> F32 = Fma;
}

/// The rows on which every operation is tested; fewer rows of three operands where time is short.
fn structured(ty: Prim, arith: Arith, lanes: usize) -> Vec<[u64; 3]> {
    let lane = if ty == Prim::F64 {
        of::<f64>()
    } else {
        of::<f32>()
    };
    let mut rows = rows(&vec![lane; arith.operands()], lanes);
    if scale() != 1 && rows.len() > 20_000 {
        rows = rows.into_iter().step_by(5).collect();
    }
    rows.truncate(rows.len() / lanes * lanes);
    rows
}

/// The number of significand digits after the leading one, and the exponents of the smallest normal and the largest
/// number.
fn format(ty: Prim) -> (u32, i64, i64) {
    match ty {
        Prim::F64 => (52, -1022, 1023),
        _ => (23, -126, 127),
    }
}

/// A number of the binade of `2^exponent` (subnormal below the smallest, of the largest binade above it), with many
/// digits or few.
fn number(ty: Prim, rng: &mut Rng, exponent: i64) -> u64 {
    let (digits, min, max) = format(ty);
    let hidden = 1u64 << digits;
    let kept = !0 << rng.below(u64::from(digits) + 1);
    let fraction = rng.next() & (hidden - 1) & if rng.below(2) == 0 { kept } else { !0 };
    let magnitude = match exponent.min(max) {
        e if e < min => (hidden | fraction) >> (min - e).min(63),
        e => ((e - min + 1) as u64) << digits | fraction,
    };
    magnitude | (rng.below(2) << (digits + if ty == Prim::F64 { 11 } else { 8 }))
}

/// Rows whose results are subnormal, next to overflow or ordinary; whose residuals underflow, depend on an addend far
/// away, or cancel.
fn hard(ty: Prim, arith: Arith, lanes: usize) -> Vec<[u64; 3]> {
    let rng = &mut Rng::new(9);
    let (digits, min, max) = format(ty);
    let wide = i64::from(digits);
    let between =
        |rng: &mut Rng, from: i64, to: i64| from + rng.below((to - from + 1) as u64) as i64;
    let exponent = |rng: &mut Rng| match rng.below(4) {
        0 => between(rng, min - wide - 4, min + 4),
        1 => between(rng, max - 3, max),
        2 => between(rng, -4, 4),
        _ => between(rng, min - wide, max),
    };
    let gap = |rng: &mut Rng| match rng.below(3) {
        0 => between(rng, -2, 2),
        1 => between(rng, -2 * wide - 6, 2 * wide + 6),
        _ => between(rng, min - max, max - min),
    };
    let row = |_| {
        let (result, near) = (exponent(rng), gap(rng));
        let free = between(rng, min, max);
        let [a, b, mut c] = match arith {
            Arith::Add => [result, result + near, 0],
            Arith::Div => [result + free, free, 0],
            _ => [free, result - free, result + near],
        }
        .map(|e| number(ty, rng, e));
        let neighbour = rng.below(3);
        if arith == Arith::Fma && rng.below(4) == 0 {
            let product = Bits.op(Op::Mul, &[ty; 2], &[&a, &b]);
            c = Bits.op(Op::Neg, &[ty], &[&product]) ^ neighbour;
        }
        if arith == Arith::Sqrt {
            let square = Bits.op(Op::Mul, &[ty; 2], &[&a, &a]);
            return [
                if rng.below(2) == 0 {
                    square ^ neighbour
                } else {
                    c
                },
                0,
                0,
            ];
        }
        [a, b, c]
    };
    let n = (20_000 / scale()).next_multiple_of(lanes);
    (0..n).map(row).collect()
}

pub(super) fn check_directed<I: Isa>(isa: I) {
    for direction in Direction::ALL {
        DIRECTION.set(direction);
        let wrong = check_all::<I>(isa);
        assert!(wrong.is_empty(), "{direction:?}:\n{}", wrong.join("\n"));
    }
}
