//! Inputs of `at` that begin with a minus sign.
//!
//! clap takes an argument that begins with a minus sign for an option, unless it is a decimal number. `-1.1,101`, `-0x1.8p0` and `-inf` are
//! not decimal numbers for it. If every argument could be an input (`allow_hyphen_values`), options after the first input would be inputs.
//! So these arguments get a mark in front while clap reads them.

use std::ffi::OsString;

/// A character that no argument of a process contains.
const MARK: char = '\0';
/// The option whose value may begin with a minus sign.
const FORMULA: &str = "--against-expression";

/// Marks the inputs of `at` that begin with a minus sign.
pub(crate) fn marked(mut args: Vec<OsString>) -> Vec<OsString> {
    let is_option = |a: &OsString| a.to_string_lossy().starts_with('-');
    let command = args.iter().skip(1).position(|a| !is_option(a));
    let Some(command) = command.map(|i| i + 1).filter(|&i| args[i] == "at") else {
        return args;
    };
    let end = args.iter().position(|a| a == "--").unwrap_or(args.len());
    for i in command + 1..end {
        let text = args[i].to_str().filter(|_| args[i - 1] != FORMULA);
        if let Some(text) = text.filter(|t| is_negative(t)) {
            args[i] = format!("{MARK}{text}").into();
        }
    }
    args
}

/// Whether a text begins like a negative input.
fn is_negative(text: &str) -> bool {
    let Some(size) = text.strip_prefix('-') else {
        return false;
    };
    size.starts_with(|c: char| c.is_ascii_digit() || c == '.') || size.starts_with("inf")
}

/// The input without its mark.
pub(super) fn unmarked(text: &str) -> Result<String, std::convert::Infallible> {
    Ok(text.strip_prefix(MARK).unwrap_or(text).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_marked_and_nothing_else() {
        let of = |line: &str| {
            let all = marked(line.split(' ').map(OsString::from).collect());
            let shown = all.iter().map(|a| a.to_string_lossy().replace(MARK, "!"));
            shown.collect::<Vec<_>>().join(" ")
        };
        for (line, want) in [
            (
                "crunch at pow -1.1,101 2,-3",
                "crunch at pow !-1.1,101 2,-3",
            ),
            (
                "crunch --json at f -inf -0x1p3 -.5 -j",
                "crunch --json at f !-inf !-0x1p3 !-.5 -j",
            ),
            (
                "crunch at --against-expression -1 -2",
                "crunch at --against-expression -1 !-2",
            ),
            ("crunch at f -- -1,2", "crunch at f -- -1,2"),
            ("crunch run f -1,2", "crunch run f -1,2"),
            ("crunch", "crunch"),
        ] {
            assert_eq!(of(line), want);
        }
        assert_eq!(unmarked("\0-1,2").as_deref(), Ok("-1,2"));
        assert_eq!(unmarked("-1").as_deref(), Ok("-1"));
    }
}
