//! Routines of two arguments: kernels and functions of the host, against the library's references, on stratified samples of
//! pairs.
//!
//! ```text
//! cargo run --release --example two_arguments -- verify hypot
//! cargo run --release --example two_arguments -- run powf --range "2^26 of 0.5..2.0 x -8.0..8.0"
//! ```

use std::process::ExitCode;

use doublecrunch::search::{Candidate, HostFunction};
use doublecrunch::sweep::{Sweep, computed};
use doublecrunch::{computes, prelude::*};

/// √(x² + y²) in the obvious way: the squares overflow and underflow.
#[crunch]
fn hypot_squares(x: DcFloat, y: DcFloat) -> DcFloat {
    x.mul_add(x, y * y).sqrt()
}

/// The same in binary64, where they do not, and rounded again.
#[crunch]
fn hypot_wide(x: DcFloat, y: DcFloat) -> DcFloat {
    let (a, b) = (x.to_f64(), y.to_f64());
    let length = a.mul_add(a, b * b).sqrt().to_f32();
    let infinite = (x.abs() == f32::INFINITY) | (y.abs() == f32::INFINITY);
    if infinite { f32::INFINITY } else { length }
}

/// A quotient by a reciprocal, which rounds twice.
#[crunch]
fn div_by_recip(x: DcDouble, y: DcDouble) -> DcDouble {
    x * y.recip()
}

const SWEEPS: &[Sweep] = &[
    Sweep::computing::<hypot_squares, computes::hypot>(
        "hypot",
        "0x1p-50..0x1p50 x 0x1p-50..0x1p50",
    )
    .within(1.01),
    Sweep::computing::<hypot_wide, computes::hypot>("hypot-wide", "all").within(0.501),
    Sweep::computing::<div_by_recip, computes::div>("div", "1.0..2.0 x 1.0..2.0").within(1.5),
    Sweep::accuracy_only(
        "powf",
        Candidate::Host(HostFunction::f32_two("f32::powf", f32::powf)),
        computed::f32_two::<computes::pow>(),
        "all",
    ),
    Sweep::accuracy_only(
        "atan2",
        Candidate::Host(HostFunction::f64_two("f64::atan2", f64::atan2)),
        computed::f64_two::<computes::atan2>(),
        "all",
    ),
];

fn main() -> ExitCode {
    doublecrunch::driver::main(SWEEPS)
}
