//! The arguments of `design`.

use std::path::PathBuf;

use clap::Args;

use super::value::duration;

/// What `design` is asked for.
#[derive(Debug, Args)]
pub(crate) struct DesignArgs {
    /// The function, by its name in C: `exp`, `log2`, `sinpi`; `list --references` shows them all
    pub function: String,
    /// The inputs: as for `run`, such as `-1..1` or `all`
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub range: String,
    /// The format of inputs and results: f64, f32, f16 or bf16
    #[arg(long, value_name = "FORMAT", default_value = "f32")]
    pub precision: String,
    /// The largest error: `1.0ulp`, `1e-4abs`, `1e-6rel`, or `correctly-rounded`; in f64 `0.51ulp` or `1e-6rel`
    #[arg(long, value_name = "TOLERANCE", default_value = "1.0ulp")]
    pub within: String,
    /// Write the kernel to this file [default: none; only the front is shown]
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The kernel's name [default: FUNCTION_FORMAT]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Write the design with that number in the table [default: the fastest within the tolerance]
    #[arg(long, value_name = "NUMBER")]
    pub pick: Option<usize>,
    /// The number of designs of the front that are searched at all inputs
    #[arg(long, value_name = "N", default_value = "8", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub finalists: u16,
    /// Stop after this time, with the best design so far: `60s`, `5min`
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<f64>,
    /// Draw the front, error over nanoseconds, with Rust's own function beside it: FILE.svg or FILE.png
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// In f64, the time for the proof of each design's largest error: `60s`, `5min`
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    pub proof: f64,
    /// In f64, write the certificate of the design's largest error to this file, and prove it again with the code of `crunch-check`
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// No progress
    #[arg(long, short)]
    pub quiet: bool,
}
