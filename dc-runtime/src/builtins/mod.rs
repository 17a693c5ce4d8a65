//! The built-in library: its kernels are written in `#[crunch]`, like those of users.

/// A table of doubles by their bits, as scripts write it.
macro_rules! doubles {
    ($($bits:literal)*) => {
        [$(f64::from_bits($bits)),*]
    };
}

pub mod dd;
pub mod eft;
pub mod half;
pub mod instructions;
pub mod integer_error;
pub mod plain;
pub mod plain_error;
pub mod poly;
pub mod reciprocal;
pub mod reference;
pub mod rounding_error;
pub mod ulp_error;

use crate::kernel::CrunchFn;
use kernels_gen::ir::Kernel;

/// The built-in kernels without table parameters, for look-up by name.
pub const KERNELS: &[&Kernel] = &[
    <eft::two_sum as CrunchFn>::KERNEL,
    <eft::fast_two_sum as CrunchFn>::KERNEL,
    <eft::two_prod as CrunchFn>::KERNEL,
    <eft::two_prod_dekker as CrunchFn>::KERNEL,
    <eft::veltkamp_split as CrunchFn>::KERNEL,
    <dd::dd_add as CrunchFn>::KERNEL,
    <dd::dd_add_sloppy as CrunchFn>::KERNEL,
    <dd::dd_sub as CrunchFn>::KERNEL,
    <dd::dd_add_f64 as CrunchFn>::KERNEL,
    <dd::dd_mul as CrunchFn>::KERNEL,
    <dd::dd_mul_sloppy as CrunchFn>::KERNEL,
    <dd::dd_mul_no_fma as CrunchFn>::KERNEL,
    <dd::dd_mul_f64 as CrunchFn>::KERNEL,
    <dd::dd_mul_f64_sloppy as CrunchFn>::KERNEL,
    <dd::dd_mul_f64_no_fma as CrunchFn>::KERNEL,
    <dd::dd_square as CrunchFn>::KERNEL,
    <dd::dd_mul_add as CrunchFn>::KERNEL,
    <dd::dd_scale as CrunchFn>::KERNEL,
    <dd::dd_div as CrunchFn>::KERNEL,
    <dd::dd_div_accurate as CrunchFn>::KERNEL,
    <dd::dd_div_f64 as CrunchFn>::KERNEL,
    <dd::dd_recip as CrunchFn>::KERNEL,
    <dd::dd_recip_dd as CrunchFn>::KERNEL,
    <dd::dd_sqrt as CrunchFn>::KERNEL,
    <dd::dd_sqrt_f64 as CrunchFn>::KERNEL,
    <dd::dd_rsqrt as CrunchFn>::KERNEL,
    <dd::dd_rsqrt_f64 as CrunchFn>::KERNEL,
    <dd::dd_lt as CrunchFn>::KERNEL,
    <dd::dd_le as CrunchFn>::KERNEL,
    <dd::dd_gt as CrunchFn>::KERNEL,
    <dd::dd_ge as CrunchFn>::KERNEL,
    <dd::dd_eq as CrunchFn>::KERNEL,
    <dd::dd_ne as CrunchFn>::KERNEL,
    <dd::dd_neg as CrunchFn>::KERNEL,
    <dd::dd_abs as CrunchFn>::KERNEL,
    <dd::dd_from_f64 as CrunchFn>::KERNEL,
    <dd::dd_from_f32 as CrunchFn>::KERNEL,
    <dd::dd_from_i64 as CrunchFn>::KERNEL,
    <dd::dd_to_f64 as CrunchFn>::KERNEL,
    <dd::dd_to_f32 as CrunchFn>::KERNEL,
    <instructions::rcp_neon as CrunchFn>::KERNEL,
    <instructions::rsqrt_neon as CrunchFn>::KERNEL,
    <instructions::frecpe as CrunchFn>::KERNEL,
    <instructions::frsqrte as CrunchFn>::KERNEL,
    <instructions::frecpe_f64 as CrunchFn>::KERNEL,
    <instructions::frsqrte_f64 as CrunchFn>::KERNEL,
    <instructions::rcpps_intel as CrunchFn>::KERNEL,
    <instructions::rsqrtps_intel as CrunchFn>::KERNEL,
    <instructions::rcpps_amd as CrunchFn>::KERNEL,
    <instructions::rsqrtps_amd as CrunchFn>::KERNEL,
    <instructions::pfrcp_3dnow as CrunchFn>::KERNEL,
    <instructions::pfrsqrt_3dnow as CrunchFn>::KERNEL,
    <instructions::rcp14 as CrunchFn>::KERNEL,
    <instructions::rsqrt14 as CrunchFn>::KERNEL,
    <instructions::rcp14_f64 as CrunchFn>::KERNEL,
    <instructions::rsqrt14_f64 as CrunchFn>::KERNEL,
    <instructions::cos_approx_ftz as CrunchFn>::KERNEL,
    <instructions::ex2_approx as CrunchFn>::KERNEL,
    <instructions::ex2_approx_ftz as CrunchFn>::KERNEL,
    <instructions::lg2_approx as CrunchFn>::KERNEL,
    <instructions::lg2_approx_ftz as CrunchFn>::KERNEL,
    <instructions::rcp_approx as CrunchFn>::KERNEL,
    <instructions::rcp_approx_ftz as CrunchFn>::KERNEL,
    <instructions::rcp_approx_ftz_f64 as CrunchFn>::KERNEL,
    <instructions::rsqrt_approx as CrunchFn>::KERNEL,
    <instructions::rsqrt_approx_ftz as CrunchFn>::KERNEL,
    <instructions::rsqrt_approx_ftz_f64 as CrunchFn>::KERNEL,
    <instructions::sin_approx_ftz as CrunchFn>::KERNEL,
    <instructions::sqrt_approx as CrunchFn>::KERNEL,
    <instructions::sqrt_approx_ftz as CrunchFn>::KERNEL,
    <instructions::tanh_approx as CrunchFn>::KERNEL,
    <half::half_to_f32 as CrunchFn>::KERNEL,
    <half::f32_to_half as CrunchFn>::KERNEL,
    <half::bfloat_to_f32 as CrunchFn>::KERNEL,
    <half::f32_to_bfloat as CrunchFn>::KERNEL,
    <half::round_to_half as CrunchFn>::KERNEL,
    <half::round_to_bfloat as CrunchFn>::KERNEL,
    <half::ulp_error_half as CrunchFn>::KERNEL,
    <half::ulp_error_bfloat as CrunchFn>::KERNEL,
    <ulp_error::histogram_bin as CrunchFn>::KERNEL,
    <ulp_error::digest_term as CrunchFn>::KERNEL,
    <ulp_error::ulp_error_f64 as CrunchFn>::KERNEL,
    <ulp_error::ulp_error_f32 as CrunchFn>::KERNEL,
    <ulp_error::known_ulp_error_f64 as CrunchFn>::KERNEL,
    <ulp_error::known_ulp_error_f32 as CrunchFn>::KERNEL,
    <rounding_error::rounded_to_odd as CrunchFn>::KERNEL,
    <rounding_error::rounding_error_f64 as CrunchFn>::KERNEL,
    <integer_error::integer_error_i32 as CrunchFn>::KERNEL,
    <integer_error::integer_error_u32 as CrunchFn>::KERNEL,
    <integer_error::integer_error_i64 as CrunchFn>::KERNEL,
    <integer_error::integer_error_u64 as CrunchFn>::KERNEL,
    <rounding_error::rounding_error_f32 as CrunchFn>::KERNEL,
    <rounding_error::rounding_error_half as CrunchFn>::KERNEL,
    <rounding_error::rounding_error_bfloat as CrunchFn>::KERNEL,
];
