//! At the machine's limit: our search compared with rivals written by hand, in one run.
//!
//! `cargo xtask bench` compiles the rivals and runs this. For each kernel, all contestants search the same stretches of inputs in turn. The
//! table gives the median over the rounds of each contestant's time divided by ours. Rivals that compute everything that we compute must
//! give the same block, bit for bit, before they are timed.

#[allow(dead_code, reason = "the tests use what this does not")]
mod cuda;
#[allow(dead_code, reason = "the tests and the command use what this does not")]
mod cuda_text;
mod gpu;
mod maxima;
mod measure;
#[cfg(feature = "mpfr")]
mod mpfr;
mod options;
mod plain;
mod report;
mod rivals;
mod threads;

use std::time::{Duration, Instant};

use doublecrunch::backend::{Filter, SweepFn, SweepKernel, discover};
use doublecrunch::search::block::BlockResult;
use doublecrunch::search::ceiling;
use doublecrunch::sweep::Sweep;
use doublecrunch::sweeps;
use kernels_gen::ops::{Op, Prim};
use kernels_gen::stats::Stats;
use measure::{Contestant, median, take_turns};
use options::{Options, Part};
use rivals::Rival;

/// A kernel of the comparison.
struct Case {
    /// Its rivals' name.
    name: &'static str,
    sweep: &'static Sweep,
    stretches: Vec<(i64, u64)>,
    plain: Loop,
    vectors: Loop,
}

type Loop = fn(i64, u64) -> (f64, i64);

/// Eight stretches of a range of numbers.
fn spread(from: f64, to: f64, each: u64) -> Vec<(i64, u64)> {
    let key = |x: f64| {
        let bits = x.to_bits() as i64;
        if bits < 0 { bits ^ i64::MAX } else { bits }
    };
    (0..8)
        .map(|i| (key(from + (to - from) * (f64::from(i) + 0.37) / 8.0), each))
        .collect()
}

// Stretches are long enough that a launch on a device, a tenth of a millisecond or two here, counts for as little as it does
// in blocks of the usual size.
fn cases() -> Vec<Case> {
    let sweep = |name: &str| {
        let found = sweeps::ALL.iter().find(|s| s.name() == name);
        found.unwrap_or_else(|| panic!("{name} is a built-in sweep"))
    };
    vec![
        Case {
            name: "reciprocal",
            sweep: sweep("reciprocal"),
            stretches: spread(1.0, 2.0, 1 << 20),
            plain: plain::reciprocal::plain,
            vectors: plain::reciprocal::vectors,
        },
        Case {
            name: "log_polynomial",
            sweep: sweep("log-polynomial"),
            stretches: spread(0.71, 1.41, 1 << 19),
            plain: plain::log_polynomial::plain,
            vectors: plain::log_polynomial::vectors,
        },
        Case {
            name: "exp",
            sweep: sweep("exp"),
            stretches: spread(-600.0, 700.0, 1 << 19),
            plain: plain::exp::plain,
            vectors: plain::exp::vectors,
        },
        Case {
            name: "reciprocal_f32",
            sweep: sweep("reciprocal-f32"),
            // All 2^32 in a pattern: 1/256 of them, of each sign and magnitude. The first stretch begins with NaNs, the one
            // after zero with subnormals, as many in 2^24 as there are in all.
            stretches: (-8..8)
                .map(|i| ((i << 28) + (1 << 23) - (1 << 16), 1 << 20))
                .collect(),
            plain: plain::reciprocal_f32::plain,
            vectors: plain::reciprocal_f32::vectors,
        },
    ]
}

/// The instruction sets of this machine, the best first, each with a sweep's loop.
fn levels(sweep: &Sweep) -> Vec<(&'static str, SweepFn)> {
    let filter: Filter = "scalar,avx2,avx512".parse().expect("backends");
    let found = discover(&filter);
    let all = [
        ("avx512", sweep.compiled().avx512),
        ("avx2", sweep.compiled().avx2),
        ("scalar", sweep.compiled().scalar),
    ];
    let here = all.into_iter().filter(|l| found.get(l.0).is_some());
    here.collect()
}

/// A stretch in pieces of 2^16 inputs.
fn cut(&(first, count): &(i64, u64)) -> impl Iterator<Item = (i64, u64)> + use<> {
    const PIECE: u64 = 1 << 16;
    let starts = (0..count).step_by(PIECE as usize);
    starts.map(move |at| (first + at as i64, PIECE.min(count - at)))
}

fn total(stretches: &[(i64, u64)], search: impl Fn(i64, u64) -> BlockResult) -> BlockResult {
    let blocks = stretches.iter().map(|&(first, count)| search(first, count));
    blocks.fold(BlockResult::EMPTY, |sum, block| sum.merge(&block))
}

