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

How wrong are the binary32 functions that people use? Each function of one argument was called at all 2^32 inputs, and each result was compared with a
[reference](../reference/references.md) of this project.

`cargo xtask atlas` makes the searches, and a search that was stopped is resumed. `cargo xtask atlas --write docs/book/src/evidence` writes this page, [`atlas.json`](atlas.json)
with all digits, and `target/atlas/atlas.html` with pictures of the errors over the range. Each search is a run file of `crunch`. Its digest is a sum over all results:
whoever searches the same function gets the same digest.

- *Error*: the largest error of all inputs, in ULP of binary32 (the Handbook's definition; where the true result overflows, as if the exponent had no end). A
  correctly rounded function has 0.5. The references err by at most 2^-50 of the result, which is 2^-25 ULP.
- *Misrounded*: inputs whose result is not the number nearest to the true result: in percent from 1 in 10,000 on, otherwise how many of the 4,294,967,296.
- *Wrong special values*: NaN instead of a number, or the other way around; infinity instead of a finite result; a zero with the wrong sign. C23's Annex F defines the right
  ones. These are not counted as errors.
- *M/s*: inputs per microsecond and thread, for the function, its reference and the metric together. Other programs ran at the same time.

A huge error mostly concerns few inputs: the function is near zero and the library keeps an absolute error, or the library is not made for such arguments. The pictures
show where. An empty cell in the table of largest errors means that the library does not have the function, or that its search is not finished.
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
    let mut text = String::from("## Compared with published maxima\n\n");
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
        "\n## Compared with what OpenCL permits\n\n{PERMITTED_SOURCE}\n\n| function | permitted, ULP | here | within it | wrong special \
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
