//! The metric: how wrong one result is. Kernels, so that every backend judges with the same bits.
//!
//! The error is `(result - reference) / ulp(reference)`, where `ulp` is `2^(e-52)` (binary32: `2^(e-23)`) for the
//! binade `[2^e, 2^(e+1))` of the *unrounded* reference, and never less than the smallest subnormal: the ULP of
//! Muller et al., *Handbook of Floating-Point Arithmetic*, 2.3.2. Scaling by it is a multiplication by powers of two,
//! so it does not round. An infinite result against a finite reference counts as `2^1024` (binary32: `2^128`).
//! An error too large for a double is the largest finite double.

use crate::prelude::*;

const INFINITY: f64 = f64::INFINITY;
const INFINITY_F32: f32 = f32::INFINITY;
const LARGEST: f64 = f64::MAX;
/// 2^1023: half of what an infinite result counts as.
const HALF_OVERFLOW: f64 = f64::from_bits(0x7fe0_0000_0000_0000);
/// 2^128
const OVERFLOW_F32: f64 = f64::from_bits(0x47f0_0000_0000_0000);
/// What a key is multiplied by for the digest.
pub(crate) const KEY_FACTOR: i64 = 0x9e37_79b9_7f4a_7c15_u64 as i64;
/// The bits of a double's exponent.
pub(crate) const EXPONENT: i64 = 0x7ff0_0000_0000_0000;
/// Biased exponent 1 in place: that of the least normal double and of the subnormals' ULP.
const LEAST_EXPONENT: i64 = 1 << 52;
/// Biased exponent 52 in place: from there on `2^(1075 - exponent)` is a double.
pub(crate) const FACTOR_EXPONENT: i64 = 52 << 52;
/// The bits of 1.
const ONE: i64 = 1023 << 52;
/// 2^52: a number below it plus this has that number's integer bits at the bottom of its fraction.
pub(crate) const TWO_52: f64 = 4_503_599_627_370_496.0;

/// Histogram bin of an error: quarters of an ULP below 2, octaves above; see `search::block::bin_floor`.
#[crunch]
pub fn histogram_bin(error: DcDouble) -> DcLong {
    let magnitude = error.abs();
    let quarters = ((magnitude * 4.0).floor() + TWO_52).to_bits() & 7;
    let octave = (magnitude.to_bits().shr_logical(52) - 1016).min(15);
    (magnitude < 2.0).select(quarters, octave)
}

/// Bits rotated left by 21 of 64.
#[crunch]
pub fn rotate_21(bits: DcLong) -> DcLong {
    (bits << 21) | bits.shr_logical(43)
}

/// What an input adds to the digest: its output word times an odd number made of its key.
///
/// The digest is the wrapping sum, so it is a weighted sum of the output words with weights that look random: one word
/// that differs always changes it, since odd numbers are invertible modulo 2^64; several do unless their differences,
/// weighted, cancel by chance. The xor-shift of the word is there because a difference in the top bit alone is the same
/// under all odd weights, so that two of them would cancel; it puts that bit in the middle as well.
#[crunch]
pub fn mix(key: DcLong, word: DcLong) -> DcLong {
    let weight = key * KEY_FACTOR;
    let weight = (weight ^ weight.shr_logical(32)) | 1;
    (word ^ word.shr_logical(32)) * weight
}

