//! The errors of run files.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// The errors of run files, with their remedies.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunFileError {
    /// The file does not exist.
    #[error("{}: no such run file; `crunch run` makes one", .0.display())]
    Missing(PathBuf),
    /// The file already exists.
    #[error("{}: exists already; `crunch resume` continues it, --out names another", .0.display())]
    Exists(PathBuf),
    /// The file is something else.
    #[error("{}: not a run file of crunch: {reason}; it was left as it is", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// How this was determined.
        reason: String,
    },
    /// The file is a damaged run file.
    #[error("{}: damaged run file: {reason}; it was left as it is: restore a copy, or remove \
             it and search again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The damage.
        reason: String,
    },
    /// The file was made by a later version.
    #[error("{}: written in format {found}, and this program reads formats up to {known}; use a newer crunch", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: i64,
        /// The newest supported format.
        known: i64,
    },
    /// The file was made by an earlier version.
    #[error(
        "{}: written in format {found}, whose rows {}: it can be read (`status`, `format`, `plot`), \
         not continued or merged; start a new run",
        path.display(),
        super::schema::lacking(*found)
    )]
    Older {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: i64,
    },
    /// The file was removed or replaced while it was written.
    #[error(
        "{}: it was removed or replaced while this run wrote it, and what was committed went with it; start a new run",
        .0.display()
    )]
    Removed(PathBuf),
    /// The file cannot be made there.
    #[error("{}: there is no folder {}; make it, or name another", path.display(), folder.display())]
    NoFolder {
        /// The file.
        path: PathBuf,
        /// The folder that is missing.
        folder: PathBuf,
    },
    /// Another process writes the file.
    #[error("{}: being written by {holder}; wait until it has ended, or stop it", path.display())]
    Locked {
        /// The file.
        path: PathBuf,
        /// Process and host.
        holder: String,
    },
    /// The disk is full.
    #[error("{}: the disk is full; all groups committed so far are safe: make room and `crunch resume`", .0.display())]
    DiskFull(PathBuf),
    /// The file is about other kernels.
    #[error("{}: {difference}; results under different kernels do not mix: start a new run", path.display())]
    Different {
        /// The file.
        path: PathBuf,
        /// The difference.
        difference: String,
    },
    /// The results in the file differ from the results of its kernels.
    #[error(
        "{}: {what}: either the file is wrong or this machine is; `crunch verify` tests the machine",
        path.display()
    )]
    Contradicted {
        /// The file.
        path: PathBuf,
        /// The values that differ.
        what: String,
    },
    /// The system reports an error.
    #[error("{}: {reason}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
}

impl RunFileError {
    /// The error for an error of SQLite.
    pub(super) fn sql(path: &Path, e: &rusqlite::Error) -> RunFileError {
        let path = path.to_path_buf();
        let reason = one_line(&e.to_string());
        if let rusqlite::Error::SqliteFailure(failure, _) = e
            && failure.extended_code == rusqlite::ffi::SQLITE_READONLY_DBMOVED
        {
            return RunFileError::Removed(path);
        }
        match e.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => RunFileError::DiskFull(path),
            Some(ErrorCode::NotADatabase) => RunFileError::Foreign { path, reason },
            Some(ErrorCode::DatabaseCorrupt) => RunFileError::Damaged { path, reason },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => RunFileError::Io {
                path,
                reason: "another program keeps the file locked; close it and try again".into(),
            },
            // A write that the system refuses comes as an I/O error where SQLite does not recognise ENOSPC.
            Some(ErrorCode::SystemIoFailure) => RunFileError::Io { path, reason },
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
                RunFileError::Io { path, reason }
            }
            // All other errors mean that the content does not match the schema.
            _ => RunFileError::Damaged { path, reason },
        }
    }

    /// The error for an error of the operating system.
    pub(super) fn io(path: &Path, e: &std::io::Error) -> RunFileError {
        let path = path.to_path_buf();
        match e.kind() {
            std::io::ErrorKind::NotFound => RunFileError::Missing(path),
            std::io::ErrorKind::StorageFull => RunFileError::DiskFull(path),
            std::io::ErrorKind::ReadOnlyFilesystem => RunFileError::Io {
                path,
                reason: "its file system is read-only here; mount it for writing, or name another folder".into(),
            },
            std::io::ErrorKind::PermissionDenied => RunFileError::Io {
                path,
                reason: format!("{e}; change its owner or mode, or that of its folder, or name another folder"),
            },
            _ => RunFileError::Io {
                path,
                reason: one_line(&e.to_string()),
            },
        }
    }

    /// The checksum of a row is wrong.
    pub(super) fn checksum(path: &Path, table: &str, key: i64) -> RunFileError {
        let row = match table {
            "grp" => format!("group {key}"),
            "copy" => format!("piece {key} of the copy of its header"),
            _ => format!("{table} {key}"),
        };
        RunFileError::damaged(path, format!("{row}: its checksum does not hold"))
    }

    pub(super) fn damaged(path: &Path, reason: impl Into<String>) -> RunFileError {
        RunFileError::Damaged {
            path: path.to_path_buf(),
            reason: one_line(&reason.into()),
        }
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
