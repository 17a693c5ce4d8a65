//! Writing a run file.

use std::ops;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, Transaction};

use super::check::{Basis, File, Total, link};
use super::rows::{Put, put};
use super::schema::{self, APPLICATION_ID, FORMAT};
use super::{DeviceWork, Group, Header, Record, RunFileError, Session, column, header, open};
use crate::model::block::{BlockResult, Worst};
use crate::model::machine;
use crate::search::lock::{self, Lock, LockError};

/// A run file open for writing. No other process can open it for writing at the same time.
#[derive(Debug)]
pub struct Writer {
    connection: Connection,
    header: Header,
    basis: Basis,
    total: Total,
    /// The parts of unfinished blocks.
    parts: Vec<Record>,
    /// The number of rows of `session` and `device`.
    rows: (i64, i64),
    /// The session that was started last.
    session: Option<Open>,
    path: PathBuf,
    /// The identity of the file, independent of its name.
    file_identity: Option<lock::FileIdentity>,
    /// Declared after `connection`, so that it is dropped after it.
    _lock: Lock,
}

/// A session in progress.
#[derive(Debug, Clone)]
struct Open {
    id: i64,
    session: Session,
    checksum: i64,
    /// The devices' rows and their checksums, in the order of the session's devices.
    devices: Vec<(i64, i64)>,
}

/// A period of work by one process that is about to begin.
#[derive(Debug, Clone)]
pub struct NewSession {
    /// The command line.
    pub command: String,
    /// Each backend: its id, its description, its number of workers.
    pub devices: Vec<(String, String, usize)>,
}

impl Writer {
    /// Creates a run file. It appears under its name when it is complete.
    ///
    /// # Errors
    /// If the name is taken, or nothing can be written there.
    pub fn create(path: &Path, header: Header) -> Result<Writer, RunFileError> {
        let exists = || std::fs::symlink_metadata(path).is_ok();
        if exists() {
            return Err(RunFileError::Exists(path.into()));
        }
        let lock = lock_new(path)?;
        let mut temporary = path.as_os_str().to_owned();
        temporary.push(".new");
        let temporary = PathBuf::from(temporary);
        // No other process makes it, since we hold the lock. The file can only be left from a killed process.
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
        Writer::with_lock(path, lock)?.checked()
    }

    /// Opens a run file to continue it, after a check of the whole file.
    ///
    /// # Errors
    /// If it is missing, foreign, damaged, of an older format or being written.
    pub fn open(path: &Path) -> Result<Writer, RunFileError> {
        Writer::unchecked(path)?.checked()
    }

    /// Opens a run file without the check; [`Writer::check`] must be called afterwards.
    pub(in crate::search) fn unchecked(path: &Path) -> Result<Writer, RunFileError> {
        // This is done before locking, so that no lock file is made next to files that are not run files.
        let (_, _, basis) = open::open(path, false, open::WAIT)?;
        if basis.format < FORMAT {
            return Err(RunFileError::Older {
                path: path.into(),
                found: basis.format,
            });
        }
        Writer::with_lock(path, take_lock(path)?)
    }

    fn checked(mut self) -> Result<Writer, RunFileError> {
        self.check(|_| Ok::<(), RunFileError>(()))?;
        Ok(self)
    }

    /// Checks the whole file, and passes every block to `each`.
    pub(in crate::search) fn check<E: From<RunFileError>>(
        &mut self,
        each: impl FnMut(&Record) -> Result<(), E>,
    ) -> Result<(), E> {
        let sql = |e| RunFileError::sql(&self.path, &e);
        let check: String = self
            .connection
            .query_row("PRAGMA quick_check(1)", [], |r| r.get(0))
            .map_err(sql)?;
        if check != "ok" {
            return Err(RunFileError::damaged(&self.path, check).into());
        }
        let file = File {
            connection: &self.connection,
            header: &self.header,
            basis: self.basis,
            path: &self.path,
        };
        let total = file.blocks(each)?;
        let sessions = file.sessions(&total)?;
        let parts = file.parts(&total)?;
        let last = |table| {
            let sql = format!("SELECT coalesce(max(id), 0) FROM {table}");
            self.connection.query_row(&sql, [], |r| r.get::<_, i64>(0))
        };
        let devices = last("device").map_err(sql)?;
        self.rows = (sessions.last().map_or(0, |s| s.id), devices);
        self.total = total;
        self.parts = parts;
        Ok(())
    }

