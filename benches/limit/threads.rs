//! Our loop on increasing numbers of threads, each with as many inputs as a single thread has.

use std::sync::atomic::{AtomicUsize, Ordering};

use doublecrunch::backend::SweepFn;
use serde_json::json;

use crate::measure::{Contestant, take_turns};
use crate::options::Options;
use crate::{Case, cut, levels, report, total};

/// 1, 2, 4, … and all.
fn counts(cores: usize) -> Vec<usize> {
    let mut counts: Vec<usize> = std::iter::successors(Some(1), |n| Some(2 * n))
        .take_while(|&n| n < cores)
        .collect();
    counts.push(cores);
    counts
}

/// Searches pieces, each as often as there are threads, on so many threads. They are handed out one by one, as a search
/// hands out blocks: where one part has the NaNs, equal numbers of inputs are not equal work.
pub fn search(ours: SweepFn, pieces: &[(i64, u64)], threads: usize) {
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let n = next.fetch_add(1, Ordering::Relaxed);
            if n >= pieces.len() * threads {
                return;
            }
            std::hint::black_box(total(&pieces[n % pieces.len()..][..1], ours));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
}

/// A table of a kernel.
pub fn compare(case: &Case, options: &Options) {
    let (best, ours) = levels(case.sweep)[0];
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let pieces: Vec<(i64, u64)> = case.stretches.iter().flat_map(cut).collect();
    let inputs: u64 = pieces.iter().map(|p| p.1).sum();
    let pieces = &pieces;
    let counts = counts(cores);
    let contestants = counts.iter().map(|&threads| {
        let name = match threads {
            1 => "1 thread".into(),
            n => format!("{n} threads"),
        };
        Contestant::new(name, inputs * threads as u64, move || {
            search(ours, pieces, threads);
        })
    });
    let mut all: Vec<_> = contestants.collect();
    let rounds = take_turns(&mut all, options.rounds, options.most);
    println!("\n{}: {best}, {cores} logical processors", case.name);
    let table = report::table(&all);
    let fields = json!({
        "on": best,
        "threads": counts,
        "rounds": rounds,
        "table": table,
    });
    report::line(options.json, case.name, fields);
}
