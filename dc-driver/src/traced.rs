//! Traced kernels as JSON.

use serde_json::{Value, json};

use super::results;
use dc_runtime::model::key::Precision;
use dc_runtime::search::identity::kernel_name;
use dc_runtime::search::trace::{self, Compiled, Finding, Operation, Part, Traced, source};
use kernels_gen::ops::Prim;
use kernels_gen::text::{decimal, hex, prim_name};

/// Traced kernels; with `all`, the values of every operation.
pub fn parts(parts: &[Part], all: bool) -> Value {
    let part = |p: &Part| {
        let mut value = match &p.traced {
            Ok(t) => traced(t, all),
            Err(e) => json!({ "finding": "untraced", "reason": e.to_string() }),
        };
        value["role"] = p.role.name().into();
        value["kernel"] = kernel_name(p.kernel).into();
        value
    };
    parts.iter().map(part).collect()
}

fn traced(t: &Traced, all: bool) -> Value {
    let one = |at: usize| operation(&t.operations[at], at);
    let side = |found: &Compiled| match found {
        Compiled::Form(None) => json!({ "why": "form" }),
        Compiled::Form(Some(c)) => json!({
            "why": "contraction",
            "product": one(c.product),
            "sum": one(c.sum),
            "contractions": c.together,
            "holds_at_inputs": c.inputs,
        }),
        Compiled::Merged { at, got, with } => json!({
            "why": "merged",
            "operation": one(*at),
            "operands": operands(t, *at),
            "value": word(t.operations[*at].ty, *got),
            "with": with,
        }),
        Compiled::Elusive => json!({ "why": "elusive" }),
    };
    let mut value = match &t.finding {
        Finding::Same => json!({ "finding": "same" }),
        Finding::Operation(at) => json!({
            "finding": "operation",
            "operation": one(*at),
            "operands": operands(t, *at),
        }),
        Finding::Compiled(sides) => json!({
            "finding": "compiled",
            "compiled": sides.each_ref().map(|s| s.as_ref().map(side)),
        }),
        other => json!({ "finding": "other", "description": format!("{other:?}") }),
    };
    let types: Vec<Prim> = t.results.iter().map(|&r| t.operations[r].ty).collect();
    if !types.is_empty() {
        let column = |words: &[u64]| -> Vec<Value> {
            types
                .iter()
                .zip(words)
                .map(|(&ty, &w)| word(ty, w))
                .collect()
        };
        value["results"] = json!(t.compiled.each_ref().map(|c| column(c)));
        value["results_one_by_one"] = json!([0, 1].map(|i| column(&t.one_by_one(i))));
    }
    value["values"] = t.operations.len().into();
    if all {
        let each = t.operations.iter().enumerate();
        value["operations"] = each.map(|(i, o)| operation(o, i)).collect();
    }
    value
}

fn operands(t: &Traced, at: usize) -> Vec<Value> {
    let of = &t.operations[at].operands;
    of.iter().map(|&a| operation(&t.operations[a], a)).collect()
}

fn operation(o: &Operation, number: usize) -> Value {
    let site = |s: &trace::Site| {
        json!({
            "kernel": s.origin.title,
            "file": &*s.origin.file,
            "line": s.loc.line,
            "column": s.loc.col,
            "text": source::line(s).map(|l| l.text.trim()),
        })
    };
    json!({
        "number": number,
        "operation": trace::operation(o),
        "operands": o.operands,
        "type": prim_name(o.ty),
        "name": o.name,
        "sites": o.sites.iter().map(site).collect::<Vec<_>>(),
        "values": o.values.map(|v| word(o.ty, v)),
    })
}

fn word(ty: Prim, bits: u64) -> Value {
    match ty {
        Prim::F64 => results::word(Precision::F64, bits),
        Prim::F32 => results::word(Precision::F32, bits),
        _ => json!({ "decimal": decimal(ty, bits), "bits": hex(ty, bits) }),
    }
}
