//! The arguments of the commands that make, continue, read and merge run files.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::value::{ShardArg, duration, measure, metric, shard, ulp};
use super::{BackendArgs, GroupArgs, OutsideArgs, RangeArgs, UlpArgs};
use dc_runtime::model::measure::Measure;

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// A sweep (see `list`)
    #[arg(required_unless_present_any = ["library", "device", "lift", "fpcore"], conflicts_with = "outside")]
    pub sweep: Option<String>,
    #[command(flatten)]
    pub outside: OutsideArgs,
    /// Compare the results with the function in MPFR instead of the reference. The comparison is slow, runs only on the processor, and is
    /// accurate to 400 bits (needs a build with the feature `mpfr`)
    #[arg(long, conflicts_with = "against_expression")]
    pub mpfr: bool,
    #[command(flatten)]
    pub range: RangeArgs,
    /// The run file [default: SWEEP.crunch, or SWEEP.I-of-N.crunch for a shard; for a library or a device, SYMBOL instead of SWEEP]
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Search the i-th of n parts. `auto` reads SLURM_ARRAY_TASK_*, JOB_COMPLETION_INDEX and _COUNT, or the rank and the number of ranks that an
    /// MPI launcher sets [default: auto in an array job and under such a launcher, else all]
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub shard: Option<ShardArg>,
    /// Continue an existing run file of the same run and shard, as `resume` does: for tasks that may be started again
    #[arg(long = "continue", conflicts_with = "time")]
    pub go_on: bool,
    /// Divide the run into N shards, and search the open ones in a folder, one after the other. --out names the folder; the default is the
    /// current one. Any number of tasks can do this at the same time: each skips shards that are complete or held by another process
    #[arg(long, value_name = "N", conflicts_with_all = ["shard", "go_on", "time"], value_parser = clap::value_parser!(u32).range(1..))]
    pub shards: Option<u32>,
    /// With --shards: start a shard only if this task's own rate can complete it within this time. The exit code is 5 if the time was too short
    /// for the task's share and shards are still open [default: until none is open]
    #[arg(long, value_name = "TIME", requires = "shards", value_parser = duration)]
    pub task_time: Option<f64>,
    /// With --shards: this is the i-th of n tasks. Each starts with different shards; `auto` as for --shard
    #[arg(long, value_name = "I/N", requires = "shards", value_parser = shard)]
    pub task: Option<ShardArg>,
    /// Search for the largest error for this time, such as `60s` or `5min`: a sample of all binades of the range, then inputs around the worst.
    /// A small range is searched completely. Writes no run file
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<f64>,
    /// With --time: draw the largest errors found along the range, as an .svg or .png file. The picture states that they come from a sample
    #[arg(long, value_name = "FILE", requires = "time")]
    pub picture: Option<PathBuf>,
    /// What to measure: `full`, or `maxima`, which finds only the largest errors and the faults, several times as fast. `maxima` works in
    /// binary64 on CUDA and, on the processor, for sweeps declared with `with_maxima` and for functions of libraries and devices; in binary32 it
    /// works on the processor
    #[arg(long, value_name = "WHAT", default_value = Measure::Full.name(), value_parser = measure, conflicts_with_all = ["time", "mpfr", "lift", "fpcore"])]
    pub measure: Measure,
    /// Search for the largest error of this kind instead of the largest in ULP: absolute, |result - reference|, or relative, |result -
    /// reference| / |reference|
    #[arg(long, value_name = "ERROR", value_parser = metric, conflicts_with_all = ["measure", "mpfr", "outside"])]
    pub metric: Option<Measure>,
    #[command(flatten)]
    pub properties: PropertyArgs,
    #[command(flatten)]
    pub backend: BackendArgs,
    #[command(flatten)]
    pub group: GroupArgs,
    #[command(flatten)]
    pub ulp: UlpArgs,
}

