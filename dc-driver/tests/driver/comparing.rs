//! `compare`.

use serde_json::Value;

use super::{Ended, on_processors};
use dc_driver::exit;
use dc_runtime::model::candidate::{Candidate, Reference};
use dc_runtime::model::function::Function;
use dc_runtime::model::host::HostFunction;
use dc_runtime::sweep::Sweep;

/// All inputs of it are searched.
const SMALL: &str = "1.0..=0x1.01p0";

const fn of_floats(name: &'static str, f: fn(f32) -> f32) -> Sweep {
    Sweep::accuracy_only(
        name,
        Candidate::Host(HostFunction::f32(name, f)),
        Reference::Host(HostFunction::f64("same", |x| x)),
        SMALL,
    )
}

const RIGHT: Sweep = of_floats("right", |x| x);
/// Two numbers too large at one input, and one too small at another.
const DENTED: Sweep = of_floats("dented", |x| match x.to_bits() {
    0x3f80_0001 => x.next_down(),
    0x3f80_0010 => x.next_up().next_up(),
    _ => x,
});
const HOLLOW: Sweep = of_floats("hollow", |x| match x.to_bits() {
    0x3f80_0020 => f32::NAN,
    _ => x,
});
const DOUBLE: Sweep = Sweep::accuracy_only(
    "double",
    Candidate::Host(HostFunction::f32_two("two", |x, y| x + y)),
    Reference::Host(HostFunction::f64_two("sum", |x, y| x + y)),
    "1.0..2.0 x 1.0..2.0",
);
const OF_SIN: Sweep = of_floats("of-sin", |x| x).of(Function::Sin);
const OF_EXP: Sweep = of_floats("of-exp", |x| x).of(Function::Exp);

/// A relative error of 1e-9 by a number that looks random, from 0 to 1: no two samples have the same worst.
fn rough(x: f32) -> f32 {
    let mut bits = u64::from(x.to_bits());
    bits = (bits ^ (bits << 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    let random = ((bits ^ (bits >> 31)) >> 11) as f64 / (1u64 << 53) as f64;
    (f64::from(x) * (1.0 + 1e-9 / (random + 1e-12))) as f32
}
const ONE: Sweep = of_floats("one", rough);
const OTHER: Sweep = of_floats("other", rough);

fn crunch(args: &[&str]) -> Ended {
    let sweeps = [RIGHT, DENTED, HOLLOW, DOUBLE, OF_SIN, OF_EXP, ONE, OTHER];
    on_processors(&sweeps, &[&["compare"], args].concat())
}

fn json(args: &[&str]) -> Value {
    let e = crunch(&[args, &["--json"]].concat());
    assert_eq!(e.code, exit::OK, "{}{}", e.out, e.err);
    serde_json::from_str(&e.out).unwrap_or_else(|_| panic!("{}", e.out))
}

#[test]
fn errors_bits_and_times_stand_side_by_side() {
    let found = json(&["right", "dented", "hollow"]);
    assert_eq!(found["range"], SMALL);
    let [right, dented, hollow] = &found["candidates"].as_array().expect("all")[..] else {
        panic!("{found}")
    };
    for c in [right, dented, hollow] {
        assert_eq!(
            (&c["exhaustive"], &c["inputs"]),
            (&true.into(), &32769.into())
        );
        let [low, high] = [0, 1].map(|i| c["ratio_quartiles"][i].as_f64().expect("a ratio"));
        let ratio = c["ratio"].as_f64().expect("a ratio");
        assert!(0.0 < low && low <= ratio && ratio <= high, "{c}");
        assert!(c["nanoseconds"].as_f64().expect("a time") > 0.0);
    }
    // What the first is compared with is itself.
    assert_eq!(right["ratio"], 1.0);
    assert_eq!(right["bits"], Value::Null);
    assert_eq!(right["result"]["misrounded"], 0);
    assert_eq!(dented["worst"]["error"], 2.0);
    assert_eq!(dented["worst"]["input"]["bits"], "0x3f800010");
    assert_eq!(dented["bits"]["differing"], 2);
    assert_eq!(dented["bits"]["first"]["input"]["bits"], "0x3f800001");
    assert_eq!(dented["bits"]["first"]["results"][1]["bits"], "0x3f800000");
    assert_eq!(hollow["bits"]["differing"], 1);
    assert_eq!(hollow["result"]["faults"]["nan"]["count"], 1);
}

#[test]
fn the_text_has_a_row_for_each() {
    let e = crunch(&["right", "dented", "hollow"]);
    assert_eq!(e.code, exit::OK, "{}{}", e.out, e.err);
    let lines: Vec<&str> = e.out.lines().collect();
    assert_eq!(
        lines[0],
        format!("3 candidates over {SMALL}, 32,769 inputs")
    );
    let row = |name: &str| {
        let row = lines.iter().find(|l| l.starts_with(name)).expect(name);
        row.split_whitespace().collect::<Vec<_>>()
    };
    assert_eq!(row("right")[1], "0");
    assert_eq!(row("dented")[1..4], ["2", "1.0000019", "0.0061"]);
    assert!(e.out.contains("hollow: 1 nan"), "{}", e.out);
    let first = "first         dented: at 1.0000001 = 0x1.000002p0 (0x3f800001) it gives 1.0, and right gives 1.0000001";
    assert!(e.out.contains(first), "{}", e.out);
}

/// Two candidates with the same results have the same error, whatever their searches found.
#[test]
fn each_is_tried_at_the_worst_inputs_of_all() {
    let found = json(&["one", "other", "--range", "all", "--time", "0.1"]);
    let of = |i: usize| &found["candidates"][i];
    assert_eq!(of(0)["exhaustive"], false);
    let own = |i: usize| &of(i)["result"]["max_error"]["error"];
    assert_ne!(own(0), own(1), "their samples are not the same");
    assert_eq!(of(0)["worst"], of(1)["worst"]);
    assert_eq!(of(1)["bits"]["differing"], 0);
}

#[test]
fn what_cannot_be_compared_is_refused() {
    for (args, says) in [
        (&["right"][..], "2 values required"),
        (&["right", "nosuch"], "no sweep is called `nosuch`"),
        (&["right", "double"], "one takes f32 and the other f32,f32"),
        (
            &["of-sin", "of-exp"],
            "`of-sin` computes sin x and `of-exp` exp x",
        ),
        (
            &["right", "dented", "--computes", "exp"],
            "each sweep has a reference",
        ),
        (
            &["right", "dented", "--contract", "on"],
            "no candidate is one",
        ),
        (&["exp.c:f", "exp.c:g"], "--computes FUNCTION"),
        (&["exp.c:f", "exp.c:g", "--computes", "exp"], "exp.c"),
        (&["right", "dented", "--range", "2.0..1.0"], "2.0..1.0"),
        (&["right", "dented", "--time", "0"], "--time"),
    ] {
        let e = crunch(args);
        assert_eq!(e.code, exit::INPUT, "{args:?}: {}{}", e.out, e.err);
        assert!(e.err.contains(says), "{args:?}: {}", e.err);
    }
}
