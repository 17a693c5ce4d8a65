//! `compare`: the errors, the time and the bits of several candidates for one function, side by side.

mod as_c;

use std::time::Duration;

use serde_json::json;

use crate::args::{BackendArgs, CompareArgs, LiftedArgs};
use crate::context::Context;
use crate::failure::Failure;
use crate::library::{self, Compiled};
use crate::meant::{Meant, Purpose};
use crate::named::{Named, inputs_of, is_of_source, named};
use crate::progress::short;
use crate::speed::{self, ROUNDS, Speed};
use crate::{exit, interrupt, lifted, results, several};
use dc_runtime::model::block::{FLAG_EXCLUDED, Worst};
use dc_runtime::model::candidate::Candidate;
use dc_runtime::model::function::Function;
use dc_runtime::model::{machine, show};
use dc_runtime::search::differ::{Differences, compare_sample};
use dc_runtime::search::engine::Stop;
use dc_runtime::search::evaluator::PointEvaluator;
use dc_runtime::search::format::share;
use dc_runtime::search::plan::Plan;
use dc_runtime::search::range::Range;
use dc_runtime::search::sample::{Sample, Wanted};
use dc_runtime::search::timed::{self, Timed, TimedError};
use dc_runtime::search::ulp::Definition;
use dc_runtime::sweep::Sweep;

/// The number of inputs whose results are compared with those of the first candidate.
const COMPARED: u64 = 1 << 20;

/// What is known about a candidate.
struct Measured {
    found: Timed,
    /// The worst input, of its own search or of another candidate's search.
    worst: Option<Worst>,
    /// The speed; `None` if a kernel cannot be called.
    speed: Option<Speed>,
    /// Its results compared with those of the first candidate.
    differences: Option<Differences>,
}

pub(super) fn compare(args: &CompareArgs, context: &mut Context) -> Result<(), Failure> {
    if let Some(compared) = several::compare(args, context) {
        return compared;
    }
    let all = candidates(args, context)?;
    one_function(&all)?;
    let space = all[0].sweep.inputs().whole();
    let text = args.range.as_deref().unwrap_or(all[0].sweep.range());
    let range = Range::parse(text, space).map_err(|e| Failure::input(e.to_string()))?;
    let plan = Plan::new(range.clone(), None).map_err(|e| Failure::input(e.to_string()))?;
    let all: Vec<Named> = all
        .into_iter()
        .map(|n| Named {
            sweep: n.sweep.over(range.space()),
            ..n
        })
        .collect();
    let stop = interrupt::stop("stopping; the results so far follow");

    let speeds = match callable(&all, context) {
        Ok(timed) => {
            let speeds = speed::of_candidates(&timed, (&all[0].sweep, &range))?;
            speeds.into_iter().map(Some).collect()
        }
        Err(e) => {
            context.note(&format!("no times: {e}"));
            vec![None; all.len()]
        }
    };
    let mut measured = Vec::new();
    for (i, speed) in speeds.into_iter().enumerate() {
        let sweep = &all[i].sweep;
        let fastest = BackendArgs {
            backend: vec!["fastest".into()],
            threads: args.threads,
        };
        let devices = context.devices(&fastest, sweep, &plan)?;
        let time = Duration::from_secs_f64(args.time);
        let found = timed::search(sweep, &range, &devices, time, &stop, &mut |_| {});
        let found = found.map_err(|e| match e {
            TimedError::Engine(e) => Failure::from(e),
            e => Failure::input(e.to_string()),
        })?;
        let differences = match i {
            0 => None,
            _ => Some(differences([&all[0].sweep, sweep], &range, args, &stop)?),
        };
        measured.push(Measured {
            worst: found.worst,
            found,
            speed,
            differences,
        });
    }
    at_all_worst(&all, &mut measured)?;
    if context.json {
        let candidates: Vec<_> = all.iter().zip(&measured).map(document).collect();
        context.out.json(&json!({
            "range": text,
            "of_inputs": results::count(range.count()),
            "rounds": ROUNDS,
            "candidates": candidates,
        }))?;
    } else {
        print(&all, &measured, (&range, text), context)?;
    }
    if stop.asked() {
        context.note("stopped; nothing is known about the other inputs");
        return Err(Failure::silent(exit::STOPPED));
    }
    Ok(())
}

/// The candidates as functions that are all called in the same way.
///
/// # Errors
/// The reason why a kernel cannot be called.
fn callable(all: &[Named], context: &mut Context) -> Result<Vec<Candidate>, String> {
    let mut timed = Vec::new();
    for named in all {
        let candidate = *named.sweep.candidate();
        timed.push(match candidate.kernel() {
            None => candidate,
            Some(k) => {
                as_c::function(k.kernel, context).map_err(|e| format!("{}: {e}", named.name))?
            }
        });
    }
    Ok(timed)
}

