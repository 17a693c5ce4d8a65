//! binary16 and bfloat16: the reference in binary64, rounded once to the format.

use dc_runtime::prelude::*;

/// A double rounded to odd in binary32: if it is not a binary32 number, the result is its neighbour whose last bit is 1. Rounding
/// this result to a format of fewer bits gives the same as rounding the double itself (Boldo and Melquiond 2008).
#[crunch]
fn to_odd(y: DcDouble) -> DcFloat {
    let near = y.to_f32();
    let bits = near.to_bits();
    let back = near.to_f64();
    let even = (bits & 1) == 0;
    let inexact = (back != y) & !y.is_nan();
    // Toward y: the magnitude grows if `near` is below it.
    let grow = back.abs() < y.abs();
    let odd = if grow { bits + 1 } else { bits - 1 };
    if inexact & even {
        DcFloat::from_bits(odd)
    } else {
        near
    }
}

/// 2^41 + 1: the difference between a number and its product with this constant gives the number's first 12 bits.
const TWELVE: f64 = 2_199_023_255_553.0;
/// 2^-48: four times the error of a power in binary64.
const NEXT_TO: f64 = f64::from_bits((1023 - 48) << 52);

/// A power that is next to a number of 12 bits is replaced by that number. A midpoint of two results has at most 12 bits, and some powers
/// are midpoints, such as 26^3 in binary16. No other power in 16 bits is so close to a midpoint: the search of all pairs shows that.
#[crunch]
fn power(y: DcDouble) -> DcDouble {
    let c = y * TWELVE;
    let near = c - (c - y);
    if (y - near).abs() <= y.abs() * NEXT_TO {
        near
    } else {
        y
    }
}

/// A kernel of two arguments.
macro_rules! of_two {
    (pow $($rest:tt)*) => { $crate::stored::of_two! { powers pow $($rest)* } };
    (powr $($rest:tt)*) => { $crate::stored::of_two! { powers powr $($rest)* } };
    (powers $name:ident $f32:ident $lanes:ident $to:ident) => {
        #[doc = concat!("`", stringify!($name), "`, correctly rounded.")]
        #[crunch]
        pub fn $name(x: $lanes, y: $lanes) -> $lanes {
            to_odd(power($f32(x.to_f32().to_f64(), y.to_f32().to_f64()))).$to()
        }
    };
    ($name:ident $f32:ident $lanes:ident $to:ident) => {
        #[doc = concat!("`", stringify!($name), "`, correctly rounded.")]
        #[crunch]
        pub fn $name(x: $lanes, y: $lanes) -> $lanes {
            to_odd($f32(x.to_f32().to_f64(), y.to_f32().to_f64())).$to()
        }
    };
}
pub(crate) use of_two;

/// The kernels of one argument, or of two, of a format.
macro_rules! kernels {
    ($lanes:ident $to:ident one; $($name:ident $function:ident { $f32:ident $($about:literal)* } $({ $($f64:tt)* })?;)+) => {$(
        #[doc = concat!("`", stringify!($name), "`, correctly rounded.")]
        #[crunch]
        pub fn $name(x: $lanes) -> $lanes {
            to_odd($f32(x.to_f32().to_f64())).$to()
        }
    )+};
    ($lanes:ident $to:ident two; $($name:ident $function:ident { $f32:ident $($about:literal)* } $({ $($f64:tt)* })?;)+) => {
        $($crate::stored::of_two! { $name $f32 $lanes $to })+
    };
}

/// The functions of numbers and lanes.
macro_rules! names {
    ($kind:ident $what:literal one; $($name:ident $function:ident { $($f32:tt)* } $({ $($f64:tt)* })?;)+) => {
        $crate::value::functions! { $kind, $what: one $($name)+; two; }
    };
    ($kind:ident $what:literal two; $($name:ident $function:ident { $($f32:tt)* } $({ $($f64:tt)* })?;)+) => {
        $crate::value::functions! { $kind, $what: one; two $($name)+; }
    };
}

/// The module of a format, from the tables of references. These tables call a macro by its name, so each use defines its own macro.
macro_rules! format {
    ($($(#[$doc:meta])* $module:ident { $one:ident $two:ident $name_one:ident $name_two:ident })+) => {$(
        $(#[$doc])*
        pub mod $module {
            pub use kernels::*;

            mod kernels {
                use crate::stored::{power, to_odd};
                use crate::wide::*;
                use dc_runtime::prelude::*;

                dc_runtime::__references!($one);
                dc_runtime::__references_of_two!($two);
            }

            dc_runtime::__references!($name_one);
            dc_runtime::__references_of_two!($name_two);
        }
    )+};
}

macro_rules! callbacks {
    ($d:tt $($callback:ident: $to:ident { $($given:tt)* };)+) => {$(
        macro_rules! $callback {
            ($d($d all:tt)+) => { $crate::stored::$to! { $($given)*; $d($d all)+ } };
        }
    )+};
}
use {kernels, names};
callbacks! { $
    half_one: kernels { DcHalf to_half one };
    half_two: kernels { DcHalf to_half two };
    bfloat_one: kernels { DcBfloat to_bfloat one };
    bfloat_two: kernels { DcBfloat to_bfloat two };
    half_name_one: names { Half "binary16" one };
    half_name_two: names { Half "binary16" two };
    bfloat_name_one: names { Bfloat "bfloat16" one };
    bfloat_name_two: names { Bfloat "bfloat16" two };
}

format! {
    /// Functions in binary16, with arguments and results as bits in a `u16`. The result is the true value rounded to nearest, ties to even.
    f16 { half_one half_two half_name_one half_name_two }
    /// Functions in bfloat16, with arguments and results as bits in a `u16`. The result is the true value rounded to nearest, ties to even.
    bf16 { bfloat_one bfloat_two bfloat_name_one bfloat_name_two }
}
