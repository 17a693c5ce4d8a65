//! Running other programs.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::error::{Error, Result};

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

/// What LLVM is told in builds that are made once: it makes metadata on aliasing of each inlined operation's arguments, a third
/// of the compile time of kernels (docs/book/src/contribute/log/performance.md, "Compile time and start").
const WITHOUT_ALIAS_METADATA: &str = "-Cllvm-args=-enable-noalias-to-md-conversion=0";

/// [`WITHOUT_ALIAS_METADATA`] where this compiler has it, or nothing: it is an option of LLVM's own, which a later version may drop.
pub fn without_alias_metadata() -> &'static str {
    static KNOWN: OnceLock<bool> = OnceLock::new();
    let known = KNOWN.get_or_init(|| {
        let known = rustc_takes(WITHOUT_ALIAS_METADATA);
        if !known {
            println!(
                "!! rustc refuses {WITHOUT_ALIAS_METADATA}: kernels take a third longer to compile"
            );
        }
        known
    });
    if *known { WITHOUT_ALIAS_METADATA } else { "" }
}

fn rustc_takes(option: &str) -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(rustc);
    output(command.current_dir(root()).args([option, "--print", "cfg"])).is_ok()
}

/// The settings of a build that nobody edits afterwards: it is made in half the time, without what a second build or a debugger
/// would use. Those that the environment has already stay.
pub fn once(command: &mut Command) -> &mut Command {
    let settings = [
        ("CARGO_INCREMENTAL", "0"),
        ("CARGO_PROFILE_DEV_DEBUG", "none"),
        ("CARGO_BUILD_RUSTFLAGS", without_alias_metadata()),
    ];
    for (name, value) in settings {
        if std::env::var_os(name).is_none() {
            command.env(name, value);
        }
    }
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

fn not_started(command: &Command, e: &std::io::Error) -> Error {
    Error(format!("`{}` could not be started: {e}", shown(command)))
}

/// Prints a command, runs it with our standard output and error, and fails if it fails.
pub fn run(command: &mut Command) -> Result<()> {
    println!("$ {}", shown(command));
    let status = command
        .stdin(Stdio::null())
        .status()
        .map_err(|e| not_started(command, &e))?;
    if status.success() {
        Ok(())
    } else {
        Err(Error(format!("`{}` failed: {status}", shown(command))))
    }
}

/// When a program's output is printed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Show {
    /// Immediately.
    Live,
    /// When the program has ended, both streams as one: other programs run in parallel with it.
    AtTheEnd,
}

/// Prints a command, runs it, prints its output and hands on each line of its standard output; the inner result is the
/// program's.
pub fn lines(command: &mut Command, show: Show, each: &mut dyn FnMut(&str)) -> Result<Result<()>> {
    println!("$ {}", shown(command));
    let (reader, writer) = std::io::pipe().map_err(|e| not_started(command, &e))?;
    if show == Show::AtTheEnd {
        let second = writer.try_clone();
        command.stderr(second.map_err(|e| not_started(command, &e))?);
    }
    let child = command.stdin(Stdio::null()).stdout(writer).spawn();
    // Only the child has the pipe's other end, or its end would not be noticed.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = child.map_err(|e| not_started(command, &e))?;
    let mut kept = Vec::new();
    for line in BufReader::new(reader)
        .split(b'\n')
        .map_while(std::result::Result::ok)
    {
        each(&String::from_utf8_lossy(&line));
        if show == Show::Live {
            // If our output is closed, the program continues and its result still counts.
            let mut ours = std::io::stdout().lock();
            let _ = ours.write_all(&line).and_then(|()| ours.write_all(b"\n"));
        } else {
            kept.extend(line);
            kept.push(b'\n');
        }
    }
    if !kept.is_empty() {
        // With the command once more, since others were printed in the meantime.
        let mut ours = std::io::stdout().lock();
        let _ = writeln!(ours, "# {}", shown(command)).and_then(|()| ours.write_all(&kept));
    }
    let status = child
        .wait()
        .map_err(|e| Error(format!("the end of `{}` was not seen: {e}", shown(command))))?;
    Ok(if status.success() {
        Ok(())
    } else {
        Err(Error(format!("`{}` failed: {status}", shown(command))))
    })
}

/// Prints a command, runs it, and fails if it fails; `show` selects how its output is printed.
pub fn run_shown(command: &mut Command, show: Show) -> Result<()> {
    match show {
        Show::Live => run(command),
        Show::AtTheEnd => lines(command, show, &mut |_| {})?,
    }
}

/// Builds a program of the workspace, in the development or the release profile, and returns its path. The options select its package and
/// features.
pub fn built(dev: bool, options: &[&str], name: &str) -> Result<PathBuf> {
    let (profile, folder): (&[&str], _) = match dev {
        true => (&[], "debug"),
        false => (&["--release"], "release"),
    };
    let mut command = cargo();
    command.arg("build").args(profile).args(options);
    run(command.args(["--bin", name]))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    // A relative one is below the root too, where cargo runs.
    let path = root().join(target).join(folder).join(name);
    match path.is_file() {
        true => Ok(path),
        false => Err(Error(format!("{} was not built", path.display()))),
    }
}

/// Runs a command without printing; returns its standard output, or its output if it failed.
pub fn output(command: &mut Command) -> Result<String> {
    let out = command
        .stdin(Stdio::null())
        .output()
        .map_err(|e| not_started(command, &e))?;
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

/// The processor time of all programs that this one has started and that have ended, in seconds; where the system shows it.
pub fn time_of_children() -> Option<f64> {
    children(&std::fs::read_to_string("/proc/self/stat").ok()?)
}

/// The 16th and 17th number of `/proc/self/stat` are it, in user and system mode, in hundredths of seconds. The second one is the program's
/// name in brackets, which may have spaces.
fn children(stat: &str) -> Option<f64> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut ticks = rest.split_whitespace().skip(13);
    let mut next = || ticks.next()?.parse::<f64>().ok();
    Some((next()? + next()?) / 100.0)
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

/// The parts of AVX-512 that the backend uses.
pub fn has_avx512() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::is_x86_feature_detected!("avx512f")
        && std::is_x86_feature_detected!("avx512vl")
        && std::is_x86_feature_detected!("avx512dq")
        && std::is_x86_feature_detected!("avx512bw");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// The folder for tools that are not installed on the system: `$CRUNCH_TOOLCHAIN`, else `target/toolchain`.
pub fn toolchain() -> PathBuf {
    std::env::var_os("CRUNCH_TOOLCHAIN")
        .filter(|dir| !dir.is_empty())
        .map_or_else(|| root().join("target/toolchain"), PathBuf::from)
}

/// Creates a file, and the folder for it.
pub fn create(path: &Path) -> std::io::Result<std::fs::File> {
    if let Some(dir) = path.parent() {
        std::fs::create_dir_all(dir)?;
    }
    std::fs::File::create(path)
}

#[cfg(test)]
mod tests {
    use super::{children, rustc_takes};

    #[test]
    fn an_option_that_the_compiler_does_not_have_is_noticed() {
        assert!(!rustc_takes("-Cllvm-args=-no-such-option=0"));
        // The control: one that every LLVM has.
        assert!(rustc_takes("-Cllvm-args=-inline-threshold=225"));
    }

    #[test]
    fn processor_time_is_after_the_name() {
        let stat = "7 (a (b) c) S 1 7 7 0 -1 4194560 1 2 3 4 11 12 250 50 20 0 1 0 9 9 9";
        assert_eq!(children(stat), Some(3.0));
        assert_eq!(children("7 (a) S 1"), None);
    }
}
