//! Functions that exist, beside the designs: their times in the same rounds, and their errors.
//!
//! Those of libraries are called value by value, and their errors are those of the sample. Approximations that people copy are kernels, which are
//! compiled and judged as the designs are.

mod copied;
mod functions;

use crate::judge::{Candidate, Case, Problem, Report};
use crate::time::Timed;

use functions::Functions;

/// A function that exists.
#[derive(Debug, Clone)]
pub struct Rival {
    /// Its name.
    pub name: String,
    /// Nanoseconds for each value.
    pub time: f64,
    /// The largest known error, in the tolerance's unit; infinite, if a result is wrong.
    pub error: f64,
    /// The number of searched inputs; none where the error is that of the sample.
    pub inputs: Option<u64>,
    /// Among them, the number of those with a wrong result that has no error, and the first of these.
    pub faults: (u64, Option<i64>),
}

/// The rivals of a request.
#[derive(Default)]
pub(crate) struct Rivals {
    functions: Functions,
    copied: Vec<Copied>,
    /// What is not here.
    pub missing: Vec<String>,
}

/// An approximation that people copy.
pub(crate) struct Copied {
    name: &'static str,
    /// It has no coefficients that a search could change.
    pub candidate: Candidate,
    /// Its errors at all inputs.
    pub report: Option<Report>,
}

impl Rivals {
    /// # Errors
    /// If a kernel is not lowered, which is a fault of this crate.
    pub fn new(problem: &Problem) -> Result<Rivals, String> {
        let Some(known) = problem.subject.known else {
            return Ok(Rivals::default());
        };
        let (functions, missing) = Functions::new(known.name, problem.format);
        let mut copied = Vec::new();
        for (name, kernel) in copied::of(known.name, problem.format) {
            let program = kernels_gen::lower(kernel).map_err(|e| format!("{name}: {e:?}"))?;
            copied.push(Copied {
                name,
                candidate: Candidate {
                    program,
                    coefficients: Vec::new(),
                },
                report: None,
            });
        }
        Ok(Rivals {
            functions,
            copied,
            missing: missing.into_iter().collect(),
        })
    }

    /// Those that are kernels, which are timed as designs are.
    pub fn kernels(&self) -> impl Iterator<Item = &Candidate> {
        self.copied.iter().map(|c| &c.candidate)
    }

    /// Those that are kernels, to be judged.
    pub fn copied(&mut self) -> &mut [Copied] {
        &mut self.copied
    }

    /// Those that are called.
    pub fn timed(&self, inputs: &[f64]) -> Vec<Timed<'_>> {
        self.functions.timed(inputs)
    }

    /// All of them, by the times of the kernels and then of the others.
    pub fn judged(
        &self,
        problem: &Problem,
        cases: &[Case],
        times: &[f64],
    ) -> Result<Vec<Rival>, String> {
        let mut all = Vec::new();
        for c in &self.copied {
            let sampled = problem.on_sample(&mut c.candidate.strips()?, cases);
            let report = c.report.as_ref().unwrap_or(&sampled);
            all.push(Rival {
                name: c.name.into(),
                time: f64::INFINITY,
                error: match report.faults {
                    0 => report.largest,
                    _ => f64::INFINITY,
                },
                inputs: c.report.as_ref().map(|r| r.inputs),
                faults: (report.faults, report.fault),
            });
        }
        let functions = self.functions.errors(problem, cases).into_iter();
        all.extend(functions.map(|(name, error)| Rival {
            name,
            time: f64::INFINITY,
            error,
            inputs: None,
            faults: (0, None),
        }));
        for (rival, time) in all.iter_mut().zip(times) {
            rival.time = *time;
        }
        all.sort_by(|a, b| a.time.total_cmp(&b.time));
        Ok(all)
    }
}