/// Properties of the routine. Each is judged at all inputs, or on a sample where there are more than 2^32; but for --seams and --inverse-of
/// nothing is compared with a reference, and no run file is written.
#[derive(Debug, Args)]
#[group(id = "properties", multiple = true, conflicts_with_all = ["shard", "go_on", "shards", "time", "mpfr", "metric", "out"])]
pub(crate) struct PropertyArgs {
    /// Is the routine monotone? No result may be below (increasing) or above (decreasing) the result of a smaller input
    #[arg(long, value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "increasing", value_name = "DIRECTION")]
    pub monotone: Option<Direction>,
    /// Is the routine odd? f(-x) = -f(x), with the sign of zeros
    #[arg(long)]
    pub odd: bool,
    /// Is the routine even? f(-x) = f(x), with the sign of zeros
    #[arg(long)]
    pub even: bool,
    /// Are all results in this range, such as 0.0..=1.0? A NaN is in no range
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub results: Option<String>,
    /// Does the error jump at seams, where polynomials meet or tables change? From one number to the next, the error may change by at most this
    /// many ULP [default: 2]. The largest jump is always shown
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "2", value_name = "ULP", value_parser = ulp)]
    pub seams: Option<f64>,
    /// Does the routine invert this function (see `list --references`)? f(g(x)) = x, where g(x) is rounded to nearest
    #[arg(long, value_name = "FUNCTION")]
    pub inverse_of: Option<String>,
}

impl PropertyArgs {
    /// The option of the first of them.
    pub fn first(&self) -> Option<&'static str> {
        let all = [
            ("--monotone", self.monotone.is_some()),
            ("--odd", self.odd),
            ("--even", self.even),
            ("--results", self.results.is_some()),
            ("--seams", self.seams.is_some()),
            ("--inverse-of", self.inverse_of.is_some()),
        ];
        all.iter().find(|(_, asked)| *asked).map(|(name, _)| *name)
    }

    /// Whether there is any.
    pub fn are_asked(&self) -> bool {
        self.first().is_some()
    }
}

/// The direction of a monotone routine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Direction {
    /// No result is below the result of a smaller input
    Increasing,
    /// No result is above the result of a smaller input
    Decreasing,
}

#[derive(Debug, Args)]
pub(crate) struct ResumeArgs {
    /// A run file
    pub file: PathBuf,
    #[command(flatten)]
    pub backend: BackendArgs,
    #[command(flatten)]
    pub group: GroupArgs,
    #[command(flatten)]
    pub ulp: UlpArgs,
}

#[derive(Debug, Args)]
pub(crate) struct StatusArgs {
    /// Run files, or folders with the shards of a run
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// For a folder: call a running shard stale when it has written nothing for this time
    #[arg(long, value_name = "TIME", default_value = "5min", value_parser = duration)]
    pub stale: f64,
    #[command(flatten)]
    pub ulp: UlpArgs,
}

#[derive(Debug, Args)]
pub(crate) struct FormatArgs {
    /// A run file, or a folder with the shards of a run
    pub file: PathBuf,
    /// Blocks per row
    #[arg(long, value_name = "N", conflicts_with = "rows", value_parser = clap::value_parser!(u64).range(1..))]
    pub group: Option<u64>,
    /// The approximate number of rows
    #[arg(long, value_name = "N", default_value = "64", value_parser = clap::value_parser!(u64).range(1..))]
    pub rows: u64,
    #[command(flatten)]
    pub ulp: UlpArgs,
}

#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    /// The run file to write; for proofs, the certificate
    pub out: PathBuf,
    /// The run files of all shards, or a folder with them. For proofs: the .part files of `exact --shard`, or a folder with them
    #[arg(required = true)]
    pub parts: Vec<PathBuf>,
}

#[cfg(feature = "suite")]
#[derive(Debug, Args)]
pub(crate) struct BlessArgs {
    /// A run file, complete or not, or a folder with the shards of a run
    pub file: PathBuf,
    /// The table: `promises::third` or the last part of such a name [default: the table with the run's kernels]
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// The file with the table
    #[arg(long, value_name = "FILE", default_value = "accuracy.toml")]
    pub accuracy: PathBuf,
    /// Print the changes and write nothing
    #[arg(long)]
    pub dry_run: bool,
}
