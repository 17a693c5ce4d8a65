//! Locks between processes: a file next to the file to be written (`FILE.lock`), on which the writer holds a
//! lock.
//!
//! It is a separate file for two reasons. SQLite uses POSIX locks on the database, which the same process would release by closing any
//! other descriptor. And a text that is replaced becomes another file. The system releases the lock when the process ends, in any way.
//!
//! Another user with write access to the folder may have created anything with this name. So no link is followed, only a regular file is
//! opened, a file that is not a lock is not changed, and no file is ever truncated.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::model::machine;

/// The beginning of a lock's file.
const MARK: &str = "process ";
/// The length of a lock's file in bytes, the same for every holder.
const LENGTH: usize = 128;

/// A held lock.
#[derive(Debug)]
pub(crate) struct Lock {
    path: PathBuf,
    file: File,
}

/// The reason why there is no lock.
#[derive(Debug)]
pub(crate) enum LockError {
    /// Another process holds it. Contains a description of that process.
    Held(String),
    /// Something else exists with its name.
    Foreign {
        /// The lock's path.
        path: PathBuf,
        /// A description of what is there.
        what: &'static str,
    },
    /// The system reports an error.
    Io {
        /// The lock's path.
        path: PathBuf,
        /// The error.
        error: io::Error,
    },
}

impl std::fmt::Display for LockError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LockError::Held(holder) => write!(f, "being written by {holder}"),
            LockError::Foreign { path, what } => write!(
                f,
                "{}, where the lock belongs, is {what}; it was left as it is: move it away",
                path.display()
            ),
            LockError::Io { path, error } => write!(f, "{}: {error}", path.display()),
        }
    }
}

fn lock_path(of: &Path) -> PathBuf {
    let mut name = of.as_os_str().to_owned();
    name.push(".lock");
    name.into()
}

impl Lock {
    /// Locks a file, and waits up to `patience` for another holder.
    pub fn take(of: &Path, patience: Duration) -> Result<Lock, LockError> {
        let path = lock_path(of);
        let deadline = Instant::now() + patience;
        loop {
            let mut file = match open(&path, true) {
                Ok(file) => file,
                Err(error) => return Err(refusal(path, error)),
            };
            let io = |error| LockError::Io {
                path: path.clone(),
                error,
            };
            match file.try_lock() {
                Ok(()) => {
                    // Its last holder may have removed the file between our opening and locking it.
                    if identity_of_open(&file) != identity_of_path(&path) {
                        continue;
                    }
                    let found = text(&mut file).map_err(io)?;
                    if !found.is_empty() && !found.starts_with(MARK) {
                        let what = "a file of something else";
                        return Err(LockError::Foreign { path, what });
                    }
                    let host = machine::host().unwrap_or_else(|| "this host".into());
                    let mut who = format!("{MARK}{} on {host}", std::process::id());
                    who.truncate(who.floor_char_boundary(LENGTH - 1));
                    who.push_str(&" ".repeat(LENGTH - 1 - who.len()));
                    who.push('\n');
                    // This is only information for processes that find it locked.
                    let _ = file.rewind();
                    let _ = file.write_all(who.as_bytes());
                    return Ok(Lock { path, file });
                }
                Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(20));
                }
                Err(TryLockError::WouldBlock) => {
                    let holder = text(&mut file).unwrap_or_default();
                    let holder = crate::search::range::quote(holder.trim());
                    return Err(LockError::Held(if holder.starts_with(MARK) {
                        holder
                    } else {
                        "another process".into()
                    }));
                }
                Err(TryLockError::Error(error)) => return Err(io(error)),
            }
        }
    }

    /// Whether some process holds the lock of a file.
    #[cfg(any(feature = "run_files", test))]
    pub fn is_held(of: &Path) -> bool {
        let Ok(file) = open(&lock_path(of), false) else {
            return false;
        };
        matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
    }

    /// The process that holds the lock of a file, as described in the lock.
    #[cfg(feature = "run_files")]
    pub fn holder(of: &Path) -> Option<String> {
        let text = text(&mut open(&lock_path(of), false).ok()?).ok()?;
        let text = crate::search::range::quote(text.trim());
        text.starts_with(MARK).then_some(text)
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // The file is removed while it is still locked: a process that has opened it meanwhile notices this and opens a
        // new one.
        if identity_of_open(&self.file) == identity_of_path(&self.path) {
            let _ = std::fs::remove_file(&self.path);
        }
        let _ = self.file.unlock();
    }
}

