//! The command line of DoubleCrunch: the program `crunch`, and the same commands for your own kernels. Use it as
//! `doublecrunch::driver`, with the feature `driver`.
//!
//! ```ignore
//! fn main() -> std::process::ExitCode {
//!     doublecrunch::driver::main(&[Sweep::new::<my_rcp, rcp_exact>("my_rcp", "1.0..2.0")])
//! }
//! ```
//!
//! There is one file per subcommand. Text output goes to stdout, and progress goes to stderr. With `--json`, stdout is one JSON document.
//! Exit codes: [`exit`].

mod args;
mod certificate;
mod cli;
mod commands;
mod context;
mod device;
mod estimate;
mod failure;
mod folder;
mod fpcore;
mod interrupt;
mod kernels;
mod library;
mod lifted;
mod limit;
mod meant;
mod mpfr;
mod named;
mod output;
mod outside;
mod plot;
mod progress;
mod proven;
mod report;
mod results;
mod several;
mod shard;
mod speed;
mod state;
#[cfg(feature = "suite")]
pub mod suites;
mod traced;
mod whole;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _};
use kernels_gen::ir::Kernel;

use dc_runtime::backend::discover::RequireError;
use dc_runtime::backend::{Discovery, Filter, discover};
use dc_runtime::fenv::Guard;
use dc_runtime::model::{patience, show};
use dc_runtime::reductions::Reduction;
use dc_runtime::sweep::Sweep;

use cli::Cli;
pub use commands::draw_envelope;
use context::Context;
#[cfg(feature = "references")]
pub use dc_references::reference;
use failure::Failure;

/// Exit codes.
pub mod exit {
    /// Success, nothing found.
    pub const OK: u8 = 0;
    /// A finding: backends differ, or no emulation agrees with the instruction.
    pub const FINDING: u8 = 1;
    /// Bad input: an argument, a range, a file that is not a run file or belongs to another run.
    pub const INPUT: u8 = 2;
    /// A requested backend is missing or was refused.
    pub const UNAVAILABLE: u8 = 3;
    /// Something failed: a launch, the disk, or two results that contradict each other.
    pub const FAILED: u8 = 4;
    /// Stopped on request before the end; `resume` continues.
    pub const STOPPED: u8 = 5;
}

/// Runs the command line of this process for these sweeps. Without arguments it prints the help.
#[must_use]
pub fn main(sweeps: &[Sweep]) -> ExitCode {
    main_or(sweeps, &["--help"])
}

/// Like [`main`], with `default` as the arguments if the command line has none.
#[must_use]
pub fn main_or(sweeps: &[Sweep], default: &[&str]) -> ExitCode {
    let program = Program {
        sweeps,
        ..Program::default()
    };
    start(&program, default)
}

/// Like [`main`], with further kernels for `emit` and `list --kernels`, which no sweep reaches: `kernels![a, detail::b]`.
#[must_use]
pub fn main_with(sweeps: &[Sweep], kernels: &[&'static Kernel]) -> ExitCode {
    let program = Program {
        sweeps,
        kernels,
        ..Program::default()
    };
    program.main()
}

/// The items that a command line serves.
///
/// ```ignore
/// fn main() -> std::process::ExitCode {
///     let reductions = &[Reduction { name: "total", function: Function::Sum, orders: &[Order::of::<total>("mine")] }];
///     Program { reductions, ..Program::default() }.main()
/// }
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Program<'a> {
    /// The sweeps.
    pub sweeps: &'a [Sweep],
    /// Further kernels for `emit` and `list --kernels`: `kernels![a, detail::b]`.
    pub kernels: &'a [&'static Kernel],
    /// The reductions, for `reduce`.
    pub reductions: &'a [Reduction<'a>],
}

impl Program<'_> {
    /// Runs the command line of this process. Without arguments it prints the help.
    #[must_use]
    pub fn main(&self) -> ExitCode {
        start(self, &["--help"])
    }
}

fn start(program: &Program, default: &[&str]) -> ExitCode {
    let mut args: Vec<OsString> = std::env::args_os().collect();
    #[cfg(target_os = "linux")]
    if dc_runtime::model::library::serve(&args) {
        return ExitCode::SUCCESS;
    }
    if args.len() < 2 {
        args.extend(default.iter().map(OsString::from));
    }
    let mut out = std::io::stdout().lock();
    let mut err = std::io::stderr();
    let guard = Guard::new();
    if !guard.before().is_default() {
        // Nothing can be done about a closed stderr.
        let _ = writeln!(
            err,
            "note: this program was started in the floating-point environment {}; it continues in the default one",
            guard.before()
        );
    }
    let backends = Backends {
        discover: &discover,
        required: &Discovery::require_from_env,
    };
    let code = run_with(args, program, &backends, &mut out, &mut err);
    patience::end_if_left(code);
    ExitCode::from(code)
}

/// The source of the driver's backends.
pub struct Backends<'a> {
    /// Finds the selected backends.
    pub discover: &'a dyn Fn(&Filter) -> Discovery,
    /// If all were selected, checks that the required ones are available.
    pub required: &'a dyn Fn(&Discovery) -> Result<(), RequireError>,
}

