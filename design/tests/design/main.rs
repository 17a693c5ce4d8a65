//! Designs on small ranges, searched in full, and faults that must be noticed.

mod quotients;
mod rounding;
mod variables;

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

// The macro uses the library's name in users' programs.
extern crate dc_runtime as doublecrunch;

use dc_design::build::{Coefficient, Stage};
use dc_design::everywhere::Judged;
use dc_design::inputs::number;
use dc_design::journal::Journal;
use dc_design::judge::{Candidate, Problem};
use dc_design::polynomial::Form;
use dc_design::proof::{Work, prove};
use dc_design::search::{Outcome, Request, search};
use dc_design::shape::Design;
use dc_design::source::{self, About};
use dc_design::spec::{Format, Tolerance};
use dc_design::strips::{Results, Strips};
use dc_design::subject::Subject;
use dc_design::target::Target;
use dc_design::time::Clock;
use dc_design::variable::Variable;
use dc_design::{candidates, space};
use dc_runtime::builtins::reference::Reference;
use dc_runtime::model::key::Precision;
use dc_runtime::prelude::*;
use dc_runtime::search::range::Range;
use dc_runtime::sweep::Sweep;
use kernels_gen::interp::eval_batch;
use kernels_gen::ops::Prim;
use kernels_gen::syntax::tree;
use kernels_gen::text::text;

fn range_of(format: Format, text: &str) -> Range {
    let precision = match format {
        Format::F64 => Precision::F64,
        _ => Precision::F32,
    };
    Range::parse(text, precision).expect("a range")
}

fn function(name: &str) -> &'static Reference {
    Reference::by_name(name).expect("a function")
}

fn subject(name: &str) -> Subject {
    Subject::of(function(name)).expect("a reference")
}

fn problem(name: &str, text: &str, tolerance: &str) -> Problem {
    problem_of(Format::F32, name, text, tolerance)
}

fn problem_of(format: Format, name: &str, text: &str, tolerance: &str) -> Problem {
    let tolerance = Tolerance::parse(tolerance).expect("a tolerance");
    Problem::new(subject(name), range_of(format, text), format, tolerance).expect("a reference")
}

fn run(name: &str, text: &str, tolerance: &str) -> Result<Outcome, String> {
    run_of(Format::F32, name, text, tolerance)
}

fn run_of(format: Format, name: &str, text: &str, tolerance: &str) -> Result<Outcome, String> {
    run_on(format, subject(name), text, tolerance)
}

fn run_on(
    format: Format,
    subject: Subject,
    text: &str,
    tolerance: &str,
) -> Result<Outcome, String> {
    run_in(None, format, subject, text, tolerance)
}

fn run_in(
    variable: Option<&str>,
    format: Format,
    subject: Subject,
    text: &str,
    tolerance: &str,
) -> Result<Outcome, String> {
    run_with(4, variable, format, subject, text, tolerance)
}

fn run_with(
    finalists: usize,
    variable: Option<&str>,
    format: Format,
    subject: Subject,
    text: &str,
    tolerance: &str,
) -> Result<Outcome, String> {
    let name = subject.name;
    let folder: PathBuf = std::env::temp_dir().join(format!(
        "dc-design-{name}-{}-{}-{}-{}",
        format.name(),
        text.replace('.', "_"),
        variable.map_or(0, str::len),
        std::process::id()
    ));
    std::fs::create_dir_all(&folder).expect("a folder");
    let stop = AtomicBool::new(false);
    let outcome = search(&Request {
        subject,
        range: range_of(format, text),
        format,
        tolerance: Tolerance::parse(tolerance).expect("a tolerance"),
        variable: variable.map(|u| Variable::parse(u).expect("a variable")),
        fused: true,
        target: Target::Widest,
        clock: Clock::Loop,
        folder: folder.clone(),
        stop: &stop,
        progress: &|_| {},
        finalists,
        proof: 15.0,
        journal: &Journal::default(),
    });
    let _ = std::fs::remove_dir_all(&folder);
    outcome
}

/// The first design of a function in that precision for which `takes` is true, with its coefficients.
fn candidate(name: &str, text: &str, prim: Prim, takes: impl Fn(&str) -> bool) -> Candidate {
    candidate_of(Format::F32, name, text, prim, takes)
}

