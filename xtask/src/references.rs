//! `cargo xtask references`: the references of functions against MPFR, as a table.

use crate::process::{cargo, run as run_command};
use crate::setup::{self, Only};
use crate::{Error, Result};

/// What to measure.
#[derive(clap::Args)]
pub struct Args {
    /// Inputs a function for binary32; 4294967296 takes all. For binary64 half as many.
    #[arg(long, value_name = "N", default_value = "1048576")]
    inputs: u64,
    /// Only these functions, separated by commas
    #[arg(long, value_name = "LIST")]
    only: Option<String>,
    /// Only the references of this precision
    #[arg(long, value_name = "PRECISION", value_parser = ["binary32", "binary64"])]
    precision: Option<String>,
}

/// `cargo xtask references`.
pub fn run(args: &Args) -> Result<()> {
    let tools = setup::ensure(&[Only::Mpfr]);
    tools.print();
    if !setup::features().contains(&"oracle") {
        return Err(Error(
            "the references are held against MPFR, which is not here: apt-get install libmpfr-dev libgmp-dev".into(),
        ));
    }
    let tests = match args.precision.as_deref() {
        Some(precision) => vec![format!("functions::{precision}")],
        None => vec!["functions::binary32".into(), "functions::binary64".into()],
    };
    let mut command = cargo();
    command.args(["test", "--features", "oracle", "--test", "references", "--"]);
    command.args(["--nocapture", "--test-threads", "1", "--exact"]);
    command.args(tests);
    // The test takes a quarter of what it is told for a function of binary32.
    command.env(
        "CRUNCH_REFERENCE_INPUTS",
        args.inputs.saturating_mul(4).to_string(),
    );
    if let Some(only) = &args.only {
        command.env("CRUNCH_REFERENCE_ONLY", only);
    }
    run_command(&mut command)
}
