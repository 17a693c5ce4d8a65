//! Routines whose constants `improve` may change: six from crates in the atlas, and the nine of `examples/own-crate`.
//!
//! `cargo run --release --example improve --features driver -- improve expf`

use std::process::ExitCode;

use doublecrunch::prelude::*;
use doublecrunch::{computes, sweep::Sweep};

#[path = "improve/crates.rs"]
mod crates;
#[path = "own-crate/src/nine.rs"]
mod nine;

/// The library lacks x^(5/12).
#[crunch]
fn root_2_4_exact(x: DcDouble) -> DcDoubleDouble {
    dd_exp(dd_div_f64(dd_mul_f64(dd_log(dd_from_f64(x)), 5.0), 12.0))
}

static SWEEPS: &[Sweep] = &[
    Sweep::computing::<crates::expf, computes::exp>("expf", "-87.0..=-0x1p-14,0x1p-14..=88.0"),
    Sweep::computing::<crates::logf, computes::log>("logf", "positive-normals"),
    Sweep::computing::<crates::atanf, computes::atan>("atanf", "0x1p-12..0x1p26"),
    Sweep::computing::<crates::acosf, computes::acos>("acosf", "-1.0..=-0x1p-26,0x1p-26..=1.0"),
    Sweep::computing::<crates::fast_exp, computes::exp>("fast_exp", "-87.0..=88.0"),
    Sweep::computing::<crates::micro_atan, computes::atan>("micro_atan", "0x1p-20..0x1p20"),
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
