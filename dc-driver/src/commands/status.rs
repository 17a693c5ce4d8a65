//! `status`: the state of runs, also while they run.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::args::StatusArgs;
use crate::context::{Context, shell};
use crate::failure::Failure;
use crate::{progress, results};
use dc_runtime::model::block::BlockResult;
use dc_runtime::model::measure::Measure;
use dc_runtime::model::space::InputSpace;
use dc_runtime::model::{machine, show};
use dc_runtime::search::format::share;
use dc_runtime::search::run_file::{Checked, Header, Reader, Record, Session, Status};
use dc_runtime::search::ulp::Definition;

/// The time that all files together may delay the answer while other processes have them locked; in a folder each file is
/// waited for a little even after that.
const PATIENCE: Duration = Duration::from_millis(800);

pub(super) fn status(args: &StatusArgs, context: &mut Context) -> Result<(), Failure> {
    let mut values = Vec::new();
    let deadline = Instant::now() + PATIENCE;
    for (i, path) in args.files.iter().enumerate() {
        if i > 0 && !context.json {
            context.out.line("")?;
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if path.is_dir() && super::proofs::are_meant(path)? {
            values.extend(super::proofs::status(path, context)?);
            continue;
        }
        if path.is_dir() {
            values.extend(super::shards::status(path, args, left, context)?);
            continue;
        }
        // There are two waits per file: for opening and for reading it.
        let wait = left / 2;
        let reader = Reader::open_within(path, wait)?;
        let status = reader.status()?;
        context.note_format(&reader);
        let definition = context.definition(
            &args.ulp,
            reader.header().types(),
            reader.header().identity.measure(),
        )?;
        let again = context.evaluate_again(&reader, status.worst.as_ref())?;
        if context.json {
            values.push(document(&reader, &status, again, definition));
        } else {
            say(&reader, &status, again, definition, context)?;
        }
    }
    if context.json {
        context.out.json(&json!(values))?;
    }
    Ok(())
}

/// `running`, `complete` or `stopped`.
pub(crate) fn state(status: &Status) -> &'static str {
    if status.is_complete() {
        "complete"
    } else if status.running {
        "running"
    } else {
        "stopped"
    }
}

/// The subject of the search: one line.
pub(crate) fn about(header: &Header) -> String {
    let id = &header.identity;
    let shard = if header.shard.is_whole() {
        String::new()
    } else {
        format!(", shard {}", header.shard)
    };
    let only = match id.accuracy_only() {
        Some(_) => ", accuracy only",
        None => "",
    };
    let line = format!(
        "{}: {} against {}, {}, inputs {}{shard}{only}",
        id.sweep,
        id.kernels[0].name,
        id.kernels[1].name,
        id.inputs.signature(),
        header.range_text
    );
    show::plain(&line)
}

fn say(
    reader: &Reader,
    status: &Status,
    again: bool,
    definition: Definition,
    context: &mut Context,
) -> Result<(), Failure> {
    let header = reader.header();
    context.out.line(&about(header))?;
    let state = match state(status) {
        "stopped" => format!(
            "stopped; `{} resume {}` continues",
            context.program,
            shell(reader.path())
        ),
        "running" => {
            let rate = status
                .rate
                .map_or(String::new(), |r| format!(" at {}", progress::rate(r)));
            let left = status
                .remaining_seconds()
                .map_or(String::new(), |s| format!(", {} left", show::seconds(s)));
            format!("running{rate}{left}")
        }
        other => other.into(),
    };
    context.out.line(&format!("state         {state}"))?;
    context.out.line(&format!(
        "done          {} of {} blocks of 2^{} inputs ({:.2} %)",
        show::count(status.blocks.into()),
        show::count(status.of_blocks.into()),
        header.plan.log2(),
        100.0 * share(status.blocks, status.of_blocks)
    ))?;
    let space = header.space();
    if let Some(line) = begun(&status.parts, space, header.identity.measure()) {
        let share = 100.0 * status.searched() as f64 / (status.of_inputs as f64).max(1.0);
        context
            .out
            .line(&format!("{line}; {share:.2} % with these"))?;
    }
    for line in results::lines(space, &status.result, status.worst.as_ref(), definition) {
        context.out.line(&line)?;
    }
    context
        .out
        .line(&format!("checked       {}", checked(header, status, again)))?;
    let mut rows = vec![
        ["session", "begun", "state", "backend", "inputs", "inputs/s"]
            .map(String::from)
            .to_vec(),
    ];
    for s in &status.sessions {
        for (i, d) in s.devices.iter().enumerate() {
            let first = |text: String| if i == 0 { text } else { String::new() };
            rows.push(vec![
                first(s.id.to_string()),
                first(machine::utc(s.started)),
                first(ending(s, status).into()),
                d.backend.clone(),
                show::count(d.inputs.into()),
                d.rate().map_or(String::new(), show::si),
            ]);
        }
    }
    if rows.len() > 1 {
        context.out.table(&rows)?;
    }
    Ok(())
}

