//! Literals and constants.

use super::Elem;
use crate::isa::Isa;
use crate::types::{DcDouble, DcFloat, DcInt, DcLong};

/// Lane types that a float literal can have.
#[diagnostic::on_unimplemented(
    message = "a float literal cannot be a `{Self}`",
    label = "this literal is a `DcDouble` or a `DcFloat`",
    note = "write an integer literal, such as `1`, where integer lanes or an index are meant"
)]
pub trait FromFloat<I: Isa> {
    /// The literal, parsed at both precisions.
    fn from_float(isa: I, wide: f64, narrow: f32) -> Self;
}
impl<I: Isa> FromFloat<I> for DcDouble<I> {
    #[inline(always)]
    fn from_float(isa: I, wide: f64, _: f32) -> Self {
        Self::splat(isa, wide)
    }
}
impl<I: Isa> FromFloat<I> for DcFloat<I> {
    #[inline(always)]
    fn from_float(isa: I, _: f64, narrow: f32) -> Self {
        Self::splat(isa, narrow)
    }
}

/// A float literal.
#[inline(always)]
pub fn float<I: Isa, T: FromFloat<I>>(isa: I, wide: f64, narrow: f32) -> T {
    T::from_float(isa, wide, narrow)
}

/// Types that an integer literal can have.
#[diagnostic::on_unimplemented(
    message = "an integer literal cannot be a `{Self}`",
    label = "this literal is a `DcLong`, a `DcInt` or an index",
    note = "write a float literal, such as `1.0`, where float lanes are meant"
)]
pub trait FromInt<I: Isa> {
    /// The literal. Bit patterns above the signed range are taken as bits.
    fn from_int(isa: I, n: i128) -> Self;
}
impl<I: Isa> FromInt<I> for DcLong<I> {
    #[inline(always)]
    fn from_int(isa: I, n: i128) -> Self {
        Self::splat(isa, n as i64)
    }
}
impl<I: Isa> FromInt<I> for DcInt<I> {
    #[inline(always)]
    fn from_int(isa: I, n: i128) -> Self {
        Self::splat(isa, n as i32)
    }
}
impl<I: Isa> FromInt<I> for usize {
    #[inline(always)]
    fn from_int(_: I, n: i128) -> Self {
        n as usize
    }
}

/// An integer literal.
#[inline(always)]
pub fn int<I: Isa, T: FromInt<I>>(isa: I, n: i128) -> T {
    T::from_int(isa, n)
}

/// Types of outer constants that a kernel may use, and of table elements.
#[diagnostic::on_unimplemented(
    message = "a constant of type `{Self}` cannot be used in a kernel",
    label = "constants are `f64`, `f32`, `i64`, `u64`, `i32`, `u32`, `usize` or `bool`"
)]
pub trait Const: Copy {
    /// The constant's type in a kernel.
    type Lanes<I: Isa>;
    /// The constant in every lane.
    fn lanes<I: Isa>(self, isa: I) -> Self::Lanes<I>;
}
macro_rules! constant {
    ($($t:ty => $lanes:ident as $as:ty),*) => {$(
        impl Const for $t {
            type Lanes<I: Isa> = $lanes<I>;
            #[inline(always)]
            fn lanes<I: Isa>(self, isa: I) -> $lanes<I> {
                $lanes::splat(isa, self as $as)
            }
        }
    )*};
}
constant!(f64 => DcDouble as f64, f32 => DcFloat as f32, i64 => DcLong as i64, u64 => DcLong as i64,
       i32 => DcInt as i32, u32 => DcInt as i32);
impl Const for usize {
    type Lanes<I: Isa> = usize;
    #[inline(always)]
    fn lanes<I: Isa>(self, _: I) -> usize {
        self
    }
}
impl Const for bool {
    type Lanes<I: Isa> = bool;
    #[inline(always)]
    fn lanes<I: Isa>(self, _: I) -> bool {
        self
    }
}
// A table under a name that is already a reference: `f(x, TABLE)`.
impl<E: Elem> Const for &'static [E] {
    type Lanes<I: Isa> = Self;
    #[inline(always)]
    fn lanes<I: Isa>(self, _: I) -> Self {
        self
    }
}
impl<E: Elem, const N: usize> Const for &'static [E; N] {
    type Lanes<I: Isa> = Self;
    #[inline(always)]
    fn lanes<I: Isa>(self, _: I) -> Self {
        self
    }
}

/// A number that is known when the kernel is lowered, in every lane.
#[inline(always)]
pub fn index_lanes<I: Isa>(isa: I, index: usize) -> DcLong<I> {
    DcLong::splat(isa, index as i64)
}

/// An outer constant or const generic.
#[inline(always)]
pub fn constant<I: Isa, K: Const>(isa: I, k: K) -> K::Lanes<I> {
    k.lanes(isa)
}
