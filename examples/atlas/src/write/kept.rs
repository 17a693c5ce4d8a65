//! Searches that are already in the documents but have no run file here. They are kept.

use std::path::Path;

use doublecrunch::search::block::{BlockResult, Extreme, Fault, FaultKind, Worst};
use doublecrunch::search::key::Precision;
use serde_json::Value;

use super::{Machine, Row};
use crate::Entry;

/// The searches of a document, `atlas.json`; none if there is none.
pub fn read(path: &Path) -> Result<Vec<Value>, String> {
    let at = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
    match std::fs::read_to_string(path) {
        Ok(text) => {
            let document: Value = serde_json::from_str(&text).map_err(|e| at(&e))?;
            let searches = document["searches"].as_array();
            searches.cloned().ok_or_else(|| at(&"no searches"))
        }
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(e) => Err(at(&e)),
    }
}

/// What such a document has of a function of a library.
pub fn row(entry: &Entry, searches: &[Value]) -> Option<Row> {
    let of =
        |v: &&Value| v["function"] == entry.routine.computes && v["library"] == entry.library.name;
    let v = searches.iter().find(of)?;
    let text = |v: &Value| Some(v.as_str()?.to_string());
    let bits = |v: &Value| {
        let digits = v["bits"].as_str()?.strip_prefix("0x")?;
        u64::from_str_radix(digits, 16).ok()
    };
    let key = |v: &Value| Some(Precision::F32.key_of_bits(bits(v)?));
    let mut faults = BlockResult::EMPTY.faults;
    for (kind, fault) in FaultKind::ALL.iter().zip(&mut faults) {
        let found = &v["faults"][kind.name()];
        if !found.is_null() {
            *fault = Fault {
                count: found["count"].as_u64()?,
                first_key: key(&found["first"])?,
            };
        }
    }
    let mut result = BlockResult {
        count: 1 << 32,
        misrounded: v["misrounded"].as_u64()?,
        undecided: v["undecided"].as_u64()?,
        faults,
        digest: u64::from_str_radix(v["digest"].as_str()?, 16).ok()?,
        ..BlockResult::EMPTY
    };
    let histogram = v["histogram"].as_array()?;
    if histogram.len() != result.histogram.len() {
        return None;
    }
    for (to, from) in result.histogram.iter_mut().zip(histogram) {
        *to = from.as_u64()?;
    }
    let worst = match &v["error"] {
        Value::Null => None,
        error => Some(Worst {
            precision: Precision::F32,
            key: key(&v["input"])?,
            error: error
                .as_f64()
                .or((error == "inf").then_some(f64::INFINITY))?,
            result_bits: bits(&v["result"])?,
            // No document has them.
            reference: [f64::NAN; 2],
            scale: 0,
        }),
    };
    if let Some(w) = &worst {
        result.max = Extreme {
            error_bits: w.error.to_bits(),
            key: w.key,
        };
    }
    Some(Row {
        library: entry.library,
        computes: entry.routine.computes,
        name: format!("{} of {}", v["routine"].as_str()?, v["version"].as_str()?),
        path: None,
        result,
        worst,
        rate: v["inputs_per_second_and_thread"].as_f64(),
        machine: Machine {
            processor: text(&v["processor"])?,
            backend: text(&v["backend"])?,
            date: text(&v["date"])?,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::libraries::ALL;

    /// The documents that are committed come out of themselves, to the letter.
    #[test]
    fn what_is_kept_is_what_was_there() {
        let path = Path::new(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../docs/book/src/evidence/atlas.json"
        ));
        let searches = read(path).expect("the atlas");
        assert!(searches.len() >= 70, "{}", searches.len());
        let entries = ALL.iter().flat_map(|library| {
            library
                .routines
                .iter()
                .map(move |routine| Entry { library, routine })
        });
        let rows: Vec<Row> = entries.filter_map(|e| row(&e, &searches)).collect();
        assert_eq!(rows.len(), searches.len());
        for row in &rows {
            let again = super::super::json::row(row);
            assert!(searches.contains(&again), "{again:#}");
        }
        assert!(read(Path::new("/nonexistent/atlas.json")).is_ok_and(|s| s.is_empty()));
    }
}
