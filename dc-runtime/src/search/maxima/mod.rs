//! The search for only the largest errors ([`Measure::Maxima`]): almost every input is decided without the reference.
//!
//! The routine is evaluated at every input. On a stretch of up to 2^21 inputs, its results are compared with a certified polynomial of
//! degree 2 of the function (`stretch`), by 8 operations per register. If an error may be a record, or a result is not a number, the chunk
//! of 960 inputs is searched in full. So the records, their inputs and the faults are those of the full search, bit for bit.
//!
//! On a device (`on_device`), the device compares and searches, input by input instead of chunk by chunk.
//!
//! Routines in binary32 are searched in another way (`beside_records`): the reference is evaluated, and the metric is omitted.
//!
//! A function of a library or a device is called at every input, and compared in the same way. This saves the reference and the metric.
//!
//! The polynomials assume what every search assumes: that the reference is the function. This is checked at three inputs of
//! each stretch, to 2^-19 ULP. If it does not hold, the search ends.
//!
//! [`Measure::Maxima`]: crate::model::measure::Measure::Maxima

mod beside_records;
mod on_device;
mod on_processor;
mod place;
mod routine;
mod stretch;

use kernels_gen::ir;

use super::certify::{Refused, truth};
use crate::builtins::reference::{REFERENCES, Reference};
use crate::isa::PerIsa;
use crate::isa::sets::{InstructionSet, per_isa};
use crate::model::backend::{Backend, SweepKernel};
use crate::model::candidate::Candidate;
use crate::model::error::BackendError;
use crate::model::function::Function;
use crate::model::kernel_ref::KernelRef;
use crate::model::key::Precision;
use crate::model::space::InputSpace;
use crate::scan::levels::*;
use crate::scan::{ColumnSearch, Filter, IsaLevel, Near};
use crate::sweep::Sweep;
use place::Place;
use stretch::Stretches;

const IN_FULL: &str = "Measure in full.";

/// Prepares a search for the largest errors on a backend of the processor, or on a CUDA device.
///
/// # Errors
/// If the backend is another one, or the sweep has no loop for only its routine, or no function that can be expanded.
pub(super) fn load(
    backend: &dyn Backend,
    sweep: &Sweep,
) -> Result<Box<dyn SweepKernel>, BackendError> {
    let place = Place {
        backend: backend.id().into(),
        name: sweep.name,
        inputs: sweep.inputs,
    };
    let mut sets = InstructionSet::ALL.iter().copied();
    let own = sets.find(|s| s.id() == backend.id());
    if !matches!(sweep.inputs, InputSpace::Numbers(_)) {
        return Err(place.unavailable(
            "it is for routines of one number in binary32 or binary64",
            IN_FULL,
        ));
    }
    if let (Some(set), Some(decide), Some(search)) = (own, sweep.decide, &sweep.cpu) {
        return Ok(Box::new(beside_records::Search::new(
            decide.of(set),
            search.of(set),
        )));
    }
    let called = matches!(
        sweep.candidate,
        Candidate::Library(_) | Candidate::Device(_)
    );
    if called && sweep.precision == Precision::F32 {
        return Err(place.unavailable(
            "in binary32 a call costs more than the reference and the metric, so that it would be no faster",
            IN_FULL,
        ));
    }
    if sweep.precision != Precision::F64 {
        return Err(place.unavailable(
            "in binary32, only the processor's instruction sets compare errors with records",
            "Take scalar, avx2, avx512 or neon, or measure in full.",
        ));
    }
    match own {
        Some(set) if called => beside_calls(place, set, sweep),
        Some(set) => on_processor(place, set, sweep),
        None => on_device(place, backend, sweep),
    }
}

