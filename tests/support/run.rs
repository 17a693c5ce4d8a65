//! How a program ended, and what it printed.

use std::process::Command;

/// The words of a command line: `words!("run {sweep} -o {}", file)`. No value has a space.
#[allow(unused_macros, reason = "not every test has long command lines")]
macro_rules! words {
    ($($line:tt)*) => {
        std::fmt::format(format_args!($($line)*)).split(' ').collect::<Vec<_>>()
    };
}

/// Checks that a text contains others; otherwise it is printed.
#[allow(unused_macros, reason = "not every test looks for texts")]
macro_rules! contains {
    ($text:expr, $($part:expr),+ $(; $about:literal)?) => {{
        let text = &$text;
        let about = String::new() $(+ &format!($about) + ": ")?;
        $(assert!(text.contains($part), "{about}no `{}` in:\n{text}", $part);)+
    }};
}

/// The words of a command line without quotes.
#[allow(dead_code, reason = "not every test has long command lines")]
pub fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

pub struct Run {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Run {
    pub fn of(command: &mut Command) -> Run {
        let output = command.output().expect("the program");
        Run {
            code: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// All of it, for a message.
    #[allow(dead_code, reason = "not every test prints all")]
    pub fn text(&self) -> String {
        format!("{:?}\n{}{}", self.code, self.out, self.err)
    }

    /// The rest of the line that begins with this text.
    #[allow(dead_code, reason = "not every test reads lines")]
    pub fn line(&self, begin: &str) -> &str {
        let found = self.out.lines().find_map(|l| l.strip_prefix(begin));
        found.unwrap_or_else(|| panic!("no line `{begin}`: {}", self.text()))
    }
}
