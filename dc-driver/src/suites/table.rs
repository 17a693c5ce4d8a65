//! The table of `cargo crunch`: one row per sweep, grouped by suite, in a hundred columns.

use std::collections::{BTreeMap, BTreeSet};

use dc_runtime::model::show;
use dc_runtime::suite::baseline::Known;
use dc_runtime::suite::report::{Outcome, Report, Test};

/// The table's columns.
pub const COLUMNS: [&str; 7] = ["", "sweep", "worst ULP", "was", "at", "inputs", "compared"];

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

/// The first cell of a row: text for a terminal, a symbol for a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marks {
    /// `ok`, `FAIL`, `WORSE`, `?`
    Words,
    /// ✅, ❌, ⚠️, ❔
    Signs,
}

impl Row<'_> {
    fn mark(&self, marks: Marks) -> &'static str {
        let all = || self.accuracy.iter().chain(&self.backends);
        let [ok, fail, worse, unknown] = match marks {
            Marks::Words => ["ok", "FAIL", "WORSE", "?"],
            Marks::Signs => ["✅", "❌", "⚠️", "❔"],
        };
        if all().any(|r| r.outcome == Outcome::Failed) {
            fail
        } else if all().any(|r| r.outcome == Outcome::WorseInput) {
            worse
        } else if self.accuracy.is_none() {
            unknown
        } else {
            ok
        }
    }

    /// The row's cells, in the order of [`COLUMNS`].
    #[must_use]
    pub fn cells(&self, name: &str, marks: Marks) -> Vec<String> {
        let mut cells = vec![self.mark(marks).to_string(), name.to_string()];
        match self.accuracy.map(|r| (r, &r.test)) {
            Some((r, Test::Accuracy { found, known, .. })) => {
                cells.push(short(found.error));
                cells.push(known.as_ref().map_or("new".into(), |k| was(found, k)));
                let at = found.worst.first().map(String::as_str).unwrap_or_default();
                cells.push(at.replace("bits:", ""));
                let n = show::count(r.inputs.into());
                cells.push(if found.exhaustive {
                    format!("all {n}")
                } else {
                    n
                });
            }
            _ => cells.extend(["not run", "", "", ""].map(String::from)),
        }
        let differ: Vec<&str> = self
            .backends
            .iter()
            .filter(|r| r.outcome.is_failure())
            .map(|r| id(r))
            .collect();
        let (compared, of) = self.compared();
        cells.push(match differ.is_empty() {
            true if of == 0 => "accuracy only".into(),
            true => format!("{compared} of {of}"),
            false => format!("DIFFERS: {}", differ.join(" ")),
        });
        cells
    }

    /// The number of backends with which it was compared, and the number of all backends.
    fn compared(&self) -> (usize, usize) {
        let skipped = |r: &&&Report| r.outcome == Outcome::Skipped;
        let skips = self.backends.iter().filter(skipped).count();
        (self.backends.len() - skips, self.backends.len())
    }
}

fn id(r: &Report) -> &str {
    match &r.test {
        Test::Backend { id } => id,
        Test::Accuracy { .. } => "",
    }
}

/// An error with eight digits: `accuracy.toml` and `--format json` have all digits.
#[must_use]
pub fn short(error: f64) -> String {
    match (1e-3..1e5).contains(&error) {
        true => format!("{error:.7}"),
        false => format!("{error:.3e}"),
    }
}

/// `same`, or the difference from the known error: `+1.602417` is worse.
#[must_use]
pub fn was(found: &Known, known: &Known) -> String {
    if found.error.to_bits() == known.error.to_bits() {
        return "same".into();
    }
    let more = found.error - known.error;
    match (1e-6..1e5).contains(&more.abs()) {
        true => format!("{more:+.6}"),
        false => format!("{more:+.2e}"),
    }
}

