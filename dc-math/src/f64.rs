//! Binary64: the library's double-double reference, rounded.

pub use kernels::*;

/// The kernels, from the table of the references.
mod kernels {
    use dc_runtime::builtins::reference::binary64::*;
    use dc_runtime::prelude::*;

    /// The double nearest to the sum of two words. The sum `+` would lose the sign of a zero.
    #[crunch]
    fn nearest(r: DcDoubleDouble) -> DcDouble {
        if r.lo == 0.0 { r.hi } else { r.hi + r.lo }
    }

    macro_rules! one {
        ($($name:ident $function:ident { $f32:ident $bits:literal $note:literal } $({ $f64:ident $bits64:literal $note64:literal })?;)+) => {$($(
            #[doc = concat!("`", stringify!($name), "` in binary64.")]
            #[crunch]
            pub fn $name(x: DcDouble) -> DcDouble {
                nearest($f64(x))
            }
        )?)+};
    }
    dc_runtime::__references!(one);

    macro_rules! two {
        ($($name:ident $function:ident { $f32:ident $bits:literal $note:literal } $({ $f64:ident $bits64:literal $note64:literal })?;)+) => {$($(
            #[doc = concat!("`", stringify!($name), "` in binary64.")]
            #[crunch]
            pub fn $name(x: DcDouble, y: DcDouble) -> DcDouble {
                nearest($f64(x, y))
            }
        )?)+};
    }
    dc_runtime::__references_of_two!(two);
}

macro_rules! one {
    ($($name:ident $function:ident { $($f32:tt)* } $({ $($f64:tt)* })?;)+) => {
        $crate::value::functions! { F64, "binary64": one $($name)+; two; }
    };
}
dc_runtime::__references!(one);
macro_rules! two {
    ($($name:ident $function:ident { $($f32:tt)* } $({ $($f64:tt)* })?;)+) => {
        $crate::value::functions! { F64, "binary64": one; two $($name)+; }
    };
}
dc_runtime::__references_of_two!(two);

crate::exact::kernels! {
    DcDouble f64 "binary64": digits 53, top 1023, most 2200,
    rem_f64 power_f64 exponent_f64 significand_f64
}
crate::exact::functions! { F64 f64 }
