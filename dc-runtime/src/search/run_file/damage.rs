//! Damaged files: whichever bytes of a run file are damaged, either the data read from it is right, or the file is refused.
//!
//! Every test prints the number of its cases. With `CRUNCH_DAMAGE=1` it runs all of them: 5,000 random bits and every
//! bit of the totals, in a finished and in an unfinished file.

use std::ops::Range;
use std::path::Path;

use super::tests::{all, commit, commit_parts, header, record, session};
use super::*;
use crate::search::testing::Folder;

/// The number of blocks of the run, and of the unfinished file.
const BLOCKS: u64 = 65;
const HALF: u64 = 40;

/// Blocks of which the unfinished file has parts, with a third of their numbers of inputs.
const PARTS: [(u64, u64); 2] = [(HALF, 300), (HALF + 9, 5)];

fn full() -> bool {
    std::env::var_os("CRUNCH_DAMAGE").is_some()
}

/// A run file of two sessions, with all blocks or not.
fn make(path: &Path, finished: bool) -> Vec<u8> {
    let mut header = header("1.0..=0x1.0000000010000p0", 10);
    // As long as a kernel's text: more than a page.
    for k in &mut header.identity.kernels {
        k.source = "let y = y * (2.0 - x * y); // one step\n".repeat(120);
    }
    let mut w = Writer::create(path, header).expect("a new file");
    assert_eq!(w.header().plan.blocks(), BLOCKS);
    let id = w.begin(&session()).expect("a session");
    commit(&mut w, id, 0..7).expect("a group");
    commit(&mut w, id, 12..HALF).expect("a group");
    w.end(id).expect("an end");
    let id = w.begin(&session()).expect("a session");
    commit(&mut w, id, 7..12).expect("a group");
    // The part becomes longer from commit to commit.
    for count in [1, 2, 3] {
        commit_parts(&mut w, id, &PARTS.map(|(index, n)| (index, count * n)));
    }
    if finished {
        commit(&mut w, id, HALF..BLOCKS).expect("a group");
        w.end(id).expect("an end");
    }
    drop(w);
    std::fs::read(path).expect("its bytes")
}

/// Everything that can be read from a file.
#[derive(Debug, PartialEq)]
struct Contents {
    header: Header,
    status: Status,
    records: Vec<String>,
}

fn contents(path: &Path) -> Result<Contents, RunFileError> {
    let reader = Reader::open(path)?;
    let status = reader.status()?;
    assert_eq!(status.sessions, reader.sessions()?);
    let mut records = Vec::new();
    reader.blocks::<RunFileError>(|r| {
        records.push(format!("{r:?}"));
        Ok(())
    })?;
    let mut again = Vec::new();
    reader.blocks_at_leisure::<RunFileError>(|r| {
        again.push(format!("{r:?}"));
        Ok(())
    })?;
    assert_eq!(records, again);
    Ok(Contents {
        header: reader.header().clone(),
        status,
        records,
    })
}

/// The outcomes for damaged files.
#[derive(Debug, Default)]
struct Count {
    harmless: u32,
    refused: u32,
    continued: u32,
    not_continued: u32,
}

/// Reads a damaged file, and continues it.
fn read_damaged(dir: &Folder, bytes: &[u8], right: &Contents, count: &mut Count, what: &str) {
    let path = dir.file("damaged");
    let _ = std::fs::remove_file(dir.file("damaged-journal"));
    std::fs::write(&path, bytes).expect("a copy");
    match contents(&path) {
        Ok(contents) => {
            assert!(contents == *right, "{what}: silently wrong: {contents:#?}");
            count.harmless += 1;
        }
        Err(e) => {
            let e = e.to_string();
            assert!(!e.contains('\n') && e.len() < 1000, "{e}");
            count.refused += 1;
            let bytes = std::fs::read(&path).expect("the copy");
            assert!(
                Writer::open(&path).is_err(),
                "{what}: {e}, and yet it is continued"
            );
            let after = std::fs::read(&path).expect("the copy");
            assert!(after == bytes, "{what}: a refused file was changed");
        }
    }
}

/// A file whose data was read correctly is continued correctly, or not at all.
fn go_on(dir: &Folder, right: &Contents, count: &mut Count, what: &str) {
    let path = dir.file("damaged");
    let Ok(mut w) = Writer::open(&path) else {
        count.not_continued += 1;
        return;
    };
    let pending = w.pending().expect("pending");
    let written = w
        .begin(&session())
        .and_then(|id| commit(&mut w, id, pending.into_iter().flatten()));
    drop(w);
    match written {
        Ok(()) => {
            let records = all(&path);
            assert_eq!(records.len() as u64, BLOCKS, "{what}");
            assert!(
                records
                    .iter()
                    .all(|r| r.same(&record(&right.header.plan, r.index)))
            );
            count.continued += 1;
        }
        Err(_) => count.not_continued += 1,
    }
}

/// SplitMix64.
fn random(state: &mut u64, n: usize) -> usize {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ z >> 31) % n as u64) as usize
}

