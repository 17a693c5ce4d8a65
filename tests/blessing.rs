//! Blessing is a fixed point: after `CRUNCH_BLESS=1 cargo test`, the test passes, and blessing again changes nothing.
//!
//! The kernels are random, since the worst inputs of built-in routines are adjacent in only few ways. A kernel is generated in binary32
//! and, from the same random numbers, in binary64, which is its reference. Both are interpreted, as functions of the host. The sweeps of
//! the library are tested in the same way next to the suite (`dc-runtime/src/suite/tests/accepting.rs`).
#![cfg(feature = "suite")]

#[path = "../dc-exact/tests/ring/numeric.rs"]
#[allow(dead_code, reason = "the generator of other tests, too")]
mod numeric;
#[path = "random-kernels/src/random.rs"]
#[allow(dead_code, reason = "the generator of other tests, too")]
mod random;

use std::path::{Path, PathBuf};
use std::sync::RwLock;

use doublecrunch::model::candidate::{Candidate, Reference};
use doublecrunch::model::host::HostFunction;
use doublecrunch::suite::{Entry, Environment, Suite, baseline};
use doublecrunch::sweep::Sweep;
use kernels_gen::interp::Interpreter;
use kernels_gen::ops::Prim;

use random::Random;

/// The kernel that is searched, and its reference. A function of the host has no captures.
static NOW: RwLock<Option<[Interpreter; 2]>> = RwLock::new(None);

fn evaluate(which: usize, inputs: &[u64]) -> Vec<u64> {
    let now = NOW.read().expect("no panic");
    let mut out = vec![Vec::new()];
    now.as_ref().expect("a kernel")[which].run(&[inputs], &mut out);
    out.swap_remove(0)
}

fn candidate(x: &[f32], out: &mut [f32]) {
    let bits: Vec<u64> = x.iter().map(|x| x.to_bits().into()).collect();
    for (to, bits) in out.iter_mut().zip(evaluate(0, &bits)) {
        *to = f32::from_bits(bits as u32);
    }
}

fn reference(x: &[f64], out: &mut [f64]) {
    let bits: Vec<u64> = x.iter().map(|x| x.to_bits()).collect();
    for (to, bits) in out.iter_mut().zip(evaluate(1, &bits)) {
        *to = f64::from_bits(bits);
    }
}

const RANGES: [&str; 4] = ["1.0..2.0", "0.001..=1000.0", "-8.0..8.0", "positive"];

/// What became of the kernels.
#[derive(Debug, Default)]
struct Total {
    kernels: u32,
    /// Accepted with an error of less than 100 ULP: those whose reference is the same function.
    close: u32,
    /// Accepted after a first search that found a smaller error than the last one.
    settled: u32,
    /// Not accepted: the largest error is infinite.
    refused: u32,
    failures: Vec<String>,
}

/// Blesses a kernel, tests it, blesses it again.
fn bless(folder: &Path, number: u64, inputs: u64, total: &mut Total) {
    let of = |prim| {
        let kernel = numeric::kernel_of(prim, Random::of(15, number), number);
        kernels_gen::lower(kernel).map(|program| Interpreter::new(&program))
    };
    let programs = [of(Prim::F32), of(Prim::F64)].map(|p| p.expect("a generated kernel"));
    *NOW.write().expect("no panic") = Some(programs);
    let sweep = Sweep::accuracy_only(
        "random",
        Candidate::Host(HostFunction::f32_slice("candidate", candidate)),
        Reference::Host(HostFunction::f64_slice("reference", reference)),
        RANGES[number as usize % RANGES.len()],
    );
    let entry = Entry {
        sweep,
        within: 1e300,
        certificate: None,
        hunt: 0.0,
        inputs,
        promises: &[],
    };
    let own: PathBuf = folder.join(number.to_string());
    std::fs::create_dir(&own).expect("a folder");
    let suite = Suite {
        reductions: &[],
        module: "blessing",
        folder: Box::leak(own.to_str().expect("UTF-8").into()),
        entries: Box::leak(Box::new([entry])),
    };
    let check = |bless| {
        let environment = Environment {
            bless,
            seed: Some(number),
            ..Environment::default()
        };
        suite.check_accuracy(suite.entries[0].sweep.name(), &environment)
    };
    let file = baseline::path(suite.folder);
    let text = || std::fs::read_to_string(&file).unwrap_or_default();
    total.kernels += 1;
    let first = check(false).unwrap_or_default();
    if check(true).is_err() {
        total.refused += 1;
        assert_eq!(text(), "", "{number}: what was refused was written");
        return;
    }
    let accepted = text();
    let mut fail = |what: &str, why: &str| {
        let kernel = format!("kernel {number} over {}: {what}: {why}", sweep.range());
        total.failures.push(kernel);
    };
    match check(false) {
        Ok(found) => {
            // What a test prints of the largest error, before the coverage.
            let maximum = |text: &str| text.split(';').next().unwrap_or_default().to_string();
            total.settled += u32::from(maximum(&first) != maximum(&found));
        }
        Err(finding) => fail("the test after it fails", &finding.to_string()),
    }
    match check(true) {
        Ok(_) if text() == accepted => {}
        Ok(_) => fail("a second blessing changed the file", &text()),
        Err(finding) => fail("it was not accepted again", &finding.to_string()),
    }
    let known = baseline::Baseline::read(&file).expect("a baseline").0;
    total.close += u32::from(known["blessing::random"].error < 100.0);
}

fn all(kernels: u64, inputs: u64) -> Total {
    let folder = tempfile::tempdir().expect("a folder");
    let mut total = Total::default();
    for number in 0..kernels {
        bless(folder.path(), number, inputs, &mut total);
    }
    println!("{total:?}");
    total
}

#[test]
fn blessing_twice_changes_nothing() {
    let kernels = 200;
    let total = all(kernels, 1 << 10);
    assert!(total.failures.is_empty(), "{}", total.failures.join("\n"));
    // Kernels that accept nothing, or whose first search finds the worst input, would not show a difference.
    assert!(
        total.close >= 60 && total.settled >= 20 && total.refused < 100,
        "{total:?}"
    );
}

/// `BLESS_KERNELS=2000 BLESS_INPUTS=65536 cargo test --release --test blessing -- --ignored --nocapture`
#[test]
#[ignore = "minutes; the book has its result"]
fn blessing_twice_changes_nothing_in_a_long_run() {
    let number = |name: &str, default: u64| {
        std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
    };
    let total = all(
        number("BLESS_KERNELS", 2000),
        number("BLESS_INPUTS", 1 << 14),
    );
    assert!(total.failures.is_empty(), "{}", total.failures.join("\n"));
}
