//! Writing and reading of rows that end with their checksum.

use std::path::Path;

use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, Row};

use super::RunFileError;
use super::schema::Table;
use super::seal::Seal;

/// Inserts a row or replaces one with the same key; returns its checksum.
pub(super) fn put(
    connection: &Connection,
    table: &Table,
    run: i64,
    values: &[Value],
) -> rusqlite::Result<i64> {
    Put::new(connection, table, run)?.row(values)
}

/// A statement that writes many rows.
pub(super) struct Put<'a> {
    statement: rusqlite::CachedStatement<'a>,
    table: &'static str,
    run: i64,
    seal: Seal,
}

impl<'a> Put<'a> {
    pub fn new(connection: &'a Connection, table: &Table, run: i64) -> rusqlite::Result<Put<'a>> {
        Ok(Put {
            statement: connection.prepare_cached(&table.put())?,
            table: table.name,
            run,
            seal: Seal::default(),
        })
    }

    /// The same as [`Put`], but a row with the same key is an error.
    pub fn once(connection: &'a Connection, table: &Table, run: i64) -> rusqlite::Result<Put<'a>> {
        let sql = table.put().replacen("INSERT OR REPLACE", "INSERT", 1);
        Ok(Put {
            statement: connection.prepare_cached(&sql)?,
            ..Put::new(connection, table, run)?
        })
    }

    /// Writes a row; returns its checksum.
    pub fn row(&mut self, values: &[Value]) -> rusqlite::Result<i64> {
        let checksum = self
            .seal
            .row(self.run, self.table, values.iter().map(ValueRef::from));
        for (value, i) in values.iter().zip(1..) {
            self.statement.raw_bind_parameter(i, value)?;
        }
        self.statement
            .raw_bind_parameter(values.len() + 1, checksum)?;
        self.statement.raw_execute()?;
        Ok(checksum)
    }
}

/// The checksum of a row that was read with all columns of its table, if it is correct.
pub(super) fn checksum(
    row: &Row,
    table: &Table,
    columns: usize,
    run: i64,
    seal: &mut Seal,
) -> rusqlite::Result<Option<i64>> {
    seal.begin(run, table.name);
    for i in 0..columns {
        seal.add(row.get_ref(i)?);
    }
    let checksum = seal.end();
    Ok((row.get_ref(columns)? == ValueRef::Integer(checksum)).then_some(checksum))
}

/// Checks the rows of a table by their checksums and passes them to `row`. Returns the sum of the checksums, which does not depend on the
/// order.
pub(super) fn each(
    connection: &Connection,
    path: &Path,
    table: &Table,
    run: i64,
    clause: &str,
    mut row: impl FnMut(&Row) -> rusqlite::Result<()>,
) -> Result<i64, RunFileError> {
    let sql = |e| RunFileError::sql(path, &e);
    let columns = table.columns().count();
    let mut seal = Seal::default();
    let mut sum = 0i64;
    let text = format!("SELECT {} FROM {} {clause}", table.names(), table.name);
    let mut statement = connection.prepare(&text).map_err(sql)?;
    let mut rows = statement.query([]).map_err(sql)?;
    while let Some(r) = rows.next().map_err(sql)? {
        let Some(c) = checksum(r, table, columns, run, &mut seal).map_err(sql)? else {
            let key = r.get::<_, i64>(0).map_err(sql)?;
            return Err(RunFileError::checksum(path, table.name, key));
        };
        sum = sum.wrapping_add(c);
        row(r).map_err(sql)?;
    }
    Ok(sum)
}
