//! `cargo xtask`: all tasks of this repository that need more than one call of `cargo`.
//!
//! | file | what |
//! |---|---|
//! | `setup/` | finds or installs the tools that the backends need |
//! | `atlas.rs` | common functions of one argument, at all inputs |
//! | `proven.rs` | functions of libraries as they stand, lifted and proven |
//! | `book/` | the book: its links and its summary; built by mdBook |
//! | `bench.rs` | our search loops, compared with loops written by hand |
//! | `compile_time.rs` | the time that a kernel adds to a release build and to a process's start |
//! | `exact.rs` | the exact maxima of the built-in routines, with their certificates checked |
//! | `demo.rs` | a first look at kernels alone; the main example, with all available backends |
//! | `test.rs`, `queue.rs`, `counts.rs`, `lint.rs` | the tests with every backend required; their programs in parallel; what their lines say; format, clippy, docs |
//! | `layers.rs` | which modules of `dc-runtime` may import which, checked in its source |
//! | `circles.rs` | files that import one another, in every crate |
//! | `lines.rs` | lines by part and purpose |
//! | `fuzz.rs` | random kernels on every backend |
//! | `formal.rs` | the formal proofs of the checker's lemmas |
//! | `mutants/` | faults in the programs of proofs, each tried with the tests |
//! | `kit.rs`, `elf.rs` | a folder that measures on a machine with nothing installed; what its programs need there |
//! | `emulator.rs` | the tests of AVX-512 on a processor without it; `avx512-emulator/` runs them |
//! | `math.rs` | what the functions of `dc-math` promise, at all inputs; bounds in binary64 |
//! | `lockstep.rs` | the example of a world in lockstep: its digest on six backends |
//! | `neon.rs` | the tests of NEON under qemu's user emulation |
//! | `publish.rs` | the oldest supported compiler; licences and sources of the dependencies; the packages of a release |
//! | `references.rs` | the references of functions, compared with MPFR |
//! | `targets.rs` | clippy for other processors, and without the standard library |
//! | `sass.rs`, `sass_loops.rs` | machine code by NVIDIA's compilers: of a file of CUDA text; of our searches and hand-written ones |
//! | `process.rs` | running other programs |

mod atlas;
mod bench;
mod book;
mod circles;
mod compile_time;
mod counts;
#[path = "../../benches/limit/cuda_text.rs"]
mod cuda_text;
mod demo;
mod elf;
mod emulator;
mod error;
mod exact;
mod formal;
mod fuzz;
mod kit;
mod layers;
mod lines;
mod lint;
mod lockstep;
mod math;
mod mutants;
mod neon;
#[allow(dead_code, reason = "the tests use what this does not")]
#[path = "../../tests/support/nvidia.rs"]
mod nvidia;
mod process;
mod proven;
mod publish;
mod queue;
mod references;
mod sass;
mod scratch;
mod setup;
mod targets;
mod test;
mod test_modules;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use error::Error;

/// Development tasks of DoubleCrunch.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Find or install the tools that the backends need: PoCL, oclgrind, a C++ compiler, NVIDIA's compilers.
    Setup(setup::Args),
    /// Run a short example of kernels alone, then the main example: the paper's reciprocals on every backend of this machine, compared bit for
    /// bit.
    Demo(demo::Args),
    /// Set up, then run all tests with every backend that this machine can have.
    Test(test::Args),
    /// Note a test program in a file: `test` has cargo call this command instead of the program.
    #[command(hide = true)]
    NoteTest(queue::Args),
    /// Run the example of a world in lockstep on six backends, one of them under qemu, and print its digests, which must be equal.
    Lockstep,
    /// Run the tests of NEON under qemu's user emulation.
    Neon,
    /// Check the links of the book, and build it where mdBook is installed.
    Book(book::Args),
    /// Check format, clippy and documentation; all warnings are errors.
    Lint,
    /// Compile everything with the oldest supported compiler, the `rust-version` of Cargo.toml.
    Msrv,
    /// Check the dependencies with deny.toml: licences, duplicates, sources, advisories. Needs cargo-deny.
    Deny,
    /// Make the packages of a release, and compile each from its package. Needs the registry.
    Package(publish::Args),
    /// Run random kernels on every backend and compare all bits: differential fuzzing.
    Fuzz(fuzz::Args),
    /// Time our search loops and alternatives in C, plain Rust and MPFR, in one run.
    Bench(bench::Args),
    /// Make a folder that proves and measures on any x86-64 Linux, without Rust, a compiler or a network.
    Kit(kit::Args),
    /// Compare the references of functions with MPFR: the largest error of each, with its bound.
    References(references::Args),
    /// Search all inputs of common binary32 functions, and write docs/book/src/evidence/atlas.md.
    Atlas(atlas::Args),
    /// Search the functions of `dc-math` for misrounded results: all inputs in binary32, and all pairs in 16 bits. With `--bounds`, bound their
    /// errors in binary64. Prints a table. The same command resumes.
    Math(math::Args),
    /// Prove the exact maxima of the built-in routines, and check their certificates. Prints a table. The same command resumes.
    Exact(exact::Args),
    /// Have Coq check the formal proofs of the lemmas behind `crunch-check`.
    Formal,
    /// Change each comparison, guard, sum and pad of the proof programs into a wrong one in turn, and run their tests.
    Mutants(mutants::Args),
    /// Print a table of the lines of the repository by part and purpose.
    Lines,
    /// Show the machine code of a file of CUDA text, and count its floating-point operations.
    Sass(sass::Args),
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().task {
        Task::Setup(args) => setup::run(&args),
        Task::Demo(args) => demo::run(&args),
        Task::Test(args) => test::run(&args),
        Task::NoteTest(args) => match queue::note(&args) {
            Ok(code) => return code,
            Err(e) => Err(e),
        },
        Task::Lockstep => lockstep::run(),
        Task::Neon => neon::run(),
        Task::Book(args) => book::run(&args),
        Task::Lint => lint::run(),
        Task::Msrv => publish::msrv(),
        Task::Deny => publish::deny(),
        Task::Package(args) => publish::package(&args),
        Task::Fuzz(args) => fuzz::run(&args),
        Task::Bench(args) => bench::run(&args),
        Task::Kit(args) => kit::run(&args),
        Task::References(args) => references::run(&args),
        Task::Atlas(args) => atlas::run(&args),
        Task::Math(args) => math::run(&args),
        Task::Exact(args) => exact::run(&args),
        Task::Formal => formal::run(),
        Task::Lines => lines::run(),
        Task::Mutants(args) => mutants::run(&args),
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
