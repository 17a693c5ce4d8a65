//! Run files of a million blocks: the time and memory that `status` and `format` take; ten thousand files merged. Most of these tests are
//! ignored because times on a shared machine prove nothing and the tests take minutes. They are run by hand: `cargo test --test million --
//! --ignored --nocapture`, with TMPDIR in memory if the disk is slow. The test that is not ignored merges fewer files, and measures
//! processor time instead of elapsed time.
#![cfg(feature = "cli")]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use doublecrunch::search::block::{BlockResult, Extreme, Worst};
use doublecrunch::search::evaluator::PointEvaluator;
use doublecrunch::search::key::Precision;
use doublecrunch::search::plan::Plan;
use doublecrunch::search::range::Range;
use doublecrunch::search::run;
use doublecrunch::search::run_file::{Group, NewSession, Reader, Record};
use doublecrunch::search::shard::Shard;

const BLOCKS: u64 = 1_000_000;

fn record(plan: &Plan, index: u64) -> Record {
    let block = plan.block(index).expect("a block");
    let mut histogram = [0; 16];
    histogram[..4].fill(block.count / 4);
    let error = (index.wrapping_mul(0x9e37_79b9) % 1000) as f64 * 1e-4;
    let max = Extreme {
        error_bits: error.to_bits(),
        key: block.first + 5,
    };
    let result = BlockResult {
        count: block.count,
        max,
        max_positive: max,
        max_negative: max,
        misrounded: index,
        digest: index.wrapping_mul(0x9e37_79b9_7f4a_7c15),
        histogram,
        ..BlockResult::EMPTY
    };
    let worst = Some(Worst {
        precision: Precision::F64,
        key: max.key,
        error,
        result_bits: index,
        reference: [1.0, 1e-17],
        scale: 0,
    });
    Record {
        index,
        result,
        worst,
    }
}

fn time(args: &[&str]) -> Duration {
    let start = Instant::now();
    let o = Command::new(env!("CARGO_BIN_EXE_crunch"))
        .args(args)
        .output()
        .expect("the program");
    assert!(o.status.success(), "{}", String::from_utf8_lossy(&o.stderr));
    start.elapsed()
}

/// The peak of the program's resident memory, in KiB.
fn peak(args: &[&str]) -> u64 {
    peak_of(Command::new(env!("CARGO_BIN_EXE_crunch")).args(args)).0
}

