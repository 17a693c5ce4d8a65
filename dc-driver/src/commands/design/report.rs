//! The report of a search: the table, the document, and what is known about a design, in words.

use dc_design::search::{Finalist, Outcome};
use dc_design::spec::Unit;
use serde_json::json;

use super::certificate;
use super::shared::{json_number, shown, up};
use crate::context::Context;
use crate::failure::Failure;
use dc_runtime::model::space::InputSpace as Space;
use dc_runtime::model::{machine, show};

/// The text for inputs whose value is too close to the middle between two results for the reference. It follows the number of misrounded
/// inputs.
fn undecided(inputs: u64) -> String {
    match inputs {
        0 => String::new(),
        n => format!(", {} not decided", show::count(n.into())),
    }
}

/// An error in the table. If results are wrong and have no error (such as a NaN in place of a number), their number and the first input are
/// shown instead.
fn cell(error: f64, faults: (u64, Option<i64>), space: Space) -> String {
    match faults {
        _ if error.is_finite() => up(error),
        (1, Some(key)) => format!("a fault at {}", space.decimal(key)),
        (n @ 2.., Some(key)) => {
            let first = space.decimal(key);
            format!("{} faults from {first} on", show::count(n.into()))
        }
        _ => "a fault".into(),
    }
}

/// What is known about a design's error, in words.
pub(super) fn known(outcome: &Outcome, f: &Finalist) -> String {
    let unit = outcome.problem.tolerance.unit().name();
    let all = outcome.problem.inputs.count();
    if let Some(p) = f.report.as_ref().and_then(|r| r.proof.as_ref()) {
        return certificate::known(p, all, outcome.problem.tolerance.unit());
    }
    match &f.report {
        Some(r) if f.complete(all) => {
            let space = outcome.problem.range.space();
            let at = r.worst.map_or("no input".into(), |k| space.decimal(k));
            let (error, count) = (up(r.largest), show::count(all));
            // Correctly rounded results are counted only if errors are in ULP.
            match outcome.problem.tolerance.unit() {
                Unit::Ulp => format!(
                    "largest error {error} {unit} at {at}, {} of {count} inputs misrounded{}",
                    show::count(r.misrounded.into()),
                    undecided(r.undecided)
                ),
                _ => format!("largest error {error} {unit} at {at}, of all {count} inputs"),
            }
        }
        Some(r) => format!(
            "largest error {} {unit} at {} of {} inputs: the search was stopped",
            up(f.error()),
            show::count(r.inputs.into()),
            show::count(all)
        ),
        None => format!("largest error {} {unit} on a sample", up(f.error())),
    }
}

