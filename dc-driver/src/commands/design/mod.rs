//! `design`: the fastest kernel of a function that meets a tolerance.

mod again;
mod asked;
mod certificate;
mod picture;
mod report;
mod shared;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use dc_design::journal::Journal;
use dc_design::search::{self, Finalist, Outcome, Request};
use dc_design::source;
use dc_design::spec::{Format, Tolerance, Unit};

use again::Old;
use asked::Asked;
use report::known;
use shared::{shown, up};

use crate::args::DesignArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::folder::Temporary;
use crate::{exit, interrupt, whole};
use dc_runtime::model::{machine, show};

pub(super) fn design(mut args: DesignArgs, context: &mut Context) -> Result<(), Failure> {
    let mut place = None;
    if let Some(file) = args.again.take() {
        let old = Old::read(&file, args.output.is_none(), context.sweeps)?;
        place = Some(old.place());
        args = old.with(args);
    }
    let asked = Asked::read(&args, context.sweeps)?;
    if let Some(file) = &args.plot {
        crate::plot::file::kind_of_file(file, &["svg", "png"], "the front")?;
    }
    if asked.format != Format::F64 && args.certificate.is_some() {
        return Err(Failure::input(
            "--certificate is for designs in f64: in the other formats, every input is run",
        ));
    }
    let command = asked.command(args.output.as_deref());
    if let Some(place) = place {
        context.note(&format!("{place}: now {command}"));
    }
    let journal = match &args.journal {
        None => Journal::default(),
        Some(file) => Journal::open(file).map_err(|why| {
            let file = show::plain(&file.display().to_string());
            Failure::input(format!("--journal {file}: {why}"))
        })?,
    };
    let temporary = Temporary::new("design")?;
    let start = Instant::now();
    let stopped = interrupt::stop("stopping; the best so far follows");
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
        subject: asked.subject,
        range: asked.range.clone(),
        format: asked.format,
        tolerance: asked.tolerance,
        variable: asked.variable.clone(),
        fused: asked.fused,
        target: asked.target,
        clock: asked.clock,
        folder: temporary.0.clone(),
        stop: &stop,
        progress: &progress,
        finalists: asked.finalists.into(),
        proof: asked.proof,
        journal: &journal,
    };
    let outcome = std::thread::scope(|scope| {
        scope.spawn(|| {
            let late = || args.time.is_some_and(|t| start.elapsed().as_secs_f64() > t);
            while !done.load(Ordering::Relaxed) {
                if stopped.asked() || late() {
                    stop.store(true, Ordering::Relaxed);
                }
                std::thread::sleep(Duration::from_millis(20));
            }
        });
        let outcome = search::search(&request);
        done.store(true, Ordering::Relaxed);
        outcome
    })
    .map_err(|why| match stop.load(Ordering::Relaxed) {
        true => {
            journaled(&journal, args.journal.as_deref(), true, context);
            Failure {
                code: exit::STOPPED,
                message: why,
            }
        }
        false => Failure::input(why),
    })?;
    let chosen = match asked.pick {
        None if args.certificate.is_some() => certificate::pick(&outcome),
        None => outcome.picked,
        Some(n) => Some(picked(n, &outcome)?),
    };
    let seconds = start.elapsed().as_secs_f64();
    let suite = chosen.and_then(|i| suite(&outcome, &outcome.finalists[i], &asked));
    // A search is long: what it found is printed even if a file cannot be written.
    let mut failed = None;
    let (mut written, mut unwritten) = (None, None);
    if let (Some(i), Some(file)) = (chosen, &args.output) {
        let f = &outcome.finalists[i];
        let text = text(&outcome, f, suite.as_deref(), &asked, &command);
        let name = file.display().to_string();
        let done =
            whole::write(file, &text).map_err(|e| whole::not_written("the kernel", &name, &e));
        match kept(done, &mut failed) {
            Some(()) => written = Some(name),
            None => unwritten = Some(text),
        }
    }
    if let Some(file) = &args.plot {
        kept(picture::draw(&outcome, &asked.written, file), &mut failed);
    }
    let certified = match (chosen, &args.certificate) {
        (Some(i), Some(file)) => {
            let certified = certificate::write(&outcome.finalists[i], file, context);
            kept(certified, &mut failed)
        }
        _ => None,
    };
    if context.json {
        let mut document = report::document(
            &outcome,
            chosen,
            written.as_deref(),
            suite.as_deref(),
            seconds,
        );
        document["command"] = command.into();
        if let Some(certified) = &certified {
            document["certificate"] = certified.document();
        }
        context.out.json(&document)?;
    } else {
        report::print(
            &outcome,
            chosen,
            written.as_deref(),
            suite.as_deref(),
            seconds,
            context,
        )?;
        if let (None, Some(i), Some(fastest)) = (asked.pick, chosen, outcome.picked)
            && i != fastest
        {
            context.out.line(&certificate::slower(&outcome, fastest))?;
        }
        if let Some(certified) = &certified {
            context.out.line(&certified.text())?;
        }
        if let Some(text) = &unwritten {
            context.out.line("the kernel, which is in no file:")?;
            context.out.line(text)?;
        }
    }
    journaled(
        &journal,
        args.journal.as_deref(),
        stop.load(Ordering::Relaxed),
        context,
    );
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

