//! Files that are written as a whole: under another name first, then renamed, so that no reader sees an incomplete file
//! and a failure leaves the old one.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A name in the folder of `path` that does not exist yet: hidden, and with the number of this process.
fn beside(path: &Path) -> PathBuf {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let n = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}-{n}.new", std::process::id()))
}

/// Replaces the file at `path` by `bytes`.
///
/// # Errors
/// If it cannot be written; the old file is then unchanged.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let new = beside(path);
    // Only if it does not exist: no link is followed.
    let file = OpenOptions::new().write(true).create_new(true).open(&new)?;
    let write = |mut file: File| -> io::Result<()> {
        if let Ok(old) = std::fs::metadata(path) {
            // Not every file system supports permissions.
            let _ = file.set_permissions(old.permissions());
        }
        file.write_all(bytes)?;
        file.sync_all()?;
        drop(file);
        std::fs::rename(&new, path)
    };
    write(file).inspect_err(|_| {
        let _ = std::fs::remove_file(&new);
    })
}

/// Whether a file is an SQLite database, such as a run file.
#[must_use]
pub fn is_database(path: &Path) -> bool {
    use std::io::Read as _;
    let mut head = [0; 16];
    let regular = std::fs::metadata(path).is_ok_and(|m| m.is_file());
    regular
        && File::open(path)
            .and_then(|mut f| f.read_exact(&mut head))
            .is_ok_and(|()| head == *b"SQLite format 3\0")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::testing::Folder;

    #[test]
    fn all_or_what_was_there() {
        let dir = Folder::new("replace");
        let path = dir.file("a");
        replace(&path, b"one").expect("a new file");
        replace(&path, b"two").expect("in its place");
        assert_eq!(std::fs::read(&path).expect("the file"), b"two");
        std::fs::create_dir(dir.file("folder")).expect("a folder");
        std::fs::write(dir.file("folder/inside"), "").expect("a file");
        replace(&dir.file("folder"), b"x").expect_err("a folder");
        replace(&dir.file("none/a"), b"x").expect_err("no folder");
        let names: Vec<_> = std::fs::read_dir(&dir.0)
            .expect("the folder")
            .flatten()
            .collect();
        assert_eq!(names.len(), 2, "nothing is left over: {names:?}");
    }
}
