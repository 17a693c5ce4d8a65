//! `cargo xtask lines`: the lines of the repository by part and by purpose, as a table.
//!
//! The code of a file is what is left without empty lines, comments, tests (`#[cfg(test)]`, modules of it in files of their own, and files and folders named `tests`) and tables of
//! constants (items of at least 12 lines that are arrays of numbers, and those of `doubles!`). Golden files are the texts that tests compare with.

use std::collections::BTreeMap;
use std::ops::AddAssign;
use std::path::Path;

use syn::visit::Visit;

use crate::circles::is_for_tests;
use crate::error::{Error, Result};
use crate::process::root;
use crate::test_modules;

/// The parts, in the order of the layers.
const PARTS: [&str; 18] = [
    "kernels-gen",
    "dc-macros",
    "dc-exact",
    "crunch-check",
    "lift",
    "dc-runtime",
    "dc-math",
    "dc-references",
    "formula",
    "design",
    "dc-driver",
    "src",
    "examples",
    "tests",
    "benches",
    "fuzz",
    "measure",
    "xtask",
];
/// The shortest item that counts as a table of constants.
const TABLE: usize = 12;

#[derive(Clone, Copy, Default)]
struct Lines {
    code: usize,
    comments: usize,
    tables: usize,
    tests: usize,
    golden: usize,
}

impl AddAssign for Lines {
    fn add_assign(&mut self, other: Lines) {
        self.code += other.code;
        self.comments += other.comments;
        self.tables += other.tables;
        self.tests += other.tests;
        self.golden += other.golden;
    }
}

/// `cargo xtask lines`.
pub fn run() -> Result<()> {
    print!("{}", table(&root())?);
    Ok(())
}

fn table(root: &Path) -> Result<String> {
    let mut text = String::from(
        "| part | code | comments | tables of constants | tests | golden files |\n|---|---:|---:|---:|---:|---:|\n",
    );
    let mut all = Lines::default();
    for part in PARTS {
        let mut lines = Lines::default();
        let is_test = matches!(part, "tests" | "benches" | "fuzz");
        folder(&root.join(part), is_test, &mut lines)?;
        text += &row(&format!("`{part}`"), lines);
        all += lines;
    }
    Ok(text + &row("all", all))
}

fn row(name: &str, l: Lines) -> String {
    let columns = [l.code, l.comments, l.tables, l.tests, l.golden].map(|n| n.to_string());
    format!("| {name} | {} |\n", columns.join(" | "))
}

fn folder(path: &Path, is_test: bool, lines: &mut Lines) -> Result<()> {
    let error = |e: std::io::Error| Error(format!("{}: {e}", path.display()));
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(path).map_err(error)? {
        entries.push(entry.map_err(error)?.path());
    }
    // Modules of tests with other names: declared in this folder's `mod.rs`, or beside the folder that they are in.
    let mut modules = Vec::new();
    let beside = path.with_extension("rs");
    let declaring = entries.iter().chain([&beside]).filter(|p| p.is_file());
    for file in declaring.filter(|p| p.extension().is_some_and(|e| e == "rs")) {
        let text = std::fs::read_to_string(file).map_err(error)?;
        modules.extend(test_modules::declared(file, &text));
    }
    for path in entries {
        let name = path.file_stem().and_then(|s| s.to_str()).unwrap_or("");
        let is_test = is_test
            || matches!(name, "tests" | "benches")
            || test_modules::contain(&modules, &path);
        let ending = path.extension().and_then(|e| e.to_str());
        if path.is_dir() {
            // What is built, and what is not committed.
            if name != "target" {
                folder(&path, is_test, lines)?;
            }
        } else if ending == Some("rs") {
            let text = std::fs::read_to_string(&path).map_err(error)?;
            let counted = count(&text, is_test);
            *lines += counted.map_err(|e| Error(format!("{}: {e}", path.display())))?;
        } else if is_test
            && matches!(
                ending,
                Some("stderr" | "cu" | "cl" | "txt" | "tsv" | "snap")
            )
        {
            let text = std::fs::read_to_string(&path).map_err(error)?;
            lines.golden += text.lines().count();
        }
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq)]
enum Purpose {
    Table,
    Test,
}

/// The purpose of the lines that are no code.
#[derive(Default)]
struct Marked(BTreeMap<usize, Purpose>);

impl Marked {
    fn mark(&mut self, item: &impl syn::spanned::Spanned, purpose: Purpose) {
        let span = item.span();
        for line in span.start().line..=span.end().line {
            self.0.insert(line, purpose);
        }
    }

    fn constant(&mut self, item: &impl syn::spanned::Spanned, value: &syn::Expr) {
        let span = item.span();
        let long = span.end().line - span.start().line + 1 >= TABLE;
        let value = match value {
            syn::Expr::Reference(r) => &*r.expr,
            value => value,
        };
        let packed = |m: &syn::ExprMacro| m.mac.path.is_ident("doubles");
        let table = match value {
            syn::Expr::Array(_) => long,
            syn::Expr::Macro(m) => packed(m),
            _ => false,
        };
        if table {
            self.mark(item, Purpose::Table);
        }
    }
}

impl<'ast> Visit<'ast> for Marked {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        match item.attrs.iter().any(is_for_tests) {
            true => self.mark(item, Purpose::Test),
            false => syn::visit::visit_item_mod(self, item),
        }
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.constant(item, &item.expr);
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.constant(item, &item.expr);
    }
}

fn count(text: &str, is_test: bool) -> std::result::Result<Lines, syn::Error> {
    let mut lines = Lines::default();
    if is_test {
        lines.tests = text.lines().filter(|l| !l.trim().is_empty()).count();
        return Ok(lines);
    }
    let mut marked = Marked::default();
    marked.visit_file(&syn::parse_file(text)?);
    for (n, line) in text.lines().enumerate() {
        let line = line.trim();
        match marked.0.get(&(n + 1)) {
            _ if line.is_empty() => {}
            Some(Purpose::Test) => lines.tests += 1,
            _ if line.starts_with("//") => lines.comments += 1,
            Some(Purpose::Table) => lines.tables += 1,
            None => lines.code += 1,
        }
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn each_line_has_one_purpose() {
        let table = format!("const T: [f64; 12] = [\n{}];\n", "    1.0,\n".repeat(12));
        let packed = "const P: [f64; 1] = doubles! {\n    0x3ff0_0000_0000_0000\n};\n";
        let text = format!(
            "//! A file.\n\nfn f() -> u32 {{\n    // One.\n    1\n}}\n{table}{packed}\n#[cfg(test)]\nmod tests {{\n    // A test.\n    fn g() {{}}\n}}\n"
        );
        let lines = count(&text, false).expect("Rust");
        assert_eq!(
            [lines.code, lines.comments, lines.tables, lines.tests],
            [3, 2, 17, 5]
        );
        assert_eq!(count(&text, true).expect("Rust").tests, 27);
    }
}
