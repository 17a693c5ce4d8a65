//! Activation functions of neural networks.

use super::coefficients::SQRT_HALF;
use super::erf::erfc_of;
use super::exp::exp_of;
use super::log::{log_of, log1p_of};
use super::special::INFINITY;
use crate::prelude::*;

/// `y`, but −0 where x is −∞: the limit of `x` times a factor that vanishes faster.
#[crunch]
fn vanishing(x: DcDouble, y: DcDouble) -> DcDouble {
    if x == -INFINITY { -0.0 } else { y }
}

/// `1 / (1 + e^-x)` as a quotient.
#[crunch]
fn logistic(x: DcDouble) -> (DcDouble, DcDouble) {
    let e = exp_of(-x.abs());
    ((x < 0.0).select(e, 1.0), 1.0 + e)
}

/// 1 / (1 + e^-x), for binary32.
#[crunch]
pub fn sigmoid_f32_reference(x: DcDouble) -> DcDouble {
    let (p, q) = logistic(x);
    let y = p / q;
    if x == -INFINITY { 0.0 } else { y }
}

/// ln(x / (1 - x)), for binary32: near 1/2 as the logarithm of 1 + (2x - 1) / (1 - x).
#[crunch]
pub fn logit_f32_reference(x: DcDouble) -> DcDouble {
    let rest = 1.0 - x;
    let middle = (x - 0.5).abs() <= 0.25;
    let near = log1p_of(((x - 0.5) + (x - 0.5)) / rest);
    let far = log_of(x / rest);
    if middle { near } else { far }
}

/// ln(1 + e^x), for binary32.
#[crunch]
pub fn softplus_f32_reference(x: DcDouble) -> DcDouble {
    let rest = log1p_of(exp_of(-x.abs()));
    let y = if x > 0.0 { x + rest } else { rest };
    if x == -INFINITY { 0.0 } else { y }
}

/// x / (1 + e^-x), for binary32.
#[crunch]
pub fn silu_f32_reference(x: DcDouble) -> DcDouble {
    let (p, q) = logistic(x);
    vanishing(x, x * p / q)
}

/// x Φ(x) with the normal distribution Φ, `x erfc(-x / √2) / 2`, for binary32.
#[crunch]
pub fn gelu_f32_reference(x: DcDouble) -> DcDouble {
    let y = 0.5 * x * erfc_of(-x * SQRT_HALF, 0.5 * x * x);
    vanishing(x, y)
}

/// x tanh(ln(1 + e^x)), for binary32: with w = e^x it is `x (w² + 2 w) / (w² + 2 w + 2)`.
#[crunch]
pub fn mish_f32_reference(x: DcDouble) -> DcDouble {
    let e = exp_of(-x.abs());
    let p = if x < 0.0 {
        (e + 2.0) * e
    } else {
        e.mul_add(2.0, 1.0)
    };
    let q = if x < 0.0 {
        p + 2.0
    } else {
        (e * e).mul_add(2.0, p)
    };
    vanishing(x, x * p / q)
}
