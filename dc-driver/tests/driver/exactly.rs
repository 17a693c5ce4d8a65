//! The line of results that are exactly numbers, of `run` and `run --time`.

use serde_json::Value;

use super::{Ended, on_processors};
use dc_driver::exit;
use dc_runtime::model::candidate::{Candidate, Reference};
use dc_runtime::model::function::Function;
use dc_runtime::model::host::HostFunction;
use dc_runtime::search::testing::Folder;
use dc_runtime::sweep::Sweep;

const fn of_log10(name: &'static str, f: fn(f32) -> f32) -> Sweep {
    Sweep::accuracy_only(
        name,
        Candidate::Host(HostFunction::f32(name, f)),
        Reference::Host(HostFunction::f64("f64::log10", f64::log10)),
        "900.0..1100.0",
    )
}

const RIGHT: Sweep = of_log10("right", f32::log10).of(Function::Log10);
const MISSES: Sweep = of_log10("misses", |x| match x {
    1000.0 => 2.999_999_8,
    x => x.log10(),
})
.of(Function::Log10);
/// Its function is not known.
const UNKNOWN: Sweep = of_log10("unknown", f32::log10);

fn crunch(args: &[&str]) -> Ended {
    on_processors(&[RIGHT, MISSES, UNKNOWN], args)
}

/// The output of a run, in both ways.
fn both(name: &str, more: &[&str]) -> [Ended; 2] {
    let folder = Folder::new(&format!("exactly-{name}"));
    let file = folder.file("run");
    let file = file.to_str().expect("UTF-8");
    [
        crunch(&[&["run", name, "-o", file], more].concat()),
        crunch(&[&["run", name, "--time", "5s"], more].concat()),
    ]
}

#[test]
fn a_missed_result_is_named() {
    for ended in both("misses", &[]) {
        assert_eq!(ended.code, exit::OK, "{}", ended.err);
        let line = "\nexact         1 of 1 missed, the first at 1000.0: 2.9999998, not 3.0\n";
        assert!(ended.out.contains(line), "{}", ended.out);
    }
    for ended in both("misses", &["--json"]) {
        let document: Value = serde_json::from_str(&ended.out).expect("a document");
        let exact = &document["exact"];
        assert_eq!((&exact["cases"], &exact["missed"]), (&1.into(), &1.into()));
        assert_eq!(exact["complete"], true);
        assert_eq!(exact["first"]["arguments"][0]["decimal"], "1000.0");
        assert_eq!(exact["first"]["exact"]["decimal"], "3.0");
    }
}

#[test]
fn what_is_right_and_what_is_not_known() {
    for ended in both("right", &[]) {
        let line = "\nexact         none of 1 missed\n";
        assert!(ended.out.contains(line), "{}", ended.out);
    }
    for ended in both("right", &["--range", "1010.0..1020.0"]) {
        assert!(!ended.out.contains("\nexact"), "{}", ended.out);
    }
    for ended in both("unknown", &["--json"]) {
        let document: Value = serde_json::from_str(&ended.out).expect("a document");
        assert_eq!(document["exact"], Value::Null);
    }
}
