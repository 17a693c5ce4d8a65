//! What the macro writes for each operator and literal of a kernel.
//!
//! Functions of one type parameter, rather than the operators themselves, so that inference flows both ways: in
//! `2.0 * x` the literal takes the type of `x`. Index arithmetic (`usize`) and constant conditions (`bool`) go
//! through the same functions.

use crate::isa::Isa;
use crate::types::{
    DcDouble, DcDoubleDouble, DcFloat, DcInt, DcLong, DcMask, HasIsa, Selectable, ShiftAmount,
};

/// The token of a value.
#[inline(always)]
pub fn isa_of<T: HasIsa>(x: &T) -> T::Isa {
    x.isa()
}

// --- literals and constants

/// Lane types that a float literal can have.
#[diagnostic::on_unimplemented(
    message = "a float literal cannot be a `{Self}`",
    label = "this literal is a `DcDouble` or a `DcFloat`",
    note = "write an integer literal, such as `1`, where integer lanes or an index are meant"
)]
pub trait FromFloat<I: Isa> {
    /// The literal, read at both precisions.
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
    /// The literal; bit patterns above the signed range are taken as bits.
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
pub trait Konst: Copy {
    /// What it is in a kernel.
    type Lanes<I: Isa>;
    /// The constant in every lane.
    fn lanes<I: Isa>(self, isa: I) -> Self::Lanes<I>;
}
macro_rules! konst {
    ($($t:ty => $lanes:ident as $as:ty),*) => {$(
        impl Konst for $t {
            type Lanes<I: Isa> = $lanes<I>;
            #[inline(always)]
            fn lanes<I: Isa>(self, isa: I) -> $lanes<I> {
                $lanes::splat(isa, self as $as)
            }
        }
    )*};
}
konst!(f64 => DcDouble as f64, f32 => DcFloat as f32, i64 => DcLong as i64, u64 => DcLong as i64,
       i32 => DcInt as i32, u32 => DcInt as i32);
impl Konst for usize {
    type Lanes<I: Isa> = usize;
    #[inline(always)]
    fn lanes<I: Isa>(self, _: I) -> usize {
        self
    }
}
impl Konst for bool {
    type Lanes<I: Isa> = bool;
    #[inline(always)]
    fn lanes<I: Isa>(self, _: I) -> bool {
        self
    }
}
// A table by a name that is a reference already: `f(x, TABLE)`.
impl<E: Elem> Konst for &'static [E] {
    type Lanes<I: Isa> = Self;
    #[inline(always)]
    fn lanes<I: Isa>(self, _: I) -> Self {
        self
    }
}
impl<E: Elem, const N: usize> Konst for &'static [E; N] {
    type Lanes<I: Isa> = Self;
    #[inline(always)]
    fn lanes<I: Isa>(self, _: I) -> Self {
        self
    }
}

/// An outer constant or const generic.
#[inline(always)]
pub fn konst<I: Isa, K: Konst>(isa: I, k: K) -> K::Lanes<I> {
    k.lanes(isa)
}

// --- tables

/// Element types of tables.
#[diagnostic::on_unimplemented(
    message = "a table of `{Self}` cannot be used in a kernel",
    label = "table elements are `f64`, `f32`, `i64`, `u64`, `i32` or `u32`"
)]
pub trait Elem: Konst {
    /// Elements at 64-bit indices.
    fn gather<I: Isa>(isa: I, table: &[Self], index: DcLong<I>) -> Self::Lanes<I>;
    /// Elements at 32-bit indices.
    fn gather32<I: Isa>(isa: I, table: &[Self], index: DcInt<I>) -> Self::Lanes<I>;
}
macro_rules! elem {
    ($t:ty, $lanes:ident, $gather:ident, $gather32:ident, $view:expr) => {
        impl Elem for $t {
            #[inline(always)]
            fn gather<I: Isa>(isa: I, table: &[Self], index: DcLong<I>) -> $lanes<I> {
                $lanes::of(isa, isa.$gather($view(table), index.v))
            }
            #[inline(always)]
            fn gather32<I: Isa>(isa: I, table: &[Self], index: DcInt<I>) -> $lanes<I> {
                $lanes::of(isa, isa.$gather32($view(table), index.v))
            }
        }
    };
}
#[inline(always)]
fn signed64(t: &[u64]) -> &[i64] {
    // SAFETY: same length, and i64 and u64 have one size, one alignment and no invalid bits.
    unsafe { core::slice::from_raw_parts(t.as_ptr().cast(), t.len()) }
}
#[inline(always)]
fn signed32(t: &[u32]) -> &[i32] {
    // SAFETY: as `signed64`.
    unsafe { core::slice::from_raw_parts(t.as_ptr().cast(), t.len()) }
}
elem!(
    f64,
    DcDouble,
    gather_f64,
    gather32_f64,
    core::convert::identity
);
elem!(
    f32,
    DcFloat,
    gather_f32,
    gather32_f32,
    core::convert::identity
);
elem!(
    i64,
    DcLong,
    gather_i64,
    gather32_i64,
    core::convert::identity
);
elem!(
    i32,
    DcInt,
    gather_i32,
    gather32_i32,
    core::convert::identity
);
elem!(u64, DcLong, gather_i64, gather32_i64, signed64);
elem!(u32, DcInt, gather_i32, gather32_i32, signed32);

