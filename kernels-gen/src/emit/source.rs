//! The Rust source in comments of emitted text.

use crate::program::Origin;

/// Text that is safe in a comment: no line splice, no end of comment, ASCII only.
pub(super) fn comment(text: &str) -> String {
    let text: String = text
        .trim()
        .chars()
        .map(|c| {
            if c.is_ascii() && !c.is_ascii_control() {
                c
            } else {
                '?'
            }
        })
        .collect();
    text.replace("*/", "* /")
        .replace("??", "? ?")
        .trim_end_matches(['\\', ' '])
        .to_string()
}

/// The name of the function's file, without folders.
pub(super) fn file_name(origin: &Origin) -> &str {
    origin.file.rsplit(['/', '\\']).next().unwrap_or_default()
}

/// `file.rs:12 let y = x * x;`: a line, with its text if the function's source is available.
pub(super) fn reference(origin: &Origin, line: u32) -> String {
    // `origin.line` is that of the `fn`, which attributes and doc comments may precede in `source`.
    let head = origin
        .source
        .lines()
        .position(|l| l.split_whitespace().any(|w| w == "fn"));
    let source = head
        .zip(line.checked_sub(origin.line))
        .and_then(|(head, offset)| origin.source.lines().nth(head + offset as usize))
        .map(comment)
        .filter(|source| !source.is_empty())
        .map_or_else(String::new, |source| format!("  {source}"));
    format!("{}:{line}{source}", comment(file_name(origin)))
}
