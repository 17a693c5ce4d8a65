use std::path::Path;

use super::*;
use crate::model::block::{BlockResult, Extreme, Fault, Worst};
use crate::model::key::Precision;
use crate::search::identity::{KernelIdentity, ROLES};
use crate::search::range::Range;
use crate::search::testing::Folder;

pub(super) fn header(range: &str, log2: u32) -> Header {
    let range_text = range.to_string();
    let range = Range::parse(range, Precision::F64).expect(range);
    let kernels = ROLES
        .iter()
        .enumerate()
        .map(|(i, role)| KernelIdentity {
            role: (*role).into(),
            name: format!("k{i}"),
            module: "m".into(),
            file: "src/m.rs".into(),
            line: 7,
            hash: format!("{i:032x}"),
            source: "fn k() {}\n".into(),
        })
        .collect();
    Header {
        identity: Identity {
            sweep: "test".into(),
            precision: Precision::F64,
            inputs: Precision::F64.into(),
            metric: "handbook".into(),
            kernels,
        },
        range_text,
        plan: Plan::new(range, Some(log2)).expect("a plan"),
        shard: Shard::WHOLE,
        created: 1_700_000_000,
        version: "0".into(),
    }
}

pub(super) fn record(plan: &Plan, index: u64) -> Record {
    let block = plan.block(index).expect("a block");
    let key = block.first + 3;
    let error = 1.0 + (index * 7919 % 1013) as f64 / 1024.0;
    let mut result = BlockResult::EMPTY;
    result.count = block.count;
    result.max = Extreme {
        error_bits: error.to_bits(),
        key,
    };
    result.max_negative = result.max;
    result.misrounded = index.min(block.count);
    result.undecided = (index / 2).min(block.count);
    result.faults[index as usize % 3] = Fault {
        count: index.min(block.count),
        first_key: if index > 0 { -5 } else { 0 },
    };
    result.digest = index.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    result.histogram[4] = block.count;
    Record {
        index,
        result,
        worst: Some(Worst {
            precision: Precision::F64,
            key,
            error,
            result_bits: u64::MAX - index,
            reference: [-0.0, f64::from_bits(index)],
            scale: -(index as i64),
        }),
    }
}

/// The first `count` inputs of a block.
pub(super) fn part(plan: &Plan, index: u64, count: u64) -> Record {
    let mut record = record(plan, index);
    let result = &mut record.result;
    (result.count, result.histogram[4]) = (count, count);
    result.misrounded = result.misrounded.min(count);
    result.undecided = result.undecided.min(count);
    result
        .faults
        .iter_mut()
        .for_each(|f| f.count = f.count.min(count));
    result.digest ^= count;
    record
}

pub(super) fn session() -> NewSession {
    NewSession {
        command: "crunch run test".into(),
        devices: vec![("scalar".into(), "plain".into(), 2)],
    }
}

pub(super) fn commit(
    w: &mut Writer,
    id: i64,
    blocks: impl Iterator<Item = u64>,
) -> Result<(), RunFileError> {
    let records = blocks
        .map(|i| record(&w.header().plan.clone(), i))
        .collect();
    let group = Group {
        records,
        parts: Vec::new(),
        seconds: 0.5,
        work: vec![(1 << 20, 1.0)],
    };
    w.commit(id, &["scalar".into()], &group)
}

/// Commits only parts.
pub(super) fn commit_parts(w: &mut Writer, id: i64, parts: &[(u64, u64)]) {
    let plan = w.header().plan.clone();
    let group = Group {
        parts: parts
            .iter()
            .map(|(index, count)| part(&plan, *index, *count))
            .collect(),
        work: vec![(1 << 20, 1.0)],
        ..Group::default()
    };
    w.commit(id, &["scalar".into()], &group).expect("parts");
}

