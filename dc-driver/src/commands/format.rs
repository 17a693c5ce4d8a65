//! `format`: groups of blocks as a tab-delimited table.

use std::io::Write as _;

use serde_json::{Value, json};

use crate::args::FormatArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::folder;
use crate::results;
use dc_runtime::model::measure::Measure;
use dc_runtime::model::space::InputSpace;
use dc_runtime::search::format::{self, Row};
use dc_runtime::search::ulp::Definition;

/// The largest number of rows of a table that is kept in memory. Larger tables are written while the file is read, after the whole file has
/// been checked.
const KEPT: u64 = 1 << 14;

pub(super) fn format(args: &FormatArgs, context: &mut Context) -> Result<(), Failure> {
    let opened = folder::open(&args.file, context)?;
    let reader = &opened.reader;
    context.note_format(reader);
    let header = reader.header();
    let group = args
        .group
        .unwrap_or_else(|| format::group_for(header, args.rows));
    let own = header.own_blocks();
    let measure = header.identity.measure();
    let definition = context.definition(&args.ulp, header.types(), measure)?;
    if (own.end - own.start) / group.max(1) <= KEPT {
        let rows = format::rows(reader, group)?;
        if !context.json {
            format::write(&mut context.out, header, &rows, definition)?;
            return Ok(());
        }
        let space = header.space();
        let values: Vec<_> = rows
            .iter()
            .map(|r| value(space, r, measure, definition))
            .collect();
        context.out.json(&json!(values))?;
        return Ok(());
    }
    let mut n = 0u64;
    let out = &mut context.out;
    let json = context.json;
    format::each_row::<Failure>(reader, group, |row| {
        if json {
            let value = value(header.space(), row, measure, definition);
            out.element(&value)?;
        } else {
            if n == 0 {
                writeln!(out, "{}", format::COLUMNS.join("\t"))?;
            }
            writeln!(out, "{}", format::line(header, row, definition))?;
        }
        n += 1;
        Ok(())
    })?;
    match (json, n) {
        (true, _) => out.end()?,
        (false, 0) => writeln!(out, "{}", format::COLUMNS.join("\t"))?,
        _ => {}
    }
    Ok(())
}

fn value(space: InputSpace, r: &Row, measure: Measure, definition: Definition) -> Value {
    json!({
        "first_block": r.first_block,
        "last_block": r.last_block,
        "blocks": r.blocks,
        "first": results::input(space, r.first_key),
        "last": results::input(space, r.last_key),
        "result": results::result(space, &r.result, measure),
        "worst": r.worst.as_ref().map(|w| results::worst(space, w, definition)),
    })
}
