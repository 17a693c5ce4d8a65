//! `accuracy.toml`: the worst errors that are known, checked in beside a crate's `Cargo.toml`.
//!
//! One table a sweep, in the order of their names, one key a line, nothing that changes from day to day: two branches
//! that bless different sweeps merge without a conflict.
//!
//! ```toml
//! ["own_crate::accuracy::third"]
//! range = "1.0..2.0"
//! error = 0.7499999999999998
//! worst = ["bits:0x3ffffffffffffffe"]
//! inputs = 1048576
//! exhaustive = false
//! ```
//!
//! `error` is the largest in ULP, as the shortest decimal that reads back the same; `worst` the inputs of the largest
//! error and of the largest on the other side; `inputs` how many were searched for it, and whether those were all;
//! `faults`, where there are any, the kinds of wrong special values that are accepted: `nan`, `infinity`,
//! `zero-sign`.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::search::key::Precision;
use crate::search::range::{Range, quote};

/// The file's name.
pub const FILE: &str = "accuracy.toml";

/// The first lines of the file.
const HEAD: &str = "\
# The worst errors known of this crate's sweeps. A test that finds worse fails; `CRUNCH_BLESS=1 cargo test` or
# `cargo crunch bless` writes what was found.
";

/// What is known of one sweep.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// The range that was searched.
    pub range: String,
    /// Largest error in ULP.
    pub error: f64,
    /// The inputs of the largest error, and of the largest on the other side, as bits.
    pub worst: Vec<String>,
    /// Inputs searched.
    pub inputs: u64,
    /// Whether those were all of the range.
    pub exhaustive: bool,
    /// Kinds of faults that are accepted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
}

impl Known {
    /// The keys of the worst inputs.
    ///
    /// # Errors
    /// On a text that is no input.
    pub fn keys(&self, precision: Precision) -> Result<Vec<i64>, String> {
        let key = |text: &String| match Range::parse(&format!("{text}..={text}"), precision) {
            Ok(one) => Ok(one.spans()[0].first),
            Err(_) => Err(format!(
                "`{}` in `worst` is no input; write its bits, as in bits:0x3ff0000000000000",
                quote(text)
            )),
        };
        self.worst.iter().map(key).collect()
    }
}

/// An input as `worst` has it.
#[must_use]
pub fn input(precision: Precision, key: i64) -> String {
    let digits = match precision {
        Precision::F32 => 8,
        Precision::F64 => 16,
    };
    format!("bits:0x{:0digits$x}", precision.bits_of_key(key))
}

/// All that is known, by the sweeps' names.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Baseline(pub BTreeMap<String, Known>);

/// What is wrong with the file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BaselineError {
    /// It cannot be read or written.
    #[error("{}: {reason}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// It says something that it cannot say.
    #[error(
        "{}: {place}{reason}; mend it, or take the table out and run with CRUNCH_BLESS=1",
        path.display()
    )]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line or the table.
        place: String,
        /// What is wrong.
        reason: String,
    },
}

/// Where a crate's file is.
#[must_use]
pub fn path(folder: &str) -> PathBuf {
    Path::new(folder).join(FILE)
}

impl Baseline {
    /// Reads a file; one that is not there says nothing.
    ///
    /// # Errors
    /// When it cannot be read, or is malformed.
    pub fn read(path: &Path) -> Result<Baseline, BaselineError> {
        match std::fs::read_to_string(path) {
            Ok(text) => Baseline::parse(&text, path),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(Baseline::default()),
            Err(e) => Err(io(path, &e)),
        }
    }

    /// Reads a text; `path` is for messages.
    ///
    /// # Errors
    /// When it is malformed.
    pub fn parse(text: &str, path: &Path) -> Result<Baseline, BaselineError> {
        let malformed = |place: String, reason: String| BaselineError::Malformed {
            path: path.into(),
            place,
            reason,
        };
        let known: BTreeMap<String, Known> = toml::from_str(text).map_err(|e| {
            let upto = e.span().map_or(0, |s| s.start.min(text.len()));
            let line = 1 + text.as_bytes()[..upto]
                .iter()
                .filter(|&&b| b == b'\n')
                .count();
            let reason = e.message().split_whitespace().collect::<Vec<_>>().join(" ");
            malformed(format!("line {line}: "), reason)
        })?;
        for (name, k) in &known {
            if k.error.is_nan() || k.error < 0.0 {
                let reason = format!("an error of {} ULP", k.error);
                return Err(malformed(format!("[{name}]: "), reason));
            }
        }
        Ok(Baseline(known))
    }

    /// The file's text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = HEAD.to_string();
        for (name, known) in &self.0 {
            let one: BTreeMap<&str, &Known> = std::iter::once((name.as_str(), known)).collect();
            text.push('\n');
            // Texts, numbers and lists of texts are all that toml can refuse nothing of.
            text.push_str(&toml::to_string(&one).unwrap_or_default());
        }
        text
    }

    /// Reads a file, changes it and writes it, one process or thread at a time.
    ///
    /// # Errors
    /// When it cannot be read or written, or is malformed: it is then as it was.
    pub fn update(path: &Path, change: impl FnOnce(&mut Baseline)) -> Result<(), BaselineError> {
        let fail = |e: std::io::Error| io(path, &e);
        // The lock is on a file beside it, as the file itself is replaced.
        let folder = std::env::temp_dir();
        let lock = folder.join(format!(
            "crunch-{:016x}.lock",
            super::sample::seed(&path.to_string_lossy())
        ));
        let lock = File::create(lock).map_err(fail)?;
        lock.lock().map_err(fail)?;
        let mut baseline = Baseline::read(path)?;
        let before = baseline.clone();
        change(&mut baseline);
        if baseline != before {
            let new = path.with_extension("toml.new");
            std::fs::write(&new, baseline.text()).map_err(fail)?;
            std::fs::rename(&new, path).map_err(fail)?;
        }
        Ok(())
    }
}

fn io(path: &Path, e: &std::io::Error) -> BaselineError {
    BaselineError::Io {
        path: path.into(),
        reason: e.to_string(),
    }
}
