//! The metric: the error of one result. It consists of kernels, so every backend computes the same bits.
//!
//! The error is `(result - reference) / ulp(reference)`, where `ulp` is `2^(e-52)` (binary32: `2^(e-23)`) for the binade `[2^e,
//! 2^(e+1))` of the *unrounded* reference, but never less than the smallest subnormal. This is the ULP of Muller et al., *Handbook
//! of Floating-Point Arithmetic*, 2.3.2. An infinite result against a finite reference counts as `2^1024` (binary32: `2^128`) if
//! this gives an error below [`BESIDE_OVERFLOW`] ULP, as after a directed rounding. Otherwise it is a fault and has no error,
//! because that error would be larger than all others and hide them. An error too large for a double is replaced by the largest
//! finite double.
//!
//! # The reference of a binary64 routine
//!
//! is `(hi + lo) 2^scale`. For a kernel that gives a `DcDoubleDouble`, the scale is 0. If its `hi` is tiny, the reference has only the
//! precision of `hi`, because the second word underflows. A kernel that also gives a scale chooses it so that both words are ordinary
//! numbers. The result is scaled by the same power of two. This multiplication is exact unless
//!
//! * it overflows: the error is then above 2^998 ULP, and counts as the largest double;
//! * it underflows: `|hi| >= 2^-971` and the scaled result is below 2^-1022, so the error is the reference itself,
//!   2^52 ULP or more, within 2^-51 ULP.
//!
//! Then `result - hi` is exact if the error is below about 2^52 ULP (Sterbenz), one subtraction rounds, and the ULP is a power of
//! two. So an error below 2^32 ULP is accurate to 2^-20 ULP, and one near a half to 2^-53, apart from the reference's own error.
//! This also holds for subnormal results: the unit is then 2^-1074, and a correctly rounded result still has an error of at most a
//! half.
//!
//! # When the reference cannot decide
//!
//! A result is the reference rounded to nearest if its error is below one half, and misrounded if it is above. It is
//! *undecided*, neither rounded correctly nor misrounded,
//!
//! * if the error is within [`UNDECIDED`] of one half, which is nearer than the reference's own relative error of up to 2^-98. An
//!   exact tie is also undecided, because the reference is not known to be exact;
//! * if the reference is *too coarse*: a nonzero double-double with `|hi| < 2^-971`, or one whose scale is beyond
//!   1100, or whose `hi` is `2^1023` or more with a scale. Then no error is defined, and the input is in neither the
//!   maximum nor the histogram. A reference of one word, for which errors are whole numbers by design, is never too
//!   coarse.

use crate::prelude::*;

use kernels_gen::reduction::ONE_WORD;

