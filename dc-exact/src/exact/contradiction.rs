//! Evaluated inputs are compared with the claims. If the error of an input is above a bound or level that covers it, this program is wrong.

use std::fmt;
use std::sync::OnceLock;

use crate::bound::RangeBound;
use crate::cell::Cell;
use crate::num::Interval;
use crate::point::Hit;

/// An input with an error above a claim that covers it. One of the two is wrong, so no result of the computation is valid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contradiction {
    /// The input, and the certain part of its error.
    pub hit: Hit,
    /// By the claim, no error is above this, in ULP.
    pub claim: f64,
    /// The claim.
    pub by: Claim,
}

/// The kind of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// The bound of the cells that contain the input.
    Bound,
    /// A level that an earlier round proved.
    Level,
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Contradiction { hit, claim, by } = self;
        let by = match by {
            Claim::Bound => "the certified bound there",
            Claim::Level => "the level that is proven for all inputs",
        };
        write!(
            f,
            "the error at {:e} ({:016x}) is {} ULP or more, above {by}, {claim} ULP",
            hit.x,
            hit.x.to_bits(),
            hit.error.abs(),
        )
    }
}

/// The cells of a bound, to find those that contain an input.
#[derive(Debug)]
pub struct Claims<'a> {
    bound: &'a RangeBound,
    /// Per class, and last the cells without a class. Most inputs are below all bounds, and then no list is made.
    lists: OnceLock<Vec<Vec<Listed>>>,
}

/// A cell with its bound.
#[derive(Debug, Clone, Copy)]
struct Listed {
    cell: Cell,
    bound: f64,
    /// The largest upper end of this cell and of those before it.
    reach: f64,
}

impl<'a> Claims<'a> {
    /// The claims of a bound.
    #[must_use]
    pub fn new(bound: &'a RangeBound) -> Claims<'a> {
        Claims {
            bound,
            lists: OnceLock::new(),
        }
    }

    /// Compares an input's error with the bounds of all cells that contain it; `near` is a bound of one of them.
    #[must_use]
    pub fn compare(&self, x: f64, error: Interval, near: f64) -> Option<Contradiction> {
        let least = error.least();
        if least <= near || self.leaves_out(x) {
            return None;
        }
        let claim = self.at(x);
        (least > claim).then_some(Contradiction {
            hit: Hit { x, error: least },
            claim,
            by: Claim::Bound,
        })
    }

    /// Whether nothing is proven about an input: a bound of a part excludes the others.
    pub(super) fn leaves_out(&self, x: f64) -> bool {
        self.bound.special.iter().any(|c| holds(*c, x))
    }

    /// The largest bound of a cell that contains an input; the bound of the range if no such cell is found.
    fn at(&self, x: f64) -> f64 {
        let lists = self.lists.get_or_init(|| listed(self.bound));
        let mut largest: Option<f64> = None;
        let mut add = |list: &[Listed], x: f64| {
            let end = list.partition_point(|l| l.cell.lo <= x);
            for l in list[..end].iter().rev() {
                if l.reach < x {
                    break;
                }
                if x <= l.cell.hi {
                    largest = Some(largest.map_or(l.bound, |b| b.max(l.bound)));
                }
            }
        };
        if let Some((constants, classes)) = lists.split_last() {
            add(constants, x);
            for (class, list) in self.bound.classes.iter().zip(classes) {
                for member in class.members.iter().filter(|m| holds(m.cell, x)) {
                    let r = if class.reduced { member.reduced(x) } else { x };
                    add(list, r);
                    // The kernel's own argument may be a neighbour.
                    if member.rounded {
                        add(list, r.next_down());
                        add(list, r.next_up());
                    }
                }
            }
        }
        largest.unwrap_or(self.bound.bound)
    }
}

fn holds(cell: Cell, x: f64) -> bool {
    cell.lo <= x
        && x <= cell.hi
        && (x != 0.0 || cell.lo.to_bits() == x.to_bits() || cell.lo < cell.hi)
}

fn listed(bound: &RangeBound) -> Vec<Vec<Listed>> {
    let mut lists = vec![Vec::new(); bound.classes.len() + 1];
    for bounded in &bound.cells {
        lists[bounded.class.unwrap_or(bound.classes.len())].push(Listed {
            cell: bounded.cell,
            bound: bounded.error.bound(),
            reach: bounded.cell.hi,
        });
    }
    for list in &mut lists {
        list.sort_by(|a, b| a.cell.lo.total_cmp(&b.cell.lo));
        let mut reach = f64::NEG_INFINITY;
        for l in list {
            reach = reach.max(l.reach);
            l.reach = reach;
        }
    }
    lists
}
