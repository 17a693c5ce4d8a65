//! Routines whose constants `improve` may change: five of the crate libm, and the nine of `examples/own-crate`.
//!
//! `cargo run --release --example improve --features driver -- improve expf`

use std::process::ExitCode;

use doublecrunch::prelude::*;
use doublecrunch::{computes, sweep::Sweep};

#[path = "improve/libm.rs"]
mod libm;
#[path = "own-crate/src/nine.rs"]
mod nine;

/// The library has no x^(5/12).
#[crunch]
fn root_2_4_exact(x: DcDouble) -> DcDoubleDouble {
    dd_exp(dd_div_f64(dd_mul_f64(dd_log(dd_from_f64(x)), 5.0), 12.0))
}

static SWEEPS: &[Sweep] = &[
    Sweep::computing::<libm::expf, computes::exp>("expf", "-87.0..=-0x1p-14,0x1p-14..=88.0"),
    Sweep::computing::<libm::logf, computes::log>("logf", "positive-normals"),
    Sweep::computing::<libm::log10f, computes::log10>("log10f", "positive-normals"),
    Sweep::computing::<libm::atanf, computes::atan>("atanf", "0x1p-12..0x1p26"),
    Sweep::computing::<libm::acosf, computes::acos>("acosf", "-1.0..=-0x1p-26,0x1p-26..=1.0"),
    Sweep::computing::<nine::sinf, computes::sin>("sinf", "-1000.0..=1000.0"),
    Sweep::computing::<nine::log2, computes::log2>("log2", "positive-normals"),
    Sweep::computing::<nine::tanhf, computes::tanh>("tanhf", "all"),
    Sweep::computing::<nine::cbrt, computes::cbrt>("cbrt", "positive-normals"),
    Sweep::computing::<nine::rsqrt, computes::rsqrt>("rsqrt", "positive-normals"),
    Sweep::new::<nine::root_2_4, root_2_4_exact>("root_2_4", "0.0031308..=1.0"),
    Sweep::computing::<nine::hypotf, computes::hypot>("hypotf", "all"),
    Sweep::computing::<nine::sigmoid, computes::sigmoid>("sigmoid", "-700.0..=700.0"),
    Sweep::computing::<nine::gelu, computes::gelu>("gelu", "-37.0..=37.0"),
];

fn main() -> ExitCode {
    doublecrunch::driver::main(SWEEPS)
}
