//! A run: slices of kernels, each in a process of its own, since trees are leaked and a compiled kernel may crash.

mod slice;
mod small;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use crate::ast::Unit;
use crate::{cpu, fault_injection, generate};

pub use slice::{Outcome, Slice, slice, text_backends};
pub use small::{TextOracle, describe};

/// What is run.
#[derive(Debug, Clone, clap::Args)]
pub struct Args {
    /// Stop after so many minutes, at the end of a slice.
    #[arg(long)]
    pub minutes: Option<f64>,
    /// Stop after so many kernels; 1000 if no time is given either.
    #[arg(long)]
    pub kernels: Option<u64>,
    /// Other kernels, other inputs. A number in decimal.
    #[arg(long)]
    pub seed: Option<u64>,
    /// Number of the first kernel.
    #[arg(long, default_value_t = 0)]
    pub from: u64,
    /// Inputs of each kernel.
    #[arg(long, default_value_t = 4096)]
    pub rows: usize,
    /// Backends, as on `crunch`'s command line.
    #[arg(long, default_value = "all")]
    pub backends: String,
    /// Only trees on interpreter and emitted text, or only Rust source compiled by rustc.
    #[arg(long)]
    pub only: Option<Only>,
    /// Inject a fault, to see that it is found: `list` names them.
    #[arg(long)]
    pub inject: Option<String>,
    /// Where what is found is saved, made small.
    #[arg(long)]
    pub save: Option<PathBuf>,
    /// The profile that Rust source is compiled in.
    #[arg(long, default_value = "release")]
    pub profile: String,
    /// A folder of programs that `prebuild` wrote, which are run in place of Rust source: no compiler is needed.
    #[arg(long)]
    pub prebuilt: Option<PathBuf>,
}

/// Which half.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Only {
    /// Interpreter and emitted text.
    Text,
    /// Compiled by rustc.
    Rust,
}

/// Kernels of a slice. Backends are probed in each, which costs some seconds.
pub const SLICE: u64 = 4 * cpu::TOGETHER as u64;