fn refusal(path: PathBuf, error: io::Error) -> LockError {
    let kind = std::fs::symlink_metadata(&path).map(|m| m.file_type());
    match kind {
        Ok(t) if t.is_symlink() => LockError::Foreign {
            path,
            what: "a symbolic link",
        },
        Ok(t) if !t.is_file() => LockError::Foreign {
            path,
            what: "no regular file",
        },
        _ => LockError::Io { path, error },
    }
}

/// The text in a lock's file.
fn text(file: &mut File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.take(LENGTH as u64).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Opens a lock's file without following a link; anything except a regular file is an error.
fn open(path: &Path, write: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(write).create(write);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        // Opening must not wait for the other end if it is a pipe.
        options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    }
    let file = options.open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("no regular file"));
    }
    Ok(file)
}

/// The identity of a file, independent of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileIdentity(u64, u64);

/// The identity of the file with this name. `None` if there is no such file.
pub(crate) fn identity_of_path(path: &Path) -> Option<FileIdentity> {
    std::fs::symlink_metadata(path).ok().and_then(|m| of(&m))
}

fn identity_of_open(file: &File) -> Option<FileIdentity> {
    file.metadata().ok().and_then(|m| of(&m))
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere there is none")]
fn of(meta: &std::fs::Metadata) -> Option<FileIdentity> {
    use std::os::unix::fs::MetadataExt as _;
    Some(FileIdentity(meta.dev(), meta.ino()))
}

#[cfg(not(unix))]
fn of(_: &std::fs::Metadata) -> Option<FileIdentity> {
    Some(FileIdentity(0, 0))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::search::testing::Folder;

    /// Issue 18, B7: `FILE.lock` followed symbolic links and truncated their target.
    #[test]
    fn what_has_a_lock_s_name_is_left_alone() {
        let dir = Folder::new("lock-names");
        let run = dir.file("run");
        let path = lock_path(&run);
        let victim = dir.file("victim");
        std::fs::write(&victim, "of value").expect("a file");
        let refused = |says: &str| {
            let e = Lock::take(&run, Duration::ZERO)
                .expect_err(says)
                .to_string();
            assert!(e.contains(says) && e.contains("run.lock"), "{e}");
            assert!(!Lock::is_held(&run));
            let text = std::fs::read_to_string(&victim).expect("the file");
            assert_eq!(text, "of value");
        };
        std::os::unix::fs::symlink(&victim, &path).expect("a link");
        refused("a symbolic link");
        std::fs::remove_file(&path).expect("it is gone");
        // A link to a missing file creates none, either.
        std::os::unix::fs::symlink(dir.file("none"), &path).expect("a link");
        refused("a symbolic link");
        assert!(!dir.file("none").exists());
        std::fs::remove_file(&path).expect("it is gone");
        std::fs::hard_link(&victim, &path).expect("a second name");
        refused("a file of something else");
        std::fs::remove_file(&path).expect("it is gone");
        std::fs::create_dir(&path).expect("a folder");
        refused("no regular file");
        std::fs::remove_dir(&path).expect("it is gone");
        let pipe = std::ffi::CString::new(path.to_str().expect("UTF-8")).expect("a name");
        // SAFETY: a path that ends with a zero byte.
        assert_eq!(unsafe { libc::mkfifo(pipe.as_ptr(), 0o600) }, 0);
        refused("no regular file");
        std::fs::remove_file(&path).expect("it is gone");

        let lock = Lock::take(&run, Duration::ZERO).expect("the lock");
        assert!(Lock::is_held(&run));
        let e = Lock::take(&run, Duration::ZERO).expect_err("a second");
        let me = format!("process {}", std::process::id());
        assert!(e.to_string().contains(&me), "{e}");
        drop(lock);
        assert!(!path.exists());
        // A lock file left by a killed process is reused.
        std::fs::write(&path, "process 1 on a host with a name\n").expect("a file");
        drop(Lock::take(&run, Duration::ZERO).expect("the lock"));
        assert!(!path.exists());
    }
}
