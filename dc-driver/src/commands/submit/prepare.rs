//! Makes a job from the arguments: the numbers of tasks and shards, and the blocks of each.

use std::time::Duration;

use super::args::TaskArgs;
use super::job::{Claims, Job, plain};
use crate::context::Context;
use crate::failure::Failure;
use crate::{estimate, outside, progress};
use dc_runtime::model::measure::Measure;
use dc_runtime::model::show;
use dc_runtime::search::claim;
use dc_runtime::search::plan::{MIN_LOG2, Plan};
use dc_runtime::search::range::Range;
use dc_runtime::search::range::quote;
use dc_runtime::sweep::Sweep;

/// The job for the arguments, and a line about it.
pub(super) fn prepare(
    args: &TaskArgs,
    in_an_image: bool,
    context: &mut Context,
) -> Result<(Job, String), Failure> {
    if args.exact {
        return prepare_proof(args, in_an_image, context);
    }
    if let Some(lift) = &args.outside.lifted.lift {
        return Err(Failure::input(format!(
            "--lift compiles {} here, and tasks run elsewhere: give them a library, with --library",
            quote(lift)
        )));
    }
    let outside = outside::sweep(&args.outside, None, context)?;
    let sweep = match (&outside, &args.sweep) {
        (Some(sweep), _) => sweep,
        (None, name) => context.sweep(name.as_deref().unwrap_or_default())?,
    };
    let sweep = sweep.measuring(args.measure);
    let (mut plan, text) = context.plan(&sweep, &args.range)?;
    let sweep = &sweep.over(plan.range().space());
    let rate = match (args.task_time, args.rate) {
        (None, _) => None,
        (Some(_), Some(rate)) => Some((rate, "given".to_string())),
        (Some(_), None) => Some(measure(args, sweep, &plan, context)?),
    };
    let inputs = plan.range().count();
    let tasks = match (args.tasks, args.task_time, &rate) {
        (Some(n), ..) => u128::from(n),
        (None, Some(time), Some((rate, _))) => {
            let tasks = (inputs as f64 / (rate * time)).ceil().max(1.0) as u128;
            if args.range.block.is_none() {
                plan = finer(plan, shards_of(tasks))?;
            }
            tasks
        }
        _ => return Err(Failure::input("give --tasks or --task-time")),
    };
    if tasks == 0 {
        return Err(Failure::input("--tasks 0: there is nothing to submit"));
    }
    let blocks = plan.blocks();
    let count = u32::try_from(tasks)
        .ok()
        .filter(|&n| u64::from(n) <= blocks);
    let Some(count) = count else {
        return Err(too_many(tasks, &plan));
    };
    // The number of shards is at most the number of blocks, so it fits.
    let shards = args.task_time.map(|_| shards_of(tasks).min(blocks.into()));
    let shards = shards.map_or(count, |n| u32::try_from(n).unwrap_or(count));
    let job = Job {
        name: sweep.name().into(),
        tasks: count,
        claims: args.task_time.map(|time| Claims {
            shards,
            time,
            ends: true,
        }),
        program: program(args, in_an_image)?,
        command: arguments(args, &text, plan.log2()),
        certificate: None,
    };
    let time = rate.map_or(String::new(), |(rate, on)| {
        let share = inputs as f64 / f64::from(count);
        format!(
            ", {} each at {} ({on})",
            show::seconds(share / rate),
            progress::rate(rate)
        )
    });
    let (fewest, most) = (
        blocks / u64::from(shards),
        blocks.div_ceil(u64::from(shards)),
    );
    let each = match fewest == most {
        true => show::count(most.into()),
        false => format!(
            "{} or {}",
            show::count(fewest.into()),
            show::count(most.into())
        ),
    };
    let tasks = match job.claims {
        None => format!("{} tasks", show::count(count.into())),
        Some(_) => format!(
            "{} tasks that claim {} shards",
            show::count(count.into()),
            show::count(shards.into())
        ),
    };
    let about = format!(
        "{}: {tasks} of {each} blocks of 2^{} inputs{time}",
        show::plain(sweep.name()),
        plan.log2()
    );
    Ok((job, about))
}

/// The number of shards for this many claiming tasks.
fn shards_of(tasks: u128) -> u128 {
    (tasks * u128::from(claim::EACH)).min(u128::from(claim::MOST).max(tasks))
}

/// This program's path on the nodes.
fn program(args: &TaskArgs, in_an_image: bool) -> Result<String, Failure> {
    Ok(match (&args.program, in_an_image) {
        (Some(program), _) => program.clone(),
        (None, true) => "crunch".into(),
        (None, false) => {
            let path = std::env::current_exe()?;
            path.to_string_lossy().into_owned()
        }
    })
}

