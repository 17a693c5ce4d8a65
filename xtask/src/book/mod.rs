//! `cargo xtask book`: the book in `docs/book`, checked, and built where mdBook is installed.
//!
//! | file | what |
//! |---|---|
//! | `markdown.rs` | what the checks need of a page: headings, links, code blocks |
//! | `mod.rs` | the checks: every page is in the summary, every link leads somewhere, every code block has a language, Rust code is compiled or says why not |
//! | `build.rs` | mdBook, which may not warn; each page and each anchor is in what it made |
//!
//! The checks read text only, so they cost nothing and `cargo xtask lint` makes them on every machine. mdBook itself does not
//! look at links.

mod build;
mod markdown;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use crate::error::{Error, Result};
use crate::process::{self, root};
use markdown::Page;

/// The folder of the pages.
const SOURCE: &str = "docs/book/src";

/// Pages outside of the book with links into it.
const BESIDE: [&str; 4] = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
];

/// The length that a page should not exceed: longer ones are counted, and tables of data are allowed to be.
const LINES: usize = 150;

/// The pages whose Rust code is compiled.
const COMPILED: &str = "src/book.rs";

/// A page that moved, and the text of a format that still has its old name: every certificate has this line.
const MOVED: (&str, [&str; 2]) = (
    concat!("docs", "/exact.md"),
    [
        "crunch-check/src/theorem.rs",
        "dc-exact/src/certificate/mod.rs",
    ],
);

/// Options of `cargo xtask book`.
#[derive(clap::Args)]
pub struct Args {
    /// Check links, summary and code blocks without building.
    #[arg(long)]
    check: bool,
}

/// `cargo xtask book`.
pub fn run(args: &Args) -> Result<()> {
    check()?;
    if !args.check && !build()? {
        println!(
            "!! mdBook is not here: the book is checked, and NOT built. `cargo xtask setup --only book` installs it"
        );
    }
    Ok(())
}

/// Builds the book. `Ok(false)` if mdBook is not available.
pub fn build() -> Result<bool> {
    build::build(&read(&root().join(SOURCE))?)
}

/// Checks the pages of this repository.
pub fn check() -> Result<()> {
    let pages = read(&root().join(SOURCE))?;
    let mut findings = findings(&pages);
    let compiled = std::fs::read_to_string(root().join(COMPILED))
        .map_err(|e| Error(format!("{COMPILED}: {e}")))?;
    for (name, page) in &pages {
        let name = Path::new(SOURCE).join(name).display().to_string();
        findings.extend(code(&name, page, &compiled));
    }
    for name in BESIDE {
        let text = std::fs::read_to_string(root().join(name))
            .map_err(|e| Error(format!("{name}: {e}")))?;
        let page = Page::read(&text);
        findings.extend(links_of_a_file(name, &page, &pages));
        findings.extend(code(name, &page, &compiled));
    }
    findings.extend(stale_names());
    if !findings.is_empty() {
        return Err(Error(format!("the book:\n  {}", findings.join("\n  "))));
    }
    let long = pages.values().filter(|p| p.lines > LINES).count();
    // The summary has a title, too; pictures and data have none.
    let titled = pages.values().filter(|p| p.title.is_some()).count() - 1;
    let links: usize = pages.values().map(|p| p.links.len()).sum();
    println!(
        "the book: {titled} pages, {links} links, all of them lead somewhere; {long} pages have more than {LINES} lines"
    );
    Ok(())
}

/// The pages of a folder, by their path in it.
fn read(folder: &Path) -> Result<BTreeMap<PathBuf, Page>> {
    let mut pages = BTreeMap::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(next) = open.pop() {
        let entries =
            std::fs::read_dir(&next).map_err(|e| Error(format!("{}: {e}", next.display())))?;
        for entry in entries.flatten() {
            let path = entry.path();
            let name = path.strip_prefix(folder).unwrap_or(&path).to_path_buf();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "md") {
                let text = std::fs::read_to_string(&path)
                    .map_err(|e| Error(format!("{}: {e}", path.display())))?;
                pages.insert(name, Page::read(&text));
            } else {
                // A picture or a table of data: a link may lead to it.
                pages.insert(name, Page::default());
            }
        }
    }
    Ok(pages)
}

