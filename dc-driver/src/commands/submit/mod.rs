//! `submit`: what an engine of clusters needs to run a search in shards, written, printed or submitted.
//!
//! | file | what |
//! |---|---|
//! | `args.rs` | the arguments |
//! | `slurm.rs`, `kubernetes.rs`, `mpi.rs`, `parallel.rs` | the files of each engine |
//!
//! Nothing of ours stands between the engine and the program: a task is `run --shard … --continue` in the shared folder, which
//! begins the shard's run file or goes on with it; with `--task-time` it is `run --shards …`, which takes the shards that are open,
//! one after the other (`dc_runtime::search::claim` says why); or, of a proof, `exact --certificate … --shard …`.

pub(crate) mod args;
mod kubernetes;
mod mpi;
mod parallel;
mod slurm;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use serde_json::json;

use crate::context::{Context, shell};
use crate::failure::Failure;
use crate::{device, estimate, library, progress};
use args::{Engine, SubmitArgs, TaskArgs};
use dc_runtime::model::measure::Measure;
use dc_runtime::model::show;
use dc_runtime::search::claim;
use dc_runtime::search::mount;
use dc_runtime::search::plan::{MIN_LOG2, Plan};
use dc_runtime::search::range::Range;
use dc_runtime::search::replace::replace;
use dc_runtime::sweep::Sweep;

/// A file that `submit` writes.
struct Written {
    name: &'static str,
    text: String,
}

impl Written {
    fn new(name: &'static str, text: String) -> Written {
        Written { name, text }
    }
}

/// What an engine has to run.
struct Job {
    /// The sweep's name, for names of jobs.
    name: String,
    tasks: u32,
    /// The shards that tasks claim, where they have none of their own.
    claims: Option<Claims>,
    program: String,
    /// `run` or `exact` with their arguments but for the shard.
    command: Vec<String>,
    /// Of a proof, the certificate.
    certificate: Option<String>,
}

/// Shards that are claimed.
struct Claims {
    shards: u32,
    /// The time of a task.
    time: f64,
    /// Whether a task ends when its time is up. Where nothing starts a single task again, all go on until no shard is open: they
    /// end together, which is what the time is for.
    ends: bool,
}

impl Job {
    /// The words of the command of one task, which is given its place, or shard.
    fn words(&self, place: &str) -> Vec<String> {
        let mut words = vec![self.program.clone()];
        words.extend(self.command.iter().cloned());
        let Some(claims) = &self.claims else {
            words.extend(["--shard", place].map(String::from));
            if self.certificate.is_none() {
                words.push("--continue".into());
            }
            return words;
        };
        words.extend(["--shards".into(), claims.shards.to_string()]);
        if claims.ends {
            words.extend(["--task-time".into(), format!("{}s", claims.time)]);
        }
        words.extend(["--task", place].map(String::from));
        words
    }

