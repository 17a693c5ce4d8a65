//! References to kernels, for backends and searches: the IR, and the forms that rustc compiled.

use std::fmt;

use kernels_gen::interp::canonical;
use kernels_gen::ir::Kernel;

use super::block::BlockResult;
use super::measure::Measure;
use crate::isa::PerIsa;
use crate::isa::sets::{InstructionSet, per_isa};
use crate::kernel::{Kind as _, LaneFn};
use crate::run::columns;

/// A kernel for backends: its IR, and its compiled forms for the CPU.
#[derive(Clone, Copy)]
pub struct KernelRef {
    /// The IR.
    pub kernel: &'static Kernel,
    /// The compiled forms.
    pub cpu: CpuPoint,
    /// The plain function from which the kernel was made, if there is one.
    pub written: Option<PointFn>,
}

impl KernelRef {
    /// A `#[crunch]` function, ready for every backend: `KernelRef::of::<name>()`.
    #[must_use]
    pub const fn of<K: LaneFn>() -> KernelRef {
        KernelRef {
            kernel: K::KERNEL,
            // One register per value: at points, the columns dominate the time, and narrow code compiles faster.
            cpu: per_isa!(I: points => columns::<K, I>),
            written: written::<K>(),
        }
    }

    /// The compiled form for the widest instruction set that this processor has.
    #[must_use]
    pub fn widest(&self) -> PointFn {
        let mut sets = InstructionSet::ALL.iter().rev();
        let widest = sets.find(|set| set.missing().is_empty());
        widest.map_or(self.cpu.scalar, |set| self.cpu.of(*set))
    }
}

/// The plain function of a kernel, over columns of bits.
#[must_use]
pub const fn written<K: LaneFn>() -> Option<PointFn> {
    match K::WRITTEN {
        Some(_) => Some(each_row::<K>),
        None => None,
    }
}

/// Calls the plain function with each row of the columns. If it panics, the outputs end there.
fn each_row<K: LaneFn>(inputs: &[&[u64]], outputs: &mut [Vec<u64>]) {
    let Some(function) = K::WRITTEN else {
        return;
    };
    let mut prims = Vec::new();
    K::Ret::prims(&mut |prim| prims.push(prim));
    let mut words = vec![0; inputs.len().max(prims.len())];
    outputs.iter_mut().for_each(Vec::clear);
    for row in 0..inputs.first().map_or(0, |c| c.len()) {
        for (word, column) in words.iter_mut().zip(inputs) {
            *word = column[row];
        }
        let result = function(K::Args::from_words(&words));
        K::Ret::to_words(result, &mut words);
        for ((column, word), prim) in outputs.iter_mut().zip(&words).zip(&prims) {
            column.push(canonical(*prim, *word));
        }
    }
}

impl fmt::Debug for KernelRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("KernelRef").field(&self.kernel.name).finish()
    }
}

/// Evaluates a compiled kernel over columns of bits; see [`PointKernel::eval`](super::backend::PointKernel::eval).
pub type PointFn = fn(inputs: &[&[u64]], outputs: &mut [Vec<u64>]);
/// Searches a stretch of keys with a compiled sweep; see [`SweepKernel::run`](super::backend::SweepKernel::run).
pub type SweepFn = fn(first: i64, count: u64) -> BlockResult;
/// The same as [`SweepFn`], for errors in ULP, absolute errors or relative errors.
pub type MeasuredFn = fn(first: i64, count: u64, measure: Measure) -> BlockResult;

/// Evaluates a routine in binary64 at consecutive keys of one sign, beginning with the given key. There are as many keys as results. Their
/// number must be a multiple of the lanes of the widest group.
pub type ResultsFn = fn(first: i64, results: &mut [f64]);

/// The largest known errors in ULP, without their signs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Records {
    /// The largest error of a result above the reference.
    pub above: f64,
    /// The largest error of a result below the reference.
    pub below: f64,
}

/// Inputs that contain no new record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Decided {
    /// Their number, counted from the first input.
    pub inputs: u64,
    /// The contribution of their results to a digest of only results.
    pub digest: u64,
}

/// Compares the errors of a routine in binary32 with records, at `count` keys from `first` on. It stops before the first chunk in which an
/// input may be a new record, has a fault, or cannot be counted. Without records it runs to the end, for the digest.
pub type DecideFn = fn(first: i64, count: u64, records: Option<Records>) -> Decided;

/// A kernel's compiled forms; a form panics if the processor lacks its features.
pub type CpuPoint = PerIsa<PointFn>;

/// A sweep's compiled search loops; a form panics if the processor lacks its features.
pub type CpuSweep = PerIsa<SweepFn>;
