//! Certified bounds of the errors in binary64, over all finite inputs or a part of them, in a given time for each function. Where a bound is what is
//! promised, a certificate is written beside the row, which `crunch-check` proves with its own code.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use dc_exact::bound::{Effort, bound_range_until};
use dc_exact::cell::Cell;
use dc_exact::certificate::function;
use dc_exact::exact::net;
use dc_exact::law::{Law, Truth};
use dc_exact::num::float::BINARY64;
use dc_exact::point::stretches;
use kernels_gen::identity::identity_hex;
use kernels_gen::lower;
use kernels_gen::program::Program;
use kernels_gen::text::text;

use crate::asked::{Asked, number};
use crate::cases::{CASES, Case};

/// What is promised.
const PROMISE: f64 = 0.55;
/// Of inputs at which the function is defined, a bound may leave out this share; it names them.
const LEFT_OUT: f64 = 0.01;

/// Where the bounds of functions with kernels of their own are computed: next to a zero that is no double, and next to 0 where the function has
/// two words of its own there, results are not known to enough digits.
const RANGES: &[(&str, [f64; 2])] = &[
    ("exp", [-745.0, 709.7]),
    ("exp2", [-1074.0, 1023.9]),
    ("exp10", [-307.0, 308.2]),
    ("expm1", [-40.0, 709.7]),
    ("exp2m1", [1e-10, 1023.9]),
    ("exp10m1", [1e-10, 308.2]),
    ("log", [5e-324, f64::MAX]),
    ("log2", [5e-324, f64::MAX]),
    ("log10", [5e-324, f64::MAX]),
    ("log1p", [1e-10, f64::MAX]),
    ("log2p1", [1e-10, f64::MAX]),
    ("log10p1", [1e-10, f64::MAX]),
    ("sin", [-3.1, 3.1]),
    ("cos", [-1.5, 1.5]),
    ("tan", [-1.5, 1.5]),
    ("sinpi", [-0.99, 0.99]),
    ("cospi", [-0.49, 0.49]),
    ("tanpi", [-0.49, 0.49]),
    ("asin", [-1.0, 1.0]),
    ("acos", [-0.99, 0.99]),
    ("asinpi", [1e-10, 1.0]),
    ("acospi", [-0.99, 0.99]),
    ("atanpi", [1e-10, f64::MAX]),
    ("sinh", [-710.0, 710.0]),
    ("cosh", [-710.0, 710.0]),
    ("tanh", [-20.0, 20.0]),
    ("asinh", [1e-10, f64::MAX]),
    ("acosh", [1.001, f64::MAX]),
    ("atanh", [1e-10, 0.999]),
    ("sigmoid", [-745.0, 40.0]),
    ("logit", [1e-300, 0.499]),
    ("cbrt", [5e-324, f64::MAX]),
    ("erf", [1e-10, 5.9]),
    ("erfc", [-5.9, 27.2]),
    ("gelu", [-38.5, -1e-10]),
    ("silu", [-750.0, 700.0]),
    ("softplus", [-41.0, -0.5]),
    ("mish", [-750.0, -1e-10]),
    ("tgamma", [1.0, 171.6]),
    ("lgamma", [2.51, 1e15]),
    ("srgb_to_linear", [0.0405, 1e100]),
    ("srgb_from_linear", [0.0032, 1e300]),
    ("sqrt", [0.0, f64::MAX]),
    ("rsqrt", [5e-324, f64::MAX]),
];

fn range_of(case: &Case) -> [f64; 2] {
    let own = RANGES.iter().find(|r| r.0 == case.name);
    own.map_or([f64::MIN, f64::MAX], |r| r.1)
}

/// What a bound says, as a row of the table.
struct Row {
    bound: f64,
    /// The share of the inputs without a bound, of those at which the function is defined.
    left_out: f64,
    complete: bool,
    seconds: f64,
}

impl Row {
    fn is_promised(&self) -> bool {
        self.left_out <= LEFT_OUT && self.bound <= PROMISE
    }

    fn text(&self) -> String {
        let says = match self {
            r if !r.bound.is_finite() => "no bound: some errors have none",
            r if r.left_out > LEFT_OUT => "no bound of the range in this time",
            r if r.is_promised() => "a bound of at most 0.55",
            _ => "a bound above 0.55",
        };
        let mut text = format!(
            "{:.9} | {:.4} % | ",
            self.bound,
            100.0 * self.left_out.max(0.0)
        );
        let end = if self.complete { "" } else { ", stopped" };
        let _ = write!(text, "{:.0} s{end} | {says}", self.seconds);
        text
    }
}

/// A range in a table.
fn interval([low, high]: [f64; 2]) -> String {
    let number = |x: f64| match x {
        f64::MAX => "largest".to_string(),
        f64::MIN => "-largest".to_string(),
        x if x.abs() < 1e-4 && x != 0.0 => format!("{x:e}"),
        x => format!("{x}"),
    };
    format!("{} to {}", number(low), number(high))
}

/// The certificate that no error is above the promise. It has no plan: the checker cuts the stretches and bounds them itself.
fn certificate(case: &Case, range: [f64; 2]) -> String {
    let (program, truth, stretches) = subject(case, range);
    let bits = |x: f64| format!("{:016x}", x.to_bits());
    let lines = |word: &str| -> String {
        let line = |c: &Cell| format!("{word} {} {}\n", bits(c.lo), bits(c.hi));
        stretches.iter().map(line).collect()
    };
    format!(
        "doublecrunch certificate 2\nsweep f64::{}\nfunction {}\n{}error {}\nkernel\n{}\nend of kernel\n{}end\n",
        case.name,
        function(&truth),
        lines("range"),
        bits(PROMISE),
        text(&program).trim_end(),
        lines("cut"),
    )
}

/// The kernel, its function and its inputs.
fn subject(case: &Case, [low, high]: [f64; 2]) -> (Program, Truth, Vec<Cell>) {
    let program = lower(case.wide).expect("it is lowered");
    // Both name a function's variant alike.
    let name = format!("{:?}", case.function);
    let law = Law::ALL.iter().find(|l| format!("{l:?}") == name);
    let truth = Truth::Law(*law.expect("every function of one argument has a law"));
    let stretches = stretches(&program, low, high);
    (program, truth, stretches)
}

fn bound(case: &Case, range: [f64; 2], seconds: f64, threads: usize) -> Row {
    let (program, truth, stretches) = subject(case, range);
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
    let threads = number("CRUNCH_MATH_THREADS").unwrap_or(0.0) as usize;
    println!(
        "| function | inputs | largest bound in ULP | of them without a bound | time | says |"
    );
    println!("|---|---|---:|---:|---:|---|");
    for case in CASES {
        if !asked.names(case.name) {
            continue;
        }
        let range = range.unwrap_or_else(|| range_of(case));
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
                let row = bound(case, range, seconds, threads);
                if let (true, Some(folder)) = (row.is_promised(), &asked.folder) {
                    let file = folder.join(format!("{}.cert", case.name));
                    std::fs::write(file, certificate(case, range)).expect("the folder is writable");
                }
                let row = row.text();
                if let Some(file) = &file {
                    std::fs::write(file, plan + &row).expect("the folder is writable");
                }
                row
            }
        };
        println!("| `f64::{}` | {} | {row} |", case.name, interval(range));
    }
}
