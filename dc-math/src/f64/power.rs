//! Powers in binary64: `a^y = e^(y ln a)`.
//!
//! ln a has two words, with a relative error of 2^-68. Its product with y is at most 745, so e^ has an error of 2^-58. The reduction is as in
//! `logarithm.rs`, with factors for which r is smaller, `|r| <= 2^-4.8`. In
//!
//! ```text
//! ln(1 + r) = r + r² (-1/2 + r (1/3 + r q(r)))
//! ```
//!
//! everything except q has two words. The rounding error of q, 2^-55, has the weight r⁴.
//!
//! The product with y has two words. The exponential is that of `exponential.rs`, corrected by the rounding error of its r.
//!
//! `pow` evaluates both polynomials by two chains each, and adds everything else before they are known. Other functions use the logarithm and the exponential,
//! too; they keep Horner's scheme, to which their certificates apply.

use super::common::INTEGER;
use super::exponential::{SERIES, is_extreme, power, summed, summed_short};
use super::logarithm::{bits_of, is_special, number, place};
use super::tables::{
    FINE_FACTORS, FINE_HI, FINE_LO, FINE_SERIES, STEP_HI, STEP_LO, STEPS, TAILS, THIRD_LO, TWO_HI,
    TWO_LO,
};
use dc_runtime::prelude::*;

/// 2^100: an exponent of this magnitude gives the same result as every larger one.
const LARGE: f64 = f64::from_bits((1023 + 100) << 52);
/// `FINE_SERIES` after its first coefficient.
const AFTER_QUARTER: [f64; 8] = {
    let mut series = [0.0; 8];
    let mut i = 0;
    while i < 8 {
        series[i] = FINE_SERIES[i + 1];
        i += 1;
    }
    series
};
/// The sum of `INTEGER` and k for the least normal number.
const LEAST: f64 = INTEGER - 16.0 * 1022.0;

/// e, r and the cell of a number with these bits. r is exact.
#[crunch]
pub fn fine_parts(bits: DcLong) -> (DcLong, DcDouble, DcLong) {
    let (e, m, cell) = place(bits);
    (e, m.mul_add(FINE_FACTORS[cell], -1.0), cell)
}

/// `e ln 2 - ln c + ln(1 + r) + more` in two words, with a relative error of 2^-68.
#[crunch]
pub fn fine_log(e: DcDouble, r: DcDouble, cell: DcLong, more: DcDouble) -> DcDoubleDouble {
    let q = horner(r, &FINE_SERIES);
    let v = r.mul_add(q, 1.0 / 3.0);
    let v_low = r.mul_add(q, 1.0 / 3.0 - v) + THIRD_LO;
    let w = r.mul_add(v, -0.5);
    let w_low = r.mul_add(v_low, r.mul_add(v, -0.5 - w));
    let square = two_prod(r, r);
    let t = square.hi * w;
    let t_low = square.hi.mul_add(w, -t) + square.hi.mul_add(w_low, square.lo * w);

    // The head is 0 or greater than r.
    let head = e.mul_add(TWO_HI, FINE_HI[cell]);
    let below = e.mul_add(TWO_LO, FINE_LO[cell]) + more;
    let first = fast_two_sum(head, r);
    let second = fast_two_sum(first.hi, t);
    fast_two_sum(second.hi, second.lo + (first.lo + (t_low + below)))
}

/// ln a for a positive number, in two words, with a relative error of 2^-68.
#[crunch]
pub fn log_in_words(a: DcDouble) -> DcDoubleDouble {
    let (e, r, cell) = fine_parts(bits_of(a));
    fine_log(number(e), r, cell, 0.0)
}

/// `e ln 2 - ln c + ln(1 + r)` as the sum of two words, with a relative error of 2^-68, by a shorter chain of operations. All but the polynomial is added before
/// that is known.
#[crunch]
fn log_of_parts(e: DcDouble, r: DcDouble, cell: DcLong) -> DcDoubleDouble {
    let head = e.mul_add(TWO_HI, FINE_HI[cell]);
    let head = fast_two_sum(head, e.mul_add(TWO_LO, FINE_LO[cell]));
    // The head is 0 or greater than r.
    let first = fast_two_sum(head.hi, r);
    let below = head.lo + first.lo;

    let q = even_odd(r, &AFTER_QUARTER).mul_add(r, FINE_SERIES[0]);
    let v = r.mul_add(q, 1.0 / 3.0);
    let v_low = r.mul_add(q, 1.0 / 3.0 - v) + THIRD_LO;
    let w = r.mul_add(v, -0.5);
    let w_low = r.mul_add(v_low, r.mul_add(v, -0.5 - w));
    let square = two_prod(r, r);
    let t = square.hi * w;
    let sum = fast_two_sum(first.hi, t);
    let low = square.hi.mul_add(w, -t) + square.lo.mul_add(w, below);
    DcDoubleDouble::new(sum.hi, sum.lo + square.hi.mul_add(w_low, low))
}

