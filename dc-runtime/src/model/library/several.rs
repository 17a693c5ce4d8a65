//! A function of a shared library with three arguments, two results or complex numbers.

use super::error::LibraryError;
use super::object::Object;
use super::workers::Workers;
use crate::fenv::Environment;
use crate::model::error::BackendError;
use crate::model::several::{Several, Shape};

/// Such a function, the counterpart of [`super::LibraryFunction`].
#[derive(Debug)]
pub struct SeveralFunction {
    workers: Workers,
    types: Several,
}

impl SeveralFunction {
    /// Opens the function with this symbol in a library, like [`super::LibraryFunction::open`].
    ///
    /// # Errors
    /// See [`super::LibraryFunction::open`].
    pub fn open(
        library: &str,
        symbol: &str,
        types: Several,
    ) -> Result<SeveralFunction, LibraryError> {
        Ok(SeveralFunction {
            workers: Workers::start(library, symbol, Shape::Several(types))?,
            types,
        })
    }

    /// Its types.
    #[must_use]
    pub const fn types(&self) -> Several {
        self.types
    }

    /// Its symbol.
    #[must_use]
    pub const fn symbol(&self) -> &str {
        self.workers.symbol()
    }

    /// The file that contains it.
    #[must_use]
    pub const fn object(&self) -> &Object {
        self.workers.object()
    }

    /// `cexp of /usr/lib/libm.so.6`.
    #[must_use]
    pub fn full_name(&self) -> String {
        self.workers.full_name()
    }

    /// The environment of the worker after loading the library, if the library changed it.
    #[must_use]
    pub fn changed_environment(&self) -> Option<Environment> {
        self.workers.changed_environment()
    }

    /// Evaluates it at columns of bits, one for each word of its arguments. Returns one column for each word of its results. NaNs are
    /// canonical.
    ///
    /// # Errors
    /// See [`super::LibraryFunction::eval`].
    #[cfg(target_os = "linux")]
    pub fn eval(&self, inputs: &[Vec<u64>]) -> Result<Vec<Vec<u64>>, BackendError> {
        let inputs: Vec<&[u64]> = inputs.iter().map(Vec::as_slice).collect();
        let mut results = vec![Vec::new(); self.types.results()];
        let mut columns: Vec<&mut Vec<u64>> = results.iter_mut().collect();
        self.workers
            .eval(&inputs, &mut columns, &mut |_, _, _| Ok(()))?;
        Ok(results)
    }

    /// Evaluates it; only Linux supports this.
    ///
    /// # Errors
    /// Always.
    #[cfg(not(target_os = "linux"))]
    pub fn eval(&self, _inputs: &[Vec<u64>]) -> Result<Vec<Vec<u64>>, BackendError> {
        Err(self
            .workers
            .failed(String::new(), "can be called on Linux only".into()))
    }
}