/// Runs the driver with these arguments (the name of the program first), backends and streams. Returns the exit code.
pub fn run(
    args: Vec<OsString>,
    sweeps: &[Sweep],
    backends: &Backends,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> u8 {
    let program = Program {
        sweeps,
        ..Program::default()
    };
    run_with(args, &program, backends, out, err)
}

/// Like [`run`], for a program.
pub fn run_with(
    args: Vec<OsString>,
    served: &Program,
    backends: &Backends,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> u8 {
    let command_line: Vec<String> = args
        .iter()
        .map(|a| a.to_string_lossy().into_owned())
        .collect();
    let program = program_name(command_line.first().map_or("crunch", String::as_str));
    let command = command().bin_name(program.clone());
    let json = wants_json(&args);
    let parsed = command
        .try_get_matches_from(args::marked(args))
        .and_then(|m| Cli::from_arg_matches(&m));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(e) => return refuse(&e, &program, json, out, err),
    };
    let orders = served.reductions.iter().flat_map(|r| r.orders);
    let of_orders = orders.map(|o| o.kernel.kernel);
    let kernels: Vec<&'static Kernel> = served.kernels.iter().copied().chain(of_orders).collect();
    let mut context = Context {
        sweeps: served.sweeps,
        kernels: &kernels,
        reductions: served.reductions,
        discover: backends.discover,
        required: backends.required,
        out: output::Out::new(out),
        err,
        json: cli.json,
        program,
        command_line: command_line.join(" "),
        folders: Vec::new(),
    };
    let ended = distinct(served).and_then(|()| commands::dispatch(cli.command, &mut context));
    let flushed = context.out.flush();
    let ended = match (ended, flushed) {
        (Ok(()), Err(e)) => Err(Failure::failed(format!("writing the output: {e}"))),
        (ended, _) => ended,
    };
    match ended {
        Ok(()) => exit::OK,
        Err(failure) => {
            if !failure.message.is_empty() {
                if context.json {
                    let written = context.out.failed(&failure.document());
                    // An error of one stream can only be reported on the other.
                    let _ = written.and_then(|()| context.out.flush());
                }
                // Nothing can be done about a closed stderr.
                let _ = writeln!(context.err, "error: {}", failure.shown());
            }
            failure.code
        }
    }
}

/// Refuses two sweeps or reductions with the same name: the second one could not be selected and would never be searched.
fn distinct(served: &Program) -> Result<(), Failure> {
    let (sweeps, reductions) = (served.sweeps, served.reductions);
    let again = (1..reductions.len()).find(|&i| {
        let mut before = reductions[..i].iter();
        before.any(|r| r.name == reductions[i].name)
    });
    if let Some(i) = again {
        return Err(Failure::input(format!(
            "two reductions are called `{}`; give one of them another name, where the program lists its reductions",
            reductions[i].name
        )));
    }
    let twice =
        (1..sweeps.len()).find(|&i| sweeps[..i].iter().any(|s| s.name() == sweeps[i].name()));
    match twice {
        None => Ok(()),
        Some(i) => Err(Failure::input(format!(
            "two sweeps are called `{}`; give one of them another name, where the program lists its sweeps",
            sweeps[i].name()
        ))),
    }
}

/// The commands and their arguments, as clap describes them, for tests of all of them.
#[doc(hidden)]
#[must_use]
pub fn command() -> clap::Command {
    Cli::command()
}

fn program_name(first: &str) -> String {
    std::path::Path::new(first)
        .file_stem()
        .map_or_else(|| "crunch".into(), |s| s.to_string_lossy().into_owned())
}

/// Whether the arguments request JSON, even if other arguments are wrong.
fn wants_json(args: &[OsString]) -> bool {
    let mut before = args.iter().skip(1).take_while(|a| *a != "--");
    before.any(|a| a == "--json")
}

/// clap's error, unchanged in its several lines: the fault, similar names, usage. In a document, it is on one line.
fn refuse(
    e: &clap::Error,
    program: &str,
    json: bool,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> u8 {
    use clap::error::ErrorKind;
    let text = e.render().to_string();
    match e.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let _ = out.write_all(text.as_bytes());
            exit::OK
        }
        kind => {
            if json {
                let message = match kind {
                    ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
                        format!("no command; `{program} help` lists them")
                    }
                    _ => format!("{}; `{program} help` explains the command", one_line(e)),
                };
                let document = Failure::input(message).document();
                let _ = writeln!(out, "{}", output::escaped(&document));
            }
            // A value in it may be of characters that move a terminal's cursor.
            let _ = writeln!(err, "{}", show::lines(text.trim_end()));
            exit::INPUT
        }
    }
}

/// clap's error without its usage, on one line.
fn one_line(e: &clap::Error) -> String {
    let text = e.render().to_string();
    let body = text.split("\n\nUsage:").next().unwrap_or_default();
    let body = body
        .split("\n\nFor more information")
        .next()
        .unwrap_or_default();
    let lines: Vec<&str> = body
        .lines()
        .map(str::trim)
        .filter(|l| !l.is_empty())
        .collect();
    let line = lines.join("; ");
    line.strip_prefix("error: ").unwrap_or(&line).into()
}
