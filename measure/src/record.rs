//! The record of what was found, missing, reduced and wrong. It is printed when it happens, counted, and written after each step.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::{date, page};

/// The results of a run.
pub struct Record {
    /// The folder into which the results are written, if that is possible.
    out: Option<PathBuf>,
    /// All results, by the names of the file.
    pub found: Map<String, Value>,
    steps: Vec<Value>,
    /// Missing parts of the machine.
    pub missing: Vec<String>,
    /// Parts that were done with fewer inputs than requested.
    pub reduced: Vec<String>,
    /// Parts that did not end in time or could not be written.
    pub incomplete: Vec<String>,
    /// Parts with wrong results.
    pub failures: Vec<String>,
    /// Parts of the verdict.
    pub summary: Vec<String>,
}

impl Record {
    pub fn new(out: &Path) -> Self {
        let mut record = Record {
            out: None,
            found: Map::new(),
            steps: Vec::new(),
            missing: Vec::new(),
            reduced: Vec::new(),
            incomplete: Vec::new(),
            failures: Vec::new(),
            summary: Vec::new(),
        };
        record.found.insert("date".into(), date::date().into());
        match writable(out) {
            Ok(()) => record.out = Some(out.into()),
            Err(e) => record.incomplete(format!(
                "{}: {e}: the results are not written, but printed at the end",
                out.display()
            )),
        }
        record
    }

    /// A folder for data that the programs share, if there is one.
    pub fn scratch(&self) -> Option<PathBuf> {
        let folder = self.out.as_ref()?.canonicalize().ok()?.join("cache");
        std::fs::create_dir_all(&folder).ok()?;
        Some(folder)
    }

    /// A folder among the results.
    ///
    /// # Errors
    /// If nothing can be written.
    pub fn folder(&self, name: &str) -> Result<PathBuf, String> {
        let out = self.out.as_ref().ok_or("the results cannot be written")?;
        let folder = out.join(name);
        std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        folder
            .canonicalize()
            .map_err(|e| format!("{}: {e}", folder.display()))
    }

    pub fn missing(&mut self, text: String) {
        println!("!! missing: {text}");
        self.missing.push(text);
    }

    pub fn reduced(&mut self, text: String) {
        println!("!! reduced: {text}");
        self.reduced.push(text);
    }

    pub fn incomplete(&mut self, text: String) {
        println!("!! incomplete: {text}");
        self.incomplete.push(text);
    }

    pub fn failure(&mut self, text: String) {
        println!("!! WRONG: {text}");
        self.failures.push(text);
    }

    pub fn problems(&self) -> usize {
        self.failures.len() + self.incomplete.len()
    }

    pub fn step(&mut self, name: &str, ended_well: bool, time: Duration) {
        let seconds = (time.as_secs_f64() * 10.0).round() / 10.0;
        self.steps
            .push(json!({ "step": name, "seconds": seconds, "ended_well": ended_well }));
    }

    /// The verdict in one line.
    pub fn verdict(&self) -> String {
        let word = if !self.failures.is_empty() {
            "WRONG"
        } else if !self.incomplete.is_empty() {
            "INCOMPLETE"
        } else {
            "RIGHT"
        };
        let mut parts = self.summary.clone();
        for (what, list) in [
            ("wrong", &self.failures),
            ("incomplete", &self.incomplete),
            ("reduced", &self.reduced),
            ("missing", &self.missing),
        ] {
            if !list.is_empty() {
                // The names alone: the reasons are above.
                let names: Vec<&str> = list
                    .iter()
                    .map(|t| t.split(':').next().unwrap_or(t))
                    .collect();
                parts.push(match what {
                    "reduced" => format!("{} {what}", list.len()),
                    _ => format!("{} {what} ({})", list.len(), names.join(", ")),
                });
            }
        }
        format!("verdict: {word}: {}", parts.join("; "))
    }

    /// The document.
    pub fn json(&self) -> Value {
        let mut all = self.found.clone();
        all.insert("steps".into(), self.steps.clone().into());
        all.insert("missing".into(), self.missing.clone().into());
        all.insert("reduced".into(), self.reduced.clone().into());
        all.insert("incomplete".into(), self.incomplete.clone().into());
        all.insert("wrong".into(), self.failures.clone().into());
        all.insert("verdict".into(), self.verdict().into());
        Value::Object(all)
    }

    /// Writes the files in their current state.
    pub fn write(&mut self) {
        let Some(out) = self.out.clone() else { return };
        let document = self.json();
        let texts = [
            ("measured.json", format!("{document:#}\n")),
            ("measured.md", page::page(&document)),
        ];
        for (name, text) in texts {
            if let Err(e) = replace(&out.join(name), &text) {
                self.out = None;
                self.incomplete(format!(
                    "{}: {e}: the results are printed at the end",
                    out.join(name).display()
                ));
                return;
            }
        }
    }

    /// Prints the last lines, and returns the program's exit code.
    pub fn finish(mut self, time: Duration) -> ExitCode {
        self.found
            .insert("seconds".into(), time.as_secs_f64().round().into());
        self.write();
        let document = self.json();
        println!();
        match &self.out {
            Some(out) => println!(
                "{} and measured.md: written after {} s",
                out.join("measured.json").display(),
                time.as_secs()
            ),
            None => println!("{}\n{document}", page::page(&document)),
        }
        println!("{}", self.verdict());
        if !self.failures.is_empty() {
            ExitCode::from(1)
        } else if !self.incomplete.is_empty() {
            ExitCode::from(3)
        } else {
            ExitCode::SUCCESS
        }
    }
}

fn writable(out: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(out)?;
    let trial = out.join(".writable");
    std::fs::write(&trial, "")?;
    std::fs::remove_file(trial)
}

/// Replaces a file as a whole: it has either the new text or the old one.
fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    let part = path.with_extension("part");
    std::fs::write(&part, text)?;
    std::fs::rename(part, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verdict_counts_what_is_missing_and_wrong() {
        let out = std::env::temp_dir().join(format!("measure-record-{}", std::process::id()));
        let mut record = Record::new(&out);
        assert!(record.verdict().starts_with("verdict: RIGHT"));
        record.missing("cuda: no driver".into());
        assert!(record.verdict().ends_with("1 missing (cuda)"));
        record.incomplete("a step: stopped".into());
        assert!(record.verdict().starts_with("verdict: INCOMPLETE"));
        record.failure("exp: differs".into());
        assert!(
            record
                .verdict()
                .starts_with("verdict: WRONG: 1 wrong (exp)")
        );
        record.write();
        let text = std::fs::read_to_string(out.join("measured.json")).expect("written");
        let document: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(document["missing"][0], "cuda: no driver");
        std::fs::remove_dir_all(out).expect("ours");
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_counted() {
        let file = std::env::temp_dir().join(format!("measure-file-{}", std::process::id()));
        std::fs::write(&file, "no folder").expect("writable");
        let record = Record::new(&file.join("out"));
        assert_eq!(record.incomplete.len(), 1);
        std::fs::remove_file(file).expect("ours");
    }
}
