//! The logistic function in binary64: `E / (1 + E)` with E = e^x for negative x, and `1 / (1 + E)` with E = e^-x for the others. E has two words. A
//! subnormal result is rounded once, as in `exponential.rs`.

use super::hyperbolic::{grown, power_of_two, reduced};
use super::tables::LEAST;
use dc_runtime::prelude::*;

/// 1 / (1 + e^-x), error at most 0.55 ULP.
#[crunch]
pub fn sigmoid(x: DcDouble) -> DcDouble {
    let (head, tail, rest) = grown(reduced((-x.abs()).clamp(-746.0, 0.0)), 0.0);
    let e = fast_two_sum(head, tail);
    let scale = power_of_two(rest);
    let v = fast_two_sum(1.0, e.hi * scale);
    let v_low = e.lo.mul_add(scale, v.lo);
    let inverse = v.hi.recip();
    let negative = x < 0.0;
    let (hi, lo, scale) = negative.select((e.hi, e.lo, scale), (1.0, 0.0, 1.0));
    let q = hi * inverse;
    let remainder = (-q).mul_add(v.hi, hi) + (-q).mul_add(v_low, lo);

    let unit = (x < LEAST).select(DcDouble::from_bits((1 - rest) << 52), 0.0);
    let sum = unit + q;
    let d = q - (sum - unit);
    let y = sum + remainder.mul_add(inverse, d);
    (y - unit) * scale
}
