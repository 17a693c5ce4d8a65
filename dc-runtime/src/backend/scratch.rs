//! Folders for one compilation each. The compilation removes its folder when it ends; if it was killed, the next one removes it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use super::cache::Cache;
use super::private;

/// The beginning and the end of each folder's name.
const NAME: (&str, &str) = ("dc-", ".tmp");
/// The file that is locked for as long as a folder is in use.
const LOCK: &str = "lock";
/// A folder without this file has just been created by another process, or is from an old version.
const UNLOCKED: Duration = Duration::from_secs(3600);

/// A new folder, which is removed with its contents when it is dropped.
#[derive(Debug)]
pub(super) struct Scratch {
    dir: PathBuf,
    /// The lock. A process that finds the folder later can use it to determine whether the owner still runs, on this host or another.
    lock: Option<File>,
}

impl Scratch {
    /// A folder in the cache's folder or, if that is impossible, in the system's temporary folder.
    pub fn new(cache: &Cache) -> std::io::Result<Self> {
        match cache.private_dir() {
            Some(dir) => Self::under(dir),
            None => {
                let dir = std::env::temp_dir();
                others_cannot_rename_in(&dir)?;
                Self::under(&dir)
            }
        }
    }

    /// A folder in this folder. Folders left there by killed processes are removed, once per process.
    pub fn under(base: &Path) -> std::io::Result<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        static CLEAN: Once = Once::new();
        CLEAN.call_once(|| remove_left(base));
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let (begin, end) = NAME;
            let dir = base.join(format!("{begin}{}-{number}{end}", std::process::id()));
            // This fails if anything with that name exists, so nobody can have put a link there.
            match private::builder().create(&dir) {
                Ok(()) => {
                    // On a file system without locks, folders left there are removed later.
                    let lock = File::create_new(dir.join(LOCK)).ok();
                    let lock = lock.filter(|l| l.try_lock().is_ok());
                    return Ok(Scratch { dir, lock });
                }
                Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(e),
            }
        }
    }

    /// The path of a file in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.dir);
        drop(self.lock.take());
    }
}

/// Removes the folders of processes that ended without removing them. A failure is not an error: these folders only use space.
pub(super) fn remove_left(base: &Path) {
    for entry in fs::read_dir(base).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let ours = name.to_str().is_some_and(|n| {
            n.strip_prefix(NAME.0)
                .and_then(|n| n.strip_suffix(NAME.1))
                .is_some_and(|n| n.chars().all(|c| c.is_ascii_digit() || c == '-'))
        });
        // A link is not followed.
        if ours && entry.file_type().is_ok_and(|t| t.is_dir()) && is_left(&entry.path()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn is_left(dir: &Path) -> bool {
    match File::open(dir.join(LOCK)) {
        Ok(lock) => lock.try_lock().is_ok(),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            let changed = fs::metadata(dir).and_then(|m| m.modified());
            changed.is_ok_and(|t| t.elapsed().is_ok_and(|age| age > UNLOCKED))
        }
        Err(_) => false,
    }
}

/// Checks that other users who may write to a folder cannot rename our files in it.
#[cfg(unix)]
fn others_cannot_rename_in(dir: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::MetadataExt as _;
    let mode = fs::metadata(dir)?.mode();
    if mode & 0o022 != 0 && mode & 0o1000 == 0 {
        return Err(std::io::Error::other(format!(
            "others may replace files in the temporary folder {} (mode {:o}): name another in TMPDIR",
            dir.display(),
            mode & 0o7777
        )));
    }
    Ok(())
}

#[cfg(not(unix))]
fn others_cannot_rename_in(_: &Path) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_process_left_is_removed() {
        let base = std::env::temp_dir().join(format!("crunch-scratch-{}", std::process::id()));
        fs::create_dir(&base).expect("a folder");
        let used = Scratch::under(&base).expect("a scratch folder");
        let left = base.join("dc-99999999-0.tmp");
        let (new, old) = (
            base.join("dc-99999999-1.tmp"),
            base.join("dc-99999999-2.tmp"),
        );
        let foreign = base.join("dc-notes.tmp");
        for dir in [&left, &new, &old, &foreign] {
            fs::create_dir(dir).expect("a folder");
            fs::write(dir.join("kernel.cpp"), "text").expect("a file");
        }
        fs::write(left.join(LOCK), "").expect("a file");
        let long_ago = std::time::SystemTime::now() - 2 * UNLOCKED;
        File::open(&old)
            .and_then(|f| f.set_modified(long_ago))
            .expect("a time");
        remove_left(&base);
        let there = |p: &Path| p.exists();
        assert!(!there(&left), "nobody holds its lock");
        assert!(!there(&old), "without a lock for hours");
        assert!(there(&new), "somebody may be making it");
        assert!(there(&foreign), "none of ours");
        assert!(there(&used.path("")), "in use");
        let path = used.path("");
        drop(used);
        assert!(!there(&path));
        fs::remove_dir_all(base).expect("it was made above");
    }
}
