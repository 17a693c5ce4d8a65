//! Reading a run file, which another process may be writing.

use std::ops;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, Transaction};

use super::check::{Basis, File, LastGroup};
use super::session::Session;
use super::{Header, Record, RunFileError, open};
use crate::model::block::{BlockResult, Worst};
use crate::search::lock::Lock;

/// A run file open for reading.
#[derive(Debug)]
pub struct Reader {
    connection: Connection,
    header: Header,
    basis: Basis,
    path: PathBuf,
}

/// The state of a run.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Status {
    /// The number of blocks in the file.
    pub blocks: u64,
    /// The number of blocks of its shard.
    pub of_blocks: u64,
    /// The number of inputs of its shard.
    pub of_inputs: u128,
    /// The results of all blocks in the file, merged.
    pub result: BlockResult,
    /// The worst input so far.
    pub worst: Option<Worst>,
    /// The searched parts of unfinished blocks, each from its first input on. They are not included in the fields above.
    pub parts: Vec<Record>,
    /// Whether a process is writing the file now.
    pub running: bool,
    /// Inputs per second over the last groups of the last session, or over the whole session if it has few groups.
    pub rate: Option<f64>,
    /// When the last group was committed, in seconds since 1970.
    pub committed: Option<i64>,
    /// The sessions.
    pub sessions: Vec<Session>,
    /// How much of the file was checked for this status.
    pub checked: Checked,
}

impl Status {
    /// Whether all blocks are in the file.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.blocks == self.of_blocks
    }
    /// The number of inputs searched, including those of unfinished blocks.
    #[must_use]
    pub fn searched(&self) -> u128 {
        let parts = self.parts.iter().map(|r| u128::from(r.result.count));
        u128::from(self.result.count) + parts.sum::<u128>()
    }
    /// The seconds that the rest takes at the present rate.
    #[must_use]
    pub fn remaining_seconds(&self) -> Option<f64> {
        let left = self.of_inputs.saturating_sub(self.searched());
        self.rate.map(|r| left as f64 / r)
    }
}

/// How much of a file was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checked {
    /// Every row.
    All,
    /// Header, totals, sessions and the last group. There are too many blocks to read them quickly.
    Totals,
    /// Nothing, because format 1 has no checksums.
    Nothing,
}

/// The number of the last groups from which the present rate is computed.
const RECENT: usize = 20;
/// Files of up to this number of blocks are read completely for their status, which takes a tenth of a second.
const FEW: u64 = 1 << 16;
/// The number of blocks that are read at a time if reading must not delay a writer.
const BATCH: usize = 4096;

impl Reader {
    /// Opens a run file.
    ///
    /// # Errors
    /// If it is missing, foreign or damaged.
    pub fn open(path: &Path) -> Result<Reader, RunFileError> {
        Reader::open_within(path, open::WAIT)
    }

    /// The same as [`Reader::open`]. Waiting for a commit, or for another program that keeps the file locked, is limited to `wait`.
    ///
    /// # Errors
    /// If it is missing, foreign, damaged or locked.
    pub fn open_within(path: &Path, wait: Duration) -> Result<Reader, RunFileError> {
        let (connection, header, basis) = open::open(path, false, wait)?;
        Ok(Reader {
            connection,
            header,
            basis,
            path: path.into(),
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
    /// The same file under another name in messages and reports: for a temporary file, the file from which it was made.
    #[must_use]
    pub fn called(mut self, name: &Path) -> Reader {
        self.path = name.into();
        self
    }
    /// Its format: 1 has no checksums.
    #[must_use]
    pub fn format(&self) -> i64 {
        self.basis.format
    }

    fn file(&self) -> File<'_> {
        File {
            connection: &self.connection,
            header: &self.header,
            basis: self.basis,
            path: &self.path,
        }
    }

    fn transaction(&self) -> Result<Transaction<'_>, RunFileError> {
        let begun = self.connection.unchecked_transaction();
        begun.map_err(|e| RunFileError::sql(&self.path, &e))
    }

    /// The state of the run. A small file is checked completely. In a file with many blocks, only the values in the status are checked.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn status(&self) -> Result<Status, RunFileError> {
        let own = self.header.own_blocks();
        let file = self.file();
        let transaction = self.transaction()?;
        let total = file.total()?;
        let sessions = file.sessions(&total)?;
        let checked = match total.tally.blocks {
            _ if self.basis.format < 2 => Checked::Nothing,
            n if n > FEW => Checked::Totals,
            _ => {
                file.blocks::<RunFileError>(|_| Ok(()))?;
                Checked::All
            }
        };
        let groups = file.last_groups(RECENT)?;
        let parts = file.parts(&total)?;
        drop(transaction);
        let last = sessions.last();
        let of_last: Vec<_> = (groups.iter())
            .filter(|g| last.is_some_and(|s| s.id == g.session))
            .collect();
        // The first group of a session may contain a part that an earlier one searched; with large blocks there is no
        // other for minutes.
        let rate = match of_last.len() {
            0..3 if !parts.is_empty() => last.and_then(Session::rate),
            _ => {
                let sum = |(i, s), g: &&LastGroup| (i + g.inputs as f64, s + g.seconds);
                let (inputs, seconds) = of_last.iter().fold((0.0, 0.0), sum);
                (seconds > 0.0).then(|| inputs / seconds)
            }
        };
        Ok(Status {
            blocks: total.tally.blocks,
            of_blocks: own.end - own.start,
            of_inputs: self.header.plan.inputs(self.header.shard),
            result: total.tally.result,
            worst: total.tally.worst,
            parts,
            running: Lock::is_held(&self.path),
            rate,
            committed: groups.first().map(|g| g.committed),
            sessions,
            checked,
        })
    }

