//! A sweep: an approximation, the reference it is held against, and the range of inputs.

use crate::backend::{CpuSweep, KernelRef};
use crate::search::key::Precision;

/// An approximation with its reference, ready for every backend. Made by [`Sweep::new`].
#[derive(Debug, Clone, Copy)]
pub struct Sweep {
    /// Name on the command line and in run files.
    pub name: &'static str,
    /// Precision of input and result.
    pub precision: Precision,
    /// The routine under test.
    pub approx: KernelRef,
    /// Its reference: double-double, or `DcDouble` for a `DcFloat` routine.
    pub reference: KernelRef,
    /// The metric: `judge_f64` or `judge_f32`.
    pub judge: KernelRef,
    /// The search loop's compiled forms.
    pub cpu: CpuSweep,
    /// The range searched when none is given, as on the command line.
    pub range: &'static str,
}
