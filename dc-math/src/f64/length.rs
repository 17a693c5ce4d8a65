//! The length of the vector (x, y) in binary64.
//!
//! Both numbers are scaled by one power of two, so that their squares neither overflow nor lose what matters. `x² + y²` is then `s + low`: both squares are exact in two words,
//! their sum is too, and only `low` is rounded, by less than 2^-104 of s. With `r = √s`, rounded, `s - r²` is exact, and
//!
//! ```text
//! √(x² + y²) = r + (s - r² + low) / (2 r),
//! ```
//!
//! but for half of the square of that quotient over r, which is below 2^-104 of r. So the last sum has an error of half a unit, and all else adds less than 2^-49 units. Where the
//! result is subnormal, the number whose last place is that of subnormal numbers is added first, and subtracted after: the result is rounded once.

use dc_runtime::prelude::*;

/// Between these the squares do not overflow, and what they lose is too small to matter.
const SHORT: f64 = f64::from_bits((1023 - 400) << 52);
const LONG: f64 = f64::from_bits((1023 + 500) << 52);
/// Factors of shorter and of longer ones.
const UP: f64 = f64::from_bits((1023 + 600) << 52);
const DOWN: f64 = f64::from_bits((1023 - 600) << 52);
/// 2^-1022, scaled: its last place is that of all subnormal numbers.
const SUBNORMAL: f64 = f64::from_bits((1023 - 422) << 52);
/// Instead of a length 0. The least other one is 2^-474, scaled.
const LEAST: f64 = f64::from_bits((1023 - 480) << 52);

/// √(x² + y²), error at most 0.5 + 2^-46 ULP, subnormal results as well.
#[crunch]
pub fn hypot(x: DcDouble, y: DcDouble) -> DcDouble {
    let (a, b) = (x.abs(), y.abs());
    let infinite = (a == f64::INFINITY) | (b == f64::INFINITY);
    let steep = b > a;
    let long = steep.select(b, a);
    let short = steep.select(a, b);
    // A NaN is neither, and stays.
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
    // Exact, and so is its rest.
    let head = root + unit;
    let tail = (rest * (0.5 / root.max(LEAST))) + ((unit - head) + root);
    let y = ((head + tail) - unit) * back;
    if infinite { f64::INFINITY } else { y }
}