    /// The number of inputs searched, including those of unfinished blocks, according to totals and parts. No other row is checked.
    ///
    /// # Errors
    /// If these are damaged.
    pub(in crate::search) fn searched(&self) -> Result<u128, RunFileError> {
        let transaction = self.transaction()?;
        let file = self.file();
        let total = file.total()?;
        let parts = file.parts(&total)?;
        drop(transaction);
        let parts = parts.iter().map(|r| u128::from(r.result.count));
        Ok(u128::from(total.tally.result.count) + parts.sum::<u128>())
    }

    /// The sessions, in order.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn sessions(&self) -> Result<Vec<Session>, RunFileError> {
        let transaction = self.transaction()?;
        let file = self.file();
        let sessions = file.sessions(&file.total()?)?;
        drop(transaction);
        Ok(sessions)
    }

    /// Checks the whole file; returns the blocks in it, as stretches of their numbers.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn done(&self) -> Result<Vec<ops::Range<u64>>, RunFileError> {
        let mut done = Vec::new();
        self.blocks(|r| {
            extend(&mut done, r.index);
            Ok::<(), RunFileError>(())
        })?;
        Ok(done)
    }

    /// Passes every block in the file, in ascending order, to `each`, and checks the whole file at the same time. The blocks passed to
    /// `each` are valid only if this returns successfully.
    ///
    /// A writer waits meanwhile, so `each` should be fast.
    ///
    /// # Errors
    /// If the file is damaged; or the error of `each`.
    pub fn blocks<E: From<RunFileError>>(
        &self,
        each: impl FnMut(&Record) -> Result<(), E>,
    ) -> Result<(), E> {
        let transaction = self.transaction()?;
        self.file().blocks(each)?;
        drop(transaction);
        Ok(())
    }

    /// The same as [`Reader::blocks`], but a writer does not wait for `each`, which may be slow. Blocks that are committed meanwhile may or
    /// may not be passed to it. The whole file is checked before the first block is passed.
    ///
    /// # Errors
    /// If the file is damaged; or the error of `each`.
    pub(crate) fn blocks_at_leisure<E: From<RunFileError>>(
        &self,
        mut each: impl FnMut(&Record) -> Result<(), E>,
    ) -> Result<(), E> {
        self.blocks::<RunFileError>(|_| Ok(()))?;
        let mut next = i64::MIN;
        loop {
            let mut batch = Vec::with_capacity(BATCH);
            let transaction = self.transaction()?;
            self.file()
                .scan::<RunFileError>(next, BATCH as u64, |r, _| {
                    batch.push(*r);
                    Ok(())
                })?;
            drop(transaction);
            batch.iter().try_for_each(&mut each)?;
            match batch.last() {
                Some(last) if batch.len() == BATCH => next = last.index as i64 + 1,
                _ => return Ok(()),
            }
        }
    }
}

/// Adds a number to ascending stretches.
fn extend(stretches: &mut Vec<ops::Range<u64>>, index: u64) {
    match stretches.last_mut() {
        Some(d) if d.end == index => d.end = index + 1,
        _ => stretches.push(index..index + 1),
    }
}
