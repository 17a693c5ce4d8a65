//! A sweep: a candidate, its reference, and the range of inputs.

use kernels_gen::reduction::ONE_WORD;

use super::block::FaultKind;
use super::candidate::{Candidate, Reference};
use super::error::BackendError;
use super::function::Function;
use super::kernel_ref::{CpuSweep, DecideFn, KernelRef, MeasuredFn};
use super::key::Precision;
use super::measure::{Alone, Measure};
use super::signature::Number;
use super::space::InputSpace;
use crate::isa::PerIsa;

/// A routine, the reference to compare it with, and the range of inputs.
///
/// [`Sweep::new`] makes a sweep of two kernels, which every backend can search. [`Sweep::accuracy_only`] makes one with functions of the
/// host, which only this processor can call. `suite!` declares sweeps as tests.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Sweep {
    /// The name on the command line and in run files.
    pub(crate) name: &'static str,
    /// Which arguments are searched, and their order.
    pub(crate) inputs: InputSpace,
    /// The precision of the result.
    pub(crate) precision: Precision,
    /// The routine whose errors are measured.
    pub(crate) candidate: Candidate,
    /// The reference: a double-double, with or without a scale, or a `DcDouble` for a `DcFloat` routine.
    pub(crate) reference: Reference,
    /// How an error is measured: `ulp_error_f64`, `ulp_error_f32`, or the kernel of another measure ([`Sweep::measuring`]).
    pub(crate) metric: KernelRef,
    /// The compiled search loops of two kernels; see [`Sweep::compiled`].
    pub(crate) cpu: Option<CpuSweep>,
    /// The same loops for absolute and relative errors.
    pub(crate) measured: Option<PerIsa<MeasuredFn>>,
    /// The range to search if the command line gives none.
    pub(crate) range: &'static str,
    /// The mathematical function that candidate and reference compute, if it is known. `crunch verify --mpfr` and bounds use it.
    pub(crate) truth: Option<Function>,
    /// The largest error allowed in `range`, in ULP. `crunch verify` and suites check it.
    pub(crate) within: Option<f64>,
    /// Wrong special values that are allowed even if `within` is given.
    pub(crate) tolerated: &'static [FaultKind],
    /// The quantities that a search measures. [`Sweep::measuring`] sets them together with the metric.
    pub(crate) measure: Measure,
    /// The loop of the routine without its reference, if [`Sweep::with_maxima`] compiled it.
    pub(crate) alone: Option<Alone>,
    /// In binary32, the comparison with records for [`Measure::Maxima`]; a form panics if the processor lacks its features.
    pub(crate) decide: Option<PerIsa<DecideFn>>,
}

impl Sweep {
    /// The name on the command line and in run files.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Which arguments are searched, and their order.
    #[must_use]
    pub const fn inputs(&self) -> InputSpace {
        self.inputs
    }

    /// The precision of the result.
    #[must_use]
    pub const fn precision(&self) -> Precision {
        self.precision
    }

    /// The routine whose errors are measured.
    #[must_use]
    pub const fn candidate(&self) -> &Candidate {
        &self.candidate
    }

    /// The reference with which the routine is compared.
    #[must_use]
    pub const fn reference(&self) -> &Reference {
        &self.reference
    }

    /// How an error is measured: `ulp_error_f64`, `ulp_error_f32`, or the kernel of another measure.
    #[must_use]
    pub const fn metric(&self) -> &KernelRef {
        &self.metric
    }

