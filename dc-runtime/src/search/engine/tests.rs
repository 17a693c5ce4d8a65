use std::sync::Arc;

use super::*;
use crate::search::plan::Plan;
use crate::search::range::Range;
use crate::search::testing::{Fake, Interruption, SWEEP, wrong_one};
use std::sync::Barrier;

fn plan(text: &str, log2: u32) -> Plan {
    let range = Range::parse(text, SWEEP.precision).expect(text);
    Plan::new(range, Some(log2)).expect(text)
}

fn job(plan: &Plan, devices: Vec<Device>) -> Job<'_> {
    Job {
        groups: Groups {
            blocks: 7,
            time: Duration::from_millis(20),
        },
        ..Job::new(&SWEEP, plan, devices)
    }
}

fn device(fake: Fake, workers: usize) -> Device {
    Device {
        backend: fake.shared(),
        workers,
    }
}

/// The expected result of a block.
fn truth(plan: &Plan, index: u64) -> BlockResult {
    let b = plan.block(index).expect("a block");
    (SWEEP.compiled().scalar)(b.first, b.count)
}

fn run_all(job: &Job) -> (Vec<Record>, Outcome) {
    let mut records = Vec::new();
    let outcome = run(job, &mut records, &Stop::new(), &mut |_| {}).expect("a run");
    (records, outcome)
}

#[test]
fn results_do_not_depend_on_who_did_what() {
    // NaNs of both signs, and stretches of different size.
    let plan = plan(
        "bits:0xffffffffffffffff..=bits:0xfff8ffffffff0000, -0x1.000001p0..=-1.0, 1.0..=0x1.0000001p0",
        16,
    );
    // The first stretch is huge; the test uses some of its blocks and all of the others.
    let n = plan.blocks();
    let pending = vec![0..3, n - 600..n];
    let mut first: Option<Vec<Record>> = None;
    // All four workers of the last setting wait for each other, so that every device searches something.
    let gate = Some(Arc::new(Barrier::new(4)));
    let settings: Vec<Vec<Device>> = vec![
        vec![device(Fake::new("scalar"), 1)],
        vec![device(Fake::new("scalar"), 5)],
        vec![
            device(
                Fake {
                    batch: 1 << 20,
                    gate: gate.clone(),
                    ..Fake::new("a")
                },
                2,
            ),
            device(
                Fake {
                    batch: 3000,
                    gate: gate.clone(),
                    ..Fake::new("b")
                },
                1,
            ),
            device(
                Fake {
                    batch: 1,
                    gate,
                    ..Fake::new("c")
                },
                1,
            ),
        ],
    ];
    for devices in settings {
        let count = devices.len();
        let job = Job {
            pending: pending.clone(),
            ..job(&plan, devices)
        };
        let (mut records, outcome) = run_all(&job);
        assert!(outcome.complete);
        assert_eq!(outcome.work.len(), count);
        assert!(outcome.work.iter().all(|w| w.0 > 0), "{:?}", outcome.work);
        let done: u64 = outcome.work.iter().map(|w| w.0).sum();
        assert_eq!(u128::from(done), outcome.progress.of_inputs);
        records.sort_by_key(|r| r.index);
        let expected: Vec<u64> = pending.iter().cloned().flatten().collect();
        assert!(records.iter().map(|r| r.index).eq(expected));
        for r in records.iter().step_by(37) {
            assert_eq!(r.result, truth(&plan, r.index));
        }
        assert!(records[0].worst.is_none() && records[0].result.faults[0].count > 0);
        let known = first.get_or_insert_with(|| records.clone());
        assert!(known.iter().zip(&records).all(|(a, b)| a.same(b)));
    }
}

/// Keeps everything that is committed, and the state that a kill after any commit would leave.
#[derive(Default)]
struct Kept {
    records: Vec<Record>,
    parts: Vec<Record>,
    /// Inputs in records and parts, after each commit.
    inputs: Vec<u64>,
}

impl Sink for Kept {
    fn commit(&mut self, group: Group) -> Result<(), SinkError> {
        self.records.extend(group.records);
        self.parts = group.parts;
        let all = self.records.iter().chain(&self.parts);
        self.inputs.push(all.map(|r| r.result.count).sum());
        Ok(())
    }
}

#[test]
fn asked_to_stop_it_keeps_what_it_searched() {
    // 2^28 inputs in 256 blocks; 2^14 inputs or slightly more per launch.
    let plan = plan("1.0..=0x1.000001p0", 20);
    let stop = Stop::new();
    let fake = Fake {
        interruption: Some(Interruption::new(20, &stop)),
        ..Fake::new("interrupted")
    };
    let mut kept = Kept::default();
    let mut observed = 0;
    let outcome = run(
        &job(&plan, vec![device(fake, 3)]),
        &mut kept,
        &stop,
        &mut |_| observed += 1,
    )
    .expect("a run");
    assert!(!outcome.complete && outcome.progress.stopping);
    // At most three launches were running when the twentieth requested the stop, and none is of more than a block.
    assert!(outcome.progress.inputs <= 23 << 20);
    assert_eq!(
        Some(&outcome.progress.inputs),
        kept.inputs.last(),
        "no input was searched for nothing"
    );
    for part in &kept.parts {
        let block = plan.block(part.index).expect("a block");
        let want = (SWEEP.compiled().scalar)(block.first, part.result.count);
        assert!(part.result == want && part.result.count < block.count);
        assert_eq!(part.worst.map(|w| w.key), Some(want.max.key));
    }
    assert!(observed > 0);
}

