//! `compare` of functions of several numbers: errors, times and bits side by side, all at the same sample.

use std::hint::black_box;
use std::time::{Duration, Instant};

use serde_json::json;

use super::differ::Differences;
use super::format::Format;
use super::function::Function;
use super::named::{Candidates, candidates};
use super::reference::Reference;
use super::sample::{Sample, about};
use super::search::{self, Length, Task};
use super::tally::Tally;
use super::text::{Found, inputs_are, percent};
use crate::args::CompareArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::progress::short;
use crate::speed::{self, Call, MEASURED, ROUNDS, Speed};
use crate::{exit, interrupt};
use dc_runtime::model::library::SeveralFunction;
use dc_runtime::model::several::Several;
use dc_runtime::model::{machine, show};

/// Compares functions of several numbers, if one of the candidates is such a function.
pub fn compare(args: &CompareArgs, context: &mut Context) -> Option<Result<(), Failure>> {
    match candidates(&args.candidates, "compare").transpose()? {
        Ok(candidates) => Some(compared(args, &candidates, context)),
        Err(e) => Some(Err(e)),
    }
}

/// The results of a sample for each candidate: its errors, and its differences from the first candidate.
type Both = Vec<(Tally, Differences)>;

fn compared(
    args: &CompareArgs,
    candidates: &Candidates<'_>,
    context: &mut Context,
) -> Result<(), Failure> {
    let types = candidates.types;
    refuse(args, types)?;
    let Some(name) = &args.computes else {
        return Err(Failure::input(format!(
            "functions of {types} need the function that they are meant to compute: --computes FUNCTION, such as --computes {}",
            Function::named_first(types)
        )));
    };
    let reference = Reference::of(Function::named(name, types)?, types)?;
    let functions = candidates.open(context)?;
    let format = Format::of(types.number);
    let in_mpfr = matches!(reference, Reference::Function(Function::Complex(_)));
    let sample = Sample::new(types, about(types, in_mpfr));
    let stop = interrupt::stop("stopping; the results so far follow");
    let length = Length {
        threads: args.threads.unwrap_or_else(machine::cores),
        time: Some(Duration::from_secs_f64(args.time * functions.len() as f64)),
        stop: &stop,
    };
    let speeds = speeds(&functions, &sample)?;
    let begun = Instant::now();
    let one = |task: &Task, found: &mut Both| {
        let columns = task.columns(types);
        let values = reference.values(format, &task.tuples, types)?;
        let mut first = None;
        for (function, (tally, differences)) in functions.iter().zip(found) {
            let results = function.eval(&columns)?;
            tally.add_all(types, task, &results, &values);
            let first = first.get_or_insert_with(|| results.clone());
            differences.add_all(types, task, [first, &results]);
        }
        Ok(())
    };
    let empty = || {
        let one = |_| {
            let tally = Tally::new(types.results(), sample.strata());
            (tally, Differences::default())
        };
        functions.iter().map(one).collect()
    };
    let merge = |all: &mut Both, other: Both| {
        for (own, other) in all.iter_mut().zip(other) {
            own.0.merge(other.0);
            own.1.merge(other.1);
        }
    };
    let done = search::over(&sample, &length, &empty, &one, merge)?;
    let found: Vec<Measured<'_>> = functions
        .iter()
        .zip(&done.found)
        .zip(&speeds)
        .map(|((function, (tally, differences)), speed)| Measured {
            name: function.full_name(),
            found: Found {
                function,
                reference: &reference,
                sample: &sample,
                tally,
                rounds: done.rounds,
                seconds: begun.elapsed().as_secs_f64(),
                stopped: done.stopped,
            },
            differences,
            speed,
        })
        .collect();
    match context.json {
        true => context.out.json(&json!({
            "signature": types.to_string(),
            "reference": reference.describe(),
            "exhaustive": false,
            "rounds": ROUNDS,
            "candidates": found.iter().enumerate().map(document).collect::<Vec<_>>(),
        }))?,
        false => print(&found, types, context)?,
    }
    if done.stopped {
        context.note("stopped; nothing is known about the other inputs");
        return Err(Failure::silent(exit::STOPPED));
    }
    Ok(())
}

/// What is known about a candidate.
struct Measured<'a> {
    name: String,
    found: Found<'a>,
    differences: &'a Differences,
    speed: &'a Speed,
}

/// Refuses options that have no meaning here.
fn refuse(args: &CompareArgs, types: Several) -> Result<(), Failure> {
    let given = [
        ("--range", args.range.is_some()),
        ("--against-expression", args.against_expression.is_some()),
        ("--contract", args.contract.is_some()),
        ("--compiler-flag", !args.compiler_flag.is_empty()),
    ];
    match given.iter().find(|g| g.1) {
        None => Ok(()),
        Some((option, _)) => Err(Failure::input(format!(
            "{option}: functions of {types} are called in libraries with a stratified sample, and compared with --computes FUNCTION; leave it \
             out, and give --time for a larger sample"
        ))),
    }
}

