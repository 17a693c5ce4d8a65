//! The programs of tests in parallel: cargo runs one after the other, and most of them leave a processor idle for a part of their
//! time. Here cargo only notes how it would start each, with this program as its runner, and as many threads run them as have
//! nothing else to do.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use crate::counts::{Counts, count};
use crate::error::{Error, Result};
use crate::process::{self, Show, root};

/// Arguments of `cargo xtask note-test`, which cargo calls.
#[derive(clap::Args)]
pub struct Args {
    /// The file to which a line is added.
    file: PathBuf,
    /// The test program and its arguments.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    program: Vec<OsString>,
}

/// `cargo xtask note-test`: adds the program, its arguments, folder and variables to the file. Programs that cargo does not keep,
/// those of examples in documentation, are run.
pub fn note(args: &Args) -> Result<ExitCode> {
    let (program, rest) = args.program.split_first().expect("clap requires one");
    let kept = Path::new(program)
        .parent()
        .is_some_and(|p| p.ends_with("deps"));
    if !kept {
        let status = Command::new(program).args(rest).status();
        let status = status.map_err(|e| Error(format!("{}: {e}", Path::new(program).display())))?;
        return Ok(match status.code() {
            Some(0) => ExitCode::SUCCESS,
            code => ExitCode::from(code.and_then(|c| u8::try_from(c).ok()).unwrap_or(1)),
        });
    }
    // A variable that is not Unicode is not cargo's, so the program inherits it.
    let variables: Vec<[String; 2]> = std::env::vars_os()
        .filter_map(|(name, value)| Some([name.into_string().ok()?, value.into_string().ok()?]))
        .collect();
    let words: Option<Vec<&str>> = args.program.iter().map(|w| w.to_str()).collect();
    let folder = std::env::current_dir().map_err(|e| Error(format!("the current folder: {e}")))?;
    let line = json!({
        "words": words.ok_or_else(|| Error("arguments that are not Unicode".into()))?,
        "folder": folder.to_str().ok_or_else(|| Error("a folder that is not Unicode".into()))?,
        "variables": variables,
    });
    let file = std::fs::File::options()
        .create(true)
        .append(true)
        .open(&args.file);
    file.and_then(|mut f| writeln!(f, "{line}"))
        .map_err(|e| Error(format!("{}: {e}", args.file.display())))?;
    Ok(ExitCode::SUCCESS)
}

/// Programs that are still to be run, and what those that ran gave.
pub struct Queue {
    programs: Mutex<VecDeque<Command>>,
}

impl Queue {
    /// An empty one, which [`Queue::fill`] fills.
    pub fn new() -> Self {
        Queue {
            programs: Mutex::default(),
        }
    }

    /// Calls `cargo test` with this command, to learn its programs, which leave out the tests of these names; examples in
    /// documentation are run by it. Returns their number, and cargo's outcome.
    pub fn fill(&self, test: &mut Command, skipped: &[&str]) -> Result<(Counts, Result<()>)> {
        let file = crate::process::toolchain().join("tests.jsonl");
        // Those of an earlier run must not be taken for this one's.
        std::fs::write(&file, "").map_err(|e| Error(format!("{}: {e}", file.display())))?;
        let own = std::env::current_exe().map_err(|e| Error(format!("this program: {e}")))?;
        let words = json!([own.to_str(), "note-test", file.to_str()]);
        test.arg("--config")
            .arg(format!("target.{}.runner={words}", host()?))
            .args(["--", "--exact"])
            .args(skipped.iter().flat_map(|name| ["--skip", name]));
        let done = count(test, Show::Live)?;
        let text = std::fs::read_to_string(&file)
            .map_err(|e| Error(format!("{}: {e}", file.display())))?;
        let mut programs = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
        for line in text.lines() {
            let program = command(line);
            programs.push_back(
                program
                    .ok_or_else(|| Error(format!("{}: not a program: {line}", file.display())))?,
            );
        }
        if programs.is_empty() {
            return Err(Error("cargo names no program of tests".into()));
        }
        println!(
            "{} programs of tests, each with its output when it ends",
            programs.len()
        );
        Ok(done)
    }

    /// Runs programs until none is left; any number of threads may do so. Fails, when all have ended, if one of its own failed.
    pub fn work(&self) -> Result<(Counts, Result<()>)> {
        let next = || {
            let mut programs = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
            programs.pop_front()
        };
        let (mut counts, mut failed) = (Counts::default(), Vec::new());
        while let Some(mut program) = next() {
            let (more, outcome) = count(&mut program, Show::AtTheEnd)?;
            counts = counts + more;
            failed.extend(outcome.err().map(|Error(reason)| reason));
        }
        Ok(match failed.is_empty() {
            true => (counts, Ok(())),
            false => (counts, Err(Error(failed.join("; ")))),
        })
    }
}

/// The program of a line that [`note`] wrote.
fn command(line: &str) -> Option<Command> {
    let value: Value = serde_json::from_str(line).ok()?;
    let words: Option<Vec<&str>> = value["words"]
        .as_array()?
        .iter()
        .map(Value::as_str)
        .collect();
    let words = words?;
    let (program, arguments) = words.split_first()?;
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(value["folder"].as_str()?);
    for pair in value["variables"].as_array()? {
        command.env(pair[0].as_str()?, pair[1].as_str()?);
    }
    Some(command)
}

/// The target for which cargo builds here.
fn host() -> Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let text = process::output(Command::new(rustc).current_dir(root()).arg("-vV"))?;
    let host = text.lines().find_map(|l| l.strip_prefix("host: "));
    host.map(Into::into)
        .ok_or_else(|| Error("rustc does not name its host".into()))
}

#[cfg(test)]
mod tests {
    use super::{Queue, command};
    use serde_json::json;

    /// Every program runs once, whoever runs it, with its own variables and folder; a failure is that of the thread that ran it.
    #[test]
    fn every_program_runs_once_and_failures_are_named() {
        let file = std::env::temp_dir().join(format!("crunch-queue-{}", std::process::id()));
        let variables = [["NOTED", file.to_str().expect("UTF-8")]];
        let shell = |script: &str| {
            let line =
                json!({"words": ["sh", "-c", script], "folder": "/", "variables": variables});
            command(&line.to_string()).expect("a line of a program")
        };
        let queue = Queue::new();
        let scripts = ["pwd >> $NOTED", "pwd >> $NOTED; exit 3", "pwd >> $NOTED"];
        let mut programs = queue.programs.lock().expect("ours alone");
        programs.extend(scripts.map(shell));
        drop(programs);
        let both = std::thread::scope(|scope| {
            let other = scope.spawn(|| queue.work());
            [queue.work(), other.join().expect("no panic")]
        });
        let both = both.map(|o| o.expect("they start").1);
        let ran = std::fs::read_to_string(&file).expect("they ran");
        std::fs::remove_file(&file).expect("it was there");
        assert_eq!(ran, "/\n/\n/\n");
        let failed: Vec<_> = both.into_iter().filter_map(Result::err).collect();
        assert_eq!(failed.len(), 1, "{failed:?}");
        assert!(failed[0].0.contains("exit status: 3"), "{failed:?}");
        assert!(command("{\"words\": [1]}").is_none());
    }
}
