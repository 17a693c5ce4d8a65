//! References of binary64 functions: `DcDouble -> DcDoubleDouble`, relative error at most 2^-100 if results are at least
//! 2^-968; and the same functions of double-doubles.

mod erf;
mod error_constants;
mod exp;
mod exp_constants;
mod exp_scaled;
mod gamma;
mod gamma_constants;
mod hyperbolic;
mod inverse;
mod inverse_constants;
mod log;
mod log_constants;
mod network;
mod plane;
mod pow;
mod root;
mod series;
mod special;
mod srgb;
mod srgb_constants;
mod trig;
mod trig_constants;

pub use erf::{erf_reference, erfc_reference, gelu_reference};
pub use exp::{
    dd_exp, dd_expm1, exp_reference, exp2_reference, exp2m1_reference, exp10_reference,
    exp10m1_reference, expm1_reference,
};
pub use exp_scaled::exp_reference as exp_scaled_reference;
pub use gamma::{lgamma_reference, tgamma_reference};
pub use hyperbolic::{
    acosh_reference, asinh_reference, atanh_reference, cosh_reference, dd_pow, dd_sinh, dd_tanh,
    sinh_reference, tanh_reference,
};
pub use inverse::{
    acos_reference, acospi_reference, asin_reference, asinpi_reference, atan_reference,
    atanpi_reference, dd_atan,
};
pub(super) use log::short_log;
pub use log::{
    dd_log, dd_log1p, log_reference, log1p_reference, log2_reference, log2p1_reference,
    log10_reference, log10p1_reference,
};
pub use network::{
    logit_reference, mish_reference, sigmoid_reference, silu_reference, softplus_reference,
};
pub use plane::{atan2_reference, div_reference, hypot_reference};
pub use pow::{pow_reference, powr_reference};
#[doc(hidden)]
pub use root::{DOWN, DOWN_2, DOWN_3, UP, UP_2, UP_3, by_size};
pub use root::{cbrt_reference, recip_reference, rsqrt_reference, sqrt_reference};
pub use srgb::{srgb_from_linear_reference, srgb_to_linear_reference};
pub use trig::{
    cos_reference, cospi_reference, dd_cos, dd_sin, dd_tan, quarter_turns, sin_reference,
    sinpi_reference, tan_reference, tanpi_reference,
};

/// 2^(i/128), rounded: the table of routines that are compared with these references, too.
#[cfg(any(feature = "sweeps", all(test, feature = "search")))]
pub(crate) const POWERS: [f64; 128] = exp_constants::POWERS_HI;
