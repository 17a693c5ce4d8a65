//! `run` and `resume`: a search into a run file.

mod claim;
mod property;
mod sampled;
mod timed;

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::json;

use crate::args::{BackendArgs, GroupArgs, ResumeArgs, RunArgs};
use crate::context::{Context, shell};
use crate::failure::Failure;
use crate::progress::{self, Display};
use crate::shard::shard;
use crate::state::begun;
use crate::{
    device, exit, fpcore, interrupt, library, lifted, meant, mpfr, outside, results, several,
};
use dc_runtime::model::candidate::Candidate;
use dc_runtime::model::measure::Measure;
use dc_runtime::model::show;
use dc_runtime::search::engine::{self, Device, Groups, Outcome};
use dc_runtime::search::format::share;
use dc_runtime::search::mount;
use dc_runtime::search::plan::Plan;
use dc_runtime::search::run::{self, Settings};
use dc_runtime::search::run_file::{Reader, RunFileError, Writer};
use dc_runtime::search::shard::Shard;
use dc_runtime::search::ulp::Definition;
use dc_runtime::sweep::Sweep;

pub(super) fn run(args: &RunArgs, context: &mut Context) -> Result<(), Failure> {
    if let Some(types) = several::asked(&args.outside)? {
        return several::run(args, types, context);
    }
    // A run file names the library of its candidate.
    let kept = args
        .outside
        .lifted
        .lift
        .as_deref()
        .filter(|_| args.time.is_none() && !args.properties.are_asked());
    let kept = kept.map(|lift| lifted::beside(args.out.as_deref(), lift));
    let outside = outside::sweep(&args.outside, kept.as_deref(), context)?;
    if let Some(file) = kept.filter(|_| outside.is_some()) {
        context.note(&format!(
            "the compiled original is kept as {}",
            file.display()
        ));
    }
    let sweep = match (&outside, &args.sweep) {
        (Some(sweep), _) => sweep,
        (None, name) => context.sweep(name.as_deref().unwrap_or_default())?,
    };
    note_environment(sweep, context);
    let sweep = sweep.measuring(args.metric.unwrap_or(args.measure));
    let (plan, text) = context.plan(&sweep, &args.range)?;
    let mut sweep = sweep.over(plan.range().space());
    if let Some(reason) = sweep.why_not_measured() {
        return Err(Failure::input(reason));
    }
    if let Some(properties) = property::asked(&args.properties, &sweep)? {
        let threads = args.backend.threads;
        return property::check(&properties, &sweep, (plan.range(), &text), threads, context);
    }
    meant::note_accuracy(&sweep, plan.range(), context);
    if args.mpfr {
        let computes = args.outside.computes.as_deref();
        sweep = mpfr::in_place_of_the_reference(&sweep, computes, plan.range(), context)?;
    }
    let sweep = &sweep;
    if let Some(seconds) = args.time {
        return timed::run(args, seconds, sweep, (&plan, &text), context);
    }
    let definition = context.definition(&args.ulp, sweep.types(), sweep.measure())?;
    if let Some(shards) = args.shards {
        return claim::claim(args, shards, sweep, (&plan, &text), context);
    }
    let shard = shard(args.shard, "--shard")?;
    let path = args
        .out
        .clone()
        .unwrap_or_else(|| default_path(sweep, shard));
    let there = std::fs::symlink_metadata(&path).is_ok();
    // This is checked before the backends are measured, which takes a moment.
    if there && !args.go_on {
        return Err(RunFileError::Exists(path).into());
    }
    context.identity(sweep)?;
    note_locks(&path, shard, context);
    if there {
        let mut writer = run::open(&path, sweep)?;
        same_run(&writer, sweep, &plan, shard)?;
        let devices = devices_for(&writer, sweep, &args.backend, context)?;
        let settings = (&args.group, definition);
        return go_on(&mut writer, sweep, devices, settings, context);
    }
    let devices = context.devices(&args.backend, sweep, &plan)?;
    if sweep.measure() == Measure::Maxima {
        // No file is made of a run that cannot begin.
        for device in &devices {
            engine::load(&*device.backend, sweep)?;
        }
    }
    let mut writer = run::create(&path, sweep, &text, plan, shard)?;
    go_on(
        &mut writer,
        sweep,
        devices,
        (&args.group, definition),
        context,
    )
}

