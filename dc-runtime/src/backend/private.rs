//! Folders that nobody but their owner can put anything into: what lies in the cache is executed.
//!
//! A folder is private when no other user can change what its path means or what it holds: each folder from the root
//! down to it belongs to this user or to root, and neither its group nor others may write to it. A folder that everybody
//! may write to is refused even with the sticky bit, under which others can still put things beside ours and take names
//! before us.

use std::path::{Component, Path, PathBuf};

/// Whether a folder, which exists, is private.
///
/// # Errors
/// With the first part of the path that is not, and what to do.
#[cfg(unix)]
pub(super) fn check(dir: &Path) -> Result<(), String> {
    let absolute = std::path::absolute(dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    // As it was named, where a link may be on the way, and as it is without links.
    let real = std::fs::canonicalize(&absolute).map_err(|e| format!("{}: {e}", dir.display()))?;
    [absolute, real]
        .iter()
        .try_for_each(|path| check_parts(path))
}

#[cfg(unix)]
fn check_parts(path: &Path) -> Result<(), String> {
    use std::os::unix::fs::MetadataExt as _;
    // SAFETY: it takes nothing and cannot fail.
    let user = unsafe { libc::geteuid() };
    let mut part = PathBuf::new();
    for component in path.components() {
        if matches!(component, Component::ParentDir) {
            return Err(format!("{}: give a path without `..`", path.display()));
        }
        part.push(component);
        let meta =
            std::fs::symlink_metadata(&part).map_err(|e| format!("{}: {e}", part.display()))?;
        if meta.uid() != 0 && meta.uid() != user {
            return Err(format!(
                "{} belongs to user {}, not to this one ({user}) or root",
                part.display(),
                meta.uid()
            ));
        }
        // A link's own mode means nothing.
        if !meta.is_symlink() && meta.mode() & 0o022 != 0 {
            return Err(format!(
                "others may write to {} (mode {:o}): `chmod go-w` it",
                part.display(),
                meta.mode() & 0o7777
            ));
        }
    }
    Ok(())
}

/// Whether an open file is this user's own, and nobody else may write to it.
#[cfg(unix)]
pub(super) fn is_own(file: &std::fs::File) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    // SAFETY: it takes nothing and cannot fail.
    let user = unsafe { libc::geteuid() };
    file.metadata()
        .is_ok_and(|m| m.is_file() && m.uid() == user && m.mode() & 0o022 == 0)
}

/// Users' own folders are private where there are access control lists.
#[cfg(not(unix))]
pub(super) fn check(_: &Path) -> Result<(), String> {
    Ok(())
}

/// As [`check`].
#[cfg(not(unix))]
pub(super) fn is_own(_: &std::fs::File) -> bool {
    true
}

/// For folders that only their owner can write to.
pub(super) fn builder() -> std::fs::DirBuilder {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}
