//! The arguments of `design`.

use std::path::PathBuf;

use clap::Args;

use super::value::duration;

/// What `design` is asked for. What is left out is taken from the head that `--again` names, or has its default.
#[derive(Debug, Args)]
pub(crate) struct DesignArgs {
    /// The function, by its name in C: `exp`, `log2`, `sinpi`; `list --references` shows all of them
    #[arg(required_unless_present_any = ["again", "against"], conflicts_with = "against")]
    pub function: Option<String>,
    /// Design the reference of this sweep instead of a function of the library; the sweep is one of your own program
    #[arg(long, value_name = "SWEEP")]
    pub against: Option<String>,
    /// The range of inputs, as for `run`, such as `-1..1` or `all`
    #[arg(
        long,
        value_name = "RANGE",
        allow_hyphen_values = true,
        required_unless_present = "again"
    )]
    pub range: Option<String>,
    /// The format of inputs and results: f64, f32, f16 or bf16 [default: f32]
    #[arg(long, value_name = "FORMAT")]
    pub precision: Option<String>,
    /// The largest error allowed: `1.0ulp`, `1e-4abs`, `1e-6rel` or `correctly-rounded`; in f64 `0.51ulp` or `1e-6rel` [default: 1.0ulp]
    #[arg(long, value_name = "TOLERANCE")]
    pub within: Option<String>,
    /// The variable u of the polynomials: a formula of x, such as `x*x`, `1/x` or `(x - 4)/(x + 4)`. The designs are p(u), u p(u²) and x p(u)
    /// [default: x, and the reductions of the function]
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true)]
    pub variable: Option<String>,
    /// Use no fused operations: for languages and processors that have none
    #[arg(long)]
    pub unfused: bool,
    /// The instruction set whose times are compared: scalar, avx2, avx512 or neon [default: the processor's widest]
    #[arg(long = "for", value_name = "SET")]
    pub set: Option<String>,
    /// What to time: `loop`, the kernel's text in C, or `map`, its source compiled by rustc, which takes up to a minute the first time [default:
    /// loop]
    #[arg(long, value_name = "WHAT")]
    pub times: Option<String>,
    /// Repeat the command in the head of this file, which `design` wrote. Options given beside this one replace those of the command. The new
    /// kernel replaces the old one, unless -o names another file
    #[arg(long, value_name = "FILE")]
    pub again: Option<PathBuf>,
    /// Write the kernel to this file [default: none; only the front is shown]
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The kernel's name [default: FUNCTION_FORMAT, or SWEEP_FORMAT]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Write the design with this number in the table [default: the fastest within the tolerance]
    #[arg(long, value_name = "NUMBER")]
    pub pick: Option<usize>,
    /// The number of designs of the front to search at all inputs [default: 8]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub finalists: Option<u16>,
    /// Stop after this time, with the best design so far: `60s`, `5min`
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<f64>,
    /// Draw the front, error over nanoseconds, together with existing functions: FILE.svg or FILE.png
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// The time to prove each design's largest error, in f64: `60s`, `5min` [default: 60s]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub proof: Option<f64>,
    /// Write the certificate of the design's largest error to this file, in f64, and check it with the code of `crunch-check`. Without --pick,
    /// the design is the fastest one within the tolerance that has a certificate
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Keep the results of the search in this file, step by step. After a stop or a kill, the same command continues from it; a similar command
    /// reuses what it can
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,
    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
}

impl DesignArgs {
    /// These arguments, and where one is missing, that of an older command. What a command writes beside the kernel, and its time limit, are its own.
    pub fn over(self, old: DesignArgs) -> DesignArgs {
        // A number is that of a table, and another request has another table.
        let table = self.function.is_none()
            && self.against.is_none()
            && self.range.is_none()
            && self.precision.is_none()
            && self.within.is_none()
            && self.variable.is_none()
            && !self.unfused
            && self.set.is_none()
            && self.times.is_none();
        DesignArgs {
            // Either of them replaces the other.
            function: self
                .function
                .clone()
                .or(old.function.filter(|_| self.against.is_none())),
            against: self
                .against
                .or(old.against.filter(|_| self.function.is_none())),
            range: self.range.or(old.range),
            precision: self.precision.or(old.precision),
            within: self.within.or(old.within),
            variable: self.variable.or(old.variable),
            unfused: self.unfused || old.unfused,
            set: self.set.or(old.set),
            times: self.times.or(old.times),
            name: self.name.or(old.name),
            pick: self.pick.or(old.pick.filter(|_| table)),
            finalists: self.finalists.or(old.finalists),
            proof: self.proof.or(old.proof),
            ..self
        }
    }
}