/// The lines after the table: the number of sweeps compared on each backend, and those that were not compared.
#[must_use]
pub fn backends(reports: &[Report]) -> Vec<String> {
    let mut of: BTreeMap<&str, [BTreeSet<&str>; 3]> = BTreeMap::new();
    for r in reports {
        if let Test::Backend { id } = &r.test {
            let place = match r.outcome {
                Outcome::Passed => 0,
                Outcome::Skipped => 1,
                Outcome::Failed | Outcome::WorseInput => 2,
            };
            of.entry(id).or_default()[place].insert(&r.entry);
        }
    }
    let sweeps = |n: usize| match n {
        1 => "1 sweep".to_string(),
        n => format!("{n} sweeps"),
    };
    of.iter()
        .map(|(id, [passed, skipped, failed])| {
            let mut says = Vec::new();
            for (n, what) in [
                (passed.len(), "the same bits as plain Rust in"),
                (failed.len(), "OTHER BITS in"),
                (skipped.len(), "NOT COMPARED in"),
            ] {
                if n > 0 {
                    says.push(format!("{what} {}", sweeps(n)));
                }
            }
            format!("  {id:14} {}", says.join(", "))
        })
        .collect()
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

/// A row of a table: the suite, and the cells, in which the sweep's name lacks the suite. This keeps rows short.
pub type Line<'a> = (&'a str, Vec<String>);

/// The suite and the name of a sweep, from its name in `accuracy.toml`.
#[must_use]
pub fn split(name: &str) -> (&str, &str) {
    name.rsplit_once("::").unwrap_or(("", name))
}

/// The table's rows.
#[must_use]
pub fn lines<'a>(rows: &BTreeMap<&'a str, Row<'_>>, marks: Marks) -> Vec<Line<'a>> {
    let line = |(name, row): (&&'a str, &Row)| {
        let (suite, sweep) = split(name);
        (suite, row.cells(sweep, marks))
    };
    rows.iter().map(line).collect()
}

/// [`text`], grouped under lines with the names of the suites.
#[must_use]
pub fn by_suite(head: &[&str], rows: &[Line]) -> String {
    let cells: Vec<Vec<String>> = rows.iter().map(|(_, cells)| cells.clone()).collect();
    let table = text(head, &cells);
    let mut lines = table.lines();
    let mut out = format!("{}\n", lines.next().unwrap_or_default());
    let mut last = "";
    for ((suite, _), line) in rows.iter().zip(lines) {
        if *suite != last {
            out.push_str(&format!("{suite}\n"));
            last = suite;
        }
        out.push_str(&format!("{line}\n"));
    }
    out
}

