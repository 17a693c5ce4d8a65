//! The effect of each operation on columns of lanes, in Rust's own arithmetic.
//!
//! A lane is a word: the value's bits, zero-extended; a mask is 0 or 1. A single evaluation is a column of length one, so there is no
//! second definition. rustc never contracts or reassociates, and LLVM's default environment rounds to nearest and keeps subnormals. By its
//! contract, `mul_add` rounds once.

use super::directed;
use crate::ops::{Op, Prim};
use crate::program::TableData;

/// A Rust type of one lane.
trait Lane: Copy {
    fn read(word: u64) -> Self;
    fn word(self) -> u64;
}

/// Floats and integers.
trait Number: Lane + PartialOrd {
    fn add(self, b: Self) -> Self;
    fn sub(self, b: Self) -> Self;
    fn mul(self, b: Self) -> Self;
    fn neg(self) -> Self;
    fn min(self, b: Self) -> Self {
        if self < b { self } else { b }
    }
    fn max(self, b: Self) -> Self {
        if self > b { self } else { b }
    }
    fn to_f64(self) -> f64;
    fn to_f32(self) -> f32;
    fn to_i64(self) -> i64;
    fn to_i32(self) -> i32;
}

trait Float: Number {
    /// The integer of the same width.
    type Int: Lane;
    fn div(self, b: Self) -> Self;
    fn fma(self, b: Self, c: Self) -> Self;
    fn sqrt(self) -> Self;
    fn recip(self) -> Self;
    fn abs(self) -> Self;
    fn copysign(self, sign: Self) -> Self;
    fn floor(self) -> Self;
    fn ceil(self) -> Self;
    fn trunc(self) -> Self;
    fn round_ties_even(self) -> Self;
    fn is_nan(self) -> bool;
    fn is_sign_negative(self) -> bool;
    fn to_bits(self) -> Self::Int;
    fn from_bits(bits: Self::Int) -> Self;
}

trait Bitwise: Lane {
    fn and(self, b: Self) -> Self;
    fn or(self, b: Self) -> Self;
    fn xor(self, b: Self) -> Self;
    fn not(self) -> Self;
}

trait Int: Number {
    /// The shift amount is taken modulo the width.
    fn shl(self, by: Self) -> Self;
    fn shr(self, by: Self) -> Self;
    fn shr_logical(self, by: Self) -> Self;
}

macro_rules! conversions {
    () => {
        // Rust's `as`: correctly rounded, saturating from floats with NaN giving 0, low bits between integers.
        fn to_f64(self) -> f64 {
            self as f64
        }
        fn to_f32(self) -> f32 {
            self as f32
        }
        fn to_i64(self) -> i64 {
            self as i64
        }
        fn to_i32(self) -> i32 {
            self as i32
        }
    };
}

macro_rules! float {
    ($t:ident, $bits:ident, $int:ident, $nan:expr) => {
        impl Lane for $t {
            fn read(word: u64) -> Self {
                $t::from_bits(word as $bits)
            }
            fn word(self) -> u64 {
                $t::to_bits(self).into()
            }
        }
        impl Number for $t {
            fn add(self, b: Self) -> Self {
                self + b
            }
            fn sub(self, b: Self) -> Self {
                self - b
            }
            fn mul(self, b: Self) -> Self {
                self * b
            }
            fn neg(self) -> Self {
                -self
            }
            conversions!();
        }
        impl Float for $t {
            type Int = $int;
            fn div(self, b: Self) -> Self {
                self / b
            }
            fn fma(self, b: Self, c: Self) -> Self {
                self.mul_add(b, c)
            }
            fn sqrt(self) -> Self {
                $t::sqrt(self)
            }
            fn recip(self) -> Self {
                1.0 / self
            }
            fn abs(self) -> Self {
                $t::abs(self)
            }
            fn copysign(self, sign: Self) -> Self {
                $t::copysign(self, if sign.is_nan() { $nan } else { sign })
            }
            fn floor(self) -> Self {
                $t::floor(self)
            }
            fn ceil(self) -> Self {
                $t::ceil(self)
            }
            fn trunc(self) -> Self {
                $t::trunc(self)
            }
            fn round_ties_even(self) -> Self {
                $t::round_ties_even(self)
            }
            fn is_nan(self) -> bool {
                $t::is_nan(self)
            }
            // The canonical NaN is positive.
            fn is_sign_negative(self) -> bool {
                $t::is_sign_negative(self) && !$t::is_nan(self)
            }
            fn to_bits(self) -> $int {
                $t::to_bits(if self.is_nan() { $nan } else { self }).cast_signed()
            }
            fn from_bits(bits: $int) -> Self {
                $t::from_bits(bits.cast_unsigned())
            }
        }
    };
}
float!(f64, u64, i64, f64::from_bits(0x7ff8_0000_0000_0000));
float!(f32, u32, i32, f32::from_bits(0x7fc0_0000));

