//! `bless`: the worst inputs and the coverage of a run file, written into `accuracy.toml`.

use serde_json::{Value, json};

use crate::args::BlessArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::{exit, folder, results};
use dc_runtime::model::block::BlockResult;
use dc_runtime::model::near::near;
use dc_runtime::model::show;
use dc_runtime::search::format;
use dc_runtime::search::identity::Identity;
use dc_runtime::search::range::{Range, quote};
use dc_runtime::search::run;
use dc_runtime::search::run_file::{Header, Reader, Status};
use dc_runtime::suite::baseline::{Baseline, Known};
use dc_runtime::suite::extend::{Unfit, extended};
use dc_runtime::sweep::Sweep;

pub(super) fn bless(args: &BlessArgs, context: &mut Context) -> Result<(), Failure> {
    let opened = folder::open(&args.file, context)?;
    let reader = &opened.reader;
    let of_file = |message: String| {
        Failure::input(format!(
            "{}: {message}",
            show::plain(&reader.path().display().to_string())
        ))
    };
    context.note_format(reader);
    let header = reader.header();
    if !header.space().is_ordered() {
        return Err(of_file(
            "tests of two arguments, or of numbers stored in 16 bits, choose their inputs regardless of `worst`; give the entry \
             as many `inputs` in its suite, and run its test with CRUNCH_BLESS=1"
                .into(),
        ));
    }
    let sweep = sweep_of(header, context).map_err(of_file)?;
    // Every row is checked, however many there are.
    reader.done()?;
    let status = reader.status()?;
    run::evaluate_again(reader.path(), header, status.worst.as_ref(), &sweep)?;
    let parts = status.parts.iter().map(|r| &r.result);
    let result = parts.fold(status.result, |sum, part| sum.merge(part));
    if result.count == 0 {
        return Err(of_file(format!(
            "it has no results yet; `{} resume` searches",
            context.program
        )));
    }
    let path = &args.accuracy;
    let baseline =
        Baseline::read_if_there(path).map_err(|e| Failure::input(show::plain(&e.to_string())))?;
    let Some(baseline) = baseline else {
        return Err(Failure::input(show::plain(&format!(
            "{}: no such file; name it with --accuracy, or make it by CRUNCH_BLESS=1 cargo test",
            path.display()
        ))));
    };
    let (name, before) = entry(&baseline, args, header).map_err(of_file)?;
    if before.kernels.is_empty() && header.identity.accuracy_only().is_none() {
        context.note(&format!(
            "[\"{name}\"] records no kernels; the error at its worst inputs led to the conclusion that it belongs to these"
        ));
    }
    let exhaustive = is_exhaustive(header, &status);
    let after = extended(before, &sweep, &result, exhaustive).map_err(|e| {
        let failure = of_file(format!("[\"{name}\"]: {e}"));
        match e {
            Unfit::Faults(_)
            | Unfit::Infinite
            | Unfit::Contradicted { .. }
            | Unfit::Smaller { .. } => Failure {
                code: exit::FINDING,
                ..failure
            },
            Unfit::Other { .. } | Unfit::Table(_) => failure,
        }
    })?;
    let changed = after != *before;
    if changed && !args.dry_run {
        write(args, name, before, &after)?;
    }
    if context.json {
        let known = |k: &Known| serde_json::to_value(k).unwrap_or(Value::Null);
        return Ok(context.out.json(&json!({
            "file": reader.path().display().to_string(),
            "accuracy": path.display().to_string(),
            "entry": name,
            "searched": results::count(u128::from(result.count)),
            "of_inputs": results::count(header.plan.range().count()),
            "exhaustive": exhaustive,
            "before": known(before),
            "after": known(&after),
            "changed": changed,
            "written": changed && !args.dry_run,
        }))?);
    }
    report(args, (name, before, &after), (reader, &result), context)
}

/// The sweep of this program with the kernels of the file.
fn sweep_of(header: &Header, context: &Context) -> Result<Sweep, String> {
    let of_file = &header.identity;
    let sweep = context.sweep(&of_file.sweep).map_err(|e| e.message)?;
    let sweep = sweep.over(header.space()).measuring(of_file.measure());
    let here = Identity::of(&sweep).map_err(|e| e.to_string())?;
    match of_file.difference(&here) {
        None => Ok(sweep),
        Some(difference) => Err(format!(
            "{difference}; its results do not belong to the `{}` of this program: search again with `{} run {}`",
            of_file.sweep, context.program, of_file.sweep
        )),
    }
}

/// Whether the file has all inputs of its range: it does not belong to a shard, and is complete.
fn is_exhaustive(header: &Header, status: &Status) -> bool {
    header.shard.is_whole() && status.is_complete()
}

