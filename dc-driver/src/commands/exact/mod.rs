//! `exact` and `hunt`: the largest error of a sweep, between the error of the worst input found and a proven bound of the errors of all
//! other inputs.
//!
//! Both commands descend from the bound and search its cells by lattices, with proof. `exact` continues until nothing is open. It can write
//! a journal of the proof (`search/proof.rs`) and its certificate. `hunt` runs for a short time and only searches for the input.

mod binary32;
mod sample;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use dc_exact::exact::journal::About;
use dc_exact::exact::{Effort, Exact, Kept, Note, Open, Progress, Task, net, resume};
use dc_exact::point::Hit;

use crate::args::{BoundArgs, DescentArgs, ExactArgs, HuntArgs};
use crate::context::Context;
use crate::failure::Failure;
use crate::proven::wording::{but, up};
use crate::proven::{Computed, Found, Limit, Worst, compute, finish as certify, report};
use crate::shard::shard;
use crate::{exit, interrupt};
use dc_runtime::model::key::Precision;
use dc_runtime::model::show;
use dc_runtime::search::proof::{self, Proof};
use dc_runtime::search::range;
use dc_runtime::search::shard::Shard;

/// The share of a hunt's time for searching a sample, and then the inputs around the sample's worst input.
const SAMPLING: f64 = 0.25;
/// The share of the time that the bound may take, and its least time in seconds.
const BOUND: f64 = 0.75;
const LEAST: f64 = 1.0;
/// Time between lines of progress.
const LINES: Duration = Duration::from_secs(10);

pub(super) fn exact(args: &ExactArgs, context: &mut Context) -> Result<(), Failure> {
    if context.runs_every_input(args.bound.name())? {
        return binary32::exact(args, context);
    }
    let Some(path) = &args.certificate else {
        if args.shard.is_some() {
            return Err(Failure::input(
                "--shard needs a proof that is kept in a file; name the file with --certificate FILE",
            ));
        }
        let (found, _) = search(&args.bound, args.time, &args.descent, None, None, context)?;
        return report(&found, context);
    };
    let shard = shard(args.shard, "--shard")?;
    let keep = Keep {
        path: proof::beside(path, shard),
        shard,
    };
    let (found, proof) = search(
        &args.bound,
        args.time,
        &args.descent,
        Some(&keep),
        None,
        context,
    )?;
    match proof {
        Some(proof) => finish(path, proof, found, args, context),
        None => report(&found, context),
    }
}

pub(super) fn hunt(args: &HuntArgs, context: &mut Context) -> Result<(), Failure> {
    if context.runs_every_input(args.bound.name())? {
        return binary32::hunt(args, context);
    }
    let sampling = SAMPLING * args.time;
    let left = args.time - sampling;
    let sample = Some((args, sampling));
    let (found, _) = search(&args.bound, left, &args.descent, None, sample, context)?;
    report(&found, context)
}

/// The file in which a proof in progress is recorded, and its number of cells.
struct Keep {
    path: PathBuf,
    shard: Shard,
}

