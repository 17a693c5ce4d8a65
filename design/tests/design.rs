//! Designs on small ranges, searched in full, and faults that must be noticed.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use dc_design::build::Coefficient;
use dc_design::correct::{self, HardCases};
use dc_design::judge::{Candidate, Problem};
use dc_design::search::{Outcome, Request, limits, search};
use dc_design::source::{self, About};
use dc_design::spec::{Format, Tolerance};
use dc_design::strips::{Results, Strips};
use dc_design::{candidates, space};
use dc_runtime::builtins::reference::Reference;
use dc_runtime::model::key::Precision;
use dc_runtime::search::range::Range;
use kernels_gen::interp::eval_batch;
use kernels_gen::ops::Prim;

fn range(text: &str) -> Range {
    Range::parse(text, Precision::F32).expect("a range")
}

fn function(name: &str) -> &'static Reference {
    Reference::by_name(name).expect("a function")
}

fn problem(name: &str, text: &str, tolerance: &str) -> Problem {
    let tolerance = Tolerance::parse(tolerance).expect("a tolerance");
    Problem::new(function(name), range(text), Format::F32, tolerance).expect("a reference")
}

fn run(name: &str, text: &str, tolerance: &str) -> Result<Outcome, String> {
    let folder: PathBuf = std::env::temp_dir().join(format!(
        "dc-design-{name}-{}-{}",
        text.replace('.', "_"),
        std::process::id()
    ));
    std::fs::create_dir_all(&folder).expect("a folder");
    let stop = AtomicBool::new(false);
    let outcome = search(&Request {
        function: function(name),
        range: range(text),
        format: Format::F32,
        tolerance: Tolerance::parse(tolerance).expect("a tolerance"),
        folder: folder.clone(),
        stop: &stop,
        progress: &|_| {},
        finalists: 4,
    });
    let _ = std::fs::remove_dir_all(&folder);
    outcome
}

/// The first design of a function in that precision for which `takes` is true, with its coefficients.
fn candidate(name: &str, text: &str, prim: Prim, takes: impl Fn(&str) -> bool) -> Candidate {
    let all = space::designs(function(name), Format::F32, limits(&range(text))).expect("designs");
    let design = all
        .iter()
        .find(|d| d.prim == prim && takes(&d.describe()))
        .expect("such a design");
    let fit = candidates::Fits::default().of(design).expect("it fits");
    candidates::candidate(design, &fit).expect("it lowers")
}

fn everywhere(problem: &Problem, candidate: &Candidate) -> dc_design::judge::Report {
    let stop = AtomicBool::new(false);
    let mut reports = problem.everywhere(&[candidate], &stop).expect("it runs");
    reports.remove(0)
}

/// Each shape, in strips and in the interpreter.
#[test]
fn strips_have_the_interpreters_bits() {
    let some = |d: &str| d.contains("degree 4") || d.contains("degree 5");
    for (name, text, prim, part) in [
        ("exp", "all", Prim::F64, "2^(k/8)"),
        ("exp", "all", Prim::F32, "2^k, 2 words"),
        ("tanh", "all", Prim::F64, "2^k"),
        ("sigmoid", "all", Prim::F64, "2^(k/16)"),
        ("expm1", "all", Prim::F64, "2^k"),
        ("log", "all", Prim::F64, "16 cells"),
        ("log2", "0.1..10", Prim::F32, "2^e"),
        ("sinpi", "all", Prim::F64, "half turns"),
        ("sin", "-1e6..1e6", Prim::F64, "2 words"),
        ("atan", "-1..1", Prim::F32, "degree"),
        ("atan", "all", Prim::F64, "reciprocal"),
        ("cos", "-1e6..1e6", Prim::F64, "3 words"),
        ("cospi", "all", Prim::F64, "half turns"),
    ] {
        let c = candidate(name, text, prim, |d| d.contains(part) && some(d));
        let mut strips = c.strips().expect("it runs");
        let mut seed = 1u64;
        let mut word = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            u64::from((seed >> 32) as u32)
        };
        let special = [
            0x8000_0000,
            0,
            0x7f80_0000,
            0xff80_0000,
            0x7fc0_0000,
            0x3f80_0000,
            1,
        ];
        let xs: Vec<u64> = special
            .into_iter()
            .chain((0..300).map(|_| word()))
            .collect();
        for (to, &x) in strips.inputs_f32().iter_mut().zip(&xs) {
            *to = f32::from_bits(x as u32);
        }
        strips.run(xs.len());
        let mut columns = vec![xs.clone()];
        columns.extend(c.coefficients.iter().map(|c| vec![c.bits; xs.len()]));
        let columns: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
        let mut want = vec![Vec::new()];
        eval_batch(&c.program, &columns, &mut want);
        for (i, &want) in want[0].iter().enumerate() {
            let (got, nan) = match strips.results(0) {
                Results::F64(y) => (y[i].to_bits(), y[i].is_nan()),
                Results::F32(y) => (u64::from(y[i].to_bits()), y[i].is_nan()),
            };
            let canonical = matches!(want, 0x7ff8_0000_0000_0000 | 0x7fc0_0000);
            assert!(
                got == want || nan && canonical,
                "{name} at {:x}: {got:x}, not {want:x}",
                xs[i]
            );
        }
    }
}

