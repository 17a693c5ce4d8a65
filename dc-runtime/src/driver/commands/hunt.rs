//! `hunt`: inputs whose errors come close to the certified bound.

use std::time::{Duration, Instant};

use dc_exact::cell::Values;
use dc_exact::hunt::{Hunt, Plan, error_at, hunt as search};
use serde_json::json;

use super::bound::{Computed, compute, document, left_out, relative, up};
use crate::driver::args::HuntArgs;
use crate::driver::context::Context;
use crate::driver::failure::Failure;
use crate::driver::results;
use crate::model::key::Precision;
use crate::model::show;

pub(super) fn hunt(args: &HuntArgs, context: &mut Context) -> Result<(), Failure> {
    let computed = compute(&args.bound, context)?;
    let sweep = context.sweep(&args.bound.sweep)?;
    let Computed { subject, bound, .. } = &computed;
    if !bound.bound.is_finite() {
        return Err(Failure::input(format!(
            "{}: the bound over {} is infinite, so there is nothing to come close to; give a range without zeros and poles \
             of the function, with --range",
            sweep.name, computed.range
        )));
    }
    context.note(&format!(
        "{}: the bound is {} ULP, found in {}; hunting for at most {}",
        sweep.name,
        up(bound.bound),
        show::seconds(computed.time),
        show::seconds(args.time)
    ));
    let plan = Plan {
        known: 0.0,
        slack: args.slack,
        time: Duration::from_secs_f64(args.time),
    };
    let begun = Instant::now();
    let found = search(&subject.program, &subject.truth, bound, plan);
    let time = begun.elapsed().as_secs_f64();
    // Once more, by itself: what is printed was evaluated.
    let worst = found.worst.and_then(|hit| {
        let mut values = Values::new(&subject.program);
        let error = error_at(&subject.program, &subject.truth, &mut values, hit.x)?;
        Some((hit.x, error.abs().lo, values.result(hit.x)))
    });
    let p = Precision::F64;
    if context.json {
        let mut document = document(sweep.name, &computed);
        document["lower"] = worst.map_or(json!(null), |w| results::error(w.1));
        document["input"] = worst.map_or(json!(null), |w| results::word(p, w.0.to_bits()));
        document["result"] = worst.map_or(json!(null), |w| results::word(p, w.2));
        document["searched_above"] = results::error(found.level);
        document["searched_completely"] = json!(found.complete);
        document["runs"] = json!(found.runs);
        document["run_inputs"] = json!(found.inputs);
        document["cells_not_searched"] = json!(found.refused.len());
        document["proven_maximum"] = json!(false);
        document["hunt_seconds"] = json!(time);
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
        Some((x, error, result)) => {
            row(
                "largest error",
                format!("in [{error:.12}, {}] ULP", up(bound.bound)),
            );
            row(
                "  lower end",
                format!("{error:.12} ULP, verified by evaluation"),
            );
            row("    at", show::full(p, x.to_bits()));
            row("    result", show::full(p, result));
        }
        None => {
            row("largest error", format!("in [0, {}] ULP", up(bound.bound)));
            row(
                "  lower end",
                "nothing was found in this time; give --time more, or a larger --slack".into(),
            );
        }
    }
    row(
        "  upper end",
        format!(
            "{} ULP, certified, relative to {}",
            up(bound.bound),
            relative(subject)
        ),
    );
    row("searched", searched(&found, time));
    for text in left_out(&computed) {
        row("not bounded", text);
    }
    if !found.refused.is_empty() {
        row(
            "not searched",
            format!("{} cells, {}", found.refused.len(), found.refused[0].1),
        );
    }
    row(
        "no proof",
        "the lower end is an error that an input has; that no input has a larger one is not proven"
            .into(),
    );
    context.out.columns(&rows)?;
    Ok(())
}

/// What was searched, in which time.
fn searched(found: &Hunt, time: f64) -> String {
    let runs = format!(
        "{} runs of the lattice over {} inputs in {}",
        show::count(found.runs.into()),
        show::si(found.inputs),
        show::seconds(time)
    );
    if found.complete {
        format!(
            "every cell whose bound is above {:.9} ULP; {runs}",
            found.level
        )
    } else {
        format!("until the time was over, not every cell; {runs}")
    }
}
