//! `merge`: merges the run files of shards, or their proofs.

mod proofs;

use std::path::PathBuf;

use serde_json::json;

use crate::args::MergeArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::{results, state};
use dc_runtime::model::show;
use dc_runtime::search::merge;
use dc_runtime::search::proof;
use dc_runtime::search::run_file::Reader;
use dc_runtime::search::shards::run_files;
use dc_runtime::search::ulp::Definition;

/// The files to merge: for a folder, the run files in it, or its proofs.
fn in_folders(parts: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for part in parts {
        if !part.is_dir() {
            files.push(part.clone());
            continue;
        }
        let (runs, proofs) = (run_files(part)?, proof::files(part)?);
        if !runs.is_empty() && !proofs.is_empty() {
            return Err(Failure::input(format!(
                "{}: it holds both run files and unfinished proofs; name the files to merge",
                part.display()
            )));
        }
        files.extend(runs);
        files.extend(proofs);
    }
    Ok(files)
}

pub(super) fn merge(args: &MergeArgs, context: &mut Context) -> Result<(), Failure> {
    let parts = in_folders(&args.parts)?;
    if parts.iter().any(|p| proof::is_proof(p)) {
        return proofs::merge(&args.out, &parts, context);
    }
    merge::merge(&args.out, &parts)?;
    let reader = Reader::open(&args.out)?;
    let status = reader.status()?;
    let again = context.evaluate_again(&reader, status.worst.as_ref())?;
    let definition = Definition::searched(reader.header().identity.measure());
    if context.json {
        let value = state::document(&reader, &status, again, definition);
        context.out.json(&json!(value))?;
        return Ok(());
    }
    context.out.line(&format!(
        "{}: {} blocks of {} run files",
        show::plain(&args.out.display().to_string()),
        show::count(status.blocks.into()),
        parts.len()
    ))?;
    let lines = results::lines(
        reader.header().space(),
        &status.result,
        status.worst.as_ref(),
        definition,
    );
    for line in lines {
        context.out.line(&line)?;
    }
    Ok(())
}