#[test]
fn a_design_keeps_its_tolerance_at_all_inputs() {
    let outcome = run("exp", "0.5..0.51", "1.0ulp").expect("designs");
    let picked = &outcome.finalists[outcome.picked.expect("one is within 1 ULP")];
    let report = picked.report.as_ref().expect("searched");
    assert_eq!(u128::from(report.inputs), outcome.problem.range.count());
    assert!(report.largest <= 1.0 && report.faults == 0, "{report:?}");
    // The front falls in the error as it rises in the time.
    let on: Vec<_> = outcome.finalists.iter().filter(|f| f.on_front).collect();
    assert!(on.len() >= 3);
    assert!(
        on.windows(2)
            .all(|w| w[0].time <= w[1].time && w[0].error() > w[1].error())
    );
}

#[test]
fn absolute_and_relative_errors_are_measured_as_such() {
    for tolerance in ["1e-4abs", "1e-5rel"] {
        let outcome = run("tanh", "0.5..0.6", tolerance).expect("designs");
        let picked = &outcome.finalists[outcome.picked.expect("one is within it")];
        let most = match outcome.problem.tolerance {
            Tolerance::Within(most, _) => most,
            Tolerance::Correct => 0.0,
        };
        // The fastest is no better than it has to be, by some powers of ten.
        assert!(
            picked.error() <= most && picked.error() > 1e-4 * most,
            "{}",
            picked.error()
        );
    }
}

#[test]
fn results_are_correctly_rounded() {
    let outcome = run("exp", "0.5..0.6", "correctly-rounded").expect("designs");
    let picked = &outcome.finalists[outcome.picked.expect("one rounds correctly")];
    let report = picked.report.as_ref().expect("searched");
    assert_eq!(
        (report.misrounded, report.undecided, report.faults),
        (0, 0, 0)
    );
}

/// The polynomial of degree 7 misrounds some inputs until its coefficients are moved.
#[test]
fn a_hard_input_on_the_wrong_side_and_a_lost_one_are_noticed() {
    let problem = problem("exp", "0.5..0.6", "correctly-rounded");
    let stop = AtomicBool::new(false);
    let hard = correct::hard(&problem, &stop).expect("some");
    let plain = candidate("exp", "0.5..0.6", Prim::F64, |d| {
        d == "f64: degree 5, Horner"
    });
    let before = everywhere(&problem, &plain);
    assert!(before.misrounded > 0, "it needs no tuning");

    let mut tuned = plain.clone();
    let outcome = correct::tune(&mut tuned, &hard).expect("it runs");
    assert!(outcome.before > 0 && outcome.misrounded == 0, "{outcome}");
    assert_eq!(everywhere(&problem, &tuned).misrounded, 0);

    // Fault: the side of one input is the other one. Then that input is misrounded, and the full search says so.
    let mut faulty = HardCases {
        cases: hard.cases.clone(),
        near: hard.near,
    };
    let clear = |h: &&mut dc_design::judge::Hard| h.beyond.abs() > 0.5 * hard.near;
    let one = faulty
        .cases
        .iter_mut()
        .filter(clear)
        .min_by(|a, b| a.beyond.abs().total_cmp(&b.beyond.abs()));
    one.expect("some input").beyond *= -1.0;
    let mut wrong = plain.clone();
    let outcome = correct::tune(&mut wrong, &faulty).expect("it runs");
    let caught = outcome.misrounded > 0 || everywhere(&problem, &wrong).misrounded > 0;
    assert!(caught, "{outcome}");

    // Fault: the inputs that are misrounded are lost. Nothing is tuned, and the full search names them.
    let lost = HardCases {
        cases: hard
            .cases
            .iter()
            .filter(|h| h.beyond.abs() > 0.9 * hard.near)
            .copied()
            .collect(),
        near: hard.near,
    };
    let mut blind = plain.clone();
    let outcome = correct::tune(&mut blind, &lost).expect("it runs");
    assert_eq!(outcome.misrounded, 0, "they are easy");
    let report = everywhere(&problem, &blind);
    assert!(
        report.misrounded > 0 && !report.examples.is_empty(),
        "{report:?}"
    );
}

