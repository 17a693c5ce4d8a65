//! A suite whose routine becomes worse, better and wrong.

mod accepting;
mod promising;

use std::path::{Path, PathBuf};

use super::baseline::{Baseline, FILE};
use super::report::{Outcome, Report, Test};
use super::*;
use crate::model::candidate::{Candidate, Reference};
use crate::model::host::HostFunction;
use crate::prelude::*;
use crate::search::testing::Folder;
use crate::sweep::Sweep;

/// `e^x` near 0 by its series, and with one coefficient off by one unit in the last place.
#[crunch]
fn series(x: DcFloat) -> DcFloat {
    1.0 + x * (1.0 + x * (0.5 + x * 0.166_666_67))
}

#[crunch]
fn series_off(x: DcFloat) -> DcFloat {
    1.0 + x * (1.000_000_1 + x * (0.5 + x * 0.166_666_67))
}

#[crunch]
fn series_nan(x: DcFloat) -> DcFloat {
    if x < 0.0099 {
        1.0 + x * (1.0 + x * (0.5 + x * 0.166_666_67))
    } else {
        (0.0 - x).sqrt()
    }
}

#[crunch]
fn series_exact(x: DcDouble) -> DcDouble {
    1.0 + x * (1.0 + x * (0.5 + x * (1.0 / 6.0 + x * (1.0 / 24.0))))
}

const RANGE: &str = "0.0078125..=0.01";

#[test]
fn what_ran_and_what_did_not_is_said() {
    let folder = SuiteFolder::new("suite-summary");
    let environment = Environment {
        report: Some(folder.0.file("reports")),
        ..Environment::default()
    };
    let filter: crate::backend::Filter = "scalar,interpreter".parse().expect("a filter");
    let found = crate::backend::discover(&filter);
    let said = |suite| summary::check_found(&suite, &environment, None, &found).expect("a summary");
    let suite = folder.suite(GOOD);
    let text = said(suite);
    let line = text.lines().next().expect("a line");
    assert!(
        line.contains(
            "a::b: 1 sweep compared on interpreter; NOT COMPARED on avx2, avx512, cuda-host, opencl, cuda"
        ),
        "{text}"
    );
    // An ignored test writes no report: this one does, for the table.
    let left = environment.report.as_ref().expect("a folder").read_dir();
    let names: Vec<String> = left
        .map(|files| {
            files
                .map(|f| f.expect("a file").file_name().display().to_string())
                .collect()
        })
        .unwrap_or_default();
    for (family, built) in [
        ("opencl", cfg!(feature = "opencl")),
        ("cuda", cfg!(feature = "cuda")),
    ] {
        let there = names
            .iter()
            .any(|n| n.ends_with(&format!("exp.{family}.json")));
        assert_eq!(there, !built, "{family}: {names:?}");
    }
    let mut alone = GOOD;
    alone.sweep = Sweep::accuracy_only(
        "exp",
        Candidate::Host(HostFunction::f32("f32::exp", f32::exp)),
        Reference::Host(HostFunction::f64("f64::exp", f64::exp)),
        RANGE,
    );
    assert!(said(folder.suite(alone)).contains("accuracy only"));
    let required: crate::backend::Filter = "interpreter,opencl".parse().expect("a filter");
    let missing = summary::check_found(&suite, &environment, Some(&required), &found);
    assert!(missing.is_err_and(|e| e.contains("a::b: required backends are missing:\n  opencl")));
}

const fn entry(sweep: Sweep) -> Entry {
    Entry {
        sweep,
        within: 1.5,
        certificate: None,
        hunt: 0.0,
        inputs: 1 << 22,
        promises: &[],
    }
}

const GOOD: Entry = entry(Sweep::new::<series, series_exact>("exp", RANGE));
const OFF: Entry = entry(Sweep::new::<series_off, series_exact>("exp", RANGE));
const NAN: Entry = entry(Sweep::new::<series_nan, series_exact>("exp", RANGE));

