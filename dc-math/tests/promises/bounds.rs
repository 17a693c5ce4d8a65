//! Certified bounds of the errors in binary64, over all finite inputs or a part of them, in a given time for each function.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use dc_exact::bound::{Effort, bound_range_until};
use dc_exact::exact::net;
use dc_exact::law::{Law, Truth};
use dc_exact::num::float::BINARY64;
use dc_exact::point::stretches;
use kernels_gen::identity::identity_hex;
use kernels_gen::lower;

use crate::cases::{CASES, Case};
use crate::full::{Asked, number};

/// What is promised.
const PROMISE: f64 = 0.55;
/// Of inputs at which the function is defined, a bound may leave out this share; it names them.
const LEFT_OUT: f64 = 0.01;

/// What a bound says, as a row of the table.
struct Row {
    bound: f64,
    /// The share of the inputs without a bound, of those at which the function is defined.
    left_out: f64,
    complete: bool,
    seconds: f64,
}

impl Row {
    fn text(&self) -> String {
        let says = match self {
            r if !r.bound.is_finite() => "no bound: some errors have none",
            r if r.left_out > LEFT_OUT => "no bound of the range in this time",
            r if r.bound <= PROMISE => "a bound of at most 0.55",
            _ => "a bound above 0.55",
        };
        let mut text = format!("{:.9} | {:.4} % | ", self.bound, 100.0 * self.left_out);
        let end = if self.complete { "" } else { ", stopped" };
        let _ = write!(text, "{:.0} s{end} | {says}", self.seconds);
        text
    }
}

fn bound(case: &Case, [low, high]: [f64; 2], seconds: f64, threads: usize) -> Row {
    let program = lower(case.wide).expect("it is lowered");
    // Both name a function's variant alike.
    let name = format!("{:?}", case.function);
    let law = Law::ALL.iter().find(|l| format!("{l:?}") == name);
    let truth = Truth::Law(*law.expect("every function of one argument has a law"));
    let stretches = stretches(&program, low, high);
    let effort = Effort {
        threads,
        ..Effort::default()
    };
    let begun = Instant::now();
    let end = begun + Duration::from_secs_f64(seconds);
    let bound = bound_range_until(&program, &truth, &stretches, effort, &|| {
        Instant::now() >= end
    });
    let found = net(&program, &truth, &bound);
    assert!(
        found.contradiction.is_none(),
        "{}: {:?}",
        case.name,
        found.contradiction
    );
    let count = |undefined: bool| -> f64 {
        let cells = bound.special.iter();
        let of = cells.filter(|c| truth.nowhere(**c) == undefined);
        of.map(|c| c.count(BINARY64) as f64).sum()
    };
    let all: f64 = stretches.iter().map(|c| c.count(BINARY64) as f64).sum();
    Row {
        bound: bound.bound,
        left_out: count(false) / (all - count(true)),
        complete: !bound.unfinished,
        seconds: begun.elapsed().as_secs_f64(),
    }
}

/// `cargo xtask math --bounds` calls this with its options in the environment. A row that is there is only printed.
#[test]
#[ignore = "minutes for each function: cargo xtask math --bounds"]
fn bounds() {
    let asked = Asked::from_environment();
    let seconds = number("CRUNCH_MATH_SECONDS").unwrap_or(60.0);
    let range = std::env::var("CRUNCH_MATH_RANGE").ok().map(|text| {
        let ends = text.split_once("..").map(|(l, h)| [l.parse(), h.parse()]);
        let Some([Ok(low), Ok(high)]) = ends else {
            panic!("--range {text}: two numbers, as 1..1.5");
        };
        [low, high]
    });
    let range = range.unwrap_or([f64::MIN, f64::MAX]);
    let threads = number("CRUNCH_MATH_THREADS").unwrap_or(0.0) as usize;
    println!("| function | largest bound in ULP | of the inputs, without a bound | time | says |");
    println!("|---|---:|---:|---:|---|");
    for case in CASES {
        if !asked.names(case.name) {
            continue;
        }
        let plan = format!(
            "{} {seconds} {range:?}\n",
            identity_hex(&lower(case.wide).expect("it is lowered"))
        );
        let file = (asked.folder.as_ref()).map(|f| f.join(format!("{}-bound.txt", case.name)));
        let kept = file.as_ref().and_then(|f| std::fs::read_to_string(f).ok());
        let row = match kept.as_deref().and_then(|k| k.strip_prefix(&plan)) {
            Some(row) => row.to_string(),
            None if asked.is_late() => "– | – | – | not begun".into(),
            None => {
                let row = bound(case, range, seconds, threads).text();
                if let Some(file) = &file {
                    std::fs::write(file, plan + &row).expect("the folder is writable");
                }
                row
            }
        };
        println!("| `f64::{}` | {row} |", case.name);
    }
}
