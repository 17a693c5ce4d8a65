//! Functions of shared libraries, which are called in separate processes.
//!
//! A library may do anything to the process that loads it: crash at an input, end the process, never return, or change
//! the floating-point environment when it is loaded. So this process never loads one. It starts its own program again,
//! once for each thread that calls the function, as a *worker* (`worker.rs`). The worker shares a column of memory for each
//! argument with this process, and receives over a socket the number of inputs in the columns (`process.rs`).
//!
//! | file | what |
//! |---|---|
//! | `object` | data from a library's file, read without loading it: its build, its symbols |
//! | `worker` | the worker's side: loads the library and calls the function |
//! | `calls` | the call of a function of any type, for a column of arguments |
//! | `value` | numbers as C passes them |
//! | `vector` | the call of a vector function, with each input in each lane |
//! | `lanes` | the types that the name of a vector function states, and what its lanes gave |
//! | `process` | this process's side: starts a worker, passes it inputs, determines how it ended |
//! | `shared` | the shared columns |

#[cfg(target_os = "linux")]
mod calls;
mod error;
mod lanes;
mod object;
#[cfg(target_os = "linux")]
mod process;
mod protocol;
#[cfg(target_os = "linux")]
mod shared;
#[cfg(target_os = "linux")]
mod value;
#[cfg(target_os = "linux")]
mod vector;
#[cfg(target_os = "linux")]
mod worker;

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use kernels_gen::ir::Kernel;

use super::error::BackendError;
#[cfg(target_os = "linux")]
use super::integers::Int;
#[cfg(target_os = "linux")]
use super::signature::Number;
use super::signature::Signature;
use super::space::InputSpace;
use crate::fenv::Environment;
pub use error::LibraryError;
pub use lanes::LaneDifference;
pub use object::Object;
#[cfg(target_os = "linux")]
use process::{Failed, Lanes, Process};
#[cfg(target_os = "linux")]
use protocol::NO_DOUBLE;
pub use protocol::{BATCH, WORKER};
#[cfg(target_os = "linux")]
pub use worker::serve;

/// A function of a shared library, of one or two arguments: `float f(float)`, `double f(double, double)`, `uint16_t f(float)`.
#[derive(Debug)]
pub struct LibraryFunction {
    symbol: String,
    signature: Signature,
    object: Object,
    /// The floating-point environment after loading the library. The function is called in the default one.
    loaded_in: Environment,
    /// The kernel that was lifted from it.
    lifted: Option<&'static Kernel>,
    /// The inputs at which its lanes differ.
    lanes: Mutex<Option<LaneDifference>>,
    /// Workers that are not in use.
    #[cfg(target_os = "linux")]
    idle: Mutex<Vec<Process>>,
}

impl LibraryFunction {
    /// Opens the function with that symbol in a library. The library is given by a path, or by a name that the system's loader
    /// finds (`libm.so.6`).
    ///
    /// The function is called by workers, which run this program again: its `main` must pass its command line to
    /// `driver::main` or [`serve`].
    ///
    /// # Errors
    /// If there is no such library or no such symbol in it, or no worker can be started.
    #[cfg(target_os = "linux")]
    pub fn open(
        library: &str,
        symbol: &str,
        signature: impl Into<Signature>,
    ) -> Result<LibraryFunction, LibraryError> {
        let signature = signature.into();
        lanes::fits(symbol, signature)?;
        let (process, loaded) = Process::start(library, symbol, signature)?;
        let object = Object::read(Path::new(&loaded.path), Some(symbol))?;
        object.expect_function(symbol)?;
        Ok(LibraryFunction {
            symbol: symbol.into(),
            signature,
            object,
            loaded_in: loaded.environment,
            lifted: None,
            lanes: Mutex::default(),
            idle: Mutex::new(vec![process]),
        })
    }

    /// Opens a function, as on Linux, where this is supported.
    ///
    /// # Errors
    /// Always: the workers' shared memory exists only on Linux.
    #[cfg(not(target_os = "linux"))]
    pub fn open(
        _library: &str,
        symbol: &str,
        _signature: impl Into<Signature>,
    ) -> Result<LibraryFunction, LibraryError> {
        Err(LibraryError::Worker {
            symbol: symbol.into(),
            reason: "functions of libraries can be called on Linux only".into(),
        })
    }