/// What may index a table.
#[diagnostic::on_unimplemented(
    message = "a table cannot be indexed by `{Self}`",
    label = "an index is an integer literal, a loop counter, a `usize` constant, a `DcLong` or a `DcInt`"
)]
pub trait TableIndex<I: Isa, E: Elem> {
    /// The element.
    fn at(self, isa: I, table: &[E]) -> E::Lanes<I>;
}
impl<I: Isa, E: Elem> TableIndex<I, E> for usize {
    #[inline(always)]
    fn at(self, isa: I, table: &[E]) -> E::Lanes<I> {
        table[self].lanes(isa)
    }
}
impl<I: Isa, E: Elem> TableIndex<I, E> for DcLong<I> {
    #[inline(always)]
    fn at(self, isa: I, table: &[E]) -> E::Lanes<I> {
        E::gather(isa, table, self)
    }
}
impl<I: Isa, E: Elem> TableIndex<I, E> for DcInt<I> {
    #[inline(always)]
    fn at(self, isa: I, table: &[E]) -> E::Lanes<I> {
        E::gather32(isa, table, self)
    }
}

/// `table[index]`. Lane indices are wrapped or clamped.
///
/// # Panics
/// When a constant index is past the end.
#[inline(always)]
pub fn table<I: Isa, E: Elem, X: TableIndex<I, E>>(isa: I, table: &[E], index: X) -> E::Lanes<I> {
    index.at(isa, table)
}

// --- operators