const INFINITY: f64 = f64::INFINITY;
const INFINITY_F32: f32 = f32::INFINITY;
pub(super) const LARGEST: f64 = f64::MAX;
/// 2^1023: half of the value that an infinite result counts as.
pub(super) const HALF_OVERFLOW: f64 = f64::from_bits(0x7fe0_0000_0000_0000);
/// 2^128
pub(super) const OVERFLOW_F32: f64 = f64::from_bits(0x47f0_0000_0000_0000);
/// An infinite result against a finite reference has an error only if the error is below this limit.
pub const BESIDE_OVERFLOW: f64 = 2.0;
/// The factor of a key in the digest.
pub const KEY_FACTOR: i64 = 0x9e37_79b9_7f4a_7c15_u64 as i64;
/// The bits of a double's exponent.
const EXPONENT: i64 = 0x7ff0_0000_0000_0000;
/// Biased exponent 1 in place: the exponent of the least normal double and of the subnormals' ULP.
const LEAST_EXPONENT: i64 = 1 << 52;
/// Biased exponent 52 in place: from there on `2^(1075 - exponent)` is a double.
const FACTOR_EXPONENT: i64 = 52 << 52;
/// The largest scale in either direction.
pub const LARGEST_SCALE: i64 = 1100;
/// If an error is this close to one half, it is undecided whether the result is the rounded reference: 2^-98 of a reference is at most
/// 2^-45 of its ULP.
pub const UNDECIDED: f64 = 1.0 / (1u64 << 45) as f64;
/// The same for a binary32 routine. Its reference is a double with an error of at most one ULP of its own, 2^-52, which is 2^-28 ULP of the
/// result.
pub const UNDECIDED_F32: f64 = 1.0 / (1u64 << 28) as f64;
/// The fast paths exclude errors this close to one half. The limit is wider than the metric requires, but affects only one input in
/// millions.
const NEAR_HALF: f64 = UNDECIDED_F32;
/// 2^1023
const TOP_BINADE: f64 = f64::from_bits(0x7fe0_0000_0000_0000);
/// 2^52: the sum with a number below it has that number's integer bits in the low bits of its fraction.
const TWO_52: f64 = 4_503_599_627_370_496.0;
/// The bits of 2^52: those of the quarters of an error, except for the lowest three.
const NO_QUARTERS: i64 = TWO_52.to_bits() as i64;
/// 2^29: the sum with a number below 2, rounded toward zero, has that number in units of 2^-23 in the low bits of its fraction.
const TWO_29: f64 = 536_870_912.0;
/// One half in units of 2^-23.
const HALF_STEPS: i32 = 1 << 22;
/// The bits of a double's exponent and fraction, and of [`LEAST_FACTOR`], in the upper half of its word.
const EXPONENT_32: i32 = (EXPONENT >> 32) as i32;
const FRACTION_32: i32 = (1 << 20) - 1;
const LEAST_FACTOR_32: i32 = (LEAST_FACTOR.to_bits() >> 32) as i32;
/// The upper halves of the least normal binary32 number, and of 2^127, below which numbers do not round to infinity in binary32.
const LEAST_NORMAL_32: i32 = (1023 - 126) << 20;
const TOP_BINADE_32: i32 = (1023 + 127) << 20;

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

/// The digest term of an input: its output word times an odd number computed from its key.
///
/// The digest is the wrapping sum. So it is a weighted sum of the output words, with weights that look random. A difference in one word
/// always changes it, since odd numbers are invertible modulo 2^64. Differences in several words change it unless their weighted sum is
/// zero by chance. The xor-shift of the word copies its top bit to the middle. Without it, a difference in only the top bit would be the
/// same under all odd weights, and two such differences would cancel.
#[crunch]
pub fn digest_term(key: DcLong, word: DcLong) -> DcLong {
    let weight = key * KEY_FACTOR;
    let weight = (weight ^ weight.shr_logical(32)) | 1;
    (word ^ word.shr_logical(32)) * weight
}

/// 2^n for -1022 ≤ n ≤ 1023.
#[crunch]
pub(super) fn power_of_two(n: DcInt) -> DcDouble {
    DcDouble::from_bits(((n + 1023) << 20).to_i64() << 32)
}

