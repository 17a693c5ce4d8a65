//! `verify`, on backends and with MPFR, and `trace`.

use serde_json::Value;

#[cfg(feature = "mpfr")]
use super::crunch_of;
use super::{Ended, RANGE, WRONG, crunch, crunch_on, json, on_processors, words};
use dc_driver::exit;
use dc_runtime::backend::{Discovery, Filter};
use dc_runtime::search::testing::SWEEP;
use dc_runtime::sweep::Sweep;

#[test]
fn equal_backends_are_identical() {
    let e = crunch(&[
        "verify", "test", "--range", RANGE, "-b", "scalar", "-b", "avx2",
    ]);
    assert_eq!((e.code, e.err.as_str()), (exit::OK, ""), "{}", e.out);
    let count = "1,048,577 inputs";
    assert!(
        e.out.starts_with(&format!("test: {count} of {RANGE}\n")),
        "{}",
        e.out
    );
    contains!(e.out, "verdict: 2 backends bitwise identical on");
}

#[test]
fn a_wrong_backend_is_found_with_its_input() {
    let args = words(
        "verify test --range 1.0..=0x1.0000000080p0 --backend scalar,interpreter \
                --slow",
    );
    let e = crunch(&args);
    assert_eq!(e.code, exit::FINDING, "{}", e.out);
    let at = "1.0000000000010347 = 0x1.0000000001234p0 (0x3ff0000000001234)";
    contains!(e.out, &format!("the first input that differs: {at}"));
    assert!(
        e.out.contains("differs from scalar") && !e.out.contains("verdict:"),
        "{}",
        e.out
    );
    let (code, v) = json(&args);
    assert_eq!(code, exit::FINDING);
    let b = &v[0]["backends"][1];
    assert_eq!(
        (&b["verdict"], &v[0]["identical"]),
        (&"differs".into(), &false.into())
    );
    let first = &b["difference"]["first_input"];
    assert_eq!(first["input"]["bits"], "0x3ff0000000001234");
    assert_ne!(first["sides"][0]["result"], first["sides"][1]["result"]);
    // A sample without the input does not find it, and reports that it is a sample.
    let e = crunch(&words!(
        "verify test --inputs 2^12 --edges --range {RANGE} -b scalar,interpreter"
    ));
    assert!(
        e.code == exit::OK && e.out.contains("not exhaustive"),
        "{}",
        e.out
    );
}

/// Regression test: version 0.1 printed "identical", and ended with 0, as if the backend that failed its probe did not exist.
#[test]
fn a_refused_backend_is_a_failure_and_an_absent_one_is_shown() {
    let of = |backends| ["verify", "test", "--range", RANGE, "-b", backends];
    let e = crunch(&of("scalar,avx2,opencl,cuda"));
    // Both are selected by name, and neither can be used.
    assert_eq!(e.code, exit::UNAVAILABLE, "{}", e.out);
    let found = |refused: bool, absent: bool| {
        move |_: &Filter| {
            let mut d = super::discover(&"scalar,avx2,opencl,cuda".parse().expect("a list"));
            if !refused {
                d.refused.clear();
            }
            // A backend may lack two things: it is one row, and a line for each.
            let mut second = d.absent[0].clone();
            second.reason = "no compiler".into();
            d.absent.push(second);
            if !absent {
                d.absent.clear();
            }
            d
        }
    };
    let args = ["verify", "test", "--range", RANGE, "-q"];
    for (refused, absent, code) in [
        (true, true, exit::UNAVAILABLE),
        (true, false, exit::UNAVAILABLE),
        (false, true, exit::OK),
        (false, false, exit::OK),
    ] {
        let e = crunch_on(&[SWEEP], &found(refused, absent), &args);
        assert_eq!(e.code, code, "{}{}", e.out, e.err);
        assert!(e.out.contains("2 backends bitwise identical"), "{}", e.out);
        for (there, says) in [
            (refused, "opencl:odd/0 "),
            (refused, "REFUSED, not compared"),
            (refused, "opencl:odd/0 is refused: fp64 is missing\n"),
            (refused, "; 1 refused"),
            (absent, "cuda "),
            (absent, "not here"),
            (absent, "cuda is not here: no libcuda\n"),
            (absent, "cuda is not here: no compiler\n"),
        ] {
            assert_eq!(e.out.contains(says), there, "{says:?}: {}", e.out);
        }
        let rows = e.out.lines().filter(|l| l.starts_with("cuda  ")).count();
        assert_eq!(rows, usize::from(absent), "{}", e.out);
        let says = "opencl:odd/0 must not be trusted and was not compared";
        assert_eq!(e.err.contains(says), refused, "{}", e.err);
        let json = [&["--json"], &args[..]].concat();
        let e = crunch_on(&[SWEEP], &found(refused, absent), &json);
        let v: Value = serde_json::from_str(&e.out).expect("JSON");
        assert_eq!(e.code, code);
        let listed = |kind: &str| v[0][kind].as_array().map_or(9, Vec::len);
        assert_eq!(listed("refused"), usize::from(refused), "{v}");
        assert_eq!(listed("missing"), 2 * usize::from(absent), "{v}");
    }
    let e = crunch_on(&[SWEEP], &found(true, true), &["doctor"]);
    for says in ["refused: here, and not to be trusted", "missing"] {
        assert!(e.out.contains(says), "{}", e.out);
    }
}

