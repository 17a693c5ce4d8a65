//! Reading a run file, also while it is being written.

use std::ops;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::lock::Lock;
use super::record::{self, Record};
use super::schema::RESULT;
use super::{Header, RunFileError, open};
use crate::search::block::{BlockResult, Worst};
use crate::search::key::Precision;

/// A run file open for reading.
#[derive(Debug)]
pub struct Reader {
    connection: Connection,
    header: Header,
    path: PathBuf,
}

/// A stretch of work by one process.
#[derive(Debug, Clone, PartialEq)]
pub struct Session {
    /// Its number, from 1.
    pub id: i64,
    /// When it began, in seconds since 1970.
    pub started: i64,
    /// When it ended; none while it runs, or when it was killed.
    pub ended: Option<i64>,
    /// The machine.
    pub machine: String,
    /// Version of the program.
    pub version: String,
    /// The compiler that built it.
    pub rustc: String,
    /// The command line.
    pub command: String,
    /// What it ran on.
    pub devices: Vec<DeviceWork>,
}

/// What one backend did in a session.
#[derive(Debug, Clone, PartialEq)]
pub struct DeviceWork {
    /// The backend's id.
    pub backend: String,
    /// Device, driver, compiler.
    pub description: String,
    /// Workers side by side.
    pub workers: u64,
    /// Inputs searched.
    pub inputs: u64,
    /// Seconds, summed over the workers.
    pub seconds: f64,
}

impl DeviceWork {
    /// Inputs a second with all workers busy.
    #[must_use]
    pub fn rate(&self) -> Option<f64> {
        (self.seconds > 0.0).then(|| self.inputs as f64 / self.seconds * self.workers as f64)
    }
}

/// Where a run stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Status {
    /// Blocks in the file.
    pub blocks: u64,
    /// Blocks that its shard comes to.
    pub of_blocks: u64,
    /// Inputs that its shard comes to.
    pub of_inputs: u128,
    /// The results of all blocks in the file, merged.
    pub result: BlockResult,
    /// The worst input so far.
    pub worst: Option<Worst>,
    /// Whether a process is writing the file now.
    pub running: bool,
    /// Inputs a second over the last groups of the last session.
    pub rate: Option<f64>,
    /// When the last group was committed, in seconds since 1970.
    pub committed: Option<i64>,
    /// The sessions.
    pub sessions: Vec<Session>,
}

impl Status {
    /// Whether all blocks are in.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.blocks == self.of_blocks
    }
    /// Seconds that the rest takes at the present rate.
    #[must_use]
    pub fn remaining_seconds(&self) -> Option<f64> {
        let left = self.of_inputs.saturating_sub(u128::from(self.result.count));
        self.rate.map(|r| left as f64 / r)
    }
}

/// How many of the last groups the present rate is taken from.
const RECENT: i64 = 20;

