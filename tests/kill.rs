//! Searches that are killed or interrupted, with the real program.
#![cfg(all(unix, feature = "cli"))]

use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use doublecrunch::backend::skip::skip;
use doublecrunch::search::run_file::{Reader, Record, RunFileError};

const KILLS: u32 = 50;
/// 2^24 inputs in 4096 blocks, and one input in a block of its own.
const RANGE: &str = "1.0..=0x1.0000001p0";
const BLOCK: &str = "2^12";

/// A folder of its own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("crunch-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a folder for the test");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn crunch(args: &[&str]) -> Command {
    // Where the tests' own parent ignores interruptions, as a shell does for programs in the background, the program would ignore them too.
    let mut c = Command::new("env");
    c.args(["--default-signal=INT", env!("CARGO_BIN_EXE_crunch")])
        .args(args)
        .stdin(Stdio::null());
    // If the tests run as a task of an array job, the runs must not see its variables.
    for name in [
        "SLURM_ARRAY_TASK_ID",
        "JOB_COMPLETION_INDEX",
        "CRUNCH_REQUIRE",
    ] {
        c.env_remove(name);
    }
    c
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

fn output(args: &[&str]) -> Output {
    crunch(args).output().expect("the program")
}

/// The backends between which the runs alternate, of those on this machine.
fn backends() -> Vec<String> {
    let wanted = ["avx512", "avx2", "opencl:pocl/0", "scalar"];
    let found = output(&["doctor", "--json", "-b", "avx512,avx2,opencl,scalar"]).stdout;
    let found = String::from_utf8_lossy(&found);
    let available = found.split("\"missing\"").next().unwrap_or_default();
    let available = available.split("\"refused\"").next().unwrap_or_default();
    wanted
        .iter()
        .filter(|w| available.contains(&format!("\"backend\": \"{w}\"")))
        .map(|w| (*w).to_string())
        .collect()
}

fn records(path: &Path) -> Vec<Record> {
    let reader = Reader::open(path).expect("a run file");
    assert!(reader.status().expect("its status").is_complete());
    let mut records = Vec::new();
    reader
        .blocks::<RunFileError>(|r| {
            records.push(*r);
            Ok(())
        })
        .expect("its blocks");
    records
}

fn begin(path: &Path, backend: &str, resume: bool) -> Command {
    command(path, RANGE, backend, resume)
}

fn command(path: &Path, range: &str, backend: &str, resume: bool) -> Command {
    let mut args = if resume {
        vec!["resume", text(path)]
    } else {
        vec![
            "run",
            "reciprocal",
            "--range",
            range,
            "--block",
            BLOCK,
            "--out",
            text(path),
        ]
    };
    args.extend([
        "-b",
        backend,
        "--group",
        "32",
        "--group-seconds",
        "0.02",
        "--quiet",
    ]);
    let mut c = crunch(&args);
    c.stdout(Stdio::null()).stderr(Stdio::piped());
    c
}

/// Waits for a process that must succeed.
fn wait(child: Child) {
    let o = child.wait_with_output().expect("the program's end");
    assert!(
        o.status.success(),
        "{:?}: {}",
        o.status,
        String::from_utf8_lossy(&o.stderr)
    );
}

/// SplitMix64: the instants differ between runs only through the machine's timing.
fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z >> 11) as f64 / (1u64 << 53) as f64
}

