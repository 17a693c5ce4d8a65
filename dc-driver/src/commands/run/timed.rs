//! `run --time`: the largest error found in a given time, and the evidence for it.

use std::time::Duration;

use serde_json::json;

use super::sampled::Picture;
use crate::args::RunArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::progress::{Display, rate};
use crate::{exit, interrupt, results};
use dc_runtime::model::block::BlockResult;
use dc_runtime::model::show;
use dc_runtime::search::plan::Plan;
use dc_runtime::search::timed::{self, TimedError};
use dc_runtime::sweep::Sweep;

pub(super) fn run(
    args: &RunArgs,
    seconds: f64,
    sweep: &Sweep,
    (plan, text): (&Plan, &str),
    context: &mut Context,
) -> Result<(), Failure> {
    if args.out.is_some() || args.shard.is_some() {
        return Err(Failure::input(
            "--time writes no run file and has no shards: its sample is not the beginning of a complete search; leave out --out and --shard",
        ));
    }
    let picture = args.picture.as_deref();
    let picture = picture.map(|path| Picture::new(path, sweep, &args.ulp.ulp));
    let picture = picture.transpose()?;
    let definition = context.definition(&args.ulp, sweep.types(), sweep.measure())?;
    let devices = context.devices(&args.backend, sweep, plan)?;
    let stop = interrupt::stop("stopping; the results so far follow");
    let mut display = Display::new(
        args.group.quiet,
        sweep.name(),
        sweep.inputs(),
        BlockResult::EMPTY,
    )
    .measuring(sweep.measure());
    let time = Duration::from_secs_f64(seconds);
    let found = timed::search(sweep, plan.range(), &devices, time, &stop, &mut |p| {
        display.show(p, &mut *context.err);
    });
    drop(display);
    let found = found.map_err(|e| match e {
        TimedError::Engine(e) => Failure::from(e),
        e => Failure::input(e.to_string()),
    })?;
    let ids: Vec<&str> = devices.iter().map(|d| d.backend.id()).collect();
    if let Some(picture) = &picture {
        picture.draw(plan.range(), &found)?;
    }
    let (r, worst) = (&found.result, found.worst.as_ref());
    let (sampled, largest, strata) = &found.sample;
    // The rest of the time is the limit: for some functions MPFR would take several times as long.
    let rest = (seconds - found.seconds).max(seconds / 16.0);
    let rest = Duration::from_secs_f64(rest);
    let decided = results::decided(sweep, &found.undecided, Some(rest));
    if context.json {
        context.out.json(&json!({
            "sweep": sweep.name(),
            "range": text,
            "of_inputs": results::count(found.of),
            "exhaustive": found.exhaustive,
            "stopped": found.stopped,
            "seconds": found.seconds,
            "backends": ids,
            "sample": { "inputs": sampled, "max_error": results::error(*largest), "strata": strata },
            "around_worst": { "inputs": found.around, "rounds": found.rounds, "rounds_without_gain": found.idle },
            "levels": { "inputs": found.levels.0, "stretches": found.levels.1 },
            "combined": { "inputs": found.combined.inputs, "evaluated": found.combined.evaluated, "windows": found.combined.windows },
            "result": results::result(sweep.inputs(), r, sweep.measure()),
            "decided": results::decided_json(sweep.inputs(), &decided),
            "exact": results::exact_json(sweep, plan.range()),
            "worst": worst.map(|w| results::worst(sweep.inputs(), w, definition)),
            "picture": args.picture.as_ref().map(|path| path.display().to_string()),
        }))?;
    } else {
        let mut line = |text: String| context.out.line(&show::plain(&text));
        let inputs = show::count(r.count.into());
        line(format!(
            "{}: {} in {} on {} ({})",
            sweep.name(),
            match found.exhaustive {
                true => format!("all {inputs} inputs"),
                false => format!("{inputs} inputs"),
            },
            show::seconds(found.seconds),
            ids.join(" + "),
            rate(r.count as f64 / found.seconds.max(1e-9))
        ))?;
        line(format!("range         {text}"))?;
        if found.exhaustive {
            line("coverage      exhaustive: every input of the range".into())?;
        } else {
            line(format!(
                "coverage      {:.2e} of the range's {} inputs: not exhaustive",
                r.count as f64 / found.of as f64,
                show::count(found.of)
            ))?;
            line(format!(
                "  sample      {} inputs, the worst {} {}",
                show::count((*sampled).into()),
                crate::progress::short(*largest),
                sweep.measure().unit()
            ))?;
            if !strata.is_empty() {
                line(format!("              {strata}"))?;
            }
            if found.levels.0 > 0 {
                line(format!(
                    "  levels      {} further inputs for the levels of stretches; the best {} have windows",
                    show::count(found.levels.0.into()),
                    show::count(found.levels.1 as u128),
                ))?;
            }
            if found.rounds > 0 {
                let last = match found.idle {
                    0 => "the last found a worse one".to_string(),
                    1 => "the last found none worse".to_string(),
                    n => format!("the last {n} found none worse"),
                };
                line(format!(
                    "  climbing    {} inputs in {} rounds around the worst; {last}",
                    show::count(found.around.into()),
                    found.rounds,
                ))?;
            }
            let combined = found.combined;
            if combined.inputs > 0 {
                line(format!(
                    "  combining   {} combinations of inputs with large errors in {} windows; {} evaluated in full",
                    show::count(combined.inputs.into()),
                    show::count(combined.windows as u128),
                    show::count(combined.evaluated.into()),
                ))?;
            }
        }
        for text in results::lines(sweep.inputs(), r, worst, definition) {
            context.out.line(&text)?;
            if text.starts_with("undecided") {
                context
                    .out
                    .line(&results::decided_line(sweep.inputs(), r, &decided))?;
            }
            if text.starts_with("faults") {
                for text in results::whose(sweep, r) {
                    context.out.line(&text)?;
                }
                if let Some(exact) = results::exact_line(sweep, plan.range()) {
                    context.out.line(&show::plain(&exact))?;
                }
            }
        }
        if let Some(lanes) = results::lanes_line(sweep) {
            context.out.line(&show::plain(&lanes))?;
        }
        if let Some(path) = &args.picture {
            let text = show::plain(&format!("picture       {}", path.display()));
            context.out.line(&text)?;
        }
        if !found.exhaustive {
            context.out.line(
                "no run file: other inputs may have larger errors; `bound` computes an upper bound, `run` without --time searches all inputs",
            )?;
        }
    }
    match found.stopped {
        true => Err(Failure::silent(exit::STOPPED)),
        false => results::lanes_agree([sweep]),
    }
}
