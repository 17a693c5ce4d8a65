//! Numbers, names and tables in the text of Rust and C.

use std::ops::Range;

/// A number that is written in a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Number {
    pub wide: f64,
    pub narrow: f32,
}

impl Number {
    /// Its bits in binary32 or binary64.
    pub fn bits(self, narrow: bool) -> u64 {
        match narrow {
            true => self.narrow.to_bits().into(),
            false => self.wide.to_bits(),
        }
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The decimal number at the start of a text, and its length in bytes.
pub(super) fn number(text: &str) -> Option<(Number, usize)> {
    let bytes = text.as_bytes();
    let digits = |mut at: usize| {
        while at < bytes.len() && (bytes[at].is_ascii_digit() || bytes[at] == b'_') {
            at += 1;
        }
        at
    };
    let mut at = digits(0);
    if bytes.get(at) == Some(&b'.')
        && bytes
            .get(at + 1)
            .is_none_or(|&b| b != b'.' && !b.is_ascii_alphabetic())
    {
        at = digits(at + 1);
    }
    if !text[..at].contains(|c: char| c.is_ascii_digit()) || text[..at].starts_with('_') {
        return None;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let end = digits(at + 1 + sign);
        if end > at + 1 + sign {
            at = end;
        }
    }
    let plain = text[..at].replace('_', "");
    let mut end = at;
    for suffix in ["f32", "f64", "_f32", "_f64", "f", "F", "L"] {
        if text[at..].starts_with(suffix) {
            end = at + suffix.len();
            break;
        }
    }
    // `0x1p3`, `1u32`
    if text[end..].starts_with(is_name) {
        return None;
    }
    let number = Number {
        wide: plain.parse().ok()?,
        narrow: plain.parse().ok()?,
    };
    Some((number, end))
}

/// The numbers in a text that are not part of a name or a comment, with their places.
pub(super) fn numbers(text: &str) -> Vec<(Number, Range<usize>)> {
    let mut found = Vec::new();
    outside_comments(text, |at, rest| {
        if !rest.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
            return None;
        }
        let (n, length) = number(rest)?;
        found.push((n, at..at + length));
        Some(length)
    });
    found
}

/// Calls `token` for each place outside of comments and strings at which a name or another character begins, with the text from there.
/// `token` returns how much of the text it consumes; otherwise the name or the character is skipped.
fn outside_comments(text: &str, mut token: impl FnMut(usize, &str) -> Option<usize>) {
    let mut at = 0;
    while at < text.len() {
        if let Some(end) = comment(text, at) {
            at = end;
            continue;
        }
        let rest = &text[at..];
        at += token(at, rest).unwrap_or_else(|| match name(rest) {
            "" => rest.chars().next().map_or(1, char::len_utf8),
            name => name.len(),
        });
    }
}

/// The name at the start of a text; empty if there is none.
fn name(text: &str) -> &str {
    &text[..text.find(|c| !is_name(c)).unwrap_or(text.len())]
}

/// The end of a comment or a string that begins at this place.
fn comment(text: &str, at: usize) -> Option<usize> {
    let rest = &text[at..];
    let after = |start: usize, end: &str| {
        let end = rest[start..].find(end).map(|e| e + end.len());
        end.map_or(text.len(), |e| at + start + e)
    };
    if rest.starts_with("//") {
        Some(after(0, "\n"))
    } else if rest.starts_with("/*") {
        Some(after(2, "*/"))
    } else if rest.starts_with('"') {
        Some(after(1, "\""))
    } else {
        None
    }
}

/// The path at the start of a text: `a::B`.
pub(super) fn path(text: &str) -> Option<&str> {
    let end = text.find(|c| !is_name(c) && c != ':').unwrap_or(text.len());
    let path = text[..end].trim_end_matches(':');
    (path.starts_with(|c: char| c.is_alphabetic() || c == '_')).then_some(path)
}

/// How often a name occurs in a text, outside of comments.
pub(super) fn mentions(text: &str, of: &str) -> usize {
    let mut count = 0;
    outside_comments(text, |_, rest| {
        count += usize::from(!of.is_empty() && name(rest) == of);
        None
    });
    count
}

/// The place of the value in `const NAME: T = value;`; `None` if there is more than one.
pub(super) fn definition(text: &str, name: &str) -> Option<Range<usize>> {
    let mut found = None;
    for word in ["const ", "static "] {
        let head = format!("{word}{name}");
        for (at, _) in text.match_indices(&head) {
            let after = at + head.len();
            if text[after..].starts_with(is_name) {
                continue;
            }
            let equals = after + text[after..].find('=')?;
            let start = equals + 1 + spaces(&text[equals + 1..]);
            let end = start + end(&text[start..], ';')?;
            if found.replace(start..end).is_some() {
                return None;
            }
        }
    }
    found
}

fn spaces(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// The place of a character outside of parentheses and comments.
fn end(text: &str, of: char) -> Option<usize> {
    let (mut at, mut depth) = (0, 0);
    while at < text.len() {
        if let Some(end) = comment(text, at) {
            at = end;
            continue;
        }
        let c = text[at..].chars().next()?;
        match c {
            _ if depth == 0 && c == of => return Some(at),
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return None,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        at += c.len_utf8();
    }
    None
}

/// The places of the entries of `[a, b, …]`.
pub(super) fn entries(text: &str) -> Option<Vec<Range<usize>>> {
    let open = text.find('[')?;
    let inner = &text[open + 1..];
    let close = end(inner, ']')?;
    let mut found = Vec::new();
    let mut at = 0;
    while at < close {
        let length = end(&inner[at..close], ',').unwrap_or(close - at);
        let mut start = at;
        // Comments before an entry.
        loop {
            start += spaces(&inner[start..at + length]);
            match comment(inner, start).filter(|_| start < at + length) {
                Some(end) => start = end.min(at + length),
                None => break,
            }
        }
        let text = &inner[start..at + length];
        let text = text.split("//").next().unwrap_or_default();
        let text = text.split("/*").next().unwrap_or_default().trim_end();
        if !text.is_empty() {
            found.push(open + 1 + start..open + 1 + start + text.len());
        }
        at += length + 1;
    }
    Some(found)
}

/// The value of an expression of numbers in binary64 or binary32, as rustc computes it; `None` for any other expression.
pub(super) fn value(text: &str, narrow: bool) -> Option<u64> {
    let text = text.trim();
    if let Some(rest) = text.strip_prefix('-') {
        let sign = if narrow { 1 << 31 } else { 1 << 63 };
        // `-a / b` is `(-a) / b`, with the same value.
        return value(rest, narrow).map(|bits| bits ^ sign);
    }
    for ty in ["f64", "f32"] {
        let hex = text
            .strip_prefix(ty)
            .and_then(|t| t.strip_prefix("::from_bits("))
            .and_then(|t| t.strip_suffix(')'));
        if let Some(hex) = hex {
            let digits = hex.strip_prefix("0x")?.replace('_', "");
            return u64::from_str_radix(&digits, 16).ok();
        }
    }
    for op in ['/', '*'] {
        if let Some((a, b)) = text.rsplit_once(op) {
            let (a, b) = (value(a, narrow)?, value(b, narrow)?);
            let wide = |bits: u64| f64::from_bits(bits);
            let short = |bits: u64| f32::from_bits(bits as u32);
            return Some(match (narrow, op) {
                (true, '/') => (short(a) / short(b)).to_bits().into(),
                (true, _) => (short(a) * short(b)).to_bits().into(),
                (false, '/') => (wide(a) / wide(b)).to_bits(),
                (false, _) => (wide(a) * wide(b)).to_bits(),
            });
        }
    }
    let (n, length) = number(text)?;
    (length == text.len()).then(|| n.bits(narrow))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read() {
        for (text, wide, length) in [
            ("1.5)", 1.5, 3),
            ("0.333_333", 0.333_333, 9),
            ("1e-3f32,", 1e-3, 7),
            ("2.0f64", 2.0, 6),
            ("7.", 7.0, 2),
            ("3.sqrt()", 3.0, 1),
            ("0..4", 0.0, 1),
        ] {
            let (n, l) = number(text).expect(text);
            assert_eq!((n.wide, l), (wide, length), "{text}");
        }
        for none in ["x", "0x10", "1u32", "_1", ".", "e5"] {
            assert_eq!(number(none), None, "{none}");
        }
        // Each format reads the digits itself: rounded twice, it is another number.
        let (n, _) = number("1.00000017881393432617187499").expect("a number");
        assert_eq!(n.narrow.to_bits(), 0x3f80_0001);
        assert_eq!((n.wide as f32).to_bits(), 0x3f80_0002);
        let text = "let a1 = b2 * 0.5; // 0.5\n /* 0.5 */ x.mul_add(0.5, y)";
        let found: Vec<usize> = numbers(text).iter().map(|n| n.1.start).collect();
        assert_eq!(found, [14, text.rfind("0.5").unwrap_or(0)]);
    }

    #[test]
    fn tables_are_read() {
        let text = "const C: [f64; 3] = [\n    1.0, // first, one\n    -1.0 / 6.0,\n    f64::from_bits(0x3fb9_9999_9999_999a),\n];";
        let at = definition(text, "C").expect("a definition");
        let of: Vec<&str> = entries(&text[at.clone()])
            .expect("entries")
            .into_iter()
            .map(|r| &text[at.clone()][r])
            .collect();
        assert_eq!(of[..2], ["1.0", "-1.0 / 6.0"]);
        let values: Vec<u64> = of.iter().filter_map(|t| value(t, false)).collect();
        assert_eq!(values, [1.0f64, -1.0 / 6.0, 0.1].map(f64::to_bits));
        assert_eq!(
            value("1.0 / 3.0", true),
            Some((1f32 / 3.0).to_bits().into())
        );
        assert_eq!(value("LN_2", false), None);
        assert_eq!(
            definition("const C: f64 = 1.0; const C: f64 = 2.0;", "C"),
            None
        );
        assert_eq!(definition("const CC: f64 = 1.0;", "C"), None);
        assert_eq!(mentions("C[0] + CC // C\n + &C", "C"), 2);
        assert_eq!(
            path("std::f64::consts::PI * x"),
            Some("std::f64::consts::PI")
        );
    }
}