/// The job of a proof: shares of the cells, which are proven separately.
fn prepare_proof(
    args: &TaskArgs,
    in_an_image: bool,
    context: &mut Context,
) -> Result<(Job, String), Failure> {
    let name = args.sweep.as_deref().unwrap_or_default();
    let sweep = context.sweep(name)?;
    if context.runs_every_input(name)? {
        return Err(Failure::input(format!(
            "{name} is in binary32 or fewer bits, so every input is run: there is no proof to share; submit it without \
             --exact"
        )));
    }
    let tasks = match args.tasks {
        Some(n) if n > 1 => n,
        _ => {
            return Err(Failure::input(format!(
                "give --tasks, the number of shards of the proof, 2 or more; without shards, run `{} exact {name} --certificate \
                 FILE`",
                context.program
            )));
        }
    };
    let range = args.range.range.as_deref().unwrap_or(sweep.range());
    Range::parse(range, sweep.precision()).map_err(|e| Failure::input(e.to_string()))?;
    let certificate = format!("{}.cert", plain(sweep.name()));
    let cells = args.cells.unwrap_or(crate::args::CELLS).to_string();
    let mut command: Vec<String> = ["exact", sweep.name(), "--range", range, "--cells", &cells]
        .map(String::from)
        .into();
    command.extend(["--time", NO_LIMIT, "--certificate", &certificate].map(String::from));
    if let Some(n) = args.backend.threads {
        command.extend(["-j".to_string(), n.to_string()]);
    }
    let job = Job {
        name: sweep.name().into(),
        tasks,
        claims: None,
        program: program(args, in_an_image)?,
        command,
        certificate: Some(certificate),
    };
    let about = format!(
        "{}: {} tasks, each of which proves its share of the cells of {range}",
        show::plain(sweep.name()),
        show::count(tasks.into())
    );
    Ok((job, about))
}

/// A time that no task reaches: eleven years.
const NO_LIMIT: &str = "100000h";

/// The rate of a task on this machine.
fn measure(
    args: &TaskArgs,
    sweep: &Sweep,
    plan: &Plan,
    context: &mut Context,
) -> Result<(f64, String), Failure> {
    let devices = context.devices(&args.backend, sweep, plan)?;
    let names: Vec<&str> = devices.iter().map(|d| d.backend.id()).collect();
    let on = format!("measured here on {}", names.join(" + "));
    let found = estimate::calibrate(sweep, plan, devices, Duration::from_secs(1))?;
    if found.rate < 1.0 {
        return Err(Failure::failed(
            "nothing was searched in a second of trial; give --rate or --tasks",
        ));
    }
    Ok((found.rate, on))
}

/// A plan with blocks for this many shards, with several blocks per shard unless they would be too small.
fn finer(plan: Plan, shards: u128) -> Result<Plan, Failure> {
    /// Shards differ by at most one block, so by at most an eighth.
    const EACH: u128 = 8;
    let share = plan.range().count() / shards.saturating_mul(EACH).max(1);
    let log2 = share
        .max(1)
        .ilog2()
        .clamp(MIN_LOG2, plan.log2().max(MIN_LOG2));
    if log2 >= plan.log2() {
        return Ok(plan);
    }
    let range: Range = plan.range().clone();
    Plan::new(range, Some(log2)).map_err(|e| Failure::input(e.to_string()))
}

/// The failure if there are more tasks than blocks: some tasks would have nothing to do, and would fail or merge as empty files.
fn too_many(tasks: u128, plan: &Plan) -> Failure {
    let blocks = plan.blocks();
    let smallest = plan.range().count().div_ceil(1 << MIN_LOG2);
    let finer = match smallest >= tasks && plan.log2() > MIN_LOG2 {
        true => {
            let fits = plan.range().count() / tasks.max(1);
            let log2 = fits.max(1).ilog2().clamp(MIN_LOG2, plan.log2() - 1);
            format!(", or smaller blocks with --block 2^{log2}")
        }
        false => String::new(),
    };
    Failure::input(format!(
        "{} tasks for {} blocks of 2^{} inputs: some would have none; submit up to {} tasks{finer}",
        show::count(tasks),
        show::count(blocks.into()),
        plan.log2(),
        show::count(blocks.min(u32::MAX.into()).into())
    ))
}

/// `run` with the arguments that all tasks share.
fn arguments(args: &TaskArgs, range: &str, log2: u32) -> Vec<String> {
    let mut words: Vec<String> = vec!["run".into()];
    words.extend(args.sweep.clone());
    let outside = &args.outside;
    let path = |p: &std::path::PathBuf| p.display().to_string();
    let fpcore = outside.fpcore.fpcore.as_ref().map(path);
    for (option, value) in [
        ("--fpcore", &fpcore),
        ("--core", &outside.fpcore.core),
        ("--library", &outside.library),
        ("--device", &outside.device),
        ("--symbol", &outside.symbol),
        ("--signature", &outside.signature),
        ("--computes", &outside.computes),
        ("--against-expression", &outside.against_expression),
    ] {
        if let Some(value) = value {
            words.extend([option.to_string(), value.clone()]);
        }
    }
    // All of it is written out: another version may have other defaults.
    words.extend(["--range".to_string(), range.into()]);
    words.extend(["--block".to_string(), format!("2^{log2}")]);
    words.extend(["--backend".to_string(), args.backend.backend.join(",")]);
    if args.measure != Measure::Full {
        words.extend(["--measure".to_string(), args.measure.name().into()]);
    }
    if let Some(n) = args.backend.threads {
        words.extend(["-j".to_string(), n.to_string()]);
    }
    if let Some(seconds) = args.group_seconds {
        words.extend(["--group-seconds".to_string(), seconds.to_string()]);
    }
    words
}
