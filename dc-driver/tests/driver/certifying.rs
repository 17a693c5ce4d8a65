//! Certified bounds: `bound`, `hunt`.

use serde_json::Value;

use super::{Ended, crunch_of, on_processors, words};
use dc_driver::exit;
use dc_runtime::builtins::reference::computes;
use dc_runtime::model::candidate::Candidate;
use dc_runtime::prelude::*;
use dc_runtime::search::stored::Format;
use dc_runtime::sweep::Sweep;
use dc_runtime::sweeps::ALL;

fn bounded(args: &[&str]) -> Ended {
    crunch_of(ALL, args)
}

fn json(args: &[&str]) -> Value {
    let all = [&["--json"][..], args].concat();
    let e = bounded(&all);
    assert_eq!(e.code, exit::OK, "{}", e.err);
    serde_json::from_str(&e.out).unwrap_or_else(|_| panic!("{}{}", e.out, e.err))
}

const NARROW: [&str; 2] = ["--range", "1.0..1.000001"];

#[test]
fn a_bound_names_lines_and_costs() {
    let e = bounded(&[&["bound", "reciprocal"][..], &NARROW].concat());
    assert_eq!((e.code, e.err.as_str()), (exit::OK, ""));
    for says in [
        "4,503,599,627 inputs of 1.0..1.000001, none of them run",
        "ULP, certified",
        "the function 1/x",
        "y2 * (2.0 - y2 * x)",
        "reciprocal.rs:",
        "the method",
    ] {
        assert!(e.out.contains(says), "{says}: {}", e.out);
    }
    let v = json(&[&["bound", "reciprocal"][..], &NARROW].concat());
    let number = |v: &Value| v.as_f64().expect("a number");
    // A search of a part of it finds 1.512925.
    let bound = number(&v["bound"]);
    assert!((1.512_925..2.0002).contains(&bound), "{bound}");
    let shares = v["shares"].as_array().expect("a list");
    let ulps: Vec<f64> = shares.iter().map(|s| number(&s["ulp"])).collect();
    assert!(
        ulps.is_sorted_by(|a, b| a >= b) && ulps[0] > 0.4,
        "{ulps:?}"
    );
    let sum = ulps.iter().sum::<f64>() + number(&v["method"]);
    assert!((sum / bound - 1.0).abs() < 0.01, "{sum} {bound}");
    assert_eq!(v["special_inputs"], 0);
}

#[test]
fn what_has_no_bound_is_counted() {
    let e = bounded(&words(
        "bound reciprocal --range -0.0..=0.0,0x1p1023..=bits:0x7ff0000000000001",
    ));
    assert_eq!(e.code, exit::OK, "{}", e.err);
    for says in [
        "1 NaNs of the range",
        "1 infinities of the range",
        "inputs where the result",
    ] {
        assert!(e.out.contains(says), "{says}: {}", e.out);
    }
}

/// A line through a zero of `ln |Γ|`, which is no double.
#[crunch]
fn line(x: DcDouble) -> DcDouble {
    (x + 2.457_024_738_220_800_6) * 1.515_603_448_021_657_3
}

#[test]
fn zeros_of_the_logarithm_of_gamma_are_named() {
    let sweep = Sweep::computing::<line, computes::lgamma>("line", "-2.4571..-2.457");
    let e = crunch_of(&[sweep], &["bound", "line"]);
    assert_eq!(e.code, exit::OK, "{}{}", e.out, e.err);
    assert!(e.out.contains("the function ln |gamma x|"), "{}", e.out);
    let named = "inputs next to a zero of the function that is not a double, where it is not known to a part of an ULP: -2.457024";
    assert!(e.out.contains(named), "{}", e.out);
    // Elsewhere, all inputs have a bound.
    let e = crunch_of(&[sweep], &["bound", "line", "--range", "-2.4571..-2.45705"]);
    assert_eq!(e.code, exit::OK, "{}{}", e.out, e.err);
    assert!(!e.out.contains("not bounded"), "{}", e.out);
}