/// The peak of its resident memory in KiB, and its processor time in ticks of 10 ms.
fn peak_of(command: &mut Command) -> (u64, u64) {
    let mut child = command.stdout(Stdio::null()).spawn().expect("the program");
    let process = format!("/proc/{}", child.id());
    let status = format!("{process}/status");
    let (mut most, mut ticks) = (0, 0);
    loop {
        // Fields 14 and 15 of proc(5)'s `stat`, the 12th and 13th behind the name.
        let stat = std::fs::read_to_string(format!("{process}/stat")).unwrap_or_default();
        let fields = stat.rsplit(") ").next().unwrap_or_default().split(' ');
        let times = fields.skip(11).take(2).map(|f| f.parse().unwrap_or(0));
        ticks = times.sum::<u64>().max(ticks);
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|l| l.strip_prefix("VmHWM:"));
        let kib = line.and_then(|l| l.trim().strip_suffix(" kB")?.trim().parse().ok());
        most = kib.unwrap_or(most).max(most);
        if let Some(end) = child.try_wait().expect("its state") {
            assert!(end.success() && most > 0, "{end:?}, {most} KiB");
            return (most, ticks);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Writes the run files of all `parts` shards of a search of `blocks` blocks of 2^10 inputs each, without searching the
/// same inputs twice; returns the result of the whole range.
fn write_parts(dir: &Path, parts: u32, blocks: u64) -> BlockResult {
    let sweep = doublecrunch::sweeps::ALL
        .iter()
        .find(|s| s.name() == "reciprocal");
    let sweep = sweep.expect("a sweep");
    let first = 1f64.to_bits();
    let text = format!("bits:{first:#x}..=bits:{:#x}", first + (blocks << 10) - 1);
    let range = Range::parse(&text, Precision::F64).expect("a range");
    let plan = Plan::new(range, Some(10)).expect("a plan");
    assert_eq!(plan.blocks(), blocks);
    let mut evaluator = PointEvaluator::plain(sweep);
    for i in 1..=parts {
        let shard = Shard::new(i, parts).expect("a shard");
        let path = dir.join(format!("reciprocal.{i}-of-{parts}.crunch"));
        let mut w = run::create(&path, sweep, &text, plan.clone(), shard).expect("a file");
        let id = w
            .begin(&NewSession {
                command: "test".into(),
                devices: vec![("scalar".into(), "test".into(), 1)],
            })
            .expect("a session");
        let records = shard.blocks(plan.blocks()).map(|index| {
            let block = plan.block(index).expect("a block");
            let result = (sweep.compiled().scalar)(block.first, block.count);
            let worst = evaluator.evaluate(&[result.max.key]).expect("a verdict");
            Record {
                index,
                result,
                worst: Some(worst[0].worst(Precision::F64)),
            }
        });
        let group = Group {
            records: records.collect(),
            ..Group::default()
        };
        w.commit(id, &[], &group).expect("a commit");
        w.end(id).expect("an end");
    }
    (sweep.compiled().scalar)(first as i64, blocks << 10)
}

/// What a merge took.
struct Merged {
    time: Duration,
    /// Processor time.
    work: Duration,
    /// In KiB.
    memory: u64,
}

/// Merges so many parts of a search of so many blocks, with no more than 24 files open.
fn merge_parts(parts: u32, blocks: u64) -> Merged {
    let dir = tempfile::tempdir().expect("a folder");
    let alone = write_parts(dir.path(), parts, blocks);
    let merge = "ulimit -n 24; exec \"$CRUNCH\" merge merged *.crunch";
    let mut command = Command::new("sh");
    command
        .args(["-c", merge])
        .current_dir(&dir)
        .env("CRUNCH", env!("CARGO_BIN_EXE_crunch"));
    let start = Instant::now();
    let (memory, ticks) = peak_of(&mut command);
    let time = start.elapsed();
    let merged = Reader::open(&dir.path().join("merged"))
        .and_then(|r| r.status())
        .expect("its status");
    assert!(merged.is_complete() && merged.result == alone);
    let work = Duration::from_millis(10 * ticks);
    println!(
        "{parts} parts of {blocks} blocks merged in {time:.1?}, {work:.1?} of them at work, and {} MB, with no more than 24 \
         files open",
        memory / 1024
    );
    Merged { time, work, memory }
}

/// A thousand parts, in a tenth of the time and of the memory that ten thousand may take; both linear in their number.
#[test]
fn parts_are_merged_in_linear_time_and_memory() {
    let (few, many) = (merge_parts(250, 250), merge_parts(1000, 1000));
    assert!(many.work < Duration::from_secs(6), "{:.1?}", many.work);
    assert!(
        many.work < 8 * few.work,
        "not linear: {:.1?}, {:.1?}",
        few.work,
        many.work
    );
    let (few, many) = (few.memory, many.memory);
    assert!(many < 50 * 1024, "{many} KiB");
    assert!(many < few + 8 * 1024, "not linear: {few}, {many} KiB");
}

/// Issue 18, B8: all parts were open at the same time. Issue 17: each part was two commits that waited for the disk.
/// Time and memory are linear in the number of parts. `CRUNCH_KEEP=FOLDER` keeps the parts there, for `status` and `merge` of such
/// a folder by hand.
#[test]
#[ignore = "takes minutes; see the head of this file"]
fn ten_thousand_parts_are_merged_with_few_files_open() {
    if let Some(folder) = std::env::var_os("CRUNCH_KEEP") {
        std::fs::create_dir_all(&folder).expect("a folder");
        write_parts(Path::new(&folder), 10_000, 10_000);
    }
    let all = [(1000, 1000), (10_000, 10_000), (10_000, 100_000)];
    let measured = all.map(|(parts, blocks)| merge_parts(parts, blocks));
    let (short, long) = (measured[0].time, measured[1].time);
    let (small, large) = (measured[1].memory, measured[2].memory);
    assert!(long < Duration::from_secs(60), "{long:.1?}");
    assert!(long < 20 * short, "not linear: {short:.1?}, {long:.1?}");
    assert!(large < 500 * 1024, "{large} KiB");
    assert!(
        large < small + 64 * 1024,
        "blocks are kept in memory: {small}, {large} KiB"
    );
}

#[test]
#[ignore = "measures times; see the head of this file"]
fn a_million_blocks_are_read_fast() {
    let dir = std::env::temp_dir().join(format!("crunch-million-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a folder");
    let path = dir.join("run");
    let sweep = &doublecrunch::sweeps::ALL[0];
    let range = Range::parse("1.0..2.0", Precision::F64).expect("a range");
    let plan = Plan::new(range, Some(32)).expect("a plan");
    let mut evaluator = PointEvaluator::plain(sweep);
    let mut w = run::create(&path, sweep, "1.0..2.0", plan.clone(), Shard::WHOLE).expect("a file");
    let session = w
        .begin(&NewSession {
            command: "test".into(),
            devices: vec![("scalar".into(), "test".into(), 1)],
        })
        .expect("a session");
    // The worst input of all is evaluated again, so its record must be what the kernels compute.
    let mut record = |plan: &Plan, index| {
        let mut made = record(plan, index);
        if index == 0 {
            let first = plan.block(0).expect("a block").first;
            let keys: Vec<i64> = (0..1000).map(|i| first + (i << 22)).collect();
            let measured = evaluator.evaluate(&keys).expect("verdicts");
            let worst = measured.iter().map(|j| j.worst(Precision::F64));
            let worst = worst
                .max_by(|a, b| a.error.total_cmp(&b.error))
                .expect("the worst");
            assert!(worst.error > 0.1, "{worst:?}");
            made.result.max.key = worst.key;
            made.result.max.error_bits = worst.error.to_bits();
            (made.result.max_positive, made.worst) = (made.result.max, Some(worst));
        }
        made
    };
    for first in (0..BLOCKS).step_by(1 << 14) {
        let records = (first..(first + (1 << 14)).min(BLOCKS)).map(|i| record(&plan, i));
        let group = Group {
            records: records.collect(),
            parts: Vec::new(),
            seconds: 1.0,
            work: vec![(1, 1.0)],
        };
        w.commit(session, &["scalar".into()], &group)
            .expect("a commit");
    }
    let path = path.to_str().expect("UTF-8");
    // The file is open for writing, so the run counts as running.
    let status = (0..5)
        .map(|_| time(&["status", path]))
        .min()
        .expect("a time");
    let format = (0..3)
        .map(|_| time(&["format", path]))
        .min()
        .expect("a time");
    println!("1,000,000 blocks: status {status:.1?}, format {format:.1?}");
    // Issue 18, B9: rows of all blocks were stored in memory before the first was written.
    let few = peak(&["format", path, "--rows", "10"]);
    let all = peak(&["format", path, "--rows", "1000000"]);
    println!("`format --rows 10` takes {few} KiB at most, `format --rows 1000000` {all} KiB");
    assert!(all < few + 16_384, "{all} KiB");
    drop(w);
    let _ = std::fs::remove_dir_all(&dir);
    assert!(
        status < Duration::from_millis(100),
        "status took {status:?}"
    );
    // SQLite is not optimised in development.
    let seconds = if cfg!(debug_assertions) { 15 } else { 2 };
    assert!(
        format < Duration::from_secs(seconds),
        "format took {format:?}"
    );
}