/// Runs slices until time or kernels are used up or something is found.
#[must_use]
pub fn run(args: &Args) -> ExitCode {
    if args.inject.as_deref() == Some("list") {
        for fault in fault_injection::ALL {
            println!("{:<34} {}", fault.name, fault.what);
        }
        return ExitCode::SUCCESS;
    }
    let seed = args.seed.unwrap_or_else(|| {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        now.map_or(1, |t| t.as_secs())
    });
    let kernels = args.kernels.unwrap_or(match args.minutes {
        Some(_) => u64::MAX,
        None => 1000,
    });
    println!("seed {seed}");
    let folder = std::env::temp_dir().join(format!("random-kernels-{}", std::process::id()));
    let begun = Instant::now();
    let mut total = Total::default();
    let mut done = 0;
    let time_left = || {
        args.minutes
            .is_none_or(|m| begun.elapsed() < Duration::from_secs_f64(60.0 * m))
    };
    while done < kernels && time_left() {
        let count = SLICE.min(kernels - done);
        if let Err(reason) = slice_process(args, &folder, seed, args.from + done, count, &mut total)
        {
            println!("{reason}");
            total.failures += 1;
        }
        done += count;
        println!("{:>7} s: {}", begun.elapsed().as_secs(), total.line());
        if total.failures > 0 {
            break;
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    println!("{}", total.table());
    if total.failures > 0 {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

/// What all slices showed.
#[derive(Debug, Default)]
struct Total {
    kernels: u64,
    failures: u64,
    evaluations: BTreeMap<String, u64>,
    /// What was not here, with the reason.
    absent: BTreeMap<String, String>,
}

impl Total {
    fn line(&self) -> String {
        format!(
            "{} kernels, {:.3e} evaluations, {} failures",
            self.kernels,
            self.evaluations.values().sum::<u64>() as f64,
            self.failures
        )
    }

    fn table(&self) -> String {
        let mut out = String::new();
        for (backend, n) in &self.evaluations {
            let _ = writeln!(out, "{backend:<24} {n:>14}");
        }
        for (backend, reason) in &self.absent {
            let _ = writeln!(out, "{backend:<24} not run: {reason}");
        }
        let all: u64 = self.evaluations.values().sum();
        let _ = write!(
            out,
            "{:<24} {all:>14} evaluations of {} kernels, {} failures",
            "all", self.kernels, self.failures
        );
        out
    }
}

/// Runs a slice in a process of its own, and reads its report.
fn slice_process(
    args: &Args,
    folder: &Path,
    seed: u64,
    from: u64,
    count: u64,
    total: &mut Total,
) -> Result<(), String> {
    // Without /proc a program does not know its path, but how it was started.
    let own = std::env::current_exe()
        .or_else(|e| std::env::args_os().next().map(PathBuf::from).ok_or(e))
        .map_err(|e| format!("this program has no path: {e}"))?;
    let mut command = Command::new(own);
    command
        .arg("slice")
        .args(["--seed", &seed.to_string()])
        .args(["--from", &from.to_string()])
        .args(["--kernels", &count.to_string()])
        .args(["--rows", &args.rows.to_string()])
        .args(["--backends", &args.backends])
        .args(["--profile", &args.profile]);
    if let Some(only) = args.only {
        command.args(["--only", if only == Only::Text { "text" } else { "rust" }]);
    }
    if let Some(fault) = &args.inject {
        command.args(["--inject", fault]);
    }
    if let Some(save) = &args.save {
        command.arg("--save").arg(save);
    }
    if let Some(folder) = &args.prebuilt {
        command.arg("--prebuilt").arg(folder);
    }
    let out = command
        .env("RANDOM_KERNELS_FOLDER", folder)
        // Nobody compiles any of this twice.
        .env("CRUNCH_CACHE_DIR", "")
        .env("POCL_CACHE_DIR", folder.join("pocl"))
        // A pipe that is closed at once: there may be no /dev/null.
        .stdin(Stdio::piped())
        .stderr(Stdio::inherit())
        .output();
    let out = out.map_err(|e| format!("a slice could not be started: {e}"))?;
    let stdout = String::from_utf8_lossy(&out.stdout);
    let mut ended = false;
    for line in stdout.lines() {
        let mut words = line.splitn(3, '\t');
        match (words.next(), words.next(), words.next()) {
            (Some("@evaluations"), Some(backend), Some(n)) => {
                *total.evaluations.entry(backend.into()).or_default() +=
                    n.parse::<u64>().unwrap_or_default();
            }
            (Some("@absent"), Some(backend), Some(why)) => {
                total.absent.insert(backend.into(), why.into());
            }
            (Some("@end"), Some(failures), _) => {
                ended = true;
                total.failures += failures.parse::<u64>().unwrap_or(1);
            }
            _ => println!("{line}"),
        }
    }
    if !out.status.success() || !ended {
        return Err(format!(
            "kernels {from} to {} of seed {seed}: the process ended with {}",
            from + count - 1,
            out.status
        ));
    }
    total.kernels += count;
    Ok(())
}

/// Compiles kernels for all processors, into programs that [`Args::prebuilt`] names; `flags` are rustc's for the programs.
///
/// # Errors
/// When they do not build or cannot be written.
pub fn prebuild(args: &Args, into: &Path, flags: &[String]) -> Result<(), String> {
    let (seed, count) = (args.seed.unwrap_or(1), args.kernels.unwrap_or(SLICE));
    let io = |e: std::io::Error| format!("{}: {e}", into.display());
    std::fs::create_dir_all(into).map_err(io)?;
    let folder = std::env::temp_dir().join(format!("random-kernels-{}", std::process::id()));
    let builder = cpu::Builder::new(&folder, &args.profile).for_all_processors(flags);
    let programs = cpu::Prebuilt {
        folder: into.into(),
        seed,
        from: args.from,
    };
    for first in (0..count).step_by(SLICE as usize) {
        let numbers = args.from + first..args.from + count.min(first + SLICE);
        let units: Vec<Unit> = numbers.map(|n| generate::unit(seed, n)).collect();
        let program = builder.program(&units)?;
        std::fs::copy(program, programs.program(first as usize)).map_err(io)?;
        println!("{} of {count} kernels compiled", first + units.len() as u64);
    }
    let _ = std::fs::remove_dir_all(&folder);
    Ok(())
}