#[test]
fn what_cannot_be_bounded_is_refused_with_the_remedy() {
    let e = bounded(&["bound", "reciprocal-f32"]);
    assert_eq!((e.code, e.out.as_str()), (exit::INPUT, ""));
    assert!(e.err.contains("`crunch exact reciprocal-f32`"), "{}", e.err);
    for command in ["bound", "hunt"] {
        let nans = "bits:0x7ff8000000000000..=bits:0x7ff8000000000010";
        let e = bounded(&[command, "reciprocal", "--range", nans]);
        assert_eq!((e.code, e.out.as_str()), (exit::INPUT, ""));
        assert!(e.err.contains("holds no number"), "{}", e.err);
        let first = ALL.first().expect("a sweep");
        let reference = first.reference().kernel().expect("a kernel");
        let two = first.with_candidate(Candidate::Kernel(*reference), first.inputs());
        let e = crunch_of(&[two], &[command, "reciprocal"]);
        assert_eq!((e.code, e.out.as_str()), (exit::INPUT, ""));
        contains!(e.err, "`recip_reference` has 3 results");
    }
    let e = bounded(&["hunt", "exp", "--time", "soon"]);
    assert_eq!(e.code, exit::INPUT);
    assert!(e.err.contains("60s, 5min or 2h"), "{}", e.err);
}

#[test]
fn a_hunt_gives_an_input_with_its_error() {
    let hunt = ["hunt", "exp", "--time", "60s"];
    let v = json(&[&hunt[..], &["--range", "50.2534..50.25345"]].concat());
    let number = |v: &Value| v.as_f64().expect("a number");
    let (lower, bound) = (number(&v["lower"]), number(&v["bound"]));
    // The exact maximum over all doubles.
    assert!((lower - 1.848_082_400_995).abs() < 1e-9, "{lower}");
    assert_eq!(v["input"]["bits"], "0x40492070a65a52cb");
    let upper = number(&v["upper"]);
    assert!(lower <= upper && upper <= bound && bound < 1.8557, "{v}");
    let e = bounded(&[&hunt[..], &["--range", "50.2534..50.25345"]].concat());
    for says in ["largest error", "relative to", "0x40492070a65a52cb"] {
        assert!(e.out.contains(says), "{says}: {}", e.out);
    }
}

/// Where the bound says little, a hunt gives at least what a search in that time finds.
#[test]
fn a_hunt_begins_with_a_timed_search() {
    let v = json(&["hunt", "exp-fdlibm", "--time", "3s"]);
    let lower = v["lower"].as_f64().expect("a number");
    // 0.93 is usual; the search for proofs alone gives 0.82 in a minute.
    assert!(lower > 0.87, "{v}");
}

/// The sine next to 0 and a small number: at subnormal inputs its error is more ULP than a double holds.
#[crunch]
fn shifted(x: DcDouble) -> DcDouble {
    x + 1e-9
}

/// Whatever the bound is: close, of a part, infinite.
#[test]
fn no_hunt_is_worse_than_its_search() {
    let wrong = Sweep::computing::<shifted, computes::sin>("shifted", "-0.001..0.001");
    let all: Vec<Sweep> = ALL.iter().copied().chain([wrong]).collect();
    for (name, range, bounded) in [
        ("exp", "0.5..0.500001", true),
        ("exp-fdlibm", "all", false),
        ("sin-fdlibm", "-1024..1024", false),
        ("shifted", "-0.001..0.001", false),
    ] {
        let args = ["--json", "hunt", name, "--time", "2s", "--range", range];
        let e = crunch_of(&all, &args);
        assert_eq!(e.code, exit::OK, "{name}: {}", e.err);
        let v: Value = serde_json::from_str(&e.out).expect("JSON");
        // It is the first that is said.
        let found = e.err.lines().find_map(|l| l.split_once(" inputs found "));
        let found = found.expect("a search").1.trim_end_matches(" ULP");
        let lower = &v["lower"];
        let number = lower.as_f64().unwrap_or(f64::INFINITY);
        assert!(!lower.is_null(), "{name}: {v}");
        let sampled: f64 = found.parse().expect("a number");
        assert!(
            number >= sampled.min(f64::MAX) - 1e-8,
            "{name}: {number}, not {sampled}"
        );
        assert!(!bounded || !v["upper"].is_null(), "{name}: {v}");
    }
    let e = crunch_of(&all, &words("hunt shifted --time 1s --range -0.001..0.001"));
    assert_eq!(e.code, exit::OK, "{}", e.err);
    for says in ["ULP or more", "no number of ULP bounds", "zeros and poles"] {
        assert!(e.out.contains(says), "{says}: {}", e.out);
    }
}

