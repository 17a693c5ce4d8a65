//! The consistency checks of a run file before it is used. `docs/book/src/reference/checksums.md` has the list.

use std::path::Path;

use rusqlite::types::Value;
use rusqlite::{Connection, Row};

use super::seal::Seal;
use super::{DeviceWork, Header, Record, RunFileError, Session, Tally, column, rows, schema};
use crate::model::block::BlockResult;
use crate::search::plan::Block;

/// A database with the data from which its rows' checksums are computed.
#[derive(Clone, Copy)]
pub(super) struct File<'a> {
    pub connection: &'a Connection,
    pub header: &'a Header,
    pub basis: Basis,
    pub path: &'a Path,
}

/// How a file's rows are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Basis {
    /// The file's format.
    pub format: i64,
    /// The header's checksum, which is part of the checksum of every row; 0 in format 1.
    pub run: i64,
}

/// The data from which the present rate is computed.
pub(super) struct LastGroup {
    pub session: i64,
    pub inputs: i64,
    pub seconds: f64,
    pub committed: i64,
}

/// The row `total`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Total {
    pub tally: Tally,
    /// Number of groups.
    pub groups: i64,
    /// Sum of the blocks' checksums.
    pub block_sum: i64,
    /// The chain checksum of the last group.
    pub chain: i64,
    /// Sum of the checksums of sessions and devices.
    pub session_sum: i64,
    /// Sum of the checksums of the parts.
    pub part_sum: i64,
}

impl Total {
    pub const EMPTY: Total = Total {
        tally: Tally::EMPTY,
        groups: 0,
        block_sum: 0,
        chain: 0,
        session_sum: 0,
        part_sum: 0,
    };

    pub fn values(&self) -> Vec<Value> {
        let t = &self.tally;
        let mut values = vec![Value::Integer(1), Value::Integer(t.blocks as i64)];
        values.extend(column::values(&t.result, t.worst.as_ref()));
        let sums = [self.block_sum, self.chain, self.session_sum, self.part_sum];
        values.push(Value::Integer(self.groups));
        values.extend(sums.map(Value::Integer));
        values
    }
}

/// A group's chain checksum, from the previous one and the group's contents.
pub(super) fn link(run: i64, before: i64, group: &[Value]) -> i64 {
    let before = Value::Integer(before);
    let values = std::iter::once(&before).chain(group);
    Seal::default().row(run, "chain", values.map(Into::into))
}