/// The candidates, each with a reference.
fn candidates(args: &CompareArgs, context: &mut Context) -> Result<Vec<Named>, Failure> {
    let of_sources = args.candidates.iter().any(|c| is_of_source(c));
    let for_sources = args.contract.is_some() || !args.compiler_flag.is_empty();
    if for_sources && !of_sources {
        return Err(Failure::input(
            "--contract and --compiler-flag are for functions of sources, such as exp.c:my_exp, and no candidate is one",
        ));
    }
    let meant = Meant::compare(args);
    let mut all = Vec::new();
    for text in &args.candidates {
        all.push(match is_of_source(text) {
            true => of_source(text, args, context)?,
            false => named(text, context)?,
        });
    }
    if all.iter().all(|n| n.judged) && !of_sources && meant.is_given() {
        return Err(Failure::input(
            "--computes and --against-expression are for functions of libraries, devices and sources; each sweep has a reference",
        ));
    }
    inputs_of(&all)?;
    let first = all.iter().find(|n| n.judged).map(|n| n.sweep);
    for named in all.iter_mut().filter(|n| !n.judged) {
        let sweep = named.sweep;
        let (reference, function) = match (meant.is_given(), first) {
            (true, _) => (
                meant.reference(sweep.inputs(), Purpose::Search)?,
                meant.function()?,
            ),
            (false, Some(judged)) => of_sweep(&judged)?,
            (false, None) => {
                return Err(Failure::input(
                    "no candidate has a reference: name the function that they compute with --computes, such as --computes exp",
                ));
            }
        };
        let judged =
            Sweep::accuracy_only(sweep.name(), *sweep.candidate(), reference, sweep.range());
        named.sweep = function.map_or(judged, |f| judged.of(f));
        named.judged = true;
    }
    Ok(all)
}

/// The reference of a sweep for functions that are not kernels, and its function.
fn of_sweep(judged: &Sweep) -> Result<(Compiled, Option<Function>), Failure> {
    let function = results::function_of(judged);
    if let Some(known) = function.and_then(|f| library::by_formula(f.name())) {
        return Ok((library::against(known.name, judged.inputs())?, function));
    }
    // A kernel that gives a scale as well is for kernels alone.
    match judged.reference().kernel().is_some() && judged.reference().words() == 3 {
        false => Ok((*judged.reference(), function)),
        true => Err(Failure::input(format!(
            "the reference of `{}` is only for kernels: name the function that the others compute with --computes, such as --computes exp",
            judged.name()
        ))),
    }
}

/// A function of a source.
fn of_source(text: &str, args: &CompareArgs, context: &mut Context) -> Result<Named, Failure> {
    let meant = Meant::compare(args);
    if !meant.is_given() {
        return Err(Failure::input(
            "functions of sources need the function that they are meant to compute: --computes FUNCTION, or --against-expression EXPRESSION",
        ));
    }
    let source = LiftedArgs {
        lift: Some(text.into()),
        contract: args.contract,
        compiler_flag: args.compiler_flag.clone(),
        ..LiftedArgs::default()
    };
    match lifted::sweep(&source, (meant, Purpose::Search), None, context)? {
        Some(sweep) => Ok(Named {
            name: text.into(),
            sweep,
            judged: true,
        }),
        None => Err(Failure::input(format!("`{text}` is not a function"))),
    }
}

/// Refuses candidates for two different functions.
fn one_function(all: &[Named]) -> Result<(), Failure> {
    let mut known = all
        .iter()
        .filter_map(|n| Some((&n.name, results::function_of(&n.sweep)?.name())));
    let Some((first, function)) = known.next() else {
        return Ok(());
    };
    match known.find(|(_, other)| *other != function) {
        None => Ok(()),
        Some((name, other)) => Err(Failure::input(format!(
            "`{first}` computes {function} and `{name}` {other}: candidates for one function are compared",
        ))),
    }
}

/// Compares the results of two candidates at a sample.
fn differences(
    [a, b]: [&Sweep; 2],
    range: &Range,
    args: &CompareArgs,
    stop: &Stop,
) -> Result<Differences, Failure> {
    let sample = Sample::of(a, range, &Wanted::of(a, COMPARED));
    let threads = args.threads.unwrap_or_else(machine::cores);
    let found = compare_sample([a.candidate(), b.candidate()], &sample, threads, stop);
    found.map_err(|e| Failure::input(e.to_string()))
}

