//! The cost of the search compared with the bare loop, and its scaling: ratios from one run.
//!
//! `cargo bench --bench search`. The bare loop is the sweep's own search function, called once over all keys. The search is `crunch run`
//! with a run file, from the first input to the last commit. Both run in turn, and the median of the rounds' ratios is shown, so that other
//! load on the machine affects both alike. On a shared machine, the ratio of processor times is steadier. It excludes the time that other
//! programs took, but also the time for which a worker waited, so both ratios are shown. The steps before the first input (probing the
//! backends, making the run file) take the same time for a search of days, and have a column of their own. `--quick` shortens the rounds;
//! names of sweeps select only these.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use cpu_time::ProcessTime;
use doublecrunch::backend::{
    Backend, BackendError, Filter, KernelRef, PointKernel, SweepFn, SweepKernel, discover,
};
use doublecrunch::search::block::BlockResult;
use doublecrunch::search::engine::{Device, Groups, Stop};
use doublecrunch::search::plan::Plan;
use doublecrunch::search::range::{Range, Span};
use doublecrunch::search::run::{Settings, create, proceed};
use doublecrunch::search::shard::Shard;
use doublecrunch::sweep::Sweep;
use doublecrunch::sweeps;

const ROUNDS: usize = 15;

/// The median, and (largest - smallest) / median.
fn median(mut values: Vec<f64>) -> (f64, f64) {
    values.sort_by(f64::total_cmp);
    let middle = values[values.len() / 2];
    (middle, (values[values.len() - 1] - values[0]) / middle)
}

/// Seconds of work: on the wall, and of all processors.
#[derive(Clone, Copy)]
struct Spent {
    wall: f64,
    cpu: f64,
}

fn spent(work: impl FnOnce()) -> Spent {
    let (begun, cpu) = (Instant::now(), ProcessTime::now());
    work();
    Spent {
        wall: begun.elapsed().as_secs_f64(),
        cpu: cpu.elapsed().as_secs_f64(),
    }
}

/// `crunch run` on `workers` threads of a backend: what the search took, and seconds until it began.
fn searched(sweep: &Sweep, plan: &Plan, id: &str, workers: usize, file: &Path) -> (Spent, f64) {
    let begun = Instant::now();
    let filter: Filter = id.parse().expect("a backend");
    let backend = discover(&filter).backends.remove(0);
    let probed = begun.elapsed().as_secs_f64();
    let (spent, made) = search(sweep, plan, backend, workers, file);
    (spent, probed + made)
}

/// The same on a backend at hand.
fn search(
    sweep: &Sweep,
    plan: &Plan,
    backend: Arc<dyn Backend>,
    workers: usize,
    file: &Path,
) -> (Spent, f64) {
    // A run file of an earlier round is in the way.
    let _ = std::fs::remove_file(file);
    let begun = Instant::now();
    let mut writer = create(file, sweep, sweep.range(), plan.clone(), Shard::WHOLE).expect("a run");
    let settings = Settings {
        devices: vec![Device { backend, workers }],
        groups: Groups::default(),
        command: "bench".into(),
    };
    let start = begun.elapsed().as_secs_f64();
    let search = spent(|| {
        let stop = Stop::new();
        let outcome = proceed(&mut writer, sweep, &settings, &stop, &mut |_| {}).expect("it runs");
        assert!(outcome.complete);
    });
    (search, start)
}

/// `inputs` of a sweep from 1 on, in blocks of 2^`log2`.
fn plan(sweep: &Sweep, inputs: u64, log2: u32) -> (i64, Plan) {
    let one = Range::parse("1.0..2.0", sweep.precision()).expect("a range");
    let first = one.spans()[0].first;
    let last = first + inputs as i64 - 1;
    let range = Range::from_spans(sweep.precision(), vec![Span { first, last }]).expect("a range");
    (first, Plan::new(range, Some(log2)).expect("a plan"))
}

/// The bare loop of a backend.
fn form(sweep: &Sweep, id: &str) -> SweepFn {
    match id {
        "scalar" => sweep.compiled().scalar,
        "avx2" => sweep.compiled().avx2,
        _ => sweep.compiled().avx512,
    }
}

/// About a second's work (a sixteenth with `--quick`) of that form of a sweep, as a power of two.
fn about_a_second(form: SweepFn, first: i64, quick: bool) -> u64 {
    let inputs = 1u64 << 20;
    let rate = inputs as f64 / spent(|| assert_eq!(form(first, inputs).count, inputs)).wall;
    let seconds = if quick { 1.0 / 16.0 } else { 1.0 };
    ((rate * seconds) as u64).max(1 << 20).next_power_of_two()
}

fn main() {
    let given: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| a != "--bench")
        .collect();
    let quick = given.iter().any(|a| a == "--quick");
    let names: Vec<&String> = given.iter().filter(|a| !a.starts_with('-')).collect();
    let folder = std::env::temp_dir().join(format!("crunch-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for run files");
    let file = folder.join("run.crunch");
    let cpu = discover(&"scalar,avx2,avx512".parse().expect("backends"));
    println!("{}", cpu.backends.last().expect("scalar").describe());
    let chosen = |s: &&Sweep| names.is_empty() || names.iter().any(|n| *n == s.name());
    let sweeps: Vec<&Sweep> = sweeps::ALL.iter().filter(chosen).collect();
    beside_the_bare_loop(&sweeps, &cpu.backends, quick, &file);
    a_block(&cpu.backends, &file);
    // Nothing of it is needed.
    let _ = std::fs::remove_dir_all(&folder);
}