/// Judges a binary64 result against a double-double reference: signed error in ULP, histogram bin, flags
/// (`search::block::FLAG_*`), mix.
///
/// A trailing word that is not finite counts as 0: that is what double-double arithmetic leaves beside an infinity.
#[crunch]
pub fn judge_f64(
    key: DcLong,
    result: DcDouble,
    reference: DcDoubleDouble,
) -> (DcDouble, DcLong, DcLong, DcLong) {
    let hi = reference.hi;
    let lo = (reference.lo.abs() < INFINITY).select(reference.lo, 0.0);
    let result_nan = result.is_nan();
    let reference_nan = hi.is_nan();
    let result_infinite = result.abs() == INFINITY;
    let reference_infinite = hi.abs() == INFINITY;

    // All at half scale where the result is infinite, since 2^1024 is not a double.
    let half = result_infinite.select(0.5, 1.0);
    let overflow: DcDouble = HALF_OVERFLOW;
    let counted = result_infinite.select(overflow.copysign(result), result);
    let difference = (counted - hi * half) - lo * half;

    // hi - 1 in bits is in the binade of the unrounded reference if hi is a power of two and lo points to zero.
    let inward = (lo != 0.0) & ((lo < 0.0) ^ (hi < 0.0));
    let magnitude = (hi.to_bits() & 0x7fff_ffff_ffff_ffff) - inward.select(1, 0);
    let exponent = magnitude.max(LEAST_EXPONENT) & EXPONENT;
    // 2^(1075 - exponent), which may be 2^1074, in two factors; the second is 1 but for tiny references.
    let large = exponent.max(FACTOR_EXPONENT);
    let first = DcDouble::from_bits(0x8320_0000_0000_0000 - large);
    let second = ONE + (large - exponent) + result_infinite.select(LEAST_EXPONENT, 0);
    let error = ((difference * first) * DcDouble::from_bits(second))
        .min(LARGEST)
        .max(-LARGEST);

    let excluded = result_nan | reference_nan | reference_infinite;
    let error = excluded.select(0.0, error);
    let misrounded = (result != hi + lo) & !(result_nan & reference_nan);
    let nan = result_nan ^ reference_nan;
    let infinity =
        !(result_nan | reference_nan) & (result_infinite | reference_infinite) & (result != hi);
    let zero_sign = (result == 0.0)
        & (hi == 0.0)
        & (lo == 0.0)
        & (result.is_sign_negative() ^ hi.is_sign_negative());
    let flags = misrounded.select(1, 0)
        | nan.select(2, 0)
        | infinity.select(4, 0)
        | zero_sign.select(8, 0)
        | excluded.select(16, 0);

    let words = result.to_bits() ^ rotate_21(hi.to_bits() ^ rotate_21(reference.lo.to_bits()));
    (error, histogram_bin(error), flags, mix(key, words))
}

/// Judges a binary32 result against a binary64 reference; as `judge_f64`.
///
/// A reference that rounds to infinity in binary32 is infinite.
#[crunch]
pub fn judge_f32(
    key: DcLong,
    result: DcFloat,
    reference: DcDouble,
) -> (DcDouble, DcLong, DcLong, DcLong) {
    let rounded = reference.to_f32();
    let result_nan = result.is_nan();
    let reference_nan = reference.is_nan();
    let result_infinite = result.abs() == INFINITY_F32;
    let reference_infinite = rounded.abs() == INFINITY_F32;

    let wide = result.to_f64();
    let overflow: DcDouble = OVERFLOW_F32;
    let counted = result_infinite.select(overflow.copysign(wide), wide);
    let exponent = ((reference.to_bits() & 0x7fff_ffff_ffff_ffff) >> 52)
        .max(897)
        .min(1151);
    let scale = DcDouble::from_bits((2069 - exponent) << 52);
    let error = (counted - reference) * scale;

    let excluded = result_nan | reference_nan | reference_infinite;
    let error = excluded.select(0.0, error);
    let misrounded = (result != rounded) & !(result_nan & reference_nan);
    let nan = result_nan ^ reference_nan;
    let infinity = !(result_nan | reference_nan)
        & (result_infinite | reference_infinite)
        & (result != rounded);
    let zero_sign = (wide == 0.0)
        & (reference == 0.0)
        & (wide.is_sign_negative() ^ reference.is_sign_negative());
    let flags = misrounded.select(1, 0)
        | nan.select(2, 0)
        | infinity.select(4, 0)
        | zero_sign.select(8, 0)
        | excluded.select(16, 0);

    let words = result.to_bits().to_i64() ^ rotate_21(reference.to_bits());
    (error, histogram_bin(error), flags, mix(key, words))
}

