//! What closes a stretch, and what is left open: stretches by brute force, rounds that are stopped at any step, and levels within the
//! enclosures of errors.

use super::*;
use crate::exact::{Exact, net};
use crate::point::stretches;

/// 1, and a function with its largest value inside of a stretch around 1.5.
const ONE: &str = "  %0: f64 = param\n  %1: f64 = const 0x3ff0000000000000\n  return %1\n";
const HILL: &str = "  %0: f64 = param\n  %1: f64 = const 0x3ff8000000000000\n  %2: f64 = sub %0, %1\n  %3: f64 = const 0x4270000000000000\n  %4: f64 = mul %2, %3\n  %5: f64 = mul %4, %4\n  %6: f64 = const 0x3ffc000000000000\n  %7: f64 = sub %6, %5\n  return %7\n";
/// A number without its lower 10 bits, and the number.
const MASKED: &str = "  %0: f64 = param\n  %1: i64 = to_bits %0\n  %2: i64 = const 0xfffffffffffffc00\n  %3: i64 = and %1, %2\n  %4: f64 = from_bits %3\n  return %4\n";
const SAME: &str = "  %0: f64 = param\n  return %0\n";
/// 1 plus 16 units or the input, and the square of the input's root, of which it is not known on which side of 1 it is.
const LEAST: &str = "  %0: f64 = param\n  %1: f64 = const 0x3ff0000000000010\n  %2: f64 = max %0, %1\n  return %2\n";
const SQUARE: &str =
    "  %0: f64 = param\n  %1: f64 = sqrt %0\n  %2: f64 = mul %1, %1\n  return %2\n";

fn after(x: f64, n: u64) -> Cell {
    cell(x, f64::from_bits(x.to_bits() + n))
}

fn coarse(program: &Program, truth: &Truth, inputs: Cell) -> RangeBound {
    let coarse = bound::Effort {
        tolerance: 1.0,
        cells: 8,
        threads: 1,
    };
    bound_range(program, truth, &[inputs], coarse)
}

fn effort(threads: usize) -> Effort {
    Effort {
        threads,
        time: Duration::from_secs(600),
        list: false,
    }
}

fn unknown(level: f64) -> Hit {
    Hit {
        x: f64::NAN,
        error: level,
    }
}

