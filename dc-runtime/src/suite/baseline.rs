//! `accuracy.toml`: the worst known errors, committed next to a crate's `Cargo.toml`.
//!
//! It has one table per sweep, in the order of their names, and one key per line. It contains no dates or times, so
//! two branches that bless different sweeps merge without a conflict.
//!
//! ```toml
//! ["own_crate::accuracy::third"]
//! range = "1.0..2.0"
//! error = 0.7499999999999998
//! worst = ["bits:0x3ffffffffffffffe"]
//! inputs = 1048576
//! exhaustive = false
//! kernels = ["9c1f0ab2d4e85f6791a3b5c7d9e0f214", "03e1d2c4b5a69788f0e1d2c3b4a59687"]
//! ```
//!
//! `error` is the largest error in ULP, as the shortest decimal that parses to it. `worst` has the inputs of the largest error and of the
//! largest error on the other side. `inputs` is the number of inputs searched, and `exhaustive` states whether these were all inputs.
//! `kernels` has the identities of routine and reference. They distinguish changed kernels from a worse input of unchanged kernels.
//! `faults`, if present, are the kinds of accepted wrong special values: `nan`, `infinity`, `zero-sign`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::model::space::InputSpace;
use crate::search::lock::Lock;
use crate::search::range::{Range, quote};
use crate::search::replace::replace;

/// The file's name.
pub const FILE: &str = "accuracy.toml";

/// How long a test waits for other tests of a suite that write the file.
const PATIENCE: Duration = Duration::from_secs(60);

/// The first lines of the file.
const HEAD: &str = "\
# The worst errors known of this crate's sweeps. A test that finds worse fails; `CRUNCH_BLESS=1 cargo test` or
# `cargo crunch bless` writes what was found.
";

/// The known error of one sweep.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// The range that was searched.
    pub range: String,
    /// Largest error in ULP.
    pub error: f64,
    /// The inputs of the largest error, and of the largest error on the other side, as bits.
    pub worst: Vec<String>,
    /// The number of inputs searched.
    pub inputs: u64,
    /// Whether these were all inputs of the range.
    pub exhaustive: bool,
    /// Kinds of faults that are accepted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
    /// The identities of routine and reference. Empty if one of them is not a kernel, and in files from before 0.2.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kernels: Vec<String>,
}

impl Known {
    /// Whether both results are known to belong to the same routine and reference.
    #[must_use]
    pub fn same_kernels(&self, other: &Known) -> bool {
        !self.kernels.is_empty() && self.kernels == other.kernels
    }

    /// Whether these known errors are stable: a test with them finds no larger ones.
    #[must_use]
    pub fn is_fixed(&self, found: &Known) -> bool {
        self.range == found.range
            && self.error.to_bits() == found.error.to_bits()
            && self.worst == found.worst
    }

    /// The keys of the worst inputs.
    ///
    /// # Errors
    /// If a text is not an input.
    pub(super) fn keys(&self, inputs: InputSpace) -> Result<Vec<i64>, String> {
        let precision = match inputs {
            InputSpace::Numbers(precision) => precision,
            // The selection of pairs does not depend on known inputs.
            _ => return Ok(Vec::new()),
        };
        let key = |text: &String| match Range::parse(&format!("{text}..={text}"), precision) {
            Ok(one) => Ok(one.spans()[0].first),
            Err(_) => Err(format!(
                "`{}` in `worst` is not an input; write its bits, as in bits:0x3ff0000000000000",
                quote(text)
            )),
        };
        self.worst.iter().map(key).collect()
    }
}

/// An input in the form of `worst`.
#[must_use]
pub fn input(space: InputSpace, key: i64) -> String {
    space.input(key)
}

/// All known errors, by the sweeps' names.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Baseline(pub BTreeMap<String, Known>);

/// The errors of reading and writing the file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BaselineError {
    /// It cannot be read or written.
    #[error("{}: {reason}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// It is malformed.
    #[error(
        "{}: {place}{reason}; correct it, or take the table out and run with CRUNCH_BLESS=1",
        path.display()
    )]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line or the table with the error.
        place: String,
        /// The error.
        reason: String,
    },
}

/// The path of a crate's file.
#[must_use]
pub fn path(folder: &str) -> PathBuf {
    Path::new(folder).join(FILE)
}

impl Baseline {
    /// Reads a file. If it does not exist, there are no known errors.
    ///
    /// # Errors
    /// If it cannot be read, or is malformed.
    pub fn read(path: &Path) -> Result<Baseline, BaselineError> {
        Ok(Baseline::read_if_there(path)?.unwrap_or_default())
    }

    /// Reads a file, if it exists.
    ///
    /// # Errors
    /// If it cannot be read, or is malformed.
    pub fn read_if_there(path: &Path) -> Result<Option<Baseline>, BaselineError> {
        match std::fs::read_to_string(path) {
            Ok(text) => Baseline::parse(&text, path).map(Some),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(io(path, &e)),
        }
    }