/// A description of the searched parts of unfinished blocks.
pub(crate) fn begun(parts: &[Record], space: InputSpace, measure: Measure) -> Option<String> {
    let all = parts.iter().map(|r| &r.result);
    let all = all.fold(BlockResult::EMPTY, |sum, part| sum.merge(part));
    let worst = match all.max.exists() {
        true => format!(
            ", worst {} {} at {}",
            progress::short(all.max.error()),
            measure.unit(),
            space.decimal(all.max.key)
        ),
        false => String::new(),
    };
    let blocks = match parts.len() {
        0 => return None,
        1 => "1 block".into(),
        n => format!("{n} blocks"),
    };
    Some(format!(
        "begun         {blocks}, {} inputs of them{worst}",
        show::count(all.count.into())
    ))
}

/// What was checked.
fn checked(header: &Header, status: &Status, again: bool) -> String {
    let rows = match status.checked {
        Checked::All => "every row",
        Checked::Totals => "header, totals and sessions; not every block, `format` does that",
        Checked::Nothing => "nothing: format 1 has no checksums",
    };
    let worst = match (again, &status.worst) {
        (_, None) => "",
        (true, Some(_)) => "; the worst input, evaluated again",
        (false, Some(_)) if header.identity.kernels[0].is_of_library() => {
            "; not the worst input: `resume` loads the library and evaluates it again"
        }
        (false, Some(_)) if header.identity.kernels[0].is_of_device() => {
            "; not the worst input: `resume` evaluates it again on the device"
        }
        (false, Some(_)) => "; not the worst input, whose kernels are not in this program",
    };
    format!("{rows}{worst}")
}

/// How a session ended.
fn ending(s: &Session, status: &Status) -> &'static str {
    let last = status.sessions.last().map(|l| l.id) == Some(s.id);
    match s.ended {
        Some(_) => "ended",
        None if last && status.running => "running",
        None => "killed",
    }
}

pub(super) fn document(
    reader: &Reader,
    status: &Status,
    again: bool,
    definition: Definition,
) -> Value {
    let header = reader.header();
    let id = &header.identity;
    let kernels: serde_json::Map<String, Value> = id
        .kernels
        .iter()
        .map(|k| {
            let value = json!({
                "name": k.name, "module": k.module, "file": k.file, "line": k.line, "identity": k.hash,
            });
            (k.role.clone(), value)
        })
        .collect();
    let sessions: Vec<Value> = status
        .sessions
        .iter()
        .map(|s| {
            let devices: Vec<Value> = s
                .devices
                .iter()
                .map(|d| {
                    json!({
                        "backend": d.backend, "description": d.description, "workers": d.workers,
                        "inputs": d.inputs, "seconds": d.seconds, "rate": d.rate(),
                    })
                })
                .collect();
            json!({
                "id": s.id, "begun": s.started, "ended": s.ended, "state": ending(s, status),
                "machine": s.machine, "version": s.version, "rustc": s.rustc, "command": s.command,
                "devices": devices,
            })
        })
        .collect();
    json!({
        "file": reader.path().display().to_string(),
        "state": state(status),
        "sweep": id.sweep,
        "precision": id.inputs.signature(),
        "pairs": header.space().of_pairs().map(|p| p.size()),
        "sample": header.space().is_sample(),
        "metric": id.metric,
        "range": header.range_text,
        "range_bits": header.plan.range().to_string(),
        "shard": header.shard.to_string(),
        "created": header.created,
        "kernels": kernels,
        "block_inputs": 1u64 << header.plan.log2(),
        "blocks": status.blocks,
        "of_blocks": status.of_blocks,
        "inputs": status.result.count,
        "begun": status.parts.iter().map(|r| json!({
            "block": r.index,
            "inputs": r.result.count,
            "result": results::result(header.space(), &r.result, id.measure()),
        })).collect::<Vec<_>>(),
        "searched": results::count(status.searched()),
        "of_inputs": results::count(status.of_inputs),
        "rate": status.rate,
        "seconds_left": status.remaining_seconds(),
        "committed": status.committed,
        "result": results::result(header.space(), &status.result, id.measure()),
        "worst": status.worst.as_ref().map(|w| results::worst(header.space(), w, definition)),
        "checked": match status.checked {
            Checked::All => "all",
            Checked::Totals => "totals",
            Checked::Nothing => "nothing",
        },
        "worst_evaluated_again": again,
        "format": reader.format(),
        "sessions": sessions,
    })
}
