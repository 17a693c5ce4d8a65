//! `atlas.json`: the same results for programs, with all digits.

use doublecrunch::search::block::FaultKind;
use doublecrunch::search::key::Precision;
use doublecrunch::search::show;
use serde_json::{Map, Value, json};

use super::Row;

pub fn document(rows: &[Row]) -> String {
    let rows: Vec<Value> = rows.iter().map(row).collect();
    let document = json!({ "precision": "f32", "inputs": 1u64 << 32, "searches": rows });
    // Of values made here, all of which can be written.
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}

fn word(bits: u64) -> Value {
    json!({
        "decimal": show::decimal(Precision::F32, bits),
        "hex": show::hex_float(Precision::F32, bits),
        "bits": show::bits(Precision::F32, bits),
    })
}

/// A search.
pub fn row(r: &Row) -> Value {
    let at = |key: i64| word(Precision::F32.bits_of_key(key));
    let faults: Map<String, Value> = FaultKind::ALL
        .iter()
        .zip(&r.result.faults)
        .filter(|(_, f)| f.count > 0)
        .map(|(kind, f)| {
            (
                kind.name().into(),
                json!({ "count": f.count, "first": at(f.first_key) }),
            )
        })
        .collect();
    json!({
        "function": r.computes,
        "library": r.library.name,
        "version": r.version(),
        "routine": r.routine(),
        // An infinite error is a text: JSON has no infinity.
        "error": r.worst.as_ref().map(|w| if w.error.is_finite() { json!(w.error) } else { json!("inf") }),
        "input": r.worst.as_ref().map(|w| at(w.key)),
        "result": r.worst.as_ref().map(|w| word(w.result_bits)),
        "misrounded": r.result.misrounded,
        "undecided": r.result.undecided,
        "faults": faults,
        "histogram": r.result.histogram,
        "inputs_per_second_and_thread": r.rate.map(f64::round),
        "backend": r.machine.backend,
        "processor": r.machine.processor,
        "date": r.machine.date,
        "digest": r.digest(),
    })
}