/// Regression test: version 0.1 found this identical, with the right one's digest: it took 62 of 64 stretches below 1.01e-7.
#[test]
fn the_routine_that_returns_42_fails_verifys_default() {
    use dc_runtime::sweeps::testing::exp_42;
    use dc_runtime::sweeps::{exp_cephes, exp_reference};
    const RANGE: &str = "-745.2..=709.8";
    const WRONG: Sweep = Sweep::new::<exp_42, exp_reference>("exp", RANGE);
    const RIGHT: Sweep = Sweep::new::<exp_cephes, exp_reference>("exp", RANGE);
    let cpu = |_: &Filter| dc_runtime::backend::discover(&"scalar,avx2".parse().expect("a list"));
    let verify = |sweep: Sweep| {
        let e = crunch_on(&[sweep], &cpu, &["verify", "-q"]);
        let digest = e.out.lines().find(|l| l.starts_with("scalar")).map(|l| {
            let words: Vec<&str> = l.split_whitespace().collect();
            words[words.len() - 2].to_string()
        });
        (e, digest)
    };
    let (right, digest) = verify(RIGHT);
    assert_eq!(right.code, exit::OK, "{}", right.out);
    for wrong in [WRONG, WRONG.within(2.0)] {
        let (wrong, other) = verify(wrong);
        assert_eq!(wrong.code, exit::FINDING, "{}", wrong.out);
        contains!(wrong.out, "FINDING: the error of ");
        contains!(wrong.out, "and wrong: see FINDING");
        assert!(other.is_some() && other != digest, "{other:?}");
    }
    let args = ["--json", "verify", "-q"];
    let e = crunch_on(&[WRONG], &cpu, &args);
    let v: Value = serde_json::from_str(&e.out).expect("JSON");
    assert_eq!(v[0]["findings"].as_array().map(Vec::len), Some(1), "{v}");
    assert!(
        v[0]["sample"]["binades_of_result"].as_u64() > Some(2000),
        "{v}"
    );
}

/// The driver with the interpreter and with one that contracts an operation of the routine; or with itself.
fn contracting(args: &[&str]) -> Ended {
    use dc_runtime::backend::testing::{contracted, interpreter};
    let sweep = dc_runtime::sweeps::ALL[0];
    let found =
        |_: &Filter| Discovery::of(vec![interpreter(), contracted(sweep.candidate().name())]);
    crunch_on(&[sweep], &found, args)
}

