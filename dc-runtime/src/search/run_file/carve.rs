//! Finds the rows in a file's bytes, without relying on its structure.
//!
//! A row is contiguous on one page (SQLite's file format, section 1.6: a record that fits a page does not spill). Its
//! checksum confirms that it is a row, and gives its table and its run. So every offset of every page is tried, and no
//! page's header, list of cells or tree above it need be intact. If a row is found twice, because SQLite moved it and
//! did not overwrite the old bytes, it is the same row.

use rusqlite::types::Value;

use super::schema::Table;
use super::seal::Seal;

/// A table whose rows are searched for.
pub(super) struct Wanted {
    name: &'static str,
    /// For each column, whether it is REAL: whole numbers of such a column are stored as integers.
    real: Vec<bool>,
    run: i64,
}

impl Wanted {
    pub fn new(table: &Table, run: i64) -> Wanted {
        Wanted {
            name: table.name,
            real: table.columns().map(|(_, real)| real).collect(),
            run,
        }
    }
}

/// Calls `found` for every row of the wanted tables on this page whose checksum is correct, with its table's index and
/// its values.
pub(super) fn rows(page: &[u8], wanted: &[Wanted], found: &mut dyn FnMut(usize, Vec<Value>)) {
    let mut seal = Seal::default();
    for at in 0..page.len() {
        let Some((key, record)) = cell(&page[at..]) else {
            continue;
        };
        let Some(columns) = record_types(record) else {
            continue;
        };
        for (which, w) in wanted.iter().enumerate() {
            if columns.types.len() != w.real.len() + 1 {
                continue;
            }
            let Some(values) = values(&columns, key, &w.real) else {
                continue;
            };
            let (row, checksum) = values.split_at(w.real.len());
            let seal = seal.row(w.run, w.name, row.iter().map(Into::into));
            if checksum == [Value::Integer(seal)] {
                found(which, row.to_vec());
            }
        }
    }
}

/// A cell of a leaf page of a table: its key and its record.
fn cell(bytes: &[u8]) -> Option<(i64, &[u8])> {
    let (length, rest) = varint(bytes)?;
    let (key, rest) = varint(rest)?;
    let record = rest.get(..usize::try_from(length).ok()?)?;
    Some((key as i64, record))
}

/// The columns' serial types and the bytes of their values.
struct Columns<'a> {
    types: Vec<u64>,
    body: &'a [u8],
}

fn record_types(record: &[u8]) -> Option<Columns<'_>> {
    let (head, mut rest) = varint(record)?;
    let body = record.get(usize::try_from(head).ok()?..)?;
    let mut types = Vec::new();
    while rest.len() > body.len() {
        let (t, r) = varint(rest)?;
        // The key, which all of these tables have as their first column, is stored as NULL.
        if types.is_empty() && t != 0 {
            return None;
        }
        types.push(t);
        rest = r;
    }
    (rest.len() == body.len()).then_some(Columns { types, body })
}

fn values(columns: &Columns, key: i64, real: &[bool]) -> Option<Vec<Value>> {
    let mut body = columns.body;
    let mut values = Vec::with_capacity(columns.types.len());
    for (i, &t) in columns.types.iter().enumerate() {
        let length = match t {
            0 | 8 | 9 => 0,
            1..=4 => t,
            5 => 6,
            6 | 7 => 8,
            10 | 11 => return None,
            _ => (t - 12) / 2,
        };
        let (bytes, rest) = body.split_at_checked(usize::try_from(length).ok()?)?;
        body = rest;
        let real = real.get(i) == Some(&true);
        values.push(match t {
            0 if i == 0 => Value::Integer(key),
            0 => Value::Null,
            7 => Value::Real(f64::from_be_bytes(bytes.try_into().ok()?)),
            1..=6 | 8 | 9 => {
                let negative = bytes.first().is_some_and(|b| b & 0x80 != 0);
                let start = if negative { -1 } else { 0 };
                let number = match t {
                    8 | 9 => t as i64 - 8,
                    _ => bytes.iter().fold(start, |n, b| n << 8 | i64::from(*b)),
                };
                match real {
                    true => Value::Real(number as f64),
                    false => Value::Integer(number),
                }
            }
            t if t % 2 == 0 => Value::Blob(bytes.into()),
            _ => Value::Text(String::from_utf8(bytes.into()).ok()?),
        });
    }
    body.is_empty().then_some(values)
}

/// A variable-length integer (section 1.6): big-endian, seven bits per byte, all eight of the ninth.
fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut n = 0;
    for (i, &b) in bytes.iter().take(9).enumerate() {
        if i == 8 {
            return Some((n << 8 | u64::from(b), &bytes[9..]));
        }
        n = n << 7 | u64::from(b & 0x7f);
        if b < 0x80 {
            return Some((n, &bytes[i + 1..]));
        }
    }
    None
}
