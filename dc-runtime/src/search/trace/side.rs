//! One backend's values at one input.

use kernels_gen::program::{InstKind, Program, Value};

use super::{Compiled, explain, given};
use crate::model::backend::Backend;
use crate::model::error::BackendError;
use crate::model::kernel_ref::KernelRef;

/// The number of values that one program has as results. OpenCL promises 1024 bytes of arguments, of which each column takes 8: that is
/// 128, minus the number of inputs of kernels and the number of their results.
const SHOWN: usize = 88;
/// The number of operations of which half are results in addition to the kernel's: see the documentation of the module `trace`.
const WINDOW: usize = 128;

/// A kernel at an input on a backend.
pub(super) struct Side<'a> {
    backend: &'a dyn Backend,
    kernel: &'a KernelRef,
    inlined: &'a Program,
    input: &'a [u64],
}

impl<'a> Side<'a> {
    pub fn new(
        backend: &'a dyn Backend,
        kernel: &'a KernelRef,
        inlined: &'a Program,
        input: &'a [u64],
    ) -> Self {
        Side {
            backend,
            kernel,
            inlined,
            input,
        }
    }

    /// The results of the kernel on the backend.
    pub fn compiled(&self, input: &[u64]) -> Result<Vec<u64>, BackendError> {
        let mut outputs = vec![Vec::new(); self.inlined.entry().results.len()];
        let inputs: Vec<&[u64]> = input.iter().map(std::slice::from_ref).collect();
        self.backend
            .load(self.kernel)?
            .eval(&inputs, &mut outputs)?;
        self.one_row(&outputs)
    }

    /// The value of each instruction.
    pub fn values(&self) -> Result<Vec<u64>, BackendError> {
        let entry = self.inlined.entry();
        let known: Vec<Option<u64>> = (0..entry.insts.len())
            .map(|i| given(entry, i, self.input))
            .collect();
        let asked: Vec<usize> = (0..known.len()).filter(|&i| known[i].is_none()).collect();
        let mut values: Vec<u64> = known.into_iter().map(Option::unwrap_or_default).collect();
        for shown in asked.chunks(SHOWN) {
            for (&i, value) in shown.iter().zip(self.show(shown)?) {
                values[i] = value;
            }
        }
        Ok(values)
    }

    /// The values of these instructions, from a program that has them as results.
    fn show(&self, shown: &[usize]) -> Result<Vec<u64>, BackendError> {
        let results: Vec<Value> = shown.iter().map(|&i| Value(i as u32)).collect();
        let program = self.inlined.with_results(&results);
        let inputs: Vec<&[u64]> = self.input.iter().map(std::slice::from_ref).collect();
        let mut outputs = vec![Vec::new(); shown.len()];
        let mut kernel = self.backend.load_program(&program)?;
        kernel.eval(&inputs, &mut outputs)?;
        self.one_row(&outputs)
    }

    fn one_row(&self, outputs: &[Vec<u64>]) -> Result<Vec<u64>, BackendError> {
        let first = outputs.iter().map(|c| c.first().copied()).collect();
        let row: Option<Vec<u64>> = first;
        row.ok_or_else(|| BackendError::Launch {
            backend: self.backend.id().into(),
            kernel: self.kernel.kernel.name.into(),
            reason: "an output column is empty".into(),
        })
    }

    /// Finds the reason why the compiled kernel differs from its operations, whose values are `right`. Instructions are given by
    /// their indices in the inlined program.
    pub fn narrow(&self, right: &[u64], live: &[bool]) -> Result<Compiled, BackendError> {
        let entry = self.inlined.entry();
        let mut results: Vec<usize> = entry.results.iter().map(|r| r.0 as usize).collect();
        results.sort_unstable();
        results.dedup();
        let is_right = |(&i, value): (&usize, u64)| right[i] == value;
        if results.iter().zip(self.show(&results)?).all(is_right) {
            let why = explain::contraction(self.inlined, self.input, |input| self.compiled(input))?;
            return Ok(Compiled::Form(why));
        }
        let computed = |&i: &usize| {
            live[i] && matches!(entry.insts[i].kind, InstKind::Op(_) | InstKind::Load(_))
        };
        let computed: Vec<usize> = (0..entry.insts.len()).filter(computed).collect();
        for window in computed.chunks(WINDOW) {
            let mut first: Option<(usize, u64)> = None;
            let bits = window.len().next_power_of_two().trailing_zeros().max(1);
            for (bit, set) in (0..bits).flat_map(|b| [(b, 0), (b, 1)]) {
                let numbered = window.iter().enumerate();
                let shown: Vec<usize> = numbered
                    .filter(|(n, _)| n >> bit & 1 == set)
                    .map(|(_, &i)| i)
                    .collect();
                // An operation after the first wrong one may be wrong as its consequence.
                let wrong = self.with_results(&results, &shown)?;
                let wrong = wrong.into_iter().find(|&(i, value)| right[i] != value);
                first = match (first, wrong) {
                    (Some(a), Some(b)) => Some(if b.0 < a.0 { b } else { a }),
                    (a, b) => a.or(b),
                };
            }
            if let Some((at, got)) = first {
                let with = self.undone_by(at, right, &results)?;
                return Ok(Compiled::Merged { at, got, with });
            }
        }
        Ok(Compiled::Elusive)
    }

    /// The values of `shown` in a program that also has the kernel's results.
    fn with_results(
        &self,
        results: &[usize],
        shown: &[usize],
    ) -> Result<Vec<(usize, u64)>, BackendError> {
        let mut all = shown.to_vec();
        all.extend(results.iter().filter(|r| !shown.contains(r)));
        let values = self.show(&all)?;
        Ok(shown.iter().copied().zip(values).collect())
    }

    /// The operands of an operation that make its value right if any one of them is an additional result.
    fn undone_by(
        &self,
        at: usize,
        right: &[u64],
        results: &[usize],
    ) -> Result<Vec<usize>, BackendError> {
        let entry = self.inlined.entry();
        let mut operands: Vec<usize> = entry.insts[at].args.iter().map(|a| a.0 as usize).collect();
        operands.sort_unstable();
        operands.dedup();
        let mut with = Vec::new();
        for operand in operands {
            if given(entry, operand, self.input).is_some() {
                continue;
            }
            let shown = self.with_results(results, &[at, operand])?;
            if shown[0].1 == right[at] {
                with.push(operand);
            }
        }
        Ok(with)
    }
}
