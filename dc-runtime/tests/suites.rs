//! Suites as a crate declares them: closures and kernels, references of the library and of one's own, two arguments, formats that
//! only store numbers. They are a program of their own, since each of these sweeps is compiled for every instruction set.

#![cfg(feature = "suite")]
#![allow(
    clippy::needless_range_loop,
    reason = "the order of additions is that of the indices"
)]

extern crate dc_runtime as doublecrunch;

use std::path::{Path, PathBuf};

use dc_runtime::prelude::*;
use dc_runtime::reductions::{Function, Order, Reduction};
use dc_runtime::suite::baseline::{Baseline, FILE};
use dc_runtime::suite::{Entry, Environment, Finding, Reduced, Suite};
use dc_runtime::sweep::Sweep;
use dc_runtime::sweeps::reductions::{logsumexp_8, softmax_8, softmax_8_pairwise};

/// `e^x` near 0 by its series.
#[crunch]
fn series(x: DcFloat) -> DcFloat {
    1.0 + x * (1.0 + x * (0.5 + x * 0.166_666_67))
}

#[crunch]
fn series_exact(x: DcDouble) -> DcDouble {
    1.0 + x * (1.0 + x * (0.5 + x * (1.0 / 6.0 + x * (1.0 / 24.0))))
}

const RANGE: &str = "0.0078125..=0.01";

dc_runtime::suite! {
    /// Functions that are no kernels, as candidates and as references.
    mod closures;
    sine: |x: f32| x.sin(), computes sin, over "all", within 1.0, inputs 1 << 16;
    tangent: |x: f32| x.tan(), against |x: f64| x.tan(), over "-100.0..=100.0", within 2.0, inputs 1 << 16;
    exp: |x: f64| x.exp(), computes exp, over "-1.0..=1.0", within 1.0, inputs 1 << 16;
    exact: |x: f32| x, against series_exact, over "1e-30..=1e-29", within 1e38, inputs 1 << 10;
    series: series, against |x: f64| x.exp(), over RANGE, within 1.5, inputs 1 << 16;
    kernels: series, against series_exact, over RANGE, within 1.5, inputs 1 << 10;
    beside: total, reduces sum, within 7.0, inputs 1 << 10;
}

/// Right, except where the sum of the squares is not a float.
#[crunch]
fn length(x: DcFloat, y: DcFloat) -> DcFloat {
    x.mul_add(x, y * y).sqrt()
}

dc_runtime::suite! {
    /// Routines of two arguments, on samples of pairs.
    mod pairs;
    hypot: length, computes hypot, over "0x1p-50..0x1p50 x 0x1p-50..0x1p50", within 1.25, inputs 1 << 14;
    lengths: length, against |x: f64, y: f64| x.hypot(y), over "1.0..2.0 x 1.0..2.0", within 1.25, inputs 1 << 12;
    pow: |x: f32, y: f32| x.powf(y), computes pow, over "all", within 1.0, inputs 1 << 14;
    angle: |y: f64, x: f64| y.atan2(x), computes atan2, over "2^14 of all", within 1.0, inputs 1 << 14;
    quotient: |x: f32, y: f32| x / y, against |x: f64, y: f64| x / y, over "every of 1.0..=1.0 x 1.0..=1.001", within 0.5;
}

#[crunch]
fn half_root(x: DcFloat) -> DcFloat {
    round_to_half(x.sqrt())
}

#[crunch]
fn bfloat_quotient(x: DcBfloat, y: DcBfloat) -> DcBfloat {
    (x.to_f32() / y.to_f32()).to_bfloat()
}

dc_runtime::suite! {
    /// Routines that load and store numbers of 16 bits: the suite names the format of one, the other has its type.
    mod stored;
    root: half_root, computes sqrt, over "all", within 0.5, stored Half;
    quotient: bfloat_quotient, computes div, over "all", within 0.5, inputs 1 << 16;
}

/// `e^x`, but one overflow.
#[crunch]
fn overflowing(x: DcFloat) -> DcFloat {
    (x == 0.009).select(f32::INFINITY, series(x))
}

dc_runtime::suite! {
    /// Errors in no unit.
    mod plain;
    near: series, computes exp, over RANGE, within 1e-6 absolute;
    beside: series, against series_exact, over RANGE, within 2e-7 relative, inputs 1 << 12;
}

