//! Levels within the enclosures of errors, the worst of several inputs, and searches that are stopped at any step.

use super::closing::{after, all, coarse, effort, proved, unknown};
use super::*;
use crate::exact::net;

/// 1 plus 16 units or the input, and the square of the input's root, of which it is not known on which side of 1 it is.
const LEAST: &str = "  %0: f64 = param\n  %1: f64 = const 0x3ff0000000000010\n  %2: f64 = max %0, %1\n  return %2\n";
const SQUARE: &str =
    "  %0: f64 = param\n  %1: f64 = sqrt %0\n  %2: f64 = mul %1, %1\n  return %2\n";

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

/// Whenever a search is stopped, each input is in a stretch that is closed or left open, above its level only in one that is open. What goes
/// on from its notes is as if it had not been stopped.
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
            let at = |c: &Cell| c.lo <= *x && *x <= c.hi;
            let open = got.open.iter().any(|o| at(&o.cell));
            let closed = got.closed.iter().any(|c| at(&c.cell));
            assert!(open || closed, "{steps}: {x:e} {got:?}");
            assert!(open || error.least() <= level, "{steps}: {x:e} {got:?}");
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

/// A bound of a part of the inputs says nothing of the others: an input of these with a larger error is no contradiction, and what is
/// left out stays open. An input of the part is one.
#[test]
fn an_input_that_the_bound_leaves_out_is_no_contradiction() {
    let (program, truth) = root();
    let mut bound = coarse(&program, &truth, after(1.7, 5));
    let mut values = Values::new(&program);
    let larger = (0..4000)
        .map(|n| 1.0 + f64::from(n) / 4096.0)
        .find_map(|x| {
            let error = error_at(&program, &truth, &mut values, x)?;
            (error.least() > 1.01 * bound.bound).then(|| Hit::new(x, error))
        });
    let larger = larger.expect("an input with a larger error");
    let stop = AtomicBool::new(false);
    let got = |bound: &RangeBound| {
        let task = Task::whole(&program, &truth, bound, effort(1), &stop);
        resume(&task, Kept::default(), Some(larger), 0.1, &mut |_| {})
    };
    assert!(got(&bound).contradiction.is_some());
    bound.special = vec![cell(larger.x.next_down(), larger.x)];
    let got = got(&bound);
    assert!(got.contradiction.is_none() && !got.is_exact(), "{got:?}");
    assert!(got.worst == larger && got.upper >= larger.error.abs());
    assert!(got.open.iter().any(|o| o.cell.hi == larger.x));
}
