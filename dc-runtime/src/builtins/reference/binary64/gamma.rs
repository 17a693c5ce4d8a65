//! Γ and ln |Γ| to more than 100 bits.
//!
//! With a = |x|, n the integer nearest to a, and v = a - n:
//!
//! Below 20, `Γ(a) = (a - 1) (a - 2) … (v + 1) / P(v)`, P(v) = 1 / Γ(1 + v), and `Γ(-a) = ±1 / (P(-v) a |v| (a - 1) … (v + 1))`.
//! All factors are doubles; each product of two of them is exact. P is a polynomial of degree 28, to 2^-118.
//!
//! `ln Γ(2 + v) = v B(v)`, B of degree 37, has its zero as a factor. The logarithm of the product that leads from there to x is added. At
//! its other zero both terms vanish, `ln Γ(1 + v) = v B(v) - ln(1 + v)`, and 1 + v is a double.
//!
//! From 20 on, `ln Γ(a) = (a - 1/2) ln a - a + ln(2 pi) / 2 + R`, where R is Stirling's series, whose remainder is below 2^-113. Γ requires
//! a small absolute error of the logarithm. So the logarithm is a sum of two words and a small remainder, and all products are exact except
//! that of the remainder: its error, 2^-109.6, is multiplied by up to 172. Negative x use the reflection `Γ(-a) = -pi / (a sin(pi a)
//! Γ(a))`: a is a double, whereas 1 - x need not be one.
//!
//! # Error
//!
//! In units of u² = 2^-106. Γ below 20: 9 products of pairs contribute 36, P 5, its products 8, the quotient 9.8: 59. From 20 on, the
//! exponent contributes 18 and 3, its exponential 1.3; the reflection adds 8 for the sine, 6 for products, 9.8 for the quotient: 46.
//!
//! ln Γ for x > 0: near 1, the 7 of `v B(v)` and the 8 of the logarithm are multiplied by up to 0.7 and 1.7, and the sum has 3: 22. With
//! more than one factor, the logarithm is at least 0.4, its weight is up to 1.8, and the error of its argument is below 4 times it. From 20
//! on, the logarithm has the weight 1.5.
//!
//! For x < 0 there are zeros between the poles, at which the errors of the terms remain. Below 20, these are the argument's 44, 4 of the
//! others and 8 times the logarithm, together at most 2^-100 max(1, |f|). From 20 on, the result is at least 9, next to a pole, where the
//! terms are 40 and 30 and have 820 together: 2^-99 of the result.

use super::exp::{exp_parts_of_sum, scaled};
use super::gamma_constants::{
    HALF_LN_2_PI_HI, HALF_LN_2_PI_LO, HALF_LN_HALF_PI_HI, HALF_LN_HALF_PI_LO, LN_GAMMA_HI,
    LN_GAMMA_LO, LN_GAMMA_TAIL, PI_HI, PI_LO, RECIP_GAMMA_HI, RECIP_GAMMA_LO, RECIP_GAMMA_TAIL,
    STIRLING_HI, STIRLING_LO, STIRLING_TAIL,
};
use super::log::{dd_log, log_words};
use super::series::series;
use super::special::{INFINITY, NAN, unless};
use super::trig::sinpi_reference;
use crate::prelude::*;

/// From here on Stirling's series is accurate enough.
const FAR: f64 = 20.0;
/// From here on, Γ overflows, and its reciprocal is 0 even after multiplication by 2^50, next to a pole.
const LARGE: f64 = 200.0;
/// From here on ln Γ may overflow.
const HUGE: f64 = 1e300;
/// 2^-1024: its reciprocal overflows, but not that of the next double.
const TINY: f64 = f64::MIN_POSITIVE * 0.25;

/// `(a - 1) (a - 2) …`, the factors a - j for all j below n: 19 at most.
#[crunch]
fn product(a: DcDouble, n: DcDouble) -> DcDoubleDouble {
    let mut p = DcDoubleDouble::new(1.0, 0.0);
    let mut j: DcDouble = 1.0;
    for _pair in 0..10 {
        let even = j + 1.0;
        let first = (j < n).select(a - j, 1.0);
        let second = (even < n).select(a - even, 1.0);
        p = dd_mul(p, two_prod(first, second));
        j = j + 2.0;
    }
    p
}

/// Stirling's `R`, for a >= 20.
#[crunch]
fn stirling(a: DcDouble) -> DcDoubleDouble {
    let w = dd_recip(a);
    dd_mul(
        w,
        series(dd_square(w), &STIRLING_HI, &STIRLING_LO, &STIRLING_TAIL),
    )
}