/// ln a for a positive number, in two words that may overlap, with a relative error of 2^-68.
#[crunch]
pub fn log_of_base(a: DcDouble) -> DcDoubleDouble {
    let (e, r, cell) = fine_parts(bits_of(a));
    log_of_parts(number(e), r, cell)
}

/// `product` within the limits of exponents, as k, r and what is below r.
#[crunch]
fn reduced(product: DcDouble, rest: DcDouble) -> (DcDouble, DcDouble, DcDouble) {
    let x = product.clamp(-746.0, 710.0);
    let far = x != product;
    let rest = if far { 0.0 } else { rest };
    parts(x, rest)
}

/// The sum of `INTEGER` and k, r, and what is below r with the table's error.
#[crunch]
fn parts(x: DcDouble, rest: DcDouble) -> (DcDouble, DcDouble, DcDouble) {
    let t = x.mul_add(STEPS, INTEGER);
    let k = t - INTEGER;
    // Exact, as in `exp`.
    let h = (-k).mul_add(STEP_HI, x);
    let l = (-k).mul_add(STEP_LO, rest);
    let r = h + l;
    (t, r, ((h - r) + l) + TAILS[t.to_bits()])
}

/// `e^(k/16 ln 2 + r) (1 + below)` with the polynomial p. A subnormal result is rounded once.
#[crunch]
fn grown(t: DcDouble, r: DcDouble, below: DcDouble, p: DcDouble) -> DcDouble {
    // Results next to the least normal number are on both sides of it. Half of the unit's number and such a result add up to a number whose last place is
    // that of subnormal numbers, on either side.
    let (power, rest) = power(t.to_bits());
    let place = if t < LEAST { 1 - rest } else { -rest };
    let unit = (t <= LEAST).select(DcDouble::from_bits(place << 52), 0.0);
    summed(power, rest, unit, r, below, p)
}

/// `e^(product + rest)`, error at most 0.55 ULP. A subnormal result is rounded once.
#[crunch]
pub fn exp_of_words(product: DcDouble, rest: DcDouble) -> DcDouble {
    let (t, r, below) = reduced(product, rest);
    grown(t, r, below, horner(r, &SERIES))
}

/// The same by a shorter chain of operations.
#[crunch]
pub fn exp_of_product(product: DcDouble, rest: DcDouble) -> DcDouble {
    let (t, r, below) = reduced(product, rest);
    grown(t, r, below, even_odd(r, &SERIES))
}

/// `a^y` for a >= 0, including zeros and infinities. 1^y is 1, and so is a^0 unless a is zero or infinite.
#[crunch]
fn magnitude(a: DcDouble, y: DcDouble) -> DcDouble {
    let log = log_of_base(a);
    let y = y.clamp(-LARGE, LARGE);
    let product = log.hi * y;
    let rest = log.lo.mul_add(y, log.hi.mul_add(y, -product));
    let z = exp_of_product(product, rest);
    let grows = (a > 1.0) ^ (y < 0.0);
    let extreme = (a == 0.0) | (a == f64::INFINITY);
    if extreme {
        grows.select(f64::INFINITY, 0.0)
    } else {
        z
    }
}

/// x^y for a positive normal number x and a moderate result, and whether they are not that. If y is above `LARGE` in magnitude, the product is not moderate,
/// or it is 0.
#[crunch]
pub fn pow_short(x: DcDouble, y: DcDouble) -> (DcDouble, DcMask) {
    let (e, r, cell) = fine_parts(x.to_bits());
    let log = log_of_parts(number(e), r, cell);
    let product = log.hi * y;
    let rest = log.lo.mul_add(y, log.hi.mul_add(y, -product));
    let special = is_special(x) | is_extreme(product);
    let (t, r, below) = parts(product, rest);
    (summed_short(t, r, below, even_odd(r, &SERIES)), special)
}

/// Whether either is NaN.
#[crunch]
fn either_nan(x: DcDouble, y: DcDouble) -> DcMask {
    (x != x) | (y != y)
}

/// x^y, error at most 0.55 ULP.
#[crunch]
pub fn pow(x: DcDouble, y: DcDouble) -> DcDouble {
    let a = x.abs();
    let z = magnitude(a, y);
    let whole = y.round_ties_even() == y;
    let half = 0.5 * y;
    let odd = whole & (half.round_ties_even() != half);
    let negative = x.is_sign_negative() & odd;
    let z = if negative { -z } else { z };
    let none = (x < 0.0) & (a < f64::INFINITY) & !whole;
    let z = if none | either_nan(x, y) { f64::NAN } else { z };
    let one = (x == 1.0) | (y == 0.0);
    if one { 1.0 } else { z }
}

/// x^y as `e^(y ln x)` for x >= 0, which is IEEE 754's powr. Error at most 0.55 ULP.
#[crunch]
pub fn powr(x: DcDouble, y: DcDouble) -> DcDouble {
    let extreme = (x == 0.0) | (x == f64::INFINITY);
    let none = (x == 1.0) & (y.abs() == f64::INFINITY) | (y == 0.0) & extreme;
    let none = none | (x < 0.0) | either_nan(x, y);
    if none {
        f64::NAN
    } else {
        magnitude(x.abs(), y)
    }
}
