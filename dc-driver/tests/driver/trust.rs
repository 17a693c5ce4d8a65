//! Attacks that once succeeded (issue 18); `docs/book/src/contribute/attacks.md` lists them all.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{RANGE, crunch, json, words};
use dc_driver::exit;
use dc_runtime::model::block::{BlockResult, Extreme, Worst};
use dc_runtime::model::key::Precision;
use dc_runtime::search::format;
use dc_runtime::search::identity::Identity;
use dc_runtime::search::plan::Plan;
use dc_runtime::search::range::Range;
use dc_runtime::search::run_file::{Group, Header, NewSession, Reader, Record, Writer};
use dc_runtime::search::shard::Shard;
use dc_runtime::search::testing::{Folder, SWEEP};

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// A small, finished run.
fn run(path: &Path) {
    let args = [
        "run",
        "test",
        "--range",
        RANGE,
        "-o",
        text(path),
        "-q",
        "-b",
        "scalar",
    ];
    let e = crunch(&args);
    assert_eq!(e.code, exit::OK, "{}", e.err);
}

/// A run file with this number of blocks, and with special texts in it.
fn many(path: &Path, blocks: u64, nasty: &str) {
    let range = Range::parse("1.0..2.0", Precision::F64).expect("a range");
    let mut identity = Identity::of(&SWEEP).expect("an identity");
    identity.sweep.push_str(nasty);
    for k in &mut identity.kernels {
        k.name.push_str(nasty);
        k.source.push_str(nasty);
    }
    let header = Header {
        identity,
        range_text: format!("1.0..2.0{nasty}"),
        plan: Plan::new(range, Some(12)).expect("a plan"),
        shard: Shard::WHOLE,
        created: 0,
        version: format!("0{nasty}"),
    };
    let plan = header.plan.clone();
    let mut w = Writer::create(path, header).expect("a run file");
    let session = NewSession {
        command: format!("crunch{nasty}"),
        devices: vec![(format!("scalar{nasty}"), format!("plain{nasty}"), 1)],
    };
    let id = w.begin(&session).expect("a session");
    let record = |index| {
        let block = plan.block(index).expect("a block");
        let max = Extreme {
            error_bits: (1.0 + index as f64).to_bits(),
            key: block.first,
        };
        let result = BlockResult {
            count: block.count,
            max,
            ..BlockResult::EMPTY
        };
        Record {
            index,
            result,
            worst: Some(Worst {
                precision: Precision::F64,
                key: max.key,
                error: max.error(),
                result_bits: index,
                reference: [1.0, 0.0],
                scale: 0,
            }),
        }
    };
    let group = Group {
        records: (0..blocks).map(record).collect(),
        parts: Vec::new(),
        seconds: 1.0,
        work: vec![(1, 1.0)],
    };
    let backend = session.devices[0].0.clone();
    w.commit(id, &[backend], &group).expect("a group");
    w.end(id).expect("an end");
}

/// B9: with `--json` an error was text, and standard output empty.
#[test]
fn an_error_is_a_json_document_too() {
    for (args, code, says) in [
        (
            words("--json run nosuch"),
            exit::INPUT,
            "no sweep is called",
        ),
        (
            words("status /no/such/file --json"),
            exit::INPUT,
            "no such run file",
        ),
        (words("frobnicate --json"), exit::INPUT, "frobnicate"),
        (
            words("run test --json -b avx512"),
            exit::UNAVAILABLE,
            "avx512",
        ),
        (vec!["--json"], exit::INPUT, "subcommand"),
    ] {
        let e = crunch(&args);
        assert_eq!(e.code, code, "{args:?}: {}", e.err);
        let v: Value =
            serde_json::from_str(&e.out).unwrap_or_else(|_| panic!("{args:?}: {}", e.out));
        assert_eq!(v["error"]["code"], u64::from(code), "{v}");
        let message = v["error"]["message"].as_str().expect("a message");
        assert!(
            message.contains(says) && !message.contains('\n'),
            "{message}"
        );
        assert!(e.err.contains(says), "{args:?}: {}", e.err);
    }
    // An argument after `--` requests nothing.
    assert_eq!(crunch(&["frobnicate", "--", "--json"]).out, "");
    // One document, not two.
    let (code, v) = json(&words("verify test --inputs 2^16 -b scalar,interpreter"));
    assert!(v["error"].is_null(), "{code} {v}");
}