/// Killed at random instants and resumed on one backend after the other, a run ends with the same rows as an
/// undisturbed one. A run that ends before it could be killed is compared and another is begun, until the number of
/// kills is reached: the speed of the machine does not matter.
#[test]
fn killed_and_resumed_is_the_same_row_for_row() {
    let dir = Folder::new("kill");
    let backends = backends();
    assert!(backends.contains(&"scalar".to_string()), "{backends:?}");
    println!("alternating {}", backends.join(", "));
    let whole = dir.0.join("whole");
    let started = Instant::now();
    wait(begin(&whole, "scalar", false).spawn().expect("the program"));
    let expected = records(&whole);
    assert_eq!(expected.len(), 4097);
    // How long each backend takes to begin and to finish. An instant is in the beginning or in a tenth of the rest, so
    // that a run is killed many times.
    let mut times = Vec::new();
    for b in &backends {
        let time = |range| {
            let path = dir.0.join("timed");
            let start = Instant::now();
            wait(
                command(&path, range, b, false)
                    .spawn()
                    .expect("the program"),
            );
            let time = start.elapsed();
            std::fs::remove_file(&path).expect("its file");
            time
        };
        let beginning = time("1.0..=1.0");
        times.push(beginning + time(RANGE).saturating_sub(beginning) / 10);
    }
    let (mut kills, mut finished, mut attempt, mut seed) = (0, 0, 0usize, 7);
    let mut path = dir.0.join("run0");
    while kills < KILLS || path.exists() {
        assert!(
            attempt < 100 * KILLS as usize,
            "{kills} kills in {attempt} attempts"
        );
        let which = attempt % backends.len();
        attempt += 1;
        let mut child = begin(&path, &backends[which], path.exists())
            .spawn()
            .expect("the program");
        if kills < KILLS {
            std::thread::sleep(times[which].mul_f64(random(&mut seed)));
            child.kill().expect("to kill it");
        }
        let o = child.wait_with_output().expect("the program's end");
        if o.status.signal() == Some(9) {
            kills += 1;
            continue;
        }
        assert!(
            o.status.success(),
            "{:?}: {}",
            o.status,
            String::from_utf8_lossy(&o.stderr)
        );
        let found = records(&path);
        assert!(
            found.len() == expected.len() && found.iter().zip(&expected).all(|(a, b)| a.same(b)),
            "after {kills} kills the rows differ"
        );
        let reader = Reader::open(&path).expect("the run file");
        let sessions = reader.sessions().expect("its sessions").len();
        println!("run {finished}: {sessions} sessions, equal row for row");
        finished += 1;
        std::fs::remove_file(&path).expect("its file");
        path = dir.0.join(format!("run{finished}"));
    }
    println!(
        "{kills} kills, {finished} runs, {:.1} s",
        started.elapsed().as_secs_f64()
    );
}

/// Ctrl-C ends a run in order: the searched blocks are committed, and the program reports how to resume.
#[test]
fn interrupted_it_says_how_to_go_on() {
    let dir = Folder::new("interrupt");
    let path = dir.0.join("a run");
    // Far too much to be finished before the interruption.
    let args = [
        "run",
        "reciprocal",
        "--range",
        "1.0..2.0",
        "--block",
        "2^14",
        "--out",
        text(&path),
    ];
    let child = crunch(&args)
        .args(["-b", "scalar", "--group", "64", "--quiet"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program");
    let started = Instant::now();
    let done = |path: &Path| {
        let status = Reader::open(path).and_then(|r| r.status());
        status.is_ok_and(|s| s.blocks > 0)
    };
    while !done(&path) {
        assert!(
            started.elapsed() < Duration::from_secs(120),
            "nothing was committed"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
    // A reader sees a running search. `status` waits less than a second for a writer that commits; on a slow disk it is
    // run again, as its message advises.
    let status = loop {
        let status = output(&["status", text(&path)]);
        let error = String::from_utf8_lossy(&status.stderr).into_owned();
        if status.status.success() {
            break String::from_utf8_lossy(&status.stdout).into_owned();
        }
        assert!(
            error.contains("locked") && started.elapsed() < Duration::from_secs(240),
            "{error}"
        );
    };
    assert!(status.contains("state         running"), "{status}");
    // A second writer is refused.
    let second = output(&["resume", text(&path), "-b", "scalar"]);
    assert_eq!(second.status.code(), Some(4));
    let error = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(
        error.contains("being written by process") && error.lines().count() == 1,
        "{error}"
    );
    let pid = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &pid])
            .status()
            .expect("kill")
            .success()
    );
    let o = child.wait_with_output().expect("its end");
    let error = String::from_utf8_lossy(&o.stderr);
    assert_eq!(o.status.code(), Some(5), "{error}");
    assert!(
        error.contains(&format!("crunch resume '{}'` continues", text(&path))),
        "{error}"
    );
    let status = Reader::open(&path)
        .and_then(|r| r.status())
        .expect("its status");
    assert!(!status.running && !status.is_complete());
    let last = status.sessions.last().expect("a session");
    assert!(last.ended.is_some());
    let inputs: u64 = last.devices.iter().map(|d| d.inputs).sum();
    assert_eq!(
        u128::from(inputs),
        status.searched(),
        "no input was searched for nothing"
    );
}

/// Kills its process before a write to a file, whose number is given; `SQLite` writes through these functions.
const KILLER: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void count(int fd) {
    static long left = -1;
    const char *file = getenv("KILLER_FILE"), *writes = getenv("KILLER_WRITES");
    char link[64], name[4096];
    if (!file || !writes) return;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, name, sizeof name - 1);
    if (n < 0) return;
    name[n] = 0;
    if (strcmp(name, file) != 0) return;
    if (left < 0) left = atol(writes);
    if (left-- == 0) raise(SIGKILL);
}

