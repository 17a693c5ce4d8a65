//! Records and claims, on bounds that are made by hand.

mod closing;
mod levels;
mod runs;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::{Duration, Instant};

use kernels_gen::program::Program;

use super::contradiction::Claims;
use super::journal::About;
use super::kept::{Kept, Note, Share};
use super::round::pieces;
use super::shared::{Piece, Shared};
use super::{Closed, Effort, How, NoMerge, Open, Task, Work, merge, prove, resume};
use crate::bound::{self, Bounded, RangeBound, bound_range};
use crate::cell::random::parsed;
use crate::cell::{Cell, Tight, Values};
use crate::class::{Class, Member};
use crate::error::CellError;
use crate::law::{Law, Truth};
use crate::num::dyadic::Random;
use crate::num::float::BINARY64;
use crate::num::{Ball, Interval};
use crate::point::{Hit, error_at};

const ROOT: &str = "  %0: f64 = param\n  %1: f64 = const 0x3ff0000000000000\n  %2: f64 = sqrt %0\n  %3: f64 = div %1, %2\n  return %3\n";

fn cell(lo: f64, hi: f64) -> Cell {
    Cell { lo, hi }
}

fn root() -> (Program, Truth) {
    (parsed::program(ROOT), Truth::Law(Law::RecipSqrt))
}

fn bounded(class: Option<usize>, cell: Cell, most: f64) -> Bounded {
    Bounded {
        class,
        cell,
        case: Tight::new(),
        error: CellError {
            error: Interval::symmetric(most),
            most,
            ..CellError::none()
        },
    }
}

/// A bound without cells, and a class without members.
fn blank() -> (RangeBound, Class) {
    let (program, truth) = root();
    let mut bound = bound_range(
        &program,
        &truth,
        &[cell(1.5, 1.5 + 1e-12)],
        bound::Effort::default(),
    );
    let mut class = bound.classes.pop().expect("a class");
    class.members.clear();
    bound.cells.clear();
    bound.classes.clear();
    bound.special.clear();
    (bound, class)
}

fn member(cell: Cell) -> Member {
    Member {
        cell,
        shift: Ball::ZERO,
        by: 0,
        scale: 0,
        eta: Ball::ZERO,
        core: cell,
        grid: -52,
        rounded: false,
    }
}

#[test]
fn an_input_is_compared_with_all_cells_that_hold_it() {
    let (blank, class) = blank();
    let mut random = Random(5);
    let mut found = [0; 2];
    for round in 0..1500 {
        let mut end = || match random.below(14) {
            13 => -0.0,
            n => n as f64 - 6.0,
        };
        let mut any = || {
            let (a, b) = (end(), end());
            match a.total_cmp(&b).is_le() {
                true => cell(a, b),
                false => cell(b, a),
            }
        };
        let mut bound = blank.clone();
        for _ in 0..2 {
            let members = vec![member(any()), member(any())];
            bound.classes.push(Class {
                members,
                ..class.clone()
            });
        }
        if round % 2 == 0 {
            bound.special.extend([any(), any()]);
        }
        let mut cells = [any(), any(), any(), any(), any(), any()].to_vec();
        if round % 3 == 0 {
            cells.clear();
        }
        bound.bound = 3.0;
        for cell in cells {
            let class = [None, Some(0), Some(1)][random.below(3) as usize];
            bound
                .cells
                .push(bounded(class, cell, random.below(4) as f64));
        }
        let claims = Claims::new(&bound);
        for x in (-7..=7).map(f64::from).chain([-0.0]) {
            let within = |c: &Cell| c.lo <= x && x <= c.hi;
            // A zero is not the other one where that is alone.
            let sole =
                |c: &Cell| within(c) && (x != 0.0 || c.lo != c.hi || c.lo.to_bits() == x.to_bits());
            let covers = |b: &&Bounded| match b.class {
                None => within(&b.cell),
                Some(i) => {
                    within(&b.cell) && bound.classes[i].members.iter().any(|m| sole(&m.cell))
                }
            };
            let covering = bound.cells.iter().filter(covers).map(|b| b.error.bound());
            let claim = covering.reduce(f64::max).unwrap_or(bound.bound);
            for least in 0..5 {
                let (least, near) = (f64::from(least), random.below(3) as f64);
                let error = Interval::new(-least - 1.0, -least);
                let due = least > near && least > claim && !bound.special.iter().any(sole);
                let got = claims.compare(x, error, near);
                assert_eq!(
                    got.is_some(),
                    due,
                    "{round}: {x} {least} {near} {claim} {bound:?}"
                );
                assert!(got.is_none_or(|g| g.claim == claim && g.hit.error == least));
                found[usize::from(due)] += 1;
            }
        }
    }
    assert!(found.iter().all(|&n| n > 1000), "{found:?}");
}

