//! Existing functions, for comparison with the designs: their times in the same rounds, and their errors.
//!
//! Functions of libraries are called value by value, or in vectors. Approximations that people copy are kernels. They are compiled and judged
//! like the designs, unless results must be correctly rounded. Vector functions of binary32 are judged at all inputs too. The other functions and
//! the reference are judged on the sample.

mod copied;
mod functions;

use kernels_gen::ir::Kernel;
use kernels_gen::ops::Prim;
use kernels_gen::syntax::{Callee, Expr, Kind, tree};

use crate::build::{Builder, Stage};
use crate::everywhere::Judged;
use crate::judge::{Candidate, Case, Problem, Report};
use crate::spec::{Format, Tolerance};
use crate::target::Target;
use crate::time::Timed;

use functions::Functions;

/// An existing function.
#[derive(Debug, Clone)]
pub struct Rival {
    /// Its name.
    pub name: String,
    /// Nanoseconds for each value.
    pub time: f64,
    /// The largest known error, in the tolerance's unit; infinite if a result is wrong.
    pub error: f64,
    /// The number of searched inputs; `None` if the error is that of the sample.
    pub inputs: Option<u64>,
    /// The number of searched inputs with a wrong result that has no error, and the first of these inputs.
    pub faults: (u64, Option<i64>),
}

/// The rivals of a request.
#[derive(Default)]
pub(crate) struct Rivals {
    functions: Functions,
    kernels: Vec<Known>,
    /// The errors at all inputs: those of kernels that are judged there, and those of [`Functions::fast`].
    reports: Vec<Report>,
    /// Descriptions of missing functions.
    pub missing: Vec<String>,
}

/// A kernel that is timed like the designs. It has no coefficients that a search could change.
struct Known {
    name: &'static str,
    candidate: Candidate,
    /// Whether it is judged at all inputs.
    everywhere: bool,
}

impl Known {
    fn new(name: &'static str, kernel: &'static Kernel, everywhere: bool) -> Result<Known, String> {
        let program = kernels_gen::lower(kernel).map_err(|e| format!("{name}: {e:?}"))?;
        Ok(Known {
            name,
            candidate: Candidate {
                program,
                coefficients: Vec::new(),
            },
            everywhere,
        })
    }
}

/// The reference of one word, rounded to binary32.
fn reference(kernel: &'static Kernel) -> &'static Kernel {
    let (mut b, x) = Builder::new(Prim::F32, Prim::F64, &[], Stage::Whole);
    let value = Expr::new(b.float(), Kind::Call(Callee::Library(0), vec![x]));
    let value = b.bind("value", value);
    let mut unit = b.finish("rounded_reference", Vec::new(), Prim::F32, value);
    unit.library = tree::leak(vec![kernel]);
    tree::kernel(&unit)
}

impl Rivals {
    /// # Errors
    /// If a kernel cannot be lowered, which is a bug of this crate.
    pub fn new(problem: &Problem, target: Target) -> Result<Rivals, String> {
        let Some(known) = problem.subject.known else {
            return Ok(Rivals::default());
        };
        let mut functions = Functions::new(known.name, problem.format, target);
        let mut kernels = Vec::new();
        // Beside what is correctly rounded, errors of thousands of units need not be known to the digit.
        let everywhere =
            problem.tolerance != Tolerance::Correct || problem.format.stored().is_some();
        for (name, kernel) in copied::of(known.name, problem.format) {
            kernels.push(Known::new(name, kernel, everywhere)?);
        }
        if problem.format == Format::F32 {
            let kernel = reference(problem.subject.narrow);
            kernels.push(Known::new(
                "this library's reference, rounded",
                kernel,
                false,
            )?);
        }
        Ok(Rivals {
            missing: std::mem::take(&mut functions.missing),
            functions,
            kernels,
            reports: Vec::new(),
        })
    }

    /// The rivals that are kernels, which are timed like the designs.
    pub fn kernels(&self) -> impl Iterator<Item = &Candidate> {
        self.kernels.iter().map(|c| &c.candidate)
    }

    /// The rivals that must still be judged at all inputs.
    pub fn unjudged(&self) -> Vec<Judged<'_>> {
        if !self.reports.is_empty() {
            return Vec::new();
        }
        let kernels = self.kernels.iter().filter(|c| c.everywhere);
        let kernels = kernels.map(|c| Judged::Kernel(&c.candidate));
        let fast = self.functions.fast();
        let fast = fast.map(|(name, fill)| Judged::Function(name, fill));
        kernels.chain(fast).collect()
    }

    /// Stores the rivals' errors, in the order of [`Rivals::unjudged`].
    pub fn judge(&mut self, reports: Vec<Report>) {
        self.reports.extend(reports);
    }

    /// The rivals that are called.
    pub fn timed(&self, inputs: &[f64]) -> Vec<Timed<'_>> {
        self.functions.timed(inputs)
    }

    /// All rivals, given the times of the kernels and then of the others.
    pub fn judged(
        &self,
        problem: &Problem,
        cases: &[Case],
        times: &[f64],
    ) -> Result<Vec<Rival>, String> {
        let mut all = Vec::new();
        let rival = |name: &str, report: &Report, everywhere: bool| Rival {
            name: name.into(),
            time: f64::INFINITY,
            error: match report.faults {
                0 => report.largest,
                _ => f64::INFINITY,
            },
            inputs: everywhere.then_some(report.inputs),
            faults: (report.faults, report.fault),
        };
        let mut kernels = 0;
        for c in &self.kernels {
            let sampled = problem.on_sample(&mut c.candidate.strips()?, cases);
            let report = self.reports.get(kernels).filter(|_| c.everywhere);
            kernels += usize::from(c.everywhere);
            all.push(rival(c.name, report.unwrap_or(&sampled), report.is_some()));
        }
        for (name, error, fast) in self.functions.errors(problem, cases) {
            let sampled = Report {
                largest: error,
                ..Report::default()
            };
            let report = fast.and_then(|f| self.reports.get(kernels + f));
            all.push(rival(&name, report.unwrap_or(&sampled), report.is_some()));
        }
        for (rival, time) in all.iter_mut().zip(times) {
            rival.time = *time;
        }
        all.sort_by(|a, b| a.time.total_cmp(&b.time));
        Ok(all)
    }
}
