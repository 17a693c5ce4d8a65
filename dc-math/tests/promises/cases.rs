//! The functions with their second computation.

use dc_math::f32 as functions;
#[cfg(feature = "full")]
use dc_runtime::builtins::reference::binary32::*;
use dc_runtime::builtins::reference::{Function, binary64::*};
use dc_runtime::kernel::CrunchFn;
use dc_runtime::prelude::*;
use kernels_gen::ir::Kernel;

/// A function of one argument in binary32.
#[derive(Clone, Copy)]
pub struct Case {
    pub name: &'static str,
    pub function: Function,
    /// The kernel.
    pub kernel: &'static Kernel,
    /// The kernel in binary64.
    pub wide: &'static Kernel,
    /// The ways to call it.
    pub map: fn(&[f32], &mut [f32]),
    pub one: fn(f32) -> f32,
    /// The same function in binary64.
    pub double: fn(f64) -> f64,
    /// The same function in binary16 and bfloat16.
    pub half: fn(u16) -> u16,
    pub bfloat: fn(u16) -> u16,
    /// Not 0 where the result differs from the true value less 2^-50 of it, rounded, or from the true value and 2^-50 of it: a wrong
    /// result, or a true value next to a midpoint.
    pub check: fn(f32) -> i32,
    /// The same of slices, on the widest instruction set.
    #[cfg(feature = "full")]
    pub check_all: fn(&[f32], &mut [i32]),
    /// The same with the first computation in place of the second, and 2^-44: with its bound for granted, the result is right where it
    /// is 0.
    #[cfg(feature = "full")]
    pub quick_all: fn(&[f32], &mut [i32]),
    /// The second computation.
    pub truth: fn(f64) -> DoubleDouble,
    /// Its error is relative to this where the result is smaller.
    pub least: f64,
}

/// A number's two neighbours at a relative distance, rounded; the distance is absolute where `least` is larger.
#[crunch]
pub fn neighbours(r: DcDoubleDouble, least: DcDouble, distance: DcDouble) -> (DcFloat, DcFloat) {
    let e = r.hi.abs().max(least) * distance;
    let lower = fast_two_sum(r.hi, r.lo - e);
    let upper = fast_two_sum(r.hi, r.lo + e);
    // A zero keeps its sign.
    let finite = (r.hi.abs() < f64::INFINITY) & (r.hi != 0.0);
    let one = r.hi.to_f32();
    (
        if finite { dd_to_f32(lower) } else { one },
        if finite { dd_to_f32(upper) } else { one },
    )
}

/// Which bits of a result differ from those of either neighbour of the true value.
#[crunch]
fn differ(y: DcFloat, r: DcDoubleDouble, least: DcDouble, distance: DcDouble) -> DcInt {
    let (lower, upper) = neighbours(r, least, distance);
    let bits = y.to_bits();
    (bits ^ lower.to_bits()) | (bits ^ upper.to_bits())
}

/// lgamma's error is relative to 1 where it is small: it has zeros between its poles.
macro_rules! least {
    (lgamma) => {
        1.0
    };
    ($other:ident) => {
        0.0
    };
}

macro_rules! cases {
    ($($name:ident $function:ident { $f32:ident $($f32_more:literal)* } { $f64:ident $($f64_more:literal)* };)+) => {
        $(mod $name {
            use super::*;

            pub const LEAST: f64 = least!($name);

            #[crunch]
            pub fn check(x: DcFloat) -> DcInt {
                differ(functions::$name(x), $f64(x.to_f64()), LEAST, 8.881_784_197_001_252e-16)
            }

            #[cfg(feature = "full")]
            #[crunch]
            pub fn quick(x: DcFloat) -> DcInt {
                let first = dd_from_f64($f32(x.to_f64()));
                differ(functions::$name(x), first, LEAST, 5.684_341_886_080_802e-14)
            }
        })+

        /// All of them.
        pub const CASES: &[Case] = &[$(Case {
            name: stringify!($name),
            function: Function::$function,
            kernel: <functions::$name as CrunchFn>::KERNEL,
            wide: <dc_math::f64::$name as CrunchFn>::KERNEL,
            map: functions::$name::map,
            one: functions::$name,
            double: dc_math::f64::$name,
            half: dc_math::f16::$name,
            bfloat: dc_math::bf16::$name,
            check: $name::check::eval,
            #[cfg(feature = "full")]
            check_all: $name::check::map,
            #[cfg(feature = "full")]
            quick_all: $name::quick::map,
            truth: $f64::eval,
            least: $name::LEAST,
        }),+];
    };
}
dc_runtime::__references!(cases);