/// B9: `status` printed a file's text to the terminal, including escape sequences.
#[test]
fn what_files_say_does_not_reach_the_terminal() {
    let dir = Folder::new("terminal");
    let path = dir.file("a");
    // Texts that clear the screen, forge a line, change the direction of text, and escape from HTML.
    let nasty = "\u{1b}[2J\r\nstate complete\u{9b}31m\u{7f}\u{202e}</pre><script>";
    many(&path, 3, nasty);
    let clean = |what: &str, text: &str| {
        let bad = |c: char| c != '\n' && c != '\t' && dc_runtime::model::show::moves(c);
        assert!(!text.contains(bad), "{what}: {text:?}");
        assert!(!text.contains("\nstate complete"), "{what}: {text}");
    };
    let (svg, html) = (dir.file("a.svg"), dir.file("a.html"));
    for args in [
        vec!["status", text(&path)],
        vec!["status", text(&path), "--json"],
        vec!["format", text(&path)],
        vec!["format", text(&path), "--json"],
        vec!["resume", text(&path)],
        vec!["resume", text(&path), "--json"],
        vec!["plot", text(&path), "-o", text(&svg)],
        vec!["plot", text(&path), "-o", text(&html)],
    ] {
        let e = crunch(&args);
        clean(&format!("{args:?}"), &e.out);
        clean(&format!("{args:?}"), &e.err);
    }
    for file in [&svg, &html] {
        let text = std::fs::read_to_string(file).expect("a picture");
        let bad = |c: char| c != '\n' && c != '\t' && dc_runtime::model::show::moves(c);
        assert!(!text.contains(bad), "{}", file.display());
        assert!(!text.contains("<script>"), "{}", file.display());
    }
    let e = crunch(&["status", text(&path)]);
    contains!(e.out, r"\u{1b}[2J\r\nstate complete\u{9b}31m");
}

/// B8: `plot -o FILE` overwrote any file, even run files.
#[test]
fn a_picture_is_not_written_over_a_run_file() {
    let dir = Folder::new("over");
    for (name, kind) in [
        ("a.svg", "envelope"),
        ("a.png", "histogram"),
        ("a.html", "report"),
    ] {
        let path = dir.file(name);
        run(&path);
        let before = std::fs::read(&path).expect("the run file");
        let e = crunch(&["plot", text(&path), "-k", kind, "-o", text(&path)]);
        assert_eq!(e.code, exit::INPUT, "{}", e.err);
        assert!(e.err.contains("not overwritten"), "{}", e.err);
        assert!(std::fs::read(&path).expect("the run file") == before);
        std::fs::remove_file(&path).expect("the run file");
    }
    // If writing a picture fails, the old one stays, and nothing else is left.
    let path = dir.file("a");
    run(&path);
    let out = dir.file("out.svg");
    std::fs::create_dir(&out).expect("a folder");
    let e = crunch(&["plot", text(&path), "-o", text(&out)]);
    assert_eq!(e.code, exit::FAILED, "{}", e.err);
    let mut names: Vec<_> = std::fs::read_dir(&dir.0)
        .expect("the folder")
        .map(|e| e.expect("an entry").file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["a", "out.svg"]);
}

/// B9: `-o missing/run` printed "no such run file; `crunch run` makes one".
#[test]
fn a_missing_folder_is_named() {
    let dir = Folder::new("folder");
    let out = dir.file("none/run");
    let whole = dir.file("whole");
    run(&whole);
    for args in [
        vec![
            "run",
            "test",
            "--range",
            RANGE,
            "-b",
            "scalar",
            "-o",
            text(&out),
        ],
        vec!["merge", text(&out), text(&whole)],
    ] {
        let e = crunch(&args);
        assert_eq!(e.code, exit::INPUT, "{args:?}: {}", e.err);
        contains!(e.err, "there is no folder", "none; make it"; "{args:?}");
    }
}