/// Prints the table.
pub(super) fn print(
    outcome: &Outcome,
    chosen: Option<usize>,
    written: Option<&str>,
    suite: Option<&str>,
    seconds: f64,
    context: &mut Context,
) -> Result<(), Failure> {
    let problem = &outcome.problem;
    let unit = problem.tolerance.unit().name();
    let all = problem.inputs.count();
    let space = problem.range.space();
    let line = format!(
        "{} in {} at {} inputs, {}: {} designs, {} of them evaluated, {} timed",
        problem.subject.title(),
        problem.format.name(),
        show::count(all),
        problem.tolerance,
        outcome.designs.0,
        outcome.designs.1,
        outcome.timed
    );
    context.out.line(&line)?;
    for note in &outcome.notes {
        context.out.line(note)?;
    }
    let mut rows = vec![
        [
            "",
            "ns/value",
            &format!("largest error ({unit})"),
            "of",
            "misrounded",
            "operations",
            "design",
        ]
        .map(String::from)
        .to_vec(),
    ];
    for (number, i) in shown(outcome).enumerate() {
        let f = &outcome.finalists[i];
        let proof = f.report.as_ref().and_then(|r| r.proof.as_ref());
        let of = match &f.report {
            Some(_) if proof.is_some() => certificate::column(proof),
            Some(_) if f.complete(all) => "all".into(),
            Some(r) => show::count(r.inputs.into()),
            None => "a sample".to_string(),
        };
        let misrounded = f
            .report
            .as_ref()
            // Correctly rounded results are detected only if errors are in ULP.
            .filter(|_| unit == "ULP" && proof.is_none())
            .map_or(String::new(), |r| show::count(r.misrounded.into()));
        let error = match (&f.report, proof) {
            // A result that is not proven may still be right.
            (_, Some(p)) if !p.upper.is_finite() => "unknown".into(),
            (Some(r), _) => cell(f.error(), (r.faults, r.fault), space),
            (None, _) => cell(f.error(), (0, None), space),
        };
        rows.push(vec![
            format!(
                "{}{}",
                number + 1,
                if chosen == Some(i) { " *" } else { "" }
            ),
            format!("{:.3}", f.time),
            error,
            of,
            misrounded,
            f.operations.to_string(),
            f.design.describe(),
        ]);
    }
    for rival in &outcome.rivals {
        rows.push(vec![
            String::new(),
            format!("{:.3}", rival.time),
            cell(rival.error, rival.faults, space),
            match rival.inputs {
                Some(n) if u128::from(n) == all => "all".into(),
                Some(n) => show::count(n.into()),
                None => "a sample".into(),
            },
            String::new(),
            String::new(),
            rival.name.clone(),
        ]);
    }
    context.out.table(&rows)?;
    context
        .out
        .line(&format!("times: {}", outcome.by.describe()))?;
    match chosen {
        Some(i) => {
            let f = &outcome.finalists[i];
            context.out.line(&format!("* {}", known(outcome, f)))?;
            let suite = suite.unwrap_or("none, as a suite holds errors in ULP");
            context.out.line(&format!("suite: {suite}"))?;
        }
        None => {
            let least = outcome.finalists.iter().map(Finalist::error);
            let least = least.fold(f64::INFINITY, f64::min);
            let nearest = outcome.finalists.iter().find(|f| f.error() == least);
            let open = nearest
                .and_then(|f| f.report.as_ref())
                .map_or(0, |r| r.undecided);
            context.out.line(&format!(
                "no design is known to be within {}; the nearest has {} {unit}{}",
                problem.tolerance,
                up(least),
                undecided(open)
            ))?;
        }
    }
    if let Some(file) = written {
        context.out.line(&format!("kernel: {file}"))?;
    }
    context
        .out
        .line(&format!("{} in all", show::seconds(seconds)))?;
    Ok(())
}

/// The table as JSON.
pub(super) fn document(
    outcome: &Outcome,
    chosen: Option<usize>,
    written: Option<&str>,
    suite: Option<&str>,
    seconds: f64,
) -> serde_json::Value {
    let all = outcome.problem.inputs.count();
    let design = |(number, i): (usize, usize)| {
        let f = &outcome.finalists[i];
        json!({
            "number": number + 1,
            "design": f.design.describe(),
            "nanoseconds": f.time,
            "operations": f.operations,
            "error": json_number(f.error()),
            "errorOnSample": json_number(f.sampled),
            "onFront": f.on_front,
            "allInputs": f.complete(all),
            "meets": f.meets(&outcome.problem),
            "misrounded": f.report.as_ref().filter(|r| r.proof.is_none()).map(|r| r.misrounded),
            "undecided": f.report.as_ref().map(|r| r.undecided),
            "proof": f.report.as_ref().and_then(|r| r.proof.as_ref()).map(certificate::document),
            "faults": f.report.as_ref().map(|r| r.faults),
            "worst": f.report.as_ref().and_then(|r| r.worst).map(|k| outcome.problem.range.space().hex_float(k)),
            "coefficients": f.candidate.coefficients.iter().map(|c| format!("{:#x}", c.bits)).collect::<Vec<_>>(),
        })
    };
    json!({
        "function": outcome.problem.subject.name,
        "precision": outcome.problem.format.name(),
        "inputs": u64::try_from(all).unwrap_or(u64::MAX),
        "tolerance": outcome.problem.tolerance.to_string(),
        "unit": outcome.problem.tolerance.unit().name(),
        "designs": outcome.designs.0,
        "evaluated": outcome.designs.1,
        "timed": outcome.timed,
        "timesBy": outcome.by.describe(),
        "processor": machine::processor(),
        "notes": outcome.notes,
        "front": shown(outcome).enumerate().map(design).collect::<Vec<_>>(),
        "rivals": outcome.rivals.iter().map(|r| json!({
            "name": r.name,
            "nanoseconds": r.time,
            "error": json_number(r.error),
            "inputs": r.inputs,
            "faults": r.faults.0,
            "fault": r.faults.1.map(|k| outcome.problem.range.space().hex_float(k)),
        })).collect::<Vec<_>>(),
        "picked": chosen.and_then(|c| shown(outcome).position(|i| i == c)).map(|n| n + 1),
        "kernel": written,
        "suite": suite,
        "seconds": seconds,
    })
}
