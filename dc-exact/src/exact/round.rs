//! A round: all pieces of cells above a level are closed, or left open.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::{Duration, Instant};

use kernels_gen::program::Program;

use super::contradiction::Claims;
use super::cut::cut;
use super::kept::Kept;
use super::shared::{Piece, Shared, lock};
use super::task::Task;
use super::worker::Worker;
use super::{Closed, Effort, Exact, How, Open, Progress, Work};
use crate::bound::RangeBound;
use crate::cell::{Cell, input_format};
use crate::lattice::fault_injection::inherited;
use crate::law::Truth;
use crate::num::float::Format;
use crate::point::Hit;

/// The longest time between two reports of a round's progress.
const LONGEST: Duration = Duration::from_millis(100);
/// The number of parts into which a cell is cut.
const PARTS: u32 = 16;

/// Proves that no error of the range is larger than the largest known one. If a larger one is found, it becomes the largest known one.
///
/// `bound` is the bound of the range. `known` is an input with its error; the larger the error, the faster the proof. `observe` is called
/// at least ten times a second; `stop` ends the proof soon.
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

/// One round, at the level of `known`, whose input may be NaN. `kept` has the work that is already done.
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
            .map(|_| scope.spawn(inherited(|| Worker::new(&shared).run())))
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
    let mut hits = std::mem::take(&mut *lock(&shared.hits));
    hits.sort_by(|a, b| a.x.total_cmp(&b.x));
    hits.dedup();
    let mut worst = *lock(&shared.worst);
    let level = hits
        .iter()
        .fold(worst.error.abs(), |most, h| most.max(h.error.abs()));
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
        let below = o.bound <= level;
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
    Exact {
        hits,
        upper: open.first().map_or(level, |o| o.bound.max(level)),
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