/// `verify` finds the input and the operation; `trace` finds the operation at that input again, and nothing at another.
#[test]
fn the_operation_is_named() {
    let sweep = dc_runtime::sweeps::ALL[0].name();
    let range = "1.5..=0x1.80000000080p0";
    let verify = ["verify", sweep, "--range", range, "-q", "-b", "interpreter"];
    let e = contracting(&verify);
    assert_eq!(e.code, exit::FINDING, "{}", e.err);
    for says in [
        "\n  routine `rcp_newton`: contracted parts from interpreter at %",
        "rcp_newton at dc-runtime/src/",
        "^ sub\n",
        "\n      interpreter ",
        "\n      contracted ",
        "\n  reference `recip_reference`: the same on both\n",
    ] {
        assert!(e.out.contains(says), "{says:?} is missing: {}", e.out);
    }
    let e = contracting(&[&["--json"], &verify[..]].concat());
    let v: Value = serde_json::from_str(&e.out).expect("JSON");
    let first = &v[0]["backends"][1]["difference"]["first_input"];
    let part = &first["trace"][0];
    assert_eq!(part["finding"], "operation", "{part}");
    let (operation, operands) = (&part["operation"], &part["operands"]);
    assert_ne!(operation["values"][0], operation["values"][1]);
    for o in operands.as_array().expect("operands") {
        assert_eq!(o["values"][0], o["values"][1]);
    }
    let text = operation["sites"][0]["text"].as_str().expect("a line");
    assert!(text.contains("2.0 - "), "{text}");

    let at = format!("bits:{}", first["input"]["bits"].as_str().expect("bits"));
    let trace = ["trace", sweep, "--input", &at];
    let again = contracting(&[&["--json"], &trace[..]].concat());
    assert_eq!(again.code, exit::FINDING, "{}", again.err);
    let v: Value = serde_json::from_str(&again.out).expect("JSON");
    let found = &v[0]["parts"][0];
    assert_eq!(
        (&found["operation"], &found["operands"]),
        (operation, operands)
    );
    assert!(found.get("operations").is_none());
    let every = contracting(&[&["--json"], &trace[..], &["--all"]].concat());
    let v: Value = serde_json::from_str(&every.out).expect("JSON");
    let found = &v[0]["parts"][0];
    let operations = found["operations"].as_array().expect("operations");
    assert_eq!(found["values"], operations.len());
    let e = contracting(&[&trace[..], &["--all"]].concat());
    let rows = e.out.lines().filter(|l| l.starts_with('%')).count();
    let all = |v: &Value| v["operations"].as_array().map_or(0, Vec::len);
    let parts = v[0]["parts"].as_array().expect("parts");
    assert_eq!(rows, parts.iter().map(all).sum::<usize>());
    assert!(e.out.contains("contracted where it differs"), "{}", e.out);

    let e = contracting(&["trace", sweep, "--input", "1.0"]);
    assert_eq!((e.code, e.err.as_str()), (exit::OK, ""), "{}", e.out);
    contains!(e.out, "routine `rcp_newton`: the same on both in each of ");
    contains!(
        e.out,
        "metric `ulp_error_f64`: the same on both in each of "
    );
}

#[test]
fn what_cannot_be_traced_is_said() {
    let wrong = format!("bits:{WRONG:x}");
    let e = crunch(&words!("trace test -b scalar,interpreter --input {wrong}"));
    assert_eq!(e.code, exit::UNAVAILABLE, "{}", e.out);
    contains!(e.out, "routine `identity`: cannot be traced: ");
    let e = crunch(&["trace", "test", "--input", "1.0", "-b", "avx2"]);
    assert_eq!((e.code, e.out.as_str()), (exit::INPUT, ""));
    assert!(e.err.contains("avx2 alone is no comparison"), "{}", e.err);
    for (input, says) in [
        ("1.5x", "input `1.5x`, character 4: "),
        ("NaN", "give its bits"),
        ("1.0..2.0", "input `1.0..2.0`, character "),
        ("bits:0x3ff", "cannot be traced"),
    ] {
        let e = crunch(&["trace", "test", "--input", input]);
        assert!(format!("{}{}", e.out, e.err).contains(says), "{}", e.err);
    }
}

/// Without MPFR the remedy is named; with it, a sweep without a function is reported as unchecked.
#[test]
fn the_oracle_says_what_it_lacks() {
    let e = crunch(&["verify", "--mpfr"]);
    if cfg!(feature = "mpfr") {
        assert_eq!((e.code, e.out.as_str()), (exit::INPUT, ""), "{}", e.err);
        contains!(e.err, "test: not checked: no function is declared for it");
    } else {
        assert_eq!(e.code, exit::UNAVAILABLE, "{}", e.err);
        assert!(e.err.contains("build with `--features mpfr`"), "{}", e.err);
    }
    assert_eq!(
        crunch(&["verify", "--mpfr", "--backend", "avx2"]).code,
        exit::INPUT
    );
}

