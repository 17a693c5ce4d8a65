//! Positions and text of the source, where the compiler provides them.

use proc_macro2::{Span, TokenStream, TokenTree};
use std::cell::RefCell;
#[cfg(not(test))]
use std::path::PathBuf;

/// Line and column, from 1; zeros outside of a compiler (unit tests).
pub(crate) fn position(span: Span) -> (u32, u32) {
    if !proc_macro::is_available() {
        return (0, 0);
    }
    let span = span.unwrap();
    let number = |n: usize| u32::try_from(n).unwrap_or(0);
    (number(span.line()), number(span.column()))
}

#[cfg(test)]
thread_local! {
    /// The file of every place, in tests.
    pub(crate) static FILE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// The text of the file of a place, if it can be read.
#[cfg(test)]
pub(crate) fn with_file<T>(_: Span, f: impl FnOnce(&str) -> T) -> Option<T> {
    FILE.with_borrow(|text| (!text.is_empty()).then(|| f(text)))
}

/// The text of the file of a place, if it can be read.
#[cfg(not(test))]
pub(crate) fn with_file<T>(span: Span, f: impl FnOnce(&str) -> T) -> Option<T> {
    thread_local! {
        /// The last file: most kernels of a file are expanded one after the other.
        static LAST: RefCell<(PathBuf, String)> = RefCell::default();
    }
    if !proc_macro::is_available() {
        return None;
    }
    let path = span.unwrap().local_file()?;
    LAST.with_borrow_mut(|last| {
        if last.0 != path {
            *last = (path.clone(), std::fs::read_to_string(&path).ok()?);
        }
        Some(f(&last.1))
    })
}

/// The text of an item without its attributes. Groups give their own text, including comments; between the tokens of
/// the signature only line breaks and blanks are kept.
pub(crate) fn text(item: TokenStream) -> String {
    let mut text = String::new();
    let mut end: Option<(usize, usize)> = None;
    let mut tokens = item.into_iter().peekable();
    while let Some(token) = tokens.next() {
        if text.is_empty()
            && matches!(&token, TokenTree::Punct(p) if p.as_char() == '#')
            && matches!(tokens.peek(), Some(TokenTree::Group(_)))
        {
            tokens.next();
            continue;
        }
        let place = proc_macro::is_available().then(|| token.span().unwrap());
        let start = place.map(|s| (s.start().line(), s.start().column()));
        if let (Some((end_line, end_col)), Some((line, col))) = (end, start) {
            if line > end_line {
                text.push('\n');
                text.extend(std::iter::repeat_n(' ', col.saturating_sub(1)));
            } else if line == end_line && col > end_col {
                text.extend(std::iter::repeat_n(' ', col - end_col));
            }
        }
        text.push_str(
            &token
                .span()
                .source_text()
                .unwrap_or_else(|| token.to_string()),
        );
        end = place.map(|s| (s.end().line(), s.end().column()));
    }
    text
}

/// The number of the macro expansion to which a name belongs by hygiene; 0 for text outside of macros.
///
/// Stable Rust gives it only in the `Debug` output. If another compiler prints spans differently, all names are treated as having one
/// context. rustc still resolves the Rust expansion, but the tree may confuse two variables with the same name. The case
/// `tests/ui-messages/tests/ui/pass/hygiene.rs` compares the two and fails then.
pub(crate) fn context(span: Span) -> u32 {
    if !proc_macro::is_available() {
        return 0;
    }
    context_of(&format!("{:?}", span.unwrap())).unwrap_or(0)
}

/// The number in `#4 bytes(120..121)`.
fn context_of(debug: &str) -> Option<u32> {
    let (number, place) = debug.strip_prefix('#')?.split_once(' ')?;
    place.starts_with("bytes(").then(|| number.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::context_of;

    #[test]
    fn a_span_is_read_in_the_one_form_that_is_known() {
        assert_eq!(context_of("#0 bytes(120..121)"), Some(0));
        assert_eq!(context_of("#417 bytes(120..121)"), Some(417));
        for other in [
            "",
            "#",
            "#4",
            "#x bytes(1..2)",
            "4 bytes(1..2)",
            "#4 lines(1..2)",
            "bytes(1..2) #4",
        ] {
            assert_eq!(context_of(other), None, "{other}");
        }
    }
}
