//! Searches whose blocks take minutes: on request they stop at once, and when killed they lose only a moment's work (issue 18, B10).
#![cfg(all(unix, feature = "cli"))]

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use doublecrunch::model::block::BlockResult;
use doublecrunch::model::fine::Fine;
use doublecrunch::search::run_file::{Reader, Record, RunFileError, Status};

/// The slowest built-in sweep.
const SWEEP: &str = "exp";
/// The slowest of the processor's backends; a choice of the fastest would time all of them, simulators too.
const BACKEND: &str = "scalar";

fn crunch(args: &[&str]) -> Child {
    // Where the tests run in the background of a shell, SIGINT is ignored, and `crunch` would not take it either.
    let mut c = Command::new("env");
    c.args(["--default-signal=INT", env!("CARGO_BIN_EXE_crunch")]);
    c.args(args).arg("--quiet");
    for name in [
        "SLURM_ARRAY_TASK_ID",
        "JOB_COMPLETION_INDEX",
        "CRUNCH_REQUIRE",
    ] {
        c.env_remove(name);
    }
    c.stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    c.spawn().expect("the program")
}

fn finished(args: &[&str]) {
    let o = crunch(args).wait_with_output().expect("its end");
    assert!(o.status.success(), "{}", String::from_utf8_lossy(&o.stderr));
}

fn status(path: &Path) -> Result<Status, RunFileError> {
    Reader::open(path)?.status()
}

