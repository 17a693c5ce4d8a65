//! References of binary32 functions: `DcDouble -> DcDouble`, or, for two arguments, `(DcDouble, DcDouble) -> DcDouble`,
//! relative error at most 2^-45.

mod coefficients;
mod erf;
mod exp;
mod gamma;
mod hyperbolic;
mod inverse;
mod log;
mod network;
mod plane;
mod pow;
mod root;
mod special;
mod srgb;
mod trig;

pub use erf::{erf_f32_reference, erfc_f32_reference};
pub use exp::{
    exp_f32_reference, exp2_f32_reference, exp2m1_f32_reference, exp10_f32_reference,
    exp10m1_f32_reference, expm1_f32_reference,
};
pub use gamma::{lgamma_f32_reference, tgamma_f32_reference};
pub use hyperbolic::{
    acosh_f32_reference, asinh_f32_reference, atanh_f32_reference, cosh_f32_reference,
    sinh_f32_reference, tanh_f32_reference,
};
pub use inverse::{
    acos_f32_reference, acospi_f32_reference, asin_f32_reference, asinpi_f32_reference,
    atan_f32_reference, atanpi_f32_reference,
};
pub use log::{
    log_f32_reference, log1p_f32_reference, log2_f32_reference, log2p1_f32_reference,
    log10_f32_reference, log10p1_f32_reference,
};
pub use network::{
    gelu_f32_reference, logit_f32_reference, mish_f32_reference, sigmoid_f32_reference,
    silu_f32_reference, softplus_f32_reference,
};
pub use plane::{atan2_f32_reference, div_f32_reference, hypot_f32_reference};
/// Stages of powers, whose numbers have two words. Tests bound each of them.
#[doc(hidden)]
pub mod stages {
    pub use super::pow::{exp_of_words, log_in_words};
}
pub use pow::{pow_f32_reference, powr_f32_reference};
pub use root::{cbrt_f32_reference, recip_f32_reference, rsqrt_f32_reference, sqrt_f32_reference};
pub use srgb::{srgb_from_linear_f32_reference, srgb_to_linear_f32_reference};
pub use trig::{
    cos_f32_reference, cospi_f32_reference, sin_f32_reference, sinpi_f32_reference,
    tan_f32_reference, tanpi_f32_reference,
};
