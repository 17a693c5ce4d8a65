//! Functions in binary32. The result is the true value rounded to nearest, ties to even.
//!
//! Twenty-three functions have kernels of their own: `exp`, `exp2`, `exp10`, `expm1`, `log`, `log2`, `log10`, `log1p`, `log2p1`, `log10p1`, `sin`, `cos`,
//! `tan`, `asin`, `acos`, `atan`, `sinh`, `cosh` and `cbrt`, and four that `crunch design` wrote (`designed.rs`): `sinpi`, `tanh`, `erf` and `sigmoid`. After
//! the argument reduction, which is in binary32 where that is exact, each evaluates one or two polynomials, or a quotient of two, in binary64. The constants
//! are chosen so that few inputs are misrounded, or none.
//!
//! Every other function is the library's reference in binary64, rounded. Its relative error is at most 2^-46, so a few of the 2^32 inputs would be misrounded.
//! A search of all inputs found these, and those of the kernels; `exceptions.rs` lists them. `cargo xtask math` shows for all functions that no other input is
//! misrounded.

pub use kernels::*;

mod arctangent;
mod designed;
mod exceptions;
mod exponential;
mod hyperbolic;
mod inverse;
mod logarithm;
mod roots;
mod short;
mod trigonometric;

/// The kernels, from the table of references.
mod kernels {
    use super::exceptions::*;
    use crate::wide::*;
    use dc_runtime::prelude::*;

    macro_rules! one {
        ($($name:ident $function:ident { $f32:ident $($about:literal)* } $({ $($f64:tt)* })?;)+) => {
            $(kernel! { $name $f32 })+
        };
    }

    macro_rules! kernel {
        // Operations of binary32.
        (sqrt $f32:ident) => {
            /// `sqrt` in binary32, correctly rounded.
            #[crunch]
            pub fn sqrt(x: DcFloat) -> DcFloat {
                x.sqrt()
            }
        };
        (recip $f32:ident) => {
            /// `recip` in binary32, correctly rounded.
            #[crunch]
            pub fn recip(x: DcFloat) -> DcFloat {
                x.recip()
            }
        };
        (exp $f32:ident) => {
            pub use super::short::exp;
        };
        (exp2 $f32:ident) => {
            pub use super::short::exp2;
        };
        (exp10 $f32:ident) => {
            pub use super::short::exp10;
        };
        (expm1 $f32:ident) => {
            pub use super::short::expm1;
        };
        (log $f32:ident) => {
            pub use super::short::log;
        };
        (log2 $f32:ident) => {
            pub use super::short::log2;
        };
        (log10 $f32:ident) => {
            pub use super::short::log10;
        };
        (log1p $f32:ident) => {
            pub use super::short::log1p;
        };
        (log2p1 $f32:ident) => {
            pub use super::short::log2p1;
        };
        (log10p1 $f32:ident) => {
            pub use super::short::log10p1;
        };
        (sin $f32:ident) => {
            pub use super::short::sin;
        };
        (cos $f32:ident) => {
            pub use super::short::cos;
        };
        (asin $f32:ident) => {
            pub use super::short::asin;
        };
        (acos $f32:ident) => {
            pub use super::short::acos;
        };
        (acosh $f32:ident) => {
            with_exceptions! { acosh $f32 ACOSH_AT ACOSH_TO }
        };
        (asinh $f32:ident) => {
            with_exceptions! { asinh $f32 ASINH_AT ASINH_TO }
        };
        (atan $f32:ident) => {
            pub use super::short::atan;
        };
        (sinpi $f32:ident) => {
            pub use super::short::sinpi;
        };
        (tanh $f32:ident) => {
            pub use super::short::tanh;
        };
        (erf $f32:ident) => {
            pub use super::short::erf;
        };
        (sigmoid $f32:ident) => {
            pub use super::short::sigmoid;
        };
        (atanh $f32:ident) => {
            with_exceptions! { atanh $f32 ATANH_AT ATANH_TO }
        };
        (atanpi $f32:ident) => {
            with_exceptions! { atanpi $f32 ATANPI_AT ATANPI_TO }
        };
        (erfc $f32:ident) => {
            with_exceptions! { erfc $f32 ERFC_AT ERFC_TO }
        };
        (exp10m1 $f32:ident) => {
            with_exceptions! { exp10m1 $f32 EXP10M1_AT EXP10M1_TO }
        };
        (gelu $f32:ident) => {
            with_exceptions! { gelu $f32 GELU_AT GELU_TO }
        };
        (lgamma $f32:ident) => {
            with_exceptions! { lgamma $f32 LGAMMA_AT LGAMMA_TO }
        };
        (logit $f32:ident) => {
            with_exceptions! { logit $f32 LOGIT_AT LOGIT_TO }
        };
        (silu $f32:ident) => {
            with_exceptions! { silu $f32 SILU_AT SILU_TO }
        };
        (sinh $f32:ident) => {
            pub use super::short::sinh;
        };
        (cosh $f32:ident) => {
            pub use super::short::cosh;
        };
        (cbrt $f32:ident) => {
            pub use super::short::cbrt;
        };
        (softplus $f32:ident) => {
            with_exceptions! { softplus $f32 SOFTPLUS_AT SOFTPLUS_TO }
        };
        (srgb_from_linear $f32:ident) => {
            with_exceptions! { srgb_from_linear $f32 SRGB_FROM_LINEAR_AT SRGB_FROM_LINEAR_TO }
        };
        (srgb_to_linear $f32:ident) => {
            with_exceptions! { srgb_to_linear $f32 SRGB_TO_LINEAR_AT SRGB_TO_LINEAR_TO }
        };
        (tan $f32:ident) => {
            pub use super::short::tan;
        };
        (tgamma $f32:ident) => {
            with_exceptions! { tgamma $f32 TGAMMA_AT TGAMMA_TO }
        };
        ($name:ident $f32:ident) => {
            #[doc = concat!("`", stringify!($name), "` in binary32, correctly rounded.")]
            #[crunch]
            pub fn $name(x: DcFloat) -> DcFloat {
                $f32(x.to_f64()).to_f32()
            }
        };
    }