/// 2^-971: from there on `2^(1075 - exponent)` is a double.
const LEAST_ORDINARY: f64 = f64::from_bits(FACTOR_EXPONENT as u64);
/// The sign bit.
const SIGN: i64 = i64::MIN;
/// Biased exponent 2098 in place: less the reference's, that of `2^(1075 - exponent)`.
const SCALE: i64 = 2098_i64.wrapping_shl(52);
/// Biased exponent 2069 in place, for binary32's ULP.
const SCALE_F32: i64 = 2069_i64.wrapping_shl(52);
/// The least normal binary32 number.
const LEAST_NORMAL_F32: f64 = f32::MIN_POSITIVE as f64;
/// Half an ULP over the largest binary32 number: the least that rounds to infinity.
const ROUNDS_TO_INFINITY_F32: f64 = f64::from_bits(0x47ef_ffff_f000_0000);

/// The bin of an error under 2 ULP: its quarters, in the low bits.
#[crunch]
fn quarters(magnitude: DcDouble) -> DcLong {
    ((magnitude * 4.0).floor() + TWO_52).to_bits()
}

/// [`mix`] of a key that is multiplied by its factor already.
#[crunch]
fn mix_weighted(weight: DcLong, word: DcLong) -> DcLong {
    let weight = (weight ^ weight.shr_logical(32)) | 1;
    (word ^ word.shr_logical(32)) * weight
}

/// [`judge_f64`] where the reference is at least `2^-971` and the error under 2 ULP: signed error, histogram bin in the
/// low four bits, whether misrounded, mix, and whether all that holds. `weight` is the key times the digest's factor.
///
/// Result and both words of the reference are finite where it holds, since the error would not be otherwise. So nothing
/// is excluded or a fault, nothing is taken at half scale, and the second scaling factor is 1. The ULP's exponent is
/// that of `hi`, or of the number before it where `lo` points to zero.
#[crunch]
pub fn ordinary_f64(
    weight: DcLong,
    result: DcDouble,
    reference: DcDoubleDouble,
) -> (DcDouble, DcLong, DcMask, DcLong, DcMask) {
    let hi = reference.hi;
    let lo = reference.lo;
    let difference = (result - hi) - lo;
    let bits = hi.to_bits();
    let low = lo.to_bits();
    let inward = DcDouble::from_bits(low ^ (bits & SIGN)) < 0.0;
    let exponent = (bits - inward.select(1, 0)) & EXPONENT;
    let error = difference * DcDouble::from_bits(SCALE - exponent);
    let magnitude = error.abs();
    let holds = (magnitude < 2.0) & (hi.abs() >= LEAST_ORDINARY);
    let words = result.to_bits() ^ rotate_21(bits ^ rotate_21(low));
    (
        error,
        quarters(magnitude),
        result != hi + lo,
        mix_weighted(weight, words),
        holds,
    )
}

/// [`judge_f32`] where the reference is not zero and does not round to infinity, and the error is under 2 ULP; as
/// [`ordinary_f64`].
#[crunch]
pub fn ordinary_f32(
    weight: DcLong,
    result: DcFloat,
    reference: DcDouble,
) -> (DcDouble, DcLong, DcMask, DcLong, DcMask) {
    let size = reference.abs();
    let exponent = size.max(LEAST_NORMAL_F32).to_bits() & EXPONENT;
    let scale = DcDouble::from_bits(SCALE_F32 - exponent);
    let error = (result.to_f64() - reference) * scale;
    let magnitude = error.abs();
    let holds = (magnitude < 2.0) & (size > 0.0) & (size < ROUNDS_TO_INFINITY_F32);
    let words = result.to_bits().to_i64() ^ rotate_21(reference.to_bits());
    (
        error,
        quarters(magnitude),
        result != reference.to_f32(),
        mix_weighted(weight, words),
        holds,
    )
}
