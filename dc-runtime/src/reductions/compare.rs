//! The errors of each order, the effect of another order, and whether all backends give the same bits.

use std::sync::Arc;

use super::inputs::Inputs;
use super::truth::{Fault, Truth};
use super::{Reduction, ReductionError, Shape};
use crate::backend::{Backend, PointKernel, Speed, written};
use crate::model::candidate::slices;

/// The number of vectors at a time.
const BATCH: u64 = 1 << 12;

/// The vectors that are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    /// The number of the first vector.
    pub first: u64,
    /// The number of vectors.
    pub inputs: u64,
    /// The seed; another seed gives other vectors.
    pub seed: u64,
    /// The number of vectors for a backend that interprets, and for one that simulates a device.
    pub slow: [u64; 2],
}

impl Wanted {
    /// This many vectors from the first on.
    #[must_use]
    pub const fn new(inputs: u64) -> Wanted {
        Wanted {
            first: 0,
            inputs,
            seed: 0,
            slow: [1 << 14, 1 << 10],
        }
    }

    fn on(&self, backend: &dyn Backend) -> u64 {
        match backend.speed() {
            Speed::Compiled => self.inputs,
            Speed::Interpreted => self.inputs.min(self.slow[0]),
            Speed::Simulated => self.inputs.min(self.slow[1]),
        }
    }
}

/// The largest of some errors.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Largest {
    /// The error, with its sign.
    pub value: f64,
    /// The number of its vector.
    pub number: Option<u64>,
    /// The index of the result, if a vector has several.
    pub result: usize,
}

impl Largest {
    /// Whether it is larger than `within`, or NaN.
    #[must_use]
    pub fn exceeds(&self, within: f64) -> bool {
        self.value.is_nan() || self.value.abs() > within
    }

    fn add(&mut self, value: f64, number: u64, result: usize) {
        if value.is_nan() || value.abs() > self.value.abs() {
            *self = Largest {
                value,
                number: Some(number),
                result,
            };
        }
    }
}

/// The number of vectors with a property, and the first of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Count {
    /// The number of vectors.
    pub count: u64,
    /// The number of the first one.
    pub first: Option<u64>,
}

impl Count {
    fn add(&mut self, number: u64) {
        self.count += 1;
        self.first.get_or_insert(number);
    }
}

/// The errors of an order.
#[derive(Debug, Clone, Default)]
pub struct Measured {
    /// The largest error, in units of `u` times the scale.
    pub error: Largest,
    /// The largest error in ULP of the true value.
    pub ulp: Largest,
    /// The same for vectors whose scale is at most twice the true value, so that little cancels.
    pub well_conditioned: Largest,
    /// The vectors whose true value is zero while the result is not, so that there is no error in ULP.
    pub true_zero: Count,
    /// The vectors whose true value is not known to 2^-20 ULP, so that there is no error in ULP.
    pub vague: Count,
    /// The vectors with results of the wrong kind, in the order of [`Fault::ALL`].
    pub faults: [Count; 3],
    /// The vectors for which the bits differ from those of the first order.
    pub differing: Count,
    /// The sum of results in the vectors' order, for a comparison by eye.
    pub digest: u64,
}

/// Whether a backend gives the bits of the first backend.
#[derive(Debug, Clone)]
pub struct Agreement {
    /// The backend.
    pub backend: String,
    /// The number of vectors.
    pub inputs: u64,
    /// The digest of the results of all orders for these vectors.
    pub digest: u64,
    /// The first vector for which an order differs.
    pub difference: Option<Difference>,
}

/// Two results that differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Difference {
    /// The index of the order.
    pub order: usize,
    /// The index of the result, if a vector has several.
    pub result: usize,
    /// The number of the vector.
    pub number: u64,
    /// The bits on the first backend, and on this one.
    pub bits: [u64; 2],
}

/// The findings of a comparison.
#[derive(Debug, Clone)]
pub struct Found {
    /// The inputs of the kernels: precision and length.
    pub shape: Shape,
    /// The vectors.
    pub inputs: Inputs,
    /// The errors of each order.
    pub orders: Vec<Measured>,
    /// Each backend. The others are compared with the first.
    pub backends: Vec<Agreement>,
}

