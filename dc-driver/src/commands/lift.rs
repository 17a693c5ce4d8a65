//! `lift`: turns an existing function in C, C++, Rust or LLVM IR into a kernel that is compared with it.

use std::path::{Path, PathBuf};

use dc_lift::Options;
use dc_lift::session::{Outcome, Request};
use dc_lift::tools::ToolError;
use dc_lift::verify::{Compared, Extent};
use serde_json::json;

use crate::args::LiftArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::folder::Temporary;
use crate::{exit, lifted};
use dc_runtime::model::show;

pub(super) fn lift(args: &LiftArgs, context: &mut Context) -> Result<(), Failure> {
    let temporary = Temporary::new("lift")?;
    let jobs = args
        .threads
        .or_else(|| Some(std::thread::available_parallelism().ok()?.get()));
    let request = Request {
        sources: args.sources.clone(),
        function: args.function.clone(),
        flags: args.flags.clone(),
        options: Options {
            inline: args.inline.into(),
            ..lifted::options(args.contract, &args.allow, args.unroll)
        },
        extent: (!args.no_verify).then_some(Extent {
            every: args.every.max(1),
            sample: args.sample,
            jobs: jobs.unwrap_or(1) as u64,
        }),
    };
    let (_, outcome) = lifted::lift(&request, &temporary)?;
    let verified = matches!(&outcome.compared, Ok(c) if c.differ == 0);
    let stem = lifted::last(&args.function);
    let output = match (&args.output, verified) {
        (Some(file), true) => file.clone(),
        (Some(file), false) => unverified(file),
        (None, true) => PathBuf::from(format!("{stem}.rs")),
        (None, false) => PathBuf::from(format!("{stem}.unverified.rs")),
    };
    let source = kernels_gen::syntax::source(&outcome.unit);
    std::fs::write(&output, source)
        .map_err(|e| Failure::failed(format!("{}: {e}", output.display())))?;
    if context.json {
        context.out.json(&document(&outcome, &output))?;
    } else {
        print(&outcome, &output, context)?;
    }
    match &outcome.compared {
        Ok(c) if c.differ > 0 => Err(Failure::silent(exit::FINDING)),
        Err(e) if !args.no_verify => Err(Failure::failed(format!(
            "the kernel was not compared with the original: {e}; give --no-verify to skip the comparison"
        ))),
        _ => Ok(()),
    }
}

/// `kernel.rs` as `kernel.unverified.rs`.
fn unverified(file: &Path) -> PathBuf {
    file.with_extension(match file.extension() {
        Some(e) => format!("unverified.{}", e.to_string_lossy()),
        None => "unverified".into(),
    })
}

fn print(outcome: &Outcome, output: &Path, context: &mut Context) -> Result<(), Failure> {
    let mut rows = vec![vec!["kernel".to_string(), output.display().to_string()]];
    let mut row = |name: &str, text: String| rows.push(vec![name.into(), text]);
    row("original", outcome.symbol.clone());
    row("operations", outcome.operations.to_string());
    let called = called(outcome);
    if !called.is_empty() {
        row("calls", called.join(", "));
    }
    row("lifted in", show::seconds(outcome.time.as_secs_f64()));
    for note in &outcome.lifted.notes {
        row("assumed", note.clone());
    }
    row("compared", compared(&outcome.compared));
    if let Ok(Compared {
        first: Some((input, original, lifted)),
        ..
    }) = &outcome.compared
    {
        row("first input", words(input));
        row("  original", words(original));
        row("  lifted", words(lifted));
    }
    context.out.columns(&rows)?;
    Ok(())
}

/// The kernels of called functions.
fn called(outcome: &Outcome) -> Vec<&str> {
    let (_, called) = outcome
        .unit
        .funcs
        .split_last()
        .expect("a unit has a kernel");
    called.iter().map(|f| f.name.as_str()).collect()
}

fn words(words: &[u64]) -> String {
    let hex: Vec<String> = words.iter().map(|w| format!("{w:#x}")).collect();
    hex.join(", ")
}

fn compared(compared: &Result<Compared, ToolError>) -> String {
    match compared {
        Err(e) => format!("no: {e}"),
        Ok(c) => {
            let all = if c.all { "all " } else { "a sample of " };
            let count = show::count(c.inputs.into());
            match c.differ {
                0 => format!(
                    "{all}{count} inputs: bit for bit the same{}",
                    lifted::nans(c)
                ),
                n => format!("{all}{count} inputs: {} DIFFER", show::count(n.into())),
            }
        }
    }
}

fn document(outcome: &Outcome, output: &Path) -> serde_json::Value {
    let compared = match &outcome.compared {
        Ok(c) => json!({
            "inputs": c.inputs,
            "all": c.all,
            "differ": c.differ,
            "nans": c.nans,
            "seconds": c.time.as_secs_f64(),
            "first": c.first.as_ref().map(|(i, o, l)| json!({ "input": i, "original": o, "lifted": l })),
        }),
        Err(e) => json!({ "not": e.to_string() }),
    };
    json!({
        "kernel": output.display().to_string(),
        "original": outcome.symbol,
        "identity": kernels_gen::identity::identity_hex(&outcome.program),
        "operations": outcome.operations,
        "calls": called(outcome),
        "seconds": outcome.time.as_secs_f64(),
        "assumed": outcome.lifted.notes,
        "compared": compared,
    })
}
