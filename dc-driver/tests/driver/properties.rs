//! `run --monotone --odd --even --results --seams --inverse-of`.

use super::{Ended, on_processors, words};
use dc_driver::exit;
use dc_runtime::model::candidate::{Candidate, Reference};
use dc_runtime::model::host::HostFunction;
use dc_runtime::sweep::Sweep;

/// x, but for one input next to 1.25, whose result is above the next one; and of -0 the result is +0.
fn dented(x: f32) -> f32 {
    match x.to_bits() {
        0x3fa0_0001 => 1.25 + 0.001,
        0x8000_0000 => 0.0,
        _ => x,
    }
}

const DENTED: Sweep = Sweep::accuracy_only(
    "dented",
    Candidate::Host(HostFunction::f32("dented", dented)),
    Reference::Host(HostFunction::f64("same", |x| x)),
    RANGE,
);
/// Numbers next to zero, and those around the dent.
const RANGE: &str = "-0x1p-140..=0x1p-140,0x1.3p0..0x1.5p0";
const TWO: Sweep = Sweep::accuracy_only(
    "two",
    Candidate::Host(HostFunction::f32_two("two", |x, y| x + y)),
    Reference::Host(HostFunction::f64_two("sum", |x, y| x + y)),
    "1.0..2.0 x 1.0..2.0",
);
const SQUARE: Sweep = Sweep::accuracy_only(
    "square",
    Candidate::Host(HostFunction::f32("square", |x| x * x)),
    Reference::Host(HostFunction::f64("exact square", |x| x * x)),
    "2.25..=0x1.21p1",
);

fn crunch(args: &[&str]) -> Ended {
    on_processors(&[DENTED, TWO, SQUARE], args)
}

#[test]
fn each_property_has_a_verdict_and_its_first_violation() {
    let e = crunch(&words(
        "run dented --monotone --odd --even --results -2.0..=2.0",
    ));
    assert_eq!(e.code, exit::FINDING, "{}{}", e.out, e.err);
    assert!(
        e.out
            .starts_with(&format!("dented: 1,049,602 inputs, {RANGE}\n")),
        "{}",
        e.out
    );
    let all = e.out.split_whitespace().collect::<Vec<_>>().join(" ");
    let has = |text: &str| assert!(all.contains(text), "{text}: {}", e.out);
    has("monotone, increasing VIOLATED at 1 input first f(1.2500001 = ");
    has("= 1.251 = ");
    // The dent and the two zeros.
    has("odd VIOLATED at 3 inputs");
    has("results in -2.0..=2.0 holds");
}

#[test]
fn what_holds_ends_with_zero() {
    let e = crunch(&words(
        "run dented --monotone=increasing --range 0x1.5p0..=0x1.6p0",
    ));
    assert_eq!(e.code, exit::OK, "{}{}", e.out, e.err);
    assert!(e.out.contains("monotone, increasing  holds\n"), "{}", e.out);
    let e = crunch(&words(
        "run dented --monotone=decreasing --range 1.5..1.75 --json",
    ));
    assert_eq!(e.code, exit::FINDING, "{}{}", e.out, e.err);
    let document: serde_json::Value = serde_json::from_str(&e.out).expect("JSON");
    // The last input has no next one in the range.
    assert_eq!(document["properties"][0]["violations"], (1 << 21) - 1);
}

#[test]
fn a_property_without_a_meaning_is_refused() {
    let cases: [(&[&str], &str); 4] = [
        (
            &["run", "two", "--odd"],
            "properties are for functions of one argument",
        ),
        (
            &["run", "dented", "--results", "0.0..1.0,2.0..3.0"],
            "one stretch",
        ),
        (&["run", "dented", "--monotone=up"], "increasing"),
        (&["run", "dented", "--odd", "--time", "1s"], "--time"),
    ];
    for (args, what) in cases {
        let e = crunch(args);
        assert_eq!(e.code, exit::INPUT, "{args:?}: {}{}", e.out, e.err);
        assert!(e.err.contains(what), "{args:?}: {}", e.err);
    }
}

/// The jumps at the dent are larger than rounding, and one from a zero of the wrong sign is none.
#[test]
fn seams_and_round_trips_have_verdicts() {
    let e = crunch(&["run", "dented", "--seams"]);
    assert_eq!(e.code, exit::FINDING, "{}{}", e.out, e.err);
    let all = e.out.split_whitespace().collect::<Vec<_>>().join(" ");
    let has = |text: &str| assert!(all.contains(text), "{text}: {}", e.out);
    has("no jump above 2 ULP VIOLATED at 2 inputs first f(1.25 = ");
    has("a jump of 8388.");
    let e = crunch(&["run", "dented", "--seams=10000", "--json"]);
    assert_eq!(e.code, exit::OK, "{}{}", e.out, e.err);
    let document: serde_json::Value = serde_json::from_str(&e.out).expect("a document");
    let found = &document["properties"][0];
    assert_eq!(
        (&found["violations"], &found["first"]),
        (&0.into(), &serde_json::Value::Null)
    );
    let jump = found["farthest"]["jump"].as_f64().expect("a jump");
    assert!((8387.0..8390.0).contains(&jump), "{found}");

    // A square undoes a root, but for the rounding of the root.
    let e = crunch(&["run", "square", "--inverse-of", "sqrt"]);
    assert_eq!(e.code, exit::FINDING, "{}{}", e.out, e.err);
    assert!(e.out.contains("undoes sqrt  VIOLATED at "), "{}", e.out);
    assert!(e.out.contains("  first      x = 2.25"), "{}", e.out);
    let e = crunch(&words("run square --inverse-of sqrt --range 2.25..=2.25"));
    assert_eq!(e.code, exit::OK, "{}{}", e.out, e.err);
    assert!(e.out.contains("undoes sqrt  holds"), "{}", e.out);
    for (args, says) in [
        (["--inverse-of", "sqroot"], "--inverse-of: "),
        (["--inverse-of", "pow"], "--inverse-of: "),
        (["--seams=-1", "--odd"], "write a number of ULP, 0 or more"),
    ] {
        let e = crunch(&[&["run", "square"], &args[..]].concat());
        assert_eq!(e.code, exit::INPUT, "{}{}", e.out, e.err);
        assert!(e.err.contains(says), "{}", e.err);
    }
}
