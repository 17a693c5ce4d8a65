//! An operation's place in the source.
//!
//! A kernel contains its own text. So a report can show the line wherever the program runs, and never shows a line of another file with the
//! same name.

use kernels_gen::program::Origin;

use super::Site;

/// A line of a kernel's source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    /// The line.
    pub text: &'a str,
    /// The column of the operation in it, from 1, in characters, if it is certain.
    pub column: Option<usize>,
}

/// `src/newton.rs:12:9`.
#[must_use]
pub fn place(site: &Site) -> String {
    let (file, loc) = (&site.origin.file, site.loc);
    match (loc.line, loc.col) {
        (0, _) => format!("{file}:{}", site.origin.line),
        (line, 0) => format!("{file}:{line}"),
        (line, col) => format!("{file}:{line}:{col}"),
    }
}

/// The source line of a place. `None` if it is not in the kernel's text, for example in code that another macro generated.
#[must_use]
pub fn line(site: &Site) -> Option<Line<'_>> {
    let Origin { name, source, .. } = &*site.origin;
    // The text starts at the first token after the attributes, which may be lines before the `fn`.
    let is_head = |l: &&str| l.contains(&format!("fn {name}"));
    let head = source.lines().position(|l| is_head(&l))?;
    let number = (site.loc.line as usize).checked_sub(site.origin.line as usize)? + head;
    let text = source.lines().nth(number)?;
    // The first line of the text is without its indentation.
    let column = (number > 0 && site.loc.col > 0).then_some(site.loc.col as usize);
    Some(Line {
        text,
        column: column.filter(|&c| c <= text.chars().count()),
    })
}