    fn with_lock(path: &Path, lock: Lock) -> Result<Writer, RunFileError> {
        let (connection, header, basis) = open::open(path, true, open::WAIT)?;
        Ok(Writer {
            connection,
            header,
            basis,
            total: Total::EMPTY,
            parts: Vec::new(),
            rows: (0, 0),
            session: None,
            path: path.into(),
            file_identity: lock::identity_of_path(path),
            _lock: lock,
        })
    }

    /// The file's header.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }
    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
    /// Whether the file still exists under its name. It may have been removed or replaced.
    #[must_use]
    pub fn is_in_place(&self) -> bool {
        lock::identity_of_path(&self.path) == self.file_identity
    }
    /// The contents of the file: the number of blocks, their merged results, the worst input.
    #[must_use]
    pub fn total(&self) -> (u64, &BlockResult, Option<&Worst>) {
        let t = &self.total.tally;
        (t.blocks, &t.result, t.worst.as_ref())
    }

    /// The searched parts of unfinished blocks, each from its first input on.
    #[must_use]
    pub fn parts(&self) -> &[Record] {
        &self.parts
    }

    /// The blocks of this file's shard that are not in it yet, as stretches of their numbers.
    ///
    /// # Errors
    /// If the file cannot be read.
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

    /// Records that work begins; returns the number for [`Writer::commit`].
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn begin(&mut self, session: &NewSession) -> Result<i64, RunFileError> {
        let devices = session.devices.iter();
        let devices = devices.map(|(backend, description, workers)| DeviceWork {
            backend: backend.clone(),
            description: description.clone(),
            workers: *workers as u64,
            inputs: 0,
            seconds: 0.0,
        });
        self.adopt(&Session {
            id: 0,
            started: machine::now(),
            ended: None,
            machine: machine::describe(),
            version: machine::VERSION.into(),
            rustc: machine::RUSTC.into(),
            command: session.command.clone(),
            devices: devices.collect(),
        })
    }

