//! Binary64: kernels with one polynomial in doubles and the last sum in two words, with errors of at most 0.55 ULP. `hypot`, and `lgamma` of negative
//! numbers, are the library's double-double references, rounded.
//!
//! | function | largest error found in the tests | certified bound | of the inputs | ns a number, in slices | one number |
//! |---|---:|---:|---|---:|---:|
//! | `exp` | 0.5329 | 0.5421 | -745 to 709.7 | 0.85 | 5.00 |
//! | `exp2` | 0.5341 | 0.5419 | -1074 to 1023.9 | 0.87 | 5.05 |
//! | `exp10` | 0.5330 | 0.5425 | -307 to 308.2 | – | – |
//! | `expm1` | 0.5165 | 0.5311 | -40 to 709.7 | 1.09 | 6.36 |
//! | `exp2m1` | 0.5154 | 0.5330 | 1e-10 to 1023.9 | 1.45 | 9.82 |
//! | `exp10m1` | 0.5121 | 0.5330 | 1e-10 to 308.2 | 1.49 | 10.19 |
//! | `log` | 0.5189 | 0.5498 | 5e-324 to largest | 1.16 | 7.64 |
//! | `log2` | 0.5215 | 0.5446 | 5e-324 to largest | 1.20 | 8.01 |
//! | `log10` | 0.5174 | 0.5440 | 5e-324 to largest | 1.28 | 7.99 |
//! | `log1p` | 0.5185 | 0.5497 | 1e-10 to largest | 1.37 | 9.08 |
//! | `log2p1` | 0.5181 | 0.5299 | 1e-10 to largest | 1.77 | 10.96 |
//! | `log10p1` | 0.5172 | 0.5423 | 1e-10 to largest | 1.86 | 10.97 |
//! | `sin` | 0.5305 | 0.5318 | -3.1 to 3.1 | 1.41 | 5.97 |
//! | `cos` | 0.5261 | 0.5235 | -1.5 to 1.5 | 1.33 | 5.55 |
//! | `tan` | 0.5124 | 0.5233 | -1.5 to 1.5 | 2.50 | 13.90 |
//! | `sinpi` | 0.5155 | 0.5312 | -0.99 to 0.99 | 1.79 | 9.92 |
//! | `cospi` | 0.5185 | 0.5312 | -0.49 to 0.49 | 1.33 | 6.08 |
//! | `tanpi` | 0.5082 | 0.5222 | -0.49 to 0.49 | 2.58 | 15.09 |
//! | `asin` | 0.5013 | 0.5201 | -1 to 1 | 2.49 | 21.25 |
//! | `acos` | 0.5006 | 0.5011 | -0.99 to 0.99 | 2.52 | 21.60 |
//! | `atan` | 0.5020 | 0.5051 | all | 1.68 | 12.49 |
//! | `asinpi` | 0.5002 | 0.5088 | 1e-10 to 1 | 2.61 | 18.33 |
//! | `acospi` | 0.5001 | 0.5015 | -0.99 to 0.99 | 2.36 | 17.56 |
//! | `atanpi` | 0.5016 | 0.5036 | 1e-10 to largest | 1.90 | 11.79 |
//! | `sinh` | 0.5049 | 0.5062 | -710 to 710 | 2.01 | 13.32 |
//! | `cosh` | 0.5002 | 0.5031 | -710 to 710 | 1.51 | 11.75 |
//! | `tanh` | 0.5123 | 0.5305 | -20 to 20 | 1.76 | 14.32 |
//! | `asinh` | 0.5179 | 0.5497 | 1e-10 to largest | 2.56 | 20.59 |
//! | `acosh` | 0.5007 | 0.5156 | 1.001 to largest | 2.46 | 24.40 |
//! | `atanh` | 0.5128 | 0.5497 | 1e-10 to 0.999 | 2.13 | 18.57 |
//! | `cbrt` | 0.5239 | 0.5288 | 5e-324 to largest | 1.86 | 14.37 |
//! | `rsqrt` | 0.5000 | 0.5001 | 5e-324 to largest | – | – |
//! | `sigmoid` | 0.5006 | 0.5012 | -745 to 40 | 1.53 | 10.87 |
//! | `logit` | 0.5250 | 0.5499 | 1e-300 to 0.499 | 1.69 | 10.63 |
//! | `erf` | 0.5158 | 0.5201 | 1e-10 to 5.9 | 2.42 | 11.45 |
//! | `erfc` | 0.5177 | 0.5192 | -5.9 to 27.2 | 3.63 | 19.55 |
//! | `tgamma` | 0.5214 | – | – | 6.87 | 47.31 |
//! | `lgamma`, positive | 0.5188 | 0.5193 | 1e-10 to 0.99, 2.51 to 1e15 | 7.70 | 49.05 |
//! | `softplus` | 0.5018 | 0.5011 | -41 to -0.5 | 3.61 | 32.80 |
//! | `silu` | 0.5005 | 0.5012 | -750 to 700 | 1.93 | 19.75 |
//! | `gelu` | 0.5072 | 0.5096 | -38.5 to -1e-10 | 4.73 | 29.05 |
//! | `mish` | 0.5005 | 0.5013 | -750 to -1e-10 | 2.76 | 25.38 |
//! | `srgb_to_linear` | 0.5258 | – | – | 3.56 | 32.79 |
//! | `srgb_from_linear` | 0.5006 | – | – | 3.59 | 35.10 |
//! | `pow`, `powr` | 0.5332 | – | – | 3.85 | 27.68 |
//! | `atan2` | 0.5032 | – | – | 2.15 | 13.16 |
//! | `sqrt` | 0.5 | 0.5 | all | – | – |
//! | `recip` | 0.5 | 0.5 | all | – | – |
//!
//! Errors are in ULP. `cargo xtask math --bounds` computes the bounds, `cargo test -p dc-math --test promises -- --nocapture` the errors,
//! `cargo bench -p dc-math --bench math` the times (here: AVX-512, a loaded machine).

