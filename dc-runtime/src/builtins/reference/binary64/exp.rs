//! Exponential functions: e^x to more than 105 bits, the others to more than 100.
//!
//! # Method
//!
//! With L = ln 2 / 128, `x = k L + r`, k = 128 E + i: `e^x = 2^E 2^(i/128) e^r`, `|r| <= 2^-8.5`. The power of two comes
//! from a table in three words, so it is practically exact. `q = e^r - 1` is small, and so are its rounding
//! errors.
//!
//! # Error
//!
//! u = 2^-53; relative to e^x, without the final scaling.
//!
//! 1. Reduction. `|k| < 2^18` and two words of L have 35 bits, so `k L1` and `k L2` are exact; so is `x - k L1`: both are
//!    multiples of 2^-61 or of the last place of x, and the difference is below 2^-8. The rest of L, 2^-77.8, is rounded
//!    to 2^-131 and its product, at most 2^-60.7, to 2^-114; the sum of the low words rounds by 2^-114. An error of r is
//!    one of e^r: below 2^-112.4.
//! 2. `q = r + r²/2 + … + r^10/10!`. The remainder is r^11/11! < 2^-118. From r^6/6! on, 2^-60.4, doubles are
//!    sufficient: four fused operations and the coefficients' own roundings contribute less than 2^-111.4. The rest is
//!    in double-double; the sum with 1/2, whose error is largest, has 5u² of r²/2, and those of r and r²: below 2^-110.
//! 3. The product with the table's first two words: 5u² q, and u² q for the omitted third one: 2^-111.9.
//! 4. The sum. The table's first word and the product's first are added exactly, their error and the table's second word
//!    too; what remains is below 2^-61 and rounds once, by 2^-114. The low word, at most u + 2^-61, rounds by u²/2 = 2^-107,
//!    by twice that if it is above u. The table's third word rounds at 2^-160.
//!
//! Together below 2^-106 + 2^-108.5 < **2^-105.7** =: ε, as long as both words are normal numbers, that is, if e^x >= 2^-968.
//!
//! # Towards underflow
//!
//! Below that, no pair of doubles has bits below 2^-1074. The scaling rounds the high word if it is subnormal, and adds the difference to
//! the low one, which is rounded as well: an **absolute error below ε e^x + (1/2 + 2^-40) 2^-1074**. If the result is subnormal, an ULP
//! of the search is 2^-1074. So the error of a routine in ULP is known to within one half there, and at 2^(j - 1022) to within 2^-(j +
//! 1).
//!
//! Above 709.782712893384 (the next double is the first to overflow) the reference is infinite, with 0 as its second word.
//!
//! # The others
//!
//! 2^x and 10^x are computed from `e^r` as well, with r from `x - k / 128`, which is exact, or from `x - k log10(2) / 128`, in
//! double-double: three more products with an error of 4u² of r, which is below 2^-8. For these functions minus 1, `2^(k/128) - 1` is
//! summed exactly from the table's words, and `2^(k/128) (e^r - 1)` is added. Next to 0, where k = 0, only `e^r - 1` remains. For other k
//! the two terms cancel by less than half.

use super::exp_constants::{
    HUNDRED_TWENTIETH_HI, HUNDRED_TWENTIETH_LO, LN_2_HI, LN_2_LO, LN_10_HI, LN_10_LO, POWERS_HI,
    POWERS_LO, POWERS_MID, SIXTH_HI, SIXTH_LO, STEP_1, STEP_2, STEP_3, STEP_10_1, STEP_10_2,
    STEP_10_3, STEPS, STEPS_10,
};
use super::special::unless;
use crate::prelude::*;

/// Above this e^x overflows.
pub(super) const LARGE: f64 = 710.0;
/// Below this e^x is less than half of the smallest subnormal.
const SMALL: f64 = -746.0;
/// The same limits for 2^x.
const LARGE_2: f64 = 1024.0;
const SMALL_2: f64 = -1076.0;
/// The same for 10^x.
const LARGE_10: f64 = 309.0;
const SMALL_10: f64 = -324.0;
/// 1 / 128.
const STEP_OF_2: f64 = 0.007_812_5;

/// 1/10!, 1/9!, 1/8!, 1/7!, 1/6!, rounded.
const TAIL: [f64; 5] = [
    1.0 / 3_628_800.0,
    1.0 / 362_880.0,
    1.0 / 40_320.0,
    1.0 / 5_040.0,
    1.0 / 720.0,
];

