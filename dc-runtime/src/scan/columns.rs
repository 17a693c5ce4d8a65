//! The search loop of sweeps that do not consist of two kernels of one argument. Candidate and reference are evaluated at columns of bits;
//! the metric, which is the same for all sweeps, is computed and reduced.
//!
//! The columns cost little compared with a function that is called for each input, or with the computation of pairs of
//! inputs.

use std::ops::Range;

use kernels_gen::reduction::ONE_WORD;

use super::eval_chunk::IsaLevel;
use super::reduce::{CHUNK, Chunk, MetricOf, Reduce, Total};
use crate::isa::sets::InstructionSet;
use crate::model::block::BlockResult;
use crate::model::candidate::{Candidate, Reference, slices};
use crate::model::device::{self, DeviceFunction};
use crate::model::error::BackendError;
use crate::model::host::HostFunction;
use crate::model::kernel_ref::{KernelRef, PointFn};
use crate::model::key::Precision;
use crate::model::library::{BATCH, LibraryFunction};
#[cfg(feature = "mpfr")]
use crate::model::mpfr_reference::MpfrReference;
use crate::model::sweep::Sweep;

/// A sweep's functions on one instruction set, and their columns.
pub struct ColumnSearch {
    sweep: Sweep,
    candidate: Evaluate,
    reference: Evaluate,
    reduce: fn(Reduce<'_>),
    metric: MetricOf,
    inputs: Vec<Vec<u64>>,
    /// The reference's arguments for a chunk.
    given: Vec<Vec<u64>>,
    /// The candidate's results for one or more chunks.
    results: Vec<Vec<u64>>,
    references: Vec<Vec<u64>>,
    chunk: Box<Chunk>,
}

/// The evaluation of a function at columns of bits.
#[derive(Clone, Copy)]
enum Evaluate {
    Kernel(PointFn),
    Host(HostFunction),
    Library(&'static LibraryFunction),
    Device(&'static DeviceFunction),
    #[cfg(feature = "mpfr")]
    Mpfr(MpfrReference),
}

impl Evaluate {
    fn kernel(kernel: &KernelRef, set: InstructionSet) -> Evaluate {
        Evaluate::Kernel(kernel.cpu.of(set))
    }

    fn eval(self, inputs: &[Vec<u64>], outputs: &mut [Vec<u64>]) -> Result<(), BackendError> {
        match self {
            Evaluate::Kernel(f) => {
                f(&slices(inputs), outputs);
                Ok(())
            }
            Evaluate::Host(f) => f.eval(&slices(inputs), &mut outputs[0]),
            Evaluate::Library(f) => f.eval(&slices(inputs), &mut outputs[0]),
            Evaluate::Device(f) => f.eval(&slices(inputs), &mut outputs[0]),
            #[cfg(feature = "mpfr")]
            Evaluate::Mpfr(m) => {
                m.eval(&slices(inputs), outputs);
                Ok(())
            }
        }
    }

    /// The number of keys at which it is evaluated at a time: enough chunks to make up for the cost of a call.
    const fn batch(self) -> usize {
        match self {
            Evaluate::Kernel(_) | Evaluate::Host(_) => CHUNK,
            Evaluate::Library(_) => BATCH / CHUNK * CHUNK,
            Evaluate::Device(_) => device::BATCH / CHUNK * CHUNK,
            #[cfg(feature = "mpfr")]
            Evaluate::Mpfr(_) => CHUNK,
        }
    }
}

impl ColumnSearch {
    /// The search of a sweep with one instruction set, whose level is `L`.
    pub(crate) fn new<L: IsaLevel>(sweep: &Sweep, set: InstructionSet) -> ColumnSearch {
        ColumnSearch {
            sweep: *sweep,
            candidate: match &sweep.candidate {
                Candidate::Kernel(k) => Evaluate::kernel(k, set),
                Candidate::Host(f) => Evaluate::Host(*f),
                Candidate::Library(f) => Evaluate::Library(f),
                Candidate::Device(f) => Evaluate::Device(f),
            },
            reference: match &sweep.reference {
                Reference::Kernel(k) | Reference::Formula(k) => Evaluate::kernel(k, set),
                Reference::Host(f) => Evaluate::Host(*f),
                Reference::Library(f) => Evaluate::Library(f),
                #[cfg(feature = "mpfr")]
                Reference::Mpfr(m) => Evaluate::Mpfr(*m),
            },
            reduce: L::reduce,
            metric: MetricOf {
                precision: sweep.precision,
                measure: sweep.measure,
                rounded: sweep.rounded(),
            },
            inputs: vec![Vec::new(); sweep.inputs.arguments().len()],
            given: vec![Vec::new(); sweep.inputs.arguments().len()],
            results: vec![Vec::new()],
            references: vec![Vec::new(); sweep.reference.words()],
            // The scale that the metric gets for a reference of one word.
            chunk: Chunk::new(match sweep.reference.words() {
                1 => ONE_WORD,
                _ => 0,
            }),
        }
    }

    /// Searches `count` keys from `first` on.
    ///
    /// # Errors
    /// If a function of the host panics, or a function of a library gives no result.
    ///
    /// # Panics
    /// If the processor lacks the instruction set.
    pub fn run(&mut self, first: i64, count: u64) -> Result<BlockResult, BackendError> {
        let mut total = Total::new();
        let mut done = 0;
        while done < count {
            let first = first.wrapping_add_unsigned(done);
            let live = self.call(first, count - done)?;
            self.measure(first, 0..live, &mut total)?;
            done += live as u64;
        }
        Ok(total.finish())
    }

    /// Evaluates only the candidate, at keys from `first` on: at `count` of them, or at a batch. Returns their number.
    ///
    /// # Errors
    /// As for [`ColumnSearch::run`].
    pub(crate) fn call(&mut self, first: i64, count: u64) -> Result<usize, BackendError> {
        let live = count.min(self.candidate.batch() as u64) as usize;
        self.sweep.inputs.fill(first, live, &mut self.inputs);
        self.candidate.eval(&self.inputs, &mut self.results)?;
        Ok(live)
    }

    /// The bits of the results of the last [`ColumnSearch::call`].
    #[cfg(feature = "exact")]
    pub(crate) fn results(&self) -> &[u64] {
        &self.results[0]
    }

    /// Measures the errors of some of these results; `first` is the key of the first of them.
    ///
    /// # Errors
    /// As for [`ColumnSearch::run`].
    #[cfg(feature = "exact")]
    pub(crate) fn measured(
        &mut self,
        first: i64,
        part: Range<usize>,
    ) -> Result<BlockResult, BackendError> {
        let mut total = Total::new();
        self.measure(first, part, &mut total)?;
        Ok(total.finish())
    }

    fn measure(
        &mut self,
        first: i64,
        part: Range<usize>,
        total: &mut Total,
    ) -> Result<(), BackendError> {
        for at in part.clone().step_by(CHUNK) {
            let first = first.wrapping_add_unsigned(at as u64);
            let live = (part.end - at).min(CHUNK);
            self.fill(at, live)?;
            (self.reduce)(Reduce {
                metric: self.metric,
                chunk: &mut self.chunk,
                total,
                first,
                live,
                keep: false,
            });
            // The columns are here now; to fill them again would cost another batch.
            if total.unresolved().is_some() {
                total.resolve(self.reduce, self.metric, &mut self.chunk, first);
            }
        }
        Ok(())
    }

    /// Fills a chunk with the candidate's results from index `at` on, and with the reference's results at the same
    /// inputs.
    fn fill(&mut self, at: usize, live: usize) -> Result<(), BackendError> {
        self.given.truncate(self.inputs.len());
        for (given, inputs) in self.given.iter_mut().zip(&self.inputs) {
            given.clear();
            given.extend_from_slice(&inputs[at..at + live]);
        }
        let space = self.sweep.inputs;
        self.sweep.reference.widen(space, &mut self.given);
        self.reference.eval(&self.given, &mut self.references)?;
        let results = &self.results[0][at..at + live];
        let chunk = &mut self.chunk;
        match self.sweep.precision {
            Precision::F32 => {
                for (to, &bits) in chunk.narrow.iter_mut().zip(results) {
                    *to = f32::from_bits(bits as u32);
                }
            }
            Precision::F64 => store(&mut chunk.result, results),
        }
        store(&mut chunk.hi, &self.references[0]);
        // A reference of one word is a double-double whose `lo` is +0, as the chunk is from the beginning.
        if let Some(lo) = self.references.get(1) {
            store(&mut chunk.lo, lo);
        }
        if let Some(scales) = self.references.get(2) {
            for (to, &scale) in chunk.scale.iter_mut().zip(scales) {
                *to = scale as i64;
            }
            chunk.scaled = scales.iter().any(|&scale| scale != 0);
            chunk.radii = matches!(self.sweep.reference, Reference::Formula(_));
        }
        Ok(())
    }
}

fn store(to: &mut [f64; CHUNK], words: &[u64]) {
    for (to, &bits) in to.iter_mut().zip(words) {
        *to = f64::from_bits(bits);
    }
}
