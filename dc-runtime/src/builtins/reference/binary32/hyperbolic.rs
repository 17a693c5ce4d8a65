//! Hyperbolic functions and their inverses, by `e^x - 1` and `ln(1 + x)`, whose relative error is small near 0.

use super::exp::{LARGE_E, exp_of, expm1_of};
use super::log::log1p_of;
use super::special::{INFINITY, NAN};
use crate::prelude::*;

/// sinh x, for binary32.
#[crunch]
pub fn sinh_f32_reference(x: DcDouble) -> DcDouble {
    let a = x.abs();
    let e = expm1_of(a);
    let y = 0.5 * (e + e / (e + 1.0));
    (if a > LARGE_E { INFINITY } else { y }).copysign(x)
}

/// cosh x, for binary32.
#[crunch]
pub fn cosh_f32_reference(x: DcDouble) -> DcDouble {
    let a = x.abs();
    let e = exp_of(a);
    if a > LARGE_E {
        INFINITY
    } else {
        0.5 * (e + 1.0 / e)
    }
}

/// tanh x, for binary32.
#[crunch]
pub fn tanh_f32_reference(x: DcDouble) -> DcDouble {
    let a = x.abs();
    let e = expm1_of(a + a);
    (e / (e + 2.0)).copysign(x)
}

/// asinh x, for binary32.
#[crunch]
pub fn asinh_f32_reference(x: DcDouble) -> DcDouble {
    let a = x.abs();
    let aa = a * a;
    // √(1 + x²) - 1 without cancellation.
    let y = log1p_of(a + aa / ((aa + 1.0).sqrt() + 1.0));
    (if a == INFINITY { a } else { y }).copysign(x)
}

/// acosh x, for binary32.
#[crunch]
pub fn acosh_f32_reference(x: DcDouble) -> DcDouble {
    let d = x - 1.0;
    let y = log1p_of(d + (d * (x + 1.0)).sqrt());
    if x < 1.0 { NAN } else { y }
}

/// atanh x, for binary32.
#[crunch]
pub fn atanh_f32_reference(x: DcDouble) -> DcDouble {
    let a = x.abs();
    (0.5 * log1p_of((a + a) / (1.0 - a))).copysign(x)
}
