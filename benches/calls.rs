//! The cost of a kernel's call: `eval` compared with the same function of Rust's standard library, and `map` of one, four and a thousand
//! numbers.
//!
//! `cargo bench --bench calls`, and with this processor's instructions `RUSTFLAGS=-Ctarget-cpu=native cargo bench --bench calls`. The forms are
//! timed in turn, and the median of the rounds is printed, in nanoseconds, as Markdown. `one by one` computes independent inputs, several of which
//! a processor evaluates at a time. In `chained`, each input waits for the previous result.

use std::hint::black_box;
use std::time::Instant;

use doublecrunch::prelude::*;

#[allow(
    dead_code,
    missing_docs,
    reason = "only two of the routines that a user wrote are timed"
)]
#[path = "../examples/own-crate/src/nine.rs"]
mod nine;

/// Without fused operations.
#[crunch]
fn cubic(x: DcDouble) -> DcDouble {
    ((0.25 * x - 1.5) * x + 3.25) * x - 0.75
}

fn cubic_by_hand(x: f64) -> f64 {
    ((0.25 * x - 1.5) * x + 3.25) * x - 0.75
}

const ROUNDS: usize = 101;
const INPUTS: usize = 1000;

/// The time of a round, in nanoseconds per number.
type Round<'a> = Box<dyn FnMut(&[f64], &mut [f64]) + 'a>;

/// Every input, none of which waits for another.
fn one_by_one<'a>(f: impl Fn(f64) -> f64 + 'a) -> Round<'a> {
    Box::new(move |x, y| {
        for (x, y) in x.iter().zip(y) {
            *y = f(black_box(*x));
        }
    })
}

/// Each input is the one at hand with nothing added that comes from the previous result.
fn chained<'a>(f: impl Fn(f64) -> f64 + 'a) -> Round<'a> {
    Box::new(move |x, y| {
        let mut previous = 0.0;
        for (x, y) in x.iter().zip(y) {
            previous = f(x + black_box(0.0) * previous);
            *y = previous;
        }
    })
}

/// `map` of slices of this length.
fn slices<'a>(length: usize, map: impl Fn(&[f64], &mut [f64]) + 'a) -> Round<'a> {
    Box::new(move |x, y| {
        for (x, y) in x.chunks(length).zip(y.chunks_mut(length)) {
            map(black_box(x), black_box(y));
        }
    })
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    let mut rows: Vec<(&str, Round)> = vec![
        ("std's `log2`, one by one", one_by_one(f64::log2)),
        ("`log2::eval`, one by one", one_by_one(nine::log2::eval)),
        ("std's `log2`, chained", chained(f64::log2)),
        ("`log2::eval`, chained", chained(nine::log2::eval)),
        ("`log2::map` of 1", slices(1, nine::log2::map)),
        ("`log2::map` of 4", slices(4, nine::log2::map)),
        ("`log2::map` of 5", slices(5, nine::log2::map)),
        ("`log2::map` of 32", slices(32, nine::log2::map)),
        ("`log2::map` of 1000", slices(1000, nine::log2::map)),
        ("a cubic by hand, one by one", one_by_one(cubic_by_hand)),
        ("`cubic::eval`, one by one", one_by_one(cubic::eval)),
        ("a cubic by hand, chained", chained(cubic_by_hand)),
        ("`cubic::eval`, chained", chained(cubic::eval)),
        ("`cubic::map` of 1", slices(1, cubic::map)),
        ("`cubic::map` of 4", slices(4, cubic::map)),
        ("`cubic::map` of 1000", slices(1000, cubic::map)),
    ];
    let x: Vec<f64> = (0..INPUTS)
        .map(|i| 0.5 + 3.0 * i as f64 / INPUTS as f64)
        .collect();
    let mut y = vec![0.0; INPUTS];
    let mut times = vec![Vec::new(); rows.len()];
    for _ in 0..ROUNDS {
        for ((_, round), times) in rows.iter_mut().zip(&mut times) {
            let begun = Instant::now();
            for _ in 0..20 {
                round(black_box(&x), black_box(&mut y));
            }
            times.push(begun.elapsed().as_secs_f64() * 1e9 / (20 * INPUTS) as f64);
        }
    }
    println!("| form | ns a number |");
    println!("|---|---|");
    for ((name, _), times) in rows.iter().zip(&mut times) {
        println!("| {name} | {:.1} |", median(times));
    }
}
