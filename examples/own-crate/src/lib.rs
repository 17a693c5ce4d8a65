//! A square root by Newton's iteration: a library crate with kernels, sweeps and driver laid out as described in
//! `docs/book/src/tasks/library-crate.md`.

pub mod nine;

use doublecrunch::prelude::*;

/// Square root of a number in [1, 4) by Newton's iteration for 1/√x, from a line that is off by less than 8 %.
#[crunch]
pub fn sqrt_newton(x: DcDouble) -> DcDouble {
    let mut r = 1.11 - 0.163 * x;
    for _ in 0..5 {
        r = r * (1.5 - 0.5 * x * r * r);
    }
    x * r
}

/// What the crate's users call.
pub fn sqrt(x: &[f64], out: &mut [f64]) {
    sqrt_newton::map(x, out);
}