fn search(
    args: &BoundArgs,
    time: f64,
    descent: &DescentArgs,
    keep: Option<&Keep>,
    sample: Option<(&HuntArgs, f64)>,
    context: &mut Context,
) -> Result<(Found, Option<Proof>), Failure> {
    // A hunt's answer is never below the worst input of a sample, whatever becomes of the bound.
    let sampled = match sample {
        Some((args, seconds)) => sample::worst(args, seconds, context)?,
        None => None,
    };
    let begun = Instant::now();
    let asked = interrupt::stop(match keep {
        Some(_) => "stopping; the part proven so far is kept",
        None => "stopping; the bracket so far follows",
    });
    let limit = Limit {
        until: begun.checked_add(Duration::from_secs_f64((time * BOUND).max(LEAST))),
        stop: Some(&asked),
        threads: descent.jobs,
        bound_only: false,
    };
    let computed = compute(args, limit, context)?;
    let sweep = context.sweep_of_one(args.name())?.name();
    let Computed { subject, bound, .. } = &computed;
    if !bound.bound.is_finite() && sample.is_none() {
        return Err(Failure::input(format!(
            "{sweep}: the bound over {} is infinite, so no level can be proven; give a range without zeros and poles of the \
             function, with --range",
            computed.range
        )));
    }
    if keep.is_some() && computed.cut_short {
        return Err(Failure {
            code: exit::STOPPED,
            message: format!(
                "{sweep}: stopped after {}, before the bound was complete, and nothing is recorded before that: the bound is the same \
                 each time, and may take three quarters of --time",
                show::seconds(computed.time)
            ),
        });
    }
    let known = match &descent.from {
        None => None,
        Some(text) => Some(known(&computed, text)?),
    };
    let sampled = sampled.and_then(|x| hit(&computed, x));
    let known = known
        .into_iter()
        .chain(sampled)
        .max_by(|a, b| a.error.total_cmp(&b.error));
    if !bound.bound.is_finite() {
        let exact = unbounded(&computed, known);
        let time = begun.elapsed().as_secs_f64() - computed.time;
        let found = Found::new(sweep, computed, exact, Shard::WHOLE, time).compared()?;
        return Ok((found, None));
    }
    let (proof, kept) = match keep {
        None => (None, Kept::default()),
        Some(keep) => {
            let (proof, kept) = open(keep, args, sweep, &computed, context)?;
            (Some(proof), kept)
        }
    };
    let left = (time - begun.elapsed().as_secs_f64()).max(0.0);
    context.note(&format!(
        "{sweep}: the bound is {} ULP{}, found in {}; searching below it for at most {}",
        up(bound.bound),
        but(bound),
        show::seconds(computed.time),
        show::seconds(left)
    ));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let effort = Effort {
        threads: descent.jobs.unwrap_or(threads),
        time: Duration::from_secs_f64(left),
        list: false,
    };
    let begun = Instant::now();
    let stop = AtomicBool::new(false);
    let note = |note: Note| {
        if let Some(proof) = &proof {
            proof.note(&note);
        }
    };
    let task = Task {
        program: &subject.program,
        truth: &subject.truth,
        bound,
        effort,
        share: proof::share(keep.map_or(Shard::WHOLE, |k| k.shard)),
        note: &note,
        stop: &stop,
    };
    let mut line = Instant::now() + LINES;
    let exact = resume(&task, kept, known, descent.slack, &mut |p| {
        let written = proof.as_ref().is_none_or(Proof::write);
        if asked.asked() || !written {
            stop.store(true, Ordering::Relaxed);
        }
        if Instant::now() >= line {
            line = Instant::now() + LINES;
            context.note(&progress(&p));
        }
    });
    if let Some(proof) = &proof {
        proof.finish()?;
    }
    let time = begun.elapsed().as_secs_f64();
    let shard = keep.map_or(Shard::WHOLE, |k| k.shard);
    let found = Found::new(sweep, computed, exact, shard, time).compared()?;
    Ok((found, proof))
}

/// What is known if no level can be proven: the worst input, also of the fixed sample.
fn unbounded(computed: &Computed, known: Option<Hit>) -> Exact {
    let Computed { subject, bound, .. } = computed;
    let net = net(&subject.program, &subject.truth, bound);
    let worst = known
        .into_iter()
        .chain(net.worst)
        .max_by(|a, b| a.error.abs().total_cmp(&b.error.abs()));
    let open = bound.cells.iter().map(|c| Open {
        class: c.class,
        cell: c.cell,
        bound: c.error.bound(),
        why: "no number of ULP bounds all errors".into(),
    });
    Exact {
        worst: worst.unwrap_or(Hit {
            x: f64::NAN,
            error: 0.0,
        }),
        upper: f64::INFINITY,
        open: open.filter(|o| !o.bound.is_finite()).collect(),
        contradiction: net.contradiction,
        ..Exact::default()
    }
}