fn beside_the_bare_loop(
    sweeps: &[&Sweep],
    backends: &[Arc<dyn Backend>],
    quick: bool,
    file: &Path,
) {
    println!(
        "{ROUNDS} rounds of about {} s in blocks of 2^24, medians; spread is (largest - smallest) / median",
        if quick { "1/16" } else { "1" }
    );
    println!(
        "{:<20} {:<8} {:>10} {:>7} {:>12} {:>7} {:>12} {:>7} {:>10} {:>9}",
        "sweep",
        "backend",
        "bare M/s",
        "spread",
        "search/bare",
        "spread",
        "same in CPU",
        "spread",
        "2 threads",
        "start ms"
    );
    for sweep in sweeps {
        for backend in backends {
            let id = backend.id();
            let form = form(sweep, id);
            let (start, _) = plan(sweep, 1 << 20, 24);
            let inputs = about_a_second(form, start, quick);
            let (first, plan) = plan(sweep, inputs, 24);
            let [mut rate, mut wall, mut cpu, mut two, mut start] = [const { Vec::new() }; 5];
            let mut total = BlockResult::EMPTY;
            for _ in 0..ROUNDS {
                let bare = spent(|| total = form(first, inputs));
                let (one, begun) = searched(sweep, &plan, id, 1, file);
                let (both, _) = searched(sweep, &plan, id, 2, file);
                rate.push(inputs as f64 / bare.wall / 1e6);
                wall.push(one.wall / bare.wall);
                cpu.push(one.cpu / bare.cpu);
                two.push(one.wall / both.wall);
                start.push(begun * 1e3);
            }
            assert_eq!(total.count, inputs);
            let [rate, wall, cpu] = [rate, wall, cpu].map(median);
            println!(
                "{:<20} {:<8} {:>10.1} {:>6.1}% {:>12.4} {:>6.1}% {:>12.4} {:>6.1}% {:>10.3} {:>9.1}",
                sweep.name(),
                id,
                rate.0,
                rate.1 * 100.0,
                wall.0,
                wall.1 * 100.0,
                cpu.0,
                cpu.1 * 100.0,
                median(two).0,
                median(start).0
            );
        }
    }
}

/// A backend whose kernel takes no time: a piece comes out as its first input alone would. What a run on it takes is
/// all of a search but the bare loop: handing out, collecting, checking each worst input, the run file.
struct Free;

impl doublecrunch::model::backend::sealed::Sealed for Free {}

impl Backend for Free {
    fn id(&self) -> &str {
        "free"
    }
    fn describe(&self) -> String {
        "no kernel at all".into()
    }
    fn load(&self, _: &KernelRef) -> Result<Box<dyn PointKernel>, BackendError> {
        unreachable!("the engine checks in plain Rust")
    }
    fn load_sweep(&self, sweep: &Sweep) -> Result<Box<dyn SweepKernel>, BackendError> {
        Ok(Box::new(First(*sweep)))
    }
}

/// The sweep's form in plain Rust, once a piece.
struct First(Sweep);

impl SweepKernel for First {
    fn run(&mut self, first: i64, count: u64) -> Result<BlockResult, BackendError> {
        let mut result = (self.0.compiled().scalar)(first, 1);
        result.count = count;
        Ok(result)
    }
}

/// The fixed cost of a block, and its share for blocks of each size.
fn a_block(backends: &[Arc<dyn Backend>], file: &Path) {
    const BLOCKS: u64 = 1 << 17;
    let sweep = &sweeps::ALL[0];
    let (first, plan) = plan(sweep, BLOCKS << 16, 16);
    let free = || -> Arc<dyn Backend> { Arc::new(Free) };
    let mut each = Vec::new();
    for _ in 0..ROUNDS {
        each.push(search(sweep, &plan, free(), 1, file).0.cpu * 1e6 / BLOCKS as f64);
    }
    let (each, spread) = median(each);
    println!(
        "a block costs {each:.2} us of processor time beside its inputs (spread {:.1}%), to be held against",
        spread * 100.0
    );
    for backend in backends {
        let form = form(sweep, backend.id());
        let inputs = 1u64 << 24;
        let (block, _) = median(
            (0..ROUNDS)
                .map(|_| spent(|| assert_eq!(form(first, inputs).count, inputs)).cpu * 1e6)
                .collect(),
        );
        let part = |log2: u32| each / (block * f64::from(log2 as i32 - 24).exp2()) * 100.0;
        println!(
            "    {} on {}: {:.3}% of a block of 2^16 inputs, {:.4}% of 2^20, {:.6}% of 2^32",
            sweep.name(),
            backend.id(),
            part(16),
            part(20),
            part(32)
        );
    }
}
