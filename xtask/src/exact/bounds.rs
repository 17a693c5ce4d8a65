//! `cargo xtask exact --bounds`: what `crunch bound` says without options of each built-in sweep, beside the largest error that is
//! known of it.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::{Value, json};

use super::{number, read, time, write};
use crate::error::{Error, Result};
use crate::process::{output, time_of_children};

/// The goal: a bound of at most this times the largest known error,
const NEAR: f64 = 1.02;
/// in so many seconds.
const SOON: f64 = 30.0;

/// How a largest known error is known.
#[derive(Clone, Copy, PartialEq)]
enum By {
    /// A proof, here, that it is the largest.
    Proof,
    /// A search, here.
    Search,
    /// A list of others.
    Others,
}

/// A routine with its largest known error.
pub(super) struct Known {
    sweep: &'static str,
    error: f64,
    by: By,
}

const fn known(sweep: &'static str, error: f64, by: By) -> Known {
    Known { sweep, error, by }
}

/// docs/book/src/contribute/log/exact.md has their origins.
const KNOWN: &[Known] = &[
    known("reciprocal-f32", 8_388_608.0, By::Proof),
    known("reciprocal", 1.999_987_151_135, By::Proof),
    known("reciprocal-fma", 0.500_036_979_463, By::Proof),
    known("reciprocal-intel", 1.984_089_851_001, By::Proof),
    known("reciprocal-intel-fma", 0.5, By::Search),
    known("log-polynomial", 0.733_008_683_861, By::Proof),
    known("exp", 1.848_082_400_995, By::Proof),
    known("exp-fdlibm", 0.948_331, By::Others),
    known("sin-fdlibm", 0.804_702_996, By::Search),
    known("log-table", 0.520_395_758_200, By::Proof),
    known("exp-table", 0.510_431_279_815, By::Proof),
    known("cbrt-freebsd", 0.666_986_425, By::Search),
];

pub(super) const HEAD: &str = "| sweep | inputs | bound | time | processor | largest known | bound over known | within 2 % in 30 s | inputs without a bound |\n\
                    |---|---|---:|---:|---:|---:|---:|---|---:|\n";

/// The routines that are asked for.
pub(super) fn chosen(names: &[String]) -> Result<Vec<&'static Known>> {
    match names {
        [] => Ok(KNOWN.iter().collect()),
        names => names.iter().map(|n| named(n)).collect(),
    }
}

fn named(name: &str) -> Result<&'static Known> {
    let found = KNOWN.iter().find(|k| k.sweep == name);
    found.ok_or_else(|| Error(format!("`{name}` is no routine of the table of bounds")))
}

/// The table, which is also printed row by row. Rows of the same kernel and number of threads are kept from one run to the next.
pub(super) fn table(
    rows: &[&Known],
    crunch: &Path,
    folder: &Path,
    jobs: Option<usize>,
) -> Result<String> {
    let mut table = HEAD.to_string();
    for row in rows {
        let file = |ending: &str| folder.join(format!("bound-{}.{ending}", row.sweep));
        let ir = output(Command::new(crunch).args(["emit", row.sweep, "--target", "ir"]))?;
        let threads = jobs.map_or("one per core".into(), |n| n.to_string());
        let plan = format!("{ir}threads {threads}\n");
        let same = std::fs::read_to_string(file("plan")).is_ok_and(|old| old == plan);
        let kept = read(&file("json")).filter(|_| same);
        let answer = match kept {
            Some(answer) => answer,
            None => {
                let answer = bound(crunch, row.sweep, jobs)?;
                // The plan is last: a row that is stopped between them is computed again.
                write(&file("json"), &answer.to_string())?;
                write(&file("plan"), &plan)?;
                answer
            }
        };
        let line = row.line(&answer);
        println!("{line}");
        table += &format!("{line}\n");
    }
    Ok(table)
}

