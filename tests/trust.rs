//! Attacks on files, signals and limits that succeeded in earlier versions (issue 18), with the real program.
//! `docs/book/src/contribute/attacks.md` lists all of them.
#![cfg(all(unix, feature = "cli"))]

use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use doublecrunch::search::run_file::Reader;

fn program() -> &'static str {
    env!("CARGO_BIN_EXE_crunch")
}

/// Removes the variables of an array job, as a task of which the tests themselves may run.
fn clean(c: &mut Command) -> &mut Command {
    for name in [
        "SLURM_ARRAY_TASK_ID",
        "JOB_COMPLETION_INDEX",
        "CRUNCH_REQUIRE",
    ] {
        c.env_remove(name);
    }
    c.stdin(Stdio::null())
}

fn crunch(folder: &Path, args: &[&str]) -> Output {
    clean(Command::new(program()).current_dir(folder).args(args))
        .output()
        .expect("the program")
}

/// Runs a line in a shell, with the program in `$CRUNCH`.
fn shell(folder: &Path, line: &str) -> Output {
    let mut c = Command::new("sh");
    c.current_dir(folder)
        .args(["-c", line])
        .env("CRUNCH", program());
    clean(&mut c).output().expect("a shell")
}

fn ended_well(o: &Output) {
    assert!(
        o.status.success(),
        "{:?}: {}",
        o.status,
        String::from_utf8_lossy(&o.stderr)
    );
}

const SMALL: [&str; 6] = [
    "--range",
    "1.0..=0x1.0000000fffp0",
    "--block",
    "2^12",
    "-b",
    "scalar",
];

fn run(folder: &Path, name: &str, more: &[&str]) {
    let mut args = vec!["run", "reciprocal", "-q", "-o", name];
    args.extend(SMALL);
    args.extend(more);
    ended_well(&crunch(folder, &args));
}

/// B8: `-o 'file:other.db?x='` wrote into `other.db`; `:memory:` created no file.
#[test]
fn names_of_files_are_no_uris() {
    let dir = tempfile::tempdir().expect("a folder");
    let other = dir.path().join("other.db");
    let c = rusqlite::Connection::open(&other).expect("a database");
    c.execute_batch("CREATE TABLE t (x); INSERT INTO t VALUES (1)")
        .expect("a table");
    drop(c);
    let before = std::fs::read(&other).expect("its bytes");
    for name in [
        "file:other.db?x=",
        "file:other.db",
        ":memory:",
        "file:a?mode=memory",
    ] {
        run(dir.path(), name, &[]);
        assert!(dir.path().join(name).is_file(), "{name}");
        ended_well(&crunch(dir.path(), &["resume", name, "-q"]));
        ended_well(&crunch(dir.path(), &["status", name]));
        let merged = format!("{name}-merged");
        ended_well(&crunch(dir.path(), &["merge", &merged, name]));
        assert!(dir.path().join(&merged).is_file(), "{merged}");
    }
    assert!(
        std::fs::read(&other).expect("its bytes") == before,
        "the other database was written to"
    );
}

/// B8: `merge` had all of its parts open at once.
#[test]
fn many_parts_are_merged_with_few_open() {
    let dir = tempfile::tempdir().expect("a folder");
    const PARTS: usize = 64;
    run(dir.path(), "whole", &["--group", "16"]);
    for i in 1..=PARTS {
        run(
            dir.path(),
            &format!("part{i}"),
            &["--shard", &format!("{i}/{PARTS}")],
        );
    }
    let o = shell(dir.path(), "ulimit -n 24; \"$CRUNCH\" merge merged part*");
    ended_well(&o);
    let table = |name| crunch(dir.path(), &["format", name, "--group", "1"]).stdout;
    assert!(table("whole") == table("merged"));
    // Only the requested files remain in the folder.
    let left = std::fs::read_dir(dir.path()).expect("the folder").count();
    assert_eq!(left, PARTS + 2);
}

/// B8: a killed `merge` left a run file with some of the blocks.
#[test]
fn a_merge_that_fails_leaves_nothing() {
    let dir = tempfile::tempdir().expect("a folder");
    for i in 1..=2 {
        run(
            dir.path(),
            &format!("part{i}"),
            &["--shard", &format!("{i}/2")],
        );
    }
    // The second part cannot be written: the size of files is limited, and the signal for it is ignored.
    let o = shell(
        dir.path(),
        "trap '' XFSZ; ulimit -f 100; exec \"$CRUNCH\" merge merged part1 part2",
    );
    let error = String::from_utf8_lossy(&o.stderr);
    assert_eq!(o.status.code(), Some(4), "{error}");
    assert!(!error.contains("resume"), "{error}");
    let mut names: Vec<_> = std::fs::read_dir(dir.path())
        .expect("the folder")
        .map(|e| e.expect("an entry").file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["part1", "part2"]);
}

