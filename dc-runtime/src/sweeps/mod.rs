//! The built-in sweeps, which `crunch` provides if it has no others. There is one file per family of routines. The routines of common
//! mathematical libraries are in [`library`].

mod exp;
pub mod library;
mod log;
pub mod newton;
pub mod reductions;
#[cfg(any(test, feature = "fault_injection"))]
#[doc(hidden)]
pub mod testing;

pub use crate::builtins::reciprocal::{
    rcp_newton, rcp_newton_f32, rcp_newton_fma, rcp_newton_intel, rcp_newton_intel_fma,
    rcp_reference_f32, recip_reference,
};
pub use crate::builtins::reference::binary64::exp_scaled_reference as exp_reference;
use crate::builtins::reference::computes;
use crate::model::block::FaultKind;
use crate::model::function::Function;
use crate::sweep::Sweep;
pub use exp::exp_cephes;
pub use log::{LOG_COEFFICIENTS, log_polynomial, log_polynomial_reference};

/// All built-in sweeps.
pub static ALL: &[Sweep] = &[
    Sweep::new::<rcp_newton, recip_reference>("reciprocal", "1.0..2.0")
        .with_maxima::<rcp_newton>()
        .of(Function::Recip)
        .within(2.0),
    Sweep::new::<rcp_newton_fma, recip_reference>("reciprocal-fma", "1.0..2.0")
        .with_maxima::<rcp_newton_fma>()
        .of(Function::Recip)
        .within(1.0),
    Sweep::new::<rcp_newton_intel, recip_reference>("reciprocal-intel", "1.0..2.0")
        .with_maxima::<rcp_newton_intel>()
        .of(Function::Recip)
        .within(2.0),
    Sweep::new::<rcp_newton_intel_fma, recip_reference>("reciprocal-intel-fma", "1.0..2.0")
        .with_maxima::<rcp_newton_intel_fma>()
        .of(Function::Recip)
        .within(1.0),
    Sweep::new::<rcp_newton_f32, rcp_reference_f32>("reciprocal-f32", "all")
        .of(Function::Recip)
        // `all` contains floats for which VRECPE has no estimate: the smallest, the largest and those that are no
        // numbers.
        .within(f64::INFINITY)
        .tolerating(&FaultKind::ALL),
    // The doubles of [√½, √2]: 2^52 of them.
    Sweep::new::<log_polynomial, log_polynomial_reference>(
        "log-polynomial",
        "0x1.6a09e667f3bcdp-1..=0x1.6a09e667f3bccp0",
    )
    .with_maxima::<log_polynomial>()
    .within(2.0),
    // From the first result that is not 0 to the last that is not infinite; `all` includes the special values.
    Sweep::new::<exp_cephes, exp_reference>("exp", "-745.2..=709.8")
        .with_maxima::<exp_cephes>()
        .of(Function::Exp)
        .within(2.0),
    Sweep::new::<library::exp_fdlibm, exp_reference>("exp-fdlibm", "-745.2..=709.8")
        .with_maxima::<library::exp_fdlibm>()
        .of(Function::Exp)
        .within(1.0),
    Sweep::new::<library::exp_table, exp_reference>("exp-table", "-745.2..=709.8")
        .with_maxima::<library::exp_table>()
        .of(Function::Exp)
        .within(0.512),
    Sweep::computing::<library::log_table, computes::log>(
        "log-table",
        "5e-324..=1.7976931348623157e308",
    )
    .with_maxima::<library::log_table>()
    .within(0.521),
    Sweep::computing::<library::sin_fdlibm, computes::sin>("sin-fdlibm", "-1024.0..=1024.0")
        .with_maxima::<library::sin_fdlibm>()
        .within(1.0),
    Sweep::computing::<library::cbrt_freebsd, computes::cbrt>("cbrt-freebsd", "all")
        .with_maxima::<library::cbrt_freebsd>()
        .within(0.667),
];