macro_rules! binary_trait {
    ($(#[$doc:meta])* $trait:ident, $what:literal, $($name:ident),*) => {
        $(#[$doc])*
        #[diagnostic::on_unimplemented(message = $what, label = "not an operand of this operator in a kernel")]
        pub trait $trait: Copy {
            $(
                #[doc = concat!("`", stringify!($name), "`")]
                fn $name(a: Self, b: Self) -> Self;
            )*
        }
        $(
            #[doc = concat!("Operator `", stringify!($name), "`.")]
            #[inline(always)]
            pub fn $name<T: $trait>(a: T, b: T) -> T {
                T::$name(a, b)
            }
        )*
    };
}
binary_trait!(
    /// `+`, `-`, `*`
    Arithmetic,
    "`{Self}` has no `+`, `-`, `*` in a kernel; for double-doubles use `dd_add` and its siblings",
    add, sub, mul
);
binary_trait!(
    /// `/`
    Divide,
    "`{Self}` cannot be divided in a kernel; for double-doubles use `dd_div`, integer lanes have no division",
    div
);
binary_trait!(
    /// `%`
    Remainder,
    "`{Self}` has no `%` in a kernel: only index values do",
    rem
);
binary_trait!(
    /// `&`, `|`, `^`
    Bitwise,
    "`{Self}` has no `&`, `|`, `^`: for floats take `to_bits()` first",
    and, or, xor
);
binary_trait!(
    /// `&&`, `||`
    Logic,
    "`{Self}` is not a truth value",
    and_also, or_else
);

macro_rules! lane_arithmetic {
    ($($lanes:ident $add:ident $sub:ident $mul:ident),*) => {$(
        impl<I: Isa> Arithmetic for $lanes<I> {
            #[inline(always)]
            fn add(a: Self, b: Self) -> Self {
                Self::of(a.isa, a.isa.$add(a.v, b.v))
            }
            #[inline(always)]
            fn sub(a: Self, b: Self) -> Self {
                Self::of(a.isa, a.isa.$sub(a.v, b.v))
            }
            #[inline(always)]
            fn mul(a: Self, b: Self) -> Self {
                Self::of(a.isa, a.isa.$mul(a.v, b.v))
            }
        }
    )*};
}
lane_arithmetic!(DcDouble add_f64 sub_f64 mul_f64, DcFloat add_f32 sub_f32 mul_f32,
                 DcLong add_i64 sub_i64 mul_i64, DcInt add_i32 sub_i32 mul_i32);
// Index arithmetic wraps here; whether it overflows is checked, with the line, when the kernel is lowered.
impl Arithmetic for usize {
    #[inline(always)]
    fn add(a: Self, b: Self) -> Self {
        a.wrapping_add(b)
    }
    #[inline(always)]
    fn sub(a: Self, b: Self) -> Self {
        a.wrapping_sub(b)
    }
    #[inline(always)]
    fn mul(a: Self, b: Self) -> Self {
        a.wrapping_mul(b)
    }
}
impl<I: Isa> Divide for DcDouble<I> {
    #[inline(always)]
    fn div(a: Self, b: Self) -> Self {
        Self::of(a.isa, a.isa.div_f64(a.v, b.v))
    }
}
impl<I: Isa> Divide for DcFloat<I> {
    #[inline(always)]
    fn div(a: Self, b: Self) -> Self {
        Self::of(a.isa, a.isa.div_f32(a.v, b.v))
    }
}
impl Divide for usize {
    #[inline(always)]
    fn div(a: Self, b: Self) -> Self {
        a / b
    }
}
impl Remainder for usize {
    #[inline(always)]
    fn rem(a: Self, b: Self) -> Self {
        a % b
    }
}
macro_rules! lane_bitwise {
    ($($lanes:ident $and:ident $or:ident $xor:ident),*) => {$(
        impl<I: Isa> Bitwise for $lanes<I> {
            #[inline(always)]
            fn and(a: Self, b: Self) -> Self {
                Self { v: a.isa.$and(a.v, b.v), isa: a.isa }
            }
            #[inline(always)]
            fn or(a: Self, b: Self) -> Self {
                Self { v: a.isa.$or(a.v, b.v), isa: a.isa }
            }
            #[inline(always)]
            fn xor(a: Self, b: Self) -> Self {
                Self { v: a.isa.$xor(a.v, b.v), isa: a.isa }
            }
        }
    )*};
}
lane_bitwise!(DcLong and_i64 or_i64 xor_i64, DcInt and_i32 or_i32 xor_i32, DcMask and_mask or_mask xor_mask);
macro_rules! plain_bitwise {
    ($($t:ty),*) => {$(
        impl Bitwise for $t {
            #[inline(always)]
            fn and(a: Self, b: Self) -> Self {
                a & b
            }
            #[inline(always)]
            fn or(a: Self, b: Self) -> Self {
                a | b
            }
            #[inline(always)]
            fn xor(a: Self, b: Self) -> Self {
                a ^ b
            }
        }
    )*};
}
plain_bitwise!(bool, usize);
impl Logic for bool {
    #[inline(always)]
    fn and_also(a: Self, b: Self) -> Self {
        a & b
    }
    #[inline(always)]
    fn or_else(a: Self, b: Self) -> Self {
        a | b
    }
}
impl<I: Isa> Logic for DcMask<I> {
    #[inline(always)]
    fn and_also(a: Self, b: Self) -> Self {
        Bitwise::and(a, b)
    }
    #[inline(always)]
    fn or_else(a: Self, b: Self) -> Self {
        Bitwise::or(a, b)
    }
}

/// `<<`, `>>`
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be shifted by `{N}` in a kernel",
    label = "integer lanes and index values can be shifted, by a literal, an index or lanes of the same type"
)]
pub trait Shift<N>: Sized {
    /// `self << n`
    fn shl(self, n: N) -> Self;
    /// `self >> n`, arithmetic
    fn shr(self, n: N) -> Self;
}
macro_rules! lane_shift {
    ($($lanes:ident $shl:ident $shr:ident),*) => {$(
        impl<I: Isa, N: ShiftAmount<$lanes<I>>> Shift<N> for $lanes<I> {
            #[inline(always)]
            fn shl(self, n: N) -> Self {
                Self::of(self.isa, self.isa.$shl(self.v, n.lanes(self).v))
            }
            #[inline(always)]
            fn shr(self, n: N) -> Self {
                Self::of(self.isa, self.isa.$shr(self.v, n.lanes(self).v))
            }
        }
    )*};
}
lane_shift!(DcLong shl_i64 shr_i64, DcInt shl_i32 shr_i32);
impl Shift<u32> for usize {
    #[inline(always)]
    fn shl(self, n: u32) -> Self {
        self << n
    }
    #[inline(always)]
    fn shr(self, n: u32) -> Self {
        self >> n
    }
}
impl Shift<usize> for usize {
    #[inline(always)]
    fn shl(self, n: usize) -> Self {
        self << n
    }
    #[inline(always)]
    fn shr(self, n: usize) -> Self {
        self >> n
    }
}
/// `a << n`
#[inline(always)]
pub fn shl<N, T: Shift<N>>(a: T, n: N) -> T {
    a.shl(n)
}
/// `a >> n`
#[inline(always)]
pub fn shr<N, T: Shift<N>>(a: T, n: N) -> T {
    a.shr(n)
}