#[test]
fn suites_promise_errors_in_no_unit() {
    use dc_runtime::model::measure::Measure;
    let folder = SuiteFolder::new("suite-plain");
    let measures = plain::SWEEPS[..2].iter().map(|s| s.measure());
    assert!(measures.eq([Measure::Absolute, Measure::Relative]));
    for (name, unit) in [("near", "absolute"), ("beside", "relative")] {
        let text = folder
            .accuracy(*plain::SUITE.entry(name), true)
            .expect("accepted");
        assert!(text.contains(&format!(" {unit} at ")), "{text}");
    }
    let known = Baseline::read(&folder.file()).expect("a baseline").0["a::b::near"].clone();
    assert!(known.error > 1e-8 && known.error < 1e-6, "{known:?}");
    let strict = Entry {
        within: 1e-9,
        ..*plain::SUITE.entry("near")
    };
    let strict = folder.accuracy(strict, true);
    let finding = strict.expect_err("worse than that").to_string();
    assert!(
        finding.contains("more than the 0.000000001 absolute allowed"),
        "{finding}"
    );
}

#[crunch]
fn half(x: DcDouble) -> DcDouble {
    0.5 * x
}
#[crunch]
fn half_exact(x: DcDouble) -> DcDoubleDouble {
    DcDoubleDouble::new(0.5 * x, 0.0)
}

dc_runtime::suite! {
    /// All inputs of a range, in the word and in any of the forms of a line.
    mod whole;
    computed: series, computes exp, over "0.0078125..=0.0079", within 3.0, exhaustive;
    relative: series, against series_exact, over "0.0078125..=0.0079", within 1e-6 relative, exhaustive;
    closure: |x: f32| x.exp(), computes exp, over "0.0078125..=0.0079", within 1.0, exhaustive;
}

#[test]
fn exhaustive_takes_all_inputs_or_none() {
    let folder = SuiteFolder::new("suite-whole");
    for entry in whole::SUITE.entries {
        let text = folder.accuracy(*entry, true).expect("accepted");
        assert!(text.contains(" inputs (exhaustive)"), "{text}");
    }
    let endless = Entry {
        sweep: Sweep::new::<half, half_exact>("endless", "1.0..2.0"),
        ..*whole::SUITE.entry("computed")
    };
    let endless = folder.accuracy(endless, true);
    let finding = endless.expect_err("too many").to_string();
    assert!(
        finding.contains("at most 2^34 inputs, and 1.0..2.0 has 4,503,599,627,370,496"),
        "{finding}"
    );
}

/// The largest finite error stands beside the fault, and nothing accepts an infinity in place of a number.
#[test]
fn an_infinity_is_not_accepted_and_hides_no_error() {
    let folder = SuiteFolder::new("suite-overflow");
    let over = Entry {
        sweep: Sweep::new::<overflowing, series_exact>("over", RANGE),
        within: 1e9,
        inputs: 1 << 24,
        ..*plain::SUITE.entry("near")
    };
    for bless in [false, true] {
        let finding = folder
            .accuracy(over, bless)
            .expect_err("an infinity")
            .to_string();
        assert!(
            finding.contains("infinite results in place of numbers (1 inputs"),
            "{finding}"
        );
        assert!(finding.contains("0.009 = "), "{finding}");
    }
}

#[crunch]
fn total(x: [f64; 8]) -> f64 {
    let mut sum = x[0];
    for i in 1..8 {
        sum += x[i];
    }
    sum
}

#[crunch]
fn total_in_pairs(x: [f64; 8]) -> f64 {
    ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]))
}

#[crunch]
fn product(x: &[f32; 4], y: &[f32; 4]) -> f32 {
    ((x[0] * y[0] + x[1] * y[1]) + x[2] * y[2]) + x[3] * y[3]
}

/// Without the last pair.
#[crunch]
fn product_of_three(x: [f32; 4], y: [f32; 4]) -> f32 {
    (x[0] * y[0] + x[1] * y[1]) + x[2] * y[2]
}

dc_runtime::suite! {
    /// Reductions alone.
    mod reductions;
    total: total, reduces sum, within 7.0, beside (total_in_pairs), inputs 1 << 12;
    product: product, reduces dot, within 4.0;
    shares: softmax_8, reduces softmax, within 15.0, beside (softmax_8_pairwise), inputs 1 << 10;
    logsumexp: logsumexp_8, reduces logsumexp, within 16.0, inputs 1 << 10;
}