/// The place of the row of totals: from its cell to the end of its page.
fn totals(path: &Path, bytes: &[u8]) -> Range<usize> {
    let c = rusqlite::Connection::open(path).expect("a database");
    let sql = "SELECT rootpage FROM sqlite_schema WHERE name = 'total'";
    let page: usize = c
        .query_row(sql, [], |r| r.get::<_, i64>(0))
        .expect("its page") as usize;
    let start = (page - 1) * 4096;
    let cell = u16::from_be_bytes([bytes[start + 8], bytes[start + 9]]);
    start + usize::from(cell)..start + 4096
}

#[test]
fn every_flipped_bit_is_harmless_or_refused() {
    for finished in [true, false] {
        let dir = Folder::new(if finished { "flips" } else { "flips-half" });
        let path = dir.file("whole");
        let bytes = make(&path, finished);
        let right = contents(&path).expect("the whole file");
        let mut count = Count::default();
        let flip = |bit: usize| {
            let mut b = bytes.clone();
            b[bit / 8] ^= 1 << (bit % 8);
            b
        };
        let (flips, step) = if full() { (5000, 1) } else { (150, 13) };
        let mut state = 1 + u64::from(finished);
        for i in 0..flips {
            let bit = random(&mut state, bytes.len() * 8);
            let what = format!("bit {} of byte {:#x}", bit % 8, bit / 8);
            let before = count.harmless;
            read_damaged(&dir, &flip(bit), &right, &mut count, &what);
            if count.harmless > before && i % 8 == 0 {
                go_on(&dir, &right, &mut count, &what);
            }
        }
        let random = (count.harmless, count.refused);
        let row = totals(&path, &bytes);
        let mut n = 0;
        for bit in (row.start * 8..row.end * 8).step_by(step) {
            let what = format!("totals, bit {} of byte {:#x}", bit % 8, bit / 8);
            read_damaged(&dir, &flip(bit), &right, &mut count, &what);
            n += 1;
        }
        // The key is stored in the record as NULL, which SQLite does not read: a zero without bytes has the same
        // effect.
        let harmless = count.harmless - random.0;
        assert!(harmless <= 2, "{harmless} bits of the totals say nothing");
        println!(
            "{} file of {} bytes: {flips} random bits, {} harmless, {} refused; {n} of {} bits of the totals, {harmless} \
             harmless, the others refused; 0 silently wrong; {count:?}{}",
            if finished { "finished" } else { "unfinished" },
            bytes.len(),
            random.0,
            random.1,
            row.len() * 8,
            if full() {
                ""
            } else {
                " (reduced; CRUNCH_DAMAGE=1 does all)"
            }
        );
    }
}

/// A process is killed between the first write of a commit and the removal of its journal, and the journal is lost. Some of the pages that
/// the commit changes are new, the others old.
#[test]
fn commits_by_half_without_their_journal() {
    let dir = Folder::new("half-commits");
    let path = dir.file("a");
    make(&path, false);
    let mut w = Writer::open(&path).expect("a run file");
    let before = std::fs::read(&path).expect("its bytes");
    let mut states = vec![(before, contents(&path).expect("the file"))];
    let mut keep = || {
        let bytes = std::fs::read(&path).expect("its bytes");
        states.push((bytes, contents(&path).expect("the file")));
    };
    let id = w.begin(&session()).expect("a session");
    keep();
    let mut next = HALF;
    while next < BLOCKS {
        let end = (next + 2).min(BLOCKS);
        commit(&mut w, id, next..end).expect("a group");
        keep();
        next = end;
    }
    w.end(id).expect("an end");
    keep();
    drop(w);
    let running = |contents: &mut Contents| contents.status.running = false;
    states.iter_mut().for_each(|s| running(&mut s.1));
    let (mut cases, mut refused, mut old, mut new) = (0, 0, 0, 0);
    let (mut state, random_cases) = (7, if full() { 40 } else { 6 });
    for pair in states.windows(2) {
        let ((a, before), (b, after)) = (&pair[0], &pair[1]);
        let pages: Vec<usize> = (0..b.len() / 4096)
            .filter(|p| a.get(p * 4096..(p + 1) * 4096) != Some(&b[p * 4096..(p + 1) * 4096]))
            .collect();
        // Pages are written in order, up to a kill; and in any order, up to a power failure.
        let mut sets: Vec<Vec<usize>> = (1..pages.len()).map(|n| pages[..n].to_vec()).collect();
        for _ in 0..random_cases {
            let mut some = pages.clone();
            some.retain(|_| random(&mut state, 2) == 0);
            sets.push(some);
        }
        for set in sets {
            let mut bytes = a.clone();
            for p in &set {
                bytes.resize(bytes.len().max((p + 1) * 4096), 0);
                bytes[p * 4096..(p + 1) * 4096].copy_from_slice(&b[p * 4096..(p + 1) * 4096]);
            }
            let path = dir.file("half");
            std::fs::write(&path, &bytes).expect("a copy");
            cases += 1;
            match contents(&path) {
                Err(_) => refused += 1,
                Ok(contents) if contents == *before => old += 1,
                Ok(contents) if contents == *after => new += 1,
                Ok(contents) => panic!("pages {set:?} of {pages:?}: silently wrong: {contents:#?}"),
            }
        }
    }
    println!(
        "{cases} half commits without their journal: {refused} refused, {old} as before it, {new} as after it, 0 silently wrong"
    );
    assert!(cases >= 100 && refused > cases / 2, "{cases}, {refused}");
}