/// The answer of `crunch bound`, which may be that there is none, with the time and the processor time that it took.
fn bound(crunch: &Path, sweep: &str, jobs: Option<usize>) -> Result<Value> {
    let mut command = Command::new(crunch);
    command.args(["--json", "bound", sweep]);
    if let Some(jobs) = jobs {
        command.args(["--jobs", &jobs.to_string()]);
    }
    println!("$ {}", crate::process::shown(&command));
    let (begun, before) = (Instant::now(), time_of_children());
    // Its exit code is that of a finding where there is no bound, and its message is in the document.
    let out = command
        .stdin(Stdio::null())
        .output()
        .map_err(|e| Error(format!("`crunch bound {sweep}` could not be started: {e}")))?;
    let seconds = begun.elapsed().as_secs_f64();
    let processor = before.and_then(|b| Some(time_of_children()? - b));
    if !out.status.success() {
        eprint!("{}", String::from_utf8_lossy(&out.stderr));
    }
    let answer: Value = serde_json::from_slice(&out.stdout)
        .map_err(|e| Error(format!("`crunch bound {sweep}`: {e}: {}", out.status)))?;
    Ok(json!({ "answer": answer, "seconds": seconds, "processor": processor }))
}

impl Known {
    /// The row as Markdown.
    fn line(&self, kept: &Value) -> String {
        let answer = &kept["answer"];
        let found = answer["net_worst"].as_f64().unwrap_or(0.0);
        let (error, by) = match found > self.error {
            true => (found, By::Search),
            false => (self.error, self.by),
        };
        let how = match by {
            By::Proof => ", exact",
            By::Search => ", found",
            By::Others => ", published",
        };
        let bound = answer["bound"].as_f64();
        let (seconds, processor) = (number(&kept["seconds"]), kept["processor"].as_f64());
        // A program that waits for others on the same cores does not count that time.
        let took = processor.map_or(seconds, |p| p.min(seconds));
        let left = match &answer["special_inputs"] {
            Value::String(text) => text.clone(),
            Value::Null => "–".into(),
            other => other.to_string(),
        };
        // A bound of a part of the inputs is no bound of the largest error, unless all others were evaluated one by one: then none is left.
        let yes = bound.is_some_and(|b| b <= NEAR * error) && took <= SOON && left == "0";
        format!(
            "| `{}` | {} | {} | {} | {} | {error:.6}{how} | {} | {} | {left} |",
            self.sweep,
            answer["range"].as_str().unwrap_or("all"),
            bound.map_or("none".into(), |b| format!("{b:.7}")),
            time(seconds),
            processor.map_or("–".into(), time),
            bound.map_or("–".into(), |b| format!("{:.4}", b / error)),
            if yes { "yes" } else { "no" },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_compare_with_the_larger_known_error() {
        let row = named("exp-fdlibm").expect("a row");
        let mut kept = json!({ "seconds": 61.25, "processor": 16.12, "answer": { "range": "-745.2..=709.8",
            "bound": 1.0122529, "net_worst": 0.86898, "special_inputs": 0 } });
        let line = "| `exp-fdlibm` | -745.2..=709.8 | 1.0122529 | 1 min 1 s | 16.1 s | 0.948331, published | 1.0674 | no | 0 |";
        assert_eq!(row.line(&kept), line);
        kept["answer"]["net_worst"] = 0.996.into();
        assert!(
            row.line(&kept)
                .contains("| 0.996000, found | 1.0163 | yes | 0 |")
        );
        // Too late, or with inputs left out, is not within the goal.
        for (what, value) in [("special_inputs", json!(2)), ("bound", Value::Null)] {
            let before = kept["answer"][what].clone();
            kept["answer"][what] = value;
            assert!(row.line(&kept).contains("| no |"), "{}", row.line(&kept));
            kept["answer"][what] = before;
        }
        kept["processor"] = 30.5.into();
        assert!(row.line(&kept).contains("| no | 0 |"));
        kept["seconds"] = 29.5.into();
        assert!(row.line(&kept).contains("| yes | 0 |"));
        // No bound is never a ratio.
        kept["answer"]["bound"] = Value::Null;
        let none = row.line(&kept);
        assert!(none.contains("| none |") && none.contains("| – | no |"));
        assert!(named("xp").is_err());
    }

    #[test]
    fn a_refusal_is_a_row_without_a_bound() {
        let row = named("reciprocal-f32").expect("a row");
        let kept =
            json!({ "seconds": 0.01, "processor": 0.01, "answer": { "error": { "code": 2 } } });
        let line = "| `reciprocal-f32` | all | none | 0.0 s | 0.0 s | 8388608.000000, exact | – | no | – |";
        assert_eq!(row.line(&kept), line);
    }
}
