//! The exponential function (*DoubleCrunch*, Section 6): a routine by the method of Cephes against the reference, on sub-ranges of all
//! doubles. Prints the throughput, the worst input and the share of the whole range for each sub-range.
//!
//! `cargo run --release --example exp [LOG2]`: 2^LOG2 inputs per sub-range, by default 2^24. The paper's Table 4 is `crunch estimate exp`.
//! A sub-range that can be stopped and resumed is `crunch run exp --range 1.0..1.001`.

use std::process::ExitCode;
use std::time::Instant;

use doublecrunch::backend::{Filter, discover};
use doublecrunch::search::engine::{Device, Job, Stop, run};
use doublecrunch::search::key::Precision;
use doublecrunch::search::plan::Plan;
use doublecrunch::search::range::{Range, Span};
use doublecrunch::search::record::Record;
use doublecrunch::search::{machine, show};
use doublecrunch::sweeps::ALL;

/// The beginnings of the sub-ranges, and what is special there.
const STARTS: [(f64, &str); 13] = [
    (-745.133, "the least results"),
    (-720.0, "subnormal results"),
    (-708.396_418_5, "results become normal"),
    (-300.0, ""),
    (-1.0, ""),
    (-0.346_573_590_279_972_7, "-ln 2 / 2: the reduction's edge"),
    (-1e-5, ""),
    (1e-5, ""),
    (0.25, ""),
    (0.346_573_590_27, "ln 2 / 2"),
    (1.0, ""),
    (300.0, ""),
    (709.782_712_892, "results overflow"),
];

fn main() -> ExitCode {
    let log2 = std::env::args().nth(1).map_or(Ok(24), |n| n.parse());
    let Ok(log2 @ 10..=40) = log2 else {
        eprintln!("usage: exp [LOG2]: 2^LOG2 inputs a sub-range, from 10 to 40");
        return ExitCode::from(2);
    };
    match search(1 << log2) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}

fn search(inputs: u64) -> Result<(), Box<dyn std::error::Error>> {
    let Some(sweep) = ALL.iter().find(|s| s.name() == "exp") else {
        return Err("no sweep is called exp".into());
    };
    let p = Precision::F64;
    let whole = Range::parse(sweep.range(), p)?;
    let filter: Filter = "avx512,avx2,scalar".parse()?;
    let mut backends = discover(&filter).backends;
    let Some(backend) = backends.pop() else {
        return Err("no backend is available".into());
    };
    println!("{} on {}", sweep.name(), backend.describe());
    println!(
        "{:<14} {:>12} {:>9}  {:>8}  {:<56}",
        "from", "inputs", "inputs/s", "max ULP", "at"
    );
    let mut searched = 0;
    let mut worst = None;
    let begun = Instant::now();
    for (start, note) in STARTS {
        let first = p.key_of_bits(start.to_bits());
        let last = first + (inputs - 1) as i64;
        let range = Range::from_spans(p, vec![Span { first, last }])?;
        let plan = Plan::new(range, None)?;
        let job = Job::new(
            sweep,
            &plan,
            vec![Device::new(backend.clone(), machine::cores())],
        );
        let mut records: Vec<Record> = Vec::new();
        let outcome = run(&job, &mut records, &Stop::new(), &mut |_| {})?;
        let rate = inputs as f64 / outcome.progress.elapsed.as_secs_f64();
        searched += u128::from(outcome.progress.inputs);
        let most = |a: &doublecrunch::search::block::Worst,
                    b: &doublecrunch::search::block::Worst| {
            a.error.total_cmp(&b.error)
        };
        let Some(w) = records.iter().filter_map(|r| r.worst).max_by(most) else {
            println!(
                "{start:<14} {:>12} every input excluded",
                show::count(inputs.into())
            );
            continue;
        };
        println!(
            "{start:<14} {:>12} {:>9}  {:>8.6}  {:<56} {note}",
            show::count(inputs.into()),
            show::si(rate),
            w.error,
            show::full(p, p.bits_of_key(w.key)),
        );
        if worst.is_none_or(|other| most(&w, &other).is_gt()) {
            worst = Some(w);
        }
    }
    if let Some(w) = worst {
        println!(
            "worst: {} ULP at {}\n  result    {}\n  reference {:e} + {:e}",
            w.error,
            show::full(p, p.bits_of_key(w.key)),
            show::full(p, w.result_bits),
            w.reference[0],
            w.reference[1]
        );
    }
    let all = whole.count() as f64;
    let rate = searched as f64 / begun.elapsed().as_secs_f64();
    println!(
        "covered: {} of the {:.3} * 2^63 inputs of {} ({:.1e} of them): no statement about the rest.",
        show::count(searched),
        all / 2f64.powi(63),
        sweep.range(),
        searched as f64 / all,
    );
    println!(
        "At this rate ({} inputs/s) all of them would take {}; the paper's K40m, at 1.615 G, 183 years.",
        show::si(rate),
        show::seconds(all / rate)
    );
    Ok(())
}
