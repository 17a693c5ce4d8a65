//! Single inputs looked at closely: what the routine and its reference give, and how the metric judges it.

use kernels_gen::ir::Ty;

use super::block::{BlockResult, Worst};
use super::key::Precision;
use crate::backend::{Backend, BackendError, PointFn, PointKernel};
use crate::sweep::Sweep;

/// The three kernels of a sweep, ready for single inputs.
pub struct Oracle {
    sweep: Sweep,
    approx: Box<dyn PointKernel>,
    reference: Box<dyn PointKernel>,
    judge: Box<dyn PointKernel>,
    widen: bool,
    words: usize,
}

/// All that is known of one input.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judged {
    /// Its key.
    pub key: i64,
    /// Bits of the routine's result.
    pub result_bits: u64,
    /// The reference's words; the second is 0 where there is none.
    pub reference: [f64; 2],
    /// Signed error in ULP.
    pub error: f64,
    /// Bin of the histogram.
    pub bin: i64,
    /// Flags, see [`super::block`].
    pub flags: i64,
    /// What it adds to the digest.
    pub mix: i64,
}

impl Judged {
    /// The result of a block of this input alone.
    #[must_use]
    pub fn block(&self) -> BlockResult {
        let mut b = BlockResult::EMPTY;
        b.add(self.key, self.error, self.bin, self.flags, self.mix);
        b
    }
    /// As the worst input of a block.
    #[must_use]
    pub fn worst(&self, precision: Precision) -> Worst {
        Worst {
            precision,
            key: self.key,
            error: self.error.abs(),
            result_bits: self.result_bits,
            reference: self.reference,
        }
    }
}

/// The plain compiled form as a point kernel.
struct Plain(PointFn);

impl PointKernel for Plain {
    fn eval(&mut self, inputs: &[&[u64]], outputs: &mut [Vec<u64>]) -> Result<(), BackendError> {
        (self.0)(inputs, outputs);
        Ok(())
    }
}

impl Oracle {
    /// On a backend.
    ///
    /// # Errors
    /// When a kernel cannot be made ready there.
    pub fn load(backend: &dyn Backend, sweep: &Sweep) -> Result<Oracle, BackendError> {
        Ok(Oracle::new(
            sweep,
            backend.load(&sweep.approx)?,
            backend.load(&sweep.reference)?,
            backend.load(&sweep.judge)?,
        ))
    }

    /// In plain Rust, which every machine has.
    #[must_use]
    pub fn plain(sweep: &Sweep) -> Oracle {
        let plain = |f| Box::new(Plain(f)) as Box<dyn PointKernel>;
        Oracle::new(
            sweep,
            plain(sweep.approx.cpu.scalar),
            plain(sweep.reference.cpu.scalar),
            plain(sweep.judge.cpu.scalar),
        )
    }

    fn new(
        sweep: &Sweep,
        approx: Box<dyn PointKernel>,
        reference: Box<dyn PointKernel>,
        judge: Box<dyn PointKernel>,
    ) -> Oracle {
        let kernel = sweep.reference.kernel;
        let words = match kernel.ret {
            Ty::Dd => 2,
            Ty::Tuple(t) => t.len(),
            _ => 1,
        };
        Oracle {
            sweep: *sweep,
            approx,
            reference,
            judge,
            widen: sweep.widens(),
            words,
        }
    }

    /// Evaluates and judges the inputs of these keys.
    ///
    /// # Errors
    /// When a launch fails.
    pub fn judge(&mut self, keys: &[i64]) -> Result<Vec<Judged>, BackendError> {
        let n = keys.len();
        if n == 0 {
            return Ok(Vec::new());
        }
        let precision = self.sweep.precision;
        let bits: Vec<u64> = keys.iter().map(|&k| precision.bits_of_key(k)).collect();
        let mut result = [Vec::new()];
        self.approx.eval(&[&bits], &mut result)?;
        let [result] = result;
        let wide: Vec<u64>;
        let input = if self.widen {
            wide = bits
                .iter()
                .map(|&b| precision.value_of_bits(b).to_bits())
                .collect();
            &wide
        } else {
            &bits
        };
        let mut reference = vec![Vec::new(); self.words];
        self.reference.eval(&[input], &mut reference)?;
        if precision == Precision::F64 {
            reference.resize(2, vec![0; n]);
        }
        let key_words: Vec<u64> = keys.iter().map(|&k| k as u64).collect();
        let mut columns: Vec<&[u64]> = vec![&key_words, &result];
        columns.extend(reference.iter().map(Vec::as_slice));
        let mut judged = vec![Vec::new(); 4];
        self.judge.eval(&columns, &mut judged)?;
        Ok((0..n)
            .map(|i| Judged {
                key: keys[i],
                result_bits: result[i],
                reference: [
                    f64::from_bits(reference[0][i]),
                    reference.get(1).map_or(0.0, |lo| f64::from_bits(lo[i])),
                ],
                error: f64::from_bits(judged[0][i]),
                bin: judged[1][i] as i64,
                flags: judged[2][i] as i64,
                mix: judged[3][i] as i64,
            })
            .collect())
    }
}
