//! A kernel that `design` wrote, read for `--again`: the command in its head, and whether the file can be replaced.

use std::path::{Path, PathBuf};

use clap::{Command, FromArgMatches as _};

use super::asked::Asked;
use crate::args::DesignArgs;
use crate::failure::Failure;
use dc_runtime::model::show;
use dc_runtime::sweep::Sweep;

/// The request in a file's head.
pub(super) struct Old {
    file: PathBuf,
    /// The number of the line with the command.
    line: usize,
    args: DesignArgs,
}

impl Old {
    /// Reads a file. `replaced` states whether it will be replaced. Its command may name one of the sweeps.
    pub fn read(path: &Path, replaced: bool, sweeps: &[Sweep]) -> Result<Old, Failure> {
        let text = match path.metadata() {
            Ok(m) if !m.is_file() => Err("it is not a file".into()),
            _ => std::fs::read_to_string(path).map_err(|e| e.to_string()),
        };
        let shown = path.display();
        let text = text.map_err(|why| {
            Failure::input(format!(
                "--again {shown}: {why}; name the file of a kernel that `crunch design -o` wrote"
            ))
        })?;
        let at = |(line, why): Wrong| {
            let why = show::plain(&why);
            Failure::input(format!("{shown}:{line}: {why}"))
        };
        let (line, command) = command(&text).map_err(at)?;
        let wrong = |why| {
            let remedy = "correct the command, or make the kernel again with `crunch design … -o`";
            at((line, format!("{why}; {remedy}")))
        };
        let args = arguments(command).map_err(wrong)?;
        if args.again.is_some() {
            return Err(wrong("the command itself has --again".into()));
        }
        let asked = Asked::read(&args, sweeps).map_err(|e| wrong(e.message))?;
        if replaced {
            kernel_alone(&text, &asked.name).map_err(at)?;
        }
        let file = path.into();
        Ok(Old { file, line, args })
    }

    /// The request, with the options that are given in addition to the file.
    pub fn with(self, mut args: DesignArgs) -> DesignArgs {
        if args.output.is_none() {
            args.output = Some(self.file);
        }
        args.over(self.args)
    }

    /// The place of the command.
    pub fn place(&self) -> String {
        format!("{}:{}", self.file.display(), self.line)
    }
}

/// A line's number and the fault there.
type Wrong = (usize, String);

/// The head's command with its line. It is indented.
fn command(text: &str) -> Result<(usize, &str), Wrong> {
    let head = (1..).zip(text.lines());
    let head = head.take_while(|(_, line)| line.starts_with("//!"));
    let mut found = None;
    for (number, line) in head {
        let Some(code) = line.strip_prefix("//!     ") else {
            continue;
        };
        if code.split_whitespace().nth(1) != Some("design") {
            continue;
        }
        if let Some((first, _)) = found {
            return Err((
                number,
                format!("a second command, after the one in line {first}; leave one of them"),
            ));
        }
        found = Some((number, code));
    }
    found.ok_or((
        1,
        "no command in the file's head, such as `//!     crunch design exp --range 0..1`; add the line, or make the kernel again with \
         `crunch design … -o`"
            .into(),
    ))
}

/// The arguments of a command as it is written in a shell.
pub(super) fn arguments(command: &str) -> Result<DesignArgs, String> {
    let words = shlex::split(command).ok_or("a quote is not closed")?;
    let parser = <DesignArgs as clap::Args>::augment_args(Command::new("design"));
    // The program and the name of the command are one.
    let parsed = parser.try_get_matches_from(words.into_iter().skip(1));
    let parsed = parsed.and_then(|m| DesignArgs::from_arg_matches(&m));
    parsed.map_err(|e| {
        let text = e.render().to_string();
        let lines = text
            .lines()
            .map(str::trim)
            .take_while(|l| !l.starts_with("Usage:"));
        let lines: Vec<&str> = lines.filter(|l| !l.is_empty()).collect();
        let line = lines.join(" ");
        line.strip_prefix("error: ").unwrap_or(&line).into()
    })
}

/// Refuses a file that contains more than a kernel of that name, since the rest would be lost.
fn kernel_alone(text: &str, name: &str) -> Result<(), Wrong> {
    const OURS: [&str; 10] = [
        "//!",
        "use doublecrunch::",
        "pub const ",
        "pub static ",
        "    ",
        "];",
        "///",
        "#[crunch]",
        "pub fn ",
        "}",
    ];
    let mut ended = false;
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        if ended || !OURS.iter().any(|own| line.starts_with(own)) {
            return Err((
                number,
                "this line is not part of the kernel and would be lost; move it to another file, or leave this one and name another \
                 with -o"
                    .into(),
            ));
        }
        let called = line
            .strip_prefix("pub fn ")
            .and_then(|l| l.split('(').next());
        if let Some(called) = called.filter(|&c| c != name) {
            return Err((
                number,
                format!(
                    "the kernel is called `{called}`, and its command makes `{name}`; add `--name {called}` to the command"
                ),
            ));
        }
        ended = line == "}";
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kernels that the tests compile are files that can be designed again, and their commands have the form in which `design` writes
    /// them.
    #[test]
    fn kernels_that_were_written_are_read() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/designed");
        let mut files = 0;
        for entry in folder.read_dir().expect("kernels") {
            let file = entry.expect("a file").path();
            let old = Old::read(&file, true, &[]).unwrap_or_else(|e| panic!("{e:?}"));
            let text = std::fs::read_to_string(&file).expect("its text");
            let line = text.lines().nth(old.line - 1).expect("its command");
            let asked = Asked::read(&old.args, &[]).expect("a request");
            assert_eq!(line, format!("//!     {}", asked.command(Some(&file))));
            files += 1;
        }
        assert!(files >= 5, "{files}");
    }
}
