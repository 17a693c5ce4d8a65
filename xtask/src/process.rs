//! Running other programs.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::{Error, Result};

/// The root of the workspace: the folder above this crate's.
pub fn root() -> PathBuf {
    // cargo sets the variable for `cargo run`; the compiled-in path is used when the binary is started by hand.
    let own = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")),
        |dir: OsString| PathBuf::from(dir),
    );
    own.parent().map_or_else(|| own.clone(), Path::to_path_buf)
}

/// The cargo that runs this program, in the root of the workspace.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// The command in the form in which it is typed.
pub fn shown(command: &Command) -> String {
    let mut text = String::new();
    for word in std::iter::once(command.get_program()).chain(command.get_args()) {
        let word = word.to_string_lossy();
        let word = if text.is_empty() {
            word.rsplit('/').next().unwrap_or(&word).into()
        } else {
            word
        };
        let space = if text.is_empty() { "" } else { " " };
        if word.is_empty() || word.contains([' ', '\'', '"', ';']) {
            let _ = write!(text, "{space}'{word}'");
        } else {
            let _ = write!(text, "{space}{word}");
        }
    }
    text
}

/// Prints a command, runs it with our standard output and error, and fails if it fails.
pub fn run(command: &mut Command) -> Result<()> {
    println!("$ {}", shown(command));
    let status = command
        .stdin(Stdio::null())
        .status()
        .map_err(|e| Error(format!("`{}` could not be started: {e}", shown(command))))?;
    if status.success() {
        Ok(())
    } else {
        Err(Error(format!("`{}` failed: {status}", shown(command))))
    }
}

/// Runs a command without printing; returns its standard output, or its output if it failed.
pub fn output(command: &mut Command) -> Result<String> {
    let out = command
        .stdin(Stdio::null())
        .output()
        .map_err(|e| Error(format!("`{}` could not be started: {e}", shown(command))))?;
    if out.status.success() {
        return Ok(String::from_utf8_lossy(&out.stdout).into_owned());
    }
    Err(Error(format!(
        "`{}` failed: {}\n{}{}",
        shown(command),
        out.status,
        String::from_utf8_lossy(&out.stdout),
        String::from_utf8_lossy(&out.stderr)
    )))
}

/// The path of a program on `PATH`.
pub fn which(program: impl AsRef<OsStr>) -> Option<PathBuf> {
    let program = Path::new(program.as_ref());
    if program.components().count() > 1 {
        return program.is_file().then(|| program.to_path_buf());
    }
    std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|dir| dir.join(program))
        .find(|path| path.is_file())
}
