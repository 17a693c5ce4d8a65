//! The file of a proof under way: what `crunch exact --certificate` has closed, so that it goes on after a kill.
//!
//! Its text is `dc_exact`'s ([`journal`]); here it is opened, held against what is to be proven, and written, by one process
//! at a time. A line is true whatever comes behind it, and has a checksum of all before it: what a kill cuts short is
//! dropped, and done again.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use dc_exact::exact::journal::{self, About, Chain, Journal, NoJournal};
use dc_exact::exact::{Kept, Note, Share};

use super::lock::{Lock, LockError};
use super::shard::Shard;

/// What is written is on the disk after this time.
const SYNC: Duration = Duration::from_secs(1);

/// Why a proof does not go on in a file.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    /// The system.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it says.
        error: io::Error,
    },
    /// Another process writes it, or its lock is not one.
    #[error("{}: {why}", .path.display())]
    Locked {
        /// The file.
        path: PathBuf,
        /// Who, or what is there.
        why: String,
    },
    /// It is something else.
    #[error(
        "{}: is no proof under way, and is left as it is; name another file, or move it away", .0.display()
    )]
    Foreign(PathBuf),
    /// It ends before it says what it is about.
    #[error("{}: is cut short before it says what it is about; delete it", .0.display())]
    Short(PathBuf),
    /// It is of another proof.
    #[error(
        "{}: is a proof under way of another {what} ({theirs}; this is {ours}): what it has closed says nothing about this \
         one; delete it to begin anew, or name another file", .path.display()
    )]
    Other {
        /// The file.
        path: PathBuf,
        /// What is different.
        what: &'static str,
        /// In the file.
        theirs: String,
        /// Here.
        ours: String,
    },
}

impl ProofError {
    fn io(path: &Path, error: io::Error) -> ProofError {
        ProofError::Io {
            path: path.into(),
            error,
        }
    }
}

/// The shard of a share.
#[must_use]
pub fn shard(share: Share) -> Shard {
    Shard::new(share.index + 1, share.count).unwrap_or(Shard::WHOLE)
}

/// The share of a shard.
#[must_use]
pub fn share(shard: Shard) -> Share {
    Share {
        index: shard.index() - 1,
        count: shard.count(),
    }
}

/// The file beside a certificate in which its proof, or a shard of it, is kept until it is done.
#[must_use]
pub fn beside(certificate: &Path, shard: Shard) -> PathBuf {
    let mut name = certificate.as_os_str().to_owned();
    if !shard.is_whole() {
        name.push(format!(".{}-of-{}", shard.index(), shard.count()));
    }
    name.push(".part");
    name.into()
}

/// Whether a file begins as a proof under way.
#[must_use]
pub fn is_proof(path: &Path) -> bool {
    let mut head = vec![0; journal::HEADER.len()];
    let regular = std::fs::metadata(path).is_ok_and(|m| m.is_file());
    regular
        && File::open(path)
            .and_then(|mut f| f.read_exact(&mut head))
            .is_ok_and(|()| head == journal::HEADER.as_bytes())
}

/// Reads a proof under way.
///
/// # Errors
/// Where it is none, or cannot be read.
pub fn read(path: &Path) -> Result<Journal, ProofError> {
    let text = std::fs::read(path).map_err(|e| ProofError::io(path, e))?;
    parse(path, &text)
}

fn parse(path: &Path, text: &[u8]) -> Result<Journal, ProofError> {
    Journal::parse(text).map_err(|e| match e {
        NoJournal::Foreign => ProofError::Foreign(path.into()),
        NoJournal::Short => ProofError::Short(path.into()),
    })
}

/// Holds a proof under way against what is to be proven.
///
/// # Errors
/// Naming what is different.
pub fn same(path: &Path, journal: &Journal, about: &About) -> Result<(), ProofError> {
    match journal.about.difference(about) {
        None => Ok(()),
        Some((what, theirs, ours)) => Err(ProofError::Other {
            path: path.into(),
            what,
            theirs,
            ours,
        }),
    }
}

/// A proof under way, open for more.
#[derive(Debug)]
pub struct Proof {
    path: PathBuf,
    inner: Mutex<Inner>,
    _lock: Lock,
}

#[derive(Debug)]
struct Inner {
    file: File,
    chain: Chain,
    /// Lines that are not yet given to the system.
    lines: String,
    synced: Instant,
    failed: Option<io::Error>,
}

/// What was found in a file.
#[derive(Debug)]
pub struct Resumed {
    /// What is done.
    pub kept: Kept,
    /// Lines at its end that a kill cut short or damage spoiled: they were dropped.
    pub dropped: usize,
}

