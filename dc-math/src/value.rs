//! What a function takes: one number, or lanes of numbers inside a kernel.

use dc_runtime::isa::Isa;
use dc_runtime::kernel::{Kind, LaneFn, kind};
use dc_runtime::prelude::{DcBfloat, DcDouble, DcFloat, DcHalf};
use dc_runtime::run::eval;

mod sealed {
    pub trait Sealed {}
}

/// One number of a type, or lanes of such numbers: the functions of this crate take both.
pub trait Value<P: Kind>: sealed::Sealed + Copy {
    /// The function of one argument that the kernel `K` computes.
    #[doc(hidden)]
    fn one<K: LaneFn<Args = (P,), Ret = P>>(self) -> Self;
    /// The function of two arguments that the kernel `K` computes.
    #[doc(hidden)]
    fn two<K: LaneFn<Args = (P, P), Ret = P>>(self, y: Self) -> Self;
}

macro_rules! value {
    ($($kind:ident $number:ty, $lanes:ident;)+) => {$(
        impl Value<kind::$kind> for $number {
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
        }

        impl<I: Isa> sealed::Sealed for $lanes<I> {}
        impl<I: Isa> Value<kind::$kind> for $lanes<I> {
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

/// For each kernel in `kernels`, the function of its name, which takes a number or lanes. A kernel's own function takes only
/// lanes. A declared function has precedence over one that a glob imports, and the kernel's type is not affected.
macro_rules! functions {
    ($kind:ident, $what:literal: one $($one:ident)*; two $($two:ident)*;) => {
        $(
            #[doc = concat!("`", stringify!($one), "` of one number in ", $what, ", or of lanes in a kernel.")]
            #[inline(always)]
            #[must_use]
            #[allow(clippy::inline_always, reason = "lanes must have the instruction set of the caller")]
            pub fn $one<X: $crate::Value<dc_runtime::kernel::kind::$kind>>(x: X) -> X {
                x.one::<kernels::$one>()
            }
        )*
        $(
            #[doc = concat!("`", stringify!($two), "` of two numbers in ", $what, ", or of lanes in a kernel.")]
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
