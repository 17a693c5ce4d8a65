//! The request, and the designs on the way to its result.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use dc_runtime::search::range::Range;

use crate::journal::Journal;
use crate::judge::{Candidate, Problem, Report};
use crate::shape::Design;
use crate::spec::{Format, Tolerance};
use crate::subject::Subject;
use crate::target::Target;
use crate::time::Clock;
use crate::variable::Variable;

/// The request.
pub struct Request<'a> {
    /// The function.
    pub subject: Subject,
    /// The inputs.
    pub range: Range,
    /// The format.
    pub format: Format,
    /// The tolerance.
    pub tolerance: Tolerance,
    /// The variable of polynomials, if one is given.
    pub variable: Option<Variable>,
    /// Whether designs have fused operations.
    pub fused: bool,
    /// The instruction set whose times are compared.
    pub target: Target,
    /// The method by which a design is timed.
    pub clock: Clock,
    /// A folder for the compiler's files.
    pub folder: PathBuf,
    /// A flag that ends the search with the best design so far.
    pub stop: &'a AtomicBool,
    /// A callback that receives a description of the current step.
    pub progress: &'a (dyn Fn(&str) + Sync),
    /// How many designs of the front are searched in full.
    pub finalists: usize,
    /// The seconds that the proof of a design in binary64 may take.
    pub proof: f64,
    /// The journal with the results of an earlier search, which also receives new results.
    pub journal: &'a Journal,
}

/// A design that was measured.
pub struct Finalist {
    /// The design.
    pub design: Design,
    /// The design with its coefficients.
    pub candidate: Candidate,
    /// The number of its operations.
    pub operations: usize,
    /// Nanoseconds for each value.
    pub time: f64,
    /// The largest error on the sample.
    pub sampled: f64,
    /// The input of the sample with that error.
    pub worst: Option<i64>,
    /// Its errors at all inputs, or at fewer if the search was stopped.
    pub report: Option<Report>,
    /// Whether it is on the front.
    pub on_front: bool,
}

impl Finalist {
    /// Whether all inputs were searched.
    #[must_use]
    pub fn complete(&self, inputs: u128) -> bool {
        match &self.report {
            Some(Report { proof: Some(p), .. }) => p.upper.is_finite(),
            Some(r) => u128::from(r.inputs) == inputs,
            None => false,
        }
    }

    /// Whether the design is known to meet the request.
    #[must_use]
    pub fn meets(&self, problem: &Problem) -> bool {
        self.complete(problem.inputs.count())
            && self
                .report
                .as_ref()
                .is_some_and(|r| r.meets(problem.tolerance))
    }

    /// The design's largest error, as far as it is known.
    #[must_use]
    pub fn error(&self) -> f64 {
        match &self.report {
            Some(r) if r.faults > 0 => f64::INFINITY,
            Some(r) => r.largest.max(self.sampled),
            None => self.sampled,
        }
    }
}

/// A design with coefficients, and its errors on the sample.
pub(super) struct Entry {
    pub design: Design,
    pub candidate: Candidate,
    pub error: f64,
    pub worst: Option<i64>,
    pub cost: f64,
}
