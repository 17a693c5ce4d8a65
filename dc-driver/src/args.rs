//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::commands::submit::args::SubmitArgs;
use dc_runtime::backend::Filter;
use dc_runtime::model::measure::Measure;
use dc_runtime::search::plan::power;
use dc_runtime::search::shard::Shard;
use dc_runtime::search::ulp::Definition;

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  a finding: backends differ, no emulation is the instruction
  2  bad input: an argument, a range, a file that is no run file
  3  a backend that was asked for is missing or refused
  4  something failed on the way: a launch, the disk
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
pub(super) struct Cli {
    /// Print one JSON document instead of text.
    #[arg(long, global = true)]
    pub json: bool,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List the sweeps of this program, the references of functions, or the kernels
    List(ListArgs),
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
    /// Trace an input on two backends, operation by operation: the first one that differs, with its source line
    Trace(TraceArgs),
    /// Draw a run's errors or rates (SVG, PNG), or write its report (HTML)
    Plot(PlotArgs),
    /// Bound the errors of all inputs of a range, certified, in seconds and without evaluating them; and the
    /// contribution of each line
    Bound(BoundCommandArgs),
    /// Find inputs with errors close to the certified bound, without evaluating all
    Hunt(HuntArgs),
    /// Prove the exact largest error of all inputs of a range, or report what keeps the bracket open
    Exact(ExactArgs),
    /// Print a kernel as CUDA C, OpenCL C, C, IR or a script for Gappa
    Emit(EmitArgs),
    /// Show which backends are available, which were refused and what is missing
    Doctor(DoctorArgs),
    /// Measure an approximate instruction of this processor and compare it with its emulations on every input
    DumpInstruction(DumpInstructionArgs),
    /// Estimate the time of a search, here and on other systems
    Estimate(EstimateArgs),
    /// Write what Slurm, Kubernetes, MPI or GNU parallel needs to search in shards on many machines, or submit it
    Submit(SubmitArgs),
    /// Merge the run files of shards, or the proofs of an exact maximum
    Merge(MergeArgs),
    /// Make a new run file from the intact rows of a damaged one
    Repair(RepairArgs),
    /// Write the worst inputs and the coverage of a run file into accuracy.toml
    #[cfg(feature = "suite")]
    Bless(BlessArgs),
}

#[derive(Debug, Args)]
pub(super) struct ListArgs {
    /// The functions for which there are references, as after `computes` in a suite
    #[arg(long)]
    pub references: bool,
    /// The kernels that `emit` and `trace` can name, with their places in the source
    #[arg(long, conflicts_with = "references")]
    pub kernels: bool,
    /// Only these functions
    #[arg(value_name = "FUNCTION", requires = "references")]
    pub functions: Vec<String>,
}

/// The inputs of a command.
#[derive(Debug, Args)]
pub(crate) struct RangeArgs {
    /// Inputs in the order of the reals: `1.0..2.0`, `-1.0..=1.0`, `0x1.8p0..0x1p1`, `bits:0x3f800000..=bits:0x3f8000ff`,
    /// `all`, `finite`, `normals`, `subnormals`, `positive`, `negative`, `positive-normals`, `negative-normals`, or several separated by commas [default: the sweep's own]
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub range: Option<String>,
    /// Inputs per block: a power of two from 2^10 to 2^40, as `2^20` or as a number [default: 2^32, less for small
    /// ranges]
    #[arg(long, value_name = "SIZE", value_parser = block)]
    pub block: Option<u32>,
}

/// The backends of a command.
#[derive(Debug, Args)]
pub(crate) struct BackendArgs {
    /// `fastest` (by a short measurement), `all` (devices on different hardware, which share the blocks), or a list:
    /// scalar, avx2, avx512, interpreter, cuda-host, opencl, opencl:pocl, cuda:0, …; the option may be repeated
    #[arg(long, short, value_name = "LIST", default_value = "fastest", value_parser = list_or_fastest)]
    pub backend: Vec<String>,
    /// Threads for a backend that is the processor [default: all cores]
    #[arg(long, short = 'j', value_name = "N", value_parser = threads)]
    pub threads: Option<usize>,
}