/// Floating-point operations of a sweep's two kernels an input.
fn operations(sweep: &Sweep) -> u64 {
    const OPS: [Op; 6] = [Op::Add, Op::Sub, Op::Mul, Op::Fma, Op::Div, Op::Recip];
    let of = |kernel| {
        let program = kernels_gen::lower(kernel).expect("it can be lowered");
        let stats = Stats::of(&program);
        let each = [Prim::F64, Prim::F32].map(|ty| OPS.map(|op| stats.count(op, ty)));
        each.into_iter().flatten().sum::<u64>()
    };
    let [routine, reference, _] = sweep.kernels().expect("of kernels");
    of(routine.kernel) + of(reference.kernel)
}

fn main() {
    let options = Options::read();
    let wanted = cases().into_iter().filter(|c| options.wants(c.name));
    println!(
        "Medians of {} rounds in turn; `ours` is our loop on the best instruction set, one thread.",
        options.rounds
    );
    let mut rivals = Vec::new();
    if options.parts.contains(&Part::Cpu) {
        let filter: Filter = "avx2,avx512".parse().expect("backends");
        let found = discover(&filter);
        let sets: Vec<&str> = found.backends.iter().map(|b| b.id()).collect();
        match &options.rivals {
            Some(folder) => rivals = Rival::all(folder, &sets),
            None => println!("!! no rivals in C: `cargo xtask bench` compiles them"),
        }
    }
    for case in wanted {
        for part in &options.parts {
            match part {
                Part::Cpu => compare(&case, &rivals, &options),
                Part::Cuda => gpu::compare(&case, &options),
                Part::Threads => threads::compare(&case, &options),
            }
        }
    }
}

fn compare(case: &Case, rivals: &[Rival], options: &Options) {
    let levels = levels(case.sweep);
    let (best, ours) = levels[0];
    let stretches = case.stretches.as_slice();
    let inputs: u64 = stretches.iter().map(|s| s.1).sum();
    let want = total(stretches, ours);
    let pieces: Vec<(i64, u64)> = stretches.iter().flat_map(cut).collect();

    let mut all = vec![Contestant::new(format!("ours, {best}"), inputs, || {
        total(stretches, ours);
    })];
    for &(name, level) in &levels[1..] {
        assert_eq!(total(stretches, level), want, "{name}");
        all.push(Contestant::new(
            format!("ours, {name}"),
            inputs,
            move || {
                total(stretches, level);
            },
        ));
    }
    all.extend(maxima::contestants(
        case.sweep,
        stretches,
        levels.iter().map(|l| l.0),
    ));
    for set in levels.iter().map(|l| l.0) {
        for compiler in ["gcc", "clang"] {
            for maximum in [false, true] {
                let of_kind = |r: &&Rival| {
                    let kind = r.variant.contains("maximum") == maximum;
                    r.kernel == case.name && r.set == set && r.compiler == compiler && kind
                };
                // The choice among the variants of all kinds takes as long as the rounds at most.
                let kinds = 4 * levels.len() as u32;
                let end = Instant::now().checked_add(options.most / kinds);
                let mut variants: Vec<Contestant<'_>> = Vec::new();
                let mut untried = 0;
                for r in rivals.iter().filter(of_kind) {
                    if !variants.is_empty() && end.is_some_and(|end| Instant::now() > end) {
                        untried += 1;
                        continue;
                    }
                    check(r, &total(stretches, |a, n| r.search(a, n)), &want);
                    let name = format!("C, {set}, {compiler}, {}", r.variant);
                    variants.push(Contestant::new(name, inputs, move || {
                        total(stretches, |a, n| r.search(a, n));
                    }));
                }
                variants.iter_mut().for_each(|v| v.try_some(5, end));
                if untried > 0 {
                    println!("!! {untried} more variants for {set} by {compiler}: no time");
                }
                all.extend(
                    variants
                        .into_iter()
                        .min_by(|a, b| a.least().total_cmp(&b.least())),
                );
            }
        }
    }
    for (name, search) in [("vectors by LLVM", case.vectors), ("plain", case.plain)] {
        let name = format!("Rust, {name}, maximum");
        all.push(Contestant::new(name, inputs, move || {
            for &(first, count) in stretches {
                std::hint::black_box(search(first, count));
            }
        }));
    }
    add_mpfr(case, &mut all);
    let mut launches = None;
    if let Some((name, mut kernel)) = pocl(case.sweep) {
        assert_eq!(run_all(kernel.as_mut(), stretches), want, "{name}");
        let launch = launch(kernel.as_mut(), stretches[0].0);
        let kernel = std::cell::RefCell::new(kernel);
        all.push(Contestant::new(
            format!("ours, {name}"),
            inputs,
            move || {
                run_all(kernel.borrow_mut().as_mut(), stretches);
            },
        ));
        launches = Some((all.len() - 1, launch));
    }
    all.push(Contestant::new("ours, 2 threads", 2 * inputs, || {
        threads::search(ours, &pieces, 2);
    }));

    let before = ceiling::measure(1, Duration::from_millis(100));
    let rounds = take_turns(&mut all, options.rounds, options.most);
    let after = ceiling::measure(1, Duration::from_millis(100));
    let lanes = if best == "avx512" { 8.0 } else { 4.0 };
    let peak = before.mixed.max(after.mixed);
    let done = operations(case.sweep) as f64 * inputs as f64 / all[0].least();
    println!(
        "\n{}: {} operations per input in the kernels, {:.2} G vector operations/s of {:.2} (FMA and ADD mixed; FMA alone {:.2}): {:.0} % of the ceiling, the metric not counted",
        case.name,
        operations(case.sweep),
        done / lanes / 1e9,
        peak / lanes / 1e9,
        before.fused.max(after.fused) / lanes / 1e9,
        done / peak * 100.0
    );
    let table = report::table(&all);
    let fields = serde_json::json!({
        "on": best,
        "rounds": rounds,
        "table": table,
        "operations": operations(case.sweep),
        "vector_operations": done / lanes,
        "ceiling": peak / lanes,
        "of_ceiling": done / peak,
    });
    report::line(options.json, case.name, fields);
    if let Some((device, launch)) = launches {
        let block = f64::from(1 << 24) / median(all[device].rates()).0;
        println!(
            "a launch takes the device {:.1} us, {:.3} % of 2^24 inputs",
            launch * 1e6,
            launch / block * 100.0
        );
    }
}

