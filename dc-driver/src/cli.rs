//! The command line: the commands with their arguments.

#[cfg(all(test, feature = "references", feature = "suite"))]
mod pages;

use clap::{Parser, Subcommand};

#[cfg(feature = "suite")]
use crate::args::BlessArgs;
#[cfg(feature = "references")]
use crate::args::DesignArgs;
use crate::args::{
    AtArgs, BoundCommandArgs, CompareArgs, DoctorArgs, DumpInstructionArgs, EmitArgs, EstimateArgs,
    ExactArgs, FormatArgs, HuntArgs, ImproveArgs, LiftArgs, ListArgs, MergeArgs, PlotArgs,
    ReduceArgs, ResumeArgs, RunArgs, StatusArgs, TraceArgs, VerifyArgs,
};
use crate::commands::submit::args::SubmitArgs;

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  a finding: backends differ, or no emulation matches the instruction
  2  bad input: an argument, a range, a file that is not a run file
  3  a requested backend is missing or refused
  4  a failure on the way: a launch, the disk
  5  stopped on request before the end; `resume` continues";

#[derive(Debug, Parser)]
#[command(
    name = "crunch",
    version,
    about = "Worst-case errors of floating-point routines by brute force: every input of a range, on every backend, \
             bit for bit",
    after_help = EXIT_CODES,
    subcommand_required = true,
    arg_required_else_help = true
)]
pub(crate) struct Cli {
    /// Print one JSON document instead of text
    #[arg(long, global = true)]
    pub json: bool,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the sweeps of this program, the references of functions, or the kernels
    List(ListArgs),
    /// Show the result, the reference and the error at single inputs and their neighbours
    At(AtArgs),
    /// Search a range and write a run file
    Run(RunArgs),
    /// Continue a run file, on any backend
    Resume(ResumeArgs),
    /// Show the state of a run, also while it runs
    Status(StatusArgs),
    /// Print groups of blocks of a run file as a tab-delimited table
    Format(FormatArgs),
    /// Compare backends bit for bit and find the first input that differs
    Verify(VerifyArgs),
    /// Compare candidates for one function: their largest errors, times per value and bits
    Compare(CompareArgs),
    /// Measure reductions, such as sums and dot products, in each order of their additions, and compare backends bit for bit
    Reduce(ReduceArgs),
    /// Trace an input on two backends, operation by operation, and name the first one that differs, with its source line
    Trace(TraceArgs),
    /// Draw the errors or rates of a run (SVG, PNG), or write its report (HTML)
    Plot(PlotArgs),
    /// Compute a certified bound on the errors of all inputs of a range in seconds, without evaluating them, and show what each line contributes
    Bound(BoundCommandArgs),
    /// Find inputs with errors close to the certified bound, without evaluating all inputs
    Hunt(HuntArgs),
    /// Prove the exact largest error of all inputs of a range, or report what keeps the bracket open
    Exact(ExactArgs),
    /// Print a kernel as CUDA C, OpenCL C, C, WGSL, GLSL, IR, FPCore or a script for Gappa
    Emit(EmitArgs),
    /// Make a kernel from an existing function in C, C++, Rust or LLVM IR, and compare the two bit for bit
    Lift(LiftArgs),
    /// Make the fastest kernel of a function within a tolerance on a range; its time is measured, and its errors at all inputs are shown
    #[cfg(feature = "references")]
    Design(DesignArgs),
    /// Lower the largest error of a kernel by other constants, show what each one is worth, and write a patch
    Improve(ImproveArgs),
    /// Show which backends are available, which were refused, and what is missing
    Doctor(DoctorArgs),
    /// Measure an approximate instruction of this processor, and compare it with its emulations on every input
    DumpInstruction(DumpInstructionArgs),
    /// Estimate the time of a search, here and on other systems
    Estimate(EstimateArgs),
    /// Write the files for a search in shards on many machines with Slurm, Kubernetes, MPI or GNU parallel, or submit them
    Submit(SubmitArgs),
    /// Merge the run files of shards, or the proofs of an exact maximum
    Merge(MergeArgs),
    /// Write the worst inputs and the coverage of a run file into accuracy.toml
    #[cfg(feature = "suite")]
    Bless(BlessArgs),
}