/// Inputs of binary32 are all evaluated, and the answer reports this.
#[test]
fn of_binary32_every_input_is_run() {
    let real = |args: &[&str]| on_processors(ALL, args);
    let range = ["--range", "1.0..1.03125"];
    let run = real(&[&["--json", "exact", "reciprocal-f32"][..], &range].concat());
    assert_eq!(run.code, exit::OK, "{}", run.err);
    let v: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(
        (&v["exact"], &v["evaluated"]),
        (&true.into(), &(1 << 18).into())
    );
    assert_eq!(
        (&v["lower"], &v["inputs"]),
        (&v["upper"], &(1 << 18).into())
    );
    let sweep = ALL
        .iter()
        .find(|s| s.name() == "reciprocal-f32")
        .expect("it");
    // The same by evaluating each input.
    let mut evaluator = dc_runtime::search::evaluator::PointEvaluator::plain(sweep);
    let keys: Vec<i64> = (0x3f80_0000..0x3f84_0000).collect();
    let measured = evaluator.evaluate(&keys).expect("measured");
    let largest = measured
        .iter()
        .map(|j| dc_runtime::search::ulp::Definition::Handbook.of(&j.worst(sweep.precision())));
    let largest = largest.fold(0.0, f64::max);
    assert_eq!(v["lower"].as_f64(), Some(largest));
    for (command, says) in [
        ("exact", "exact: every input was run"),
        ("hunt", "exact: every input was run"),
    ] {
        let e = real(&[&[command, "reciprocal-f32"][..], &range].concat());
        assert_eq!(e.code, exit::OK, "{}", e.err);
        assert!(e.out.contains(says), "{says}: {}", e.out);
    }
    for more in [&["--certificate", "a.cert"][..], &["--from", "1.5"]] {
        let e = real(&[&["exact", "reciprocal-f32"][..], more].concat());
        assert_eq!((e.code, e.out.as_str()), (exit::INPUT, ""));
        assert!(e.err.contains("every input is run"), "{}", e.err);
    }
}

/// 1/x of numbers that are stored in 16 bits, truncated instead of rounded.
#[crunch]
fn cut_off(x: DcFloat) -> DcFloat {
    DcFloat::from_bits(x.recip().to_bits() & 0xffff_0000)
}

/// For a routine of 16-bit numbers all 2^16 inputs are evaluated, whatever the time limit.
#[test]
fn of_16_bit_numbers_every_input_is_run() {
    const CUT_OFF: Sweep =
        Sweep::computing::<cut_off, computes::recip>("cut-off", "all").stored(Format::Bfloat);
    for command in ["exact", "hunt"] {
        let e = on_processors(&[CUT_OFF], &["--json", command, "cut-off", "--time", "5m"]);
        assert_eq!(e.code, exit::OK, "{}", e.err);
        let v: Value = serde_json::from_str(&e.out).expect("JSON");
        assert_eq!(v["exact"], true, "{v}");
        assert_eq!(v["evaluated"], 1 << 16, "{v}");
        let error = v["lower"].as_f64().expect("a number");
        assert!((0.99..1.0).contains(&error), "{v}");
    }
}

/// The cause of an open bracket is named, with the operation and the remedy.
#[test]
fn an_open_bracket_says_why() {
    let open = |args: &[&str]| {
        let e = bounded(&[&["--json", "exact"][..], args, &["--jobs", "1"]].concat());
        let v: Value = serde_json::from_str(&e.out).unwrap_or_else(|_| panic!("{}", e.err));
        assert_eq!(v["exact"], false, "{v}");
        ["why_open", "remedy"].map(|key| v[key].as_str().expect("it is open").to_string())
    };
    let [why, remedy] = open(&words("log-table --range 1.2..1e10 --cells 300 --time 0.1"));
    assert!(why.contains("it varies at"), "{why}");
    assert!(why.contains("table_log.rs:"), "{why}");
    assert!(remedy.contains("--cells"), "{remedy}");
    let fused = ["reciprocal-intel-fma", "--range", "1.5..1.5001"];
    let [why, remedy] = open(&[&fused[..], &["--time", "0.1"]].concat());
    assert!(why.contains("ULP of one half"), "{why}");
    assert!(remedy.contains("Newton's iteration"), "{remedy}");
    let [why, remedy] = open(&words(
        "exp-fdlibm --range 50.0..50.01 --cells 2000 --time 0.1",
    ));
    assert!(why.contains("roundings of similar weight"), "{why}");
    assert!(why.contains("fdlibm_exp.rs:"), "{why}");
    assert!(remedy.contains("--shard"), "{remedy}");
    // The text has it, too, and claims no bound where there is none.
    let e = bounded(&words("bound log-table --range 1.2..1e10 --cells 300"));
    let claim = "% of the inputs are not bounded. No error of the others is above ";
    assert!(e.out.contains(claim), "{}", e.out);
    // Numbers of hundreds of digits have an exponent.
    let e = bounded(&["bound", "log-table", "--range", "1.0..1.5", "--cells", "20"]);
    assert_eq!(e.code, exit::FINDING, "{}{}", e.out, e.err);
    assert!(e.out.lines().all(|l| l.len() < 400), "{}", e.out);
}