/// Damage that no single bit causes: intact rows that do not belong there, or missing rows.
#[test]
fn rows_too_many_and_too_few() {
    let dir = Folder::new("rows");
    let path = dir.file("a");
    let bytes = make(&path, false);
    let other = dir.file("b");
    std::fs::write(&other, make(&dir.file("c"), true)).expect("a copy");
    let edits = [
        ("DELETE FROM block WHERE idx = 20", "39 are in it"),
        (
            "DELETE FROM grp WHERE id = 2",
            "chain of its groups is broken at group 2",
        ),
        ("DELETE FROM grp WHERE id = 3", "last group is number 2"),
        (
            "DELETE FROM device WHERE id = 2",
            "sessions and devices are not those",
        ),
        (
            "DELETE FROM session WHERE id = 2",
            "session 2, which a device worked in",
        ),
        (
            "UPDATE block SET grp = 1 WHERE idx = 20",
            "block 20: its checksum",
        ),
        (
            "UPDATE grp SET committed = committed + 1 WHERE id = 1",
            "group 1: its checksum",
        ),
        (
            "UPDATE total SET misrounded = misrounded + 1",
            "checksum of its totals",
        ),
        (
            "UPDATE device SET inputs = inputs + 1 WHERE id = 1",
            "device 1: its checksum",
        ),
        (
            "DELETE FROM part WHERE idx = 40",
            "parts of blocks are not those",
        ),
        (
            "UPDATE part SET inputs = inputs - 1 WHERE idx = 40",
            "part 40: its checksum",
        ),
        (
            "UPDATE part SET idx = 41 WHERE idx = 40",
            "part 41: its checksum",
        ),
        (
            "UPDATE total SET part_sum = part_sum + 1",
            "checksum of its totals",
        ),
        (
            "UPDATE meta SET value = '1.0..1.5' WHERE key = 'range_text'",
            "checksum of its header",
        ),
        (
            "UPDATE kernel SET line = 8 WHERE role = 'metric'",
            "checksum of its header",
        ),
        (
            "DELETE FROM copy WHERE id = 1",
            "copy of the header differs",
        ),
        // Rows from a file of the same run that is one commit further: all of them are intact.
        (
            "ATTACH '{other}' AS o; INSERT INTO block SELECT * FROM o.block WHERE idx = 60",
            "41 are in it",
        ),
        (
            "ATTACH '{other}' AS o; DELETE FROM total; INSERT INTO total SELECT * FROM o.total",
            "totals are of 4 groups",
        ),
        (
            "ATTACH '{other}' AS o; DELETE FROM total; INSERT INTO total SELECT * FROM o.total; \
             INSERT INTO grp SELECT * FROM o.grp WHERE id = 4",
            "sessions and devices are not those",
        ),
    ];
    for (sql, says) in edits {
        std::fs::write(&path, &bytes).expect("a copy");
        let c = rusqlite::Connection::open(&path).expect("a database");
        let sql = sql.replace("{other}", other.to_str().expect("UTF-8"));
        c.execute_batch(&sql).expect(&sql);
        drop(c);
        let e = contents(&path).map(|_| ()).expect_err(&sql).to_string();
        assert!(
            e.contains(says) && e.contains("remove it and search again"),
            "{sql}: {e}"
        );
        Writer::open(&path).map(|_| ()).expect_err(&sql);
    }
}

/// A file that was partly overwritten, including its first page or not, is refused and left unchanged.
#[test]
fn overwritten_pages_are_refused() {
    let dir = Folder::new("overwritten");
    let path = dir.file("a");
    let bytes = make(&path, true);
    let blocks: Vec<usize> = (0..bytes.len() / 4096)
        .filter(|p| bytes[p * 4096] == 0x0d && bytes[p * 4096 + 4] > 10)
        .collect();
    let page = blocks[blocks.len() / 2];
    for (pages, says) in [
        (vec![page], "damaged run file"),
        (vec![0], "not an SQLite database"),
        (vec![0, page], "not an SQLite database"),
    ] {
        let mut bytes = bytes.clone();
        for page in &pages {
            bytes[page * 4096..][..4096].fill(0x55);
        }
        std::fs::write(&path, &bytes).expect("a copy");
        for e in [
            contents(&path).map(|_| ()).expect_err("it is damaged"),
            Writer::open(&path).map(|_| ()).expect_err("it is damaged"),
        ] {
            assert!(e.to_string().contains(says), "{pages:?}: {e}");
        }
        assert!(
            std::fs::read(&path).expect("the file") == bytes,
            "{pages:?}: it was changed"
        );
    }
}