/// B9: `status` waited for a minute while another program had the file locked.
#[test]
fn status_does_not_wait() {
    let dir = Folder::new("wait");
    let paths = ["a", "b", "c"].map(|n| dir.file(n));
    let mut locks = Vec::new();
    for path in &paths {
        run(path);
        let c = rusqlite::Connection::open(path).expect("a database");
        c.execute_batch("BEGIN EXCLUSIVE").expect("a lock");
        locks.push(c);
    }
    let start = Instant::now();
    let e = crunch(&["status", text(&paths[0]), text(&paths[1]), text(&paths[2])]);
    let waited = start.elapsed();
    assert_eq!(e.code, exit::FAILED, "{}", e.err);
    contains!(e.err, "another program keeps the file locked");
    assert!(waited < Duration::from_secs(1), "{waited:?}");
    locks.clear();
    assert_eq!(crunch(&["status", text(&paths[0])]).code, exit::OK);
}

/// B9: `format --rows 1000000` stored all rows. A long table is written while the file is read, and is the same.
#[test]
fn long_tables_are_the_same() {
    let dir = Folder::new("long");
    let path = dir.file("a");
    many(&path, 20_000, "");
    let reader = Reader::open(&path).expect("a run file");
    let rows = format::rows(&reader, 1).expect("rows");
    let mut expected = Vec::new();
    format::write(&mut expected, reader.header(), &rows, Default::default()).expect("a table");
    let e = crunch(&["format", text(&path), "--group", "1"]);
    assert_eq!(e.out.as_bytes(), expected, "{}", e.err);
    assert_eq!(e.out.lines().count(), 20_001);
    let (code, v) = json(&["format", text(&path), "--group", "1"]);
    let v = v.as_array().expect("an array");
    assert_eq!((code, v.len()), (exit::OK, 20_000));
    assert_eq!(v[19_999]["first_block"], 19_999);
    // Nothing is printed of a damaged file, however late the damage is in it.
    drop(reader);
    let c = rusqlite::Connection::open(&path).expect("a database");
    c.execute("UPDATE block SET digest = 1 WHERE idx = 19998", [])
        .expect("an update");
    drop(c);
    let e = crunch(&["format", text(&path), "--group", "1"]);
    assert_eq!((e.code, e.out.as_str()), (exit::INPUT, ""));
    contains!(e.err, "block 19998: its checksum does not hold");
}

/// A3: damaged data is refused, and the worst input is evaluated again wherever its kernels are known.
#[test]
fn a_damaged_file_is_refused() {
    let dir = Folder::new("driver-damaged");
    let path = dir.file("a");
    run(&path);
    let (_, status) = json(&["status", text(&path)]);
    assert_eq!(status[0]["checked"], "all");
    assert_eq!(status[0]["worst_evaluated_again"], true);
    let c = rusqlite::Connection::open(&path).expect("a database");
    c.execute(
        "UPDATE block SET misrounded = misrounded - 1 WHERE idx = 15",
        [],
    )
    .expect("an update");
    drop(c);
    for command in ["status", "format", "resume"] {
        let e = crunch(&[command, text(&path)]);
        assert_eq!(e.code, exit::INPUT, "{command}: {}", e.out);
        contains!(
            e.err,
            "block 15: its checksum does not hold",
            "remove it and search again"
        );
    }
    // A file whose checksums are all correct, and whose worst input disagrees with its kernels.
    let path = dir.file("forged");
    many(&path, 3, "");
    for command in ["status", "resume"] {
        let e = crunch(&[command, text(&path)]);
        assert_eq!(e.code, exit::INPUT, "{command}: {}{}", e.out, e.err);
        contains!(e.err, "either the file is wrong or this machine is"; "{command}");
    }
}