/// `e^r - 1` for `|r| <= 2^-8.5`, absolute error below 2^-110.
#[crunch]
pub(super) fn small_expm1(r: DcDoubleDouble) -> DcDoubleDouble {
    let mut t: DcDouble = TAIL[0];
    for i in 1..TAIL.len() {
        t = t.mul_add(r.hi, TAIL[i]);
    }
    // The signs of the sums' operands may differ, but the second is below 2^-6 of the first: the error of `dd_add_sloppy` is 5u².
    let s = dd_mul_f64(r, t);
    let s = dd_add_sloppy(
        DcDoubleDouble::new(HUNDRED_TWENTIETH_HI, HUNDRED_TWENTIETH_LO),
        s,
    );
    let s = dd_mul_sloppy(r, s);
    let s = dd_add_sloppy(DcDoubleDouble::new(0.25 * SIXTH_HI, 0.25 * SIXTH_LO), s);
    let s = dd_mul_sloppy(r, s);
    let s = dd_add_sloppy(DcDoubleDouble::new(SIXTH_HI, SIXTH_LO), s);
    let s = dd_mul_sloppy(r, s);
    let s = dd_add_sloppy(DcDoubleDouble::new(0.5, 0.0), s);
    let square = dd_square(r);
    dd_add_sloppy(r, dd_mul_sloppy(square, s))
}

/// e^x, relative error below ε = 2^-105.7 if e^x is at least 2^-968, otherwise absolute error below
/// ε e^x + (1/2 + 2^-40) 2^-1074. Proofs are in the source, `builtins/reference/binary64/exp.rs`.
#[crunch]
pub fn exp_reference(x: DcDouble) -> DcDoubleDouble {
    // A NaN passes both.
    let x = if x > LARGE { LARGE } else { x };
    let x = if x < SMALL { SMALL } else { x };
    let steps = (x * STEPS).round_ties_even();
    let k = steps.to_i64();
    let r = two_sum((-steps).mul_add(STEP_1, x), -(steps * STEP_2));
    let r = fast_two_sum(r.hi, (-steps).mul_add(STEP_3, r.lo));
    let q = small_expm1(r);

    let head = POWERS_HI[k];
    let p = dd_mul_sloppy(DcDoubleDouble::new(head, POWERS_MID[k]), q);
    let a = fast_two_sum(head, p.hi);
    let b = two_sum(a.lo, POWERS_MID[k]);
    let c = fast_two_sum(a.hi, b.hi);
    let y = fast_two_sum(c.hi, c.lo + (b.lo + (p.lo + POWERS_LO[k])));

    // 2^E as two factors; the first changes no bit, the second rounds a subnormal result.
    let e = k >> 7;
    let half = e >> 1;
    let first = DcDouble::from_bits((half + 1023) << 52);
    let second = DcDouble::from_bits((e - half + 1023) << 52);
    let back = DcDouble::from_bits((half - e + 1023) << 52);
    let hi = y.hi * first;
    let result = hi * second;
    let lost = hi - result * back;
    let lo = (y.lo * first + lost) * second;
    let infinite = result > 1.797_693_134_862_315_7e308;
    DcDoubleDouble::new(result, infinite.select(0.0, lo))
}

/// `x`, limited to the range from `low` to `high`; a NaN stays.
#[crunch]
fn clamp(x: DcDouble, low: DcDouble, high: DcDouble) -> DcDouble {
    let x = if x > high { high } else { x };
    if x < low { low } else { x }
}

/// `k` and `r` with `x = k ln 2 / 128 + r`.
#[crunch]
fn split(x: DcDouble, below: DcDouble) -> (DcLong, DcDoubleDouble) {
    let steps = (x * STEPS).round_ties_even();
    let r = two_sum((-steps).mul_add(STEP_1, x), -(steps * STEP_2));
    let r = fast_two_sum(r.hi, (-steps).mul_add(STEP_3, r.lo));
    (steps.to_i64(), dd_add_f64(r, below))
}

/// The same as `split`, for 2^x.
#[crunch]
fn split2(x: DcDouble) -> (DcLong, DcDoubleDouble) {
    let steps = (x * 128.0).round_ties_even();
    let rest = (-steps).mul_add(STEP_OF_2, x);
    (
        steps.to_i64(),
        dd_mul_f64(DcDoubleDouble::new(LN_2_HI, LN_2_LO), rest),
    )
}

/// The same as `split`, for 10^x.
#[crunch]
fn split10(x: DcDouble) -> (DcLong, DcDoubleDouble) {
    let steps = (x * STEPS_10).round_ties_even();
    let r = two_sum((-steps).mul_add(STEP_10_1, x), -(steps * STEP_10_2));
    let r = fast_two_sum(r.hi, (-steps).mul_add(STEP_10_3, r.lo));
    (
        steps.to_i64(),
        dd_mul(r, DcDoubleDouble::new(LN_10_HI, LN_10_LO)),
    )
}

/// `2^(k/128 - E) e^r`, where E is `k / 128` rounded down.
#[crunch]
fn grown(k: DcLong, r: DcDoubleDouble) -> DcDoubleDouble {
    let q = small_expm1(r);
    let head = POWERS_HI[k];
    let p = dd_mul_sloppy(DcDoubleDouble::new(head, POWERS_MID[k]), q);
    let a = fast_two_sum(head, p.hi);
    let b = two_sum(a.lo, POWERS_MID[k]);
    let c = fast_two_sum(a.hi, b.hi);
    fast_two_sum(c.hi, c.lo + (b.lo + (p.lo + POWERS_LO[k])))
}

