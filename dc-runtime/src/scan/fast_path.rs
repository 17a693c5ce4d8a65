//! The fast path of the metric kernels, with the same bits.
//!
//! Whether the fast path holds for a stretch of inputs is decided at its end, from values that are accumulated with one
//! or two operations per input; if it does not, all results of the stretch are discarded.

use super::reduce::{Chunk, lanes};
use crate::builtins::ulp_error::{EXPONENT, LEAST_F32, LEAST_FACTOR, NEAR_HALF, TWO_52, rotate_21};
use crate::isa::{Isa, Tally};
use crate::types::DcLong;

/// The results of the metric for lanes, valid if the fast path holds.
pub struct Verdict<I: Isa> {
    /// Signed error in ULP.
    pub error: I::F64,
    /// Its absolute value.
    pub magnitude: I::F64,
    /// Histogram bin in the low 32 bits: from 2 on, the result is misrounded.
    pub bin: I::I64,
    /// The output bits as they enter the digest.
    pub word: I::I64,
}

/// The fast path for one precision.
pub trait FastPath<I: Tally> {
    /// The state before the first input.
    fn new(isa: I) -> Self;
    /// The results for the lanes of a chunk from `at` on.
    fn verdict(&mut self, isa: I, chunk: &Chunk, at: usize) -> Verdict<I>;
    /// Whether all results are the metric kernel's.
    fn holds(&self, isa: I) -> bool;
}

const SIGN: i64 = i64::MIN;

/// The metric's rotation, on bare lanes.
#[inline(always)]
fn rotated<I: Isa>(isa: I, x: I::I64) -> I::I64 {
    rotate_21(DcLong::of(isa, x)).v
}

/// The bin of an error below 2 ULP: its quarters, in the lowest bits of the sum of 2^52 and their number.
#[inline(always)]
fn quarters<I: Isa>(isa: I, magnitude: I::F64) -> I::I64 {
    let quarters = isa.floor_f64(isa.mul_f64(magnitude, isa.splat_f64(4.0)));
    isa.bits_f64(isa.add_f64(quarters, isa.splat_f64(TWO_52)))
}

/// Whether every error was below 2 ULP, from these bits of all inputs combined by "or".
///
/// 2^52 + q with 0 ≤ q < 8 has the bits of 2^52 and three more. A number that is larger, infinite or NaN has another
/// exponent with a bit that 2^52's has not, as 0x433 contains the bits of no larger number up to 0x7ff, or a higher bit
/// of the fraction.
#[inline(always)]
fn all_small<I: Tally>(isa: I, quarters: I::Word) -> bool {
    let none = TWO_52.to_bits() as i64;
    lanes(isa, quarters, none).iter().all(|&q| q & !7 == none)
}

/// The distance of an error from one half; the smallest is kept in a word.
#[inline(always)]
fn beside_half<I: Tally>(isa: I, nearest: I::Word, magnitude: I::F64) -> I::Word {
    let apart = isa.sub_f64(magnitude, isa.splat_f64(0.5));
    isa.tally_min(nearest, isa.abs_f64(apart))
}

/// Whether no error was so near to one half that only the metric itself decides it.
#[inline(always)]
fn none_near_half<I: Tally>(isa: I, nearest: I::Word) -> bool {
    let nearest = lanes(isa, nearest, 1f64.to_bits() as i64);
    // The comparison is false for a NaN.
    nearest
        .iter()
        .all(|&x| f64::from_bits(x as u64) > NEAR_HALF)
}

/// `ulp_error_f64` where the scale is 0, the reference between `2^-971` and `2^1023`, and the error below 2 ULP and not
/// near one half.
///
/// Result and both words of the reference are finite then, since otherwise the error would not be. So no input is
/// excluded or a fault, NaNs need no canonical form, nothing is taken at half scale, and the second scaling factor is
/// 1. The ULP's exponent is that of `hi`, or of the number before it where `lo` points to zero.
pub struct Binary64<I: Tally> {
    quarters: I::Word,
    /// The smallest distance of an error from one half.
    beside_half: I::Word,
    /// The least scaling factor. That of a smaller reference is negative, as its exponent runs over into the sign, or
    /// infinite, and so is the error; that of a `hi` of zero with a `lo` (which a correct double-double does not have)
    /// is `2^-972`.
    factors: I::Word,
}

impl<I: Tally> FastPath<I> for Binary64<I> {
    #[inline(always)]
    fn new(isa: I) -> Self {
        Binary64 {
            quarters: isa.splat_word(TWO_52.to_bits() as i64),
            beside_half: isa.splat_word(1f64.to_bits() as i64),
            factors: isa.splat_word(1f64.to_bits() as i64),
        }
    }

