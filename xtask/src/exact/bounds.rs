//! `cargo xtask exact --bounds`: what `crunch bound` says without options of each built-in routine of binary64, beside the largest error that is
//! known of it.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::{number, read, time, write};
use crate::error::{Error, Result};
use crate::process::output;

/// A routine with its largest known error, which is exact where it is proven.
struct Known {
    sweep: &'static str,
    error: f64,
    exact: bool,
}

const fn proven(sweep: &'static str, error: f64) -> Known {
    Known {
        sweep,
        error,
        exact: true,
    }
}

const fn found(sweep: &'static str, error: f64) -> Known {
    Known {
        sweep,
        error,
        exact: false,
    }
}

/// docs/book/src/contribute/log/exact.md has their origins.
const KNOWN: &[Known] = &[
    proven("reciprocal", 1.999_987_151_135),
    proven("reciprocal-fma", 0.500_036_979_463),
    proven("reciprocal-intel", 1.984_089_851_001),
    found("reciprocal-intel-fma", 0.5),
    proven("log-polynomial", 0.733_008_683_861),
    proven("exp", 1.848_082_400_995),
    found("exp-fdlibm", 0.948_331),
    proven("exp-table", 0.510_431_279_815),
    proven("log-table", 0.520_395_758_200),
    found("sin-fdlibm", 0.804_702_996),
    found("cbrt-freebsd", 0.666_986_425),
];

const HEAD: &str = "| sweep | inputs | bound | largest known | bound over known | inputs without a bound | time |\n|---|---|---:|---:|---:|---:|---:|\n";

/// The table, which is also printed row by row. Rows of the same kernel and range are kept from one run to the next.
pub(super) fn table(names: &[String], crunch: &Path, folder: &Path) -> Result<String> {
    let rows: Vec<&Known> = match names {
        [] => KNOWN.iter().collect(),
        names => names.iter().map(|n| named(n)).collect::<Result<_>>()?,
    };
    let mut table = HEAD.to_string();
    for known in rows {
        let file = |ending: &str| folder.join(format!("bound-{}.{ending}", known.sweep));
        let plan = output(Command::new(crunch).args(["emit", known.sweep, "--target", "ir"]))?;
        let same = std::fs::read_to_string(file("plan")).is_ok_and(|old| old == plan);
        let kept = read(&file("json")).filter(|_| same);
        let answer = match kept {
            Some(answer) => answer,
            None => {
                let answer = bound(crunch, known.sweep)?;
                write(&file("json"), &answer.to_string())?;
                write(&file("plan"), &plan)?;
                answer
            }
        };
        let line = known.line(&answer);
        println!("{line}");
        table += &format!("{line}\n");
    }
    Ok(table)
}

fn named(name: &str) -> Result<&'static Known> {
    let found = KNOWN.iter().find(|k| k.sweep == name);
    found.ok_or_else(|| Error(format!("`{name}` is no routine of the table of bounds")))
}

/// The answer of `crunch bound` without options. Its exit code is that of a finding where there is no bound.
fn bound(crunch: &Path, sweep: &str) -> Result<Value> {
    let out = Command::new(crunch)
        .args(["--json", "bound", sweep])
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| Error(format!("`crunch bound {sweep}` could not be started: {e}")))?;
    serde_json::from_slice(&out.stdout).map_err(|e| Error(format!("`crunch bound {sweep}`: {e}")))
}

impl Known {
    /// The row as Markdown.
    fn line(&self, answer: &Value) -> String {
        let known = self.error.max(answer["net_worst"].as_f64().unwrap_or(0.0));
        let bound = answer["bound"].as_f64();
        let exact = if self.exact { ", exact" } else { "" };
        let left = match &answer["special_inputs"] {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        format!(
            "| `{}` | {} | {} | {known:.6}{exact} | {} | {left} | {} |",
            self.sweep,
            answer["range"].as_str().unwrap_or("?"),
            bound.map_or("none".into(), |b| format!("{b:.7}")),
            bound.map_or("–".into(), |b| format!("{:.4}", b / known)),
            time(number(&answer["bound_seconds"])),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn rows_compare_with_the_larger_known_error() {
        let row = named("exp-fdlibm").expect("a row");
        let mut answer = json!({ "range": "-745.2..=709.8", "bound": 1.0122529, "net_worst": 0.86898,
            "special_inputs": 0, "bound_seconds": 16.12 });
        let line = "| `exp-fdlibm` | -745.2..=709.8 | 1.0122529 | 0.948331 | 1.0674 | 0 | 16.1 s |";
        assert_eq!(row.line(&answer), line);
        answer["net_worst"] = 0.96.into();
        assert!(row.line(&answer).contains("| 0.960000 | 1.0544 |"));
        // No bound is never a ratio.
        answer["bound"] = Value::Null;
        assert!(row.line(&answer).contains("| none | 0.960000 | – |"));
        assert!(named("xp").is_err());
    }
}
