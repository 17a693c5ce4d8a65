//! `verify`: the same inputs on every backend, compared block by block; if two differ, the first such input.

mod differ;
mod json;
mod row;
mod text;

use serde_json::json;

use crate::args::VerifyArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::progress::Display;
use crate::{exit, interrupt, lifted};
use dc_runtime::backend::{Backend, Speed, written};
use dc_runtime::model::block::BlockResult;
use dc_runtime::model::machine;
use dc_runtime::search::engine::{Device, Progress, Stop};
use dc_runtime::search::equivalence::{self, Agreement, Settings, Verdict};
use dc_runtime::search::plan::Plan;
use dc_runtime::search::range::Range;
use dc_runtime::search::sample::{Sample, Wanted};
use dc_runtime::sweep::Sweep;
use row::{Inputs, Row};

/// The size of the sample that is compared without `--range`.
const SAMPLE: u64 = 1 << 24;

/// The default number of inputs of a slow backend, and of stretches for each way of cutting: these take some seconds.
fn sample_cap(backend: &dyn Backend) -> Option<(u64, u64)> {
    match backend.speed() {
        Speed::Compiled => None,
        Speed::Interpreted => Some((1 << 18, 1 << 9)),
        Speed::Simulated => Some((1 << 12, 24)),
    }
}

pub(super) fn verify(args: &VerifyArgs, context: &mut Context) -> Result<(), Failure> {
    let lifted = lifted::for_backends(&args.source, context)?;
    if !args.differ.is_empty() {
        return differ::differ(args, context);
    }
    let sweeps: Vec<&Sweep> = if let Some((sweep, _)) = &lifted {
        vec![sweep]
    } else if args.sweeps.is_empty() {
        context.sweeps.iter().collect()
    } else {
        let named = args.sweeps.iter().map(|n| context.sweep(n));
        named.collect::<Result<_, _>>()?
    };
    if args.mpfr {
        return crate::mpfr::check_references(&sweeps, args, context);
    }
    let mut kernels = Vec::new();
    for sweep in sweeps {
        if sweep.kernels().is_some() {
            kernels.push(sweep);
        } else {
            context.note(&format!(
                "{}: not compared, accuracy only: {}",
                sweep.name(),
                sweep.why_accuracy_only()
            ));
        }
    }
    let sweeps = kernels;
    if sweeps.is_empty() && !context.sweeps.is_empty() {
        return Err(Failure::input(
            "nothing to compare: all requested sweeps have functions of the host".to_string(),
        ));
    }
    let plans = sweeps
        .iter()
        .map(|s| inputs(s, args, context))
        .collect::<Result<Vec<_>, _>>()?;
    let mut discovery = context.backends(&args.backend)?;
    if lifted.is_some() {
        lifted::without_sets(&mut discovery, context);
    }
    let threads = args.threads.unwrap_or_else(machine::cores);
    let devices: Vec<Device> = discovery
        .backends
        .iter()
        .map(|b| Device::new(b.clone(), threads))
        .collect();
    let stop = interrupt::stop("stopping; the searched blocks are kept");
    let mut values = Vec::new();
    let mut found = false;
    for (sweep, inputs) in sweeps.iter().zip(&plans) {
        let sweep = &sweep.over(inputs.whole.space());
        // The function that the kernel stands beside is the first, with which all others are compared.
        let original = lifted.as_ref().map(|l| l.1.clone());
        let written = written::of(sweep).or(original);
        let written = written.map(|b| Device::new(b, threads));
        let devices: Vec<Device> = written.into_iter().chain(devices.iter().cloned()).collect();
        let rows = compare(sweep, inputs, args, &devices, &stop, context)?;
        found |= rows.iter().any(|r| r.difference().is_some());
        found |= !inputs.findings(sweep, &rows).1.is_empty();
        if context.json {
            values.push(json::document(sweep, inputs, &rows, &discovery));
        } else {
            text::print(sweep, inputs, &rows, &discovery, context)?;
        }
        if stop.asked() {
            break;
        }
    }
    if context.json {
        context.out.json(&json!(values))?;
    }
    if found {
        return Err(Failure::silent(exit::FINDING));
    }
    if !discovery.refused.is_empty() {
        let ids: Vec<&str> = discovery.refused.iter().map(|r| r.0.as_str()).collect();
        return Err(Failure::unavailable(format!(
            "{} must not be trusted and was not compared; name the backends to compare with --backend, or repair it: \
             `{} doctor` reports what is wrong",
            ids.join(", "),
            context.program
        )));
    }
    if stop.asked() {
        context.note("stopped; nothing else was compared");
        return Err(Failure::silent(exit::STOPPED));
    }
    Ok(())
}

