//! Standard output: text in the order of writing, and tables with aligned columns. If the reader ends early (`| head`), this is not an
//! error.

use std::io::{self, ErrorKind, Write};

use serde_json::Value;

use dc_runtime::model::show;

pub(super) struct Out<'a> {
    inner: io::BufWriter<&'a mut dyn Write>,
    document: Document,
}

/// The part of the `--json` document that has been written.
enum Document {
    None,
    /// This many elements of an array.
    Begun(u64),
    Whole,
}

impl<'a> Out<'a> {
    pub fn new(out: &'a mut dyn Write) -> Out<'a> {
        Out {
            inner: io::BufWriter::with_capacity(1 << 16, out),
            document: Document::None,
        }
    }
    /// One or several lines. Text from a file or a device must not move a terminal's cursor.
    pub fn line(&mut self, text: &str) -> io::Result<()> {
        let text = show::lines(text);
        quiet(writeln!(self.inner, "{text}"))
    }
    /// The document of `--json`.
    pub fn json(&mut self, value: &Value) -> io::Result<()> {
        self.document = Document::Whole;
        self.line(&escaped(value))
    }
    /// The next element of a document that is an array and too long to be stored.
    pub fn element(&mut self, value: &Value) -> io::Result<()> {
        let n = match self.document {
            Document::Begun(n) => n,
            Document::None | Document::Whole => 0,
        };
        self.document = Document::Begun(n + 1);
        let head = if n == 0 { "[" } else { "," };
        let text = escaped(value).replace('\n', "\n  ");
        quiet(write!(self.inner, "{head}\n  {text}"))
    }
    /// Ends that array.
    pub fn end(&mut self) -> io::Result<()> {
        let begun = matches!(self.document, Document::Begun(_));
        self.document = Document::Whole;
        self.line(if begun { "\n]" } else { "[]" })
    }
    /// A failure: the document, if there is none yet, or the last element of an unfinished array.
    pub fn failed(&mut self, failure: &Value) -> io::Result<()> {
        match self.document {
            Document::None => self.json(failure),
            Document::Begun(_) => {
                self.element(failure)?;
                self.end()
            }
            Document::Whole => Ok(()),
        }
    }
    /// Rows of cells; the first is the heading. Columns of numbers are right-aligned.
    pub fn table(&mut self, rows: &[Vec<String>]) -> io::Result<()> {
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let cell =
            |row: &'_ Vec<String>, c: usize| row.get(c).map_or(String::new(), |t| show::plain(t));
        let width = |c| {
            rows.iter()
                .map(|r| cell(r, c).chars().count())
                .max()
                .unwrap_or(0)
        };
        let numeric = |c| {
            rows.iter().skip(1).all(|r| {
                cell(r, c).is_empty() || cell(r, c).starts_with(|d: char| d.is_ascii_digit())
            }) && !rows.iter().skip(1).any(|r| cell(r, c).starts_with("0x"))
        };
        let layout: Vec<(usize, bool)> = (0..columns).map(|c| (width(c), numeric(c))).collect();
        for row in rows {
            let mut line = String::new();
            for (c, (width, numeric)) in layout.iter().enumerate() {
                let text = cell(row, c);
                let gap = if c == 0 { "" } else { "  " };
                let pad = " ".repeat(width - text.chars().count());
                if *numeric {
                    line.push_str(&format!("{gap}{pad}{text}"));
                } else {
                    line.push_str(&format!("{gap}{text}{pad}"));
                }
            }
            self.line(line.trim_end())?;
        }
        Ok(())
    }
    /// Rows of two cells; the second cells are aligned.
    pub fn columns(&mut self, rows: &[Vec<String>]) -> io::Result<()> {
        let cell = |row: &[String], i: usize| row.get(i).map_or(String::new(), |t| show::plain(t));
        let width = rows.iter().map(|r| cell(r, 0).chars().count()).max();
        let width = width.unwrap_or(0);
        for row in rows {
            let (a, b) = (cell(row, 0), cell(row, 1));
            self.line(format!("{a:width$}  {b}").trim_end())?;
        }
        Ok(())
    }
    pub fn flush(&mut self) -> io::Result<()> {
        quiet(self.inner.flush())
    }
}

impl Write for Out<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.inner.write(bytes) {
            Err(e) if e.kind() == ErrorKind::BrokenPipe => Ok(bytes.len()),
            other => other,
        }
    }
    fn flush(&mut self) -> io::Result<()> {
        Out::flush(self)
    }
}

/// A JSON text in which no character moves a terminal's cursor: JSON itself escapes only those below U+0020.
pub(super) fn escaped(value: &Value) -> String {
    let mut text = String::new();
    for c in format!("{value:#}").chars() {
        match c {
            '\n' => text.push(c),
            c if show::moves(c) => text.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => text.push(c),
        }
    }
    text
}

fn quiet(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(e) if e.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The output parses as JSON, wherever the command fails.
    #[test]
    fn a_failure_ends_an_array() {
        for n in 0..3 {
            let mut text = Vec::new();
            let mut out = Out::new(&mut text);
            for i in 0..n {
                out.element(&json!({ "row": i })).expect("an element");
            }
            let failure = json!({ "error": { "code": 4 } });
            out.failed(&failure).expect("the failure");
            out.failed(&failure).expect("what is written once");
            out.flush().expect("the text");
            drop(out);
            let value: Value = serde_json::from_slice(&text).expect("a document");
            match n {
                0 => assert_eq!(value, failure),
                n => {
                    assert_eq!(value.as_array().map(Vec::len), Some(n + 1), "{value}");
                    assert_eq!(value[n], failure);
                }
            }
        }
    }
}
