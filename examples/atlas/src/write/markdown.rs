//! `atlas.md`.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use doublecrunch::builtins::reference::Reference;
use doublecrunch::search::key::Precision;
use doublecrunch::search::show;

use super::published::{PERMITTED_SOURCE, SOURCE, permitted, published};
use super::{Row, by_function, short};
use crate::libraries::{self, Library};

const HEAD: &str = "\
# The atlas

How wrong the functions of one argument are that people call, in binary32: each was called at all 2^32 inputs, and each result
was held against a [reference](../reference/references.md) of this project. `cargo xtask atlas` makes the searches, `cargo xtask atlas
--write docs/book/src/evidence` this text, [`atlas.json`](atlas.json) with all digits, and beside the run files a page with the errors over the
range as pictures, `target/atlas/atlas.html`. A search is a run file of `crunch`; its digest is a sum over all results, which
anybody gets who searches the same function.

- *Error*: the largest of all inputs, in ULP of binary32 (the Handbook's: spacing of numbers at the true result; where that
  overflows, as if the exponent had no end). A correctly rounded function has 0.5. The references' own errors are at most
  2^-50 of the result, so that 2^-25 ULP of what is shown, the eighth digit, is theirs.
- *Misrounded*: inputs whose result is another number than the one nearest to the true result; from one in ten thousand on in
  percent, else how many of the 4,294,967,296.
- *Wrong special values*: NaN where there is a number, or the other way around; infinity where the result is finite; a
  zero of the wrong sign. C23's Annex F defines the right ones. These count as no error.
- *M/s*: inputs that a thread measured in a microsecond, the function, its reference and the metric together. The searches ran beside
  other work, at the lowest priority.

An error that is huge is mostly one at few inputs: where the function is near zero and the library keeps an absolute error,
or of arguments that the library is not made for. The pictures show where. An empty place in the table of largest errors is a
function that the library does not have, or that has not been searched to the end yet; the same command resumes it.
";

pub fn document(rows: &[Row]) -> String {
    let mut text = String::from(HEAD);
    text += "\n## Libraries\n\n| library | version | what it is |\n|---|---|---|\n";
    let present: Vec<&'static Library> = libraries::ALL
        .iter()
        .filter(|l| rows.iter().any(|r| r.library.name == l.name))
        .collect();
    for library in &present {
        let mut of = rows.iter().filter(|r| r.library.name == library.name);
        let version = of.next().map_or("", Row::version);
        let _ = writeln!(
            text,
            "| `{}` | {version} | {} |",
            library.name, library.about
        );
    }
    let machines: BTreeSet<String> = rows
        .iter()
        .map(|r| {
            format!(
                "{}, backend {}, {}",
                r.machine.processor, r.machine.backend, r.machine.date
            )
        })
        .collect();
    let machines: Vec<String> = machines.into_iter().collect();
    let _ = writeln!(
        text,
        "\n{} functions, {} searches of 2^32 inputs; searched on: {}.",
        by_function(rows).count(),
        rows.len(),
        machines.join("; ")
    );
    text += "\n## Largest errors\n\n| function |";
    for library in &present {
        let _ = write!(text, " `{}` |", library.name);
    }
    text += "\n|---|";
    text += &"---|".repeat(present.len());
    text.push('\n');
    for group in by_function(rows) {
        let _ = write!(text, "| [`{0}`](#{0}) |", group[0].computes);
        for library in &present {
            let found = group.iter().find(|r| r.library.name == library.name);
            let _ = write!(text, " {} |", found.map_or_else(String::new, Row::error));
        }
        text.push('\n');
    }
    let _ = writeln!(text, "\n{}{}", compared(rows), beside_opencl(rows));
    for group in by_function(rows) {
        text += &section(group);
    }
    text
}

/// The maxima that others have published, beside ours.
fn compared(rows: &[Row]) -> String {
    let mut text = String::from("## Beside published maxima\n\n");
    let mut table = Vec::new();
    for row in rows.iter().filter(|r| r.library.name == "std") {
        if let (Some(theirs), Some(ours)) = (published(row.computes), &row.worst) {
            table.push(format!(
                "| `{}` | {theirs} | {} |",
                row.computes,
                short(ours.error)
            ));
        }
    }
    if table.is_empty() {
        return String::new();
    }
    text += SOURCE;
    text += "\n\n| function | published | here |\n|---|---|---|\n";
    text += &table.join("\n");
    text.push('\n');
    text
}

/// What the OpenCL standard permits, beside the largest errors of its functions.
fn beside_opencl(rows: &[Row]) -> String {
    let mut table = Vec::new();
    for row in rows.iter().filter(|r| r.library.name.starts_with("pocl")) {
        let Some(most) = permitted(row.routine()) else {
            continue;
        };
        let Some(ours) = &row.worst else { continue };
        let verdict = if most.holds(ours.error) {
            "yes"
        } else {
            "**no**"
        };
        table.push(format!(
            "| `{}` | {} | {} | {verdict} | {} |",
            row.routine(),
            most.text(),
            short(ours.error),
            match row.faults() {
                none if none.is_empty() => "none".into(),
                some => some.join(", "),
            }
        ));
    }
    if table.is_empty() {
        return String::new();
    }
    format!(
        "\n## Beside what OpenCL permits\n\n{PERMITTED_SOURCE}\n\n| function | permitted, ULP | here | within it | wrong special \
         values |\n|---|---|---|---|---|\n{}\n",
        table.join("\n")
    )
}

fn section(group: &[Row]) -> String {
    let name = group[0].computes;
    let formula = Reference::by_name(name).map_or("", |r| r.function.name());
    let mut text = format!(
        "\n## `{name}`\n\n`{formula}`\n\n| library | routine | error | at | misrounded | wrong special values | M/s | digest |\n\
         |---|---|---|---|---|---|---|---|\n"
    );
    for r in group {
        let at = r.worst.as_ref().map_or_else(String::new, |w| {
            let bits = Precision::F32.bits_of_key(w.key);
            format!(
                "{} = {}",
                show::decimal(Precision::F32, bits),
                show::hex_float(Precision::F32, bits)
            )
        });
        let faults = r.faults();
        let _ = writeln!(
            text,
            "| `{}` | `{}` | {} | {at} | {} | {} | {} | `{}` |",
            r.library.name,
            r.routine(),
            r.error(),
            r.misrounded(),
            if faults.is_empty() {
                "none".into()
            } else {
                faults.join(", ")
            },
            r.rate
                .map_or_else(String::new, |rate| format!("{:.0}", rate / 1e6)),
            r.digest()
        );
    }
    text
}
