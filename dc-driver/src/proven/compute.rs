//! The bound of a sweep, computed to its end, for a given time, or until a stop is requested.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::Builder;
use std::time::{Duration, Instant};

use dc_exact::bound::{Effort, RangeBound, bound_range_until};
use dc_exact::num::float::BINARY64;

use crate::args::{BoundArgs, CELLS};
use crate::context::Context;
use crate::failure::Failure;
use dc_runtime::model::show;
use dc_runtime::search::certify::Subject;
use dc_runtime::search::engine::Stop;
use dc_runtime::search::range::Range;

/// The largest share of the inputs that a bound may leave out, of those at which the function is defined.
const LEFT_OUT: f64 = 0.01;
/// Time between lines of progress.
const LINES: Duration = Duration::from_secs(10);
/// The longest time between two checks of the computation.
const PAUSE: Duration = Duration::from_millis(50);
/// The size of the computation's stack, which is that of a main thread.
const STACK: usize = 8 << 20;

/// A sweep with its bound.
pub struct Computed {
    pub subject: Subject,
    pub bound: RangeBound,
    /// The range's text.
    pub range: String,
    /// The time in seconds.
    pub time: f64,
    /// Whether the time was up, or a stop requested, before the bound was complete.
    pub cut_short: bool,
    /// The share of the inputs without a bound, among those at which the function is defined.
    pub left_out: f64,
}

impl Computed {
    /// Whether it is a bound of the whole range.
    pub fn is_bound(&self) -> bool {
        self.left_out <= LEFT_OUT
    }
}

/// The limit at which the computation of a bound ends, complete or not.
#[derive(Clone, Copy, Default)]
pub struct Limit<'a> {
    pub until: Option<Instant>,
    pub stop: Option<&'a Stop>,
    /// The number of threads; by default one per core.
    pub threads: Option<usize>,
    /// Whether only the bound is asked for, and neither a certificate nor a search of its cells: see [`Effort::rounded`].
    pub bound_only: bool,
}

impl Limit<'_> {
    pub fn ends(&self) -> bool {
        self.stop.is_some_and(Stop::asked) || self.until.is_some_and(|t| Instant::now() >= t)
    }
}

pub fn compute(
    args: &BoundArgs,
    limit: Limit<'_>,
    context: &mut Context,
) -> Result<Computed, Failure> {
    let sweep = context.sweep_of_one(args.name())?;
    let text = args.range.as_deref().unwrap_or(sweep.range());
    let range = Range::parse(text, sweep.precision()).map_err(|e| Failure::input(e.to_string()))?;
    let subject = Subject::of(sweep, &range)?;
    of_subject(subject, text, args.cells, limit, sweep.name(), context)
}

/// The bound of a program over a range with that text.
pub fn of_subject(
    subject: Subject,
    range: &str,
    most: u64,
    limit: Limit<'_>,
    name: &str,
    context: &mut Context,
) -> Result<Computed, Failure> {
    let begun = Instant::now();
    let mut effort = Effort {
        cells: most,
        threads: limit.threads.unwrap_or(0),
        rounded: limit.bound_only,
        ..Effort::default()
    };
    if most != CELLS {
        // Who names a number of cells wants cuts at as many values, and with them lattices.
        effort.values = most;
    }
    // It is asked before each cell.
    let (cells, cut_short) = (AtomicU64::new(0), AtomicBool::new(false));
    let ends = || {
        cells.fetch_add(1, Ordering::Relaxed);
        let ends = limit.ends();
        if ends {
            cut_short.store(true, Ordering::Relaxed);
        }
        ends
    };
    let bounding = || {
        let Subject {
            program,
            truth,
            stretches,
            ..
        } = &subject;
        bound_range_until(program, truth, stretches, effort, &ends)
    };
    let bound = std::thread::scope(|scope| -> Result<RangeBound, Failure> {
        let work = Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, bounding)?;
        let mut line = begun + LINES;
        // The pause begins short, so that short computations do not wait.
        let mut pause = Duration::from_micros(100);
        while !work.is_finished() {
            std::thread::sleep(pause);
            pause = (2 * pause).min(PAUSE);
            if Instant::now() >= line {
                line = Instant::now() + LINES;
                context.note(&format!(
                    "{name}: {} cells in {}",
                    show::count(cells.load(Ordering::Relaxed).into()),
                    show::seconds(begun.elapsed().as_secs_f64())
                ));
            }
        }
        Ok(work
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })?;
    Ok(Computed {
        left_out: left_out(&subject, &bound),
        range: range.into(),
        // With as many cells as it may examine it was complete before the time was over.
        cut_short: cut_short.into_inner() && bound.looked < most,
        bound,
        subject,
        time: begun.elapsed().as_secs_f64(),
    })
}

/// The share of the inputs without a bound, of those at which the function is defined.
fn left_out(subject: &Subject, bound: &RangeBound) -> f64 {
    let (mut left, mut undefined) = (0u128, 0u128);
    for cell in &bound.special {
        let count = u128::from(cell.count(BINARY64));
        match subject.truth.nowhere(*cell) {
            true => undefined += count,
            false => left += count,
        }
    }
    match subject.inputs.saturating_sub(undefined) {
        0 => 0.0,
        defined => left as f64 / defined as f64,
    }
}
