//! Functions in C, compiled to a library that `crunch` searches.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use doublecrunch::backend::skip::skip;

/// A library that is compiled once, in a folder of its own.
pub struct Library {
    source: &'static str,
    options: &'static [&'static str],
    made: OnceLock<Option<(tempfile::TempDir, PathBuf)>>,
}

impl Library {
    /// The library of a source, compiled with these options beside those that every library needs.
    pub const fn new(source: &'static str, options: &'static [&'static str]) -> Library {
        Library {
            source,
            options,
            made: OnceLock::new(),
        }
    }

    /// Its file; `None`, with a notice, if the compiler is missing or refuses it.
    pub fn path(&self) -> Option<&Path> {
        let made = self.made.get_or_init(|| {
            let folder = tempfile::tempdir().expect("a folder");
            let source = folder.path().join("functions.c");
            std::fs::write(&source, self.source).expect("writable");
            let library = folder.path().join("libfunctions.so");
            let built = Command::new("gcc")
                .args(["-O2", "-ffp-contract=off", "-shared", "-fPIC"])
                .args(self.options)
                .arg(&source)
                .arg("-o")
                .arg(&library)
                .arg("-lm")
                .output();
            let why = match built {
                Ok(output) if output.status.success() => return Some((folder, library)),
                Ok(output) => String::from_utf8_lossy(&output.stderr).into_owned(),
                Err(e) => format!("no gcc: {e}"),
            };
            skip("gcc", &why);
            None
        });
        made.as_ref().map(|(_, library)| library.as_path())
    }
}
