//! `crunch-check FILE`: checks a certificate that `crunch exact --certificate` or `crunch bound --certificate` wrote.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use crunch_check::{Options, Refused, SIEVE, check, plain};

/// Check a certificate of a routine's largest error
///
/// Exit code: 0 proven, 1 not proven, 2 wrong arguments, 4 an internal contradiction, which is to be reported.
#[derive(Parser)]
#[command(version)]
struct Args {
    /// The certificate
    file: PathBuf,
    /// Examine only every 64th stretch
    #[arg(long)]
    quick: bool,
    /// Threads [default: all cores]
    #[arg(short, long, default_value_t = 0, hide_default_value = true)]
    jobs: usize,
    /// The number of inputs to evaluate after the proof, as a safety net; 0 evaluates none
    #[arg(long, value_name = "N", default_value_t = SIEVE)]
    sieve: u64,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let options = Options {
        every: if args.quick { 64 } else { 1 },
        jobs: args.jobs,
        sieve: args.sieve,
    };
    let text = std::fs::read_to_string(&args.file).map_err(|e| Refused::NotProven(e.to_string()));
    match text.and_then(|text| check(&text, options)) {
        Ok(report) => {
            print!("{report}");
            ExitCode::SUCCESS
        }
        Err(refused) => {
            let file = plain(&args.file.display().to_string());
            eprintln!("NOT PROVEN: {file}: {refused}");
            ExitCode::from(refused.code())
        }
    }
}
