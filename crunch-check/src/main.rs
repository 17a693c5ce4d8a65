//! `crunch-check FILE`: checks a certificate that `crunch exact --certificate` wrote.
//!
//! It shares no code with the search that wrote the certificate, and parses the kernel's text. Intervals have multiple
//! precision (the crate `dashu-float`); the mathematics is in docs/exact.md.
//!
//! | file | what |
//! |---|---|
//! | `certificate` | the parser of the file |
//! | `ir`, `point` | the kernel: its text, its value at an input |
//! | `cell`, `residual` | the kernel on a cell: a straight line of operations, each exact or rounded once |
//! | `number`, `series` | intervals; Taylor series of lines and of functions |
//! | `analysis`, `weights` | the bound of the error on a stretch |
//! | `polynomial` | real values on a stretch, as polynomials with integer coefficients |
//! | `lattice`, `enumerate`, `reduce` | runs: no input is above the level except those that are examined |
//! | `check` | the check of the tiling and of all stretches |

mod analysis;
mod cell;
mod certificate;
mod check;
mod enumerate;
mod function;
#[cfg(test)]
mod fuzz;
mod ir;
mod lattice;
mod number;
mod point;
mod polynomial;
mod reduce;
mod residual;
mod series;
mod weights;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Instant;

use clap::Parser;

use crate::certificate::Certificate;
use crate::check::{At, Check};

/// Check a certificate of a routine's largest error
#[derive(Parser)]
#[command(version)]
struct Args {
    /// The certificate
    file: PathBuf,
    /// Look at one of 64 of the stretches only
    #[arg(long)]
    quick: bool,
    /// Threads
    #[arg(short, long, default_value_t = 0, hide_default_value = true)]
    jobs: usize,
}

fn main() -> ExitCode {
    let args = Args::parse();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("NOT PROVEN: {}: {message}", args.file.display());
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<(), String> {
    let begun = Instant::now();
    rayon::ThreadPoolBuilder::new()
        .num_threads(args.jobs)
        .build_global()
        .map_err(|e| e.to_string())?;
    let text = std::fs::read_to_string(&args.file).map_err(|e| e.to_string())?;
    let certificate = Certificate::parse(&text)?;
    let check = Check::new(&certificate)?;
    check.run(if args.quick { 64 } else { 1 })?;
    let counts = &check.counts;
    let get = |c: &std::sync::atomic::AtomicU64| c.load(Ordering::Relaxed);
    let word = if args.quick { "SAMPLED" } else { "PROVEN" };
    println!(
        "{word}: {}, as an approximation of {}:",
        certificate.sweep,
        check.function()
    );
    for (lo, hi) in &certificate.ranges {
        println!("  inputs        {lo:e} to {hi:e}");
    }
    println!("  largest error at most {} ULP", certificate.error);
    if let Some(x) = certificate.worst {
        match check.error_at::<192>(x)? {
            At::Error(e) => println!(
                "  attained      {} ULP at {x:e} ({:016x})",
                e.middle(),
                x.to_bits()
            ),
            At::Overflow => {
                return Err(format!(
                    "at {x:e}, claimed as the worst input, there is no error"
                ));
            }
        }
    }
    if get(&counts.cells) > 0 {
        println!(
            "  found         {} cells, in {} classes",
            get(&counts.cells),
            get(&counts.classes)
        );
    }
    println!(
        "  checked       {} of {} stretches: {} bounds, {} lattices with {} runs, {} inputs; {} cuts; {:.1} s",
        get(&counts.looked),
        check.stretches(),
        get(&counts.bound),
        get(&counts.lattice),
        get(&counts.runs),
        get(&counts.inputs),
        get(&counts.cut),
        begun.elapsed().as_secs_f64()
    );
    Ok(())
}