impl Proof {
    /// Opens the file of a proof, or begins one.
    ///
    /// # Errors
    /// Where there is something else, or another proof; where another process writes it.
    pub fn open(
        path: &Path,
        about: &About,
        share: Share,
    ) -> Result<(Proof, Option<Resumed>), ProofError> {
        let lock = Lock::take(path, Duration::ZERO).map_err(|e| match e {
            LockError::Io { error, .. } => ProofError::io(path, error),
            other => ProofError::Locked {
                path: path.into(),
                why: other.to_string(),
            },
        })?;
        let io = |e| ProofError::io(path, e);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(io)?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(io)?;
        let (chain, resumed) = match parse(path, &text) {
            // Killed before it had begun.
            Err(ProofError::Short(_)) => {
                let mut chain = Chain::default();
                let head = journal::head(about, share, &mut chain);
                file.set_len(0).map_err(io)?;
                file.rewind().map_err(io)?;
                file.write_all(head.as_bytes()).map_err(io)?;
                (chain, None)
            }
            Err(e) => return Err(e),
            Ok(journal) => {
                same(path, &journal, about)?;
                if journal.share != share {
                    return Err(ProofError::Other {
                        path: path.into(),
                        what: "shard",
                        theirs: shard(journal.share).to_string(),
                        ours: shard(share).to_string(),
                    });
                }
                file.set_len(journal.whole as u64).map_err(io)?;
                file.seek(io::SeekFrom::End(0)).map_err(io)?;
                let resumed = Resumed {
                    kept: journal.kept,
                    dropped: journal.dropped,
                };
                (journal.chain, Some(resumed))
            }
        };
        file.sync_all().map_err(io)?;
        let inner = Inner {
            file,
            chain,
            lines: String::new(),
            synced: Instant::now(),
            failed: None,
        };
        let proof = Proof {
            path: path.into(),
            inner: Mutex::new(inner),
            _lock: lock,
        };
        Ok((proof, resumed))
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a step, which [`Proof::write`] writes.
    pub fn note(&self, note: &Note) {
        let mut inner = self.inner();
        let line = inner.chain.seal(&note.to_string());
        inner.lines.push_str(&line);
    }

    /// Writes what was added; about once a second down to the disk. Whether that works: the proof should end where it does
    /// not.
    pub fn write(&self) -> bool {
        let mut inner = self.inner();
        let inner = &mut *inner;
        if inner.failed.is_some() {
            return false;
        }
        let lines = std::mem::take(&mut inner.lines);
        let mut write = || -> io::Result<()> {
            inner.file.write_all(lines.as_bytes())?;
            if inner.synced.elapsed() >= SYNC {
                inner.file.sync_data()?;
                inner.synced = Instant::now();
            }
            Ok(())
        };
        inner.failed = write().err();
        inner.failed.is_none()
    }

    /// Writes the rest.
    ///
    /// # Errors
    /// What went wrong, then or before.
    pub fn finish(&self) -> Result<(), ProofError> {
        self.write();
        let mut inner = self.inner();
        if let Some(e) = inner.failed.take() {
            return Err(ProofError::io(&self.path, e));
        }
        inner
            .file
            .sync_all()
            .map_err(|e| ProofError::io(&self.path, e))
    }

    /// Removes the file: its certificate is written.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove(self) -> Result<(), ProofError> {
        std::fs::remove_file(&self.path).map_err(|e| ProofError::io(&self.path, e))
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::testing::Folder;

    fn about(kernel: &str) -> About {
        About {
            sweep: "exp".into(),
            range: "1.0..2.0".into(),
            kernel: kernel.into(),
            ..About::default()
        }
    }

    #[test]
    fn what_a_proof_wrote_is_found_again() {
        let folder = Folder::new("proof");
        let certificate = folder.file("exp.cert");
        let second = Shard::new(2, 3).expect("a shard");
        let path = beside(&certificate, second);
        assert!(path.ends_with("exp.cert.2-of-3.part"));
        assert!(beside(&certificate, Shard::WHOLE).ends_with("exp.cert.part"));
        let own = share(second);
        assert_eq!(shard(own), second);
        let (proof, resumed) = Proof::open(&path, &about("k"), own).expect("a new one");
        assert!(resumed.is_none() && is_proof(&path));
        proof.note(&Note::Round(1.5));
        proof.note(&Note::Hit(1.25));
        let twice = Proof::open(&path, &about("k"), own).expect_err("it is held");
        assert!(twice.to_string().contains("being written by"), "{twice}");
        proof.finish().expect("written");
        drop(proof);
        // Killed in the middle of a line.
        let mut file = OpenOptions::new()
            .append(true)
            .open(&path)
            .expect("the file");
        file.write_all(b"hit 3ff").expect("written");
        drop(file);
        let (proof, resumed) = Proof::open(&path, &about("k"), own).expect("the same");
        let resumed = resumed.expect("what was done");
        assert_eq!((resumed.kept.level, resumed.dropped), (Some(1.5), 1));
        proof.note(&Note::End);
        proof.finish().expect("written");
        drop(proof);
        let read = read(&path).expect("it is whole");
        assert_eq!((read.kept.ended, read.dropped), (true, 0));
        for (about, share, says) in [
            (about("l"), own, "another kernel (k; this is l)"),
            (about("k"), Share::WHOLE, "another shard (2/3; this is 1/1)"),
        ] {
            let e = Proof::open(&path, &about, share).expect_err(says);
            assert!(e.to_string().contains(says), "{e}");
            assert!(e.to_string().contains("delete it to begin anew"), "{e}");
        }
        let other = folder.file("other");
        std::fs::write(&other, "my notes\n").expect("written");
        let e = Proof::open(&other, &about("k"), own).expect_err("something else");
        assert!(e.to_string().contains("left as it is"), "{e}");
        assert_eq!(std::fs::read(&other).expect("there"), b"my notes\n");
    }
}
