//! How a program ended, and what it printed.

use std::process::Command;

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
