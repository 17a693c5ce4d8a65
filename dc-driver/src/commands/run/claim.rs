//! `run --shards`: takes shards from a shared folder, one after the other.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{default_path, same_run};
use crate::args::RunArgs;
use crate::context::{Context, shell};
use crate::failure::Failure;
use crate::progress::{self, Display};
use crate::shard::shard;
use crate::{exit, interrupt};
use dc_runtime::model::measure::Measure;
use dc_runtime::model::show;
use dc_runtime::search::claim::{Claims, End, Next, RunFolder};
use dc_runtime::search::engine::{self, Device, Groups, Outcome, Stop};
use dc_runtime::search::mount;
use dc_runtime::search::plan::Plan;
use dc_runtime::search::run::{self, RunError, Settings};
use dc_runtime::search::run_file::RunFileError;
use dc_runtime::search::shard::Shard;
use dc_runtime::sweep::Sweep;

/// The subject of a task's claims: the run, and the folder of its shards.
struct Task<'a> {
    args: &'a RunArgs,
    sweep: &'a Sweep,
    plan: &'a Plan,
    range: &'a str,
    devices: Vec<Device>,
    stop: Stop,
}

/// The outcome for a shard that a task tried to take.
enum Taken {
    /// The shard was searched until the time was up, or to its end.
    Searched(Box<Outcome>),
    /// Another process has taken it.
    Lost,
    /// Another process has completed it since its state was read.
    Complete,
    /// The shard's file is damaged or is another kind of file: no process can take it.
    Refused(Failure),
}

pub(super) fn claim(
    args: &RunArgs,
    shards: u32,
    sweep: &Sweep,
    (plan, range): (&Plan, &str),
    context: &mut Context,
) -> Result<(), Failure> {
    let started = Instant::now();
    let place = shard(args.task, "--task")?;
    let folder = folder_of(args, shards, plan)?;
    let identity = context.identity(sweep)?;
    let name = |shard| default_path(sweep, shard).display().to_string();
    let mut folder = RunFolder::new(&folder, (&identity, plan), shards, &name);
    let time = args.task_time.map(Duration::from_secs_f64);
    let mut claims = Claims::new(plan, shards, place, time);
    let mut task = Task {
        args,
        sweep,
        plan,
        range,
        devices: Vec::new(),
        stop: interrupt::stop("stopping; the searched blocks are kept"),
    };
    let (mut taken, mut refused) = (Vec::new(), None);
    let end = loop {
        let next = claims.next(started.elapsed(), &mut folder)?;
        let (shard, limit) = match next {
            Next::Search(shard, limit) => (shard, limit),
            Next::End(end) => break end,
        };
        // A task that finds nothing to do measures no backends.
        if task.devices.is_empty() {
            task.devices = devices(args, sweep, plan, context)?;
        }
        let begun = Instant::now();
        match task.take(&folder.file(shard), shard, limit, context)? {
            Taken::Searched(outcome) => {
                folder.searched();
                claims.searched(outcome.progress.inputs, begun.elapsed());
                if outcome.complete {
                    folder.note_complete(shard);
                }
                taken.push(say(shard, &outcome, &task, context)?);
                if task.stop.asked() && !outcome.complete {
                    finish(&task, &claims, taken, "stopped", started, context)?;
                    return stopped(&folder.file(shard), context);
                }
            }
            Taken::Lost => folder.lost(shard),
            Taken::Complete => folder.note_complete(shard),
            Taken::Refused(failure) => {
                context.note(&failure.shown());
                claims.refuse(shard);
                refused.get_or_insert(failure);
            }
        }
        if task.stop.asked() {
            finish(&task, &claims, taken, "stopped", started, context)?;
            return Err(Failure::silent(exit::STOPPED));
        }
    };
    let why = match end {
        End::NothingOpen => "no shard is open",
        End::ShareDone => "its time is up, and it has done its share",
        End::TimeUp => "its time is up, and shards are open",
    };
    finish(&task, &claims, taken, why, started, context)?;
    match (refused, end) {
        // Others cannot take it either, and without it there is no merge.
        (Some(failure), _) => Err(failure),
        (None, End::NothingOpen | End::ShareDone) => Ok(()),
        (None, End::TimeUp) => {
            context
                .note("the time is up, and shards are open; the same command continues with them");
            Err(Failure::silent(exit::STOPPED))
        }
    }
}

/// The folder in which shards are claimed, if claiming is possible there.
fn folder_of(args: &RunArgs, shards: u32, plan: &Plan) -> Result<PathBuf, Failure> {
    let folder = args.out.clone().unwrap_or_else(|| ".".into());
    if !folder.is_dir() {
        return Err(Failure::input(format!(
            "{}: is not a folder; with --shards, --out names the folder of all shards: make it, or name another",
            folder.display()
        )));
    }
    if u64::from(shards) > plan.blocks() {
        return Err(Failure::input(format!(
            "--shards {shards}: the range is {} blocks of 2^{} inputs, and some shards would have none; give at most {}, or make smaller \
             blocks with --block",
            show::count(plan.blocks().into()),
            plan.log2(),
            plan.blocks()
        )));
    }
    if let Some(why) = mount::local_locks(&folder) {
        return Err(Failure::input(format!(
            "{}: {why}: tasks on two machines could take the same shard; mount it with locks, or give each task a shard of its own \
             with --shard",
            folder.display()
        )));
    }
    Ok(folder)
}

