//! An operation's place in the source.
//!
//! A kernel carries its own text, so a report can show the line wherever the program runs, and never another file's that
//! happens to have the same name.

use kernels_gen::ir::Kernel;

use super::Site;

/// A line of a kernel's source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// The line.
    pub text: &'static str,
    /// The column from 1, in characters, of the operation in it, if it is sure.
    pub column: Option<usize>,
}

/// `src/newton.rs:12:9`.
#[must_use]
pub fn place(site: &Site) -> String {
    let (file, loc) = (site.kernel.file, site.loc);
    match (loc.line, loc.col) {
        (0, _) => format!("{file}:{}", site.kernel.line),
        (line, 0) => format!("{file}:{line}"),
        (line, col) => format!("{file}:{line}:{col}"),
    }
}

/// The line of a place; nothing where it is not in the kernel's text, as in code that another macro wrote.
#[must_use]
pub fn line(site: &Site) -> Option<Line> {
    let Kernel { name, source, .. } = site.kernel;
    // The text starts at the first token behind the attributes, which may be lines before the `fn`.
    let is_head = |l: &&str| l.contains(&format!("fn {name}"));
    let head = source.lines().position(|l| is_head(&l))?;
    let number = (site.loc.line as usize).checked_sub(site.kernel.line as usize)? + head;
    let text = source.lines().nth(number)?;
    // The first line of the text has lost its indentation.
    let column = (number > 0 && site.loc.col > 0).then_some(site.loc.col as usize);
    Some(Line {
        text,
        column: column.filter(|&c| c <= text.chars().count()),
    })
}
