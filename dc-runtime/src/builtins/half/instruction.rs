//! The conversions by instructions, on sets that have them.

use crate::isa::Isa;
use crate::types::{DcFloat, DcInt};

/// Functions of lanes that apply a method of the instruction set.
macro_rules! instructions {
    ($($name:ident($from:ident) -> $to:ident = $method:ident;)+) => {$(
        #[inline(always)]
        pub(super) fn $name<I: Isa>(x: $from<I>) -> Option<$to<I>> {
            let isa = x.isa;
            isa.$method(x.v).map(|v| $to { v, isa })
        }
    )+};
}
instructions! {
    half_to_f32(DcInt) -> DcFloat = f16_to_f32;
    f32_to_half(DcFloat) -> DcInt = f32_to_f16;
    f32_to_bfloat(DcFloat) -> DcInt = f32_to_bf16;
    round_to_half(DcFloat) -> DcFloat = round_f16;
}
