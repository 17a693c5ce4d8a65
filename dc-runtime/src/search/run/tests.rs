use std::time::Duration;

use super::*;
use crate::model::block::{BINS, bin_floor};
use crate::model::fine::{Fine, fine_bin, fine_floor};
use crate::search::format;
use crate::search::range::Range;
use crate::search::run_file::{Reader, Record, Status};
use crate::search::testing::{CHANGED, Fake, Folder, Interruption, SWEEP};
use crate::search::ulp::Definition;

const RANGE: &str = "-0x1.00000004p0..=-1.0, 1.0..=0x1.00000004p0";

fn plan() -> Plan {
    let range = Range::parse(RANGE, SWEEP.precision).expect(RANGE);
    Plan::new(range, Some(14)).expect(RANGE)
}

fn settings(fakes: Vec<(Fake, usize)>) -> Settings {
    Settings {
        devices: fakes
            .into_iter()
            .map(|(f, workers)| Device {
                backend: f.shared(),
                workers,
            })
            .collect(),
        groups: Groups {
            blocks: 11,
            time: Duration::from_millis(5),
        },
        command: "test".into(),
    }
}

fn read(path: &Path) -> (Vec<Record>, Status) {
    let r = Reader::open(path).expect("a run file");
    let mut v = Vec::new();
    r.blocks::<RunFileError>(|b| {
        v.push(*b);
        Ok(())
    })
    .expect("blocks");
    (v, r.status().expect("status"))
}

fn whole(path: &Path) -> (Vec<Record>, Status) {
    let mut w = create(path, &SWEEP, RANGE, plan(), Shard::WHOLE).expect("a new run");
    let settings = settings(vec![(Fake::new("scalar"), 2)]);
    let o = proceed(&mut w, &SWEEP, &settings, &Stop::new(), &mut |_| {}).expect("a run");
    assert!(o.complete);
    drop(w);
    read(path)
}

#[test]
fn interrupted_and_uninterrupted_are_equal_row_for_row() {
    let dir = Folder::new("interrupted");
    let (expected, _) = whole(&dir.file("whole"));
    assert_eq!(expected.len() as u64, plan().blocks());
    let path = dir.file("parts");
    let mut w = create(&path, &SWEEP, RANGE, plan(), Shard::WHOLE).expect("a new run");
    let searched = |w: &Writer| {
        let parts = w.parts().iter().map(|r| r.result.count);
        w.total().1.count + parts.sum::<u64>()
    };
    let (mut rounds, mut continued) = (0, 0);
    loop {
        // Blocks have 2^14 inputs and a launch has never more, so the run needs far more launches than this. In the first
        // round each of the four workers has at most one piece, which together are less than a block.
        let stop = Stop::new();
        let interruption = Some(Interruption::new(1 + rounds, &stop));
        let first = Fake {
            interruption: interruption.clone(),
            batch: 1000 + 777 * rounds,
            ..Fake::new(["a", "b", "c"][rounds as usize % 3])
        };
        let second = Fake {
            interruption,
            batch: 1500,
            ..Fake::new("other")
        };
        let before = searched(&w);
        let outcome = proceed(
            &mut w,
            &SWEEP,
            &settings(vec![(first, 3), (second, 1)]),
            &stop,
            &mut |_| {},
        )
        .expect("a run");
        drop(w);
        rounds += 1;
        if outcome.complete {
            break;
        }
        w = open(&path, &SWEEP).expect("the run again");
        assert!(searched(&w) > before, "each round gets on");
        continued += w.parts().len();
        assert!(rounds < 1000);
    }
    assert!(rounds > 1, "it was never interrupted");
    assert!(continued > 0, "no block was continued");
    let (rows, status) = read(&path);
    assert!(rows.len() == expected.len() && rows.iter().zip(&expected).all(|(a, b)| a.same(b)));
    assert!(status.is_complete() && status.sessions.len() as u64 == rounds);
    let inputs: u64 = status
        .sessions
        .iter()
        .flat_map(|s| &s.devices)
        .map(|d| d.inputs)
        .sum();
    assert_eq!(u128::from(inputs), plan().range().count());
}

/// What is searched when a run is stopped is from every tenth of the range. A file that was begun in ascending order, as by
/// earlier versions, is continued, and its rows are those of a run in one piece.
#[test]
fn a_stopped_run_is_of_the_whole_range() {
    let dir = Folder::new("spread");
    let (expected, whole) = whole(&dir.file("whole"));
    let blocks = plan().blocks();
    for ascending in [false, true] {
        let path = dir.file(&format!("ascending-{ascending}"));
        let mut w = create(&path, &SWEEP, RANGE, plan(), Shard::WHOLE).expect("a new run");
        let mut before = 0;
        if ascending {
            let session = NewSession {
                command: "an earlier version".into(),
                devices: Vec::new(),
            };
            let session = w.begin(&session).expect("a session");
            let group = Group {
                records: expected[..100].to_vec(),
                parts: Vec::new(),
                seconds: 1.0,
                work: Vec::new(),
            };
            w.commit(session, &[], &group).expect("its blocks");
            before = 100;
        }
        let stop = Stop::new();
        let fake = Fake {
            interruption: Some(Interruption::new(200, &stop)),
            batch: 1 << 14,
            ..Fake::new("a")
        };
        let settings_of = |fake| settings(vec![(fake, 1)]);
        proceed(&mut w, &SWEEP, &settings_of(fake), &stop, &mut |_| {}).expect("a run");
        drop(w);
        let (rows, _) = read(&path);
        let new: Vec<u64> = rows.iter().map(|r| r.index).skip(before).collect();
        let of = blocks - before as u64;
        assert!(
            (of / 20..of / 2).contains(&(new.len() as u64)),
            "{}",
            new.len()
        );
        let tenths: std::collections::BTreeSet<u64> =
            new.iter().map(|b| (b - before as u64) * 10 / of).collect();
        assert_eq!(tenths.len(), 10, "{new:?}");
        let mut w = open(&path, &SWEEP).expect("the run again");
        let settings = settings_of(Fake::new("b"));
        let outcome = proceed(&mut w, &SWEEP, &settings, &Stop::new(), &mut |_| {});
        assert!(outcome.expect("a run").complete);
        drop(w);
        let (rows, status) = read(&path);
        assert!(rows.len() == expected.len() && rows.iter().zip(&expected).all(|(a, b)| a.same(b)));
        assert_eq!(status.result, whole.result);
    }
}

