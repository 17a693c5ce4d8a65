//! The accuracies that the built-in sweeps promise: the project's own suite. `accuracy.toml` records the known
//! accuracies; for the paper's reciprocals these are the maxima over all 2^52 inputs (`docs/book/src/understand/newton.md`).

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

doublecrunch::suite! {
    /// Routines of common mathematical libraries.
    mod library;
    exp_fdlibm: sweeps::library::exp_fdlibm, against sweeps::exp_reference, over "-745.2..=709.8", within 1.0;
    exp_table: sweeps::library::exp_table, against sweeps::exp_reference, over "-745.2..=709.8", within 0.512;
    log_table: sweeps::library::log_table, computes log, over "5e-324..=1.7976931348623157e308", within 0.521;
    sin_fdlibm: sweeps::library::sin_fdlibm, computes sin, over "-1024.0..=1024.0", within 1.0;
    cbrt_freebsd: sweeps::library::cbrt_freebsd, computes cbrt, over "1.0..=8.0", within 0.667;
}

/// `equivalence.rs` relies on this: of these sweeps it compares the special values, and the ranges of two.
#[test]
fn every_built_in_sweep_is_in_a_suite() {
    let suites = [paper::SWEEPS, library::SWEEPS].concat();
    for sweep in sweeps::ALL {
        let found = suites
            .iter()
            .find(|s| s.candidate().name() == sweep.candidate().name());
        let found = found.unwrap_or_else(|| panic!("{} is in no suite", sweep.name()));
        let other = ["reciprocal-f32", "cbrt-freebsd"].contains(&sweep.name());
        assert_eq!(found.range() != sweep.range(), other, "{}", sweep.name());
    }
}
