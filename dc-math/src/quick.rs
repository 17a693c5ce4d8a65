//! Functions with a short computation for most arguments. On the CPU, a group of lanes without special arguments is computed by a *short* kernel. All other
//! groups, and the text for GPUs, use the *whole* kernel. The bits are the same, because for arguments that are not special, both kernels compute the same.
//!
//! The short kernel makes no NaN canonical: a NaN argument is special, or the result is that NaN.

/// Declares such functions, with the methods that `#[crunch]` gives: `kind number lanes; name = whole, short, unless special;`. Without a condition, no
/// argument is special.
macro_rules! quick {
    ($kind:ident $number:ident $lanes:ident; $(
        $(#[$doc:meta])*
        $name:ident = $whole:path, $short:path $(, unless $special:path)?;
    )+) => {$(
        $(#[$doc])*
        #[allow(non_camel_case_types, reason = "a kernel's type has the name of its function")]
        pub enum $name {}

        impl dc_runtime::kernel::CrunchFn for $name {
            type Call = <$whole as dc_runtime::kernel::CrunchFn>::Call;
            const CALL: Self::Call = <$whole as dc_runtime::kernel::CrunchFn>::CALL;
            const KERNEL: &'static dc_runtime::__private_v0_2::ir::Kernel =
                <$whole as dc_runtime::kernel::CrunchFn>::KERNEL;
        }

        impl dc_runtime::kernel::LaneFn for $name {
            type Args = (dc_runtime::kernel::kind::$kind,);
            type Ret = dc_runtime::kernel::kind::$kind;
            #[inline(always)]
            #[allow(clippy::inline_always, reason = "a kernel is one loop body")]
            fn call<I: dc_runtime::isa::Isa>(
                (x,): (dc_runtime::prelude::$lanes<I>,),
            ) -> dc_runtime::prelude::$lanes<I> {
                let raw = (x.raw(),);
                $(if <$special as dc_runtime::kernel::LaneFn>::call(raw).any() {
                    return <$whole as dc_runtime::kernel::LaneFn>::call((x,));
                })?
                <$short as dc_runtime::kernel::LaneFn>::call(raw).cooked()
            }
        }

        /// The function in kernels.
        #[inline(always)]
        #[must_use]
        #[allow(clippy::inline_always, reason = "lanes must have the instruction set of the caller")]
        pub fn $name<I: dc_runtime::isa::Isa>(
            x: dc_runtime::prelude::$lanes<I>,
        ) -> dc_runtime::prelude::$lanes<I> {
            <$name as dc_runtime::kernel::LaneFn>::call::<I>((x,))
        }

        impl $name {
            /// The function of one number.
            #[inline]
            #[must_use]
            pub fn eval(x: $number) -> $number {
                dc_runtime::run::eval::<Self>((x,))
            }
            /// The function of each number of a slice, on the widest instruction set of this processor.
            ///
            /// # Panics
            /// If the lengths of the slices differ.
            #[inline]
            pub fn map(x: &[$number], out: &mut [$number]) {
                dc_runtime::run::map::<Self>((x,), out);
            }
            /// Replaces each number by its function value.
            #[inline]
            pub fn map_in_place(values: &mut [$number]) {
                dc_runtime::run::map_in_place::<Self, _>(values);
            }
            /// The same as `eval`, if the thread has the default floating-point environment.
            ///
            /// # Errors
            /// If the thread has another floating-point environment.
            #[inline]
            pub fn eval_checked(x: $number) -> Result<$number, dc_runtime::fenv::NotDefault> {
                dc_runtime::run::eval_checked::<Self>((x,))
            }
            /// The same as `map`, if the thread has the default floating-point environment.
            ///
            /// # Errors
            /// If the thread has another floating-point environment.
            ///
            /// # Panics
            /// If the lengths of the slices differ.
            #[inline]
            pub fn map_checked(
                x: &[$number],
                out: &mut [$number],
            ) -> Result<(), dc_runtime::fenv::NotDefault> {
                dc_runtime::run::map_checked::<Self>((x,), out)
            }
        }
    )+};
}
pub(crate) use quick;
