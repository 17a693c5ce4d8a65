//! The part of the page that only a GPU can fill: conformance, its functions, tables of its instructions, OpenCL.

use std::fmt::Write as _;

use serde_json::Value;

use crate::values::{rows, text};

pub fn device(out: &mut String, document: &Value) {
    if let Some(result) = document["conformance"]["result"].as_str() {
        let _ = writeln!(
            out,
            "\n### Conformance\n\nThe tests of the language on the device, each operation on its edge cases: `{result}`"
        );
    }
    functions(out, rows(&document["functions"]));
    let tables = rows(&document["tables"]);
    if !tables.is_empty() {
        let _ = writeln!(
            out,
            "\n### Tables of instructions\n\n| file | instruction | inputs | every |\n|---|---|---|---|"
        );
        for t in tables {
            let of = |name: &str| text(&t[name]);
            let _ = writeln!(
                out,
                "| {} | `{}` | {} | {} |",
                of("file"),
                of("instruction"),
                of("range"),
                of("stride")
            );
        }
    }
    let sweeps = rows(&document["opencl"]);
    if !sweeps.is_empty() {
        let _ = writeln!(
            out,
            "\n### OpenCL\n\n| sweep | backends | verdict |\n|---|---|---|"
        );
        for s in sweeps {
            let names: Vec<&str> = rows(&s["backends"])
                .iter()
                .map(|b| text(&b["backend"]))
                .collect();
            let verdict = match s["identical"] == true {
                true => "bit for bit the same",
                false => "**different**",
            };
            let _ = writeln!(
                out,
                "| {} | {} | {verdict} |",
                text(&s["sweep"]),
                names.join(", ")
            );
        }
    }
}

fn functions(out: &mut String, functions: &[Value]) {
    for (title, signature) in [
        ("Functions of binary32, at all 2^32 inputs", "f32"),
        ("Functions of binary64, for some seconds each", "f64"),
    ] {
        let all: Vec<&Value> = functions
            .iter()
            .filter(|f| f["signature"] == signature)
            .collect();
        if all.is_empty() {
            continue;
        }
        let _ = writeln!(
            out,
            "\n### {title}\n\nErrors in ULP against the true value; the documented ones against the correctly rounded result, half an ULP less.\n\n\
             | function | largest error | at | documented | misrounded | faults | digest |\n|---|---|---|---|---|---|---|"
        );
        for f in all {
            let worst = &f["max_error"];
            let faults: Vec<String> = f["faults"]
                .as_object()
                .into_iter()
                .flatten()
                .filter(|(_, fault)| fault["count"] != 0)
                .map(|(name, fault)| format!("{name} {}", fault["count"]))
                .collect();
            let error = worst["error"].as_f64().unwrap_or(f64::NAN);
            let _ = writeln!(
                out,
                "| `{}` | {} | {} | {} | {} | {} | {} |",
                text(&f["symbol"]),
                match error < 1e6 {
                    true => format!("{error:.6}"),
                    false => format!("{error:.2e}"),
                },
                worst["input"]["hex"].as_str().unwrap_or(""),
                f["documented"]
                    .as_f64()
                    .map_or(String::new(), |d| d.to_string()),
                f["misrounded_share"]
                    .as_f64()
                    .map_or(String::new(), |s| format!("{:.4} %", 100.0 * s)),
                faults.join(", "),
                f["digest"]
                    .as_str()
                    .map_or(String::new(), |d| format!("`{d}`")),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_ran_has_a_table_and_what_did_not_has_none() {
        let mut out = String::new();
        device(&mut out, &json!({}));
        assert_eq!(out, "");
        let one = json!({ "symbol": "expf", "signature": "f32", "documented": 2.0, "misrounded_share": 0.04,
            "max_error": { "error": 1.93, "input": { "hex": "0x1p0" } }, "digest": "ab",
            "faults": { "nan": { "count": 3 }, "infinity": { "count": 0 } } });
        device(&mut out, &json!({ "functions": [one] }));
        let row = "| `expf` | 1.930000 | 0x1p0 | 2 | 4.0000 % | nan 3 | `ab` |";
        assert!(out.contains(row), "{out}");
    }
}
