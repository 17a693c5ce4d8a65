//! The measure of a search: which properties of its inputs it computes.

use super::block::{BlockResult, bin_floor};
use super::kernel_ref::ResultsFn;
use crate::builtins::ulp_error::KEY_FACTOR;
use crate::isa::PerIsa;
use kernels_gen::ir::Kernel;

/// Which properties of its inputs a search computes.
///
/// At the first two levels, the largest errors, their inputs and the faults are bit for bit the same. The other levels measure another
/// error than that in ULP; its largest values occur at other inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Measure {
    /// All fields of [`BlockResult`]. The digest covers the results of the routine and of the reference.
    #[default]
    Full,
    /// The largest errors and the faults, and a digest of only the routine's results. There is no histogram, and
    /// misrounded and undecided inputs are not counted.
    ///
    /// In binary64, a certified polynomial of the function decides almost all inputs. The reference is evaluated only
    /// if an error may be a record. In binary32 the reference is evaluated everywhere, and the metric only if an error may be a record.
    Maxima,
    /// The same as [`Measure::Full`], with the error `|result - reference|`. The metric is `absolute_error_f64` or `absolute_error_f32`.
    /// Misrounded inputs, faults and the digest are those of a full measure.
    Absolute,
    /// The same as [`Measure::Absolute`], with that error divided by `|reference|`.
    Relative,
}

/// The largest difference, in ULP, between an error computed from a polynomial and the error from the reference. Half of it is the
/// reference's own error, the other half the polynomial's, 2^-20 each.
pub const SLACK: f64 = 1.0 / (1u64 << 18) as f64;
/// The largest record, in ULP, for which results are compared with a polynomial.
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

    /// The word after an error: its unit or, for an error without a unit, its kind.
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

    /// The measure of a result, as far as the result shows it. In a full measure, each input with an error is in the histogram, and a NaN or an
    /// infinity against a number is misrounded. A result without such inputs is the same at both levels.
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

    /// The part of a full block's result that belongs to this measure. Its digest must already be the digest of this measure.
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

/// The digest term of an input whose reference is not evaluated: the metric's term for only the result's bits.
#[must_use]
pub fn digest_term_of_result(key: i64, result_bits: u64) -> u64 {
    let weight = key.wrapping_mul(KEY_FACTOR).cast_unsigned();
    let weight = (weight ^ weight >> 32) | 1;
    (result_bits ^ result_bits >> 32).wrapping_mul(weight)
}

/// A routine's loop without the reference, for [`Measure::Maxima`].
#[derive(Debug, Clone, Copy)]
pub struct Alone {
    /// The routine.
    pub kernel: &'static Kernel,
    /// The compiled loops; each panics if the processor lacks its features.
    pub cpu: PerIsa<ResultsFn>,
}
