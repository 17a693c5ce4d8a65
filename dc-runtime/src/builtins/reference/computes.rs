//! The functions as types, by which a suite or a sweep selects the reference for its routine's precision.
//!
//! `suite! { … sinf: my_sin, computes sin, … }` and [`Sweep::computing`](crate::sweep::Sweep::computing) take one of these.

use super::{Function, binary32};
use crate::kernel::{LaneFn, kind};

/// A function for which there are references.
pub trait Computes {
    /// The function.
    const FUNCTION: Function;
}

/// A function with a reference for routines of the types `T`, the types of their parameters and result.
#[diagnostic::on_unimplemented(
    message = "there is no reference of `{Self}` for a routine of the types `{T}`",
    label = "no reference of this precision",
    note = "`crunch list --references` shows those that exist; write a reference of your own and name it: `against my_reference`"
)]
pub trait ReferenceFor<T>: Computes {
    /// The reference.
    type Kernel: LaneFn;
}

macro_rules! computes {
    ($args:ty, $args64:ty, $half:ty, $bfloat:ty; $($name:ident $function:ident { $f32:ident $bits:literal $note:literal } $({ $f64:ident $bits64:literal $note64:literal })?;)+) => {$(
        #[doc = concat!("See `Function::", stringify!($function), "`.")]
        #[allow(non_camel_case_types, reason = "named as the function is in C")]
        #[derive(Debug, Clone, Copy)]
        pub enum $name {}
        impl Computes for $name {
            const FUNCTION: Function = Function::$function;
        }
        impl ReferenceFor<($args, kind::F32)> for $name {
            type Kernel = binary32::$f32;
        }
        impl ReferenceFor<($half, kind::Half)> for $name {
            type Kernel = binary32::$f32;
        }
        impl ReferenceFor<($bfloat, kind::Bfloat)> for $name {
            type Kernel = binary32::$f32;
        }
        $(impl ReferenceFor<($args64, kind::F64)> for $name {
            type Kernel = super::binary64::$f64;
        })?
    )+};
}
macro_rules! of_one {
    ($($all:tt)+) => { computes! { (kind::F32,), (kind::F64,), (kind::Half,), (kind::Bfloat,); $($all)+ } };
}
macro_rules! of_two {
    ($($all:tt)+) => { computes! {
        (kind::F32, kind::F32), (kind::F64, kind::F64), (kind::Half, kind::Half), (kind::Bfloat, kind::Bfloat);
        $($all)+
    } };
}
crate::__references!(of_one);
crate::__references_of_two!(of_two);
