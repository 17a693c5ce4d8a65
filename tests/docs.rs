//! The documentation lists everything that exists: every operation, every intrinsic, every compile option. Commands that it shows exist.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use doublecrunch::backend::options::{CompileOptions, Compiler};
use kernels_gen::emit::HOST_SHIM;
use kernels_gen::ops::{Arith, Direction, Op, method_names};

use kernels_gen::text::op_name;

/// The pages of the language.
const OPERATIONS: &str = concat!(
    include_str!("../docs/book/src/reference/operations.md"),
    include_str!("../docs/book/src/reference/directed.md"),
    include_str!("../docs/book/src/reference/integers.md"),
    include_str!("../docs/book/src/reference/half.md"),
    include_str!("../docs/book/src/reference/library.md"),
    include_str!("../docs/book/src/reference/implementation.md"),
);
const POLICY: &str = include_str!("../docs/book/src/understand/fp-policy.md");

/// Every operation; an operation that is missing here is a compile error.
macro_rules! operations {
    ($($op:ident)+) => {
        const OPS: &[Op] = &[$(Op::$op),+];
        const _: fn(Op) = |op| match op {
            $(Op::$op => (),)+
            Op::Directed(..) => (),
        };
    };
}
operations! {
    Add Sub Mul Neg Min Max Div Fma Sqrt Recip Abs CopySign Floor Ceil Trunc RoundTiesEven Lt Le Gt Ge Eq Ne IsNan
    IsSignNegative ToF64 ToF32 ToI64 ToI32 ToBits FromBits And Or Xor Not Shl Shr ShrLogical Select
}

/// The name in the IR's text: `round_ties_even` for `RoundTiesEven`.
fn in_text(op: Op) -> String {
    let mut name = String::new();
    for c in format!("{op:?}").chars() {
        if c.is_ascii_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(c.to_ascii_lowercase());
    }
    name
}

/// The code between backticks in the rows of tables.
fn rows() -> Vec<&'static str> {
    let rows = OPERATIONS.lines().filter(|l| l.starts_with('|'));
    rows.flat_map(|row| row.split('`').skip(1).step_by(2))
        .collect()
}

#[test]
fn every_operation_and_method_has_a_row() {
    let rows = rows();
    let directed = Arith::ALL
        .into_iter()
        .flat_map(|arith| Direction::ALL.map(|d| op_name(Op::Directed(arith, d))));
    for op in OPS.iter().map(|op| in_text(*op)).chain(directed) {
        assert!(
            rows.contains(&&op[..]),
            "the pages of the language have no row of {op}"
        );
    }
    for name in method_names() {
        let call = format!(".{name}(");
        assert!(
            rows.iter().any(|code| code.contains(&call)),
            "the pages of the language show no call of {name}"
        );
    }
}

#[test]
fn every_intrinsic_is_named() {
    let definitions = HOST_SHIM.lines().filter_map(|l| l.strip_prefix("DC_SHIM "));
    let mut names: Vec<String> = definitions
        .filter_map(|l| l.split('(').next()?.split(' ').next_back())
        .map(str::to_string)
        .collect();
    assert!(names.len() > 20, "{names:?}");
    // Each of these exists in three directions.
    let directed = HOST_SHIM.lines().filter_map(|l| {
        let (macro_name, arguments) = l.strip_prefix("DC_DIRECTED")?.split_once('(')?;
        let name = arguments.split(", ").nth(1)?;
        (macro_name.len() == 1).then(|| format!("{name}_r?"))
    });
    names.extend(directed);
    assert!(names.len() > 34, "{names:?}");
    for name in names {
        assert!(
            OPERATIONS.contains(&format!("`{name}`")),
            "the pages of the language do not name {name}"
        );
    }
}

#[test]
fn every_required_option_is_named() {
    for compiler in [Compiler::Nvrtc, Compiler::OpenCl, Compiler::Cxx] {
        let options = CompileOptions::with(compiler, &[], &[]).expect("none is added");
        for option in options.as_slice() {
            assert!(
                POLICY.contains(&format!("`{option}`")),
                "fp-policy.md does not name {option}"
            );
        }
        assert!(POLICY.contains(compiler.variable()));
    }
}