/// A vector, its true values, and the results of each order.
#[derive(Debug, Clone)]
pub struct At {
    /// The bits of the numbers.
    pub words: Vec<u64>,
    /// The true values.
    pub truths: Vec<Truth>,
    /// The bits of each order's results.
    pub results: Vec<Vec<u64>>,
}

impl Reduction<'_> {
    /// The vectors of a seed.
    ///
    /// # Errors
    /// As for [`Reduction::shape`].
    pub fn inputs(&self, seed: u64) -> Result<Inputs, ReductionError> {
        let Shape { precision, length } = self.shape()?;
        Ok(Inputs {
            function: self.function,
            precision,
            length,
            seed,
        })
    }

    /// Measures every order and compares the bits of all backends. If a kernel was made from a plain function, the function is also called,
    /// and listed as the backend `rust` after the first.
    ///
    /// # Errors
    /// If a kernel does not fit the function, there is nothing to compare, or a backend fails.
    pub fn compare(
        &self,
        backends: &[Arc<dyn Backend>],
        wanted: &Wanted,
    ) -> Result<Found, ReductionError> {
        let inputs = self.inputs(wanted.seed)?;
        let nothing = |what: &str| ReductionError::Nothing(format!("`{}`: {what}", self.name));
        if wanted.inputs == 0 {
            return Err(nothing("0 inputs; take at least one"));
        }
        let (first, others) = backends
            .split_first()
            .ok_or_else(|| nothing("no backend; take scalar"))?;
        let loaded = |backend: &dyn Backend| -> Result<Vec<_>, ReductionError> {
            let load = |order: &super::Order| backend.load(&order.kernel);
            Ok(self.orders.iter().map(load).collect::<Result<_, _>>()?)
        };
        let mut base = loaded(&**first)?;
        let mut rows = vec![Row::new(first.id(), wanted.on(&**first), Vec::new())];
        let plain: Vec<_> = (self.orders.iter())
            .map(|o| written::function(&o.kernel).ok())
            .collect();
        if plain.iter().any(Option::is_some) {
            rows.push(Row::new(written::ID, wanted.inputs, plain));
        }
        for backend in others {
            let kernels = loaded(&**backend)?.into_iter().map(Some).collect();
            rows.push(Row::new(backend.id(), wanted.on(&**backend), kernels));
        }
        let width = inputs.results();
        let mut orders = vec![Measured::default(); self.orders.len()];
        let most = rows.iter().map(|r| r.limit).max().unwrap_or(0);
        let mut done = 0;
        while done < most {
            let count = BATCH.min(most - done);
            let numbers: Vec<u64> = (0..count)
                .map(|i| wanted.first.wrapping_add(done + i))
                .collect();
            let columns = columns(&inputs, &numbers);
            let mut results = Vec::new();
            for kernel in &mut base {
                let mut outputs = vec![Vec::new(); width];
                kernel.eval(&slices(&columns), &mut outputs)?;
                results.push(outputs);
            }
            self.measure(&inputs, &numbers, &results, &mut orders);
            for (i, row) in rows.iter_mut().enumerate() {
                row.compare(i == 0, done, &numbers, &columns, &results)?;
            }
            done += count;
        }
        Ok(Found {
            shape: self.shape()?,
            inputs,
            orders,
            backends: rows.into_iter().map(|r| r.found).collect(),
        })
    }

    /// The results and the true value for a vector, on this processor in plain Rust.
    ///
    /// # Errors
    /// As for [`Reduction::shape`].
    pub fn at(&self, number: u64, seed: u64) -> Result<At, ReductionError> {
        let inputs = self.inputs(seed)?;
        let columns = columns(&inputs, &[number]);
        let results = self.orders.iter().map(|order| {
            let mut outputs = vec![Vec::new(); inputs.results()];
            (order.kernel.cpu.scalar)(&slices(&columns), &mut outputs);
            outputs.into_iter().flatten().collect()
        });
        Ok(At {
            words: inputs.words(number),
            truths: Truth::each(self.function, inputs.precision, &inputs.numbers(number)),
            results: results.collect(),
        })
    }

    fn measure(
        &self,
        inputs: &Inputs,
        numbers: &[u64],
        results: &[Vec<Vec<u64>>],
        orders: &mut [Measured],
    ) {
        for (i, &number) in numbers.iter().enumerate() {
            let truths = Truth::each(self.function, inputs.precision, &inputs.numbers(number));
            let value = |bits: u64| inputs.precision.value_of_bits(bits);
            for (order, columns) in orders.iter_mut().zip(results) {
                let mut faults = [false; Fault::ALL.len()];
                let (mut true_zero, mut vague, mut differs) = (false, false, false);
                for (k, (truth, bits)) in truths.iter().zip(columns).enumerate() {
                    let judged = truth.judge(value(bits[i]));
                    if let Some(error) = judged.error {
                        order.error.add(error, number, k);
                        true_zero |= judged.ulp.is_none() && !judged.vague;
                        vague |= judged.vague;
                    }
                    if let Some(ulp) = judged.ulp {
                        order.ulp.add(ulp, number, k);
                        if judged.well_conditioned {
                            order.well_conditioned.add(ulp, number, k);
                        }
                    }
                    for (is, fault) in faults.iter_mut().zip(Fault::ALL) {
                        *is |= judged.fault == Some(fault);
                    }
                    differs |= bits[i] != results[0][k][i];
                    order.digest = order.digest.wrapping_add(mixed(number, k, bits[i]));
                }
                let counts = [&mut order.true_zero, &mut order.vague, &mut order.differing];
                let found = [true_zero, vague, differs];
                let counts = counts.into_iter().chain(&mut order.faults);
                for (count, _) in counts.zip(found.into_iter().chain(faults)).filter(|f| f.1) {
                    count.add(number);
                }
            }
        }
    }
}

