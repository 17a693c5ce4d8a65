//! `run --shards`: tasks that claim the shards of a folder. The number of shards that a task takes by its rate is tested with simulated
//! time in `dc_runtime::search::claim`. Tests with processes are in the facade's `tests/scale`.

use std::path::Path;

use serde_json::Value;

use super::{RANGE, crunch, crunch_of, crunch_on, json};
use dc_driver::exit;
use dc_runtime::backend::{Discovery, Filter};
use dc_runtime::search::plan::Plan;
use dc_runtime::search::range::Range;
use dc_runtime::search::run;
use dc_runtime::search::run_file::{Reader, Record, RunFileError, Writer};
use dc_runtime::search::shard::Shard;
use dc_runtime::search::testing::{CHANGED, Folder, SWEEP};

/// 257 blocks.
const INPUTS: u64 = (1 << 20) + 1;

fn words<'a>(folder: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let search = [
        "run", "test", "--range", RANGE, "--block", "2^12", "-b", "scalar", "-j", "1",
    ];
    [&search[..], &["--shards", "8", "-o", folder], more].concat()
}

fn claim(dir: &Folder, more: &[&str]) -> (u8, Value) {
    json(&words(dir.0.to_str().expect("UTF-8"), more))
}

fn file(dir: &Folder, i: u32) -> std::path::PathBuf {
    dir.file(&format!("test.{i}-of-8.crunch"))
}

/// The shards that a task says it has taken.
fn taken(v: &Value) -> Vec<String> {
    let taken = v["claimed"].as_array().expect("a list").iter();
    taken
        .map(|t| t["shard"].as_str().expect("a shard").into())
        .collect()
}

/// A process that has begun a shard, and holds it.
fn hold(dir: &Folder, i: u32) -> Writer {
    let range = Range::parse(RANGE, SWEEP.precision()).expect("a range");
    let plan = Plan::new(range, Some(12)).expect("a plan");
    let shard = Shard::new(i, 8).expect("a shard");
    run::create(&file(dir, i), &SWEEP, RANGE, plan, shard).expect("a run file")
}

fn records(path: &Path) -> Vec<Record> {
    let mut records = Vec::new();
    let reader = Reader::open(path).expect("a run file");
    let read = reader.blocks::<RunFileError>(|r| {
        records.push(*r);
        Ok(())
    });
    read.expect("its blocks");
    records
}

/// Merges the folder and compares it with the run in one piece.
fn is_the_unsharded_run(dir: &Folder) {
    let (merged, whole) = (dir.file("merged"), dir.file("whole.unsharded"));
    let text = |p: &Path| p.to_str().expect("UTF-8").to_string();
    let e = crunch(&["merge", &text(&merged), &text(&dir.0)]);
    assert_eq!(e.code, exit::OK, "{}", e.err);
    let whole_words = [
        "run", "test", "--range", RANGE, "--block", "2^12", "-b", "scalar", "-q", "-o",
    ];
    let e = crunch(&[&whole_words[..], &[&text(&whole)]].concat());
    assert_eq!(e.code, exit::OK, "{}", e.err);
    let (a, b) = (records(&whole), records(&merged));
    assert!(a.len() == 257 && a.len() == b.len());
    assert!(a.iter().zip(&b).all(|(a, b)| a.same(b)));
}

/// A task takes what is open from its place on, passes over what is held, and goes on with what was left. One that finds nothing
/// ends at once, without a look at the backends.
#[test]
fn a_task_takes_what_is_open() {
    let dir = Folder::new("claim");
    let held = hold(&dir, 5);
    drop(hold(&dir, 7));
    let (code, v) = claim(&dir, &["--task", "2/2"]);
    assert_eq!(code, exit::OK, "{v}");
    let shards = ["6/8", "7/8", "8/8", "4/8", "3/8", "2/8", "1/8"];
    assert_eq!(
        (taken(&v), &v["end"]),
        (
            shards.map(String::from).to_vec(),
            &"no shard is open".into()
        )
    );
    // It is the holder's work; when the holder has ended without it, it is the next one's.
    let (code, v) = claim(&dir, &[]);
    assert_eq!(
        (code, taken(&v).len(), &v["backends"]),
        (exit::OK, 0, &Value::Array(vec![]))
    );
    let nothing = |_: &Filter| -> Discovery { unreachable!("nothing is open") };
    let folder = dir.0.to_str().expect("UTF-8");
    let e = crunch_on(&[SWEEP], &nothing, &words(folder, &[]));
    assert!(
        e.code == exit::OK && e.out.contains("0 of 8 shards claimed, 0 inputs in"),
        "{}{}",
        e.out,
        e.err
    );
    drop(held);
    let (code, v) = claim(&dir, &["--task", "1/2"]);
    assert_eq!((code, taken(&v)), (exit::OK, vec!["5/8".into()]));
    is_the_unsharded_run(&dir);
}

