//! Bounds on rounding errors that Gappa proves, of the same kernels that are searched; see `docs/gappa.md`.
//!
//! The script is written by [`kernels_gen::emit::gappa`]; here Gappa is run on it and its answer read, with every
//! number rounded to the side on which the bound stays one.
//!
//! | file | what |
//! |---|---|
//! | `answer` | what Gappa says, read |
//! | `profile` | bounds in ULP over the stretches of a range |

mod answer;
mod profile;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use kernels_gen::emit::{GappaRequest, GappaScript, gappa};
use kernels_gen::ir::Kernel;
use kernels_gen::lower;

use super::range::Range;
use crate::model::key::Precision;

pub use profile::{Step, profile, write_table};

/// Why there is no bound.
#[derive(Debug, thiserror::Error)]
pub enum GappaError {
    /// The kernel or its range has no form in Gappa.
    #[error("{0}")]
    Script(String),
    /// The program could not be run.
    #[error("gappa could not be run: {0}; as root: apt-get install gappa")]
    Run(#[from] std::io::Error),
    /// It refused the script.
    #[error("gappa refuses the script: {0}")]
    Refused(String),
    /// It accepted the script on assumptions that it has not proved.
    #[error("gappa's bound rests on something unproved: {0}")]
    Unproved(String),
    /// The hypotheses contradict each other.
    #[error("no input is in the range and fulfils all that is given; leave out what contradicts")]
    NoInputs,
}

/// What Gappa has proved of one result of a kernel, for all inputs that the script speaks of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// The kernel's error is no larger; infinity if nothing was found.
    pub absolute: f64,
    /// The error relative to the exact value is no larger; infinity if nothing was found.
    pub relative: f64,
    /// The exact value's size is no smaller.
    pub least: f64,
    /// And no larger.
    pub largest: f64,
    /// Precision of the result.
    precision: Precision,
}

impl Bounds {
    /// What both say, of the same result and the same inputs.
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
        // Dividing by a power of two in two steps: neither under- nor overflows on the way to a number that does not.
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

/// Of the largest power of two that is not above `x` > 0.
fn exponent(x: f64) -> Option<i32> {
    match x.to_bits() {
        0 => None,
        bits if bits >> 52 == 0 => Some(bits.ilog2() as i32 - 1074),
        bits => Some((bits >> 52) as i32 - 1023),
    }
}

/// The script of a kernel whose parameters lie in these ranges, one a parameter (a double-double has two).
///
/// # Errors
/// [`GappaError::Script`].
pub fn script(
    kernel: &'static Kernel,
    ranges: &[Range],
    given: &[String],
    hints: &str,
) -> Result<GappaScript, GappaError> {
    let program = lower(kernel).map_err(|e| GappaError::Script(e.to_string()))?;
    let request = GappaRequest {
        ranges: ranges.iter().map(stretches).collect(),
        given,
        hints,
    };
    gappa(&program, &request).map_err(|e| GappaError::Script(e.to_string()))
}

/// A range's stretches as reals.
fn stretches(range: &Range) -> Vec<[f64; 2]> {
    let value = |key| range.precision().value_of_key(key);
    let spans = range.spans().iter();
    spans.map(|s| [value(s.first), value(s.last)]).collect()
}

/// The program.
#[derive(Debug, Clone)]
pub struct Gappa {
    path: PathBuf,
}

impl Gappa {
    /// The one that `CRUNCH_GAPPA` names, or the first on the path.
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

    /// The bounds that it finds for each result of a script's kernel.
    ///
    /// # Errors
    /// When it refuses the script; when it says that it has assumed something, since then the bounds are none. A bound
    /// that it does not find is no error, but infinite.
    pub fn bounds(&self, script: &GappaScript) -> Result<Vec<Bounds>, GappaError> {
        let mut child = Command::new(&self.path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let mut stdin = child.stdin.take().expect("piped");
        // It reads all of the script before it writes anything.
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
