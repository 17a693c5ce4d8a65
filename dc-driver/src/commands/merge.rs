//! `merge`: merges the run files of shards, or their proofs.

use serde_json::json;

use crate::args::MergeArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::results;
use dc_runtime::model::show;
use dc_runtime::search::merge;
use dc_runtime::search::proof;
use dc_runtime::search::run_file::Reader;
use dc_runtime::search::ulp::Definition;

pub(super) fn merge(args: &MergeArgs, context: &mut Context) -> Result<(), Failure> {
    if args.parts.iter().any(|p| proof::is_proof(p)) {
        return super::exact::merge(args, context);
    }
    merge::merge(&args.out, &args.parts)?;
    let reader = Reader::open(&args.out)?;
    let status = reader.status()?;
    let again = context.evaluate_again(&reader, status.worst.as_ref())?;
    if context.json {
        let value = super::status::document(&reader, &status, again, Definition::default());
        context.out.json(&json!(value))?;
        return Ok(());
    }
    context.out.line(&format!(
        "{}: {} blocks of {} run files",
        show::plain(&args.out.display().to_string()),
        show::count(status.blocks.into()),
        args.parts.len()
    ))?;
    let lines = results::lines(
        reader.header().space(),
        &status.result,
        status.worst.as_ref(),
        Definition::default(),
    );
    for line in lines {
        context.out.line(&line)?;
    }
    Ok(())
}
