//! Certified bounds of the errors in binary64, over the ranges of `ranges.rs`, in a given time for each function. Unless a bound is final and above what the
//! crate promises, a certificate of the promise is written next to the row, and `crunch-check` proves it with its own code.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use dc_exact::bound::{Effort, bound_range_until};
use dc_exact::cell::{Cell, input_format};
use dc_exact::exact::net;
use dc_exact::law::{Law, Power, Truth};
use dc_exact::num::float::BINARY64;
use dc_exact::point::stretches;
use dc_runtime::kernel::CrunchFn;
use dc_runtime::prelude::*;
use kernels_gen::identity::identity_hex;
use kernels_gen::ir::Kernel;
use kernels_gen::lower;
use kernels_gen::program::Program;

use crate::asked::{Asked, number};
use crate::cases::{CASES, Case};
use crate::certified::{self, Checker};
use crate::ranges::ranges;
use crate::stages::Part;

/// What is promised.
pub const PROMISE: f64 = 0.55;
/// Cells of a bound: the time ends it, and not their number.
const CELLS: u64 = 20_000_000;
/// Of inputs at which the function is defined, a bound may leave out this share; it names them.
const LEFT_OUT: f64 = 0.01;

/// `pow` with one fixed argument.
macro_rules! powers {
    ($($name:ident($x:ident) = pow($base:expr, $y:expr), $law:expr, $range:expr;)+) => {
        $(#[crunch]
        fn $name($x: DcDouble) -> DcDouble {
            dc_math::f64::pow($base, $y)
        })+

        const POWERS: &[(&str, &Kernel, Power, [f64; 2])] = &[$((
            concat!("pow(", stringify!($base), ", ", stringify!($y), ")"),
            <$name as CrunchFn>::KERNEL,
            $law,
            $range,
        )),+];
    };
}

powers! {
    three_quarters(x) = pow(x, 0.75), Power::Of(0.75), [1e-3, 1e3];
    twelve_fifths(x) = pow(x, 2.4), Power::Of(2.4), [1e-3, 1e3];
    minus_third(x) = pow(x, -0.3), Power::Of(-0.3), [1e-3, 1e3];
    of_a_half(x) = pow(0.3, x), Power::Base(0.3), [-20.0, 20.0];
    of_near_one(x) = pow(1.001, x), Power::Base(1.001), [-1000.0, 1000.0];
    of_five_halves(x) = pow(2.5, x), Power::Base(2.5), [-20.0, 20.0];
}

/// What is bounded.
pub struct Subject {
    pub name: String,
    /// Which of the function's ranges it is, from 1; 0 where that is the only one.
    pub part: usize,
    pub program: Program,
    pub truth: Truth,
    pub range: [f64; 2],
    /// A second range.
    pub also: Option<[f64; 2]>,
    /// The largest error that is promised.
    pub claim: f64,
}

impl Subject {
    /// The functions of one argument, then powers with one fixed argument, then stages of other functions.
    pub fn all() -> impl Iterator<Item = Self> {
        CASES
            .iter()
            .flat_map(Self::of_case)
            .chain(POWERS.iter().map(|&(name, kernel, power, range)| Self {
                name: name.into(),
                part: 0,
                program: lower(kernel).expect("it is lowered"),
                truth: Truth::Power(power),
                range,
                also: None,
                claim: PROMISE,
            }))
            .chain(Part::all().into_iter().map(Self::of_stage))
    }

    fn of_stage(part: Part) -> Self {
        Self {
            program: part.program(),
            name: part.name,
            part: part.number,
            truth: Truth::Stage(part.stage),
            range: part.ranges[0],
            also: part.ranges.get(1).copied(),
            claim: part.claim,
        }
    }

    /// One for each range of a function.
    fn of_case(case: &Case) -> impl Iterator<Item = Self> {
        // Both name a function's variant alike.
        let name = format!("{:?}", case.function);
        let law = Law::ALL.iter().find(|l| format!("{l:?}") == name);
        let truth = Truth::Law(*law.expect("every function of one argument has a law"));
        let ranges = ranges(case.name);
        let several = ranges.len() > 1;
        ranges.iter().enumerate().map(move |(i, &range)| Self {
            name: case.name.into(),
            part: if several { i + 1 } else { 0 },
            program: lower(case.wide).expect("it is lowered"),
            truth: truth.clone(),
            range,
            also: None,
            claim: PROMISE,
        })
    }

    /// How many of the function's ranges are left, with this one.
    fn parts_left(&self) -> usize {
        match self.part {
            0 => 1,
            part => ranges(&self.name).len().max(part) + 1 - part,
        }
    }

    /// Its name in a table.
    fn title(&self) -> String {
        match self.name.starts_with("f32::") {
            true => self.name.clone(),
            false => format!("f64::{}", self.name),
        }
    }

    /// The name of its files.
    pub fn file_name(&self) -> String {
        let name = self.name.replace("::", "-").replace(' ', "-");
        match self.part {
            0 => name,
            part => format!("{name}-{part}"),
        }
    }

