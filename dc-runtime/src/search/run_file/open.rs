//! Opening a run file: the properties of a file that are checked before it is used.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::check::Basis;
use super::schema::{APPLICATION_ID, FORMAT, OLDEST, tables};
use super::{Header, RunFileError, header};

/// The time that commands which need not answer immediately wait for another program's lock.
pub(super) const WAIT: Duration = Duration::from_secs(60);

/// Opens the database at `path` after a check of its first bytes. SQLite would treat some contents as an empty file or overwrite them.
///
/// It waits at most `wait` for another program's lock.
pub(super) fn open(
    path: &Path,
    write: bool,
    wait: Duration,
) -> Result<(Connection, Header, Basis), RunFileError> {
    let connection = connect(path, write, wait)?;
    let (header, basis) = check(&connection, path)?;
    Ok((connection, header, basis))
}

fn connect(path: &Path, write: bool, wait: Duration) -> Result<Connection, RunFileError> {
    sniff(path)?;
    let flags = OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let name = plain_name(path);
    // Readers, too, may have to roll back a commit that a killed writer left incomplete.
    let opened = Connection::open_with_flags(&name, flags | OpenFlags::SQLITE_OPEN_READ_WRITE);
    let connection = match opened {
        Err(_) if !write => {
            Connection::open_with_flags(&name, flags | OpenFlags::SQLITE_OPEN_READ_ONLY)
        }
        other => other,
    }
    .map_err(|e| RunFileError::sql(path, &e))?;
    configure(&connection, path, wait)?;
    Ok(connection)
}

/// A name that SQLite can only interpret as a file's: `file:a?vfs=…` would be a URI, and `:memory:` not a file.
pub(super) fn plain_name(path: &Path) -> PathBuf {
    if path.is_absolute() {
        path.into()
    } else {
        Path::new(".").join(path)
    }
}

/// A mark with up to this number of wrong bits is still recognized.
const FEW_BITS: u32 = 4;

fn sniff(path: &Path) -> Result<(), RunFileError> {
    let foreign = |reason: &str| {
        Err(RunFileError::Foreign {
            path: path.into(),
            reason: reason.into(),
        })
    };
    let meta = std::fs::metadata(path).map_err(|e| RunFileError::io(path, &e))?;
    if !meta.is_file() {
        return foreign("it is not a regular file");
    }
    if meta.len() == 0 {
        return foreign("it is empty");
    }
    let mut head = Vec::new();
    File::open(path)
        .and_then(|f| f.take(100).read_to_end(&mut head))
        .map_err(|e| RunFileError::io(path, &e))?;
    let magic = b"SQLite format 3\0";
    // A file whose mark has a few wrong bits is a damaged run file and no other kind of file.
    let off = |found: &[u8], wanted: &[u8]| -> u32 {
        let bits = found.iter().zip(wanted).map(|(a, b)| (a ^ b).count_ones());
        bits.sum()
    };
    if !head.starts_with(magic) {
        if head.len() >= 100 && off(&head, magic) <= FEW_BITS {
            return Err(RunFileError::damaged(path, "its first bytes are damaged"));
        }
        return foreign("it is not an SQLite database");
    }
    if head.len() < 100 {
        return Err(RunFileError::damaged(
            path,
            "it ends in the middle of its first page",
        ));
    }
    // Bytes 68 to 71 of the header (SQLite file format, section 1.3).
    match off(&head[68..72], &APPLICATION_ID.to_be_bytes()) {
        0 => {}
        1..=FEW_BITS => {
            let reason = "the mark of run files in its header is damaged";
            return Err(RunFileError::damaged(path, reason));
        }
        _ => return foreign("it is an SQLite database of another program"),
    }
    // Bytes 18 and 19: 1 is the rollback journal, 2 the write-ahead log.
    if head[18..20] != [1, 1] {
        return Err(RunFileError::damaged(
            path,
            "its journal is not the rollback journal, or its header is damaged (if another program set it, `PRAGMA \
             journal_mode = DELETE` there sets it back)",
        ));
    }
    // SQLite reads missing bytes of the last page as zeros. While a commit is in progress, or was interrupted and must
    // be rolled back, the length has no meaning.
    let page = u64::from(u16::from_be_bytes([head[16], head[17]])).max(2);
    let ragged = || std::fs::metadata(path).is_ok_and(|m| m.len() % page != 0);
    let mut journal = path.as_os_str().to_owned();
    journal.push("-journal");
    if ragged() && !Path::new(&journal).exists() && ragged() {
        return Err(RunFileError::damaged(path, "its end is missing"));
    }
    Ok(())
}

/// Settings of every connection.
pub(super) fn configure(
    connection: &Connection,
    path: &Path,
    wait: Duration,
) -> Result<(), RunFileError> {
    let sql = |e| RunFileError::sql(path, &e);
    connection.busy_timeout(wait).map_err(sql)?;
    // A file from elsewhere may contain anything.
    for (setting, on) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
    ] {
        connection.set_db_config(setting, on).map_err(sql)?;
    }
    connection
        .execute_batch(
            "PRAGMA cell_size_check = ON; PRAGMA synchronous = FULL; PRAGMA cache_size = -8000;",
        )
        .map_err(sql)
}

fn check(connection: &Connection, path: &Path) -> Result<(Header, Basis), RunFileError> {
    let sql = |e| RunFileError::sql(path, &e);
    // One lock for the whole check.
    let transaction = connection.unchecked_transaction().map_err(sql)?;
    let format: i64 = connection
        .pragma_query_value(None, "user_version", |r| r.get(0))
        .map_err(sql)?;
    if format > FORMAT {
        return Err(RunFileError::Newer {
            path: path.into(),
            found: format,
            known: FORMAT,
        });
    }
    if format < OLDEST {
        let reason = format!("it claims to be of format {format}, which never existed");
        return Err(RunFileError::damaged(path, reason));
    }
    let mut statement = connection
        .prepare("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
        .map_err(sql)?;
    let rows = statement
        .query_map([], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?)))
        .and_then(Iterator::collect::<Result<Vec<(String, String, String)>, _>>)
        .map_err(sql)?;
    for table in tables(format) {
        let (name, text) = (table.name, table.text());
        if !rows
            .iter()
            .any(|(t, n, s)| t == "table" && n == name && *s == text)
        {
            let reason = format!("its table `{name}` is missing or differs from this program's");
            return Err(RunFileError::damaged(path, reason));
        }
    }
    let (header, run) = header::read(connection, format, path)?;
    drop(statement);
    drop(transaction);
    Ok((header, Basis { format, run }))
}
