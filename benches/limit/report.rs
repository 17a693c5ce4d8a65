//! Tables, for people and as JSON lines.

use serde_json::{Map, Value, json};

use crate::measure::{Contestant, median};

/// Prints rates, and ratios to the first; the same rows for [`line`].
pub fn table(all: &[Contestant<'_>]) -> Value {
    println!("| contestant | M inputs/s | ours is so many times as fast | spread |");
    println!("|---|---|---|---|");
    let rows = all.iter().map(|contestant| {
        let (rate, _) = median(contestant.rates());
        let (ratio, spread) = median(contestant.over(&all[0]));
        let name = &contestant.name;
        println!(
            "| {name} | {:.1} | {ratio:.3} | {:.0} % |",
            rate / 1e6,
            spread * 100.0
        );
        json!({ "contestant": name, "rate": rate, "ratio": ratio, "spread": spread })
    });
    Value::Array(rows.collect())
}

/// Prints a table's line, if it is wanted: `@json` and an object.
pub fn line(wanted: bool, kernel: &str, fields: Value) {
    if !wanted {
        return;
    }
    let mut object = Map::new();
    object.insert("kernel".into(), kernel.into());
    if let Value::Object(fields) = fields {
        object.extend(fields);
    }
    println!("@json {}", Value::Object(object));
}
