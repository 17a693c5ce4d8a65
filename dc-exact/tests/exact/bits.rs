//! Certificates of kernels that make numbers of bits, given to `crunch-check`.

use std::time::Instant;

use crunch_check::{Options, check};
use dc_exact::bound::{Effort, bound_range};
use dc_exact::cell::{Cell, Values};
use dc_exact::certificate::{Subject, certificate};
use dc_exact::law::{Law, Truth};
use dc_exact::num::Interval;
use dc_exact::point::{error_at, stretches};
use doublecrunch::kernel::CrunchFn;
use doublecrunch::prelude::*;
use kernels_gen::ir::Kernel;
use kernels_gen::program::Program;

use crate::forms::{by_method, claiming, halved, moved, only_cuts};

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

/// The same estimate, and a mask before a sum that cancels: another line for each value of the bits that are left.
#[crunch]
fn reciprocal_masked(x: DcDouble) -> DcDouble {
    let y = DcDouble::from_bits(0x7fde_6238_502c_e8c3 - x.to_bits());
    let y = y * (2.0 - x * y);
    let y = y * (2.0 - x * y);
    let y = y * (2.0 - x * y);
    let y = DcDouble::from_bits((y.to_bits() + 0x4) & -0x8);
    let e = x.mul_add(-y, 1.0);
    y + y * (e + e * e)
}

/// √x by the square of its upper bits.
#[crunch]
fn root_masked(x: DcDouble) -> DcDouble {
    let y = x.sqrt();
    let upper = DcDouble::from_bits(y.to_bits() & -0x4);
    let lower = y - upper;
    let square = upper * upper + lower * (upper + y);
    y - 0.5 * ((square - x) / y)
}

/// 1/√x from half of the bits.
#[crunch]
fn inverse_root(x: DcDouble) -> DcDouble {
    let h = x * 0.5;
    let y = DcDouble::from_bits(0x5fe6_eb50_c7b5_37a9 - (x.to_bits() >> 1));
    let y = y * (1.5 - h * y * y);
    let y = y * (1.5 - h * y * y);
    let y = y * (1.5 - h * y * y);
    y * (1.5 - h * y * y)
}

/// A reciprocal by way of a number that is subnormal where x is above 2^422: there it is no copy of itself near 1.
#[crunch]
fn reciprocal_small(x: DcDouble) -> DcDouble {
    let y = DcDouble::from_bits(0x7fde_6238_502c_e8c2 - x.to_bits());
    let y = y * (2.0 - x * y);
    let y = y * (2.0 - x * y);
    let y = y * (2.0 - x * y);
    let y = y * (2.0 - x * y);
    let z = y * 2.409919865102884e-181;
    z * 4.149515568880993e180
}

/// What `exact` finds and what the checker says of its certificate.
struct Proven {
    certificate: String,
    verdict: Result<String, String>,
    error: Interval,
}

const OPTIONS: Options = Options {
    every: 1,
    jobs: 2,
    sieve: 1 << 16,
};

fn lowered(kernel: &'static Kernel) -> Program {
    kernels_gen::lower(kernel).expect("it lowers")
}

/// Over these inputs, times each of the factors.
fn proven(program: &Program, truth: &Truth, (lo, hi): (f64, f64), factors: &[f64]) -> Proven {
    let begun = Instant::now();
    let stretches: Vec<Cell> = (factors.iter())
        .flat_map(|by| stretches(program, lo * by, hi * by))
        .collect();
    let bound = bound_range(
        program,
        truth,
        &stretches,
        Effort {
            cells: 64,
            ..Effort::default()
        },
    );
    let found = crate::proven(program, truth, &bound);
    assert!(found.is_exact(), "{lo:e}..{hi:e}: {:?}", found.open.first());
    let subject = Subject {
        sweep: "bits",
        program,
        truth,
        stretches: &stretches,
    };
    let mut values = Values::new(program);
    let error = error_at(program, truth, &mut values, found.worst.x);
    let error = error.expect("finite").abs();
    let certificate = certificate(subject, &bound, &found, error.hi).expect("it is proven");
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
        error,
    }
}

