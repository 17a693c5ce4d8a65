//! `cargo xtask math`: what `dc-math` promises of each function in binary32, at all inputs, as a table.

use std::path::PathBuf;

use crate::error::Result;
use crate::process::{cargo, root, run as run_command};
use crate::setup::{self, Only};

/// What to search.
#[derive(clap::Args)]
pub struct Args {
    /// Only these functions, separated by commas
    #[arg(long, value_name = "LIST")]
    only: Option<String>,
    /// Take the bound 2^-44 of the references in binary64 for granted, and look closer only where it does not decide: several
    /// times as fast. Without it all inputs are compared with the double-double references
    #[arg(long)]
    quick: bool,
    /// Stop after this many minutes; the same command continues
    #[arg(long, value_name = "MINUTES")]
    minutes: Option<f64>,
    /// Threads [default: one per core]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// The folder in which the counts are kept
    #[arg(long, value_name = "FOLDER", default_value = "target/math")]
    out: PathBuf,
}

/// `cargo xtask math`.
pub fn run(args: &Args) -> Result<()> {
    let tools = setup::ensure(&[Only::Mpfr]);
    tools.print();
    let mut command = cargo();
    command.args(["test", "-p", "dc-math", "--test", "promises"]);
    // Without MPFR what the double-double references cannot decide is counted as undecided.
    let mpfr = setup::features().contains(&"mpfr");
    command.args(["--features", if mpfr { "full,mpfr" } else { "full" }]);
    command.args(["--", "--nocapture", "--ignored", "--exact", "full::full"]);
    command.env("CRUNCH_MATH_STATE", root().join(&args.out));
    if let Some(only) = &args.only {
        command.env("CRUNCH_MATH_ONLY", only);
    }
    if args.quick {
        command.env("CRUNCH_MATH_QUICK", "1");
    }
    if let Some(minutes) = args.minutes {
        command.env("CRUNCH_MATH_MINUTES", minutes.to_string());
    }
    if let Some(threads) = args.threads {
        command.env("CRUNCH_MATH_THREADS", threads.to_string());
    }
    run_command(&mut command)
}
