//! Functions of sources as candidates: `--lift exp.c:f --computes exp`.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

#[macro_use]
#[path = "support/run.rs"]
mod run;

use std::path::Path;
use std::process::Command;

use doublecrunch::backend::skip::skip;

use run::{Run, words};

/// e^x for small x, in two steps, so that a table and a loop are lifted; and what cannot be asked about.
const SOURCE: &str = "
static const double P[] = {0.5, 0.16666666666666666, 0.041666666666666664, 0.008333333333333333, 0.001388888888888889};
double short_exp(double x) {
    if (x != x) return x;
    double p = P[4];
    for (int i = 3; i >= 0; i--) p = p * x + P[i];
    return (p * x * x + x) + 1.0;
}
float one_and(float x) { return 1.0f + x; }
int whole(double x) { return (int)x; }
";

fn crunch(folder: &Path, args: &[&str]) -> Run {
    Run::of(
        Command::new(env!("CARGO_BIN_EXE_crunch"))
            .args(args)
            .current_dir(folder)
            .env_remove("CRUNCH_REQUIRE"),
    )
}

/// A folder with the source; `None` without clang.
fn folder() -> Option<tempfile::TempDir> {
    if Command::new("clang").arg("--version").output().is_err() {
        skip("lift", "clang is not installed");
        return None;
    }
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("exp.c"), SOURCE).expect("writable");
    Some(folder)
}

const SHORT: [&str; 6] = [
    "--lift",
    "exp.c:short_exp",
    "--computes",
    "exp",
    "--contract",
    "off",
];

fn json(run: &Run) -> serde_json::Value {
    serde_json::from_str(&run.out).unwrap_or_else(|e| panic!("{e}: {}{}", run.out, run.err))
}