/// The table to which the file belongs: by its kernels and its range, or by the name in the arguments.
fn entry<'a>(
    baseline: &'a Baseline,
    args: &BlessArgs,
    header: &Header,
) -> Result<(&'a str, &'a Known), String> {
    let tables = || {
        baseline
            .0
            .iter()
            .map(|(name, known)| (name.as_str(), known))
    };
    let path = show::plain(&args.accuracy.display().to_string());
    let kernels = header.identity.hashes_of_both();
    let list = |names: Vec<&str>| {
        let names: Vec<String> = names.iter().map(|n| format!("`{}`", quote(n))).collect();
        names.join(", ")
    };
    let of_kernels = |known: &Known| !kernels.is_empty() && known.kernels == kernels;
    let (name, known) = match &args.entry {
        Some(wanted) => {
            let tail = format!("::{wanted}");
            let named: Vec<_> = tables()
                .filter(|(name, _)| name == wanted || name.ends_with(&tail))
                .collect();
            match named[..] {
                [one] => one,
                [] => {
                    let similar = near(last(wanted), tables().map(|(name, _)| last(name)));
                    let of = match similar.is_empty() {
                        true => format!("it has {} tables", baseline.0.len()),
                        false => format!("similar are {}", list(similar)),
                    };
                    return Err(format!(
                        "--entry {}: {path} has no such table; {of}. The first run of a test with CRUNCH_BLESS=1 writes one",
                        quote(wanted)
                    ));
                }
                _ => {
                    return Err(format!(
                        "--entry {}: {path} has several such tables: {}; write the whole name",
                        quote(wanted),
                        list(named.iter().map(|t| t.0).collect())
                    ));
                }
            }
        }
        None => {
            let same: Vec<_> = tables().filter(|(_, k)| of_kernels(k)).collect();
            let range = |k: &Known| Range::parse(&k.range, header.identity.inputs).ok();
            let fit: Vec<_> = (same.iter().copied())
                .filter(|(_, k)| range(k).as_ref() == Some(header.plan.range()))
                .collect();
            match (&fit[..], &same[..]) {
                ([one], _) | ([], [one]) => *one,
                ([], []) => {
                    return Err(format!(
                        "{path} has no table with its kernels; --entry NAME names a table without `kernels`. If the routine has \
                         changed, or is new, its test with CRUNCH_BLESS=1 writes the table",
                    ));
                }
                _ => {
                    let several = if fit.is_empty() { &same } else { &fit };
                    return Err(format!(
                        "{path} has several tables with its kernels: {}; choose one with --entry",
                        list(several.iter().map(|t| t.0).collect())
                    ));
                }
            }
        }
    };
    if !known.kernels.is_empty() && known.kernels != kernels {
        return Err(format!(
            "[\"{name}\"] in {path} belongs to other kernels: it has {}, the file {}; if the routine has changed, run its test with \
             CRUNCH_BLESS=1 first",
            known.kernels.join(" and "),
            match kernels.is_empty() {
                true => "functions that are not kernels".into(),
                false => kernels.join(" and "),
            }
        ));
    }
    let range = Range::parse(&known.range, header.identity.inputs)
        .map_err(|e| format!("[\"{name}\"] in {path}: {e}"))?;
    if range != *header.plan.range() {
        return Err(format!(
            "it is a search of {}, and [\"{name}\"] in {path} is for {}; search that range with --range '{}'",
            header.range_text, known.range, known.range
        ));
    }
    Ok((name, known))
}

/// The name of a table without its module.
fn last(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}

/// Replaces the table, unless another process has changed it since it was read.
fn write(args: &BlessArgs, name: &str, before: &Known, after: &Known) -> Result<(), Failure> {
    let mut replaced = false;
    let update = |b: &mut Baseline| {
        if b.0.get(name) == Some(before) {
            b.0.insert(name.into(), after.clone());
            replaced = true;
        }
    };
    Baseline::update(&args.accuracy, update)
        .map_err(|e| Failure::failed(show::plain(&e.to_string())))?;
    match replaced {
        true => Ok(()),
        false => Err(Failure::failed(show::plain(&format!(
            "{}: [\"{name}\"] was changed by another program meanwhile; run this again",
            args.accuracy.display()
        )))),
    }
}

/// The changes, as lines of text.
fn report(
    args: &BlessArgs,
    (name, before, after): (&str, &Known, &Known),
    (reader, result): (&Reader, &BlockResult),
    context: &mut Context,
) -> Result<(), Failure> {
    let path = args.accuracy.display().to_string();
    let of = reader.header().plan.range().count();
    context.out.line(&format!(
        "{}: {} of {} inputs",
        show::plain(&reader.path().display().to_string()),
        show::count(result.count.into()),
        show::count(of)
    ))?;
    let list = |texts: &[String]| texts.join(", ");
    let fields = |k: &Known| {
        [
            ("error", format!("{} ULP", format::number(k.error))),
            ("worst", list(&k.worst)),
            ("inputs", show::count(k.inputs.into())),
            ("exhaustive", k.exhaustive.to_string()),
            ("faults", list(&k.faults)),
            ("kernels", list(&k.kernels)),
        ]
    };
    let mut rows = Vec::new();
    for ((field, old), (_, new)) in fields(before).into_iter().zip(fields(after)) {
        let or_none = |text: String| if text.is_empty() { "none".into() } else { text };
        if old != new {
            rows.push(vec![format!("  {field}"), or_none(new)]);
            rows.push(vec!["    was".into(), or_none(old)]);
        }
    }
    let path = show::plain(&path);
    context.out.line(&match (rows.is_empty(), args.dry_run) {
        (true, _) => format!("[\"{name}\"] in {path} has all of it: nothing to change"),
        (false, true) => format!("[\"{name}\"] in {path} would have"),
        (false, false) => format!("[\"{name}\"] in {path} has now"),
    })?;
    context.out.columns(&rows)?;
    if !after.exhaustive && after.worst != before.worst {
        // A test takes inputs around those in `worst`.
        context.out.line(
            "not exhaustive: a test now searches around these inputs, and with CRUNCH_BLESS=1 accepts worse neighbours",
        )?;
    }
    Ok(())
}