#[test]
fn other_kernels_are_refused_by_name() {
    let dir = Folder::new("kernels");
    let path = dir.file("a");
    whole(&path);
    let e = open(&path, &CHANGED)
        .expect_err("another kernel")
        .to_string();
    assert!(
        e.contains("the approximation is not the same: `identity` against `negation`"),
        "{e}"
    );
    assert!(e.contains("start a new run") && !e.contains('\n'), "{e}");
}

#[test]
fn the_table() {
    let dir = Folder::new("table");
    let path = dir.file("a");
    let (records, status) = whole(&path);
    let reader = Reader::open(&path).expect("a run file");
    for group in [1, 3, 64, 1 << 40] {
        let rows = format::rows(&reader, group).expect("rows");
        assert_eq!(rows.len() as u64, (records.len() as u64).div_ceil(group));
        let merged = rows
            .iter()
            .fold(crate::model::block::BlockResult::EMPTY, |s, r| {
                s.merge(&r.result)
            });
        assert_eq!(merged, status.result);
        assert_eq!(
            rows.iter().map(|r| r.blocks).sum::<u64>(),
            records.len() as u64
        );
        assert!(
            rows.iter()
                .all(|r| r.worst.map(|w| w.key) == Some(r.result.max.key))
        );
        let mut text = Vec::new();
        format::write(&mut text, reader.header(), &rows, Definition::Handbook).expect("a table");
        let text = String::from_utf8(text).expect("UTF-8");
        let lines: Vec<Vec<&str>> = text.lines().map(|l| l.split('\t').collect()).collect();
        assert_eq!(lines.len(), rows.len() + 1);
        assert!(lines.iter().all(|l| l.len() == format::COLUMNS.len()));
        assert_eq!(lines[1][2], "0xbff0000000400000");
        let worst: f64 = lines[1][6].parse().expect("a number");
        assert_eq!(worst, rows[0].result.max.error());
    }
}

/// The counts in the coarse bins that contain the fine ones.
fn coarse(fine: &Fine) -> [u64; BINS] {
    let mut counts = [0; BINS];
    for (bin, n) in fine.0.iter().enumerate() {
        let within = |b: &usize| bin_floor(*b) <= fine_floor(bin);
        counts[(0..BINS).rfind(within).expect("from 0 on")] += n;
    }
    counts
}

#[test]
fn a_short_range_has_every_input_in_the_fine_histogram() {
    let dir = Folder::new("fine");
    let range = "-0x1.0000000000ffep0..=-1.0, 1.0..=0x1.000000000ffffp0";
    let parsed = Range::parse(range, SWEEP.precision).expect(range);
    let plan = Plan::new(parsed, Some(12)).expect(range);
    let path = dir.file("a");
    let mut w = create(&path, &SWEEP, range, plan, Shard::WHOLE).expect("a new run");
    let settings = settings(vec![(Fake::new("scalar"), 2)]);
    proceed(&mut w, &SWEEP, &settings, &Stop::new(), &mut |_| {}).expect("a run");
    drop(w);
    let (rows, status) = read(&path);
    let total = status.result;
    assert_eq!((total.count, total.fine.inputs()), (0x10fff, 0x10fff));
    assert_eq!(coarse(&total.fine), total.histogram);
    assert!(
        rows.iter()
            .all(|r| coarse(&r.result.fine) == r.result.histogram)
    );
    // The fake's errors are multiples of 1/256, so that a quarter of an ULP uses all of its sixteen bins.
    assert!(total.fine.0[..32].iter().filter(|n| **n > 0).count() > 24);
}

#[test]
fn of_a_long_range_one_input_of_each_stretch_is_in_the_fine_histogram() {
    let dir = Folder::new("sampled");
    let (rows, status) = whole(&dir.file("a"));
    let sampling = Sampling::of(plan().range().count());
    assert_eq!(sampling.stretch(), 128);
    let mut evaluator = PointEvaluator::plain(&SWEEP);
    for r in &rows {
        let block = plan().block(r.index).expect("a block");
        let keys: Vec<i64> = sampling.keys(block.first, block.count).collect();
        let mut fine = Fine::EMPTY;
        for result in evaluator.evaluate(&keys).expect("results") {
            fine.0[fine_bin(result.error)] += 1;
        }
        assert!(r.result.fine == fine, "block {}", r.index);
    }
    let sampled = status.result.fine.inputs();
    assert!(sampled.abs_diff(status.result.count >> 7) <= 4, "{sampled}");
}
