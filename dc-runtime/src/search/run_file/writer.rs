//! Writing a run file.

use std::ops;
use std::path::{Path, PathBuf};

use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, params};

use super::lock::Lock;
use super::record::{self, Record};
use super::schema::{APPLICATION_ID, FORMAT, RESULT, RESULT_COLUMNS, TABLES};
use super::{Header, RunFileError, Session, open};
use crate::search::block::{BlockResult, Worst};
use crate::search::machine;

/// A run file open for writing; no other process can open it so.
#[derive(Debug)]
pub struct Writer {
    connection: Connection,
    header: Header,
    total: Total,
    path: PathBuf,
    /// After `connection`, so that it is dropped after it.
    _lock: Lock,
}

#[derive(Debug, Clone, Copy)]
struct Total {
    blocks: u64,
    result: BlockResult,
    worst: Option<Worst>,
}

/// A stretch of work by one process, about to begin.
#[derive(Debug, Clone)]
pub struct NewSession {
    /// The command line.
    pub command: String,
    /// Each backend: its id, its description, the number of its workers.
    pub devices: Vec<(String, String, usize)>,
}

/// Blocks that go into the file together.
#[derive(Debug, Clone, Default)]
pub struct Group {
    /// Its blocks.
    pub records: Vec<Record>,
    /// Seconds since the last group.
    pub seconds: f64,
    /// For each backend of the session: inputs searched since the last group, and seconds spent on them (summed over
    /// its workers).
    pub work: Vec<(u64, f64)>,
}

