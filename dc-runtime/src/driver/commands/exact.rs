//! `exact` and `hunt`: the largest error of a sweep, between the worst input found and what is proven of all others.
//!
//! Both descend from the bound and search its cells by lattices with proof. `exact` goes on until nothing is open, and can write
//! the proof down; `hunt` has a short time, and is after the input.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use dc_exact::cell::Values;
use dc_exact::certificate;
use dc_exact::exact::{Effort, Exact, maximum};
use dc_exact::num::Interval;
use dc_exact::point::{Hit, error_at};
use serde_json::json;

use super::bound::{Computed, compute, document, left_out, relative, up};
use crate::driver::args::{BoundArgs, DescentArgs, ExactArgs, HuntArgs};
use crate::driver::context::Context;
use crate::driver::failure::Failure;
use crate::driver::{interrupt, results};
use crate::model::key::Precision;
use crate::model::show;
use crate::search::range;
use crate::search::replace::replace;

/// Open cells that are listed.
const LISTED: usize = 8;
/// Time between lines of progress.
const LINES: Duration = Duration::from_secs(10);

pub(super) fn exact(args: &ExactArgs, context: &mut Context) -> Result<(), Failure> {
    let found = search(&args.bound, args.time, &args.descent, context)?;
    if let Some(path) = &args.certificate {
        write(path, &found, context)?;
    }
    report(&found, context)
}

pub(super) fn hunt(args: &HuntArgs, context: &mut Context) -> Result<(), Failure> {
    let found = search(&args.bound, args.time, &args.descent, context)?;
    report(&found, context)
}

/// What a search found.
struct Found {
    sweep: &'static str,
    computed: Computed,
    exact: Exact,
    worst: Option<Worst>,
    /// Seconds after the bound.
    time: f64,
}

/// The worst input, evaluated once more, by itself.
struct Worst {
    x: f64,
    /// Its error's magnitude.
    error: Interval,
    /// The result's bits.
    result: u64,
}

impl Found {
    /// Whether the maximum is proven.
    fn proven(&self) -> bool {
        self.exact.is_exact() && self.worst.is_some()
    }
}

fn search(
    args: &BoundArgs,
    time: f64,
    descent: &DescentArgs,
    context: &mut Context,
) -> Result<Found, Failure> {
    let computed = compute(args, context)?;
    let sweep = context.sweep(&args.sweep)?.name;
    let Computed { subject, bound, .. } = &computed;
    if !bound.bound.is_finite() {
        return Err(Failure::input(format!(
            "{sweep}: the bound over {} is infinite, so no level can be proven; give a range without zeros and poles of the \
             function, with --range",
            computed.range
        )));
    }
    let mut values = Values::new(&subject.program);
    let mut worst = |x: f64| {
        let error = error_at(&subject.program, &subject.truth, &mut values, x)?;
        Some(Worst {
            x,
            error: error.abs(),
            result: values.result(x),
        })
    };
    let known = match &descent.from {
        None => None,
        Some(text) => {
            let key = range::input(text, Precision::F64).map_err(Failure::input)?;
            let x = f64::from_bits(Precision::F64.bits_of_key(key));
            let known = worst(x).ok_or_else(|| {
                Failure::input(format!(
                    "--from {text}: the error there is no finite number"
                ))
            })?;
            Some(Hit {
                x,
                error: known.error.lo,
            })
        }
    };
    context.note(&format!(
        "{sweep}: the bound is {} ULP, found in {}; searching below it for at most {}",
        up(bound.bound),
        show::seconds(computed.time),
        show::seconds(time)
    ));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let effort = Effort {
        threads: descent.jobs.unwrap_or(threads),
        time: Duration::from_secs_f64(time),
        list: false,
    };
    let begun = Instant::now();
    let asked = interrupt::stop();
    let stop = AtomicBool::new(false);
    let mut line = Instant::now() + LINES;
    let exact = maximum(
        &subject.program,
        &subject.truth,
        bound,
        known,
        descent.slack,
        effort,
        &stop,
        &mut |p| {
            if asked.asked() {
                stop.store(true, Ordering::Relaxed);
            }
            if Instant::now() >= line {
                line = Instant::now() + LINES;
                context.note(&format!(
                    "{} of {} pieces above {:.9} ULP, {} runs of the lattice",
                    p.cells.0,
                    p.cells.1,
                    p.level,
                    show::count(p.runs.into())
                ));
            }
        },
    );
    let time = begun.elapsed().as_secs_f64();
    let worst = Some(exact.worst.x).filter(|x| !x.is_nan()).and_then(worst);
    Ok(Found {
        sweep,
        computed,
        exact,
        worst,
        time,
    })
}

