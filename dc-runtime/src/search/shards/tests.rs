use super::*;
use crate::search::engine::{Device, Groups, Stop};
use crate::search::merge;
use crate::search::plan::Plan;
use crate::search::range::Range;
use crate::search::run::{Settings, create, proceed};
use crate::search::run_file::{NewSession, Writer};
use crate::search::testing::{CHANGED, Fake, Folder, SWEEP};
use crate::sweep::Sweep;

/// 20 blocks of 2^10 inputs.
const RANGE: &str = "1.0..=bits:0x3ff0000000004fff";
const STALE: Duration = Duration::from_secs(300);
const PATIENCE: Duration = Duration::from_millis(400);

fn begin(path: &Path, sweep: &Sweep, shard: Shard) -> Writer {
    let plan = Plan::new(Range::parse(RANGE, sweep.precision).expect(RANGE), Some(10));
    create(path, sweep, RANGE, plan.expect(RANGE), shard).expect("a new run")
}

fn run(path: &Path, sweep: &Sweep, shard: Shard) {
    let mut w = begin(path, sweep, shard);
    let settings = Settings {
        devices: vec![Device {
            backend: Fake::new("scalar").shared(),
            workers: 1,
        }],
        groups: Groups::default(),
        command: "a test".into(),
    };
    proceed(&mut w, sweep, &settings, &Stop::new(), &mut |_| {}).expect("a run");
}

fn shard(i: u32, n: u32) -> Shard {
    Shard::new(i, n).expect("a shard")
}

fn file(dir: &Folder, i: u32) -> PathBuf {
    dir.file(&format!("run.{i}-of-10.crunch"))
}

/// Complete, running, stale, stopped, killed, damaged, missing, of another version, twice: each is told by name, and the total
/// is of those that belong to the run.
#[test]
fn every_state_is_told_apart() {
    let dir = Folder::new("shards");
    for i in [1, 2, 6] {
        run(&file(&dir, i), &SWEEP, shard(i, 10));
    }
    let session = NewSession {
        command: "a test".into(),
        devices: Vec::new(),
    };
    let mut running = begin(&file(&dir, 3), &SWEEP, shard(3, 10));
    running.begin(&session).expect("a session");
    let mut killed = begin(&file(&dir, 4), &SWEEP, shard(4, 10));
    killed.begin(&session).expect("a session");
    drop(killed);
    drop(begin(&file(&dir, 5), &SWEEP, shard(5, 10)));
    // Damage in a place that no page's structure depends on.
    let mut bytes = std::fs::read(file(&dir, 6)).expect("the file");
    let at = bytes.len() - 40;
    bytes[at] ^= 1;
    std::fs::write(file(&dir, 6), bytes).expect("the file");
    run(&file(&dir, 7), &CHANGED, shard(7, 10));
    run(&dir.file("again.crunch"), &SWEEP, shard(1, 10));
    run(&dir.file("whole.crunch"), &SWEEP, Shard::WHOLE);
    std::fs::write(dir.file("notes.txt"), "no run file").expect("a file");
    std::fs::write(dir.file("run.8-of-10.crunch"), "no run file").expect("a file");
    std::fs::write(dir.file("run.9-of-10.crunch.new"), "begun").expect("a file");

    let shards = Shards::read(&dir.0, STALE, PATIENCE).expect("a run");
    assert_eq!((shards.count, shards.found.len()), (10, 12));
    assert_eq!(shards.whole, Some(dir.file("whole.crunch")));
    let state = |i: usize| &shards.found[i - 1].state;
    // Names are in order: `again` is before `run.1`.
    assert_eq!(shards.found[0].path, dir.file("again.crunch"));
    assert_eq!([state(1), state(2)], [&State::Complete; 2]);
    assert_eq!([state(3), state(4)], [&State::Running, &State::Killed]);
    assert_eq!(*state(5), State::Stopped);
    assert!(matches!(state(6), State::Damaged(why) if why.contains("run.6-of-10")));
    assert!(matches!(state(7), State::Missing));
    assert!(matches!(state(8), State::Misfit(why) if why.contains("not a run file")));
    assert_eq!([state(9), state(10)], [&State::Missing; 2]);
    assert_eq!(shards.found[8].path, file(&dir, 9));
    assert!(matches!(state(11), State::Misfit(why) if why.contains("same shard as")));
    assert!(matches!(state(12), State::Misfit(why) if why.contains("another version")));
    assert_eq!(shards.found[11].path, file(&dir, 7));
    // Its name is that of the missing shard's file.
    let taken: Vec<bool> = shards.found.iter().map(|f| f.taken).collect();
    assert_eq!(taken.iter().position(|t| *t), Some(6));
    assert_eq!(taken.iter().filter(|t| **t).count(), 1);
    // Two complete shards of two blocks each; the third is in the second file of one of them.
    assert_eq!(shards.total.blocks, 4);

    // Nothing was written for longer than the writer should take; the lock names it.
    let shards = Shards::read(&dir.0, Duration::ZERO, PATIENCE).expect("a run");
    let holder = format!("process {}", std::process::id());
    assert!(matches!(&shards.found[2].state, State::Stale(who) if who.starts_with(&holder)));
    // A clock that jumps: the file is from tomorrow, so it was changed just now.
    let tomorrow = SystemTime::now() + Duration::from_secs(86_400);
    let touched = std::fs::File::options().write(true).open(file(&dir, 3));
    let touched = touched.and_then(|f| f.set_modified(tomorrow));
    touched.expect("a time");
    let shards = Shards::read(&dir.0, STALE, PATIENCE).expect("a run");
    assert_eq!(
        (&shards.found[2].state, shards.found[2].age),
        (&State::Running, 0)
    );
    drop(running);
}

