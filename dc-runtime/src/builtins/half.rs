//! binary16 and bfloat16: numbers are stored in these formats and computed in binary32.
//!
//! Their bits are the lower half of a `DcInt`. The upper half is 0 in results and ignored in arguments. Numbers are rounded to a format to
//! nearest, ties to even, with subnormal results. From half an ULP above the largest number on, they become infinite. A NaN becomes the
//! positive quiet NaN whose fraction has only the highest bit set.
//!
//! A routine that loads such numbers, computes and stores the result is a kernel `DcFloat -> DcFloat` that ends with
//! [`round_to_half`](round_to_half()) or [`round_to_bfloat`](round_to_bfloat());
//! [`Sweep::stored`](crate::sweep::Sweep::stored) searches it over all 2^16 numbers, or all 2^32 pairs of them.

use crate::prelude::*;

/// 2^112, between the exponents' biases of binary32 and binary16.
const BETWEEN: f32 = f32::from_bits((127 + 112) << 23);
/// The bits of binary16's infinity and NaN, and of bfloat16's NaN.
const INFINITY_16: i32 = 0x7c00;
const NAN_16: i32 = 0x7e00;
const NAN_BFLOAT: i32 = 0x7fc0;
/// The bits of a binary32 number: 2^-14, below which binary16 is subnormal; 65520, from which on it is infinite; 1/2.
const LEAST_NORMAL_16: i32 = (127 - 14) << 23;
const OVERFLOW_16: i32 = 0x477f_f000;
const HALF: i32 = 126 << 23;
/// This addend rounds a number at the 13th bit, except for the tie bit, and changes its exponent to the other bias.
const TO_HALF: i32 = 0xfff - (112 << 23);

/// The number with these binary16 bits. Exact.
#[crunch(instruction = instruction::half_to_f32)]
pub fn half_to_f32(bits: DcInt) -> DcFloat {
    let magnitude = bits & 0x7fff;
    // Placed in binary32's exponent and fraction they are 2^-112 of the number, also where it is subnormal.
    let placed = magnitude << 13;
    let finite = DcFloat::from_bits(placed) * BETWEEN;
    let special = DcFloat::from_bits(placed | 0x7f80_0000);
    let x = if magnitude >= INFINITY_16 {
        special
    } else {
        finite
    };
    if (bits & 0x8000) != 0 { -x } else { x }
}

/// The bits of a number rounded to binary16.
#[crunch(instruction = instruction::f32_to_half)]
pub fn f32_to_half(x: DcFloat) -> DcInt {
    let bits = x.to_bits();
    let magnitude = bits & 0x7fff_ffff;
    let odd = magnitude.shr_logical(13) & 1;
    let normal = (magnitude + TO_HALF + odd).shr_logical(13);
    // Subnormal numbers are multiples of 2^-24, the unit in the last place of numbers from 1/2 to 1.
    let subnormal = (x.abs() + 0.5).to_bits() - HALF;
    let y = if magnitude < LEAST_NORMAL_16 {
        subnormal
    } else {
        normal
    };
    let y = if magnitude >= OVERFLOW_16 {
        INFINITY_16
    } else {
        y
    };
    let y = y | (bits.shr_logical(16) & 0x8000);
    if x.is_nan() { NAN_16 } else { y }
}

/// The number with these bfloat16 bits, which are the upper half of the binary32 bits. Exact.
#[crunch]
pub fn bfloat_to_f32(bits: DcInt) -> DcFloat {
    DcFloat::from_bits(bits << 16)
}

/// The bits of a number rounded to bfloat16.
#[crunch(instruction = instruction::f32_to_bfloat)]
pub fn f32_to_bfloat(x: DcFloat) -> DcInt {
    let bits = x.to_bits();
    let odd = bits.shr_logical(16) & 1;
    let y = (bits + 0x7fff + odd).shr_logical(16);
    if x.is_nan() { NAN_BFLOAT } else { y }
}

/// A number rounded to binary16, as if stored and loaded again.
#[crunch(instruction = instruction::round_to_half)]
pub fn round_to_half(x: DcFloat) -> DcFloat {
    half_to_f32(f32_to_half(x))
}

/// A number rounded to bfloat16, as if stored and loaded again.
#[crunch]
pub fn round_to_bfloat(x: DcFloat) -> DcFloat {
    bfloat_to_f32(f32_to_bfloat(x))
}

mod instruction;
mod kind;
mod types;
mod ulp_error;

pub use types::{DcBfloat, DcHalf};
#[cfg(feature = "search")]
pub(crate) use types::{bfloat_bits, bfloat_number, half_bits, half_number};
pub use ulp_error::{ulp_error_bfloat, ulp_error_half};

#[cfg(test)]
mod tests;
