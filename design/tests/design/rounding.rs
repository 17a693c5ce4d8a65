//! Correct rounding: hard inputs, exceptions, 16 bits.

use dc_design::correct::{self, HardCases};
use dc_design::search::Finalist;

use super::*;

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

/// The whole kernel of a finalist at all numbers of its format, by the interpreter, beside the reference of two words.
fn misrounded(outcome: &Outcome, picked: &Finalist) -> Vec<f32> {
    let stored = outcome.problem.format.stored().expect("16 bits");
    let coefficients = &picked.candidate.coefficients;
    let unit = picked
        .design
        .unit("kernel", Vec::new(), coefficients, Stage::Whole);
    let program = kernels_gen::lower(tree::kernel(&unit)).expect("it lowers");
    let xs = outcome.problem.inputs.sample(0).into_iter().map(number);
    let xs: Vec<f32> = xs.map(|x| x as f32).collect();
    let bits: Vec<u64> = xs.iter().map(|x| x.to_bits().into()).collect();
    let mut out = vec![Vec::new()];
    eval_batch(&program, &[&bits], &mut out);
    let mut ys: Vec<f32> = out[0].iter().map(|&y| f32::from_bits(y as u32)).collect();
    dc_design::stored::round(stored, &mut ys);
    let right = outcome.problem.results(&xs).into_iter().zip(&ys);
    let wrong = right.filter(|((_, right), y)| right.to_bits() != y.to_bits() && !right.is_nan());
    wrong.map(|((x, _), _)| x).collect()
}

#[test]
fn results_of_16_bits_are_correctly_rounded() {
    for (format, name, text) in [
        (Format::Bf16, "tanh", "all"),
        (Format::F16, "exp", "-1..1"),
        (Format::Bf16, "sigmoid", "all"),
    ] {
        let outcome = run_of(format, name, text, "correctly-rounded").expect("designs");
        let picked = &outcome.finalists[outcome.picked.expect("one rounds correctly")];
        let report = picked.report.as_ref().expect("searched");
        assert_eq!(
            (report.misrounded, report.undecided, report.faults),
            (0, 0, 0)
        );
        assert_eq!(u128::from(report.inputs), outcome.problem.inputs.count());
        assert_eq!(misrounded(&outcome, picked), [0f32; 0], "{name}");

        // Fault: a coefficient one unit in the last place of the format off.
        let mut faulty = Finalist {
            design: picked.design.clone(),
            candidate: picked.candidate.clone(),
            time: picked.time,
            operations: picked.operations,
            sampled: picked.sampled,
            worst: picked.worst,
            report: None,
            on_front: false,
        };
        faulty.candidate.coefficients[0].bits += 1 << (23 - format.fraction());
        let wrong = misrounded(&outcome, &faulty);
        assert!(!wrong.is_empty(), "{name}");
        assert!(everywhere(&outcome.problem, &faulty.candidate).misrounded > 0);
    }
}

/// Fault: where results are 0 the kernel computes with subnormal numbers, and half of all inputs take a processor several times as long.
#[test]
fn results_that_vanish_are_exactly_0() {
    for (name, part, below) in [
        ("exp", "squared, degree 4", -200f32),
        ("sigmoid", "squared, degree 4", -200.0),
        ("sigmoid", "1 - f(-x), power 32, degree 10", -100.0),
        ("gelu", "1 - f(-x), power 32, degree 10", -14.0),
        ("gelu", "squared, degree 4", -20.0),
    ] {
        let problem = problem_of(Format::Bf16, name, "all", "correctly-rounded");
        let sample = problem.sample(1000).expect("a sample");
        let designs = space::designs(&problem.aim(&sample)).expect("designs");
        let is = |d: &&Design| d.prim == Prim::F32 && d.describe().contains(part);
        let design = designs.iter().find(is).expect("such a design");
        let fit = candidates::Fits::default().of(design).expect("it fits");
        let coefficients = candidates::coefficients(design, &fit);
        let unit = design.unit("kernel", Vec::new(), &coefficients, Stage::Whole);
        let program = kernels_gen::lower(tree::kernel(&unit)).expect("it lowers");
        let xs = [below, 4.0 * below, f32::MIN, f32::NEG_INFINITY];
        let bits: Vec<u64> = xs.iter().map(|x| x.to_bits().into()).collect();
        let mut out = vec![Vec::new()];
        eval_batch(&program, &[&bits], &mut out);
        let vanish = out[0].iter().all(|y| y & 0x7fff_ffff == 0);
        assert!(vanish, "{}: {:x?}", design.describe(), out[0]);
    }
}

