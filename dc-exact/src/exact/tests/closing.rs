//! What closes a stretch, and what is left open: stretches of one number, of many, and next to what has no number.

use super::*;
use crate::exact::{Exact, net};
use crate::point::stretches;

/// 1, and a function with its largest value inside of a stretch around 1.5.
const ONE: &str = "  %0: f64 = param\n  %1: f64 = const 0x3ff0000000000000\n  return %1\n";
const HILL: &str = "  %0: f64 = param\n  %1: f64 = const 0x3ff8000000000000\n  %2: f64 = sub %0, %1\n  %3: f64 = const 0x4270000000000000\n  %4: f64 = mul %2, %3\n  %5: f64 = mul %4, %4\n  %6: f64 = const 0x3ffc000000000000\n  %7: f64 = sub %6, %5\n  return %7\n";
/// A number without its lower 10 bits, and the number.
const MASKED: &str = "  %0: f64 = param\n  %1: i64 = to_bits %0\n  %2: i64 = const 0xfffffffffffffc00\n  %3: i64 = and %1, %2\n  %4: f64 = from_bits %3\n  return %4\n";
const SAME: &str = "  %0: f64 = param\n  return %0\n";

pub(super) fn after(x: f64, n: u64) -> Cell {
    cell(x, f64::from_bits(x.to_bits() + n))
}

pub(super) fn coarse(program: &Program, truth: &Truth, inputs: Cell) -> RangeBound {
    let coarse = bound::Effort {
        tolerance: 1.0,
        cells: 8,
        values: 400_000,
        threads: 1,
        by_series: false,
        rounded: false,
    };
    bound_range(program, truth, &[inputs], coarse)
}

pub(super) fn effort(threads: usize) -> Effort {
    Effort {
        threads,
        time: Duration::from_secs(600),
        list: false,
    }
}

pub(super) fn unknown(level: f64) -> Hit {
    Hit {
        x: f64::NAN,
        error: level,
    }
}

/// All inputs with the enclosures of their errors.
pub(super) fn all(program: &Program, truth: &Truth, inputs: Cell) -> Vec<(f64, Interval)> {
    let mut values = Values::new(program);
    let mut found = Vec::new();
    let mut x = inputs.lo;
    while x <= inputs.hi {
        found.push((
            x,
            error_at(program, truth, &mut values, x).expect("a number"),
        ));
        x = x.next_up();
    }
    found
}

pub(super) fn proved(
    program: &Program,
    truth: &Truth,
    bound: &RangeBound,
    level: f64,
    threads: usize,
) -> Exact {
    let stop = AtomicBool::new(false);
    let effort = effort(threads);
    prove(
        program,
        truth,
        bound,
        unknown(level),
        effort,
        &stop,
        &mut |_| {},
    )
}

/// A kernel of one number: its stretches are cut until their bounds are below the level.
#[test]
fn stretches_of_one_number_agree_with_brute_force() {
    let (program, truth) = (parsed::program(ONE), Truth::Program(parsed::program(HILL)));
    for inputs in [
        after(1.5 - 200.0 * 2f64.powi(-52), 500),
        after(1.5 - 2f64.powi(-49), 300),
        after(1.5f64.next_up(), 100),
    ] {
        let errors = all(&program, &truth, inputs);
        let most = errors.iter().map(|e| e.1.magnitude()).fold(0.0, f64::max);
        let bound = coarse(&program, &truth, inputs);
        assert!(bound.cells.iter().all(|c| c.class.is_none()));
        for threads in [0, 1, 2] {
            let got = proved(&program, &truth, &bound, 0.0, threads);
            assert!(
                got.is_exact() && got.upper == most,
                "{threads}: {got:?} {most}"
            );
            let at = |e: &&(f64, Interval)| e.0 == got.worst.x;
            let worst = errors.iter().find(at).expect("it").1;
            assert_eq!(worst.magnitude(), most);
        }
        // Where there is no time, it stays open.
        let stop = AtomicBool::new(true);
        let got = prove(
            &program,
            &truth,
            &bound,
            unknown(0.0),
            effort(1),
            &stop,
            &mut |_| {},
        );
        let below = |e: &&(f64, Interval)| e.1.magnitude() > got.worst.error.abs();
        for (x, _) in errors.iter().filter(below) {
            assert!(
                got.open.iter().any(|o| o.cell.lo <= *x && *x <= o.cell.hi),
                "{x:e}: {got:?}"
            );
        }
        assert_eq!(got.stopped, !got.is_exact());
    }
}

/// A number without an error, of a cell of one number and of a class, and what a bound leaves out, are open.
#[test]
fn an_input_without_an_error_is_open() {
    let (program, truth) = root();
    let (mut bound, class) = blank();
    let tiny = cell(0.0, f64::from_bits(40));
    bound.classes = vec![Class {
        members: vec![Member {
            grid: -1074,
            ..member(tiny)
        }],
        ..class
    }];
    bound.bound = 5.0;
    for (class, inputs) in [(None, cell(0.0, 0.0)), (Some(0), tiny)] {
        let mut bound = bound.clone();
        bound.cells = vec![bounded(class, inputs, 5.0)];
        let got = proved(&program, &truth, &bound, 1.0, 1);
        let zero = |o: &Open| o.cell == cell(0.0, 0.0) && o.bound == f64::INFINITY;
        assert!(
            got.open.iter().any(zero) && got.upper == f64::INFINITY,
            "{got:?}"
        );
    }
    bound.special = vec![cell(7.0, 8.0), cell(9.0, 9.0)];
    bound.cells = vec![bounded(None, cell(0.0, 0.0), 5.0)];
    let got = proved(&program, &truth, &bound, 1.0, 1);
    assert!(got.open.len() == 3 && got.upper == f64::INFINITY, "{got:?}");
}