/// Two cells of class 0, one of class 1, and a number of its own.
fn four_cells() -> RangeBound {
    let (mut bound, class) = blank();
    let of = |cell: Cell| Class {
        members: vec![member(cell)],
        ..class.clone()
    };
    bound.classes = vec![of(cell(1.0, 3.0)), of(cell(4.0, 5.0))];
    bound.cells = vec![
        bounded(Some(0), cell(1.0, 2.0), 5.0),
        bounded(Some(0), cell(2f64.next_up(), 3.0), 4.0),
        bounded(Some(1), cell(4.0, 5.0), 3.0),
        bounded(None, cell(6.0, 6.0), 2.75),
    ];
    bound.special = vec![cell(7.0, 8.0)];
    bound.bound = 5.0;
    bound
}

/// The record of a round in which a share's pieces are closed as a whole.
fn closing(bound: &RangeBound, level: f64, share: Share) -> Vec<Note> {
    let mut notes = vec![Note::Round(level)];
    for p in pieces(bound, level, BINARY64)
        .into_iter()
        .filter(|p| share.has(p.number))
    {
        if let Some(class) = bound.cells[p.bounded].class {
            notes.push(Note::Closed {
                piece: p.number,
                closed: Closed {
                    class,
                    cell: p.cell,
                    how: How::Lattice,
                },
            });
        }
        notes.push(Note::Done {
            piece: p.number,
            below: f64::INFINITY,
        });
    }
    notes
}

fn kept(notes: Vec<Note>) -> Kept {
    let mut kept = Kept::default();
    notes.into_iter().for_each(|n| kept.add(n));
    kept
}

#[test]
fn forged_records_are_refused() {
    let bound = four_cells();
    let share = Share { index: 1, count: 2 };
    let first = || closing(&bound, 3.5, share);
    let both = || [first(), closing(&bound, 2.5, share)].concat();
    let says = |notes: Vec<Note>| {
        kept(notes)
            .supported(&bound, share)
            .err()
            .unwrap_or_default()
    };
    assert_eq!(says(vec![]), "");
    assert_eq!(says(first()), "");
    assert_eq!(says(both()), "");
    // Levels descend from the bound.
    for level in [5.5, -0.5, f64::NAN] {
        assert!(
            says(vec![Note::Round(level)]).contains("has the level"),
            "{level}"
        );
    }
    let rising = [first(), vec![Note::Round(4.0)]].concat();
    assert!(says(rising).contains("has the level 4 where none can be above 3.5"));
    // A round is complete before the next.
    let done = |n: &Note| matches!(n, Note::Done { .. });
    let mut short = both();
    let at = short.iter().position(done).expect("a piece");
    short.remove(at);
    assert!(says(short).contains("is not done"));
    let mut part = both();
    if let Note::Done { below, .. } = &mut part[at] {
        *below = 1.07;
    }
    assert!(says(part).contains("is not done"));
    let open = |class| {
        Note::Open(Open {
            class,
            cell: cell(1.0, 1.1),
            bound: 5.0,
            why: "why".into(),
        })
    };
    let mut left = both();
    left.insert(1, open(Some(0)));
    assert!(says(left).contains("leaves 1e0 to 1.1e0 open"));
    // Stretches are parts of the pieces, and together all of them.
    let forged = |f: &dyn Fn(&mut Closed)| {
        let mut notes = first();
        let Note::Closed { closed, .. } = &mut notes[1] else {
            panic!("a stretch")
        };
        f(closed);
        says(notes)
    };
    let other = "which is no part of piece 1";
    assert_eq!(forged(&|_| ()), "");
    assert!(forged(&|c| c.class = 1).contains(other));
    assert!(forged(&|c| c.cell.lo = c.cell.lo.next_down()).contains(other));
    assert!(forged(&|c| c.cell.hi = c.cell.hi.next_up()).contains(other));
    assert!(forged(&|c| c.cell = cell(c.cell.hi, c.cell.lo)).contains(other));
    assert!(
        forged(&|c| c.cell.hi = c.cell.hi.next_down()).contains("no stretch of it is closed at")
    );
    assert!(forged(&|c| c.cell.lo = c.cell.lo.next_up()).contains("no stretch of it is closed at"));
    // Of this share, and of this bound.
    let named = |piece| Note::Done { piece, below: 0.0 };
    assert!(says(vec![Note::Round(3.5), named(2)]).contains("another shard"));
    assert!(
        says(vec![Note::Round(3.5), named(33)])
            .contains("it names piece 33, and at 3.5 ULP there are 32")
    );
    assert_eq!(says(vec![Note::Round(3.5), named(31)]), "");
    // Before a level there is nothing.
    let stretch = first().swap_remove(1);
    for notes in [
        vec![named(1)],
        vec![stretch.clone()],
        vec![named(1), stretch],
    ] {
        assert_eq!(says(notes), "it names pieces before a level");
    }
    // Inputs of members, of cells of one number, and special ones.
    for x in [1.0, 1.5, 3.0, 4.0, 5.0, 6.0, 7.0, 7.5, 8.0] {
        assert_eq!(says(vec![Note::Hit(x)]), "", "{x}");
    }
    for x in [0.5, 3.5, 5.5, 6.5, 8.5, f64::NAN] {
        assert!(
            says(vec![Note::Hit(x)]).contains("none of the range"),
            "{x}"
        );
    }
    let mut alone = four_cells();
    alone.classes.iter_mut().for_each(|c| c.members.clear());
    alone.special.clear();
    assert!(kept(vec![Note::Hit(6.0)]).supported(&alone, share).is_ok());
    assert!(kept(vec![Note::Hit(1.5)]).supported(&alone, share).is_err());
}

