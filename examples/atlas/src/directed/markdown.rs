//! `atlas-binary64.md`.

use std::fmt::Write as _;

use doublecrunch::search::show;
use serde_json::Value;

use crate::libraries;
use crate::write::{misrounded, published_binary64, short};

const HEAD: &str = "\
# The atlas of binary64

How wrong are the binary64 functions that people use? There are 2^64 inputs, and nobody can run them all. The errors below are the **largest that a search found**,
so the true maximum is at least as large. [The atlas of binary32](atlas.md) has all inputs.

`cargo xtask atlas --binary64` makes the searches, and with `--write docs/book/src/evidence` it writes this page and [`atlas-binary64.json`](atlas-binary64.json), which has all
digits.

Each search is that of [`crunch run --library --time`](../reference/samples.md#a-search-with-a-time-limit): a stratified sample of the binades of input and
result, inputs around the worst ones, and combinations of inputs with large errors. How many inputs it reaches depends on the machine's speed, so
another run finds other inputs. The page keeps a larger error that an earlier search found in the same version.

- *Error*: in ULP of binary64, compared with the [reference](../reference/references.md) of the function, whose own error is below 2^-46 ULP.
- *Inputs*: evaluated in full.
- *Combinations*: inputs whose errors were estimated to 2^-10 ULP. Those with the largest estimates are among the inputs that were evaluated in full.
- *Misrounded*: of the inputs evaluated in full. Most of these are where errors are large, so it is not a share of all inputs.
- *Wrong special values*: as in [the atlas of binary32](atlas.md).
";

pub fn document(rows: &[Value]) -> String {
    let mut text = String::from(HEAD);
    let library = |v: &Value| text_of(&v["library"]);
    let present = libraries::ALL
        .iter()
        .filter(|l| rows.iter().any(|r| r["library"] == l.name));
    let present: Vec<_> = present.collect();
    text += "\n## Libraries\n\n| library | version | what it is |\n|---|---|---|\n";
    for l in &present {
        let of = rows.iter().find(|r| r["library"] == l.name);
        let version = of.map_or_else(String::new, |r| text_of(&r["version"]));
        let _ = writeln!(text, "| `{}` | {version} | {} |", l.name, l.about);
    }
    let sum = |of: &str| -> u64 { rows.iter().filter_map(|r| r[of].as_u64()).sum() };
    let _ = writeln!(
        text,
        "\n{} searches, {} inputs and {} combinations altogether; {}.",
        rows.len(),
        show::count(sum("inputs").into()),
        show::count(sum("combinations").into()),
        effort(rows)
    );
    text += "\n## Largest errors found\n\n| function |";
    for l in &present {
        let _ = write!(text, " `{}` |", l.name);
    }
    let _ = writeln!(
        text,
        " published, glibc |\n|---|{}---|",
        "---|".repeat(present.len())
    );
    for group in by_function(rows) {
        let function = text_of(&group[0]["function"]);
        let _ = write!(text, "| [`{function}`](#{function}) |");
        for l in &present {
            let found = group.iter().find(|r| r["library"] == l.name);
            let _ = write!(text, " {} |", found.map_or_else(String::new, error));
        }
        let of_c = |r: &&Value| ["std", "c"].contains(&&*library(r));
        let published = match group.iter().find(of_c) {
            Some(_) => published_binary64(&function).unwrap_or_default(),
            None => "",
        };
        let _ = writeln!(text, " {published} |");
    }
    let _ = writeln!(text, "\n{}", crate::write::PUBLISHED_BINARY64);
    for group in by_function(rows) {
        let _ = write!(
            text,
            "\n## `{}`\n\n| library | routine | error | at | inputs | combinations | misrounded | wrong special values |\n\
             |---|---|---|---|---|---|---|---|\n",
            text_of(&group[0]["function"])
        );
        for r in group {
            let _ = writeln!(text, "{}", line(r));
        }
    }
    text
}

fn line(r: &Value) -> String {
    let inputs = r["inputs"].as_u64().unwrap_or(0);
    let faults = r["faults"].as_object();
    let faults: Vec<String> = faults
        .into_iter()
        .flatten()
        .map(|(kind, f)| {
            let count = f["count"].as_u64().unwrap_or(0);
            format!("{} {kind}", show::count(count.into()))
        })
        .collect();
    let at = &r["input"];
    format!(
        "| `{}` | `{}` | {} | {} = {} | {} | {} | {} | {} |",
        text_of(&r["library"]),
        text_of(&r["routine"]),
        error(r),
        text_of(&at["decimal"]),
        text_of(&at["hex"]),
        show::count(inputs.into()),
        show::count(r["combinations"].as_u64().unwrap_or(0).into()),
        misrounded(r["misrounded"].as_u64().unwrap_or(0), inputs),
        if faults.is_empty() {
            "none".into()
        } else {
            faults.join(", ")
        },
    )
}

/// The times of the searches, library by library.
fn effort(rows: &[Value]) -> String {
    let mut efforts: Vec<(String, Vec<String>)> = Vec::new();
    for r in rows {
        let effort = format!(
            "{} s on {} threads of an {}",
            r["seconds"],
            r["threads"],
            text_of(&r["processor"])
        );
        let library = format!("`{}`", text_of(&r["library"]));
        let at = efforts.iter().position(|e| e.0 == effort);
        let at = at.unwrap_or_else(|| {
            efforts.push((effort, Vec::new()));
            efforts.len() - 1
        });
        if !efforts[at].1.contains(&library) {
            efforts[at].1.push(library);
        }
    }
    let all = efforts
        .iter()
        .map(|(effort, of)| format!("{effort} for each function of {}", of.join(", ")));
    all.collect::<Vec<_>>().join("; ")
}

fn error(r: &Value) -> String {
    match &r["error"] {
        Value::Null => "none".into(),
        Value::String(text) => text.clone(),
        error => short(error.as_f64().unwrap_or(f64::NAN)),
    }
}

fn text_of(v: &Value) -> String {
    v.as_str().unwrap_or_default().into()
}

fn by_function(rows: &[Value]) -> impl Iterator<Item = &[Value]> {
    rows.chunk_by(|a, b| a["function"] == b["function"])
}