/// The input that `--from` names.
fn known(computed: &Computed, text: &str) -> Result<Hit, Failure> {
    let key = range::input(text, Precision::F64)?;
    let x = f64::from_bits(Precision::F64.bits_of_key(key));
    let inside = |c: &dc_exact::cell::Cell| c.lo <= x && x <= c.hi;
    if !computed.subject.stretches.iter().any(inside) {
        return Err(Failure::input(format!(
            "--from {text}: it is not in the range {}",
            computed.range
        )));
    }
    let worst = Worst::of(computed, x).ok_or_else(|| {
        Failure::input(format!(
            "--from {text}: the error there is not a finite number"
        ))
    })?;
    Ok(Hit {
        x,
        error: worst.error.lo,
    })
}

/// An input in the range whose error is a finite number, with the magnitude of the error.
fn hit(computed: &Computed, x: f64) -> Option<Hit> {
    let inside = |c: &dc_exact::cell::Cell| c.lo <= x && x <= c.hi;
    let stretches = &computed.subject.stretches;
    let worst = stretches
        .iter()
        .any(inside)
        .then(|| Worst::of(computed, x))??;
    Some(Hit {
        x,
        error: worst.error.lo,
    })
}

/// The file of a proof with its completed steps.
fn open(
    keep: &Keep,
    args: &BoundArgs,
    sweep: &str,
    computed: &Computed,
    context: &mut Context,
) -> Result<(Proof, Kept), Failure> {
    let subject = &computed.subject;
    let about = About::new(
        sweep,
        &computed.range,
        args.cells,
        &subject.program,
        &subject.truth,
        &computed.bound,
    );
    let (proof, resumed) = Proof::open(&keep.path, &about, proof::share(keep.shard))?;
    let Some(resumed) = resumed else {
        return Ok((proof, Kept::default()));
    };
    proof::supported(&keep.path, &resumed.kept, &computed.bound, keep.shard)?;
    let file = show::plain(&keep.path.display().to_string());
    if resumed.dropped > 0 {
        context.note(&format!(
            "{file}: the last {} lines are cut short or damaged; what they closed is done again",
            show::count(resumed.dropped as u128)
        ));
    }
    context.note(&format!(
        "{file}: going on where {} pieces are done",
        show::count(resumed.kept.pieces() as u128)
    ));
    Ok((proof, resumed.kept))
}

fn progress(p: &Progress) -> String {
    let bracket = match p.lower {
        Some(lower) => format!("in [{lower:.9}, {}] ULP", up(p.upper)),
        None => format!("below {} ULP", up(p.upper)),
    };
    format!(
        "the largest error is {bracket}; {} of {} pieces above {:.9} ULP, {} runs of the lattice",
        show::count(p.pieces.0 as u128),
        show::count(p.pieces.1 as u128),
        p.level,
        show::count(p.runs.into())
    )
}

/// Reports a proof, and writes its certificate; for an incomplete one, prints how to resume it.
fn finish(
    path: &Path,
    proof: Proof,
    found: Found,
    args: &ExactArgs,
    context: &mut Context,
) -> Result<(), Failure> {
    let part = show::plain(&proof.path().display().to_string());
    if found.exact.stopped {
        report(&found, context)?;
        return Err(Failure {
            code: exit::STOPPED,
            message: format!(
                "stopped before the end; what is proven is in {part}, and the same command continues from there"
            ),
        });
    }
    if !found.shard.is_whole() {
        report(&found, context)?;
        let file = show::plain(&path.display().to_string());
        context.note(&format!(
            "shard {} is done, in {part}; with all {} of them, `crunch merge {file} {file}.*-of-{}.part` writes the certificate",
            found.shard,
            found.shard.count(),
            found.shard.count()
        ));
        return Ok(());
    }
    certify(path, found, !args.no_check, args.descent.jobs, context)?;
    Ok(proof.remove()?)
}
