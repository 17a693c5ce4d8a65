//! Every input of a range is in a cell or is named as excluded, and nothing else is. The classes here are handmade.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use super::super::*;
use super::*;
use crate::cell::random::parsed;
use crate::class::Member;
use crate::law::Law;
use crate::num::dyadic::Random;
use crate::point::error_at;

const ROOT: &str = "  %0: f64 = param\n  %1: f64 = const 0x3ff0000000000000\n  %2: f64 = sqrt %0\n  %3: f64 = div %1, %2\n  return %3\n";
/// It gives one number for each 16 neighbours, whose square root is taken elsewhere.
const STEPS: &str = "  %0: f64 = param\n  %1: i64 = to_bits %0\n  %2: i64 = const 0xfffffffffffffff0\n  %3: i64 = and %1, %2\n  %4: f64 = from_bits %3\n  %5: f64 = const 0x3ff8000000000000\n  %6: mask = lt %0, %5\n  %7: f64 = sqrt %0\n  %8: f64 = select %6, %4, %7\n  return %8\n";

fn cell(lo: f64, hi: f64) -> Cell {
    Cell { lo, hi }
}

fn after(x: f64, n: u64) -> Cell {
    cell(x, f64::from_bits(x.to_bits() + n))
}

/// Whether a bound covers an input, and whether it excludes it.
fn says(bound: &RangeBound, x: f64) -> [bool; 2] {
    let holds = |c: &Cell| c.lo <= x && x <= c.hi;
    let of = |b: &Bounded| match b.class {
        None => holds(&b.cell),
        Some(i) => {
            let class = &bound.classes[i];
            let at = |m: &Member| if class.reduced { m.reduced(x) } else { x };
            let mut members = class.members.iter().filter(|m| holds(&m.cell));
            members.any(|m| b.cell.lo <= at(m) && at(m) <= b.cell.hi)
        }
    };
    [bound.cells.iter().any(of), bound.special.iter().any(holds)]
}

/// All inputs of small stretches, with little effort, and when the time is up after some steps.
#[test]
fn every_input_is_bounded_or_left_out() {
    let [root, steps] = [ROOT, STEPS].map(parsed::program);
    let mut counts = [0; 2];
    for (program, law, inputs) in [
        (&root, Law::RecipSqrt, after(1.3, 300)),
        (&root, Law::RecipSqrt, cell(0.0, f64::from_bits(200))),
        (&steps, Law::Sqrt, after(1.2, 300)),
        (&steps, Law::Ln, after(1.4, 40)),
        (&steps, Law::Ln, after(1.5f64.next_down(), 300)),
    ] {
        let truth = Truth::Law(law);
        for (cells, tolerance) in [(3, 1e-9), (20, 1e-9), (60, 1e-9), (2000, 1e-9), (2000, 1.0)] {
            for stop in [1, 2, 3, 5, 8, 20, 50, 400, u64::MAX] {
                let steps = AtomicU64::new(0);
                let effort = Effort {
                    tolerance,
                    cells,
                    values: 400_000,
                    threads: 1,
                    by_series: false,
                    rounded: false,
                };
                let ends = || steps.fetch_add(1, Relaxed) >= stop;
                let bound = bound_range_until(program, &truth, &[inputs], effort, &ends);
                let context = format!("{law:?} {inputs:?} {cells} {stop}: {bound:?}");
                let mut x = inputs.lo;
                while x <= inputs.hi {
                    let [bounded, left] = says(&bound, x);
                    assert!(bounded || left, "{x:e}: {context}");
                    counts[usize::from(left)] += 1;
                    x = x.next_up();
                }
                // Nothing is claimed or left out that is not of the range.
                let inside = |c: &Cell| inputs.lo <= c.lo && c.lo <= c.hi && c.hi <= inputs.hi;
                let alone = |b: &Bounded| b.class.is_some() || inside(&b.cell);
                assert!(bound.special.iter().all(inside), "{context}");
                assert!(bound.cells.iter().all(alone), "{context}");
                // The largest bound is the first, and the others follow in order.
                let in_order = |a: &Bounded, b: &Bounded| a.error.bound() >= b.error.bound();
                assert!(bound.cells.is_sorted_by(in_order), "{context}");
                let first = bound.cells.first().map_or(0.0, |c| c.error.bound());
                assert_eq!(first, bound.bound, "{context}");
                assert!(bound.unfinished || bound.special.len() < 3, "{context}");
            }
        }
    }
    assert!(counts.iter().all(|&n| n > 5000), "{counts:?}");
}

