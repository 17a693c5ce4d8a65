//! What the built-in sweeps promise: the project's own suite. `accuracy.toml` is what is known of them.

use doublecrunch::prelude::dd_recip;
use doublecrunch::sweeps;

doublecrunch::suite! {
    /// The routines of the paper.
    mod paper;
    reciprocal: sweeps::rcp_newton, against dd_recip, over "1.0..2.0", within 2.0;
    reciprocal_fma: sweeps::rcp_newton_fma, against dd_recip, over "1.0..2.0", within 1.0;
    reciprocal_f32: sweeps::rcp_newton_f32, against sweeps::rcp_reference_f32, over "1.0..2.0", within 1.0,
        inputs 1 << 23;
}