/// A sweep whose reference lacks its low word, and one that is right.
#[cfg(feature = "mpfr")]
#[test]
fn a_wrong_reference_is_a_finding() {
    use dc_runtime::model::function::Function;
    use dc_runtime::prelude::*;
    use dc_runtime::sweeps::rcp_newton;

    #[crunch]
    fn without_low(x: DcDouble) -> DcDoubleDouble {
        DcDoubleDouble::new(x.recip(), 0.0)
    }
    const WRONG: Sweep =
        Sweep::new::<rcp_newton, without_low>("half", "1.0..2.0").of(Function::Recip);
    const RIGHT: Sweep =
        Sweep::new::<rcp_newton, dd_recip>("whole", "1.0..2.0").of(Function::Recip);
    let args = ["verify", "--mpfr", "--inputs", "2^12"];
    let e = crunch_of(&[WRONG], &args);
    assert_eq!((e.code, e.err.as_str()), (exit::FINDING, ""));
    contains!(
        e.out,
        "INACCURATE: off by more than 9.5e-7 ULP, first at 1.00",
        "correct without_low"
    );
    let e = crunch_of(&[RIGHT], &args);
    assert_eq!(e.code, exit::OK, "{}", e.err);
    contains!(e.out, "largest relative error 2^-10", "six decimals");
    let tiny = [&args[..], &["--range", "1e300..1e301"]].concat();
    let e = crunch_of(&[RIGHT], &tiny);
    assert!(
        e.code == exit::OK
            && e.out.contains("of these inputs: results below 2^-971")
            && e.out.contains("let dd_recip also return a scale"),
        "{}",
        e.out
    );
    let e = crunch_of(
        &[WRONG, RIGHT],
        &["--json", "verify", "--mpfr", "--inputs", "2^12"],
    );
    let v: Value = serde_json::from_str(&e.out).expect("JSON");
    assert_eq!(
        (e.code, &v[0]["accurate"], &v[1]["accurate"]),
        (exit::FINDING, &false.into(), &true.into())
    );
}

/// References that the user names are compared with MPFR, each with its stated bound, also where results are subnormal
/// and where they overflow.
#[cfg(feature = "mpfr")]
#[test]
fn references_of_functions_are_checked_by_name() {
    let e = crunch(&words(
        "verify --mpfr --references exp,tgamma:f64,hypot:f32 --inputs 2^12",
    ));
    assert_eq!((e.code, e.err.as_str()), (exit::OK, ""), "{}", e.out);
    for shown in [
        "exp_f32_reference against exp x",
        "exp_reference",
        "tgamma_reference",
        "hypot_f32_reference",
    ] {
        assert!(e.out.contains(shown), "{shown}: {}", e.out);
    }
    assert!(
        !e.out.contains("tgamma_f32_reference") && !e.out.contains("INACCURATE"),
        "{}",
        e.out
    );
    assert_eq!(e.out.matches(", as stated").count(), 4, "{}", e.out);
    let json = words("--json verify --mpfr --references lgamma:f64 --inputs 2^12");
    let e = crunch(&json);
    let v: Value = serde_json::from_str(&e.out).expect("JSON");
    assert_eq!(v[0]["stated_bound"], Value::from(-101.0), "{}", e.out);
    assert_eq!(v[0]["accurate"], Value::from(true), "{}", e.out);
    for (list, says) in [
        ("sinn", "near it: sin, sinh, sinpi"),
        (
            "sin:f16",
            "`f16` is not a precision: write sin:f32, sin:f64, or sin for both",
        ),
    ] {
        let e = crunch(&["verify", "--mpfr", "--references", list]);
        assert_eq!((e.code, e.out.as_str()), (exit::INPUT, ""));
        assert!(e.err.contains(says), "{}", e.err);
    }
    assert_eq!(crunch(&["verify", "--references", "sin"]).code, exit::INPUT);
}

/// A plain function is called inside of its range alone, where it has no reason to panic; its kernel is compared at all special values.
#[test]
fn a_function_that_panics_outside_of_its_range_is_compared() {
    use dc_runtime::prelude::*;

    #[crunch]
    fn guarded(x: f64) -> f64 {
        assert!(x >= 1.0, "a number below 1");
        x * 0.5
    }
    #[crunch]
    fn half(x: DcDouble) -> DcDoubleDouble {
        DcDoubleDouble::new(x * 0.5, 0.0)
    }
    const GUARDED: Sweep = Sweep::new::<guarded, half>("guarded", "1.0..=1e300");
    let args = ["verify", "--inputs", "2^12", "-b", "scalar,interpreter"];
    let e = on_processors(&[GUARDED], &args);
    assert_eq!(e.code, exit::OK, "{}{}", e.out, e.err);
    contains!(
        e.out,
        "verdict: 3 backends bitwise identical",
        "and on the special values"
    );
    // Inside of the range it is an error, as before.
    let below = [&args[..], &["--range", "0.5..2.0"]].concat();
    let e = on_processors(&[GUARDED], &below);
    assert!(
        e.code == exit::FAILED && e.err.contains("leave such inputs out of the range"),
        "{}{}",
        e.code,
        e.err
    );
}
