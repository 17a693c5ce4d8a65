//! A comparison as a JSON document.

use serde_json::{Value, json};

use super::row::{Inputs, Row};
use super::text::reason;
use crate::results;
use dc_runtime::backend::Discovery;
use dc_runtime::model::key::Precision;
use dc_runtime::search::equivalence::{Difference, Found, Verdict};
use dc_runtime::search::evaluator::PointResult;
use dc_runtime::sweep::Sweep;

/// The JSON document of a sweep's comparison.
pub(super) fn document(
    sweep: &Sweep,
    inputs: &Inputs,
    rows: &[Row],
    discovery: &Discovery,
) -> Value {
    let p = sweep.precision();
    let backends: Vec<Value> = rows
        .iter()
        .map(|r| {
            let a = &r.agreement;
            json!({
                "backend": a.backend,
                "description": a.description,
                "inputs": a.result.count,
                "of_inputs": results::count(r.given),
                "rate": a.rate,
                "result": results::result(sweep.inputs(), &a.result, sweep.measure()),
                "edges": r.edges.as_ref().map(|e| results::result(sweep.inputs(), &e.result, sweep.measure())),
                "verdict": match (&a.verdict, r.difference()) {
                    (_, Some(_)) => "differs",
                    (Verdict::Baseline, _) => "baseline",
                    _ => "identical",
                },
                "difference": r.difference().map(|d| difference_json(p, d)),
            })
        })
        .collect();
    let (limit, findings) = inputs.findings(sweep, rows);
    let strata = inputs.sample.strata.as_ref().map(|s| {
        json!({
            "stretches": inputs.sample.range.spans().len(),
            "single_inputs": inputs.sample.singles.as_ref().map_or(0, |s| s.count() as u64),
            "binades_of_input": s.inputs,
            "binades_of_result": s.results,
            "pieces_of_routine": s.pieces,
            "pieces_unknown": s.unknown,
            "seed": format!("{:#x}", inputs.sample.seed),
        })
    });
    let refused: Vec<Value> = discovery
        .refused
        .iter()
        .map(|(id, e)| json!({ "backend": id, "reason": reason(id, e) }))
        .collect();
    let absent: Vec<Value> = discovery
        .absent
        .iter()
        .map(|a| json!({ "backend": a.id, "reason": a.reason, "remedy": a.remedy }))
        .collect();
    json!({
        "sweep": sweep.name(),
        "range": inputs.text,
        "inputs": results::count(inputs.sample.count()),
        "sample_of": inputs.of().map(results::count),
        "sample": strata,
        "edges": inputs.edges.as_ref().map(|e| results::count(e.count())),
        "identical": rows.iter().all(|r| r.difference().is_none()),
        "allowed": limit.map(|l| results::error(l.ulp())),
        "findings": findings,
        "backends": backends,
        "refused": refused,
        "missing": absent,
    })
}

fn difference_json(p: Precision, d: &Difference) -> Value {
    let key = |k: i64| results::input(d.inputs, k);
    let first = match &d.found {
        Found::Nothing => Value::Null,
        Found::Input {
            key: k,
            measured,
            trace,
            ..
        } => {
            let side = |j: &PointResult| {
                json!({
                    "result": results::word(p, j.result_bits),
                    "reference": j.reference.map(|x| results::word(Precision::F64, x.to_bits())),
                    "scale": j.scale,
                    "error": results::error(j.error),
                    "flags": j.flags,
                })
            };
            json!({
                "input": key(*k),
                "sides": [side(&measured[0]), side(&measured[1])],
                "trace": crate::traced::parts(trace, false),
            })
        }
    };
    json!({
        "backends": d.backends,
        "blocks": d.blocks,
        "block": { "index": d.block.index, "first": key(d.block.first), "inputs": d.block.count },
        "fields": d.results[0].differing_fields(&d.results[1]),
        "first_input": first,
    })
}