/// Comparisons.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be compared in a kernel",
    label = "floats, integer lanes and index values can; of a double-double compare `.hi`"
)]
pub trait Compare: Copy {
    /// `DcMask` for lanes, `bool` for index values.
    type Truth;
    /// `a < b`
    fn lt(a: Self, b: Self) -> Self::Truth;
    /// `a <= b`
    fn le(a: Self, b: Self) -> Self::Truth;
    /// `a == b`
    fn eq(a: Self, b: Self) -> Self::Truth;
    /// `a != b`
    fn ne(a: Self, b: Self) -> Self::Truth;
}
macro_rules! float_compare {
    ($($lanes:ident $lt:ident $le:ident $eq:ident $ne:ident),*) => {$(
        impl<I: Isa> Compare for $lanes<I> {
            type Truth = DcMask<I>;
            #[inline(always)]
            fn lt(a: Self, b: Self) -> DcMask<I> {
                DcMask { v: a.isa.$lt(a.v, b.v), isa: a.isa }
            }
            #[inline(always)]
            fn le(a: Self, b: Self) -> DcMask<I> {
                DcMask { v: a.isa.$le(a.v, b.v), isa: a.isa }
            }
            #[inline(always)]
            fn eq(a: Self, b: Self) -> DcMask<I> {
                DcMask { v: a.isa.$eq(a.v, b.v), isa: a.isa }
            }
            #[inline(always)]
            fn ne(a: Self, b: Self) -> DcMask<I> {
                DcMask { v: a.isa.$ne(a.v, b.v), isa: a.isa }
            }
        }
    )*};
}
float_compare!(DcDouble lt_f64 le_f64 eq_f64 ne_f64, DcFloat lt_f32 le_f32 eq_f32 ne_f32);
macro_rules! int_compare {
    ($($lanes:ident $lt:ident $eq:ident),*) => {$(
        impl<I: Isa> Compare for $lanes<I> {
            type Truth = DcMask<I>;
            #[inline(always)]
            fn lt(a: Self, b: Self) -> DcMask<I> {
                DcMask { v: a.isa.$lt(a.v, b.v), isa: a.isa }
            }
            #[inline(always)]
            fn le(a: Self, b: Self) -> DcMask<I> {
                // Integers are totally ordered: a <= b is not b < a.
                DcMask { v: a.isa.not_mask(a.isa.$lt(b.v, a.v)), isa: a.isa }
            }
            #[inline(always)]
            fn eq(a: Self, b: Self) -> DcMask<I> {
                DcMask { v: a.isa.$eq(a.v, b.v), isa: a.isa }
            }
            #[inline(always)]
            fn ne(a: Self, b: Self) -> DcMask<I> {
                DcMask { v: a.isa.not_mask(a.isa.$eq(a.v, b.v)), isa: a.isa }
            }
        }
    )*};
}
int_compare!(DcLong lt_i64 eq_i64, DcInt lt_i32 eq_i32);
macro_rules! plain_compare {
    ($($t:ty),*) => {$(
        impl Compare for $t {
            type Truth = bool;
            #[inline(always)]
            fn lt(a: Self, b: Self) -> bool {
                a < b
            }
            #[inline(always)]
            fn le(a: Self, b: Self) -> bool {
                a <= b
            }
            #[inline(always)]
            fn eq(a: Self, b: Self) -> bool {
                a == b
            }
            #[inline(always)]
            fn ne(a: Self, b: Self) -> bool {
                a != b
            }
        }
    )*};
}
plain_compare!(usize, bool);
/// `a < b`
#[inline(always)]
pub fn lt<T: Compare>(a: T, b: T) -> T::Truth {
    T::lt(a, b)
}
/// `a <= b`
#[inline(always)]
pub fn le<T: Compare>(a: T, b: T) -> T::Truth {
    T::le(a, b)
}
/// `a > b`, which is `b < a`
#[inline(always)]
pub fn gt<T: Compare>(a: T, b: T) -> T::Truth {
    T::lt(b, a)
}
/// `a >= b`, which is `b <= a`
#[inline(always)]
pub fn ge<T: Compare>(a: T, b: T) -> T::Truth {
    T::le(b, a)
}
/// `a == b`
#[inline(always)]
pub fn eq<T: Compare>(a: T, b: T) -> T::Truth {
    T::eq(a, b)
}
/// `a != b`, true on NaN
#[inline(always)]
pub fn ne<T: Compare>(a: T, b: T) -> T::Truth {
    T::ne(a, b)
}

