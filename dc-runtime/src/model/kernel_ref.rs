//! References to kernels for backends and searches: the IR, and the forms that rustc compiled.

use std::fmt;

use kernels_gen::ir::Kernel;

use super::block::BlockResult;
use crate::isa::PerIsa;
use crate::isa::sets::per_isa;
use crate::kernel::LaneFn;
use crate::run::columns;

/// A kernel for backends: its IR, and its compiled forms for the CPU.
#[derive(Clone, Copy)]
pub struct KernelRef {
    /// The IR.
    pub kernel: &'static Kernel,
    /// The compiled forms.
    pub cpu: CpuPoint,
}

impl KernelRef {
    /// A `#[crunch]` function, ready for every backend: `KernelRef::of::<name>()`.
    #[must_use]
    pub const fn of<K: LaneFn>() -> KernelRef {
        KernelRef {
            kernel: K::KERNEL,
            // One register per value: at points, the columns dominate the time, and narrow code compiles faster.
            cpu: per_isa!(I: points => columns::<K, I>),
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

/// Evaluates a routine in binary64 at keys that follow one another, all of one sign, from the given one on: as many as there are results, a
/// multiple of the widest group's lanes.
pub type ResultsFn = fn(first: i64, results: &mut [f64]);

/// A kernel's compiled forms; a form panics if the processor lacks its features.
pub type CpuPoint = PerIsa<PointFn>;

/// A sweep's compiled search loops; a form panics if the processor lacks its features.
pub type CpuSweep = PerIsa<SweepFn>;
