//! Formulas as references, `--against-expression`, and FPCore, in the real program.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

#[macro_use]
#[path = "support/run.rs"]
mod run;

use std::path::Path;
use std::process::Command;

use doublecrunch::backend::skip::skip;
use serde_json::Value;

use run::Run;

/// Functions as they are found, right and wrong. No library is called in those that are lifted.
const SOURCE: &str = "
#include <math.h>
double softplus(double x) { return x > 20.0 ? x : log(1.0 + exp(x)); }
double tenth(double x) { return 0.1 * x; }
double share(double x, double y) { return x / (x + y); }
double ratio(double x) { return 1.0 / (1.0 + x); }
float versine(float x) { return 1.0f - (float)cos(x); }
float half(float x) { return x * 0.5f; }
float half_up(float x) { float r = x * 0.5f; return r < (double)x / 2 ? nextafterf(r, INFINITY) : r; }
";

fn crunch(folder: &Path, args: &[&str]) -> Run {
    Run::of(
        Command::new(env!("CARGO_BIN_EXE_crunch"))
            .args(args)
            .current_dir(folder)
            .env_remove("CRUNCH_REQUIRE"),
    )
}

/// A folder with the source and its library; `None` without a compiler.
fn folder() -> Option<tempfile::TempDir> {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("f.c"), SOURCE).expect("writable");
    let compiled = Command::new("clang")
        .args("-O2 -ffp-contract=off -shared -fPIC f.c -o libf.so -lm".split(' '))
        .current_dir(folder.path())
        .status();
    match compiled {
        Ok(status) => assert!(status.success(), "the library"),
        Err(_) => {
            skip("lift", "clang is not installed");
            return None;
        }
    }
    Some(folder)
}

fn of_library<'a>(symbol: &'a str, signature: &'a str, formula: &'a str) -> Vec<&'a str> {
    let library = ["--library", "./libf.so", "--symbol", symbol];
    let more = ["--signature", signature, "--against-expression", formula];
    [library, more].concat()
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|e| panic!("{e}: {}", run.text()))
}

/// The error at an input, and the words of the reference.
fn at(folder: &Path, of: &[&str], input: &str) -> (f64, [f64; 2]) {
    let run = crunch(folder, &[&["at", "--json"], of, &["--", input]].concat());
    let at = &json(&run)[0]["at"];
    let number = |v: &Value| v.as_f64().expect("a number");
    let words = [0, 1].map(|i| number(&at["reference"][i]));
    (number(&at["error"]), words)
}

/// ln(1 + e^x) is 20.000000002061157 at 20.000000000000004, and not x.
#[test]
fn the_published_error_of_softplus_is_found() {
    let Some(folder) = folder() else { return };
    let of = of_library("softplus", "f64", "log(1 + exp(x))");
    let (error, [hi, _]) = at(folder.path(), &of, "20.000000000000004");
    assert_eq!(hi, 20.000000002061157);
    assert!(error < -580_000.0, "{error}");
    let search = ["--range", "20..20.5", "--time", "2s", "--json"];
    let run = crunch(folder.path(), &[&["run"], &of[..], &search].concat());
    let worst = &json(&run)["worst"];
    assert_eq!(worst["input"]["decimal"], "20.000000000000004", "{worst}");
    assert_eq!(json(&run)["result"]["undecided"], 0);
    contains!(
        run.err,
        "the reference `log(1 + exp(x))`: by an estimate of its own error"
    );
}

/// A wrong operator, a constant that is rounded first, and exchanged arguments each give other errors.
#[test]
fn wrong_formulas_are_caught() {
    let Some(folder) = folder() else { return };
    let path = folder.path();
    let error = |symbol, signature, formula, input| {
        at(path, &of_library(symbol, signature, formula), input)
            .0
            .abs()
    };
    // A tenth in two words: 0.1f64 is 0.1 and 5.6e-18, 0.4 of a last place.
    let right = error("tenth", "f64", "0.1 * x", "1.0000000000000002");
    let rounded = error(
        "tenth",
        "f64",
        "0x1.999999999999ap-4 * x",
        "1.0000000000000002",
    );
    assert!((right - 0.8).abs() < 1e-9, "{right}");
    assert!((rounded - 0.4).abs() < 1e-9, "{rounded}");
    assert!(error("share", "f64,f64", "x / (x + y)", "1,2") <= 1.0);
    assert!(error("share", "f64,f64", "y / (y + x)", "1,2") > 1e15);
    assert!(error("share", "f64,f64", "x / (x - y)", "1,2") > 1e15);
    assert!(error("ratio", "f64", "1 / (1 + x)", "0.3") <= 1.5);
    assert!(error("ratio", "f64", "1 / 1 + x", "0.3") > 1e14);
}