/// What is wrong with the pages of a book.
fn findings(pages: &BTreeMap<PathBuf, Page>) -> Vec<String> {
    let mut found = Vec::new();
    let summary = Path::new("SUMMARY.md");
    let Some(contents) = pages.get(summary) else {
        return vec!["there is no SUMMARY.md".into()];
    };
    let mut listed = BTreeSet::new();
    for (line, link) in &contents.links {
        if !listed.insert(PathBuf::from(link)) {
            found.push(format!("SUMMARY.md:{line}: {link} is listed twice"));
        }
    }
    for (name, page) in pages {
        let shown = name.display();
        found.extend(links(name, page, pages));
        if name == summary || name.extension().is_none_or(|e| e != "md") {
            continue;
        }
        if !listed.contains(name) {
            found.push(format!("{shown}: SUMMARY.md does not list this page"));
        }
        if page.title.is_none() {
            found.push(format!("{shown}: a page begins with its title, `# …`"));
        }
        for line in &page.uneven {
            found.push(format!(
                "{shown}:{line}: a row with another number of cells than its table: write | in a cell as \\|"
            ));
        }
        for line in &page.unnamed {
            found.push(format!(
                "{shown}:{line}: a code block without a language: write ```text, ```rust, ```toml …"
            ));
        }
    }
    found
}

/// The links of a page of the book that lead nowhere.
fn links(name: &Path, page: &Page, pages: &BTreeMap<PathBuf, Page>) -> Vec<String> {
    let folder = name.parent().unwrap_or(Path::new(""));
    let mut found = Vec::new();
    for (line, link) in &page.links {
        if external(link) {
            continue;
        }
        let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
        let target = if file.is_empty() {
            Some(name.to_path_buf())
        } else {
            inside(&folder.join(file))
        };
        let shown = name.display();
        match target.as_ref().and_then(|t| pages.get(t)) {
            None => found.push(format!(
                "{shown}:{line}: there is no page or file {link} in the book"
            )),
            Some(target) if !anchor.is_empty() && !target.anchors.contains(anchor) => {
                found.push(format!("{shown}:{line}: {link} has no such heading"));
            }
            Some(_) => {}
        }
    }
    found
}

/// The links of a file beside the book that lead nowhere.
fn links_of_a_file(name: &str, page: &Page, pages: &BTreeMap<PathBuf, Page>) -> Vec<String> {
    let mut found = Vec::new();
    for (line, link) in page.links.iter().filter(|(_, l)| !external(l)) {
        let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
        let target = Path::new(file).strip_prefix(SOURCE).ok();
        let anchors = match target.and_then(|t| pages.get(t)) {
            Some(page) => &page.anchors,
            None if file.is_empty() => &page.anchors,
            None if root().join(file).exists() => continue,
            None => {
                found.push(format!("{name}:{line}: there is no file {link}"));
                continue;
            }
        };
        if !anchor.is_empty() && !anchors.contains(anchor) {
            found.push(format!("{name}:{line}: {link} has no such heading"));
        }
    }
    found
}

/// What is wrong with the Rust code of a page; `compiled` is the text of [`COMPILED`].
fn code(name: &str, page: &Page, compiled: &str) -> Vec<String> {
    let unexplained = page.unexplained.iter().map(|line| {
        format!("{name}:{line}: Rust code that is ignored needs a reason in the line above: <!-- ignored: … -->")
    });
    let mut found: Vec<String> = unexplained.collect();
    let listed = compiled.contains(&format!("\"{name}\""));
    if let Some(line) = page.compiled.filter(|_| !listed) {
        found.push(format!(
            "{name}:{line}: {COMPILED} does not have this page, so its Rust code is not compiled"
        ));
    }
    found
}

fn external(link: &str) -> bool {
    link.contains("://") || link.starts_with("mailto:")
}

/// The path without `..`; none where it leaves the book.
fn inside(path: &Path) -> Option<PathBuf> {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir if clean.pop() => {}
            Component::ParentDir => return None,
            Component::Normal(part) => clean.push(part),
            _ => {}
        }
    }
    Some(clean)
}

