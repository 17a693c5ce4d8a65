//! What the built-in sweeps promise: the project's own suite. `accuracy.toml` is what is known of them; of the paper's
//! reciprocals that is the maximum over all 2^52 inputs (`docs/newton.md`).

use doublecrunch::prelude::dd_recip;
use doublecrunch::sweeps;

doublecrunch::suite! {
    /// The routines of the paper.
    mod paper;
    reciprocal: sweeps::rcp_newton, against dd_recip, over "1.0..2.0", within 2.0;
    reciprocal_fma: sweeps::rcp_newton_fma, against dd_recip, over "1.0..2.0", within 1.0;
    reciprocal_intel: sweeps::rcp_newton_intel, against dd_recip, over "1.0..2.0", within 2.0;
    reciprocal_intel_fma: sweeps::rcp_newton_intel_fma, against dd_recip, over "1.0..2.0", within 1.0;
    reciprocal_f32: sweeps::rcp_newton_f32, against sweeps::rcp_reference_f32, over "1.0..2.0", within 1.0,
        inputs 1 << 23;
    log_polynomial: sweeps::log_polynomial, against sweeps::log_polynomial_reference,
        over "0x1.6a09e667f3bcdp-1..=0x1.6a09e667f3bccp0", within 2.0;
    exp: sweeps::exp_cephes, against sweeps::exp_reference, over "-745.2..=709.8", within 2.0;
}