pub(super) fn resume(args: &ResumeArgs, context: &mut Context) -> Result<(), Failure> {
    let header = Reader::open(&args.file)?.header().clone();
    let of_file = |e: Failure| Failure::input(format!("{}: {}", args.file.display(), e.message));
    let outside = match library::sweep_of(&header).map_err(of_file)? {
        None => match device::sweep_of(&header, context).map_err(of_file)? {
            None => fpcore::sweep_of(&header).map_err(of_file)?,
            of_device => of_device,
        },
        of_library => of_library,
    };
    let sweep = match &outside {
        Some(sweep) => sweep,
        None => context.sweep(&header.identity.sweep).map_err(of_file)?,
    };
    let sweep = mpfr::as_in_file(&sweep.over(header.space()), &header)?;
    let sweep = &sweep.measuring(header.identity.measure());
    let definition = context.definition(&args.ulp, sweep.types(), sweep.measure())?;
    note_environment(sweep, context);
    note_locks(&args.file, header.shard, context);
    let mut writer = run::open(&args.file, sweep)?;
    let devices = devices_for(&writer, sweep, &args.backend, context)?;
    go_on(
        &mut writer,
        sweep,
        devices,
        (&args.group, definition),
        context,
    )
}

/// The devices for the open part of a run file; none if the file is complete.
fn devices_for(
    writer: &Writer,
    sweep: &Sweep,
    backend: &BackendArgs,
    context: &mut Context,
) -> Result<Vec<Device>, Failure> {
    let (done, _, _) = writer.total();
    let own = writer.header().own_blocks();
    if done == own.end - own.start {
        return Ok(Vec::new());
    }
    let plan = writer.header().plan.clone();
    context.devices(backend, sweep, &plan)
}

/// Checks that a file to continue belongs to the run and the shard that the arguments name.
pub(super) fn same_run(
    writer: &Writer,
    sweep: &Sweep,
    plan: &Plan,
    shard: Shard,
) -> Result<(), Failure> {
    let header = writer.header();
    let of_file = header.identity.measure();
    let text = |plan: &Plan, shard: Shard, measure: Measure| {
        let (range, log2) = (plan.range().to_string(), plan.log2());
        let measure = measure.name();
        format!("shard {shard} of {range} in blocks of 2^{log2}, measure {measure}")
    };
    if header.plan == *plan && header.shard == shard && of_file == sweep.measure() {
        return Ok(());
    }
    Err(Failure::input(show::plain(&format!(
        "{}: it is {}, and {} is wanted; name another file, or move this one away",
        writer.path().display(),
        text(&header.plan, header.shard, of_file),
        text(plan, shard, sweep.measure())
    ))))
}

/// Reports a file system on which a second task with the same index would not be noticed.
fn note_locks(path: &Path, shard: Shard, context: &mut Context) {
    if !shard.is_whole()
        && let Some(why) = mount::local_locks_of_file(path)
    {
        context.note(&format!(
            "{}: {why}: a second task with this shard on another machine would not be noticed, and would damage the file",
            path.display()
        ));
    }
}

/// Reports a library that changes the floating-point environment of its process.
fn note_environment(sweep: &Sweep, context: &mut Context) {
    if let Candidate::Library(f) = sweep.candidate()
        && let Some(environment) = f.changed_environment()
    {
        context.note(&format!(
            "{}: loading it changes the floating-point environment of the thread to {environment}; `{}` is called in the \
             default one, and may give other results in a program that keeps the library's",
            f.object().path.display(),
            f.symbol()
        ));
    }
}

pub(super) fn default_path(sweep: &Sweep, shard: Shard) -> PathBuf {
    // A symbol may contain any characters.
    let plain = |c: char| c.is_alphanumeric() || "._-+@$".contains(c);
    let name = sweep.name().replace(|c| !plain(c), "_");
    if shard.is_whole() {
        format!("{name}.crunch").into()
    } else {
        format!("{name}.{}-of-{}.crunch", shard.index(), shard.count()).into()
    }
}

fn go_on(
    writer: &mut Writer,
    sweep: &Sweep,
    devices: Vec<Device>,
    (group, definition): (&GroupArgs, Definition),
    context: &mut Context,
) -> Result<(), Failure> {
    let stop = interrupt::stop("stopping; the searched blocks are kept");
    let path = writer.path().to_path_buf();
    let before = *writer.total().1;
    let outcome = if devices.is_empty() {
        None
    } else {
        let settings = Settings {
            devices: devices.clone(),
            groups: Groups {
                blocks: usize::try_from(group.group).unwrap_or(usize::MAX),
                time: Duration::from_secs_f64(group.group_seconds),
            },
            command: context.command_line.clone(),
        };
        let mut display = Display::new(group.quiet, sweep.name(), sweep.inputs(), before)
            .measuring(sweep.measure())
            .advising();
        Some(run::proceed(writer, sweep, &settings, &stop, &mut |p| {
            display.show(p, &mut *context.err);
        })?)
    };
    let complete = outcome.as_ref().is_none_or(|o| o.complete);
    let ids: Vec<String> = devices.iter().map(|d| d.backend.id().into()).collect();
    if context.json {
        say_json(writer, sweep, &ids, outcome.as_ref(), definition, context)?;
    } else if !group.quiet {
        say(writer, sweep, &ids, outcome.as_ref(), definition, context)?;
    }
    if complete {
        return results::lanes_agree([sweep]);
    }
    if !writer.is_in_place() {
        return Err(RunFileError::Removed(path).into());
    }
    context.note(&format!(
        "stopped; `{} resume {}` continues",
        context.program,
        shell(&path)
    ));
    Err(Failure::silent(exit::STOPPED))
}

