//! What the search costs beside the bare loop, and how it scales: ratios from one run.
//!
//! `cargo bench --bench search`. The bare loop is the sweep's own search function called once over all keys; the
//! search is the whole of `crunch run` with a run file. Both are taken in turn, and medians compared, so that what
//! else the machine does hits both alike. `--quick` (or any other argument but cargo's) makes a round shorter.

use std::path::Path;
use std::time::Instant;

use doublecrunch::backend::{Filter, discover};
use doublecrunch::search::block::BlockResult;
use doublecrunch::search::engine::{Device, Groups, Stop};
use doublecrunch::search::plan::Plan;
use doublecrunch::search::range::Range;
use doublecrunch::search::run::{Settings, create, proceed};
use doublecrunch::search::shard::Shard;
use doublecrunch::sweep::Sweep;
use doublecrunch::sweeps;

const ROUNDS: usize = 9;

fn median(mut times: Vec<f64>) -> (f64, f64) {
    times.sort_by(f64::total_cmp);
    let spread = (times[times.len() - 1] - times[0]) / times[times.len() / 2];
    (times[times.len() / 2], spread)
}

fn seconds(work: impl FnOnce()) -> f64 {
    let begun = Instant::now();
    work();
    begun.elapsed().as_secs_f64()
}

/// `crunch run` on `workers` threads of one backend.
fn searched(sweep: &Sweep, plan: &Plan, id: &str, workers: usize, file: &Path) {
    // A run file of an earlier round is in the way.
    let _ = std::fs::remove_file(file);
    let filter: Filter = id.parse().expect("a backend");
    let backend = discover(&filter).backends.remove(0);
    let mut writer = create(file, sweep, sweep.range, plan.clone(), Shard::WHOLE).expect("a run");
    let settings = Settings {
        devices: vec![Device { backend, workers }],
        groups: Groups::default(),
        command: "bench".into(),
    };
    let stop = Stop::new();
    let outcome = proceed(&mut writer, sweep, &settings, &stop, &mut |_| {}).expect("it runs");
    assert!(outcome.complete);
}

fn main() {
    let quick = std::env::args().skip(1).any(|a| a != "--bench");
    let log2 = if quick { 26 } else { 28 };
    let folder = std::env::temp_dir().join(format!("crunch-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for run files");
    let cpu = discover(&"scalar,avx2,avx512".parse().expect("backends"));
    println!("{}", cpu.backends.last().expect("scalar").describe());
    println!(
        "{ROUNDS} rounds of 2^{log2} inputs, medians; spread is (largest - smallest) / median"
    );
    println!(
        "{:<16} {:<8} {:>10} {:>8} {:>10} {:>10}",
        "sweep", "backend", "bare M/s", "spread", "search/bare", "2 threads"
    );
    for sweep in sweeps::ALL {
        let first = Range::parse("1.0..2.0", sweep.precision)
            .expect("a range")
            .spans()[0]
            .first;
        for backend in &cpu.backends {
            let id = backend.id();
            let (form, inputs) = match id {
                "scalar" => (sweep.cpu.scalar, 1u64 << (log2 - 2)),
                "avx2" => (sweep.cpu.avx2, 1 << log2),
                _ => (sweep.cpu.avx512, 1 << log2),
            };
            let last = first + inputs as i64 - 1;
            let span = doublecrunch::search::range::Span { first, last };
            let range = Range::from_spans(sweep.precision, vec![span]).expect("a range");
            // As long ranges are cut; short ones get smaller blocks, and pay for them.
            let plan = Plan::new(range, Some(24)).expect("a plan");
            let file = folder.join("run.crunch");
            let [mut bare, mut one, mut two] = [const { Vec::new() }; 3];
            let mut total = BlockResult::EMPTY;
            for _ in 0..ROUNDS {
                bare.push(seconds(|| total = form(first, inputs)));
                one.push(seconds(|| searched(sweep, &plan, id, 1, &file)));
                two.push(seconds(|| searched(sweep, &plan, id, 2, &file)));
            }
            assert_eq!(total.count, inputs);
            let (bare, spread) = median(bare);
            let (one, two) = (median(one).0, median(two).0);
            println!(
                "{:<16} {:<8} {:>10.1} {:>7.1}% {:>11.4} {:>10.3}",
                sweep.name,
                id,
                inputs as f64 / bare / 1e6,
                spread * 100.0,
                one / bare,
                one / two
            );
        }
    }
    // Nothing of it is needed.
    let _ = std::fs::remove_dir_all(&folder);
}
