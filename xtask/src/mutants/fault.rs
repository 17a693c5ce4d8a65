//! A fault, and what became of it.

use std::path::PathBuf;

use super::sites;
use crate::error::{Error, Result};

/// A fault with its number and its file.
pub struct Fault {
    pub file: PathBuf,
    pub site: sites::Site,
    /// The line of the source.
    pub source: String,
}

impl Fault {
    /// Whether its file's path contains the text.
    pub fn is_in(&self, file: &str) -> bool {
        self.file.display().to_string().contains(file)
    }

    /// What names it in the file of results.
    pub fn name(&self) -> String {
        format!(
            "{}:{}: {}",
            self.file.display(),
            self.site.line,
            self.change()
        )
    }

    /// The name with the text of the line in place of its number.
    pub fn by_source(&self) -> String {
        format!(
            "{}: {} in `{}`",
            self.file.display(),
            self.change(),
            self.source
        )
    }

    fn change(&self) -> String {
        let wrong: String = self
            .site
            .wrong
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        format!("{}: {wrong}", self.site.what)
    }
}

/// What became of a fault.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    Caught,
    Survived,
    Unreached,
}

impl Fate {
    pub const ALL: [(Fate, &str); 3] = [
        (Fate::Caught, "caught"),
        (Fate::Survived, "SURVIVED"),
        (Fate::Unreached, "UNREACHED"),
    ];

    pub fn word(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|f| f.0 == self)
            .expect("all are listed")
            .1
    }

    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|f| f.1 == word).map(|f| f.0)
    }
}

/// A file that is appended to.
pub fn appended(path: &std::path::Path) -> Result<std::fs::File> {
    let file = std::fs::OpenOptions::new()
        .append(true)
        .create(true)
        .open(path);
    file.map_err(|e| error(&path.display().to_string(), e))
}

pub fn error(what: &str, e: impl std::fmt::Display) -> Error {
    Error(format!("{what}: {e}"))
}
