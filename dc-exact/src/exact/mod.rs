//! The exact maximum: a level that is attained, and a proof that no input is above it.
//!
//! Every cell of the bound whose bound is above the level is cut into chunks of some hundred runs. A chunk is *static* (its
//! own bound is not above the level), or searched by *lattice* (`lattice::proof`: all inputs above the level are among the
//! candidates, each of which is evaluated), or by *brute force*, input by input, where it is small; else it is cut further,
//! and what cannot be cut stays *open*: the maximum is then a bracket.

mod worker;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use kernels_gen::program::Program;

use crate::bound::RangeBound;
use crate::cell::Cell;
use crate::law::Truth;
use crate::point::Hit;
use worker::Worker;

/// How a proof is done.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Threads.
    pub threads: usize,
    /// It ends after this time, with what is then open.
    pub time: Duration,
    /// Whether the level stays where it is, and all inputs with an error of at least it are listed.
    pub list: bool,
}

/// What is known when a proof ends.
#[derive(Debug, Clone)]
pub struct Exact {
    /// The worst input and its error, evaluated.
    pub worst: Hit,
    /// No error of an input is larger, in magnitude: equal to that of `worst` where nothing is open.
    pub upper: f64,
    /// Cells that keep the bracket open, the worst first.
    pub open: Vec<Open>,
    /// All inputs with an error of at least the level, in order, where they were asked for.
    pub hits: Vec<Hit>,
    /// What was done.
    pub work: Work,
    /// The stretches of classes' inputs that were closed, and how.
    pub closed: Vec<Closed>,
}

/// A stretch of a class's inputs of which it is proven that no error is above the level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Closed {
    /// The class.
    pub class: usize,
    /// The stretch.
    pub cell: Cell,
    /// By what.
    pub how: How,
}

/// How a stretch was closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// Its bound is not above the level.
    Bound,
    /// Lattices: every input above the level was among the candidates.
    Lattice,
    /// Its inputs were evaluated.
    Inputs,
}

impl Exact {
    /// Whether the maximum is proven.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.open.is_empty()
    }
}

/// A stretch of a core's inputs that is not closed.
#[derive(Debug, Clone)]
pub struct Open {
    /// Its class.
    pub class: Option<usize>,
    /// The stretch: of inputs, where it has no class.
    pub cell: Cell,
    /// Its bound.
    pub bound: f64,
    /// Why.
    pub why: String,
}

/// What was done.
#[derive(Debug, Clone, Copy, Default)]
pub struct Work {
    /// Cells and chunks that their bound closed.
    pub of_bound: u64,
    /// Chunks that lattices closed.
    pub lattice: u64,
    /// Runs of them.
    pub runs: u64,
    /// Inputs of cores in these runs.
    pub inputs: f64,
    /// Candidates that were evaluated.
    pub candidates: u64,
    /// Inputs that were evaluated one by one.
    pub brute: u64,
}

/// Progress of a proof.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// Cells done, of those to do.
    pub cells: (usize, usize),
    /// The level so far.
    pub level: f64,
    /// Runs so far.
    pub runs: u64,
}

struct Shared<'a> {
    program: &'a Program,
    truth: &'a Truth,
    bound: &'a RangeBound,
    /// The cells above the level, cut into pieces.
    pieces: Vec<(usize, Cell)>,
    next: AtomicUsize,
    /// Bits of the largest error known.
    level: AtomicU64,
    worst: Mutex<Hit>,
    list: bool,
    hits: Mutex<Vec<Hit>>,
    open: Mutex<Vec<Open>>,
    work: Mutex<Work>,
    closed: Mutex<Vec<Closed>>,
    runs: AtomicU64,
    until: Instant,
    stop: &'a AtomicBool,
}