    /// The same function with the kernel that was lifted from it and compared with it. Bounds and proofs are about this kernel.
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
        self.symbol.as_str()
    }

    /// The types of its arguments and its result.
    #[must_use]
    pub const fn signature(&self) -> Signature {
        self.signature
    }

    /// All of its inputs.
    #[must_use]
    pub const fn inputs(&self) -> InputSpace {
        self.signature.inputs
    }

    /// The file that contains it. This may be another file than the named one: a library that it needs.
    #[must_use]
    pub fn object(&self) -> &Object {
        &self.object
    }

    /// The environment of the worker after loading the library, if the library changed it.
    #[must_use]
    pub fn changed_environment(&self) -> Option<Environment> {
        Some(self.loaded_in).filter(|e| !e.is_default())
    }

    /// `expf of /usr/lib/libm.so.6`.
    #[must_use]
    pub fn full_name(&self) -> String {
        full_name(&self.symbol, &self.object.path)
    }

    /// Evaluates it at columns of bits, one for each argument. NaNs are canonical.
    ///
    /// # Errors
    /// [`BackendError::Function`], with the function's name and the input, if the function ends its process, does not return in
    /// time or changes the floating-point environment.
    #[cfg(target_os = "linux")]
    pub fn eval(&self, inputs: &[&[u64]], outputs: &mut Vec<u64>) -> Result<(), BackendError> {
        let length = inputs.first().map_or(0, |c| c.len());
        outputs.clear();
        outputs.reserve(length);
        for from in (0..length).step_by(BATCH) {
            let to = length.min(from + BATCH);
            let batch: Vec<&[u64]> = inputs.iter().map(|c| &c[from..to]).collect();
            let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            let waiting = idle().pop();
            let mut process = match waiting {
                Some(process) => process,
                None => self.another()?,
            };
            match process.call(&batch, outputs) {
                Ok(()) => {
                    let found = process.lanes();
                    idle().push(process);
                    self.note_lanes(&batch, found);
                    self.are_doubles(&batch, &outputs[from..])?;
                }
                Err(failed) => return Err(self.failure(&batch, process, failed)),
            }
        }
        Ok(())
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
        Err(self.failed(self.inputs().show_words(&words), how.into()))
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

    /// Serves as a worker, as on Linux, where this is supported.
    ///
    /// # Errors
    /// Always; see [`LibraryFunction::open`].
    #[cfg(not(target_os = "linux"))]
    pub fn eval(&self, _inputs: &[&[u64]], _outputs: &mut Vec<u64>) -> Result<(), BackendError> {
        Err(self.failed(String::new(), "can be called on Linux only".into()))
    }

    fn failed(&self, input: String, how: String) -> BackendError {
        BackendError::Function {
            function: self.full_name(),
            input,
            how,
        }
    }

    #[cfg(target_os = "linux")]
    fn another(&self) -> Result<Process, BackendError> {
        let path = self.object.path.to_string_lossy();
        let started = Process::start(&path, &self.symbol, self.signature);
        let (process, _) = started.map_err(|e| BackendError::Unavailable {
            backend: self.full_name(),
            reason: e.to_string(),
            remedy: "It could be called before.".into(),
        })?;
        Ok(process)
    }

    /// The error for a batch that failed. If the worker has ended, the input at which it ended is called alone in a new
    /// worker: this decides whether that input or the preceding calls are the cause.
    #[cfg(target_os = "linux")]
    fn failure(&self, batch: &[&[u64]], mut process: Process, failed: Failed) -> BackendError {
        let shown = |at: usize| {
            let words: Vec<u64> = batch.iter().filter_map(|c| c.get(at).copied()).collect();
            self.inputs().show_words(&words)
        };
        match failed {
            Failed::Hung { at, seconds } => {
                let how = format!(
                    "has not returned after {seconds} s; {} (in seconds) gives it more",
                    super::patience::VARIABLE
                );
                self.failed(shown(at), how)
            }
            Failed::Environment(environment) => {
                let at = process.first_to_change_the_environment(batch);
                let how = format!("changed the floating-point environment to {environment}");
                self.failed(shown(at.unwrap_or(0)), how)
            }
            Failed::Gone { at, how } => {
                let alone: Vec<&[u64]> = batch
                    .iter()
                    .map(|c| c.get(at..=at).unwrap_or_default())
                    .collect();
                let again = self.another().map(|mut p| p.call(&alone, &mut Vec::new()));
                let how = match again {
                    Ok(Err(Failed::Gone { how: again, .. })) if again == how => how,
                    _ => format!(
                        "{how}, though not when it is called with this input alone; the {at} inputs before it began at {}",
                        shown(0)
                    ),
                };
                self.failed(shown(at), how)
            }
        }
    }
}

/// The name of a library's function in tables and errors.
#[must_use]
pub fn full_name(symbol: &str, library: &Path) -> String {
    format!("{symbol} of {}", library.display())
}
