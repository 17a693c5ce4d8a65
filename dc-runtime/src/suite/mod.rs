//! Tests of accuracy and equivalence under `cargo test`. You declare sweeps next to the kernels, and each sweep becomes several `#[test]`s.
//!
//! [`suite!`](crate::suite!) makes a module with the list of sweeps, for the `crunch` driver. Under `cfg(test)` the module has two kinds of tests
//! for every sweep: one of its accuracy, and one for every family of backends. The largest known error of each sweep is in `accuracy.toml` next to
//! the crate's `Cargo.toml` ([`baseline`]). A test fails if it finds a larger error.
//!
//! | file | what |
//! |---|---|
//! | `macros.rs` | `suite!` |
//! | `entry.rs`, `environment.rs`, `inputs.rs` | the declarations; the settings; the inputs of tests |
//! | `baseline.rs` | `accuracy.toml` |
//! | `accuracy.rs`, `equivalence.rs` | the two kinds of tests |
//! | `certificate.rs`, `hunt.rs` | proofs and worst inputs from the certified bound |
//! | `extend.rs` | the results of a run file in a table of `accuracy.toml` |
//! | `promises.rs` | an entry's promises besides its largest error |
//! | `reduced.rs` | the tests of reductions |
//! | `message.rs` | the messages of tests |
//! | `report.rs` | their results for `cargo crunch` |
//! | `summary.rs` | the list of what was compared here and what was not |
//!
//! Environment variables: `CRUNCH_BLESS=1` accepts the results; `CRUNCH_INPUTS=N` (or `2^k`) sets the number of inputs
//! per sweep; `CRUNCH_SEED=N` selects other inputs; `CRUNCH_REQUIRE=avx2,opencl` makes a missing
//! backend a failure; `CRUNCH_REPORT=FOLDER` writes a JSON file for each test.

mod accuracy;
pub mod baseline;
mod certificate;
mod entry;
mod environment;
mod equivalence;
pub mod extend;
mod hunt;
mod inputs;
mod macros;
mod message;
mod promises;
mod reduced;
pub mod report;
mod summary;
mod written;

pub use entry::{EXHAUSTIVE, Entry, INPUTS, Promise, Reduced, Suite, VECTORS};
pub use environment::{Environment, number};

impl Suite {
    /// The test of an entry's accuracy, which `suite!` calls.
    ///
    /// # Panics
    /// If it fails, with the finding.
    #[track_caller]
    pub fn test_accuracy(&self, name: &str) {
        match self.check_accuracy(name, &Environment::read()) {
            Ok(text) => println!("{text}"),
            Err(finding) => panic!("\n{finding}"),
        }
    }

    /// The same as [`Suite::test_accuracy`], with these settings and without a panic. Returns the test's output. If the kernel was made from
    /// a plain function, it is first compared with the function, bit for bit on the same sample, as the backend `rust`.
    ///
    /// # Errors
    /// If it fails, with the finding.
    ///
    /// # Panics
    /// If there is no such entry.
    pub fn check_accuracy(&self, name: &str, environment: &Environment) -> Result<String, Finding> {
        if let Some(entry) = self.reduction(name) {
            return reduced::accuracy(self, entry, environment).map_err(Finding);
        }
        let entry = self.entry(name);
        // The accuracy is that of the kernel: first it is shown that it is the function's, too.
        let written = written::check(self, entry, environment).map_err(Finding)?;
        let text = accuracy::check(self, entry, environment).map_err(Finding)?;
        Ok(written
            .into_iter()
            .chain([text])
            .collect::<Vec<_>>()
            .join("\n"))
    }

    /// The test of an entry on a family of backends, which `suite!` calls.
    ///
    /// # Panics
    /// If it fails, with the finding; also if `CRUNCH_REQUIRE` names a backend that is missing.
    #[track_caller]
    pub fn test_equivalence(&self, name: &str, family: &str) {
        let environment = Environment::read();
        let result = match self.reduction(name) {
            Some(entry) => reduced::equivalence(self, entry, family, &environment),
            None => equivalence::check(self, self.entry(name), family, &environment),
        };
        match result {
            Ok(text) => println!("{text}"),
            Err(finding) => panic!("\n{finding}"),
        }
    }

    /// The test that reports which backends were compared and which were not. `suite!` calls it.
    ///
    /// # Panics
    /// If `CRUNCH_REQUIRE` names a backend that is missing.
    #[track_caller]
    pub fn test_summary(&self) {
        match summary::check(self, &Environment::read()) {
            Ok(text) => println!("{text}"),
            Err(finding) => panic!("\n{finding}"),
        }
    }

    /// The test that every table of this suite in `accuracy.toml` has an entry. `suite!` calls it.
    ///
    /// # Panics
    /// If there are tables without an entry. The message names them.
    #[track_caller]
    pub fn test_stale(&self) {
        if let Err(finding) = accuracy::stale(self, &Environment::read()) {
            panic!("\n{finding}");
        }
    }
}

/// The reason why a test fails, as the text of its panic.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Finding(String);

#[cfg(test)]
mod tests;