    /// Parses a text; `path` is for messages.
    ///
    /// # Errors
    /// If it is malformed.
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
            let wrong = if !k.error.is_finite() || k.error < 0.0 {
                format!("an error of {} ULP, which no search finds", k.error)
            } else if k.worst.is_empty() && k.error > 0.0 {
                format!(
                    "an error of {} ULP, and no input in `worst` that has it",
                    k.error
                )
            } else if k.inputs == 0 {
                "nothing was searched for it: `inputs` is 0".into()
            } else {
                continue;
            };
            return Err(malformed(format!("[{name}]: "), wrong));
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
            // toml can represent all texts, numbers and lists of texts.
            text.push_str(&toml::to_string(&one).unwrap_or_default());
        }
        text
    }

    /// Reads a file, changes it and writes it; only one process or thread does so at a time.
    ///
    /// # Errors
    /// If it cannot be read or written, or is malformed. The file is then unchanged.
    pub fn update(path: &Path, change: impl FnOnce(&mut Baseline)) -> Result<(), BaselineError> {
        // The lock is next to the file, so that all writers use the same one; the file itself is replaced.
        let _lock = Lock::take(path, PATIENCE).map_err(|e| BaselineError::Io {
            path: path.into(),
            reason: e.to_string(),
        })?;
        let mut baseline = Baseline::read(path)?;
        let before = baseline.clone();
        change(&mut baseline);
        if baseline != before {
            replace(path, baseline.text().as_bytes()).map_err(|e| io(path, &e))?;
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

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;
    use crate::search::testing::Folder;

    /// The file that a child of this test adds a table to, and the table's name.
    const FILE_OF_CHILD: &str = "CRUNCH_TEST_BASELINE";
    const NAME_OF_CHILD: &str = "CRUNCH_TEST_BASELINE_NAME";

    fn add(path: &Path, name: &str) {
        let known = Known {
            range: "1.0..2.0".into(),
            error: 0.5,
            worst: vec!["bits:0x3ff0000000000000".into()],
            inputs: 1,
            exhaustive: false,
            faults: Vec::new(),
            kernels: Vec::new(),
        };
        let change = |b: &mut Baseline| {
            b.0.insert(name.into(), known);
            // Long enough for all others to read the file, if they could.
            std::thread::sleep(Duration::from_millis(20));
        };
        Baseline::update(path, change).expect("an update");
    }

    #[test]
    #[ignore = "what the next test starts twelve of"]
    fn child() {
        let var = |name| std::env::var(name).expect("set by the parent");
        add(Path::new(&var(FILE_OF_CHILD)), &var(NAME_OF_CHILD));
    }

    /// Issue 18, B7: the lock was in the temporary folder, and processes with another one lost tables.
    #[test]
    fn processes_with_other_temporary_folders_lose_nothing() {
        let dir = Folder::new("baseline-processes");
        let path = dir.file(FILE);
        let children: Vec<_> = (0..12)
            .map(|i| {
                let folder = dir.file(&format!("tmp{i}"));
                std::fs::create_dir(&folder).expect("a folder");
                Command::new(std::env::current_exe().expect("this program"))
                    .args(["--exact", "suite::baseline::tests::child", "--ignored"])
                    .env(FILE_OF_CHILD, &path)
                    .env(NAME_OF_CHILD, format!("sweep{i}"))
                    .env("TMPDIR", folder)
                    .stdout(Stdio::piped())
                    .stderr(Stdio::piped())
                    .spawn()
                    .expect("a child")
            })
            .collect();
        for child in children {
            let o = child.wait_with_output().expect("its end");
            assert!(o.status.success(), "{}", String::from_utf8_lossy(&o.stdout));
        }
        let baseline = Baseline::read(&path).expect("the file");
        assert_eq!(baseline.0.len(), 12, "{baseline:?}");
    }

    /// Issue 18, B7: links under the names of the lock and of the new file were followed.
    #[cfg(unix)]
    #[test]
    fn no_link_is_written_through() {
        let dir = Folder::new("baseline-links");
        let (path, victim) = (dir.file(FILE), dir.file("victim"));
        std::fs::write(&victim, "of value").expect("a file");
        let link = |name: &str| {
            std::os::unix::fs::symlink(&victim, dir.file(name)).expect("a link");
        };
        link("accuracy.toml.new");
        add(&path, "a");
        assert_eq!(Baseline::read(&path).expect("the file").0.len(), 1);
        link("accuracy.toml.lock");
        let e = Baseline::update(&path, |b| b.0.clear()).expect_err("a link");
        assert!(e.to_string().contains("is a symbolic link"), "{e}");
        assert_eq!(Baseline::read(&path).expect("the file").0.len(), 1);
        assert_eq!(
            std::fs::read_to_string(&victim).expect("the file"),
            "of value"
        );
    }
}
