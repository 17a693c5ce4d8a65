//! The arguments of the commands that compare backends, show, draw and measure.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::negative;
use super::value::{BoundArg, drawn, duration, inputs, lanes, list, measure, seconds, threads};
use super::{Contract, LiftedArgs, OutsideArgs, RangeArgs, SourceArgs, UlpArgs};
use dc_runtime::model::measure::Measure;

#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// List the functions that have references: the names for `computes` in a suite
    #[arg(long)]
    pub references: bool,
    /// List the kernels that `emit` and `trace` can name, with their places in the source
    #[arg(long, conflicts_with = "references")]
    pub kernels: bool,
    /// Only these functions
    #[arg(value_name = "FUNCTION", requires = "references")]
    pub functions: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct AtArgs {
    /// A sweep (see `list`), then inputs: `1.5`, `0x1.8p0`, `bits:0x3ff8000000000000`, or `0.5,3.0` for two arguments or the parts of a complex
    /// number. With --library or --device: only inputs
    #[arg(
        value_name = "SWEEP INPUT",
        required = true,
        allow_negative_numbers = true,
        value_parser = negative::unmarked
    )]
    pub inputs: Vec<String>,
    #[command(flatten)]
    pub outside: OutsideArgs,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// Sweeps (see `list`) [default: all]
    #[arg(conflicts_with = "outside")]
    pub sweeps: Vec<String>,
    #[command(flatten)]
    pub source: SourceArgs,
    #[command(flatten)]
    pub range: RangeArgs,
    /// Backends to compare: a list, or the option repeated; the first one found is the baseline
    #[arg(long, short, value_name = "LIST", default_value = "all", value_parser = list)]
    pub backend: Vec<String>,
    /// Threads of a backend on the processor [default: all cores]
    #[arg(long, short = 'j', value_name = "N", value_parser = threads)]
    pub threads: Option<usize>,
    /// Compare on a sample of about this many inputs from the whole range, `2^24` or a number [default: 2^24 without --range, all inputs with
    /// it]
    #[arg(long, value_name = "N", value_parser = inputs)]
    pub inputs: Option<u64>,
    /// With --range: also compare on the special values (zeros, subnormals, infinities, NaNs, …) and their neighbours
    #[arg(long)]
    pub edges: bool,
    /// Compare the slow backends (interpreter, oclgrind) on all inputs instead of a sample
    #[arg(long)]
    pub slow: bool,
    /// Compare each sweep's reference with the true function in MPFR at 400 bits, and no backends. It takes 2^16 inputs unless --inputs is given
    /// (needs a build with the feature `mpfr`)
    #[arg(long, alias = "oracle", conflicts_with_all = ["backend", "slow", "outside"])]
    pub mpfr: bool,
    /// With --mpfr: compare the references of the functions that `computes` names, and their stated bounds, instead of the references of sweeps:
    /// `all`, or a list such as sin,erf:f64
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        requires = "mpfr",
        conflicts_with = "sweeps"
    )]
    pub references: Vec<String>,
    /// Compare two candidates with each other, and no backends: how many results differ, the first one, and by how much. A candidate is a sweep,
    /// or a function of a shared library or a device, such as libm.so.6:expf:f32 (file, name, signature) or opencl:pocl/0:native_exp:f32
    #[arg(long, num_args = 2, value_names = ["A", "B"], conflicts_with_all = ["sweeps", "outside", "backend", "slow", "edges", "mpfr", "references"])]
    pub differ: Vec<String>,
    /// With --differ: compare for this time, such as `60s` or `5min`: a sample, then inputs around the largest differences. A small range is
    /// compared completely
    #[arg(long, value_name = "TIME", value_parser = duration, requires = "differ", conflicts_with = "inputs")]
    pub time: Option<f64>,
    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ReduceArgs {
    /// Reductions (see `list`) [default: all]
    pub reductions: Vec<String>,
    /// Backends to compare: a list, or the option repeated; the first one found is the baseline
    #[arg(long, short, value_name = "LIST", default_value = "all", value_parser = list)]
    pub backend: Vec<String>,
    /// The number of vectors, from the first one on, `2^16` or a number; the interpreter takes at most 2^14
    #[arg(long, value_name = "N", default_value = "2^16", value_parser = inputs)]
    pub inputs: u64,
    /// Generate different vectors
    #[arg(long, value_name = "N", default_value = "0", value_parser = clap::value_parser!(u64))]
    pub seed: u64,
    /// Show the vector with this number: its elements, the true value, and the result and error of each order
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64))]
    pub at: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// Two or more candidates: sweeps (see `list`), functions of shared libraries or devices, such as libm.so.6:expf:f32 (of libraries also
    /// libm.so.6:fma:f64,f64,f64), and functions of sources, such as exp.c:my_exp
    #[arg(value_name = "CANDIDATE", num_args = 2.., required = true)]
    pub candidates: Vec<String>,
    /// The function that candidates without a reference are meant to compute (see `list --references`) [default: the reference of the first
    /// sweep]
    #[arg(long, group = "meant", value_name = "FUNCTION")]
    pub computes: Option<String>,
    /// Instead of --computes: a formula, such as "log(1 + exp(x))"
    #[arg(
        long,
        group = "meant",
        value_name = "EXPRESSION",
        allow_hyphen_values = true
    )]
    pub against_expression: Option<String>,
    /// The range of inputs, as for `run` [default: the first candidate's own]
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub range: Option<String>,
    /// Search for the largest error of each candidate for this time, such as `10s`. A small range is searched completely
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "5s")]
    pub time: f64,
    /// Threads of the searches; the time per value is measured on one [default: all cores]
    #[arg(long, short = 'j', value_name = "N", value_parser = threads)]
    pub threads: Option<usize>,
    /// For functions of sources: whether to fuse a product and a sum where the source allows both; required if there is such a place
    #[arg(long, value_enum)]
    pub contract: Option<Contract>,
    /// For functions of sources: a flag for the compiler, such as -Iinclude; may be repeated
    #[arg(long, value_name = "FLAG", allow_hyphen_values = true)]
    pub compiler_flag: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct TraceArgs {
    /// A sweep (see `list`)
    #[arg(required_unless_present = "lift", conflicts_with = "outside")]
    pub sweep: Option<String>,
    #[command(flatten)]
    pub source: SourceArgs,
    /// The input: `1.5`, `0x1.8p0`, `bits:0x3ff8000000000000`
    #[arg(long, short, value_name = "X", allow_hyphen_values = true)]
    pub input: String,
    /// Backends to compare: a list, or the option repeated; the first one found is the baseline
    #[arg(long, short, value_name = "LIST", default_value = "all", value_parser = list)]
    pub backend: Vec<String>,
    /// Print the value of every operation
    #[arg(long)]
    pub all: bool,
}

