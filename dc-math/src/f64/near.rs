//! Functions of which some arguments need a long computation: large ones a long reduction, negative ones of `lgamma` the double-double reference. On the
//! CPU a group of lanes that has none of these is computed without it. The bits are the same, because each of the two kernels has the short
//! computation for the other arguments. The kernel's text, for GPUs, has both.

use super::{gamma, trigonometric};
use dc_runtime::fenv::NotDefault;
use dc_runtime::isa::Isa;
use dc_runtime::kernel::{CrunchFn, LaneFn, kind};
use dc_runtime::prelude::*;
use dc_runtime::run;

/// Whether an argument needs the long reduction.
#[crunch]
fn is_far(x: DcDouble) -> DcMask {
    !(x.abs() <= trigonometric::NEAR)
}

/// Whether an argument is negative, 0 or NaN.
#[crunch]
fn is_not_positive(x: DcDouble) -> DcMask {
    !(x > 0.0)
}

macro_rules! near {
    ($($kernels:ident $name:ident $near:ident $far:ident $note:literal)+) => {$(
        #[doc = concat!("`", stringify!($name), "` in binary64, with an error of at most 0.55 ULP", $note, ".")]
        #[allow(non_camel_case_types, reason = "a kernel's type has the name of its function")]
        pub enum $name {}

        impl CrunchFn for $name {
            type Call = <$kernels::$name as CrunchFn>::Call;
            const CALL: Self::Call = <$kernels::$name as CrunchFn>::CALL;
            const KERNEL: &'static dc_runtime::__private_v0_2::ir::Kernel = <$kernels::$name as CrunchFn>::KERNEL;
        }

        impl LaneFn for $name {
            type Args = (kind::F64,);
            type Ret = kind::F64;
            #[inline(always)]
            #[allow(clippy::inline_always, reason = "a kernel is one loop body")]
            fn call<I: Isa>((x,): (DcDouble<I>,)) -> DcDouble<I> {
                if $far(x).any() {
                    $kernels::$name(x)
                } else {
                    $kernels::$near(x)
                }
            }
        }

        /// The function in kernels.
        #[inline(always)]
        #[must_use]
        #[allow(clippy::inline_always, reason = "lanes must have the instruction set of the caller")]
        pub fn $name<I: Isa>(x: DcDouble<I>) -> DcDouble<I> {
            <$name as LaneFn>::call::<I>((x,))
        }

        impl $name {
            /// The function of one number.
            #[inline]
            #[must_use]
            pub fn eval(x: f64) -> f64 {
                run::eval::<Self>((x,))
            }
            /// The function of each number of a slice, on the widest instruction set of this processor.
            ///
            /// # Panics
            /// If the lengths differ.
            #[inline]
            pub fn map(x: &[f64], out: &mut [f64]) {
                run::map::<Self>((x,), out);
            }
            /// Each number is replaced by the function of it.
            #[inline]
            pub fn map_in_place(values: &mut [f64]) {
                run::map_in_place::<Self, _>(values);
            }
            /// As `eval`, if the thread has the default floating-point environment.
            ///
            /// # Errors
            /// If it has not.
            #[inline]
            pub fn eval_checked(x: f64) -> Result<f64, NotDefault> {
                run::eval_checked::<Self>((x,))
            }
            /// As `map`, if the thread has the default floating-point environment.
            ///
            /// # Errors
            /// If it has not.
            ///
            /// # Panics
            /// If the lengths differ.
            #[inline]
            pub fn map_checked(x: &[f64], out: &mut [f64]) -> Result<(), NotDefault> {
                run::map_checked::<Self>((x,), out)
            }
        }
    )+};
}
near! {
    trigonometric sin sin_near is_far ""
    trigonometric cos cos_near is_far ""
    trigonometric tan tan_near is_far ""
    gamma lgamma lgamma_positive is_not_positive " for positive numbers"
}