#[test]
fn suites_promise_errors_of_reductions() {
    let environment = Environment::default();
    let suite = &reductions::SUITE;
    assert!(reductions::SWEEPS.is_empty() && suite.entries.is_empty());
    let text = suite.check_accuracy("total", &environment).expect("kept");
    for part in [
        "total: not exhaustive: 4,096 vectors, seed 0x0",
        "u Σ|x| at vector ",
        " 7 u Σ|x|\n",
        "total_in_pairs",
        "other bits at ",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let wrong = |reduction| {
        let suite = Suite {
            module: "a::b",
            folder: env!("CARGO_MANIFEST_DIR"),
            entries: &[],
            reductions: Vec::leak(vec![Reduced {
                reduction,
                inputs: 1 << 12,
            }]),
        };
        let found = suite.check_accuracy(reduction.name, &environment);
        found.expect_err("wrong").to_string()
    };
    let of = |orders: Vec<Order>| Reduction {
        name: "wrong",
        function: Function::Dot,
        orders: Vec::leak(orders),
    };
    // An element is left out; a bound that the order does not keep; a kernel of another function.
    let text = wrong(of(vec![Order::of::<product_of_three>("three").within(4.0)]));
    assert!(
        text.contains("`wrong`: the error is larger than allowed"),
        "{text}"
    );
    assert!(
        text.contains("    a::b::wrong\n    not exhaustive: 4,096 vectors"),
        "{text}"
    );
    let text = wrong(of(vec![Order::of::<product>("four").within(0.5)]));
    assert!(text.contains(" 0.5 u Σ|x y|\n"), "{text}");
    let text = wrong(of(vec![Order::of::<half>("half").within(4.0)]));
    assert!(text.contains("`half` computes no dot of numbers"), "{text}");
}

/// The errors of reductions are known, and a larger one, another fault or another length fails.
#[test]
fn errors_of_reductions_are_in_the_file() {
    let folder = SuiteFolder::new("suite-reductions");
    let check = |order: Order, name: &'static str, function, bless| {
        let suite = Suite {
            module: "a::b",
            folder: String::leak(folder.0.to_str().expect("UTF-8").to_string()),
            entries: &[],
            reductions: Vec::leak(vec![Reduced {
                reduction: Reduction {
                    name,
                    function,
                    orders: Vec::leak(vec![order]),
                },
                inputs: 1 << 12,
            }]),
        };
        let environment = Environment {
            bless,
            ..Environment::default()
        };
        let text = suite.check_accuracy(name, &environment);
        (text.map_err(|e| e.to_string()), suite)
    };
    let pairs = Order::of::<total_in_pairs>("pairs").within(7.0);
    let sequential = Order::of::<total>("sequential").within(7.0);
    let of = |order, bless| check(order, "sum", Function::Sum, bless).0;
    // Without a file.
    let text = of(pairs, false).expect("no file yet");
    assert!(
        text.contains("; not in accuracy.toml yet: CRUNCH_BLESS=1"),
        "{text}"
    );
    let text = of(pairs, true).expect("accepted");
    assert!(text.contains("; accepted"), "{text}");
    let read = || Baseline::read(&folder.file()).expect("a file").0;
    let known = read()["a::b::sum"].clone();
    assert_eq!(
        (known.range.as_str(), known.inputs, known.exhaustive),
        ("sum 8 f64, seed 0x0", 1 << 12, false)
    );
    assert!(known.error > 1.0 && known.error <= 3.0, "{known:?}");
    assert!(known.worst[0].starts_with("vector "), "{known:?}");
    assert_eq!(known.faults, ["overflow"]);
    assert_eq!(known.kernels.len(), 1);
    assert!(!of(pairs, false).expect("known").contains("accuracy.toml"));
    // Another kernel with a larger error.
    let text = of(sequential, false).expect_err("worse");
    assert!(
        text.contains("`sum`: it has become less accurate; CRUNCH_BLESS=1"),
        "{text}"
    );
    assert!(text.contains("known until now"), "{text}");
    // The same kernel: the known error was one of fewer vectors.
    let mut less = known.clone();
    less.error = 0.5;
    Baseline::update(&folder.file(), |b| {
        b.0.insert("a::b::sum".into(), less);
    })
    .expect("written");
    let text = of(pairs, false).expect_err("worse");
    assert!(text.contains("a worse vector was found"), "{text}");
    of(pairs, true).expect("accepted");
    assert_eq!(read()["a::b::sum"], known);
    // Blessing accepts no error above the limit, and no other function.
    let text = of(pairs.within(0.5), true).expect_err("above");
    assert!(text.contains("the error is larger than allowed"), "{text}");
    assert_eq!(read()["a::b::sum"], known);
    // A fault that was not known.
    let mut none = known.clone();
    none.faults.clear();
    Baseline::update(&folder.file(), |b| {
        b.0.insert("a::b::sum".into(), none);
    })
    .expect("written");
    let text = of(pairs, false).expect_err("a fault");
    assert!(
        text.contains("wrong values that were not known (overflow)"),
        "{text}"
    );
    // Another entry, in a file that is there; and a table whose entry is gone.
    let (text, suite) = check(
        Order::of::<softmax_8>("shifted").within(15.0),
        "shares",
        Function::Softmax,
        false,
    );
    let text = text.expect_err("no table");
    assert!(
        text.contains("it has no table in") && text.contains("which is there"),
        "{text}"
    );
    let stale = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        suite.test_stale();
    }))
    .expect_err("a stale table");
    let stale = stale.downcast_ref::<String>().expect("a text");
    assert!(stale.contains("a::b::sum"), "{stale}");
    let (text, suite) = check(sequential, "sum", Function::Sum, true);
    text.expect("accepted");
    suite.test_stale();
}