/// A sink that is slower than the workers.
struct Slow {
    stop: Stop,
    commits: u32,
    after: u32,
}

impl Sink for Slow {
    fn commit(&mut self, _: Group) -> Result<(), SinkError> {
        std::thread::sleep(Duration::from_millis(100));
        self.commits += 1;
        self.after += u32::from(self.stop.asked());
        if self.commits == 3 {
            self.stop.ask();
        }
        assert!(self.after < 20, "there is no end of commits after a stop");
        Ok(())
    }
}

/// Blocks do not accumulate before a slow disk; a stop would have to wait for all of them.
#[test]
fn a_stop_does_not_wait_for_a_slow_sink() {
    // Blocks of 2^10 inputs, which take some microseconds each, and a commit for each of them.
    let plan = plan("1.0..=0x1.001p0", 10);
    let stop = Stop::new();
    let mut sink = Slow {
        stop: stop.clone(),
        commits: 0,
        after: 0,
    };
    let job = Job {
        groups: Groups {
            blocks: 1,
            ..Groups::default()
        },
        ..job(&plan, vec![device(Fake::new("scalar"), 2)])
    };
    let outcome = run(&job, &mut sink, &stop, &mut |_| {}).expect("a run");
    assert!(!outcome.complete && sink.commits >= 3);
    assert!(sink.after <= 3, "{} commits after the stop", sink.after);
}

/// A run that is stopped in the middle of blocks and continued from their parts gives the same blocks; no input is
/// searched twice or left out.
#[test]
fn blocks_are_continued_from_their_parts() {
    let plan = plan("1.0..=0x1.0000000100000p0, 2.0..=2.0", 17);
    let whole: Vec<BlockResult> = (0..plan.blocks()).map(|i| truth(&plan, i)).collect();
    assert_eq!(whole.len(), 10);
    let (mut done, mut parts) = (Vec::<Record>::new(), Vec::<Record>::new());
    let (mut rounds, mut continued) = (0, 0);
    loop {
        let stop = Stop::new();
        let interruption = Some(Interruption::new(1 + rounds % 5, &stop));
        let fake = |id| Fake {
            interruption: interruption.clone(),
            batch: 1500 + 100 * rounds,
            ..Fake::new(id)
        };
        let missing = (0..plan.blocks()).filter(|i| done.iter().all(|r| r.index != *i));
        let job = Job {
            pending: missing.map(|i| i..i + 1).collect(),
            parts: parts.clone(),
            groups: Groups {
                blocks: 1,
                ..Groups::default()
            },
            ..job(&plan, vec![device(fake("a"), 2), device(fake("b"), 1)])
        };
        let sum = |records: &[Record]| records.iter().map(|r| r.result.count).sum::<u64>();
        let (before, finished) = (sum(&parts), sum(&done));
        let mut kept = Kept::default();
        let outcome = run(&job, &mut kept, &stop, &mut |_| {}).expect("a run");
        assert!(kept.inputs.is_sorted(), "{:?}", kept.inputs);
        if let Some(now) = kept.inputs.last() {
            assert_eq!(*now, before + outcome.progress.inputs);
        }
        continued += kept
            .records
            .iter()
            .filter(|r| parts.iter().any(|p| p.index == r.index))
            .count();
        done.extend(kept.records);
        if kept.inputs.last().is_some() {
            parts = kept.parts;
        }
        for r in &parts {
            let block = plan.block(r.index).expect("a block");
            assert!((1..block.count).contains(&r.result.count));
            assert_eq!(
                r.result,
                (SWEEP.compiled().scalar)(block.first, r.result.count)
            );
        }
        rounds += 1;
        assert!(rounds < 2000, "{finished} inputs in finished blocks");
        if outcome.complete {
            break;
        }
    }
    assert!(
        parts.is_empty() && continued > 3,
        "{rounds} rounds, {continued} blocks continued"
    );
    done.sort_by_key(|r| r.index);
    assert!(done.iter().map(|r| r.result).eq(whole));
}

#[test]
fn asked_before_it_begins_nothing() {
    let plan = plan("1.0..2.0", 32);
    let stop = Stop::new();
    stop.ask();
    let mut records = Vec::new();
    let fake = device(Fake::new("scalar"), 2);
    let outcome = run(
        &job(&plan, vec![fake.clone()]),
        &mut records,
        &stop,
        &mut |_| {},
    )
    .expect("a run");
    assert!(!outcome.complete && records.is_empty());
    let job = Job {
        limit: Some(Duration::from_millis(200)),
        ..job(&plan, vec![fake])
    };
    let outcome = run(&job, &mut records, &Stop::new(), &mut |_| {}).expect("a run");
    assert!(!outcome.complete && records.is_empty() && outcome.progress.stopping);
    assert!(outcome.progress.inputs > 0);
}