impl Reader {
    /// Opens a run file.
    ///
    /// # Errors
    /// When it is missing, foreign or damaged.
    pub fn open(path: &Path) -> Result<Reader, RunFileError> {
        let (connection, header) = open::open(path, false)?;
        Ok(Reader {
            connection,
            header,
            path: path.into(),
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

    /// Where the run stands: in time that does not grow with the number of blocks.
    ///
    /// # Errors
    /// When the file is damaged.
    pub fn status(&self) -> Result<Status, RunFileError> {
        let own = self.header.own_blocks();
        let tx = self
            .connection
            .unchecked_transaction()
            .map_err(self.sql())?;
        let (blocks, result, worst) = total(&tx, self.header.identity.precision, &self.path)?;
        let (rate, committed) = tx
            .query_row(
                "SELECT sum(inputs), sum(seconds), max(committed) FROM \
                 (SELECT inputs, seconds, committed, session FROM grp ORDER BY id DESC LIMIT ?1) \
                 WHERE session = (SELECT max(id) FROM session)",
                [RECENT],
                |r| {
                    let (inputs, seconds): (Option<f64>, Option<f64>) = (r.get(0)?, r.get(1)?);
                    let rate = inputs.zip(seconds).filter(|r| r.1 > 0.0);
                    Ok((rate.map(|(i, s)| i / s), r.get(2)?))
                },
            )
            .map_err(self.sql())?;
        drop(tx);
        Ok(Status {
            blocks,
            of_blocks: own.end - own.start,
            of_inputs: self.header.plan.inputs(self.header.shard),
            result,
            worst,
            running: Lock::is_held(&self.path),
            rate,
            committed,
            sessions: self.sessions()?,
        })
    }

    /// The sessions, in order.
    ///
    /// # Errors
    /// When the file is damaged.
    pub fn sessions(&self) -> Result<Vec<Session>, RunFileError> {
        let mut statement = self
            .connection
            .prepare("SELECT id, started, ended, machine, version, rustc, command FROM session ORDER BY id")
            .map_err(self.sql())?;
        let mut sessions = statement
            .query_map([], |r| {
                Ok(Session {
                    id: r.get(0)?,
                    started: r.get(1)?,
                    ended: r.get(2)?,
                    machine: r.get(3)?,
                    version: r.get(4)?,
                    rustc: r.get(5)?,
                    command: r.get(6)?,
                    devices: Vec::new(),
                })
            })
            .and_then(Iterator::collect::<Result<Vec<_>, _>>)
            .map_err(self.sql())?;
        let mut statement = self
            .connection
            .prepare("SELECT backend, description, workers, inputs, seconds FROM device WHERE session = ?1")
            .map_err(self.sql())?;
        for s in &mut sessions {
            s.devices = statement
                .query_map([s.id], |r| {
                    Ok(DeviceWork {
                        backend: r.get(0)?,
                        description: r.get(1)?,
                        workers: r.get::<_, i64>(2)? as u64,
                        inputs: r.get::<_, i64>(3)? as u64,
                        seconds: r.get(4)?,
                    })
                })
                .and_then(Iterator::collect::<Result<Vec<_>, _>>)
                .map_err(self.sql())?;
        }
        Ok(sessions)
    }

    /// The blocks in the file, as stretches of their numbers.
    ///
    /// # Errors
    /// When the file is damaged.
    pub fn done(&self) -> Result<Vec<ops::Range<u64>>, RunFileError> {
        let own = self.header.own_blocks();
        let mut done: Vec<ops::Range<u64>> = Vec::new();
        let mut statement = self
            .connection
            .prepare("SELECT idx FROM block ORDER BY idx")
            .map_err(self.sql())?;
        let mut rows = statement.query([]).map_err(self.sql())?;
        while let Some(row) = rows.next().map_err(self.sql())? {
            let index = row.get::<_, i64>(0).map_err(self.sql())? as u64;
            if !own.contains(&index) {
                let reason = format!(
                    "block {index} does not belong to shard {}",
                    self.header.shard
                );
                return Err(RunFileError::damaged(&self.path, reason));
            }
            match done.last_mut() {
                Some(d) if d.end == index => d.end = index + 1,
                _ => done.push(index..index + 1),
            }
        }
        Ok(done)
    }

    /// Hands every block in the file, in ascending order, to `each`.
    ///
    /// # Errors
    /// When the file is damaged; or the error that `each` gives.
    pub fn blocks<E: From<RunFileError>>(
        &self,
        mut each: impl FnMut(&Record) -> Result<(), E>,
    ) -> Result<(), E> {
        let sql = format!("SELECT idx, {RESULT} FROM block ORDER BY idx");
        let precision = self.header.identity.precision;
        let own = self.header.own_blocks();
        let mut statement = self.connection.prepare(&sql).map_err(self.sql())?;
        let mut rows = statement.query([]).map_err(self.sql())?;
        while let Some(row) = rows.next().map_err(self.sql())? {
            let index = row.get::<_, i64>(0).map_err(self.sql())? as u64;
            let (result, worst) = record::read(row, 1, precision)
                .map_err(|e| RunFileError::damaged(&self.path, format!("block {index}: {e}")))?;
            let block = self.header.plan.block(index);
            if !own.contains(&index) || block.is_none_or(|b| b.count != result.count) {
                let reason = format!("block {index} is none of the plan's");
                return Err(RunFileError::damaged(&self.path, reason).into());
            }
            each(&Record {
                index,
                result,
                worst,
            })?;
        }
        Ok(())
    }

    fn sql(&self) -> impl Fn(rusqlite::Error) -> RunFileError + '_ {
        |e| RunFileError::sql(&self.path, &e)
    }
}

/// The row of totals: number of blocks, their results merged, the worst input.
pub(super) fn total(
    connection: &Connection,
    precision: Precision,
    path: &Path,
) -> Result<(u64, BlockResult, Option<Worst>), RunFileError> {
    let sql = format!("SELECT blocks, {RESULT} FROM total WHERE id = 1");
    let read = connection.query_row(&sql, [], |r| {
        let blocks = r.get::<_, i64>(0)? as u64;
        Ok(record::read(r, 1, precision).map(|(result, worst)| (blocks, result, worst)))
    });
    read.map_err(|e| RunFileError::sql(path, &e))?
        .map_err(|e| RunFileError::damaged(path, format!("totals: {e}")))
}
