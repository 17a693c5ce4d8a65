//! `submit`: the files with which a cluster's engine runs a search in shards. They are written, printed or submitted.
//!
//! | file | contents |
//! |---|---|
//! | `args.rs` | the arguments |
//! | `prepare.rs` | the numbers of tasks and shards |
//! | `job.rs` | the command of a task, and the scripts |
//! | `slurm.rs`, `kubernetes.rs`, `mpi.rs`, `parallel.rs` | the files of each engine |
//!
//! The engine runs the program directly. A task is `run --shard … --continue` in the shared folder, which creates the shard's run file or
//! resumes it. With `--task-time`, a task is `run --shards …`, which takes open shards one after the other (`dc_runtime::search::claim`
//! explains why). For a proof, a task is `exact --certificate … --shard …`.

pub(crate) mod args;
mod job;
mod kubernetes;
mod mpi;
mod parallel;
mod prepare;
mod slurm;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use serde_json::json;

use crate::context::{Context, shell};
use crate::failure::Failure;
use args::{Engine, SubmitArgs};
use dc_runtime::model::show;
use dc_runtime::search::mount;
use dc_runtime::search::replace::replace;
use job::{Written, plain};
use prepare::prepare;

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
        // The engine's output is a part of the document, which is therefore written after it.
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

/// Runs `submit.sh`. Returns its output.
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

/// Runs `submit.sh`, with this process's output.
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
