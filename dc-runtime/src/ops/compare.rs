//! Comparisons.

use crate::isa::Isa;
use crate::types::{DcDouble, DcFloat, DcInt, DcLong, DcMask};

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