/// A class of a kernel, with members in which its argument is `x 2^-by`.
fn class(program: &Program, truth: &Truth, members: &[(Cell, i32, i32)]) -> Class {
    let bound = bound_range(program, truth, &[cell(1.25, 1.75)], Effort::default());
    let mut class = bound.classes[0].clone();
    class.reduced = true;
    class.members = (members.iter())
        .map(|&(core, by, grid)| Member {
            cell: cell(core.lo * power(by), core.hi * power(by)),
            shift: crate::num::Ball::ZERO,
            by,
            scale: -by / 2,
            eta: crate::num::Ball::ZERO,
            core,
            grid,
            rounded: false,
        })
        .collect();
    class
}

fn search<'a>(program: &'a Program, truth: &'a Truth, classes: &'a [Class]) -> Search<'a> {
    Search {
        context: Context {
            program,
            truth,
            classes,
            ends: &|| false,
        },
        heap: BinaryHeap::new(),
        special: Vec::new(),
        singles: Vec::new(),
        looked: 0,
        most: 1 << 20,
        exhausted: false,
        given_up: HashSet::new(),
    }
}

#[test]
fn what_is_left_of_a_reduced_class_is_its_members() {
    let (program, truth) = (parsed::program(ROOT), Truth::Law(Law::Ln));
    let members = [(cell(1.25, 1.5), 0, -52), (cell(1.375, 1.75), 4, -50)];
    let reduced = class(&program, &truth, &members);
    let plain = Class {
        reduced: false,
        ..reduced.clone()
    };
    let classes = [reduced, plain];
    let new = || search(&program, &truth, &classes);
    let own = [cell(1.25, 1.5), cell(22.0, 28.0)];
    for (part, due) in [
        (cell(1.3, 1.31), &own[..1]),
        (cell(1.4, 1.41), &own[..]),
        (cell(1.6, 1.61), &own[1..]),
    ] {
        let mut one = new();
        one.give_up(Some(0), part);
        assert_eq!(one.special, due);
        for class in [None, Some(1)] {
            let mut one = new();
            one.give_up(class, part);
            one.leave(class, part);
            assert_eq!(one.special, [part, part]);
        }
        let mut one = new();
        one.leave(Some(0), part);
        one.leave(Some(0), part);
        assert_eq!(one.special, own);
    }
    // The grid is the finest of the members there.
    for (part, due) in [
        (cell(1.3, 1.31), Some(-52)),
        (cell(1.4, 1.41), Some(-52)),
        (cell(1.6, 1.61), Some(-50)),
        (cell(1.8, 1.81), None),
    ] {
        assert_eq!(grid_on(&classes[0], part), due);
        assert_eq!(grid_on(&classes[1], part), None);
    }
    // The range of a reduced argument is not the function's.
    let below = cell(-2.0, -1.0);
    let one = new();
    assert!(truth.nowhere(below) && !one.nowhere(Some(0), below));
    assert!(one.nowhere(Some(1), below) && one.nowhere(None, below));
}