#[test]
fn the_bound_of_a_source_holds_for_the_compiled_original() {
    let Some(folder) = folder() else { return };
    let with = |first: &[&str], more: &[&str]| {
        let range = ["--range", "0.001..0.01", "--json"];
        crunch(folder.path(), &[first, &SHORT, &range, more].concat())
    };
    let bound = with(&["bound"], &[]);
    assert_eq!(bound.code, Some(0), "{}", bound.err);
    contains!(bound.err, "4,194,304 inputs compared");
    let certified = json(&bound)["bound"].as_f64().expect("a bound");
    let run = with(&["run"], &["--time", "1s"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let found = json(&run)["worst"]["error"]
        .as_f64()
        .expect("an error")
        .abs();
    assert!(
        found <= certified && found > 0.99 * certified,
        "{found} of {certified}"
    );
}

#[test]
fn a_maximum_of_a_source_has_a_certificate() {
    let Some(folder) = folder() else { return };
    // Few enough inputs that the proof takes no time.
    let args = words("--range 0x1.0p-7..=0x1.00000004p-7 --certificate exp.cert --json");
    let exact = crunch(folder.path(), &[&["exact"], &SHORT[..], &args].concat());
    assert_eq!(exact.code, Some(0), "{}{}", exact.out, exact.err);
    let certificate = std::fs::read_to_string(folder.path().join("exp.cert")).expect("written");
    assert!(certificate.contains("function exp"), "{certificate}");
}

#[test]
fn a_search_of_a_source_goes_on_from_its_file() {
    let Some(folder) = folder() else { return };
    let lift = words("--lift exp.c:one_and --computes exp --contract off");
    let range = ["--range", "0.001..0.0011"];
    let run = crunch(folder.path(), &[&["run"], &lift[..], &range].concat());
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert!(run.err.contains("kept as one_and.so"), "{}", run.err);
    let status = crunch(folder.path(), &["status", "one_and.crunch"]);
    assert_eq!(status.code, Some(0), "{}{}", status.out, status.err);
    let resume = crunch(folder.path(), &["resume", "one_and.crunch"]);
    assert_eq!(resume.code, Some(0), "{}{}", resume.out, resume.err);
}

#[test]
fn a_source_is_compared_traced_and_written_without_rustc() {
    let Some(folder) = folder() else { return };
    let with =
        |first: &[&str], more: &[&str]| crunch(folder.path(), &[first, &SHORT, more].concat());
    let few = words("--range 0.001..0.01 --inputs 2^16 --backend interpreter,scalar");
    let verify = with(&["verify"], &few);
    assert_eq!(verify.code, Some(0), "{}{}", verify.out, verify.err);
    for what in ["original", "interpreter", "bitwise identical"] {
        assert!(verify.out.contains(what), "{}", verify.out);
    }
    assert!(verify.err.contains("scalar: left out"), "{}", verify.err);
    let at = ["--input", "0.01", "--backend", "interpreter", "--all"];
    let trace = with(&["trace"], &at);
    assert_eq!(trace.code, Some(0), "{}{}", trace.out, trace.err);
    assert!(trace.out.contains("exp.c:7"), "{}", trace.out);
    let emit = |target: &str| {
        let args = ["emit", "--lift", "exp.c:short_exp", "--contract", "off"];
        crunch(folder.path(), &[&args, &["-t", target][..]].concat())
    };
    for (target, what) in [("c", "double crunch_short_exp("), ("ir", "short_exp")] {
        let text = emit(target);
        assert_eq!(text.code, Some(0), "{}", text.err);
        assert!(text.out.contains(what), "{target}: {}", text.out);
    }
    let odd = words(
        "run --lift exp.c:one_and --computes exp --contract off --odd --range \
                0.001..0.0011",
    );
    let odd = crunch(folder.path(), &odd);
    assert_eq!(odd.code, Some(1), "{}{}", odd.out, odd.err);
    let left = folder.path().join("one_and.so").exists();
    assert!(!left, "a library is left where no run file names it");
}

#[test]
fn what_cannot_be_asked_says_why() {
    let Some(folder) = folder() else { return };
    let cases: [(&[&str], &str); 6] = [
        (
            &["--lift", "exp.c", "--computes", "exp"],
            "write SOURCE:NAME",
        ),
        (
            &["--lift", "exp.c:short_ex", "--computes", "exp"],
            "near it: short_exp",
        ),
        (&["--lift", "exp.c:short_exp", "--computes", "exq"], "exq"),
        (
            &["--lift", "exp.c:whole", "--computes", "exp"],
            "not a function of one or two floats",
        ),
        (&["--lift", "exp.c:short_exp"], "--computes"),
        (
            &["--lift", "exp.c:short_exp", "--computes", "exp"],
            "--contract",
        ),
    ];
    for (args, what) in cases {
        let run = crunch(folder.path(), &[&["bound"], args].concat());
        assert_eq!(run.code, Some(2), "{args:?}: {}", run.err);
        assert!(run.err.contains(what), "{args:?}: {}", run.err);
    }
    let submit = words("submit slurm --lift exp.c:short_exp --computes exp --tasks 2");
    let run = crunch(folder.path(), &submit);
    assert_eq!(run.code, Some(2), "{}", run.err);
    assert!(run.err.contains("tasks run elsewhere"), "{}", run.err);
}

/// Two functions of a source, side by side; and a source with the same function in a library that was compiled with contraction.
#[test]
fn functions_of_sources_are_compared() {
    let Some(folder) = folder() else { return };
    let text = "
double plain(double x) { return x * x - 0.5; }
double scaled(double x) { return (2.0 * x) * (0.5 * x) - 0.5; }
double fused(double x) { return __builtin_fma(x, x, -0.5); }
";
    std::fs::write(folder.path().join("sq.c"), text).expect("writable");
    let range = ["--range", "0x1.8p0..0x1.800001p0", "--json"];
    let args = [
        "compare",
        "sq.c:plain",
        "sq.c:scaled",
        "--against-expression",
        "x*x - 0.5",
    ];
    let run = crunch(
        folder.path(),
        &[&args[..], &["--contract", "off"], &range].concat(),
    );
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    let document = json(&run);
    let of = |i: usize| &document["candidates"][i];
    assert_eq!(of(0)["name"], "sq.c:plain");
    assert_eq!(of(1)["bits"]["differing"], 0, "{document}");
    assert_eq!(of(0)["worst"], of(1)["worst"]);

    let args = ["verify", "--differ", "sq.c:plain", "sq.c:fused"];
    let run = crunch(folder.path(), &[&args[..], &range].concat());
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    assert_eq!(json(&run)["cause"]["name"], "contraction", "{}", run.out);
    let args = ["verify", "--differ", "sq.c:plain", "sq.c:none"];
    let run = crunch(folder.path(), &[&args[..], &range].concat());
    assert_eq!(run.code, Some(2), "{}{}", run.out, run.err);
}