/// Names of pages in the committed files, comments of the code above all, that are no longer there.
fn stale_names() -> Vec<String> {
    let Ok(list) = process::output(
        Command::new("git")
            .current_dir(root())
            .args(["ls-files", "-z", "--cached"]),
    ) else {
        println!("!! no git here, or no repository: names of pages in comments are NOT checked");
        return Vec::new();
    };
    let mut found = Vec::new();
    for file in list.split('\0').filter(|n| !n.is_empty()) {
        let Ok(text) = std::fs::read_to_string(root().join(file)) else {
            continue;
        };
        for (line, number) in text.lines().zip(1..) {
            for name in markdown::page_names(line) {
                let moved = name == MOVED.0 && MOVED.1.contains(&file);
                if !moved && !root().join(&name).exists() {
                    found.push(format!("{file}:{number}: there is no {name}"));
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Page, SOURCE, code, findings, links_of_a_file};
    use std::collections::BTreeMap;
    use std::path::PathBuf;

    /// A book of these pages, with a summary of all of them.
    fn book(pages: &[(&str, &str)]) -> BTreeMap<PathBuf, Page> {
        let summary: String = pages.iter().map(|(n, _)| format!("- [x]({n})\n")).collect();
        let mut book: BTreeMap<PathBuf, Page> = pages
            .iter()
            .map(|(name, text)| (PathBuf::from(name), Page::read(text)))
            .collect();
        book.insert("SUMMARY.md".into(), Page::read(&summary));
        book
    }

    #[test]
    fn the_book_of_this_repository_is_whole() {
        super::check().unwrap_or_else(|e| panic!("{}", e.0));
    }

    #[test]
    fn a_sound_book_has_no_findings() {
        let pages = book(&[
            (
                "a.md",
                "# A\n\n## The `x` of it\n\n[b](in/b.md#two) [up](#the-x-of-it)\n```text\n[none](none.md)\n```\n",
            ),
            (
                "in/b.md",
                "# B\n## Two\n## Two\n[a](../a.md) ![p](../p.svg) [again](#two-1) `[code](no.md)`\n",
            ),
        ]);
        let mut pages = pages;
        pages.insert("p.svg".into(), Page::default());
        assert_eq!(findings(&pages), [""; 0]);
    }

    #[test]
    fn each_fault_is_named_with_its_line() {
        for (text, expected) in [
            ("# A\n[x](b.md)\n", "a.md:2: there is no page or file b.md"),
            (
                "# A\n[x](../../README.md)\n",
                "there is no page or file ../../README.md",
            ),
            ("# A\n\n[x](#b)\n", "a.md:3: #b has no such heading"),
            (
                "# A\n```\nx\n```\n",
                "a.md:2: a code block without a language",
            ),
            ("A\n", "a.md: a page begins with its title"),
            (
                "# A\n| a | b |\n|---|---|\n| \\|x\\| | y |\n| |x| | y |\n",
                "a.md:5: a row with another number of cells",
            ),
            (
                "# A\n\n[one\ntwo](b.md)\n",
                "a.md:4: there is no page or file b.md",
            ),
        ] {
            let found = findings(&book(&[("a.md", text)]));
            assert!(
                found.len() == 1 && found[0].contains(expected),
                "{text}: {found:?}"
            );
        }
        let mut pages = book(&[("a.md", "# A\n")]);
        pages.insert("b.md".into(), Page::read("# B\n"));
        assert_eq!(
            findings(&pages),
            ["b.md: SUMMARY.md does not list this page"]
        );
    }

    #[test]
    fn rust_code_is_compiled_or_says_why_not() {
        let check = |text: &str| code("a.md", &Page::read(text), "a: \"a.md\",");
        let sound = "# A\n```rust\nx\n```\n<!-- ignored: a reason -->\n```rust,ignore\nx\n```\n";
        assert_eq!(check(sound), [""; 0]);
        let found = check("# A\n\n```rust,ignore\n<!-- ignored: no -->\n```\n");
        assert!(
            found.len() == 1 && found[0].starts_with("a.md:3: "),
            "{found:?}"
        );
        let found = code("b.md", &Page::read(sound), "a: \"a.md\",");
        assert!(
            found.len() == 1 && found[0].starts_with("b.md:2: "),
            "{found:?}"
        );
    }

    #[test]
    fn a_file_beside_the_book_is_checked_too() {
        let pages = book(&[("a.md", "# A\n## Part\n")]);
        let check = |link: &str| {
            let text = format!("[a]({SOURCE}/{link})");
            links_of_a_file("README.md", &Page::read(&text), &pages)
        };
        assert_eq!(check("a.md#part"), [""; 0]);
        assert_eq!(check("a.md#no").len(), 1);
        assert_eq!(check("b.md").len(), 1);
    }
}