/// The file has the coefficients of the candidate, to the bit; with seven digits they are others.
#[test]
fn the_file_has_all_digits() {
    let outcome = run("exp", "0.5..0.51", "0.6ulp").expect("designs");
    let picked = &outcome.finalists[outcome.picked.expect("one is within it")];
    let about = About {
        name: "exp_f32".into(),
        head: vec!["Made by a test.".into()],
        doc: vec!["An exponential.".into()],
    };
    let file = source::file(&picked.design, &picked.candidate.coefficients, &about);
    let read = |c: &Coefficient| -> u64 {
        let start = format!("pub const {}: ", c.name);
        let line = file
            .lines()
            .find(|l| l.starts_with(&start))
            .expect("its line");
        let hex = line.split("from_bits(0x").nth(1).expect("its bits");
        u64::from_str_radix(hex.split(')').next().expect("an end"), 16).expect("hexadecimal")
    };
    for c in &picked.candidate.coefficients {
        assert_eq!(read(c), c.bits, "{file}");
    }
    // Fault: seven digits.
    let mut few = picked.candidate.clone();
    for c in &mut few.coefficients {
        let short = |x: f64| format!("{x:.6e}").parse::<f64>().expect("a number");
        c.bits = match picked.design.prim {
            Prim::F64 => short(f64::from_bits(c.bits)).to_bits(),
            _ => u64::from((short(f64::from(f32::from_bits(c.bits as u32))) as f32).to_bits()),
        };
    }
    if picked.design.prim == Prim::F64 {
        let report = everywhere(&outcome.problem, &few);
        let exact = picked.report.as_ref().expect("searched");
        assert!(report.largest > exact.largest, "{report:?}");
    }
}

#[test]
fn a_pole_and_a_tolerance_that_nobody_meets() {
    let error = run("recip", "-1..1", "1.0ulp")
        .map(|_| ())
        .expect_err("a pole");
    assert!(error.contains("it has no finite value at -0.0"), "{error}");
    let outcome = run("exp", "0.5..0.51", "0.3ulp").expect("designs");
    assert_eq!(outcome.picked, None);
    let least = outcome
        .finalists
        .iter()
        .map(|f| f.error())
        .fold(1.0, f64::min);
    assert!((0.49..0.51).contains(&least), "{least}");
    let error = run("tgamma", "1..200", "1.0ulp")
        .map(|_| ())
        .expect_err("no reduction");
    assert!(error.contains("no design of `tgamma`"), "{error}");
}

#[test]
fn a_program_with_another_operation_is_refused() {
    use kernels_gen::ops::{Arith, Direction, Op};
    use kernels_gen::program::InstKind;
    let mut c = candidate("exp", "0.5..1", Prim::F32, |d| d.contains("degree 2"));
    for inst in c.program.funcs.iter_mut().flat_map(|f| &mut f.insts) {
        if inst.kind == InstKind::Op(Op::Fma) {
            inst.kind = InstKind::Op(Op::Directed(Arith::Fma, Direction::Up));
        }
    }
    let error = Strips::new(&c.program).map(|_| ()).expect_err("refused");
    assert!(error.contains("Directed"), "{error}");
}
