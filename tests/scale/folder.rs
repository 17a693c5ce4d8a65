//! A folder of shards while they run, and what is refused.

use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use doublecrunch::search::run_file::Reader;

use super::{BLOCK, crunch, output, said, same_as_unsharded, signal, stop_midway, succeed, text};

/// 2^26 inputs: a shard that is committed block by block takes long enough to be killed.
pub(super) const RANGE: &str = "1.0..=0x1.0000004p0";

pub(super) fn file(dir: &Path, i: u32) -> String {
    text(&dir.join(format!("reciprocal.{i}-of-4.crunch"))).to_string()
}

pub(super) fn shard(dir: &Path, i: u32) -> Vec<String> {
    let words = [
        "run",
        "reciprocal",
        "--range",
        RANGE,
        "--block",
        BLOCK,
        "-b",
        "scalar",
        "-j",
        "1",
        "-q",
        "--shard",
        &format!("{i}/4"),
        "-o",
        &file(dir, i),
        "--continue",
    ];
    words.map(String::from).to_vec()
}

pub(super) fn run(dir: &Path, i: u32) {
    let words = shard(dir, i);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    succeed(&mut crunch(&words));
}

/// A writer that commits after every block, once something is committed.
fn begin_slowly(dir: &Path, i: u32) -> Child {
    begin_with(dir, i, &[])
}