/// A reduced argument stands for inputs of several members. The worst of them counts, in any order.
#[test]
fn an_argument_has_the_error_of_its_worst_input() {
    let program = parsed::program(ROOT);
    let truth = Truth::Law(Law::RecipSqrt);
    // The kernel's errors of copies by odd powers of two differ.
    let of = |bys: [i32; 3]| {
        let members = bys.map(|by| (cell(1.25, 1.75), by, -52));
        [class(&program, &truth, &members)]
    };
    let mut values = Values::new(&program);
    let mut differ = 0;
    for bys in [[0, 1, 2], [3, 2, 1], [1, 0, 1]] {
        let classes = of(bys);
        let one = search(&program, &truth, &classes);
        for n in 0..40u64 {
            let r = f64::from_bits(1.3f64.to_bits() + n);
            let errors = bys.map(|by| {
                let error = error_at(&program, &truth, &mut values, r * power(by));
                error.expect("a number").magnitude()
            });
            let largest = errors.into_iter().fold(0.0, f64::max);
            differ += u32::from(errors[0] != errors[1]);
            let bound = one.context.of_point(0, r, &mut 0).expect("a bound").bound();
            assert!((bound - largest).abs() < 1e-9, "{r:e}: {bound} {errors:?}");
            assert_eq!(one.context.inputs_of(0, r).len(), 3);
        }
    }
    assert!(differ > 50);
}

/// In a reduced class too, only single inputs at which the function has no value are excluded.
#[test]
fn cells_next_to_a_pole_are_bounded() {
    let program = parsed::program(ROOT);
    let truth = Truth::Law(Law::RecipSqrt);
    let members = [(cell(0.0, 1e-300), 0, -1074)];
    let classes = [class(&program, &truth, &members)];
    let mut one = search(&program, &truth, &classes);
    one.add(Some(0), cell(0.0, 1e-300), &Tight::new());
    assert_eq!(one.special, [cell(0.0, 0.0)]);
    assert!(one.heap.len() > 10);
    // A part that is not bounded after some steps is left out as a whole.
    for most in 0..20 {
        let plain = Class {
            reduced: false,
            ..classes[0].clone()
        };
        let classes = [plain];
        let mut one = search(&program, &truth, &classes);
        one.most = most;
        one.add(Some(0), cell(0.0, 1e-300), &Tight::new());
        let bounded = one.heap.iter().map(|b| b.cell.cell);
        let all: Vec<Cell> = bounded.chain(one.special.iter().copied()).collect();
        for x in [0.0, 5e-324, 1e-320, 1e-310, 1e-305, 1e-302, 9e-301, 1e-300] {
            let holds = |c: &Cell| c.lo <= x && x <= c.hi;
            assert!(all.iter().any(holds), "{most}: {x:e} {all:?}");
        }
        assert!(one.exhausted && !one.special.is_empty(), "{most}");
    }
}

#[test]
fn a_cell_is_cut_at_a_place_into_all_of_it() {
    let mut random = Random(31);
    let mut counted = 0;
    for round in 0..4000 {
        let lo = random.number(300);
        let count = 2 + random.below(80);
        let hi = (0..count).fold(lo, |x, _| x.next_up());
        let place = match random.below(4) {
            0 => 0.999,
            1 => 0.001,
            _ => random.unit(),
        };
        let whole = cell(lo, hi);
        if let Some((a, b)) = at_place(whole, place, BINARY64) {
            let next = a.hi.next_up();
            assert!(
                a.lo == lo && b.hi == hi && b.lo == next && a.lo <= a.hi && b.lo <= b.hi,
                "{round}: {whole:?} at {place}: {a:?} {b:?}"
            );
            counted += 1;
        }
    }
    assert!(counted > 1000);
}

/// Cells that are refined at once are taken in the order in which they would be refined one by one.
#[test]
fn a_bound_does_not_depend_on_the_number_of_threads() {
    let program = parsed::program(ROOT);
    let truth = Truth::Law(Law::RecipSqrt);
    let range = [cell(1.0, 4096.0)];
    let of = |threads| {
        let effort = Effort {
            threads,
            tolerance: 1e-7,
            ..Effort::default()
        };
        bound_range(&program, &truth, &range, effort)
    };
    let one = of(1);
    assert!(one.looked > 500 && !one.unfinished, "{}", one.looked);
    for x in [1.0, 1.5, 3.0, 77.0, 1024.0, 4095.5, 4096.0] {
        assert_eq!(says(&one, x), [true, false], "{x}");
    }
    for threads in [2, 5] {
        let other = of(threads);
        let text = |b: &RangeBound| format!("{:?} {:?} {}", b.cells, b.special, b.looked);
        assert!(text(&other) == text(&one), "{threads}");
    }
}
