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
//! 2^-49 units. If the result is subnormal, the number whose last place is that of subnormal numbers is added first and subtracted last, so that the result is
//! rounded once.

use dc_runtime::prelude::*;

/// Between these lengths the squares do not overflow, and the bits that they lose are too small to matter.
const SHORT: f64 = f64::from_bits((1023 - 400) << 52);
const LONG: f64 = f64::from_bits((1023 + 500) << 52);
/// The factors for shorter and for longer vectors.
const UP: f64 = f64::from_bits((1023 + 600) << 52);
const DOWN: f64 = f64::from_bits((1023 - 600) << 52);
/// 2^-1022, scaled: its last place is that of all subnormal numbers.
const SUBNORMAL: f64 = f64::from_bits((1023 - 422) << 52);
/// Replaces a length of 0. The least other length is 2^-474, scaled.
const LEAST: f64 = f64::from_bits((1023 - 480) << 52);

/// √(x² + y²), error at most 0.5 + 2^-46 ULP, also for subnormal results.
#[crunch]
pub fn hypot(x: DcDouble, y: DcDouble) -> DcDouble {
    let (a, b) = (x.abs(), y.abs());
    let infinite = (a == f64::INFINITY) | (b == f64::INFINITY);
    let steep = b > a;
    let long = steep.select(b, a);
    let short = steep.select(a, b);
    // A NaN is neither under nor over, and stays.
    let (under, over) = (long < SHORT, long > LONG);
    let scale = under.select(UP, over.select(DOWN, 1.0));
    let back = under.select(DOWN, over.select(UP, 1.0));
    let (a, b) = (long * scale, short * scale);
    let p = a * a;
    let q = b * b;
    let s = p + q;
    let low = ((p - s) + q) + (a.mul_add(a, -p) + b.mul_add(b, -q));
    let root = s.sqrt();
    let rest = (-root).mul_add(root, s) + low;
    let unit = (root < SUBNORMAL).select(SUBNORMAL, 0.0);
    // Exact, as is its remainder.
    let head = root + unit;
    let tail = (rest * (0.5 / root.max(LEAST))) + ((unit - head) + root);
    let y = ((head + tail) - unit) * back;
    if infinite { f64::INFINITY } else { y }
}
