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
pub const KEY_FACTOR: i64 = 0x9e37_79b9_7f4a_7c15_u64 as i64;
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
/// 2^50: a number below 2 plus this, rounded toward zero, has that number's quarters at the bottom of its fraction.
const TWO_50: f64 = 1_125_899_906_842_624.0;
/// The bits of a double's exponent and fraction, and [`FACTOR_EXPONENT`], in the upper half of its word.
const EXPONENT_32: i32 = (EXPONENT >> 32) as i32;
const FRACTION_32: i32 = (1 << 20) - 1;
const FACTOR_EXPONENT_32: i32 = (FACTOR_EXPONENT >> 32) as i32;
/// The least normal binary32 number.
const LEAST_NORMAL: f32 = f32::MIN_POSITIVE;
/// 2^127: numbers below it do not round to infinity in binary32.
const TOP_BINADE_F32: f32 = f32::from_bits(0x7f00_0000);

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

/// `mix` of a key that is multiplied by its factor already.
#[crunch]
fn mix_weighted(weight: DcLong, word: DcLong) -> DcLong {
    let weight = (weight ^ weight.shr_logical(32)) | 1;
    (word ^ word.shr_logical(32)) * weight
}

/// `judge_f64` where the reference is at least `2^-971` and the error under 2 ULP: signed error, histogram bin in the
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

/// `judge_f32` where the reference is not zero and does not round to infinity, and the error is under 2 ULP; as
/// `ordinary_f64`.
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

/// As `ordinary_f64`, for GPUs: in fewer of their instructions, for a few inputs less. Signed error, histogram bin in the
/// low three bits, misrounded, mix, and whether this is so.
///
/// Where the last is true and the error under 2 ULP, `judge_f64` gives the same and no flag but that of misrounding.
/// Result and both words of the reference are finite then, since the error would not be otherwise, so nothing is at
/// half scale. The reference is no power of two, so `hi` alone tells the binade; it is large enough for one factor.
#[crunch]
pub fn gpu_ordinary_f64(
    weight: DcLong,
    result: DcDouble,
    reference: DcDoubleDouble,
) -> (DcDouble, DcLong, DcMask, DcLong, DcMask) {
    let (hi, lo) = (reference.hi, reference.lo);
    let bits = hi.to_bits();
    // The upper halves of words, which is where exponents are: on a GPU a word is two registers.
    let top = bits.shr_logical(32).to_i32();
    let exponent = top & EXPONENT_32;
    // 2^(1075 - exponent)
    let factor = DcDouble::from_bits((0x8320_0000 - exponent).to_i64() << 32);
    let error = ((result - hi) - lo) * factor;
    let quarters = error.abs().add_rz(TWO_50).to_bits();
    let fraction = (top & FRACTION_32) | bits.to_i32();
    let holds = (exponent >= FACTOR_EXPONENT_32) & (fraction != 0);
    let word = result.to_bits() ^ rotate_21(bits ^ rotate_21(lo.to_bits()));
    let mixed = mix_weighted(weight, word);
    (error, quarters, result != hi + lo, mixed, holds)
}

/// As `ordinary_f32`, for GPUs; as `gpu_ordinary_f64`.
///
/// The reference rounds to a normal number below 2^127, and is above the least of them, so that its own exponent is the
/// ULP's.
#[crunch]
pub fn gpu_ordinary_f32(
    weight: DcLong,
    result: DcFloat,
    reference: DcDouble,
) -> (DcDouble, DcLong, DcMask, DcLong, DcMask) {
    let rounded = reference.to_f32();
    let size = rounded.abs();
    let bits = reference.to_bits();
    // 2^(1046 - exponent)
    let exponent = bits.shr_logical(32).to_i32() & EXPONENT_32;
    let factor = DcDouble::from_bits((0x8150_0000 - exponent).to_i64() << 32);
    let error = (result.to_f64() - reference) * factor;
    let quarters = error.abs().add_rz(TWO_50).to_bits();
    let holds = (size > LEAST_NORMAL) & (size < TOP_BINADE_F32);
    let word = result.to_bits().to_i64() ^ rotate_21(bits);
    let mixed = mix_weighted(weight, word);
    (error, quarters, result != rounded, mixed, holds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DoubleDouble;
    use crate::search::block::FLAG_MISROUNDED;

    /// Numbers of every kind, and such as are close to them.
    fn numbers() -> impl Iterator<Item = f64> {
        let powers = [
            0u64, 1, 51, 52, 53, 896, 897, 1000, 1023, 1150, 1151, 2046, 2047,
        ];
        let near = |p: u64| (-3..=3).map(move |i: i64| (p << 52).wrapping_add_signed(i));
        let bits = powers.into_iter().flat_map(near);
        let mut state = 1u64;
        let random = std::iter::repeat_with(move || {
            state = state.wrapping_mul(KEY_FACTOR as u64 | 5).wrapping_add(7);
            state ^ (state >> 29)
        });
        let all = bits.chain(random.take(400));
        all.flat_map(|b| [f64::from_bits(b), -f64::from_bits(b)])
    }

    /// Whether the short form said something, which is then what the judge says.
    fn same(judged: (f64, i64, i64, i64), short: (f64, i64, bool, i64, bool), what: &str) -> bool {
        let (error, bin, misrounded, mixed, holds) = short;
        let says = holds && error.abs() < 2.0;
        if says {
            assert_eq!(error.to_bits(), judged.0.to_bits(), "{what}");
            assert_eq!(bin & 7, judged.1, "{what}");
            assert_eq!(i64::from(misrounded) * FLAG_MISROUNDED, judged.2, "{what}");
            assert_eq!(mixed, judged.3, "{what}");
        }
        says
    }

    #[test]
    fn short_forms_say_what_the_judges_say() {
        let (mut said, mut key) = ([0, 0], 3i64);
        for hi in numbers() {
            let ulp = f64::from_bits(hi.abs().to_bits() + 1) - hi.abs();
            let steps = [
                0.0,
                0.25,
                0.5,
                -0.125,
                0.75,
                1.0,
                -1.0,
                -1.5,
                2.0,
                2.25,
                f64::NAN,
            ];
            let tails = [0.0, -0.0, 0.25, -0.25, 0.499, f64::INFINITY, f64::NAN];
            for (step, tail) in steps.into_iter().flat_map(|s| tails.map(|t| (s, t))) {
                key = key.wrapping_mul(-7).wrapping_add(11);
                let (lo, result) = (tail * ulp, hi + step * ulp);
                for result in [result, -result, f64::INFINITY, 0.0] {
                    let weight = key.wrapping_mul(KEY_FACTOR);
                    let r = DoubleDouble { hi, lo };
                    let what = format!("{result:e} for {hi:e} + {lo:e}");
                    let judged = judge_f64::eval(key, result, r);
                    let short = gpu_ordinary_f64::eval(weight, result, r);
                    said[0] += u32::from(same(judged, short, &what));
                    let narrow = result as f32;
                    let judged = judge_f32::eval(key, narrow, hi);
                    let short = gpu_ordinary_f32::eval(weight, narrow, hi);
                    said[1] += u32::from(same(judged, short, &what));
                }
            }
        }
        assert!(said[0] > 5_000 && said[1] > 500, "{said:?}");
    }
}
