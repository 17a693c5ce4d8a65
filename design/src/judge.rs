//! The errors of a candidate at all inputs, and on a sample.

use dc_runtime::search::range::Range;
use kernels_gen::identity::identity_hex;
use kernels_gen::ops::Prim;
use kernels_gen::program::Program;
use serde::{Deserialize, Serialize};

use crate::build::Coefficient;
use crate::compare::{Fault, compare, error, ulp};
use crate::dd::Dd;
use crate::inputs::{Inputs, number};
use crate::proof::Proof;
use crate::space::Aim;
use crate::spec::{Format, Tolerance, Unit};
use crate::stored;
use crate::strips::{Results, STRIP, Strips};
use crate::subject::Subject;

/// A function with its references, a range, and the requirement on a candidate.
pub struct Problem {
    /// The function.
    pub subject: Subject,
    /// The range of the inputs.
    pub range: Range,
    /// The inputs.
    pub inputs: Inputs,
    /// The format of inputs and results.
    pub format: Format,
    /// The tolerance.
    pub tolerance: Tolerance,
    /// The reference of binary32, in one word. It takes a third of the time of its compiled form at points.
    narrow: Program,
}

/// An input with the value of the function.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// Its key.
    pub key: i64,
    /// The input.
    pub x: f64,
    /// The value, approximately.
    pub value: f64,
    /// In binary64, the second word of the value.
    pub low: f64,
}

/// The errors of a candidate.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Report {
    /// The number of inputs.
    pub inputs: u64,
    /// The largest error, in the tolerance's unit.
    #[serde(with = "crate::journal::bits")]
    pub largest: f64,
    /// The input with this error.
    pub worst: Option<i64>,
    /// The number of results that are not the value rounded to nearest.
    pub misrounded: u64,
    /// The number of inputs for which neither reference decides this.
    pub undecided: u64,
    /// The number of results that are NaN or infinite although the value is not (or the other way round), and of zeros with the wrong sign.
    pub faults: u64,
    /// The first of these inputs.
    pub fault: Option<i64>,
    /// Some of the inputs that are misrounded.
    pub examples: Vec<i64>,
    /// In binary64, the proof for all inputs.
    pub proof: Option<Proof>,
}

impl Report {
    /// Whether the candidate meets the requirement.
    #[must_use]
    pub fn meets(&self, tolerance: Tolerance) -> bool {
        self.faults == 0
            && match tolerance {
                Tolerance::Within(most, _) => self.largest <= most,
                Tolerance::Correct => self.misrounded == 0 && self.undecided == 0,
            }
    }

    pub(crate) fn merge(&mut self, other: Report) {
        self.inputs += other.inputs;
        let first = |a: Option<i64>, b: Option<i64>| a.into_iter().chain(b).min();
        if other.largest > self.largest {
            (self.largest, self.worst) = (other.largest, other.worst);
        } else if other.largest == self.largest {
            self.worst = first(self.worst, other.worst);
        }
        self.misrounded += other.misrounded;
        self.undecided += other.undecided;
        self.faults += other.faults;
        self.fault = first(self.fault, other.fault);
        self.examples.extend(other.examples);
        self.examples.sort_unstable();
        self.examples.truncate(EXAMPLES);
    }
}

const EXAMPLES: usize = 256;

/// A candidate: a program whose parameters after the first are its coefficients.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// The program.
    pub program: Program,
    /// The coefficients.
    pub coefficients: Vec<Coefficient>,
}

impl Candidate {
    /// The precision of its computation.
    #[must_use]
    pub fn prim(&self) -> Prim {
        let params = &self.program.entry().params;
        params.get(1).map_or(Prim::F64, |p| p.1)
    }

    /// Its program, ready to run.
    ///
    /// # Errors
    /// The same as for [`Strips::new`].
    pub fn strips(&self) -> Result<Strips, String> {
        let mut strips = Strips::new(&self.program)?;
        for (i, c) in self.coefficients.iter().enumerate() {
            strips.set(i + 1, c.bits);
        }
        Ok(strips)
    }
}

/// Passes inputs of binary32 to a program of binary64.
pub fn widened(strips: &mut Strips, xs: &[f32]) {
    for (to, &x) in strips.inputs_f64().iter_mut().zip(xs) {
        *to = x.into();
    }
}

/// The results of a reference.
pub fn words(reference: &Strips) -> &[f64] {
    match reference.results(0) {
        Results::F64(values) => values,
        Results::F32(_) => &[],
    }
}

/// Results in the format, widened. A result that was computed in binary64 is rounded to binary32 first, as in a kernel.
pub(crate) fn rounded(format: Format, results: Results<'_>, n: usize, to: &mut [f64]) {
    let mut narrow = [0f32; STRIP];
    let narrow = &mut narrow[..n];
    match results {
        Results::F64(from) => {
            for (to, &y) in narrow.iter_mut().zip(from) {
                *to = y as f32;
            }
        }
        Results::F32(from) => narrow.copy_from_slice(&from[..n]),
    }
    if let Some(format) = format.stored() {
        stored::round(format, narrow);
    }
    for (to, &y) in to.iter_mut().zip(narrow.iter()) {
        *to = y.into();
    }
}

impl Problem {
    /// # Errors
    /// If the problem's reference cannot be run over columns.
    pub fn new(
        subject: Subject,
        range: Range,
        format: Format,
        tolerance: Tolerance,
    ) -> Result<Problem, String> {
        let narrow = kernels_gen::lower(subject.narrow).map_err(|e| format!("{e:?}"))?;
        Strips::new(&narrow)?;
        Ok(Problem {
            subject,
            inputs: Inputs::new(range.clone(), format)?,
            range,
            format,
            tolerance,
            narrow,
        })
    }