pub(super) fn all(path: &Path) -> Vec<Record> {
    let mut v = Vec::new();
    Reader::open(path)
        .expect("a run file")
        .blocks::<RunFileError>(|r| {
            v.push(*r);
            Ok(())
        })
        .expect("blocks");
    v
}

#[test]
fn parts_are_in_no_total_and_go_when_their_block_is_finished() {
    let dir = Folder::new("parts");
    let path = dir.file("a.crunch");
    let mut w = Writer::create(&path, header("1.0..=0x1.0000001p0", 16)).expect("a new file");
    let plan = w.header().plan.clone();
    let id = w.begin(&session()).expect("a session");
    commit_parts(&mut w, id, &[(0, 1000), (2, 7)]);
    commit_parts(&mut w, id, &[(0, 60_000), (2, 9)]);
    let status = Reader::open(&path)
        .and_then(|r| r.status())
        .expect("status");
    assert_eq!(
        (status.blocks, status.result.count, status.searched()),
        (0, 0, 60_009)
    );
    assert!(
        status.parts[0].same(&part(&plan, 0, 60_000)) && status.parts[1].same(&part(&plan, 2, 9))
    );
    // There is no group yet: the rate is that of the devices.
    assert_eq!(status.rate, Some(2.0 * 1_048_576.0));
    assert!(
        w.pending()
            .expect("pending")
            .into_iter()
            .eq(std::iter::once(0..257))
    );
    drop(w);
    let mut w = Writer::open(&path).expect("again");
    assert_eq!(w.parts().len(), 2);
    let id = w.begin(&session()).expect("a session");
    assert_eq!(w.parts().len(), 2, "a session touches no part");
    let group = Group {
        records: vec![record(&plan, 0)],
        parts: vec![part(&plan, 2, 9)],
        seconds: 0.5,
        work: Vec::new(),
    };
    w.commit(id, &[], &group).expect("a group");
    drop(w);
    let status = Reader::open(&path)
        .and_then(|r| r.status())
        .expect("status");
    assert_eq!(
        (status.blocks, status.parts.len(), status.searched()),
        (1, 1, 65_545)
    );
    // Parts that no plan has: of no input, of a whole block, of a block that is in the file, of a block of another
    // shard.
    for (index, count) in [(3, 0), (3, 65_536), (0, 5), (256, 1), (257, 1)] {
        let whole = std::fs::read(&path).expect("its bytes");
        let mut w = Writer::open(&path).expect("again");
        let id = w.begin(&session()).expect("a session");
        let mut bad = part(&plan, 2, count.max(1));
        (bad.index, bad.result.count) = (index, count);
        let group = Group {
            parts: vec![bad],
            ..Group::default()
        };
        w.commit(id, &[], &group).expect("anything is written");
        drop(w);
        let e = Writer::open(&path).expect_err("it is refused").to_string();
        assert!(
            e.contains("part of block") || e.contains("a part of it besides"),
            "{index}: {e}"
        );
        Reader::open(&path)
            .and_then(|r| r.status())
            .expect_err("it is refused");
        // Without its row, its sum is left.
        let c = rusqlite::Connection::open(&path).expect("a database");
        let sql = format!("DELETE FROM part WHERE idx = {index}");
        c.execute_batch(&sql).expect("a deletion");
        let basis = |s: &str| {
            c.query_row(s, [], |r| r.get::<_, i64>(0))
                .expect("a number")
        };
        assert_eq!(basis("SELECT count(*) FROM part"), 0);
        drop(c);
        let e = Writer::open(&path)
            .expect_err("a part is missing")
            .to_string();
        assert!(e.contains("parts of blocks are not those"), "{e}");
        std::fs::write(&path, whole).expect("the file as it was");
    }
}

