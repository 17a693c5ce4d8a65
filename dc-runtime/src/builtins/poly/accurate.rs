//! Polynomials in about twice the working precision.
//!
//! The compensated scheme is Horner's scheme with the exact errors of its products and sums. The errors are the coefficients of two error
//! polynomials. Horner's scheme evaluates their sum at the same time, and it is added at the end (Graillat, Langlois and Louvet,
//! *Compensated Horner scheme*, 2005; the bound is theirs, before the last rounding).

use crate::builtins::dd::{dd_add_f64, dd_mul_f64};
use crate::builtins::eft::{two_prod, two_prod_of_split, two_sum, veltkamp_split};
use crate::prelude::{DcDouble, DcDoubleDouble, crunch};

/// The compensated scheme with fused multiply-adds. `.hi` is the result in the working precision, within u |p| of the pair.
#[crunch]
pub fn horner_compensated(
    x: DcDouble,
    #[length(2.., "a polynomial of degree 0 is a constant: write the constant, or give a table of two coefficients and more")]
    c: &[f64],
) -> DcDoubleDouble {
    let mut y = c[c.len() - 1];
    let mut e: DcDouble = 0.0;
    for i in (0..c.len() - 1).rev() {
        (y, e) = compensated_step(y, e, x, c[i]);
    }
    two_sum(y, e)
}

/// The step for one coefficient: the value and the errors so far.
#[crunch(step)]
fn compensated_step(y: DcDouble, e: DcDouble, x: DcDouble, c: DcDouble) -> (DcDouble, DcDouble) {
    let p = two_prod(y, x);
    let s = two_sum(p.hi, c);
    (s.hi, e.mul_add(x, p.lo + s.lo))
}

/// The compensated scheme without fused multiply-adds.
#[crunch]
pub fn horner_compensated_no_fma(
    x: DcDouble,
    #[length(2.., "a polynomial of degree 0 is a constant: write the constant, or give a table of two coefficients and more")]
    c: &[f64],
) -> DcDoubleDouble {
    let parts = veltkamp_split(x);
    let mut y = c[c.len() - 1];
    let mut e: DcDouble = 0.0;
    for i in (0..c.len() - 1).rev() {
        (y, e) = compensated_step_no_fma(y, e, x, parts, c[i]);
    }
    two_sum(y, e)
}

/// The same as [`compensated_step`], with `x` split into two parts.
#[crunch(step)]
fn compensated_step_no_fma(
    y: DcDouble,
    e: DcDouble,
    x: DcDouble,
    parts: DcDoubleDouble,
    c: DcDouble,
) -> (DcDouble, DcDouble) {
    let p = two_prod_of_split(y, x, parts);
    let s = two_sum(p.hi, c);
    (s.hi, e * x + (p.lo + s.lo))
}

/// Horner's scheme in double-double arithmetic.
#[crunch]
pub fn horner_dd(
    x: DcDouble,
    #[length(2.., "a polynomial of degree 0 is a constant: write the constant, or give a table of two coefficients and more")]
    c: &[f64],
) -> DcDoubleDouble {
    let mut y = DcDoubleDouble::new(c[c.len() - 1], 0.0);
    for i in (0..c.len() - 1).rev() {
        y = horner_dd_step(y, x, c[i]);
    }
    y
}

/// The step for one coefficient.
#[crunch(step)]
fn horner_dd_step(y: DcDoubleDouble, x: DcDouble, c: DcDouble) -> DcDoubleDouble {
    dd_add_f64(dd_mul_f64(y, x), c)
}
