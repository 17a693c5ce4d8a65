//! e^x to more than 105 bits.
//!
//! # Method
//!
//! With L = ln 2 / 128, `x = k L + r`, k = 128 E + i: `e^x = 2^E 2^(i/128) e^r`, `|r| <= 2^-8.5`. The power of two comes
//! from a table in three words, so it is practically exact. `q = e^r - 1` is small, and so are its rounding
//! errors.
//!
//! # Error
//!
//! u = 2^-53; relative to e^x.
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
//! Together below 2^-106 + 2^-108.5 < **2^-105.7** =: ε, for every result, small or large.
//!
//! # The scale
//!
//! `y 2^E` with `y` in about [1, 2) is a double-double of ordinary numbers for `-900 <= E <= 1000`: multiplying by the power
//! of two is exact, `lo` included (its last place is above 2^-1074 by 2^67). Beyond, the words are multiplied by 2^-900 or
//! 2^1000, and the rest of E is the scale.
//!
//! Inputs above 710 are replaced by 710, at which e^x is also above 2^1024 and counts as infinite. Inputs below
//! -800 are replaced by -800, at which e^x is below 2^-80 of the least subnormal, so no error in ULP changes by more.

use super::LARGE;
use super::constants::{
    HUNDRED_TWENTIETH_HI, HUNDRED_TWENTIETH_LO, POWERS_HI, POWERS_LO, POWERS_MID, SIXTH_HI,
    SIXTH_LO, STEP_1, STEP_2, STEP_3, STEPS,
};
use crate::prelude::*;

/// Below this e^x is less than 2^-80 of the smallest subnormal.
const LEAST: f64 = -800.0;
/// For exponents in between, the words are multiplied by that power of two.
const LEAST_POWER: i32 = -900;
const LARGEST_POWER: i32 = 1000;

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
fn small_expm1(r: DcDoubleDouble) -> DcDoubleDouble {
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

/// e^x as two words and a scale, relative error below 2^-105.7 for -800 ≤ x ≤ 710; outside this interval, the values at its ends.
/// Proofs are in the source, `sweeps/exp/reference.rs`.
#[crunch]
pub fn exp_reference(x: DcDouble) -> (DcDoubleDouble, DcLong) {
    // A NaN passes both.
    let x = if x > LARGE { LARGE } else { x };
    let x = if x < LEAST { LEAST } else { x };
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

    // 32 bits are used, because a GPU's registers have no more.
    let e = (k >> 7).to_i32();
    let power = e.max(LEAST_POWER).min(LARGEST_POWER);
    let factor = DcDouble::from_bits(((power + 1023) << 20).to_i64() << 32);
    (dd_scale(y, factor), (e - power).to_i64())
}
