//! `exact`: the exact largest error of a sweep, proven; or a bracket, and what keeps it open.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use dc_exact::cell::Values;
use dc_exact::certificate;
use dc_exact::exact::{Effort, Exact, maximum};
use dc_exact::hunt::error_at;
use dc_exact::num::Interval;
use serde_json::json;

use super::bound::{Computed, compute, document, left_out, relative, up};
use crate::driver::args::ExactArgs;
use crate::driver::context::Context;
use crate::driver::failure::Failure;
use crate::driver::{interrupt, results};
use crate::model::key::Precision;
use crate::model::show;
use crate::search::replace::replace;

/// Open cells that are listed.
const LISTED: usize = 8;
/// Time between lines of progress.
const LINES: Duration = Duration::from_secs(10);

pub(super) fn exact(args: &ExactArgs, context: &mut Context) -> Result<(), Failure> {
    let computed = compute(&args.bound, context)?;
    let sweep = context.sweep(&args.bound.sweep)?;
    let Computed { subject, bound, .. } = &computed;
    if !bound.bound.is_finite() {
        return Err(Failure::input(format!(
            "{}: the bound over {} is infinite, so no level can be proven; give a range without zeros and poles of the \
             function, with --range",
            sweep.name, computed.range
        )));
    }
    context.note(&format!(
        "{}: the bound is {} ULP, found in {}; searching below it for at most {}",
        sweep.name,
        up(bound.bound),
        show::seconds(computed.time),
        show::seconds(args.time)
    ));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let effort = Effort {
        threads: args.jobs.unwrap_or(threads),
        time: Duration::from_secs_f64(args.time),
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
        args.slack,
        effort,
        &stop,
        &mut |p| {
            if asked.asked() {
                stop.store(true, Ordering::Relaxed);
            }
            if Instant::now() >= line {
                line = Instant::now() + LINES;
                context.note(&format!(
                    "{} of {} cells above {:.9} ULP, {} runs of the lattice",
                    p.cells.0,
                    p.cells.1,
                    p.level,
                    show::count(p.runs.into())
                ));
            }
        },
    );
    let time = begun.elapsed().as_secs_f64();
    // Once more, by itself: what is printed was evaluated.
    let worst = (!exact.worst.x.is_nan()).then(|| {
        let mut values = Values::new(&subject.program);
        let x = exact.worst.x;
        let error = error_at(&subject.program, &subject.truth, &mut values, x);
        let error = error.map_or(Interval::ALL, Interval::abs);
        (x, error.lo, values.result(x), error.hi)
    });
    let proven = exact.is_exact() && worst.is_some();
    if let Some(path) = &args.certificate {
        let about = certificate::Subject {
            sweep: sweep.name,
            program: &subject.program,
            truth: &subject.truth,
            stretches: &subject.stretches,
        };
        let error = worst.map_or(f64::INFINITY, |w| w.3);
        match certificate::certificate(about, bound, &exact, error) {
            Ok(text) => {
                let file = path.display();
                replace(path, text.as_bytes())
                    .map_err(|e| Failure::input(format!("{file}: {e}")))?;
                context.note(&format!(
                    "the certificate is {file}, {} bytes; `crunch-check {file}` checks it",
                    show::count((text.len() as u64).into())
                ));
            }
            Err(why) => context.note(&format!("{} is not written: {why}", path.display())),
        }
    }
    let p = Precision::F64;
    if context.json {
        let mut document = document(sweep.name, &computed);
        document["exact"] = json!(proven);
        document["lower"] = worst.map_or(json!(null), |w| results::error(w.1));
        document["upper"] = results::error(exact.upper);
        document["input"] = worst.map_or(json!(null), |w| results::word(p, w.0.to_bits()));
        document["result"] = worst.map_or(json!(null), |w| results::word(p, w.2));
        document["open_cells"] = json!(exact.open.len());
        document["runs"] = json!(exact.work.runs);
        document["run_inputs"] = json!(exact.work.inputs);
        document["evaluated"] = json!(exact.work.candidates + exact.work.brute);
        document["exact_seconds"] = json!(time);
        context.out.json(&document)?;
        return Ok(());
    }
    context.out.line(&format!(
        "{}: {} inputs of {}",
        sweep.name,
        show::count(subject.inputs),
        computed.range
    ))?;
    let mut rows = vec![];
    let mut row = |name: &str, text: String| rows.push(vec![name.to_string(), text]);
    match worst {
        Some((x, error, result, _)) => {
            if proven {
                row(
                    "largest error",
                    format!("{error:.12} ULP, exact: no input has a larger one"),
                );
            } else {
                row(
                    "largest error",
                    format!("in [{error:.12}, {}] ULP", up(exact.upper)),
                );
            }
            row("  at", show::full(p, x.to_bits()));
            row("  result", show::full(p, result));
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
    row("cells", work(&exact));
    row("time", format!("{} after the bound", show::seconds(time)));
    for text in left_out(&computed) {
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