    /// The range to search if the command line gives none.
    #[must_use]
    pub const fn range(&self) -> &'static str {
        self.range
    }

    /// The mathematical function that candidate and reference compute, if it is known ([`Sweep::of`]).
    #[must_use]
    pub const fn truth(&self) -> Option<Function> {
        self.truth
    }

    /// The largest error allowed in the range, in ULP ([`Sweep::within`]).
    #[must_use]
    pub const fn limit(&self) -> Option<f64> {
        self.within
    }

    /// Wrong special values that are allowed even with a limit ([`Sweep::tolerating`]).
    #[must_use]
    pub const fn tolerated(&self) -> &'static [FaultKind] {
        self.tolerated
    }

    /// The quantities that a search measures ([`Sweep::measuring`]).
    #[must_use]
    pub const fn measure(&self) -> Measure {
        self.measure
    }

    /// The kernels of candidate, reference and metric, if candidate and reference are kernels. Every backend can search these, and all must
    /// agree. Any other sweep is *accuracy only*.
    #[must_use]
    pub const fn kernels(&self) -> Option<[&KernelRef; 3]> {
        match (self.candidate.kernel(), self.reference.kernel()) {
            (Some(candidate), Some(reference)) => Some([candidate, reference, &self.metric]),
            _ => None,
        }
    }

    /// [`Sweep::kernels`], for a backend that runs only kernels.
    ///
    /// # Errors
    /// If candidate or reference is not a kernel. The error names it, and the backends that can call it.
    pub fn kernels_for(&self, backend: &str) -> Result<[&KernelRef; 3], BackendError> {
        self.kernels().ok_or_else(|| BackendError::Unavailable {
            backend: format!("the sweep `{}` on {backend}", self.name),
            reason: format!(
                "{backend} runs kernels only, and {}",
                self.why_accuracy_only()
            ),
            remedy: match self.candidate {
                Candidate::Device(_) => {
                    "Take scalar, avx2 or avx512, which measure what the device returns."
                }
                _ => "Take scalar, avx2 or avx512, which call it.",
            }
            .into(),
        })
    }

    /// The reason why the sweep has no absolute or relative errors, if such an error is requested but impossible.
    #[must_use]
    pub fn why_not_measured(&self) -> Option<String> {
        if self.measure.is_in_ulp() {
            return None;
        }
        let why = match (self.inputs, self.kernels()) {
            (InputSpace::Stored(_), _) => "its results are stored in 16 bits".into(),
            (_, None) => self.why_accuracy_only(),
            _ => return None,
        };
        Some(format!(
            "the {} error of `{}` is not measured: it is of two kernels with results in binary32 or binary64, and {why}; \
             `--ulp {0}` shows it of the input that is worst in ULP",
            self.measure.name(),
            self.name
        ))
    }

    /// The type of the results, if the metric rounds the reference to it: the results of a library's function whose format is narrower than
    /// that of the arguments.
    #[must_use]
    pub const fn rounded(&self) -> Option<Number> {
        match self.candidate {
            Candidate::Library(f) => f.signature().rounded(),
            _ => None,
        }
    }

    /// Its inputs, and the type of its results.
    #[must_use]
    pub const fn types(&self) -> (InputSpace, Number) {
        (self.inputs, self.candidate.result(self.inputs))
    }

    /// The same sweep over another input space, such as a box of pairs.
    #[must_use]
    pub const fn over(self, inputs: InputSpace) -> Sweep {
        Sweep { inputs, ..self }
    }

    /// The same sweep for another routine, which has these inputs and results of their precision. No loop is compiled for it.
    #[must_use]
    pub const fn with_candidate(self, candidate: Candidate, inputs: InputSpace) -> Sweep {
        Sweep {
            candidate,
            inputs,
            precision: inputs.precision(),
            ..self.without_loops()
        }
    }

    /// The same sweep without compiled loops: backends that compile text, and the interpreter, search it.
    #[must_use]
    pub const fn without_loops(self) -> Sweep {
        Sweep {
            cpu: None,
            measured: None,
            alone: None,
            decide: None,
            ..self
        }
    }

    /// Whether a loop for only the largest errors is compiled for it ([`Measure::Maxima`]).
    #[must_use]
    pub const fn has_maxima(&self) -> bool {
        self.alone.is_some() || self.decide.is_some()
    }

    /// The reason why the sweep is *accuracy only*: `` `f32::sin` is a function of the host ``.
    #[must_use]
    pub fn why_accuracy_only(&self) -> String {
        let of = match self.candidate {
            Candidate::Library(f) => {
                return format!("`{}` is a function of a library", f.full_name());
            }
            Candidate::Device(f) => {
                return format!("`{}` is a function of a device", f.full_name());
            }
            Candidate::Host(f) => f.name(),
            #[cfg(feature = "mpfr")]
            Candidate::Kernel(_) if matches!(self.reference, Reference::Mpfr(_)) => {
                return format!("the reference is `{}` in MPFR", self.reference.name());
            }
            Candidate::Kernel(_) if matches!(self.reference, Reference::Formula(_)) => {
                return "the reference is a formula, which the processor evaluates".into();
            }
            Candidate::Kernel(_) => self.reference.name(),
        };
        format!("`{of}` is a function of the host")
    }

    /// The search loop's compiled forms.
    ///
    /// # Panics
    /// If candidate or reference is not a kernel ([`Sweep::kernels`]), because then there are no such forms.
    #[must_use]
    #[track_caller]
    pub const fn compiled(&self) -> &CpuSweep {
        match &self.cpu {
            Some(compiled) => compiled,
            None => panic!("a sweep that is not of two kernels has no compiled search loop"),
        }
    }

    /// Names the mathematical function that candidate and reference compute. `crunch verify --mpfr` then compares the reference with MPFR,
    /// and certified bounds are relative to the function.
    #[must_use]
    pub const fn of(self, truth: Function) -> Sweep {
        Sweep {
            truth: Some(truth),
            ..self
        }
    }

    /// The same routine with a function in MPFR as its reference. Only the processor evaluates it, about a hundred thousand times per second.
    ///
    /// # Panics
    /// If the number of the function's arguments differs from the routine's.
    #[cfg(feature = "mpfr")]
    #[must_use]
    pub fn against_mpfr(self, function: Function) -> Sweep {
        assert_eq!(
            function.arguments(),
            self.inputs.arguments().len(),
            "{function} has not as many arguments as {}",
            self.name
        );
        let reference = super::mpfr_reference::MpfrReference::new(function, self.precision);
        Sweep {
            reference: Reference::Mpfr(reference),
            cpu: None,
            measured: None,
            decide: None,
            truth: Some(function),
            ..self
        }
    }

    /// Declares the largest error, in ULP, that is allowed in the sweep's range. Wrong special values (NaN against a number, infinity against a
    /// finite number, zeros of different sign) then need [`Sweep::tolerating`]. If a sweep declares nothing, its results must have at least one
    /// correct bit.
    #[must_use]
    pub const fn within(self, ulp: f64) -> Sweep {
        Sweep {
            within: Some(ulp),
            ..self
        }
    }

    /// Allows wrong special values of these kinds.
    #[must_use]
    pub const fn tolerating(self, faults: &'static [FaultKind]) -> Sweep {
        Sweep {
            tolerated: faults,
            ..self
        }
    }
}

/// Completes the columns of a reference's results, for `n` inputs, to those that the metric takes. For a binary64 routine, these are two
/// words and a scale. For a reference of one word, the second word is +0 and the scale is a special value.
pub(crate) fn complete(precision: Precision, reference: &mut Vec<Vec<u64>>, n: usize) {
    if precision == Precision::F64 {
        let scale = match reference.len() {
            1 => ONE_WORD as u64,
            _ => 0,
        };
        reference.resize_with(reference.len().max(2), || vec![0; n]);
        reference.resize_with(3, || vec![scale; n]);
    }
}
