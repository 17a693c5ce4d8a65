//! The state of a run file, in words and as JSON.

use serde_json::{Value, json};

use super::{progress, results};
use dc_runtime::model::block::BlockResult;
use dc_runtime::model::measure::Measure;
use dc_runtime::model::show;
use dc_runtime::model::space::InputSpace;
use dc_runtime::search::run_file::{Checked, Header, Reader, Record, Session, Status};
use dc_runtime::search::ulp::Definition;

/// `running`, `complete` or `stopped`.
pub fn state(status: &Status) -> &'static str {
    if status.is_complete() {
        "complete"
    } else if status.running {
        "running"
    } else {
        "stopped"
    }
}

/// The subject of the search: one line.
pub fn about(header: &Header) -> String {
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

/// A description of the searched parts of unfinished blocks.
pub fn begun(parts: &[Record], space: InputSpace, measure: Measure) -> Option<String> {
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

/// How a session ended.
pub fn ending(s: &Session, status: &Status) -> &'static str {
    let last = status.sessions.last().map(|l| l.id) == Some(s.id);
    match s.ended {
        Some(_) => "ended",
        None if last && status.running => "running",
        None => "killed",
    }
}

pub fn document(reader: &Reader, status: &Status, again: bool, definition: Definition) -> Value {
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
