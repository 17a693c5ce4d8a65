//! Functions in binary64, with errors of at most 0.55 ULP. Each kernel evaluates one polynomial in doubles and the last sum in two words.
//!
//! The documentation of each function gives the largest error that the tests found, the input at which it occurs, the certified bound and
//! the time. Errors are in ULP. `cargo xtask math --bounds` computes the bounds, `cargo test -p dc-math --test promises -- --nocapture` the
//! errors, `cargo bench -p dc-math --bench math` the times. The bound is that of one range; certificates of 0.55 ULP cover all finite inputs, except
//! for those that the book names (`evidence/math.md`, "Outside the ranges").

mod area;
pub(crate) mod common;
mod error;
mod exponential;
mod gamma;
mod gamma_below;
mod gamma_pieces;
mod gamma_zeros;
mod half_angle;
mod half_turns;
mod hyperbolic;
mod inverse;
mod length;
mod logarithm;
mod logistic;
mod pieces;
mod power;
mod roots;
mod short;
mod srgb;
mod tables;
mod trigonometric;

/// Stages of functions, whose numbers have two words. Tests bound each of them.
#[doc(hidden)]
pub mod stages {
    pub use super::gamma::{STAGE_SCALE, gamma_of_word, gamma_of_words, sine_of_half_turns};
    pub use super::gamma_below::{NEAR_ZEROS, distance_from_zero, lgamma_in_words, zero_in_words};
    pub use super::inverse::{left_half, right_half};
    pub use super::power::{exp_of_product, log_in_words, log_of_base};
    pub use super::trigonometric::{STAGES as TURNED, sine, tangent};
}

pub use kernels::*;

/// The kernels, from the table of references.
mod kernels {
    macro_rules! one {
        ($($name:ident $function:ident { $f32:ident $bits:literal $note:literal } $({ $f64:ident $bits64:literal $note64:literal })?;)+) => {$($(
            kernel! { $name $f64 }
        )?)+};
    }

    /// The kernel of each function.
    macro_rules! kernel {
        (exp $f64:ident) => {
            pub use super::short::exp;
        };
        (exp2 $f64:ident) => {
            pub use super::short::exp2;
        };
        (exp10 $f64:ident) => {
            pub use super::short::exp10;
        };
        (expm1 $f64:ident) => {
            pub use super::short::expm1;
        };
        (sinh $f64:ident) => {
            pub use super::short::sinh;
        };
        (cosh $f64:ident) => {
            pub use super::short::cosh;
        };
        (tanh $f64:ident) => {
            pub use super::short::tanh;
        };
        (log $f64:ident) => {
            pub use super::short::log;
        };
        (log2 $f64:ident) => {
            pub use super::short::log2;
        };
        (log10 $f64:ident) => {
            pub use super::short::log10;
        };
        (log1p $f64:ident) => {
            pub use super::short::log1p;
        };
        (sin $f64:ident) => {
            pub use super::short::sin;
        };
        (cos $f64:ident) => {
            pub use super::short::cos;
        };
        (tan $f64:ident) => {
            pub use super::short::tan;
        };
        (asin $f64:ident) => {
            pub use super::short::asin;
        };
        (acos $f64:ident) => {
            pub use super::short::acos;
        };
        (atan $f64:ident) => {
            pub use super::short::atan;
        };
        (sqrt $f64:ident) => {
            pub use super::roots::sqrt;
        };
        (recip $f64:ident) => {
            pub use super::roots::recip;
        };
        (rsqrt $f64:ident) => {
            pub use super::roots::rsqrt;
        };
        (cbrt $f64:ident) => {
            pub use super::roots::cbrt;
        };
        (exp2m1 $f64:ident) => {
            pub use super::short::exp2m1;
        };
        (exp10m1 $f64:ident) => {
            pub use super::short::exp10m1;
        };
        (log2p1 $f64:ident) => {
            pub use super::short::log2p1;
        };
        (log10p1 $f64:ident) => {
            pub use super::short::log10p1;
        };
        (sinpi $f64:ident) => {
            pub use super::half_turns::sinpi;
        };
        (cospi $f64:ident) => {
            pub use super::half_turns::cospi;
        };
        (tanpi $f64:ident) => {
            pub use super::half_turns::tanpi;
        };
        (asinpi $f64:ident) => {
            pub use super::inverse::asinpi;
        };
        (acospi $f64:ident) => {
            pub use super::inverse::acospi;
        };
        (atanpi $f64:ident) => {
            pub use super::inverse::atanpi;
        };
        (asinh $f64:ident) => {
            pub use super::short::asinh;
        };
        (acosh $f64:ident) => {
            pub use super::short::acosh;
        };
        (atanh $f64:ident) => {
            pub use super::short::atanh;
        };
        (logit $f64:ident) => {
            pub use super::short::logit;
        };
        (erf $f64:ident) => {
            pub use super::short::erf;
        };
        (erfc $f64:ident) => {
            pub use super::short::erfc;
        };
        (gelu $f64:ident) => {
            pub use super::short::gelu;
        };
        (silu $f64:ident) => {
            pub use super::short::silu;
        };
        (softplus $f64:ident) => {
            pub use super::short::softplus;
        };
        (mish $f64:ident) => {
            pub use super::short::mish;
        };
        (srgb_to_linear $f64:ident) => {
            pub use super::srgb::srgb_to_linear;
        };
        (srgb_from_linear $f64:ident) => {
            pub use super::srgb::srgb_from_linear;
        };
        (tgamma $f64:ident) => {
            pub use super::gamma::tgamma;
        };
        (lgamma $f64:ident) => {
            pub use super::short::lgamma;
        };
        (sigmoid $f64:ident) => {
            pub use super::short::sigmoid;
        };
    }
    dc_runtime::__references!(one);

    macro_rules! two {
        ($($name:ident $function:ident { $f32:ident $bits:literal $note:literal } $({ $f64:ident $bits64:literal $note64:literal })?;)+) => {$($(
            of_two! { $name $f64 }
        )?)+};
    }

    macro_rules! of_two {
        (div $f64:ident) => {
            pub use super::roots::div;
        };
        (atan2 $f64:ident) => {
            pub use super::inverse::atan2;
        };
        (hypot $f64:ident) => {
            pub use super::short::hypot;
        };
        (pow $f64:ident) => {
            pub use super::short::pow;
        };
        (powr $f64:ident) => {
            pub use super::short::powr;
        };
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