impl Writer {
    /// Makes a run file; it appears under its name when it is complete.
    ///
    /// # Errors
    /// When the name is taken, or nothing can be written there.
    pub fn create(path: &Path, header: Header) -> Result<Writer, RunFileError> {
        let exists = || std::fs::symlink_metadata(path).is_ok();
        if exists() {
            return Err(RunFileError::Exists(path.into()));
        }
        let lock = Lock::take(path)?;
        let mut temporary = path.as_os_str().to_owned();
        temporary.push(".new");
        let temporary = PathBuf::from(temporary);
        // Nobody else makes it: the lock is ours. It can only be what a killed process left.
        match std::fs::remove_file(&temporary) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
                return Err(RunFileError::io(&temporary, &e));
            }
            _ => {}
        }
        let made = make(&temporary, &header).and_then(|()| {
            if exists() {
                return Err(RunFileError::Exists(path.into()));
            }
            std::fs::rename(&temporary, path).map_err(|e| RunFileError::io(path, &e))
        });
        if let Err(e) = made {
            let _ = std::fs::remove_file(&temporary);
            return Err(e);
        }
        Writer::with_lock(path, lock)
    }

    /// Opens a run file to continue it.
    ///
    /// # Errors
    /// When it is missing, foreign, damaged or being written.
    pub fn open(path: &Path) -> Result<Writer, RunFileError> {
        // Before the lock: its file is not made next to things that are no run files.
        drop(open::open(path, false)?);
        Writer::with_lock(path, Lock::take(path)?)
    }

    fn with_lock(path: &Path, lock: Lock) -> Result<Writer, RunFileError> {
        let (connection, header) = open::open(path, true)?;
        let sql = |e| RunFileError::sql(path, &e);
        let check: String = connection
            .query_row("PRAGMA quick_check(1)", [], |r| r.get(0))
            .map_err(sql)?;
        if check != "ok" {
            return Err(RunFileError::damaged(path, check));
        }
        let (blocks, result, worst) =
            super::reader::total(&connection, header.identity.precision, path)?;
        Ok(Writer {
            connection,
            header,
            total: Total {
                blocks,
                result,
                worst,
            },
            path: path.into(),
            _lock: lock,
        })
    }

    /// What the file is about.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }
    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
    /// What is in the file: the number of blocks, their results merged, the worst input.
    #[must_use]
    pub fn total(&self) -> (u64, &BlockResult, Option<&Worst>) {
        (
            self.total.blocks,
            &self.total.result,
            self.total.worst.as_ref(),
        )
    }

    /// The blocks of this file's shard that are not in it yet, as stretches of their numbers.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn pending(&self) -> Result<Vec<ops::Range<u64>>, RunFileError> {
        let sql = |e| RunFileError::sql(&self.path, &e);
        let own = self.header.own_blocks();
        let mut pending = Vec::new();
        let mut next = own.start;
        let mut statement = self
            .connection
            .prepare("SELECT idx FROM block ORDER BY idx")
            .map_err(sql)?;
        let mut rows = statement.query([]).map_err(sql)?;
        while let Some(row) = rows.next().map_err(sql)? {
            let index = row.get::<_, i64>(0).map_err(sql)? as u64;
            if !own.contains(&index) || index < next {
                let reason = format!(
                    "block {index} does not belong to shard {}",
                    self.header.shard
                );
                return Err(RunFileError::damaged(&self.path, reason));
            }
            if index > next {
                pending.push(next..index);
            }
            next = index + 1;
        }
        if next < own.end {
            pending.push(next..own.end);
        }
        Ok(pending)
    }

    /// Notes that work begins; the number that [`Writer::commit`] wants.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn begin(&mut self, session: &NewSession) -> Result<i64, RunFileError> {
        let path = self.path.clone();
        let sql = |e| RunFileError::sql(&path, &e);
        let tx = self.connection.transaction().map_err(sql)?;
        tx.execute(
            "INSERT INTO session (started, ended, machine, version, rustc, command) VALUES (?1, NULL, ?2, ?3, ?4, ?5)",
            params![
                machine::now(),
                machine::describe(),
                machine::VERSION,
                machine::RUSTC,
                session.command
            ],
        )
        .map_err(sql)?;
        let id = tx.last_insert_rowid();
        for (backend, description, workers) in &session.devices {
            tx.execute(
                "INSERT INTO device VALUES (?1, ?2, ?3, ?4, 0, 0.0)",
                params![id, backend, description, *workers as i64],
            )
            .map_err(sql)?;
        }
        tx.commit().map_err(sql)?;
        Ok(id)
    }

    /// Takes over a session of another file, as it was.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn adopt(&mut self, session: &Session) -> Result<i64, RunFileError> {
        let path = self.path.clone();
        let sql = |e| RunFileError::sql(&path, &e);
        let tx = self.connection.transaction().map_err(sql)?;
        tx.execute(
            "INSERT INTO session (started, ended, machine, version, rustc, command) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![
                session.started,
                session.ended,
                session.machine,
                session.version,
                session.rustc,
                session.command
            ],
        )
        .map_err(sql)?;
        let id = tx.last_insert_rowid();
        for d in &session.devices {
            tx.execute(
                "INSERT INTO device VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                params![
                    id,
                    d.backend,
                    d.description,
                    d.workers as i64,
                    d.inputs as i64,
                    d.seconds
                ],
            )
            .map_err(sql)?;
        }
        tx.commit().map_err(sql)?;
        Ok(id)
    }

    /// Writes a group in one transaction: all of it or, after a kill or an error, nothing.
    ///
    /// # Errors
    /// When it cannot be written: the file is then as before.
    pub fn commit(
        &mut self,
        session: i64,
        backends: &[String],
        group: &Group,
    ) -> Result<(), RunFileError> {
        let path = self.path.clone();
        let sql = |e| RunFileError::sql(&path, &e);
        let mut total = self.total;
        let inputs: u64 = group.records.iter().map(|r| r.result.count).sum();
        let tx = self
            .connection
            .transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)
            .map_err(sql)?;
        tx.execute(
            "INSERT INTO grp (session, blocks, inputs, seconds, committed) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![session, group.records.len() as i64, inputs as i64, group.seconds, machine::now()],
        )
        .map_err(sql)?;
        let id = tx.last_insert_rowid();
        insert(&tx, id, &group.records).map_err(sql)?;
        for r in &group.records {
            total.add(r);
        }
        total.write(&tx).map_err(sql)?;
        for (backend, (inputs, seconds)) in backends.iter().zip(&group.work) {
            tx.execute(
                "UPDATE device SET inputs = inputs + ?3, seconds = seconds + ?4 WHERE session = ?1 AND backend = ?2",
                params![session, backend, *inputs as i64, seconds],
            )
            .map_err(sql)?;
        }
        tx.commit().map_err(sql)?;
        self.total = total;
        Ok(())
    }

    /// Notes that work has ended in an orderly way.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn end(&mut self, session: i64) -> Result<(), RunFileError> {
        self.connection
            .execute(
                "UPDATE session SET ended = ?2 WHERE id = ?1",
                params![session, machine::now()],
            )
            .map(|_| ())
            .map_err(|e| RunFileError::sql(&self.path, &e))
    }

    /// For tests: the database may not grow beyond so many pages, as on a full disk.
    #[cfg(test)]
    pub(super) fn limit_pages(&self, pages: i64) {
        self.connection
            .query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(()))
            .expect("a pragma");
    }
}

