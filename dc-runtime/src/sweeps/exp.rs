//! The exponential function (*DoubleCrunch*, Section 6), over the whole range of doubles: a routine by the method of the
//! Cephes library.

use crate::prelude::*;

/// log2 e.
const LOG2_E: f64 = std::f64::consts::LOG2_E;
/// ln 2 in two words. The first has 16 bits, so that its product with an integer up to 1076 is exact.
const C1: f64 = 0.693_145_751_953_125;
const C2: f64 = 1.428_606_820_309_417_2e-6;
/// `r P(r²)` and `Q(r²)`, from the highest coefficient down: `e^r = 1 + 2 r P / (Q - r P)` within 2^-66.
const P: [f64; 3] = [1.261_771_930_748_105_9e-4, 3.029_944_077_074_419_6e-2, 1.0];
const Q: [f64; 4] = [
    3.001_985_051_386_644_6e-6,
    2.524_483_403_496_841e-3,
    2.272_655_482_081_550_3e-1,
    2.0,
];
/// Above this e^x overflows.
const LARGE: f64 = 710.0;
/// Below this e^x is less than half of the smallest subnormal.
const SMALL: f64 = -746.0;

/// e^x by the method of Cephes' `exp` (Moshier, *Methods and Programs for Mathematical Functions*, 1989).
///
/// Reduction to `|r| <= ln 2 / 2` with ln 2 in two words (Cody and Waite); on it
/// `e^r = 1 + 2 r P(r²) / (Q(r²) - r P(r²))`, the published coefficients, every operation rounded separately. Scaling
/// by 2^n has two steps, of which the first is exact. So results overflow to infinity and underflow gradually,
/// with one rounding.
#[crunch]
pub fn exp_cephes(x: DcDouble) -> DcDouble {
    // A NaN passes both.
    let x = if x > LARGE { LARGE } else { x };
    let x = if x < SMALL { SMALL } else { x };
    let n = (x * LOG2_E + 0.5).floor();
    let r = x - n * C1;
    let r = r - n * C2;
    let rr = r * r;
    let p = r * ((P[0] * rr + P[1]) * rr + P[2]);
    let q = ((Q[0] * rr + Q[1]) * rr + Q[2]) * rr + Q[3];
    let y = 1.0 + 2.0 * (p / (q - p));
    let n = n.to_i64();
    let half = n >> 1;
    let first = DcDouble::from_bits((half + 1023) << 52);
    let second = DcDouble::from_bits((n - half + 1023) << 52);
    y * first * second
}
