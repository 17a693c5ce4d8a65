//! The file of a designed kernel.

use dc_runtime::model::key::Precision;
use dc_runtime::model::show;
use kernels_gen::ops::Prim;
use kernels_gen::syntax;

use crate::build::{Coefficient, Stage};
use crate::shape::Design;

/// The texts of the comments.
pub struct About {
    /// The kernel's name.
    pub name: String,
    /// Lines at the head of the file.
    pub head: Vec<String>,
    /// Lines of the kernel's documentation.
    pub doc: Vec<String>,
}

/// The file: constants with their values in hexadecimal, and the kernel.
#[must_use]
pub fn file(design: &Design, coefficients: &[Coefficient], about: &About) -> String {
    let stage = Stage::Source(design.format);
    let mut unit = design.unit(&about.name, about.doc.clone(), coefficients, stage);
    unit.head = about.head.clone();
    let precision = match design.prim {
        Prim::F32 => Precision::F32,
        _ => Precision::F64,
    };
    let mut text = syntax::source(&unit);
    if design.format.stored().is_some() {
        // The syntax has the type of lanes of numbers of 16 bits, which is that of binary32.
        let ty = design.format.type_name();
        text = text.replacen(
            "(x: DcFloat) -> DcFloat {",
            &format!("(x: {ty}) -> {ty} {{"),
            1,
        );
    }
    let mut out = String::new();
    for line in text.lines() {
        out += &bare(line);
        if let Some(bits) = bits_of(line) {
            out += &format!(" // {}", show::hex_float(precision, bits));
        }
        out.push('\n');
    }
    out
}

/// The bits of a constant's line.
fn bits_of(line: &str) -> Option<u64> {
    let rest = line.strip_prefix("pub const ")?;
    let hex = rest.split_once("::from_bits(0x")?.1.strip_suffix(");")?;
    u64::from_str_radix(hex, 16).ok()
}

/// A line without parentheses around its whole expression, about which rustc would warn.
fn bare(line: &str) -> String {
    let (head, rest, tail) = match line.split_once(" = ") {
        Some((head, rest)) if head.trim_start().starts_with("let ") => match rest.strip_suffix(';')
        {
            Some(rest) => (format!("{head} = "), rest, ";"),
            None => return line.into(),
        },
        _ => {
            let indent = line.len() - line.trim_start().len();
            (line[..indent].into(), &line[indent..], "")
        }
    };
    let mut depth = 0;
    let inner = rest.strip_prefix('(').and_then(|r| r.strip_suffix(')'));
    let whole = inner.filter(|inner| {
        inner.chars().all(|c| {
            depth += match c {
                '(' => 1,
                ')' => -1,
                _ => 0,
            };
            depth >= 0
        })
    });
    format!("{head}{}{tail}", whole.unwrap_or(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parentheses_around_a_whole_expression_go() {
        for (with, without) in [
            ("    let y = (a + b);", "    let y = a + b;"),
            ("    let y = (a) + (b);", "    let y = (a) + (b);"),
            ("    ((a - b) * c)", "    (a - b) * c"),
            ("    a.mul_add(b, (c))", "    a.mul_add(b, (c))"),
        ] {
            assert_eq!(bare(with), without);
        }
    }

    #[test]
    fn constants_have_all_their_digits() {
        let line = "pub const C3: f64 = f64::from_bits(0x3fc5555555555549);";
        let bits = bits_of(line).expect("a constant");
        // Fault: a constant in fewer digits is another one.
        assert_eq!(bits, 0x3fc5_5555_5555_5549);
        assert_eq!(
            show::hex_float(Precision::F64, bits),
            "0x1.5555555555549p-3"
        );
        assert_eq!(bits_of("pub const N: i64 = 4;"), None);
    }
}
