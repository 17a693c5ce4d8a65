//! `exact` and `hunt` for a routine in binary32, or of numbers that are stored in 16 bits. All inputs are evaluated, which takes seconds,
//! so nothing remains to be proven.

use std::time::Duration;

use serde_json::json;

use crate::args::{BackendArgs, BoundArgs, ExactArgs, HuntArgs, RangeArgs};
use crate::context::Context;
use crate::failure::Failure;
use crate::{interrupt, progress, results};
use dc_runtime::model::block::{BlockResult, FaultKind, Worst};
use dc_runtime::model::show;
use dc_runtime::search::engine::{self, Device, Job, Stop};
use dc_runtime::search::plan::Plan;
use dc_runtime::search::record::Record;
use dc_runtime::search::sample::{STRETCHES, Sample, Wanted, seed};
use dc_runtime::search::ulp::Definition;
use dc_runtime::sweep::Sweep;

/// The number of inputs of the sample with which a hunt begins.
const SAMPLE: u64 = 1 << 22;

/// The number of inputs of a block of a large range, as a power of two.
const BLOCK: u32 = 24;

/// The result.
struct Found {
    result: BlockResult,
    worst: Option<Worst>,
    /// The number of inputs of the range.
    of: u128,
    /// Whether all of them were evaluated.
    all: bool,
    backends: String,
    seconds: f64,
}

pub(super) fn exact(args: &ExactArgs, context: &mut Context) -> Result<(), Failure> {
    let name = args.bound.name();
    if args.certificate.is_some() || args.shard.is_some() {
        return Err(Failure::input(format!(
            "{name} is in binary32 or fewer bits, so every input is run: there is no proof to certify or to share; `crunch run {name}` \
             keeps the results of each block in a run file, and takes --shard"
        )));
    }
    refuse_from(args.descent.from.as_deref(), name)?;
    search(&args.bound, args.time, args.descent.jobs, false, context)
}

pub(super) fn hunt(args: &HuntArgs, context: &mut Context) -> Result<(), Failure> {
    refuse_from(args.descent.from.as_deref(), args.bound.name())?;
    search(&args.bound, args.time, args.descent.jobs, true, context)
}

fn refuse_from(from: Option<&str>, name: &str) -> Result<(), Failure> {
    match from {
        None => Ok(()),
        Some(_) => Err(Failure::input(format!(
            "--from: {name} is in binary32 or fewer bits, so every input is run; leave it out"
        ))),
    }
}

fn search(
    args: &BoundArgs,
    time: f64,
    jobs: Option<usize>,
    hunt: bool,
    context: &mut Context,
) -> Result<(), Failure> {
    let sweep = context.sweep(args.name())?;
    let mut range = RangeArgs {
        range: args.range.clone(),
        block: None,
    };
    let (mut plan, text) = context.plan(sweep, &range)?;
    if plan.range().count() > 1 << (BLOCK + 4) {
        // At the end of the time, whole blocks are done.
        range.block = Some(BLOCK);
        plan = context.plan(sweep, &range)?.0;
    }
    let backend = BackendArgs {
        backend: vec!["fastest".into()],
        threads: jobs,
    };
    let devices = context.devices(&backend, sweep, &plan)?;
    let stop = interrupt::stop("stopping; the largest error so far follows");
    let mut found = Found {
        result: BlockResult::EMPTY,
        worst: None,
        of: plan.range().count(),
        all: false,
        backends: devices
            .iter()
            .map(|d| d.backend.id().to_string())
            .collect::<Vec<_>>()
            .join(" + "),
        seconds: 0.0,
    };
    let limit = Duration::from_secs_f64(time);
    if hunt && found.of > u128::from(2 * SAMPLE) {
        // A sample of the whole range, in case the time does not suffice for all of it.
        let wanted = Wanted {
            inputs: SAMPLE,
            stretches: STRETCHES,
            seed: seed(sweep.name()),
            known: &[],
        };
        let sample = Sample::of_stretches(sweep, plan.range(), &wanted);
        let spread = Plan::new(sample.range, None).map_err(|e| Failure::input(e.to_string()))?;
        run(sweep, &spread, &devices, limit, &stop, &mut found, context)?;
    }
    let before = found.seconds;
    let left = limit.saturating_sub(Duration::from_secs_f64(before));
    if !stop.asked() && left > Duration::ZERO {
        // The sample's inputs are evaluated again, and counted here.
        found.result = BlockResult::EMPTY;
        found.all = run(sweep, &plan, &devices, left, &stop, &mut found, context)?;
    }
    report(sweep, &text, &found, context)
}

