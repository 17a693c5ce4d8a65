//! `DcHalf` and `DcBfloat`.

use super::{round_to_bfloat, round_to_half};
use crate::isa::Isa;
use crate::ops::Fence;
use crate::types::{DcFloat, DcMask, HasIsa, Selectable};

/// The only NaN of results.
const CANONICAL_NAN: f32 = f32::from_bits(0x7fc0_0000);

/// The binary32 number with these binary16 bits; every NaN becomes the canonical one.
#[must_use]
pub(crate) fn half_number(bits: u16) -> f32 {
    let magnitude = u32::from(bits & 0x7fff);
    let x = match magnitude {
        0x7c01.. => return CANONICAL_NAN,
        0x7c00 => f32::INFINITY,
        // Placed in binary32's exponent and fraction, the bits are 2^-112 of the number.
        _ => f32::from_bits(magnitude << 13) * f32::from_bits((127 + 112) << 23),
    };
    if bits >> 15 == 1 { -x } else { x }
}

/// The binary16 bits of a number of that format; for a NaN, the bits that [`f32_to_half`](crate::prelude::f32_to_half()) gives.
#[must_use]
pub(crate) fn half_bits(number: f32) -> u16 {
    let sign = ((number.to_bits() >> 16) & 0x8000) as u16;
    let magnitude = number.abs();
    if magnitude.is_nan() {
        0x7e00
    } else if magnitude == f32::INFINITY {
        sign | 0x7c00
    } else {
        let placed = magnitude * f32::from_bits((127 - 112) << 23);
        sign | (placed.to_bits() >> 13) as u16
    }
}

/// The binary32 number with these bfloat16 bits; every NaN becomes the canonical one.
#[must_use]
pub(crate) fn bfloat_number(bits: u16) -> f32 {
    let x = f32::from_bits(u32::from(bits) << 16);
    if x.is_nan() { CANONICAL_NAN } else { x }
}

/// The bfloat16 bits of a number of that format; for a NaN, the bits that [`f32_to_bfloat`](crate::prelude::f32_to_bfloat()) gives.
#[must_use]
pub(crate) fn bfloat_bits(number: f32) -> u16 {
    if number.is_nan() {
        0x7fc0
    } else {
        (number.to_bits() >> 16) as u16
    }
}

/// A 16-bit type. Its lanes are binary32 numbers of the format: nothing is computed in the format itself.
macro_rules! stored {
    ($(#[$doc:meta])* $name:ident, $to:ident, $round:ident, $format:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name<I: Isa> {
            pub(crate) number: DcFloat<I>,
            /// The number before it was rounded to the format, or the number itself. A store rounds it directly, and `number` is dead code if
            /// no operation follows.
            pub(crate) before: DcFloat<I>,
        }

        impl<I: Isa> $name<I> {
            /// The number in binary32; exact.
            #[inline(always)]
            #[must_use]
            pub fn to_f32(self) -> DcFloat<I> {
                self.number
            }
        }

        impl<I: Isa> DcFloat<I> {
            #[doc = concat!("The number rounded to ", $format, ", to nearest, ties to even; infinite from half an ULP above the largest number on.")]
            #[inline(always)]
            #[must_use]
            pub fn $to(self) -> $name<I> {
                $name {
                    number: $round(self),
                    before: self,
                }
            }
        }

        impl<I: Isa> HasIsa for $name<I> {
            type Isa = I;
            #[inline(always)]
            fn isa(&self) -> I {
                self.number.isa
            }
        }

        impl<I: Isa> Fence for $name<I> {
            #[inline(always)]
            fn fence(self) -> Self {
                let number = self.number.fence();
                $name {
                    number,
                    before: number,
                }
            }
        }

        impl<I: Isa> Selectable<I> for $name<I> {
            #[inline(always)]
            fn select(m: DcMask<I>, a: Self, b: Self) -> Self {
                $name {
                    number: DcFloat::select(m, a.number, b.number),
                    before: DcFloat::select(m, a.before, b.before),
                }
            }
        }
    };
}

stored! {
    /// Numbers that are stored in binary16, and computed in binary32: [`to_f32`](Self::to_f32) loads one,
    /// [`DcFloat::to_half`] rounds one. Outside kernels they are their bits, as `u16`.
    DcHalf, to_half, round_to_half, "binary16"
}
stored! {
    /// Numbers that are stored in bfloat16, and computed in binary32: [`to_f32`](Self::to_f32) loads one,
    /// [`DcFloat::to_bfloat`] rounds one. Outside kernels they are their bits, as `u16`.
    DcBfloat, to_bfloat, round_to_bfloat, "bfloat16"
}