#[test]
fn an_exception_has_the_right_result_and_no_other_input_has_it() {
    let problem = problem_of(Format::F16, "exp", "-1..1", "correctly-rounded");
    let sample = problem.sample(0).expect("all inputs");
    let designs = space::designs(&problem.aim(&sample)).expect("designs");
    let is = |d: &&Design| d.describe() == "f32: degree 3, Horner";
    let mut design = designs.iter().find(is).expect("such a design").clone();
    let fit = candidates::Fits::default().of(&design).expect("it fits");
    let plain = candidates::candidate(&design, &fit).expect("it lowers");
    let before = everywhere(&problem, &plain);
    assert!(before.misrounded > 0);
    let x = number(before.examples[0]) as f32;
    design.exceptions = problem.results(&[x]);
    let with = candidates::candidate(&design, &fit).expect("it lowers");
    let after = everywhere(&problem, &with);
    assert_eq!(after.misrounded + 1, before.misrounded);
    assert!(!after.examples.contains(&before.examples[0]));
    // Fault: the result of the exception is a wrong one.
    design.exceptions[0].1 *= 1.01;
    let wrong = candidates::candidate(&design, &fit).expect("it lowers");
    assert_eq!(everywhere(&problem, &wrong).misrounded, before.misrounded);
}

#[test]
fn arguments_are_cut_off_where_results_are_constant() {
    let cut = |format, name: &str, tolerance: &str| {
        let problem = problem_of(format, name, "all", tolerance);
        let sample = problem.sample(1 << 14).expect("a sample");
        problem.saturation(&sample)
    };
    let tanh = cut(Format::F16, "tanh", "correctly-rounded");
    // tanh x rounds to 1 from 1 - 2^-12 on.
    let high = tanh.high.expect("an end");
    assert!((4.5..4.52).contains(&high), "{high}");
    assert_eq!(tanh.low, Some(-high));
    let exp = cut(Format::F16, "exp", "correctly-rounded");
    assert!(
        (11.08..11.1).contains(&exp.high.expect("an end")),
        "{exp:?}"
    );
    assert!(
        (-17.4..-17.3).contains(&exp.low.expect("an end")),
        "{exp:?}"
    );
    let coarse = cut(Format::F32, "tanh", "1e-3abs");
    assert!(
        (3.7..4.3).contains(&coarse.high.expect("an end")),
        "{coarse:?}"
    );
    let gelu = cut(Format::Bf16, "gelu", "correctly-rounded");
    assert_eq!(gelu.high, None, "{gelu:?}");
}

/// The polynomial of degree 7 misrounds some inputs until its coefficients are moved.
#[test]
fn a_hard_input_on_the_wrong_side_and_a_lost_one_are_noticed() {
    let problem = problem("exp", "0.5..0.6", "correctly-rounded");
    let stop = AtomicBool::new(false);
    let hard = correct::hard(&problem, &[], &stop, &Journal::default()).expect("some");
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
        all: false,
    };
    let clear = |h: &&mut dc_design::hard::Hard| h.beyond.abs() > 0.5 * hard.near;
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
        all: false,
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

/// In binary32, a design of tables has no coefficients to tune, so what it misrounds is left to exceptions.
#[test]
fn a_design_in_binary32_needs_its_exceptions() {
    let problem = problem("erf", "1..1.05", "correctly-rounded");
    let stop = AtomicBool::new(false);
    let hard = correct::hard(&problem, &[], &stop, &Journal::default()).expect("some");
    let all = problem_of(Format::F32, "erf", "all", "correctly-rounded");
    let sample = all.sample(1000).expect("a sample");
    let designs = space::designs(&all.aim(&sample)).expect("designs");
    let mut kept = 0;
    for mut design in designs {
        if !design.describe().contains("pieces") {
            continue;
        }
        let fit = candidates::Fits::default().of(&design).expect("it fits");
        let mut plain = candidates::candidate(&design, &fit).expect("it lowers");
        let before = everywhere(&problem, &plain);
        let tuned = correct::tune(&mut plain, &hard).expect("it runs");
        if before.misrounded == 0 || tuned.left.is_empty() {
            continue;
        }
        assert_eq!(tuned.left.len() as u64, before.misrounded, "{tuned:?}");
        if tuned.left.len() > correct::EXCEPTIONS {
            continue;
        }
        design.exceptions = problem.results(&tuned.left);
        let with = candidates::candidate(&design, &fit).expect("it lowers");
        let report = everywhere(&problem, &with);
        assert_eq!(
            (report.misrounded, report.undecided, report.faults),
            (0, 0, 0),
            "{}",
            design.describe()
        );
        // The written kernel has them.
        let about = About {
            name: "erf_f32".into(),
            head: Vec::new(),
            doc: Vec::new(),
        };
        let file = source::file(&design, &with.coefficients, &about);
        for (i, (at, result)) in design.exceptions.iter().enumerate() {
            for (name, x) in [("EXCEPTION", at), ("RESULT", result)] {
                let bits = f64::from(*x).to_bits();
                let line = format!("{name}_{i}: f64 = f64::from_bits(0x{bits:016x})");
                assert!(file.contains(&line), "{line}: {file}");
            }
        }
        // Fault: the last exception is dropped.
        let dropped = design.exceptions.pop().expect("one");
        let without = candidates::candidate(&design, &fit).expect("it lowers");
        let report = everywhere(&problem, &without);
        assert_eq!(report.misrounded, 1);
        assert_eq!(number(report.examples[0]) as f32, dropped.0);
        kept += 1;
    }
    assert!(kept > 0, "no design needs an exception here");
}