/// Searches a plan. Returns whether all of it was searched.
fn run(
    sweep: &Sweep,
    plan: &Plan,
    devices: &[Device],
    limit: Duration,
    stop: &Stop,
    found: &mut Found,
    context: &mut Context,
) -> Result<bool, Failure> {
    let job = Job {
        limit: Some(limit),
        ..Job::new(sweep, plan, devices.to_vec())
    };
    let mut records: Vec<Record> = Vec::new();
    let quiet = BlockResult::EMPTY;
    let mut display = progress::Display::new(context.json, sweep.name(), sweep.inputs(), quiet);
    let outcome = engine::run(&job, &mut records, stop, &mut |p| {
        display.show(p, &mut *context.err);
    })?;
    found.seconds += outcome.progress.elapsed.as_secs_f64();
    for record in &records {
        found.result = found.result.merge(&record.result);
    }
    // Parts of unfinished blocks have no worst input.
    let largest = |w: &Worst| Definition::Handbook.of(w);
    let worst = records.iter().filter_map(|r| r.worst).chain(found.worst);
    found.worst = worst.max_by(|a, b| largest(a).total_cmp(&largest(b)));
    Ok(outcome.complete)
}

fn report(sweep: &Sweep, range: &str, found: &Found, context: &mut Context) -> Result<(), Failure> {
    let p = sweep.precision();
    let worst = found.worst.as_ref();
    let error = worst.map(|w| Definition::Handbook.of(w));
    let wrong: Vec<String> = FaultKind::ALL
        .iter()
        .zip(&found.result.faults)
        .filter(|(_, f)| f.count > 0)
        .map(|(kind, f)| format!("{} {}", show::count(f.count.into()), kind.name()))
        .collect();
    if context.json {
        let document = json!({
            "sweep": sweep.name(),
            "range": range,
            "inputs": results::count(found.of),
            "relative_to": relative(sweep),
            "exact": found.all,
            "lower": error.map_or(json!(null), results::error),
            "upper": error.filter(|_| found.all).map_or(json!(null), results::error),
            "input": worst.map_or(json!(null), |w| results::input(sweep.inputs(), w.key)),
            "result": worst.map_or(json!(null), |w| results::word(p, w.result_bits)),
            "evaluated": found.result.count,
            "faults": wrong,
            "backends": found.backends,
            "exact_seconds": found.seconds,
        });
        context.out.json(&document)?;
        return Ok(());
    }
    context.out.line(&format!(
        "{}: {} inputs of {range}",
        sweep.name(),
        show::count(found.of)
    ))?;
    let mut rows = vec![];
    let mut row = |name: &str, text: String| rows.push(vec![name.to_string(), text]);
    match (worst, error) {
        (Some(w), Some(error)) => {
            let claim = if found.all {
                "exact: every input was run"
            } else {
                "or more: not every input was run"
            };
            row("largest error", format!("{error:.12} ULP, {claim}"));
            row("  at", sweep.inputs().show(w.key));
            row("  result", show::full(p, w.result_bits));
        }
        _ => row("largest error", "none: no input has a defined error".into()),
    }
    row("  relative to", relative(sweep));
    if !wrong.is_empty() {
        row("faults", wrong.join(", "));
    }
    row(
        "time",
        format!(
            "{} on {}, {} inputs",
            show::seconds(found.seconds),
            found.backends,
            show::count(found.result.count.into())
        ),
    );
    context.out.columns(&rows)?;
    Ok(())
}

fn relative(sweep: &Sweep) -> String {
    format!("the reference `{}`", sweep.reference().name())
}
