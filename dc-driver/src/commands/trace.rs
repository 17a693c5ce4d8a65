//! `trace`: one input on two backends, operation by operation.

use serde_json::{Value, json};

use crate::args::TraceArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::{exit, lifted, results};
use dc_runtime::model::key::Precision;
use dc_runtime::search::identity::kernel_name;
use dc_runtime::search::range;
use dc_runtime::search::trace::{self, Compiled, Depth, Finding, Operation, Part, Traced, source};
use kernels_gen::ops::Prim;
use kernels_gen::text::{decimal, hex, prim_name};

pub(super) fn trace(args: &TraceArgs, context: &mut Context) -> Result<(), Failure> {
    let lifted = lifted::for_backends(&args.source, context)?;
    let sweep = match (&lifted, &args.sweep) {
        (Some((sweep, _)), _) => sweep,
        (None, name) => context.sweep(name.as_deref().unwrap_or_default())?,
    };
    if sweep.kernels().is_none() {
        return Err(Failure::input(format!(
            "`{}` has no operations to trace: {}",
            sweep.name(),
            sweep.why_accuracy_only()
        )));
    }
    let (space, key) = range::place(&args.input, sweep.inputs())?;
    let sweep = &sweep.over(space);
    let mut discovery = context.backends(&args.backend)?;
    if let Some((_, original)) = &lifted {
        lifted::without_sets(&mut discovery, context);
        discovery.backends.insert(0, original.clone());
    }
    let [first, others @ ..] = &discovery.backends[..] else {
        return Err(Failure::unavailable(format!(
            "no backend is available; `{} doctor` reports why",
            context.program
        )));
    };
    if others.is_empty() {
        return Err(Failure::input(format!(
            "{} alone is no comparison; name another backend beside it, as in --backend {0},interpreter",
            first.id()
        )));
    }
    let (mut values, mut differ, mut failed) = (Vec::new(), false, None);
    for other in others {
        let parts = trace::sweep(sweep, [&**first, &**other], key, Depth::Everything);
        differ |= parts.iter().any(Part::differs);
        failed = failed.or(parts.iter().find_map(|p| p.traced.as_ref().err().cloned()));
        if context.json {
            values.push(json!({
                "sweep": sweep.name(),
                "input": results::input(space, key),
                "backends": [first.id(), other.id()],
                "parts": self::parts(&parts, args.all),
            }));
            continue;
        }
        context.out.line(&format!(
            "{} at {} on {} and {}",
            sweep.name(),
            space.show(key),
            first.id(),
            other.id()
        ))?;
        for part in &parts {
            for line in trace::part_lines(std::slice::from_ref(part)) {
                context.out.line(&format!("  {line}"))?;
            }
            if let (true, Ok(t)) = (args.all, &part.traced) {
                context.out.table(&table(t))?;
            }
        }
        context.out.line("")?;
    }
    if context.json {
        context.out.json(&json!(values))?;
    }
    match failed {
        Some(e) => Err(e.into()),
        None if differ => Err(Failure::silent(exit::FINDING)),
        None => Ok(()),
    }
}

/// Every operation's value; that of the second backend where it differs.
fn table(t: &Traced) -> Vec<Vec<String>> {
    let [a, b] = &t.backends;
    let heading = [
        "value",
        "operation",
        "operands",
        a,
        &format!("{b} where it differs"),
        "at",
    ];
    let mut rows = vec![heading.map(String::from).to_vec()];
    for (i, o) in t.operations.iter().enumerate() {
        let operands: Vec<String> = o.operands.iter().map(|a| format!("%{a}")).collect();
        let shown = |bits| dc_runtime::search::points::text(o.ty, bits);
        let [left, right] = o.values;
        rows.push(vec![
            format!("%{i}"),
            format!("{} {}", prim_name(o.ty), trace::operation(o)),
            operands.join(" "),
            match &o.name {
                Some(name) => format!("{name} = {}", shown(left)),
                None => shown(left),
            },
            if left == right {
                String::new()
            } else {
                shown(right)
            },
            trace::call_chain(o),
        ]);
    }
    rows
}

/// Traced kernels; with `all`, the values of every operation.
pub(super) fn parts(parts: &[Part], all: bool) -> Value {
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
