//! Γ and ln |Γ|.

use super::coefficients::{GAMMA, LGAMMA, PI, STIRLING, STIRLING_REST};
use super::log::log_of;
use super::special::{INFINITY, NAN};
use super::trig::sinpi_f32_reference;
use crate::prelude::*;

/// Above this, Γ is above 2^128.
const LARGE: f64 = 36.0;
/// Above this, Γ is above 2^186. So |Γ(1 - x)| is below 2^-160, except next to its poles beyond 2^17, which are farther from any binary32
/// number.
const FAR: f64 = 46.0;

/// `Γ(z)` for 0 <= z < 47 as a quotient: numerator and denominator.
///
/// z is reduced to [2, 3). The result is multiplied by `(z - 1) (z - 2) …` down to 2, or divided by `z` and `z + 1`.
#[crunch]
fn quotient(z: DcDouble) -> (DcDouble, DcDouble) {
    let mut even: DcDouble = 1.0;
    let mut odd: DcDouble = 1.0;
    let mut w = z - 1.0;
    for _i in 0..22 {
        even = even * (w >= 2.0).select(w, 1.0);
        w = w - 1.0;
        odd = odd * (w >= 2.0).select(w, 1.0);
        w = w - 1.0;
    }
    let n = z.floor() - 2.0;
    let v = (z - n) - 2.5;
    let below = if z < 1.0 { z * (z + 1.0) } else { z };
    (
        (even * odd) * even_odd(v, &GAMMA),
        (z < 2.0).select(below, 1.0),
    )
}

/// Γ(x), for binary32: by reflection for negative x, `pi / (sin(pi x) Γ(1 - x))`.
#[crunch]
pub fn tgamma_f32_reference(x: DcDouble) -> DcDouble {
    let negative = x < 0.0;
    let z = if negative { 1.0 - x } else { x };
    let z = if z > FAR { FAR } else { z };
    let (p, q) = quotient(z);
    let sin = sinpi_f32_reference(x);
    let y = (if negative { PI * q } else { p }) / (if negative { sin * p } else { q });
    let y = if x > LARGE { INFINITY } else { y };
    if negative & (sin == 0.0) { NAN } else { y }
}

/// `ln Γ(a)` for a > 0, relative error below 2^-48.
///
/// From 9 on, it is Stirling's series. Below, it is `ln Γ(1 + d) = d (d - 1) Q(d)` for the fraction d, which has both zeros as factors,
/// plus the logarithm of the product that leads from there to a.
#[crunch]
fn positive(a: DcDouble) -> DcDouble {
    let floor = a.floor();
    let d = a - floor;
    let mut product: DcDouble = 1.0;
    for i in 1..8 {
        let w = a - STEPS[i];
        product = product * (w >= 1.0).select(w, 1.0);
    }
    let far = a >= 9.0;
    let tiny = a < 1.0;
    let product = if tiny { a } else { product };
    let log = log_of(if far { a } else { product });
    let log = if tiny { -log } else { log };
    let near = (d * (d - 1.0)).mul_add(even_odd(d - 0.5, &LGAMMA), log);
    let r = a.recip();
    let rest = r.mul_add(horner(r * r, &STIRLING_REST), STIRLING);
    if far {
        (a - 0.5).mul_add(log - 1.0, rest)
    } else {
        near
    }
}

const STEPS: [f64; 8] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];

/// ln |Γ(x)|, for binary32. For negative x it is `ln(pi / |x sin(pi x)|) - ln Γ(|x|)`. Near its zeros at negative x, the error is small
/// only relative to these two terms.
#[crunch]
pub fn lgamma_f32_reference(x: DcDouble) -> DcDouble {
    let a = x.abs();
    let lg = positive(a);
    let reflected = log_of((PI / (a * sinpi_f32_reference(a))).abs()) - lg;
    let y = if x < 0.0 { reflected } else { lg };
    let integer = (x <= 0.0) & (x.floor() == x);
    if integer | (a == INFINITY) {
        INFINITY
    } else {
        y
    }
}
