//! Kernels of their own.

use super::{
    arctangent, designed, exponential, hyperbolic, inverse, logarithm, roots, trigonometric,
};
use crate::quick::quick;

quick! { F32 f32 DcFloat (x);
    /// e^x in binary32, correctly rounded.
    exp = exponential::exp: exponential::exp [alone exponential::exp_short, unless exponential::is_huge];
    /// 2^x in binary32, correctly rounded.
    exp2 = exponential::exp2: exponential::exp2 [alone exponential::exp2_short, unless exponential::is_huge];
    /// 10^x in binary32, correctly rounded.
    exp10 = exponential::exp10: exponential::exp10 [alone exponential::exp10_short, unless exponential::is_huge];
    /// e^x - 1 in binary32, correctly rounded.
    expm1 = exponential::expm1: exponential::expm1 [alone exponential::expm1_short, unless exponential::is_huge];
    /// ln x in binary32, correctly rounded.
    log = logarithm::log: logarithm::log_short [unless logarithm::is_special];
    /// log2 x in binary32, correctly rounded.
    log2 = logarithm::log2: logarithm::log2_short [unless logarithm::is_special];
    /// log10 x in binary32, correctly rounded.
    log10 = logarithm::log10: logarithm::log10_short [unless logarithm::is_special];
    /// ln(1 + x) in binary32, correctly rounded.
    log1p = logarithm::log1p: logarithm::log1p_of_unlisted [unless logarithm::is_special_log1p];
    /// log2(1 + x) in binary32, correctly rounded.
    log2p1 = logarithm::log2p1: logarithm::log2p1_short [unless logarithm::is_special_p1];
    /// log10(1 + x) in binary32, correctly rounded.
    log10p1 = logarithm::log10p1: logarithm::log10p1_short [unless logarithm::is_special_p1];
    /// sin x in binary32, correctly rounded.
    sin = trigonometric::sin: trigonometric::sin_short [unless trigonometric::is_far];
    /// cos x in binary32, correctly rounded.
    cos = trigonometric::cos: trigonometric::cos_short [unless trigonometric::is_far];
    /// tan x in binary32, correctly rounded.
    tan = trigonometric::tan: trigonometric::tan_short [unless trigonometric::is_far];
    /// asin x in binary32, correctly rounded.
    asin = inverse::asin: inverse::asin_short [unless inverse::is_special];
    /// acos x in binary32, correctly rounded.
    acos = inverse::acos: inverse::acos_short [unless inverse::is_special];
    /// sinh x in binary32, correctly rounded.
    sinh = hyperbolic::sinh: hyperbolic::sinh;
    /// cosh x in binary32, correctly rounded.
    cosh = hyperbolic::cosh: hyperbolic::cosh;
    /// x^(1/3) in binary32, correctly rounded.
    cbrt = roots::cbrt: roots::cbrt_short [unless roots::is_special];
    /// atan x in binary32, correctly rounded.
    atan = arctangent::atan: arctangent::atan;
    /// sin πx in binary32, correctly rounded.
    sinpi = designed::sinpi::sinpi: designed::sinpi::sinpi;
    /// tanh x in binary32, correctly rounded.
    tanh = designed::tanh::tanh: designed::tanh::tanh;
    /// erf x in binary32, correctly rounded.
    erf = designed::erf::erf: designed::erf::erf;
    /// 1 / (1 + e^-x) in binary32, correctly rounded.
    sigmoid = designed::sigmoid::sigmoid: designed::sigmoid::sigmoid;
}