    /// What a task's number says, behind `A task's number is`.
    fn number(&self) -> &'static str {
        match self.claims {
            None => "its shard's",
            Some(_) => "its place, where it begins to claim shards",
        }
    }

    /// The tasks and their shards.
    fn tasks(&self) -> String {
        match &self.claims {
            None => format!("{} tasks, each for one shard", self.tasks),
            Some(c) => format!("{} tasks, which claim {} shards", self.tasks, c.shards),
        }
    }

    /// The reasons for the options in the command of a task, one a line.
    fn reasons(&self) -> Vec<String> {
        let of_both = [(
            "-j",
            "the processors of a task; more would be taken from its neighbours.",
        )];
        let of_run = [
            (
                "--block",
                "written out, since another version may have another default, and shards of unlike blocks do not merge.",
            ),
            (
                "--backend",
                "what each node chooses from by itself; results do not depend on it.",
            ),
            (
                "--measure",
                "what is measured is part of the run's identity.",
            ),
            (
                "--group-seconds",
                "so often each task commits to the shared file system, and so much is lost at its death.",
            ),
        ];
        let of_exact = [
            (
                "--cells",
                "the division into shards depends on it, so it is written out.",
            ),
            (
                "--time",
                "a proof in shards ends when it is proven, or when the engine stops it.",
            ),
        ];
        let mut lines = vec![match (&self.certificate, &self.claims) {
            (None, None) => {
                "The run file is named after the shard; --continue: if it is there, the task goes on with it."
                    .into()
            }
            (None, Some(_)) => {
                "--shards: one after the other, the shards that are neither complete nor held by another task; those that were begun \
                 are gone on with. So a fast node takes more of them than a slow one."
                    .into()
            }
            (Some(file), _) => format!(
                "The proof of a shard is kept in {file}.I-of-N.part; if it is there, the task goes on with it."
            ),
        }];
        let all = of_both.iter().chain(&of_run).chain(&of_exact);
        let given = all.filter(|(option, _)| self.command.iter().any(|w| w == option));
        lines.extend(given.map(|(option, why)| format!("{option}: {why}")));
        if self.claims.as_ref().is_some_and(|c| c.ends) {
            lines.push(
                "--task-time: no shard is begun that does not end in it, by the task's own rate. A task that has done less than its \
                 share by then ends with 5 if shards are open."
                    .into(),
            );
        }
        lines
    }

    /// The file in which the shards are put together, and the command of a shell that does it once.
    fn merging(&self) -> (&str, String) {
        let out = self.certificate.as_deref().unwrap_or("merged.crunch");
        let command = format!(
            "test -e {0} || exec {1} merge {0} .",
            quoted(out),
            quoted(&self.program)
        );
        (out, command)
    }

    /// The scripts that engines on a shared folder have in common.
    fn scripts(&self) -> Vec<Written> {
        let words = self.words("");
        let words: Vec<String> = words
            .iter()
            .map(|w| match w.is_empty() {
                true => "\"${1:-auto}\"".into(),
                false => quoted(w),
            })
            .collect();
        let task = script(
            match self.claims {
                None => {
                    "One task: the shard that is given as I/N or, without, that the environment gives."
                }
                Some(_) => {
                    "One task: that which is given as I/N or, without, that the environment gives."
                }
            },
            &format!(
                "{}exec {}\n",
                comments("", &self.reasons()),
                words.join(" ")
            ),
        );
        let (out, command) = self.merging();
        let merge = script(
            "Puts the shards of this folder together, once.",
            &format!("# A merge that was cut short does not leave {out}.\n{command}\n"),
        );
        vec![
            Written::new("task.sh", task),
            Written::new("merge.sh", merge),
        ]
    }
}

/// Lines of comments, each behind `indent`.
fn comments(indent: &str, lines: &[String]) -> String {
    lines.iter().map(|l| format!("{indent}# {l}\n")).collect()
}

/// A word of a shell's command.
fn quoted(word: &str) -> String {
    shell(Path::new(word))
}

/// A script of the shell that works in its own folder.
fn script(purpose: &str, body: &str) -> String {
    format!("#!/bin/sh\n# {purpose}\ncd \"$(dirname \"$0\")\" || exit 4\n{body}")
}