/// B9: a hangup stopped a search under `nohup`; without `nohup`, it ends the search in order.
#[test]
fn a_hangup_that_is_ignored_stays_ignored() {
    let dir = tempfile::tempdir().expect("a folder");
    for (ignored, name) in [(true, "kept"), (false, "stopped")] {
        let path = dir.path().join(name);
        let trap = if ignored { "trap '' HUP; " } else { "" };
        let line = format!(
            "{trap}exec \"$CRUNCH\" run reciprocal --range 1.0..2.0 --block 2^14 -b scalar --group 16 -q -o {name}"
        );
        // A shell cannot reset signals that its parent ignores, as under nohup.
        let mut c = Command::new("env");
        c.current_dir(dir.path())
            .args(["--default-signal=HUP", "sh", "-c", &line])
            .env("CRUNCH", program());
        let mut child = clean(&mut c)
            .stderr(Stdio::piped())
            .spawn()
            .expect("a shell");
        let blocks = || {
            Reader::open(&path)
                .and_then(|r| r.status())
                .map_or(0, |s| s.blocks)
        };
        let wait = |more: u64| {
            let start = Instant::now();
            while blocks() < more {
                assert!(
                    start.elapsed() < Duration::from_secs(120),
                    "nothing was committed"
                );
                std::thread::sleep(Duration::from_millis(10));
            }
        };
        wait(1);
        let kill = |signal: &str| {
            let pid = child.id().to_string();
            let done = Command::new("kill").args([signal, &pid]).status();
            assert!(done.expect("kill").success());
        };
        kill("-HUP");
        if ignored {
            wait(blocks() + 64);
            assert!(child.try_wait().expect("its state").is_none(), "it ended");
            let pid = child.id().to_string();
            let done = Command::new("kill").args(["-TERM", &pid]).status();
            assert!(done.expect("kill").success());
        }
        let o = child.wait_with_output().expect("its end");
        let error = String::from_utf8_lossy(&o.stderr);
        assert_eq!(
            (o.status.signal(), o.status.code()),
            (None, Some(5)),
            "{error}"
        );
        assert!(error.contains("resume"), "{error}");
    }
}

/// B9: `-j 1000` panicked where the system gives fewer threads.
#[test]
fn too_many_threads_are_an_error() {
    use std::os::unix::fs::PermissionsExt as _;
    use std::os::unix::process::CommandExt as _;
    /// A user without other processes: limits on their number do not apply to root.
    const NOBODY: u32 = 65_534;
    let dir = tempfile::tempdir().expect("a folder");
    let copy = dir.path().join("crunch");
    std::fs::copy(program(), &copy).expect("a copy of the program");
    let open = std::fs::Permissions::from_mode(0o777);
    std::fs::set_permissions(dir.path(), open.clone()).expect("permissions");
    std::fs::set_permissions(&copy, open).expect("permissions");
    let mut c = Command::new("sh");
    let line = "ulimit -p 40 2>/dev/null || ulimit -u 40; exec ./crunch run reciprocal --range 1.0..2.0 --block 2^14 -b scalar -j 1000 -q -o run";
    c.current_dir(dir.path())
        .args(["-c", line])
        .uid(NOBODY)
        .gid(NOBODY);
    let o = match clean(&mut c).output() {
        Err(e) if e.kind() == std::io::ErrorKind::PermissionDenied => {
            println!("SKIPPED: too_many_threads_are_an_error: only root becomes somebody else");
            return;
        }
        o => o.expect("a shell"),
    };
    let error = String::from_utf8_lossy(&o.stderr);
    assert_eq!(o.status.code(), Some(4), "{error}");
    assert!(
        error.contains("of 1000 threads could be started") && error.contains("with -j"),
        "{error}"
    );
    assert!(
        !error.contains("panicked") && error.lines().count() == 1,
        "{error}"
    );
}

/// B9: a run whose file was removed printed that `resume` continues it.
#[test]
fn a_run_whose_file_is_gone_does_not_speak_of_resume() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("run");
    let args = [
        "run",
        "reciprocal",
        "--range",
        "1.0..2.0",
        "--block",
        "2^14",
        "-b",
        "scalar",
    ];
    let mut c = Command::new(program());
    c.current_dir(dir.path())
        .args(args)
        .args(["--group", "16", "-q", "-o", "run"]);
    let child = clean(&mut c)
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program");
    let start = Instant::now();
    while !Reader::open(&path)
        .and_then(|r| r.status())
        .is_ok_and(|s| s.blocks > 0)
    {
        assert!(
            start.elapsed() < Duration::from_secs(120),
            "nothing was committed"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
    std::fs::remove_file(&path).expect("it is gone");
    let o = child.wait_with_output().expect("its end");
    let error = String::from_utf8_lossy(&o.stderr);
    assert_eq!(o.status.code(), Some(4), "{error}");
    assert!(
        error.contains("removed or replaced") && !error.contains("resume"),
        "{error}"
    );
}
