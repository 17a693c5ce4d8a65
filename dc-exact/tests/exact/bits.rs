//! Certificates of kernels that make numbers of bits, given to `crunch-check`.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crunch_check::{Options, check};
use dc_exact::bound::{Effort, bound_range};
use dc_exact::cell::Values;
use dc_exact::certificate::{Subject, certificate};
use dc_exact::exact::{self, maximum};
use dc_exact::law::{Law, Truth};
use dc_exact::point::{error_at, stretches};
use doublecrunch::kernel::CrunchFn;
use doublecrunch::prelude::*;
use kernels_gen::ir::Kernel;
use kernels_gen::program::Program;

/// An estimate of 1/x from all bits and four iterations: the last errors are Newton's.
#[crunch]
fn reciprocal(x: DcDouble) -> DcDouble {
    let y = DcDouble::from_bits(0x7fde_6238_502c_e8c2 - x.to_bits());
    let y = y * (2.0 - x * y);
    let y = y * (2.0 - x * y);
    let y = y * (2.0 - x * y);
    y * (2.0 - x * y)
}

/// The same from an odd constant, with fused operations.
#[crunch]
fn reciprocal_fused(x: DcDouble) -> DcDouble {
    let y = DcDouble::from_bits(0x7fde_6238_502c_e8c3 - x.to_bits());
    let y = y.mul_add(x.mul_add(-y, 1.0), y);
    let y = y.mul_add(x.mul_add(-y, 1.0), y);
    let y = y.mul_add(x.mul_add(-y, 1.0), y);
    y.mul_add(x.mul_add(-y, 1.0), y)
}

/// √x by the square of its upper half, which is exact: a mask, and a sum that cancels.
#[crunch]
fn root_by_halves(x: DcDouble) -> DcDouble {
    let y = x.sqrt();
    let upper = DcDouble::from_bits(y.to_bits() & -0x800_0000);
    let lower = y - upper;
    let square = upper * upper + lower * (upper + y);
    y - 0.5 * ((square - x) / y)
}

/// x² by halves.
#[crunch]
fn square_by_halves(x: DcDouble) -> DcDouble {
    let upper = DcDouble::from_bits(x.to_bits() & -0x800_0000);
    let lower = x - upper;
    upper * upper + lower * (upper + x)
}

/// What `exact` finds and what the checker says of its certificate.
struct Proven {
    certificate: String,
    verdict: Result<String, String>,
}

const OPTIONS: Options = Options {
    every: 1,
    jobs: 2,
    sieve: 1 << 16,
};

fn lowered(kernel: &'static Kernel) -> Program {
    kernels_gen::lower(kernel).expect("it lowers")
}

fn proven(program: &Program, truth: &Truth, lo: f64, hi: f64) -> Proven {
    let begun = Instant::now();
    let stretches = stretches(program, lo, hi);
    let bound = bound_range(program, truth, &stretches, Effort::default());
    let effort = exact::Effort {
        threads: 2,
        time: Duration::from_secs(600),
        list: false,
    };
    let stop = AtomicBool::new(false);
    let slack = 1e-3;
    let found = maximum(
        program,
        truth,
        &bound,
        None,
        slack,
        effort,
        &stop,
        &mut |_| {},
    );
    assert!(found.is_exact(), "{lo:e}..{hi:e}: {:?}", found.open.first());
    let subject = Subject {
        sweep: "bits",
        program,
        truth,
        stretches: &stretches,
    };
    let mut values = Values::new(program);
    let error = error_at(program, truth, &mut values, found.worst.x).expect("finite");
    let certificate = certificate(subject, &bound, &found, error.abs().hi).expect("it is proven");
    let search = begun.elapsed().as_secs_f64();
    let begun = Instant::now();
    let verdict = check(&certificate, OPTIONS).map_err(|e| e.to_string());
    println!(
        "{lo:e}..{hi:e}: {} at {:e}, {} classes, {:?}, {search:.1} s; checked in {:.1} s: {}",
        found.upper,
        found.worst.x,
        bound.classes.len(),
        found.work,
        begun.elapsed().as_secs_f64(),
        verdict.as_ref().map_or_else(Clone::clone, Clone::clone)
    );
    Proven {
        certificate,
        verdict,
    }
}

#[test]
fn certificates_of_numbers_that_are_made_of_bits_are_proven() {
    let recip = Truth::Law(Law::Recip);
    let root = Truth::Law(Law::Sqrt);
    let square = Truth::Program(lowered(square_by_halves::KERNEL));
    for (kernel, truth, lo, hi) in [
        (reciprocal::KERNEL, &recip, 1.0, 1.000_000_000_1),
        (reciprocal::KERNEL, &recip, 1.3, 1.300_000_000_1),
        (reciprocal_fused::KERNEL, &recip, 1.3, 1.300_000_000_1),
        (reciprocal::KERNEL, &recip, 0.7, 3.0),
        (root_by_halves::KERNEL, &root, 1.3, 1.300_000_000_1),
        (square_by_halves::KERNEL, &square, 1.3, 1.300_000_000_1),
    ] {
        let program = lowered(kernel);
        println!("{}", kernel.name);
        let proven = proven(&program, truth, lo, hi);
        assert!(
            proven.verdict.is_ok(),
            "{}: {:?}",
            kernel.name,
            proven.verdict
        );
    }
}