/// Unary `-`.
#[diagnostic::on_unimplemented(message = "`{Self}` cannot be negated in a kernel")]
pub trait Negate {
    /// `-self`
    fn neg(self) -> Self;
}
impl<I: Isa> Negate for DcDouble<I> {
    #[inline(always)]
    fn neg(self) -> Self {
        Self::of(self.isa, self.isa.neg_f64(self.v))
    }
}
impl<I: Isa> Negate for DcFloat<I> {
    #[inline(always)]
    fn neg(self) -> Self {
        Self::of(self.isa, self.isa.neg_f32(self.v))
    }
}
impl<I: Isa> Negate for DcLong<I> {
    #[inline(always)]
    fn neg(self) -> Self {
        Self::of(self.isa, self.isa.sub_i64(self.isa.splat_i64(0), self.v))
    }
}
impl<I: Isa> Negate for DcInt<I> {
    #[inline(always)]
    fn neg(self) -> Self {
        Self::of(self.isa, self.isa.sub_i32(self.isa.splat_i32(0), self.v))
    }
}
/// `-a`: sign flip on floats, wrapping on integer lanes
#[inline(always)]
pub fn neg<T: Negate>(a: T) -> T {
    a.neg()
}

/// Unary `!`.
#[diagnostic::on_unimplemented(message = "`{Self}` has no `!` in a kernel")]
pub trait Invert {
    /// `!self`
    fn invert(self) -> Self;
}
impl<I: Isa> Invert for DcMask<I> {
    #[inline(always)]
    fn invert(self) -> Self {
        Self {
            v: self.isa.not_mask(self.v),
            isa: self.isa,
        }
    }
}
impl<I: Isa> Invert for DcLong<I> {
    #[inline(always)]
    fn invert(self) -> Self {
        Self::of(self.isa, self.isa.xor_i64(self.v, self.isa.splat_i64(-1)))
    }
}
impl<I: Isa> Invert for DcInt<I> {
    #[inline(always)]
    fn invert(self) -> Self {
        Self::of(self.isa, self.isa.xor_i32(self.v, self.isa.splat_i32(-1)))
    }
}
impl Invert for bool {
    #[inline(always)]
    fn invert(self) -> Self {
        !self
    }
}
/// `!a`
#[inline(always)]
pub fn not<T: Invert>(a: T) -> T {
    a.invert()
}

// --- branches

