//! `format`: groups of blocks as a tab-delimited table.

use serde_json::json;

use crate::driver::args::FormatArgs;
use crate::driver::context::Context;
use crate::driver::failure::Failure;
use crate::driver::results;
use crate::search::format;
use crate::search::run_file::Reader;

pub(super) fn format(args: &FormatArgs, context: &mut Context) -> Result<(), Failure> {
    let reader = Reader::open(&args.file)?;
    let header = reader.header();
    let group = args
        .group
        .unwrap_or_else(|| format::group_for(header, args.rows));
    let rows = format::rows(&reader, group)?;
    if !context.json {
        format::write(&mut context.out, header, &rows, args.ulp.ulp)?;
        return Ok(());
    }
    let p = header.identity.precision;
    let values: Vec<_> = rows
        .iter()
        .map(|r| {
            json!({
                "first_block": r.first_block,
                "last_block": r.last_block,
                "blocks": r.blocks,
                "first": results::word(p, p.bits_of_key(r.first_key)),
                "last": results::word(p, p.bits_of_key(r.last_key)),
                "result": results::result(p, &r.result),
                "worst": r.worst.as_ref().map(|w| results::worst(w, args.ulp.ulp)),
            })
        })
        .collect();
    context.out.json(&json!(values))?;
    Ok(())
}
