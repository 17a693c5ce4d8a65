//! The table of `cargo crunch`: one row a sweep.

use std::collections::BTreeMap;

use dc_runtime::model::show;
use dc_runtime::search::format::number;
use dc_runtime::suite::baseline::Known;
use dc_runtime::suite::report::{Outcome, Report, Test};

/// The table's columns.
pub const COLUMNS: [&str; 6] = ["sweep", "worst ULP", "was", "at", "inputs", "backends"];

/// Reports of one sweep.
#[derive(Debug, Default)]
pub struct Row<'a> {
    accuracy: Option<&'a Report>,
    backends: Vec<&'a Report>,
}

/// Reports by sweep, in the order of their names.
#[must_use]
pub fn rows(reports: &[Report]) -> BTreeMap<&str, Row<'_>> {
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    for r in reports {
        let row = rows.entry(&r.entry).or_default();
        match r.test {
            Test::Accuracy { .. } => row.accuracy = Some(r),
            Test::Backend { .. } => row.backends.push(r),
        }
    }
    rows
}

impl Row<'_> {
    /// The row's cells, as in [`COLUMNS`].
    #[must_use]
    pub fn cells(&self, name: &str) -> Vec<String> {
        let mut cells = vec![name.to_string()];
        match self.accuracy.map(|r| (r, &r.test)) {
            Some((r, Test::Accuracy { found, known, .. })) => {
                let failed = match r.outcome {
                    Outcome::Failed => " FAILED",
                    Outcome::WorseInput => " WORSE INPUT",
                    Outcome::Passed | Outcome::Skipped => "",
                };
                cells.push(format!("{}{failed}", number(found.error)));
                cells.push(known.as_ref().map_or("new".into(), |k| was(found, k)));
                cells.push(found.worst.first().cloned().unwrap_or_default());
                let n = show::count(r.inputs.into());
                cells.push(if found.exhaustive {
                    format!("{n}, all")
                } else {
                    format!("{n} of {}, not exhaustive", show::count(r.of))
                });
            }
            _ => cells.extend(["not run", "", "", ""].map(String::from)),
        }
        let mut backends: Vec<String> = self
            .backends
            .iter()
            .map(|r| {
                let Test::Backend { id } = &r.test else {
                    return String::new();
                };
                match r.outcome {
                    Outcome::Passed => id.clone(),
                    Outcome::Failed | Outcome::WorseInput => format!("{id} DIFFERS"),
                    Outcome::Skipped => format!("({id})"),
                }
            })
            .collect();
        backends.sort();
        cells.push(backends.join(" "));
        cells
    }
}

/// "same", or what it was.
fn was(found: &Known, known: &Known) -> String {
    if found.error.to_bits() == known.error.to_bits() {
        return "same".into();
    }
    let sign = if found.error > known.error {
        "worse, was"
    } else {
        "better, was"
    };
    format!("{sign} {}", number(known.error))
}

/// Aligned columns for a terminal.
#[must_use]
pub fn text(head: &[&str], rows: &[Vec<String>]) -> String {
    let head: Vec<String> = head.iter().map(ToString::to_string).collect();
    let all: Vec<&Vec<String>> = std::iter::once(&head).chain(rows).collect();
    let width = |i: usize| all.iter().map(|r| r[i].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let line = |r: &Vec<String>| {
        let cells = r.iter().zip(&widths).map(|(c, &w)| format!("{c:w$}"));
        format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    all.into_iter().map(line).collect()
}

/// A Markdown table, as GitHub shows it in a pull request.
#[must_use]
pub fn github(head: &[&str], rows: &[Vec<String>]) -> String {
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let escape = |c: &String| c.replace('|', "\\|").replace('\n', " ");
    let mut text = row(head.iter().map(ToString::to_string).collect());
    text.push_str(&row(vec!["---".into(); head.len()]));
    for r in rows {
        text.push_str(&row(r.iter().map(escape).collect()));
    }
    text
}
