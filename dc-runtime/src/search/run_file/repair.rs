//! The repair of a damaged run file: a new file from all rows whose checksums are correct.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use rusqlite::types::{Value, ValueRef};

use super::carve::{self, Wanted};
use super::writer::make_whole;
use super::{
    DeviceWork, Group, Header, NewSession, Reader, Record, RunFileError, Session, Writer, column,
    header, open, schema,
};
use crate::search::lock::Lock;

/// The outcome of a repair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repaired {
    /// Blocks in the new file.
    pub saved: u64,
    /// Blocks that must be searched to complete the new file.
    pub missing: u64,
    /// Sessions in the new file, not counting that of the repair.
    pub sessions: u64,
    /// Saved blocks whose session is lost. They are assigned to the repair's session.
    pub orphans: u64,
}

/// Rows per transaction.
const ROWS: usize = 1 << 14;
/// The size of a page, where the file does not contain it: SQLite's default.
const PAGE: usize = 4096;

/// Makes the run file `out` from all intact rows of the damaged run file `path`, which does not change. Lost blocks must
/// be searched again.
///
/// # Errors
/// If the file is being written; if both copies of its header are lost; if `out` exists, or cannot be written.
pub fn repair(path: &Path, out: &Path, command: &str) -> Result<Repaired, RunFileError> {
    if Lock::is_held(path) {
        return Err(RunFileError::Locked {
            path: path.into(),
            holder: "another process".into(),
        });
    }
    let (header, run, newer) = find_header(path)?;
    let found = Found::of(path, run)?;
    let own = header.own_blocks();
    make_whole(out, header.clone(), |writer| {
        let orphans = found.write(path, &header, run, writer, command)?;
        let saved = writer.total().0;
        match newer {
            // The format's number was not what was damaged.
            Some(e) if saved == 0 => Err(e),
            _ => Ok(Repaired {
                saved,
                missing: own.end - own.start - saved,
                sessions: found.sessions.len() as u64,
                orphans,
            }),
        }
    })
}

/// The header, from whichever of its places is intact, and its checksum; and the error to report if the file's format
/// number is newer.
fn find_header(path: &Path) -> Result<(Header, i64, Option<RunFileError>), RunFileError> {
    let reason = match Reader::open(path) {
        Ok(r) if r.format() < schema::FORMAT => {
            return Err(RunFileError::Older {
                path: path.into(),
                found: r.format(),
            });
        }
        Ok(r) => return Ok((r.header().clone(), r.run(), None)),
        Err(e @ (RunFileError::Missing(_) | RunFileError::Io { .. })) => return Err(e),
        Err(e) => e,
    };
    if !matches!(reason, RunFileError::Newer { .. })
        && let Ok((header, run)) = open::header_of_tables(path)
    {
        return Ok((header, run, None));
    }
    let mut pieces: BTreeMap<i64, (i64, Vec<u8>)> = BTreeMap::new();
    scan(path, &[Wanted::new(&schema::copy(), 0)], &mut |_, row| {
        if let [Value::Integer(id), Value::Integer(of), Value::Blob(text)] = &row[..] {
            pieces.insert(*id, (*of, text.clone()));
        }
        Ok(())
    })?;
    let n = pieces.len() as i64;
    let whole = pieces.keys().copied().eq(1..=n) && pieces.values().all(|(of, _)| *of == n);
    let lost = |reason: String| RunFileError::Lost {
        path: path.into(),
        reason,
    };
    if n == 0 || !whole {
        // If none of its pieces is intact, the file may never have been a run file.
        return Err(match reason {
            RunFileError::Damaged { reason, .. } => lost(reason),
            e if n == 0 => e,
            e => lost(e.to_string()),
        });
    }
    let pieces: Vec<Vec<u8>> = pieces.into_values().map(|(_, text)| text).collect();
    let (header, run) = header::of_copy(&pieces).map_err(lost)?;
    let newer = matches!(reason, RunFileError::Newer { .. }).then_some(reason);
    Ok((header, run, newer))
}

/// Passes the rows of the wanted tables in a file to `found`.
fn scan(
    path: &Path,
    wanted: &[Wanted],
    found: &mut dyn FnMut(usize, Vec<Value>) -> Result<(), RunFileError>,
) -> Result<(), RunFileError> {
    let io = |e| RunFileError::io(path, &e);
    let mut file = File::open(path).map_err(io)?;
    let mut page = vec![0; PAGE];
    loop {
        let mut length = 0;
        while length < PAGE {
            match file.read(&mut page[length..]).map_err(io)? {
                0 => break,
                n => length += n,
            }
        }
        if length == 0 {
            return Ok(());
        }
        let mut rows = Vec::new();
        carve::rows(&page[..length], wanted, &mut |which, row| {
            rows.push((which, row))
        });
        for (which, row) in rows {
            found(which, row)?;
        }
    }
}

/// The intact rows of a file.
#[derive(Default)]
struct Found {
    sessions: BTreeMap<i64, Session>,
    devices: BTreeMap<i64, (i64, DeviceWork)>,
    /// The session of each group.
    groups: BTreeMap<i64, i64>,
}

