//! Tests of accuracy and equivalence under `cargo test`. You declare sweeps next to the kernels, and each sweep becomes several `#[test]`s.
//!
//! [`suite!`](crate::suite!) makes a module with the list of sweeps, for the `crunch` driver. Under `cfg(test)` the module has, for every sweep, a
//! test of its accuracy and one for every family of backends. The largest known error of each sweep is in `accuracy.toml` next to the crate's
//! `Cargo.toml` ([`baseline`]). A test fails if it finds a larger error.
//!
//! | file | what |
//! |---|---|
//! | `macros.rs` | `suite!` |
//! | `baseline.rs` | `accuracy.toml` |
//! | `accuracy.rs`, `equivalence.rs` | the two kinds of tests |
//! | `certificate.rs`, `hunt.rs` | proofs and worst inputs from the certified bound |
//! | `extend.rs` | the results of a run file in a table of `accuracy.toml` |
//! | `promises.rs` | what an entry promises beside its largest error |
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
mod equivalence;
pub mod extend;
mod hunt;
mod macros;
mod message;
mod promises;
pub mod report;
mod summary;
mod written;

pub use promises::Promise;

use crate::sweep::Sweep;

/// The default number of inputs of a sweep: a test takes about a second even in a build without optimisation.
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
    /// What it promises beside its largest error.
    pub promises: &'static [Promise],
}

impl Suite {
    /// The entry's name in `accuracy.toml`.
    #[must_use]
    pub fn key(&self, entry: &Entry) -> String {
        format!("{}::{}", self.module, entry.sweep.name)
    }

    /// The entry with that name.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn entry(&self, name: &str) -> &Entry {
        let mut all = self.entries.iter();
        all.find(|e| e.sweep.name == name)
            .unwrap_or_else(|| panic!("the suite {} has no entry `{name}`", self.module))
    }

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

    /// Does what [`Suite::test_accuracy`] does, with these settings and without a panic. Returns the test's output. For the kernel of a plain
    /// function, it first compares the kernel with the function, bit for bit on the same sample, as the backend `rust`.
    ///
    /// # Errors
    /// If it fails, with the finding.
    ///
    /// # Panics
    /// If there is no such entry.
    pub fn check_accuracy(&self, name: &str, environment: &Environment) -> Result<String, Finding> {
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
    /// If it fails, with the finding; and if `CRUNCH_REQUIRE` names a backend that is missing.
    #[track_caller]
    pub fn test_equivalence(&self, name: &str, family: &str) {
        match equivalence::check(self, self.entry(name), family, &Environment::read()) {
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

/// The settings in environment variables.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Environment {
    /// `CRUNCH_BLESS`.
    pub bless: bool,
    /// `CRUNCH_INPUTS`.
    pub inputs: Option<u64>,
    /// `CRUNCH_SEED`.
    pub seed: Option<u64>,
    /// `CRUNCH_REPORT`.
    pub report: Option<std::path::PathBuf>,
}

impl Environment {
    /// Reads the environment variables.
    ///
    /// # Panics
    /// On an invalid value, with the variable, the value and valid ones.
    #[must_use]
    pub fn read() -> Environment {
        Environment::from(|name| std::env::var(name).ok()).unwrap_or_else(|e| panic!("{e}"))
    }

    fn from(variable: impl Fn(&str) -> Option<String>) -> Result<Environment, String> {
        let given = |name: &str| variable(name).filter(|v| !v.trim().is_empty());
        let number = |name: &str| match given(name) {
            None => Ok(None),
            Some(text) => number(text.trim())
                .map(Some)
                .ok_or_else(|| format!("{name}={text}: write a number, or a power as in 2^24")),
        };
        let bless = match given("CRUNCH_BLESS").as_deref() {
            None | Some("0") => false,
            Some("1") => true,
            Some(other) => {
                return Err(format!(
                    "CRUNCH_BLESS={other}: write 1 to accept what is found"
                ));
            }
        };
        let inputs = number("CRUNCH_INPUTS")?;
        if inputs == Some(0) {
            return Err("CRUNCH_INPUTS=0: write a number from 1 up, or a power as in 2^24".into());
        }
        Ok(Environment {
            bless,
            inputs,
            seed: number("CRUNCH_SEED")?,
            report: given("CRUNCH_REPORT").map(Into::into),
        })
    }
}

/// Parses a number of inputs: `1000`, `0x3e8` or `2^10`.
#[must_use]
pub fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => crate::search::range::power(text),
    }
}

#[cfg(test)]
mod tests;