    /// The reference and the format of results, against which errors are measured.
    #[must_use]
    pub fn describe(&self) -> String {
        let identity = identity_hex(&self.narrow);
        format!(
            "`{}` {identity} in {}",
            self.subject.name,
            self.format.name()
        )
    }

    /// The aim of designs for this problem.
    #[must_use]
    pub fn aim(&self, sample: &[Case]) -> Aim {
        Aim {
            subject: self.subject,
            format: self.format,
            limits: self.inputs.limits(),
            saturation: self.saturation(sample),
            tolerance: self.tolerance,
            variable: None,
        }
    }

    /// The function at doubles, in two words.
    #[must_use]
    pub fn exactly(&self, xs: &[f64]) -> Vec<Dd> {
        self.subject.exactly(xs, self.format)
    }

    /// The reference of one word, ready to run.
    ///
    /// # Errors
    /// The same as for [`Strips::new`].
    pub fn reference(&self) -> Result<Strips, String> {
        Strips::new(&self.narrow)
    }

    /// The distance of an error from one half up to which the reference of one word does not decide.
    fn doubt(&self) -> f64 {
        let bits = self.subject.bits as i32;
        2f64.powi(self.format.fraction() + 1 - bits)
    }

    /// About this many inputs from all parts of the range, with their values; all inputs if they have 16 bits.
    ///
    /// # Errors
    /// The same as for [`Strips::new`].
    pub fn sample(&self, about: usize) -> Result<Vec<Case>, String> {
        let keys = self.inputs.sample(about);
        if self.format == Format::F64 {
            return Ok(self.cases_of_two_words(&keys));
        }
        let mut reference = self.reference()?;
        let mut cases = Vec::with_capacity(keys.len());
        for keys in keys.chunks(STRIP) {
            for (x, &key) in reference.inputs_f64().iter_mut().zip(keys) {
                *x = number(key);
            }
            reference.run(keys.len());
            for (&key, &value) in keys.iter().zip(words(&reference)) {
                let x = number(key);
                cases.push(Case {
                    key,
                    x,
                    value,
                    low: 0.0,
                });
            }
        }
        Ok(cases)
    }

    /// The errors at these inputs.
    #[must_use]
    pub fn on_sample(&self, strips: &mut Strips, cases: &[Case]) -> Report {
        if self.format == Format::F64 {
            return self.errors_in_two_words(strips, cases);
        }
        let mut report = Report::default();
        let (mut y, mut r) = ([0.0; STRIP], [0.0; STRIP]);
        for cases in cases.chunks(STRIP) {
            for ((to, r), case) in strips.inputs_f32().iter_mut().zip(&mut r).zip(cases) {
                *to = case.x as f32;
                *r = case.value;
            }
            strips.run(cases.len());
            rounded(self.format, strips.results(0), cases.len(), &mut y);
            let n = cases.len();
            self.count(&y[..n], &r[..n], &|i| cases[i].key, &mut report);
        }
        report
    }

    /// Adds the errors of a strip to a report.
    pub(crate) fn count(
        &self,
        y: &[f64],
        r: &[f64],
        key: &dyn Fn(usize) -> i64,
        report: &mut Report,
    ) {
        let unit = self.tolerance.unit();
        let doubt = self.doubt();
        report.inputs += y.len() as u64;
        let compared = compare(unit, self.format, doubt, y, r);
        if !compared.special && !compared.doubtful {
            report.misrounded += compared.misrounded;
            if compared.largest <= report.largest
                && (compared.misrounded == 0 || report.examples.len() >= EXAMPLES)
            {
                return;
            }
        }
        let again = compared.special || compared.doubtful;
        for (i, (&y, &r)) in y.iter().zip(r).enumerate() {
            let key = key(i);
            match error(unit, self.format, y, r) {
                Err(Fault) => {
                    report.faults += 1;
                    report.fault = Some(report.fault.map_or(key, |k| k.min(key)));
                }
                Ok(mut error) => {
                    let mut wrong = false;
                    if unit == Unit::Ulp && error > 0.5 - doubt {
                        wrong = error > 0.5 + doubt;
                        if !wrong {
                            match self.decides(key, y) {
                                // A correctly rounded result is at most half a unit off, whatever the reference of one word gives.
                                Some(true) => error = error.min(0.5),
                                Some(false) => wrong = true,
                                None => report.undecided += 1,
                            }
                        }
                    }
                    if error > report.largest {
                        (report.largest, report.worst) = (error, Some(key));
                    }
                    if wrong {
                        report.misrounded += u64::from(again);
                        if report.examples.len() < EXAMPLES {
                            report.examples.push(key);
                        }
                    }
                }
            }
        }
    }

    /// Whether a result is right, by the reference of two words.
    fn decides(&self, key: i64, y: f64) -> Option<bool> {
        let exact = self.exactly(&[number(key)])[0];
        let unit = ulp(self.format, exact.hi);
        // An infinite result stands for the power of two above the finite ones.
        let y = match y.is_infinite() {
            true => self.format.overflow().copysign(y),
            false => y,
        };
        let error = ((Dd::from(y) - exact).abs()).scaled(1.0 / unit);
        let beyond = error - Dd::from(0.5);
        // A value that is a middle in both words is the middle, as 2^-25 is in binary16: a tie goes to the even number.
        if beyond == Dd::ZERO {
            let ulp = ulp(self.format, y);
            return Some((y / ulp) % 2.0 == 0.0);
        }
        (beyond.hi.abs() > 2f64.powi(-60)).then_some(beyond.hi < 0.0)
    }
}