impl Total {
    fn add(&mut self, r: &Record) {
        self.blocks += 1;
        let before = self.result.max;
        self.result = self.result.merge(&r.result);
        if self.result.max != before {
            self.worst = r.worst;
        }
    }
    fn write(&self, connection: &Connection) -> rusqlite::Result<()> {
        let mut values = vec![Value::Integer(self.blocks as i64)];
        values.extend(record::bind(&self.result, self.worst.as_ref()));
        let sql = format!(
            "INSERT OR REPLACE INTO total (id, blocks, {RESULT}) VALUES (1, {})",
            placeholders(RESULT_COLUMNS + 1)
        );
        connection
            .prepare_cached(&sql)?
            .execute(&*record::params(&values))?;
        Ok(())
    }
}

fn placeholders(n: usize) -> String {
    vec!["?"; n].join(", ")
}

fn insert(connection: &Connection, group: i64, records: &[Record]) -> rusqlite::Result<()> {
    let sql = format!(
        "INSERT INTO block (idx, grp, {RESULT}) VALUES ({})",
        placeholders(RESULT_COLUMNS + 2)
    );
    let mut statement = connection.prepare_cached(&sql)?;
    for r in records {
        let mut values = vec![Value::Integer(r.index as i64), Value::Integer(group)];
        values.extend(record::bind(&r.result, r.worst.as_ref()));
        statement.execute(&*record::params(&values))?;
    }
    Ok(())
}

/// An empty run file at `path`.
fn make(path: &Path, header: &Header) -> Result<(), RunFileError> {
    let sql = |e| RunFileError::sql(path, &e);
    let mut connection = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )
    .map_err(|e| RunFileError::Io {
        path: path.into(),
        reason: format!("cannot be made: {e}"),
    })?;
    open::configure(&connection, path)?;
    connection
        .pragma_update(None, "application_id", APPLICATION_ID)
        .and_then(|()| connection.pragma_update(None, "user_version", FORMAT))
        .map_err(sql)?;
    let tx = connection.transaction().map_err(sql)?;
    for (_, text) in TABLES {
        tx.execute(text, []).map_err(sql)?;
    }
    let id = &header.identity;
    for (key, value) in [
        ("sweep", id.sweep.clone()),
        ("precision", id.precision.name().into()),
        ("metric", id.metric.clone()),
        ("range", header.plan.range().to_string()),
        ("range_text", header.range_text.clone()),
        ("block_log2", header.plan.log2().to_string()),
        ("blocks", header.plan.blocks().to_string()),
        ("shard", header.shard.to_string()),
        ("created", header.created.to_string()),
        ("version", header.version.clone()),
    ] {
        tx.execute("INSERT INTO meta VALUES (?1, ?2)", params![key, value])
            .map_err(sql)?;
    }
    for (i, k) in id.kernels.iter().enumerate() {
        tx.execute(
            "INSERT INTO kernel VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![
                k.role, i as i64, k.name, k.module, k.file, k.line, k.hash, k.source
            ],
        )
        .map_err(sql)?;
    }
    let total = Total {
        blocks: 0,
        result: BlockResult::EMPTY,
        worst: None,
    };
    total.write(&tx).map_err(sql)?;
    tx.commit().map_err(sql)?;
    connection.close().map_err(|(_, e)| sql(e))
}
