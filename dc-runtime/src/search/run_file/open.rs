//! Opening a run file: what has to be true of a file before it is believed.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::schema::{APPLICATION_ID, FORMAT, TABLES};
use super::{Header, RunFileError};
use crate::search::identity::{Identity, KernelIdentity, ROLES};
use crate::search::key::Precision;
use crate::search::plan::Plan;
use crate::search::range::Range;
use crate::search::shard::Shard;

/// Opens the database at `path` after a look at its first bytes, which SQLite would take for empty or overwrite.
pub(super) fn open(path: &Path, write: bool) -> Result<(Connection, Header), RunFileError> {
    sniff(path)?;
    let flags = OpenFlags::SQLITE_OPEN_NO_MUTEX;
    // Readers too may have to roll back the commit that a killed writer left half done.
    let opened = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_READ_WRITE);
    let connection = match opened {
        Err(_) if !write => {
            Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_READ_ONLY)
        }
        other => other,
    }
    .map_err(|e| RunFileError::sql(path, &e))?;
    configure(&connection, path)?;
    let header = check(&connection, path)?;
    Ok((connection, header))
}

fn sniff(path: &Path) -> Result<(), RunFileError> {
    let foreign = |reason: &str| {
        Err(RunFileError::Foreign {
            path: path.into(),
            reason: reason.into(),
        })
    };
    let meta = std::fs::metadata(path).map_err(|e| RunFileError::io(path, &e))?;
    if !meta.is_file() {
        return foreign("it is no regular file");
    }
    if meta.len() == 0 {
        return foreign("it is empty");
    }
    let mut head = Vec::new();
    File::open(path)
        .and_then(|f| f.take(100).read_to_end(&mut head))
        .map_err(|e| RunFileError::io(path, &e))?;
    if !head.starts_with(b"SQLite format 3\0") {
        return foreign("it is no SQLite database");
    }
    if head.len() < 100 {
        return Err(RunFileError::damaged(
            path,
            "it ends in the middle of its first page",
        ));
    }
    // Bytes 68 to 71 of the header (SQLite file format, section 1.3).
    if head[68..72] != APPLICATION_ID.to_be_bytes() {
        return foreign("it is an SQLite database of something else");
    }
    // SQLite reads what is missing of the last page as zeros. While a commit goes on, or was cut short and waits to be
    // rolled back, the length says nothing.
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
pub(super) fn configure(connection: &Connection, path: &Path) -> Result<(), RunFileError> {
    let sql = |e| RunFileError::sql(path, &e);
    connection
        .busy_timeout(Duration::from_secs(60))
        .map_err(sql)?;
    // A file from elsewhere may hold anything.
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

fn check(connection: &Connection, path: &Path) -> Result<Header, RunFileError> {
    let sql = |e| RunFileError::sql(path, &e);
    let version: i64 = connection
        .pragma_query_value(None, "user_version", |r| r.get(0))
        .map_err(sql)?;
    if version > FORMAT {
        return Err(RunFileError::Newer {
            path: path.into(),
            found: version,
            known: FORMAT,
        });
    }
    let mut statement = connection
        .prepare("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
        .map_err(sql)?;
    let rows = statement
        .query_map([], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?)))
        .and_then(Iterator::collect::<Result<Vec<(String, String, String)>, _>>)
        .map_err(sql)?;
    for (name, text) in TABLES {
        if !rows
            .iter()
            .any(|(t, n, s)| t == "table" && n == name && s == text)
        {
            let reason = format!("its table `{name}` is missing or another than this program's");
            return Err(RunFileError::damaged(path, reason));
        }
    }
    header(connection).map_err(|e| match e {
        HeaderError::Sql(e) => RunFileError::sql(path, &e),
        HeaderError::Text(reason) => RunFileError::damaged(path, reason),
    })
}

enum HeaderError {
    Sql(rusqlite::Error),
    Text(String),
}

impl From<rusqlite::Error> for HeaderError {
    fn from(e: rusqlite::Error) -> Self {
        HeaderError::Sql(e)
    }
}

fn header(connection: &Connection) -> Result<Header, HeaderError> {
    use rusqlite::OptionalExtension as _;
    let text = |key: &str| -> Result<String, HeaderError> {
        connection
            .query_row("SELECT value FROM meta WHERE key = ?1", [key], |r| r.get(0))
            .optional()?
            .ok_or_else(|| HeaderError::Text(format!("`{key}` is missing from its table `meta`")))
    };
    let number = |key: &str| -> Result<i64, HeaderError> {
        let t = text(key)?;
        t.parse()
            .map_err(|_| HeaderError::Text(format!("`{key}` is no number")))
    };
    let precision = match text("precision")?.as_str() {
        "f32" => Precision::F32,
        "f64" => Precision::F64,
        other => return Err(HeaderError::Text(format!("precision `{other}`"))),
    };
    let range =
        Range::parse(&text("range")?, precision).map_err(|e| HeaderError::Text(e.to_string()))?;
    let log2 = u32::try_from(number("block_log2")?).unwrap_or(u32::MAX);
    let plan = Plan::new(range, Some(log2)).map_err(|e| HeaderError::Text(e.to_string()))?;
    let shard = Shard::parse(&text("shard")?).map_err(|e| HeaderError::Text(e.to_string()))?;
    let mut statement = connection.prepare(
        "SELECT role, name, module, file, line, identity, source FROM kernel ORDER BY position",
    )?;
    let kernels = statement
        .query_map([], |r| {
            Ok(KernelIdentity {
                role: r.get(0)?,
                name: r.get(1)?,
                module: r.get(2)?,
                file: r.get(3)?,
                line: r.get(4)?,
                hash: r.get(5)?,
                source: r.get(6)?,
            })
        })?
        .collect::<Result<Vec<_>, _>>()?;
    if !kernels.iter().map(|k| k.role.as_str()).eq(ROLES) {
        return Err(HeaderError::Text(
            "its kernels are not the three of a sweep".into(),
        ));
    }
    Ok(Header {
        identity: Identity {
            sweep: text("sweep")?,
            precision,
            metric: text("metric")?,
            kernels,
        },
        range_text: text("range_text")?,
        plan,
        shard,
        created: number("created")?,
        version: text("version")?,
    })
}