struct SuiteFolder(Folder, &'static str);

impl SuiteFolder {
    fn new(name: &str) -> SuiteFolder {
        let folder = Folder::new(name);
        let path = folder.file(FILE);
        let path = path.parent().expect("a folder").to_str().expect("UTF-8");
        let path = String::leak(path.to_string());
        SuiteFolder(folder, path)
    }
    fn file(&self) -> PathBuf {
        Path::new(self.1).join(FILE)
    }
    fn suite(&self, entry: Entry) -> Suite {
        Suite {
            module: "a::b",
            folder: self.1,
            entries: Vec::leak(vec![entry]),
            reductions: &[],
        }
    }
    fn accuracy(&self, entry: Entry, bless: bool) -> Result<String, String> {
        let environment = Environment {
            bless,
            report: Some(self.0.file("report")),
            ..Environment::default()
        };
        let suite = self.suite(entry);
        accuracy::check(&suite, &suite.entries[0], &environment)
    }
    fn known(&self) -> baseline::Known {
        Baseline::read(&self.file()).expect("a baseline").0["a::b::exp"].clone()
    }
    fn report(&self, test: &str) -> Report {
        let path = self.0.file("report").join(format!("a--b--exp.{test}.json"));
        let text = std::fs::read_to_string(path).expect("a report");
        serde_json::from_str(&text).expect("a report")
    }
}

#[test]
fn a_coefficient_off_by_one_unit_fails() {
    let folder = SuiteFolder::new("suite-regression");
    let text = folder.accuracy(GOOD, false).expect("nothing is known yet");
    assert!(
        text.contains("not in accuracy.toml yet: CRUNCH_BLESS=1 accepts it"),
        "{text}"
    );
    assert!(text.contains("(exhaustive)"), "{text}");
    assert!(!folder.file().exists());
    folder.accuracy(GOOD, true).expect("accepted");
    let known = folder.known();
    assert!(
        known.exhaustive && known.error > 0.5 && known.error < 1.5,
        "{known:?}"
    );
    assert_eq!(known.range, RANGE);
    let text = folder.accuracy(GOOD, false).expect("as known");
    assert!(text.starts_with("exp: "), "{text}");
    assert_eq!(folder.report("accuracy").outcome, Outcome::Passed);

    let failure = folder.accuracy(OFF, false).expect_err("worse");
    for says in [
        "`exp` has become less accurate: ",
        "the worst known was ",
        "\n    input ",
        " = 0x1.",
        "(0x3c",
        "\n    series_off ",
        "\n    series_exact ",
        " ULP at bits:0x3c",
        "suite/tests/mod.rs:",
        "all 2,348,811 inputs (exhaustive), on ",
        "CRUNCH_BLESS=1 accepts it",
        "a::b::exp",
    ] {
        assert!(failure.contains(says), "{says:?} is missing: {failure}");
    }
    let report = folder.report("accuracy");
    assert_eq!(
        (report.outcome, report.inputs, report.of),
        (Outcome::Failed, 2_348_811, 2_348_811)
    );
    let Test::Accuracy {
        found,
        known: Some(before),
        ..
    } = report.test
    else {
        panic!("{report:?}");
    };
    assert!(found.error > before.error && before == known);

    let text = folder.accuracy(OFF, true).expect("accepted");
    assert!(text.contains("accepted"), "{text}");
    let text = folder.accuracy(GOOD, false).expect("better");
    assert!(
        text.contains("better than known") && text.contains("CRUNCH_BLESS=1"),
        "{text}"
    );
    folder.accuracy(GOOD, true).expect("accepted");
    assert_eq!(folder.known(), known);
}

#[test]
fn what_the_source_forbids_is_never_accepted() {
    let folder = SuiteFolder::new("suite-within");
    for bless in [false, true] {
        let strict = Entry {
            within: 0.5,
            ..GOOD
        };
        let failure = folder
            .accuracy(strict, bless)
            .expect_err("more than allowed");
        assert!(
            failure.contains("more than the 0.5 ULP allowed"),
            "{failure}"
        );
        assert!(failure.contains("raise `within`"), "{failure}");
        assert!(!folder.file().exists());
    }
    for within in [f64::NAN, -1.0] {
        let failure = folder
            .accuracy(Entry { within, ..GOOD }, false)
            .expect_err("no error");
        assert!(failure.contains("write 0 or more"), "{failure}");
    }
}

#[test]
fn wrong_special_values_and_other_ranges_are_findings() {
    let folder = SuiteFolder::new("suite-faults");
    let failure = folder.accuracy(NAN, false).expect_err("NaN");
    assert!(failure.contains("wrong special values (nan)"), "{failure}");
    assert!(failure.contains("inputs, the first 0.0099"), "{failure}");
    assert!(
        failure.contains("there          routine NaN, reference 1"),
        "{failure}"
    );
    assert!(failure.contains(": the routine alone is NaN"), "{failure}");
    folder.accuracy(NAN, true).expect("accepted");
    assert_eq!(folder.known().faults, ["nan"]);
    folder.accuracy(NAN, false).expect("known");
    let mut other = GOOD;
    other.sweep.range = "0.0078125..=0.011";
    let failure = folder.accuracy(other, false).expect_err("another range");
    assert!(
        failure.contains("the range is 0.0078125..=0.011 and was 0.0078125..=0.01"),
        "{failure}"
    );
    other.sweep.range = "2.0..1.0";
    let failure = folder.accuracy(other, false).expect_err("no range");
    assert!(
        failure.contains("the sweep `exp`: range `2.0..1.0`") && failure.contains("write 1.0..2.0"),
        "{failure}"
    );
}

#[test]
fn the_worst_known_inputs_are_always_taken() {
    let folder = SuiteFolder::new("suite-known");
    folder.accuracy(GOOD, true).expect("accepted");
    let all = folder.known();
    let suite = folder.suite(GOOD);
    let few = Environment {
        inputs: Some(5000),
        ..Environment::default()
    };
    let text = accuracy::check(&suite, &suite.entries[0], &few).expect("as known");
    assert!(
        text.contains("not exhaustive: ") && text.contains("of 2,348,811 inputs, seed 0x"),
        "{text}"
    );
    assert!(!text.contains("better"), "{text}");
    // A sample's result does not contradict that of all inputs.
    let bless = Environment { bless: true, ..few };
    accuracy::check(&suite, &suite.entries[0], &bless).expect("nothing new");
    assert_eq!(folder.known(), all);
}

/// Regression test: version 0.1 accepted each of these as a baseline than which no result is worse.
#[test]
fn a_baseline_that_says_nothing_fails() {
    let folder = SuiteFolder::new("suite-nothing");
    folder.accuracy(GOOD, true).expect("accepted");
    let text = std::fs::read_to_string(folder.file()).expect("a file");
    let with = |key: &str, value: &str| {
        let lines = text.lines().map(|l| match l.starts_with(key) {
            true => format!("{key} = {value}\n"),
            false => format!("{l}\n"),
        });
        lines.collect::<String>()
    };
    for (emptied, says) in [
        (String::new(), "`exp` has no table in "),
        ("# nothing\n".into(), "`exp` has no table in "),
        (
            with("error", "inf"),
            "an error of inf ULP, which no search finds",
        ),
        (with("error", "nan"), "an error of NaN ULP"),
        (with("worst", "[]"), "and no input in `worst` that has it"),
        (with("inputs", "0"), "nothing was searched for it"),
    ] {
        std::fs::write(folder.file(), &emptied).expect("written");
        let failure = folder.accuracy(GOOD, false).expect_err(&emptied);
        assert!(failure.contains(says), "{emptied}: {failure}");
        assert_eq!(folder.report("accuracy").outcome, Outcome::Failed);
    }
    std::fs::write(folder.file(), "").expect("written");
    folder.accuracy(GOOD, true).expect("accepted again");
    assert_eq!(
        std::fs::read_to_string(folder.file()).expect("a file"),
        text
    );
}

/// Regression test: version 0.1 passed the test of a backend that had failed its probe, as if it were absent.
#[test]
fn a_refused_backend_fails_the_test() {
    use crate::backend::{Absent, BackendError, Discovery};
    let folder = SuiteFolder::new("suite-refused");
    let suite = folder.suite(GOOD);
    let environment = Environment {
        report: Some(folder.0.file("report")),
        ..Environment::default()
    };
    let here = crate::backend::discover(&"scalar".parse().expect("a list"));
    let check = |found: &Discovery| {
        let entry = &suite.entries[0];
        equivalence::check_found(&suite, entry, "cuda", &environment, found)
    };
    let absent = Discovery {
        absent: vec![Absent {
            id: "cuda".into(),
            reason: "no platform".into(),
            remedy: "Install one.".into(),
        }],
        ..here.clone()
    };
    let text = check(&absent).expect("it is not here");
    assert!(text.contains("exp: not compared: no platform"), "{text}");
    assert_eq!(folder.report("cuda").outcome, Outcome::Skipped);
    let refused = Discovery {
        refused: vec![(
            "cuda:7".into(),
            BackendError::Refused {
                backend: "cuda:7".into(),
                reason: "contraction".into(),
            },
        )],
        ..absent
    };
    let failure = check(&refused).expect_err("it is wrong");
    assert!(
        failure.contains("exp: cuda:7 is here and must not be trusted")
            && failure.contains("cuda:7 is refused: contraction"),
        "{failure}"
    );
    assert_eq!(folder.report("cuda-7").outcome, Outcome::Failed);
}

/// A suite's test, with the number of inputs that it takes by default.
#[test]
fn the_routine_that_returns_42_fails_a_suite() {
    use crate::sweeps::exp_reference;
    use crate::sweeps::testing::exp_42;
    let folder = SuiteFolder::new("suite-42");
    let entry = Entry {
        sweep: Sweep::new::<exp_42, exp_reference>("exp", "-745.2..=709.8"),
        within: 2.0,
        certificate: None,
        hunt: 0.0,
        inputs: INPUTS,
        promises: &[],
    };
    let failure = folder.accuracy(entry, false).expect_err("42");
    assert!(failure.contains("more than the 2 ULP allowed"), "{failure}");
}

#[test]
fn a_malformed_baseline_is_named() {
    let folder = SuiteFolder::new("suite-malformed");
    let good = "range = \"1.0..2.0\"\nerror = 0.5\nworst = [\"bits:0x3f800000\"]\ninputs = 1\nexhaustive = false\n";
    for (text, says) in [
        ("[\"a::b::exp\"\n", "line 1: "),
        (
            "[\"a::b::exp\"]\nrange = 3\n",
            "line 2: invalid type: integer",
        ),
        (
            &format!("[\"a::b::exp\"]\n{good}colour = 1\n"),
            "line 7: unknown field `colour`",
        ),
        ("[\"a::b::exp\"]\nerror = 0.5\n", "missing field `range`"),
        (
            &format!("[\"a::b::exp\"]\n{}", good.replace("0.5", "-0.5")),
            "[a::b::exp]: an error of -0.5 ULP",
        ),
        (
            &format!(
                "[\"a::b::exp\"]\n{}",
                good.replace("bits:0x3f800000", "one")
            ),
            "`one` in `worst` is not an input; write its bits",
        ),
    ] {
        std::fs::write(folder.file(), text).expect("written");
        for bless in [false, true] {
            let failure = folder.accuracy(GOOD, bless).expect_err(text);
            assert!(failure.contains(says), "{text}: {failure}");
            assert!(
                failure.contains("accuracy.toml: ") && failure.lines().count() == 1,
                "{failure}"
            );
        }
        assert_eq!(
            std::fs::read_to_string(folder.file()).expect("as it was"),
            text
        );
    }
}

#[test]
fn tables_of_no_sweep_are_stale() {
    let folder = SuiteFolder::new("suite-stale");
    folder.accuracy(GOOD, true).expect("accepted");
    let suite = folder.suite(GOOD);
    let environment = Environment::default();
    accuracy::stale(&suite, &environment).expect("none is");
    Baseline::update(&folder.file(), |b| {
        let known = b.0["a::b::exp"].clone();
        for other in ["a::b::gone", "a::c::exp", "a::b::c::exp"] {
            b.0.insert(other.into(), known.clone());
        }
    })
    .expect("written");
    let failure = accuracy::stale(&suite, &environment).expect_err("one is");
    assert!(
        failure.contains("[\"a::b::gone\"]: no such sweep is in the suite a::b"),
        "{failure}"
    );
    assert!(!failure.contains("a::c"), "{failure}");
    let bless = Environment {
        bless: true,
        ..environment.clone()
    };
    accuracy::stale(&suite, &bless).expect("taken out");
    accuracy::stale(&suite, &environment).expect("none is");
    let left = Baseline::read(&folder.file()).expect("a baseline");
    assert_eq!(
        left.0.keys().collect::<Vec<_>>(),
        ["a::b::c::exp", "a::b::exp", "a::c::exp"]
    );
}

#[test]
fn the_file_reads_back_and_takes_writers_side_by_side() {
    let folder = SuiteFolder::new("suite-file");
    folder.accuracy(GOOD, true).expect("accepted");
    let known = folder.known();
    std::thread::scope(|scope| {
        for i in 0..16 {
            let (path, known) = (folder.file(), known.clone());
            scope.spawn(move || {
                let add = |b: &mut Baseline| {
                    b.0.insert(format!("a::b::n{i:02}"), known);
                };
                Baseline::update(&path, add).expect("written");
            });
        }
    });
    let text = std::fs::read_to_string(folder.file()).expect("a file");
    let baseline = Baseline::parse(&text, &folder.file()).expect("a baseline");
    assert_eq!((baseline.0.len(), baseline.text()), (17, text));
}

#[test]
fn backends_are_compared() {
    let folder = SuiteFolder::new("suite-backends");
    let suite = folder.suite(GOOD);
    let environment = Environment {
        report: Some(folder.0.file("report")),
        ..Environment::default()
    };
    let text = equivalence::check(&suite, &suite.entries[0], "interpreter", &environment)
        .expect("the same");
    assert!(
        text.contains("exp: interpreter is scalar bit for bit; not exhaustive: "),
        "{text}"
    );
    let report = folder.report("interpreter");
    assert_eq!(report.outcome, Outcome::Passed);
    assert!(
        report.inputs >= 1 << 13 && report.inputs < 1 << 15,
        "{report:?}"
    );
    // An approximation whose compiled form differs from its IR, as with a wrong compiler.
    let mut wrong = GOOD;
    wrong.sweep.cpu = OFF.sweep.cpu;
    let [mut compiled_wrong, ..] = GOOD.sweep.kernels().expect("of kernels").map(|k| *k);
    let [off, ..] = OFF.sweep.kernels().expect("of kernels");
    compiled_wrong.cpu = off.cpu;
    wrong.sweep.candidate = Candidate::Kernel(compiled_wrong);
    let suite = folder.suite(wrong);
    let failure = equivalence::check(&suite, &suite.entries[0], "interpreter", &environment)
        .expect_err("differs");
    for says in [
        "`exp`: interpreter differs from scalar (",
        "\n    first input ",
        "\n    scalar ",
        "\n    interpreter ",
        "\n    routine `series`: each of ",
        "\n        one by one ",
        "\n        scalar: it is the form compiled from the kernel's source that differs; no contraction explains it\n",
        "\n    reference `series_exact`: the same on both\n",
    ] {
        assert!(failure.contains(says), "{says:?} is missing: {failure}");
    }
    assert_eq!(folder.report("interpreter").outcome, Outcome::Failed);
    // Only the compiled search differs.
    let mut search = GOOD;
    search.sweep.cpu = OFF.sweep.cpu;
    let searching = folder.suite(search);
    let failure = equivalence::check(
        &searching,
        &searching.entries[0],
        "interpreter",
        &environment,
    )
    .expect_err("differs");
    for says in [
        "\n    metric `ulp_error_f32`: the same on both\n",
        "\n    evaluated at this input alone, nothing differs: only the search kernels",
    ] {
        assert!(failure.contains(says), "{says:?} is missing: {failure}");
    }
    let failure =
        equivalence::check(&suite, &suite.entries[0], "avx3", &environment).expect_err("no family");
    assert!(failure.contains("no backend is called `avx3`"), "{failure}");
}

#[test]
fn the_environment_is_read() {
    let of = |pairs: &[(&str, &str)]| {
        Environment::from(|name| pairs.iter().find(|p| p.0 == name).map(|p| p.1.into()))
    };
    let read = of(&[
        ("CRUNCH_BLESS", "1"),
        ("CRUNCH_INPUTS", "2^10"),
        ("CRUNCH_SEED", "0x1f"),
    ]);
    let read = read.expect("all are good");
    assert_eq!(
        (read.bless, read.inputs, read.seed),
        (true, Some(1024), Some(31))
    );
    assert_eq!(of(&[("CRUNCH_BLESS", "")]), Ok(Environment::default()));
    for (name, value, says) in [
        ("CRUNCH_BLESS", "yes", "CRUNCH_BLESS=yes: write 1"),
        (
            "CRUNCH_INPUTS",
            "many",
            "CRUNCH_INPUTS=many: write a number",
        ),
        ("CRUNCH_INPUTS", "0", "1 or more"),
        ("CRUNCH_SEED", "2^64", "CRUNCH_SEED=2^64"),
    ] {
        let e = of(&[(name, value)]).expect_err(value);
        assert!(e.contains(says), "{e}");
    }
}