/// The inputs of a sweep that will be compared.
fn inputs(sweep: &Sweep, args: &VerifyArgs, context: &Context) -> Result<Inputs, Failure> {
    let (plan, text) = context.plan(sweep, &args.range)?;
    let whole = plan.range().clone();
    let given = args.range.range.is_some();
    let wanted = match args.inputs {
        None if given => u64::MAX,
        n => n.unwrap_or(SAMPLE),
    };
    Ok(Inputs {
        sample: Sample::of(sweep, &whole, &Wanted::of(sweep, wanted)),
        whole,
        text,
        // Pairs of special values are the first ones of every sample of pairs.
        edges: (!given || args.edges)
            .then_some(sweep.precision())
            .filter(|_| sweep.inputs().is_ordered())
            .map(Range::edges),
    })
}

/// Compares the fast backends with the first one on all inputs, and each slow one on a sample of them; and compares all backends on the
/// special values.
/// the edges.
fn compare(
    sweep: &Sweep,
    inputs: &Inputs,
    args: &VerifyArgs,
    devices: &[Device],
    stop: &Stop,
    context: &mut Context,
) -> Result<Vec<Row>, Failure> {
    let Some((first, others)) = devices.split_first() else {
        return Err(Failure::unavailable(format!(
            "no backend is available; `{} doctor` reports why",
            context.program
        )));
    };
    let sample = &inputs.sample;
    let slow = |d: &Device| {
        let most = sample_cap(&*d.backend).filter(|_| !args.slow)?;
        (u128::from(most.0) < sample.count()).then_some(most)
    };
    let mut quick = vec![first.clone()];
    quick.extend(others.iter().filter(|d| slow(d).is_none()).cloned());
    let mut rows: Vec<Row> = Vec::new();
    let row = |given: &[&Range]| {
        let given = given.iter().map(|r| r.count()).sum();
        move |agreement| Row {
            agreement,
            given,
            edges: None,
        }
    };
    let parts: Vec<&Range> = sample.parts().collect();
    let found = agree(sweep, &parts, args, &quick, stop, context)?;
    rows.extend(found.into_iter().map(row(&parts)));
    for d in others {
        let Some((most, stretches)) = slow(d) else {
            continue;
        };
        let wanted = Wanted {
            stretches,
            ..Wanted::of(sweep, most)
        };
        let few = Sample::of(sweep, &inputs.whole, &wanted);
        let parts: Vec<&Range> = few.parts().collect();
        let found = agree(
            sweep,
            &parts,
            args,
            &[first.clone(), d.clone()],
            stop,
            context,
        )?;
        rows.extend(found.into_iter().skip(1).map(row(&parts)));
    }
    // In the order of their discovery.
    let id = |a: &Agreement| devices.iter().position(|d| d.backend.id() == a.backend);
    rows.sort_by_key(|r| id(&r.agreement));
    if let Some(edges) = &inputs.edges {
        // A plain function may panic at inputs outside of its range, where lanes give some value: only lanes are compared there.
        let (function, lanes): (Vec<Device>, Vec<Device>) = devices
            .iter()
            .cloned()
            .partition(|d| d.backend.id() == written::ID);
        let mut found = agree(sweep, &[edges], args, &lanes, stop, context)?;
        let inside = edges.intersection(&inputs.whole);
        if let (Some(function), Some(first)) = (function.first(), lanes.first())
            && inside.count() > 0
        {
            let both = [function.clone(), first.clone()];
            found.extend(agree(sweep, &[&inside], args, &both, stop, context)?);
        }
        for a in found {
            let row = rows
                .iter_mut()
                .find(|r| r.agreement.backend == a.backend)
                // A difference stays, whichever of two comparisons found it.
                .filter(|r| r.edges.is_none() || matches!(a.verdict, Verdict::Differs(_)));
            if let Some(r) = row {
                r.edges = Some(a);
            }
        }
    }
    Ok(rows)
}

/// [`equivalence::compare_parts`] with a display of its progress.
fn agree(
    sweep: &Sweep,
    parts: &[&Range],
    args: &VerifyArgs,
    devices: &[Device],
    stop: &Stop,
    context: &mut Context,
) -> Result<Vec<Agreement>, Failure> {
    if stop.asked() {
        return Ok(Vec::new());
    }
    let plans = parts
        .iter()
        .map(|&range| Plan::new(range.clone(), args.range.block))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|e| Failure::input(e.to_string()))?;
    let mut shown: Option<(String, Display)> = None;
    let mut observe = |d: &Device, p: &Progress| {
        let id = d.backend.id();
        if shown.as_ref().is_none_or(|s| s.0 != id) {
            let label = format!("{} on {id}", sweep.name());
            let new = Display::new(args.quiet, &label, sweep.inputs(), BlockResult::EMPTY);
            shown = Some((id.into(), new));
        }
        if let Some((_, display)) = &mut shown {
            display.show(p, &mut *context.err);
        }
    };
    let settings = Settings::default();
    Ok(equivalence::compare_parts(
        sweep,
        &plans,
        devices,
        &settings,
        stop,
        &mut observe,
    )?)
}
