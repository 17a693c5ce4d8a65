//! What was found, as files of Rust: the kernel, the backend that differed, the inputs at which it did.
//!
//! `tests/regressions.rs` compiles them all and runs each on every backend, at the inputs that failed and at the columns
//! of [`crate::inputs`].

use std::fmt::Write as _;
use std::path::Path;

use crate::ast::Unit;
use crate::compare::{Finding, What};
use crate::rust_source::source;

/// The file of a kernel.
#[must_use]
pub fn file(unit: &Unit, finding: &Finding, columns: &[Vec<u64>], description: &str) -> String {
    let mut out = String::new();
    for line in description.lines() {
        let _ = writeln!(out, "// {line}");
    }
    out.push_str(&source(unit));
    let row: Vec<u64> = match finding.what {
        What::Differs { row, .. } => unit.columns().iter().map(|&c| columns[c][row]).collect(),
        What::Refused(_) => unit.columns().iter().map(|_| 0).collect(),
    };
    let row: Vec<String> = row.iter().map(|w| format!("{w:#x}")).collect();
    let _ = writeln!(
        out,
        "\npub type Entry = {};\npub const COLUMNS: &[usize] = &{:?};\npub const INPUT: &[u64] = &[{}];",
        unit.entry().name,
        unit.columns(),
        row.join(", ")
    );
    out
}

/// Writes the file, and the list of all that are there.
///
/// # Errors
/// When that is not possible.
pub fn save(folder: &Path, name: &str, text: &str) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join(format!("{name}.rs")), text)?;
    let mut names: Vec<String> = std::fs::read_dir(folder)?
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            Some(name.strip_suffix(".rs")?.to_string()).filter(|n| n != "mod")
        })
        .collect();
    names.sort();
    std::fs::write(folder.join("mod.rs"), list(&names))
}

/// `mod.rs` of a folder with those files.
#[must_use]
pub fn list(names: &[String]) -> String {
    let mut out = String::from(
        "//! Kernels that were wrong on some backend, minimised. `cargo xtask fuzz` writes this file.\n\nregressions! {\n",
    );
    for name in names {
        let _ = writeln!(out, "    {name}");
    }
    out + "}\n"
}
