//! The page: the document as tables, ready for docs/book/src/contribute/log/performance.md.

use std::fmt::Write as _;

use serde_json::Value;

use crate::device_page;
use crate::values::{power, rows, text};

/// The page with all contents of the document so far.
pub fn page(document: &Value) -> String {
    let mut out = String::new();
    let machine = &document["machine"];
    let kit = &document["kit"];
    let _ = writeln!(
        out,
        "## By `measure`, {}\n\n{}, {} logical processors; version {}, commit {}, {}. Rivals in C by {}, `{}`.",
        text(&document["date"]),
        text(&machine["processor"]),
        machine["logical_processors"],
        text(&kit["version"]),
        text(&kit["commit"]),
        text(&kit["rustc"]),
        list(&kit["compilers"], ", "),
        text(&kit["flags"]),
    );
    if let Some(load) = machine["load"].as_str() {
        let _ = writeln!(out, "Load when it began: {load}.");
    }
    let _ = writeln!(out, "\n{}\n", text(&document["verdict"]));
    for device in rows(&document["doctor"]["available"]) {
        let _ = writeln!(
            out,
            "- `{}`: {}",
            text(&device["backend"]),
            text(&device["description"])
        );
    }
    if let Some(path) = document["nvrtc"]["source"].as_str() {
        let _ = writeln!(out, "- NVRTC: {path}");
    }
    contest(
        &mut out,
        "On the processor, one thread",
        OVER,
        &document["cpu"],
    );
    contest(&mut out, "On the GPU", OVER, &document["cuda"]);
    limits(&mut out, document);
    contest(
        &mut out,
        "More threads, each with as much as one alone",
        TIMES_ONE,
        &document["threads"],
    );
    kernels(&mut out, &document["random_kernels"]);
    equivalence(&mut out, &document["equivalence"]);
    device_page::device(&mut out, document);
    for (title, name) in [
        ("Wrong", "wrong"),
        ("Not ended", "incomplete"),
        ("Reduced", "reduced"),
        ("Missing", "missing"),
    ] {
        let all = rows(&document[name]);
        if !all.is_empty() {
            let _ = writeln!(out, "\n**{title}** ({}):\n", all.len());
            for line in all {
                let _ = writeln!(out, "- {}", text(line));
            }
        }
    }
    out
}

fn list(value: &Value, between: &str) -> String {
    let all: Vec<&str> = rows(value).iter().map(text).collect();
    all.join(between)
}

