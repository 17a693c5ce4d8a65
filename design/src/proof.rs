//! Proofs for a kernel in binary64: a bound of all its errors, and a bracket of the largest error, with a certificate if the bracket is one
//! number.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Builder;
use std::time::{Duration, Instant};

use dc_exact::bound::{Effort as Cells, RangeBound, bound_range_until};
use dc_exact::cell::Values;
use dc_exact::certificate::{Subject, certificate};
use dc_exact::exact::{Effort, Kept, Share, Task, resume};
use dc_exact::law::{Law, Truth};
use dc_exact::num::float::BINARY64;
use dc_exact::point::{Hit, error_at, stretches};
use kernels_gen::program::Program;
use serde::{Deserialize, Serialize};

use dc_runtime::model::key::Precision;
use dc_runtime::search::range::Range;

use crate::spec::Unit;

/// The largest error of a kernel, in ULP.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Proof {
    /// An input has this error.
    #[serde(with = "crate::journal::bits")]
    pub lower: f64,
    /// The input with this error.
    #[serde(with = "crate::journal::bits")]
    pub at: f64,
    /// A bound of the errors of all inputs.
    #[serde(with = "crate::journal::bits")]
    pub upper: f64,
    /// Whether the largest error is known: it is the error of the input.
    pub exact: bool,
    /// Inputs for which nothing is proven, because there is no bound of the whole range.
    pub left_out: u64,
    /// The text for `crunch-check`, if the largest error is known.
    pub certificate: Option<String>,
    /// The time in seconds.
    pub seconds: f64,
}

impl Proof {
    /// A bound of the largest error in a unit. If results are normal numbers, a unit in the last place is at most 2^-52 of a result.
    #[must_use]
    pub fn largest(&self, unit: Unit) -> f64 {
        match unit {
            Unit::Ulp => self.upper,
            Unit::Relative => self.upper * f64::EPSILON,
            // Tolerances in binary64 have another unit.
            Unit::Absolute => f64::INFINITY,
        }
    }
}

/// The subject of a proof, and the time for it.
pub struct Work<'a> {
    /// The function, by the name of its reference.
    pub function: &'a str,
    /// The name in certificates.
    pub name: &'a str,
    /// The inputs.
    pub range: &'a Range,
    /// An input with a large error.
    pub known: Option<f64>,
    /// The time in seconds. The bound may use up to three quarters of it.
    pub seconds: f64,
    /// A flag that ends it early.
    pub stop: &'a AtomicBool,
}

/// Cells of a bound.
const CELLS: u64 = 3_000_000;
/// Errors at most this far below the bound, as a part of it, are searched for first.
const SLACK: f64 = 2e-4;
/// The size of the computation's stack, which is that of a main thread.
const STACK: usize = 8 << 20;

/// The function whose derivatives are known, by the name of its reference.
#[must_use]
pub fn law(function: &str) -> Option<Law> {
    let name = match function {
        "log" => "ln",
        "rsqrt" => "recip-sqrt",
        other => other,
    };
    Law::ALL.iter().copied().find(|law| law.name() == name)
}

/// Proves the largest error.
///
/// # Errors
/// If the function's derivatives are not known, if the range has no number, or if an evaluated input contradicts the proof, which is a bug
/// of this program.
pub fn prove(program: &Program, work: &Work<'_>) -> Result<Proof, String> {
    let law = law(work.function).ok_or_else(|| {
        format!(
            "`{}` has no known derivatives, so no error in binary64 is proven: `crunch bound --help` names the functions that have",
            work.function
        )
    })?;
    let begun = Instant::now();
    let truth = Truth::Law(law);
    let key = |x: f64| Precision::F64.key_of_bits(x.to_bits());
    let mut cells = Vec::new();
    for span in work.range.spans() {
        let (first, last) = (span.first.max(key(f64::MIN)), span.last.min(key(f64::MAX)));
        if first <= last {
            let [lo, hi] = [first, last].map(|k| Precision::F64.value_of_key(k));
            cells.extend(stretches(program, lo, hi));
        }
    }
    if cells.is_empty() {
        return Err("the range has no number: name a larger one".into());
    }
    let until = begun + Duration::from_secs_f64(0.75 * work.seconds);
    let ends = || work.stop.load(Ordering::Relaxed) || Instant::now() >= until;
    let effort = Cells {
        cells: CELLS,
        ..Cells::default()
    };
    let bound = std::thread::scope(|scope| -> Result<RangeBound, String> {
        let bounding = || bound_range_until(program, &truth, &cells, effort, &ends);
        let thread = Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, bounding);
        let thread = thread.map_err(|e| format!("a thread for the bound: {e}"))?;
        thread
            .join()
            .map_err(|_| "the bound ended by a panic".into())
    })?;
    let left = bound.special.iter().filter(|c| !truth.nowhere(**c));
    let left_out = left.fold(0u64, |n, c| n.saturating_add(c.count(BINARY64)));
    let mut values = Values::new(program);
    let known = work.known.and_then(|x| {
        let error = error_at(program, &truth, &mut values, x)?;
        Some(Hit::new(x, error))
    });
    let seconds = |begun: Instant| begun.elapsed().as_secs_f64();
    if !bound.bound.is_finite() || bound.cells.is_empty() || left_out > 0 {
        let (lower, at) = known.map_or((0.0, f64::NAN), |k| (k.error.abs(), k.x));
        return Ok(Proof {
            lower,
            at,
            upper: f64::INFINITY,
            exact: false,
            left_out,
            certificate: None,
            seconds: seconds(begun),
        });
    }
    let stop = AtomicBool::new(false);
    let task = Task {
        program,
        truth: &truth,
        bound: &bound,
        effort: Effort {
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            time: Duration::from_secs_f64((work.seconds - seconds(begun)).max(0.0)),
            list: false,
        },
        share: Share::WHOLE,
        note: &|_| {},
        stop: &stop,
    };
    let slack = SLACK * bound.bound;
    let exact = resume(&task, Kept::default(), known, slack, &mut |_| {
        if work.stop.load(Ordering::Relaxed) {
            stop.store(true, Ordering::Relaxed);
        }
    });
    if let Some(what) = exact.contradiction {
        return Err(format!(
            "internal contradiction: please report: {}: {what}",
            work.name
        ));
    }
    let (lower, at) = match exact.worst.x.is_nan() {
        true => known.map_or((0.0, f64::NAN), |k| (k.error.abs(), k.x)),
        false => (exact.worst.error.abs(), exact.worst.x),
    };
    // What the checker is to prove is the upper end of the worst input's enclosure.
    let level = error_at(program, &truth, &mut values, at).map_or(f64::INFINITY, |e| e.abs().hi);
    let subject = Subject {
        sweep: work.name,
        program,
        truth: &truth,
        stretches: &cells,
    };
    Ok(Proof {
        lower,
        at,
        upper: exact.upper.max(lower),
        exact: exact.is_exact(),
        left_out,
        certificate: certificate(subject, &bound, &exact, level).ok(),
        seconds: seconds(begun),
    })
}
