//! The journal of a proof: the steps that `crunch exact --certificate` has completed, from which the proof is resumed after a kill.
//!
//! `dc_exact` defines its text ([`journal`]). This module opens it, compares it with the requested proof, and writes it. Only one process
//! writes it at a time. A line stays valid whatever follows it, and has a checksum of all lines before it. A line that a kill cut short is
//! dropped, and its step is repeated.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use dc_exact::bound::RangeBound;
use dc_exact::exact::journal::{self, About, Chain, Journal, NoJournal};
use dc_exact::exact::{Kept, Note, Share};

use super::lock::{Lock, LockError};
use super::shard::Shard;

/// Written lines are synced to the disk after this time.
const SYNC: Duration = Duration::from_secs(1);

/// The reason why a proof cannot be continued with a journal.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProofError {
    /// The system reports an error.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error.
        error: io::Error,
    },
    /// Another process writes it, or its lock file is not a lock.
    #[error("{}: {why}", .path.display())]
    Locked {
        /// The file.
        path: PathBuf,
        /// The process, or the content of the lock file.
        why: String,
    },
    /// It is not the journal of a proof.
    #[error(
        "{}: is not an unfinished proof, and was left as it is; name another file, or move it away", .0.display()
    )]
    Foreign(PathBuf),
    /// It ends before its subject is complete.
    #[error("{}: ends before its header is complete; delete it", .0.display())]
    Short(PathBuf),
    /// It records something that is missing in the bound that it names.
    #[error(
        "{}: is not a record of this proof: {what}; delete it to begin again", .path.display()
    )]
    Unsupported {
        /// The file.
        path: PathBuf,
        /// What is missing.
        what: String,
    },
    /// It belongs to another proof.
    #[error(
        "{}: is an unfinished proof of another {what} ({theirs}; this is {ours}): its results say nothing about this one; delete it to \
         begin again, or name another file", .path.display()
    )]
    Other {
        /// The file.
        path: PathBuf,
        /// The property that differs.
        what: &'static str,
        /// Its value in the file.
        theirs: String,
        /// Its value here.
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

/// The journal of a proof, or of a shard of it, next to the certificate, until the proof is complete.
#[must_use]
pub fn beside(certificate: &Path, shard: Shard) -> PathBuf {
    let mut name = certificate.as_os_str().to_owned();
    if !shard.is_whole() {
        name.push(format!(".{}-of-{}", shard.index(), shard.count()));
    }
    name.push(".part");
    name.into()
}

/// Whether a file begins like a journal.
#[must_use]
pub fn is_proof(path: &Path) -> bool {
    let mut head = vec![0; journal::HEADER.len()];
    let regular = std::fs::metadata(path).is_ok_and(|m| m.is_file());
    regular
        && File::open(path)
            .and_then(|mut f| f.read_exact(&mut head))
            .is_ok_and(|()| head == journal::HEADER.as_bytes())
}

/// The journals in a folder.
///
/// # Errors
/// If the folder cannot be read.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>, ProofError> {
    let io = |e| ProofError::io(folder, e);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(io)? {
        let path = entry.map_err(io)?.path();
        if path.extension().is_some_and(|e| e == "part") && is_proof(&path) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Whether a process writes a proof at this moment.
#[must_use]
pub fn is_running(path: &Path) -> bool {
    Lock::is_held(path)
}

/// Parses a journal.
///
/// # Errors
/// If the file is not a journal, or cannot be read.
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

/// Compares a journal with the requested proof.
///
/// # Errors
/// The property that differs.
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

/// Compares the pieces and stretches that a journal records with those of its bound.
///
/// # Errors
/// The first one that the bound does not have.
pub fn supported(
    path: &Path,
    kept: &Kept,
    bound: &RangeBound,
    shard: Shard,
) -> Result<(), ProofError> {
    kept.supported(bound, share(shard))
        .map_err(|what| ProofError::Unsupported {
            path: path.into(),
            what,
        })
}

/// A journal, open for more steps.
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
    /// Lines that have not been written yet.
    lines: String,
    synced: Instant,
    failed: Option<io::Error>,
}

/// The contents of a journal that is resumed.
#[derive(Debug)]
pub struct Resumed {
    /// The completed steps.
    pub kept: Kept,
    /// The number of lines at its end that were cut short or damaged and have been dropped.
    pub dropped: usize,
}

impl Proof {
    /// Opens the journal of a proof, or creates one.
    ///
    /// # Errors
    /// If the file is something else, or belongs to another proof; or if another process writes it.
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
            // It was killed before its header was complete.
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

    /// Writes the added steps, and syncs to the disk about once per second. Returns whether this succeeded. If it did not, the
    /// proof should end.
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

    /// Writes the remaining steps.
    ///
    /// # Errors
    /// The error of this or an earlier write.
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

    /// Removes the journal after its certificate has been written.
    ///
    /// # Errors
    /// If it cannot be removed.
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
        // As after a kill in the middle of a line.
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
            assert!(e.to_string().contains("delete it to begin again"), "{e}");
        }
        let other = folder.file("other");
        std::fs::write(&other, "my notes\n").expect("written");
        let e = Proof::open(&other, &about("k"), own).expect_err("something else");
        assert!(e.to_string().contains("left as it is"), "{e}");
        assert_eq!(std::fs::read(&other).expect("there"), b"my notes\n");
    }
}
