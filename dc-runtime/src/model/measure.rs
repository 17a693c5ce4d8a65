//! What a search measures of its inputs.

use super::block::{BlockResult, bin_floor};
use super::kernel_ref::ResultsFn;
use crate::builtins::ulp_error::KEY_FACTOR;
use crate::isa::PerIsa;
use kernels_gen::ir::Kernel;

/// What a search measures of its inputs.
///
/// At the first two levels, the largest errors, their inputs and the faults are the same, to the bit. The others are of
/// another error than that in ULP: its largest values are at other inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Measure {
    /// All that [`BlockResult`] holds. The digest is of the routine's results and of the reference's.
    #[default]
    Full,
    /// The largest errors and the faults, and a digest of the routine's results alone; no histogram, and neither
    /// misrounded nor undecided inputs are counted.
    ///
    /// In binary64, almost all inputs are then decided by a certified polynomial of the function, and the reference is evaluated
    /// where an error may be a record. In binary32 it is evaluated everywhere, and the metric is where an error may be a record.
    Maxima,
    /// As [`Measure::Full`], of `|result - reference|`. The metric is `absolute_error_f64` or `absolute_error_f32`, and
    /// misrounded inputs, faults and the digest are those of a full measure.
    Absolute,
    /// As [`Measure::Absolute`], of that divided by `|reference|`.
    Relative,
}

/// How far an error that is computed from a polynomial may be from that of the reference, in ULP: the reference's own error and the
/// polynomial's are half of it, 2^-20 each.
pub const SLACK: f64 = 1.0 / (1u64 << 18) as f64;
/// The largest record, in ULP, below which results are compared with a polynomial.
pub const LARGEST: f64 = (1u64 << 20) as f64;

impl Measure {
    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Measure::Full => "full",
            Measure::Maxima => "maxima",
            Measure::Absolute => "absolute",
            Measure::Relative => "relative",
        }
    }

    /// Whether errors are in ULP.
    #[must_use]
    pub const fn is_in_ulp(self) -> bool {
        matches!(self, Measure::Full | Measure::Maxima)
    }

    /// The word behind an error: its unit, or for an error without one its kind.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Measure::Full | Measure::Maxima => "ULP",
            Measure::Absolute | Measure::Relative => self.name(),
        }
    }

    /// Lower edge of a histogram bin, in the unit of errors.
    #[must_use]
    pub fn bin_floor(self, bin: usize) -> f64 {
        let octaves = |first: i32, each: i32| match bin {
            0 => 0.0,
            bin => f64::powi(2.0, first + each * (bin as i32 - 1)),
        };
        match self {
            Measure::Full | Measure::Maxima => bin_floor(bin),
            Measure::Absolute => octaves(-72, 8),
            Measure::Relative => octaves(-60, 4),
        }
    }

    /// What was measured for a result, as far as it shows: in full, each input with an error is in the histogram, and a NaN or an
    /// infinity against a number is misrounded. A result of no such inputs is the same at both levels.
    #[must_use]
    pub fn of_result(result: &BlockResult) -> Measure {
        let [nan, infinity, _] = result.faults;
        let found = result.max.exists() || nan.count + infinity.count > 0;
        let counted = result.misrounded > 0 || result.histogram.iter().any(|&n| n > 0);
        if found && !counted {
            Measure::Maxima
        } else {
            Measure::Full
        }
    }

    /// What is left of a block's result that was measured in full. Its digest must be that of the level already.
    #[must_use]
    pub fn of(self, block: &BlockResult) -> BlockResult {
        match self {
            Measure::Full | Measure::Absolute | Measure::Relative => *block,
            Measure::Maxima => BlockResult {
                count: block.count,
                max: block.max,
                max_positive: block.max_positive,
                max_negative: block.max_negative,
                faults: block.faults,
                digest: block.digest,
                ..BlockResult::EMPTY
            },
        }
    }
}

/// The digest term of an input whose reference is not evaluated: that of the metric, of the result's bits alone.
#[must_use]
pub fn digest_term_of_result(key: i64, result_bits: u64) -> u64 {
    let weight = key.wrapping_mul(KEY_FACTOR).cast_unsigned();
    let weight = (weight ^ weight >> 32) | 1;
    (result_bits ^ result_bits >> 32).wrapping_mul(weight)
}

/// A routine's loop without its reference, for [`Measure::Maxima`].
#[derive(Debug, Clone, Copy)]
pub struct Alone {
    /// The routine.
    pub kernel: &'static Kernel,
    /// The compiled loops; each panics if the processor lacks its features.
    pub cpu: PerIsa<ResultsFn>,
}