impl File<'_> {
    fn sql(&self) -> impl Fn(rusqlite::Error) -> RunFileError + '_ {
        |e| RunFileError::sql(self.path, &e)
    }
    fn damaged(&self, reason: impl Into<String>) -> RunFileError {
        RunFileError::damaged(self.path, reason)
    }

    /// Columns of a result and of the values after it, as a part of SELECT.
    pub fn columns(&self) -> String {
        let names: Vec<&str> = column::of(self.basis.format).map(|c| c.name).collect();
        names.join(", ")
    }

    /// The totals. They are checked by their own checksum, and compared with the last group's chain checksum, which they repeat. The time
    /// does not depend on the number of blocks.
    pub fn total(&self) -> Result<Total, RunFileError> {
        let sealed = self.basis.format >= 2;
        let table = schema::total(self.basis.format);
        let columns = table.columns().count();
        let sql = match sealed {
            true => format!("SELECT {} FROM total", table.names()),
            false => format!("SELECT id, blocks, {} FROM total", self.columns()),
        };
        let mut statement = self.connection.prepare(&sql).map_err(self.sql())?;
        let mut found = statement.query([]).map_err(self.sql())?;
        let Some(row) = found.next().map_err(self.sql())? else {
            return Err(self.damaged("it has no totals"));
        };
        if sealed {
            rows::checksum(row, &table, columns, self.basis.run, &mut Seal::default())
                .map_err(self.sql())?
                .ok_or_else(|| self.damaged("the checksum of its totals does not hold"))?;
        }
        let integer = |i: usize| row.get::<_, i64>(i).map_err(self.sql());
        let (result, worst) =
            result(row, 2, self).map_err(|e| self.damaged(format!("its totals: {e}")))?;
        let tally = Tally {
            blocks: integer(1)? as u64,
            result,
            worst,
        };
        let mut total = Total {
            tally,
            ..Total::EMPTY
        };
        if !sealed {
            return Ok(total);
        }
        [
            total.groups,
            total.block_sum,
            total.chain,
            total.session_sum,
            total.part_sum,
        ] = [
            integer(columns - 5)?,
            integer(columns - 4)?,
            integer(columns - 3)?,
            integer(columns - 2)?,
            integer(columns - 1)?,
        ];
        if found.next().map_err(self.sql())?.is_some() {
            return Err(self.damaged("it has totals twice"));
        }
        let mut last = (0, 0);
        self.each(&schema::group(), "ORDER BY id DESC LIMIT 1", |r| {
            last = (r.get("id")?, r.get("chain")?);
            Ok(())
        })?;
        if last != (total.groups, total.chain) {
            return Err(self.damaged(format!(
                "its totals are of {} groups, and its last group is number {}: half of a commit is in it, as when FILE-journal was lost",
                total.groups, last.0
            )));
        }
        Ok(total)
    }

    /// The sessions with the work of their devices, compared with the totals.
    pub fn sessions(&self, total: &Total) -> Result<Vec<Session>, RunFileError> {
        let sealed = self.basis.format >= 2;
        let mut sessions: Vec<Session> = Vec::new();
        let mut read = |r: &Row| {
            sessions.push(Session {
                id: r.get("id")?,
                started: r.get("started")?,
                ended: r.get("ended")?,
                machine: r.get("machine")?,
                version: r.get("version")?,
                rustc: r.get("rustc")?,
                command: r.get("command")?,
                devices: Vec::new(),
            });
            Ok(())
        };
        let (table, order) = (schema::session(), "ORDER BY id");
        let mut sum = match sealed {
            true => self.each(&table, order, &mut read)?,
            false => self.plain("SELECT * FROM session ORDER BY id", &mut read)?,
        };
        let mut lost = None;
        let mut read = |r: &Row| {
            let of: i64 = r.get("session")?;
            let work = DeviceWork {
                backend: r.get("backend")?,
                description: r.get("description")?,
                workers: r.get::<_, i64>("workers")? as u64,
                inputs: r.get::<_, i64>("inputs")? as u64,
                seconds: r.get("seconds")?,
            };
            match sessions.binary_search_by_key(&of, |s| s.id) {
                Ok(i) => sessions[i].devices.push(work),
                Err(_) => lost = Some(of),
            }
            Ok(())
        };
        sum = sum.wrapping_add(match sealed {
            true => self.each(&schema::device(), order, &mut read)?,
            false => self.plain("SELECT * FROM device", &mut read)?,
        });
        if let Some(of) = lost {
            return Err(self.damaged(format!(
                "session {of}, which a device worked in, is missing"
            )));
        }
        if sealed && sum != total.session_sum {
            return Err(self.damaged(
                "its sessions and devices are not those that its totals were written with",
            ));
        }
        Ok(sessions)
    }

    /// The rows of a table with correct checksums; see [`rows::each`].
    pub fn each(
        &self,
        table: &schema::Table,
        clause: &str,
        row: impl FnMut(&Row) -> rusqlite::Result<()>,
    ) -> Result<i64, RunFileError> {
        rows::each(
            self.connection,
            self.path,
            table,
            self.basis.run,
            clause,
            row,
        )
    }

    /// The rows of format 1, which have no checksums.
    fn plain(
        &self,
        sql: &str,
        row: &mut dyn FnMut(&Row) -> rusqlite::Result<()>,
    ) -> Result<i64, RunFileError> {
        let mut statement = self.connection.prepare(sql).map_err(self.sql())?;
        let mut found = statement.query([]).map_err(self.sql())?;
        while let Some(r) = found.next().map_err(self.sql())? {
            row(r).map_err(self.sql())?;
        }
        Ok(0)
    }

    /// The last groups, in descending order.
    pub fn last_groups(&self, n: usize) -> Result<Vec<LastGroup>, RunFileError> {
        let clause = format!("ORDER BY id DESC LIMIT {n}");
        let mut groups = Vec::new();
        let mut read = |r: &Row| {
            groups.push(LastGroup {
                session: r.get("session")?,
                inputs: r.get("inputs")?,
                seconds: r.get("seconds")?,
                committed: r.get("committed")?,
            });
            Ok(())
        };
        if self.basis.format >= 2 {
            self.each(&schema::group(), &clause, read)?;
        } else {
            self.plain(&format!("SELECT * FROM grp {clause}"), &mut read)?;
        }
        Ok(groups)
    }

    /// The chain of groups, from the first on.
    pub fn chain(&self, total: &Total) -> Result<(), RunFileError> {
        if self.basis.format < 2 {
            return Ok(());
        }
        let table = schema::group();
        let columns = table.columns().count();
        let (mut id, mut chain, mut blocks, mut sum) = (0i64, 0i64, 0u64, 0i64);
        let mut broken = None;
        self.each(&table, "ORDER BY id", |r| {
            let values = (0..columns - 1)
                .map(|i| r.get::<_, Value>(i))
                .collect::<rusqlite::Result<Vec<_>>>()?;
            let found: i64 = r.get("id")?;
            chain = link(self.basis.run, chain, &values);
            if broken.is_none() && (found != id + 1 || r.get::<_, i64>("chain")? != chain) {
                broken = Some(id + 1);
            }
            id = found;
            blocks = blocks.wrapping_add(r.get::<_, i64>("blocks")? as u64);
            sum = sum.wrapping_add(r.get("block_sum")?);
            Ok(())
        })?;
        if let Some(id) = broken {
            return Err(self.damaged(format!(
                "the chain of its groups is broken at group {id}: a commit is missing, or there is one too many"
            )));
        }
        if (id, chain, blocks, sum)
            != (
                total.groups,
                total.chain,
                total.tally.blocks,
                total.block_sum,
            )
        {
            return Err(self.damaged("its totals are not those of its groups"));
        }
        Ok(())
    }

    /// Passes every block, in ascending order, to `each`, and checks the whole file: each row's checksum, the chain of groups, and the
    /// totals against the blocks.
    ///
    /// The blocks passed to `each` may be wrong until this function returns successfully. It must run in a transaction if
    /// other processes write.
    pub fn blocks<E: From<RunFileError>>(
        &self,
        mut each: impl FnMut(&Record) -> Result<(), E>,
    ) -> Result<Total, E> {
        let total = self.total()?;
        self.sessions(&total)?;
        self.chain(&total)?;
        self.parts(&total)?;
        let mut tally = Tally::EMPTY;
        let mut sum = 0i64;
        self.scan(i64::MIN, u64::MAX, |record, checksum| {
            tally.add(record);
            sum = sum.wrapping_add(checksum);
            each(record)
        })?;
        if tally.blocks != total.tally.blocks || sum != total.block_sum {
            let reason = format!(
                "its totals are of {} blocks, and {} are in it{}",
                total.tally.blocks,
                tally.blocks,
                match tally.blocks == total.tally.blocks {
                    true => ", others than those",
                    false => "",
                }
            );
            return Err(self.damaged(reason).into());
        }
        if !tally.same(&total.tally) {
            return Err(self
                .damaged("its totals are not the sums of its blocks")
                .into());
        }
        Ok(total)
    }

    /// The parts of unfinished blocks, in ascending order and compared with the totals. No part may be a whole block or belong to a block
    /// in the file.
    pub fn parts(&self, total: &Total) -> Result<Vec<Record>, RunFileError> {
        if self.basis.format < 2 {
            return Ok(Vec::new());
        }
        let mut parts = Vec::new();
        let mut wrong = None;
        let own = self.header.own_blocks();
        let finished = "SELECT 1 FROM block WHERE idx = ?1";
        let mut finished = self.connection.prepare(finished).map_err(self.sql())?;
        let sum = self.each(&schema::part(self.basis.format), "ORDER BY idx", |row| {
            let number: i64 = row.get(0)?;
            let index = number as u64;
            let block = self.header.plan.block(index);
            match result(row, 1, self) {
                Err(e) => drop(wrong.get_or_insert(format!("part of block {index}: {e}"))),
                Ok((result, worst)) => {
                    let within = |b: Block| (1..b.count).contains(&result.count);
                    if !own.contains(&index) || !block.is_some_and(within) {
                        wrong.get_or_insert(format!(
                            "its part of block {index} is none of the plan's"
                        ));
                    } else if finished.exists([number])? {
                        wrong.get_or_insert(format!(
                            "block {index} is in it, and a part of it besides"
                        ));
                    }
                    parts.push(Record {
                        index,
                        result,
                        worst,
                    });
                }
            }
            Ok(())
        })?;
        if let Some(reason) = wrong {
            return Err(self.damaged(reason));
        }
        if sum != total.part_sum {
            return Err(
                self.damaged("its parts of blocks are not those that its totals were written with")
            );
        }
        Ok(parts)
    }

    /// Passes up to `limit` blocks from number `from` on to `each`, each with its checksum, which has been checked (0 in format 1).
    pub fn scan<E: From<RunFileError>>(
        &self,
        from: i64,
        limit: u64,
        mut each: impl FnMut(&Record, i64) -> Result<(), E>,
    ) -> Result<(), E> {
        let own = self.header.own_blocks();
        let sealed = self.basis.format >= 2;
        let table = schema::block(self.basis.format);
        let columns = table.columns().count();
        let names = match sealed {
            true => table.names(),
            false => format!("idx, grp, {}", self.columns()),
        };
        let sql = format!("SELECT {names} FROM block WHERE idx >= ?1 ORDER BY idx LIMIT ?2");
        let mut seal = Seal::default();
        let mut last = None;
        let mut statement = self.connection.prepare(&sql).map_err(self.sql())?;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let mut found = statement.query([from, limit]).map_err(self.sql())?;
        while let Some(row) = found.next().map_err(self.sql())? {
            let number = row.get::<_, i64>(0).map_err(self.sql())?;
            let mut checksum = 0;
            if sealed {
                checksum = rows::checksum(row, &table, columns, self.basis.run, &mut seal)
                    .map_err(self.sql())?
                    .ok_or_else(|| RunFileError::checksum(self.path, "block", number))?;
            }
            let index = number as u64;
            let (result, worst) =
                result(row, 2, self).map_err(|e| self.damaged(format!("block {index}: {e}")))?;
            let block = self.header.plan.block(index);
            if !own.contains(&index) || block.is_none_or(|b| b.count != result.count) {
                let reason = format!("block {index} is none of the plan's");
                return Err(self.damaged(reason).into());
            }
            if last.is_some_and(|l| l >= index) {
                let reason = format!("block {index} is in it twice, or out of order");
                return Err(self.damaged(reason).into());
            }
            last = Some(index);
            let record = Record {
                index,
                result,
                worst,
            };
            each(&record, checksum)?;
        }
        Ok(())
    }
}

/// The result in the columns from index `at` on.
fn result(
    row: &Row,
    at: usize,
    file: &File,
) -> Result<(BlockResult, Option<crate::model::block::Worst>), String> {
    let mut columns = at..;
    let next = || {
        let i = columns.next().unwrap_or_default();
        row.get_ref(i).map_err(|e| e.to_string())
    };
    let (result, worst) = column::result(file.basis.format, next, file.header.identity.precision)?;
    // Without checksums any value may be stored here; sums of such values must not overflow.
    let parts = result
        .histogram
        .iter()
        .try_fold(0u64, |s, n| s.checked_add(*n));
    let counts = result
        .faults
        .iter()
        .map(|f| f.count)
        .chain([result.misrounded, result.undecided]);
    let sampled = (result.fine.0.iter()).try_fold(0u64, |s, n| s.checked_add(*n));
    if [parts, sampled]
        .iter()
        .any(|p| p.is_none_or(|p| p > result.count))
        || counts.into_iter().any(|n| n > result.count)
    {
        return Err("it counts more inputs of a kind than it has".into());
    }
    Ok((result, worst))
}