macro_rules! bitwise {
    ($($t:ident)*) => {$(
        impl Bitwise for $t {
            fn and(self, b: Self) -> Self {
                self & b
            }
            fn or(self, b: Self) -> Self {
                self | b
            }
            fn xor(self, b: Self) -> Self {
                self ^ b
            }
            fn not(self) -> Self {
                !self
            }
        }
    )*};
}
bitwise!(i64 i32 bool);

macro_rules! int {
    ($t:ident, $bits:ident) => {
        impl Lane for $t {
            fn read(word: u64) -> Self {
                word as $t
            }
            fn word(self) -> u64 {
                self.cast_unsigned().into()
            }
        }
        impl Number for $t {
            fn add(self, b: Self) -> Self {
                self.wrapping_add(b)
            }
            fn sub(self, b: Self) -> Self {
                self.wrapping_sub(b)
            }
            fn mul(self, b: Self) -> Self {
                self.wrapping_mul(b)
            }
            fn neg(self) -> Self {
                self.wrapping_neg()
            }
            conversions!();
        }
        impl Int for $t {
            fn shl(self, by: Self) -> Self {
                self.wrapping_shl(by as u32)
            }
            fn shr(self, by: Self) -> Self {
                self.wrapping_shr(by as u32)
            }
            fn shr_logical(self, by: Self) -> Self {
                self.cast_unsigned().wrapping_shr(by as u32).cast_signed()
            }
        }
    };
}
int!(i64, u64);
int!(i32, u32);

impl Lane for bool {
    fn read(word: u64) -> Self {
        word != 0
    }
    fn word(self) -> u64 {
        self.into()
    }
}

fn unary<A: Lane, R: Lane>(a: &[u64], out: &mut [u64], f: impl Fn(A) -> R) {
    for (out, &a) in out.iter_mut().zip(a) {
        *out = f(A::read(a)).word();
    }
}

fn binary<A: Lane, R: Lane>(a: &[u64], b: &[u64], out: &mut [u64], f: impl Fn(A, A) -> R) {
    for ((out, &a), &b) in out.iter_mut().zip(a).zip(b) {
        *out = f(A::read(a), A::read(b)).word();
    }
}

fn fma<A: Float>(a: &[u64], b: &[u64], c: &[u64], out: &mut [u64]) {
    for (((out, &a), &b), &c) in out.iter_mut().zip(a).zip(b).zip(c) {
        *out = A::read(a).fma(A::read(b), A::read(c)).word();
    }
}

/// Runs `$run` with `$t` as the Rust type of `$ty`, which is one of the named types.
macro_rules! by_type {
    ($op:expr, $ty:expr, [$($prim:ident = $rust:ident),*], $t:ident, $run:expr) => {
        match $ty {
            $(Prim::$prim => {
                type $t = $rust;
                $run
            })*
            other => unreachable!("{:?} on {other:?} in a checked program", $op),
        }
    };
}

