//! A comparison as text.

use std::collections::BTreeSet;

use super::row::{Inputs, Row};
use crate::context::Context;
use crate::failure::Failure;
use crate::limit::Limit;
use crate::progress::short;
use crate::results;
use dc_runtime::backend::{BackendError, Discovery};
use dc_runtime::model::key::Precision;
use dc_runtime::model::show;
use dc_runtime::search::equivalence::{Difference, Found, Verdict};
use dc_runtime::search::evaluator::{self, PointResult};
use dc_runtime::search::trace;
use dc_runtime::sweep::Sweep;

/// Prints the table of a sweep's backends and, if one differs from the first, how it differs.
pub(super) fn print(
    sweep: &Sweep,
    inputs: &Inputs,
    rows: &[Row],
    discovery: &Discovery,
    context: &mut Context,
) -> Result<(), Failure> {
    let space = sweep.inputs();
    let count = |n: u128| show::count(n);
    let things = match space.of_pairs() {
        Some(_) => "pairs",
        None => "inputs",
    };
    let stands_for = inputs.sample.stands_for().map_or(String::new(), |n| {
        format!(", a sample of its {n} (not exhaustive)")
    });
    let edges = inputs.edges.as_ref().map_or(String::new(), |e| {
        format!("; and {} special values and neighbours", count(e.count()))
    });
    context.out.line(&format!(
        "{}: {} {things} of {}{stands_for}{edges}",
        sweep.name(),
        count(inputs.sample.count()),
        inputs.text
    ))?;
    if let Some(strata) = inputs.sample.describe() {
        context.out.line(&format!("sample: {strata}"))?;
    }
    if let Some(misses) = inputs.sample.misses() {
        context.out.line(&format!("        {misses}"))?;
    }
    let heading = [
        "backend", "inputs", "inputs/s", "max ULP", "at", "digest", "verdict",
    ];
    let mut table = vec![heading.map(String::from).to_vec()];
    for r in rows {
        let a = &r.agreement;
        let max = a.result.max;
        let (error, at) = if max.exists() {
            let at = space.hex_float(max.key);
            (short(max.error()), at)
        } else {
            ("none".into(), String::new())
        };
        let verdict = match (&a.verdict, r.difference()) {
            (_, Some(d)) => format!("differs from {}", d.backends[0]),
            (Verdict::Baseline, _) => "baseline".into(),
            _ => "bitwise identical".into(),
        };
        table.push(vec![
            a.backend.clone(),
            count(a.result.count.into()),
            show::si(a.rate),
            error,
            at,
            results::digest(&a.result),
            verdict,
        ]);
    }
    let without = |id: &str, verdict: &str| {
        let mut row = vec![String::new(); heading.len()];
        (row[0], row[6]) = (id.into(), verdict.into());
        row
    };
    let refused = discovery.refused.iter().map(|r| &r.0);
    table.extend(refused.map(|id| without(id, "REFUSED, not compared")));
    // One row for each backend, however many reasons there are.
    let absent: BTreeSet<&String> = discovery.absent.iter().map(|a| &a.id).collect();
    table.extend(absent.into_iter().map(|id| without(id, "not here")));
    context.out.table(&table)?;
    for (id, e) in &discovery.refused {
        context
            .out
            .line(&format!("{id} is refused: {}", reason(id, e)))?;
    }
    for a in &discovery.absent {
        context
            .out
            .line(&format!("{} is not here: {}", a.id, a.reason))?;
    }
    let (limit, findings) = inputs.findings(sweep, rows);
    for r in rows.iter().take(1) {
        let max = r.agreement.result.max;
        if max.exists() {
            let allowed = match limit {
                Some(Limit::Declared(ulp, _)) => format!("; {} ULP allowed", format_error(ulp)),
                _ => String::new(),
            };
            context.out.line(&format!(
                "worst: {} ULP at {}{allowed}",
                format_error(max.error()),
                space.show(max.key)
            ))?;
        }
        for (kind, fault, whose) in evaluator::faults(sweep, &r.agreement.result) {
            context.out.line(&format!(
                "wrong special values ({}): {} inputs, the first {}: {whose}",
                kind.name(),
                count(fault.count.into()),
                space.show(fault.first_key)
            ))?;
        }
    }
    for finding in &findings {
        context.out.line(&format!("FINDING: {finding}"))?;
    }
    for d in rows.iter().filter_map(Row::difference) {
        difference(d, context)?;
    }
    let same = rows.iter().all(|r| r.difference().is_none());
    if same && rows.len() > 1 {
        let least = rows.iter().map(|r| r.agreement.result.count).min();
        let most = rows.iter().map(|r| r.agreement.result.count).max();
        let on = match (least, most) {
            (Some(a), Some(b)) if a < b => format!(
                "the inputs that both have done ({} to {})",
                count(a.into()),
                count(b.into())
            ),
            (a, _) => format!("{} inputs", count(a.unwrap_or(0).into())),
        };
        context.out.line(&format!(
            "verdict: {} backends bitwise identical on {on}{}{}{}",
            rows.len(),
            if inputs.edges.is_some() {
                " and on the special values"
            } else {
                ""
            },
            match discovery.refused.len() {
                0 => String::new(),
                n => format!("; {n} refused"),
            },
            if findings.is_empty() {
                ""
            } else {
                ", and wrong: see FINDING"
            }
        ))?;
    }
    context.out.line("")?;
    Ok(())
}

