//! The evaluation of single inputs: the results of the routine and its reference, and the metric.

use kernels_gen::reduction::ONE_WORD;

use crate::builtins::ulp_error::LEAST_ORDINARY;
use crate::fenv::Guard;
use crate::model::backend::{Backend, PointKernel};
use crate::model::block::{BlockResult, FLAG_UNDECIDED, Fault, FaultKind, Worst};
use crate::model::candidate::{Candidate, Reference, slices};
use crate::model::device::DeviceFunction;
use crate::model::error::{BackendError, last_place};
use crate::model::host::HostFunction;
use crate::model::kernel_ref::{KernelRef, PointFn};
use crate::model::key::Precision;
use crate::model::library::LibraryFunction;
use crate::model::measure::{Measure, digest_term_of_result};
use crate::model::show;
use crate::model::space::InputSpace;
use crate::model::sweep::complete;
use crate::search::ulp::nearest;
use crate::sweep::Sweep;

/// For a function that is called, the number of inputs at which reference and metric are evaluated at a time. Their columns stay in the
/// second-level cache.
const CHUNK: usize = 1 << 12;

/// The three kernels of a sweep, prepared for single inputs.
pub struct PointEvaluator {
    sweep: Sweep,
    approx: Box<dyn PointKernel>,
    reference: Box<dyn PointKernel>,
    metric: Box<dyn PointKernel>,
    /// The words of the arguments: a buffer.
    inputs: Vec<Vec<u64>>,
}

/// The results for one input.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct PointResult {
    /// Its key.
    pub key: i64,
    /// Bits of the routine's result.
    pub result_bits: u64,
    /// The reference's words. The second is 0 for a reference of one word.
    pub reference: [f64; 2],
    /// The power of two by which both words are multiplied.
    pub scale: i64,
    /// For a formula, an estimate of the largest difference from its true value; otherwise 0.
    pub radius: f64,
    /// Signed error in ULP.
    pub error: f64,
    /// Bin of the histogram.
    pub bin: i64,
    /// Flags, see [`super::block`].
    pub flags: i64,
    /// Its digest term.
    pub digest_term: i64,
}

/// A reference's result for one input.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Expected {
    /// Its words. The second is 0 for a reference of one word.
    pub words: [f64; 2],
    /// The power of two by which the result is multiplied.
    pub scale: i64,
}

impl Expected {
    /// The nearest double.
    #[must_use]
    pub fn nearest(&self) -> f64 {
        match self.scale {
            0 => self.words[0],
            scale => nearest(self.words[0], self.words[1], scale),
        }
    }
}

impl PointResult {
    /// The result of a block with only this input.
    #[must_use]
    pub fn block(&self) -> BlockResult {
        let mut b = BlockResult::EMPTY;
        self.add_to(&mut b);
        b
    }

    /// Adds this input to the result of others.
    pub(crate) fn add_to(&self, b: &mut BlockResult) {
        b.add(self.key, self.error, self.bin, self.flags, self.digest_term);
    }

    /// The results of routine and reference, and which of them is NaN. This shows the cause of a wrong special value.
    #[must_use]
    pub fn whose(&self, precision: Precision) -> String {
        let routine = show::decimal(precision, self.result_bits);
        let [hi, lo] = self.reference;
        let words = match lo {
            0.0 => format!("{hi:?}"),
            lo => format!("{hi:?} + {lo:e}"),
        };
        let reference = show::scaled(&words, self.scale);
        let alone = match (routine == "NaN", hi.is_nan()) {
            (true, false) => ": the routine alone is NaN",
            (false, true) => ": the reference alone is NaN",
            _ => "",
        };
        format!("routine {routine}, reference {reference}{alone}")
    }
    /// Whether the reference cannot decide whether the result is misrounded.
    #[must_use]
    pub const fn is_undecided(&self) -> bool {
        self.flags & FLAG_UNDECIDED != 0
    }
    /// This input as the worst input of a block.
    #[must_use]
    pub fn worst(&self, precision: Precision) -> Worst {
        Worst {
            precision,
            key: self.key,
            error: self.error.abs(),
            result_bits: self.result_bits,
            reference: self.reference,
            scale: self.scale,
        }
    }
}

