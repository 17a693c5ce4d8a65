//! `list`: the sweeps, the references of functions, or the kernels.

use kernels_gen::ir::Kernel;
use serde_json::{Value, json};

use crate::args::ListArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::kernels;
use dc_runtime::builtins::reference::{REFERENCES, REFERENCES_OF_TWO, Reference, Tier};
use dc_runtime::search::identity::{KernelIdentity, kernel_name};

pub(super) fn list(args: &ListArgs, context: &mut Context) -> Result<(), Failure> {
    if args.references {
        references(&args.functions, context)
    } else if args.kernels {
        kernels(context)
    } else {
        sweeps(context)
    }
}

fn references(functions: &[String], context: &mut Context) -> Result<(), Failure> {
    let chosen: Vec<&Reference> = if functions.is_empty() {
        REFERENCES.iter().chain(REFERENCES_OF_TWO).collect()
    } else {
        let by_name =
            |name: &String| Reference::by_name(name).map_err(|e| Failure::input(e.to_string()));
        functions.iter().map(by_name).collect::<Result<_, _>>()?
    };
    if context.json {
        let tier = |t: &Tier| json!({ "kernel": t.kernel.name, "bound": -f64::from(t.bits), "restriction": t.note });
        let values: Vec<Value> = chosen
            .iter()
            .map(|r| {
                json!({
                    "function": r.name,
                    "formula": r.function.name(),
                    "arguments": r.function.arguments(),
                    "binary32": tier(&r.binary32),
                    "binary64": r.binary64.as_ref().map(tier),
                })
            })
            .collect();
        context.out.json(&json!(values))?;
        return Ok(());
    }
    let bound = |t: &Tier| format!("{} 2^-{}", t.kernel.name, t.bits);
    let mut rows = vec![
        [
            "function",
            "computes",
            "for binary32, relative error",
            "for binary64",
            "restrictions",
        ]
        .map(String::from)
        .to_vec(),
    ];
    for r in chosen {
        let notes = [Some(&r.binary32), r.binary64.as_ref()];
        let notes: Vec<&str> = notes
            .into_iter()
            .flatten()
            .map(|t| t.note)
            .filter(|n| !n.is_empty())
            .collect();
        rows.push(vec![
            r.name.into(),
            r.function.name().into(),
            bound(&r.binary32),
            r.binary64.as_ref().map(bound).unwrap_or_default(),
            notes.join("; "),
        ]);
    }
    context.out.table(&rows)?;
    Ok(())
}

fn kernels(context: &mut Context) -> Result<(), Failure> {
    let mut all = kernels::all(context.sweeps, context.kernels);
    all.sort_by_key(|k| (kernels::path(k), k.line));
    if context.json {
        let value = |k: &&Kernel| json!({ "kernel": kernel_name(k), "module": k.module, "file": k.file, "line": k.line });
        let values: Vec<Value> = all.iter().map(value).collect();
        return Ok(context.out.json(&json!(values))?);
    }
    let mut rows = vec![["kernel", "module", "at"].map(String::from).to_vec()];
    rows.extend(all.iter().map(|k| {
        vec![
            kernel_name(k),
            k.module.into(),
            format!("{}:{}", k.file, k.line),
        ]
    }));
    Ok(context.out.table(&rows)?)
}

fn sweeps(context: &mut Context) -> Result<(), Failure> {
    let mut values = Vec::new();
    let mut rows = vec![
        ["sweep", "precision", "approximation", "reference", "range"]
            .map(String::from)
            .to_vec(),
    ];
    for s in context.sweeps {
        let id = context.identity(s)?;
        let kernel = |k: &KernelIdentity| json!({ "name": k.name, "module": k.module, "file": k.file, "line": k.line, "identity": k.hash });
        let kernels = &id.kernels;
        let named = |k: &KernelIdentity| match k.is_kernel() {
            true => k.name.clone(),
            false => format!("{} (host)", k.name),
        };
        values.push(json!({
            "sweep": s.name,
            "accuracy_only": s.kernels().is_none(),
            "precision": s.inputs.signature(),
            "range": s.range,
            "approximation": kernel(&kernels[0]),
            "reference": kernel(&kernels[1]),
            "metric": kernel(&kernels[2]),
        }));
        rows.push(vec![
            s.name.into(),
            s.inputs.signature().into(),
            named(&kernels[0]),
            named(&kernels[1]),
            s.range.into(),
        ]);
    }
    if context.json {
        context.out.json(&json!(values))?;
    } else if context.sweeps.is_empty() {
        context.out.line("this program has no sweeps")?;
    } else {
        context.out.table(&rows)?;
    }
    Ok(())
}