/// For a pull request on GitHub: a Markdown table for each suite, under its name.
#[must_use]
pub fn github(head: &[&str], rows: &[Line]) -> String {
    let row = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let escape = |c: &String| c.replace('|', "\\|").replace('\n', " ");
    let head: Vec<String> = head.iter().map(ToString::to_string).collect();
    let tables = rows.chunk_by(|a, b| a.0 == b.0).map(|suite| {
        let name = suite.first().map_or("", |(name, _)| name);
        let rule = vec!["---".to_string(); head.len()];
        let mut text = format!("**`{name}`**\n\n{}{}", row(&head), row(&rule));
        for (_, cells) in suite {
            text.push_str(&row(&cells.iter().map(escape).collect::<Vec<_>>()));
        }
        text
    });
    tables.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(entry: &str, test: Test, outcome: Outcome) -> Report {
        let report = serde_json::json!({
            "entry": entry, "folder": "/", "test": test, "outcome": outcome,
            "inputs": 1_050_628, "of": 1_u64 << 53, "text": "",
        });
        serde_json::from_value(report).expect("a report")
    }
    fn accuracy(entry: &str, error: f64, outcome: Outcome) -> Report {
        let known = |error| Known {
            range: "1.0..4.0".into(),
            error,
            worst: vec!["bits:0x40068577474d9add".into()],
            inputs: 1_050_628,
            exhaustive: false,
            faults: Vec::new(),
            kernels: Vec::new(),
        };
        let test = Test::Accuracy {
            found: known(error),
            known: Some(known(2.323_618_322_492_491)),
            within: 4.0,
        };
        report(entry, test, outcome)
    }
    fn backend(entry: &str, id: &str, outcome: Outcome) -> Report {
        report(entry, Test::Backend { id: id.into() }, outcome)
    }

    #[test]
    fn what_ran_nothing_does_not_look_as_if_it_had_passed() {
        let (a, b) = (
            "own_crate::promises::square_root_by_newton",
            "own_crate::promises::worse",
        );
        let mut reports = vec![
            accuracy(a, 2.323_618_322_492_491, Outcome::Passed),
            accuracy(b, 3.926_035_378_266_93, Outcome::Failed),
            backend(b, "avx2", Outcome::Failed),
        ];
        for id in ["avx2", "interpreter", "opencl:pocl/0"] {
            reports.push(backend(a, id, Outcome::Passed));
        }
        for id in ["avx512", "cuda"] {
            reports.push(backend(a, id, Outcome::Skipped));
        }
        let rows = rows(&reports);
        let table = by_suite(&COLUMNS, &lines(&rows, Marks::Words));
        assert!(table.lines().all(|l| l.chars().count() <= 100), "{table}");
        let shown: Vec<&str> = table.lines().collect();
        assert_eq!(shown.len(), 4, "{table}");
        assert_eq!(shown[1], "own_crate::promises");
        assert!(
            shown[2].starts_with("ok    square_root_by_newton  2.3236183  same"),
            "{table}"
        );
        assert!(shown[2].ends_with("3 of 5"), "{table}");
        assert!(shown[3].starts_with("FAIL  worse "), "{table}");
        assert!(shown[3].contains("3.9260354  +1.602417"), "{table}");
        assert!(shown[3].ends_with("DIFFERS: avx2"), "{table}");
        let backends = backends(&reports);
        let line = |id: &str| backends.iter().find(|l| l.trim_start().starts_with(id));
        assert!(line("avx512").is_some_and(|l| l.contains("NOT COMPARED in 1 sweep")));
        let avx2 = line("avx2").expect("a line");
        assert!(
            avx2.contains("plain Rust in 1 sweep, OTHER BITS in 1 sweep"),
            "{avx2}"
        );
    }

    #[test]
    fn a_page_has_a_table_for_each_suite_in_a_hundred_columns() {
        let suite = "own_crate::promises_of_routines_with_long_names";
        let names = [
            format!("{suite}::reciprocal_root"),
            format!("{suite}::square_root"),
            "other::one".to_string(),
        ];
        let reports = [
            accuracy(&names[0], 3.926_035_378_266_93, Outcome::Failed),
            accuracy(&names[1], 2.323_618_322_492_491, Outcome::Passed),
            accuracy(&names[2], 2.5, Outcome::WorseInput),
        ];
        let page = github(&COLUMNS, &lines(&rows(&reports), Marks::Signs));
        assert!(page.lines().all(|l| l.chars().count() <= 100), "{page}");
        let wanted = format!(
            "**`other`**\n\n\
             |  | sweep | worst ULP | was | at | inputs | compared |\n\
             | --- | --- | --- | --- | --- | --- | --- |\n\
             | ⚠️ | one | 2.5000000 | +0.176382 | 0x40068577474d9add | 1,050,628 | accuracy only |\n\
             \n**`{suite}`**\n\n"
        );
        assert!(page.starts_with(&wanted), "{page}");
        let of_suite = "| ❌ | reciprocal_root | 3.9260354 | +1.602417 | ";
        assert!(
            page.contains(of_suite) && page.contains("\n| ✅ | square_root | "),
            "{page}"
        );
        assert_eq!(page.matches("promises").count(), 1, "{page}");
    }
}