/// A folder with an `accuracy.toml` of its own, until its test ends.
struct SuiteFolder(PathBuf);

impl Drop for SuiteFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl SuiteFolder {
    fn new(name: &str) -> SuiteFolder {
        let folder =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        SuiteFolder(folder)
    }

    fn file(&self) -> PathBuf {
        self.0.join(FILE)
    }

    fn accuracy(&self, entry: Entry, bless: bool) -> Result<String, Finding> {
        let environment = Environment {
            bless,
            ..Environment::default()
        };
        let suite = Suite {
            module: "a::b",
            folder: String::leak(self.0.to_str().expect("UTF-8").to_string()),
            entries: Vec::leak(vec![entry]),
            reductions: &[],
        };
        suite.check_accuracy(entry.sweep.name(), &environment)
    }
}

#[test]
fn all_numbers_that_are_stored_are_taken() {
    let folder = SuiteFolder::new("suite-stored");
    let text = folder
        .accuracy(*stored::SUITE.entry("root"), true)
        .expect("accepted");
    assert!(text.contains("all 65,536 inputs (exhaustive)"), "{text}");
    let text = folder
        .accuracy(*stored::SUITE.entry("quotient"), true)
        .expect("accepted");
    assert!(
        text.contains("not exhaustive: 65,536 of 4,294,967,296 inputs"),
        "{text}"
    );
    assert_eq!(stored::SWEEPS[1].inputs().signature(), "bfloat,bfloat");
}

#[test]
fn the_sample_of_pairs_is_told_and_blessed() {
    let folder = SuiteFolder::new("suite-pairs");
    assert_eq!(
        pairs::SWEEPS[2].candidate().name(),
        "|x: f32, y: f32| x.powf(y)"
    );
    let mut hypot = *pairs::SUITE.entry("hypot");
    let text = folder.accuracy(hypot, true).expect("accepted");
    assert!(text.contains("ULP at ("), "{text}");
    assert!(
        text.contains("not exhaustive: 16,384 of about 2^"),
        "{text}"
    );
    let known = Baseline::read(&folder.file()).expect("a baseline").0["a::b::hypot"].clone();
    assert!(
        known.worst[0].starts_with("(bits:0x") && !known.exhaustive,
        "{known:?}"
    );
    assert!(folder.accuracy(hypot, false).is_ok());
    hypot.within = 0.75;
    let finding = folder
        .accuracy(hypot, false)
        .expect_err("worse than that")
        .to_string();
    assert!(
        finding.contains("more than the 0.75 ULP allowed"),
        "{finding}"
    );
    let quotient = *pairs::SUITE.entry("quotient");
    let text = folder.accuracy(quotient, true).expect("accepted");
    assert!(text.contains("all 8,390 inputs (exhaustive)"), "{text}");
}

/// An entry with nothing to compare has no test that passes by comparing nothing.
#[test]
fn a_closure_has_no_tests_of_backends() {
    let program = std::env::current_exe().expect("this program");
    let listed = std::process::Command::new(program)
        .args(["--list", "closures::crunch_suite"])
        .output()
        .expect("a list");
    let listed = String::from_utf8(listed.stdout).expect("UTF-8");
    let of = |name: &str| -> Vec<&str> {
        let begin = format!("::{name}::");
        let lines = listed.lines().filter_map(|l| l.strip_suffix(": test"));
        lines
            .filter_map(|l| Some(l.split_once(&*begin)?.1))
            .collect()
    };
    for name in ["sine", "tangent", "exp", "exact", "series"] {
        assert_eq!(of(name), ["accuracy"], "{name}: {listed}");
    }
    assert_eq!(of("kernels").len(), 7, "{listed}");
    assert!(listed.contains("closures::crunch_suite::what_ran: test"));
    assert_eq!(closures::SWEEPS.len(), 6);
    assert_eq!(closures::SWEEPS[0].candidate().name(), "|x: f32| x.sin()");
}

/// The test of a backend that is not in this build is ignored, which the harness shows; it does not pass.
#[test]
fn a_backend_that_is_not_built_is_an_ignored_test() {
    let program = std::env::current_exe().expect("this program");
    let listed = std::process::Command::new(program)
        .args(["--list", "--ignored", "closures::crunch_suite::kernels"])
        .output()
        .expect("a list");
    let listed = String::from_utf8(listed.stdout).expect("UTF-8");
    for (test, built) in [
        ("opencl", cfg!(feature = "opencl")),
        ("cuda", cfg!(feature = "cuda")),
        ("avx2", cfg!(target_arch = "x86_64")),
        ("interpreter", true),
    ] {
        let line = format!("kernels::{test}: test");
        assert_eq!(!listed.contains(&line), built, "{test}: {listed}");
    }
}
