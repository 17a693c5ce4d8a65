//! `doctor`: the backends that are available, those that were refused and why, and the remedies for missing ones.

use serde_json::json;

use crate::args::DoctorArgs;
use crate::context::{Context, filter};
use crate::failure::Failure;
use dc_runtime::model::machine;

/// The compilers of `crunch lift`: for each its purpose, its program, and how to install it.
fn compilers() -> [(&'static str, Option<String>, &'static str); 2] {
    [
        (
            "C, C++ and comparisons",
            dc_lift::tools::clang(),
            "clang: install Debian's `clang` or `clang-19`, or name it in CLANG",
        ),
        (
            "bitcode (.bc)",
            dc_lift::tools::llvm_dis(),
            "llvm-dis: install Debian's `llvm` or `llvm-19`, or name it in LLVM_DIS",
        ),
    ]
}

pub(super) fn doctor(args: &DoctorArgs, context: &mut Context) -> Result<(), Failure> {
    let filter = filter(&args.backend)?;
    let discovery = (context.discover)(&filter);
    if context.json {
        let available: Vec<_> = discovery
            .backends
            .iter()
            .map(|b| json!({ "backend": b.id(), "description": b.describe() }))
            .collect();
        let refused: Vec<_> = discovery
            .refused
            .iter()
            .map(|(id, e)| json!({ "backend": id, "reason": e.to_string() }))
            .collect();
        let missing: Vec<_> = discovery
            .absent
            .iter()
            .map(|a| json!({ "backend": a.id, "reason": a.reason, "remedy": a.remedy }))
            .collect();
        context.out.json(&json!({
            "machine": machine::describe(),
            "version": machine::VERSION,
            "rustc": machine::RUSTC,
            "available": available,
            "refused": refused,
            "missing": missing,
            "lift": compilers().map(|(of, program, remedy)| json!({
                "for": of,
                "program": program,
                "remedy": program.is_none().then_some(remedy),
            })),
        }))?;
    } else {
        context.out.line(&machine::describe())?;
        if !discovery.backends.is_empty() {
            context
                .out
                .line("\navailable: probed, and every bit as it must be")?;
            let rows = discovery.backends.iter();
            let rows: Vec<_> = rows
                .map(|b| vec![format!("  {}", b.id()), b.describe()])
                .collect();
            context.out.columns(&rows)?;
        }
        if !discovery.refused.is_empty() {
            context.out.line("\nrefused: here, and not to be trusted")?;
            for (id, e) in &discovery.refused {
                let text = e.to_string();
                let mut lines = text.lines();
                let first = lines.next().unwrap_or_default();
                let first = first
                    .strip_prefix(&format!("{id} is refused: "))
                    .unwrap_or(first);
                context.out.line(&format!("  {id}: {first}"))?;
                for line in lines {
                    context.out.line(&format!("    {line}"))?;
                }
            }
        }
        if !discovery.absent.is_empty() {
            context.out.line("\nmissing")?;
            for a in &discovery.absent {
                context.out.line(&format!("  {}: {}", a.id, a.reason))?;
                context.out.line(&format!("    {}", a.remedy))?;
            }
        }
        context.out.line("\nlift: compilers of sources")?;
        for (of, program, remedy) in compilers() {
            let line = match program {
                Some(program) => format!("  {of}: {program}"),
                None => format!("  {of}: missing; {remedy}"),
            };
            context.out.line(&line)?;
        }
    }
    context.require(&discovery, &filter)
}
