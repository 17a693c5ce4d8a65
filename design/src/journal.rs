//! The results of a search in a file, so that the same search can continue after it was stopped.
//!
//! Only steps are kept that take seconds and whose results depend only on their description: the inputs that are hard to round, tuned coefficients, errors
//! at all inputs of a part of the range, and proofs. Times are measured again. Each line holds a checksum, the description of a step, and its result. The
//! first line names the format and the version of the program.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use kernels_gen::identity::fnv1a_128;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The first line.
const HEAD: &str = concat!(
    "doublecrunch design journal 1, version ",
    env!("CARGO_PKG_VERSION")
);

/// A journal, or none.
#[derive(Default)]
pub struct Journal {
    kept: Option<Mutex<Kept>>,
    used: AtomicU64,
}

struct Kept {
    file: File,
    known: HashMap<String, String>,
    /// The reason why a line could not be written.
    failed: Option<String>,
}

impl Journal {
    /// Opens a journal, or starts one.
    ///
    /// # Errors
    /// If the file cannot be read and written, is not a journal of this version, or has a damaged line. An incomplete last line, which a killed
    /// program leaves, is removed.
    pub fn open(path: &Path) -> Result<Journal, String> {
        let mut open = OpenOptions::new();
        let mut file = open
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .map_err(|e| e.to_string())?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(|e| match e.kind() {
            ErrorKind::InvalidData => "it is not text".into(),
            _ => e.to_string(),
        })?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        if whole < text.len() && !HEAD.starts_with(&text) && whole == 0 {
            return Err("it is not a journal of this command: name another file".into());
        }
        let cut = |e: std::io::Error| e.to_string();
        file.set_len(whole as u64).map_err(cut)?;
        file.seek(SeekFrom::End(0)).map_err(cut)?;
        let mut lines = (1..).zip(text[..whole].lines());
        match lines.next() {
            None => writeln!(file, "{HEAD}").map_err(cut)?,
            Some((_, HEAD)) => {}
            Some((_, head)) if head.starts_with("doublecrunch design journal") => {
                return Err(format!(
                    "it is of another version (`{head}`): name another file"
                ));
            }
            Some(_) => return Err("it is not a journal of this command: name another file".into()),
        }
        let mut known = HashMap::new();
        for (number, line) in lines {
            let (key, value) = read(line).ok_or_else(|| {
                format!("line {number} is damaged: remove it, and its step is computed again")
            })?;
            known.insert(key.into(), value.into());
        }
        Ok(Journal {
            kept: Some(Mutex::new(Kept {
                file,
                known,
                failed: None,
            })),
            used: AtomicU64::new(0),
        })
    }

    /// The number of steps whose results were taken from the file.
    #[must_use]
    pub fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// The reason why a result could not be written, if there was one. The search then continues without keeping results.
    #[must_use]
    pub fn failed(&self) -> Option<String> {
        let kept = self.kept.as_ref()?.lock();
        kept.unwrap_or_else(|e| e.into_inner()).failed.clone()
    }

    /// The result of a step, if it is known.
    #[must_use]
    pub fn get<T: DeserializeOwned>(&self, step: &str) -> Option<T> {
        let kept = self.kept.as_ref()?.lock();
        let kept = kept.unwrap_or_else(|e| e.into_inner());
        let result = serde_json::from_str(kept.known.get(step)?).ok()?;
        self.used.fetch_add(1, Ordering::Relaxed);
        Some(result)
    }

    /// Keeps the result of a step.
    pub fn put<T: Serialize>(&self, step: &str, result: &T) {
        let Some(kept) = &self.kept else {
            return;
        };
        let mut kept = kept.lock().unwrap_or_else(|e| e.into_inner());
        let value = match serde_json::to_string(result) {
            Ok(value) => value,
            Err(e) => return kept.failed = Some(e.to_string()),
        };
        let line = format!("{step}\t{value}");
        let line = format!("{:032x} {line}\n", fnv1a_128(line.as_bytes()));
        if let Err(e) = kept.file.write_all(line.as_bytes()) {
            kept.failed = Some(e.to_string());
        }
        kept.known.insert(step.into(), value);
    }

