//! The data that the threads of a round share.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use kernels_gen::program::Program;

use super::contradiction::{Claims, Contradiction};
use super::kept::Note;
use super::{Closed, Open, Progress, Work};
use crate::bound::RangeBound;
use crate::cell::Cell;
use crate::law::Truth;
use crate::num::Interval;
use crate::point::Hit;

/// A part of a cell that is above the level.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    /// Its number, which is the same at every level.
    pub number: usize,
    /// The index of the cell.
    pub bounded: usize,
    /// The part of it that is not done.
    pub cell: Cell,
}

/// The data that the threads of a round share.
pub(super) struct Shared<'a> {
    pub program: &'a Program,
    pub truth: &'a Truth,
    pub bound: &'a RangeBound,
    pub list: bool,
    pub work: Mutex<Work>,
    pub closed: Mutex<Vec<Closed>>,
    pub runs: AtomicU64,
    pub(super) pieces: Vec<Piece>,
    pub(super) queue: Mutex<Queue>,
    /// The bits of the largest known error.
    pub(super) level: AtomicU64,
    pub(super) worst: Mutex<Hit>,
    pub(super) hits: Mutex<Vec<Hit>>,
    pub(super) open: Mutex<Vec<Open>>,
    /// Among the inputs whose unit is unknown, the one whose error may be the largest, with that error.
    pub(super) undecided: Mutex<Option<(Hit, f64)>>,
    pub(super) note: &'a (dyn Fn(Note) + Sync),
    pub(super) until: Instant,
    pub(super) stop: &'a AtomicBool,
    /// Whether work was left undone because the time was up.
    pub(super) stopped: AtomicBool,
    pub(super) claims: Claims<'a>,
    pub(super) contradiction: Mutex<Option<Contradiction>>,
    /// Whether there is a contradiction.
    pub(super) contradicted: AtomicBool,
}

/// The queue of pieces.
#[derive(Default)]
pub(super) struct Queue {
    next: usize,
    under_way: BTreeSet<usize>,
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared<'_> {
    pub fn level(&self) -> f64 {
        f64::from_bits(self.level.load(Ordering::Relaxed))
    }

    /// Whether the time is up, or the end was requested.
    pub fn ends(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
            || self.contradicted.load(Ordering::Relaxed)
            || Instant::now() >= self.until
    }

    /// Compares an evaluated input with the bounds of the cells that contain it, of which one is `near`.
    pub fn compare(&self, x: f64, error: Interval, near: f64) {
        if let Some(found) = self.claims.compare(x, error, near) {
            *lock(&self.contradiction) = Some(found);
            self.contradicted.store(true, Ordering::Relaxed);
        }
    }

    /// The next piece, with its index among all pieces.
    pub fn take(&self) -> Option<(usize, Piece)> {
        let mut queue = lock(&self.queue);
        let at = queue.next;
        let piece = *self.pieces.get(at)?;
        queue.next += 1;
        queue.under_way.insert(at);
        Some((at, piece))
    }

    pub fn done(&self, at: usize) {
        lock(&self.queue).under_way.remove(&at);
    }

    pub fn note(&self, note: Note) {
        (self.note)(note);
    }

    /// Records a stretch that cannot be closed.
    pub fn leave_open(&self, open: Open) {
        self.note(Note::Open(open.clone()));
        lock(&self.open).push(open);
    }

    /// Records an input whose error may be as large as this but is undecided; see [`is_decided`](crate::point::is_decided). The worst of
    /// them suffices to keep the bracket open.
    pub fn undecided(&self, hit: Hit, most: f64) {
        if most <= self.level() {
            return;
        }
        let mut worst = lock(&self.undecided);
        if worst.is_none_or(|w| most > w.1) {
            *worst = Some((hit, most));
            self.leave_open(Open {
                class: None,
                cell: Cell {
                    lo: hit.x,
                    hi: hit.x,
                },
                bound: most,
                why:
                    "the true value may be on either side of a power of two, where its unit changes"
                        .into(),
            });
        }
    }

    /// Records a stretch for which there was not enough time.
    pub fn leave_undone(&self, class: Option<usize>, cell: Cell, bound: f64) {
        self.stopped.store(true, Ordering::Relaxed);
        lock(&self.open).push(Open {
            class,
            cell,
            bound,
            why: "there was no time".into(),
        });
    }

    /// Records the pieces that no thread has begun, from this one on, with each cell of a class once. Returns the pieces without a class.
    pub fn leave_rest(&self, at: usize, piece: Piece) -> Vec<Piece> {
        let next = {
            let mut queue = lock(&self.queue);
            queue.under_way.remove(&at);
            std::mem::replace(&mut queue.next, self.pieces.len())
        };
        let rest = self.pieces.get(next..).unwrap_or_default();
        let has_class = |p: &&Piece| self.bound.cells[p.bounded].class.is_some();
        let (of_classes, constants): (Vec<&Piece>, Vec<&Piece>) =
            std::iter::once(&piece).chain(rest).partition(has_class);
        let mut left: Vec<Piece> = Vec::new();
        for piece in of_classes {
            match left.last_mut() {
                Some(last) if last.bounded == piece.bounded => last.cell.hi = piece.cell.hi,
                _ => left.push(*piece),
            }
        }
        for piece in left {
            let bounded = &self.bound.cells[piece.bounded];
            self.leave_undone(bounded.class, piece.cell, bounded.error.bound());
        }
        constants.into_iter().copied().collect()
    }

    /// Records an evaluated input. If its error may be above the level, the level is raised to it, so that no error of an evaluated
    /// input is above the level.
    pub fn evaluated(&self, hit: Hit) {
        let error = hit.error.abs();
        if self.list {
            if error >= self.level() {
                lock(&self.hits).push(hit);
            }
            return;
        }
        if error <= self.level() {
            return;
        }
        let mut worst = lock(&self.worst);
        if error > worst.error.abs() {
            *worst = hit;
            // The step is recorded before any stretch is closed at the new level.
            self.note(Note::Hit(hit.x));
            self.level.store(error.to_bits(), Ordering::Relaxed);
        }
    }

    pub(super) fn progress(&self) -> Progress {
        let (done, first) = {
            let queue = lock(&self.queue);
            let first = queue.under_way.first().copied().unwrap_or(queue.next);
            (queue.next - queue.under_way.len(), first)
        };
        let level = self.level();
        let above = self.pieces.get(first).map_or(level, |p| {
            self.bound.cells[p.bounded].error.bound().max(level)
        });
        let open = lock(&self.open)
            .iter()
            .map(|o| o.bound)
            .fold(above, f64::max);
        let worst = *lock(&self.worst);
        Progress {
            pieces: (done, self.pieces.len()),
            lower: (!worst.x.is_nan()).then_some(worst.error.abs()),
            upper: open,
            level,
            runs: self.runs.load(Ordering::Relaxed),
        }
    }
}
