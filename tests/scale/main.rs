//! What `crunch submit` writes, run by the engines that it is written for, with the real program.
//!
//! | file | what |
//! |---|---|
//! | `slurm` | Slurm's controller and node daemon in a folder of the test's own: tasks that are killed, and one that runs into its limit |
//! | `ranks` | Open MPI, GNU parallel |
//! | `image` | the `Containerfile` against the repository and the manifests; the program as the image's user |
//! | `kubernetes` | the manifests against the schemas of Kubernetes' API; the containers' commands, index by index |
//! | `claims` | tasks that claim shards: unlike nodes, a task that is killed |
//! | `folder` | `status`, `format`, `plot` of a folder of shards while they run; what is refused |
//! | `faults` | full and read-only folders, clocks that jump, mounts without locks: by a library that is loaded before the system's |
//! | `scripts` | what the scripts of Slurm and Kubernetes do after failures, with stand-ins for the engines' programs |
//!
//! Each merged run equals the unsharded one row for row.
#![cfg(all(unix, feature = "cli"))]

mod claims;
mod faults;
mod folder;
mod image;
mod kubernetes;
mod ranks;
mod scripts;
mod slurm;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use doublecrunch::search::run_file::{Reader, Record, RunFileError};

/// 2^24 inputs in 4096 blocks, and one input in a block of its own.
const RANGE: &str = "1.0..=0x1.0000001p0";
const BLOCK: &str = "2^12";

/// Variables of engines that may run these tests themselves.
const FOREIGN: [&str; 7] = [
    "SLURM_ARRAY_TASK_ID",
    "SLURM_PROCID",
    "SLURM_STEP_NUM_TASKS",
    "JOB_COMPLETION_INDEX",
    "OMPI_COMM_WORLD_RANK",
    "PMI_RANK",
    "PMIX_RANK",
];

/// A program without those variables, and without OpenCL, which these tests are not about: where no backend is named, each process
/// would probe its devices and search on them, an emulator's among them.
fn clean(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    command.stdin(Stdio::null()).env_remove("CRUNCH_REQUIRE");
    command.env(
        "OCL_ICD_VENDORS",
        concat!(env!("CARGO_TARGET_TMPDIR"), "/no-vendors"),
    );
    for name in FOREIGN {
        command.env_remove(name);
    }
    command
}

fn crunch(args: &[&str]) -> Command {
    let mut command = clean(env!("CARGO_BIN_EXE_crunch"));
    command.args(args);
    command
}

/// `crunch submit ENGINE --go` of a search over [`RANGE`] in four tasks.
fn submit_four(engine: &str, folder: &Path, more: &[&str]) -> Command {
    let search = ["reciprocal", "--range", RANGE, "--block", BLOCK];
    let tasks = ["-b", "scalar", "-j", "1", "--tasks", "4", "--go"];
    let mut command = crunch(&["submit", engine]);
    command.args(search).args(tasks).args(more);
    command.arg("--dir").arg(folder);
    command
}

/// The output of a command that must succeed.
fn succeed(command: &mut Command) -> String {
    let o = output(command);
    assert!(o.status.success(), "{command:?}: {}", said(&o));
    String::from_utf8_lossy(&o.stdout).into_owned()
}

fn output(command: &mut Command) -> Output {
    command
        .output()
        .unwrap_or_else(|e| panic!("{command:?}: {e}"))
}

fn said(o: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!("{:?}\n{}{}", o.status, text(&o.stdout), text(&o.stderr))
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// The first of these programs, on the path or where daemons are.
fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    folders.extend(["/usr/sbin".into(), "/sbin".into()]);
    let mut files = folders.iter().map(|f| f.join(name));
    files.find(|f| f.is_file())
}

fn wait(what: &str, patience: Duration, mut done: impl FnMut() -> bool) -> Result<(), String> {
    let begun = Instant::now();
    while !done() {
        if begun.elapsed() > patience {
            return Err(format!("{what}: not there after {patience:?}"));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

fn signal(name: &str, process: u32) {
    // It may have ended meanwhile.
    let _ = Command::new("kill")
        .args([name, &process.to_string()])
        .stderr(Stdio::null())
        .status();
}

/// Stops a process (SIGSTOP) that has begun its shard and has not finished it; any other goes on. Without the stop, a task
/// could finish between this look at its file and the signal that follows.
fn stop_midway(process: u32, file: &Path) -> bool {
    let sessions = |file: &Path| Reader::open(file).and_then(|r| r.sessions());
    if !sessions(file).is_ok_and(|s| !s.is_empty()) {
        return false;
    }
    signal("-STOP", process);
    let stopped = || state(process).is_none_or(|s| s == 'T');
    wait("a stop", Duration::from_secs(10), stopped).expect("a stop");
    // During a commit the file is locked, and stays so while its writer is stopped.
    let commits = file.with_extension("crunch-journal").exists();
    let midway = state(process).is_some()
        && !commits
        && Reader::open(file)
            .and_then(|r| r.status())
            .is_ok_and(|s| !s.is_complete());
    if !midway {
        signal("-CONT", process);
    }
    midway
}

/// The state of a process, as proc(5) names it; none if it has ended.
fn state(process: u32) -> Option<char> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let state = text.rsplit_once(") ")?.1.chars().next()?;
    (state != 'Z').then_some(state)
}

fn records(path: &Path) -> Vec<Record> {
    let reader = Reader::open(path).expect("a run file");
    assert!(reader.status().expect("its status").is_complete());
    let mut records = Vec::new();
    let read = reader.blocks::<RunFileError>(|r| {
        records.push(*r);
        Ok(())
    });
    read.expect("its blocks");
    records
}

/// Checks that a merged run equals the unsharded one, which is searched here.
fn same_as_unsharded(merged: &Path, range: &str) {
    let whole = merged.with_file_name("whole.unsharded");
    succeed(&mut crunch(&[
        "run",
        "reciprocal",
        "--range",
        range,
        "--block",
        BLOCK,
        "-q",
        "-o",
        text(&whole),
    ]));
    let (a, b) = (records(&whole), records(merged));
    assert!(
        a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| a.same(b)),
        "{}: its rows are not those of an unsharded run",
        merged.display()
    );
}
