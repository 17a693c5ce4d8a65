//! Functions with a short computation for most arguments. On the CPU, a group of lanes without special arguments is computed by a *short* kernel. All other
//! groups, and the text for GPUs, use the *whole* kernel. The bits are the same, because for arguments that are not special, both kernels compute the same.
//! A function may have several short kernels. The first one computes the group for which no argument is special.
//!
//! A single number is a group of one. Its short kernel is the only code that is inlined.
//!
//! The short kernel makes no NaN canonical. With a condition, a NaN argument is special, and the result of other arguments is no NaN.

/// Declares such functions, with the methods that `#[crunch]` gives: `kind number lanes (arguments); name = whole: short [unless special], …;`. Without a
/// condition, no argument is special. With `[alone one, unless special]`, no argument of a group is special, and a single number has the short kernel `one`
/// unless it is special. With `[checked]`, the short kernel has two results, the second of which tells whether the argument is special.
macro_rules! quick {
    ($kind:ident $number:ident $lanes:ident $args:tt; $(
        $(#[$doc:meta])*
        $name:ident = $whole:path: $($short:path $([$($when:tt)+])?),+;
    )+) => {$(
        $crate::quick::quick! {
            @item $kind $number $lanes $args [$(#[$doc])*] $name $whole [$($short $([$($when)+])?),+]
        }
    )+};
    (@item $kind:ident $number:ident $lanes:ident ($($x:ident)+) [$($doc:tt)*] $name:ident $whole:path [$($shorts:tt)+]) => {
        $($doc)*
        #[allow(non_camel_case_types, reason = "a kernel's type has the name of its function")]
        pub enum $name {}

        impl dc_runtime::kernel::CrunchFn for $name {
            type Call = <$whole as dc_runtime::kernel::CrunchFn>::Call;
            const CALL: Self::Call = <$whole as dc_runtime::kernel::CrunchFn>::CALL;
            const KERNEL: &'static dc_runtime::__private_v0_2::ir::Kernel =
                <$whole as dc_runtime::kernel::CrunchFn>::KERNEL;
        }

        impl dc_runtime::kernel::LaneFn for $name {
            type Args = <$whole as dc_runtime::kernel::LaneFn>::Args;
            type Ret = dc_runtime::kernel::kind::$kind;
            #[inline(always)]
            #[allow(clippy::inline_always, reason = "a kernel is one loop body")]
            fn call<I: dc_runtime::isa::Isa>(
                args: <Self::Args as dc_runtime::kernel::Kind>::Lanes<I>,
            ) -> dc_runtime::prelude::$lanes<I> {
                let ($($x,)+) = args;
                let raw = ($($x.raw(),)+);
                $crate::quick::quick! {
                    @of raw, cooked cooked, <$whole as dc_runtime::kernel::LaneFn>::call(args), $($shorts)+
                }
            }
            #[inline(always)]
            #[allow(clippy::inline_always, reason = "a kernel is one loop body")]
            fn single<I: dc_runtime::isa::Isa>(
                isa: I,
                args: <Self::Args as dc_runtime::kernel::Kind>::Plain,
            ) -> $number {
                let ($($x,)+) = <Self::Args as dc_runtime::kernel::Kind>::load(isa, &[args]);
                let raw = ($($x.raw(),)+);
                $crate::quick::quick! {
                    @of raw, single single_canonical, dc_runtime::run::eval_rare::<$whole>(args), $($shorts)+
                }
            }
        }

        /// The function in kernels.
        #[inline(always)]
        #[must_use]
        #[allow(clippy::inline_always, reason = "lanes must have the instruction set of the caller")]
        pub fn $name<I: dc_runtime::isa::Isa>(
            $($x: dc_runtime::prelude::$lanes<I>),+
        ) -> dc_runtime::prelude::$lanes<I> {
            <$name as dc_runtime::kernel::LaneFn>::call::<I>(($($x,)+))
        }

        impl $name {
            /// The function of one number, or of one pair of numbers.
            #[inline]
            #[must_use]
            pub fn eval($($x: $number),+) -> $number {
                dc_runtime::run::eval::<Self>(($($x,)+))
            }
            /// The function of each number of a slice, on the widest instruction set of this processor.
            ///
            /// # Panics
            /// If the lengths of the slices differ.
            #[inline]
            pub fn map($($x: &[$number],)+ out: &mut [$number]) {
                dc_runtime::run::map::<Self>(($($x,)+), out);
            }
            $crate::quick::quick! { @in_place $number $($x)+ }
            /// The same as `eval`, if the thread has the default floating-point environment.
            ///
            /// # Errors
            /// If the thread has another floating-point environment.
            #[inline]
            pub fn eval_checked($($x: $number),+) -> Result<$number, dc_runtime::fenv::NotDefault> {
                dc_runtime::run::eval_checked::<Self>(($($x,)+))
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
                $($x: &[$number],)+
                out: &mut [$number],
            ) -> Result<(), dc_runtime::fenv::NotDefault> {
                dc_runtime::run::map_checked::<Self>(($($x,)+), out)
            }
        }
    };

    // A number has a kernel of its own.
    (@of $raw:ident, cooked cooked, $whole:expr, $short:path [alone $one:path, unless $special:path]) => {
        <$short as dc_runtime::kernel::LaneFn>::call($raw).cooked()
    };
    (@of $raw:ident, single single_canonical, $whole:expr, $short:path [alone $one:path, unless $special:path]) => {
        $crate::quick::quick! { @of $raw, single single_canonical, $whole, $one [unless $special] }
    };
    // A value by the first short kernel that computes all arguments, or by the whole one. Results are taken from lanes by the first method, or by the second
    // one where they may be NaN.
    (@of $raw:ident, $take:ident $take_nan:ident, $whole:expr, $short:path) => {
        <$short as dc_runtime::kernel::LaneFn>::call($raw).$take_nan()
    };
    (@of $raw:ident, $take:ident $take_nan:ident, $whole:expr, $short:path [unless $special:path] $(, $($more:tt)+)?) => {
        if <$special as dc_runtime::kernel::LaneFn>::call($raw).any() {
            $crate::quick::quick! { @else $raw, $take $take_nan, $whole $(, $($more)+)? }
        } else {
            <$short as dc_runtime::kernel::LaneFn>::call($raw).$take()
        }
    };
    (@of $raw:ident, $take:ident $take_nan:ident, $whole:expr, $short:path [checked] $(, $($more:tt)+)?) => {{
        let (y, special) = <$short as dc_runtime::kernel::LaneFn>::call($raw);
        if special.any() {
            $crate::quick::quick! { @else $raw, $take $take_nan, $whole $(, $($more)+)? }
        } else {
            y.$take()
        }
    }};
    (@else $raw:ident, $take:ident $take_nan:ident, $whole:expr) => { $whole };
    (@else $raw:ident, $take:ident $take_nan:ident, $whole:expr, $($more:tt)+) => {
        $crate::quick::quick! { @of $raw, $take $take_nan, $whole, $($more)+ }
    };

    (@in_place $number:ident $x:ident) => {
        /// Replaces each number by its function value.
        #[inline]
        pub fn map_in_place(values: &mut [$number]) {
            dc_runtime::run::map_in_place::<Self, _>(values);
        }
    };
    (@in_place $number:ident $x:ident $y:ident) => {};
}
pub(crate) use quick;
