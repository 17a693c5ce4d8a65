//! Accuracy and equivalence from `cargo test`: sweeps declared beside the kernels, each a handful of `#[test]`s.
//!
//! [`suite!`](crate::suite!) makes a module with the list of sweeps for the `crunch` driver and, under `cfg(test)`,
//! for every sweep a test of its accuracy and one for every family of backends. What is known of each sweep's worst
//! error lies in `accuracy.toml` beside the crate's `Cargo.toml` ([`baseline`]); a test fails when it finds worse.
//!
//! | file | what |
//! |---|---|
//! | `macros.rs` | `suite!` |
//! | `baseline.rs` | `accuracy.toml` |
//! | `accuracy.rs`, `equivalence.rs` | the two kinds of tests |
//! | `certificate.rs`, `hunt.rs` | proofs and worst inputs from the certified bound |
//! | `message.rs` | what they say when they fail |
//! | `report.rs` | what `cargo crunch` reads of them |
//! | `summary.rs` | what was compared here and what was not |
//!
//! Environment: `CRUNCH_BLESS=1` accepts what is found; `CRUNCH_INPUTS=N` (or `2^k`) takes so many inputs a sweep in
//! place of its own number; `CRUNCH_SEED=N` takes others; `CRUNCH_REQUIRE=avx2,opencl` makes a missing backend a
//! failure; `CRUNCH_REPORT=FOLDER` leaves a JSON file for each test.

pub mod accuracy;
pub mod baseline;
mod certificate;
pub mod equivalence;
mod hunt;
mod macros;
mod message;
pub mod report;
pub mod summary;

use crate::sweep::Sweep;

/// Inputs a sweep where it names no number: a second's work even for a build without optimisation.
pub const INPUTS: u64 = 1 << 20;

/// Sweeps declared together.
#[derive(Debug, Clone, Copy)]
pub struct Suite {
    /// `module_path!()` of the suite: with an entry's name it is the entry's name in `accuracy.toml`.
    pub module: &'static str,
    /// Folder of the crate's `Cargo.toml`, where `accuracy.toml` is.
    pub folder: &'static str,
    /// The sweeps.
    pub entries: &'static [Entry],
}

/// A sweep with what is asked of it.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// Routine, reference and range.
    pub sweep: Sweep,
    /// Largest error allowed, in ULP.
    pub within: f64,
    /// The file of a certificate that no error is above `within`, from the suite's folder.
    pub certificate: Option<&'static str>,
    /// Seconds of a hunt for the worst input, when what is found is accepted; 0 for none.
    pub hunt: f64,
    /// About so many inputs are taken; all of a range that has no more.
    pub inputs: u64,
}

impl Suite {
    /// The entry's name in `accuracy.toml`.
    #[must_use]
    pub fn key(&self, entry: &Entry) -> String {
        format!("{}::{}", self.module, entry.sweep.name)
    }

    /// The entry of that name.
    ///
    /// # Panics
    /// When there is none.
    #[must_use]
    pub fn entry(&self, name: &str) -> &Entry {
        let mut all = self.entries.iter();
        all.find(|e| e.sweep.name == name)
            .unwrap_or_else(|| panic!("the suite {} has no entry `{name}`", self.module))
    }

    /// The test of an entry's accuracy, as `suite!` makes it.
    ///
    /// # Panics
    /// With the finding.
    #[track_caller]
    pub fn test_accuracy(&self, name: &str) {
        match accuracy::check(self, self.entry(name), &Environment::read()) {
            Ok(text) => println!("{text}"),
            Err(finding) => panic!("\n{finding}"),
        }
    }

    /// The test of an entry on a family of backends, as `suite!` makes it.
    ///
    /// # Panics
    /// With the finding; and when `CRUNCH_REQUIRE` names a backend that is missing.
    #[track_caller]
    pub fn test_equivalence(&self, name: &str, family: &str) {
        match equivalence::check(self, self.entry(name), family, &Environment::read()) {
            Ok(text) => println!("{text}"),
            Err(finding) => panic!("\n{finding}"),
        }
    }

    /// The test that says what was compared here and what was not, as `suite!` makes it.
    ///
    /// # Panics
    /// When `CRUNCH_REQUIRE` names a backend that is missing.
    #[track_caller]
    pub fn test_summary(&self) {
        match summary::check(self, &Environment::read()) {
            Ok(text) => println!("{text}"),
            Err(finding) => panic!("\n{finding}"),
        }
    }

    /// The test that `accuracy.toml` names none of this suite's that is gone, as `suite!` makes it.
    ///
    /// # Panics
    /// Naming them.
    #[track_caller]
    pub fn test_stale(&self) {
        if let Err(finding) = accuracy::stale(self, &Environment::read()) {
            panic!("\n{finding}");
        }
    }
}

/// What the environment asks for.
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
    /// Reads it.
    ///
    /// # Panics
    /// On a value that cannot be meant, naming the variable, the value and what to write.
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

/// A number of inputs as it may be written: `1000`, `0x3e8` or `2^10`.
#[must_use]
pub fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => crate::search::plan::power(text),
    }
}

#[cfg(test)]
mod tests;