/// Proves that no error of the range is larger than the largest known, which is raised where one is found.
///
/// `bound` is of the range; `known` is an input with its error, the better the quicker. `observe` is called about once a
/// second; `stop` ends the proof soon.
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
    let level = known.error.abs();
    let mut pieces = Vec::new();
    let mut closed = Vec::new();
    for (i, bounded) in bound.cells.iter().enumerate() {
        if bounded.error.bound() <= level {
            closed.extend(bounded.class.map(|class| Closed {
                class,
                cell: bounded.cell,
                how: How::Bound,
            }));
            continue;
        }
        pieces.extend(cut(bounded.cell, 16).into_iter().map(|c| (i, c)));
    }
    let total = pieces.len();
    let shared = Shared {
        program,
        truth,
        bound,
        pieces,
        next: AtomicUsize::new(0),
        level: AtomicU64::new(level.to_bits()),
        worst: Mutex::new(known),
        list: effort.list,
        hits: Mutex::new(Vec::new()),
        open: Mutex::new(Vec::new()),
        work: Mutex::new(Work {
            of_bound: (bound.cells.len()
                - bound
                    .cells
                    .iter()
                    .filter(|c| c.error.bound() > level)
                    .count()) as u64,
            ..Work::default()
        }),
        closed: Mutex::new(closed),
        runs: AtomicU64::new(0),
        until: Instant::now() + effort.time,
        stop,
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..effort.threads.max(1))
            .map(|_| scope.spawn(|| Worker::new(&shared).run()))
            .collect();
        while !workers
            .iter()
            .all(std::thread::ScopedJoinHandle::is_finished)
        {
            std::thread::sleep(Duration::from_millis(100));
            observe(Progress {
                cells: (shared.next.load(Ordering::Relaxed).min(total), total),
                level: f64::from_bits(shared.level.load(Ordering::Relaxed)),
                runs: shared.runs.load(Ordering::Relaxed),
            });
        }
    });
    let worst = *lock(&shared.worst);
    let mut open = std::mem::take(&mut *lock(&shared.open));
    // What was above the level when it was left may be below what was found since.
    open.retain(|o| o.bound > worst.error.abs());
    for cell in &bound.special {
        open.push(Open {
            class: None,
            cell: *cell,
            bound: f64::INFINITY,
            why: "the result or the true value is no finite number".into(),
        });
    }
    open.sort_by(|a, b| b.bound.total_cmp(&a.bound));
    let work = *lock(&shared.work);
    let closed = std::mem::take(&mut *lock(&shared.closed));
    let mut hits = std::mem::take(&mut *lock(&shared.hits));
    hits.sort_by(|a, b| a.x.total_cmp(&b.x));
    hits.dedup();
    Exact {
        hits,
        upper: open.first().map_or(worst.error.abs(), |o| o.bound),
        worst,
        open,
        work,
        closed,
    }
}

/// The exact maximum over the range of a bound: the level descends from the bound until an input attains it.
///
/// The first level is the bound less `slack`, or the error of a known input where that is above; where no input is above the
/// level, that is proven, and the slack is doubled. The worst input is NaN where none was found in time: no input above
/// `upper` exists then.
#[must_use]
#[expect(clippy::too_many_arguments, reason = "one call, all of them needed")]
pub fn maximum(
    program: &Program,
    truth: &Truth,
    bound: &RangeBound,
    known: Option<Hit>,
    slack: f64,
    effort: Effort,
    stop: &AtomicBool,
    observe: &mut dyn FnMut(Progress),
) -> Exact {
    let until = Instant::now() + effort.time;
    let mut slack = slack;
    // What is proven so far.
    let mut proven = bound.bound;
    loop {
        let level = f64::max(bound.bound - slack, 0.0);
        let from = known.filter(|k| k.error.abs() >= level).unwrap_or(Hit {
            x: f64::NAN,
            error: level,
        });
        let time = until.saturating_duration_since(Instant::now());
        let effort = Effort { time, ..effort };
        let mut exact = prove(program, truth, bound, from, effort, stop, observe);
        exact.upper = exact.upper.min(proven);
        if exact.worst.x.is_nan()
            && let Some(known) = known
            && !exact.is_exact()
        {
            // Too little time for this level: what was known stays.
            exact.worst = known;
        }
        if !exact.worst.x.is_nan() || !exact.is_exact() || level == 0.0 {
            return exact;
        }
        proven = level;
        slack *= 2.0;
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// A cell in about so many parts of equal width.
fn cut(cell: Cell, parts: u32) -> Vec<Cell> {
    let step = (cell.hi - cell.lo) / f64::from(parts);
    let mut all = Vec::new();
    let mut lo = cell.lo;
    for i in 1..=parts {
        let hi = if i == parts {
            cell.hi
        } else {
            (cell.lo + step * f64::from(i)).clamp(lo, cell.hi)
        };
        if hi < lo {
            continue;
        }
        all.push(Cell { lo, hi });
        lo = hi.next_up();
        if lo > cell.hi {
            break;
        }
    }
    all
}