mod area;
pub(crate) mod common;
mod error;
mod exponential;
mod gamma;
mod gamma_pieces;
mod half_turns;
mod hyperbolic;
mod inverse;
mod logarithm;
mod logistic;
mod near;
mod pieces;
mod power;
mod roots;
mod srgb;
mod tables;
mod trigonometric;

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
            kernel! { $name $f64 }
        )?)+};
    }

    /// Functions with kernels of their own, and the others.
    macro_rules! kernel {
        (exp $f64:ident) => {
            pub use super::exponential::exp;
        };
        (exp2 $f64:ident) => {
            pub use super::exponential::exp2;
        };
        (exp10 $f64:ident) => {
            pub use super::exponential::exp10;
        };
        (expm1 $f64:ident) => {
            pub use super::hyperbolic::expm1;
        };
        (sinh $f64:ident) => {
            pub use super::hyperbolic::sinh;
        };
        (cosh $f64:ident) => {
            pub use super::hyperbolic::cosh;
        };
        (tanh $f64:ident) => {
            pub use super::hyperbolic::tanh;
        };
        (log $f64:ident) => {
            pub use super::logarithm::log;
        };
        (log2 $f64:ident) => {
            pub use super::logarithm::log2;
        };
        (log10 $f64:ident) => {
            pub use super::logarithm::log10;
        };
        (log1p $f64:ident) => {
            pub use super::logarithm::log1p;
        };
        (sin $f64:ident) => {
            pub use super::near::sin;
        };
        (cos $f64:ident) => {
            pub use super::near::cos;
        };
        (tan $f64:ident) => {
            pub use super::near::tan;
        };
        (asin $f64:ident) => {
            pub use super::inverse::asin;
        };
        (acos $f64:ident) => {
            pub use super::inverse::acos;
        };
        (atan $f64:ident) => {
            pub use super::inverse::atan;
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
            pub use super::hyperbolic::exp2m1;
        };
        (exp10m1 $f64:ident) => {
            pub use super::hyperbolic::exp10m1;
        };
        (log2p1 $f64:ident) => {
            pub use super::logarithm::log2p1;
        };
        (log10p1 $f64:ident) => {
            pub use super::logarithm::log10p1;
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
            pub use super::area::asinh;
        };
        (acosh $f64:ident) => {
            pub use super::area::acosh;
        };
        (atanh $f64:ident) => {
            pub use super::area::atanh;
        };
        (logit $f64:ident) => {
            pub use super::area::logit;
        };
        (erf $f64:ident) => {
            pub use super::error::erf;
        };
        (erfc $f64:ident) => {
            pub use super::error::erfc;
        };
        (gelu $f64:ident) => {
            pub use super::error::gelu;
        };
        (silu $f64:ident) => {
            pub use super::logistic::silu;
        };
        (softplus $f64:ident) => {
            pub use super::logistic::softplus;
        };
        (mish $f64:ident) => {
            pub use super::logistic::mish;
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
            pub use super::near::lgamma;
        };
        (sigmoid $f64:ident) => {
            pub use super::logistic::sigmoid;
        };
        ($name:ident $f64:ident) => {
            #[doc = concat!("`", stringify!($name), "` in binary64.")]
            #[crunch]
            pub fn $name(x: DcDouble) -> DcDouble {
                nearest($f64(x))
            }
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
        (pow $f64:ident) => {
            pub use super::power::pow;
        };
        (powr $f64:ident) => {
            pub use super::power::powr;
        };
        ($name:ident $f64:ident) => {
            #[doc = concat!("`", stringify!($name), "` in binary64.")]
            #[crunch]
            pub fn $name(x: DcDouble, y: DcDouble) -> DcDouble {
                nearest($f64(x, y))
            }
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
