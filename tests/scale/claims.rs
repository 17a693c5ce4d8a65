//! Tasks that claim shards: processes of unlike rates over one folder, and one that is killed; the same under Slurm, whose cluster is
//! that of the module `slurm`.

use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use doublecrunch::search::run_file::Reader;
use serde_json::Value;

use super::slurm::{PATIENCE as LONG, Slurm, private};
use super::{
    BLOCK, RANGE, crunch, output, said, same_as_unsharded, signal, stop_midway, succeed, text, wait,
};

const SHARDS: u32 = 32;
const PATIENCE: Duration = Duration::from_secs(60);

/// A task on a node with this backend alone: the interpreter is ten times slower than the others.
fn task(dir: &Path, place: &str, backend: &str) -> Child {
    let shards = SHARDS.to_string();
    let search = ["run", "reciprocal", "--range", RANGE, "--block", BLOCK];
    let claim = ["--shards", &shards, "--task", place, "-o", text(dir)];
    let mut command = crunch(&["--json"]);
    command
        .args(search)
        .args(claim)
        .args(["-b", backend, "-j", "1", "--group-seconds", "0.05"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.spawn().expect("the program")
}

/// What a task that must succeed says of itself: its inputs, and its shards.
fn document(task: Child) -> (u64, Vec<String>) {
    let o = task.wait_with_output().expect("its end");
    assert!(o.status.success(), "{}", said(&o));
    let v: Value = serde_json::from_slice(&o.stdout).expect("a document");
    assert_eq!(v["end"], "no shard is open", "{v}");
    let claimed = v["claimed"].as_array().expect("a list").iter();
    let shards = claimed.map(|c| c["shard"].as_str().expect("a shard").to_string());
    (v["inputs"].as_u64().expect("a number"), shards.collect())
}

/// The shard that a process holds, by the locks in the folder.
fn held_by(dir: &Path, process: u32) -> Option<u32> {
    let files = std::fs::read_dir(dir).ok()?.flatten();
    files.map(|f| f.path()).find_map(|path| {
        let name = path.file_name()?.to_str()?.strip_suffix(".crunch.lock")?;
        let lock = std::fs::read_to_string(&path).ok()?;
        let mine = lock.starts_with(&format!("process {process} "));
        let shard = name.strip_prefix("reciprocal.")?.split('-').next()?;
        shard.parse().ok().filter(|_| mine)
    })
}

fn file(dir: &Path, shard: u32) -> std::path::PathBuf {
    dir.join(format!("reciprocal.{shard}-of-{SHARDS}.crunch"))
}

/// Two nodes, of which one is much faster, take shards by their rates; none is both's, and the merged run is the unsharded one.
#[test]
fn a_fast_and_a_slow_node_share_a_folder() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    let slow = task(dir, "1/2", "interpreter");
    // However long the fast one takes to start.
    wait("a shard", PATIENCE, || file(dir, 1).exists()).expect("a shard");
    let fast = task(dir, "2/2", "scalar");
    let (fast, slow) = (document(fast), document(slow));
    assert!(
        !slow.1.is_empty() && fast.0 > slow.0,
        "fast {fast:?}, slow {slow:?}"
    );
    let mut all = [fast.1, slow.1].concat();
    all.sort();
    let count = all.len();
    all.dedup();
    assert_eq!((count, all.len()), (SHARDS as usize, SHARDS as usize));
    let merged = dir.join("merged.crunch");
    succeed(&mut crunch(&["merge", text(&merged), text(dir)]));
    same_as_unsharded(&merged, RANGE);
}

/// While a task is in a shard, stopped by the system, others do all the rest and end; when it is killed, the next one goes on with
/// its shard.
#[test]
fn the_shard_of_a_killed_task_is_gone_on_with() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    let mut slow = task(dir, "2/3", "interpreter");
    let mut shard = None;
    let midway = wait("a shard that is begun", PATIENCE, || {
        shard = held_by(dir, slow.id());
        shard.is_some_and(|s| stop_midway(slow.id(), &file(dir, s)))
    });
    midway.expect("a shard that is begun");
    let shard = shard.expect("its number");
    let (_, shards) = document(task(dir, "1/3", "scalar"));
    let name = format!("{shard}/{SHARDS}");
    assert!(!shards.contains(&name), "{name} was held: {shards:?}");
    let status = succeed(&mut crunch(&["status", text(dir)]));
    assert!(
        status.contains(&format!("{} complete, 1 running", SHARDS - 1)),
        "{status}"
    );
    let merge = |out: &Path| output(&mut crunch(&["merge", text(out), text(dir)]));
    let o = merge(&dir.join("early.crunch"));
    assert!(!o.status.success(), "{}", said(&o));
    slow.kill().expect("to kill it");
    signal("-CONT", slow.id());
    slow.wait().expect("its end");
    let (_, shards) = document(task(dir, "3/3", "scalar"));
    assert_eq!(shards, [name]);
    let sessions = Reader::open(&file(dir, shard)).and_then(|r| r.sessions());
    let sessions = sessions.expect("sessions");
    assert!(
        sessions.len() == 2 && sessions[0].ended.is_none() && sessions[1].ended.is_some(),
        "{sessions:?}"
    );
    let merged = dir.join("merged.crunch");
    let o = merge(&merged);
    assert!(o.status.success(), "{}", said(&o));
    same_as_unsharded(&merged, RANGE);
}

