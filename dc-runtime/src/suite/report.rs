//! A test's result for `cargo crunch`: a JSON file in the folder that `CRUNCH_REPORT` names.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::baseline::{Known, input};
use crate::model::block::{BlockResult, FaultKind};
use crate::search::identity::Identity;
use crate::sweep::Sweep;

/// One test's outcome.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Report {
    /// The entry's name in `accuracy.toml`.
    pub entry: String,
    /// Folder of its crate.
    pub folder: String,
    /// The kind of the test.
    pub test: Test,
    /// How it ended.
    pub outcome: Outcome,
    /// The number of inputs searched.
    pub inputs: u64,
    /// The number of inputs of the range.
    pub of: u128,
    /// One line, or the message of the failure.
    pub text: String,
}

/// The kind of a test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(
    clippy::large_enum_variant,
    reason = "there is one of each test, for as long as it is written or read"
)]
pub enum Test {
    /// The accuracy.
    Accuracy {
        /// The result.
        found: Known,
        /// The known result.
        known: Option<Known>,
        /// Largest error allowed.
        within: f64,
    },
    /// A comparison of a backend with plain Rust.
    Backend {
        /// Its id, or its family if it is missing.
        id: String,
    },
}

/// How a test ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It passed.
    Passed,
    /// It failed.
    Failed,
    /// It found a larger error than the known one although routine and reference are unchanged: earlier tests searched too few inputs.
    WorseInput,
    /// The backend is not present.
    Skipped,
}

impl Outcome {
    /// Whether the test failed.
    #[must_use]
    pub fn is_failure(self) -> bool {
        matches!(self, Outcome::Failed | Outcome::WorseInput)
    }
}

/// The result of a search of a sweep in the form of `accuracy.toml`.
#[must_use]
pub fn found(sweep: &Sweep, result: &BlockResult, exhaustive: bool) -> Known {
    let (space, range) = (sweep.inputs, sweep.range);
    let mut worst: Vec<i64> = Vec::new();
    for e in [result.max, result.max_positive, result.max_negative] {
        if e.exists() && e.error() > 0.0 && !worst.contains(&e.key) {
            worst.push(e.key);
        }
    }
    let faults = FaultKind::ALL.iter().zip(&result.faults);
    Known {
        range: range.into(),
        error: if result.max.exists() {
            result.max.error()
        } else {
            0.0
        },
        worst: worst.iter().map(|&k| input(space, k)).collect(),
        inputs: result.count,
        exhaustive,
        faults: faults
            .filter(|(_, f)| f.count > 0)
            .map(|(kind, _)| kind.name().to_string())
            .collect(),
        kernels: Identity::of(sweep).map_or_else(|_| Vec::new(), |i| i.hashes_of_both()),
    }
}

impl Report {
    /// Writes it to a folder.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn leave(&self, folder: &Path) -> Result<(), String> {
        let what = match &self.test {
            Test::Accuracy { .. } => "accuracy".to_string(),
            Test::Backend { id } => id.clone(),
        };
        let name: String = format!("{}.{what}", self.entry)
            .chars()
            .map(|c| {
                if c.is_ascii_alphanumeric() || "._-".contains(c) {
                    c
                } else {
                    '-'
                }
            })
            .collect();
        let path = folder.join(format!("{name}.json"));
        let text = serde_json::to_string_pretty(self).map_err(|e| e.to_string())?;
        std::fs::create_dir_all(folder)
            .and_then(|()| std::fs::write(&path, text))
            .map_err(|e| format!("CRUNCH_REPORT: {}: {e}", path.display()))
    }
}