#[test]
fn what_is_written_is_read() {
    let dir = Folder::new("round-trip");
    let path = dir.file("a.crunch");
    let header = header("1.0..=0x1.0000001p0", 16);
    let plan = header.plan.clone();
    assert_eq!(plan.blocks(), 257);
    let mut w = Writer::create(&path, header.clone()).expect("a new file");
    assert_eq!(w.header(), &header);
    let id = w.begin(&session()).expect("a session");
    commit(&mut w, id, (3..9).chain(250..257)).expect("a group");
    assert_eq!(w.pending().expect("pending"), [0..3, 9..250]);

    // It is read while the writer holds it.
    let r = Reader::open(&path).expect("a reader");
    let status = r.status().expect("status");
    assert_eq!(
        (status.blocks, status.of_blocks, status.running),
        (13, 257, true)
    );
    assert_eq!(status.rate, Some((12.0 * 65_536.0 + 1.0) / 0.5));
    assert_eq!(
        status.sessions[0].devices[0].rate(),
        Some(2.0 * 1_048_576.0)
    );

    w.end(id).expect("an end");
    drop(w);
    let mut w = Writer::open(&path).expect("again");
    let id = w.begin(&session()).expect("a session");
    commit(&mut w, id, 0..3).expect("a group");
    commit(&mut w, id, 9..250).expect("a group");
    assert!(w.pending().expect("pending").is_empty());
    drop(w);

    let rows = all(&path);
    assert_eq!(rows.len(), 257);
    let mut merged = BlockResult::EMPTY;
    for (i, row) in rows.iter().enumerate() {
        assert!(row.same(&record(&plan, i as u64)), "{row:?}");
        merged = merged.merge(&row.result);
    }
    let status = Reader::open(&path)
        .and_then(|r| r.status())
        .expect("status");
    assert_eq!(status.result, merged);
    assert_eq!(status.worst.map(|w| w.key), Some(merged.max.key));
    assert!(status.is_complete() && !status.running);
    assert_eq!(status.sessions.len(), 2);
    assert!(status.sessions[0].ended.is_some() && status.sessions[1].ended.is_none());
    let left: Vec<_> = std::fs::read_dir(&dir.0)
        .expect("the folder")
        .flatten()
        .collect();
    assert_eq!(left.len(), 1, "nothing but the run file is left: {left:?}");
}

#[test]
fn one_writer_at_a_time() {
    let dir = Folder::new("lock");
    let path = dir.file("a.crunch");
    let w = Writer::create(&path, header("1.0..2.0", 32)).expect("a new file");
    let e = Writer::open(&path)
        .expect_err("a second writer")
        .to_string();
    assert!(
        e.contains(&format!("being written by process {}", std::process::id())),
        "{e}"
    );
    let e = Writer::create(&path, header("1.0..2.0", 32)).expect_err("a second file");
    assert!(matches!(e, RunFileError::Exists(_)), "{e}");
    drop(w);
    drop(Writer::open(&path).expect("free again"));
}

#[test]
fn a_block_is_written_once() {
    let dir = Folder::new("twice");
    let path = dir.file("a.crunch");
    let mut w = Writer::create(&path, header("1.0..2.0", 32)).expect("a new file");
    let id = w.begin(&session()).expect("a session");
    commit(&mut w, id, 0..5).expect("a group");
    commit(&mut w, id, 4..9).expect_err("block 4 again");
    drop(w);
    assert_eq!(all(&path).len(), 5);
    let status = Reader::open(&path)
        .and_then(|r| r.status())
        .expect("status");
    assert_eq!(status.blocks, 5);
}