/// The same with these variables in its environment.
pub(super) fn begin_with(dir: &Path, i: u32, variables: &[(&str, &str)]) -> Child {
    // By the slow interpreter: most of the time is between two commits, also where these go to memory and the machine is busy.
    let words = shard(dir, i);
    let slow = |word| {
        if word == "scalar" {
            "interpreter"
        } else {
            word
        }
    };
    let words: Vec<&str> = words.iter().map(|w| slow(w.as_str())).collect();
    let child = crunch(&words)
        .args(["--group", "1"])
        .envs(variables.iter().copied())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program");
    let begun = Instant::now();
    loop {
        let status = Reader::open(Path::new(&file(dir, i))).and_then(|r| r.status());
        if status.is_ok_and(|s| s.blocks > 0) {
            break;
        }
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "nothing is committed"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

/// Stops a writer (SIGSTOP) between two commits: it is there, and holds its lock, for as long as a test needs it.
pub(super) fn hold(writer: &Child, dir: &Path, i: u32) {
    let file = PathBuf::from(file(dir, i));
    let begun = Instant::now();
    while !stop_midway(writer.id(), &file) {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "it is never between two commits, or has ended"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_folder_is_read_as_one_run_while_it_is_written() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    run(dir, 1);
    let mut killed = begin_slowly(dir, 2);
    killed.kill().expect("to kill it");
    killed.wait().expect("its end");
    run(dir, 4);
    // One bit of damage.
    let mut bytes = std::fs::read(file(dir, 4)).expect("a file");
    let at = bytes.len() - 40;
    bytes[at] ^= 1;
    std::fs::write(file(dir, 4), bytes).expect("a file");
    // A file of other blocks, under the name of the third shard.
    let words = shard(dir, 3);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let at = words.iter().position(|w| *w == BLOCK).expect("the blocks");
    let other = [&words[..at], &["2^20"], &words[at + 1..]].concat();
    succeed(&mut crunch(&other));
    let said = succeed(&mut crunch(&["status", text(dir)]));
    for words in [
        "in 4 shards",
        "1 complete, 1 killed, 1 missing, 1 damaged, 1 misfit",
        &format!("crunch resume {}", file(dir, 2)),
        "--shard 3/4",
        &format!("`rm {}`, then `crunch run ", file(dir, 4)),
        "--shard 4/4",
    ] {
        assert!(said.contains(words), "{said} lacks {words}");
    }
    // The commands that it prints, as they are printed, make it whole.
    let crunch_path = Path::new(env!("CARGO_BIN_EXE_crunch"));
    let path = format!(
        "{}:{}",
        crunch_path.parent().expect("a folder").display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let mut commands = 0;
    for line in said.lines() {
        // Those that name a file are commands; the damage's reason names one that is not.
        let quoted = line.split('`').skip(1).step_by(2);
        for command in quoted.filter(|c| c.contains(text(dir))) {
            succeed(super::clean("sh").args(["-c", command]).env("PATH", &path));
            commands += 1;
        }
    }
    assert_eq!(commands, 5, "{said}");
    let said = succeed(&mut crunch(&["status", text(dir)]));
    assert!(said.contains("4 complete"), "{said}");

    let table = succeed(&mut crunch(&["format", text(dir), "--rows", "8"]));
    assert_eq!(table.lines().count(), 9, "{table}");
    for (kind, name) in [
        ("envelope", "envelope.svg"),
        ("histogram", "histogram.svg"),
        ("report", "report.html"),
    ] {
        succeed(&mut crunch(&["plot", text(dir), "--kind", kind]));
        assert!(
            dir.join(name).metadata().is_ok_and(|m| m.len() > 1000),
            "{name}"
        );
    }
    let merged = dir.join("merged.crunch");
    succeed(&mut crunch(&["merge", text(&merged), text(dir)]));
    same_as_unsharded(&merged, RANGE);
    // The table of the folder is that of the merged run.
    let of_merged = succeed(&mut crunch(&["format", text(&merged), "--rows", "8"]));
    assert_eq!(table, of_merged);
}

/// A folder's parts are in pictures and tables before they are all there, and its writers are not disturbed.
#[test]
fn what_is_not_there_yet_is_left_open() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    run(dir, 3);
    let mut writer = begin_slowly(dir, 1);
    hold(&writer, dir, 1);
    let o = output(&mut crunch(&["format", text(dir), "--rows", "4"]));
    let table = String::from_utf8_lossy(&o.stdout).into_owned();
    assert!(
        o.status.success() && (3..=4).contains(&table.lines().count()),
        "{}",
        said(&o)
    );
    let note = String::from_utf8_lossy(&o.stderr).into_owned();
    assert!(
        note.contains("1 of 4 shards are complete, 1 more are begun"),
        "{note}"
    );
    succeed(&mut crunch(&[
        "plot",
        text(dir),
        "-o",
        text(&dir.join("a.svg")),
    ]));
    let said = succeed(&mut crunch(&["status", text(dir)]));
    assert!(said.contains("1 complete, 1 running, 2 missing"), "{said}");
    signal("-CONT", writer.id());
    let end = writer.wait().expect("its end");
    assert!(end.success(), "its writer was disturbed: {end:?}");
}

#[test]
fn bad_input_is_refused_with_a_remedy() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    let refused = |args: &[&str], words: &[&str]| {
        let o = output(&mut crunch(args));
        let said = said(&o);
        assert!(!o.status.success(), "{args:?}: {said}");
        for w in words {
            assert!(said.contains(w), "{said} lacks {w}");
        }
    };
    // An array larger than the blocks.
    let job = dir.join("job");
    let submit = [
        "submit",
        "slurm",
        "reciprocal",
        "--range",
        RANGE,
        "--block",
        "2^20",
        "--dir",
        text(&job),
    ];
    let many = [&submit[..], &["--tasks", "66"]].concat();
    refused(
        &many,
        &["66 tasks for 65 blocks", "up to 65 tasks", "--block 2^19"],
    );
    assert!(!job.exists(), "nothing is written");
    refused(&submit, &["--tasks"]);
    // Two tasks with one index: the second names the first.
    // That is no bad input, after which engines give a task up: the first may be about to end.
    let mut first = begin_slowly(dir, 1);
    hold(&first, dir, 1);
    let words = shard(dir, 1);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let o = output(&mut crunch(&words));
    let process = format!("being written by process {}", first.id());
    assert!(
        said(&o).contains(&process) && o.status.code() == Some(4),
        "{}",
        said(&o)
    );
    signal("-CONT", first.id());
    first.wait().expect("its end");
    // The file of another shard, and of other blocks, is not continued.
    let with = |option: &str, value: &str| {
        let mut words: Vec<&str> = words.clone();
        let at = words.iter().position(|w| *w == option).expect("the option");
        words[at + 1] = value;
        refused(&words, &["is wanted", "name another file"]);
    };
    with("--shard", "2/4");
    with("--block", "2^13");
}
