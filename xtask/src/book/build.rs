//! The book as HTML: built by mdBook, and compared with what the checks of the text assume.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::markdown::Page;
use crate::error::{Error, Result};
use crate::process::{self, root};
use crate::setup::Tool;

/// Builds the pages into `target/book`. `Ok(false)` if mdBook is not available.
///
/// # Errors
/// If mdBook fails or warns (of HTML that is not closed, for example), or if a page or the anchor of a heading is missing.
pub fn build(pages: &BTreeMap<PathBuf, Page>) -> Result<bool> {
    let Some(program) = Tool::MdBook.find() else {
        return Ok(false);
    };
    let mut command = Command::new(program);
    command.arg("build").arg(root().join("docs/book"));
    println!("$ {}", process::shown(&command));
    let output = command
        .output()
        .map_err(|e| Error(format!("mdbook could not be started: {e}")))?;
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    let text = String::from_utf8_lossy(&text);
    if !output.status.success() || !warnings(&text).is_empty() {
        return Err(Error(format!("mdbook: {}\n{text}", output.status)));
    }
    let folder = root().join("target/book");
    let read = |page: &Path| std::fs::read_to_string(folder.join(page)).ok();
    let missing = missing(pages, &read);
    if !missing.is_empty() {
        return Err(Error(format!("target/book:\n  {}", missing.join("\n  "))));
    }
    println!("the book: target/book/index.html");
    Ok(true)
}

/// The lines of its output that warn.
fn warnings(text: &str) -> Vec<&str> {
    let level = |line: &&str| {
        let word = line.split_whitespace().next();
        matches!(word, Some("WARN" | "ERROR"))
    };
    text.lines().filter(level).collect()
}

/// The pages that were not made, and the headings that have another anchor than links to them assume.
fn missing(pages: &BTreeMap<PathBuf, Page>, read: &dyn Fn(&Path) -> Option<String>) -> Vec<String> {
    let mut found = Vec::new();
    let written = |n: &&PathBuf| n.extension().is_some_and(|e| e == "md");
    for name in pages.keys().filter(written) {
        // The summary is the column at the left of each page.
        if name == Path::new("SUMMARY.md") {
            continue;
        }
        let html = name.with_extension("html");
        let Some(text) = read(&html) else {
            found.push(format!("there is no {}", html.display()));
            continue;
        };
        for anchor in &pages[name].anchors {
            if !text.contains(&format!("id=\"{anchor}\"")) {
                found.push(format!("{} has no heading #{anchor}", html.display()));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Page, missing, warnings};
    use std::collections::BTreeMap;
    use std::path::{Path, PathBuf};

    #[test]
    fn a_warning_is_a_failure() {
        let text =
            " INFO Book building has started\n WARN unclosed HTML tag `<x>` found in `a.md`\n";
        assert_eq!(
            warnings(text),
            [" WARN unclosed HTML tag `<x>` found in `a.md`"]
        );
        assert_eq!(warnings(" INFO the WARN is no level\n"), [""; 0]);
    }

    #[test]
    fn a_page_that_was_not_made_and_an_anchor_of_another_name_are_found() {
        let pages = BTreeMap::from([
            (PathBuf::from("in/a.md"), Page::read("# A\n## Two words\n")),
            (PathBuf::from("b.md"), Page::read("# B\n")),
            (PathBuf::from("SUMMARY.md"), Page::read("# Summary\n")),
            (PathBuf::from("p.svg"), Page::default()),
        ]);
        let html = "<h1 id=\"a\">A</h1><h2 id=\"two_words\">Two words</h2>";
        let read = |page: &Path| (page == Path::new("in/a.html")).then(|| html.to_string());
        assert_eq!(
            missing(&pages, &read),
            ["there is no b.html", "in/a.html has no heading #two-words"]
        );
    }
}
