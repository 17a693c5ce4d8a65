//! A folder for tests that need compiled programs to be cached: folders that other users can write to are not used as a
//! cache, while one's own below root's temporary folder are.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A new folder below the build's or, if that is not private, below the home's.
///
/// # Panics
/// If neither is private.
pub fn folder(build: &str) -> TempDir {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let places: Vec<PathBuf> = std::iter::once(build.into()).chain(home).collect();
    let found = places.iter().find(|p| is_private(p));
    let found = found.unwrap_or_else(|| panic!("others can write to all of {places:?}"));
    tempfile::tempdir_in(found).expect("a folder")
}

/// Whether every folder on the path belongs to this user or root, and nobody else can write to it or replace what is in it.
fn is_private(folder: &Path) -> bool {
    let Ok(folder) = std::fs::canonicalize(folder) else {
        return false;
    };
    let user = tempfile::tempdir()
        .and_then(|d| d.path().metadata())
        .map(|m| m.uid());
    folder.ancestors().all(|part| {
        let meta = part.metadata();
        meta.is_ok_and(|m| {
            let shared = part != folder && m.uid() == 0 && m.mode() & 0o1000 != 0;
            (shared || m.mode() & 0o022 == 0)
                && (m.uid() == 0 || user.as_ref().is_ok_and(|u| *u == m.uid()))
        })
    })
}