impl Found {
    fn of(path: &Path, run: i64) -> Result<Found, RunFileError> {
        let tables = [schema::session(), schema::device(), schema::group()];
        let wanted = tables.each_ref().map(|t| Wanted::new(t, run));
        let mut found = Found::default();
        scan(path, &wanted, &mut |which, row| {
            // A row with a correct checksum has valid contents; anything else would be an error of this program.
            let _ = match which {
                0 => found.session(&row),
                1 => found.device(&row),
                _ => found.group(&row),
            };
            Ok(())
        })?;
        Ok(found)
    }

    fn session(&mut self, row: &[Value]) -> Option<()> {
        let session = Session {
            id: integer(&row[0])?,
            started: integer(&row[1])?,
            ended: integer(&row[2]),
            machine: text(&row[3])?,
            version: text(&row[4])?,
            rustc: text(&row[5])?,
            command: text(&row[6])?,
            devices: Vec::new(),
        };
        // The session's row from before it ended may still be in the file.
        let known = self.sessions.entry(session.id);
        let known = known.or_insert_with(|| session.clone());
        known.ended = known.ended.or(session.ended);
        Some(())
    }

    fn device(&mut self, row: &[Value]) -> Option<()> {
        let work = DeviceWork {
            backend: text(&row[2])?,
            description: text(&row[3])?,
            workers: integer(&row[4])? as u64,
            inputs: integer(&row[5])? as u64,
            seconds: match row[6] {
                Value::Real(x) => x,
                _ => return None,
            },
        };
        let (id, session) = (integer(&row[0])?, integer(&row[1])?);
        let known = self.devices.entry(id);
        let known = known.or_insert_with(|| (session, work.clone()));
        // Of its rows from several commits, the last is used.
        if work.inputs > known.1.inputs {
            known.1 = work;
        }
        Some(())
    }

    fn group(&mut self, row: &[Value]) -> Option<()> {
        self.groups.insert(integer(&row[0])?, integer(&row[1])?);
        Some(())
    }

    /// Writes everything with the intact blocks; returns the number of blocks whose sessions are lost.
    fn write(
        &self,
        path: &Path,
        header: &Header,
        run: i64,
        writer: &mut Writer,
        command: &str,
    ) -> Result<u64, RunFileError> {
        let mut numbers = BTreeMap::new();
        for (id, session) in &self.sessions {
            let devices = self.devices.values().filter(|(of, _)| of == id);
            let session = Session {
                devices: devices.map(|(_, d)| d.clone()).collect(),
                ..session.clone()
            };
            numbers.insert(*id, writer.adopt(&session)?);
        }
        let repair = writer.begin(&NewSession {
            command: command.into(),
            devices: Vec::new(),
        })?;
        let mut groups: BTreeMap<i64, Group> = BTreeMap::new();
        let mut seen = HashSet::new();
        let mut parts: BTreeMap<u64, Record> = BTreeMap::new();
        let mut orphans = 0;
        let wanted = [schema::block(schema::FORMAT), schema::part(schema::FORMAT)]
            .map(|t| Wanted::new(&t, run));
        scan(path, &wanted, &mut |which, row| {
            if which == 1 {
                // Of its rows from several commits, the longest is used; each is a prefix of the block.
                if let Some(part) = part(&row, header) {
                    let known = parts.entry(part.index).or_insert(part);
                    if part.result.count > known.result.count {
                        *known = part;
                    }
                }
                return Ok(());
            }
            let Some((record, group)) = block(&row, header) else {
                return Ok(());
            };
            if !seen.insert(record.index) {
                return Ok(());
            }
            let session = self.groups.get(&group).and_then(|s| numbers.get(s));
            orphans += u64::from(session.is_none());
            let session = *session.unwrap_or(&repair);
            let group = groups.entry(session).or_default();
            group.records.push(record);
            if group.records.len() == ROWS {
                writer.commit(session, &[], &std::mem::take(group))?;
            }
            Ok(())
        })?;
        for (session, group) in groups {
            if !group.records.is_empty() {
                writer.commit(session, &[], &group)?;
            }
        }
        parts.retain(|index, _| !seen.contains(index));
        if !parts.is_empty() {
            let group = Group {
                parts: parts.into_values().collect(),
                ..Group::default()
            };
            writer.commit(repair, &[], &group)?;
        }
        writer.end(repair)?;
        Ok(orphans)
    }
}

/// A block's record and its group.
fn block(row: &[Value], header: &Header) -> Option<(Record, i64)> {
    let (record, of) = record(&row[0], &row[2..], header)?;
    (record.result.count == of).then_some((record, integer(&row[1])?))
}

/// The part of a block.
fn part(row: &[Value], header: &Header) -> Option<Record> {
    let (record, of) = record(&row[0], &row[1..], header)?;
    (1..of).contains(&record.result.count).then_some(record)
}

/// A result, checked with its block's number, and the number of inputs of that block.
fn record(index: &Value, values: &[Value], header: &Header) -> Option<(Record, u64)> {
    let index = integer(index)? as u64;
    let mut values = values.iter();
    let next = || values.next().map(ValueRef::from).ok_or_else(String::new);
    let (result, worst) = column::result(schema::FORMAT, next, header.identity.precision).ok()?;
    let of = header.plan.block(index)?.count;
    let record = Record {
        index,
        result,
        worst,
    };
    header.own_blocks().contains(&index).then_some((record, of))
}

fn integer(value: &Value) -> Option<i64> {
    match value {
        Value::Integer(i) => Some(*i),
        _ => None,
    }
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::Text(t) => Some(t.clone()),
        _ => None,
    }
}
