//! The types of kernels that form a sweep, and how a search evaluates them at lanes of keys. `pairs.rs` has the combinations.

use super::reduce::Chunk;
use crate::isa::{Isa, PerIsa, Tally};
use crate::kernel::LaneFn;
use crate::model::kernel_ref::{CpuSweep, DecideFn, KernelRef, MeasuredFn};
use crate::model::key::Precision;
use crate::model::space::InputSpace;
use crate::types::DcDouble;

/// The types of an approximation and its reference, if they form a sweep.
///
/// For two arguments, `(DcDouble, DcDouble) -> DcDouble` goes with `(DcDouble, DcDouble) -> DcDoubleDouble` or `DcDouble`, and `(DcFloat,
/// DcFloat) -> DcFloat` with `(DcDouble, DcDouble) -> DcDouble` or `(DcFloat, DcFloat) -> DcDouble`. A routine `DcDouble -> DcDouble` goes
/// with a reference that takes `DcDouble` and gives `DcDoubleDouble`, `DcDouble`, or `(DcDoubleDouble, DcLong)`. The last is a
/// double-double and the exponent of a power of two by which it is multiplied; the exponent is 0 for ordinary numbers, and at most 1100 in
/// magnitude. A routine `DcFloat -> DcFloat` goes with a reference that takes `DcDouble` (the widened input) or `DcFloat` and gives
/// `DcDouble`. Routines of `DcHalf` and of `DcBfloat` go with the same references.
#[diagnostic::on_unimplemented(
    message = "these kernels do not make a sweep: `{A}` and `{R}`",
    label = "approximation and reference do not fit together",
    note = "a `DcDouble -> DcDouble` routine needs a reference `DcDouble -> DcDoubleDouble` (or `DcDouble -> DcDouble`, or `DcDouble -> (DcDoubleDouble, DcLong)`)",
    note = "a `DcFloat -> DcFloat` routine needs a reference `DcDouble -> DcDouble` (or `DcFloat -> DcDouble`)",
    note = "a `DcHalf -> DcHalf` or `DcBfloat -> DcBfloat` routine needs the references of a `DcFloat -> DcFloat` one",
    note = "a routine of two arguments needs a reference of two"
)]
pub trait Comparable<A: LaneFn, R: LaneFn> {
    /// Precision of the inputs and the result.
    const PRECISION: Precision = Self::INPUTS.precision();
    /// The space of all inputs.
    const INPUTS: InputSpace;
    /// The metric.
    const METRIC: KernelRef;
    /// The routine at points.
    const ROUTINE: KernelRef;
    /// The reference at points.
    const REFERENCE: KernelRef;
    /// The search loop compiled for the two. There is none for two arguments: columns are as fast, given the cost of computing pairs.
    const COMPILED: Option<CpuSweep>;
    /// The search loops for other errors than those in ULP.
    const MEASURED: Option<PerIsa<MeasuredFn>>;
    /// For binary32, the comparison with records.
    const DECIDE: Option<PerIsa<DecideFn>>;
}

/// Kernels of one argument, which a search evaluates at lanes of keys.
pub trait OnLanes<A: LaneFn, R: LaneFn>: Comparable<A, R> {
    /// The scale for the metric if the reference has none.
    const SCALE: i64;
    /// Evaluates results and references at lanes of keys from `key` on, all of one sign, and stores them in their columns of the chunk.
    fn eval_chunk<I: Tally>(isa: I, key: i64, chunk: &mut Chunk, at: usize);
}

/// The types of a kernel's parameters and result.
pub type Types<K> = (<K as LaneFn>::Args, <K as LaneFn>::Ret);

/// The numbers for keys from `key` on, all of one sign: for a negative one the magnitude bits are flipped
/// ([`crate::model::key`]).
#[inline(always)]
pub(super) fn doubles<I: Isa>(isa: I, key: i64) -> DcDouble<I> {
    let flip = isa.splat_i64((((key >> 63) as u64) >> 1) as i64);
    DcDouble::of(isa, isa.f64_from_bits(isa.xor_i64(isa.iota_i64(key), flip)))
}
