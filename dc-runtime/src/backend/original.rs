//! The compiled original of a lifted kernel, as a backend: its function in a library, called for each input. The lifted kernel is compared with
//! it as with any other backend.
//!
//! It exists only for lifted kernels, so it is not among the backends that are discovered and probed.

use std::sync::Arc;

use kernels_gen::program::Program;

use super::{
    Backend, BackendError, KernelRef, PointKernel, SweepKernel, columns, cpu,
    in_default_environment,
};
use crate::isa::sets::InstructionSet;
use crate::model::library::LibraryFunction;
use crate::sweep::Sweep;

/// Its name.
pub const ID: &str = "original";

/// The backend of the library function from which a kernel was lifted.
///
/// # Errors
/// If this processor cannot evaluate references.
pub fn of(function: &'static LibraryFunction) -> Result<Arc<dyn Backend>, BackendError> {
    match cpu::detect(InstructionSet::Scalar) {
        Ok(scalar) => Ok(Arc::new(Original { function, scalar })),
        Err(absent) => Err(BackendError::Unavailable {
            backend: ID.into(),
            reason: absent.reason,
            remedy: absent.remedy,
        }),
    }
}

/// The function. References and metrics, which have no original, are evaluated in plain Rust.
struct Original {
    function: &'static LibraryFunction,
    scalar: cpu::Cpu,
}

impl crate::model::backend::sealed::Sealed for Original {}

impl Backend for Original {
    fn id(&self) -> &str {
        ID
    }
    fn describe(&self) -> String {
        format!(
            "the compiled original, `{}`, called for each input",
            self.function.symbol()
        )
    }
    fn load(&self, kernel: &KernelRef) -> Result<Box<dyn PointKernel>, BackendError> {
        match self.function.lifted() {
            Some(lifted) if std::ptr::eq(lifted, kernel.kernel) => {
                Ok(Box::new(Call(self.function)))
            }
            _ => self.scalar.load(kernel),
        }
    }
    fn load_program(&self, program: &Program) -> Result<Box<dyn PointKernel>, BackendError> {
        self.scalar.load_program(program)
    }
    fn load_sweep(&self, sweep: &Sweep) -> Result<Box<dyn SweepKernel>, BackendError> {
        columns::load(self, sweep)
    }
}

struct Call(&'static LibraryFunction);

impl PointKernel for Call {
    fn eval(&mut self, inputs: &[&[u64]], outputs: &mut [Vec<u64>]) -> Result<(), BackendError> {
        let Call(function) = self;
        // The function runs in a process of its own; its environment is checked there.
        in_default_environment(
            ID,
            || format!("calling `{}`", function.symbol()),
            || function.eval(inputs, &mut outputs[0]),
        )
    }
}