/// The reason why a backend is refused, in one line without its name.
pub(super) fn reason(id: &str, e: &BackendError) -> String {
    let text = e.to_string();
    let line = text.lines().next().unwrap_or_default();
    let own = format!("{id} is refused: ");
    line.strip_prefix(&own).unwrap_or(line).into()
}

fn format_error(x: f64) -> String {
    dc_runtime::search::format::number(x)
}

/// The difference of two backends.
fn difference(d: &Difference, context: &mut Context) -> Result<(), Failure> {
    let space = d.inputs;
    let [a, b] = &d.backends;
    let p = space.precision();
    let key = |k: i64| space.decimal(k);
    let last = d.block.first.wrapping_add_unsigned(d.block.count - 1);
    context.out.line(&format!(
        "{b} differs from {a} in {} block{}; in the first, inputs {} to {}, by: {}",
        show::count(d.blocks.into()),
        if d.blocks == 1 { "" } else { "s" },
        key(d.block.first),
        key(last),
        d.results[0].differing_fields(&d.results[1]).join(", ")
    ))?;
    let Found::Input {
        key,
        measured,
        alone,
        trace,
    } = &d.found
    else {
        context.out.line(
            "  no part of that block differs when searched by itself: the result depends on how the work is divided, or on chance",
        )?;
        return Ok(());
    };
    context.out.line(&format!(
        "  the first input that differs: {}",
        space.show(*key)
    ))?;
    let mut rows = Vec::new();
    for (id, j) in d.backends.iter().zip(measured.iter()) {
        let result = show::full(p, j.result_bits);
        rows.push(vec![
            format!("    {id}"),
            format!("{result}, error {} ULP", short(j.error)),
        ]);
    }
    context.out.columns(&rows)?;
    let words = |j: &PointResult| j.reference.map(f64::to_bits);
    let given = |j: &PointResult| (words(j), j.scale);
    let mut rows = Vec::new();
    if given(&measured[0]) == given(&measured[1]) {
        let PointResult {
            reference: [hi, lo],
            scale,
            ..
        } = measured[0];
        let text = show::scaled(&format!("{hi:?} + {lo:?}"), scale);
        rows.push(vec!["    reference".into(), text]);
    } else {
        for (id, j) in d.backends.iter().zip(measured.iter()) {
            let [hi, lo] = words(j).map(|w| show::full(Precision::F64, w));
            rows.push(vec![
                format!("    reference on {id}"),
                show::scaled(&format!("{hi} + {lo}"), j.scale),
            ]);
        }
    }
    if measured[0] == measured[1] && alone[0] != alone[1] {
        rows.push(vec![
            "    note".into(),
            "evaluated alone they agree; their search kernels do not".into(),
        ]);
    }
    context.out.columns(&rows)?;
    for line in trace::part_lines(trace) {
        context.out.line(&format!("  {line}"))?;
    }
    Ok(())
}