/// `y 2^e`; a subnormal result is rounded twice, and its low word is the representable part of the difference.
#[crunch]
pub(super) fn scaled(y: DcDoubleDouble, e: DcLong) -> DcDoubleDouble {
    let half = e >> 1;
    let first = DcDouble::from_bits((half + 1023) << 52);
    let second = DcDouble::from_bits((e - half + 1023) << 52);
    let back = DcDouble::from_bits((half - e + 1023) << 52);
    let hi = y.hi * first;
    let result = hi * second;
    let lost = hi - result * back;
    let lo = (y.lo * first + lost) * second;
    let infinite = result > 1.797_693_134_862_315_7e308;
    DcDoubleDouble::new(result, infinite.select(0.0, lo))
}

/// `2^(k/128) e^r - 1`.
#[crunch]
fn less_one(k: DcLong, r: DcDoubleDouble) -> DcDoubleDouble {
    let e = k >> 7;
    // From 2^120 on the 1 is negligible.
    let near = e.min(120).max(-120);
    let power = DcDouble::from_bits((near + 1023) << 52);
    let head = POWERS_HI[k];
    let middle = POWERS_MID[k];
    let p = dd_mul(DcDoubleDouble::new(head, middle), small_expm1(r));
    let a = two_sum(head * power, -1.0);
    let b = two_sum(a.hi, p.hi * power);
    let c = two_sum(b.lo, middle * power);
    let d = two_sum(c.hi, a.lo);
    let y = fast_two_sum(b.hi, d.hi);
    let rest = p.lo.mul_add(power, POWERS_LO[k] * power);
    let y = fast_two_sum(y.hi, y.lo + (d.lo + (c.lo + rest)));
    let far = e > 120;
    let whole = scaled(grown(k, r), e);
    if far { whole } else { y }
}

/// e^x as `y 2^e`, for |x| <= 1400. It may be too large or too small for a double, while its product with another factor is one.
#[crunch]
pub(super) fn exp_parts(x: DcDoubleDouble) -> (DcDoubleDouble, DcLong) {
    let (k, r) = split(x.hi, x.lo);
    (grown(k, r), k >> 7)
}

/// The same as `exp_parts`, for a sum of three words: for |x| <= 1400, with `below` at most 2^-20.
#[crunch]
pub(super) fn exp_parts_of_sum(x: DcDouble, below: DcDoubleDouble) -> (DcDoubleDouble, DcLong) {
    let (k, r) = split(x, below.hi);
    (grown(k, dd_add_f64(r, below.lo)), k >> 7)
}

/// 2^x: relative error below 2^-105 if it is at least 2^-968, otherwise bounded as in `exp_reference`.
#[crunch]
pub fn exp2_reference(x: DcDouble) -> DcDoubleDouble {
    let (k, r) = split2(clamp(x, SMALL_2, LARGE_2));
    scaled(grown(k, r), k >> 7)
}

/// 10^x, with the error of `exp2_reference`.
#[crunch]
pub fn exp10_reference(x: DcDouble) -> DcDoubleDouble {
    let (k, r) = split10(clamp(x, SMALL_10, LARGE_10));
    scaled(grown(k, r), k >> 7)
}

/// e^x - 1.
#[crunch]
pub fn expm1_reference(x: DcDouble) -> DcDoubleDouble {
    let (k, r) = split(clamp(x, SMALL, LARGE), 0.0);
    unless(x == 0.0, x, less_one(k, r))
}

/// 2^x - 1.
#[crunch]
pub fn exp2m1_reference(x: DcDouble) -> DcDoubleDouble {
    let (k, r) = split2(clamp(x, SMALL_2, LARGE_2));
    unless(x == 0.0, x, less_one(k, r))
}

/// 10^x - 1.
#[crunch]
pub fn exp10m1_reference(x: DcDouble) -> DcDoubleDouble {
    let (k, r) = split10(clamp(x, SMALL_10, LARGE_10));
    unless(x == 0.0, x, less_one(k, r))
}

/// e^x of a double-double.
#[crunch]
pub fn dd_exp(x: DcDoubleDouble) -> DcDoubleDouble {
    // Where the high word is beyond the limits, the low one may be so, too.
    let inside = x.hi.abs() < -SMALL;
    let (k, r) = split(clamp(x.hi, SMALL, LARGE), inside.select(x.lo, 0.0));
    scaled(grown(k, r), k >> 7)
}

/// e^x - 1 of a double-double.
#[crunch]
pub fn dd_expm1(x: DcDoubleDouble) -> DcDoubleDouble {
    // Where the high word is beyond the limits, the low one may be so, too.
    let inside = x.hi.abs() < -SMALL;
    let (k, r) = split(clamp(x.hi, SMALL, LARGE), inside.select(x.lo, 0.0));
    unless(x.hi == 0.0, x.hi, less_one(k, r))
}
