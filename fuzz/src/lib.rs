//! What has to hold of any input, for the fuzzer and for `tests/fuzz_corpus.rs`, which replays its corpus.

use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

use doublecrunch::backend::discover;
use doublecrunch::search::engine::{Device, Groups, Stop};
use doublecrunch::search::format;
use doublecrunch::search::key::Precision;
use doublecrunch::search::plan::Plan;
use doublecrunch::search::range::Range;
use doublecrunch::search::run::{Settings, create, proceed};
use doublecrunch::search::run_file::{Reader, RunFileError, Writer};
use doublecrunch::search::shard::Shard;
use doublecrunch::sweeps;

/// An error for a person: one line, not empty, of bounded length.
fn one_line(message: &str) {
    assert!(!message.trim().is_empty());
    assert!(!message.contains(['\n', '\r']), "{message:?}");
    assert!(message.len() < 2000, "{} bytes", message.len());
}

/// A text is a range or an error of one line; a range is ascending, not empty, and reads back the same.
pub fn range(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    for precision in [Precision::F32, Precision::F64] {
        match Range::parse(text, precision) {
            Ok(range) => {
                let spans = range.spans();
                assert!(spans.iter().all(|s| s.first <= s.last), "{spans:?}");
                assert!(spans.is_sorted_by(|a, b| a.last < b.first), "{spans:?}");
                assert!(range.count() > 0);
                let shown = range.to_string();
                assert_eq!(
                    Range::parse(&shown, precision).as_ref(),
                    Ok(&range),
                    "{shown}"
                );
                if let Ok(plan) = Plan::new(range.clone(), None) {
                    assert_eq!(plan.inputs(Shard::WHOLE), range.count());
                }
            }
            Err(e) => one_line(&e.to_string()),
        }
    }
}

/// The bytes of a small, finished run file.
fn template() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run");
        let sweep = sweeps::ALL
            .iter()
            .find(|s| s.precision() == Precision::F32)
            .expect("a sweep of binary32");
        let range = Range::parse("1.0..=0x1.004p0", sweep.precision()).expect("a range");
        let plan = Plan::new(range, Some(10)).expect("a plan");
        let mut writer = create(&path, sweep, "1.0..=0x1.004p0", plan, Shard::WHOLE).expect("made");
        let backend = discover(&"scalar".parse().expect("a backend"))
            .backends
            .remove(0);
        let settings = Settings {
            devices: vec![Device::new(backend, 1)],
            groups: Groups {
                blocks: 3,
                time: Duration::from_secs(3600),
            },
            command: "fuzz".into(),
        };
        proceed(&mut writer, sweep, &settings, &Stop::new(), &mut |_| {}).expect("a run");
        drop(writer);
        std::fs::read(&path).expect("its bytes")
    })
}

/// Bytes taken one after the other; zeros after the last.
struct Bytes<'a>(std::slice::Iter<'a, u8>);

impl Bytes<'_> {
    fn byte(&mut self) -> usize {
        self.0.next().copied().unwrap_or(0).into()
    }
    fn word(&mut self) -> usize {
        self.byte() << 8 | self.byte()
    }
}

/// A run file, or something that might be taken for one, from a fuzzer's bytes. The first byte selects how: as they are;
/// a run file with bytes changed, maybe cut short; a run file with cells of its tables changed, which gets past
/// SQLite's own checks.
fn make(data: &[u8], path: &Path) {
    let mut bytes = Bytes(data.iter());
    match bytes.byte() % 3 {
        0 => std::fs::write(path, data.get(1..).unwrap_or_default()).expect("written"),
        1 => {
            let mut file = template().to_vec();
            let cut = bytes.word();
            while bytes.0.len() > 0 {
                let at = (bytes.byte() << 16 | bytes.word()) % file.len();
                file[at] = bytes.byte() as u8;
            }
            if cut < file.len() {
                file.truncate(file.len() - cut);
            }
            std::fs::write(path, file).expect("written");
        }
        _ => {
            std::fs::write(path, template()).expect("written");
            // What SQLite refuses leaves the file as it was.
            let _ = edit(&mut bytes, path);
        }
    }
}

/// Changes cells: table, column, row and new value from the bytes.
fn edit(bytes: &mut Bytes, path: &Path) -> rusqlite::Result<()> {
    const TABLES: [&str; 7] = [
        "meta", "kernel", "session", "device", "grp", "block", "total",
    ];
    let db = rusqlite::Connection::open(path)?;
    db.execute_batch("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; BEGIN")?;
    while bytes.0.len() > 0 {
        let table = TABLES[bytes.byte() % TABLES.len()];
        let columns: Vec<String> = db
            .prepare(&format!("SELECT name FROM pragma_table_info('{table}')"))?
            .query_map([], |r| r.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        let column = &columns[bytes.byte() % columns.len()];
        let value: rusqlite::types::Value = match bytes.byte() % 8 {
            0 => rusqlite::types::Value::Null,
            1 => (bytes.byte() as i64 - 128).into(),
            2 => i64::MAX.into(),
            3 => i64::MIN.into(),
            4 => f64::from_bits((bytes.word() as u64) << 48).into(),
            5 => "é\n1..2".to_string().into(),
            6 => vec![bytes.byte() as u8; bytes.byte()].into(),
            _ => (1i64 << (bytes.byte() % 63)).into(),
        };
        let row = bytes.byte();
        // Tables without row numbers are small: all of their rows change.
        let by_row = format!("UPDATE {table} SET {column} = ?1 WHERE rowid = ?2");
        let all = format!("UPDATE {table} SET {column} = ?1");
        let done = db.execute(&by_row, rusqlite::params![value, row as i64]);
        if done.is_err() {
            // A constraint forbids it.
            let _ = db.execute(&all, [value]);
        }
    }
    db.execute_batch("COMMIT")
}

/// A file is read, or refused in one line; reading leaves it as it was; opening it to continue neither panics nor makes
/// a file unreadable that could be read.
pub fn run_file(data: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run");
    make(data, &path);
    let before = std::fs::read(&path).expect("its bytes");
    let read = read(&path);
    if let Err(e) = &read {
        one_line(&e.to_string());
    }
    assert!(
        std::fs::read(&path).expect("its bytes") == before,
        "reading changed the file: {read:?}"
    );
    match Writer::open(&path) {
        Ok(writer) => drop(writer.pending().map_err(|e| one_line(&e.to_string()))),
        Err(e) => one_line(&e.to_string()),
    }
    assert_eq!(
        read.is_ok(),
        self::read(&path).is_ok(),
        "opening it to continue it changed what can be read"
    );
}

fn read(path: &Path) -> Result<(), RunFileError> {
    let reader = Reader::open(path)?;
    reader.status()?;
    reader.done()?;
    let own = reader.header().own_blocks();
    let group = format::group_for(reader.header(), 4);
    let rows = format::rows(&reader, group)?;
    let blocks: u64 = rows.iter().map(|r| r.blocks).sum();
    assert!(blocks <= own.end - own.start);
    let mut text = Vec::new();
    format::write(&mut text, reader.header(), &rows, Default::default()).expect("into memory");
    assert_eq!(text.iter().filter(|&&b| b == b'\n').count(), rows.len() + 1);
    Ok(())
}
