//! `trace`: one input on two backends, operation by operation.

use serde_json::json;

use crate::args::TraceArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::traced::parts;
use crate::{exit, lifted, results};
use dc_runtime::search::range;
use dc_runtime::search::trace::{self, Depth, Part, Traced};
use kernels_gen::text::prim_name;

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

/// The value of every operation, and that of the second backend if it differs.
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