/// The metric of a binary64 result with the reference `(hi + lo) 2^scale`: signed error in ULP, histogram bin, flags
/// (`search::block::FLAG_*`), digest term. The scale of a reference of one word is [`ONE_WORD`].
///
/// A trailing word that is not finite counts as 0: double-double arithmetic gives such words together with an infinity.
#[crunch]
pub fn ulp_error_f64(
    key: DcLong,
    result: DcDouble,
    reference: DcDoubleDouble,
    scale: DcLong,
) -> (DcDouble, DcLong, DcLong, DcLong) {
    let hi = reference.hi;
    let lo = (reference.lo.abs() < INFINITY).select(reference.lo, 0.0);
    let one_word = scale == ONE_WORD;
    let scale = one_word.select(0, scale);
    let result_nan = result.is_nan();
    let reference_nan = hi.is_nan();
    let result_infinite = result.abs() == INFINITY;
    let zero = (hi == 0.0) & (lo == 0.0);
    let bounded = scale.max(-LARGEST_SCALE).min(LARGEST_SCALE);
    let tiny = !one_word & (hi.abs() < LEAST_ORDINARY);
    let beyond = (bounded != scale) | (scale != 0) & (hi.abs() >= TOP_BINADE);
    let coarse = (tiny | beyond) & !zero & (hi.abs() < INFINITY) & (result.abs() < INFINITY);
    // Zero has no binade that could be scaled. Exponents have 32 bits: on a GPU a 64-bit word is two registers.
    let s = zero.select(0, bounded).to_i32();
    let first = s >> 1;
    let down = power_of_two(-first);
    let down_again = power_of_two(first - s);

    // Everything is taken at half scale where the result is infinite, since 2^1024 is not a double.
    let half = result_infinite.select(0.5, 1.0);
    let overflow: DcDouble = HALF_OVERFLOW;
    let counted = result_infinite.select(overflow.copysign(result), result);
    let scaled = (counted * down) * down_again;
    let difference = (scaled - hi * half) - lo * half;

    // hi - 1 in bits is in the binade of the unrounded reference if hi is a power of two and lo points to zero.
    let inward = (lo != 0.0) & ((lo < 0.0) ^ (hi < 0.0));
    let magnitude = (hi.to_bits() & 0x7fff_ffff_ffff_ffff) - inward.select(1, 0);
    let exponent = magnitude.max(LEAST_EXPONENT).shr_logical(52).to_i32();
    // The difference is in units of the words: 2^scale. In ULP it is 2^(1075 - exponent) times that, or 2^(1074 + scale)
    // where the ULP is 2^-1074. That power, which may be 2^1074, is taken in two factors; the second is 1 except for tiny references.
    let power = (1075 - exponent).min(s + 1074);
    let large = power.min(1023);
    let to_ulp = power_of_two(large);
    let to_ulp_again = power_of_two(power - large + result_infinite.select(1, 0));
    let error = ((difference * to_ulp) * to_ulp_again)
        .min(LARGEST)
        .max(-LARGEST);

    // A value that would round to infinity is infinite: hi + lo is where its exponent with the scale is too large.
    let rounded = hi + lo;
    let top = (rounded.to_bits().shr_logical(52) & 2047).to_i32();
    let reference_infinite = (top == 2047) | (top + s > 2046);
    let other = (result_infinite ^ reference_infinite) | ((result < 0.0) ^ (hi < 0.0));
    let no_number = result_nan | reference_nan;
    let near_half = ((error.abs() - 0.5).abs() <= UNDECIDED) & !no_number;
    let undecided = near_half | coarse;
    let beyond_all = result_infinite & (error.abs() >= BESIDE_OVERFLOW);
    let excluded = no_number | reference_infinite | coarse | beyond_all;
    let counts = !excluded & !undecided;
    let nan = result_nan ^ reference_nan;
    let infinity = !no_number & !undecided & (result_infinite | reference_infinite) & other;
    let misrounded = nan | (infinity & excluded) | (counts & (error.abs() > 0.5));
    let zero_sign = counts
        & (result == 0.0)
        & (error.abs() < 0.5)
        & (result.is_sign_negative() ^ hi.is_sign_negative());
    let error = excluded.select(0.0, error);
    let flags = misrounded.select(1, 0)
        | nan.select(2, 0)
        | infinity.select(4, 0)
        | zero_sign.select(8, 0)
        | excluded.select(16, 0)
        | undecided.select(32, 0);

    let low = rotate_21(reference.lo.to_bits() ^ rotate_21(scale));
    let words = result.to_bits() ^ rotate_21(hi.to_bits() ^ low);
    (error, histogram_bin(error), flags, digest_term(key, words))
}

/// The metric of a binary32 result with a binary64 reference; otherwise the same as `ulp_error_f64`.
///
/// A reference that rounds to infinity in binary32 is infinite.
#[crunch]
pub fn ulp_error_f32(
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

    let no_number = result_nan | reference_nan;
    let undecided = ((error.abs() - 0.5).abs() <= UNDECIDED_F32) & !no_number;
    let beyond_all = result_infinite & (error.abs() >= BESIDE_OVERFLOW);
    let excluded = no_number | reference_infinite | beyond_all;
    let counts = !excluded & !undecided;
    let nan = result_nan ^ reference_nan;
    let infinity =
        !no_number & !undecided & (result_infinite | reference_infinite) & (result != rounded);
    let misrounded = nan | (infinity & excluded) | (counts & (error.abs() > 0.5));
    let zero_sign = counts
        & (wide == 0.0)
        & (error.abs() < 0.5)
        & (wide.is_sign_negative() ^ reference.is_sign_negative());
    let error = excluded.select(0.0, error);
    let flags = misrounded.select(1, 0)
        | nan.select(2, 0)
        | infinity.select(4, 0)
        | zero_sign.select(8, 0)
        | excluded.select(16, 0)
        | undecided.select(32, 0);

    let words = result.to_bits().to_i64() ^ rotate_21(reference.to_bits());
    (error, histogram_bin(error), flags, digest_term(key, words))
}