    /// Copies a session of another file, unchanged, under a new number.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn adopt(&mut self, session: &Session) -> Result<i64, RunFileError> {
        let (id, mut device) = (self.rows.0 + 1, self.rows.1);
        let mut total = self.total;
        let run = self.basis.run;
        let write = |tx: &Transaction| -> rusqlite::Result<Open> {
            let checksum = put(tx, &schema::session(), run, &session_row(id, session))?;
            total.session_sum = total.session_sum.wrapping_add(checksum);
            let mut devices = Vec::new();
            for d in &session.devices {
                device += 1;
                let row = device_row(device, id, d);
                let checksum = put(tx, &schema::device(), run, &row)?;
                total.session_sum = total.session_sum.wrapping_add(checksum);
                devices.push((device, checksum));
            }
            put(tx, &schema::total(FORMAT), run, &total.values())?;
            Ok(Open {
                id,
                session: session.clone(),
                checksum,
                devices,
            })
        };
        let open = self.transact(write)?;
        self.session = Some(open);
        self.rows = (id, device);
        self.total = total;
        Ok(id)
    }

    /// Writes a group in one transaction: the whole group or, after a kill or an error, nothing.
    ///
    /// # Errors
    /// If it cannot be written: the file is then unchanged.
    pub fn commit(
        &mut self,
        session: i64,
        backends: &[String],
        group: &Group,
    ) -> Result<(), RunFileError> {
        let mut total = self.total;
        let mut open = self.session.clone().filter(|s| s.id == session);
        let run = self.basis.run;
        let write = |tx: &Transaction| -> rusqlite::Result<()> {
            if !group.records.is_empty() {
                add_group(tx, run, session, group, &mut total)?;
            }
            tx.execute("DELETE FROM part", [])?;
            let mut part = Put::once(tx, &schema::part(FORMAT), run)?;
            total.part_sum = 0;
            for r in &group.parts {
                let mut row = vec![Value::Integer(r.index as i64)];
                row.extend(column::values(&r.result, r.worst.as_ref()));
                total.part_sum = total.part_sum.wrapping_add(part.row(&row)?);
            }
            if let Some(open) = &mut open {
                for (backend, (inputs, seconds)) in backends.iter().zip(&group.work) {
                    let devices = &mut open.session.devices;
                    let Some(i) = devices.iter().position(|d| d.backend == *backend) else {
                        continue;
                    };
                    devices[i].inputs += inputs;
                    devices[i].seconds += seconds;
                    let (row, old) = open.devices[i];
                    let values = device_row(row, session, &devices[i]);
                    let new = put(tx, &schema::device(), run, &values)?;
                    open.devices[i].1 = new;
                    total.session_sum = total.session_sum.wrapping_sub(old).wrapping_add(new);
                }
            }
            put(tx, &schema::total(FORMAT), run, &total.values())?;
            Ok(())
        };
        self.transact(write)?;
        self.total = total;
        self.parts.clone_from(&group.parts);
        if open.is_some() {
            self.session = open;
        }
        Ok(())
    }

    /// Records that the session that was started last has ended normally.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn end(&mut self, session: i64) -> Result<(), RunFileError> {
        let Some(mut open) = self.session.take().filter(|s| s.id == session) else {
            return Ok(());
        };
        open.session.ended = Some(machine::now());
        let mut total = self.total;
        let run = self.basis.run;
        self.transact(|tx| {
            let row = session_row(session, &open.session);
            let new = put(tx, &schema::session(), run, &row)?;
            let without = total.session_sum.wrapping_sub(open.checksum);
            total.session_sum = without.wrapping_add(new);
            put(tx, &schema::total(FORMAT), run, &total.values())
        })?;
        self.total = total;
        Ok(())
    }

    /// Commits no longer wait for the disk. This is for a file that is discarded unless it is completed and synchronised as a whole. Ten
    /// thousand parts are twenty thousand commits.
    fn draft(&self) -> Result<(), RunFileError> {
        self.connection
            .execute_batch(
                "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE;",
            )
            .map_err(|e| RunFileError::sql(&self.path, &e))
    }

    /// Commits all of it or nothing.
    fn transact<T>(
        &mut self,
        write: impl FnOnce(&Transaction) -> rusqlite::Result<T>,
    ) -> Result<T, RunFileError> {
        let immediate = rusqlite::TransactionBehavior::Immediate;
        let written = self
            .connection
            .transaction_with_behavior(immediate)
            .and_then(|tx| {
                let done = write(&tx)?;
                tx.commit()?;
                Ok(done)
            });
        written.map_err(|e| RunFileError::sql(&self.path, &e))
    }

    /// For tests: the database must not grow beyond this number of pages, as on a full disk.
    #[cfg(test)]
    pub(super) fn limit_pages(&self, pages: i64) {
        self.connection
            .query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(()))
            .expect("a pragma");
    }
}

/// Adds a group and its blocks.
fn add_group(
    tx: &Transaction,
    run: i64,
    session: i64,
    group: &Group,
    total: &mut Total,
) -> rusqlite::Result<()> {
    total.groups += 1;
    let mut sum = 0i64;
    let mut block = Put::once(tx, &schema::block(FORMAT), run)?;
    for r in &group.records {
        let mut row = vec![Value::Integer(r.index as i64), Value::Integer(total.groups)];
        row.extend(column::values(&r.result, r.worst.as_ref()));
        sum = sum.wrapping_add(block.row(&row)?);
        total.tally.add(r);
    }
    let inputs: u64 = group.records.iter().map(|r| r.result.count).sum();
    let mut row = vec![
        Value::Integer(total.groups),
        Value::Integer(session),
        Value::Integer(group.records.len() as i64),
        Value::Integer(inputs as i64),
        Value::Real(group.seconds),
        Value::Integer(machine::now()),
        Value::Integer(sum),
    ];
    total.chain = link(run, total.chain, &row);
    total.block_sum = total.block_sum.wrapping_add(sum);
    row.push(Value::Integer(total.chain));
    Put::once(tx, &schema::group(), run)?.row(&row)?;
    Ok(())
}

