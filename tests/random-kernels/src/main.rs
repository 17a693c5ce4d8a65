//! Differential fuzzing of the language: `cargo xtask fuzz`.

use std::process::ExitCode;

use clap::Parser;
use random_kernels::run::{self, Args};

/// Random kernels on every backend of this machine, held bit for bit against the interpreter.
#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    task: Option<Task>,
    #[command(flatten)]
    args: Args,
}

#[derive(clap::Subcommand)]
enum Task {
    /// A slice of a run, in this process.
    #[command(hide = true)]
    Slice(Args),
    /// Compile kernels for all processors, for `--prebuilt`.
    Prebuild {
        #[command(flatten)]
        args: Args,
        /// The folder for the programs.
        #[arg(long)]
        into: std::path::PathBuf,
        /// A flag of rustc's for the programs; once for each.
        #[arg(long, allow_hyphen_values = true)]
        flag: Vec<String>,
    },
    /// Show kernels as Rust source.
    Show(Args),
    /// Show a file of kernels, as `slice.rs` is.
    ShowSlice(Args),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    match cli.task {
        None => run::run(&cli.args),
        Some(Task::Slice(args)) => run::slice(&args),
        Some(Task::Prebuild { args, into, flag }) => match run::prebuild(&args, &into, &flag) {
            Ok(()) => ExitCode::SUCCESS,
            Err(reason) => {
                eprintln!("{reason}");
                ExitCode::FAILURE
            }
        },
        Some(Task::ShowSlice(args)) => {
            let (seed, kernels) = (args.seed.unwrap_or(7), args.kernels.unwrap_or(16));
            print!("{}", random_kernels::rust_source::slice(seed, kernels));
            ExitCode::SUCCESS
        }
        Some(Task::Show(args)) => {
            let seed = args.seed.unwrap_or(1);
            for n in args.from..args.from + args.kernels.unwrap_or(1) {
                let unit = random_kernels::generate::unit(seed, n);
                println!("{}", random_kernels::rust_source::source(&unit));
            }
            ExitCode::SUCCESS
        }
    }
}
