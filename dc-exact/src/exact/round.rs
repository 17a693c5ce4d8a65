//! A round: all pieces of cells above a level are closed, or left open.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use kernels_gen::program::Program;

use super::contradiction::{Claims, Contradiction};
use super::descent::Task;
use super::kept::Kept;
use super::worker::Worker;
use super::{Closed, Effort, Exact, How, Note, Open, Progress, Work};
use crate::bound::RangeBound;
use crate::cell::{Cell, input_format, next};
use crate::law::Truth;
use crate::num::Interval;
use crate::num::float::Format;
use crate::point::Hit;

/// The longest time between two reports of a round's progress.
const LONGEST: Duration = Duration::from_millis(100);
/// The number of parts that a cell is cut into.
const PARTS: u32 = 16;

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

/// What the threads of a round share.
pub(super) struct Shared<'a> {
    pub program: &'a Program,
    pub truth: &'a Truth,
    pub bound: &'a RangeBound,
    pub list: bool,
    pub work: Mutex<Work>,
    pub closed: Mutex<Vec<Closed>>,
    pub runs: AtomicU64,
    pieces: Vec<Piece>,
    queue: Mutex<Queue>,
    /// The bits of the largest known error.
    level: AtomicU64,
    worst: Mutex<Hit>,
    hits: Mutex<Vec<Hit>>,
    open: Mutex<Vec<Open>>,
    /// Among the inputs whose unit is unknown, the one whose error may be the largest, with that error.
    undecided: Mutex<Option<(Hit, f64)>>,
    note: &'a (dyn Fn(Note) + Sync),
    until: Instant,
    stop: &'a AtomicBool,
    /// Whether something was left undone because the time was up.
    stopped: AtomicBool,
    claims: Claims<'a>,
    contradiction: Mutex<Option<Contradiction>>,
    /// Whether there is one.
    contradicted: AtomicBool,
}

/// The queue of pieces.
#[derive(Default)]
struct Queue {
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

    /// A stretch that cannot be closed.
    pub fn leave_open(&self, open: Open) {
        self.note(Note::Open(open.clone()));
        lock(&self.open).push(open);
    }

    /// Records an input whose error may be as large as this but is not decided, see
    /// [`is_decided`](crate::point::is_decided). The worst of them is enough to keep the bracket open.
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

    /// Records a stretch for which the time was not enough.
    pub fn leave_undone(&self, class: Option<usize>, cell: Cell, bound: f64) {
        self.stopped.store(true, Ordering::Relaxed);
        lock(&self.open).push(Open {
            class,
            cell,
            bound,
            why: "there was no time".into(),
        });
    }

    /// Records the pieces that no thread has begun, from this one on: each cell of a class once. Returns the pieces without
    /// a class.
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

    /// Records an evaluated input whose error is certainly at least `least`. If that is above the level, the level is raised.
    pub fn evaluated(&self, hit: Hit, least: f64) {
        if self.list {
            if hit.error.abs() >= self.level() {
                lock(&self.hits).push(hit);
            }
            return;
        }
        if least <= self.level() {
            return;
        }
        let mut worst = lock(&self.worst);
        if least > worst.error.abs() {
            *worst = hit;
            // The step is recorded before any stretch is closed at the new level.
            self.note(Note::Hit(hit.x));
            self.level
                .store(worst.error.abs().to_bits(), Ordering::Relaxed);
        }
    }