#[test]
fn failures_keep_what_was_finished() {
    let plan = plan("1.0..=0x1.000001p0", 16);
    let broken = Fake {
        broken: plan.block(200).map(|b| b.first + 9),
        ..Fake::new("broken")
    };
    let mut records = Vec::new();
    let job = job(&plan, vec![device(broken, 2)]);
    let e = run(&job, &mut records, &Stop::new(), &mut |_| {}).expect_err("a failed launch");
    assert_eq!(e.to_string(), "broken: running `search` failed: as asked");
    assert!(records.len() > 100 && records.iter().all(|r| r.index != 200));
}

#[test]
fn a_wrong_maximum_is_noticed() {
    let plan = plan("1.0..=0x1.000001p0", 16);
    let block = plan.block(9).expect("a block");
    let truth = truth(&plan, 9);
    let key = (block.first..)
        .take(1 << 16)
        .find(|&k| wrong_one(k).max.error() > truth.max.error())
        .expect("an input whose error grows by the flipped bit");
    let wrong = Fake {
        wrong: Some(key),
        ..Fake::new("wrong")
    };
    let e = run(
        &job(&plan, vec![device(wrong, 2)]),
        &mut Vec::new(),
        &Stop::new(),
        &mut |_| {},
    )
    .expect_err("a disagreement");
    // The worker notices it if it is the worst input that it has seen; otherwise the coordinator does.
    let noticed = matches!(
        e,
        EngineError::Disagree { block: 9, .. } | EngineError::OtherBits { .. }
    );
    assert!(noticed && e.to_string().contains("crunch verify"), "{e}");
}

#[test]
fn right_errors_with_other_bits_are_noticed() {
    let plan = plan("1.0..=0x1.000001p0", 16);
    let fake = Fake {
        other_bits: true,
        ..Fake::new("other")
    };
    let mut records = Vec::new();
    let job = job(&plan, vec![device(fake, 1)]);
    let e = run(&job, &mut records, &Stop::new(), &mut |_| {}).expect_err("other bits");
    assert!(matches!(e, EngineError::OtherBits { .. }), "{e}");
    assert!(e.to_string().contains("another digest at bits:0x"), "{e}");
    assert!(records.is_empty());
}

/// The effect of a library linked with `-ffast-math` on the thread that loads it.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod environment {
    use super::*;
    use crate::backend::{Filter, discover};
    use crate::fenv::{Environment, FAST, Guard};
    use crate::sweeps;

    #[test]
    fn workers_do_not_inherit_it() {
        let sweep = sweeps::ALL
            .iter()
            .find(|s| s.name == "exp")
            .expect("built in");
        // Every result is subnormal.
        let range = Range::parse(
            "-744.5..=-744.49999999, -730.5..=-730.49999999, -709..=-708.99999999",
            sweep.precision,
        )
        .expect("a range");
        let plan = Plan::new(range, None).expect("a plan");
        let filter: Filter = "scalar,avx2,avx512,interpreter".parse().expect("a filter");
        let devices = discover(&filter).backends;
        assert!(devices.len() >= 2);
        let all = |backend: &Arc<dyn Backend>| {
            let job = Job {
                sweep,
                ..job(&plan, vec![Device::new(backend.clone(), 2)])
            };
            let (mut records, _) = run_all(&job);
            records.sort_by_key(|r| r.index);
            records
        };
        let right = all(&devices[0]);
        for backend in &devices {
            let guard = Guard::new();
            // SAFETY: the guards in the called code restore correct arithmetic, which is what is tested.
            unsafe { FAST.set() };
            let got = all(backend);
            assert_eq!(guard.changed(), Some(FAST), "the caller's is put back");
            assert!(
                right.iter().zip(&got).all(|(a, b)| a.same(b)),
                "{}",
                backend.id()
            );
        }
    }

    #[test]
    fn a_backend_that_changes_it_is_named() {
        let plan = plan("1.0..=0x1.000001p0", 16);
        let fake = Fake {
            fast: true,
            ..Fake::new("fast")
        };
        let mut records = Vec::new();
        let job = job(&plan, vec![device(fake, 2)]);
        let e = run(&job, &mut records, &Stop::new(), &mut |_| {}).expect_err("changed");
        let text = e.to_string();
        assert!(text.starts_with("fast: searching "), "{e}");
        assert!(text.contains(&FAST.to_string()), "{e}");
        assert!(records.is_empty());
    }

    #[test]
    fn a_change_where_blocks_are_collected_is_noticed() {
        let plan = plan("1.0..=0x1.000001p0", 16);
        let job = job(&plan, vec![device(Fake::new("scalar"), 2)]);
        // SAFETY: the next arithmetic is after the engine's guard has checked the environment.
        let mut observe = |_: &Progress| unsafe { FAST.set() };
        let e = run(&job, &mut Vec::new(), &Stop::new(), &mut observe).expect_err("changed");
        assert!(matches!(e, EngineError::Environment(FAST)), "{e}");
        assert!(Environment::current().is_default());
    }
}
