//! `design`: the fastest kernel of a function that meets a tolerance.

mod certificate;
mod picture;
mod shared;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use dc_design::search::{self, Finalist, Outcome, Request};
use dc_design::source;
use dc_design::spec::{Format, Tolerance, Unit};
use serde_json::json;

use shared::{cannot, json_number, shown, up};

use crate::args::DesignArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::folder::Temporary;
use crate::{exit, interrupt, whole};
use dc_runtime::builtins::reference::Reference;
use dc_runtime::model::key::Precision;
use dc_runtime::model::{machine, show};
use dc_runtime::search::range::{Range, quote};

pub(super) fn design(args: &DesignArgs, context: &mut Context) -> Result<(), Failure> {
    let function = Reference::by_name(&args.function).map_err(|e| Failure::input(e.to_string()))?;
    if function.function.arguments() != 1 {
        return Err(Failure::input(format!(
            "`{}` is a function of two arguments, and designs are of one",
            function.name
        )));
    }
    let format = Format::by_name(&args.precision).ok_or_else(|| {
        Failure::input(format!(
            "--precision {}: designs are of f64, f32, f16 and bf16",
            quote(&args.precision)
        ))
    })?;
    if let Some(file) = &args.plot {
        super::plot::kind_of_file(file, &["svg", "png"], "the front")?;
    }
    let tolerance = Tolerance::parse(&args.within).map_err(Failure::input)?;
    if format == Format::F64 {
        provable(function.name, tolerance)?;
    } else if args.certificate.is_some() {
        return Err(Failure::input(
            "--certificate is of designs in f64: every input of the other formats is run",
        ));
    }
    let precision = match format {
        Format::F64 => Precision::F64,
        _ => Precision::F32,
    };
    let range = Range::parse(&args.range, precision).map_err(|e| Failure::input(e.to_string()))?;
    let temporary = Temporary::new("design")?;
    let start = Instant::now();
    let asked = interrupt::stop("stopping; the best so far follows");
    let (stop, done) = (AtomicBool::new(false), AtomicBool::new(false));
    let quiet = args.quiet;
    let progress = move |text: &str| {
        if !quiet {
            eprintln!(
                "{:6.1} s  {}",
                start.elapsed().as_secs_f64(),
                show::plain(text)
            );
        }
    };
    let request = Request {
        function,
        range,
        format,
        tolerance,
        folder: temporary.0.clone(),
        stop: &stop,
        progress: &progress,
        finalists: args.finalists.into(),
        proof: args.proof,
    };
    let outcome = std::thread::scope(|scope| {
        scope.spawn(|| {
            let late = || args.time.is_some_and(|t| start.elapsed().as_secs_f64() > t);
            while !done.load(Ordering::Relaxed) {
                if asked.asked() || late() {
                    stop.store(true, Ordering::Relaxed);
                }
                std::thread::sleep(Duration::from_millis(20));
            }
        });
        let outcome = search::search(&request);
        done.store(true, Ordering::Relaxed);
        outcome
    })
    .map_err(Failure::input)?;
    let chosen = match args.pick {
        None => outcome.picked,
        Some(n) => Some(picked(n, &outcome)?),
    };
    let name = args
        .name
        .clone()
        .unwrap_or_else(|| format!("{}_{}", function.name, format.name()));
    let seconds = start.elapsed().as_secs_f64();
    let suite = chosen.map(|i| suite(&outcome, &outcome.finalists[i], &name, args));
    // A search is long: what it found is printed even if a file cannot be written.
    let mut failed = None;
    let (mut written, mut unwritten) = (None, None);
    if let (Some(i), Some(file), Some(suite)) = (chosen, &args.output, &suite) {
        let text = text(&outcome, &outcome.finalists[i], &name, suite, args, context);
        match whole::write(file, &text) {
            Ok(()) => written = Some(file.display().to_string()),
            Err(e) => {
                let failure = cannot("the kernel", &file.display().to_string(), &e);
                kept(Err::<(), _>(failure), &mut failed);
                unwritten = Some(text);
            }
        }
    }
    if let Some(file) = &args.plot {
        kept(picture::draw(&outcome, &args.range, file), &mut failed);
    }
    let certified = match (chosen, &args.certificate) {
        (Some(i), Some(file)) => {
            let certified = certificate::write(&outcome.finalists[i], file, context);
            kept(certified, &mut failed)
        }
        _ => None,
    };
    if context.json {
        let mut document = document(
            &outcome,
            chosen,
            written.as_deref(),
            suite.as_deref(),
            seconds,
        );
        if let Some(certified) = &certified {
            document["certificate"] = certified.document();
        }
        context.out.json(&document)?;
    } else {
        print(
            &outcome,
            chosen,
            written.as_deref(),
            suite.as_deref(),
            seconds,
            context,
        )?;
        if let Some(certified) = &certified {
            context.out.line(&certified.text())?;
        }
        if let Some(text) = &unwritten {
            context.out.line("the kernel, which is in no file:")?;
            context.out.line(text)?;
        }
    }
    if let Some(failure) = failed {
        return Err(failure);
    }
    if stop.load(Ordering::Relaxed) {
        return Err(Failure::silent(exit::STOPPED));
    }
    match chosen {
        Some(_) => Ok(()),
        None => Err(Failure::silent(exit::FINDING)),
    }
}

