//! The arguments of `improve`.

use std::path::PathBuf;

use clap::Args;

use super::SourceArgs;
use super::value::{duration, percent};

/// The default for the number of cells of a bound: there is one for each of many candidates.
const CELLS: u64 = 400_000;

/// What `improve` is asked for.
#[derive(Debug, Args)]
pub(crate) struct ImproveArgs {
    /// A sweep of a kernel of one argument (see `list`)
    #[arg(required_unless_present = "lift", conflicts_with = "outside")]
    pub sweep: Option<String>,
    #[command(flatten)]
    pub source: SourceArgs,
    /// The range of inputs, as for `run` [default: the sweep's own]
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub range: Option<String>,
    /// Write the patch to this file, or the kernels with their new constants if the source cannot be patched [default: SWEEP.patch]
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Also vary these constants, by the names that this command prints, separated by commas
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    pub also: Vec<String>,
    /// Keep these constants unchanged
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    pub keep: Vec<String>,
    /// The smallest gain worth a change, in percent of the largest error. If no such gain is possible, there is no search
    #[arg(long, value_name = "PERCENT", default_value = "10", value_parser = percent)]
    pub gain: f64,
    /// Search for this time, then verify the result: `60s`, `5min`
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    pub time: f64,
    /// For binary64: the largest number of cells of a bound
    #[arg(long, value_name = "N", default_value_t = CELLS, value_parser = clap::value_parser!(u64).range(1..))]
    pub cells: u64,
    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
}
