//! Errors against MPFR.

use doublecrunch::mpfr::rug::Float;
use doublecrunch::mpfr::set;
use doublecrunch::prelude::*;

/// A precision at which sums, products and their differences are exact or nearly so: exponents are at most 1100 apart
/// where results cancel.
pub const PRECISION: u32 = 1280;

/// Inputs per kernel: a few seconds' worth altogether, or the number in `CRUNCH_REFERENCE_INPUTS`.
pub fn inputs() -> u64 {
    std::env::var("CRUNCH_REFERENCE_INPUTS").map_or(1 << 16, |n| {
        n.parse().expect("CRUNCH_REFERENCE_INPUTS is a number")
    })
}

/// A new number.
pub fn float() -> Float {
    Float::new(PRECISION)
}

/// The exact value of a pair.
pub fn exact(x: DoubleDouble) -> Float {
    let mut z = float();
    set(&mut z, x);
    z
}

/// `2^106 |found - exact| / |scale|`: an error in units of u².
pub fn in_u2(found: DoubleDouble, exact: &Float, scale: &Float) -> f64 {
    let mut error = float();
    set(&mut error, found);
    error -= exact;
    if error.is_zero() {
        return 0.0;
    }
    if !error.is_finite() {
        return f64::INFINITY;
    }
    error /= scale;
    error <<= 106;
    error.to_f64().abs()
}

/// The largest error of a kernel, and its input.
pub struct Worst {
    pub error: f64,
    pub at: String,
}

/// The largest of `error(i)`, which also returns the input.
pub fn worst<T: std::fmt::Debug>(
    n: u64,
    mut input: impl FnMut() -> T,
    mut error: impl FnMut(&T) -> f64,
) -> Worst {
    let mut worst = Worst {
        error: 0.0,
        at: String::new(),
    };
    for _ in 0..n {
        let x = input();
        let e = error(&x);
        // A NaN is an error too.
        if e > worst.error || e.is_nan() {
            worst.error = if e.is_nan() { f64::INFINITY } else { e };
            worst.at = format!("{x:?}");
        }
    }
    worst
}
