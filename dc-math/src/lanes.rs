//! The functions as methods of lanes. In a kernel, `x.sin()` of a `DcFloat` or a `DcDouble` calls [`sin`] of this module. The macro writes
//! the call, so nothing needs to be imported.

use dc_runtime::isa::Isa;
use dc_runtime::kernel::{LaneFn, kind};
use dc_runtime::prelude::{DcDouble, DcFloat};

/// Lanes that have the functions.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no mathematical functions",
    label = "neither `DcFloat` nor `DcDouble`",
    note = "convert integers with `.to_f32()` or `.to_f64()`; numbers of 16 bits have functions of their own, `math::f16::sin(x)`"
)]
pub trait Lanes: Copy {
    /// The kernel of one argument, in this precision.
    #[doc(hidden)]
    fn one<A, B>(self) -> Self
    where
        A: LaneFn<Args = (kind::F32,), Ret = kind::F32>,
        B: LaneFn<Args = (kind::F64,), Ret = kind::F64>;
    /// The kernel of two arguments, in this precision.
    #[doc(hidden)]
    fn two<A, B>(self, y: Self) -> Self
    where
        A: LaneFn<Args = (kind::F32, kind::F32), Ret = kind::F32>,
        B: LaneFn<Args = (kind::F64, kind::F64), Ret = kind::F64>;
}

macro_rules! lanes {
    ($lanes:ident $kernel:ident) => {
        impl<I: Isa> Lanes for $lanes<I> {
            #[inline(always)]
            fn one<A, B>(self) -> Self
            where
                A: LaneFn<Args = (kind::F32,), Ret = kind::F32>,
                B: LaneFn<Args = (kind::F64,), Ret = kind::F64>,
            {
                $kernel::call::<I>((self,))
            }
            #[inline(always)]
            fn two<A, B>(self, y: Self) -> Self
            where
                A: LaneFn<Args = (kind::F32, kind::F32), Ret = kind::F32>,
                B: LaneFn<Args = (kind::F64, kind::F64), Ret = kind::F64>,
            {
                $kernel::call::<I>((self, y))
            }
        }
    };
}
lanes!(DcFloat A);
lanes!(DcDouble B);

macro_rules! one {
    ($($name:ident $function:ident { $($f32:tt)* } $({ $($f64:tt)* })?;)+) => {$(
        #[doc = concat!("`", stringify!($name), "` of lanes.")]
        #[inline(always)]
        #[must_use]
        #[allow(clippy::inline_always, reason = "lanes must have the instruction set of the caller")]
        pub fn $name<L: Lanes>(x: L) -> L {
            x.one::<crate::f32::$name, crate::f64::$name>()
        }
    )+};
}
dc_runtime::__references!(one);

macro_rules! two {
    ($($name:ident $function:ident { $($f32:tt)* } $({ $($f64:tt)* })?;)+) => {$(
        #[doc = concat!("`", stringify!($name), "` of lanes.")]
        #[inline(always)]
        #[must_use]
        #[allow(clippy::inline_always, reason = "lanes must have the instruction set of the caller")]
        pub fn $name<L: Lanes>(x: L, y: L) -> L {
            x.two::<crate::f32::$name, crate::f64::$name>(y)
        }
    )+};
}
dc_runtime::__references_of_two!(two);

/// The kernels of each function, one per precision. The macro writes them into a kernel's tree.
#[doc(hidden)]
#[allow(non_upper_case_globals, reason = "named as the functions are")]
pub mod trees {
    use dc_runtime::__private_v0_2::ir::Kernel;
    use dc_runtime::kernel::CrunchFn;

    macro_rules! trees {
        ($($name:ident $function:ident { $($f32:tt)* } $({ $($f64:tt)* })?;)+) => {$(
            #[doc = concat!("`", stringify!($name), "`.")]
            pub const $name: &[&Kernel] = &[
                <crate::f32::$name as CrunchFn>::KERNEL,
                <crate::f64::$name as CrunchFn>::KERNEL,
            ];
        )+};
    }
    dc_runtime::__references!(trees);
    dc_runtime::__references_of_two!(trees);
}