/// 1 - cos x loses the words of the reference near 0: such inputs are undecided, in binary32, too, and never errors.
#[test]
fn what_a_formula_loses_is_undecided() {
    let Some(folder) = folder() else { return };
    let of = of_library("versine", "f32", "1 - cos(x)");
    let range = ["--range", "0x1p-60..0x1p-59", "--json", "-q"];
    let lost = crunch(
        folder.path(),
        &[&["run", "-o", "lost.crunch"], &of[..], &range].concat(),
    );
    assert_eq!(lost.code, Some(0), "{}", lost.text());
    let result = &json(&lost)["result"];
    assert_eq!(result["undecided"], 1 << 23, "{result}");
    assert_eq!(result["misrounded"], 0);
    assert!(result["max_error"].is_null(), "{result}");
    assert!(lost.err.contains("inputs are undecided"), "{}", lost.err);
    // 2 sin² (x / 2) is the same and loses none.
    let other = of_library("versine", "f32", "2 * sin(x / 2)^2");
    let kept = crunch(
        folder.path(),
        &[&["run", "-o", "kept.crunch"], &other[..], &range].concat(),
    );
    assert_eq!(kept.code, Some(0), "{}", kept.text());
    assert_eq!(json(&kept)["result"]["undecided"], 0);
    // The run file has the formula.
    let resumed = crunch(folder.path(), &["resume", "kept.crunch"]);
    assert!(
        resumed.code == Some(0) && resumed.out.contains("complete already"),
        "{}",
        resumed.text()
    );
    // One input, in words.
    let one = crunch(folder.path(), &[&["at"], &of[..], &["0x1p-60"]].concat());
    contains!(one.out, "by an estimate", "undecided");
}

/// Half of a number with an odd last bit is halfway between two subnormal numbers: exact operations leave no doubt of it.
#[test]
fn halfway_cases_of_exact_formulas_are_decided() {
    let Some(folder) = folder() else { return };
    for (symbol, formula, misrounded, error) in [
        ("half", "x * 0.5", 0, 0.5),
        ("half", "x / 2", 0, 0.5),
        ("half", "x - x / 2", 0, 0.5),
        // Up at each of 2^20 halfway cases, of which a half are rounded up by right.
        ("half_up", "x * 0.5", 1 << 20, 0.5),
        ("half", "sqrt(x * x) / 2", 0, 0.5),
    ] {
        let of = of_library(symbol, "f32", formula);
        let more = ["--range", "0x1p-127..0x1p-126", "--json", "-q"];
        let file = format!("{symbol}{misrounded}{}.crunch", formula.len());
        let run = crunch(
            folder.path(),
            &[&["run", "-o", &file], &of[..], &more].concat(),
        );
        assert_eq!(run.code, Some(0), "{}", run.text());
        let result = &json(&run)["result"];
        assert_eq!(result["undecided"], 0, "{formula}: {result}");
        assert_eq!(result["misrounded"], misrounded, "{formula}: {result}");
        assert_eq!(result["max_error"]["error"], error, "{formula}: {result}");
    }
}