/// [`FLAG_EXCLUDED`](crate::model::block) and `FLAG_UNDECIDED`.
const EXCLUDED_AND_UNDECIDED: i64 = 16 | 32;
/// `FLAG_UNDECIDED` alone, and all other flags.
const FLAG_UNDECIDED: i64 = 32;
const NOT_MISROUNDED: i64 = !1;
const NOT_UNDECIDED: i64 = !FLAG_UNDECIDED;
/// 2^-20: an error whose own error, relative to it or in ULP, is this large or larger is unknown.
pub(super) const KNOWN: f64 = 1.0 / (1u64 << 20) as f64;

/// Biased exponent 2097 in place: minus the reference's exponent, it is that of `2^(1074 - exponent)`.
const HALF_SCALE: i64 = 2097_i64.wrapping_shl(52);

/// The metric for a reference that is known within a radius, where one unit of the radius is `to_ulp` ULP. It takes the metric's results
/// for the reference as if it were exact. An error that is not known to 2^-20 of itself, or of an ULP, is undefined: such an input is
/// undecided, whatever result and reference are. If the error is within the radius of one half, the input is undecided, and has an error.
#[crunch]
fn within_radius(
    error: DcDouble,
    bin: DcLong,
    flags: DcLong,
    radius: DcDouble,
) -> (DcDouble, DcLong, DcLong) {
    let known = radius <= error.abs().max(1.0) * KNOWN;
    let near_half = ((error.abs() - 0.5).abs() <= radius) & (radius > 0.0);
    // An excluded input has no error that could be near one half.
    let near_half = near_half & (flags & 16 == 0);
    let decided = near_half.select((flags & NOT_MISROUNDED) | FLAG_UNDECIDED, flags);
    (
        known.select(error, 0.0),
        known.select(bin, 0),
        known.select(decided, EXCLUDED_AND_UNDECIDED),
    )
}

/// The same as `ulp_error_f64`, for a reference whose error is at most the number with the bits `radius`; the radius is infinite if the
/// error is unknown.
#[crunch]
pub fn known_ulp_error_f64(
    key: DcLong,
    result: DcDouble,
    reference: DcDoubleDouble,
    radius: DcLong,
) -> (DcDouble, DcLong, DcLong, DcLong) {
    let (error, bin, flags, digest_term) = ulp_error_f64(key, result, reference, 0);
    let exponent = (reference.hi.abs().to_bits() & EXPONENT).max(FACTOR_EXPONENT);
    // 2^(1075 - exponent), halved so that it is a double; an infinity and a NaN have no unit.
    let to_ulp = DcDouble::from_bits(HALF_SCALE - exponent);
    let radius = DcDouble::from_bits(radius);
    let in_ulp = (radius == 0.0).select(0.0, (radius * to_ulp) * 2.0);
    let numbers = reference.hi.abs() < INFINITY;
    let in_ulp = numbers.select(in_ulp, radius);
    let (error, bin, flags) = within_radius(error, bin, flags, in_ulp);
    (error, bin, flags, digest_term)
}

/// The same as `known_ulp_error_f64`, for `ulp_error_f32`: the reference is the high word.
#[crunch]
pub fn known_ulp_error_f32(
    key: DcLong,
    result: DcFloat,
    reference: DcDoubleDouble,
    radius: DcLong,
) -> (DcDouble, DcLong, DcLong, DcLong) {
    let (error, bin, flags, digest_term) = ulp_error_f32(key, result, reference.hi);
    let exponent = ((reference.hi.to_bits() & 0x7fff_ffff_ffff_ffff) >> 52)
        .max(897)
        .min(1151);
    let to_ulp = DcDouble::from_bits((2069 - exponent) << 52);
    let radius = DcDouble::from_bits(radius);
    let numbers = reference.hi.abs() < INFINITY;
    let in_ulp = numbers.select(radius * to_ulp, radius);
    let (error, bin, flags) = within_radius(error, bin, flags, in_ulp);
    // What one double without a radius leaves open next to one half, the radius decides. The difference of result and reference is exact there; of
    // two nearest numbers the even one is right.
    let beside = error.abs() - 0.5;
    let odd = (result.to_bits() & 1) != 0;
    let wrong = (beside > 0.0) | (beside == 0.0) & odd;
    let known = (in_ulp == 0.0) | (beside.abs() > in_ulp);
    let settled = known & (flags & EXCLUDED_AND_UNDECIDED == FLAG_UNDECIDED);
    let decided = (flags & NOT_MISROUNDED & NOT_UNDECIDED) | wrong.select(1, 0);
    (error, bin, settled.select(decided, flags), digest_term)
}