#[test]
fn rounds_and_shares_are_kept_apart() {
    let bound = four_cells();
    let first = || closing(&bound, 3.5, Share::WHOLE);
    let mut all = kept([first(), vec![Note::End]].concat());
    assert!(all.ended && all.earlier.is_empty());
    let (done, closed) = (all.record.done.len(), all.record.closed.len());
    all.add(Note::Round(2.5));
    assert!(!all.ended && all.record.done.is_empty());
    assert_eq!(
        (all.earlier.len(), all.earlier[0].level, all.proven),
        (1, 3.5, Some(3.5))
    );
    assert_eq!(all.earlier[0].record.closed.len(), closed);
    let mut other = kept(first());
    other.add(Note::Open(Open {
        class: None,
        cell: cell(6.0, 6.0),
        bound: 2.75,
        why: "why".into(),
    }));
    all.join(other);
    let record = &all.record;
    assert_eq!(
        (record.done.len(), record.closed.len(), record.open.len()),
        (done, closed, 1)
    );
}

/// Whatever numbers of pieces and stretches refer to is part of a proof's subject.
#[test]
fn the_subject_names_every_part_of_a_bound() {
    let (program, truth) = root();
    let about = |bound: &RangeBound| About::new("s", "1..2", 5, &program, &truth, bound);
    let case = |b: &mut RangeBound, site, values| {
        b.cells[0].case.insert(site, values);
    };
    let mut bound = four_cells();
    case(&mut bound, 3, Interval::new(1.0, 2.0));
    let whole = about(&bound);
    assert_eq!(whole.difference(&about(&bound)), None);
    let changes: [&dyn Fn(&mut RangeBound); 16] = [
        &|b| b.cells[1].class = Some(1),
        &|b| b.cells[1].class = None,
        &|b| b.cells[1].cell.lo = 2.5,
        &|b| b.cells[1].cell.hi = 2.5,
        &|b| b.cells[1].error.most = 3.9,
        &|b| b.cells.swap(0, 1),
        &|b| case(b, 3, Interval::new(1.5, 2.0)),
        &|b| case(b, 3, Interval::new(1.0, 1.5)),
        &|b| {
            b.cells[0].case.clear();
            case(b, 4, Interval::new(1.0, 2.0));
        },
        &|b| b.cells[0].case.clear(),
        &|b| b.classes[1].members[0].cell.lo = 4.5,
        &|b| b.classes[1].members[0].cell.hi = 4.5,
        &|b| b.special[0].lo = 7.5,
        &|b| b.special[0].hi = 7.5,
        &|b| b.special.clear(),
        // The same members, of another class.
        &|b| {
            let moved = b.classes[1].members.pop();
            b.classes[0].members.extend(moved);
        },
    ];
    for (i, change) in changes.iter().enumerate() {
        let mut other = bound.clone();
        change(&mut other);
        let found = whole.difference(&about(&other));
        assert_eq!(found.map(|f| f.0), Some("bound"), "{i}");
    }
}