fn devices(
    args: &RunArgs,
    sweep: &Sweep,
    plan: &Plan,
    context: &mut Context,
) -> Result<Vec<Device>, Failure> {
    let devices = context.devices(&args.backend, sweep, plan)?;
    if sweep.measure() == Measure::Maxima {
        // No file is made of a run that cannot begin.
        for device in &devices {
            engine::load(&*device.backend, sweep)?;
        }
    }
    Ok(devices)
}

impl Task<'_> {
    /// Begins a shard, or continues it.
    fn take(
        &self,
        path: &Path,
        shard: Shard,
        limit: Option<Duration>,
        context: &mut Context,
    ) -> Result<Taken, Failure> {
        let (sweep, args) = (self.sweep, self.args);
        let there = std::fs::symlink_metadata(path).is_ok();
        let opened = match there {
            true => run::open(path, sweep),
            false => run::create(path, sweep, self.range, self.plan.clone(), shard),
        };
        let mut writer = match opened {
            Ok(writer) => writer,
            Err(RunError::File(RunFileError::Locked { .. } | RunFileError::Exists(_))) => {
                return Ok(Taken::Lost);
            }
            Err(RunError::File(
                e @ (RunFileError::Damaged { .. } | RunFileError::Foreign { .. }),
            )) => return Ok(Taken::Refused(e.into())),
            Err(e) => return Err(e.into()),
        };
        same_run(&writer, sweep, self.plan, shard)?;
        // Opening waits for the lock, and its last holder may have searched the rest.
        if writer.pending()?.is_empty() {
            return Ok(Taken::Complete);
        }
        let settings = Settings {
            devices: self.devices.clone(),
            groups: Groups {
                blocks: usize::try_from(args.group.group).unwrap_or(usize::MAX),
                time: Duration::from_secs_f64(args.group.group_seconds),
            },
            command: context.command_line.clone(),
        };
        let before = *writer.total().1;
        let label = format!("{} {shard}", sweep.name());
        let mut display = Display::new(args.group.quiet, &label, sweep.inputs(), before)
            .measuring(sweep.measure())
            .advising();
        let done = run::proceed_for(&mut writer, sweep, &settings, limit, &self.stop, &mut |p| {
            display.show(p, &mut *context.err);
        });
        let outcome = done?;
        if !writer.is_in_place() {
            return Err(RunFileError::Removed(writer.path().into()).into());
        }
        Ok(Taken::Searched(Box::new(outcome)))
    }
}

/// A line about a shard, and its part of the document.
fn say(
    shard: Shard,
    outcome: &Outcome,
    task: &Task,
    context: &mut Context,
) -> Result<Value, Failure> {
    let (inputs, seconds) = (
        outcome.progress.inputs,
        outcome.progress.elapsed.as_secs_f64(),
    );
    if !context.json && !task.args.group.quiet {
        let state = match outcome.complete {
            true => "complete",
            false => "left open",
        };
        context.out.line(&format!(
            "shard {shard}: {state}, {} inputs in {}",
            show::count(inputs.into()),
            show::seconds(seconds)
        ))?;
        context.out.flush()?;
    }
    Ok(json!({
        "shard": shard.to_string(), "complete": outcome.complete, "inputs": inputs, "seconds": seconds,
    }))
}

/// The last lines, or the document.
fn finish(
    task: &Task,
    claims: &Claims,
    taken: Vec<Value>,
    why: &str,
    started: Instant,
    context: &mut Context,
) -> Result<(), Failure> {
    let (inputs, seconds) = (claims.inputs(), started.elapsed().as_secs_f64());
    let ids: Vec<&str> = task.devices.iter().map(|d| d.backend.id()).collect();
    if context.json {
        return Ok(context.out.json(&json!({
            "sweep": task.sweep.name(), "range": task.range, "block_inputs": 1u64 << task.plan.log2(),
            "claimed": taken, "inputs": crate::results::count(inputs), "seconds": seconds, "backends": ids, "end": why,
        }))?);
    }
    if task.args.group.quiet {
        return Ok(());
    }
    let on = match ids.is_empty() {
        true => String::new(),
        false => format!(
            " on {} ({})",
            ids.join(" + "),
            progress::rate(inputs as f64 / seconds.max(1e-9))
        ),
    };
    Ok(context.out.line(&format!(
        "{}: {} of {} shards claimed, {} inputs{on} in {}: {why}",
        show::plain(task.sweep.name()),
        show::count(taken.len() as u128),
        show::count(task.args.shards.unwrap_or(1).into()),
        show::count(inputs),
        show::seconds(seconds)
    ))?)
}

fn stopped(path: &Path, context: &mut Context) -> Result<(), Failure> {
    context.note(&format!(
        "stopped; `{} resume {}` or the same command continues",
        context.program,
        shell(path)
    ));
    Err(Failure::silent(exit::STOPPED))
}
