//! `cargo xtask math`: what `dc-math` promises of each function, as a table: at all inputs in binary32 and all pairs in 16 bits, or as
//! certified bounds in binary64.

use std::path::PathBuf;

use crate::error::Result;
use crate::process::{built, cargo, root, run as run_command};
use crate::setup::{self, Only};

/// What to search.
#[derive(clap::Args)]
pub struct Args {
    /// Only these functions, separated by commas; for pairs in 16 bits, `f16::pow` or `bf16::pow`
    #[arg(long, value_name = "LIST")]
    only: Option<String>,
    /// Assume the bound 2^-44 of the references in binary64, and examine only the inputs that it does not decide: several times as fast. Without
    /// this option, all inputs are compared with the double-double references
    #[arg(long)]
    quick: bool,
    /// Bound the errors of the functions of one argument in binary64 at all finite inputs instead, without running the functions
    #[arg(long, conflicts_with = "quick")]
    bounds: bool,
    /// With --bounds: the range of inputs, such as 1..1.5 [default: all finite numbers]
    #[arg(long, value_name = "RANGE", requires = "bounds")]
    range: Option<String>,
    /// With --bounds: the largest time of each function's bound. A bound that was computed with the same limit is only printed
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 60.0,
        requires = "bounds"
    )]
    seconds: f64,
    /// With --bounds: the largest time to check each certificate; 0 writes certificates without checking them
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 600.0,
        requires = "bounds"
    )]
    check: f64,
    /// Stop after this many minutes; the same command continues
    #[arg(long, value_name = "MINUTES")]
    minutes: Option<f64>,
    /// Threads [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// The folder for the counts
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
    // The searches of all inputs take minutes to compile, and bounds do not need them.
    match (args.bounds, mpfr) {
        (true, _) => command.args(["--features", "std"]),
        (false, true) => command.args(["--features", "full,mpfr"]),
        (false, false) => command.args(["--features", "full"]),
    };
    let test = if args.bounds {
        "bounds::bounds"
    } else {
        "full::full"
    };
    command.args(["--", "--nocapture", "--ignored", "--exact", test]);
    command.env("CRUNCH_MATH_STATE", root().join(&args.out));
    if let Some(only) = &args.only {
        command.env("CRUNCH_MATH_ONLY", only);
    }
    command.env("CRUNCH_MATH_SECONDS", args.seconds.to_string());
    if args.bounds && args.check > 0.0 {
        let check = built(true, &["-p", "crunch-check"], "crunch-check")?;
        command.env("CRUNCH_MATH_CHECKER", check);
        command.env("CRUNCH_MATH_CHECK", args.check.to_string());
    }
    if let Some(range) = &args.range {
        command.env("CRUNCH_MATH_RANGE", range);
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
