//! The argument of a function: one number, or lanes of numbers inside a kernel.

use dc_runtime::isa::Isa;
use dc_runtime::kernel::{Kind, LaneFn, kind};
use dc_runtime::prelude::{DcBfloat, DcDouble, DcFloat, DcHalf, DcInt};
use dc_runtime::run::eval;

mod sealed {
    pub trait Sealed {}
}

/// One number, or lanes of numbers. The functions of this crate take both.
pub trait Value<P: Kind>: sealed::Sealed + Copy {
    /// The same number of integers, for exponents.
    type Int: Copy;
    /// The function of one argument that the kernel `K` computes.
    #[doc(hidden)]
    fn one<K: LaneFn<Args = (P,), Ret = P>>(self) -> Self;
    /// The function of two arguments that the kernel `K` computes.
    #[doc(hidden)]
    fn two<K: LaneFn<Args = (P, P), Ret = P>>(self, y: Self) -> Self;
    /// The function of one argument and an exponent that the kernel `K` computes.
    #[doc(hidden)]
    fn scaled<K: LaneFn<Args = (P, kind::I32), Ret = P>>(self, n: Self::Int) -> Self;
    /// The function with two results that the kernel `K` computes.
    #[doc(hidden)]
    fn pair<K: LaneFn<Args = (P,), Ret = (P, P)>>(self) -> (Self, Self);
    /// The function that returns a number and an exponent, computed by the kernel `K`.
    #[doc(hidden)]
    fn parts<K: LaneFn<Args = (P,), Ret = (P, kind::I32)>>(self) -> (Self, Self::Int);
}

macro_rules! value {
    ($($kind:ident $number:ty, $lanes:ident;)+) => {$(
        impl Value<kind::$kind> for $number {
            type Int = i32;
            #[inline]
            fn one<K: LaneFn<Args = (kind::$kind,), Ret = kind::$kind>>(self) -> Self {
                eval::<K>((self,))
            }
            #[inline]
            fn two<K: LaneFn<Args = (kind::$kind, kind::$kind), Ret = kind::$kind>>(
                self,
                y: Self,
            ) -> Self {
                eval::<K>((self, y))
            }
            #[inline]
            fn scaled<K: LaneFn<Args = (kind::$kind, kind::I32), Ret = kind::$kind>>(
                self,
                n: i32,
            ) -> Self {
                eval::<K>((self, n))
            }
            #[inline]
            fn pair<K: LaneFn<Args = (kind::$kind,), Ret = (kind::$kind, kind::$kind)>>(
                self,
            ) -> (Self, Self) {
                eval::<K>((self,))
            }
            #[inline]
            fn parts<K: LaneFn<Args = (kind::$kind,), Ret = (kind::$kind, kind::I32)>>(
                self,
            ) -> (Self, i32) {
                eval::<K>((self,))
            }
        }

        impl<I: Isa> sealed::Sealed for $lanes<I> {}
        impl<I: Isa> Value<kind::$kind> for $lanes<I> {
            type Int = DcInt<I>;
            #[inline(always)]
            fn one<K: LaneFn<Args = (kind::$kind,), Ret = kind::$kind>>(self) -> Self {
                K::call::<I>((self,))
            }
            #[inline(always)]
            fn two<K: LaneFn<Args = (kind::$kind, kind::$kind), Ret = kind::$kind>>(
                self,
                y: Self,
            ) -> Self {
                K::call::<I>((self, y))
            }
            #[inline(always)]
            fn scaled<K: LaneFn<Args = (kind::$kind, kind::I32), Ret = kind::$kind>>(
                self,
                n: DcInt<I>,
            ) -> Self {
                K::call::<I>((self, n))
            }
            #[inline(always)]
            fn pair<K: LaneFn<Args = (kind::$kind,), Ret = (kind::$kind, kind::$kind)>>(
                self,
            ) -> (Self, Self) {
                K::call::<I>((self,))
            }
            #[inline(always)]
            fn parts<K: LaneFn<Args = (kind::$kind,), Ret = (kind::$kind, kind::I32)>>(
                self,
            ) -> (Self, DcInt<I>) {
                K::call::<I>((self,))
            }
        }
    )+};
}
value! {
    F32 f32, DcFloat;
    F64 f64, DcDouble;
    Half u16, DcHalf;
    Bfloat u16, DcBfloat;
}

impl sealed::Sealed for f32 {}
impl sealed::Sealed for f64 {}
impl sealed::Sealed for u16 {}

/// For each kernel in `kernels`, the function with its name, which takes a number or lanes. The kernel's own function takes only lanes. A
/// declared function has precedence over one that a glob imports; the kernel's type is unaffected.
macro_rules! functions {
    ($kind:ident, $what:literal: one $($one:ident)*; two $($two:ident)*;) => {
        $(
            #[doc = concat!("`", stringify!($one), "` of one number in ", $what, ", or of lanes in a kernel.", $crate::about::about!($kind $one))]
            #[inline(always)]
            #[must_use]
            #[allow(clippy::inline_always, reason = "lanes must have the instruction set of the caller")]
            pub fn $one<X: $crate::Value<dc_runtime::kernel::kind::$kind>>(x: X) -> X {
                x.one::<kernels::$one>()
            }
        )*
        $(
            #[doc = concat!("`", stringify!($two), "` of two numbers in ", $what, ", or of lanes in a kernel.", $crate::about::about!($kind $two))]
            #[inline(always)]
            #[must_use]
            #[allow(clippy::inline_always, reason = "lanes must have the instruction set of the caller")]
            pub fn $two<X: $crate::Value<dc_runtime::kernel::kind::$kind>>(x: X, y: X) -> X {
                x.two::<kernels::$two>(y)
            }
        )*
    };
}
pub(crate) use functions;