/// 2^-971: from here on `2^(1075 - exponent)` is a double, and the loss of a second word by underflow is below 2^-51 ULP.
pub const LEAST_ORDINARY: f64 = f64::from_bits(FACTOR_EXPONENT as u64);
/// 2^-970, the scaling factor of the largest references that the fast paths accept, those below 2^1023. A larger reference may round to
/// infinity.
const LEAST_FACTOR: f64 = f64::from_bits(53 << 52);
/// The sign bit.
const SIGN: i64 = i64::MIN;
/// Biased exponent 2098 in place: minus the reference's exponent, it is that of `2^(1075 - exponent)`.
const SCALE: i64 = 2098_i64.wrapping_shl(52);
/// Biased exponent 2069 in place, for binary32's ULP.
const SCALE_F32: i64 = 2069_i64.wrapping_shl(52);
/// The unit in which records are compared in binary32, as a power of two of an ULP. With it, the factors of ordinary references are
/// those whose exponents begin with the same bits.
pub const RECORD_UNIT: i32 = -152;
/// Biased exponent 1917 in place: minus the reference's exponent, it is that of an error's factor in these units.
const SCALE_RECORDS: i64 = (2069 + RECORD_UNIT as i64) << 52;
/// Biased exponent 768 in place: the least exponent of the factors for references from 2^-129 to 2^127.
const ORDINARY_SCALES: i64 = 768 << 52;
/// The sign, and the exponent bits in which 768 to 1023 agree.
const NO_ORDINARY_SCALE: i64 = 0xf << 60;
/// This bit is set for numbers of 2 and more.
const HIGHEST_EXPONENT_BIT: i64 = 1 << 62;
/// The least normal binary32 number.
const LEAST_NORMAL_F32: f64 = f32::MIN_POSITIVE as f64;
/// The least binary32 number, 2^-149: a smaller reference may round to zero.
const LEAST_F32: f64 = f64::from_bits((1023 - 149) << 52);
/// Half an ULP above the largest binary32 number: the least number that rounds to infinity.
const ROUNDS_TO_INFINITY_F32: f64 = f64::from_bits(0x47ef_ffff_f000_0000);

/// The bin of an error below 2 ULP: the number of its quarters, in the low bits.
#[crunch]
fn quarters(magnitude: DcDouble) -> DcLong {
    ((magnitude * 4.0).floor() + TWO_52).to_bits()
}

/// `digest_term` for a key that is already multiplied by its factor.
#[crunch]
pub fn digest_term_weighted(weight: DcLong, word: DcLong) -> DcLong {
    let weight = (weight ^ weight.shr_logical(32)) | 1;
    (word ^ word.shr_logical(32)) * weight
}

/// The digest term of only the result; `weight` is the key times the digest's factor.
#[crunch]
pub fn digest_term_of_result_f64(weight: DcLong, result: DcDouble) -> DcLong {
    digest_term_weighted(weight, result.to_bits())
}

/// The distance of a result from `base + low + slope τ + curve τ²`. It is infinite or NaN if the result is infinite or NaN.
#[crunch]
pub fn beside_polynomial(
    result: DcDouble,
    tau: DcDouble,
    base: DcDouble,
    low: DcDouble,
    slope: DcDouble,
    curve: DcDouble,
) -> DcDouble {
    let difference = (result - base) - tau.mul_add(tau.mul_add(curve, slope), low);
    difference.abs()
}

