//! Private folders, to which only their owner can write. They are needed because programs in the cache are executed.
//!
//! A folder is private if no other user can change the meaning of its path or its contents. Each folder from the root down to it belongs to
//! this user or to root, and neither its group nor others may write to it. A parent folder of root with the sticky bit, such as the
//! temporary folder, may be writable for all: nobody else can rename, remove or replace files of this user or of root there, and a folder of
//! another user is refused because of its owner. The private folder itself must not have the sticky bit, because others could create files
//! in it, also with names that this program will use.

use std::path::{Component, Path, PathBuf};

/// The bit of a folder whose entries only their owners can rename and remove.
#[cfg(unix)]
const STICKY: u32 = 0o1000;

/// Checks that an existing folder is private.
///
/// # Errors
/// If it is not private. The error names the first part of the path that is not private, and the remedy.
#[cfg(unix)]
pub(super) fn check(dir: &Path) -> Result<(), String> {
    let absolute = std::path::absolute(dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    // The path as given, which may contain links, and the path without links.
    let real = std::fs::canonicalize(&absolute).map_err(|e| format!("{}: {e}", dir.display()))?;
    [absolute, real]
        .iter()
        .try_for_each(|path| check_parts(path))
}

#[cfg(unix)]
fn check_parts(path: &Path) -> Result<(), String> {
    use std::os::unix::fs::MetadataExt as _;
    // SAFETY: the function has no arguments and cannot fail.
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
        let shared = part != path && meta.uid() == 0 && meta.mode() & STICKY != 0;
        // A link's own mode has no meaning.
        if !meta.is_symlink() && !shared && meta.mode() & 0o022 != 0 {
            return Err(format!(
                "others may write to {} (mode {:o}): `chmod go-w` it",
                part.display(),
                meta.mode() & 0o7777
            ));
        }
    }
    Ok(())
}

/// Whether an open file belongs to this user, and nobody else may write to it.
#[cfg(unix)]
pub(super) fn is_own(file: &std::fs::File) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    // SAFETY: the function has no arguments and cannot fail.
    let user = unsafe { libc::geteuid() };
    file.metadata()
        .is_ok_and(|m| m.is_file() && m.uid() == user && m.mode() & 0o022 == 0)
}

/// On systems with access control lists, the users' own folders are private.
#[cfg(not(unix))]
pub(super) fn check(_: &Path) -> Result<(), String> {
    Ok(())
}

/// See the Unix version.
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
