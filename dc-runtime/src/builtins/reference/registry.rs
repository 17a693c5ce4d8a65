//! All references.

use kernels_gen::ir::Kernel;

use super::{Function, binary32};
use crate::kernel::CrunchFn;

/// A function with its references.
#[derive(Debug, Clone, Copy)]
pub struct Reference {
    /// Its name in C, the one used after `computes` in a suite.
    pub name: &'static str,
    /// The function.
    pub function: Function,
    /// `DcDouble -> DcDouble`, for routines in binary32, with as many arguments as the function.
    pub binary32: Tier,
    /// `DcDouble -> DcDoubleDouble`, for routines in binary64, if there is one.
    pub binary64: Option<Tier>,
}

/// A reference for one precision.
#[derive(Debug, Clone, Copy)]
pub struct Tier {
    /// The kernel.
    pub kernel: &'static Kernel,
    /// The relative error is at most 2^-`bits`, unless the note restricts the inputs.
    pub bits: u32,
    /// The inputs at which the bound does not hold, and the error there; empty if the bound holds everywhere.
    pub note: &'static str,
}

macro_rules! all {
    ($list:ident, $text:literal; $($name:ident $function:ident { $f32:ident $bits:literal $note:literal } $({ $f64:ident $bits64:literal $note64:literal })?;)+) => {
        #[doc = $text]
        pub static $list: &[Reference] = &[$(Reference {
            name: stringify!($name),
            function: Function::$function,
            binary32: Tier { kernel: <binary32::$f32 as CrunchFn>::KERNEL, bits: $bits, note: $note },
            binary64: {
                #[allow(unused_mut, unused_assignments, reason = "one of two values, without an if")]
                let mut tier: Option<Tier> = None;
                $(tier = Some(Tier { kernel: <super::binary64::$f64 as CrunchFn>::KERNEL, bits: $bits64, note: $note64 });)?
                tier
            },
        }),+];
    };
}
macro_rules! of_one {
    ($($all:tt)+) => { all! { REFERENCES, "Those of one argument, the families together."; $($all)+ } };
}
macro_rules! of_two {
    ($($all:tt)+) => { all! { REFERENCES_OF_TWO, "Those of two arguments."; $($all)+ } };
}
crate::__references!(of_one);
crate::__references_of_two!(of_two);

/// All references.
#[cfg(feature = "std")]
pub(super) fn known() -> impl Iterator<Item = &'static Reference> {
    REFERENCES.iter().chain(REFERENCES_OF_TWO)
}
