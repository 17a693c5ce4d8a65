//! Functions of which most arguments need less than the others. On the CPU, a group of lanes without special arguments is computed by a *short* kernel. Every other
//! group, and the kernel's text for GPUs, has the *whole* one. The bits are the same, because the whole kernel computes what is not special as the short one does.
//!
//! The short kernel makes no NaN canonical: a NaN is special, or its result is a NaN.

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
            /// If the lengths differ.
            #[inline]
            pub fn map(x: &[$number], out: &mut [$number]) {
                dc_runtime::run::map::<Self>((x,), out);
            }
            /// Each number is replaced by the function of it.
            #[inline]
            pub fn map_in_place(values: &mut [$number]) {
                dc_runtime::run::map_in_place::<Self, _>(values);
            }
            /// As `eval`, if the thread has the default floating-point environment.
            ///
            /// # Errors
            /// If it has not.
            #[inline]
            pub fn eval_checked(x: $number) -> Result<$number, dc_runtime::fenv::NotDefault> {
                dc_runtime::run::eval_checked::<Self>((x,))
            }
            /// As `map`, if the thread has the default floating-point environment.
            ///
            /// # Errors
            /// If it has not.
            ///
            /// # Panics
            /// If the lengths differ.
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
