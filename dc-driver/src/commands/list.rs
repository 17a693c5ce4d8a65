//! `list`: the sweeps, the references of functions, or the kernels.

use kernels_gen::ir::Kernel;
use serde_json::{Value, json};

use crate::args::ListArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::kernels;
use dc_runtime::builtins::reference::{REFERENCES, REFERENCES_OF_TWO, Reference, Tier};
use dc_runtime::search::identity::{KernelIdentity, kernel_name};

/// The modules of the references for routines in binary32 and in binary64.
const MODULES: [&str; 2] = [
    "doublecrunch::builtins::reference::binary32",
    "doublecrunch::builtins::reference::binary64",
];

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
        let tier = |t: &Tier, module: &str| json!({ "kernel": t.kernel.name, "path": format!("{module}::{}", t.kernel.name), "bound": -f64::from(t.bits), "restriction": t.note });
        let values: Vec<Value> = chosen
            .iter()
            .map(|r| {
                json!({
                    "function": r.name,
                    "formula": r.function.name(),
                    "arguments": r.function.arguments(),
                    "binary32": tier(&r.binary32, MODULES[0]),
                    "binary64": r.binary64.as_ref().map(|t| tier(t, MODULES[1])),
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
    // The prelude has none of them.
    for (precision, module) in [("binary32", MODULES[0]), ("binary64", MODULES[1])] {
        context
            .out
            .line(&format!("kernels for {precision}: use {module}::NAME;"))?;
    }
    #[cfg(feature = "references")]
    if functions.is_empty() {
        let all = dc_formula::infix::functions();
        let all = all.map(|(name, n)| format!("{name}({})", ["a", "b", "c"][..n].join(", ")));
        let all: Vec<String> = all.collect();
        context.out.line(&format!(
            "only formulas have {}: --against-expression \"erfinv(x)\"",
            all.join(", ")
        ))?;
    }
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
            "sweep": s.name(),
            "accuracy_only": s.kernels().is_none(),
            "precision": s.inputs().signature(),
            "range": s.range(),
            "approximation": kernel(&kernels[0]),
            "reference": kernel(&kernels[1]),
            "metric": kernel(&kernels[2]),
        }));
        rows.push(vec![
            s.name().into(),
            s.inputs().signature().into(),
            named(&kernels[0]),
            named(&kernels[1]),
            s.range().into(),
        ]);
    }
    if context.json {
        context.out.json(&json!(values))?;
        return Ok(());
    }
    if context.sweeps.is_empty() {
        context.out.line("this program has no sweeps")?;
    } else {
        context.out.table(&rows)?;
    }
    if context.reductions.is_empty() {
        return Ok(());
    }
    let mut rows = vec![
        ["reduction", "function", "orders"]
            .map(String::from)
            .to_vec(),
    ];
    rows.extend(context.reductions.iter().map(|r| {
        let orders: Vec<&str> = r.orders.iter().map(|o| o.name).collect();
        vec![r.name.into(), r.function.name().into(), orders.join(", ")]
    }));
    context.out.line("")?;
    context.out.table(&rows)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::MODULES;

    /// Every name that is printed compiles with the path that is printed with it.
    #[test]
    fn references_are_in_the_modules_that_are_printed() {
        // The facade is this crate's dependent, and exports the whole of the runtime.
        use dc_runtime::builtins::reference as doublecrunch;
        macro_rules! used {
            ($($name:ident $function:ident { $f32:ident $bits:literal $note:literal } $({ $f64:ident $bits64:literal $note64:literal })?;)+) => {
                $(
                    let name = <doublecrunch::binary32::$f32 as dc_runtime::kernel::CrunchFn>::KERNEL.name;
                    assert_eq!(name, stringify!($f32));
                    $(
                        let name = <doublecrunch::binary64::$f64 as dc_runtime::kernel::CrunchFn>::KERNEL.name;
                        assert_eq!(name, stringify!($f64));
                    )?
                )+
            };
        }
        dc_runtime::__references!(used);
        dc_runtime::__references_of_two!(used);
        for (module, here) in MODULES.iter().zip(["binary32", "binary64"]) {
            assert_eq!(
                *module,
                format!("doublecrunch::builtins::reference::{here}")
            );
        }
    }
}
