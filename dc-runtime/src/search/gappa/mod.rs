//! Bounds on rounding errors that Gappa proves for the same kernels that are searched; see `docs/book/src/tasks/gappa.md`.
//!
//! [`kernels_gen::emit::gappa`] writes the script. This module runs Gappa on it and parses the answer. Every number is rounded in the
//! direction in which the bound stays valid.
//!
//! | file | what |
//! |---|---|
//! | `answer` | the parser of Gappa's answer |
//! | `profile` | bounds in ULP over the stretches of a range |

mod answer;
mod profile;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use kernels_gen::emit::{GappaRequest, GappaScript, gappa};
use kernels_gen::ir::Kernel;

use super::range::Range;
use crate::model::key::Precision;
use crate::model::programs::program_of;

pub use profile::{Step, profile, write_table};

/// The reason why there is no bound.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GappaError {
    /// The kernel or its range cannot be expressed in Gappa.
    #[error("{0}")]
    Script(String),
    /// The program could not be run.
    #[error("gappa could not be run: {0}; as root: apt-get install gappa")]
    Run(#[from] std::io::Error),
    /// Gappa rejected the script.
    #[error("gappa refuses the script: {0}")]
    Refused(String),
    /// Gappa accepted the script, but on assumptions that it has not proved.
    #[error("gappa's bound rests on something unproved: {0}")]
    Unproved(String),
    /// The hypotheses contradict each other.
    #[error(
        "no input in the range satisfies all hypotheses; leave out those that contradict each other"
    )]
    NoInputs,
}

/// The bounds that Gappa has proved for one result of a kernel, for all inputs of the script.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// A bound of the kernel's absolute error; infinity if none was found.
    pub absolute: f64,
    /// A bound of the error relative to the exact value; infinity if none was found.
    pub relative: f64,
    /// A lower bound of the exact value's magnitude.
    pub least: f64,
    /// An upper bound of the exact value's magnitude.
    pub largest: f64,
    /// Precision of the result.
    precision: Precision,
}

impl Bounds {
    /// Combines both bounds, for the same result and the same inputs.
    #[must_use]
    pub fn and(self, other: Bounds) -> Bounds {
        Bounds {
            absolute: self.absolute.min(other.absolute),
            relative: self.relative.min(other.relative),
            least: self.least.max(other.least),
            largest: self.largest.min(other.largest),
            precision: self.precision,
        }
    }

    /// A bound on the error in ULP of the exact value, under the metric's definition (`builtins::ulp_error`).
    #[must_use]
    pub fn ulp(&self) -> f64 {
        let (digits, least_ulp) = match self.precision {
            Precision::F64 => (53, -1074),
            Precision::F32 => (24, -149),
        };
        // |error| / ulp = (|error| / |y|) (|y| / ulp), and |y| / ulp is below 2^digits.
        let relative = self.relative * power(digits);
        let exponent = exponent(self.least).map_or(least_ulp, |e| (e - digits + 1).max(least_ulp));
        // The division by a power of two is done in two steps, so that no intermediate value underflows or overflows
        // unless the result does.
        let half = exponent / 2;
        let absolute = self.absolute / power(half) / power(exponent - half);
        // In the subnormal range an ULP is larger than the relative one.
        absolute.min(relative)
    }
}

/// 2^n for -1022 <= n <= 1023.
fn power(n: i32) -> f64 {
    f64::from_bits(((n + 1023) as u64) << 52)
}

/// The exponent of the largest power of two that is not above `x` > 0.
fn exponent(x: f64) -> Option<i32> {
    match x.to_bits() {
        0 => None,
        bits if bits >> 52 == 0 => Some(bits.ilog2() as i32 - 1074),
        bits => Some((bits >> 52) as i32 - 1023),
    }
}

/// The script for a kernel with these ranges of its parameters, one per parameter (a double-double has two).
///
/// # Errors
/// [`GappaError::Script`].
pub fn script(
    kernel: &'static Kernel,
    ranges: &[Range],
    given: &[String],
    hints: &str,
) -> Result<GappaScript, GappaError> {
    let program = program_of(kernel).map_err(|e| GappaError::Script(e.to_string()))?;
    let request = GappaRequest {
        ranges: ranges.iter().map(stretches).collect(),
        given,
        hints,
    };
    gappa(program, &request).map_err(|e| GappaError::Script(e.to_string()))
}

/// The intervals of a range as reals.
fn stretches(range: &Range) -> Vec<[f64; 2]> {
    let value = |key| range.precision().value_of_key(key);
    let spans = range.spans().iter();
    spans.map(|s| [value(s.first), value(s.last)]).collect()
}

/// The program `gappa`.
#[derive(Debug, Clone)]
pub struct Gappa {
    path: PathBuf,
}

impl Gappa {
    /// The program named by `CRUNCH_GAPPA`, or the first one on the path.
    #[must_use]
    pub fn find() -> Option<Gappa> {
        let named = std::env::var_os("CRUNCH_GAPPA").filter(|v| !v.is_empty());
        let candidates = match named {
            Some(path) => vec![PathBuf::from(path)],
            None => std::env::split_paths(&std::env::var_os("PATH")?)
                .map(|dir| dir.join("gappa"))
                .collect(),
        };
        let path = candidates.into_iter().find(|p| p.is_file())?;
        Some(Gappa { path })
    }

    /// The bounds that Gappa finds for each result of a script's kernel.
    ///
    /// # Errors
    /// If Gappa rejects the script, or reports an assumption, because then the bounds are not proved. A bound that Gappa does not find is
    /// not an error, but infinite.
    pub fn bounds(&self, script: &GappaScript) -> Result<Vec<Bounds>, GappaError> {
        let mut child = Command::new(&self.path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let mut stdin = child.stdin.take().expect("piped");
        // Gappa reads the complete script before it writes anything.
        stdin.write_all(script.text.as_bytes())?;
        drop(stdin);
        let output = child.wait_with_output()?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        answer::read(
            &script.goals,
            &format!("{}{}", text(&output.stdout), text(&output.stderr)),
        )
    }
}