/// A certified bound is relative to the formula in real arithmetic, or to the function that it is.
#[test]
fn bounds_are_relative_to_formulas() {
    if Command::new("clang").arg("--version").output().is_err() {
        skip("lift", "clang is not installed");
        return;
    }
    let Some(folder) = folder() else { return };
    for (formula, relative) in [
        ("1 / (1 + x)", "`1 / (1 + x)` in real arithmetic"),
        ("recip(x + 1)", "`recip(x + 1)` in real arithmetic"),
    ] {
        let lift = [
            "bound",
            "--lift",
            "f.c:ratio",
            "--against-expression",
            formula,
        ];
        let bound = crunch(
            folder.path(),
            &[&lift[..], &["--range", "1..2", "--json"]].concat(),
        );
        assert_eq!(bound.code, Some(0), "{}", bound.text());
        let bound = json(&bound);
        let ulp = bound["bound"].as_f64().expect("a bound");
        assert!(ulp > 1.0 && ulp < 1.6, "{bound}");
        assert!(
            bound["relative_to"]
                .as_str()
                .expect("a text")
                .contains(relative),
            "{bound}"
        );
    }
    let lift = [
        "bound",
        "--lift",
        "f.c:ratio",
        "--against-expression",
        "exp(x) - 1",
    ];
    let wrong = crunch(
        folder.path(),
        &[&lift[..], &["--range", "1..2", "--json"]].concat(),
    );
    let wrong = json(&wrong);
    assert!(
        wrong["relative_to"]
            .as_str()
            .expect("a text")
            .contains("the function"),
        "{wrong}"
    );
    assert!(
        wrong["bound_of_the_rest"].as_f64().is_none_or(|b| b > 1e15),
        "{wrong}"
    );
}

const CORES: &str = "
; sqrt(x + 1) - sqrt(x), as it is and as it should be
(FPCore root (x)
  :name \"NMSE example 3.1\"
  :precision binary64
  :pre (< 1 x 0x1p40)
  (- (sqrt (+ x 1)) (sqrt x)))
(FPCore better (x)
  :precision binary64
  :pre (and (<= 1 x) (< x 0x1p40))
  :spec (- (sqrt (+ x 1)) (sqrt x))
  (let ([a (sqrt (+ x 1))]) (/ 1 (+ a (sqrt x)))))
";

#[test]
fn benchmarks_are_searched_and_bounded() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    std::fs::write(path.join("root.fpcore"), CORES).expect("writable");
    let several = crunch(path, &["run", "--fpcore", "root.fpcore", "--time", "1s"]);
    assert!(
        several.code == Some(2)
            && several
                .err
                .contains("it has 2 benchmarks; name one with --core: 1 root, 2 better"),
        "{}",
        several.text()
    );
    let of = |name| ["--fpcore", "root.fpcore", "--core", name];
    let error = |name| {
        let run = crunch(
            path,
            &[&["run", "--json", "--time", "2s"], &of(name)[..]].concat(),
        );
        assert_eq!(run.code, Some(0), "{}", run.text());
        json(&run)["worst"]["error"].as_f64().expect("an error")
    };
    // The difference cancels; the quotient does not.
    let (bad, good) = (error("root"), error("better"));
    assert!(bad > 1e10 && good < 3.0, "{bad} {good}");
    let bound = crunch(
        path,
        &[
            &["bound", "--json"],
            &of("better")[..],
            &["--range", "1..16"],
        ]
        .concat(),
    );
    assert_eq!(bound.code, Some(0), "{}", bound.text());
    let bound = json(&bound)["bound"].as_f64().expect("a bound");
    assert!(bound >= good.min(2.0) && bound < 4.0, "{bound} {good}");
    // A run file goes on with the text that it has.
    let file = ["--range", "1..0x1.0000001p0", "-o", "b.crunch", "-q"];
    let run = crunch(path, &[&["run"], &of("better")[..], &file].concat());
    assert_eq!(run.code, Some(0), "{}", run.text());
    std::fs::remove_file(path.join("root.fpcore")).expect("there");
    let resumed = crunch(path, &["resume", "b.crunch"]);
    assert!(
        resumed.code == Some(0) && resumed.out.contains("complete already"),
        "{}",
        resumed.text()
    );
}

/// A sweep's routine as FPCore, and that again as a routine: both have the same error.
#[test]
fn a_kernel_goes_round() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let text = crunch(path, &["emit", "rcp_newton_fma", "-t", "fpcore"]);
    if text.code != Some(0) {
        contains!(text.err, "FPCore has no form for");
    }
    let two_results = crunch(path, &["emit", "two_sum", "-t", "fpcore"]);
    assert!(
        two_results.code == Some(2) && two_results.err.contains("FPCore has one result"),
        "{}",
        two_results.text()
    );
}
