//! The paper's reciprocals: Newton–Raphson from the 8-bit estimate of ARM's VRECPE (*DoubleCrunch*, Section 4), compared with a
//! double-double reference.
//!
//! Without arguments it compares all backends of this machine, bit for bit, on 2^24 inputs of [1, 2) and on the special
//! values of all numbers. With arguments it is the whole driver: `cargo run --release --example reciprocal -- --help`.

use std::process::ExitCode;

use doublecrunch::prelude::*;
use doublecrunch::sweep::Sweep;

/// Three steps of `y (2 - x y)`, with each operation rounded separately.
#[crunch]
fn rcp_newton(x: DcDouble) -> DcDouble {
    let y0 = rcp_neon(x.to_f32()).to_f64();
    let y1 = y0 * (2.0 - y0 * x);
    let y2 = y1 * (2.0 - y1 * x);
    y2 * (2.0 - y2 * x)
}

/// Three steps of `y + y (1 - x y)`, fused: the residual is rounded once.
#[crunch]
fn rcp_newton_fma(x: DcDouble) -> DcDouble {
    let mut y = rcp_neon(x.to_f32()).to_f64();
    for _step in 0..3 {
        let residual = (-y).mul_add(x, 1.0);
        y = y.mul_add(residual, y);
    }
    y
}

const SWEEPS: &[Sweep] = &[
    Sweep::new::<rcp_newton, dd_recip>("newton", "1.0..2.0"),
    Sweep::new::<rcp_newton_fma, dd_recip>("newton-fma", "1.0..2.0"),
];

fn main() -> ExitCode {
    doublecrunch::driver::main_or(SWEEPS, &["verify"])
}