fn write(path: &Path, found: &Found, context: &mut Context) -> Result<(), Failure> {
    let file = path.display();
    let subject = &found.computed.subject;
    let about = certificate::Subject {
        sweep: found.sweep,
        program: &subject.program,
        truth: &subject.truth,
        stretches: &subject.stretches,
    };
    let error = found.worst.as_ref().map_or(f64::INFINITY, |w| w.error.hi);
    match certificate::certificate(about, &found.computed.bound, &found.exact, error) {
        Ok(text) => {
            replace(path, text.as_bytes()).map_err(|e| Failure::input(format!("{file}: {e}")))?;
            context.note(&format!(
                "the certificate is {file}, {} bytes; `crunch-check {file}` checks it",
                show::count((text.len() as u64).into())
            ));
            Ok(())
        }
        Err(why) => Err(Failure::input(format!("{file} is not written: {why}"))),
    }
}

fn report(found: &Found, context: &mut Context) -> Result<(), Failure> {
    let Found {
        computed, exact, ..
    } = found;
    let subject = &computed.subject;
    let p = Precision::F64;
    if context.json {
        let worst = found.worst.as_ref();
        let mut document = document(found.sweep, computed);
        document["exact"] = json!(found.proven());
        document["lower"] = worst.map_or(json!(null), |w| results::error(w.error.lo));
        document["upper"] = results::error(exact.upper);
        document["input"] = worst.map_or(json!(null), |w| results::word(p, w.x.to_bits()));
        document["result"] = worst.map_or(json!(null), |w| results::word(p, w.result));
        document["open_cells"] = json!(exact.open.len());
        document["runs"] = json!(exact.work.runs);
        document["run_inputs"] = json!(exact.work.inputs);
        document["evaluated"] = json!(exact.work.candidates + exact.work.brute);
        document["exact_seconds"] = json!(found.time);
        context.out.json(&document)?;
        return Ok(());
    }
    context.out.line(&format!(
        "{}: {} inputs of {}",
        found.sweep,
        show::count(subject.inputs),
        computed.range
    ))?;
    let mut rows = vec![];
    let mut row = |name: &str, text: String| rows.push(vec![name.to_string(), text]);
    match &found.worst {
        Some(worst) => {
            let least = worst.error.lo;
            if found.proven() {
                row(
                    "largest error",
                    format!("{least:.12} ULP, exact: no input has a larger one"),
                );
            } else {
                row(
                    "largest error",
                    format!("in [{least:.12}, {}] ULP", up(exact.upper)),
                );
            }
            row("  at", show::full(p, worst.x.to_bits()));
            row("  result", show::full(p, worst.result));
        }
        None => row(
            "largest error",
            format!(
                "below {} ULP; no input above that was found",
                up(exact.upper)
            ),
        ),
    }
    row("  relative to", relative(subject));
    row("cells", work(exact));
    row(
        "time",
        format!("{} after the bound", show::seconds(found.time)),
    );
    for text in left_out(computed) {
        row("not bounded", text);
    }
    for open in exact.open.iter().take(LISTED) {
        row(
            "open",
            format!(
                "{:e} to {:e}, bound {} ULP: {}",
                open.cell.lo,
                open.cell.hi,
                up(open.bound),
                open.why
            ),
        );
    }
    if exact.open.len() > LISTED {
        row("open", format!("and {} more", exact.open.len() - LISTED));
    }
    context.out.columns(&rows)?;
    Ok(())
}

/// What closed the cells.
fn work(exact: &Exact) -> String {
    let w = &exact.work;
    format!(
        "{} closed by their bound, {} by {} runs of the lattice over {} inputs; {} inputs evaluated",
        show::count(w.of_bound.into()),
        show::count(w.lattice.into()),
        show::count(w.runs.into()),
        show::si(w.inputs),
        show::count((w.candidates + w.brute).into())
    )
}
