//! Functions of shared libraries, which are called in separate processes.
//!
//! A library may do anything to the process that loads it: crash at an input, end the process, never return, or change the floating-point
//! environment when it is loaded. So this process never loads one. It starts its own program again as a *worker* (`worker.rs`), once for
//! each thread that calls the function. The worker shares a column of memory per argument with this process. Over a socket it receives the
//! number of inputs in the columns (`process.rs`).
//!
//! | file | what |
//! |---|---|
//! | `object` | data from a library's file, read without loading it: its build, its symbols |
//! | `worker` | the worker's side: loads the library and calls the function |
//! | `calls` | the call of a function of any type, for a column of arguments |
//! | `value` | numbers as C passes them |
//! | `vector` | the call of a vector function, with each input in each lane |
//! | `lanes` | the types that the name of a vector function states, and differences between its lanes |
//! | `workers` | a function and the workers that call it |
//! | `several` | functions of three arguments, of two results and of complex numbers |
//! | `process` | this process's side: starts a worker, passes inputs to it, determines how it ended |
//! | `shared` | the shared columns |

#[cfg(target_os = "linux")]
mod calls;
mod error;
mod lanes;
mod object;
#[cfg(target_os = "linux")]
mod process;
mod protocol;
mod several;
#[cfg(target_os = "linux")]
mod shared;
#[cfg(target_os = "linux")]
mod value;
#[cfg(target_os = "linux")]
mod vector;
#[cfg(target_os = "linux")]
mod worker;
mod workers;

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use kernels_gen::ir::Kernel;

use super::error::BackendError;
#[cfg(target_os = "linux")]
use super::integers::Int;
use super::several::Shape;
#[cfg(target_os = "linux")]
use super::signature::Number;
use super::signature::Signature;
use super::space::InputSpace;
use crate::fenv::Environment;
pub use error::LibraryError;
pub use lanes::LaneDifference;
pub use object::Object;
#[cfg(target_os = "linux")]
use process::Lanes;
#[cfg(target_os = "linux")]
use protocol::NO_DOUBLE;
pub use protocol::{BATCH, WORKER};
pub use several::SeveralFunction;
#[cfg(target_os = "linux")]
pub use worker::serve;
use workers::Workers;

/// A function of a shared library, of one or two arguments: `float f(float)`, `double f(double, double)`, `uint16_t f(float)`.
#[derive(Debug)]
pub struct LibraryFunction {
    workers: Workers,
    signature: Signature,
    /// The kernel that was lifted from it.
    lifted: Option<&'static Kernel>,
    /// The inputs at which its lanes differ.
    lanes: Mutex<Option<LaneDifference>>,
}

impl LibraryFunction {
    /// Opens the function with this symbol in a library. The library is given by a path, or by a name that the system's loader finds
    /// (`libm.so.6`).
    ///
    /// Workers call the function. They run this program again, so its `main` must pass its command line to `driver::main` or [`serve`].
    ///
    /// # Errors
    /// If the library does not exist, the library has no such symbol, or no worker can be started. On systems other than Linux, always: they lack the
    /// shared memory of the workers.
    pub fn open(
        library: &str,
        symbol: &str,
        signature: impl Into<Signature>,
    ) -> Result<LibraryFunction, LibraryError> {
        let signature = signature.into();
        lanes::fits(symbol, signature)?;
        Ok(LibraryFunction {
            workers: Workers::start(library, symbol, Shape::One(signature))?,
            signature,
            lifted: None,
            lanes: Mutex::default(),
        })
    }

    /// The same function, with a kernel that was lifted from it and compared with it. Bounds and proofs are about this kernel.
    #[must_use]
    pub fn with_kernel(self, kernel: &'static Kernel) -> LibraryFunction {
        LibraryFunction {
            lifted: Some(kernel),
            ..self
        }
    }

    /// The kernel that was lifted from it, if there is one.
    #[must_use]
    pub const fn lifted(&self) -> Option<&'static Kernel> {
        self.lifted
    }

    /// Its symbol.
    #[must_use]
    pub const fn symbol(&self) -> &str {
        self.workers.symbol()
    }

    /// The types of its arguments and its result.
    #[must_use]
    pub const fn signature(&self) -> Signature {
        self.signature
    }

    /// The space of all its inputs.
    #[must_use]
    pub const fn inputs(&self) -> InputSpace {
        self.signature.inputs
    }

    /// The file that contains it. It may differ from the named file: a library that this file needs.
    #[must_use]
    pub fn object(&self) -> &Object {
        self.workers.object()
    }

    /// The environment of the worker after loading the library, if the library changed it.
    #[must_use]
    pub fn changed_environment(&self) -> Option<Environment> {
        self.workers.changed_environment()
    }

    /// `expf of /usr/lib/libm.so.6`.
    #[must_use]
    pub fn full_name(&self) -> String {
        self.workers.full_name()
    }

    /// Evaluates it at columns of bits, one for each argument. NaNs are canonical.
    ///
    /// # Errors
    /// [`BackendError::Function`], with the function's name and the input, if the function ends its process, does not return in
    /// time or changes the floating-point environment.
    #[cfg(target_os = "linux")]
    pub fn eval(&self, inputs: &[&[u64]], outputs: &mut Vec<u64>) -> Result<(), BackendError> {
        self.workers
            .eval(inputs, &mut [outputs], &mut |batch, found, results| {
                self.note_lanes(batch, found);
                self.are_doubles(batch, results)
            })
    }

    /// Refuses an integer of 64 bits that is not the value of a double.
    #[cfg(target_os = "linux")]
    fn are_doubles(&self, batch: &[&[u64]], results: &[u64]) -> Result<(), BackendError> {
        if !matches!(self.signature.result, Number::Integer(Int::I64 | Int::U64)) {
            return Ok(());
        }
        let Some(at) = results.iter().position(|&r| r == NO_DOUBLE) else {
            return Ok(());
        };
        let words: Vec<u64> = batch.iter().map(|column| column[at]).collect();
        let how = "gives an integer beyond 2^53 that is not the value of a double, so its error is not measured";
        Err(self
            .workers
            .failed(self.inputs().show_words(&words), how.into()))
    }

    #[cfg(target_os = "linux")]
    fn note_lanes(&self, batch: &[&[u64]], found: Option<Lanes>) {
        let Some(found) = found else {
            return;
        };
        let words: Vec<u64> = (batch.iter())
            .filter_map(|column| column.get(found.at).copied())
            .collect();
        let new = LaneDifference {
            count: found.count,
            input: self.inputs().show_words(&words),
            words,
            results: found.results,
            lane: found.lane,
        };
        let mut known = self.lanes.lock().unwrap_or_else(PoisonError::into_inner);
        *known = Some(match known.take() {
            None => new,
            Some(known) => known.merge(new, self.inputs().precision()),
        });
    }

    /// The inputs of all calls so far for which two lanes of a vector function gave different results.
    #[must_use]
    pub fn lane_difference(&self) -> Option<LaneDifference> {
        let known = self.lanes.lock();
        known.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Calls the function; only Linux supports this.
    ///
    /// # Errors
    /// Always; see [`LibraryFunction::open`].
    #[cfg(not(target_os = "linux"))]
    pub fn eval(&self, _inputs: &[&[u64]], _outputs: &mut Vec<u64>) -> Result<(), BackendError> {
        Err(self
            .workers
            .failed(String::new(), "can be called on Linux only".into()))
    }
}

/// The name of a library's function in tables and errors.
#[must_use]
pub fn full_name(symbol: &str, library: &Path) -> String {
    format!("{symbol} of {}", library.display())
}