/// The comparison with a polynomial, by instruction set.
const FILTERS: PerIsa<fn(Filter<'_>) -> Near> = per_isa!(L: level => <L as IsaLevel>::filter);

/// A search of a function that is not a kernel, together with an instruction set.
fn beside_calls(
    place: Place,
    set: InstructionSet,
    sweep: &Sweep,
) -> Result<Box<dyn SweepKernel>, BackendError> {
    const COLUMNS: PerIsa<fn(&Sweep, InstructionSet) -> ColumnSearch> =
        per_isa!(L: level => ColumnSearch::new::<L>);
    let Some(reference) = sweep.reference.kernel() else {
        return Err(place.unavailable(
            &format!(
                "it needs a reference of this program, and `{}` is not one",
                sweep.reference.name()
            ),
            "Name the function with --computes, or measure in full.",
        ));
    };
    let stretches = stretches(&place, set, sweep, reference)?;
    let columns = COLUMNS.of(set)(sweep, set);
    Ok(Box::new(on_processor::Search::new(
        place,
        Box::new(routine::Called::new(columns)),
        FILTERS.of(set),
        stretches,
    )))
}

/// A search on an instruction set.
fn on_processor(
    place: Place,
    set: InstructionSet,
    sweep: &Sweep,
) -> Result<Box<dyn SweepKernel>, BackendError> {
    let (Some(alone), Some(search), Some([routine, reference, _])) =
        (sweep.alone, &sweep.cpu, sweep.kernels())
    else {
        return Err(place.unavailable(
            "the routine's loop without its reference is not compiled",
            "Declare the sweep with `.with_maxima::<routine>()`, or measure in full.",
        ));
    };
    if !std::ptr::eq(alone.kernel, routine.kernel) && alone.kernel.name != routine.kernel.name {
        return Err(place.unavailable(
            &format!(
                "its loop for maxima is that of `{}`, and its routine is `{}`",
                alone.kernel.name, routine.kernel.name
            ),
            "Name the routine in `.with_maxima::<routine>()`.",
        ));
    }
    let stretches = stretches(&place, set, sweep, reference)?;
    Ok(Box::new(on_processor::Search::new(
        place,
        Box::new(routine::Kernel {
            results: alone.cpu.of(set),
            search: search.of(set),
        }),
        FILTERS.of(set),
        stretches,
    )))
}

/// A search on a device. The reference is evaluated beside it on the widest instruction set.
fn on_device(
    place: Place,
    backend: &dyn Backend,
    sweep: &Sweep,
) -> Result<Box<dyn SweepKernel>, BackendError> {
    let Some([_, reference, _]) = sweep.kernels() else {
        return Err(place.unavailable("its routine is not a kernel", IN_FULL));
    };
    let stretches = stretches(&place, widest(), sweep, reference)?;
    Ok(Box::new(on_device::Search {
        place,
        kernel: backend.load_maxima(sweep)?,
        stretches,
        in_full: 0,
    }))
}

/// The widest instruction set of this processor.
pub(super) fn widest() -> InstructionSet {
    let mut sets = InstructionSet::ALL.iter().copied().rev();
    let set = sets.find(|s| s.missing().is_empty());
    set.expect("plain Rust needs no feature")
}

/// The expansions of a sweep's function.
fn stretches(
    place: &Place,
    set: InstructionSet,
    sweep: &Sweep,
    reference: &KernelRef,
) -> Result<Stretches, BackendError> {
    if sweep.reference.words() < 2 {
        return Err(place.unavailable(
            "in binary64 it is for routines with a reference of two words",
            IN_FULL,
        ));
    }
    // A function that is named at run time has the function of its reference.
    let sweep = &Sweep {
        truth: sweep.truth.or_else(|| computed_by(reference)),
        ..*sweep
    };
    match truth(sweep, reference.kernel) {
        Ok((truth, _)) => Ok(Stretches::new(
            truth,
            reference,
            sweep.reference.words(),
            set,
        )),
        Err(Refused::Scaled { reference, .. }) => Err(place.unavailable(
            &format!(
                "no derivatives are known of the function, and its reference `{reference}` has a scale"
            ),
            IN_FULL,
        )),
        Err(e) => Err(place.unavailable(&e.to_string(), IN_FULL)),
    }
}

/// The function that a reference of this program computes.
fn computed_by(reference: &KernelRef) -> Option<Function> {
    let name = |kernel: &ir::Kernel| (kernel.module, kernel.name);
    let mut all = REFERENCES.iter();
    let of = |r: &&Reference| {
        let known = r.binary64.map(|tier| name(tier.kernel));
        known == Some(name(reference.kernel))
    };
    all.find(of).map(|r| r.function)
}
