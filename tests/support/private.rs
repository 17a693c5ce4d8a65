//! A folder for tests that need compiled programs to be cached: folders that other users can write to are not used as a
//! cache, while one's own below root's temporary folder are.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A new folder below the temporary one, where most users' tests would be if they cloned the repository there; if others can replace
/// what is in it, below the build's or the home's.
///
/// # Panics
/// If none is private.
pub fn folder(build: &str) -> TempDir {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let places = [Some(std::env::temp_dir()), Some(build.into()), home];
    let mut places = places.into_iter().flatten();
    let private = places.find_map(|place| {
        let folder = tempfile::tempdir_in(place).ok()?;
        is_private(folder.path()).then_some(folder)
    });
    private.expect("others can write to the temporary folder, the build's and the home's")
}

/// Whether every folder on the path belongs to this user or root, and nobody else can write to it or replace what is in it.
fn is_private(folder: &Path) -> bool {
    let Ok(folder) = std::fs::canonicalize(folder) else {
        return false;
    };
    let Ok(user) = folder.metadata().map(|m| m.uid()) else {
        return false;
    };
    folder.ancestors().all(|part| {
        let meta = part.metadata();
        meta.is_ok_and(|m| {
            let shared = part != folder && m.uid() == 0 && m.mode() & 0o1000 != 0;
            (shared || m.mode() & 0o022 == 0) && (m.uid() == 0 || m.uid() == user)
        })
    })
}
