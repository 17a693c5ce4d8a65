//! The descent through levels, one after the other, until an input has a level as its error.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use kernels_gen::program::Program;

use super::contradiction::{Claim, Claims, Contradiction};
use super::kept::{Kept, Note, Share};
use super::round::round;
use super::sample::net;
use super::task::Task;
use super::{Effort, Exact, Progress};
use crate::bound::RangeBound;
use crate::cell::Values;
use crate::law::Truth;
use crate::point::{Hit, error_at};

/// The exact maximum over the range of a bound: the level descends from the bound until an input reaches it.
///
/// The first level is the bound minus `slack`, or the error of a known input or of an input of a sample, if that is larger. If no input is
/// above the level, this is proven, and the next level has twice the slack. The worst input is NaN if none was found in time. Even then, no
/// error is above `upper`.
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
    let task = Task::whole(program, truth, bound, effort, stop);
    resume(&task, Kept::default(), known, slack, observe)
}

/// The same as [`maximum`], for a share of the pieces. It resumes from the journal of an earlier proof of the same share. It starts at the
/// level that this proof reached, and does not use `slack`.
///
/// The maximum is that of the share's inputs, and so is [`Exact::upper`].
#[must_use]
pub fn resume(
    task: &Task<'_>,
    kept: Kept,
    known: Option<Hit>,
    slack: f64,
    observe: &mut dyn FnMut(Progress),
) -> Exact {
    let until = Instant::now() + task.effort.time;
    let bound = task.bound.bound;
    let claims = Claims::new(task.bound);
    let mut contradiction = None;
    let mut compared = |x: f64| {
        let error = error_at(task.program, task.truth, &mut Values::new(task.program), x)?;
        contradiction = contradiction.or(claims.compare(x, error, 0.0));
        Some(Hit::new(x, error))
    };
    let known = known.map(|k| compared(k.x).map_or(k, |_| k));
    let known = worse(known, kept.worst.and_then(&mut compared));
    // A resumed proof has its sample's worst input, or a worse one.
    let known = match kept.level {
        Some(_) => known,
        None => {
            let net = net(task.program, task.truth, task.bound);
            contradiction = contradiction.or(net.contradiction);
            worse(known, net.worst)
        }
    };
    if let Some(known) = known
        && kept.worst != Some(known.x)
    {
        (task.note)(Note::Hit(known.x));
    }
    // The level that is proven so far.
    let mut proven = kept.proven.map_or(bound, |p| p.min(bound));
    let contradiction = contradiction.or_else(|| above(&claims, proven, known?));
    if contradiction.is_some() {
        return Exact {
            worst: known.unwrap_or(Hit {
                x: f64::NAN,
                error: 0.0,
            }),
            upper: f64::INFINITY,
            contradiction,
            ..Exact::default()
        };
    }
    let ended = kept.ended;
    let (mut level, mut slack, mut kept) = match kept.level {
        Some(level) => (level, bound - level, kept),
        None => {
            let level = f64::max(bound - slack, 0.0);
            (task.note)(Note::Round(level));
            (level, slack, Kept::default())
        }
    };
    loop {
        let from = known.filter(|k| k.error.abs() >= level).unwrap_or(Hit {
            x: f64::NAN,
            error: level,
        });
        let done = std::mem::take(&mut kept);
        let mut exact = round(task, from, done, until, &mut |mut p| {
            p.upper = p.upper.min(proven);
            p.lower = p.lower.or(known.map(|k| k.error.abs()));
            observe(p);
        });
        exact.contradiction = (exact.contradiction).or_else(|| above(&claims, proven, exact.worst));
        if exact.contradiction.is_some() {
            return exact;
        }
        exact.upper = exact.upper.min(proven);
        if exact.worst.x.is_nan()
            && let Some(known) = known
            && !exact.is_exact()
        {
            // There was too little time for this level: the earlier result stays.
            exact.worst = known;
        }
        // The level is one of the inputs that the bound covers.
        if claims.leaves_out(exact.worst.x) {
            exact.upper = exact.upper.max(exact.worst.error.abs());
        }
        if !exact.worst.x.is_nan() || !exact.is_exact() || level == 0.0 {
            if !exact.stopped && !ended {
                (task.note)(Note::End);
            }
            return exact;
        }
        proven = level;
        // The slack also grows where it is below the last place of the bound.
        slack = f64::max(2.0 * slack, bound * f64::EPSILON);
        level = f64::max(bound - slack, 0.0);
        (task.note)(Note::Round(level));
    }
}

/// The reason why proofs of shares cannot be merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoMerge {
    /// The proof with this number belongs to another number of shares than the first one.
    Count(usize),
    /// Two proofs are of the same share.
    Twice(usize, usize),
    /// The share with this number, from 0, is missing.
    Missing(u32),
    /// The proof with this number has pieces left.
    Unfinished(usize),
}

/// The maximum, merged from the shares of a proof, each of which was completed with the same bound.
///
/// Shares end at different levels: each at the largest error of its own inputs, or above. A stretch that is closed at one level is closed
/// at every level above, so all are closed at the largest level.
///
/// # Errors
/// If shares are missing, given twice, or not completed.
pub fn merge(task: &Task<'_>, parts: Vec<(Share, Kept)>) -> Result<Exact, NoMerge> {
    let count = parts.first().map_or(1, |p| p.0.count);
    let mut of = vec![None; count as usize];
    for (i, (share, _)) in parts.iter().enumerate() {
        if share.count != count {
            return Err(NoMerge::Count(i));
        }
        if let Some(other) = of[share.index as usize].replace(i) {
            return Err(NoMerge::Twice(other, i));
        }
    }
    if let Some(missing) = of.iter().position(Option::is_none) {
        return Err(NoMerge::Missing(missing as u32));
    }
    if let Some(i) = parts.iter().position(|p| !p.1.ended) {
        return Err(NoMerge::Unfinished(i));
    }
    let known = parts.iter().filter_map(|p| p.1.worst);
    let known = known
        .filter_map(|x| hit(task, x))
        .reduce(|a, b| if b.error.abs() > a.error.abs() { b } else { a });
    // A share with open stretches may have ended at a level above the errors of all known inputs.
    let levels = parts.iter().filter_map(|p| p.1.level);
    let level = known.map_or(0.0, |k| k.error.abs());
    let mut all = Kept {
        level: Some(levels.fold(level, f64::max)),
        ended: true,
        ..Kept::default()
    };
    for (_, kept) in parts {
        all.join(kept);
    }
    let whole = Task {
        share: Share::WHOLE,
        ..*task
    };
    Ok(resume(&whole, all, known, 0.0, &mut |_| {}))
}

/// An evaluated input above a proven level, or above the bound of the range if that covers it.
fn above(claims: &Claims<'_>, proven: f64, hit: Hit) -> Option<Contradiction> {
    let is_above = hit.least() > proven && !hit.x.is_nan();
    (is_above && !claims.leaves_out(hit.x)).then_some(Contradiction {
        hit,
        claim: proven,
        by: Claim::Level,
    })
}

/// Evaluates an input to get its error.
fn hit(task: &Task<'_>, x: f64) -> Option<Hit> {
    let error = error_at(task.program, task.truth, &mut Values::new(task.program), x)?;
    Some(Hit::new(x, error))
}

fn worse(a: Option<Hit>, b: Option<Hit>) -> Option<Hit> {
    match (a, b) {
        (Some(a), Some(b)) if b.error.abs() > a.error.abs() => Some(b),
        (a, b) => a.or(b),
    }
}
