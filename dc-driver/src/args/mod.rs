//! The arguments of the commands.
//!
//! | file | contents |
//! |---|---|
//! | `files.rs` | commands that make, continue, read and merge run files |
//! | `proof.rs` | commands that bound errors and prove the largest error |
//! | `look.rs` | commands that compare backends, show, draw and measure |
//! | `design.rs`, `improve.rs`, `lift.rs` | commands that make kernels |
//! | `value.rs` | parsers of values |
//! | `negative.rs` | inputs that begin with a minus sign |
//!
//! The arguments of `submit` are next to that command. The commands themselves are in `cli.rs`.

#[cfg(feature = "references")]
mod design;
mod files;
mod improve;
mod lift;
mod look;
mod negative;
mod proof;
mod value;

use std::path::PathBuf;

use clap::Args;

use dc_runtime::search::ulp::Definition;
#[cfg(feature = "references")]
pub(crate) use design::DesignArgs;
#[cfg(feature = "suite")]
pub(crate) use files::BlessArgs;
pub(crate) use files::{
    Direction, FormatArgs, MergeArgs, PropertyArgs, ResumeArgs, RunArgs, StatusArgs,
};
pub(crate) use improve::ImproveArgs;
pub(crate) use lift::{Contract, LiftArgs, LiftedArgs, SourceArgs};
pub(crate) use look::{
    AtArgs, CompareArgs, DoctorArgs, DumpInstructionArgs, EmitArgs, EstimateArgs, Kind, ListArgs,
    PlotArgs, ReduceArgs, Target, TraceArgs, VerifyArgs,
};
pub(crate) use negative::marked;
pub(crate) use proof::{BoundArgs, BoundCommandArgs, CELLS, DescentArgs, ExactArgs, HuntArgs};
#[cfg(feature = "suite")]
pub(crate) use value::list;
pub(crate) use value::{BoundArg, ShardArg, duration, measure, seconds};
use value::{block, definition, list_or_fastest, threads};

/// The inputs of a command.
#[derive(Debug, Args)]
pub(crate) struct RangeArgs {
    /// The range of inputs, in the order of the reals: `1.0..2.0`, `-1.0..=1.0`, `0x1.8p0..0x1p1`, `bits:0x3f800000..=bits:0x3f8000ff`, `all`,
    /// `finite`, `normals`, `subnormals`, `positive`, `negative`, `positive-normals`, `negative-normals`, or several separated by commas
    /// [default: the sweep's own]
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub range: Option<String>,
    /// Inputs per block: a power of two from 2^10 to 2^40, as `2^20` or as a number [default: 2^32, less for small ranges; in small ranges,
    /// --measure maxima takes larger blocks]
    #[arg(long, value_name = "SIZE", value_parser = block)]
    pub block: Option<u32>,
}

/// The backends of a command.
#[derive(Debug, Args)]
pub(crate) struct BackendArgs {
    /// The backends: `fastest` (by a short measurement), `all` (devices on different hardware, which share the blocks), or a list: scalar, avx2,
    /// avx512, interpreter, cuda-host, opencl, opencl:pocl, cuda:0, …; may be repeated
    #[arg(long, short, value_name = "LIST", default_value = "fastest", value_parser = list_or_fastest)]
    pub backend: Vec<String>,
    /// Threads of a backend on the processor [default: all cores]
    #[arg(long, short = 'j', value_name = "N", value_parser = threads)]
    pub threads: Option<usize>,
}

/// The sizes of groups, and the display of progress.
#[derive(Debug, Args)]
pub(super) struct GroupArgs {
    /// Commit after this many seconds: a kill loses at most this time and the blocks in flight
    #[arg(long, value_name = "S", default_value = "1", value_parser = seconds)]
    pub group_seconds: f64,
    /// Commit after this many blocks, if that is sooner
    #[arg(long, value_name = "N", default_value = "65536", value_parser = clap::value_parser!(u64).range(1..))]
    pub group: u64,
    /// Show no progress and no summary
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Debug, Args)]
pub(super) struct UlpArgs {
    /// Show errors by this definition. handbook: in units of the last place of the true value's binade; opencl and kahan: as handbook, but
    /// different at and above powers of two; distance: in floats between; excess: above one half; absolute and relative: without a unit
    #[arg(long, value_name = "DEFINITION", default_value = "handbook", value_parser = definition)]
    pub ulp: Definition,
}

/// A function of a shared library or of a device as the candidate.
#[derive(Debug, Args)]
pub(crate) struct OutsideArgs {
    /// Search a function of this shared library: a path, or a name that the system's loader finds, such as libm.so.6
    #[arg(long, group = "outside", value_name = "FILE", requires_all = ["symbol", "signature", "meant"])]
    pub library: Option<String>,
    /// Search a function of this device's own language, OpenCL C or CUDA: opencl:pocl, cuda:0
    #[arg(long, group = "outside", value_name = "DEVICE", requires_all = ["symbol", "signature", "meant"])]
    pub device: Option<String>,
    /// The function's name in the library or the language, such as expf or native_exp
    #[arg(
        long,
        value_name = "NAME",
        requires = "outside",
        conflicts_with_all = ["lift", "fpcore"]
    )]
    pub symbol: Option<String>,
    /// The function's types: f32 for `float f(float)`, f64 for `double f(double)`, f32,f32 for two arguments. For a library also f16, bf16, i32,
    /// u32, i64, u64, "f32->bf16" for another type of result, and f32x8 for a vector function. For `run` and `at` also f32,f32,f32 for three
    /// arguments, "f64->f64,f64" for two results by pointers, and cf64 for complex numbers; "f64->f64,_" takes the first of two results
    #[arg(
        long,
        value_name = "TYPE",
        requires = "outside",
        conflicts_with_all = ["lift", "fpcore"]
    )]
    pub signature: Option<String>,
    /// The function that the routine is meant to compute (see `list --references`). With three arguments: fma, lerp or clamp. With two results:
    /// sincos. With complex numbers: the elementary functions, in a build with the feature `mpfr`
    #[arg(long, group = "meant", value_name = "FUNCTION", requires = "outside")]
    pub computes: Option<String>,
    /// Instead of --computes: a formula, such as "log(1 + exp(x))". It can use the functions of `list --references`, x and, for two arguments, y
    #[arg(
        long,
        group = "meant",
        value_name = "EXPRESSION",
        requires = "outside",
        allow_hyphen_values = true
    )]
    pub against_expression: Option<String>,
    /// Instead of --computes: a binary64 function of a shared library, such as ./libg.so:round64:f64, which is assumed to have no error. The
    /// routine is in binary32; with three arguments, two results or complex numbers, also in 16 bits
    #[arg(
        long,
        group = "meant",
        value_name = "FILE:SYMBOL:SIGNATURE",
        requires = "outside",
        conflicts_with = "fpcore"
    )]
    pub against: Option<String>,
    #[command(flatten)]
    pub lifted: LiftedArgs,
    #[command(flatten)]
    pub fpcore: FpcoreArgs,
}

/// A benchmark in FPCore as the candidate.
#[derive(Debug, Default, Args)]
pub(crate) struct FpcoreArgs {
    /// A benchmark in FPCore, from FPBench or Herbie. The routine is the body in its precision. It is compared with `:spec` or, without `:spec`,
    /// with the body in real arithmetic. Functions in the body are the references, rounded
    #[arg(long, group = "outside", value_name = "FILE")]
    pub fpcore: Option<PathBuf>,
    /// With --fpcore: the benchmark with this name, or with this number in the file, counted from 1
    #[arg(long, value_name = "NAME", requires = "fpcore")]
    pub core: Option<String>,
}