#[test]
fn a_full_disk_loses_one_group() {
    let dir = Folder::new("full");
    let path = dir.file("a.crunch");
    let mut w = Writer::create(&path, header("1.0..2.0", 32)).expect("a new file");
    let id = w.begin(&session()).expect("a session");
    w.limit_pages(40);
    let mut good = 0;
    let e = loop {
        match commit(&mut w, id, good * 100..(good + 1) * 100) {
            Ok(()) => good += 1,
            Err(e) => break e,
        }
        assert!(good < 1000, "the limit is not kept");
    };
    assert!(matches!(e, RunFileError::DiskFull(_)), "{e}");
    assert!(e.to_string().contains("make room"), "{e}");
    assert!(good > 0);
    drop(w);
    assert_eq!(all(&path).len() as u64, good * 100);
    let mut w = Writer::open(&path).expect("it opens again");
    let id = w.begin(&session()).expect("a session");
    commit(&mut w, id, good * 100..(good + 1) * 100).expect("and goes on");
    assert_eq!(w.total().0, (good + 1) * 100);
}

/// Each bad file, the error with which it is refused, and that it is not changed.
#[test]
fn bad_files() {
    let dir = Folder::new("bad");
    let good = dir.file("good.crunch");
    let mut w = Writer::create(&good, header("1.0..2.0", 32)).expect("a new file");
    let id = w.begin(&session()).expect("a session");
    commit(&mut w, id, 0..500).expect("a group");
    drop(w);
    let bytes = std::fs::read(&good).expect("its bytes");
    let changed = |f: &dyn Fn(&mut Vec<u8>)| {
        let mut b = bytes.clone();
        f(&mut b);
        b
    };
    let sql = |text: &str| {
        let path = dir.file("scratch");
        std::fs::write(&path, &bytes).expect("a copy");
        let c = rusqlite::Connection::open(&path).expect("a database");
        c.execute_batch(text).expect(text);
        drop(c);
        std::fs::read(&path).expect("its bytes")
    };
    let foreign_db = {
        let path = dir.file("foreign");
        rusqlite::Connection::open(&path)
            .and_then(|c| c.execute_batch("CREATE TABLE t (x); INSERT INTO t VALUES (1);"))
            .expect("a database");
        std::fs::read(&path).expect("its bytes")
    };
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("empty", Vec::new(), "it is empty"),
        ("text", b"first\tlast\n".to_vec(), "not an SQLite database"),
        ("foreign", foreign_db, "database of another program"),
        ("head", bytes[..60].to_vec(), "middle of its first page"),
        (
            "half",
            bytes[..bytes.len() / 8192 * 4096].to_vec(),
            "malformed",
        ),
        (
            "short",
            bytes[..bytes.len() - 1].to_vec(),
            "its end is missing",
        ),
        ("zeros", changed(&|b| b[8192..].fill(0)), "damaged"),
        (
            "newer",
            sql("PRAGMA user_version = 99"),
            "use a newer crunch",
        ),
        ("no table", sql("DROP TABLE grp"), "table `grp` is missing"),
        (
            "other table",
            sql("DROP TABLE total; CREATE TABLE total (x)"),
            "table `total`",
        ),
        (
            "view",
            sql("DROP TABLE grp; CREATE VIEW grp AS SELECT 1"),
            "table `grp`",
        ),
        (
            "no sweep",
            sql("DELETE FROM meta WHERE key = 'sweep'"),
            "`sweep` is missing",
        ),
        (
            "range",
            sql("UPDATE meta SET value = '2..1' WHERE key = 'range'"),
            "character 1",
        ),
        (
            "log2",
            sql("UPDATE meta SET value = '-3' WHERE key = 'block_log2'"),
            "exponent",
        ),
        (
            "shard",
            sql("UPDATE meta SET value = '3/2' WHERE key = 'shard'"),
            "shard",
        ),
        (
            "kernels",
            sql("DELETE FROM kernel WHERE role = 'metric'"),
            "three of a sweep",
        ),
        (
            "type",
            sql("UPDATE block SET digest = 'x' WHERE idx = 7"),
            "block 7: its checksum",
        ),
        (
            "nan",
            sql("UPDATE block SET max_error = -1.0 WHERE idx = 7"),
            "block 7: its checksum",
        ),
        (
            "half worst",
            sql("UPDATE block SET max_result = NULL WHERE idx = 7"),
            "block 7: its checksum",
        ),
        (
            "histogram",
            sql("UPDATE block SET histogram = x'80' WHERE idx = 7"),
            "block 7: its checksum",
        ),
        (
            "count",
            sql("UPDATE block SET inputs = 1 WHERE idx = 7"),
            "block 7: its checksum",
        ),
        (
            "outside",
            sql("UPDATE block SET idx = -1 WHERE idx = 7"),
            "block -1: its checksum",
        ),
        ("total", sql("DELETE FROM total"), "it has no totals"),
    ];
    for (name, content, words) in cases {
        let path = dir.file("case.crunch");
        std::fs::write(&path, &content).expect(name);
        let read = |path: &Path| {
            let r = Reader::open(path)?;
            r.status()?;
            r.blocks::<RunFileError>(|_| Ok(()))
        };
        let e = read(&path).expect_err(name).to_string();
        assert!(e.contains(words), "{name}: {e:?} lacks {words:?}");
        assert!(
            !e.contains('\n') && e.starts_with(&path.display().to_string()),
            "{e}"
        );
        let _ = Writer::open(&path);
        let _ = Writer::create(&path, header("1.0..2.0", 32)).expect_err("it is there");
        assert!(
            std::fs::read(&path).expect(name) == content,
            "{name}: changed"
        );
    }
    let e = Reader::open(&dir.file("none")).expect_err("no file");
    assert!(matches!(e, RunFileError::Missing(_)), "{e}");
    let e = Reader::open(&dir.0).expect_err("a folder").to_string();
    assert!(e.contains("not a regular file"), "{e}");
    let e =
        Writer::create(&dir.file("no/such/folder"), header("1.0..2.0", 32)).expect_err("no folder");
    assert!(
        e.to_string().contains("there is no folder") && e.to_string().contains("no/such"),
        "{e}"
    );
}