/// The time per value of each function, with the same number of tuples of each stratum.
fn speeds(functions: &[SeveralFunction], sample: &Sample) -> Result<Vec<Speed>, Failure> {
    let each = MEASURED / sample.strata() as u64;
    let of = |stratum: usize| {
        let count = each.min(sample.count(0, stratum));
        (0..count).map(move |n| sample.at((0, stratum, n)))
    };
    let task = Task {
        first: (0, 0, 0),
        tuples: (0..sample.strata()).flat_map(of).collect(),
    };
    let Some(first) = functions.first() else {
        return Ok(Vec::new());
    };
    let columns = &task.columns(first.types());
    let call = |function| {
        let function: &SeveralFunction = function;
        let call: Call<'_> = Box::new(move || {
            black_box(function.eval(black_box(columns))?);
            Ok(())
        });
        call
    };
    let mut calls: Vec<Call<'_>> = functions.iter().map(call).collect();
    speed::in_turn(&mut calls, task.tuples.len())
}

fn print(found: &[Measured<'_>], types: Several, context: &mut Context) -> Result<(), Failure> {
    let parts = types.parts();
    // If there is one result, the columns need no name.
    let named = |of: &str, part: &str| match parts.len() {
        1 => of.to_string(),
        _ => format!("{part} {of}"),
    };
    let mut heading = vec!["candidate".to_string()];
    heading.extend(parts.iter().map(|part| named("ULP", part)));
    heading.extend(parts.iter().map(|part| named("misrounded", part)));
    let last = ["ns/value", "ratio", "quartiles", "other bits"];
    heading.extend(last.map(String::from));
    let mut rows = vec![heading];
    for (i, m) in found.iter().enumerate() {
        let parts = &m.found.tally.parts;
        let mut row = vec![m.name.clone()];
        let worst = |p: &super::tally::Part| p.worst.as_ref().map(|w| short(w.error));
        row.extend(parts.iter().map(|p| worst(p).unwrap_or("none".into())));
        row.extend((parts.iter()).map(|p| {
            percent(
                p.measured.saturating_sub(p.nearest + p.undecided),
                p.measured,
            )
        }));
        let s = m.speed;
        row.push(format!("{:.3}", s.nanoseconds));
        row.push(format!("{:.2}", s.ratio));
        row.push(format!("{:.2}..{:.2}", s.quartiles[0], s.quartiles[1]));
        let d = m.differences;
        row.push(match i {
            0 => String::new(),
            _ => percent(d.differing, d.inputs),
        });
        rows.push(row);
    }
    let Some(first) = found.first() else {
        return Ok(());
    };
    let mut head = vec![format!(
        "{} candidates, {} {}, a stratified sample (not exhaustive)",
        found.len(),
        show::count(first.found.tally.inputs.into()),
        inputs_are(types)
    )];
    head.push(format!(
        "reference     {}",
        first.found.reference.describe()
    ));
    for line in head {
        context.out.line(&show::plain(&line))?;
    }
    context.out.table(&rows)?;
    for line in lines(found, types) {
        context.out.line(&show::plain(&line))?;
    }
    Ok(())
}

/// The worst inputs, faults and first differences of each candidate.
fn lines(found: &[Measured<'_>], types: Several) -> Vec<String> {
    let mut lines = Vec::new();
    let parts = |m: &Measured<'_>| -> Vec<(String, super::tally::Part)> {
        let name = |part: &str| match types.results() {
            1 => m.name.clone(),
            _ => format!("{} ({part})", m.name),
        };
        let parts = types.parts().iter().map(|part| name(part));
        parts.zip(m.found.tally.parts.iter().cloned()).collect()
    };
    for (name, worst, m) in found.iter().flat_map(|m| {
        let parts = parts(m).into_iter();
        parts.filter_map(move |(name, part)| Some((name, part.worst?, m)))
    }) {
        lines.push(format!(
            "worst         {name}: {} ULP at {}",
            short(worst.error),
            m.found.arguments(worst.place)
        ));
    }
    for m in found {
        for (name, part) in parts(m) {
            let faults = m.found.faults(&part).into_iter();
            lines.extend(faults.map(|fault| format!("faults        {name}: {fault}")));
        }
    }
    for m in found {
        if let Some((place, both)) = m.differences.first {
            lines.push(format!(
                "first         {}: at {} it gives {}, and {} gives {}",
                m.name,
                m.found.arguments(place),
                m.found.results(both[1]),
                found[0].name,
                m.found.results(both[0])
            ));
        }
    }
    lines.push(format!(
        "time          {ROUNDS} rounds in turn on one thread, in processes of their own; ns/value of the fastest turn, the ratio of times within a \
         round"
    ));
    lines
}

fn document((i, m): (usize, &Measured<'_>)) -> serde_json::Value {
    let found = &m.found;
    let d = m.differences;
    let first = d.first.map(|(place, both)| {
        json!({
            "input": found.place_json(place),
            "results": both.map(|words| found.words(&words[..found.types().results()])),
        })
    });
    let bits = json!({
        "inputs": d.inputs,
        "differing": d.differing,
        "first": first,
    });
    json!({
        "name": m.name,
        "inputs": found.tally.inputs,
        "parts": found.parts_json(),
        "nanoseconds": m.speed.nanoseconds,
        "ratio": m.speed.ratio,
        "ratio_quartiles": m.speed.quartiles,
        "bits": if i == 0 { None } else { Some(bits) },
    })
}
