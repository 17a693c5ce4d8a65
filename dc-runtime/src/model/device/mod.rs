//! Functions of devices: `native_exp` of OpenCL C, `__expf` of CUDA.
//!
//! The device evaluates columns of inputs with a text that only calls the function, compiled with the language's defaults. The processor
//! computes the metric, in the loop that is used for functions of the host.

mod names;
mod open;

use std::fmt;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use kernels_gen::interp::canonical;

use super::error::BackendError;
use super::key::Precision;
use super::library::full_name;
use super::loaded::{LoadedFunction, PointKernel};
use super::space::InputSpace;

/// The number of inputs per launch, large enough that the overhead of a launch is small.
pub const BATCH: usize = 1 << 18;

/// A function of a device, with one or two numbers as arguments and a result of the same type.
pub struct DeviceFunction {
    name: String,
    inputs: InputSpace,
    /// The device, as on the command line.
    id: String,
    /// Compiles another copy of the function.
    load: Box<Load>,
    facts: Facts,
    /// Compiled kernels that are not in use, one for each thread that has needed one.
    idle: Mutex<Vec<Box<dyn PointKernel>>>,
}

type Load = dyn Fn() -> Result<LoadedFunction, BackendError> + Send + Sync;

/// The data on which a device's results depend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// `OpenCL C` or `CUDA C++`.
    pub language: &'static str,
    /// The device's name.
    pub device: String,
    /// The versions of driver and compiler.
    pub driver: String,
    /// The options with which the text is compiled; usually none.
    pub options: String,
    /// The text that calls the function.
    pub text: String,
}

/// The reason why a function of a device cannot be called.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// The compiler rejects the text that calls it.
    #[error("{device} does not compile a call of `{name}` of {signature}{}; its compiler:\n{log}", also(.near))]
    Refused {
        /// The backend.
        device: String,
        /// The requested name.
        name: String,
        /// `f32`, `f64,f64`.
        signature: &'static str,
        /// Similar names of functions of the language, the nearest first.
        near: Vec<&'static str>,
        /// The compiler's log.
        log: String,
    },
    /// The device cannot be used.
    #[error(transparent)]
    Backend(#[from] BackendError),
}

fn also(names: &[&'static str]) -> String {
    match names {
        [] => String::new(),
        names => format!(" (near it: {})", names.join(", ")),
    }
}

impl fmt::Debug for DeviceFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("DeviceFunction")
            .field(&self.full_name())
            .finish()
    }
}

impl DeviceFunction {
    /// Its name.
    #[must_use]
    pub const fn name(&self) -> &str {
        self.name.as_str()
    }

    /// Precision of its arguments and its result.
    #[must_use]
    pub const fn precision(&self) -> Precision {
        self.inputs.precision()
    }

    /// The space of all its inputs.
    #[must_use]
    pub const fn inputs(&self) -> InputSpace {
        self.inputs
    }

    /// The function's device, as on the command line.
    #[must_use]
    pub fn device(&self) -> &str {
        &self.id
    }

    /// The data on which its results depend.
    #[must_use]
    pub const fn facts(&self) -> &Facts {
        &self.facts
    }

    /// `native_exp of opencl:pocl/0`.
    #[must_use]
    pub fn full_name(&self) -> String {
        full_name(&self.name, Path::new(self.device()))
    }

    /// Evaluates it at columns of bits, one for each argument. NaNs are canonical.
    ///
    /// # Errors
    /// If a launch fails or leaves a result unwritten.
    pub fn eval(&self, inputs: &[&[u64]], outputs: &mut Vec<u64>) -> Result<(), BackendError> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = idle().pop();
        let mut kernel = match waiting {
            Some(kernel) => kernel,
            None => (self.load)()?.kernel,
        };
        kernel.eval(inputs, std::slice::from_mut(outputs))?;
        // A kernel that has failed is not used again.
        idle().push(kernel);
        let prim = self.precision().prim();
        for word in outputs {
            *word = canonical(prim, *word);
        }
        Ok(())
    }
}
