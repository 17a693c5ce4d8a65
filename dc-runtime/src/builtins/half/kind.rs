//! The kinds of the 16-bit types. Outside kernels they are bits; in lanes and in words they are binary32 numbers.

use kernels_gen::ops::Prim;

use super::types::{DcBfloat, DcHalf, bfloat_bits, bfloat_number, half_bits, half_number};
use super::{bfloat_to_f32, f32_to_bfloat, f32_to_half, half_to_f32};
use crate::isa::Isa;
use crate::kernel::{Anchor, Kind, kind};
use crate::types::DcInt;

macro_rules! stored_kind {
    ($kind:ident, $lanes:ident, $load:ident, $store:ident, $bits:ident, $number:ident) => {
        impl Kind for kind::$kind {
            type Lanes<I: Isa> = $lanes<I>;
            type Plain = u16;
            const ZERO: u16 = 0;
            const WIDTH: usize = 1;
            fn prims(each: &mut dyn FnMut(Prim)) {
                each(Prim::F32);
            }
            #[inline(always)]
            fn load<I: Isa>(isa: I, from: &[u16]) -> $lanes<I> {
                let bits = DcInt {
                    v: isa.load_u16(from),
                    isa,
                };
                let number = $load(bits);
                $lanes {
                    number,
                    before: number,
                }
            }
            #[inline(always)]
            fn store<I: Isa>(lanes: $lanes<I>, out: &mut [u16]) {
                let bits = $store(lanes.before);
                bits.isa.store_u16(bits.v, out);
            }
            #[inline(always)]
            fn from_words(words: &[u64]) -> u16 {
                $bits(f32::from_bits(words[0] as u32))
            }
            #[inline(always)]
            fn to_words(x: u16, words: &mut [u64]) {
                words[0] = u64::from($number(x).to_bits());
            }
            #[inline(always)]
            fn unit<I: Isa>(lanes: $lanes<I>, k: usize) -> $lanes<I::Unit> {
                $lanes {
                    number: kind::F32::unit(lanes.number, k),
                    before: kind::F32::unit(lanes.before, k),
                }
            }
            #[inline(always)]
            fn of_units<I: Isa>(isa: I, units: [$lanes<I::Unit>; 4]) -> $lanes<I> {
                $lanes {
                    number: kind::F32::of_units(isa, units.map(|x| x.number)),
                    before: kind::F32::of_units(isa, units.map(|x| x.before)),
                }
            }
            #[inline(always)]
            fn anchor<I: Isa>(lanes: &mut $lanes<I>) -> Option<Anchor<'_, I>> {
                Some(Anchor::F32(&mut lanes.number))
            }
        }
    };
}
stored_kind!(
    Half,
    DcHalf,
    half_to_f32,
    f32_to_half,
    half_bits,
    half_number
);
stored_kind!(
    Bfloat,
    DcBfloat,
    bfloat_to_f32,
    f32_to_bfloat,
    bfloat_bits,
    bfloat_number
);