/// Evaluates every candidate at the worst inputs of all candidates, since their searches took different samples.
fn at_all_worst(all: &[Named], measured: &mut [Measured]) -> Result<(), Failure> {
    let keys: Vec<i64> = (measured.iter())
        .filter_map(|m| Some(m.worst.as_ref()?.key))
        .collect();
    for (named, m) in all.iter().zip(measured) {
        let points = PointEvaluator::plain(&named.sweep).evaluate(&keys)?;
        for p in points.iter().filter(|p| p.flags & FLAG_EXCLUDED == 0) {
            let worse = (m.worst.as_ref()).is_none_or(|w| p.error.abs() > w.error);
            if worse && p.error.is_finite() {
                m.worst = Some(p.worst(named.sweep.precision()));
            }
        }
    }
    Ok(())
}

/// The way in which results are computed.
fn how(of: &Candidate) -> &'static str {
    match of {
        Candidate::Kernel(_) => "as C, one by one, in a process of its own",
        Candidate::Host(_) => "one by one",
        Candidate::Library(_) => "one by one, in a process of its own",
        Candidate::Device(_) => "on the device, with transfers",
        _ => "in another way",
    }
}

fn print(
    all: &[Named],
    measured: &[Measured],
    (range, text): (&Range, &str),
    context: &mut Context,
) -> Result<(), Failure> {
    let heading = [
        "candidate",
        "ULP",
        "at",
        "misrounded",
        "inputs",
        "ns/value",
        "ratio",
        "quartiles",
        "other bits",
    ];
    let mut rows = vec![heading.map(String::from).to_vec()];
    let percent = |part, of| format!("{:.4} %", 100.0 * share(part, of));
    for (named, m) in all.iter().zip(measured) {
        let r = &m.found.result;
        let worst = m.worst.as_ref();
        let error = worst.map_or("none".into(), |w| short(w.error));
        let time = |text: fn(&Speed) -> String| m.speed.as_ref().map_or(String::new(), text);
        rows.push(vec![
            named.name.clone(),
            error,
            worst.map_or(String::new(), |w| range.space().decimal(w.key)),
            percent(r.misrounded, r.count),
            match m.found.exhaustive {
                true => "all".into(),
                false => show::count(r.count.into()),
            },
            time(|s| format!("{:.3}", s.nanoseconds)),
            time(|s| format!("{:.2}", s.ratio)),
            time(|s| format!("{:.2}..{:.2}", s.quartiles[0], s.quartiles[1])),
            (m.differences.as_ref()).map_or(String::new(), |d| percent(d.differing, d.inputs)),
        ]);
    }
    let out = &mut context.out;
    out.line(&show::plain(&format!(
        "{} candidates over {text}, {} inputs",
        all.len(),
        show::count(range.count())
    )))?;
    out.table(&rows)?;
    for (named, m) in all.iter().zip(measured) {
        if let Some(faults) = results::faults(range.space(), &m.found.result) {
            out.line(&show::plain(&format!(
                "faults        {}: {faults}",
                named.name
            )))?;
        }
    }
    for (named, m) in all.iter().zip(measured) {
        if let Some(first) = m.differences.as_ref().and_then(|d| d.first.as_ref()) {
            let p = range.space().precision();
            let [own, other] = first.results.map(|bits| show::decimal(p, bits));
            out.line(&show::plain(&format!(
                "first         {}: at {} it gives {other}, and {} gives {own}",
                named.name,
                range.space().show(first.key),
                all[0].name
            )))?;
        }
    }
    out.line(&format!(
        "time          {ROUNDS} rounds in turn on one thread; ns/value of the fastest turn, the ratio of times within a round"
    ))?;
    let rows: Vec<Vec<String>> = (all.iter().enumerate())
        .map(|(i, named)| {
            let head = if i == 0 { "called" } else { "" };
            let text = format!("{}: {}", named.name, how(named.sweep.candidate()));
            vec![format!("{head:12}"), text]
        })
        .collect();
    out.columns(&rows)?;
    Ok(())
}

fn document((named, m): (&Named, &Measured)) -> serde_json::Value {
    let sweep = &named.sweep;
    let p = sweep.precision();
    json!({
        "name": named.name,
        "reference": sweep.reference().name(),
        "called": how(sweep.candidate()),
        "inputs": m.found.result.count,
        "exhaustive": m.found.exhaustive,
        "worst": m.worst.as_ref().map(|w| results::worst(sweep.inputs(), w, Definition::Handbook)),
        "result": results::result(sweep.inputs(), &m.found.result, sweep.measure()),
        "nanoseconds": m.speed.map(|s| s.nanoseconds),
        "ratio": m.speed.map(|s| s.ratio),
        "ratio_quartiles": m.speed.map(|s| s.quartiles),
        "bits": m.differences.as_ref().map(|d| json!({
            "inputs": d.inputs,
            "differing": d.differing,
            "first": d.first.as_ref().map(|at| json!({
                "input": results::input(sweep.inputs(), at.key),
                "results": at.results.map(|bits| results::word(p, bits)),
            })),
        })),
    })
}