/// The plain compiled form of a kernel as a point kernel.
struct Plain(PointFn);

impl PointKernel for Plain {
    fn eval(&mut self, inputs: &[&[u64]], outputs: &mut [Vec<u64>]) -> Result<(), BackendError> {
        let _guard = Guard::new();
        (self.0)(inputs, outputs);
        Ok(())
    }
}

/// A function of the host as a point kernel.
struct Host(HostFunction);

impl PointKernel for Host {
    fn eval(&mut self, inputs: &[&[u64]], outputs: &mut [Vec<u64>]) -> Result<(), BackendError> {
        self.0.eval(inputs, &mut outputs[0])
    }
}

/// A function of a library as a point kernel.
struct Library(&'static LibraryFunction);

impl PointKernel for Library {
    fn eval(&mut self, inputs: &[&[u64]], outputs: &mut [Vec<u64>]) -> Result<(), BackendError> {
        self.0.eval(inputs, &mut outputs[0])
    }
}

/// A function of a device as a point kernel.
struct OfDevice(&'static DeviceFunction);

impl PointKernel for OfDevice {
    fn eval(&mut self, inputs: &[&[u64]], outputs: &mut [Vec<u64>]) -> Result<(), BackendError> {
        self.0.eval(inputs, &mut outputs[0])
    }
}

#[cfg(feature = "mpfr")]
struct OfMpfr(crate::model::mpfr_reference::MpfrReference);

#[cfg(feature = "mpfr")]
impl PointKernel for OfMpfr {
    fn eval(&mut self, inputs: &[&[u64]], outputs: &mut [Vec<u64>]) -> Result<(), BackendError> {
        self.0.eval(inputs, outputs);
        Ok(())
    }
}

/// The wrong special values of a result: their kind, and [`PointResult::whose`] at the first input that has one. If these inputs cannot be
/// evaluated again, the reason is given instead.
#[must_use]
pub fn faults(sweep: &Sweep, result: &BlockResult) -> Vec<(FaultKind, Fault, String)> {
    let kinds = FaultKind::ALL.iter().zip(&result.faults);
    let found: Vec<_> = kinds.filter(|(_, f)| f.count > 0).collect();
    let keys: Vec<i64> = found.iter().map(|(_, f)| f.first_key).collect();
    let points = PointEvaluator::plain(sweep).evaluate(&keys);
    let whose = |i: usize| match &points {
        Ok(points) => points[i].whose(sweep.precision),
        Err(e) => format!("not evaluated again: {e}"),
    };
    let numbered = found.into_iter().enumerate();
    numbered
        .map(|(i, (kind, fault))| (*kind, *fault, whose(i)))
        .collect()
}

impl PointEvaluator {
    /// Prepares the kernels on a backend.
    ///
    /// # Errors
    /// If a kernel cannot be prepared there, or the sweep does not consist of kernels.
    pub fn load(backend: &dyn Backend, sweep: &Sweep) -> Result<PointEvaluator, BackendError> {
        let [candidate, reference, metric] = sweep.kernels_for(backend.id())?;
        Ok(PointEvaluator::new(
            sweep,
            backend.load(candidate)?,
            backend.load(reference)?,
            backend.load(metric)?,
        ))
    }

    /// Prepares the kernels in plain Rust, which every machine supports.
    #[must_use]
    pub fn plain(sweep: &Sweep) -> PointEvaluator {
        PointEvaluator::of(sweep, |k| Box::new(Plain(k.cpu.scalar)))
    }

    /// Prepares the kernels on a backend, which may be faster, or in plain Rust if that is not possible. Functions of libraries and other
    /// functions are called.
    pub(crate) fn on(backend: &dyn Backend, sweep: &Sweep) -> PointEvaluator {
        PointEvaluator::of(sweep, |k| match backend.load(k) {
            Ok(kernel) => kernel,
            Err(_) => Box::new(Plain(k.cpu.scalar)),
        })
    }

    fn of(sweep: &Sweep, kernel: impl Fn(&KernelRef) -> Box<dyn PointKernel>) -> PointEvaluator {
        let host = |f: HostFunction| Box::new(Host(f)) as Box<dyn PointKernel>;
        PointEvaluator::new(
            sweep,
            match &sweep.candidate {
                Candidate::Kernel(k) => kernel(k),
                Candidate::Host(f) => host(*f),
                Candidate::Library(f) => Box::new(Library(f)),
                Candidate::Device(f) => Box::new(OfDevice(f)),
            },
            match &sweep.reference {
                Reference::Kernel(k) | Reference::Formula(k) => kernel(k),
                Reference::Host(f) => host(*f),
                Reference::Library(f) => Box::new(Library(f)),
                #[cfg(feature = "mpfr")]
                Reference::Mpfr(m) => Box::new(OfMpfr(*m)),
            },
            kernel(&sweep.metric),
        )
    }

    fn new(
        sweep: &Sweep,
        approx: Box<dyn PointKernel>,
        reference: Box<dyn PointKernel>,
        metric: Box<dyn PointKernel>,
    ) -> PointEvaluator {
        PointEvaluator {
            sweep: *sweep,
            approx,
            reference,
            metric,
            inputs: vec![Vec::new(); sweep.inputs.arguments().len()],
        }
    }

    /// The input space of its keys.
    #[must_use]
    pub fn space(&self) -> InputSpace {
        self.sweep.inputs
    }

    /// Evaluates the inputs with these keys, and the metric.
    ///
    /// # Errors
    /// If a launch fails.
    pub fn evaluate(&mut self, keys: &[i64]) -> Result<Vec<PointResult>, BackendError> {
        let results = self.results(keys)?;
        self.points(keys, &results)
    }

    /// The bits of the routine's results alone.
    pub(crate) fn results(&mut self, keys: &[i64]) -> Result<Vec<u64>, BackendError> {
        let mut results = Vec::new();
        self.results_in(keys, &mut results)?;
        Ok(results)
    }

    /// Replaces `results` by the bits of the routine's results.
    pub(crate) fn results_in(
        &mut self,
        keys: &[i64],
        results: &mut Vec<u64>,
    ) -> Result<(), BackendError> {
        results.clear();
        if keys.is_empty() {
            return Ok(());
        }
        self.inputs.iter_mut().for_each(Vec::clear);
        self.sweep
            .inputs
            .put(keys.iter().copied(), &mut self.inputs);
        self.approx
            .eval(&slices(&self.inputs), std::slice::from_mut(results))
    }

    /// Evaluates reference and metric at inputs where the routine's results are known.
    pub(crate) fn points(
        &mut self,
        keys: &[i64],
        results: &[u64],
    ) -> Result<Vec<PointResult>, BackendError> {
        let mut points = Vec::with_capacity(keys.len());
        // A device has a launch for each part.
        let chunk = match self.sweep.candidate {
            Candidate::Kernel(_) => keys.len().max(1),
            _ => CHUNK,
        };
        for (keys, results) in keys.chunks(chunk).zip(results.chunks(chunk)) {
            self.measure(keys, results, &mut points)?;
        }
        Ok(points)
    }

    /// Adds the results of [`PointEvaluator::points`] for one part of the inputs.
    fn measure(
        &mut self,
        keys: &[i64],
        results: &[u64],
        points: &mut Vec<PointResult>,
    ) -> Result<(), BackendError> {
        let inputs = self.sweep.inputs.columns(keys.iter().copied());
        let reference = self.columns_of_reference(&inputs, keys.len())?;
        self.normalised(keys, &reference)?;
        let key_words: Vec<u64> = keys.iter().map(|&k| k as u64).collect();
        let mut columns: Vec<&[u64]> = vec![&key_words, results];
        columns.extend(reference.iter().map(Vec::as_slice));
        let mut measured = vec![Vec::new(); 4];
        self.metric.eval(&columns, &mut measured)?;
        points.extend((0..keys.len()).map(|i| {
            let (Expected { words, scale }, radius) = self.expected(&reference, i);
            PointResult {
                key: keys[i],
                result_bits: results[i],
                reference: words,
                scale,
                radius,
                error: f64::from_bits(measured[0][i]),
                bin: measured[1][i] as i64,
                flags: measured[2][i] as i64,
                digest_term: match self.sweep.measure {
                    Measure::Maxima => digest_term_of_result(keys[i], results[i]).cast_signed(),
                    _ => measured[3][i] as i64,
                },
            }
        }));
        Ok(())
    }

    /// The results of only the reference, for the inputs with these keys.
    ///
    /// # Errors
    /// If a launch fails.
    pub fn references(&mut self, keys: &[i64]) -> Result<Vec<Expected>, BackendError> {
        if keys.is_empty() {
            return Ok(Vec::new());
        }
        let inputs = self.sweep.inputs.columns(keys.iter().copied());
        let reference = self.columns_of_reference(&inputs, keys.len())?;
        self.normalised(keys, &reference)?;
        let row = |i| self.expected(&reference, i).0;
        Ok((0..keys.len()).map(row).collect())
    }

    /// Refuses a double-double that is not normalised. The loops of the search do not check this, because it would take time for each
    /// input.
    fn normalised(&self, keys: &[i64], reference: &[Vec<u64>]) -> Result<(), BackendError> {
        let words = |row: usize| self.expected(reference, row).0.words;
        let Some(row) = (0..keys.len()).find(|&row| !is_normalised(words(row))) else {
            return Ok(());
        };
        let [hi, lo] = words(row);
        Err(BackendError::Unnormalised {
            reference: self.sweep.reference.name().into(),
            input: self.sweep.inputs.show(keys[row]),
            hi,
            lo,
        })
    }

    /// A row of the reference's columns, and its radius, which is the third column of a formula.
    fn expected(&self, columns: &[Vec<u64>], row: usize) -> (Expected, f64) {
        let found = expected(columns, row);
        match self.sweep.reference {
            Reference::Formula(_) => {
                let radius = f64::from_bits(found.scale.cast_unsigned());
                (Expected { scale: 0, ..found }, radius)
            }
            _ => (found, 0.0),
        }
    }

    /// The columns of the reference's results, as the metric takes them, for the routine's columns of `n` inputs.
    fn columns_of_reference(
        &mut self,
        inputs: &[Vec<u64>],
        n: usize,
    ) -> Result<Vec<Vec<u64>>, BackendError> {
        let inputs = self.sweep.reference.inputs(self.sweep.inputs, inputs);
        let mut reference = vec![Vec::new(); self.sweep.reference.words()];
        self.reference.eval(&slices(&inputs), &mut reference)?;
        complete(self.sweep.precision, &mut reference, n);
        Ok(reference)
    }
}

/// Whether `|lo| <= ulp(hi) / 2`. Infinite results and NaNs have no second word. Below the least ordinary number, the second word is
/// imprecise, which the metric takes into account.
fn is_normalised([hi, lo]: [f64; 2]) -> bool {
    let numbers = hi.is_finite() && lo.is_finite();
    let ordinary = hi.abs() >= LEAST_ORDINARY || lo.abs() >= LEAST_ORDINARY;
    !(numbers && ordinary) || lo.abs() <= 0.5 * last_place(hi)
}

/// A row of the reference's columns.
fn expected(columns: &[Vec<u64>], row: usize) -> Expected {
    Expected {
        words: [
            f64::from_bits(columns[0][row]),
            columns.get(1).map_or(0.0, |lo| f64::from_bits(lo[row])),
        ],
        scale: match columns.get(2).map_or(0, |scale| scale[row] as i64) {
            ONE_WORD => 0,
            scale => scale,
        },
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::prelude::*;
    use crate::search::engine::{Device, Stop};
    use crate::search::range::Range;
    use crate::search::timed;

    /// 1/x in two words of which the first is not the nearest number: it is off by a last place, or the words are exchanged.
    #[crunch]
    fn off_by_one_place(x: DcDouble) -> DcDoubleDouble {
        let r = dd_recip(x);
        DcDoubleDouble::new(
            r.hi + r.hi * 2.220446049250313e-16,
            r.lo - r.hi * 2.220446049250313e-16,
        )
    }
    #[crunch]
    fn exchanged(x: DcDouble) -> DcDoubleDouble {
        let r = dd_recip(x);
        DcDoubleDouble::new(r.lo, r.hi)
    }
    #[crunch]
    fn normalised_again(x: DcDouble) -> DcDoubleDouble {
        let r = off_by_one_place(x);
        fast_two_sum(r.hi, r.lo)
    }
    #[crunch]
    fn quotient(x: DcDouble) -> DcDouble {
        1.0 / x
    }

    const OFF: Sweep = Sweep::new::<quotient, off_by_one_place>("off", "1.0..2.0");
    const EXCHANGED: Sweep = Sweep::new::<quotient, exchanged>("exchanged", "1.0..2.0");
    const AGAIN: Sweep = Sweep::new::<quotient, normalised_again>("again", "1.0..2.0");

    fn keys() -> Vec<i64> {
        (0..1000)
            .map(|k| Precision::F64.key_of_bits((1.0 + f64::from(k) / 1001.7).to_bits()))
            .collect()
    }

    #[test]
    fn a_reference_that_is_not_normalised_is_refused() {
        for (sweep, name) in [(OFF, "off_by_one_place"), (EXCHANGED, "exchanged")] {
            let mut evaluator = PointEvaluator::plain(&sweep);
            let error = evaluator.evaluate(&keys()).expect_err(name).to_string();
            for part in [name, "hi = ", "lo = ", "fast_two_sum(hi, lo)", "(0x3ff"] {
                assert!(error.contains(part), "{part}: {error}");
            }
            assert!(evaluator.references(&keys()).is_err(), "{name}");
        }
        assert!(PointEvaluator::plain(&AGAIN).evaluate(&keys()).is_ok());
    }

    /// The loops of the search do not detect it. The evaluation of the first block's worst input does.
    #[test]
    fn a_search_ends_with_it() {
        let here = crate::backend::discover(&"scalar".parse().expect("a list"));
        let search = |sweep: &Sweep| {
            let range = Range::parse("1.0..1.0000000001", sweep.precision).expect("a range");
            let time = Duration::from_millis(50);
            let device = Device {
                backend: here.backends[0].clone(),
                workers: 1,
            };
            timed::search(sweep, &range, &[device], time, &Stop::new(), &mut |_| {})
        };
        let error = search(&OFF).expect_err("it is not normalised").to_string();
        assert!(error.contains("fast_two_sum(hi, lo)"), "{error}");
        assert!(search(&AGAIN).is_ok());
    }

    #[test]
    fn half_of_the_last_place_is_the_most() {
        let ulp = f64::EPSILON;
        for (hi, lo, is) in [
            (1.0, 0.5 * ulp, true),
            (1.0, -0.5 * ulp, true),
            (1.0, (0.5 * ulp).next_up(), false),
            (-1.5, -0.500_001 * ulp, false),
            (0.0, 1.0, false),
            (0.0, 0.0, true),
            (f64::MAX, 2f64.powi(970), true),
            (f64::MAX, 2f64.powi(971), false),
            (f64::INFINITY, 1.0, true),
            (f64::NAN, 1.0, true),
            (1.0, f64::NAN, true),
            // Below the least ordinary number.
            (2f64.powi(-1022), 2f64.powi(-1074), true),
        ] {
            assert_eq!(is_normalised([hi, lo]), is, "{hi:e} {lo:e}");
        }
    }
}