fn candidate_of(
    format: Format,
    name: &str,
    text: &str,
    prim: Prim,
    takes: impl Fn(&str) -> bool,
) -> Candidate {
    let problem = problem_of(format, name, text, "1.0ulp");
    candidate_in(&problem, |d| d.prim == prim && takes(&d.describe()))
}

fn candidate_in(problem: &Problem, takes: impl Fn(&Design) -> bool) -> Candidate {
    let sample = problem.sample(1000).expect("a sample");
    let all = space::designs(&problem.aim(&sample)).expect("designs");
    let design = all.iter().find(|d| takes(d)).expect("such a design");
    let fit = candidates::Fits::default().of(design).expect("it fits");
    candidates::candidate(design, &fit).expect("it lowers")
}

fn everywhere(problem: &Problem, candidate: &Candidate) -> dc_design::judge::Report {
    let stop = AtomicBool::new(false);
    let mut reports = problem
        .everywhere(&problem.inputs, &[Judged::Kernel(candidate)], &stop)
        .expect("it runs");
    reports.remove(0)
}

/// Each shape, in strips and in the interpreter.
#[test]
fn strips_have_the_interpreters_bits() {
    let some = |d: &str| d.contains("degree 4") || d.contains("degree 5");
    let of_16_bits = [
        (Format::Bf16, "tanh", "cut off, centered"),
        (Format::F16, "tanh", "2^k"),
        (Format::Bf16, "exp", "squared"),
        (Format::F16, "exp", "cut off, power 8"),
        (Format::F16, "gelu", "1 - f(-x), power 4"),
        (Format::Bf16, "gelu", "1 - f(-x), 2^k"),
        (Format::Bf16, "sigmoid", "1 - f(-x), 2^k"),
    ];
    for (format, name, part) in of_16_bits {
        let c = candidate_of(format, name, "all", Prim::F32, |d| {
            d.contains(part) && some(d)
        });
        compared(name, &c);
    }
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
        ("sin", "all", Prim::F64, "Payne and Hanek"),
        ("cos", "all", Prim::F64, "Payne and Hanek"),
        ("asin", "all", Prim::F32, "half the angle"),
        ("cbrt", "all", Prim::F64, "16 cells"),
        ("erf", "all", Prim::F64, "pieces"),
        ("atan", "-1..1", Prim::F32, "/4, "),
        ("atan", "all", Prim::F64, "reciprocal above 1, degree 5/4, "),
        (
            "gelu",
            "all",
            Prim::F64,
            "2^(k/16), 2 words, degree 5 and 17",
        ),
    ] {
        let c = candidate(name, text, prim, |d| d.contains(part) && some(d));
        compared(name, &c);
    }
}

/// Each reduction of whole ranges: no fault among infinities, NaNs, zeros and numbers of all sizes, and nearly no rounding but the last one.
#[test]
fn reductions_of_all_numbers_are_accurate() {
    for (name, part, near) in [
        (
            "sin",
            "Payne and Hanek, 3 words, degree 19",
            "-1e30..-9.9999e29",
        ),
        ("sin", "Payne and Hanek, 3 words, degree 19", "3.1..3.15"),
        ("cos", "Payne and Hanek, 3 words, degree 19", "1.5..1.6"),
        ("cos", "Payne and Hanek, 3 words, degree 19", "3.40e38..inf"),
        (
            "asin",
            "half the angle above 1/2, degree 27",
            "0.499..0.501",
        ),
        (
            "asin",
            "half the angle above 1/2, degree 27",
            "0.9999..1.0001",
        ),
        ("cbrt", "8 cells, centered, degree 12", "0.0..1e-40"),
        ("cbrt", "16 cells, centered, degree 9", "-8.01..-7.99"),
        ("erf", "pieces, degree 13", "0.124..0.126"),
        ("erf", "pieces, degree 13", "3.7..4.1"),
        ("gelu", "2^(k/16), 2 words, degree 5 and 20", "-14.6..-14.3"),
        ("gelu", "2^(k/16), 2 words, degree 5 and 20", "-0.51..-0.5"),
        (
            "gelu",
            "2^(k/16), 2 words, degree 5 and 20",
            "-1e-38..-9e-39",
        ),
        ("gelu", "2^(k/16), 2 words, degree 5 and 20", "9e-39..1e-38"),
        ("gelu", "2^(k/16), 2 words, degree 5 and 20", "7e-9..8e-9"),
        ("gelu", "2^(k/16), 2 words, degree 5 and 20", "5.5..5.51"),
    ] {
        let c = candidate(name, "all", Prim::F64, |d| d.contains(part));
        let all = problem(name, "all", "1.0ulp");
        let cases = all.sample(1 << 14).expect("a sample");
        let of_sample = all.on_sample(&mut c.strips().expect("it runs"), &cases);
        let report = everywhere(&problem(name, near, "1.0ulp"), &c);
        for report in [of_sample, report] {
            assert!(
                report.faults == 0 && report.largest < 0.5001 && report.misrounded < 9,
                "{name}, {part}: {report:?}"
            );
        }
    }
}

