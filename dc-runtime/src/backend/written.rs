//! The functions that users wrote, as a backend: plain functions with `#[crunch]`, compiled by rustc for their callers. A kernel is
//! compared with its own function as with any other backend.
//!
//! It exists only for kernels of plain functions, so it is not among the backends that are discovered and probed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use kernels_gen::ir::Ty;
use kernels_gen::program::Program;

use super::{
    Backend, BackendError, KernelRef, PointFn, PointKernel, SweepKernel, columns, cpu,
    in_default_environment,
};
use crate::isa::sets::InstructionSet;
use crate::model::host::reason;
use crate::model::key::Precision;
use crate::model::machine;
use crate::model::show;
use crate::sweep::Sweep;

/// Its name.
pub const ID: &str = "rust";

/// The backend, if the routine of the sweep is the kernel of a plain function.
#[must_use]
pub fn of(sweep: &Sweep) -> Option<Arc<dyn Backend>> {
    let [candidate, ..] = sweep.kernels()?;
    candidate.written?;
    let scalar = cpu::detect(InstructionSet::Scalar).ok()?;
    Some(Arc::new(Written { scalar }))
}

/// The plain function of a kernel, for evaluation at given inputs.
///
/// # Errors
/// If the kernel was not made from a plain function.
pub(crate) fn function(kernel: &KernelRef) -> Result<Box<dyn PointKernel>, BackendError> {
    match kernel.written {
        Some(function) => Ok(Box::new(Function(function, *kernel))),
        None => Err(BackendError::Unavailable {
            backend: ID.into(),
            reason: format!(
                "`{}` is the kernel of no plain function",
                kernel.kernel.name
            ),
            remedy: "Take scalar.".into(),
        }),
    }
}

/// Plain functions as written. References and metrics, which have none, are evaluated in plain Rust.
struct Written {
    scalar: cpu::Cpu,
}

impl crate::model::backend::sealed::Sealed for Written {}

impl Backend for Written {
    fn id(&self) -> &str {
        ID
    }
    fn describe(&self) -> String {
        format!(
            "the function as written, called for each input; {}",
            machine::RUSTC.trim_end()
        )
    }
    fn load(&self, kernel: &KernelRef) -> Result<Box<dyn PointKernel>, BackendError> {
        match kernel.written {
            Some(_) => function(kernel),
            None => self.scalar.load(kernel),
        }
    }
    fn load_program(&self, program: &Program) -> Result<Box<dyn PointKernel>, BackendError> {
        self.scalar.load_program(program)
    }
    fn load_sweep(&self, sweep: &Sweep) -> Result<Box<dyn SweepKernel>, BackendError> {
        columns::load(self, sweep)
    }
}

/// A plain function, and its kernel.
struct Function(PointFn, KernelRef);

impl PointKernel for Function {
    fn eval(&mut self, inputs: &[&[u64]], outputs: &mut [Vec<u64>]) -> Result<(), BackendError> {
        let Function(function, kernel) = *self;
        let call = || format!("calling `{}`", kernel.kernel.name);
        in_default_environment(ID, call, || {
            let all = AssertUnwindSafe(|| function(inputs, outputs));
            let panicked = catch_unwind(all).err();
            panicked.map_or(Ok(()), |panic| {
                let row = outputs.iter().map(Vec::len).min().unwrap_or(0);
                let words: Vec<u64> = inputs.iter().filter_map(|c| c.get(row).copied()).collect();
                let precision = match kernel.kernel.params.first().map(|p| p.ty) {
                    Some(Ty::F32 | Ty::I32) => Precision::F32,
                    _ => Precision::F64,
                };
                Err(BackendError::Function {
                    function: kernel.kernel.name.into(),
                    input: show::arguments(precision, &words, show::full),
                    how: format!(
                        "panicked: {}; leave such inputs out of the range",
                        reason(&*panic)
                    ),
                })
            })
        })
    }
}