/// Makes a run file from the rows of another one. It appears under its name when `fill` has succeeded, and not at all otherwise.
///
/// # Errors
/// If the name is taken, or nothing can be written there; also the error of `fill`.
pub(in crate::search) fn make_whole<T, E: From<RunFileError>>(
    out: &Path,
    header: Header,
    fill: impl FnOnce(&mut Writer) -> Result<T, E>,
) -> Result<T, E> {
    let taken = || match std::fs::symlink_metadata(out) {
        Ok(_) => Err(RunFileError::Exists(out.into())),
        Err(_) => Ok(()),
    };
    taken()?;
    let _lock = lock_new(out)?;
    let with = |ending: &str| {
        let mut name = out.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    };
    let part = with(".part");
    let remove = || {
        // We hold the lock: the file can only be our own, or left from a killed process.
        let _ = std::fs::remove_file(&part);
        let _ = std::fs::remove_file(with(".part-journal"));
    };
    remove();
    let mut writer = Writer::create(&part, header)?;
    let done = writer
        .draft()
        .map_err(E::from)
        .and_then(|()| fill(&mut writer));
    drop(writer);
    let done = done.and_then(|done| {
        let io = |e| RunFileError::io(out, &e);
        std::fs::File::open(&part)
            .and_then(|f| f.sync_all())
            .map_err(io)?;
        taken()?;
        std::fs::rename(&part, out).map_err(io)?;
        Ok(done)
    });
    if done.is_err() {
        remove();
    }
    done
}

/// The lock of a run file.
fn take_lock(path: &Path) -> Result<Lock, RunFileError> {
    // A reader that checks whether the run is being written holds the lock for an instant.
    Lock::take(path, Duration::from_millis(300)).map_err(|e| match e {
        LockError::Held(holder) => RunFileError::Locked {
            path: path.into(),
            holder,
        },
        LockError::Io { path, error } => RunFileError::io(&path, &error),
        LockError::Foreign { .. } => RunFileError::Io {
            path: path.into(),
            reason: e.to_string(),
        },
    })
}

/// The lock of a file that is about to be created.
pub(super) fn lock_new(path: &Path) -> Result<Lock, RunFileError> {
    let folder = match path.parent() {
        Some(p) if !p.as_os_str().is_empty() => p,
        _ => Path::new("."),
    };
    match std::fs::metadata(folder) {
        Ok(found) if found.is_dir() => take_lock(path),
        // A shared folder whose server does not answer is there nevertheless.
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(RunFileError::io(folder, &e)),
        _ => Err(RunFileError::NoFolder {
            path: path.into(),
            folder: folder.into(),
        }),
    }
}

fn session_row(id: i64, s: &Session) -> Vec<Value> {
    vec![
        Value::Integer(id),
        Value::Integer(s.started),
        s.ended.map_or(Value::Null, Value::Integer),
        Value::Text(s.machine.clone()),
        Value::Text(s.version.clone()),
        Value::Text(s.rustc.clone()),
        Value::Text(s.command.clone()),
    ]
}

fn device_row(id: i64, session: i64, d: &DeviceWork) -> Vec<Value> {
    vec![
        Value::Integer(id),
        Value::Integer(session),
        Value::Text(d.backend.clone()),
        Value::Text(d.description.clone()),
        Value::Integer(d.workers as i64),
        Value::Integer(d.inputs as i64),
        Value::Real(d.seconds),
    ]
}

/// An empty run file at `path`.
fn make(path: &Path, header: &Header) -> Result<(), RunFileError> {
    let sql = |e| RunFileError::sql(path, &e);
    let mut connection = Connection::open_with_flags(
        open::plain_name(path),
        OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )
    .map_err(|e| RunFileError::Io {
        path: path.into(),
        reason: format!("cannot be made: {e}"),
    })?;
    open::configure(&connection, path, open::WAIT)?;
    connection
        .pragma_update(None, "application_id", APPLICATION_ID)
        .and_then(|()| connection.pragma_update(None, "user_version", FORMAT))
        .map_err(sql)?;
    let tx = connection.transaction().map_err(sql)?;
    for table in schema::tables(FORMAT) {
        tx.execute(&table.text(), []).map_err(sql)?;
    }
    let run = header::write(&tx, header).map_err(sql)?;
    put(&tx, &schema::total(FORMAT), run, &Total::EMPTY.values()).map_err(sql)?;
    tx.commit().map_err(sql)?;
    connection.close().map_err(|(_, e)| sql(e))
}