fn say(
    writer: &Writer,
    sweep: &Sweep,
    ids: &[String],
    outcome: Option<&Outcome>,
    definition: Definition,
    context: &mut Context,
) -> Result<(), Failure> {
    let header = writer.header();
    let (blocks, result, worst) = writer.total();
    let own = header.own_blocks();
    let of = own.end - own.start;
    let head = match outcome {
        Some(o) => {
            let seconds = o.progress.elapsed.as_secs_f64();
            let rate = o.progress.inputs as f64 / seconds.max(1e-9);
            format!(
                "{}: {} inputs on {} in {} ({})",
                header.identity.sweep,
                show::count(o.progress.inputs.into()),
                ids.join(" + "),
                show::seconds(seconds),
                progress::rate(rate)
            )
        }
        None => format!("{}: complete already", header.identity.sweep),
    };
    context.out.line(&head)?;
    let shard = if header.shard.is_whole() {
        String::new()
    } else {
        format!(", shard {}", header.shard)
    };
    context.out.line(&format!(
        "range         {}{shard}: {} of {} blocks of 2^{}",
        header.range_text,
        show::count(blocks.into()),
        show::count(of.into()),
        header.plan.log2()
    ))?;
    if let Some(line) = begun(writer.parts(), header.space(), header.identity.measure()) {
        context.out.line(&line)?;
    }
    if let Some(why) = header.identity.accuracy_only() {
        context.out.line(&format!("accuracy only {why}"))?;
    }
    if let (Measure::Maxima, Some(o)) = (sweep.measure(), outcome) {
        context.out.line(&format!(
            "reference     evaluated at {} of these inputs ({:.2} %); a polynomial decided the others",
            show::count(o.in_full.into()),
            100.0 * share(o.in_full, o.progress.inputs)
        ))?;
    }
    for line in results::lines(header.space(), result, worst, definition) {
        context.out.line(&line)?;
        if let Some(o) = outcome.filter(|_| line.starts_with("undecided")) {
            let decided = results::decided(sweep, &o.undecided, None);
            let line = results::decided_line(header.space(), result, &decided);
            context.out.line(&line)?;
        }
        if line.starts_with("faults") {
            for line in results::whose(sweep, result) {
                context.out.line(&line)?;
            }
            if let Some(exact) = results::exact_line(sweep, header.plan.range()) {
                context.out.line(&show::plain(&exact))?;
            }
        }
    }
    if let Some(lanes) = outcome.and_then(|_| results::lanes_line(sweep)) {
        context.out.line(&show::plain(&lanes))?;
    }
    context.out.line(&show::plain(&format!(
        "run file      {}",
        writer.path().display()
    )))?;
    Ok(())
}

fn say_json(
    writer: &Writer,
    sweep: &Sweep,
    ids: &[String],
    outcome: Option<&Outcome>,
    definition: Definition,
    context: &mut Context,
) -> Result<(), Failure> {
    let header = writer.header();
    let (blocks, result, worst) = writer.total();
    let own = header.own_blocks();
    context.out.json(&json!({
        "sweep": header.identity.sweep,
        "lanes": outcome.and_then(|_| results::lanes(sweep)),
        "accuracy_only": header.identity.accuracy_only().is_some(),
        "file": writer.path().display().to_string(),
        "range": header.range_text,
        "pairs": header.space().of_pairs().map(|p| p.size()),
        "sample": header.space().is_sample(),
        "shard": header.shard.to_string(),
        "blocks": blocks,
        "of_blocks": own.end - own.start,
        "block_inputs": 1u64 << header.plan.log2(),
        "complete": blocks == own.end - own.start,
        "backends": ids,
        "begun_inputs": writer.parts().iter().map(|r| r.result.count).sum::<u64>(),
        "inputs": outcome.map_or(0, |o| o.progress.inputs),
        "reference_evaluated": outcome.map(|o| match header.identity.measure() {
            Measure::Maxima => o.in_full,
            _ => o.progress.inputs,
        }),
        "seconds": outcome.map_or(0.0, |o| o.progress.elapsed.as_secs_f64()),
        "result": results::result(header.space(), result, header.identity.measure()),
        "decided": outcome.map(|o| {
            results::decided_json(header.space(), &results::decided(sweep, &o.undecided, None))
        }),
        "exact": results::exact_json(sweep, header.plan.range()),
        "worst": worst.map(|w| results::worst(header.space(), w, definition)),
    }))?;
    Ok(())
}