#[test]
fn every_kernel_of_the_prelude_is_named() {
    let source = include_str!("../dc-runtime/src/lib.rs");
    let statements = source.split(';');
    let names: Vec<&str> = statements
        .filter_map(|s| {
            s.split_once("pub use crate::builtins::")?
                .1
                .rsplit_once("::")
        })
        .flat_map(|(_, names)| names.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'))
        .filter(|name| !name.is_empty())
        .collect();
    assert!(names.len() > 10, "{names:?}");
    for name in names {
        assert!(
            OPERATIONS.contains(&format!("`{name}`")),
            "the pages of the language do not name {name}"
        );
    }
}

/// The pages of references have a row for every reference, with its bound, in the table of its precision.
#[test]
fn every_reference_has_its_row_and_bound() {
    use doublecrunch::builtins::reference::{REFERENCES, REFERENCES_OF_TWO};
    let first = include_str!("../docs/book/src/reference/references-binary32.md");
    let second = include_str!("../docs/book/src/reference/references-binary64.md");
    let row = |text: &str, name: &str, bits: u32| {
        let start = format!("| `{name}` |");
        let row = text.lines().find(|l| l.starts_with(&start));
        let row = row.unwrap_or_else(|| panic!("the page of references has no row of {name}"));
        assert!(
            row.contains(&format!("| 2^-{bits} |")),
            "{name} is 2^-{bits}: {row}"
        );
    };
    for r in REFERENCES.iter().chain(REFERENCES_OF_TWO) {
        row(first, r.name, r.binary32.bits);
        if let Some(t) = r.binary64 {
            row(second, r.name, t.bits);
        }
    }
}

/// The text of all pages, each with its path.
fn pages(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut pages = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the book").flatten() {
        let path = entry.path();
        if path.is_dir() {
            pages.extend(self::pages(&path));
        } else if path.extension().is_some_and(|e| e == "md") {
            let text = std::fs::read_to_string(&path).expect("a page");
            pages.push((path, text));
        }
    }
    pages
}

/// The words of the commands `crunch …` that a page shows, also those of other programs behind `--`, without what the shell gets.
fn commands(page: &str) -> Vec<Vec<&str>> {
    let mut found = Vec::new();
    let mut in_code = false;
    for line in page.lines().map(str::trim) {
        if line.starts_with("```") {
            in_code = !in_code;
            continue;
        }
        let shown = line.strip_prefix("$ ");
        let ours = shown.unwrap_or(line).strip_prefix("crunch ");
        let of_a_crate = shown
            .filter(|l| l.starts_with("cargo run "))
            .and_then(|l| l.split_once(" -- "));
        let Some(command) = ours.or(of_a_crate.map(|c| c.1)).filter(|_| in_code) else {
            continue;
        };
        let mut quoted = false;
        let words = command
            .split(' ')
            .take_while(|w| !["|", "&", "#", ">", "--"].contains(w));
        // What is between quotes is an argument.
        let words = words.filter(|w| {
            let outside = !quoted && !w.contains('"');
            quoted ^= w.matches('"').count() % 2 == 1;
            outside
        });
        found.push(words.collect());
    }
    found
}

/// A command that the book shows has the options that it shows.
#[test]
fn every_command_of_the_book_has_its_options() {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/book/src");
    let help = |words: &[&str]| {
        let program = Command::new(env!("CARGO_BIN_EXE_crunch"))
            .arg("help")
            .args(words)
            .output()
            .expect("the program");
        program
            .status
            .success()
            .then(|| String::from_utf8(program.stdout).expect("UTF-8"))
    };
    let mut known: BTreeMap<Vec<String>, Option<String>> = BTreeMap::new();
    let (mut checked, mut wrong) = (0, Vec::new());
    for (path, text) in pages(&book) {
        for words in commands(&text) {
            let depth = if words[0] == "submit" { 2 } else { 1 };
            let name = &words[..depth];
            let text = known
                .entry(name.iter().map(|w| (*w).to_string()).collect())
                .or_insert_with(|| help(name));
            let Some(text) = text else {
                wrong.push(format!("{}: no command {name:?}", path.display()));
                continue;
            };
            for word in &words[depth..] {
                let option = word.split('=').next().unwrap_or_default();
                let here = match option.strip_prefix('-') {
                    Some(long) if long.starts_with('-') => text.contains(option),
                    Some(short) if short.len() == 1 => text.contains(&format!("{option},")),
                    _ => continue,
                };
                checked += 1;
                if !here {
                    wrong.push(format!(
                        "{}: no option {option} of {name:?}",
                        path.display()
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(checked > 100, "{checked}");
}

/// What a page shows of a command is what it prints, but for lines with times and with what a search meets on its way.
#[test]
fn the_book_shows_what_commands_print() {
    let page = include_str!("../docs/book/src/tasks/improve.md");
    for arguments in ["at exp 50.25458477142019", "bound exp"] {
        let program = Command::new(env!("CARGO_BIN_EXE_crunch"))
            .args(arguments.split(' '))
            .output()
            .expect("the program");
        let kept = |text: &str| -> Vec<String> {
            let varies = ["time", "cells", "net", "  worst cell"];
            let lines = text.lines().map(str::trim_end);
            lines
                .filter(|l| !varies.iter().any(|v| l.starts_with(v)))
                .map(str::to_string)
                .collect()
        };
        let shown = page
            .split_once(&format!("$ crunch {arguments}\n"))
            .and_then(|(_, rest)| rest.split_once("```"))
            .unwrap_or_else(|| panic!("improve.md shows no `crunch {arguments}`"))
            .0;
        let printed = String::from_utf8(program.stdout).expect("UTF-8");
        assert_eq!(kept(&printed), kept(shown), "crunch {arguments}");
    }
}