    fn progress(&self) -> Progress {
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

/// Proves that no error of the range is larger than the largest known one. If a larger one is found, it becomes the largest known one.
///
/// `bound` is that of the range; `known` is an input with its error: the larger the error, the quicker the proof.
/// `observe` is called at least ten times a second; `stop` ends the proof soon.
#[must_use]
pub fn prove(
    program: &Program,
    truth: &Truth,
    bound: &RangeBound,
    known: Hit,
    effort: Effort,
    stop: &AtomicBool,
    observe: &mut dyn FnMut(Progress),
) -> Exact {
    let task = Task::whole(program, truth, bound, effort, stop);
    let until = Instant::now() + effort.time;
    round(&task, known, Kept::default(), until, observe)
}

/// One round, at the level of `known`, whose input may be NaN. `kept` holds what is done already.
pub(super) fn round(
    task: &Task<'_>,
    known: Hit,
    kept: Kept,
    until: Instant,
    observe: &mut dyn FnMut(Progress),
) -> Exact {
    let bound = task.bound;
    let level = known.error.abs();
    let format = input_format(task.program);
    let mut closed = Vec::new();
    let mut of_bound = 0;
    for bounded in bound.cells.iter().filter(|b| b.error.bound() <= level) {
        of_bound += 1;
        closed.extend(bounded.class.map(|class| Closed {
            class,
            cell: bounded.cell,
            how: How::Bound,
        }));
    }
    let all = pieces(bound, level, format);
    let number = all.len();
    let left = |piece: Piece| {
        // The record has no stretches of a piece with one number, so that it shows nothing: it is closed again.
        let class = bound.cells[piece.bounded].class;
        let done = class.and_then(|_| kept.record.done.get(&piece.number));
        let cell = rest(piece.cell, done)?;
        task.share
            .has(piece.number)
            .then_some(Piece { cell, ..piece })
    };
    let pieces: Vec<Piece> = all.into_iter().filter_map(left).collect();
    // Pieces of cells that are now below the level are closed as a whole.
    closed.extend(
        kept.record
            .closed
            .iter()
            .filter(|c| c.0 < number)
            .map(|c| c.1),
    );
    let shared = Shared {
        program: task.program,
        truth: task.truth,
        bound,
        pieces,
        queue: Mutex::default(),
        level: AtomicU64::new(level.to_bits()),
        worst: Mutex::new(known),
        list: task.effort.list,
        hits: Mutex::default(),
        open: Mutex::new(kept.record.open),
        undecided: Mutex::default(),
        work: Mutex::new(Work {
            of_bound,
            ..Work::default()
        }),
        closed: Mutex::new(closed),
        runs: AtomicU64::new(0),
        note: task.note,
        until,
        stop: task.stop,
        stopped: AtomicBool::new(false),
        claims: Claims::new(bound),
        contradiction: Mutex::default(),
        contradicted: AtomicBool::new(false),
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..task.effort.threads.max(1))
            .map(|_| scope.spawn(|| Worker::new(&shared).run()))
            .collect();
        // The pause begins short, so that short rounds do not wait.
        let mut pause = Duration::from_millis(1);
        while !workers
            .iter()
            .all(std::thread::ScopedJoinHandle::is_finished)
        {
            std::thread::sleep(pause);
            pause = (2 * pause).min(LONGEST);
            observe(shared.progress());
        }
    });
    let mut worst = *lock(&shared.worst);
    if let Some((hit, _)) = *lock(&shared.undecided)
        && worst.x.is_nan()
    {
        // It is certainly below the level, and becomes the lower end of the bracket.
        worst = hit;
    }
    let mut open = std::mem::take(&mut *lock(&shared.open));
    let mut closed = std::mem::take(&mut *lock(&shared.closed));
    // What was above the level when it was left may be below what was found since: then its bound closes it.
    open.retain(|o| {
        let below = o.bound <= worst.error.abs();
        closed.extend(o.class.filter(|_| below).map(|class| Closed {
            class,
            cell: o.cell,
            how: How::Bound,
        }));
        !below
    });
    for cell in &bound.special {
        open.push(Open {
            class: None,
            cell: *cell,
            bound: f64::INFINITY,
            why: "the result or the true value is no finite number, or it has no bound".into(),
        });
    }
    let order = |a: &Open, b: &Open| {
        let bounds = b.bound.total_cmp(&a.bound);
        bounds.then(a.cell.lo.total_cmp(&b.cell.lo))
    };
    open.sort_by(order);
    open.dedup();
    let work = *lock(&shared.work);
    let contradiction = *lock(&shared.contradiction);
    let mut hits = std::mem::take(&mut *lock(&shared.hits));
    hits.sort_by(|a, b| a.x.total_cmp(&b.x));
    hits.dedup();
    Exact {
        hits,
        upper: open.first().map_or(worst.error.abs(), |o| o.bound),
        worst,
        work,
        closed,
        // Where nothing is open, nothing is left that could be closed.
        stopped: shared.stopped.into_inner() && !open.is_empty(),
        open,
        contradiction,
    }
}

/// The pieces of all cells above a level. The worst cells come first, so that a piece has the same number at each level.
pub(super) fn pieces(bound: &RangeBound, level: f64, format: Format) -> Vec<Piece> {
    let above = (bound.cells.iter().enumerate()).filter(|(_, b)| b.error.bound() > level);
    let cells =
        above.flat_map(|(i, b)| cut(b.cell, PARTS, format).into_iter().map(move |c| (i, c)));
    cells
        .enumerate()
        .map(|(number, (bounded, cell))| Piece {
            number,
            bounded,
            cell,
        })
        .collect()
}

/// The part of a piece that is not below the input up to which it is done.
fn rest(cell: Cell, done: Option<&f64>) -> Option<Cell> {
    let lo = done.map_or(cell.lo, |&below| below.max(cell.lo));
    (lo <= cell.hi).then_some(Cell { lo, ..cell })
}

/// Cuts a cell into about this many parts of equal width.
pub(super) fn cut(cell: Cell, parts: u32, format: Format) -> Vec<Cell> {
    let step = (cell.hi - cell.lo) / f64::from(parts);
    let mut all = Vec::new();
    let mut lo = cell.lo;
    for i in 1..=parts {
        let hi = if i == parts {
            cell.hi
        } else {
            format
                .round(cell.lo + step * f64::from(i))
                .clamp(lo, cell.hi)
        };
        all.push(Cell { lo, hi });
        lo = next(hi, format);
        if lo > cell.hi {
            break;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::float::{BINARY32, BINARY64};

    /// A regression test: for binary32 the ends were doubles between two numbers, and the ends of a stretch of one
    /// number were swapped.
    #[test]
    fn parts_tile_a_cell_with_numbers_of_its_format() {
        for format in [BINARY32, BINARY64] {
            for (lo, count) in [(0.006_857_754f32, 7), (-1.0, 40), (1.9999, 1000)] {
                let lo = f64::from(lo);
                let hi = (1..count).fold(lo, |x, _| next(x, format));
                let parts = cut(Cell { lo, hi }, 16, format);
                let mut due = lo;
                for part in &parts {
                    assert_eq!(part.lo, due);
                    assert!(part.lo <= part.hi && format.round(part.hi) == part.hi);
                    due = next(part.hi, format);
                }
                assert_eq!(due, next(hi, format));
                let numbers: u64 = parts.iter().map(|p| p.count(format)).sum();
                assert_eq!(numbers, count);
            }
        }
    }
}