pub(super) fn submit(args: &SubmitArgs, context: &mut Context) -> Result<(), Failure> {
    let task = match &args.engine {
        Engine::Slurm(a) => &a.task,
        Engine::Kubernetes(a) => &a.task,
        Engine::Mpi(a) => &a.task,
        Engine::Parallel(a) => &a.task,
    };
    let in_an_image = matches!(args.engine, Engine::Kubernetes(_));
    let (mut job, about) = prepare(task, in_an_image, context)?;
    let folder = task.dir.clone();
    let folder = folder.unwrap_or_else(|| PathBuf::from(format!("{}.shards", plain(&job.name))));
    // A task must not take the cores of its neighbours, where the engine gives it some of a node's.
    let cpus = match &args.engine {
        Engine::Slurm(a) => Some(a.cpus),
        Engine::Kubernetes(a) => Some(a.cpus),
        Engine::Mpi(_) | Engine::Parallel(_) => None,
    };
    if let Some(claims) = &mut job.claims {
        claims.ends = matches!(args.engine, Engine::Slurm(_) | Engine::Kubernetes(_));
    }
    if let Some(cpus) = cpus.filter(|_| task.backend.threads.is_none()) {
        job.command.extend(["-j".to_string(), cpus.to_string()]);
    }
    let files = match &args.engine {
        Engine::Slurm(a) => slurm::write(a, &job, context),
        Engine::Kubernetes(a) => kubernetes::write(a, &job)?,
        Engine::Mpi(a) => mpi::write(a, &job),
        Engine::Parallel(a) => parallel::write(a, &job)?,
    };
    let paths: Vec<String> = files
        .iter()
        .map(|f| folder.join(f.name).display().to_string())
        .collect();
    if !task.dry_run {
        write(&folder, &files, !in_an_image)?;
    }
    if context.json {
        // What the engine prints is a part of the document, which is therefore written after it.
        let output = match task.go {
            true => Some(go_quietly(&folder, context)?),
            false => None,
        };
        let files = files.iter().zip(&paths);
        let files: Vec<_> = files
            .map(|(f, path)| json!({ "file": path, "text": f.text }))
            .collect();
        context.out.json(&json!({
            "folder": folder.display().to_string(), "tasks": job.tasks, "written": !task.dry_run, "files": files,
            "submitted": task.go, "output": output,
        }))?;
        return Ok(());
    }
    context.out.line(&about)?;
    for (file, path) in files.iter().zip(&paths) {
        match task.dry_run {
            true => context.out.line(&format!("==> {path}\n{}", file.text))?,
            false => context
                .out
                .line(&format!("wrote         {}", show::plain(path)))?,
        }
    }
    let submit = shell(&folder.join("submit.sh"));
    if task.go {
        context.out.flush()?;
        return go(&folder);
    }
    if !task.dry_run {
        context.out.line(&format!("submit        sh {submit}"))?;
        let (program, folder) = (&context.program, shell(&folder));
        context
            .out
            .line(&format!("watch         {program} status {folder}"))?;
    }
    Ok(())
}

/// The job of the arguments, and a line about it.
fn prepare(
    args: &TaskArgs,
    in_an_image: bool,
    context: &mut Context,
) -> Result<(Job, String), Failure> {
    if args.exact {
        return prepare_proof(args, in_an_image, context);
    }
    let outside = match library::sweep(&args.outside)? {
        None => device::sweep(&args.outside, context)?,
        of_library => of_library,
    };
    let sweep = match (&outside, &args.sweep) {
        (Some(sweep), _) => sweep,
        (None, name) => context.sweep(name.as_deref().unwrap_or_default())?,
    };
    let (mut plan, text) = context.plan(sweep, &args.range)?;
    let sweep = &sweep.over(plan.range().space()).measuring(args.measure);
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
    // The number of shards is no larger than that of blocks, and so fits.
    let shards = args.task_time.map(|_| shards_of(tasks).min(blocks.into()));
    let shards = shards.map_or(count, |n| u32::try_from(n).unwrap_or(count));
    let job = Job {
        name: sweep.name.into(),
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
        show::plain(sweep.name),
        plan.log2()
    );
    Ok((job, about))
}

/// The number of shards that so many tasks claim.
fn shards_of(tasks: u128) -> u128 {
    (tasks * u128::from(claim::EACH)).min(u128::from(claim::MOST).max(tasks))
}

