//! The arguments of `submit`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::args::{BackendArgs, OutsideArgs, RangeArgs, duration, measure, seconds};
use dc_runtime::model::measure::Measure;

#[derive(Debug, Args)]
pub(crate) struct SubmitArgs {
    #[command(subcommand)]
    pub engine: Engine,
}

/// The engines that run the tasks.
#[derive(Debug, Subcommand)]
pub(crate) enum Engine {
    /// An array job of Slurm, and a job that merges after all of its tasks have succeeded
    Slurm(SlurmArgs),
    /// An Indexed Job of Kubernetes with a volume for the run files, and a Job that merges
    Kubernetes(KubernetesArgs),
    /// The ranks of an MPI launcher: mpirun, mpiexec, srun
    Mpi(MpiArgs),
    /// GNU parallel, on this machine or on a handful of hosts
    Parallel(ParallelArgs),
}

/// What is searched, in how many tasks, and where the files go.
#[derive(Debug, Args)]
pub(crate) struct TaskArgs {
    /// A sweep (see `list`)
    #[arg(required_unless_present_any = ["library", "device", "lift", "fpcore"], conflicts_with = "outside")]
    pub sweep: Option<String>,
    #[command(flatten)]
    pub outside: OutsideArgs,
    #[command(flatten)]
    pub range: RangeArgs,
    #[command(flatten)]
    pub backend: BackendArgs,
    /// Prove the exact largest error, as `exact` does, instead of searching; `merge` then writes the certificate
    #[arg(
        long,
        conflicts_with_all = ["outside", "block", "backend", "measure", "task_time", "group_seconds"]
    )]
    pub exact: bool,
    /// With --exact: the largest number of cells to examine
    #[arg(long, value_name = "N", requires = "exact", value_parser = clap::value_parser!(u64).range(1..))]
    pub cells: Option<u64>,
    /// What to measure, as for `run`: `full` or `maxima`
    #[arg(long, value_name = "WHAT", default_value = Measure::Full.name(), value_parser = measure, conflicts_with = "outside")]
    pub measure: Measure,
    /// The number of tasks. Each task searches or proves one shard; all shards have the same size
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "task_time",
        required_unless_present = "task_time"
    )]
    pub tasks: Option<u32>,
    /// Make enough tasks for each to end in about this time, such as `1h`, at the rate of this machine or at --rate. The tasks claim shorter
    /// shards, one after the other. A task on a fast or a slow node therefore also ends in this time (Slurm, Kubernetes), or all tasks end
    /// together (MPI, GNU parallel)
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub task_time: Option<f64>,
    /// Inputs per second of one task, if the nodes differ from this machine [default: measured here]
    #[arg(long, value_name = "R", value_parser = rate, requires = "task_time")]
    pub rate: Option<f64>,
    /// The folder for the run files and the files written here, which all nodes share [default: SWEEP.shards]
    #[arg(long, short, value_name = "FOLDER")]
    pub dir: Option<PathBuf>,
    /// The path of this program on the nodes [default: its path here; `crunch` in an image]
    #[arg(long, value_name = "PROGRAM", value_parser = word)]
    pub program: Option<String>,
    /// Commit after this many seconds, as for `run`; with very many tasks, a longer time spares the file system
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub group_seconds: Option<f64>,
    /// Submit the files after writing them
    #[arg(long, conflicts_with = "dry_run")]
    pub go: bool,
    /// Print the files and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SlurmArgs {
    #[command(flatten)]
    pub task: TaskArgs,
    /// The time limit of a task, after which it is stopped, queued again and resumed [default: 1.5 times --task-time, but at least ten minutes
    /// longer than --task-time; without --task-time 1h]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub limit: Option<f64>,
    /// Send a task the signal to stop this many seconds before the limit
    #[arg(long, value_name = "S", default_value = "120", value_parser = clap::value_parser!(u32).range(1..=65535))]
    pub notice: u32,
    /// Processors per task
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub cpus: u32,
    /// The largest number of tasks that run at the same time [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub at_once: Option<u32>,
    /// A further option of sbatch for the tasks, such as `--partition=long`; may be repeated
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true, value_parser = option)]
    pub option: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct KubernetesArgs {
    #[command(flatten)]
    pub task: TaskArgs,
    /// The image with the program
    #[arg(long, value_name = "IMAGE", value_parser = word)]
    pub image: String,
    /// The claim of the volume for the run files: ReadWriteMany, with locks that work between nodes
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub claim: String,
    /// Create this claim with this size, such as `10Gi`
    #[arg(long, value_name = "SIZE", value_parser = word)]
    pub storage: Option<String>,
    /// The name of the jobs [default: crunch-SWEEP]
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub name: Option<String>,
    /// The namespace [default: kubectl's]
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub namespace: Option<String>,
    /// Processors per task
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub cpus: u32,
    /// Memory per task
    #[arg(long, value_name = "SIZE", default_value = "1Gi", value_parser = word)]
    pub memory: String,
    /// The largest number of tasks that run at the same time [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub at_once: Option<u32>,
    /// How often a task may fail before it is given up
    #[arg(long, value_name = "N", default_value = "6")]
    pub retries: u32,
}

#[derive(Debug, Args)]
pub(crate) struct MpiArgs {
    #[command(flatten)]
    pub task: TaskArgs,
    /// The launcher and its options; `-n TASKS` is added
    #[arg(long, value_name = "COMMAND", default_value = "mpirun", value_parser = word)]
    pub launcher: String,
    /// How often to start the launcher before the run counts as failed
    #[arg(long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u32).range(1..))]
    pub attempts: u32,
}

#[derive(Debug, Args)]
pub(crate) struct ParallelArgs {
    #[command(flatten)]
    pub task: TaskArgs,
    /// A file of hosts, one per line, as for `parallel --sshloginfile`. All hosts share the folder, under the same name [default: only this
    /// machine]
    #[arg(long, value_name = "FILE")]
    pub hosts: Option<PathBuf>,
    /// The number of tasks that run at the same time on each host
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    pub at_once: u32,
    /// How often to start a task before it counts as failed
    #[arg(long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u32).range(1..))]
    pub attempts: u32,
}

/// Inputs per second.
fn rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|r: &f64| *r > 0.0 && *r < 1e18);
    rate.ok_or_else(|| "write inputs per second, such as 5e8".into())
}

/// A text that fits a line.
fn word(text: &str) -> Result<String, String> {
    match text.is_empty() || text.chars().any(char::is_control) {
        true => Err("write it on one line".into()),
        false => Ok(text.into()),
    }
}

/// An option of sbatch, which stands behind `#SBATCH`.
fn option(text: &str) -> Result<String, String> {
    match text.starts_with('-') {
        true => word(text),
        false => Err("write it as for sbatch, with its dashes: --partition=long".into()),
    }
}

/// A name of Kubernetes: RFC 1123, and short enough for the endings of a job's pods.
fn name(text: &str) -> Result<String, String> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let good = (1..=52).contains(&text.len())
        && text.chars().all(plain)
        && !text.starts_with('-')
        && !text.ends_with('-');
    match good {
        true => Ok(text.into()),
        false => Err(
            "write a name of up to 52 lowercase letters, digits and dashes, with no dash at either end".into(),
        ),
    }
}
