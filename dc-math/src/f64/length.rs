//! The length of the vector (x, y) in binary64.
//!
//! Both numbers are scaled by one power of two, so that their squares neither overflow nor lose significant bits. `x² + y²` is then `s + low`. Both squares and
//! their sum are exact in two words; only `low` is rounded, by less than 2^-104 of s. With `r = √s`, rounded, `s - r²` is exact, and
//!
//! ```text
//! √(x² + y²) = r + (s - r² + low) / (2 r),
//! ```
//!
//! up to half the square of that quotient over r, which is below 2^-104 of r. So the last sum has an error of half a unit, and all other errors add less than
//! 2^-49 units. If this length is subnormal, it is summed once more: the number whose last place is that of subnormal numbers is added first and subtracted last,
//! so that the result is rounded once. `crunch bound` proves the error over all pairs.

use dc_runtime::prelude::*;

/// Lengths from the first to the second one are not scaled, and scaled ones are from 2^-374 to 2^400: squares do not overflow, and the bits that they lose are
/// too small to matter.
const SHORT: f64 = f64::from_bits((1023 - 300) << 52);
const LONG: f64 = f64::from_bits((1023 + 400) << 52);
/// The factors for shorter and for longer vectors.
const UP: f64 = f64::from_bits((1023 + 700) << 52);
const DOWN: f64 = f64::from_bits((1023 - 700) << 52);
/// 2^-1022, scaled: its last place is that of all subnormal numbers. Only of short vectors are there lengths below it.
const SUBNORMAL: f64 = f64::from_bits((1023 - 322) << 52);
/// Replaces a length of 0. The least other length is 2^-374, scaled.
const LEAST: f64 = f64::from_bits((1023 - 380) << 52);

/// If the sum of the magnitudes is between the first number and `LONG`, the vector is not scaled.
const NOT_SHORT: f64 = 2.0 * SHORT;

/// Whether the vector is short or long, or has a coordinate that is NaN.
#[crunch]
pub fn is_extreme(x: DcDouble, y: DcDouble) -> DcMask {
    let sum = x.abs() + y.abs();
    !((sum >= NOT_SHORT) & (sum < LONG))
}

/// The root of the first word of a² + b², and what a² + b² is above its square.
#[crunch]
fn root_and_rest(a: DcDouble, b: DcDouble) -> (DcDouble, DcDouble) {
    let p = a * a;
    let q = b * b;
    let s = two_sum(p, q);
    let low = s.lo + (a.mul_add(a, -p) + b.mul_add(b, -q));
    let root = s.hi.sqrt();
    (root, (-root).mul_add(root, s.hi) + low)
}

/// √(x² + y²) for vectors that are not scaled.
#[crunch]
pub fn hypot_short(x: DcDouble, y: DcDouble) -> DcDouble {
    let (root, rest) = root_and_rest(x.abs(), y.abs());
    root + rest * (0.5 / root)
}

/// √(x² + y²), error at most 0.5 + 2^-46 ULP, also for subnormal results.
#[crunch]
pub fn hypot(x: DcDouble, y: DcDouble) -> DcDouble {
    let (a, b) = (x.abs(), y.abs());
    let infinite = (a == f64::INFINITY) | (b == f64::INFINITY);
    let long = a.max(b);
    // A NaN is neither under nor over, or the other number is. The result is NaN in both cases.
    let (under, over) = (long < SHORT, long >= LONG);
    let scale = under.select(UP, over.select(DOWN, 1.0));
    let back = under.select(DOWN, over.select(UP, 1.0));
    let (root, rest) = root_and_rest(a * scale, b * scale);
    let step = rest * (0.5 / root.max(LEAST));
    let length = root + step;
    let tiny = length < SUBNORMAL;
    let unit = tiny.select(SUBNORMAL, 0.0);
    let head = two_sum(unit, root);
    // The difference is exact, and so is its product with the factor.
    let once = (head.hi + (step + head.lo)) - unit;
    let y = tiny.select(once, length) * back;
    if infinite { f64::INFINITY } else { y }
}
