//! e^x to more than 105 bits, with a scale: the reference of the sweep `exp`.
//!
//! The method and the error are those of `exp.rs`: ε = 2^-105.7. There is no underflow, so the error holds for every result, small or
//! large.
//!
//! # The scale
//!
//! `y 2^E` with `y` in about [1, 2) is a double-double of ordinary numbers for `-900 <= E <= 1000`: the multiplication by the power of two
//! is exact, also for `lo` (its last place is above 2^-1074 by 2^67). Beyond, the words are multiplied by 2^-900 or 2^1000, and the rest of
//! E is the scale.
//!
//! Inputs above 710 are replaced by 710, at which e^x is already above 2^1024 and counts as infinite. Inputs below -800 are replaced by
//! -800, at which e^x is below 2^-80 of the least subnormal, so no error in ULP changes by more.

use super::exp::{LARGE, small_expm1};
use super::exp_constants::{POWERS_HI, POWERS_LO, POWERS_MID, STEP_1, STEP_2, STEP_3, STEPS};
use crate::prelude::*;

/// Below this, e^x is less than 2^-80 of the smallest subnormal.
const LEAST: f64 = -800.0;
/// For exponents between these limits, the words are multiplied by the power of two.
const LEAST_POWER: i32 = -900;
const LARGEST_POWER: i32 = 1000;

/// e^x as two words and a scale, relative error below 2^-105.7 for -800 ≤ x ≤ 710; outside this interval, the values at its ends.
/// Proofs are in the source, `builtins/reference/binary64/exp.rs`.
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