/// The sizes of groups, and the display of progress.
#[derive(Debug, Args)]
pub(super) struct GroupArgs {
    /// Commit after this many seconds: a kill loses no more than this and the blocks in flight
    #[arg(long, value_name = "S", default_value = "1", value_parser = seconds)]
    pub group_seconds: f64,
    /// Commit after this many blocks, if that is sooner
    #[arg(long, value_name = "N", default_value = "65536", value_parser = clap::value_parser!(u64).range(1..))]
    pub group: u64,
    /// No progress, no summary
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Debug, Args)]
pub(super) struct UlpArgs {
    /// Show errors by this definition: handbook, in units of the last place of the true value's binade; opencl and
    /// kahan, which differ from it at and above powers of two; distance, in floats between; excess, above one half; absolute
    /// and relative, in no unit
    #[arg(long, value_name = "DEFINITION", default_value = "handbook", value_parser = definition)]
    pub ulp: Definition,
}

/// A function of a shared library or of a device as the candidate.
#[derive(Debug, Args)]
pub(crate) struct OutsideArgs {
    /// Search a function of this shared library: a path, or a name that the system's loader finds, as libm.so.6
    #[arg(long, group = "outside", value_name = "FILE", requires_all = ["symbol", "signature", "computes"])]
    pub library: Option<String>,
    /// Search a function of this device's own language, OpenCL C or CUDA: as opencl:pocl or cuda:0
    #[arg(long, group = "outside", value_name = "DEVICE", requires_all = ["symbol", "signature", "computes"])]
    pub device: Option<String>,
    /// The function's name in the library or the language, as expf or native_exp
    #[arg(long, value_name = "NAME", requires = "outside")]
    pub symbol: Option<String>,
    /// Its arguments: f32 for `float f(float)`, f64 for `double f(double)`; f32,f32 and f64,f64 for those of two
    #[arg(long, value_name = "TYPE", requires = "outside")]
    pub signature: Option<String>,
    /// The function that it is meant to compute, see `list --references`
    #[arg(long, value_name = "FUNCTION", requires = "outside")]
    pub computes: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// A sweep, see `list`
    #[arg(required_unless_present_any = ["library", "device"], conflicts_with = "outside")]
    pub sweep: Option<String>,
    #[command(flatten)]
    pub outside: OutsideArgs,
    /// Compare the results with the function in MPFR in place of the reference: slow, only on the processor, and
    /// accurate to 400 bits (needs a build with the feature `mpfr`)
    #[arg(long)]
    pub mpfr: bool,
    #[command(flatten)]
    pub range: RangeArgs,
    /// The run file [default: SWEEP.crunch, or SWEEP.I-of-N.crunch for a shard; for a library or a device, SYMBOL in
    /// place of SWEEP]
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Search the i-th of n parts; `auto` reads SLURM_ARRAY_TASK_*, JOB_COMPLETION_INDEX and _COUNT, or the rank and the
    /// number of ranks that an MPI launcher sets [default: auto in an array job and under such a launcher, else all]
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub shard: Option<ShardArg>,
    /// Continue the run file if it is there already, as `resume` does, if it is of the same run and shard: for tasks that may be
    /// started again
    #[arg(long = "continue", conflicts_with = "time")]
    pub go_on: bool,
    /// Search for the largest error for this time, as `60s` or `5min`: a sample of all binades of the range, then
    /// inputs around the worst; a small range is searched completely. Writes no run file
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<f64>,
    /// What is measured: `full`, or `maxima`, the largest errors and the faults alone, several times as fast: on the
    /// processor, for sweeps in binary32, and in binary64 for those that are declared with `with_maxima`
    #[arg(long, value_name = "WHAT", default_value = Measure::Full.name(), value_parser = measure, conflicts_with_all = ["time", "mpfr", "outside"])]
    pub measure: Measure,
    /// Search for the largest error of this kind instead of the largest in ULP: absolute, |result - reference|, or
    /// relative, that divided by |reference|
    #[arg(long, value_name = "ERROR", value_parser = metric, conflicts_with_all = ["measure", "mpfr", "outside"])]
    pub metric: Option<Measure>,
    #[command(flatten)]
    pub backend: BackendArgs,
    #[command(flatten)]
    pub group: GroupArgs,
    #[command(flatten)]
    pub ulp: UlpArgs,
}

