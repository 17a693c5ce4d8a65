//! The arguments of `lift`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::value::{inputs, threads};

/// What products and sums that may be fused compute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Contract {
    /// Fused, rounded once, as a target with FMA computes them
    On,
    /// Rounded twice
    Off,
}

/// Which called functions are kernels of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Inline {
    /// None: one kernel
    All,
    /// Every function that can be: its parameters and results are numbers
    None,
    /// Functions of at least two operations that are called more than once, and large ones
    Auto,
}

impl From<Inline> for dc_lift::Inline {
    fn from(inline: Inline) -> Self {
        match inline {
            Inline::All => dc_lift::Inline::All,
            Inline::None => dc_lift::Inline::None,
            Inline::Auto => dc_lift::Inline::Auto,
        }
    }
}

/// A function of a source as the candidate.
#[derive(Debug, Default, Args)]
pub(crate) struct LiftedArgs {
    /// A function of an unchanged source in C, C++, Rust or LLVM IR: `exp.c:my_exp`, `lib.rs:fast::exp`. The source is compiled and lifted to a
    /// program, which is compared with the compiled function
    #[arg(long, group = "outside", value_name = "SOURCE:NAME")]
    pub lift: Option<String>,
    /// With --lift: whether to fuse a product and a sum where the source allows both; required if there is such a place
    #[arg(long, value_enum, requires = "lift")]
    pub contract: Option<Contract>,
    /// With --lift: treat operations with this fast-math flag (nnan, nsz, arcp, reassoc, …) as ordinary ones; may be repeated
    #[arg(long, value_name = "FLAG", requires = "lift")]
    pub allow: Vec<String>,
    /// With --lift: the largest number of iterations of a loop whose count depends on the input
    #[arg(long, value_name = "N", requires = "lift")]
    pub unroll: Option<u32>,
    /// With --lift: a flag for the compiler, such as -Iinclude; may be repeated
    #[arg(
        long,
        value_name = "FLAG",
        requires = "lift",
        allow_hyphen_values = true
    )]
    pub compiler_flag: Vec<String>,
}

/// A function of a source in place of a sweep, where no other function is.
#[derive(Debug, Default, Args)]
pub(crate) struct SourceArgs {
    #[command(flatten)]
    pub lifted: LiftedArgs,
    /// With --lift: the function that the routine is meant to compute (see `list --references`)
    #[arg(long, group = "meant", value_name = "FUNCTION", requires = "lift")]
    pub computes: Option<String>,
    /// With --lift, instead of --computes: a formula, such as "log(1 + exp(x))"
    #[arg(
        long,
        group = "meant",
        value_name = "EXPRESSION",
        requires = "lift",
        allow_hyphen_values = true
    )]
    pub against_expression: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct LiftArgs {
    /// Sources in C, C++ or Rust, or LLVM IR (.ll, .bc). One of them has the function; the functions and variables that it uses may be in any
    #[arg(required = true)]
    pub sources: Vec<PathBuf>,
    /// The function: its name, its symbol, or a path such as `libm::math::expf::expf`
    #[arg(long, value_name = "NAME")]
    pub function: String,
    /// Write the kernel to this file [default: NAME.rs]
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Whether to fuse a product and a sum where the source allows both; required if there is such a place
    #[arg(long, value_enum)]
    pub contract: Option<Contract>,
    /// Which of the functions that it calls become separate kernels in the file
    #[arg(long, value_enum, default_value = "all")]
    pub inline: Inline,
    /// Treat operations with this fast-math flag (nnan, nsz, arcp, reassoc, …) as ordinary ones; may be repeated
    #[arg(long, value_name = "FLAG")]
    pub allow: Vec<String>,
    /// The largest number of iterations of a loop whose count depends on the input
    #[arg(long, value_name = "N")]
    pub unroll: Option<u32>,
    /// For a function of one 32-bit number: compare every N-th input; 1 compares all 2^32
    #[arg(long, value_name = "N", default_value = "1")]
    pub every: u64,
    /// For other functions: compare this many inputs, `2^24` or a number
    #[arg(long, value_name = "N", default_value = "2^24", value_parser = inputs)]
    pub sample: u64,
    /// Do not compare; the kernel's file is then NAME.unverified.rs
    #[arg(long, conflicts_with_all = ["every", "sample"])]
    pub no_verify: bool,
    /// The number of processes that compare [default: all cores]
    #[arg(long, short = 'j', value_name = "N", value_parser = threads)]
    pub threads: Option<usize>,
    /// Flags for the compiler, such as `-I include`
    #[arg(last = true, value_name = "FLAGS")]
    pub flags: Vec<String>,
}