/// The columns of vectors.
fn columns(inputs: &Inputs, numbers: &[u64]) -> Vec<Vec<u64>> {
    let width = inputs.length * inputs.function.vectors();
    let mut columns = vec![Vec::with_capacity(numbers.len()); width];
    for &number in numbers {
        for (column, bits) in columns.iter_mut().zip(inputs.words(number)) {
            column.push(bits);
        }
    }
    columns
}

/// A word that looks random, computed from a vector's number, the index of a result and its bits.
fn mixed(number: u64, result: usize, bits: u64) -> u64 {
    let mut state = bits ^ number.rotate_left(17) ^ (result as u64).rotate_left(50);
    crate::model::pairs::word(&mut state)
}

/// A backend under comparison.
struct Row {
    limit: u64,
    kernels: Vec<Option<Box<dyn PointKernel>>>,
    found: Agreement,
}

impl Row {
    fn new(id: &str, limit: u64, kernels: Vec<Option<Box<dyn PointKernel>>>) -> Row {
        Row {
            limit,
            kernels,
            found: Agreement {
                backend: id.into(),
                inputs: 0,
                digest: 0,
                difference: None,
            },
        }
    }

    /// Compares the first of these vectors, up to the limit.
    fn compare(
        &mut self,
        is_first: bool,
        done: u64,
        numbers: &[u64],
        columns: &[Vec<u64>],
        results: &[Vec<Vec<u64>>],
    ) -> Result<(), ReductionError> {
        let count = self.limit.saturating_sub(done).min(numbers.len() as u64) as usize;
        if count == 0 {
            return Ok(());
        }
        let parts: Vec<&[u64]> = columns.iter().map(|c| &c[..count]).collect();
        let mut outputs = vec![Vec::new(); results.first().map_or(0, Vec::len)];
        let mut first: Option<Difference> = None;
        for (order, wanted) in results.iter().enumerate() {
            let got = match (
                is_first,
                self.kernels.get_mut(order).and_then(Option::as_mut),
            ) {
                (true, _) => wanted,
                // A kernel without a plain function has nothing to be compared with.
                (false, None) => continue,
                (false, Some(kernel)) => {
                    kernel.eval(&parts, &mut outputs)?;
                    &outputs
                }
            };
            for (result, (want, got)) in wanted.iter().zip(got).enumerate() {
                for ((&number, &want), &got) in numbers[..count].iter().zip(want).zip(got) {
                    let word = mixed(number, result, got).rotate_left(order as u32);
                    self.found.digest = self.found.digest.wrapping_add(word);
                    if want != got && first.is_none_or(|d| number < d.number) {
                        first = Some(Difference {
                            order,
                            result,
                            number,
                            bits: [want, got],
                        });
                    }
                }
            }
        }
        self.found.inputs += count as u64;
        self.found.difference = self.found.difference.or(first);
        Ok(())
    }
}
