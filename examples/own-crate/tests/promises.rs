//! The sweeps, declared once: `cargo test` holds them to what is promised here, and `examples/crunch.rs` serves them.

use doublecrunch::prelude::*;
use own_crate::sqrt_newton;

/// What it should give.
#[crunch]
fn sqrt_exact(x: DcDouble) -> DcDoubleDouble {
    dd_sqrt_f64(x)
}

doublecrunch::suite! {
    /// What this crate promises.
    pub mod accuracy;
    sqrt_newton: sqrt_newton, against sqrt_exact, over "1.0..4.0", within 4.0;
}
