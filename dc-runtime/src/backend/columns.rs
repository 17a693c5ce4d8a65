//! Searches over columns: the host computes the inputs, three kernels of the backend evaluate candidate, reference and metric for columns
//! of them, and the host reduces the metric's results.
//!
//! Backends that compile text search pairs in this way. All backends search numbers stored in 16 bits in this way: the code that computes
//! their inputs is not a kernel, and costs the host more than the transfer of the columns. The same holds for single inputs at random places.

use super::{Backend, BackendError, PointKernel, SweepKernel};
use crate::model::block::BlockResult;
use crate::model::candidate::slices;
use crate::model::sweep::complete;
use crate::sweep::Sweep;

/// The number of inputs at a time; a launch is worth its overhead for this many.
const BATCH: u64 = 1 << 18;

/// The kernels of a sweep, ready for columns.
struct Columns {
    sweep: Sweep,
    candidate: Box<dyn PointKernel>,
    reference: Box<dyn PointKernel>,
    metric: Box<dyn PointKernel>,
}

/// Prepares a search of a sweep whose keys are not numbers in the order of the reals.
pub(super) fn load(
    backend: &dyn Backend,
    sweep: &Sweep,
) -> Result<Box<dyn SweepKernel>, BackendError> {
    let [candidate, reference, metric] = sweep.kernels_for(backend.id())?;
    Ok(Box::new(Columns {
        sweep: *sweep,
        candidate: backend.load(candidate)?,
        reference: backend.load(reference)?,
        metric: backend.load(metric)?,
    }))
}

impl SweepKernel for Columns {
    fn run(&mut self, first: i64, count: u64) -> Result<BlockResult, BackendError> {
        let space = self.sweep.inputs;
        let mut total = BlockResult::EMPTY;
        let mut inputs = vec![Vec::new(); space.arguments().len()];
        let mut result = vec![Vec::new()];
        let mut verdict = vec![Vec::new(); 4];
        let mut done = 0;
        while done < count {
            let n = BATCH.min(count - done);
            let first = first.wrapping_add_unsigned(done);
            let keys: Vec<u64> = (0..n)
                .map(|i| first.wrapping_add_unsigned(i) as u64)
                .collect();
            space.fill(first, n as usize, &mut inputs);
            self.candidate.eval(&slices(&inputs), &mut result)?;
            self.sweep.reference.widen(space, &mut inputs);
            let mut reference = vec![Vec::new(); self.sweep.reference.words()];
            self.reference.eval(&slices(&inputs), &mut reference)?;
            complete(self.sweep.precision, &mut reference, n as usize);
            let mut columns: Vec<&[u64]> = vec![&keys, &result[0]];
            columns.extend(slices(&reference));
            self.metric.eval(&columns, &mut verdict)?;
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
        Ok(total)
    }
}