/// Random damage gives an error or some rows, never a panic.
#[test]
fn random_damage() {
    let dir = Folder::new("damage");
    let path = dir.file("a.crunch");
    let mut w = Writer::create(&path, header("1.0..2.0", 32)).expect("a new file");
    let id = w.begin(&session()).expect("a session");
    commit(&mut w, id, 0..200).expect("a group");
    drop(w);
    let bytes = std::fs::read(&path).expect("its bytes");
    let mut state = 0x1234_5678_9abc_def1_u64;
    let mut next = |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % n as u64) as usize
    };
    let mut refused = 0;
    for _ in 0..300 {
        let mut b = bytes.clone();
        for _ in 0..=next(20) {
            let at = next(b.len());
            b[at] = next(256) as u8;
        }
        if next(4) == 0 {
            b.truncate(next(bytes.len()));
        }
        std::fs::write(&path, &b).expect("a copy");
        let read = || -> Result<(), RunFileError> {
            let r = Reader::open(&path)?;
            r.status()?;
            r.blocks::<RunFileError>(|_| Ok(()))
        };
        refused += usize::from(read().is_err());
    }
    assert!(
        refused > 50,
        "only {refused} of 300 damaged files were refused"
    );
}

/// A file of format 1 can be read but not continued. `data/format-1.sql` is one that crunch 0.1.0 made.
#[test]
fn format_1_is_read() {
    let dir = Folder::new("format-1");
    let path = dir.file("a.crunch");
    let c = rusqlite::Connection::open(&path).expect("a database");
    c.execute_batch(include_str!("data/format-1.sql"))
        .expect("tables");
    drop(c);
    let r = Reader::open(&path).expect("a reader");
    assert_eq!(r.format(), 1);
    let status = r.status().expect("its status");
    assert_eq!(status.checked, Checked::Nothing);
    assert!(status.is_complete() && status.blocks == 3);
    assert_eq!(status.result.max.error(), 1.000_000_001_642_210_4);
    assert_eq!(status.sessions[0].devices[0].inputs, 2049);
    assert_eq!(all(&path).len(), 3);
    let refused = |e: RunFileError| {
        let e = e.to_string();
        assert!(
            e.contains("written in format 1") && e.contains("start a new run"),
            "{e}"
        );
    };
    refused(Writer::open(&path).expect_err("to continue it"));
    let parts = [path.clone()];
    match crate::search::merge::merge(&dir.file("c"), &parts) {
        Err(crate::search::merge::MergeError::File(e)) => refused(e),
        other => panic!("{other:?}"),
    }
    // Its totals are those of its blocks, if nothing else is known.
    let c = rusqlite::Connection::open(&path).expect("a database");
    c.execute(
        "UPDATE block SET misrounded = misrounded + 1 WHERE idx = 1",
        [],
    )
    .expect("an update");
    drop(c);
    let e = Reader::open(&path)
        .and_then(|r| r.done())
        .expect_err("other totals");
    assert!(e.to_string().contains("not the sums of its blocks"), "{e}");
}

