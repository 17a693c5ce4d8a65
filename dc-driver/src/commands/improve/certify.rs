//! Proofs for a routine in binary64: a bound, and the largest error in a bracket.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use dc_exact::exact::{Effort, Kept, Share, Task, resume};
use dc_exact::point::{Hit, stretches};
use kernels_gen::program::Program;

use crate::context::Context;
use crate::failure::Failure;
use crate::proven::{Computed, Limit, of_subject};
use dc_runtime::model::candidate::{Candidate, Reference};
use dc_runtime::model::key::Precision;
use dc_runtime::model::space::InputSpace;
use dc_runtime::search::certify::Subject;
use dc_runtime::search::engine::Stop;
use dc_runtime::search::range::Range;
use dc_runtime::sweep::Sweep;

/// Errors at most this far below the bound are searched for first, as in `hunt`.
const SLACK: f64 = 0.002;

/// The largest error of a routine: between two numbers.
pub(super) struct Bracket {
    /// An input attains it.
    pub lower: f64,
    pub at: f64,
    /// A bound of all errors; infinite if a part of the range has no bound.
    pub upper: f64,
    /// Whether both ends of the bracket are equal.
    pub exact: bool,
    /// The parts of the bound from which the proof descended.
    pub parts: Option<Parts>,
}

/// The parts of a bound.
pub(super) struct Parts {
    /// The bound of all errors.
    pub bound: f64,
    /// The method's part, which would be left if no operation were rounded. Only this part depends on the constants, apart from changes of
    /// the roundings' weights.
    pub method: f64,
}

/// The time and the range of a routine's proof.
pub(super) struct Work<'a> {
    pub name: &'a str,
    pub range: &'a str,
    pub cells: u64,
    pub seconds: f64,
    pub stop: &'a Stop,
}

/// The bracket of a routine's largest error, starting from an input with a large error; `None` if it was stopped.
pub(super) fn bracket(
    subject: &Subject,
    program: Program,
    known: Option<Hit>,
    work: &Work<'_>,
    context: &mut Context,
) -> Result<Option<Bracket>, Failure> {
    let subject = Subject {
        program,
        ..subject.clone()
    };
    let limit = Limit {
        until: Instant::now().checked_add(Duration::from_secs_f64(work.seconds.max(1.0) * 4.0)),
        stop: Some(work.stop),
        threads: None,
        bound_only: false,
    };
    let computed = of_subject(subject, work.range, work.cells, limit, work.name, context)?;
    if work.stop.asked() {
        return Ok(None);
    }
    let (lower, at) = known.map_or((0.0, f64::NAN), |k| (k.error.abs(), k.x));
    let unbounded = !computed.is_bound() || !computed.bound.bound.is_finite();
    if unbounded || computed.bound.cells.is_empty() {
        return Ok(Some(Bracket {
            lower,
            at,
            upper: f64::INFINITY,
            exact: false,
            parts: None,
        }));
    }
    let Computed { subject, bound, .. } = &computed;
    let stop = AtomicBool::new(false);
    let task = Task {
        program: &subject.program,
        truth: &subject.truth,
        bound,
        effort: Effort {
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            time: Duration::from_secs_f64(work.seconds),
            list: false,
        },
        share: Share::WHOLE,
        note: &|_| {},
        stop: &stop,
    };
    let exact = resume(&task, Kept::default(), known, SLACK, &mut |_| {
        if work.stop.asked() {
            stop.store(true, Ordering::Relaxed);
        }
    });
    if let Some(what) = exact.contradiction {
        return Err(Failure::contradiction(&format!("{}: {what}", work.name)));
    }
    // Inputs that the bound leaves out may have larger errors.
    let whole = bound.special.is_empty();
    let (lower, at) = match exact.worst.error.abs() >= lower {
        true => (exact.worst.error.abs(), exact.worst.x),
        false => (lower, at),
    };
    Ok(Some(Bracket {
        lower,
        at,
        upper: exact.upper.max(lower),
        exact: exact.is_exact() && whole,
        parts: parts(&computed),
    }))
}

/// The parts of a bound at its worst cell.
fn parts(computed: &Computed) -> Option<Parts> {
    let worst = computed.bound.cells.first()?;
    Some(Parts {
        bound: computed.bound.bound,
        method: worst.error.method.magnitude(),
    })
}

/// The parts of the bound of a routine in binary32, all inputs of which are run. The bound shows what no search shows: how much of the
/// errors comes from roundings. `None` if there is no bound of the whole range, or if it takes too long.
pub(super) fn parts_of_binary32(
    sweep: &Sweep,
    range: &Range,
    program: Program,
    work: &Work<'_>,
    context: &mut Context,
) -> Result<Option<Parts>, Failure> {
    // The function is that of a sweep whose routine is the reference.
    let Reference::Kernel(kernel) = sweep.reference() else {
        return Ok(None);
    };
    let numbers = InputSpace::Numbers(Precision::F64);
    let of_reference = sweep.with_candidate(Candidate::Kernel(*kernel), numbers);
    let one = Range::parse("1.0..=1.0", Precision::F64);
    let Some(Ok(mut subject)) = one.ok().map(|r| Subject::of(&of_reference, &r)) else {
        return Ok(None);
    };
    subject.stretches.clear();
    for span in range.spans() {
        let value = |key: i64| Precision::F32.value_of_key(key);
        let (first, last) = (value(span.first), value(span.last));
        let largest = f64::from(f32::MAX);
        let (first, last) = (first.max(-largest), last.min(largest));
        if first.is_nan() || last.is_nan() || first > last {
            continue;
        }
        subject.stretches.extend(stretches(&program, first, last));
    }
    subject.inputs = range.count();
    subject.program = program;
    let limit = Limit {
        until: Instant::now().checked_add(Duration::from_secs_f64(work.seconds)),
        stop: Some(work.stop),
        threads: None,
        bound_only: false,
    };
    let computed = of_subject(subject, work.range, work.cells, limit, work.name, context)?;
    let whole = computed.bound.bound.is_finite() && !computed.cut_short;
    Ok(if whole { parts(&computed) } else { None })
}