/// Seconds of a launch of one input.
fn launch(kernel: &mut dyn SweepKernel, first: i64) -> f64 {
    let times = (0..101).map(|_| {
        let begun = std::time::Instant::now();
        kernel.run(first, 1).expect("the device runs it");
        begun.elapsed().as_secs_f64()
    });
    median(times.collect()).0
}

/// A rival that is wrong has not won.
fn check(rival: &Rival, got: &BlockResult, want: &BlockResult) {
    let name = format!("{} by {}, {}", rival.kernel, rival.compiler, rival.variant);
    if rival.variant.contains("maximum") {
        let extremes = |b: &BlockResult| (b.max, b.max_positive, b.max_negative);
        assert_eq!(extremes(got), extremes(want), "{name}");
    } else {
        assert_eq!(got, want, "{name}");
    }
}

fn run_all(kernel: &mut dyn SweepKernel, stretches: &[(i64, u64)]) -> BlockResult {
    let run = |&(first, count): &(i64, u64)| kernel.run(first, count).expect("the device runs it");
    stretches
        .iter()
        .map(run)
        .fold(BlockResult::EMPTY, |sum, block| sum.merge(&block))
}

/// A sweep on PoCL, if it is here.
fn pocl(sweep: &Sweep) -> Option<(String, Box<dyn SweepKernel>)> {
    let found = discover(&"opencl:pocl".parse().expect("a backend"));
    let backend = found.backends.first()?;
    let kernel = backend.load_sweep(sweep).expect("it compiles");
    Some((backend.id().to_string(), kernel))
}

#[cfg(not(feature = "mpfr"))]
fn add_mpfr(_: &Case, _: &mut Vec<Contestant<'_>>) {
    println!("!! no MPFR: build with the feature `mpfr`");
}

#[cfg(feature = "mpfr")]
fn add_mpfr(case: &Case, all: &mut Vec<Contestant<'_>>) {
    // Few numbers suffice for a figure that is a thousandth of the others.
    let Some(function) = case
        .sweep
        .truth()
        .or((case.name == "log_polynomial").then_some(doublecrunch::search::truth::Function::Ln))
    else {
        return;
    };
    let precision = case.sweep.precision();
    let bits: Vec<u64> = case
        .stretches
        .iter()
        .flat_map(|&(first, _)| (first..first + 64).map(|k| precision.bits_of_key(k)))
        .filter(|&x| precision.value_of_bits(x).is_normal())
        .collect();
    let mut results = vec![Vec::new()];
    let [routine, ..] = case.sweep.kernels().expect("of kernels");
    (routine.cpu.scalar)(&[&bits], &mut results);
    let value = |&x: &u64| precision.value_of_bits(x);
    let (inputs, results): (Vec<f64>, Vec<f64>) = (
        bits.iter().map(value).collect(),
        results[0].iter().map(value).collect(),
    );
    let count = inputs.len() as u64;
    all.push(Contestant::new(
        "MPFR, 400 bits, maximum",
        count,
        move || {
            std::hint::black_box(mpfr::search(function, &inputs, &results));
        },
    ));
}
