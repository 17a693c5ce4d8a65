//! `repair`: a new run file from the intact rows of a damaged one.

use std::path::PathBuf;

use serde_json::json;

use crate::args::RepairArgs;
use crate::context::{Context, shell};
use crate::failure::Failure;
use dc_runtime::model::show;
use dc_runtime::search::run_file::{self, Reader};

pub(super) fn repair(args: &RepairArgs, context: &mut Context) -> Result<(), Failure> {
    let out = args.out.clone().unwrap_or_else(|| {
        let mut name = args.file.clone().into_os_string();
        name.push(".repaired");
        PathBuf::from(name)
    });
    let repaired = run_file::repair(&args.file, &out, &context.command_line)?;
    let reader = Reader::open(&out)?;
    let status = reader.status()?;
    context.evaluate_again(&reader, status.worst.as_ref())?;
    if context.json {
        context.out.json(&json!({
            "file": args.file.display().to_string(),
            "out": out.display().to_string(),
            "saved_blocks": repaired.saved,
            "missing_blocks": repaired.missing,
            "saved_sessions": repaired.sessions,
            "blocks_without_session": repaired.orphans,
        }))?;
        return Ok(());
    }
    context.out.line(&format!(
        "{}: {} of {} blocks saved from {}, which is left as it is",
        show::plain(&out.display().to_string()),
        show::count(repaired.saved.into()),
        show::count((repaired.saved + repaired.missing).into()),
        show::plain(&args.file.display().to_string())
    ))?;
    if repaired.orphans > 0 {
        context.out.line(&format!(
            "{} of them by sessions that are not known any more",
            show::count(repaired.orphans.into())
        ))?;
    }
    let line = match repaired.missing {
        0 => "nothing is missing".to_string(),
        n => format!(
            "{} are missing; `{} resume {}` does them",
            show::count(n.into()),
            context.program,
            shell(&out)
        ),
    };
    context.out.line(&line)?;
    Ok(())
}