/// The same holds for a file of format 2, whose checksums are correct. `data/format-2.sql` is one that crunch 0.1.0
/// made.
#[test]
fn format_2_is_read() {
    let dir = Folder::new("format-2");
    let path = dir.file("a.crunch");
    let c = rusqlite::Connection::open(&path).expect("a database");
    c.execute_batch(include_str!("data/format-2.sql"))
        .expect("tables");
    let r = Reader::open(&path).expect("a reader");
    assert_eq!(r.format(), 2);
    let status = r.status().expect("its status");
    assert_ne!(status.checked, Checked::Nothing);
    assert!(status.is_complete() && status.blocks == 3);
    assert_eq!(status.result.max.error(), 1.000_000_001_642_210_4);
    assert_eq!(status.result.histogram[..5], [1029, 0, 0, 506, 514]);
    assert_eq!(status.result.fine.inputs(), 0);
    assert_eq!(all(&path).len(), 3);
    let refused = |e: RunFileError| {
        let e = e.to_string();
        assert!(
            e.contains("written in format 2, whose rows have no fine histogram"),
            "{e}"
        );
    };
    refused(Writer::open(&path).expect_err("to continue it"));
    let parts = [path.clone()];
    match crate::search::merge::merge(&dir.file("c"), &parts) {
        Err(crate::search::merge::MergeError::File(e)) => refused(e),
        other => panic!("{other:?}"),
    }
    c.execute(
        "UPDATE block SET misrounded = misrounded + 1 WHERE idx = 1",
        [],
    )
    .expect("an update");
    drop(c);
    let e = (Reader::open(&path).and_then(|r| r.done())).expect_err("a changed row");
    assert!(e.to_string().contains("checksum"), "{e}");
}

/// Issue 18, B9: "resume" after the file had been removed.
#[cfg(unix)]
#[test]
fn a_removed_file_is_noticed() {
    let dir = Folder::new("removed");
    let path = dir.file("a.crunch");
    let mut w = Writer::create(&path, header("1.0..2.0", 32)).expect("a new file");
    let id = w.begin(&session()).expect("a session");
    commit(&mut w, id, 0..5).expect("a group");
    assert!(w.is_in_place());
    std::fs::remove_file(&path).expect("it is gone");
    assert!(!w.is_in_place());
    let e = commit(&mut w, id, 5..9).expect_err("nothing to write to");
    assert!(matches!(e, RunFileError::Removed(_)), "{e}");
    assert!(e.to_string().contains("start a new run"), "{e}");
    // Another file under its name is not the one that was written.
    drop(Writer::create(&dir.file("b"), header("1.0..2.0", 32)).expect("another"));
    std::fs::rename(dir.file("b"), &path).expect("renamed");
    assert!(!w.is_in_place());
    let e = commit(&mut w, id, 5..9).expect_err("nothing to write to");
    assert!(matches!(e, RunFileError::Removed(_)), "{e}");
}
