//! The interpreter as a backend: the definition with which the others are compared.

use kernels_gen::interp::Interpreter;
use kernels_gen::ops::Prim;
use kernels_gen::program::Program;

use super::{
    Backend, BackendError, Hardware, KernelRef, PointKernel, Speed, SweepKernel,
    in_default_environment, lowered,
};
use crate::model::block::BlockResult;
use crate::model::candidate::slices;
use crate::model::key::Precision;
use crate::model::space::InputSpace;
use crate::model::sweep::complete;
use crate::sweep::Sweep;

/// The number of keys per batch: their columns stay in the second-level cache.
const BATCH: u64 = 4096;

/// The interpreter.
#[derive(Debug)]
pub(super) struct Interp;

impl Interp {
    pub const ID: &'static str = "interpreter";
}

impl crate::model::backend::sealed::Sealed for Interp {}

impl Backend for Interp {
    fn id(&self) -> &str {
        Self::ID
    }
    fn describe(&self) -> String {
        "the meaning of the IR: Rust's own scalar operations, one column an operation".into()
    }
    fn load(&self, kernel: &KernelRef) -> Result<Box<dyn PointKernel>, BackendError> {
        let program = lowered(kernel.kernel)?;
        Ok(Box::new(InterpPoint(Interpreter::new(program))))
    }
    fn load_program(&self, program: &Program) -> Result<Box<dyn PointKernel>, BackendError> {
        Ok(Box::new(InterpPoint(Interpreter::new(program))))
    }
    fn load_sweep(&self, sweep: &Sweep) -> Result<Box<dyn SweepKernel>, BackendError> {
        let [approx, reference, metric] = sweep.kernels_for(Self::ID)?.map(|k| lowered(k.kernel));
        Ok(Box::new(InterpSweep::new(
            sweep.inputs,
            approx?,
            reference?,
            metric?,
        )))
    }
    fn preferred_batch(&self) -> u64 {
        1 << 16
    }
    fn speed(&self) -> Speed {
        Speed::Interpreted
    }
    fn hardware(&self) -> Hardware {
        Hardware::ProcessorIndirectly
    }
}

struct InterpPoint(Interpreter);

impl PointKernel for InterpPoint {
    fn eval(&mut self, inputs: &[&[u64]], outputs: &mut [Vec<u64>]) -> Result<(), BackendError> {
        in_default_environment(
            Interp::ID,
            || "evaluating a program".into(),
            || {
                outputs.iter_mut().for_each(Vec::clear);
                self.0.run(inputs, outputs);
                Ok(())
            },
        )
    }
}

/// A search, input by input.
pub(crate) struct InterpSweep {
    inputs: InputSpace,
    approx: Interpreter,
    reference: Interpreter,
    metric: Interpreter,
    /// Whether binary32 inputs are converted to binary64 for the reference.
    widen: bool,
    /// The number of words of the reference.
    words: usize,
}

impl InterpSweep {
    pub fn new(
        inputs: InputSpace,
        approx: &Program,
        reference: &Program,
        metric: &Program,
    ) -> Self {
        let entry = reference.entry();
        InterpSweep {
            inputs,
            approx: Interpreter::new(approx),
            reference: Interpreter::new(reference),
            metric: Interpreter::new(metric),
            widen: inputs.precision() == Precision::F32 && entry.params[0].1 == Prim::F64,
            words: entry.results.len(),
        }
    }
}

impl SweepKernel for InterpSweep {
    fn run(&mut self, first: i64, count: u64) -> Result<BlockResult, BackendError> {
        in_default_environment(
            Interp::ID,
            || "searching".into(),
            || Ok(self.search(first, count)),
        )
    }
}

impl InterpSweep {
    fn search(&mut self, first: i64, count: u64) -> BlockResult {
        let (space, precision) = (self.inputs, self.inputs.precision());
        let mut total = BlockResult::EMPTY;
        let mut inputs = vec![Vec::new(); space.arguments().len()];
        let mut result = vec![Vec::new()];
        let mut reference = vec![Vec::new(); self.words];
        let mut verdict = vec![Vec::new(); 4];
        let mut done = 0;
        while done < count {
            let n = BATCH.min(count - done);
            let first = first.wrapping_add_unsigned(done);
            let keys: Vec<u64> = (0..n)
                .map(|i| first.wrapping_add_unsigned(i) as u64)
                .collect();
            for columns in [&mut result, &mut reference, &mut verdict] {
                columns.iter_mut().for_each(Vec::clear);
            }
            space.fill(first, n as usize, &mut inputs);
            self.approx.run(&slices(&inputs), &mut result);
            if self.widen {
                for word in inputs.iter_mut().flatten() {
                    *word = precision.value_of_bits(*word).to_bits();
                }
            }
            reference.truncate(self.words);
            self.reference.run(&slices(&inputs), &mut reference);
            complete(precision, &mut reference, n as usize);
            let mut columns: Vec<&[u64]> = vec![&keys, &result[0]];
            columns.extend(reference.iter().map(Vec::as_slice));
            self.metric.run(&columns, &mut verdict);
            let [error, bin, flags, digest_term] = &verdict[..] else {
                unreachable!("four columns were asked for")
            };
            for i in 0..keys.len() {
                let error = f64::from_bits(error[i]);
                let [bin, flags, digest_term] =
                    [bin[i], flags[i], digest_term[i]].map(|w| w as i64);
                total.add(keys[i] as i64, error, bin, flags, digest_term);
            }
            done += n;
        }
        total
    }
}