/// Waits until the file has more than this number of inputs.
fn wait_for_more(path: &Path, than: u128) -> Status {
    let start = Instant::now();
    loop {
        assert!(
            start.elapsed() < Duration::from_secs(120),
            "nothing is committed"
        );
        // Before it exists it cannot be read.
        match status(path) {
            Ok(s) if s.searched() > than => return s,
            _ => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}

fn blocks(path: &Path) -> Vec<Record> {
    let mut blocks = Vec::new();
    Reader::open(path)
        .expect("a run file")
        .blocks::<RunFileError>(|r| {
            blocks.push(*r);
            Ok(())
        })
        .expect("its blocks");
    blocks
}

/// A bound that is stopped says what it bounds, and that it was stopped.
#[test]
fn a_stopped_bound_is_one_of_what_was_examined() {
    let mut command = Command::new("env");
    command
        .args(["--default-signal=INT", env!("CARGO_BIN_EXE_crunch")])
        .args(["bound", "sin-fdlibm", "--cells", "100000000"])
        .env_remove("CRUNCH_REQUIRE")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = command.spawn().expect("the program");
    std::thread::sleep(Duration::from_secs(2));
    let pid = child.id().to_string();
    let asked = Command::new("kill").args(["-INT", &pid]).status();
    assert!(asked.expect("kill").success());
    let o = child.wait_with_output().expect("its end");
    let out = String::from_utf8_lossy(&o.stdout);
    let err = String::from_utf8_lossy(&o.stderr);
    // Exit code 5: stopped on request.
    assert_eq!(o.status.code(), Some(5), "{out}{err}");
    for says in [
        "sin-fdlibm: ",
        "a stop was requested",
        "give a longer --time",
    ] {
        assert!(out.contains(says), "{says}: {out}{err}");
    }
}

/// Ctrl-C and SIGTERM take effect within two seconds, on the slowest built-in sweep and with blocks of the usual size,
/// 2^32 inputs; `status` has shown how far the block was, `resume` continues the run from there, and the committed part
/// of the block equals a search of these inputs alone.
#[test]
fn a_stop_takes_less_than_two_seconds() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("run");
    let file = path.to_str().expect("UTF-8");
    let mut searched = 0;
    for (signal, arguments) in [
        ("INT", vec!["run", SWEEP, "-b", BACKEND, "--out", file]),
        ("TERM", vec!["resume", file, "-b", BACKEND]),
    ] {
        let child = crunch(&arguments);
        let running = wait_for_more(&path, searched);
        assert!(running.running && running.blocks == 0 && !running.parts.is_empty());
        assert!(
            running.rate.is_some(),
            "the rate of a session without a group"
        );
        let asked = Instant::now();
        let pid = child.id().to_string();
        let kill = Command::new("kill").args(["-s", signal, &pid]).status();
        assert!(kill.expect("kill").success());
        let o = child.wait_with_output().expect("its end");
        let took = asked.elapsed();
        let error = String::from_utf8_lossy(&o.stderr);
        assert_eq!(o.status.code(), Some(5), "{error}");
        assert!(error.contains("the searched blocks are kept"), "{error}");
        println!(
            "SIG{signal}, `crunch {}`: stopped in {:.3} s",
            arguments[0],
            took.as_secs_f64()
        );
        assert!(took < Duration::from_secs(2), "{took:?}");
        let stopped = status(&path).expect("its status");
        assert!(!stopped.running && stopped.searched() >= running.searched());
        searched = stopped.searched();
        let devices = stopped.sessions.iter().flat_map(|s| &s.devices);
        let inputs: u64 = devices.map(|d| d.inputs).sum();
        assert_eq!(
            u128::from(inputs),
            searched,
            "no input was searched for nothing"
        );
    }
    let reader = Reader::open(&path).expect("the run file");
    assert_eq!(reader.header().plan.log2(), 32);
    let parts = status(&path).expect("its status").parts;
    let [part] = &parts[..] else {
        panic!("one block is begun: {parts:?}");
    };
    let p = reader.header().identity.precision;
    let first = reader
        .header()
        .plan
        .block(part.index)
        .expect("a block")
        .first;
    let last = first + part.result.count as i64 - 1;
    let range = format!(
        "bits:{:#x}..=bits:{:#x}",
        p.bits_of_key(first),
        p.bits_of_key(last)
    );
    let alone = dir.path().join("alone");
    let alone_file = alone.to_str().expect("UTF-8");
    finished(&[
        "run",
        SWEEP,
        &format!("--range={range}"),
        "-b",
        BACKEND,
        "--block",
        "2^24",
        "--out",
        alone_file,
    ]);
    // For a shorter range the fine histogram covers a larger part.
    let counted = |result: BlockResult| BlockResult {
        fine: Fine::EMPTY,
        ..result
    };
    let alone = status(&alone).expect("its status").result;
    assert_eq!(counted(alone), counted(part.result));
}

/// Killed at any instant, a run loses what it has searched since its last commit, which is no longer ago than `--group-seconds` and
/// what a loaded machine adds to it.
#[test]
fn a_death_costs_at_most_one_group() {
    const GROUP: &str = "0.2";
    const LOST: Duration = Duration::from_millis(200 + 1500);
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("run");
    let file = path.to_str().expect("UTF-8");
    let mut searched = 0;
    for (arguments, instant) in [
        (vec!["run", SWEEP, "--out", file], 2000),
        (vec!["resume", file], 2100),
    ] {
        let more = ["-b", BACKEND, "-j", "1", "--group-seconds", GROUP];
        let mut child = crunch(&[&arguments[..], &more].concat());
        searched = wait_for_more(&path, searched).searched();
        // Longer than what may be lost: a run that does not commit again is noticed.
        std::thread::sleep(Duration::from_millis(instant));
        child.kill().expect("to kill it");
        let killed = SystemTime::now();
        child.wait().expect("its end");
        let committed = path.metadata().and_then(|m| m.modified()).expect("a time");
        // A commit after the look at the clock has cost nothing.
        let lost = killed.duration_since(committed).unwrap_or_default();
        println!(
            "killed {:.0} ms after its last commit",
            lost.as_secs_f64() * 1e3
        );
        assert!(lost < LOST, "{lost:?} of its work are lost");
        let kept = status(&path).expect("its status").searched();
        assert!(
            kept > searched,
            "nothing was committed since the first look"
        );
        searched = kept;
    }
}

/// A run that is killed during a block, and resumed from the committed part of the block, ends with the same row.
#[test]
fn killed_amid_parts_it_is_the_same_row() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = |name: &str| dir.path().join(name);
    let text = |path: &Path| path.to_str().expect("UTF-8").to_string();
    let run = |file: &Path| {
        let range = "--range=1.0..=0x1.0000004p0";
        let words = [
            "run",
            SWEEP,
            range,
            "--block",
            "2^27",
            "-b",
            BACKEND,
            "--out",
            &text(file),
        ];
        words.map(String::from).to_vec()
    };
    let begin = |mut words: Vec<String>| {
        words.extend(["--group-seconds", "0.02"].map(String::from));
        crunch(&words.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let whole = path("whole");
    let start = Instant::now();
    assert!(
        begin(run(&whole))
            .wait_with_output()
            .expect("its end")
            .status
            .success()
    );
    let time = start.elapsed();
    let killed = path("killed");
    let (mut amid, mut searched) = (0, 0);
    for kill in 0.. {
        let mut child = match killed.exists() {
            true => begin(vec![
                "resume".into(),
                text(&killed),
                "-b".into(),
                BACKEND.into(),
            ]),
            false => begin(run(&killed)),
        };
        // An eighth of the whole, and a little more each time: an instant between two commits, or in one.
        if kill < 7 {
            std::thread::sleep(time / 8 + Duration::from_micros(1700 * kill));
            child.kill().expect("to kill it");
        }
        let ended = child.wait_with_output().expect("its end").status.success();
        if ended {
            break;
        }
        let now = status(&killed).map_or(0, |s| s.searched());
        assert!(now >= searched, "a kill takes nothing back");
        amid += u32::from(now > searched);
        searched = now;
    }
    println!(
        "{amid} kills amid parts, in {:.1} s of search",
        time.as_secs_f64()
    );
    assert!(amid >= 2, "{amid} kills came amid parts");
    let (a, b) = (blocks(&whole), blocks(&killed));
    assert!(
        a.len() == 1 && b.len() == 1 && a[0].same(&b[0]),
        "{a:?}, {b:?}"
    );
    assert!(status(&killed).expect("its status").parts.is_empty());
}
