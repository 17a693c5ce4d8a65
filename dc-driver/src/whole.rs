//! Files that a user named. A file is replaced as a whole, but a pipe or a device is written to.

use std::io;
use std::path::Path;

use crate::failure::Failure;

use dc_runtime::search::replace::replace;

/// Writes a file. If this fails, the old content stays.
pub(crate) fn write(path: &Path, text: &str) -> io::Result<()> {
    // Who may write to the folder of a device would put a plain file in its place.
    if path.metadata().is_ok_and(|m| !m.is_file()) {
        return std::fs::write(path, text);
    }
    replace(path, text.as_bytes())
}

/// The failure to write a file that a user named.
pub(crate) fn not_written(what: &str, file: &str, why: &io::Error) -> Failure {
    Failure::failed(format!(
        "{what} is not written to {file}: {why}; name another file, or make this one writable"
    ))
}
