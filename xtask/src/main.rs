//! `cargo xtask`: everything about this repository that is more than one `cargo` call.
//!
//! | file | what |
//! |---|---|
//! | `setup/` | finds or installs what the backends need |
//! | `atlas.rs` | the functions of one argument that people use, at all inputs |
//! | `bench.rs` | our search loops beside rivals written by hand |
//! | `compile_time.rs` | what a kernel adds to a release build and to a process's start |
//! | `exact.rs` | the exact maxima of the built-in routines, with their certificates checked |
//! | `demo.rs` | the main job, with whatever backends there are |
//! | `test.rs`, `lint.rs` | the tests with every backend required; format, clippy, docs |
//! | `layers.rs` | which modules of `dc-runtime` may import which, held against its source |
//! | `fuzz.rs` | random kernels on every backend |
//! | `emulator.rs` | the tests of AVX-512 on a processor without it; `avx512-emulator/` is what runs them |
//! | `publish.rs` | the oldest compiler that is promised; licences and sources of the dependencies |
//! | `references.rs` | the references of functions against MPFR |
//! | `targets.rs` | clippy for processors other than x86-64 |
//! | `sass.rs`, `sass_loops.rs` | the machine code that NVIDIA's compilers make of a file of CUDA text; of our searches and their rivals |
//! | `process.rs` | running other programs |

mod atlas;
mod bench;
mod compile_time;
#[path = "../../benches/limit/cuda_text.rs"]
mod cuda_text;
mod demo;
mod emulator;
mod exact;
mod fuzz;
mod layers;
mod lint;
#[allow(dead_code, reason = "the tests use what this does not")]
#[path = "../../tests/support/nvidia.rs"]
mod nvidia;
mod process;
mod publish;
mod references;
mod sass;
mod setup;
mod targets;
mod test;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Development tasks of DoubleCrunch.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Find or install what the backends need: PoCL, oclgrind, a C++ compiler, NVIDIA's compilers.
    Setup(setup::Args),
    /// Run the main job: the paper's reciprocals on every backend of this machine, compared bit for bit.
    Demo(demo::Args),
    /// Set up, then pass all tests with every backend that this machine can have.
    Test(test::Args),
    /// Format, clippy and documentation, all warnings being errors.
    Lint,
    /// Compile everything with the oldest compiler that is promised, the `rust-version` of Cargo.toml.
    Msrv,
    /// Hold the dependencies against deny.toml: licences, duplicates, sources, advisories. Needs cargo-deny.
    Deny,
    /// Run random kernels on every backend and compare all bits: differential fuzzing.
    Fuzz(fuzz::Args),
    /// Time our search loops beside rivals in C, plain Rust and MPFR, in one run.
    Bench(bench::Args),
    /// Hold the references of functions against MPFR: the largest error of each, beside its bound.
    References(references::Args),
    /// Search all inputs of the binary32 functions that people use, and write docs/atlas.md.
    Atlas(atlas::Args),
    /// Prove the exact maxima of the built-in routines and check their certificates; a table. The same command goes on.
    Exact(exact::Args),
    /// Show the machine code of a file of CUDA text, and count its floating-point operations.
    Sass(sass::Args),
}

/// Why a task failed, for a person.
#[derive(Debug)]
struct Error(String);

type Result<T> = std::result::Result<T, Error>;

impl From<String> for Error {
    fn from(text: String) -> Self {
        Error(text)
    }
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().task {
        Task::Setup(args) => setup::run(&args),
        Task::Demo(args) => demo::run(&args),
        Task::Test(args) => test::run(&args),
        Task::Lint => lint::run(),
        Task::Msrv => publish::msrv(),
        Task::Deny => publish::deny(),
        Task::Fuzz(args) => fuzz::run(&args),
        Task::Bench(args) => bench::run(&args),
        Task::References(args) => references::run(&args),
        Task::Atlas(args) => atlas::run(&args),
        Task::Exact(args) => exact::run(&args),
        Task::Sass(args) => sass::run(&args),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(Error(text)) => {
            eprintln!("xtask: {text}");
            ExitCode::FAILURE
        }
    }
}
