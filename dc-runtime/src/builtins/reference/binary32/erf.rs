//! The error function and its complement.
//!
//! Below 1, `erf x = x P(x²)`. From 1 on, `erfc x = e^(-x²) F(t) / (1 + 2 x)` with t = (x - 4) / (x + 4). The two factors beside F describe
//! the decay of erfc, and x² of a binary32 number is exact.

use super::coefficients::{ERF, ERFC};
use super::exp::exp_of;
use super::special::INFINITY;
use crate::prelude::*;

/// `erf(x) / x`, from x² <= 1.
#[crunch]
fn near(xx: DcDouble) -> DcDouble {
    even_odd(xx, &ERF)
}

/// `erfc x` from x >= 1 and x²: relative error below 2^-49 up to 15.
#[crunch]
fn tail(x: DcDouble, xx: DcDouble) -> DcDouble {
    // Beyond 2^100 the quotient is 1 as well, and 2 x does not overflow.
    let x = if x > 1.267_650_600_228_229_4e30 {
        1.267_650_600_228_229_4e30
    } else {
        x
    };
    let f = even_odd((x - 4.0) / (x + 4.0), &ERFC);
    exp_of(-xx) * f / (x + x + 1.0)
}

/// `erfc x` from x and x², which may be known more accurately than by multiplication.
#[crunch]
pub(super) fn erfc_of(x: DcDouble, xx: DcDouble) -> DcDouble {
    let a = x.abs();
    let far = tail(a, xx);
    let far = if x < 0.0 { 2.0 - far } else { far };
    if a < 1.0 {
        (-x).mul_add(near(xx), 1.0)
    } else {
        far
    }
}

/// erf x, for binary32.
#[crunch]
pub fn erf_f32_reference(x: DcDouble) -> DcDouble {
    let a = x.abs();
    let xx = x * x;
    (if a < 1.0 {
        a * near(xx)
    } else {
        1.0 - tail(a, xx)
    })
    .copysign(x)
}

/// erfc x, for binary32.
#[crunch]
pub fn erfc_f32_reference(x: DcDouble) -> DcDouble {
    let y = erfc_of(x, x * x);
    if x == INFINITY { 0.0 } else { y }
}
