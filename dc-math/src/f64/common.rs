//! Constants of several modules, and products with constants.

use dc_runtime::prelude::*;

/// 1.5 2^52: added to a number below 2^51, it rounds the number to an integer, which is in the low bits of the sum.
pub const INTEGER: f64 = 6_755_399_441_055_744.0;
/// Its bits,
pub const INTEGER_BITS: i64 = 0x4338_0000_0000_0000;
/// and those without the last four.
pub const SIXTEENTH: i64 = INTEGER_BITS >> 4;
/// Below this magnitude, a function `c x + d x² + …` is c x, rounded.
pub const TINIER: f64 = f64::from_bits((1023 - 200) << 52);
/// Below this magnitude, a function `x + c x³ + …` with |c| <= 1/2 is x to 2^-57.
pub const TINY: f64 = f64::from_bits((1023 - 28) << 52);

/// 2^200, its inverse, and the number whose last place is 2^200 times that of subnormal numbers.
const UP: f64 = f64::from_bits((1023 + 200) << 52);
const DOWN: f64 = f64::from_bits((1023 - 200) << 52);
/// 2^-1022 times 2^200.
pub const SUBNORMAL: f64 = f64::from_bits((1023 - 822) << 52);

/// `x (hi + lo)`, rounded once, for |x| below `TINIER`. `limit` is `SUBNORMAL / hi`: below it the product is subnormal. Then the number C whose
/// last place is that of all subnormal numbers is added before the rest, as in `exponential.rs`.
#[crunch]
pub fn multiple(x: DcDouble, hi: DcDouble, lo: DcDouble, limit: DcDouble) -> DcDouble {
    let a = x.abs() * UP;
    let unit = (a < limit).select(SUBNORMAL, 0.0);
    let head = a.mul_add(hi, unit);
    // Exact.
    let rest = a.mul_add(hi, unit - head);
    let y = head + a.mul_add(lo, rest);
    ((y - unit) * DOWN).copysign(x)
}

/// A product of words.
#[crunch]
pub fn product(a: DcDoubleDouble, b: DcDoubleDouble) -> DcDoubleDouble {
    let y = a.hi * b.hi;
    let low = a.hi.mul_add(b.hi, -y) + a.hi.mul_add(b.lo, a.lo * b.hi);
    DcDoubleDouble::new(y, low)
}

/// Whether the magnitude of x is not from `least` to `most`.
#[crunch]
pub fn is_outside(x: DcDouble, least: DcDouble, most: DcDouble) -> DcMask {
    let a = x.abs();
    !((a >= least) & (a <= most))
}

/// The polynomial in groups of four coefficients: a chain of `n / 4 + 3` operations that wait for one another. Horner's scheme has one of n.
#[crunch]
pub fn quads(x: DcDouble, c: &[f64]) -> DcDouble {
    let x2 = x * x;
    let x4 = x2 * x2;
    let mut y = x;
    for i in (0..(c.len() + 3) / 4).rev() {
        let mut t = c[4 * i];
        if 4 * i + 1 < c.len() {
            t = x.mul_add(c[4 * i + 1], t);
        }
        if 4 * i + 2 < c.len() {
            let mut u = c[4 * i + 2];
            if 4 * i + 3 < c.len() {
                u = x.mul_add(c[4 * i + 3], u);
            }
            t = x2.mul_add(u, t);
        }
        y = if 4 * i + 4 < c.len() {
            y.mul_add(x4, t)
        } else {
            t
        };
    }
    y
}

/// The same, but for the first two coefficients, which are added last, as in Horner's scheme: no other sum has a rounding error of their size.
#[crunch]
pub fn led(x: DcDouble, c: &[f64]) -> DcDouble {
    let x2 = x * x;
    let x4 = x2 * x2;
    let mut y = x;
    for i in (0..(c.len() + 1) / 4).rev() {
        let mut t = c[4 * i + 2];
        if 4 * i + 3 < c.len() {
            t = x.mul_add(c[4 * i + 3], t);
        }
        if 4 * i + 4 < c.len() {
            let mut u = c[4 * i + 4];
            if 4 * i + 5 < c.len() {
                u = x.mul_add(c[4 * i + 5], u);
            }
            t = x2.mul_add(u, t);
        }
        y = if 4 * i + 6 < c.len() {
            y.mul_add(x4, t)
        } else {
            t
        };
    }
    y.mul_add(x, c[1]).mul_add(x, c[0])
}
