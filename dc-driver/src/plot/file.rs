//! The file of a picture.

use std::path::Path;

use super::{Picture, png, svg};
use crate::failure::Failure;
use dc_runtime::search::replace::{is_database, replace};

/// A file's extension.
pub fn ending(path: &Path) -> Option<String> {
    path.extension().map(|e| e.to_string_lossy().to_lowercase())
}

/// Checks the extension of a file for a picture of that name.
pub fn kind_of_file(path: &Path, allowed: &[&str], name: &str) -> Result<(), Failure> {
    let ending = ending(path).unwrap_or_default();
    if allowed.contains(&ending.as_str()) {
        return Ok(());
    }
    Err(Failure::input(format!(
        "{}: {name} cannot be written to this file; give it the extension .{}",
        path.display(),
        allowed.join(" or .")
    )))
}

pub fn cannot(path: &Path, reason: &str) -> Failure {
    Failure::failed(format!("{}: cannot be written: {reason}", path.display()))
}

pub fn write(picture: &impl Picture, size: (u32, u32), path: &Path) -> Result<(), Failure> {
    not_a_run_file(path)?;
    let is_png = path
        .extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("png"));
    let bytes = if is_png {
        png(picture, size)
    } else {
        svg(picture, size).map(String::into_bytes)
    };
    bytes
        .and_then(|bytes| replace(path, &bytes).map_err(|e| e.to_string()))
        .map_err(|e| cannot(path, &e))
}

/// Refuses to overwrite a run file: a mistyped name must not destroy weeks of searching.
pub fn not_a_run_file(path: &Path) -> Result<(), Failure> {
    if is_database(path) {
        return Err(Failure::input(format!(
            "{}: is a run file, or another SQLite database, and is not overwritten; name another",
            path.display()
        )));
    }
    Ok(())
}