    pub fn stretches(&self) -> Vec<Cell> {
        let ranges = [self.range].into_iter().chain(self.also);
        ranges
            .flat_map(|[low, high]| stretches(&self.program, low, high))
            .collect()
    }
}

/// What a bound says, as a row of the table.
pub struct Row {
    pub bound: f64,
    /// The share of the inputs without a bound, of those at which the function is defined.
    pub left_out: f64,
    pub complete: bool,
    seconds: f64,
    /// What is promised.
    claim: f64,
}

impl Row {
    fn is_promised(&self) -> bool {
        self.left_out <= LEFT_OUT && self.bound <= self.claim
    }

    /// Whether more time would not make the bound what is promised. Before that, the checker may prove what the bound does not show yet.
    fn is_above(&self) -> bool {
        self.complete && self.bound.is_finite() && self.bound > self.claim
    }

    fn text(&self) -> String {
        let says = match self {
            r if !r.bound.is_finite() => "no bound: some errors have none".into(),
            r if r.left_out > LEFT_OUT => "no bound of the range in this time".into(),
            r if r.is_promised() => format!("a bound of at most {}", r.claim),
            r => format!("a bound above {}", r.claim),
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

pub fn bound(subject: &Subject, seconds: f64, threads: usize) -> Row {
    let (program, truth) = (&subject.program, &subject.truth);
    let stretches = subject.stretches();
    let effort = Effort {
        threads,
        by_series: true,
        cells: CELLS,
        ..Effort::default()
    };
    let begun = Instant::now();
    let end = begun + Duration::from_secs_f64(seconds);
    let bound = bound_range_until(program, truth, &stretches, effort, &|| {
        Instant::now() >= end
    });
    // A stage has no error at a single input: it depends on a second word.
    if truth.stage().is_none() {
        let found = net(program, truth, &bound);
        let contradiction = found.contradiction;
        assert!(
            contradiction.is_none(),
            "{}: {contradiction:?}",
            subject.name
        );
    }
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
        claim: subject.claim,
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
    let checker = Checker::from_environment(threads);
    let mut refused = Vec::new();
    println!(
        "| function | inputs | largest bound in ULP | of them without a bound | time | says | certificate |"
    );
    println!("|---|---|---:|---:|---:|---|---|");
    // What is left of the time for a function's ranges, each of which may take an equal part of it.
    let (mut left, mut begun) = (seconds, String::new());
    for mut subject in Subject::all() {
        // All powers are `pow`.
        let of = subject.name.split_once('(').map_or(&*subject.name, |n| n.0);
        if !asked.names(of) && !asked.names(&format!("f64::{of}")) {
            continue;
        }
        let begins = std::mem::replace(&mut begun, subject.name.clone()) != subject.name;
        left = if begins { seconds } else { left };
        if let Some(range) = range {
            if !begins {
                continue;
            }
            (subject.range, subject.also, subject.part) = (range, None, 0);
        }
        let share = left / subject.parts_left() as f64;
        let name = subject.file_name();
        let (identity, asks) = (identity_hex(&subject.program), subject.range);
        let most = checker.as_ref().map_or(0.0, |c| c.seconds);
        let plan = format!("{identity} {seconds} {most} {asks:?}\n");
        let file = (asked.folder.as_ref()).map(|f| f.join(format!("{name}-bound.txt")));
        let kept = file.as_ref().and_then(|f| std::fs::read_to_string(f).ok());
        let row = match kept.as_deref().and_then(|k| k.strip_prefix(&plan)) {
            Some(row) => row.to_string(),
            None if asked.is_late() => "– | – | – | not begun | –".into(),
            None => {
                let row = bound(&subject, share, threads);
                // Each stage may take the whole time.
                left = if subject.truth.stage().is_some() {
                    seconds
                } else {
                    (left - row.seconds).max(0.0)
                };
                let doubles = input_format(&subject.program) == BINARY64;
                let certified = match &asked.folder {
                    Some(_) if !doubles => "none: the checker has no arguments in binary32".into(),
                    Some(folder) if !row.is_above() => {
                        let file = certified::write(folder, &subject);
                        let verdict = checker.as_ref().map(|c| c.check(&file));
                        verdict.map_or("written".into(), |v| v.to_string())
                    }
                    _ => "none".into(),
                };
                let row = format!("{} | {certified}", row.text());
                if let Some(file) = &file {
                    std::fs::write(file, plan + &row).expect("the folder is writable");
                }
                row
            }
        };
        let asks = match subject.also {
            Some(also) => format!("{}, {}", interval(asks), interval(also)),
            None => interval(asks),
        };
        println!("| `{}` | {asks} | {row} |", subject.title());
        if row.contains(certified::REFUSED) {
            refused.push(name);
        }
    }
    assert!(refused.is_empty(), "refused certificates: {refused:?}");
}
