//! Functions with shorter kernels for most arguments: logarithms of positive normal numbers, exponentials of moderate results, arc sines by halves of their
//! domain, and so on. Large arguments of sines, and arguments of `lgamma` next to its
//! zeros below 0, need a long computation. Groups of lanes without such arguments skip it.

use super::{
    area, error, exponential, gamma, gamma_below, half_angle, hyperbolic, inverse, length,
    logarithm, logistic, power, trigonometric,
};
use crate::quick::quick;
use dc_runtime::prelude::*;

/// Whether an argument needs the long reduction.
#[crunch]
fn is_far(x: DcDouble) -> DcMask {
    !(x.abs() <= trigonometric::NEAR)
}

/// Whether an argument is negative, 0 or NaN.
#[crunch]
fn is_not_positive(x: DcDouble) -> DcMask {
    !(x > 0.0)
}

quick! { F64 f64 DcDouble (x);
    /// e^x in binary64, error at most 0.55 ULP.
    exp = exponential::exp: exponential::exp_short [unless exponential::is_extreme];
    /// 2^x in binary64, error at most 0.55 ULP.
    exp2 = exponential::exp2: exponential::exp2_short [unless exponential::is_extreme_2];
    /// 10^x in binary64, error at most 0.55 ULP.
    exp10 = exponential::exp10: exponential::exp10_short [unless exponential::is_extreme_10];
    /// e^x - 1 in binary64, error at most 0.55 ULP.
    expm1 = hyperbolic::expm1: hyperbolic::expm1_short [unless hyperbolic::is_extreme];
    /// 2^x - 1 in binary64, error at most 0.55 ULP.
    exp2m1 = hyperbolic::exp2m1: hyperbolic::exp2m1_short [unless hyperbolic::is_extreme];
    /// 10^x - 1 in binary64, error at most 0.55 ULP.
    exp10m1 = hyperbolic::exp10m1: hyperbolic::exp10m1_short [unless hyperbolic::is_extreme_10];
    /// sinh x in binary64, error at most 0.55 ULP.
    sinh = hyperbolic::sinh: hyperbolic::sinh_short [unless hyperbolic::is_extreme];
    /// cosh x in binary64, error at most 0.55 ULP.
    cosh = hyperbolic::cosh: hyperbolic::cosh_short [unless exponential::is_extreme];
    /// tanh x in binary64, error at most 0.55 ULP.
    tanh = hyperbolic::tanh: hyperbolic::tanh_short [unless hyperbolic::is_extreme_10];
    /// ln x in binary64, error at most 0.55 ULP.
    log = logarithm::log: logarithm::log_short [unless logarithm::is_special];
    /// log2 x in binary64, error at most 0.55 ULP.
    log2 = logarithm::log2: logarithm::log2_short [unless logarithm::is_special];
    /// log10 x in binary64, error at most 0.55 ULP.
    log10 = logarithm::log10: logarithm::log10_short [unless logarithm::is_special];
    /// ln(1 + x) in binary64, error at most 0.55 ULP.
    log1p = logarithm::log1p: logarithm::log1p_short [unless logarithm::is_special_p1];
    /// log2(1 + x) in binary64, error at most 0.55 ULP.
    log2p1 = logarithm::log2p1: logarithm::log2p1_short [unless logarithm::is_special_p1];
    /// log10(1 + x) in binary64, error at most 0.55 ULP.
    log10p1 = logarithm::log10p1: logarithm::log10p1_short [unless logarithm::is_special_p1];
    /// sin x in binary64, error at most 0.55 ULP.
    sin = trigonometric::sin: trigonometric::sin_near [unless is_far];
    /// cos x in binary64, error at most 0.55 ULP.
    cos = trigonometric::cos: trigonometric::cos_near [unless is_far];
    /// tan x in binary64, error at most 0.55 ULP.
    tan = trigonometric::tan: trigonometric::tan_near [unless is_far];
    /// asin x in binary64, error at most 0.55 ULP.
    asin = half_angle::asin: half_angle::asin_of_small [unless half_angle::is_not_small],
        half_angle::asin_of_large [unless half_angle::is_not_large];
    /// acos x in binary64, error at most 0.55 ULP.
    acos = half_angle::acos: half_angle::acos_of_small [unless half_angle::is_not_small],
        half_angle::acos_of_large [unless half_angle::is_not_large];
    /// atan x in binary64, error at most 0.55 ULP.
    atan = inverse::atan: inverse::atan_short [unless inverse::is_extreme];
    /// asinh x in binary64, error at most 0.55 ULP.
    asinh = area::asinh: area::asinh_short [unless area::is_extreme];
    /// acosh x in binary64, error at most 0.55 ULP.
    acosh = area::acosh: area::acosh_short [unless area::is_not_above_1];
    /// atanh x in binary64, error at most 0.55 ULP.
    atanh = area::atanh: area::atanh_short [unless area::is_not_below_1];
    /// log(x / (1 - x)) in binary64, error at most 0.55 ULP.
    logit = area::logit: area::logit_short [unless area::is_not_a_part];
    /// 1 / (1 + e^-x) in binary64, error at most 0.55 ULP.
    sigmoid = logistic::sigmoid: logistic::sigmoid_short [unless exponential::is_extreme];
    /// x / (1 + e^-x) in binary64, error at most 0.55 ULP.
    silu = logistic::silu: logistic::silu_short [unless logistic::is_extreme];
    /// ln(1 + e^x) in binary64, error at most 0.55 ULP.
    softplus = logistic::softplus: logistic::softplus_short [unless logistic::is_simple];
    /// x tanh(ln(1 + e^x)) in binary64, error at most 0.55 ULP.
    mish = logistic::mish: logistic::mish_short [unless logistic::is_extreme];
    /// erf x in binary64, error at most 0.55 ULP.
    erf = error::erf: error::erf_short [unless error::is_simple];
    /// erfc x in binary64, error at most 0.55 ULP.
    erfc = error::erfc: error::erfc_short [unless error::is_large];
    /// x Φ(x) with the normal distribution Φ, in binary64, error at most 0.55 ULP.
    gelu = error::gelu: error::gelu_short [unless error::is_extreme];
    /// ln |Γ(x)| in binary64, error at most 0.55 ULP.
    lgamma = gamma_below::lgamma: gamma::lgamma_far [unless gamma::is_not_far],
        gamma::lgamma_between [unless gamma::is_not_between],
        gamma::lgamma_positive [unless is_not_positive],
        gamma_below::lgamma_apart [checked];
}

quick! { F64 f64 DcDouble (x y);
    /// x^y in binary64, error at most 0.55 ULP.
    pow = power::pow: power::pow_short [checked];
    /// x^y for x >= 0 in binary64, error at most 0.55 ULP.
    powr = power::powr: power::pow_short [checked];
    /// √(x² + y²) in binary64, error at most 0.5 + 2^-46 ULP.
    hypot = length::hypot: length::hypot_short [unless length::is_extreme];
}
