//! The error function, its complement, and `gelu`, to more than 100 bits.
//!
//! Below 3/4, `erf a = a P(a²)`, Taylor's series, whose remainder is below 2^-115. From there on, `erfc a = e^(-a²) q H(q)` with q = 16 /
//! (a + 2), which decreases from 5.8 to 0.5 at a = 28. For each integer j from 1 to 6, H is a polynomial of degree 23 in q - j, |q - j| <=
//! 1/2, that interpolates at Chebyshev's nodes, with an error of 2^-113. a² is exact in two words, so the error of its exponential does not
//! grow with it. The power of two is kept separately until the end.
//!
//! # Error
//!
//! In units of u² = 2^-106. From 3/4 on, q contributes 7, at most doubled in `q H(q)` (most at 3/4), the polynomial 5, the exponential 1.3,
//! two products 8: together 28. Below 3/4, the series contributes 5 and the product 4, multiplied by 2.5 in 1 - erf a: 24. In gelu, a = |x|
//! √½ contributes 2.3, multiplied by at most 1 beyond 3/4, and as in the series below it; the product with x contributes 2: together 32. In
//! erf a from 3/4 on, the 28 of erfc a are multiplied by at most 0.41: 14.

use super::error_constants::{
    ERF_HI, ERF_LO, ERF_TAIL, ERFC_HI, ERFC_LO, ERFC_TAIL, SQRT_HALF_HI, SQRT_HALF_LO,
};
use super::exp::{exp_parts, scaled};
use super::series::series;
use super::special::{INFINITY, signed, unless};
use crate::prelude::*;

/// e^-784 is below 2^-1131; its product with any argument of this magnitude is 0.
const FAR: f64 = 28.0;
/// A little more than 28 √2.
const FAR_OF_GELU: f64 = 40.0;

/// Below this, `x Φ(x)` is `x / 2` to 2^-990.
const TINY_OF_GELU: f64 = 1e-300;

/// Below this, erf is evaluated by its series.
const NEAR: f64 = 0.75;

/// `erf a` for |a| < 3/4, from a and a².
#[crunch]
fn near(a: DcDoubleDouble, square: DcDoubleDouble) -> DcDoubleDouble {
    dd_mul(a, series(square, &ERF_HI, &ERF_LO, &ERF_TAIL))
}

/// The polynomial for `q = i + 1 + s`.
#[crunch]
fn piece(s: DcDoubleDouble, i: DcLong) -> DcDoubleDouble {
    let mut k = i;
    let mut t: DcDouble = 0.0;
    for _c in 0..ERFC_TAIL.len() / 8 {
        t = t.mul_add(s.hi, ERFC_TAIL[k]);
        k = k + 8;
    }
    let mut y = DcDoubleDouble::new(t, 0.0);
    k = i;
    for _c in 0..ERFC_HI.len() / 8 {
        y = dd_add(DcDoubleDouble::new(ERFC_HI[k], ERFC_LO[k]), dd_mul(y, s));
        k = k + 8;
    }
    y
}

/// `erfc a` as `y 2^e`, for 3/4 <= a <= 29, from a and a².
#[crunch]
fn tail(a: DcDoubleDouble, square: DcDoubleDouble) -> (DcDoubleDouble, DcLong) {
    let q = dd_scale(dd_recip_dd(dd_add_f64(a, 2.0)), 16.0);
    let j = q.hi.round_ties_even();
    let h = piece(fast_two_sum(q.hi - j, q.lo), j.to_i64() - 1);
    let (y, e) = exp_parts(dd_neg(square));
    (dd_mul(y, dd_mul(q, h)), e)
}

/// erf x.
#[crunch]
pub fn erf_reference(x: DcDouble) -> DcDoubleDouble {
    let a = x.abs();
    let far = if a > FAR { FAR } else { a };
    let square = two_prod(far, far);
    let a = DcDoubleDouble::new(far, 0.0);
    let (y, e) = tail(a, square);
    let rest = dd_add_f64(dd_neg(scaled(y, e)), 1.0);
    let y = if far < NEAR { near(a, square) } else { rest };
    unless(x == 0.0, x, signed(y, x))
}

/// erfc x.
#[crunch]
pub fn erfc_reference(x: DcDouble) -> DcDoubleDouble {
    let a = x.abs();
    let far = if a > FAR { FAR } else { a };
    let square = two_prod(far, far);
    let a = DcDoubleDouble::new(far, 0.0);
    let (y, e) = tail(a, square);
    let y = scaled(y, e);
    let y = if x < 0.0 {
        dd_add_f64(dd_neg(y), 2.0)
    } else {
        y
    };
    let middle = dd_add_f64(dd_neg(signed(near(a, square), x)), 1.0);
    if far < NEAR { middle } else { y }
}

/// x Φ(x) with the normal distribution Φ: `x erfc(-x / √2) / 2`.
#[crunch]
pub fn gelu_reference(x: DcDouble) -> DcDoubleDouble {
    let a = x.abs();
    let far = if a > FAR_OF_GELU { FAR_OF_GELU } else { a };
    let square = two_prod(far, 0.5 * far);
    let a = dd_mul_f64(DcDoubleDouble::new(SQRT_HALF_HI, SQRT_HALF_LO), far);
    let (y, e) = tail(a, square);
    let below = x < 0.0;
    let above = dd_add_f64(dd_neg(scaled(y, e)), 2.0);
    let middle = dd_add_f64(signed(near(a, square), x), 1.0);
    let inner = square.hi < NEAR * NEAR;
    let y = if below { y } else { above };
    let y = if inner { middle } else { y };
    let e = (below & !inner).select(e, 0);
    let half = 0.5 * (if below { -far } else { x });
    // The product of the least number would be 0 without its sign.
    let y = unless(far < TINY_OF_GELU, half, scaled(dd_mul_f64(y, half), e));
    unless((x == 0.0) | (x == INFINITY), x, y)
}