#[derive(Debug, Args)]
pub(super) struct ResumeArgs {
    /// A run file
    pub file: PathBuf,
    #[command(flatten)]
    pub backend: BackendArgs,
    #[command(flatten)]
    pub group: GroupArgs,
    #[command(flatten)]
    pub ulp: UlpArgs,
}

#[derive(Debug, Args)]
pub(super) struct StatusArgs {
    /// Run files, or folders of the run files of a run's shards
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Of a folder: a running shard that has written nothing for this time is stale
    #[arg(long, value_name = "TIME", default_value = "5min", value_parser = duration)]
    pub stale: f64,
    #[command(flatten)]
    pub ulp: UlpArgs,
}

#[derive(Debug, Args)]
pub(super) struct FormatArgs {
    /// A run file, or a folder of the run files of a run's shards
    pub file: PathBuf,
    /// Blocks per row
    #[arg(long, value_name = "N", conflicts_with = "rows", value_parser = clap::value_parser!(u64).range(1..))]
    pub group: Option<u64>,
    /// The approximate number of rows
    #[arg(long, value_name = "N", default_value = "64", value_parser = clap::value_parser!(u64).range(1..))]
    pub rows: u64,
    #[command(flatten)]
    pub ulp: UlpArgs,
}

#[derive(Debug, Args)]
pub(super) struct VerifyArgs {
    /// Sweeps, see `list` [default: all]
    pub sweeps: Vec<String>,
    #[command(flatten)]
    pub range: RangeArgs,
    /// Backends to compare: a list, or the option repeated; the first found is the baseline
    #[arg(long, short, value_name = "LIST", default_value = "all", value_parser = list)]
    pub backend: Vec<String>,
    /// Threads for a backend that is the processor [default: all cores]
    #[arg(long, short = 'j', value_name = "N", value_parser = threads)]
    pub threads: Option<usize>,
    /// Compare on a sample of about this many inputs from the whole range: as `2^24` or a number [default: 2^24 without
    /// --range, all inputs with it]
    #[arg(long, value_name = "N", value_parser = inputs)]
    pub inputs: Option<u64>,
    /// With --range: compare on the special values (zeros, subnormals, infinities, NaNs, …) and their neighbours too
    #[arg(long)]
    pub edges: bool,
    /// Compare the slow backends (interpreter, oclgrind) on all inputs; by default they get a sample
    #[arg(long)]
    pub slow: bool,
    /// Compare no backends, but each sweep's reference with the true function in MPFR at 400 bits, on 2^16 inputs
    /// unless --inputs is given; needs a build with the feature `mpfr`
    #[arg(long, alias = "oracle", conflicts_with_all = ["backend", "slow"])]
    pub mpfr: bool,
    /// With --mpfr: the references of functions that `computes` names, in place of those of sweeps, with their stated
    /// bounds: as sin,erf:f64, or all
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        requires = "mpfr",
        conflicts_with = "sweeps"
    )]
    pub references: Vec<String>,
    /// Compare no backends, but two candidates with each other: how many results differ, the first, by how much. Each is a
    /// sweep's, or a function of a shared library or a device, as libm.so.6:expf:f32 (file, name, signature) or
    /// opencl:pocl/0:native_exp:f32
    #[arg(long, num_args = 2, value_names = ["A", "B"], conflicts_with_all = ["sweeps", "backend", "slow", "edges", "mpfr", "references"])]
    pub differ: Vec<String>,
    /// No progress
    #[arg(long, short)]
    pub quiet: bool,
}

/// The default for the number of cells that a bound may examine.
pub(super) const CELLS: u64 = 400_000;