/// `Γ(a)` as `y 2^e`, for 20 <= a <= 200.
#[crunch]
fn far_gamma(a: DcDouble) -> (DcDoubleDouble, DcLong) {
    let (head, middle, rest) = log_words(a);
    let h = a - 0.5;
    let p = two_prod(h, head);
    let q = two_prod(h, middle);
    let r = dd_mul_f64(rest, h);
    let constant = dd_add(
        stirling(a),
        DcDoubleDouble::new(HALF_LN_2_PI_HI, HALF_LN_2_PI_LO),
    );
    let s = two_sum(p.hi, -a);
    let t = two_sum(s.hi, r.hi);
    let u = two_sum(t.hi, constant.hi);
    // All of it is below 2^-33.
    let low = dd_add_f64(two_sum(p.lo, q.hi), s.lo);
    let low = dd_add_f64(dd_add_f64(low, t.lo), u.lo);
    exp_parts_of_sum(u.hi, dd_add_f64(low, q.lo + (r.lo + constant.lo)))
}

/// Γ(x).
#[crunch]
pub fn tgamma_reference(x: DcDouble) -> DcDoubleDouble {
    let a = x.abs();
    let below = x.is_sign_negative();
    let n = a.round_ties_even();
    let v = a - n;
    let whole = v == 0.0;
    let first = n == 0.0;

    let factors = product(a, n);
    let w = if below { -v } else { v };
    let p = series(
        DcDoubleDouble::new(w, 0.0),
        &RECIP_GAMMA_HI,
        &RECIP_GAMMA_LO,
        &RECIP_GAMMA_TAIL,
    );
    let step = first.select(1.0, v.abs());
    let left = if below {
        dd_mul(two_prod(a, step), factors)
    } else {
        DcDoubleDouble::new(first.select(a, 1.0), 0.0)
    };
    let q = dd_mul(p, left);
    let one = DcDoubleDouble::new(1.0, 0.0);

    let far = a >= FAR;
    let large = if a > LARGE { LARGE } else { a };
    let (y, e) = far_gamma(large);
    let sine = dd_mul_f64(dd_abs(sinpi_reference(a)), large);
    let pi = DcDoubleDouble::new(PI_HI, PI_LO);
    let q = if far { dd_mul(sine, y) } else { q };
    let over = if far { pi } else { one };
    let over = if below { over } else { factors };
    let z = dd_div_accurate(over, q);
    let z = if far & !below { y } else { z };
    let e = far.select(below.select(-e, e), 0);
    let z = scaled(z, e);

    let half = 0.5 * n;
    let odd = half.round_ties_even() != half;
    let z = unless(a <= TINY, INFINITY, z);
    let z = if below & !(odd ^ (v < 0.0)) {
        dd_neg(z)
    } else {
        z
    };
    let z = unless(below & whole & !first, NAN, z);
    // Otherwise it would be the Γ of the largest argument that is evaluated, 200.
    unless(x == INFINITY, INFINITY, z)
}

/// ln |Γ(x)|.
#[crunch]
pub fn lgamma_reference(x: DcDouble) -> DcDoubleDouble {
    let a = x.abs();
    let below = x.is_sign_negative();
    let n = a.round_ties_even();
    let v = a - n;
    let first = n == 0.0;
    let far = a >= FAR;

    // For x > 0 from Γ(2 + v), for x < 0 from Γ(1 - v).
    let factors = product(a, below.select(n, n - 1.0));
    let w = if below { -v } else { v };
    let base = dd_mul_f64(
        series(
            DcDoubleDouble::new(w, 0.0),
            &LN_GAMMA_HI,
            &LN_GAMMA_LO,
            &LN_GAMMA_TAIL,
        ),
        w,
    );
    let step = (first | !below).select(1.0, v.abs());
    let outer = (first | below).select(a, 1.0);
    let lower = dd_mul(two_sum(1.0, w), two_prod(outer, step));
    let up = !below & (n >= 2.0);
    let lower = if up {
        DcDoubleDouble::new(1.0, 0.0)
    } else {
        lower
    };
    let argument = dd_mul(lower, factors);
    let argument = if far {
        DcDoubleDouble::new(a, 0.0)
    } else {
        argument
    };
    let log = dd_log(argument);
    let near = dd_add(base, if up { log } else { dd_neg(log) });

    let main = dd_mul_f64(dd_add_f64(log, -1.0), a);
    let half = DcDoubleDouble::new(0.5 * log.hi, 0.5 * log.lo);
    let rest = stirling(a);
    let positive = dd_add(
        rest,
        dd_sub(DcDoubleDouble::new(HALF_LN_2_PI_HI, HALF_LN_2_PI_LO), half),
    );
    let negative = dd_add(
        rest,
        dd_sub(
            half,
            DcDoubleDouble::new(HALF_LN_HALF_PI_HI, HALF_LN_HALF_PI_LO),
        ),
    );
    let negative = dd_add(negative, dd_log(dd_abs(sinpi_reference(a))));
    let y = dd_add(main, if below { negative } else { positive });
    let y = if below { dd_neg(y) } else { y };
    let y = if far { y } else { near };

    let pole = below & (v == 0.0) | (a == 0.0);
    let over = (a > HUGE) & !(y.hi < INFINITY);
    unless(pole | over | (a == INFINITY), INFINITY, y)
}