/// The meaning of a table's ratios, in words, and as a function of the recorded ratio: ours (the first row) divided by the contestant's.
type Meaning = (&'static str, fn(f64) -> f64);
const OVER: Meaning = ("How many times as fast as the contestant ours is", |r| r);
const TIMES_ONE: Meaning = ("How many times as fast as one thread they are", |r| 1.0 / r);

/// A row for each contestant, a column for each kernel.
fn contest(out: &mut String, title: &str, (meaning, of): Meaning, tables: &Value) {
    let tables: Vec<&Value> = rows(tables)
        .iter()
        .filter(|t| t["table"].is_array())
        .collect();
    if tables.is_empty() {
        return;
    }
    let _ = write!(
        out,
        "\n### {title}\n\n{meaning} (spread); medians of rounds in turn.\n\n|"
    );
    for table in &tables {
        let _ = write!(out, " | {}", text(&table["kernel"]));
    }
    let _ = writeln!(out, " |\n|{}", "---|".repeat(tables.len() + 1));
    let _ = write!(out, "| ours, M inputs/s");
    for table in &tables {
        let rate = table["table"][0]["rate"].as_f64().unwrap_or(0.0);
        let _ = write!(out, " | {:.1}", rate / 1e6);
    }
    let _ = writeln!(out, " |");
    // Which of a rival's variants was fastest differs from kernel to kernel.
    let mut names: Vec<String> = Vec::new();
    for row in tables.iter().flat_map(|t| rows(&t["table"])).map(kind) {
        if !names.contains(&row) {
            names.push(row);
        }
    }
    for name in names {
        let cells: Vec<String> = tables
            .iter()
            .map(|table| {
                let mut all = rows(&table["table"]).iter().filter(|r| kind(r) == name);
                all.next().map_or(String::new(), |row| {
                    let number = |n: &str| row[n].as_f64().unwrap_or(f64::NAN);
                    format!(
                        "{:.3} ({:.0} %)",
                        of(number("ratio")),
                        100.0 * number("spread")
                    )
                })
            })
            .collect();
        let _ = writeln!(out, "| {name} | {} |", cells.join(" | "));
    }
    let rounds: Vec<String> = tables.iter().map(|t| t["rounds"].to_string()).collect();
    let _ = writeln!(out, "\nRounds: {}.", rounds.join(", "));
}

/// A contestant's name without the variant.
fn kind(row: &Value) -> String {
    let name = text(&row["contestant"]);
    let parts: Vec<&str> = name.split(", ").collect();
    match parts[..] {
        ["C", set, compiler, variant] if variant.contains("maximum") => {
            format!("C, {set}, {compiler}, maximum")
        }
        ["C", set, compiler, _] => format!("C, {set}, {compiler}"),
        _ => name.into(),
    }
}

fn limits(out: &mut String, document: &Value) {
    for table in rows(&document["cpu"]) {
        if let Some(part) = table["of_ceiling"].as_f64() {
            let _ = writeln!(
                out,
                "\n`{}`: {} operations per input in routine and reference, {:.0} % of the {:.2} G vector operations/s that \
                 this processor can issue (FMA and ADD mixed, measured), the metric not counted.",
                text(&table["kernel"]),
                table["operations"],
                100.0 * part,
                table["ceiling"].as_f64().unwrap_or(0.0) / 1e9
            );
        }
    }
    for table in rows(&document["cuda"]) {
        let Some(limit) = table["binary64_limit"].as_f64() else {
            continue;
        };
        let of = &table["of_limit"];
        let part = match of["part"].as_f64() {
            Some(part) => format!(
                "{} per input (counted for {}): **{:.1} %** of the limit",
                of["instructions"],
                text(&of["counted_for"]),
                100.0 * part
            ),
            None => "the number per input is not known".into(),
        };
        let _ = writeln!(
            out,
            "\n`{}` on the GPU: the device issues {:.1} G binary64 operations/s, measured; {part}.",
            text(&table["kernel"]),
            limit / 1e9
        );
    }
}

fn kernels(out: &mut String, found: &Value) {
    let Some(evaluations) = found["evaluations"].as_object() else {
        return;
    };
    let all: Vec<String> = evaluations
        .iter()
        .map(|(backend, n)| format!("`{backend}` {n}"))
        .collect();
    let _ = writeln!(
        out,
        "\n### Random kernels\n\n{} kernels of seed {}, evaluations: {}. {}",
        found["kernels"],
        found["seed"],
        all.join(", "),
        match (found["agree"] == true, found["ended"] == true) {
            (true, true) => "All agree with the interpreter, bit for bit.",
            (true, false) =>
                "As far as they were run they agree with the interpreter, bit for bit.",
            _ => "**Not all agree with the interpreter.**",
        }
    );
}

/// Whether a comparison has the backends of another one, more inputs and the same verdict. The interpreter evaluates only a sample.
fn covers(larger: &Value, other: &Value) -> bool {
    let names = |one: &Value| -> Vec<String> {
        let all = rows(&one["backends"])
            .iter()
            .map(|b| text(&b["backend"]).to_string());
        all.filter(|b| b != "interpreter").collect()
    };
    let all = names(larger);
    larger["sweep"] == other["sweep"]
        && larger["identical"] == other["identical"]
        && larger["asked"].as_u64() > other["asked"].as_u64()
        && names(other).iter().all(|b| all.contains(b))
}

fn equivalence(out: &mut String, comparisons: &Value) {
    let all = rows(comparisons);
    if all.is_empty() {
        return;
    }
    let shown: Vec<&Value> = all
        .iter()
        .filter(|one| !all.iter().any(|b| covers(b, one)))
        .collect();
    let _ = write!(
        out,
        "\n### Equivalence\n\n{} comparisons; those of fewer inputs on the same backends, and with them the interpreter's, are in \
         `measured.json` alone.\n\n\
         | sweep | inputs | max ULP | digest | backends, M inputs/s | verdict |\n|---|---|---|---|---|---|\n",
        all.len()
    );
    for one in shown {
        let table = rows(&one["backends"]);
        let first = table.first().unwrap_or(&Value::Null);
        let backends: Vec<String> = table
            .iter()
            .map(|b| {
                let rate = b["rate"].as_f64().unwrap_or(0.0) / 1e6;
                let fewer = match b["inputs"] == first["inputs"] {
                    true => String::new(),
                    false => format!(" on {}", b["inputs"]),
                };
                format!("{} {rate:.1}{fewer}", text(&b["backend"]))
            })
            .collect();
        let _ = writeln!(
            out,
            "| {} | {} | {} | `{}` | {} | {} |",
            text(&one["sweep"]),
            one["asked"].as_u64().map_or("?".into(), power),
            one["max_error"]
                .as_f64()
                .map_or("none".into(), |e| format!("{e:.6}")),
            text(&first["digest"]),
            backends.join(", "),
            match one["identical"] == true {
                true => "bit for bit the same",
                false => "**different**",
            }
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_difference_is_shown_though_fewer_inputs_were_compared() {
        let one = |asked: u64, names: &[&str], identical: bool| {
            let backends: Vec<Value> = names.iter().map(|b| json!({ "backend": b })).collect();
            json!({ "sweep": "exp", "asked": asked, "identical": identical, "backends": backends })
        };
        let long = one(1 << 28, &["avx2", "scalar"], true);
        assert!(covers(
            &long,
            &one(1 << 22, &["scalar", "avx2", "interpreter"], true)
        ));
        assert!(!covers(
            &long,
            &one(1 << 22, &["scalar", "avx2", "interpreter"], false)
        ));
        assert!(!covers(&long, &one(1 << 22, &["scalar", "cuda:0"], true)));
        assert!(!covers(&long, &long));
    }

    #[test]
    fn a_page_of_little_says_what_there_is() {
        let empty = page(&json!({ "missing": ["cuda: no driver"] }));
        assert!(
            empty.contains("**Missing** (1)") && empty.contains("- cuda: no driver"),
            "{empty}"
        );
        let row = |name: &str, ratio: f64| json!({ "contestant": name, "rate": 3e8, "ratio": ratio, "spread": 0.1 });
        let table = |kernel: &str, variant: &str| json!({ "kernel": kernel, "rounds": 15, "table": [row("ours, avx2", 1.0), row(variant, 1.25)] });
        let both = page(
            &json!({ "cpu": [table("exp", "C, avx2, gcc, 4-fused"), table("reciprocal", "C, avx2, gcc, 2-passes")] }),
        );
        assert!(
            both.contains("| C, avx2, gcc | 1.250 (10 %) | 1.250 (10 %) |"),
            "{both}"
        );
    }
}
