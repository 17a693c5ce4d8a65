//! `crunch doctor`: probes which backends are available.

use std::time::Instant;

use serde_json::{Value, json};

use super::kit::Kit;
use crate::child::{self, Problem};
use crate::record::Record;

pub fn run(kit: &Kit, end: Instant, record: &mut Record) -> Result<(), String> {
    let ended = child::run(kit.program("crunch").args(["doctor", "--json"]), end);
    match &ended.problem {
        Some(Problem::TimedOut(text)) => {
            record.incomplete(format!("doctor: {text}"));
            return Ok(());
        }
        Some(Problem::Failed(text)) => {
            return Err(format!("{text}: {}", ended.last_message()));
        }
        None => {}
    }
    let document: Value =
        serde_json::from_str(&ended.stdout).map_err(|e| format!("its document: {e}"))?;
    let list = |name: &str| document[name].as_array().cloned().unwrap_or_default();
    for backend in list("available") {
        println!(
            "{}: {}",
            text(&backend["backend"]),
            text(&backend["description"])
        );
    }
    for backend in list("refused") {
        record.failure(format!(
            "{}: refused: {}",
            text(&backend["backend"]),
            text(&backend["reason"])
        ));
    }
    for backend in list("missing") {
        record.missing(format!(
            "{}: {}",
            text(&backend["backend"]),
            text(&backend["reason"])
        ));
    }
    let names: Vec<String> = list("available")
        .iter()
        .map(|b| text(&b["backend"]))
        .collect();
    record
        .summary
        .push(format!("backends {}", names.join(", ")));
    // Without the machine's name.
    record.found.insert(
        "doctor".into(),
        json!({
            "available": document["available"],
            "refused": document["refused"],
            "missing": document["missing"],
        }),
    );
    Ok(())
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or("?").to_string()
}
