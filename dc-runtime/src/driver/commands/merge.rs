//! `merge`: the run files of shards, or their proofs, put together.

use serde_json::json;

use crate::driver::args::MergeArgs;
use crate::driver::context::Context;
use crate::driver::failure::Failure;
use crate::driver::results;
use crate::model::show;
use crate::search::merge;
use crate::search::proof;
use crate::search::run_file::Reader;
use crate::search::ulp::Definition;

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
