//! The lock that keeps a second process from writing a run.
//!
//! A file of its own (`RUN.lock`), because SQLite lives by POSIX locks on the database, which any other descriptor
//! of the same process would drop on closing. The system lets go of it when the process ends, however it ends.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::RunFileError;
use crate::search::machine;

/// A held lock.
#[derive(Debug)]
pub(super) struct Lock {
    path: PathBuf,
    file: File,
}

fn lock_path(run: &Path) -> PathBuf {
    let mut name = run.as_os_str().to_owned();
    name.push(".lock");
    name.into()
}

impl Lock {
    /// Takes the lock of a run file.
    pub fn take(run: &Path) -> Result<Lock, RunFileError> {
        let path = lock_path(run);
        // A reader that asks whether the run is being written holds the lock for an instant.
        let deadline = Instant::now() + Duration::from_millis(300);
        loop {
            let mut file = OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(&path)
                .map_err(|e| RunFileError::io(&path, &e))?;
            match file.try_lock() {
                Ok(()) => {
                    // Its last holder may have removed the file between our opening and locking it.
                    if !same_file(&file, &path) {
                        continue;
                    }
                    let who = format!(
                        "process {} on {}\n",
                        std::process::id(),
                        machine::host().unwrap_or_else(|| "this host".into())
                    );
                    // Only a courtesy to whoever finds it locked.
                    let _ = file.set_len(0);
                    let _ = file.rewind();
                    let _ = file.write_all(who.as_bytes());
                    return Ok(Lock { path, file });
                }
                Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(20));
                }
                Err(TryLockError::WouldBlock) => {
                    let mut holder = String::new();
                    let _ = (&file).take(200).read_to_string(&mut holder);
                    let holder = crate::search::range::quote(holder.trim());
                    return Err(RunFileError::Locked {
                        path: run.into(),
                        holder: if holder.is_empty() {
                            "another process".into()
                        } else {
                            holder
                        },
                    });
                }
                Err(TryLockError::Error(e)) => return Err(RunFileError::io(&path, &e)),
            }
        }
    }

    /// Whether some process holds the lock of a run file.
    pub fn is_held(run: &Path) -> bool {
        let Ok(file) = File::open(lock_path(run)) else {
            return false;
        };
        matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // While still held: whoever opened the file meanwhile sees that it is gone and opens a new one.
        let _ = std::fs::remove_file(&self.path);
        let _ = self.file.unlock();
    }
}

#[cfg(unix)]
fn same_file(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    match (file.metadata(), std::fs::metadata(path)) {
        (Ok(a), Ok(b)) => (a.dev(), a.ino()) == (b.dev(), b.ino()),
        _ => false,
    }
}

#[cfg(not(unix))]
fn same_file(_: &File, path: &Path) -> bool {
    path.exists()
}