/// An operation on columns of one length; `ty` is the type of the first operand.
pub(super) fn apply(op: Op, ty: Prim, [a, b, c]: [&[u64]; 3], out: &mut [u64]) {
    macro_rules! number {
        ($t:ident, $run:expr) => {
            by_type!(
                op,
                ty,
                [F64 = f64, F32 = f32, I64 = i64, I32 = i32],
                $t,
                $run
            )
        };
    }
    macro_rules! float {
        ($t:ident, $run:expr) => {
            by_type!(op, ty, [F64 = f64, F32 = f32], $t, $run)
        };
    }
    macro_rules! int {
        ($t:ident, $run:expr) => {
            by_type!(op, ty, [I64 = i64, I32 = i32], $t, $run)
        };
    }
    macro_rules! bitwise {
        ($t:ident, $run:expr) => {
            by_type!(op, ty, [I64 = i64, I32 = i32, Mask = bool], $t, $run)
        };
    }
    match op {
        Op::Add => number!(T, binary(a, b, out, <T as Number>::add)),
        Op::Sub => number!(T, binary(a, b, out, <T as Number>::sub)),
        Op::Mul => number!(T, binary(a, b, out, <T as Number>::mul)),
        Op::Neg => number!(T, unary(a, out, <T as Number>::neg)),
        Op::Min => number!(T, binary(a, b, out, <T as Number>::min)),
        Op::Max => number!(T, binary(a, b, out, <T as Number>::max)),
        Op::Div => float!(T, binary(a, b, out, <T as Float>::div)),
        Op::Fma => float!(T, fma::<T>(a, b, c, out)),
        Op::Sqrt => float!(T, unary(a, out, <T as Float>::sqrt)),
        Op::Recip => float!(T, unary(a, out, <T as Float>::recip)),
        Op::Abs => float!(T, unary(a, out, <T as Float>::abs)),
        Op::CopySign => float!(T, binary(a, b, out, <T as Float>::copysign)),
        Op::Floor => float!(T, unary(a, out, <T as Float>::floor)),
        Op::Ceil => float!(T, unary(a, out, <T as Float>::ceil)),
        Op::Trunc => float!(T, unary(a, out, <T as Float>::trunc)),
        Op::RoundTiesEven => float!(T, unary(a, out, <T as Float>::round_ties_even)),
        // Rust's arithmetic only rounds to nearest; directed operations are computed with integers.
        Op::Directed(arith, direction) => directed::apply(arith, direction, ty, [a, b, c], out),
        Op::Lt => number!(T, binary(a, b, out, |a: T, b: T| a < b)),
        Op::Le => number!(T, binary(a, b, out, |a: T, b: T| a <= b)),
        Op::Gt => number!(T, binary(a, b, out, |a: T, b: T| a > b)),
        Op::Ge => number!(T, binary(a, b, out, |a: T, b: T| a >= b)),
        Op::Eq => number!(T, binary(a, b, out, |a: T, b: T| a == b)),
        Op::Ne => number!(T, binary(a, b, out, |a: T, b: T| a != b)),
        Op::IsNan => float!(T, unary(a, out, <T as Float>::is_nan)),
        Op::IsSignNegative => float!(T, unary(a, out, <T as Float>::is_sign_negative)),
        Op::ToF64 => number!(T, unary(a, out, <T as Number>::to_f64)),
        Op::ToF32 => number!(T, unary(a, out, <T as Number>::to_f32)),
        Op::ToI64 => number!(T, unary(a, out, <T as Number>::to_i64)),
        Op::ToI32 => number!(T, unary(a, out, <T as Number>::to_i32)),
        Op::ToBits => float!(T, unary(a, out, <T as Float>::to_bits)),
        Op::FromBits => match ty {
            Prim::I64 => unary(a, out, <f64 as Float>::from_bits),
            _ => unary(a, out, <f32 as Float>::from_bits),
        },
        Op::And => bitwise!(T, binary(a, b, out, <T as Bitwise>::and)),
        Op::Or => bitwise!(T, binary(a, b, out, <T as Bitwise>::or)),
        Op::Xor => bitwise!(T, binary(a, b, out, <T as Bitwise>::xor)),
        Op::Not => bitwise!(T, unary(a, out, <T as Bitwise>::not)),
        Op::Shl => int!(T, binary(a, b, out, <T as Int>::shl)),
        Op::Shr => int!(T, binary(a, b, out, <T as Int>::shr)),
        Op::ShrLogical => int!(T, binary(a, b, out, <T as Int>::shr_logical)),
        Op::Select => {
            for (((out, &m), &t), &e) in out.iter_mut().zip(a).zip(b).zip(c) {
                *out = if m != 0 { t } else { e };
            }
        }
    }
}

/// The table entry for an index lane. The index is wrapped if the length is a power of two, otherwise clamped as a signed number.
pub(super) fn place(table: &TableData, ty: Prim, index: u64) -> usize {
    let index = match ty {
        Prim::I32 => i64::from(index as i32),
        _ => index.cast_signed(),
    };
    let last = table.bits.len() - 1;
    if table.wraps() {
        index as usize & last
    } else {
        // Not `usize as i64`: a table is far shorter than 2^63 entries.
        index.clamp(0, last as i64) as usize
    }
}
