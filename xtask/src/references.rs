//! `cargo xtask references`: the references of functions, compared with MPFR, as a table.

use std::path::PathBuf;

use crate::error::{Error, Result};
use crate::process::{cargo, root, run as run_command};
use crate::setup::{self, Only};

/// What to measure.
#[derive(clap::Args)]
pub struct Args {
    /// Inputs per function for binary32; 4294967296 takes all. Binary64 takes half as many, rounded up to 4096.
    #[arg(long, value_name = "N", default_value = "1048576")]
    inputs: u64,
    /// Only these functions, separated by commas
    #[arg(long, value_name = "LIST")]
    only: Option<String>,
    /// Only the references of this precision. `tiers` compares the references for binary32 with those for binary64, a hundred times as fast as
    /// with MPFR, and their largest errors with MPFR
    #[arg(long, value_name = "PRECISION", value_parser = ["binary32", "binary64", "tiers"])]
    precision: Option<String>,
    /// The folder for the measurements for binary64 and of tiers. The same command continues from them, also with more inputs
    #[arg(long, value_name = "FOLDER", default_value = "target/references")]
    out: PathBuf,
    /// Stop binary64 and tiers after this many minutes, with the table of completed measurements
    #[arg(long, value_name = "MINUTES")]
    minutes: Option<f64>,
}

/// `cargo xtask references`.
pub fn run(args: &Args) -> Result<()> {
    let tools = setup::ensure(&[Only::Mpfr]);
    tools.print();
    if !setup::features().contains(&"mpfr") {
        return Err(Error(
            "the references are held against MPFR, which is not here: apt-get install libmpfr-dev libgmp-dev".into(),
        ));
    }
    let tests = match args.precision.as_deref() {
        Some("binary64") => &["doubles::binary64"][..],
        Some("tiers") => &["tiers::tiers"],
        Some(_) => &["functions::binary32"],
        None => &["functions::binary32", "doubles::binary64", "tiers::tiers"],
    };
    let mut command = cargo();
    command.args(["test", "--features", "mpfr", "--test", "references", "--"]);
    command.args(["--nocapture", "--test-threads", "1", "--exact"]);
    command.args(tests);
    // The test uses a quarter of the requested number for a function of binary32.
    command.env(
        "CRUNCH_REFERENCE_INPUTS",
        args.inputs.saturating_mul(4).to_string(),
    );
    if let Some(only) = &args.only {
        command.env("CRUNCH_REFERENCE_ONLY", only);
    }
    command.env("CRUNCH_REFERENCE_STATE", root().join(&args.out));
    if let Some(minutes) = args.minutes {
        command.env("CRUNCH_REFERENCE_MINUTES", minutes.to_string());
    }
    run_command(&mut command)
}