/// A number whose lower bits are masked away differs too much from a function of the input.
#[test]
fn a_number_of_many_values_is_open() {
    let (program, truth) = (
        parsed::program(MASKED),
        Truth::Program(parsed::program(SAME)),
    );
    let many = after(1.3, 1 << 22);
    let bound = coarse(&program, &truth, many);
    let deviates = |b: &&Bounded| b.class.is_some_and(|i| bound.classes[i].core.deviates());
    assert!(bound.cells.iter().any(|b| deviates(&b)), "{bound:?}");
    let got = proved(&program, &truth, &bound, 0.5, 1);
    let says = |o: &Open| o.why.contains("too many values");
    assert!(
        !got.is_exact() && got.open.iter().all(says) && got.upper == bound.bound,
        "{got:?}"
    );
    // The level does not descend while something is open.
    let stop = AtomicBool::new(false);
    let notes = Mutex::new(Vec::new());
    let note = |n: Note| notes.lock().expect("one thread").push(n);
    let task = Task {
        note: &note,
        ..Task::whole(&program, &truth, &bound, effort(1), &stop)
    };
    let got = resume(&task, Kept::default(), None, 0.001, &mut |_| {});
    assert!(
        got.upper == bound.bound && !got.is_exact() && !got.worst.x.is_nan(),
        "{got:?}"
    );
    let told: Vec<Note> = notes.lock().expect("one thread").drain(..).collect();
    let rounds = told.iter().filter(|n| matches!(n, Note::Round(_)));
    assert!(
        rounds.count() == 1 && told.last() == Some(&Note::End),
        "{told:?}"
    );
    // Nor where no input is known.
    let level = bound.bound - 0.001;
    let got = resume(
        &task,
        kept(vec![Note::Round(level)]),
        None,
        0.1,
        &mut |_| {},
    );
    assert!(got.upper == bound.bound && got.worst.x.is_nan(), "{got:?}");
    // What is left out comes first.
    let mut special = bound.clone();
    special.special = vec![cell(7.0, 8.0)];
    let got = proved(&program, &truth, &special, 0.5, 1);
    assert!(
        got.upper == f64::INFINITY && got.open[0].cell.lo == 7.0 && got.open.len() > 1,
        "{got:?}"
    );
}

/// Only what a piece needs is evaluated: its inputs, and one more on either side.
#[test]
fn pieces_are_evaluated_with_their_neighbours() {
    let (program, truth) = root();
    let (mut bound, class) = blank();
    bound.classes = vec![Class {
        members: vec![member(cell(1.25, 1.75))],
        ..class
    }];
    bound.cells = vec![bounded(Some(0), after(1.3, 31), 5.0)];
    bound.bound = 5.0;
    let got = proved(&program, &truth, &bound, 0.4, 1);
    // 16 pieces of two inputs.
    assert_eq!(got.work.brute, 64);
    bound.classes[0].members = vec![member(after(1.3, 31))];
    let got = proved(&program, &truth, &bound, 0.4, 1);
    assert_eq!(got.work.brute, 62);
}

/// An input above the bound of its cell is reported wherever it is evaluated.
#[test]
fn what_is_above_a_bound_is_reported() {
    let (program, truth) = root();
    let inputs = after(1.7, 2000);
    let bound = coarse(&program, &truth, inputs);
    let mut low = bound.clone();
    for cell in &mut low.cells {
        cell.error.most = 0.2;
    }
    // By the search, and by the sample before it.
    let got = proved(&program, &truth, &low, 0.0, 1);
    assert!(got.contradiction.is_some_and(|c| c.claim == 0.2), "{got:?}");
    let found = net(&program, &truth, &low);
    assert!(
        found.contradiction.is_some_and(|c| c.claim == 0.2),
        "{found:?}"
    );
    let stop = AtomicBool::new(true);
    let task = Task::whole(&program, &truth, &low, effort(1), &stop);
    let got = resume(&task, Kept::default(), None, 0.1, &mut |_| {});
    assert!(got.contradiction.is_some_and(|c| c.claim == 0.2), "{got:?}");
}

#[test]
fn stretches_have_both_zeros() {
    let (program, _) = root();
    let ends = [-2.0, -1.0, -0.0, 0.0, 1.0, 2.0];
    for (i, &lo) in ends.iter().enumerate() {
        for &hi in &ends[i..] {
            let cells = stretches(&program, lo, hi);
            let holds = |x: f64| {
                let zero = |c: &&Cell| x != 0.0 || c.lo.to_bits() == x.to_bits();
                let of = cells.iter().filter(|c| c.lo <= x && x <= c.hi);
                of.filter(zero).count()
            };
            for x in ends {
                assert_eq!(
                    holds(x),
                    usize::from(lo <= x && x <= hi),
                    "{x} of {lo} to {hi}"
                );
            }
        }
    }
}