    /// The result of a step: the known one, or a computed one, which is kept if it is complete.
    ///
    /// # Errors
    /// The errors of the computation.
    pub fn once<T: Serialize + DeserializeOwned>(
        &self,
        step: &str,
        compute: impl FnOnce() -> Result<T, String>,
        whole: impl FnOnce(&T) -> bool,
    ) -> Result<T, String> {
        if let Some(known) = self.get(step) {
            return Ok(known);
        }
        let result = compute()?;
        if whole(&result) {
            self.put(step, &result);
        }
        Ok(result)
    }
}

/// The step and the result of a line.
fn read(line: &str) -> Option<(&str, &str)> {
    let (sum, rest) = line.split_once(' ')?;
    (sum == format!("{:032x}", fnv1a_128(rest.as_bytes()))).then_some(())?;
    rest.split_once('\t')
}

/// Numbers stored as their bits, since JSON has no infinities.
pub mod bits {
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    /// # Errors
    /// The errors of the format.
    pub fn serialize<S: Serializer>(x: &f64, to: S) -> Result<S::Ok, S::Error> {
        x.to_bits().serialize(to)
    }

    /// # Errors
    /// The errors of the format.
    pub fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<f64, D::Error> {
        u64::deserialize(from).map(f64::from_bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Place(std::path::PathBuf);

    impl Drop for Place {
        fn drop(&mut self) {
            let _ = std::fs::remove_file(&self.0);
        }
    }

    fn place(name: &str) -> Place {
        let file = format!("dc-journal-{name}-{}", std::process::id());
        Place(std::env::temp_dir().join(file))
    }

    #[test]
    fn a_step_is_computed_once() {
        let place = place("once");
        let compute = |n: u32| move || Ok(vec![n, n + 1]);
        for (n, expected, used) in [(3, [3, 4], 0), (5, [3, 4], 1)] {
            let journal = Journal::open(&place.0).expect("it opens");
            let got = journal.once("a step", compute(n), |_| true);
            assert_eq!(got.expect("it computes"), expected);
            assert_eq!(journal.used(), used);
            let other: Option<Vec<u32>> = journal.get("another step");
            assert_eq!(other, None);
        }
        // Incomplete results are not kept.
        let journal = Journal::open(&place.0).expect("it opens");
        let half = journal.once("half a step", compute(7), |_| false);
        assert_eq!(half.expect("it computes"), [7, 8]);
        let half = journal.once("half a step", compute(9), |_| false);
        assert_eq!(half.expect("it computes"), [9, 10]);
    }

    #[test]
    fn a_killed_programs_last_line_is_removed_and_a_damaged_one_is_named() {
        let place = place("torn");
        let journal = Journal::open(&place.0).expect("it opens");
        journal.put("one", &1u32);
        journal.put("two", &2u32);
        let whole = std::fs::read_to_string(&place.0).expect("a file");
        std::fs::write(&place.0, &whole[..whole.len() - 3]).expect("a file");
        let journal = Journal::open(&place.0).expect("it opens");
        assert_eq!(journal.get("one"), Some(1u32));
        assert_eq!(journal.get::<u32>("two"), None);
        journal.put("two", &2u32);
        let again = std::fs::read_to_string(&place.0).expect("a file");
        assert_eq!(again, whole);
        // Fault: a digit of a result.
        let damaged = whole.replace("one\t1", "one\t7");
        std::fs::write(&place.0, damaged).expect("a file");
        let error = Journal::open(&place.0).err().expect("it is damaged");
        assert!(error.contains("line 2 is damaged"), "{error}");
    }

    #[test]
    fn other_files_stay_as_they_are() {
        let place = place("other");
        for text in [
            "my notes",
            "my notes\nof a day\n",
            "doublecrunch design journal 0\n",
        ] {
            std::fs::write(&place.0, text).expect("a file");
            let error = Journal::open(&place.0).err().expect("it is no journal");
            assert!(error.contains("name another file"), "{error}");
            assert_eq!(std::fs::read_to_string(&place.0).expect("a file"), text);
        }
    }
}