/// A shard that is longer than a task's time: the task stops in it, ends with 5, and leaves the rest to whoever comes next.
#[test]
fn a_task_stops_in_a_shard_when_its_time_is_up() {
    let dir = tempfile::tempdir().expect("a folder");
    // 2^26 inputs, for which the interpreter takes seconds.
    let search = [
        "run",
        "reciprocal",
        "--range",
        super::folder::RANGE,
        "--block",
        BLOCK,
        "-j",
        "1",
    ];
    let task = |backend: &str, more: &[&str]| {
        let mut command = crunch(&["--json"]);
        command.args(search).args(["-b", backend, "--shards", "1"]);
        let o = output(command.args(["-o", text(dir.path())]).args(more));
        let v: Value = serde_json::from_slice(&o.stdout).unwrap_or_else(|_| panic!("{}", said(&o)));
        (o.status.code(), v)
    };
    let (code, v) = task("interpreter", &["--task-time", "0.2s"]);
    let inputs = v["inputs"].as_u64().expect("a number");
    assert_eq!(
        (code, &v["claimed"][0]["complete"]),
        (Some(5), &false.into()),
        "{v}"
    );
    assert!(inputs > 0 && inputs < 1 << 26, "{v}");
    let (code, v) = task("scalar", &[]);
    assert_eq!(code, Some(0), "{v}");
    // The rest, and nothing twice.
    assert_eq!(v["inputs"].as_u64(), Some((1 << 26) + 1 - inputs), "{v}");
}

/// Tasks of a time that claim shards. Two are on nodes that are much slower than the job expects: their time is up before they have
/// done their share, and Slurm queues them again. The two others begin only then, and do most of the run.
pub(super) fn nodes_that_are_not_alike(slurm: &Slurm) {
    let job = slurm.dir.path().join("claims");
    let node = slurm.dir.path().join("node");
    // In place of the fastest backend, which every task would choose by itself.
    let script = format!(
        r#"#!/bin/bash
case $1-$SLURM_ARRAY_TASK_ID in
run-[13]) exec '{crunch}' "${{@/#fastest/interpreter}}" ;;
run-*)
    until grep -q 'exit code 5' claim-1.log && grep -q 'exit code 5' claim-3.log; do sleep 0.1; done
    words=("${{@/#fastest/scalar}}")
    exec '{crunch}' "${{words[@]/#0.05s/1h}}" ;;
esac
exec '{crunch}' "$@"
"#,
        crunch = env!("CARGO_BIN_EXE_crunch")
    );
    std::fs::write(&node, script).expect("a script");
    private(&node, 0o755);
    // 2^24 inputs are four tasks of this time at ten times the rate of the interpreter.
    let submit = ["submit", "slurm", "reciprocal", "--range", RANGE];
    let time = ["--task-time", "0.05s", "--rate", "8.4e7"];
    let mut submit = crunch(&submit);
    submit.args(time).args(["--block", BLOCK, "--go"]);
    submit.args(["--program", text(&node), "--dir", text(&job)]);
    succeed(submit.env("SLURM_CONF", slurm.dir.path().join("slurm.conf")));
    let log = |i: u32| {
        let log = std::fs::read_to_string(job.join(format!("claim-{i}.log")));
        log.unwrap_or_default()
    };
    let all = || (1..=4).map(log).collect::<Vec<_>>().join("\n");
    let (merged, begun) = (job.join("merged.crunch"), Instant::now());
    wait("the merged run", LONG, || merged.exists())
        .unwrap_or_else(|e| panic!("{e}\n{}\n{}", slurm.queue(), all()));
    println!(
        "four tasks that claim 32 shards: merged after {:.1?}",
        begun.elapsed()
    );
    for i in [1, 3] {
        let log = log(i);
        assert!(
            log.contains("exit code 5\n") && log.contains(", start 2,"),
            "{log}"
        );
    }
    for i in 1..=4 {
        assert!(log(i).trim_end().ends_with("exit code 0"), "{}", log(i));
    }
    let status = succeed(&mut crunch(&["status", text(&job)]));
    assert!(
        status.contains("32 complete") && !status.contains("failed "),
        "{status}"
    );
    same_as_unsharded(&merged, RANGE);
}