#[test]
fn certificates_of_numbers_that_are_made_of_bits_are_proven_and_lowered_ones_are_refused() {
    let (recip, root) = (Truth::Law(Law::Recip), Truth::Law(Law::Sqrt));
    let inverse = Truth::Law(Law::RecipSqrt);
    // Over all these inputs an integer has more values than cells may be cut.
    let (here, far) = (&[1.0][..], &[0.5, 1.0, 2f64.powi(400)][..]);
    for (kernel, truth, lo, hi, factors, kind) in [
        (
            reciprocal::KERNEL,
            &recip,
            0.999_999_999_99,
            1.000_000_000_01,
            here,
            "plain",
        ),
        (
            reciprocal::KERNEL,
            &recip,
            1.3,
            1.300_000_000_004,
            far,
            "scaled",
        ),
        (
            reciprocal_fused::KERNEL,
            &recip,
            2.6,
            2.600_000_000_008,
            here,
            "plain",
        ),
        (
            reciprocal_masked::KERNEL,
            &recip,
            1.3,
            1.300_000_000_004,
            here,
            "none",
        ),
        (
            root_masked::KERNEL,
            &root,
            1.3,
            1.300_000_000_004,
            far,
            "none",
        ),
        (
            inverse_root::KERNEL,
            &inverse,
            5.2,
            5.200_000_000_016,
            here,
            "none",
        ),
    ] {
        let program = lowered(kernel);
        println!("{}", kernel.name);
        let Proven {
            certificate,
            verdict,
            error,
        } = proven(&program, truth, (lo, hi), factors);
        assert!(verdict.is_ok(), "{}: {verdict:?}", kernel.name);
        let planned = certificate.lines().any(|l| l == format!("class 0 {kind}"));
        assert!(planned || kind == "none", "{certificate}");
        let forms = [
            by_method(&certificate, "bound"),
            only_cuts(&certificate),
            halved(&certificate, |n| n / 2),
            moved(&certificate, |n| n / 3),
            certificate.clone(),
        ];
        for text in &forms {
            // At the truth it is proven in each form.
            assert!(check(&claiming(text, error.hi), OPTIONS).is_ok(), "{text}");
            for by in [1e-12, 1e-9, 1e-6, 1e-3] {
                let lower = claiming(text, error.lo - by);
                assert!(check(&lower, OPTIONS).is_err(), "{}: {by}", kernel.name);
            }
        }
        // Cells that are no copies, or whose argument is not reduced.
        let reduced = certificate.replace("class 0 scaled", "class 0 reduced");
        assert!(reduced == certificate || check(&reduced, OPTIONS).is_err());
    }
}

/// A class of scaled copies with a cell in which a value is subnormal: its errors are 2^28 times those near 1.
#[test]
fn a_cell_with_a_subnormal_value_is_no_copy() {
    let program = lowered(reciprocal_small::KERNEL);
    let truth = Truth::Law(Law::Recip);
    let Proven {
        certificate,
        verdict,
        error,
    } = proven(&program, &truth, (1.3, 1.300_000_000_02), &[1.0]);
    assert!(verdict.is_ok(), "{verdict:?}");
    // The cell as one of a class of copies, of which it is the example.
    let ends = (1.3, 1.300_000_000_02);
    let bits = |x: f64| format!("{:016x}", x.to_bits());
    let pair = |a: f64, b: f64| format!("{} {}", bits(a), bits(b));
    let near = pair(ends.0, ends.1);
    let plain = format!("cell {near} 0\nclass 0 plain\n");
    let scaled = format!("cut {near}\nclass 0 scaled\nof {near}\n");
    let certificate = certificate.replace(&plain, &scaled);
    assert!(certificate.contains(&scaled), "{certificate}");
    for (e, copy) in [
        (-300, true),
        (300, true),
        (419, true),
        (450, false),
        (500, false),
    ] {
        let at = |x: f64| x * 2f64.powi(e);
        let mut values = Values::new(&program);
        let there = error_at(&program, &truth, &mut values, at(1.300_000_000_01));
        let there = there.expect("finite").abs().lo;
        assert_eq!(there < 3.0, copy, "2^{e}: {there}");
        // The same certificate, of inputs of another binade.
        let far = pair(at(ends.0), at(ends.1));
        let moved: String = (certificate.lines())
            .filter(|l| !l.starts_with("worst "))
            .map(
                |l| match ["range ", "cut ", "of "].iter().any(|w| l.starts_with(w)) {
                    true => l.replace(&near, &far) + "\n",
                    false => l.to_string() + "\n",
                },
            )
            .collect();
        let moved = claiming(&moved, error.hi);
        assert!(moved.contains(&far), "{moved}");
        let verdict = check(&moved, OPTIONS);
        assert_eq!(verdict.is_ok(), copy, "2^{e}: {verdict:?}");
        // With a cell near 1 for the class, whose stretches hold no input of the range.
        let example = moved.replace(&format!("of {far}"), &format!("of {near}"));
        let verdict = check(&example, OPTIONS);
        assert_eq!(verdict.is_ok(), copy, "2^{e}: {verdict:?}");
    }
}

/// FreeBSD's cube root estimates by the upper word, and rounds the estimate by a mask. On these inputs the word has two values and the rounded
/// estimate one or two, although its range is wide before the word is one number: it is a constant of each cell, and its roundings
/// have lattices.
#[test]
fn a_number_made_of_few_integers_is_a_constant() {
    let program = crate::program("cbrt-freebsd");
    let truth = Truth::Law(Law::Cbrt);
    let stretches = stretches(&program, 1.0, 1.000_001);
    let bound = bound_range(&program, &truth, &stretches, Effort::default());
    let found = crate::proven(&program, &truth, &bound);
    assert!(found.is_exact(), "{:?}", found.open.first());
}