/// Whether a result is a number within a limit of `base + low + slope τ + curve τ²`. Then its error cannot be a record, if the polynomial
/// is that of the function and the limit is that of the records.
#[crunch]
pub fn near_polynomial(
    result: DcDouble,
    tau: DcDouble,
    base: DcDouble,
    low: DcDouble,
    slope: DcDouble,
    curve: DcDouble,
    limit: DcDouble,
) -> DcMask {
    beside_polynomial(result, tau, base, low, slope, curve) <= limit
}

/// The metric in its short form: signed error, histogram bin in the low bits, digest term, and two values that decide whether these are the
/// metric's (`short_form_holds_f64`): the distance of the error from one half, and the scaling factor. `weight` is the key times the
/// digest's factor.
///
/// This equals `ulp_error_f64` if the scale is 0, the reference is between `2^-971` and `2^1023`, and the error is below 2 ULP and not
/// near one half. Then the result and both words of the reference are finite, because otherwise the error would not be finite. So no
/// input is excluded or a fault, none is computed at half scale, and the second scaling factor is 1. The ULP's exponent is that of `hi`,
/// or of the number before it if `lo` points to zero. For a smaller reference, the factor is negative, because its exponent overflows
/// into the sign, or infinite, and so is the error. For a `hi` of zero with a `lo`, which a correct double-double does not have, the
/// factor is `2^-972`.
#[crunch]
pub fn short_form_f64(
    weight: DcLong,
    result: DcDouble,
    reference: DcDoubleDouble,
) -> (DcDouble, DcLong, DcLong, DcDouble, DcDouble) {
    let hi = reference.hi;
    let lo = reference.lo;
    let difference = (result - hi) - lo;
    let bits = hi.to_bits();
    let low = lo.to_bits();
    // Where `lo` points to zero this is negative; a zero is not less than zero, whatever its sign.
    let outward = DcDouble::from_bits(low ^ (bits & SIGN));
    let inward = (outward < 0.0).select(1, 0);
    let factor = DcDouble::from_bits(SCALE - ((bits - inward) & EXPONENT));
    let error = difference * factor;
    let magnitude = error.abs();
    let words = result.to_bits() ^ rotate_21(bits ^ rotate_21(low));
    (
        error,
        quarters(magnitude),
        digest_term_weighted(weight, words),
        magnitude - 0.5,
        factor,
    )
}

/// Whether all bins of `short_form_f64` are those of errors below 2 ULP, for one input, or for many joined by "or".
///
/// For 0 ≤ q < 8, the bits of 2^52 + q are those of 2^52 and three more. A larger number, infinity or NaN has
/// a higher fraction bit or a larger exponent, and every exponent from 0x434 to 0x7ff has a bit that 0x433
/// lacks.
#[crunch]
fn all_small(quarters: DcLong) -> DcMask {
    quarters & -8 == NO_QUARTERS
}

/// Whether the short form equals the metric, for one input or for many. For many inputs, pass the bins joined by "or", the least distance of an
/// error from one half, and the least factor.
#[crunch]
pub fn short_form_holds_f64(bins: DcLong, beside_half: DcDouble, factor: DcDouble) -> DcMask {
    all_small(bins) & (factor >= LEAST_FACTOR) & (beside_half > NEAR_HALF)
}

/// The short form, and whether it equals the metric: signed error, histogram bin in the low four bits, whether misrounded, digest term, and
/// whether these are the results of `ulp_error_f64`.
#[crunch]
pub fn fast_path_f64(
    weight: DcLong,
    result: DcDouble,
    reference: DcDoubleDouble,
) -> (DcDouble, DcLong, DcMask, DcLong, DcMask) {
    let (error, bin, digest_term, beyond_half, factor) = short_form_f64(weight, result, reference);
    let holds = short_form_holds_f64(bin, beyond_half.abs(), factor);
    (error, bin, beyond_half > 0.0, digest_term, holds)
}

/// The error of `short_form_f32`, and the reference's magnitude.
#[crunch]
pub fn short_error_f32(result: DcFloat, reference: DcDouble) -> (DcDouble, DcDouble) {
    let size = reference.abs();
    let exponent = size.max(LEAST_NORMAL_F32).to_bits() & EXPONENT;
    let scale = DcDouble::from_bits(SCALE_F32 - exponent);
    ((result.to_f64() - reference) * scale, size)
}