#[derive(Debug, Args)]
pub(super) struct BoundCommandArgs {
    #[command(flatten)]
    pub bound: BoundArgs,
    /// Also print what each rounding adds to the error of this input: a number, or bits:0x…
    #[arg(long, value_name = "INPUT", allow_hyphen_values = true)]
    pub at: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct BoundArgs {
    /// A sweep of binary64, see `list`
    pub sweep: String,
    /// Inputs, as for `run` [default: the sweep's own]
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub range: Option<String>,
    /// The largest number of cells that are examined
    #[arg(long, value_name = "N", default_value_t = CELLS, value_parser = clap::value_parser!(u64).range(1..))]
    pub cells: u64,
}

#[derive(Debug, Args)]
pub(super) struct HuntArgs {
    #[command(flatten)]
    pub bound: BoundArgs,
    /// Stop after this time: `60s`, `5min`, or a number of seconds
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    pub time: f64,
    #[command(flatten)]
    pub descent: DescentArgs,
}

#[derive(Debug, Args)]
pub(super) struct ExactArgs {
    #[command(flatten)]
    pub bound: BoundArgs,
    /// Stop after this time, with a bracket: `60s`, `5min`, or a number of seconds
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = duration)]
    pub time: f64,
    #[command(flatten)]
    pub descent: DescentArgs,
    /// Write the proof's certificate here, for `crunch-check`; until it is complete the proof is recorded in FILE.part,
    /// from which the same command resumes it
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Prove the i-th of n parts of the cells, in FILE.I-of-N.part; `merge` makes the certificate of all of them; `auto` as
    /// for `run`
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub shard: Option<ShardArg>,
}

/// The descent of the level from the bound.
#[derive(Debug, Args)]
pub(super) struct DescentArgs {
    /// Begin with errors within this many ULP of the bound, then within twice as many, and so on
    #[arg(long, value_name = "ULP", default_value = "0.002", value_parser = seconds)]
    pub slack: f64,
    /// Begin with the error of this input, if it is known to be large: a number, or bits:0x…
    #[arg(long, value_name = "INPUT", allow_hyphen_values = true)]
    pub from: Option<String>,
    /// Threads [default: one per core]
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<usize>,
}

#[derive(Debug, Args)]
pub(super) struct TraceArgs {
    /// A sweep, see `list`
    pub sweep: String,
    /// The input: `1.5`, `0x1.8p0`, `bits:0x3ff8000000000000`
    #[arg(long, short, value_name = "X", allow_hyphen_values = true)]
    pub input: String,
    /// Backends: a list, or the option repeated; each is compared with the first one found
    #[arg(long, short, value_name = "LIST", default_value = "all", value_parser = list)]
    pub backend: Vec<String>,
    /// Print the value of every operation
    #[arg(long)]
    pub all: bool,
}

/// The kinds of pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Kind {
    /// The largest errors, above and below, over the range
    Envelope,
    /// The distribution of the errors
    Histogram,
    /// Inputs per second of each backend
    Throughput,
    /// All of these, with the kernels' sources and the worst inputs, as one HTML file
    Report,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Envelope => "envelope",
            Kind::Histogram => "histogram",
            Kind::Throughput => "throughput",
            Kind::Report => "report",
        }
    }
}