/// This program, as the nodes find it.
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
    if super::exact::runs_every_input(name, context)? {
        return Err(Failure::input(format!(
            "{name} is of binary32 or fewer bits, of which every input is run: there is no proof to share; submit it without \
             --exact"
        )));
    }
    let tasks = match args.tasks {
        Some(n) if n > 1 => n,
        _ => {
            return Err(Failure::input(format!(
                "give --tasks, the number of shards of the proof, 2 or more; in one piece it is `{} exact {name} --certificate \
                 FILE`",
                context.program
            )));
        }
    };
    let range = args.range.range.as_deref().unwrap_or(sweep.range);
    Range::parse(range, sweep.precision).map_err(|e| Failure::input(e.to_string()))?;
    let certificate = format!("{}.cert", plain(sweep.name));
    let cells = args.cells.unwrap_or(crate::args::CELLS).to_string();
    let mut command: Vec<String> = ["exact", sweep.name, "--range", range, "--cells", &cells]
        .map(String::from)
        .into();
    command.extend(["--time", NO_LIMIT, "--certificate", &certificate].map(String::from));
    if let Some(n) = args.backend.threads {
        command.extend(["-j".to_string(), n.to_string()]);
    }
    let job = Job {
        name: sweep.name.into(),
        tasks,
        claims: None,
        program: program(args, in_an_image)?,
        command,
        certificate: Some(certificate),
    };
    let about = format!(
        "{}: {} tasks, each of which proves its share of the cells of {range}",
        show::plain(sweep.name),
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

/// A plan with blocks for so many shards, several for each where they need not be too small for that.
fn finer(plan: Plan, shards: u128) -> Result<Plan, Failure> {
    /// Shards differ by one block at most, so by an eighth.
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

/// More tasks than blocks: some would have nothing to do, and fail or merge as empty files.
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

/// `run` with the arguments that all tasks have.
fn arguments(args: &TaskArgs, range: &str, log2: u32) -> Vec<String> {
    let mut words: Vec<String> = vec!["run".into()];
    words.extend(args.sweep.clone());
    let outside = &args.outside;
    for (option, value) in [
        ("--library", &outside.library),
        ("--device", &outside.device),
        ("--symbol", &outside.symbol),
        ("--signature", &outside.signature),
        ("--computes", &outside.computes),
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

/// A sweep's name as a part of a file's name.
fn plain(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "._-+@$".contains(c);
    name.replace(|c| !plain(c), "_")
}

fn write(folder: &Path, files: &[Written], holds_runs: bool) -> Result<(), Failure> {
    let failed = |path: &Path, e: std::io::Error| {
        Failure::failed(format!(
            "{}: cannot be written: {e}; make room there, or let this user write, or name another folder with --dir",
            path.display()
        ))
    };
    std::fs::create_dir_all(folder).map_err(|e| failed(folder, e))?;
    if holds_runs && let Some(why) = mount::local_locks(folder) {
        return Err(Failure::input(format!(
            "{}: {why}: a task that is started again while its node lives would not notice itself; take a folder whose \
             mount has locks",
            folder.display()
        )));
    }
    for file in files {
        let path = folder.join(file.name);
        replace(&path, file.text.as_bytes()).map_err(|e| failed(&path, e))?;
    }
    Ok(())
}

/// Runs `submit.sh`; returns what it printed.
fn go_quietly(folder: &Path, context: &mut Context) -> Result<String, Failure> {
    let mut command = Command::new("sh");
    command.arg(folder.join("submit.sh"));
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.map_err(|e| Failure::failed(format!("sh: {e}")))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() && !text.is_empty() {
        context.note(text.trim_end());
    }
    succeeded(folder, output.status).map(|()| text)
}

/// Runs `submit.sh`, which prints on this process's output.
fn go(folder: &Path) -> Result<(), Failure> {
    let status = Command::new("sh").arg(folder.join("submit.sh")).status();
    let status = status.map_err(|e| Failure::failed(format!("sh: {e}")))?;
    succeeded(folder, status)
}

fn succeeded(folder: &Path, status: ExitStatus) -> Result<(), Failure> {
    match status.success() {
        true => Ok(()),
        false => Err(Failure::failed(format!(
            "{} failed, see above",
            folder.join("submit.sh").display()
        ))),
    }
}
