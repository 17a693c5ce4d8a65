//! The built-in sweeps: what `crunch` serves when it is given no others. One file a family of routines.

mod exp;
mod log;
pub mod newton;
mod reciprocal;

use crate::prelude::*;
use crate::search::truth::Function;
use crate::sweep::Sweep;
pub use exp::{exp_cephes, exp_reference};
pub use log::{LOG_COEFFICIENTS, log_polynomial, log_polynomial_reference};
pub use reciprocal::{
    rcp_newton, rcp_newton_f32, rcp_newton_fma, rcp_newton_intel, rcp_newton_intel_fma,
    rcp_reference_f32,
};

/// All built-in sweeps.
pub static ALL: &[Sweep] = &[
    Sweep::new::<rcp_newton, dd_recip>("reciprocal", "1.0..2.0").of(Function::Recip),
    Sweep::new::<rcp_newton_fma, dd_recip>("reciprocal-fma", "1.0..2.0").of(Function::Recip),
    Sweep::new::<rcp_newton_intel, dd_recip>("reciprocal-intel", "1.0..2.0").of(Function::Recip),
    Sweep::new::<rcp_newton_intel_fma, dd_recip>("reciprocal-intel-fma", "1.0..2.0")
        .of(Function::Recip),
    Sweep::new::<rcp_newton_f32, rcp_reference_f32>("reciprocal-f32", "all").of(Function::Recip),
    // The doubles of [√½, √2]: 2^52 of them.
    Sweep::new::<log_polynomial, log_polynomial_reference>(
        "log-polynomial",
        "0x1.6a09e667f3bcdp-1..=0x1.6a09e667f3bccp0",
    ),
    // From the first result that is not 0 to the last that is not infinite; `all` has the special values too.
    Sweep::new::<exp_cephes, exp_reference>("exp", "-745.2..=709.8").of(Function::Exp),
];