/// The kinds of pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// The largest errors, above and below, over the range
    Envelope,
    /// The distribution of the errors
    Histogram,
    /// Inputs per second of each backend
    Throughput,
    /// All of these in one HTML file, with the kernels' sources and the worst inputs
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
pub(crate) struct PlotArgs {
    /// Run files, or folders with the shards of a run: one, two for an envelope of both, or several for throughput
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// What to draw [default: report for an .html file, else envelope]
    #[arg(long, short, value_enum)]
    pub kind: Option<Kind>,
    /// The file to write: a picture as .svg or .png, or the report as .html [default: FILE.KIND.svg or FILE.html]
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// The part of the range that the envelope shows
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub range: Option<String>,
    /// Draw a bound over the envelope: this many ULP or, without a number, the certified bound of `bound`. The report then shows the part of
    /// each operation in the certified bound
    #[arg(long, value_name = "ULP", num_args = 0..=1, default_missing_value = "certified", value_parser = drawn)]
    pub bound: Option<BoundArg>,
    /// The width of the picture in pixels
    #[arg(long, value_name = "N", default_value = "1200", value_parser = clap::value_parser!(u32).range(300..=10_000))]
    pub width: u32,
    /// The height of the picture in pixels
    #[arg(long, value_name = "N", default_value = "675", value_parser = clap::value_parser!(u32).range(200..=10_000))]
    pub height: u32,
    #[command(flatten)]
    pub ulp: UlpArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Target {
    /// CUDA C
    Cuda,
    /// OpenCL C
    Opencl,
    /// A function in C, with the definitions of all its operations
    C,
    /// A function in WGSL, for a binary32 kernel of plain operations; not verified on a device
    Wgsl,
    /// A function in GLSL, for a binary32 kernel of plain operations; not verified on a device
    Glsl,
    /// The typed intermediate representation
    Ir,
    /// A script for Gappa, which proves a bound on the kernel's rounding errors
    Gappa,
    /// A benchmark in FPCore, for a kernel of plain operations in binary32 and binary64
    Fpcore,
}

#[derive(Debug, Args)]
pub(crate) struct EmitArgs {
    /// A kernel of a sweep or of the program's list, a kernel that it calls, or a built-in
    #[arg(required_unless_present = "lift", conflicts_with = "outside")]
    pub kernel: Option<String>,
    #[command(flatten)]
    pub lifted: LiftedArgs,
    /// Print the search kernel of the sweep that KERNEL names
    #[arg(long, conflicts_with = "lift")]
    pub search: bool,
    /// With --search: what to measure, `full` or, in binary64 and for CUDA, `maxima`
    #[arg(long, value_name = "WHAT", default_value = Measure::Full.name(), value_parser = measure, requires = "search")]
    pub measure: Measure,
    /// The language
    #[arg(long, short, value_enum)]
    pub target: Target,
    /// OpenCL: elements per work item, 1, 2, 4, 8 or 16
    #[arg(long, value_name = "N", default_value = "1", value_parser = lanes)]
    pub lanes: u32,
    /// OpenCL: derive correctly rounded f32 division for devices without it
    #[arg(long)]
    pub derive_divide: bool,
    /// Write `#line` directives that point into the Rust source, instead of comments
    #[arg(long)]
    pub line_directives: bool,
    /// Gappa: the range of all parameters or, as `x=1.0..2.0`, of one; may be repeated [default: the sweep's own]
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub range: Vec<String>,
    /// Gappa: a further hypothesis in Gappa's language; may be repeated
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub given: Vec<String>,
    /// Gappa: a file of hints, appended to the script unchanged
    #[arg(long, value_name = "FILE")]
    pub hints: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Backends to look for
    #[arg(long, short, value_name = "LIST", default_value = "all", value_parser = list)]
    pub backend: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct DumpInstructionArgs {
    /// rcpps, rsqrtps or, with AVX-512, vrcp14ps, vrsqrt14ps. With --device: an instruction of PTX or a function of the device, such as
    /// rcp.approx.ftz.f64
    pub instruction: String,
    /// Write the results of this device's instruction to a file: cuda:0
    #[arg(long, requires = "signature", requires = "out")]
    pub device: Option<String>,
    /// With --device: the type of the instruction, f32 or f64
    #[arg(long, value_name = "TYPE", requires = "device")]
    pub signature: Option<String>,
    /// With --device: the inputs, one stretch in the order of the reals, as for `run` [default: all]
    #[arg(
        long,
        value_name = "RANGE",
        allow_hyphen_values = true,
        requires = "device"
    )]
    pub range: Option<String>,
    /// With --device: take every N-th input, `2^32` or a number
    #[arg(long, value_name = "N", default_value = "1", value_parser = inputs, requires = "device")]
    pub stride: u64,
    /// With --device: write the results to this file; its first line describes the content
    #[arg(long, short, value_name = "FILE", requires = "device")]
    pub out: Option<PathBuf>,
    /// Threads [default: all cores]
    #[arg(long, short = 'j', value_name = "N", value_parser = threads)]
    pub threads: Option<usize>,
}

#[derive(Debug, Args)]
pub(crate) struct EstimateArgs {
    /// A sweep (see `list`)
    pub sweep: String,
    #[command(flatten)]
    pub range: RangeArgs,
    /// Backends to try
    #[arg(long, short, value_name = "LIST", default_value = "all", value_parser = list)]
    pub backend: Vec<String>,
    /// Threads of a backend on the processor [default: all cores]
    #[arg(long, short = 'j', value_name = "N", value_parser = threads)]
    pub threads: Option<usize>,
    /// Measure each backend for this many seconds
    #[arg(long, value_name = "S", default_value = "1", value_parser = seconds)]
    pub seconds: f64,
    /// The peak of this machine in GFLOPS (double precision), for the hardware of the fastest backend [default: the processor's, measured]
    #[arg(long, value_name = "GFLOPS", value_parser = seconds)]
    pub peak: Option<f64>,
    /// A file of systems to project to, at the same efficiency relative to their peaks. Each line has a name, a peak in GFLOPS and a source,
    /// separated by tabs [default: those of the paper's Table 4 and newer ones]
    #[arg(long, value_name = "FILE")]
    pub machines: Option<PathBuf>,
}
