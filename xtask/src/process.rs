//! Running other programs.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::{Error, Result};

/// The root of the workspace: the folder above this crate's.
pub fn root() -> PathBuf {
    // cargo sets the variable for `cargo run`; the compiled-in path serves when the binary is started by hand.
    let own = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")),
        |dir: OsString| PathBuf::from(dir),
    );
    own.parent().map_or_else(|| own.clone(), Path::to_path_buf)
}

/// The cargo that runs us, in the root of the workspace.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// The command as one would type it.
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

/// Says what is run, runs it with our standard output and error, and fails if it does.
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

/// Runs it quietly; its standard output, or what it printed when it failed.
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

/// Where on `PATH` a program is.
pub fn which(program: impl AsRef<OsStr>) -> Option<PathBuf> {
    let program = Path::new(program.as_ref());
    if program.components().count() > 1 {
        return program.is_file().then(|| program.to_path_buf());
    }
    std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|dir| dir.join(program))
        .find(|path| path.is_file())
}