/// The error of a result in units of 2^[`RECORD_UNIT`] ULP, the value of the reference that [`ordinary_f32`] needs, and the digest term of only
/// the result. `weight` is the key times the digest's factor.
///
/// The error is that of `ulp_error_f32` if the reference is a normal binary32 number below 2^127. From 2^-129 up to the normal numbers, its unit is
/// the ULP of the reference's own binade, which is smaller than the least subnormal. An error between two records is still between them.
#[crunch]
pub fn error_beside_records_f32(
    weight: DcLong,
    result: DcFloat,
    reference: DcDouble,
) -> (DcDouble, DcLong, DcLong) {
    let scale = SCALE_RECORDS - (reference.to_bits() & EXPONENT);
    let error = (result.to_f64() - reference) * DcDouble::from_bits(scale);
    let term = digest_term_of_result_f32(weight, result);
    (error, scale ^ ORDINARY_SCALES, term)
}

/// The same as [`error_beside_records_f32`], with the error of `ulp_error_f32` for all references from the least subnormal to 2^127.
#[crunch]
pub fn subnormal_error_beside_records_f32(
    weight: DcLong,
    result: DcFloat,
    reference: DcDouble,
) -> (DcDouble, DcLong, DcLong) {
    let size = reference.abs();
    let scale = SCALE_RECORDS - (size.max(LEAST_NORMAL_F32).to_bits() & EXPONENT);
    let error = (result.to_f64() - reference) * DcDouble::from_bits(scale);
    let term = digest_term_of_result_f32(weight, result);
    let scales = (size < LEAST_F32).select(NO_ORDINARY_SCALE, scale ^ ORDINARY_SCALES);
    (error, scales, term)
}

/// `digest_term_weighted` of a result alone.
#[crunch]
fn digest_term_of_result_f32(weight: DcLong, result: DcFloat) -> DcLong {
    // The upper half of the word is zero.
    let word = result.to_bits().to_i64() & 0xffff_ffff;
    word * ((weight ^ weight.shr_logical(32)) | 1)
}

/// Whether there is no fault and the error is a number that can be compared with records. It takes the second result of
/// [`error_beside_records_f32`] (references from 2^-129 to 2^127) or of [`subnormal_error_beside_records_f32`] (from the least subnormal
/// on), and the bits of the error; for one input, or for many, both joined by "or".
///
/// The biased exponents of the factors for references from 2^-129 on are 768 to 1023, which all begin with the bits 011. Those for other
/// references, infinities and NaNs, whose factors may be negative, do not. In this unit, only an error that is an infinity, a NaN, or at
/// least 2^152 ULP has the highest exponent bit set.
#[crunch]
pub fn ordinary_f32(scales: DcLong, errors: DcLong) -> DcMask {
    (scales & NO_ORDINARY_SCALE) | (errors & HIGHEST_EXPONENT_BIT) == 0
}

/// Whether a finite `short_error_f32` is the error of `ulp_error_f32`, and a result that is a number has no fault. This holds if the
/// reference, or the least and the largest of many, rounds neither to zero nor to infinity.
#[crunch]
pub fn may_be_within_f32(least: DcDouble, largest: DcDouble) -> DcMask {
    (least >= LEAST_F32) & (largest < ROUNDS_TO_INFINITY_F32)
}

/// The same as `short_form_f64`, for `ulp_error_f32`. It holds if the reference is at least the least binary32 number and does not round to
/// infinity, and the error is below 2 ULP and not near one half. The last result is the reference's magnitude.
#[crunch]
pub fn short_form_f32(
    weight: DcLong,
    result: DcFloat,
    reference: DcDouble,
) -> (DcDouble, DcLong, DcLong, DcDouble, DcDouble) {
    let (error, size) = short_error_f32(result, reference);
    let magnitude = error.abs();
    let words = result.to_bits().to_i64() ^ rotate_21(reference.to_bits());
    (
        error,
        quarters(magnitude),
        digest_term_weighted(weight, words),
        magnitude - 0.5,
        size,
    )
}

