//! e^x by a table of 128 powers of two and a polynomial of degree 5 (ARM's optimized routines, 2018; Tang, *Table-driven
//! implementation of the exponential function in IEEE floating-point arithmetic*, 1989).

use super::exp_constants::{SERIES, STEP_HI, STEP_LO, STEPS, TAILS};
use crate::builtins::reference::binary64::POWERS;
use crate::prelude::*;

/// The limit above which e^x overflows, and the one below which it is less than half of the smallest subnormal.
const LARGE: f64 = 710.0;
const SMALL: f64 = -746.0;
/// 2^-1022
const LEAST_NORMAL: f64 = f64::MIN_POSITIVE;

/// e^x: `x = k ln 2 / 128 + r`, `e^x = 2^E H (1 + T) e^r` with `H (1 + T) = 2^(i/128)` from a table, k = 128 E + i. No
/// fused operations: every product and sum is rounded.
///
/// Below 2^-1021 the sum `H + H t` is rounded at the last place of the result. Its error is added to the sum with 1, whose
/// last place is that of the least subnormal.
#[crunch]
pub fn exp_table(x: DcDouble) -> DcDouble {
    // A NaN passes both.
    let x = if x > LARGE { LARGE } else { x };
    let x = if x < SMALL { SMALL } else { x };
    let steps = (x * STEPS).round_ties_even();
    let r = x - steps * STEP_HI - steps * STEP_LO;
    let k = steps.to_i64();
    let head = POWERS[k];
    let rr = r * r;
    let t = TAILS[k] + r + rr * (SERIES[0] + r * SERIES[1]) + rr * rr * (SERIES[2] + r * SERIES[3]);
    let e = k >> 7;
    let half = e >> 1;
    let first = DcDouble::from_bits((half + 1023) << 52);
    let second = DcDouble::from_bits((e - half + 1023) << 52);
    let normal = (head + head * t) * first * second;

    let scale = head * DcDouble::from_bits((e + (1022 + 1023)) << 52);
    let y = fast_two_sum(scale, scale * t);
    let above = fast_two_sum(1.0, y.hi);
    let rounded = (above.hi + (above.lo + y.lo)) - 1.0;
    let small = if y.hi < 1.0 { rounded } else { y.hi };
    if e < -1021 {
        small * LEAST_NORMAL
    } else {
        normal
    }
}