/// All inputs with the enclosures of their errors.
fn all(program: &Program, truth: &Truth, inputs: Cell) -> Vec<(f64, Interval)> {
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

fn proved(
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

/// `upper` is not below the upper end of any error, whatever the level is.
#[test]
fn no_error_is_above_the_upper_end() {
    let (program, truth) = root();
    let inputs = after(1.7, 3000);
    let errors = all(&program, &truth, inputs);
    let most = errors.iter().map(|e| e.1.magnitude()).fold(0.0, f64::max);
    let (_, worst) = *(errors.iter().find(|e| e.1.magnitude() == most)).expect("it");
    let (least, most) = (worst.least(), worst.magnitude());
    assert!(least < most);
    let bound = coarse(&program, &truth, inputs);
    let stop = AtomicBool::new(false);
    let middle = 0.5 * (least + most);
    for level in [0.0, least, middle, most.next_down(), most, most + 0.01] {
        let got = proved(&program, &truth, &bound, level, 1);
        assert!(
            got.is_exact() && got.upper == most.max(level),
            "{level}: {got:?}"
        );
        assert_eq!(got.worst.x.is_nan(), level >= most, "{level}");
        // And as the level that a descent begins at, or that it has proven.
        for levels in [&[level][..], &[most + 0.1, level]] {
            let task = Task::whole(&program, &truth, &bound, effort(1), &stop);
            let notes = levels.iter().map(|&l| Note::Round(l)).collect();
            let got = resume(&task, kept(notes), None, 0.1, &mut |_| {});
            let context = format!("{levels:?}: {got:?}");
            assert!(got.is_exact() && got.contradiction.is_none(), "{context}");
            assert!(
                got.upper == most && got.worst.error.abs() == most,
                "{context}"
            );
        }
    }
    // A list has what may be at the level.
    let list = Effort {
        list: true,
        ..effort(1)
    };
    let from = unknown(middle);
    let got = prove(&program, &truth, &bound, from, list, &stop, &mut |_| {});
    assert!(got.hits.iter().any(|h| h.error.abs() == most) && got.upper == most);
}

/// Of two overlapping enclosures, the one that reaches farther is the worst.
#[test]
fn the_worst_input_is_that_whose_error_may_be_largest() {
    for (lo, hi) in [(1.0, 1.0 + 1e-12), (-1.0 - 1e-12, -1.0)] {
        let hit = Hit::new(1.5, Interval::new(lo, hi));
        assert_eq!(hit.error.abs(), 1.0 + 1e-12);
        assert_eq!(hit.error < 0.0, hi < 0.0);
        assert!(hit.least() <= 1.0 && hit.least() > 1.0 - 1e-10);
    }
    let big = Hit::new(1.5, Interval::new(1e6, 1e6 + 1e-6));
    assert!(big.error == 1e6 + 1e-6 && big.least() <= 1e6 && big.least() > 1e6 - 1e-4);
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
    let told = notes.lock().expect("one thread");
    let rounds = told.iter().filter(|n| matches!(n, Note::Round(_)));
    assert!(
        rounds.count() == 1 && told.last() == Some(&Note::End),
        "{told:?}"
    );
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
        cell.error.error = Interval::symmetric(0.2);
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
fn the_worst_of_a_sample_is_its_largest_known_error() {
    let (program, truth) = root();
    for inputs in [after(1.3, 400), after(1.7, 300), after(1.9, 5)] {
        let bound = coarse(&program, &truth, inputs);
        let found = net(&program, &truth, &bound);
        let errors = all(&program, &truth, inputs);
        let most = errors.iter().map(|e| e.1.magnitude()).fold(0.0, f64::max);
        assert_eq!(found.worst.map(|w| w.error.abs()), Some(most), "{inputs:?}");
    }
    // At 1 the error is 16 or 32, which is not known; next to it it is 15.
    let (program, truth) = (
        parsed::program(LEAST),
        Truth::Program(parsed::program(SQUARE)),
    );
    let inputs = after(1.0, 10);
    let errors = all(&program, &truth, inputs);
    assert!(!crate::point::is_decided(errors[0].1), "{errors:?}");
    let bound = coarse(&program, &truth, inputs);
    let found = net(&program, &truth, &bound).worst.expect("one");
    assert!(
        found.x == 1f64.next_up() && (found.error - 15.0).abs() < 1e-6,
        "{found:?}"
    );
}

/// Errors of either sign, as what is known, and as what a journal has.
#[test]
fn the_worse_of_two_inputs_is_kept() {
    let (program, truth) = root();
    let inputs = after(1.7, 6000);
    let bound = coarse(&program, &truth, inputs);
    let errors = all(&program, &truth, inputs);
    let stop = AtomicBool::new(true);
    let notes = Mutex::new(Vec::new());
    let note = |n: Note| notes.lock().expect("one thread").push(n);
    let task = Task {
        program: &program,
        truth: &truth,
        bound: &bound,
        effort: effort(1),
        share: Share::WHOLE,
        note: &note,
        stop: &stop,
    };
    let mut random = Random(41);
    let mut signs = [0; 4];
    for _ in 0..60 {
        let mut any = || errors[random.below(errors.len() as u64) as usize];
        let [a, b] = [any(), any()].map(|(x, error)| Hit::new(x, error));
        let most = a.error.abs().max(b.error.abs());
        signs[2 * usize::from(a.error < 0.0) + usize::from(b.error < 0.0)] += 1;
        let record = kept(vec![Note::Round(0.0), Note::Hit(a.x)]);
        notes.lock().expect("one thread").clear();
        let got = resume(&task, record, Some(b), 0.1, &mut |_| {});
        assert_eq!(got.worst.error.abs(), most, "{a:?} {b:?}");
        assert!(got.stopped && !got.is_exact());
        // What is new is recorded, before anything else; what is stopped has no end.
        let told: Vec<Note> = notes.lock().expect("one thread").drain(..).collect();
        let new = most > a.error.abs();
        assert_eq!(told.first() == Some(&Note::Hit(b.x)), new, "{told:?}");
        assert!(!told.contains(&Note::End));
        // Two shares, each with its worst input.
        let part = |index, hit: Hit| {
            let share = Share { index, count: 2 };
            let mut notes = closing(&bound, 0.0, share);
            notes.extend([Note::Hit(hit.x), Note::End]);
            (share, kept(notes))
        };
        let got = merge(&task, vec![part(0, a), part(1, b)]).expect("both");
        assert!(got.is_exact() && got.upper == most, "{got:?}");
        assert_eq!(got.worst.error.abs(), most, "{a:?} {b:?}");
        // An ended proof is not ended again.
        assert!(!notes.lock().expect("one thread").contains(&Note::End));
    }
    assert!(signs.iter().all(|&n| n > 3), "{signs:?}");
}

/// Whenever a search is stopped, each input above its level is in a stretch that is left open; what goes on from its notes is as if it had
/// not been stopped.
#[test]
fn a_search_may_be_stopped_at_any_step() {
    let (program, truth) = root();
    let inputs = after(1.7, 40_000);
    let bound = coarse(&program, &truth, inputs);
    let errors = all(&program, &truth, inputs);
    let most = errors.iter().map(|e| e.1.magnitude()).fold(0.0, f64::max);
    let mut within = 0;
    for steps in [1, 2, 3, 4, 7, 12, 30, 1000] {
        let stop = AtomicBool::new(false);
        let notes = Mutex::new(Vec::new());
        let note = |n: Note| {
            let mut notes = notes.lock().expect("one thread");
            notes.push(n);
            stop.store(notes.len() >= steps, std::sync::atomic::Ordering::Relaxed);
        };
        let task = Task {
            program: &program,
            truth: &truth,
            bound: &bound,
            effort: effort(1),
            share: Share::WHOLE,
            note: &note,
            stop: &stop,
        };
        let start = || kept(vec![Note::Round(0.2)]);
        let got = resume(&task, start(), None, 0.1, &mut |_| {});
        let level = got.worst.error.abs().max(0.2);
        for (x, error) in &errors {
            let open = || got.open.iter().any(|o| o.cell.lo <= *x && *x <= o.cell.hi);
            assert!(error.least() <= level || open(), "{steps}: {x:e} {got:?}");
        }
        let whole = bound.cells.iter().map(|c| c.cell).collect::<Vec<_>>();
        within += u32::from(got.open.iter().any(|o| !whole.contains(&o.cell)));
        let mut so_far = start();
        notes
            .lock()
            .expect("one thread")
            .drain(..)
            .for_each(|n| so_far.add(n));
        let never = AtomicBool::new(false);
        let task = Task {
            note: &|_| {},
            stop: &never,
            ..task
        };
        let got = resume(&task, so_far, None, 0.1, &mut |_| {});
        assert!(
            got.is_exact() && got.upper == most,
            "{steps}: {got:?} {most}"
        );
    }
    assert!(within > 2, "{within}");
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
