//! A function of plain numbers with one attribute, and all commands of `crunch` for it: see docs/book/src/tasks/annotate.md.
//!
//! ```text
//! cargo run --release --example annotate -- verify exp_game
//! ```

use std::f32::consts::{LN_2, LOG2_E};
use std::process::ExitCode;

use doublecrunch::prelude::*;

/// `e^x` as games compute it: a power of two, times a polynomial.
#[crunch]
#[must_use]
pub fn exp_game(x: f32) -> f32 {
    if x < -87.0 {
        return 0.0;
    }
    if x > 88.0 {
        return f32::INFINITY;
    }
    let n = (x * LOG2_E).round();
    let r = x - n * LN_2;
    let mut p = 0.008_333_334;
    for c in [0.041_666_67, 0.166_666_67, 0.5, 1.0, 1.0] {
        p = p * r + c;
    }
    p * f32::from_bits(((n as i32 + 127) as u32) << 23)
}

doublecrunch::suite! {
    /// The promises of this file.
    mod promises;
    exp_game: exp_game, computes exp, over "-87.0..=88.0", within 100.0;
}

fn main() -> ExitCode {
    doublecrunch::driver::main(promises::SWEEPS)
}