/// Refuses what is not proven in binary64.
fn provable(function: &str, tolerance: Tolerance) -> Result<(), Failure> {
    if dc_design::proof::law(function).is_none() {
        return Err(Failure::input(format!(
            "`{function}` has no known derivatives, so no design of it in f64 is proven; --precision f32 runs every input"
        )));
    }
    match tolerance {
        Tolerance::Within(_, Unit::Ulp | Unit::Relative) => Ok(()),
        _ => Err(Failure::input(format!(
            "--within {tolerance}: errors in f64 are proven in ULP; name `0.51ulp` or `1e-6rel`"
        ))),
    }
}

/// The design with that number in the table.
fn picked(number: usize, outcome: &Outcome) -> Result<usize, Failure> {
    let shown: Vec<usize> = shown(outcome).collect();
    let at = number.checked_sub(1).and_then(|n| shown.get(n));
    at.copied().ok_or_else(|| {
        Failure::input(format!(
            "--pick {number}: the table has the designs 1 to {}",
            shown.len()
        ))
    })
}

/// The value, or nothing with the failure beside those before it.
fn kept<T>(result: Result<T, Failure>, failed: &mut Option<Failure>) -> Option<T> {
    let failure = match result {
        Ok(value) => return Some(value),
        Err(failure) => failure,
    };
    match failed {
        None => *failed = Some(failure),
        Some(first) => first.message += &format!("\nerror: {}", failure.message),
    }
    None
}

/// The suite's line that holds the kernel.
fn suite(outcome: &Outcome, f: &Finalist, name: &str, args: &DesignArgs) -> String {
    let function = outcome.problem.function.name;
    let limit = match outcome.problem.tolerance {
        Tolerance::Within(_, Unit::Ulp) => format!(", within {}", up(f.error())),
        Tolerance::Correct => ", within 0.5".into(),
        // A suite measures errors in ULP.
        Tolerance::Within(..) => String::new(),
    };
    format!(
        "{name}: {name}, computes {function}, over \"{}\"{limit};",
        args.range
    )
}

/// Inputs whose value is too close to the middle of two results for the reference, as they are said behind those that are misrounded.
fn undecided(inputs: u64) -> String {
    match inputs {
        0 => String::new(),
        n => format!(", {} not decided", show::count(n.into())),
    }
}

/// What is known of a design's error, in words.
fn known(outcome: &Outcome, f: &Finalist) -> String {
    let unit = outcome.problem.tolerance.unit().name();
    let all = outcome.problem.inputs.count();
    if let Some(p) = f.report.as_ref().and_then(|r| r.proof.as_ref()) {
        return certificate::known(p, all, outcome.problem.tolerance.unit());
    }
    match &f.report {
        Some(r) if f.complete(all) => format!(
            "largest error {} {unit} at {}, {} of {} inputs misrounded{}",
            up(r.largest),
            r.worst.map_or("no input".into(), |k| outcome
                .problem
                .range
                .space()
                .decimal(k)),
            show::count(r.misrounded.into()),
            show::count(all),
            undecided(r.undecided)
        ),
        Some(r) => format!(
            "largest error {} {unit} at {} of {} inputs: the search was stopped",
            up(f.error()),
            show::count(r.inputs.into()),
            show::count(all)
        ),
        None => format!("largest error {} {unit} on a sample", up(f.error())),
    }
}

fn text(
    outcome: &Outcome,
    f: &Finalist,
    name: &str,
    suite: &str,
    args: &DesignArgs,
    context: &Context,
) -> String {
    let command = context.command_line.clone();
    let function = outcome.problem.function;
    let about = source::About {
        name: name.into(),
        head: vec![
            format!(
                "{} on {} in {}, made by",
                function.function, args.range, args.precision
            ),
            String::new(),
            format!("    {command}"),
            String::new(),
            format!("{}.", known(outcome, f)),
            format!(
                "{:.3} ns for each value on {}: {}.",
                f.time,
                machine::processor(),
                outcome.by.describe()
            ),
            String::new(),
            "In a suite:".into(),
            String::new(),
            format!("    {suite}"),
        ],
        doc: vec![
            format!(
                "`{}` on {}: {}.",
                function.function,
                args.range,
                known(outcome, f)
            ),
            String::new(),
            format!("{}.", f.design.describe()),
        ],
    };
    source::file(&f.design, &f.candidate.coefficients, &about)
}

fn print(
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
    let line = format!(
        "{} in {} at {} inputs, {}: {} designs, {} of them evaluated, {} timed",
        problem.function.function,
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
            // What is rounded to nearest is seen where errors are in ULP.
            .filter(|_| unit == "ULP" && proof.is_none())
            .map_or(String::new(), |r| show::count(r.misrounded.into()));
        let error = match f.error() {
            e if e.is_finite() => up(e),
            _ => "a fault".into(),
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
    context.out.table(&rows)?;
    context
        .out
        .line(&format!("times: {}", outcome.by.describe()))?;
    match (chosen, suite) {
        (Some(i), Some(suite)) => {
            let f = &outcome.finalists[i];
            context.out.line(&format!("* {}", known(outcome, f)))?;
            context.out.line(&format!("suite: {suite}"))?;
        }
        _ => {
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

fn document(
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
        "function": outcome.problem.function.name,
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
            "errorOnSample": json_number(r.error),
        })).collect::<Vec<_>>(),
        "picked": chosen.and_then(|c| shown(outcome).position(|i| i == c)).map(|n| n + 1),
        "kernel": written,
        "suite": suite,
        "seconds": seconds,
    })
}