/// Compares the strips of a candidate with the interpreter.
fn compared(name: &str, c: &Candidate) {
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

#[test]
fn a_design_keeps_its_tolerance_at_all_inputs() {
    let outcome = run("exp", "0.5..0.51", "1.0ulp").expect("designs");
    let picked = &outcome.finalists[outcome.picked.expect("one is within 1 ULP")];
    let report = picked.report.as_ref().expect("searched");
    assert_eq!(u128::from(report.inputs), outcome.problem.inputs.count());
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

/// `1 / (1 + x²)`, which the library does not have.
#[crunch]
fn bell(x: DcFloat) -> DcFloat {
    1.0 / (x * x + 1.0)
}

#[crunch]
fn bell_exact(x: DcDouble) -> DcDouble {
    1.0 / (x * x + 1.0)
}

#[test]
fn a_reference_of_ones_own_is_designed() {
    let sweep = Sweep::new::<bell, bell_exact>("bell", "0.0..1.0");
    let own = Subject::own(&sweep).expect("a reference");
    let range = "-0.251..=-0.25,0.25..=0.251";
    let outcome = run_on(Format::F32, own, range, "0.7ulp").expect("designs");
    let picked = &outcome.finalists[outcome.picked.expect("one is within the tolerance")];
    let report = picked.report.as_ref().expect("searched");
    assert_eq!(u128::from(report.inputs), outcome.problem.inputs.count());
    assert!(outcome.rivals.is_empty());
    // Both sides have one polynomial, of even powers.
    assert!(
        outcome.finalists.iter().all(|f| f.design.form != Form::All),
        "{:?}",
        picked.design
    );
    let coefficients = &picked.candidate.coefficients;
    let unit = picked
        .design
        .unit("kernel", Vec::new(), coefficients, Stage::Whole);
    let program = kernels_gen::lower(tree::kernel(&unit)).expect("it lowers");
    let side = (0.25f32.to_bits()..=0.251f32.to_bits()).map(f32::from_bits);
    let xs: Vec<f32> = side.flat_map(|x| [-x, x]).collect();
    assert_eq!(xs.len() as u64, report.inputs);
    let bits: Vec<u64> = xs.iter().map(|x| x.to_bits().into()).collect();
    let mut out = vec![Vec::new()];
    eval_batch(&program, &[&bits], &mut out);
    // All values are between 1/2 and 1.
    let error = |(&x, &y): (&f32, &u64)| {
        let (x, y) = (f64::from(x), f64::from(f32::from_bits(y as u32)));
        (y - 1.0 / (1.0 + x * x)).abs() * 2f64.powi(24)
    };
    let largest = xs.iter().zip(&out[0]).map(error).fold(0.0, f64::max);
    assert!(
        (largest - report.largest).abs() < 1e-6 && largest <= 0.7,
        "{largest}, not {}",
        report.largest
    );
}

#[test]
fn a_range_without_a_number_of_the_format_is_refused() {
    let error = run_of(Format::F16, "exp", "1.0001..1.0002", "1.0ulp")
        .map(|_| ())
        .expect_err("no input");
    assert!(error.contains("no number of f16"), "{error}");
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

/// Fault: a design that is judged with fused operations and written without. The sum that cancels shows it.
#[test]
fn an_unfused_design_is_judged_as_it_is_written() {
    let problem = problem("exp", "0.5..1", "2.0ulp");
    let sample = problem.sample(1000).expect("a sample");
    let all = space::designs(&problem.aim(&sample)).expect("designs");
    let is = |d: &&Design| d.describe() == "f32: degree 6, Horner";
    let fused = all.iter().find(is).expect("such a design").clone();
    let mut unfused = fused.clone();
    unfused.fused = false;
    assert_eq!(unfused.describe(), "f32: degree 6, Horner, unfused");
    let fit = candidates::Fits::default().of(&fused).expect("it fits");
    let [with, without] =
        [&fused, &unfused].map(|d| candidates::candidate(d, &fit).expect("it lowers"));
    let has = |c: &Candidate| text(&c.program).contains("fma");
    assert!(has(&with) && !has(&without));
    let about = About {
        name: "exp_f32".into(),
        head: Vec::new(),
        doc: Vec::new(),
    };
    let file = source::file(&unfused, &without.coefficients, &about);
    assert!(!file.contains("mul_add"), "{file}");
    let [with, without] = [&with, &without].map(|c| everywhere(&problem, c));
    assert!(without.largest < 2.0, "{without:?}");
    assert!(with.largest < without.largest, "{with:?} {without:?}");
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

/// Three designs of binary64 on short ranges: proven, and proven again by the checker; moved coefficients and levels that are too low are not.
/// Away from 0, the first coefficient of a polynomial in `x - c` is the only large term; a polynomial in `x` has roundings of 3.7 ULP here.
/// The design nearest to the tolerance exceeds it, so that more designs are proven than the one that is requested.
#[test]
fn polynomials_away_from_zero_are_centered() {
    let atan = subject("atan");
    let outcome = run_with(1, None, Format::F64, atan, "0.5..0.625", "1.2ulp").expect("designs");
    let picked = &outcome.finalists[outcome.picked.expect("one is within it")];
    let proof = picked.report.as_ref().and_then(|r| r.proof.as_ref());
    assert!(proof.expect("a proof").upper <= 1.2);
    let name = picked.design.describe();
    assert!(
        name.contains("centered") || name.contains("from 1"),
        "{name}"
    );
}

#[test]
fn designs_of_binary64_are_proven() {
    for (name, text) in [
        ("exp", "0.5..0.5001"),
        ("log", "1.5..1.5001"),
        ("sin", "-0.3..0.3"),
    ] {
        let outcome = run_of(Format::F64, name, text, "0.51ulp").expect("designs");
        let picked = &outcome.finalists[outcome.picked.expect("one is within it")];
        let report = picked.report.as_ref().expect("proven");
        let proof = report.proof.as_ref().expect("a proof");
        assert!(
            proof.lower <= proof.upper && proof.upper <= 0.51 && picked.sampled <= proof.upper,
            "{name}: {proof:?}"
        );
        assert_eq!(proof.certificate.is_some(), proof.exact, "{name}");
        if let Some(text) = &proof.certificate {
            crunch_check::check(text, crunch_check::Options::default()).expect(name);
            // Fault: a level below that of the worst input.
            let bits = |x: f64| format!("\nerror {:016x}", x.to_bits());
            let at = text.find("\nerror ").expect("its level");
            let end = at + bits(0.0).len();
            let low = text.replacen(&text[at..end], &bits(0.9 * proof.lower), 1);
            assert!(crunch_check::check(&low, crunch_check::Options::default()).is_err());
        }

        // Fault: the first coefficient has the digits of binary32.
        let mut faulty = picked.candidate.clone();
        let few = f64::from_bits(faulty.coefficients[0].bits) as f32;
        faulty.coefficients[0].bits = (f64::from(few) * (1.0 + 1e-9)).to_bits();
        let coefficients = &faulty.coefficients;
        let unit = picked
            .design
            .unit("kernel", Vec::new(), coefficients, Stage::Whole);
        let program = kernels_gen::lower(tree::kernel(&unit)).expect("it lowers");
        let work = Work {
            function: name,
            name,
            range: &range_of(Format::F64, text),
            known: None,
            seconds: 5.0,
            stop: &AtomicBool::new(false),
        };
        let wrong = prove(&program, &work).expect("it runs");
        assert!(wrong.lower > 0.51, "{name}: {wrong:?}");
    }
}

#[test]
fn functions_without_a_law_are_not_proven() {
    let c = candidate("exp", "0.5..1", Prim::F64, |d| d.contains("degree 2"));
    let work = Work {
        function: "j0",
        name: "j0",
        range: &range_of(Format::F64, "1..2"),
        known: None,
        seconds: 1.0,
        stop: &AtomicBool::new(false),
    };
    let error = prove(&c.program, &work).map(|_| ()).expect_err("no law");
    assert!(error.contains("no known derivatives"), "{error}");
    for name in ["exp", "log", "sin", "rsqrt"] {
        assert!(dc_design::proof::law(name).is_some(), "{name}");
    }
}
