//! What entries promise beside their largest error.

use super::*;
use crate::builtins::reference::computes;
use crate::model::function::Function;
use crate::sweep::computed;

/// Few enough inputs that all are tested.
const RANGE: &str = "9.99..=10.01,99.99..=100.01,999.9..=1000.1,1023.9..=1024.0";

const fn sweep(name: &'static str, f: fn(f32) -> f32) -> Sweep {
    Sweep::accuracy_only(
        "exp",
        Candidate::Host(HostFunction::f32(name, f)),
        computed::f32::<computes::log10>(),
        RANGE,
    )
    .of(Function::Log10)
}

const fn promising(sweep: Sweep, promises: &'static [Promise]) -> Entry {
    Entry {
        within: 1e9,
        promises,
        ..entry(sweep)
    }
}

const RIGHT: Sweep = sweep("log10", f32::log10);
/// Below 3 at 1000, as a quotient of natural logarithms may be.
const MISSES: Sweep = sweep("misses", |x| match x {
    1000.0 => 2.999_999_8,
    x => x.log10(),
});
/// Above its neighbours at 100, and beyond 3.1 at 1024.
const DENTED: Sweep = sweep("dented", |x| match x {
    100.0 => 2.000_001,
    1024.0 => 3.2,
    x => x.log10(),
});

#[test]
fn kept_promises_are_named() {
    let folder = SuiteFolder::new("suite-promises");
    let all = &[
        Promise::Exact,
        Promise::Increasing,
        Promise::Results("0.5..=3.1"),
        Promise::Seams(2.0),
    ];
    let text = folder.accuracy(promising(RIGHT, all), false).expect("kept");
    assert!(
        text.ends_with(
            "; exact where possible: all 3 results; monotone, results \"0.5..=3.1\", seams 2.0: kept"
        ),
        "{text}"
    );
    let none = folder.accuracy(promising(RIGHT, &[]), false).expect("none");
    assert!(!none.contains("kept"), "{none}");
}

#[test]
fn a_promise_that_is_not_kept_is_named_with_its_input() {
    let folder = SuiteFolder::new("suite-broken-promises");
    let broken = |sweep, promises| {
        let broken = folder.accuracy(promising(sweep, promises), false);
        broken.expect_err("broken")
    };
    for (sweep, promises, says) in [
        (
            MISSES,
            &[Promise::Exact][..],
            &[
                "promising (exact where possible): 1 of 3 exact results are missed",
                "1000.0 = ",
            ][..],
        ),
        (
            MISSES,
            &[Promise::Increasing],
            &[
                "promising (monotone): not kept at 1 input\n",
                "f(999.99994 = ",
            ],
        ),
        (
            DENTED,
            &[Promise::Exact, Promise::Increasing],
            &["1 of 3 exact results", "100.0 = "],
        ),
        (
            DENTED,
            &[Promise::Results("0.5..=3.1")],
            &[
                "promising (results \"0.5..=3.1\"): not kept at 1 input\n",
                "f(1024.0 = ",
            ],
        ),
        (
            DENTED,
            &[Promise::Seams(2.0)],
            &["promising (seams 2.0): not kept at 3 inputs\n", "farthest"],
        ),
        (
            RIGHT,
            &[Promise::Decreasing],
            &["promising (decreasing): not kept at", "exhaustive"],
        ),
        (RIGHT, &[Promise::Odd], &["promising (odd): not kept at"]),
        (RIGHT, &[Promise::Even], &["promising (even): not kept at"]),
        (
            RIGHT,
            &[Promise::Results("one")],
            &["promising (results \"one\"): "],
        ),
        (
            GOOD.sweep,
            &[Promise::Exact],
            &["`computes FUNCTION` in place of `against`"],
        ),
    ] {
        let text = broken(sweep, promises);
        for part in says {
            assert!(text.contains(part), "{promises:?}: {part}: {text}");
        }
    }
    // The report of `cargo crunch` has it as a failure.
    assert_eq!(folder.report("accuracy").outcome, Outcome::Failed);
}