    macro_rules! with_exceptions {
        ($name:ident $f32:ident $at:ident $to:ident) => {
            #[doc = concat!("`", stringify!($name), "` in binary32, correctly rounded.")]
            #[crunch]
            pub fn $name(x: DcFloat) -> DcFloat {
                patched(x, $f32(x.to_f64()).to_f32(), &$at, &$to)
            }
        };
    }
    dc_runtime::__references!(one);

    macro_rules! two {
        ($($name:ident $function:ident { $f32:ident $($about:literal)* } $({ $($f64:tt)* })?;)+) => {
            $(of_two! { $name $f32 })+
        };
    }

    macro_rules! of_two {
        (div $f32:ident) => {
            /// `div` in binary32, correctly rounded.
            #[crunch]
            pub fn div(x: DcFloat, y: DcFloat) -> DcFloat {
                x / y
            }
        };
        ($name:ident $f32:ident) => {
            #[doc = concat!("`", stringify!($name), "` in binary32.")]
            #[crunch]
            pub fn $name(x: DcFloat, y: DcFloat) -> DcFloat {
                $f32(x.to_f64(), y.to_f64()).to_f32()
            }
        };
    }
    dc_runtime::__references_of_two!(two);
}

macro_rules! one {
    ($($name:ident $function:ident { $($f32:tt)* } $({ $($f64:tt)* })?;)+) => {
        $crate::value::functions! { F32, "binary32": one $($name)+; two; }
    };
}
dc_runtime::__references!(one);
macro_rules! two {
    ($($name:ident $function:ident { $($f32:tt)* } $({ $($f64:tt)* })?;)+) => {
        $crate::value::functions! { F32, "binary32": one; two $($name)+; }
    };
}
dc_runtime::__references_of_two!(two);

crate::exact::kernels! {
    DcFloat f32 "binary32": digits 24, top 127, most 300,
    rem_f32 power_f32 exponent_f32 significand_f32
}
crate::exact::functions! { F32 f32 }
