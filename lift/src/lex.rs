//! Tokens of LLVM's text.

/// A token.
#[derive(Debug, Clone, PartialEq)]
pub enum Token {
    /// `%name`
    Local(String),
    /// `@name`
    Global(String),
    /// `!name`, `!12`, and `!` before `{` or a string with nothing after it.
    Meta(String),
    /// `#12`
    Attr(String),
    /// A keyword, a label or a type.
    Word(String),
    /// A number as written.
    Number(String),
    /// A string, its escapes resolved.
    Text(Vec<u8>),
    /// Any other character.
    Punct(char),
}

/// The tokens of a line. A comment ends the line.
pub fn tokens(line: &str) -> Vec<Token> {
    let bytes = line.as_bytes();
    let mut out = Vec::new();
    let mut i = 0;
    let is_word = |c: u8| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'.' | b'$' | b'-');
    let word = |from: usize| {
        let mut to = from;
        while to < bytes.len() && is_word(bytes[to]) {
            to += 1;
        }
        (line[from..to].to_string(), to)
    };
    while i < bytes.len() {
        match bytes[i] {
            b' ' | b'\t' | b'\r' => i += 1,
            b';' => break,
            c @ (b'%' | b'@' | b'!' | b'#') => {
                let (name, to) = if bytes.get(i + 1) == Some(&b'"') && c != b'!' {
                    let (text, to) = string(bytes, i + 1);
                    (String::from_utf8_lossy(&text).into_owned(), to)
                } else {
                    word(i + 1)
                };
                out.push(match c {
                    b'%' => Token::Local(name),
                    b'@' => Token::Global(name),
                    b'!' => Token::Meta(name),
                    // `#dbg_value(…)` is a keyword, `#3` a group of attributes.
                    _ if name.starts_with("dbg_") => Token::Word(format!("#{name}")),
                    _ => Token::Attr(name),
                });
                i = to;
            }
            b'"' => {
                let (text, to) = string(bytes, i);
                out.push(Token::Text(text));
                i = to;
            }
            b'c' if bytes.get(i + 1) == Some(&b'"') => {
                let (text, to) = string(bytes, i + 1);
                out.push(Token::Text(text));
                i = to;
            }
            c if c.is_ascii_digit()
                || (c == b'-' && bytes.get(i + 1).is_some_and(u8::is_ascii_digit)) =>
            {
                let mut to = i + 1;
                while to < bytes.len()
                    && (is_word(bytes[to]) && bytes[to] != b'-'
                        || (matches!(bytes[to], b'+' | b'-')
                            && matches!(bytes[to - 1], b'e' | b'E')))
                {
                    to += 1;
                }
                out.push(Token::Number(line[i..to].to_string()));
                i = to;
            }
            c if is_word(c) => {
                let (name, to) = word(i);
                out.push(Token::Word(name));
                i = to;
            }
            c => {
                out.push(Token::Punct(char::from(c)));
                i += 1;
            }
        }
    }
    out
}

/// The string whose opening quote is at `from`, and the place where it ends. `\22` is a byte in hexadecimal.
fn string(bytes: &[u8], from: usize) -> (Vec<u8>, usize) {
    let mut out = Vec::new();
    let mut i = from + 1;
    while i < bytes.len() && bytes[i] != b'"' {
        let hex = bytes
            .get(i + 1..i + 3)
            .and_then(|h| std::str::from_utf8(h).ok());
        match (bytes[i], hex.and_then(|h| u8::from_str_radix(h, 16).ok())) {
            (b'\\', Some(byte)) => {
                out.push(byte);
                i += 3;
            }
            (b'\\', None) => {
                out.push(b'\\');
                i += 2;
            }
            (byte, _) => {
                out.push(byte);
                i += 1;
            }
        }
    }
    (out, i + 1)
}