/// gelu x = x/2 + 0.4 x²: of a subnormal number it is a middle of two results, or just above one.
#[test]
fn gelu_of_subnormal_numbers_is_beyond_the_middle_in_bfloat16() {
    let problem = problem_of(
        Format::Bf16,
        "gelu",
        "-1.1e-38..1.1e-38",
        "correctly-rounded",
    );
    let xs: Vec<f32> = problem
        .inputs
        .sample(0)
        .iter()
        .map(|&k| number(k) as f32)
        .collect();
    let unit = 2f64.powi(-133);
    let places = |x: f32| (f64::from(x).abs() / unit) as u32;
    let mut ties = 0;
    for (x, y) in problem.results(&xs) {
        let n = places(x);
        assert!(n < 128);
        let right = if x > 0.0 { n.div_ceil(2) } else { n / 2 };
        let right = ((f64::from(right) * unit) as f32).copysign(x);
        assert_eq!(y.to_bits(), right.to_bits(), "{x:e}");
        // Half of x, with ties to even, is another number.
        ties += u64::from(n % 4 == if x > 0.0 { 1 } else { 3 });
    }
    assert!(ties > 50, "{ties}");

    // Fault: the kernel is half of x. The judge names each of these inputs, and is in doubt about none.
    let sample = problem.sample(0).expect("all inputs");
    let designs = space::designs(&problem.aim(&sample)).expect("designs");
    let is = |d: &&Design| d.prim == Prim::F64 && d.form == Form::NoConstant && d.terms == 1;
    let design = designs.iter().find(is).expect("such a design");
    let fit = candidates::Fits::default().of(design).expect("it fits");
    let mut half = candidates::candidate(design, &fit).expect("it lowers");
    half.coefficients[0].bits = 0.5f64.to_bits();
    let report = everywhere(&problem, &half);
    assert_eq!(
        (report.misrounded, report.undecided, report.faults),
        (ties, 0, 0)
    );

    // A design of all numbers rounds them correctly, with no coefficient tuned for it.
    let c = candidate_of(Format::Bf16, "gelu", "all", Prim::F64, |d| {
        d.contains("1 - f(-x), power 4") && d.contains("degree 5")
    });
    let report = everywhere(&problem, &c);
    assert_eq!(
        (report.misrounded, report.undecided, report.faults),
        (0, 0, 0)
    );
}

/// `1/2 + x/4` is the middle of two results for x = 65 2^-23, and the sigmoid is `x³/48` beside it. Below -88, the power of e is above all
/// numbers of binary32, and the results are subnormal.
#[test]
fn the_sigmoid_is_on_the_right_side_of_middles() {
    let all = problem("sigmoid", "all", "correctly-rounded");
    let sample = all.sample(1000).expect("a sample");
    let designs = space::designs(&all.aim(&sample)).expect("designs");
    let takes = |d: &&Design| d.describe() == "f64: 2^(k/16), 2 words, degree 7, Horner";
    let design = designs.iter().find(takes).expect("such a design");
    let fit = candidates::Fits::default().of(design).expect("it fits");
    let candidate = candidates::candidate(design, &fit).expect("it lowers");
    for near in [
        "0x1p-17..0x1.08p-17",
        "-0x1.08p-17..-0x1p-17",
        "-100.01..-100",
    ] {
        let report = everywhere(&problem("sigmoid", near, "correctly-rounded"), &candidate);
        assert_eq!((report.misrounded, report.faults), (0, 0), "{near}");
    }
}
