//! `cargo run -- verify sqrt_newton`, `cargo run -- run sqrt_newton --range 1.0..1.001`, `cargo run -- emit
//! sqrt_newton --target cuda`, …: every command of `crunch`, for the kernels of this crate.

use doublecrunch::prelude::*;

/// Square root of a number in [1, 4) by Newton's iteration for 1/√x, from a line that is off by less than 8 %.
#[crunch]
fn sqrt_newton(x: DcDouble) -> DcDouble {
    let mut r = 1.11 - 0.163 * x;
    for _ in 0..5 {
        r = r * (1.5 - 0.5 * x * r * r);
    }
    x * r
}

/// What it should give.
#[crunch]
fn sqrt_exact(x: DcDouble) -> DcDoubleDouble {
    dd_sqrt_f64(x)
}

doublecrunch::suite! {
    /// What this crate promises, and `cargo test` holds it to.
    mod promises;
    sqrt_newton: sqrt_newton, against sqrt_exact, over "1.0..4.0", within 4.0;
}

fn main() -> std::process::ExitCode {
    doublecrunch::driver::main(promises::SWEEPS)
}
