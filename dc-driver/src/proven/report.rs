//! The result of a search for the largest error, as text and as JSON.

use dc_exact::exact::Exact;
use serde_json::json;

use super::compute::Computed;
use super::document::document;
use super::found::Found;
use super::why::explained;
use super::wording::{but, known, left_out, relative, up};
use crate::context::Context;
use crate::failure::Failure;
use crate::results;
use dc_runtime::model::key::Precision;
use dc_runtime::model::show;

/// The number of open cells that are listed.
const LISTED: usize = 8;

pub fn report(found: &Found, context: &mut Context) -> Result<(), Failure> {
    if context.json {
        return json(found, context);
    }
    let Found {
        computed, exact, ..
    } = found;
    let subject = &computed.subject;
    let p = Precision::F64;
    context.out.line(&format!(
        "{}: {} inputs of {}",
        found.sweep,
        show::count(subject.inputs),
        computed.range
    ))?;
    let mut rows = vec![];
    let mut row = |name: &str, text: String| rows.push(vec![name.to_string(), text]);
    if !found.shard.is_whole() {
        row(
            "shard",
            format!(
                "{}: the following is only for this part of the cells",
                found.shard
            ),
        );
    }
    match &found.worst {
        Some(worst) => {
            let least = known(worst.error.lo, 12);
            if let Some(why) = found.refused() {
                row(
                    "largest error",
                    format!(
                        "{least} ULP found, and not proven: the search closed every cell, and the checker refuses its certificate"
                    ),
                );
                row("  refused", show::plain(why));
            } else if let Some(why) = no_bound(computed) {
                row("largest error", format!("{least} ULP or more"));
                row("  no bound", why);
            } else if found.closed() {
                row(
                    "largest error",
                    format!("{least} ULP, exact: no input has a larger one"),
                );
            } else {
                row(
                    "largest error",
                    format!(
                        "in [{least}, {}] ULP{}",
                        up(exact.upper),
                        but(&computed.bound)
                    ),
                );
            }
            row("  at", show::full(p, worst.x.to_bits()));
            row("  result", show::full(p, worst.result));
        }
        None if let Some(why) = no_bound(computed) => {
            row("largest error", "no input above 0 ULP was found".into());
            row("  no bound", why);
        }
        None => row(
            "largest error",
            format!(
                "below {} ULP{}; no input above that was found",
                up(exact.upper),
                but(&computed.bound)
            ),
        ),
    }
    row("  relative to", relative(subject));
    row("cells", work(exact));
    if let Some(certificate) = &found.certificate {
        row("certificate", certificate.in_words());
    }
    row(
        "time",
        format!("{} after the bound", show::seconds(found.time)),
    );
    for text in left_out(computed) {
        row("not bounded", text);
    }
    if let Some([why, remedy]) = explained(found) {
        row("why open", why);
        row("  what to do", remedy);
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

fn json(found: &Found, context: &mut Context) -> Result<(), Failure> {
    let Found {
        computed, exact, ..
    } = found;
    let p = Precision::F64;
    let worst = found.worst.as_ref();
    let mut document = document(found.sweep, computed);
    document["exact"] = json!(found.closed() && found.shard.is_whole());
    document["shard"] = json!(found.shard.to_string());
    document["stopped"] = json!(exact.stopped);
    document["lower"] = worst.map_or(json!(null), |w| results::error(w.error.lo));
    document["upper"] = match no_bound(computed) {
        None => results::error(exact.upper),
        Some(_) => json!(null),
    };
    document["input"] = worst.map_or(json!(null), |w| results::word(p, w.x.to_bits()));
    document["result"] = worst.map_or(json!(null), |w| results::word(p, w.result));
    let proven = found.certificate.as_ref().and_then(|c| c.proven());
    document["certificate_proven"] = json!(proven);
    document["certificate_refused"] = json!(found.refused());
    document["open_cells"] = json!(exact.open.len());
    let explained = explained(found);
    document["why_open"] = json!(explained.as_ref().map(|e| &e[0]));
    document["remedy"] = json!(explained.as_ref().map(|e| &e[1]));
    document["runs"] = json!(exact.work.runs);
    document["run_inputs"] = json!(exact.work.inputs);
    document["evaluated"] = json!(exact.work.candidates + exact.work.brute);
    document["exact_seconds"] = json!(found.time);
    context.out.json(&document)?;
    Ok(())
}

/// The reason why a bracket has no upper end; `None` if it has one.
fn no_bound(computed: &Computed) -> Option<String> {
    let finite = computed.bound.bound.is_finite();
    match computed.is_bound() {
        true if finite => None,
        true => Some("no number of ULP bounds the errors of all inputs".into()),
        false => Some(format!(
            "{:.4} % of the inputs are not bounded",
            100.0 * computed.left_out
        )),
    }
}

/// The methods that closed the cells.
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
