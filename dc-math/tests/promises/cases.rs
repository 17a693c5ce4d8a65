//! The functions with their second computation.

use dc_math::f32 as functions;
use dc_runtime::builtins::reference::{Function, binary32::*, binary64::*};
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
    /// What is promised.
    pub map: fn(&[f32], &mut [f32]),
    pub one: fn(f32) -> f32,
    pub in_place: fn(&mut [f32]),
    /// The same function in binary16 and bfloat16.
    pub half: fn(&[u16], &mut [u16]),
    pub bfloat: fn(&[u16], &mut [u16]),
    /// The true value less 2^-50 of it, and the true value and 2^-50 of it, both rounded.
    pub near: fn(&[f32], &mut [(f32, f32)]),
    /// The first computation less 2^-44 of it, and with 2^-44 of it more, both rounded: with its bound for granted, the result is right
    /// where they agree.
    pub quick: fn(&[f32], &mut [(f32, f32)]),
    /// The second computation.
    pub truth: fn(&[f64], &mut [DoubleDouble]),
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

/// As `neighbours`, of a double and 2^-44.
#[crunch]
fn around(y: DcDouble, least: DcDouble) -> (DcFloat, DcFloat) {
    let e = y.abs().max(least) * 5.684_341_886_080_802e-14;
    let finite = (y.abs() < f64::INFINITY) & (y != 0.0);
    let (lower, upper) = ((y - e).to_f32(), (y + e).to_f32());
    let one = y.to_f32();
    (
        if finite { lower } else { one },
        if finite { upper } else { one },
    )
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
            pub fn near(x: DcFloat) -> (DcFloat, DcFloat) {
                neighbours($f64(x.to_f64()), LEAST, 8.881_784_197_001_252e-16)
            }

            #[crunch]
            pub fn quick(x: DcFloat) -> (DcFloat, DcFloat) {
                around($f32(x.to_f64()), LEAST)
            }
        })+

        /// All of them.
        pub const CASES: &[Case] = &[$(Case {
            name: stringify!($name),
            function: Function::$function,
            kernel: <functions::$name as CrunchFn>::KERNEL,
            map: functions::$name::map,
            one: functions::$name,
            in_place: functions::$name::map_in_place,
            half: dc_math::f16::$name::map,
            bfloat: dc_math::bf16::$name::map,
            near: $name::near::map,
            quick: $name::quick::map,
            truth: $f64::map,
            least: $name::LEAST,
        }),+];
    };
}
dc_runtime::__references!(cases);
