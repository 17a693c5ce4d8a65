//! The judge kernels where nothing special happens, with the same bits.

use crate::builtins::judge::{EXPONENT, FACTOR_EXPONENT, TWO_52, rotate_21};
use crate::isa::Isa;
use crate::types::DcLong;

/// What the judge says of lanes for which it [holds](Ordinary::holds).
pub struct Ordinary<I: Isa> {
    /// Signed error in ULP.
    pub error: I::F64,
    /// Histogram bin in the low four bits.
    pub bin: I::I64,
    /// Whether the result is not the reference rounded to nearest.
    pub misrounded: I::Mask,
    /// What the judge makes of the output bits, for the digest.
    pub word: I::I64,
    /// Where this is what the judge kernel gives.
    pub holds: I::Mask,
}

const SIGN: i64 = i64::MIN;

/// The judge's own rotation, on bare lanes.
#[inline(always)]
fn rotated<I: Isa>(isa: I, x: I::I64) -> I::I64 {
    rotate_21(DcLong::of(isa, x)).v
}

/// The bin of an error under 2 ULP: its quarters, at the bottom of the word.
#[inline(always)]
fn quarters<I: Isa>(isa: I, magnitude: I::F64) -> I::I64 {
    let quarters = isa.floor_f64(isa.mul_f64(magnitude, isa.splat_f64(4.0)));
    isa.bits_f64(isa.add_f64(quarters, isa.splat_f64(TWO_52)))
}

/// `judge_f64` where the reference is at least `2^-971` and the error under 2 ULP.
///
/// Result and both words of the reference are finite then, since the error would not be otherwise. So nothing is
/// excluded or a fault, NaNs need no canonical form, nothing is taken at half scale, and the second scaling factor is
/// 1. The ULP's exponent is that of `hi`, or of the number before it where `lo` points to zero.
#[inline(always)]
pub fn ordinary_f64<I: Isa>(isa: I, result: I::F64, hi: I::F64, lo: I::F64) -> Ordinary<I> {
    let difference = isa.sub_f64(isa.sub_f64(result, hi), lo);
    let bits = isa.bits_f64(hi);
    let sign = isa.and_i64(bits, isa.splat_i64(SIGN));
    let outward = isa.f64_from_bits(isa.xor_i64(isa.bits_f64(lo), sign));
    let inward = isa.lt_f64(outward, isa.splat_f64(0.0));
    let exponent = isa.and_i64(isa.decrement_i64(inward, bits), isa.splat_i64(EXPONENT));
    // 2^(1075 - exponent)
    let factor = isa.sub_i64(isa.splat_i64(2098_i64.wrapping_shl(52)), exponent);
    let error = isa.mul_f64(difference, isa.f64_from_bits(factor));
    let magnitude = isa.abs_f64(error);
    let small = isa.lt_f64(magnitude, isa.splat_f64(2.0));
    // Not the exponent: that of the number before +0 is the largest.
    let least = isa.splat_f64(f64::from_bits(FACTOR_EXPONENT as u64));
    let not_tiny = isa.le_f64(least, isa.abs_f64(hi));
    let word = isa.xor_i64(bits, rotated(isa, isa.bits_f64(lo)));
    Ordinary {
        error,
        bin: quarters(isa, magnitude),
        misrounded: isa.ne_f64(result, isa.add_f64(hi, lo)),
        word: isa.xor_i64(isa.bits_f64(result), rotated(isa, word)),
        holds: isa.and_mask(small, not_tiny),
    }
}

/// `judge_f32` where the reference is not zero and does not round to infinity, and the error is under 2 ULP;
/// `result` is widened, `_lo` not used.
#[inline(always)]
pub fn ordinary_f32<I: Isa>(isa: I, result: I::F64, reference: I::F64, _lo: I::F64) -> Ordinary<I> {
    let rounded = isa.f32_to_f64(isa.f64_to_f32(reference));
    let size = isa.abs_f64(reference);
    let least = isa.splat_f64(f64::from(f32::MIN_POSITIVE));
    let exponent = isa.bits_f64(isa.max_f64(size, least));
    let exponent = isa.and_i64(exponent, isa.splat_i64(EXPONENT));
    // 2^(1046 - exponent)
    let factor = isa.sub_i64(isa.splat_i64(2069_i64.wrapping_shl(52)), exponent);
    let error = isa.mul_f64(isa.sub_f64(result, reference), isa.f64_from_bits(factor));
    let magnitude = isa.abs_f64(error);
    let small = isa.lt_f64(magnitude, isa.splat_f64(2.0));
    // Half an ULP over the largest float: what rounds to infinity.
    let overflow = isa.splat_f64(f64::from(f32::MAX) + 2f64.powi(103));
    let inside = isa.and_mask(
        isa.lt_f64(isa.splat_f64(0.0), size),
        isa.lt_f64(size, overflow),
    );
    let narrow = isa.i32_to_i64(isa.bits_f32(isa.f64_to_f32(result)));
    Ordinary {
        error,
        bin: quarters(isa, magnitude),
        misrounded: isa.ne_f64(result, rounded),
        word: isa.xor_i64(narrow, rotated(isa, isa.bits_f64(reference))),
        holds: isa.and_mask(small, inside),
    }
}
