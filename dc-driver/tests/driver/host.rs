//! Functions of the host: searched, resumed and listed like kernels, but never compared between backends.

use super::{Ended, crunch_on, on_processors, processors};
use dc_driver::exit;
use dc_runtime::backend::Filter;
use dc_runtime::model::candidate::{Candidate, Reference};
use dc_runtime::model::host::HostFunction;
use dc_runtime::search::run_file::Reader;
use dc_runtime::search::testing::Folder;
use dc_runtime::sweep::Sweep;

/// One result in a million is the next number: errors of more than 0.5 ULP beside those of the rounded `f64::sin`.
fn sin(x: f32) -> f32 {
    let y = f64::from(x).sin() as f32;
    if x.to_bits() % 1_000_000 == 7 {
        f32::from_bits(y.to_bits() + 1)
    } else {
        y
    }
}

fn picky(x: f32) -> f32 {
    assert!(x < 1.0625, "no more than that");
    x
}

const REFERENCE: Reference = Reference::Host(HostFunction::f64("f64::sin", f64::sin));
const SIN: Sweep = Sweep::accuracy_only(
    "sin",
    Candidate::Host(HostFunction::f32("my_sin", sin)),
    REFERENCE,
    "1.0..1.125",
);
const PICKY: Sweep = Sweep::accuracy_only(
    "picky",
    Candidate::Host(HostFunction::f32("picky", picky)),
    REFERENCE,
    "1.0..1.125",
);

fn crunch(args: &[&str]) -> Ended {
    on_processors(&[SIN, PICKY], args)
}

#[test]
fn a_function_of_the_host_is_run_and_resumed() {
    let folder = Folder::new("host-run");
    let path = folder.file("sin.crunch");
    let file = path.to_str().expect("UTF-8");
    let e = crunch(&["run", "sin", "-o", file, "--block", "2^16"]);
    assert_eq!(e.code, exit::OK, "{}", e.err);
    contains!(
        e.err,
        "sin: accuracy only, on the processor: `my_sin` is a function of the host"
    );
    let only = "accuracy only `my_sin` is a function of the host, so no backends were compared; the reference \
                `f64::sin` is assumed to have no error of its own\n";
    assert!(e.out.contains(only), "{}", e.out);
    assert!(e.out.contains("1,048,576 inputs on "), "{}", e.out);
    // One input of the range ends in 7: its result is next to the correctly rounded one.
    let reader = Reader::open(&path).expect("a run file");
    let status = reader.status().expect("its status");
    assert_eq!(status.result.misrounded, 1);
    let error = status.result.max.error();
    assert!(error > 0.5 && error <= 1.5, "{error}");
    let e = crunch(&["status", file]);
    let about = "sin: my_sin against f64::sin, f32, inputs 1.0..1.125, accuracy only";
    assert!(e.out.contains(about), "{}", e.out);
    let e = crunch(&["resume", file]);
    assert_eq!(e.code, exit::OK, "{}", e.err);
    assert!(e.out.contains("sin: complete already"), "{}", e.out);
    let e = crunch(&["list"]);
    assert!(e.out.contains("my_sin (host)"), "{}", e.out);
}

/// Only what can search a sweep is probed: every instruction set of the processor, and devices for kernels alone.
#[test]
fn only_backends_that_can_search_are_looked_for() {
    let folder = Folder::new("host-backends");
    let exp = dc_runtime::sweeps::ALL.iter().find(|s| s.name() == "exp");
    let sweeps = [SIN, *exp.expect("a built-in sweep")];
    let processor: &[&str] = match cfg!(target_arch = "x86_64") {
        true => &["scalar", "avx2", "avx512"],
        false => &["scalar", "neon"],
    };
    for (name, range, devices) in [
        ("sin", "1.0..1.0001", &[][..]),
        ("exp", "1.0..=1.0000000001", &["opencl", "cuda"]),
    ] {
        let asked = std::cell::RefCell::new(Vec::new());
        let discover = |filter: &Filter| {
            asked.borrow_mut().extend(filter.patterns().iter().cloned());
            processors(filter)
        };
        let path = folder.file(name);
        let file = path.to_str().expect("UTF-8");
        let run = ["run", name, "-o", file, "--range", range];
        let e = crunch_on(&sweeps, &discover, &run);
        assert_eq!(e.code, exit::OK, "{}", e.err);
        assert_eq!(asked.into_inner(), [processor, devices].concat(), "{name}");
    }
}

#[test]
fn what_is_not_of_kernels_is_refused_with_the_reason() {
    let folder = Folder::new("host-refused");
    let file = folder.file("x.crunch");
    let file = file.to_str().expect("UTF-8");
    for (args, says) in [
        (
            &["run", "sin", "-o", file, "-b", "interpreter"][..],
            "interpreter runs kernels only, and `my_sin` is a function of the host. Take scalar",
        ),
        (
            &["verify", "sin"],
            "sin: not compared, accuracy only: `my_sin`",
        ),
        (&["verify"], "nothing to compare"),
        (&["estimate", "sin"], "cannot be counted: `my_sin`"),
        (
            &["trace", "sin", "--input", "1.0"],
            "no operations to trace: `my_sin`",
        ),
        (
            &["emit", "sin", "--search", "--target", "cuda"],
            "has no text: `my_sin`",
        ),
    ] {
        let e = crunch(args);
        assert_ne!(e.code, exit::OK, "{args:?}: {}", e.out);
        assert!(e.err.contains(says), "{args:?}: {}", e.err);
    }
}

#[test]
fn a_panic_is_an_error_that_names_the_function_and_the_input() {
    let folder = Folder::new("host-panic");
    let path = folder.file("picky.crunch");
    let file = path.to_str().expect("UTF-8");
    let args = ["run", "picky", "-o", file, "--threads", "1"];
    let e = crunch(&args);
    assert_ne!(e.code, exit::OK, "{}", e.out);
    contains!(
        e.err,
        "the function `picky` at 1.0625 = 0x1.1p0 (0x3f880000) panicked: no more than that"
    );
    assert!(!e.err.contains("please report"), "{}", e.err);
    // The searched blocks are kept, and the run can be continued once the function is corrected.
    Reader::open(&path).expect("the run file");
}
