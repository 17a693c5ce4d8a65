//! Bounds over all pairs of two arguments: for the library's `hypot` and `div`, and for routines that round twice.
//!
//! ```text
//! cargo run --release --example all_pairs -- bound hypotf
//! ```

use std::process::ExitCode;

use doublecrunch::math::{f32 as single, f64 as double};
use doublecrunch::sweep::Sweep;
use doublecrunch::{computes, prelude::*};

/// √(x² + y²) in binary64, then rounded again.
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
    Sweep::computing::<single::hypot, computes::hypot>("hypotf", "all"),
    Sweep::computing::<hypot_wide, computes::hypot>("hypot-wide", "all"),
    Sweep::computing::<double::hypot, computes::hypot>("hypot", "all"),
    Sweep::computing::<single::div, computes::div>("divf", "all"),
    Sweep::computing::<double::div, computes::div>("div", "all"),
    Sweep::computing::<div_by_recip, computes::div>(
        "div-by-recip",
        "0x1p-500..0x1p500 x 0x1p-500..0x1p500",
    ),
    Sweep::computing::<single::atan2, computes::atan2>("atan2f", "all"),
];

fn main() -> ExitCode {
    doublecrunch::driver::main(SWEEPS)
}