/// Six at a time, which all begin at the same place: every shard is one's alone.
#[test]
fn no_two_tasks_take_one_shard() {
    let dir = Folder::new("claim-together");
    let tasks: Vec<_> = std::thread::scope(|scope| {
        let task = |_| scope.spawn(|| claim(&dir, &["--task", "1/6"]));
        let tasks: Vec<_> = (0..6).map(task).collect();
        tasks
            .into_iter()
            .map(|t| t.join().expect("a task"))
            .collect()
    });
    let mut all: Vec<String> = Vec::new();
    for (code, v) in &tasks {
        assert_eq!(
            (*code, &v["end"]),
            (exit::OK, &"no shard is open".into()),
            "{v}"
        );
        all.extend(taken(v));
    }
    all.sort();
    let shards: Vec<String> = (1..=8).map(|i| format!("{i}/8")).collect();
    assert_eq!(all, shards);
    let inputs = tasks
        .iter()
        .map(|(_, v)| v["inputs"].as_u64().expect("a number"));
    assert_eq!(inputs.sum::<u64>(), INPUTS);
    is_the_unsharded_run(&dir);
}

/// A time that is too short for the first shard: the task does a part, ends with 5 and says why. Started again, as by its engine, it
/// comes to the end; one that has done its share ends with 0, although shards are open.
#[test]
fn a_task_whose_time_is_up_is_started_again() {
    let dir = Folder::new("claim-time");
    let folder = dir.0.to_str().expect("UTF-8");
    let e = crunch(&words(folder, &["--task-time", "0.001", "--task", "1/1"]));
    assert_eq!(e.code, exit::STOPPED, "{}{}", e.out, e.err);
    contains!(
        e.err,
        "the time is up, and shards are open; the same command continues"
    );
    // A share of nothing is done: more tasks than shards.
    let (code, v) = claim(&dir, &["--task-time", "0.001", "--task", "2/9"]);
    assert!(code == exit::OK || code == exit::STOPPED, "{v}");
    let starts = (1..100).find(|_| claim(&dir, &["--task-time", "0.001"]).0 == exit::OK);
    assert!(starts.is_some_and(|n| n > 2), "{starts:?}");
    is_the_unsharded_run(&dir);
}

/// A damaged file is named, with the remedy, once all the others are done; a file of another run ends the task.
#[test]
fn what_cannot_be_taken_is_named() {
    let dir = Folder::new("claim-damaged");
    drop(hold(&dir, 3));
    let mut bytes = std::fs::read(file(&dir, 3)).expect("a file");
    bytes.truncate(5000);
    std::fs::write(file(&dir, 3), bytes).expect("a file");
    let folder = dir.0.to_str().expect("UTF-8");
    let e = crunch(&words(folder, &[]));
    assert_eq!(e.code, exit::INPUT, "{}{}", e.out, e.err);
    contains!(
        e.err,
        "test.3-of-8.crunch: damaged run file",
        "search again"
    );
    assert!(e.out.contains("7 of 8 shards claimed"), "{}", e.out);
    std::fs::remove_file(file(&dir, 3)).expect("it is gone");
    drop(hold(&dir, 3));
    // Another version of the kernels, and other blocks.
    let e = crunch_of(&[CHANGED], &words(folder, &[]));
    assert!(
        e.code == exit::INPUT && e.err.contains("the approximation is not the same"),
        "{}",
        e.err
    );
    let mut other = words(folder, &[]);
    other[5] = "2^13";
    let e = crunch(&other);
    assert!(
        e.code == exit::INPUT && e.err.contains("is wanted; name another file"),
        "{}",
        e.err
    );
    assert_eq!(claim(&dir, &[]).0, exit::OK);
    is_the_unsharded_run(&dir);
}

#[test]
fn bad_input_is_refused_with_a_remedy() {
    let dir = Folder::new("claim-bad");
    let folder = dir.0.to_str().expect("UTF-8");
    let run = dir.file("none");
    let none = run.to_str().expect("UTF-8");
    let with = |at: &str, value: &'static str| {
        let mut words = words(folder, &[]);
        let i = words.iter().position(|w| *w == at).expect("the option");
        words[i + 1] = value;
        words
    };
    let search = ["run", "test", "--range", RANGE, "--block", "2^12"];
    for (args, says) in [
        (words(none, &[]), "none: is not a folder"),
        (with("--shards", "258"), "257 blocks of 2^12 inputs"),
        (with("--shards", "0"), "--shards"),
        (words(folder, &["--shard", "1/8"]), "--shard"),
        (words(folder, &["--continue"]), "--continue"),
        (words(folder, &["--time", "1s"]), "--time"),
        (words(folder, &["--task", "9/8"]), "from 1 to n"),
        (words(folder, &["--task", "auto"]), "give --task i/n"),
        (words(folder, &["--task-time", "0"]), "--task-time"),
        ([&search[..], &["--task-time", "1h"]].concat(), "--shards"),
        ([&search[..], &["--task", "1/2"]].concat(), "--shards"),
    ] {
        let e = crunch(&args);
        assert!(
            e.code == exit::INPUT && e.err.contains(says),
            "{args:?}: {} {}",
            e.code,
            e.err
        );
    }
    let left = std::fs::read_dir(&dir.0).expect("the folder").count();
    assert_eq!(left, 0, "nothing is made");
}