#define REAL(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))
ssize_t pwrite(int fd, const void *bytes, size_t n, off_t at) { count(fd); return REAL(pwrite)(fd, bytes, n, at); }
ssize_t pwrite64(int fd, const void *bytes, size_t n, off64_t at) { count(fd); return REAL(pwrite64)(fd, bytes, n, at); }
ssize_t write(int fd, const void *bytes, size_t n) { count(fd); return REAL(write)(fd, bytes, n); }
"#;

/// The library that does this, for `LD_PRELOAD`.
fn killer(dir: &Path) -> Option<PathBuf> {
    let (source, library) = (dir.join("killer.c"), dir.join("killer.so"));
    std::fs::write(&source, KILLER).expect("a source");
    let gcc = Command::new("gcc")
        .args(["-shared", "-fPIC", "-o"])
        .arg(&library)
        .arg(&source)
        .arg("-ldl")
        .output();
    match gcc {
        Ok(o) => {
            assert!(o.status.success(), "{}", String::from_utf8_lossy(&o.stderr));
            Some(library)
        }
        Err(e) => {
            skip("gcc", &format!("kills inside commits: {e}"));
            None
        }
    }
}

/// Killed inside a commit, between two writes to the file, its rollback journal lost (issue 18, A3): a read of the file
/// gives one of the committed states, or the file is refused. Before, 7 of 41 such files were silently wrong. `CRUNCH_DAMAGE=1` kills 200 times.
#[test]
fn killed_in_a_commit_without_its_journal() {
    let kills = if std::env::var_os("CRUNCH_DAMAGE").is_some() {
        200
    } else {
        12
    };
    let dir = Folder::new("journal");
    let Some(killer) = killer(&dir.0) else {
        return;
    };
    let whole = dir.0.join("whole");
    wait(begin(&whole, "scalar", false).spawn().expect("the program"));
    let expected = records(&whole);
    let path = dir.0.join("run");
    let journal = dir.0.join("run-journal");
    let (mut done, mut refused, mut right, mut seed) = (0, 0, 0, 11);
    let mut writes = 0;
    for attempt in 0.. {
        if done == kills {
            break;
        }
        assert!(attempt < 2 * kills, "{done} kills in {attempt} attempts");
        for name in ["run", "run-journal", "run.lock"] {
            let _ = std::fs::remove_file(dir.0.join(name));
        }
        // A commit writes about ten pages; the first writes belong to the beginning of the run.
        let before = 5 + (300.0 * random(&mut seed)) as u32;
        let child = begin(&path, "scalar", false)
            .env("LD_PRELOAD", &killer)
            .env("KILLER_FILE", &path)
            .env("KILLER_WRITES", before.to_string())
            .spawn();
        let o = child
            .expect("the program")
            .wait_with_output()
            .expect("the program's end");
        if o.status.signal() != Some(9) {
            // The machine was so fast that there were few commits.
            continue;
        }
        assert!(journal.exists(), "a write to the file is inside a commit");
        std::fs::remove_file(&journal).expect("the journal");
        writes += before;
        done += 1;
        let bytes = std::fs::read(&path).expect("the run file");
        let read = || -> Result<(u64, Vec<Record>), RunFileError> {
            let reader = Reader::open(&path)?;
            let status = reader.status()?;
            let mut records = Vec::new();
            reader.blocks::<RunFileError>(|r| {
                records.push(*r);
                Ok(())
            })?;
            Ok((status.blocks, records))
        };
        let held = |r: &Record| expected[r.index as usize].same(r);
        match read() {
            Ok((blocks, records)) => {
                assert!(
                    blocks == records.len() as u64 && records.iter().all(held),
                    "silently wrong: {blocks} blocks, {} rows",
                    records.len()
                );
                right += 1;
            }
            Err(e) => {
                assert!(e.to_string().contains("search again"), "{e}");
                assert_eq!(
                    output(&["resume", text(&path), "-q"]).status.code(),
                    Some(2)
                );
                assert!(std::fs::read(&path).expect("the run file") == bytes);
                refused += 1;
            }
        }
    }
    println!(
        "{done} kills inside commits, after {writes} writes in all, journal removed: {refused} refused, {right} right, 0 silently wrong"
    );
    assert!(
        refused > kills / 4,
        "the kills were not inside of commits: {refused} files refused"
    );
}