/// The same as `short_form_holds_f64`, with the least and the largest magnitude of a reference.
#[crunch]
pub fn short_form_holds_f32(
    bins: DcLong,
    beside_half: DcDouble,
    least: DcDouble,
    largest: DcDouble,
) -> DcMask {
    all_small(bins) & may_be_within_f32(least, largest) & (beside_half > NEAR_HALF)
}

/// The same as `fast_path_f64`, for `ulp_error_f32`.
#[crunch]
pub fn fast_path_f32(
    weight: DcLong,
    result: DcFloat,
    reference: DcDouble,
) -> (DcDouble, DcLong, DcMask, DcLong, DcMask) {
    let (error, bin, digest_term, beyond_half, size) = short_form_f32(weight, result, reference);
    let holds = short_form_holds_f32(bin, beyond_half.abs(), size, size);
    (error, bin, beyond_half > 0.0, digest_term, holds)
}

/// The same as `fast_path_f64`, for GPUs. It needs fewer GPU instructions, for slightly fewer inputs. Signed error, histogram bin in the
/// low three bits, misrounded, digest term, and whether the conditions hold.
///
/// If the last result is true and the error is below 2 ULP, `ulp_error_f64` gives the same error and no flag except that of
/// misrounding. Then the result and both words of the reference are finite, because otherwise the error would not be finite. So nothing
/// is at half scale. The reference is not a power of two, so `hi` alone determines the binade. It is large enough for one factor, and
/// below 2^1023. The error in steps of 2^-23, rounded down, gives its quarter, its side of one half, and whether it is within a step of
/// one half.
#[crunch]
pub fn gpu_fast_path_f64(
    weight: DcLong,
    result: DcDouble,
    reference: DcDoubleDouble,
) -> (DcDouble, DcLong, DcMask, DcLong, DcMask) {
    let (hi, lo) = (reference.hi, reference.lo);
    let bits = hi.to_bits();
    // The upper halves of words, which hold the exponents: on a GPU a word is two registers.
    let top = bits.shr_logical(32).to_i32();
    // 2^(1075 - exponent); negative or infinite where the reference is too small.
    let factor_bits = 0x8320_0000 - (top & EXPONENT_32);
    let factor = DcDouble::from_bits(factor_bits.to_i64() << 32);
    let error = ((result - hi) - lo) * factor;
    let steps = error.abs().add_rz(TWO_29).to_bits().to_i32();
    let fraction = (top & FRACTION_32) | bits.to_i32();
    let holds = (factor_bits >= LEAST_FACTOR_32) & (fraction != 0) & !near_half(steps);
    let word = result.to_bits() ^ rotate_21(bits ^ rotate_21(lo.to_bits()));
    let mixed = digest_term_weighted(weight, word);
    let quarters = steps.shr_logical(21).to_i64();
    (error, quarters, steps >= HALF_STEPS, mixed, holds)
}

/// Whether an error in steps of 2^-23 is within one step of one half.
#[crunch]
fn near_half(steps: DcInt) -> DcMask {
    (steps - (HALF_STEPS - 1)) & -2 == 0
}

/// The same as `fast_path_f32`, for GPUs; see `gpu_fast_path_f64`.
///
/// The reference is below 2^127 and at least the least normal number, so its own exponent is that of the ULP.
#[crunch]
pub fn gpu_fast_path_f32(
    weight: DcLong,
    result: DcFloat,
    reference: DcDouble,
) -> (DcDouble, DcLong, DcMask, DcLong, DcMask) {
    let bits = reference.to_bits();
    // 2^(1046 - exponent)
    let exponent = bits.shr_logical(32).to_i32() & EXPONENT_32;
    let factor = DcDouble::from_bits((0x8150_0000 - exponent).to_i64() << 32);
    let error = (result.to_f64() - reference) * factor;
    let steps = error.abs().add_rz(TWO_29).to_bits().to_i32();
    let normal = (exponent >= LEAST_NORMAL_32) & (exponent < TOP_BINADE_32);
    let holds = normal & !near_half(steps);
    let word = result.to_bits().to_i64() ^ rotate_21(bits);
    let mixed = digest_term_weighted(weight, word);
    let quarters = steps.shr_logical(21).to_i64();
    (error, quarters, steps >= HALF_STEPS, mixed, holds)
}

// They compare with the search.
#[cfg(all(test, feature = "search"))]
mod tests;