    #[inline(always)]
    fn verdict(&mut self, isa: I, chunk: &Chunk, at: usize) -> Verdict<I> {
        let result = isa.load_f64(&chunk.result[at..]);
        let hi = isa.load_f64(&chunk.hi[at..]);
        let lo = isa.load_f64(&chunk.lo[at..]);
        let difference = isa.sub_f64(isa.sub_f64(result, hi), lo);
        let bits = isa.bits_f64(hi);
        let sign = isa.and_i64(bits, isa.splat_i64(SIGN));
        let outward = isa.f64_from_bits(isa.xor_i64(isa.bits_f64(lo), sign));
        let inward = isa.lt_f64(outward, isa.splat_f64(0.0));
        let exponent = isa.and_i64(isa.decrement_i64(inward, bits), isa.splat_i64(EXPONENT));
        // 2^(1075 - exponent)
        let factor = isa.sub_i64(isa.splat_i64(2098_i64.wrapping_shl(52)), exponent);
        let factor = isa.f64_from_bits(factor);
        let error = isa.mul_f64(difference, factor);
        let magnitude = isa.abs_f64(error);
        let bin = quarters(isa, magnitude);
        self.quarters = isa.tally_or(self.quarters, bin);
        self.beside_half = beside_half(isa, self.beside_half, magnitude);
        self.factors = isa.tally_min(self.factors, factor);
        let word = isa.xor_i64(bits, rotated(isa, isa.bits_f64(lo)));
        Verdict {
            error,
            magnitude,
            bin,
            word: isa.xor_i64(isa.bits_f64(result), rotated(isa, word)),
        }
    }

    #[inline(always)]
    fn holds(&self, isa: I) -> bool {
        let factors = lanes(isa, self.factors, 1f64.to_bits() as i64);
        let least = |&f: &i64| f64::from_bits(f as u64) >= LEAST_FACTOR;
        all_small(isa, self.quarters)
            && factors.iter().all(least)
            && none_near_half(isa, self.beside_half)
    }
}

/// `ulp_error_f32` where the reference is at least the least binary32 number and does not round to infinity, and the error is
/// below 2 ULP and not near one half.
pub struct Binary32<I: Tally> {
    quarters: I::Word,
    /// The smallest distance of an error from one half.
    beside_half: I::Word,
    /// The least and the largest reference, without sign; for a NaN the error is NaN, too.
    least: I::Word,
    largest: I::Word,
}

impl<I: Tally> FastPath<I> for Binary32<I> {
    #[inline(always)]
    fn new(isa: I) -> Self {
        Binary32 {
            quarters: isa.splat_word(TWO_52.to_bits() as i64),
            beside_half: isa.splat_word(1f64.to_bits() as i64),
            least: isa.splat_word(f64::INFINITY.to_bits() as i64),
            largest: isa.splat_word(0),
        }
    }

    #[inline(always)]
    fn verdict(&mut self, isa: I, chunk: &Chunk, at: usize) -> Verdict<I> {
        let narrow = isa.load_f32(&chunk.narrow[at..]);
        let reference = isa.load_f64(&chunk.hi[at..]);
        let result = isa.f32_to_f64(narrow);
        let size = isa.abs_f64(reference);
        let normal = isa.splat_f64(f64::from(f32::MIN_POSITIVE));
        let exponent = isa.bits_f64(isa.max_f64(size, normal));
        let exponent = isa.and_i64(exponent, isa.splat_i64(EXPONENT));
        // 2^(1046 - exponent)
        let factor = isa.sub_i64(isa.splat_i64(2069_i64.wrapping_shl(52)), exponent);
        let error = isa.mul_f64(isa.sub_f64(result, reference), isa.f64_from_bits(factor));
        let magnitude = isa.abs_f64(error);
        let bin = quarters(isa, magnitude);
        self.quarters = isa.tally_or(self.quarters, bin);
        self.beside_half = beside_half(isa, self.beside_half, magnitude);
        self.least = isa.tally_min(self.least, size);
        self.largest = isa.tally_max(self.largest, size);
        let bits = isa.i32_to_i64(isa.bits_f32(narrow));
        Verdict {
            error,
            magnitude,
            bin,
            word: isa.xor_i64(bits, rotated(isa, isa.bits_f64(reference))),
        }
    }

    #[inline(always)]
    fn holds(&self, isa: I) -> bool {
        // Half an ULP above the largest float: numbers from there on round to infinity.
        let overflow = f64::from(f32::MAX) + 2f64.powi(103);
        let none = f64::INFINITY.to_bits() as i64;
        let (least, largest) = (lanes(isa, self.least, none), lanes(isa, self.largest, 0));
        // Numbers without sign have the order of their bits.
        all_small(isa, self.quarters)
            && least.iter().all(|&x| x >= LEAST_F32.to_bits() as i64)
            && largest.iter().all(|&x| x < overflow.to_bits() as i64)
            && none_near_half(isa, self.beside_half)
    }
}