/// What an `if` may test: a constant `bool` takes one arm, a mask both.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a condition",
    label = "an `if` in a kernel tests a `DcMask` or a constant `bool`"
)]
pub trait Condition {
    /// Whether the first arm is evaluated.
    fn takes_then(&self) -> bool;
    /// Whether the second arm is evaluated.
    fn takes_else(&self) -> bool;
}
/// How the arms' values meet.
pub trait Merge<T>: Condition {
    /// The value of the arm taken, or both selected lane by lane.
    fn merge(self, then: Option<T>, otherwise: Option<T>) -> T;
}
impl Condition for bool {
    #[inline(always)]
    fn takes_then(&self) -> bool {
        *self
    }
    #[inline(always)]
    fn takes_else(&self) -> bool {
        !*self
    }
}
impl<T> Merge<T> for bool {
    #[inline(always)]
    fn merge(self, then: Option<T>, otherwise: Option<T>) -> T {
        match (then, otherwise) {
            (Some(x), _) | (None, Some(x)) => x,
            (None, None) => unreachable!("one arm of an `if` is always taken"),
        }
    }
}
impl<I: Isa> Condition for DcMask<I> {
    #[inline(always)]
    fn takes_then(&self) -> bool {
        true
    }
    #[inline(always)]
    fn takes_else(&self) -> bool {
        true
    }
}
impl<I: Isa, T: Selectable<I>> Merge<T> for DcMask<I> {
    #[inline(always)]
    fn merge(self, then: Option<T>, otherwise: Option<T>) -> T {
        match (then, otherwise) {
            (Some(a), Some(b)) => T::select(self, a, b),
            _ => unreachable!("a mask evaluates both arms"),
        }
    }
}
/// Whether the first arm is evaluated.
#[inline(always)]
pub fn takes_then<C: Condition>(c: &C) -> bool {
    c.takes_then()
}
/// Whether the second arm is evaluated.
#[inline(always)]
pub fn takes_else<C: Condition>(c: &C) -> bool {
    c.takes_else()
}
/// The arms' values after the `if`.
#[inline(always)]
pub fn merge<T, C: Merge<T>>(c: C, then: Option<T>, otherwise: Option<T>) -> T {
    c.merge(then, otherwise)
}

// --- scheduling

/// Values that can be kept at their place among the instructions: what a kernel's functions return and its loops assign.
pub trait Fence {
    /// The same value.
    #[must_use]
    fn fence(self) -> Self;
}

/// The same value; on register groups a place that the compiler's scheduler keeps.
#[inline(always)]
pub fn fence<T: Fence>(x: T) -> T {
    x.fence()
}

impl Fence for () {
    #[inline(always)]
    fn fence(self) {}
}
impl<I: Isa> Fence for DcDouble<I> {
    #[inline(always)]
    fn fence(self) -> Self {
        Self::of(self.isa, self.isa.fence_f64(self.v))
    }
}
impl<I: Isa> Fence for DcFloat<I> {
    #[inline(always)]
    fn fence(self) -> Self {
        Self::of(self.isa, self.isa.fence_f32(self.v))
    }
}
impl<I: Isa> Fence for DcDoubleDouble<I> {
    #[inline(always)]
    fn fence(self) -> Self {
        DcDoubleDouble {
            hi: self.hi.fence(),
            lo: self.lo.fence(),
        }
    }
}

/// Index arithmetic is the compiler's.
macro_rules! plain {
    ($($t:ty),*) => {$(
        impl Fence for $t {
            #[inline(always)]
            fn fence(self) -> Self {
                self
            }
        }
    )*};
}
plain!(usize, bool);
/// Integers and masks are short of latency to hide.
macro_rules! unfenced {
    ($($t:ident),*) => {$(
        impl<I: Isa> Fence for $t<I> {
            #[inline(always)]
            fn fence(self) -> Self {
                self
            }
        }
    )*};
}
unfenced!(DcInt, DcLong, DcMask);
macro_rules! fence_tuple {
    ($($t:ident $n:tt),*) => {
        impl<$($t: Fence),*> Fence for ($($t,)*) {
            #[inline(always)]
            fn fence(self) -> Self {
                ($(self.$n.fence(),)*)
            }
        }
    };
}
fence_tuple!(A 0);
fence_tuple!(A 0, B 1);
fence_tuple!(A 0, B 1, C 2);
fence_tuple!(A 0, B 1, C 2, D 3);
fence_tuple!(A 0, B 1, C 2, D 3, E 4);
fence_tuple!(A 0, B 1, C 2, D 3, E 4, F 5);
fence_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
fence_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
