//! The texts of searches: a sweep's programs, with the code for the metric and for the comparison with a polynomial.

use crate::model::programs::program_of;
use kernels_gen::emit::{
    EmitError, Maxima, Options, Routine, Source, Sweep, maxima_kernel, sweep_kernel,
};
use kernels_gen::program::Program;

use super::fast_path::fast_path;
use crate::builtins::ulp_error::{KEY_FACTOR, digest_term_of_result_f64, near_polynomial};
use crate::kernel::CrunchFn;
use crate::model::key::Precision;
use crate::model::measure::{LARGEST, Measure, SLACK};

/// The text of a search of three programs: routine, reference and metric.
///
/// # Errors
/// If the programs do not match, or the language has no search of that measure.
pub fn search_text(
    [approx, reference, metric]: [&Program; 3],
    precision: Precision,
    measure: Measure,
    options: &Options,
) -> Result<Source, EmitError> {
    let others = [reference, metric];
    search_text_of(
        Routine::Program(approx),
        others,
        precision,
        measure,
        options,
    )
}

/// The same for a routine that may be a function of the language.
///
/// # Errors
/// As for [`search_text`]; also if the language has no search of a function.
pub(super) fn search_text_of(
    approx: Routine<'_>,
    [reference, metric]: [&Program; 2],
    precision: Precision,
    measure: Measure,
    options: &Options,
) -> Result<Source, EmitError> {
    let sweep = Sweep {
        approx,
        reference,
        metric,
        fast_path: fast_path(metric, options.dialect),
        precision: precision.prim(),
    };
    if measure != Measure::Maxima {
        return sweep_kernel(&sweep, options);
    }
    let lowered = |kernel| program_of(kernel).expect("it is one of this crate's");
    let maxima = Maxima {
        sweep,
        near: lowered(near_polynomial::KERNEL),
        digest_term: lowered(digest_term_of_result_f64::KERNEL),
        key_factor: KEY_FACTOR,
        slack: SLACK,
        largest: LARGEST,
    };
    maxima_kernel(&maxima, options)
}
