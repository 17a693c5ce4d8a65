//! Sweeps that are declared together, each with its requirements.

use crate::reductions::Reduction;
use crate::sweep::Sweep;

/// The default number of inputs of a sweep. A test of this size takes about a second even in a build without optimisation.
pub const INPUTS: u64 = 1 << 20;

/// The number of inputs of a sweep with `exhaustive`: a test takes all of them.
pub const EXHAUSTIVE: u64 = u64::MAX;

/// A set of sweeps that are declared together.
#[derive(Debug, Clone, Copy)]
pub struct Suite {
    /// `module_path!()` of the suite. Followed by an entry's name, it is the entry's name in `accuracy.toml`.
    pub module: &'static str,
    /// The folder of the crate's `Cargo.toml`, where `accuracy.toml` is.
    pub folder: &'static str,
    /// The sweeps.
    pub entries: &'static [Entry],
    /// The reductions.
    pub reductions: &'static [Reduced],
}

/// A sweep with its requirements.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// Routine, reference and range.
    pub sweep: Sweep,
    /// Largest error allowed, in ULP.
    pub within: f64,
    /// The file of a certificate which proves that no error is above `within`, relative to the suite's folder.
    pub certificate: Option<&'static str>,
    /// The seconds of a hunt for the worst input when results are accepted; 0 for no hunt.
    pub hunt: f64,
    /// The approximate number of inputs of a test. A smaller range is tested completely.
    pub inputs: u64,
    /// Its promises besides the largest error.
    pub promises: &'static [Promise],
}

/// The default number of vectors of a reduction.
pub const VECTORS: u64 = 1 << 14;

/// A reduction. The allowed error is that of its first order.
#[derive(Debug, Clone, Copy)]
pub struct Reduced {
    /// Its function and orders.
    pub reduction: Reduction<'static>,
    /// The number of vectors of a test.
    pub inputs: u64,
}

impl Suite {
    /// The entry's name in `accuracy.toml`.
    #[must_use]
    pub fn key(&self, entry: &Entry) -> String {
        format!("{}::{}", self.module, entry.sweep.name)
    }

    /// The name of a reduction in `accuracy.toml`.
    #[must_use]
    pub fn key_of(&self, reduced: &Reduced) -> String {
        format!("{}::{}", self.module, reduced.reduction.name)
    }

    /// The reduction with this name, if there is one.
    #[must_use]
    pub fn reduction(&self, name: &str) -> Option<&Reduced> {
        self.reductions.iter().find(|r| r.reduction.name == name)
    }

    /// The entry with this name.
    ///
    /// # Panics
    /// If there is no such entry.
    #[must_use]
    pub fn entry(&self, name: &str) -> &Entry {
        let mut all = self.entries.iter();
        all.find(|e| e.sweep.name == name)
            .unwrap_or_else(|| panic!("the suite {} has no entry `{name}`", self.module))
    }
}

/// A promise.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Promise {
    /// If the true value is known to be exactly a number of the format, the result is this number.
    Exact,
    /// No result is below that of a smaller input.
    Increasing,
    /// No result is above that of a smaller input.
    Decreasing,
    /// `f(-x) = -f(x)`, with the sign of zeros.
    Odd,
    /// `f(-x) = f(x)`, with the sign of zeros.
    Even,
    /// Every result is in this range.
    Results(&'static str),
    /// From one number to the next, the error changes by at most this many ULP.
    Seams(f64),
}
