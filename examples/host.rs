//! Functions that are not kernels, measured by the search for kernels: those of the standard library in binary32, against its functions in
//! binary64 and against the kernel of a reference.
//!
//! ```text
//! cargo run --release --example host -- run sin --range "0.5..1.0"
//! ```
//!
//! All commands of `crunch` are available. Backends are not compared here: the tables say "accuracy only".

use std::process::ExitCode;

use doublecrunch::backend::KernelRef;
use doublecrunch::prelude::*;
use doublecrunch::search::{Candidate, HostFunction, Reference};
use doublecrunch::sweep::Sweep;

/// A function of `f32` against the same function of `f64`, whose error is far below what is visible in binary32.
macro_rules! against_f64 {
    ($name:ident, $range:literal) => {
        Sweep::accuracy_only(
            stringify!($name),
            Candidate::Host(HostFunction::f32(
                concat!("f32::", stringify!($name)),
                f32::$name,
            )),
            Reference::Host(HostFunction::f64(
                concat!("f64::", stringify!($name)),
                f64::$name,
            )),
            $range,
        )
    };
}

/// `1 / sqrt(x)` in double-double.
#[crunch]
fn rsqrt_reference(x: DcDouble) -> DcDoubleDouble {
    dd_rsqrt_f64(x)
}

/// Two roundings.
fn rsqrt(x: f64) -> f64 {
    1.0 / x.sqrt()
}

const SWEEPS: &[Sweep] = &[
    against_f64!(sin, "all"),
    against_f64!(tan, "all"),
    against_f64!(exp, "-104.0..=89.0"),
    against_f64!(ln, "0.0..=inf"),
    against_f64!(tanh, "all"),
    Sweep::accuracy_only(
        "rsqrt",
        Candidate::Host(HostFunction::f64("rsqrt", rsqrt)),
        Reference::Kernel(KernelRef::of::<rsqrt_reference>()),
        "1.0..4.0",
    ),
];

fn main() -> ExitCode {
    doublecrunch::driver::main(SWEEPS)
}