#[derive(Debug, Args)]
pub(super) struct PlotArgs {
    /// Run files, or folders of the run files of a run's shards: one, two for an envelope of both, or several for throughput
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// What to draw [default: report for an .html file, else envelope]
    #[arg(long, short, value_enum)]
    pub kind: Option<Kind>,
    /// The picture, as SVG or PNG by its extension; or .html for the report [default: FILE.KIND.svg or FILE.html]
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// The part of the range that the envelope shows
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub range: Option<String>,
    /// Draw a bound over the envelope: of this many ULP or, without a number, the certified one of `bound`, with each
    /// operation's part of it in the report
    #[arg(long, value_name = "ULP", num_args = 0..=1, default_missing_value = "certified", value_parser = drawn)]
    pub bound: Option<BoundArg>,
    /// Width of a picture in pixels
    #[arg(long, value_name = "N", default_value = "1200", value_parser = clap::value_parser!(u32).range(300..=10_000))]
    pub width: u32,
    /// Its height
    #[arg(long, value_name = "N", default_value = "675", value_parser = clap::value_parser!(u32).range(200..=10_000))]
    pub height: u32,
    #[command(flatten)]
    pub ulp: UlpArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Target {
    /// CUDA C
    Cuda,
    /// OpenCL C
    Opencl,
    /// A function in C, with the definitions of all its operations
    C,
    /// A function in WGSL, of a binary32 kernel of plain operations; not verified on a device
    Wgsl,
    /// The same in GLSL
    Glsl,
    /// The typed intermediate representation
    Ir,
    /// A script for Gappa, which proves a bound on the kernel's rounding errors
    Gappa,
}

#[derive(Debug, Args)]
pub(super) struct EmitArgs {
    /// A kernel of a sweep or of the program's list, one that such a kernel calls, or a built-in
    pub kernel: String,
    /// KERNEL names a sweep: print its search kernel
    #[arg(long)]
    pub search: bool,
    /// The language
    #[arg(long, short, value_enum)]
    pub target: Target,
    /// OpenCL: elements per work item: 1, 2, 4, 8 or 16
    #[arg(long, value_name = "N", default_value = "1", value_parser = lanes)]
    pub lanes: u32,
    /// OpenCL: derive correctly rounded f32 division for devices without it
    #[arg(long)]
    pub derive_divide: bool,
    /// `#line` directives that point into the Rust source, in place of comments
    #[arg(long)]
    pub line_directives: bool,
    /// Gappa: the inputs, of all parameters or, as `x=1.0..2.0`, of one; may be repeated [default: the sweep's own]
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub range: Vec<String>,
    /// Gappa: a further hypothesis in its language; may be repeated
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub given: Vec<String>,
    /// Gappa: a file of hints, which is appended to the script unchanged
    #[arg(long, value_name = "FILE")]
    pub hints: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct DoctorArgs {
    /// Backends to look for
    #[arg(long, short, value_name = "LIST", default_value = "all", value_parser = list)]
    pub backend: Vec<String>,
}

#[derive(Debug, Args)]
pub(super) struct DumpInstructionArgs {
    /// rcpps, rsqrtps, or with AVX-512 vrcp14ps, vrsqrt14ps
    pub instruction: String,
    /// Threads [default: all cores]
    #[arg(long, short = 'j', value_name = "N", value_parser = threads)]
    pub threads: Option<usize>,
}

#[derive(Debug, Args)]
pub(super) struct EstimateArgs {
    /// A sweep, see `list`
    pub sweep: String,
    #[command(flatten)]
    pub range: RangeArgs,
    /// Backends to try
    #[arg(long, short, value_name = "LIST", default_value = "all", value_parser = list)]
    pub backend: Vec<String>,
    /// Threads for a backend that is the processor [default: all cores]
    #[arg(long, short = 'j', value_name = "N", value_parser = threads)]
    pub threads: Option<usize>,
    /// Seconds for which each backend is measured
    #[arg(long, value_name = "S", default_value = "1", value_parser = seconds)]
    pub seconds: f64,
    /// Peak of this machine in GFLOPS (double precision), for the hardware of the fastest backend [default: the
    /// processor's, measured]
    #[arg(long, value_name = "GFLOPS", value_parser = seconds)]
    pub peak: Option<f64>,
    /// Systems to project to, with the same efficiency relative to their peaks: lines of name, peak in GFLOPS and
    /// source between tabs [default: those of the paper's Table 4 and newer ones]
    #[arg(long, value_name = "FILE")]
    pub machines: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct MergeArgs {
    /// The run file to make; for proofs, the certificate
    pub out: PathBuf,
    /// The run files of all shards, or a folder of them; or the .part files of `exact --shard`, or a folder of those
    #[arg(required = true)]
    pub parts: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct RepairArgs {
    /// A damaged run file; it is not changed
    pub file: PathBuf,
    /// The run file to make [default: FILE.repaired]
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

#[cfg(feature = "suite")]
#[derive(Debug, Args)]
pub(super) struct BlessArgs {
    /// A run file, complete or not, or a folder of the run files of a run's shards
    pub file: PathBuf,
    /// The table, as `promises::third` or its last part [default: the one with the run's kernels]
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// The file with the table
    #[arg(long, value_name = "FILE", default_value = "accuracy.toml")]
    pub accuracy: PathBuf,
    /// Print the changes, and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// The argument of `plot --bound`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum BoundArg {
    /// The bound of `crunch bound`.
    Certified,
    /// This many ULP.
    Ulp(f64),
}

fn drawn(text: &str) -> Result<BoundArg, String> {
    if text == "certified" {
        return Ok(BoundArg::Certified);
    }
    seconds(text).map(BoundArg::Ulp)
}

/// The argument of `--shard`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ShardArg {
    Auto,
    Given(Shard),
}

fn shard(text: &str) -> Result<ShardArg, String> {
    if text == "auto" {
        return Ok(ShardArg::Auto);
    }
    Shard::parse(text)
        .map(ShardArg::Given)
        .map_err(|e| e.to_string())
}

/// The measure of an error that is not in ULP.
fn metric(text: &str) -> Result<Measure, String> {
    let all = [Measure::Absolute, Measure::Relative];
    let found = all.into_iter().find(|m| m.name() == text);
    found.ok_or_else(|| {
        let names = all.map(Measure::name).join(" and ");
        format!("the errors are {names}; without --metric it is the error in ULP")
    })
}

pub(crate) fn measure(text: &str) -> Result<Measure, String> {
    let all = [Measure::Full, Measure::Maxima];
    let found = all.into_iter().find(|m| m.name() == text);
    found.ok_or_else(|| format!("the measures are {}", all.map(Measure::name).join(" and ")))
}

fn definition(text: &str) -> Result<Definition, String> {
    Definition::by_name(text).ok_or_else(|| {
        let names = Definition::ALL.map(Definition::name).join(", ");
        format!("the definitions are {names}")
    })
}

fn block(text: &str) -> Result<u32, String> {
    use dc_runtime::search::plan::{MAX_LOG2, MIN_LOG2};
    power(text)
        .filter(|n| n.is_power_of_two())
        .map(u64::trailing_zeros)
        .filter(|k| (MIN_LOG2..=MAX_LOG2).contains(k))
        .ok_or_else(|| {
            format!("write a power of two from 2^{MIN_LOG2} to 2^{MAX_LOG2}, as in 2^20")
        })
}

fn inputs(text: &str) -> Result<u64, String> {
    power(text)
        .filter(|&n| n > 0)
        .ok_or_else(|| "write a number from 1 up, or a power as in 2^24".into())
}

/// A list of backends, which is checked against the known ones before anything else is done.
pub(crate) fn list(text: &str) -> Result<String, String> {
    let known: Result<Filter, _> = text.parse();
    known.map(|_| text.into()).map_err(|e| e.to_string())
}

fn list_or_fastest(text: &str) -> Result<String, String> {
    match text.trim() {
        "fastest" => Ok("fastest".into()),
        _ => list(text),
    }
}

fn threads(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|n| (1..=4096).contains(n))
        .ok_or_else(|| "write a number from 1 to 4096".into())
}

fn lanes(text: &str) -> Result<u32, String> {
    text.parse()
        .ok()
        .filter(|n| [1, 2, 4, 8, 16].contains(n))
        .ok_or_else(|| "write 1, 2, 4, 8 or 16".into())
}

pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|s: &f64| *s > 0.0 && *s < 1e9)
        .ok_or_else(|| "write a number above 0 and below 1e9".into())
}

/// Parses a time: `60`, `60s`, `5min` or `5m`, `2h`.
pub(crate) fn duration(text: &str) -> Result<f64, String> {
    let split = text.find(|c: char| c.is_ascii_alphabetic());
    let (number, unit) = text.split_at(split.unwrap_or(text.len()));
    let unit = match unit {
        "" | "s" => 1.0,
        "min" | "m" => 60.0,
        "h" => 3600.0,
        _ => return Err("write a time as 60s, 5min or 2h".into()),
    };
    seconds(number.trim()).map(|s| s * unit)
}
