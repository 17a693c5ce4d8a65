//! DC types, ISA tokens, the built-in kernels, backends and the search of DoubleCrunch.
//!
//! Users depend on the facade crate `doublecrunch`, which re-exports all of this.

// The macro names this crate as its users do.
extern crate self as doublecrunch;

#[cfg(feature = "search")]
pub mod backend;
pub mod builtins;
pub mod fenv;
pub mod isa;
pub mod kernel;
#[cfg(feature = "search")]
pub mod model;
#[cfg(feature = "mpfr")]
pub mod mpfr;
pub mod ops;
pub mod run;
#[cfg(feature = "search")]
pub mod scan;
#[cfg(feature = "search")]
pub mod search;
pub mod step;
#[cfg(feature = "suite")]
pub mod suite;
#[cfg(feature = "search")]
pub mod sweep;
#[cfg(feature = "search")]
pub mod sweeps;
pub mod types;

pub use builtins::reference::computes;
pub use types::DoubleDouble;

/// What a file of kernels imports.
pub mod prelude {
    pub use crate::builtins::dd::{
        dd_abs, dd_add, dd_add_f64, dd_add_sloppy, dd_div, dd_div_accurate, dd_div_f64, dd_eq,
        dd_from_f32, dd_from_f64, dd_from_i64, dd_ge, dd_gt, dd_le, dd_lt, dd_mul, dd_mul_add,
        dd_mul_f64, dd_mul_f64_no_fma, dd_mul_f64_sloppy, dd_mul_no_fma, dd_mul_sloppy, dd_ne,
        dd_neg, dd_recip, dd_recip_dd, dd_rsqrt, dd_rsqrt_f64, dd_scale, dd_sqrt, dd_sqrt_f64,
        dd_square, dd_sub, dd_to_f32, dd_to_f64,
    };
    pub use crate::builtins::eft::{
        fast_two_sum, two_prod, two_prod_dekker, two_sum, veltkamp_split,
    };
    pub use crate::builtins::half::{
        bfloat_to_f32, f32_to_bfloat, f32_to_half, half_to_f32, round_to_bfloat, round_to_half,
    };
    pub use crate::builtins::instructions::{
        frecpe, frsqrte, pfrcp_3dnow, pfrsqrt_3dnow, rcp_neon, rcp14, rcp14_f64, rcpps_amd,
        rcpps_intel, rsqrt_neon, rsqrt14, rsqrt14_f64, rsqrtps_amd, rsqrtps_intel,
    };
    pub use crate::builtins::poly::{
        estrin, even_odd, horner, horner_compensated, horner_compensated_no_fma, horner_dd,
        horner_f32, horner_no_fma,
    };
    pub use crate::builtins::reference::binary64::{
        dd_atan, dd_cos, dd_exp, dd_expm1, dd_log, dd_log1p, dd_pow, dd_sin, dd_sinh, dd_tan,
        dd_tanh,
    };
    pub use crate::types::{
        DcDouble, DcDoubleDouble, DcFloat, DcInt, DcLong, DcMask, DoubleDouble,
    };
    pub use dc_macros::crunch;
}

/// What the code written by `#[crunch]` names. Not for people: it may change with any release, and its name with it, so that a
/// macro of another version finds nothing here rather than something else.
#[doc(hidden)]
pub mod __private_v0_2 {
    pub use crate::fenv::NotDefault;
    pub use crate::isa::Isa;
    pub use crate::kernel::{CrunchFn, Kind, LaneFn, kind};
    pub use crate::ops;
    pub use crate::run::{eval, eval_checked, map, map_checked};
    pub use crate::step;
    pub use crate::types::DoubleDouble;
    pub use kernels_gen::ir;
}