/// Reports how much the journal contributed.
fn journaled(journal: &Journal, file: Option<&Path>, stopped: bool, context: &mut Context) {
    let Some(file) = file else {
        if stopped {
            context.note("stopped before the end; with --journal FILE the same command would continue from there");
        }
        return;
    };
    let file = show::plain(&file.display().to_string());
    if journal.used() > 0 {
        let steps = show::count(journal.used().into());
        context.note(&format!("{file}: {steps} steps were known"));
    }
    if let Some(why) = journal.failed() {
        context.note(&format!("{file}: what was found could not be kept: {why}"));
    } else if stopped {
        context.note(&format!(
            "stopped before the end; the same command continues from {file}"
        ));
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

/// The value; or `None`, with the failure added to earlier ones.
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

/// The suite's line that holds the kernel; `None` if the tolerance is not in ULP, the unit of suites.
fn suite(outcome: &Outcome, f: &Finalist, asked: &Asked) -> Option<String> {
    let name = &asked.name;
    let judged = outcome.problem.subject.judged_by();
    let limit = match outcome.problem.tolerance {
        Tolerance::Within(_, Unit::Ulp) => up(f.error()),
        Tolerance::Correct => "0.5".into(),
        Tolerance::Within(..) => return None,
    };
    let range = &asked.written;
    Some(format!(
        "{name}: {name}, {judged}, over \"{range}\", within {limit};"
    ))
}

fn text(
    outcome: &Outcome,
    f: &Finalist,
    suite: Option<&str>,
    asked: &Asked,
    command: &str,
) -> String {
    let function = outcome.problem.subject.title();
    let (range, format) = (&asked.written, asked.format.name());
    let mut about = source::About {
        name: asked.name.clone(),
        head: vec![
            format!("{function} on {range} in {format}, made by"),
            // Without the fence, rustdoc takes an indented line for a test.
            "```text".into(),
            format!("    {command}"),
            "```".into(),
            String::new(),
            format!("{}.", known(outcome, f)),
            format!(
                "{:.3} ns for each value on {}: {}.",
                f.time,
                machine::processor(),
                outcome.by.describe()
            ),
        ],
        doc: vec![
            format!("`{function}` on {range}: {}.", known(outcome, f)),
            String::new(),
            format!("{}.", f.design.describe()),
        ],
    };
    if let Some(suite) = suite {
        let line = format!("    {suite}");
        let lines = ["", "In a suite:", "```text", &line, "```"];
        about.head.extend(lines.map(String::from));
    }
    source::file(&f.design, &f.candidate.coefficients, &about)
}