/// A shard that commits at this moment is waited for, also where other files have taken all the time there was.
#[test]
fn a_commit_is_waited_for_whatever_came_before() {
    let dir = Folder::new("busy");
    run(&file(&dir, 1), &SWEEP, shard(1, 10));
    let writer = rusqlite::Connection::open(file(&dir, 1)).expect("the file");
    writer
        .execute_batch("BEGIN EXCLUSIVE")
        .expect("a commit that begins");
    let read = || Shards::read(&dir.0, STALE, Duration::ZERO);
    std::thread::scope(|scope| {
        let reading = scope.spawn(read);
        std::thread::sleep(Duration::from_millis(50));
        writer.execute_batch("COMMIT").expect("its end");
        let shards = reading.join().expect("no panic").expect("a run");
        assert_eq!(shards.found[0].state, State::Complete);
    });
    // One that is locked for longer is busy, and the only one that there is.
    writer.execute_batch("BEGIN EXCLUSIVE").expect("a lock");
    let e = read().expect_err("nothing to read").to_string();
    assert!(e.contains("another program keeps the file locked"), "{e}");
}

/// A snapshot holds what is there; its rows are those of the unsharded run.
#[test]
fn a_snapshot_is_the_run_as_far_as_it_is_there() {
    let dir = Folder::new("snapshot");
    run(&dir.file("whole"), &SWEEP, Shard::WHOLE);
    for i in [2, 3, 9] {
        run(&file(&dir, i), &SWEEP, shard(i, 10));
    }
    let mut writer = begin(&file(&dir, 5), &SWEEP, shard(5, 10));
    let session = NewSession {
        command: "a test".into(),
        devices: Vec::new(),
    };
    writer.begin(&session).expect("a session");
    let shards = Shards::read(&dir.0, STALE, PATIENCE).expect("a run");
    let out = dir.file("snapshot.part");
    merge::snapshot(&out, &shards.parts()).expect("a snapshot");
    let records = |path: &Path| {
        let mut v = Vec::new();
        let reader = Reader::open(path).expect("a file");
        let all = reader.blocks::<RunFileError>(|r| {
            v.push(*r);
            Ok(())
        });
        all.expect("its blocks");
        v
    };
    let (whole, some) = (records(&dir.file("whole")), records(&out));
    let numbers: Vec<u64> = some.iter().map(|r| r.index).collect();
    assert_eq!(numbers, [2, 3, 4, 5, 16, 17]);
    assert!(some.iter().all(|r| whole[r.index as usize].same(r)));
    let status = Reader::open(&out).and_then(|r| r.status()).expect("status");
    assert_eq!((status.blocks, status.of_blocks), (6, 20));
    assert_eq!(status.result, shards.total.result);
}

#[test]
fn a_folder_without_a_run_says_so() {
    let dir = Folder::new("no-shards");
    let e = Shards::read(&dir.0, STALE, PATIENCE).expect_err("nothing");
    assert!(e.to_string().contains("no run file in this folder"), "{e}");
    std::fs::write(dir.file("a.crunch"), "no run file").expect("a file");
    let e = Shards::read(&dir.0, STALE, PATIENCE).expect_err("nothing");
    assert!(e.to_string().contains("can be read"), "{e}");
    let e = Shards::read(&dir.file("none"), STALE, PATIENCE).expect_err("no folder");
    assert!(e.to_string().contains("none"), "{e}");
    // One unsharded run is a run of one shard.
    run(&dir.file("b.crunch"), &SWEEP, Shard::WHOLE);
    let shards = Shards::read(&dir.0, STALE, PATIENCE).expect("a run");
    assert_eq!(
        (shards.count, &shards.found[0].state),
        (1, &State::Complete)
    );
}
