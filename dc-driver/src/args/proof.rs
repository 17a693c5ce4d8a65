//! The arguments of the commands that bound errors and prove the largest error.

use std::path::PathBuf;

use clap::Args;

use super::value::{ShardArg, duration, seconds, shard};
use super::{FpcoreArgs, SourceArgs};

/// The default for the number of cells that a bound may examine: what routines with a table need, with an entry for each of a hundred parts of two thousand
/// exponents.
pub(crate) const CELLS: u64 = 3_000_000;

#[derive(Debug, Args)]
pub(crate) struct BoundCommandArgs {
    #[command(flatten)]
    pub bound: BoundArgs,
    /// Also print what each rounding adds to the error of this input: a number, or bits:0x…
    #[arg(long, value_name = "INPUT", allow_hyphen_values = true)]
    pub at: Option<String>,
    /// Stop after this time, with the bound of the part examined so far: `60s`, `5min`, or a number of seconds
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<f64>,
    /// Threads [default: all cores]
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<usize>,
    /// Write the certificate of the bound to this file, for `crunch-check`, and check it with the checker's code
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// The error in ULP that the certificate claims [default: 2 % above the bound; for two arguments, the bound]
    #[arg(long, value_name = "ULP", requires = "certificate")]
    pub claim: Option<f64>,
}

#[derive(Debug, Args)]
pub(crate) struct BoundArgs {
    /// A sweep of binary64 (see `list`)
    #[arg(required_unless_present_any = ["lift", "fpcore"], conflicts_with = "outside")]
    pub sweep: Option<String>,
    #[command(flatten)]
    pub source: SourceArgs,
    #[command(flatten)]
    pub fpcore: FpcoreArgs,
    /// The range of inputs, as for `run` [default: the sweep's own]
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub range: Option<String>,
    /// The largest number of cells to examine
    #[arg(long, value_name = "N", default_value_t = CELLS, value_parser = clap::value_parser!(u64).range(1..))]
    pub cells: u64,
}

impl BoundArgs {
    /// Of a sweep of the program.
    pub fn of(sweep: String, range: Option<String>, cells: u64) -> Self {
        BoundArgs {
            sweep: Some(sweep),
            source: SourceArgs::default(),
            fpcore: FpcoreArgs::default(),
            range,
            cells,
        }
    }

    /// The sweep's name; for a function of a source, that of the sweep that was made for it.
    pub fn name(&self) -> &str {
        self.sweep.as_deref().unwrap_or_default()
    }
}

#[derive(Debug, Args)]
pub(crate) struct HuntArgs {
    #[command(flatten)]
    pub bound: BoundArgs,
    /// Stop after this time: `60s`, `5min`, or a number of seconds
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    pub time: f64,
    #[command(flatten)]
    pub descent: DescentArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ExactArgs {
    #[command(flatten)]
    pub bound: BoundArgs,
    /// Stop after this time, with a bracket: `60s`, `5min`, or a number of seconds
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = duration)]
    pub time: f64,
    #[command(flatten)]
    pub descent: DescentArgs,
    /// Write the certificate of the proof to this file, for `crunch-check`. Until it is complete, FILE.part holds the proof's journal, from
    /// which the same command resumes
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Prove the i-th of n parts of the cells, in FILE.I-of-N.part. `merge` makes one certificate from all parts; `auto` as for `run`
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub shard: Option<ShardArg>,
    /// Do not check the certificate with the checker's code after writing it
    #[arg(long, requires = "certificate")]
    pub no_check: bool,
}

/// The descent of the level from the bound.
#[derive(Debug, Args)]
pub(crate) struct DescentArgs {
    /// Start with errors within this many ULP of the bound, then within twice as many, and so on
    #[arg(long, value_name = "ULP", default_value = "0.002", value_parser = seconds)]
    pub slack: f64,
    /// Start with the error of this input, if it is known to be large: a number, or bits:0x…
    #[arg(long, value_name = "INPUT", allow_hyphen_values = true)]
    pub from: Option<String>,
    /// Threads [default: all cores]
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<usize>,
}
