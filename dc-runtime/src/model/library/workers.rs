//! A function of a library, of any types, and the workers that call it.

use std::path::Path;
#[cfg(target_os = "linux")]
use std::sync::{Mutex, PoisonError};

use super::error::LibraryError;
use super::full_name;
use super::object::Object;
#[cfg(target_os = "linux")]
use super::process::{Failed, Lanes, Process};
#[cfg(target_os = "linux")]
use super::protocol::BATCH;
use crate::fenv::Environment;
use crate::model::error::BackendError;
#[cfg(target_os = "linux")]
use crate::model::patience;
use crate::model::several::Shape;

/// A function and the workers that call it.
#[derive(Debug)]
pub struct Workers {
    symbol: String,
    shape: Shape,
    object: Object,
    /// The floating-point environment after loading the library. The function is called in the default environment.
    loaded_in: Environment,
    /// Workers that are not in use.
    #[cfg(target_os = "linux")]
    idle: Mutex<Vec<Process>>,
}

/// Called after each batch: its inputs, the findings about its lanes, and its first results.
#[cfg(target_os = "linux")]
pub type Done<'a> = dyn FnMut(&[&[u64]], Option<Lanes>, &[u64]) -> Result<(), BackendError> + 'a;

impl Workers {
    #[cfg(target_os = "linux")]
    pub fn start(library: &str, symbol: &str, shape: Shape) -> Result<Workers, LibraryError> {
        let (process, loaded) = Process::start(library, symbol, &shape)?;
        let object = Object::read(Path::new(&loaded.path), Some(symbol))?;
        object.expect_function(symbol)?;
        Ok(Workers {
            symbol: symbol.into(),
            shape,
            object,
            loaded_in: loaded.environment,
            idle: Mutex::new(vec![process]),
        })
    }

    #[cfg(not(target_os = "linux"))]
    pub fn start(_library: &str, symbol: &str, _shape: Shape) -> Result<Workers, LibraryError> {
        Err(LibraryError::Worker {
            symbol: symbol.into(),
            reason: "functions of libraries can be called on Linux only".into(),
        })
    }

    pub const fn symbol(&self) -> &str {
        self.symbol.as_str()
    }

    pub const fn object(&self) -> &Object {
        &self.object
    }

    pub fn changed_environment(&self) -> Option<Environment> {
        Some(self.loaded_in).filter(|e| !e.is_default())
    }

    pub fn full_name(&self) -> String {
        full_name(&self.symbol, &self.object.path)
    }

    /// Evaluates it at columns of bits, with one column for each word of its arguments and of its results.
    #[cfg(target_os = "linux")]
    pub fn eval(
        &self,
        inputs: &[&[u64]],
        outputs: &mut [&mut Vec<u64>],
        done: &mut Done<'_>,
    ) -> Result<(), BackendError> {
        let length = inputs.first().map_or(0, |c| c.len());
        for column in outputs.iter_mut() {
            column.clear();
            column.reserve(length);
        }
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
                    let results = outputs.first().map_or(&[][..], |c| &c[from..]);
                    done(&batch, found, results)?;
                }
                Err(failed) => return Err(self.failure(&batch, process, failed)),
            }
        }
        Ok(())
    }

    pub fn failed(&self, input: String, how: String) -> BackendError {
        BackendError::Function {
            function: self.full_name(),
            input,
            how,
        }
    }

    #[cfg(target_os = "linux")]
    fn another(&self) -> Result<Process, BackendError> {
        let path = self.object.path.to_string_lossy();
        let started = Process::start(&path, &self.symbol, &self.shape);
        let (process, _) = started.map_err(|e| BackendError::Unavailable {
            backend: self.full_name(),
            reason: e.to_string(),
            remedy: "It could be called before.".into(),
        })?;
        Ok(process)
    }

    /// The error for a batch that failed. If the worker has ended, the input at which it ended is called alone in a new worker. This
    /// decides whether that input or the preceding calls are the cause.
    #[cfg(target_os = "linux")]
    fn failure(&self, batch: &[&[u64]], mut process: Process, failed: Failed) -> BackendError {
        let shown = |at: usize| {
            let words: Vec<u64> = batch.iter().filter_map(|c| c.get(at).copied()).collect();
            self.shape.show_words(&words)
        };
        match failed {
            Failed::Hung { at, seconds } => {
                let how = format!(
                    "has not returned after {seconds} s; {} (in seconds) gives it more",
                    patience::VARIABLE
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
                let again = self.another().map(|mut p| p.call(&alone, &mut []));
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
